// The hour of live_world.js as a recording, and the questions about it at any time. Times are milliseconds since the page was opened.

import { HIDDEN_MS, LIVE, WAYS } from './live_hour.js';
import { countUntil } from './recording.js';

/**
 * @typedef {import('./live_hour.js').LiveOptions} LiveOptions
 * @typedef {import('./live_hour.js').LiveHour} LiveHour
 * @typedef {import('./live_hour.js').Viewer} Viewer
 * @typedef {import('./live_hour.js').Way} Way
 *
 * @typedef {object} Live
 * @property {number} durationMs
 * @property {Int32Array} eventTimes
 * @property {Int32Array} likedMs When people pressed.
 * @property {Int32Array} liked All likes from then on.
 * @property {Record<Way, Viewer & {delayMs: number[], longestMs: number[]}>} ways For each commit of `likedMs`: how long it took to be shown, and
 *   the longest time until then. If the tab is hidden meanwhile, a like takes no time, because no one looks.
 * @property {(fromMs: number, untilMs?: number) => boolean} isHidden Whether the tab is hidden then, or at some time between the two.
 * @property {{experiment: {seconds: number, shards: number, readsPerHour: number}}} report
 */

/**
 * @param {LiveOptions} options
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<Live>}
 */
export async function recordLive(options, seed, signal) {
  signal?.throwIfAborted();
  const hour = await (typeof Worker === 'undefined' ? runHere : runInWorker)(options, seed, signal);
  const isOneHidden = options.tab === 'hidden';
  const isHidden = (/** @type {number} */ fromMs, untilMs = fromMs) => isOneHidden && fromMs < HIDDEN_MS.to && untilMs >= HIDDEN_MS.from;
  const ways = /** @type {Live['ways']} */ (Object.fromEntries(WAYS.map((way) => [way, { ...hour.ways[way], ...delaysOf(hour, way, isHidden) }])));
  const times = [hour.likedMs, ...WAYS.flatMap((way) => [hour.ways[way].billedMs, hour.ways[way].shownMs])];
  return {
    durationMs: LIVE.seconds * 1000,
    eventTimes: Int32Array.from(new Set(times.flatMap((list) => [...list]))).sort(),
    likedMs: hour.likedMs,
    liked: hour.liked,
    ways,
    isHidden,
    report: { experiment: LIVE },
  };
}

/**
 * @param {Live} live
 * @param {Way} way
 * @param {number} atMs
 * @returns {{reads: number, shown: number, behind: number, longestMs: number}} `shown`: the number on the page. `behind`: the likes that it lacks.
 */
export function viewAt({ likedMs, liked, ways }, way, atMs) {
  const { billedMs, reads, shownMs, shown, delayMs, longestMs } = ways[way];
  const made = countUntil(likedMs, atMs);
  const value = shown[countUntil(shownMs, atMs) - 1] ?? 0;
  let seen = made;
  while (seen > 0 && (likedMs[seen - 1] ?? 0) + (delayMs[seen - 1] ?? 0) > atMs) seen -= 1;
  return {
    reads: reads[countUntil(billedMs, atMs) - 1] ?? 0,
    shown: value,
    behind: Math.max(0, (liked[made - 1] ?? 0) - value),
    longestMs: longestMs[seen - 1] ?? 0,
  };
}

/**
 * @param {LiveHour} hour
 * @param {Way} way
 * @param {Live['isHidden']} isHidden
 */
function delaysOf({ likedMs, liked, ways }, way, isHidden) {
  const { shownMs, shown } = ways[way];
  const delayMs = /** @type {number[]} */ ([]);
  const longestMs = /** @type {number[]} */ ([]);
  let place = 0;
  for (const [like, atMs] of likedMs.entries()) {
    while (place < shown.length && (shown[place] ?? 0) < (liked[like] ?? 0)) place += 1;
    const seenMs = shownMs[place] ?? Infinity;
    const delay = isHidden(atMs, Math.min(seenMs, LIVE.seconds * 1000)) ? 0 : Math.max(0, seenMs - atMs);
    delayMs.push(delay);
    longestMs.push(Math.max(longestMs.at(-1) ?? 0, delay));
  }
  return { delayMs, longestMs };
}

/** @param {LiveOptions} options @param {number} seed @returns {Promise<LiveHour>} */
async function runHere(options, seed) {
  const { liveHour } = await import('./live_world.js');
  return liveHour(options, seed);
}

/**
 * @param {LiveOptions} options
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<LiveHour>}
 */
async function runInWorker(options, seed, signal) {
  const worker = new Worker(new URL('./live_worker.js', import.meta.url), { type: 'module', name: 'live' });
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data: { hour, failure } }) => (failure === undefined ? resolve(hour) : reject(new Error(failure)));
      worker.postMessage({ options, seed });
    });
  } finally {
    worker.terminate();
  }
}
