// Waits that end.

import { ShardlineError } from '../errors.js';

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
 * @param {string} message
 * @param {(isOver: () => boolean) => Promise<T>} action
 * @returns {Promise<T>} Rejects at once when the signal is aborted.
 */
export async function abortable(signal, message, action) {
  if (!signal) return action(() => false);
  const cancelled = () => new ShardlineError('cancelled', message, { reason: 'increment-goes-on', cause: signal.reason });
  if (signal.aborted) throw cancelled();
  return new Promise((resolve, reject) => {
    const cancel = () => reject(cancelled());
    signal.addEventListener('abort', cancel, { once: true });
    action(() => signal.aborted).then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
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
