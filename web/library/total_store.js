// A watch as frameworks take it: a store to subscribe to, or an async iterable.

import { callApart } from './apart.js';

/**
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {(callback: (total: LiveTotal) => void, options?: import('./watch.js').WatchOptions) => () => void} Watch
 */

/** One watch, there while somebody listens. */
export class TotalStore {
  #watch;
  /** @type {Set<{listener: (total: LiveTotal) => void}>} */
  #subscriptions = new Set();
  #stop = () => {};
  /** The same object until something changes. @type {LiveTotal} */
  snapshot;

  /**
   * @param {Watch} watch
   * @param {LiveTotal} snapshot
   */
  constructor(watch, snapshot) {
    this.#watch = watch;
    this.snapshot = snapshot;
  }

  /**
   * @param {(total: LiveTotal) => void} listener
   * @returns {() => void} Ends it.
   */
  subscribe(listener) {
    const subscription = { listener };
    this.#subscriptions.add(subscription);
    if (this.#subscriptions.size === 1) this.#stop = this.#watch((total) => this.#take(total));
    callApart(listener, this.snapshot);
    return () => {
      if (this.#subscriptions.delete(subscription) && this.#subscriptions.size === 0) this.#stop();
    };
  }

  /** @param {LiveTotal} total */
  #take(total) {
    this.snapshot = total;
    for (const { listener } of [...this.#subscriptions]) callApart(listener, total);
  }
}

/**
 * Whenever it is asked, the newest total that it has not given yet. Ends with the signal.
 * @param {Watch} watch
 * @param {AbortSignal} ended Ends it, too.
 * @param {import('./watch.js').WatchOptions} [options]
 * @returns {AsyncGenerator<LiveTotal, void, void>}
 */
export async function* totalsOf(watch, ended, options) {
  const signals = options?.signal ? [options.signal, ended] : [ended];
  /** @type {LiveTotal | undefined} */
  let newest;
  let wake = () => {};
  const stop = watch((total) => {
    newest = total;
    wake();
  }, options);
  const onEnd = () => wake();
  for (const signal of signals) signal.addEventListener('abort', onEnd);
  try {
    while (!signals.some(({ aborted }) => aborted)) {
      if (newest) {
        const total = newest;
        newest = undefined;
        yield total;
      } else {
        await new Promise((resolve) => { wake = () => resolve(undefined); });
      }
    }
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', onEnd);
    stop();
  }
}
