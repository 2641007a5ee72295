// A watch as frameworks take it: a store to subscribe to, or an async iterable.

import { callApart } from './apart.js';
import { notAllowed } from './errors.js';
import { readable } from './options.js';
import { onAbort } from './signals.js';

/**
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {(callback: (total: LiveTotal) => void, options?: import('./watch.js').WatchOptions) => () => void} Watch
 */

/** One watch, there while it has listeners. */
export class TotalStore {
  #watch;
  /** @type {Set<{listener: (total: LiveTotal) => void}>} */
  #subscriptions = new Set();
  #stop = () => {};
  #ended;
  /** @type {LiveTotal} */
  #total;

  /**
   * @param {Watch} watch
   * @param {LiveTotal} total
   * @param {AbortSignal} ended Ends the watch. Its reason is the error that is told from then on.
   */
  constructor(watch, total, ended) {
    this.#watch = watch;
    this.#total = total;
    this.#ended = ended;
  }

  /** The same object until something changes. @returns {LiveTotal} */
  get snapshot() {
    const { aborted, reason } = this.#ended;
    if (aborted && this.#total.error !== reason) this.#total = { ...this.#total, state: 'error', error: reason };
    return this.#total;
  }

  /**
   * @param {(total: LiveTotal) => void} listener
   * @returns {() => void} Ends it.
   */
  subscribe(listener) {
    if (typeof listener !== 'function') throw notAllowed('callback', 'a function', 'subscribe() needs a function to call back.');
    // A watch that is refused leaves no subscription.
    if (this.#subscriptions.size === 0) this.#begin();
    const subscription = { listener };
    this.#subscriptions.add(subscription);
    callApart(listener, this.snapshot);
    return () => {
      if (this.#subscriptions.delete(subscription) && this.#subscriptions.size === 0) this.#stop();
    };
  }

  #begin() {
    const stop = this.#watch((total) => this.#take(total));
    // The known total is from the last time.
    const { error, ...known } = this.#total;
    if (known.state !== 'loading') this.#total = { ...known, state: 'loading' };
    // The signal lives as long as the database, and with it whatever listens: nothing does without subscribers.
    const end = () => this.#take(this.#total);
    const forget = onAbort(this.#ended, end);
    this.#stop = () => {
      stop();
      forget();
    };
  }

  /** @param {LiveTotal} total */
  #take(total) {
    this.#total = total;
    for (const { listener } of [...this.#subscriptions]) callApart(listener, this.snapshot);
  }
}

/**
 * What watch() returns: with a callback, the function that ends the watch; without one, an iterable of totals.
 * @param {Watch} watch
 * @param {AbortSignal} ended
 * @param {any} callback Or the options of an iterable.
 * @param {any} options
 * @param {boolean} isGiven Whether watch() has got any arguments.
 * @returns {any}
 */
export function watched(watch, ended, callback, options, isGiven) {
  if (typeof callback === 'function') return watch(callback, options);
  // A callback that is undefined is a slip of the pen, and so is an observer as onSnapshot() takes it: neither would be called.
  if (isGiven && (callback === null || typeof callback !== 'object' || readable('callback', () => 'next' in callback))) {
    throw notAllowed('callback', 'a function',
      'watch() needs a function, or a loop: for await (const total of counter.watch()).');
  }
  return totalsOf(watch, ended, callback);
}

/**
 * Whenever it is asked, the newest total that it has not given yet. Ends with the signal, and at once when the caller stops.
 * @param {Watch} watch
 * @param {AbortSignal} ended Ends it, too.
 * @param {import('./watch.js').WatchOptions} [options]
 * @returns {AsyncIterableIterator<LiveTotal>}
 */
export function totalsOf(watch, ended, options) {
  /** @type {LiveTotal | undefined} */
  let newest;
  /** @type {((result: IteratorResult<LiveTotal, void>) => void)[]} Who waits for the next ones. */
  const waiting = [];
  /** @type {(() => void) | undefined} Undefined before the first one was asked for. */
  let stop;
  let isOver = false;
  /** @type {(() => void)[]} */
  const forgets = [];
  const end = () => {
    isOver = true;
    stop?.();
    for (const forget of forgets) forget();
    for (const resolve of waiting.splice(0)) resolve({ done: true, value: undefined });
  };
  const begin = () => {
    stop = watch((value) => {
      const resolve = waiting.shift();
      if (resolve) resolve({ done: false, value });
      else newest = value;
    }, options);
    for (const signal of options?.signal ? [options.signal, ended] : [ended]) {
      if (signal.aborted) end();
      else forgets.push(onAbort(signal, end));
    }
  };
  return {
    async next() {
      if (!stop && !isOver) begin();
      if (isOver) return { done: true, value: undefined };
      const value = newest;
      newest = undefined;
      return value ? { done: false, value } : new Promise((resolve) => { waiting.push(resolve); });
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
