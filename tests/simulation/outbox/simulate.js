// Deterministic simulation: lives of pages in virtual time, with every kind of fault. Each acknowledged increment is counted once, and each failure
// reaches its caller. Each seed is a browser in which a few pages live.
//
//   node tests/simulation/outbox/simulate.js --lives 20000 [--first 1] [--step 1]
//   node tests/simulation/outbox/simulate.js --seed 17        replays one browser, and prints its events
//   node tests/simulation/outbox/simulate.js … --harsh        every browser lives in the harsh world of which the others are a seventh
//   node tests/simulation/outbox/simulate.js --fault NAME     with a planted fault (planted_faults.js): 0 if it is found; also with --seed
//   node tests/simulation/outbox/simulate.js --faults [--jobs 2]   the planted faults, each until a seed or a scene finds it: all of
//                                                                them with SHARDLINE_RUN=long, else three of four

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { inRun } from '../../support/run.js';
import { plant, PLANTED_FAULTS } from './planted_faults.js';

/** How many lives a planted fault may take until it is found. */
const LIVES_OF_A_FAULT = 4000;
/** The run ends when this number of browsers has failed. */
const MOST_FAILURES = 20;

const { values } = parseArgs({
  options: {
    lives: { type: 'string' }, first: { type: 'string', default: '1' }, step: { type: 'string', default: '1' }, seed: { type: 'string' },
    harsh: { type: 'boolean', default: false }, fault: { type: 'string' }, faults: { type: 'boolean', default: false }, jobs: { type: 'string', default: '2' },
  },
});

/** @typedef {import('./world.js').World} World */

/** How a browser lives. */
const how = values.harsh ? { isHarsh: true } : {};

/** Whether no browser has failed. @param {World} world @param {number} lives */
async function liveAll(world, lives) {
  const began = process.hrtime.bigint();
  let failures = 0;
  for (let seed = Number(values.first); world.lives < lives && failures < MOST_FAILURES; seed += Number(values.step)) {
    const { complaints } = await world.live(seed, how);
    if (complaints.length === 0) continue;
    failures += 1;
    console.log(`seed ${seed}: ${[...new Set(complaints)].join('; ')}`);
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  console.log(`${world.lives} lives in ${world.browsers} browsers, ${world.increments} increments (${world.unknown} unknown), `
    + `${world.requests} requests, ${world.crashes} crashes in ${seconds.toFixed(1)} s; ${failures} failed`);
  for (const [cause, times] of Object.entries(world.causes).sort(([, one], [, other]) => other - one)) console.log(`${times} unknown: ${cause}`);
  return failures === 0;
}

/** Whether nothing was found in it. @param {World} world @param {number} seed */
async function replay(world, seed) {
  const { complaints, log } = await world.live(seed, { ...how, isReplayed: true });
  console.log(log?.join('\n'));
  if (complaints.length > 0) console.log(`seed ${seed}: ${[...new Set(complaints)].join('; ')}`);
  return complaints.length === 0;
}

/** Whether the fault that is planted is found. @param {World} world @param {number} lives */
async function find(world, lives) {
  for (let seed = Number(values.first); world.lives < lives; seed += Number(values.step)) {
    const { complaints } = await world.live(seed, how);
    if (complaints.length === 0) continue;
    console.log(`seed ${seed}, after ${world.lives} lives: ${complaints[0]?.split('\n')[0]}`);
    return true;
  }
  console.log(`${world.lives} lives have not found it`);
  return false;
}

/** Whether every planted fault of this run is found. @param {number} jobs How many are looked for side by side. */
async function findAll(jobs) {
  const faults = inRun(PLANTED_FAULTS.filter((_, place) => place % 4 < 3), PLANTED_FAULTS);
  const rest = [...faults];
  let found = 0;
  const lookForNext = async () => {
    for (let fault = rest.shift(); fault; fault = rest.shift()) {
      const began = process.hrtime.bigint();
      const { isFound, said } = await findApart(fault);
      if (isFound) found += 1;
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      console.log(`${isFound ? 'found   ' : 'SURVIVED'}  ${seconds.toFixed(1)} s  ${fault.name} (${fault.what}): ${said}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, lookForNext));
  console.log(`${found} of ${faults.length} planted faults found; there are ${PLANTED_FAULTS.length}`);
  return found === faults.length;
}

/**
 * In a process of its own, because a process loads a module once.
 * @param {import('./planted_faults.js').PlantedFault} fault
 * @returns {Promise<{isFound: boolean, said: string}>}
 */
function findApart({ name, isHarsh = false, first = 1, scene, seed = 0 }) {
  const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
  const lives = [here('simulate.js'), '--fault', name, '--first', `${first}`, ...(isHarsh ? ['--harsh'] : [])];
  const scenes = ['--import', here('plant_named.js'), '--test-reporter=tap', here(scene ?? '')];
  const child = spawn(process.execPath, scene ? scenes : lives, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, FAULT: name, SEED: seed > 0 ? `${seed}` : '' } });
  let said = '';
  /** @type {string | undefined} The scene that does not go well. The others need not be played. */
  let failed;
  child.stdout.on('data', (data) => {
    said += data;
    if (scene) [, failed] = /^ *not ok \d+ - (.*)\n/m.exec(said) ?? [];
    if (failed !== undefined) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('close', (code) => {
    resolve(scene ? { isFound: failed !== undefined, said: failed ?? (code === 0 ? 'all scenes go well' : 'it cannot be planted') } : { isFound: code === 0, said: said.trim().slice(0, 300) });
  }));
}

async function main() {
  if (values.faults) return findAll(Number(values.jobs));
  if (values.fault) plant(values.fault);
  const { World } = await import('./world.js');
  const world = new World();
  await world.start();
  // Callbacks that throw are a part of it.
  console.error = () => {};
  if (values.seed) return replay(world, Number(values.seed));
  Error.stackTraceLimit = 0; // Stacks cost a tenth of the time; a replay has them.
  return values.fault ? find(world, Number(values.lives ?? LIVES_OF_A_FAULT)) : liveAll(world, Number(values.lives ?? 1000));
}

let isUnhandled = false;
process.on('unhandledRejection', (error) => {
  if (!values.fault) console.log('unhandled rejection', error);
  isUnhandled = true;
});
const isGood = await main();
// Of a planted fault no more is asked than that something is found.
process.exit(isGood && (!isUnhandled || values.fault) ? 0 : 1);
