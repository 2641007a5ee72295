// Lives of pages in virtual time, with everything going wrong that can: what is acknowledged is counted once, and what fails is told.
// Each seed is a browser in which a few pages live.
//
//   node tests/simulation/outbox/simulate.js --lives 20000 [--first 1] [--step 1]
//   node tests/simulation/outbox/simulate.js --seed 17        replays one browser, and prints what happened

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import createModule from '../../../web/library/generated/runtime.js';
import { loader } from '../../../web/library/load.js';
import { Engine } from '../../../web/library/simulator/engine.js';
import { openWorkbench } from '../../../web/library/workbench.js';
import { Clock } from './clock.js';
import { Dice } from './dice.js';
import { Fragile } from './fragile.js';
import { Life } from './life.js';

/** How a server words its answers. */
const DIALECTS = ['emulator', 'production', 'proxy'];
const { values } = parseArgs({
  options: { lives: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' }, step: { type: 'string', default: '1' }, seed: { type: 'string' } },
});

const generated = new URL('../../../web/library/generated/', import.meta.url);
const fragile = new Fragile(createModule);
const load = loader('counters.wasm', fragile.createModule, () => new URL('counters.wasm', generated));
const loadSecond = loader('admin.wasm', fragile.createModule, () => new URL('admin.wasm', generated));
await Promise.all([load(), loadSecond()]);
const { module } = await (await openWorkbench({ wasm: readFileSync(fileURLToPath(new URL('workbench.wasm', generated))) })).createEngine();
// Callbacks that throw are a part of it.
console.error = () => {};
// Stacks cost a tenth of the time; a replay has them.
if (!values.seed) Error.stackTraceLimit = 0;

let browsers = 0;
let lives = 0;
let increments = 0;
let requests = 0;
let unknown = 0;

/** @param {number} seed */
async function live(seed) {
  const clock = new Clock();
  const dice = new Dice(seed);
  clock.install();
  dice.install();
  const engine = new Engine(module, { limits: 'none', dialect: DIALECTS[seed % DIALECTS.length], seed });
  const life = new Life(seed, { clock, dice, engine, load, loadSecond, fragile, isReplayed: values.seed !== undefined });
  try {
    await life.run();
  } catch (error) {
    life.complaints.push(`${/** @type {Error} */ (error).stack}`);
  }
  clock.uninstall();
  engine.close();
  browsers += 1;
  lives += life.pages.length;
  increments += life.asked.length;
  requests += life.network.requests;
  unknown += life.asked.filter(({ outcome }) => outcome === 'unknown').length;
  return life;
}

process.on('unhandledRejection', (error) => {
  console.log('unhandled rejection', error);
  process.exitCode = 1;
});

const first = Number(values.seed ?? values.first);
const most = values.seed ? 1 : Number(values.lives);
const began = process.hrtime.bigint();
let failures = 0;
for (let seed = first; lives < most; seed += Number(values.step)) {
  const life = await live(seed);
  if (values.seed) console.log(life.log?.join('\n'));
  if (life.complaints.length === 0) continue;
  failures += 1;
  process.exitCode = 1;
  console.log(`seed ${seed}: ${[...new Set(life.complaints)].join('; ')}`);
  if (failures >= 20) break;
}
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
console.log(`${lives} lives in ${browsers} browsers, ${increments} increments (${unknown} unknown), ${requests} requests, ${fragile.crashes} crashes in ${seconds.toFixed(1)} s; ${failures} failed`);
process.exit();
