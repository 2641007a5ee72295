// A watch as frameworks take it: a store to subscribe to, or an async iterable.

import { callApart } from './apart.js';
import { notAllowed } from './errors.js';
import { readable } from './options.js';
import { onAbort } from './signals.js';

/**
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {Pick<LiveTotal, 'state' | 'error'>} Live What a watch tells: a total of a counter, or a summary of choices.
 */

/**
 * @template {Live} Told
 * @typedef {(callback: (total: Told) => void, options?: any) => () => void} Watch
 */

/**
 * One watch, there while it has listeners.
 * @template {Live} Told
 */
export class TotalStore {
  #watch;
  /** @type {Set<{listener: (total: Told) => void}>} */
  #subscriptions = new Set();
  #stop = () => {};
  #ended;
  /** @type {Told} */
  #total;

  /**
   * @param {Watch<Told>} watch
   * @param {Told} total
   * @param {AbortSignal} ended Ends the watch. Its reason is the error that is told from then on.
   */
  constructor(watch, total, ended) {
    this.#watch = watch;
    this.#total = total;
    this.#ended = ended;
  }

  /** The same object until something changes. @returns {Told} */
  get snapshot() {
    const { aborted, reason } = this.#ended;
    if (aborted && this.#total.error !== reason) this.#total = { ...this.#total, state: 'error', error: reason };
    return this.#total;
  }

  /**
   * @param {(total: Told) => void} listener
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
    const { error, ...known } = /** @type {any} */ (this.#total);
    if (known.state !== 'loading') this.#total = { ...known, state: 'loading' };
    // The signal lives as long as the database, and with it whatever listens: nothing does without subscribers.
    const end = () => this.#take(this.#total);
    const forget = onAbort(this.#ended, end);
    this.#stop = () => {
      stop();
      forget();
    };
  }

  /** @param {Told} total */
  #take(total) {
    this.#total = total;
    for (const { listener } of [...this.#subscriptions]) callApart(listener, this.snapshot);
  }
}

/**
 * Refuses a callback of watch() that is undefined, which is a slip of the pen, and an observer as onSnapshot() takes it: neither would be called.
 * @param {IArguments} args Of the call.
 * @param {string} loop The form without a callback.
 */
export function checkWatch({ length, 0: callback }, loop) {
  if (typeof callback === 'function' || length === 0) return;
  if (callback === null || typeof callback !== 'object' || readable('callback', () => 'next' in callback)) {
    throw notAllowed('callback', 'a function', `watch() needs a function, or a loop: ${loop}.`);
  }
}

/**
 * Whenever it is asked, the newest total that it has not given yet. Ends with the signal, and at once when the caller stops.
 * @template {Live} Told
 * @param {Watch<Told>} watch
 * @param {AbortSignal} ended Ends it, too.
 * @param {{signal?: AbortSignal}} [options] The options of the watch.
 * @returns {AsyncIterableIterator<Told>}
 */
export function totalsOf(watch, ended, options) {
  /** @type {Told | undefined} */
  let newest;
  /** @type {((result: IteratorResult<Told, void>) => void)[]} Who waits for the next ones. */
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
