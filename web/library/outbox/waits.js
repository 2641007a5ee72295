// Waits that end.

import { ShardlineError } from '../errors.js';
import { onAbort } from '../signals.js';

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
 * What those are told who wait when the database is closed.
 * @param {import('../errors.js').ErrorCode} code
 * @param {'increment-in-doubt' | 'increment-withdrawn' | 'increment-goes-on' | 'closed'} reason
 * @param {string} message
 * @param {ShardlineError} [cause]
 */
export function closedError(code, reason, message, cause) {
  return new ShardlineError(code, `The database was closed. ${message}`, { reason, cause });
}
