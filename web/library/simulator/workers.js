// Starts the workers of the embedded Firestore and of experiments. The error of a worker that does not start names the remedy.

import { ShardlineError } from '../errors.js';

/**
 * @param {() => Worker} make Contains the literal `new Worker(new URL('…', import.meta.url))`, so that bundlers find the file and include it.
 * @param {(cause: unknown) => ShardlineError} failed
 * @returns {Worker}
 */
export function startWorker(make, failed) {
  try {
    return make();
  } catch (cause) {
    // A policy forbids it.
    throw failed(cause);
  }
}

/**
 * @param {string} whose The owner of the worker.
 * @param {string} file Its file in the package.
 * @param {unknown} cause
 * @param {string} [otherwise] The alternative.
 */
export function workerFailure(whose, file, cause, otherwise = '') {
  return new ShardlineError('unavailable', `The ${whose}’s worker could not be started, or has failed. Serve ${file} beside the library; `
    + 'under a Content-Security-Policy, worker-src needs ’self’, and where Trusted Types are required, a default policy must let its address '
    + `pass.${otherwise}`, { reason: 'worker-not-started', params: { file }, cause });
}
