// Chapter 9: unique ids under load.

import { IdStream } from '../elements/id_stream.js';
import { TimeSeries } from '../elements/time_series.js';
import { idsOf } from '../model/ids.js';
import { countUntil, record, soFar } from '../model/recording.js';
import { formatDuration, text } from '../text.js';
import { challenge, faultsOf, LOST, sandbox } from './further_steps.js';

/** The load test that a team has published: 1,000 users, ten more each second. */
const LOAD = { kind: /** @type {const} */ ('ids'), users: 1000, arrivalsPerSecond: 10, seconds: 120, thinkMs: 1000 };
const SHARDS = 50;
/** How many ids a second are enough for them all. */
const FAST = 100;
const BLOCK = 50;
/** In the challenge, 19 of 20 requests take less than this. */
const MOST_MS = 1000;

/** @type {import('./chapter.js').WordKnob} */
const METHOD = { words: ['transaction', 'sum', 'blocks'], default: 'sum' };
/** @type {{shards: import('./chapter.js').NumberKnob, block: import('./chapter.js').NumberKnob}} */
const SIZES = {
  shards: { choices: [1, 2, 5, 10, 20, 50, 100], default: SHARDS, applies: ({ method }) => method !== 'transaction', idle: 'knob.shards.transaction' },
  block: { choices: [1, 5, 10, 20, 50, 100, 200], default: BLOCK, applies: ({ method }) => method === 'blocks' },
};

/**
 * @param {{method: 'transaction' | 'sum' | 'blocks', shards?: number, block?: number, users?: number, lost?: number}} options
 * @param {number} seed
 * @param {AbortSignal} signal
 */
async function play({ method, shards = SHARDS, block = BLOCK, users = LOAD.users, lost = 0 }, seed, signal) {
  const recording = await record({
    ...LOAD, method, shards: method === 'transaction' ? 1 : shards, block, users, faults: faultsOf(lost), seed,
  }, signal);
  return { ...recording, ids: await idsOf(recording) };
}

/** @param {number} [shards] @param {number} [block] */
const codeOf = (shards = SHARDS, block = BLOCK) => `const orders = db.ids('sequences/orders', { shards: ${shards}, block: ${block} });
await orders.create();

const id = await orders.next();
console.log(id);
`;

/** @type {import('./chapter.js').Step<any>} */
const lesson = {
  id: 'three-ways',
  knobs: { method: METHOD },
  prediction: { unit: 'duplicates', answer: ({ ids }) => ids.duplicatesMs.length },
  record: ({ method }, seed, signal) => play({ method }, seed, signal),
  pictures: ({ ids, durationMs }) => [
    new IdStream(ids),
    new TimeSeries(text('series.ids'), [
      { label: text('series.given'), style: 0, ...soFar(ids.atMs, durationMs) },
      { label: text('series.duplicates'), style: 1, ...soFar(ids.duplicatesMs, durationMs) },
    ], durationMs),
  ],
  figures: ({ ids, report, durationMs }, atMs) => ({
    over: atMs >= durationMs ? 'yes' : 'no',
    method: report.experiment.method ?? '',
    given: countUntil(ids.atMs, atMs),
    duplicates: countUntil(ids.duplicatesMs, atMs),
    rate: Math.round(report.throughput * 10) / 10,
    failed: report.operations.failed,
  }),
  tasks: [
    { id: 'twice', reached: ({ ids }, atMs) => countUntil(ids.duplicatesMs, atMs) > 0 },
    { id: 'slow', reached: ({ report, durationMs }, atMs) => atMs >= durationMs && report.experiment.method === 'transaction' && report.throughput < 2 },
    { id: 'unique', reached: ({ ids, report, durationMs }, atMs) => atMs >= durationMs && report.throughput > FAST && ids.duplicatesMs.length === 0 },
  ],
  code: ({ shards, block }) => codeOf(shards, block),
  trial: {},
};

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'ids',
  steps: [
    lesson,
    sandbox('ids', lesson, {
      knobs: { method: { ...METHOD, default: 'blocks' }, ...SIZES, users: { choices: [10, 50, 100, 200, 500, 1000], default: 200 }, lost: LOST },
      record: ({ method, shards, block, users, lost }, seed, signal) => play({ method, shards, block, users, lost }, seed, signal),
    }),
    challenge(lesson, {
      knobs: { method: METHOD, ...SIZES },
      record: ({ method, shards, block }, seed, signal) => play({ method, shards, block }, seed, signal),
      challenge: {
        unit: 'unused-ids',
        best: 'least',
        judge: ({ ids, index, report }) => {
          const { experiment, latencyMs, operations } = report;
          const [duplicates, failed] = [ids.duplicatesMs.length, operations.failed + operations.unknown];
          const wait = formatDuration(Math.max(1, latencyMs.p95));
          // Each commit takes a block.
          const unused = experiment.method === 'blocks' ? index.appliedMs.length * experiment.block - ids.id.length : 0;
          return {
            isReached: duplicates === 0 && failed === 0 && latencyMs.p95 < MOST_MS,
            score: unused,
            figures: { duplicates, failed, wait, blocks: experiment.method === 'blocks' ? 'yes' : 'no', unused },
          };
        },
        // No answer says how many ids stayed unused, so code has no score.
        judgeCode: ({ returned, bill }) => {
          const ids = returned ?? [];
          const duplicates = ids.length - new Set(ids.map(String)).size;
          return {
            isReached: ids.length === LOAD.users && duplicates === 0,
            score: null,
            figures: { ids: ids.length, duplicates, writes: bill.writes, goal: LOAD.users },
          };
        },
      },
      code: ({ shards, block }) => `${codeOf(shards, block)}return [id];\n`,
    }),
  ],
};
