// A watch in the form that frameworks use (the observer pattern): a store to subscribe to, or an async iterable.

import { callApart } from './apart.js';
import { notAllowed } from './errors.js';
import { readable } from './options.js';
import { onAbort } from './signals.js';

/**
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {Pick<LiveTotal, 'state' | 'error'>} Live A total of a counter, or a summary of choices.
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
   * @param {AbortSignal} ended Ends the watch. Its reason is the error of all later calls.
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
   * @returns {() => void} Ends the subscription.
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
    // The signal keeps its listeners alive as long as the database lives, so a store without subscribers does not listen.
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
 * Refuses a callback of watch() that is undefined by mistake, and an observer of onSnapshot(): the watch would call neither.
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
 * Conflation: each step yields the newest total that the iterable has not yielded yet. It ends with the signal, and at once when the caller stops.
 * @template {Live} Told
 * @param {Watch<Told>} watch
 * @param {AbortSignal} ended Ends it, too.
 * @param {{signal?: AbortSignal}} [options] The options of the watch.
 * @returns {AsyncIterableIterator<Told>}
 */
export function totalsOf(watch, ended, options) {
  /** @type {Told | undefined} */
  let newest;
  /** @type {((result: IteratorResult<Told, void>) => void)[]} The steps that wait for the next totals. */
  const waiting = [];
  /** @type {(() => void) | undefined} Undefined before the first step. */
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
