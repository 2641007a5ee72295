// Bounded waits: with a condition, an AbortSignal, a timeout or a limit of concurrency.

import { ShardlineError } from './errors.js';
import { onAbort } from './signals.js';

/**
 * @param {{onChange: (listener: () => void) => () => void}} changing
 * @param {() => boolean} condition Asked again after every change.
 * @returns {Promise<void>}
 */
export function until(changing, condition) {
  return new Promise((resolve) => {
    const stop = changing.onChange(() => check());
    const check = () => {
      if (!condition()) return;
      stop();
      resolve();
    };
    check();
  });
}

/**
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(reason: any) => unknown} toError
 * @param {(isOver: () => boolean) => Promise<T>} action
 * @returns {Promise<T>} Rejects at once when the signal is aborted, with the error that `toError` makes of its reason.
 */
export async function abortable(signal, toError, action) {
  if (!signal) return action(() => false);
  if (signal.aborted) throw toError(signal.reason);
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(toError(signal.reason)));
    action(() => signal.aborted).then(resolve, reject).finally(forget);
  });
}

/**
 * The error for calls that wait when the database is closed.
 * @param {import('./errors.js').ErrorCode} code
 * @param {'increment-in-doubt' | 'increment-withdrawn' | 'increment-goes-on' | 'closed'} reason
 * @param {string} message
 * @param {ShardlineError} [cause]
 */
export function closedError(code, reason, message, cause) {
  return new ShardlineError(code, `The database was closed. ${message}`, { reason, cause });
}

/**
 * Settles like the promise, or rejects after `ms` milliseconds. It ignores the promise's later result.
 * @template T
 * @param {Promise<T> | T} promise
 * @param {number} ms
 * @returns {Promise<T>}
 */
export function within(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It did not end within ${ms} ms.`)), ms);
    Promise.resolve(promise).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * A semaphore with two queues: returns a function that runs actions, at most `most` at the same time. The others wait in their order, behind those
 * with `isFirst`, which wait in theirs.
 * @param {number} most
 * @returns {<T>(action: () => Promise<T>, isFirst?: boolean) => Promise<T>}
 */
export function inTurns(most) {
  let running = 0;
  /** @type {(() => void)[]} */
  const first = [];
  /** @type {(() => void)[]} */
  const others = [];
  return async (action, isFirst = false) => {
    if (running >= most) await new Promise((resolve) => (isFirst ? first : others).push(() => resolve(undefined)));
    else running += 1;
    try {
      return await action();
    } finally {
      // The place goes to the next one, if there is one.
      const next = first.shift() ?? others.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
