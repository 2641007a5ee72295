// The same counter, read in three ways by the same readers.

import { countUntil, record } from './recording.js';

/**
 * @typedef {'shards' | 'sum' | 'shared'} Source
 *
 * @typedef {object} Reading
 * @property {Int32Array} atMs When each total was there, in order.
 * @property {Int32Array} reads Billed until then, all together.
 * @property {number} perTotal Billed reads for one total, on average.
 * @property {number} medianMs How long one took.
 *
 * @typedef {object} ReadingRun
 * @property {number} seed
 * @property {number} durationMs
 * @property {Int32Array} eventTimes
 * @property {Record<Source, Reading>} ways
 */

/** @type {Source[]} */
export const SOURCES = ['shards', 'sum', 'shared'];
/** They increment, so that there is something new to read. */
const WRITERS = 5;
const SECONDS = 20;

/**
 * @param {{shards: number, readers: number}} options Each reader reads about once a second.
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<ReadingRun>}
 */
export async function recordReading({ shards, readers }, seed, signal) {
  const recordings = await Promise.all(SOURCES.map((source) => record({
    kind: 'totals',
    shards,
    users: readers + WRITERS,
    arrivalsPerSecond: 1000,
    thinkMs: 1000,
    seconds: SECONDS,
    seed,
    totals: { source, writers: WRITERS, maxAgeMs: 1000 },
  }, signal)));
  const [all, sum, shared] = /** @type {[Reading, Reading, Reading]} */ (recordings.map(readingOf));
  return {
    seed,
    durationMs: Math.max(...recordings.map(({ durationMs }) => durationMs)),
    eventTimes: Int32Array.from(new Set([all, sum, shared].flatMap(({ atMs }) => [...atMs]))).sort(),
    ways: { shards: all, sum, shared },
  };
}

/**
 * @param {Reading} reading
 * @param {number} atMs
 * @returns {{totals: number, reads: number}}
 */
export function readingAt({ atMs: times, reads }, atMs) {
  const totals = countUntil(times, atMs);
  return { totals, reads: reads[totals - 1] ?? 0 };
}

/** @param {import('./recording.js').Recording} recording */
function readingOf({ works }) {
  const own = Array.from(works.user.keys()).filter((work) => (works.user[work] ?? 0) >= WRITERS && (works.value[work] ?? -1) >= 0)
    .sort((a, b) => (works.endedMs[a] ?? 0) - (works.endedMs[b] ?? 0));
  let sum = 0;
  const reads = Int32Array.from(own, (work) => {
    sum += works.reads[work] ?? 0;
    return sum;
  });
  const waits = own.map((work) => (works.endedMs[work] ?? 0) - (works.beganMs[work] ?? 0)).sort((a, b) => a - b);
  return {
    atMs: Int32Array.from(own, (work) => works.endedMs[work] ?? 0),
    reads,
    perTotal: own.length > 0 ? sum / own.length : 0,
    medianMs: waits[Math.floor(waits.length / 2)] ?? 0,
  };
}
