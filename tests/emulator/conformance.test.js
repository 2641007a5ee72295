/**
 * The embedded Firestore against Google's emulator: the same requests, the same answers. support/conformance.js compares them; known_differences.js
 * lists the allowed differences.
 *
 *   SEED=7 SEQUENCES=1 node --test tests/emulator/conformance.test.js     replays one sequence
 *   SEED=7 SEQUENCES=400 …                                                20,800 requests
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openWorkbench } from '../../web/library/workbench.js';
import { inRun } from '../support/run.js';
import { CONFORMANCE_CASES } from './conformance_cases.js';
import { KNOWN_DIFFERENCES, isKnown } from './known_differences.js';
import { Side, compareSequence, sendToEmulator, sendToSimulator, shrink } from './support/conformance.js';
import { openDatabase } from './support/database.js';
import { RequestGenerator } from './support/request_generator.js';

const SEED = Number(process.env.SEED ?? 1);
/** Of 52 requests each: 20,800 in the long run. */
const SEQUENCES = Number(process.env.SEQUENCES ?? inRun(25, 400));
/** Of half as many requests, most of them within transactions. */
const INTERLEAVED = Number(process.env.INTERLEAVED ?? Math.ceil(SEQUENCES / 8));
const LENGTH = 52;
const AT_ONCE = 6;

/** @type {import('./support/database.js').Database} */
let emulator;
/** @type {import('../../web/library/simulator/engine.js').Engine} */
let engine;
let projects = 0;

before(async () => {
  emulator = await openDatabase();
  engine = await (await openWorkbench()).createEngine();
});

after(async () => {
  await emulator?.stop();
});

/** Both, with an empty database each. */
function sides() {
  projects += 1;
  const project = `${emulator.projectId}-${projects}`;
  return { ours: new Side(sendToSimulator(engine), project), theirs: new Side(sendToEmulator(emulator.exactUrl), project) };
}

/** @param {import('./support/conformance.js').ConformanceRequest[]} requests */
function compare(requests) {
  const { ours, theirs } = sides();
  return compareSequence(ours, theirs, requests, isKnown);
}

/** @param {import('./support/conformance.js').Difference} difference @param {object[]} requests */
function report(difference, requests) {
  return [
    ...requests.map((request) => JSON.stringify(request)),
    `ours:   ${JSON.stringify(difference.ours)}`,
    `theirs: ${JSON.stringify(difference.theirs)}`,
    `their message: ${difference.message}`,
  ].join('\n');
}

test('hand-written cases', { concurrency: AT_ONCE }, async (t) => {
  await Promise.all(CONFORMANCE_CASES.map(({ name, requests }) => t.test(name, async () => {
    const difference = await compare(requests);
    if (difference) assert.fail(report(difference, [requests[difference.index] ?? {}]));
  })));
});

/**
 * @param {number} count @param {number} atOnce
 * @param {(seed: number) => import('./support/conformance.js').ConformanceRequest[]} make
 */
async function compareMany(count, atOnce, make) {
  const seeds = Array.from({ length: count }, (_, index) => SEED + index);
  let sent = 0;
  const run = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const requests = make(seed);
      const difference = await compare(requests);
      sent += requests.length;
      if (!difference) continue;
      seeds.length = 0;
      const shortest = await shrink(requests.slice(0, difference.index + 1), async (some) => (await compare(some)) !== null);
      const last = (await compare(shortest)) ?? difference;
      assert.fail(`replay: SEED=${seed} SEQUENCES=1 node --test tests/emulator/conformance.test.js\n${report(last, shortest)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  console.log(`${sent} requests, the same answers; ${KNOWN_DIFFERENCES.length} known differences`);
}

test(`${SEQUENCES} random sequences from seed ${SEED}`, { timeout: 600_000 }, () =>
  compareMany(SEQUENCES, AT_ONCE, (seed) => new RequestGenerator(seed).sequence(LENGTH)));

// On the emulator a request that meets a lock waits for two seconds: most of them wait at any time.
test(`${INTERLEAVED} sequences of transactions that overlap, from seed ${SEED}`, { timeout: 600_000 }, () =>
  compareMany(INTERLEAVED, 24, (seed) => new RequestGenerator(seed).interleaved(LENGTH / 2)));
