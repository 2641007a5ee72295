// Who listens to a signal. Each signal has one listener for all: Node takes more than ten of them for a leak, and warns.

import { ShardlineError } from './errors.js';
import { checkIsSignal } from './options.js';

/** @type {WeakMap<AbortSignal, Set<{call: () => void}>>} */
const all = new WeakMap();

/**
 * @param {AbortSignal} signal
 * @param {() => void} listener Called when it is aborted.
 * @returns {() => void} Ends that.
 */
export function onAbort(signal, listener) {
  const listeners = all.get(signal) ?? new Set();
  if (listeners.size === 0) {
    all.set(signal, listeners);
    signal.addEventListener('abort', tell);
  }
  const mine = { call: listener };
  listeners.add(mine);
  return () => {
    listeners.delete(mine);
    if (listeners.size === 0) signal.removeEventListener('abort', tell);
  };
}

/** @this {AbortSignal} */
function tell() {
  const listeners = all.get(this) ?? new Set();
  // One that is called may end others.
  for (const each of [...listeners]) if (listeners.has(each)) each.call();
}

/** @param {AbortSignal} [signal] */
export function checkSignal(signal) {
  checkIsSignal(signal);
  if (signal?.aborted) throw cancelled(signal);
}

/** @param {AbortSignal} [signal] */
export function cancelled(signal) {
  return new ShardlineError('cancelled', 'The operation was cancelled before it began.', { reason: 'cancelled', cause: signal?.reason });
}
