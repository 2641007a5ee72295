// Chapter 9: unique ids under load.

import { IdStream } from '../elements/id_stream.js';
import { TimeSeries } from '../elements/time_series.js';
import { idsOf } from '../model/ids.js';
import { countUntil, record, soFar } from '../model/recording.js';
import { text } from '../text.js';

/** The load test that a team has published: 1,000 users, ten more each second. */
const LOAD = { kind: /** @type {const} */ ('ids'), users: 1000, arrivalsPerSecond: 10, seconds: 120, thinkMs: 1000 };
const SHARDS = 50;
/** How many ids a second are enough for them all. */
const FAST = 100;

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'ids',
  steps: [{
    id: 'three-ways',
    knobs: { method: { words: ['transaction', 'sum', 'blocks'], default: 'sum' } },
    prediction: { unit: 'duplicates', answer: ({ ids }) => ids.duplicatesMs.length },
    record: async ({ method }, seed, signal) => {
      const recording = await record({ ...LOAD, method, shards: method === 'transaction' ? 1 : SHARDS, block: 50, seed }, signal);
      return { ...recording, ids: await idsOf(recording) };
    },
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
    code: () => `const orders = db.ids('sequences/orders', { shards: ${SHARDS}, block: 50 });\nawait orders.create();\n\nconst id = await orders.next();\n`,
  }],
};
