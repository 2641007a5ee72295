// Live totals: reads again and again, and shows what this page has asked for at once.

import { ShardlineError } from './errors.js';
import { add, subtract } from './totals.js';

/**
 * @typedef {import('./totals.js').Total} Total
 * @typedef {{value: Total, pending: Total, reading: import('./counter.js').CounterReading}} LiveTotal
 *
 * @typedef {object} WatchOptions
 * @property {number} [intervalMs] From one reading to the next while the total changes. When it does not, or readings fail, up to
 *   sixteen times as long. Default 1,000.
 * @property {number} [maxAgeMs] As for get().
 * @property {AbortSignal} [signal] Ends it.
 * @property {(error: ShardlineError) => void} [onError] Told when a reading fails; watching goes on.
 *
 * @typedef {object} Watched What is watched.
 * @property {(options: {maxAgeMs?: number, signal: AbortSignal}) => Promise<import('./counter.js').CounterReading>} read
 * @property {() => Total} pending All that is not confirmed.
 * @property {() => Total} asked All that this page has ever asked for, but for what was refused.
 * @property {() => number} sends Grows whenever increments begin to be sent, and whenever that has ended.
 * @property {() => boolean} sending Whether increments may be on their way to the server just now.
 * @property {(listener: () => void) => () => void} onChange Calls back when `pending` or `asked` has changed; returns how to end.
 */

/** How many times longer the interval gets. */
const LONGEST = 16;
const GROWTH = 1.5;

/**
 * Calls back with the total whenever it changes.
 *
 * An increment of our own that is on its way while the server adds up may be in the sum or not, and nobody tells. The total,
 * with everything that waits, then lies between the sum and the sum with all of that on top; what was shown before is moved
 * into this range and no further. So our own increments, which change neither what there is with them, never move it back.
 * @param {Watched} watched
 * @param {(total: LiveTotal) => void} callback
 * @param {WatchOptions} [options]
 * @returns {() => void} Ends it.
 */
export function watch(watched, callback, { intervalMs = 1000, maxAgeMs, signal, onError = () => {}, ...unknown } = {}) {
  const [name] = Object.keys(unknown);
  if (name) throw new ShardlineError('invalid-argument', `watch() has no option “${name}”; it has intervalMs, maxAgeMs, signal and onError.`);
  if (typeof callback !== 'function') throw new ShardlineError('invalid-argument', 'watch() needs a function to call back.');
  if (typeof intervalMs !== 'number' || !(intervalMs >= 1 && intervalMs < 2 ** 27)) throw new ShardlineError('invalid-argument', 'intervalMs must be a number of milliseconds, from 1 on.');
  const controller = new AbortController();
  const page = globalThis.document;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let interval = intervalMs;
  let reading = false;
  /** @type {import('./counter.js').CounterReading | undefined} */
  let last;
  /** Of the last reading and what has been asked for since: what is shown. @type {Total} */
  let total = 0;
  /** What `asked()` was for it. @type {Total} */
  let askedThen = 0;
  let shown = '';

  const current = () => add(total, subtract(watched.asked(), askedThen));

  /** What was unconfirmed, and asked for, from when on: as far back as readings may reach. @type {{at: number, pending: Total, asked: Total}[]} */
  let past = [];
  const note = () => {
    past.push({ at: performance.now(), pending: watched.pending(), asked: watched.asked() });
    // The oldest stays: with less to go by, the range is wider, not wrong.
    if (past.length > 2000) past.splice(1, 1000);
  };
  note();

  const show = () => {
    if (!last) return;
    const value = current();
    const pending = watched.pending();
    const text = `${value} ${pending}`;
    if (text === shown) return;
    shown = text;
    callback({ value, pending, reading: last });
  };

  const read = async () => {
    reading = true;
    const started = performance.now();
    const sends = watched.sends();
    const sendingBefore = watched.sending();
    try {
      const next = await watched.read({ signal: controller.signal, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) });
      if (controller.signal.aborted) return;
      // Whatever was unconfirmed at the moment that the reading tells of, or came later, may be in it or not.
      const since = started - (next.ageMs ?? 0);
      const first = past.findLastIndex(({ at }) => at <= since);
      past = past.slice(Math.max(first, 0));
      const { pending, asked } = /** @type {typeof past[0]} */ (past[0]);
      const range = sorted(next.value, add(next.value, add(pending, subtract(watched.asked(), asked))));
      // But for what certainly waits here and has not been sent.
      const quiet = !sendingBefore && watched.sends() === sends && next.source !== 'rollup';
      const value = quiet ? add(next.value, watched.pending()) : clamp(last ? current() : range[0], range);
      interval = last && value === current() && next.value === last.value ? Math.min(interval * GROWTH, intervalMs * LONGEST) : intervalMs;
      last = next;
      total = value;
      askedThen = watched.asked();
      show();
    } catch (error) {
      if (controller.signal.aborted) return;
      interval = Math.min(interval * GROWTH, intervalMs * LONGEST);
      onError(/** @type {ShardlineError} */ (error));
    } finally {
      reading = false;
      schedule();
    }
  };

  const schedule = () => {
    clearTimeout(timer);
    if (controller.signal.aborted || reading || page?.hidden) return;
    timer = setTimeout(read, interval);
  };

  const onVisible = () => {
    if (page?.hidden) {
      clearTimeout(timer);
    } else if (!reading && !controller.signal.aborted) {
      clearTimeout(timer);
      interval = intervalMs;
      void read();
    }
  };

  const stopListening = watched.onChange(() => {
    note();
    show();
    // Whoever counts wants to see what becomes of it.
    if (interval > intervalMs) {
      interval = intervalMs;
      schedule();
    }
  });

  const stop = () => {
    controller.abort();
    clearTimeout(timer);
    stopListening();
    signal?.removeEventListener('abort', stop);
    page?.removeEventListener('visibilitychange', onVisible);
  };

  page?.addEventListener('visibilitychange', onVisible);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  else if (!page?.hidden) void read();
  return stop;
}

/**
 * @param {Total} a
 * @param {Total} b
 * @returns {[Total, Total]}
 */
function sorted(a, b) {
  return a <= b ? [a, b] : [b, a];
}

/**
 * @param {Total} value
 * @param {[Total, Total]} range
 * @returns {Total}
 */
function clamp(value, [low, high]) {
  if (value < low) return low;
  return value > high ? high : value;
}
