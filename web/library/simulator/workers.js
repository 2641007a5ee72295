// Starts the workers of the embedded Firestore and of experiments, and says what to do when one does not come.

import { ShardlineError } from '../errors.js';

/**
 * @param {() => Worker} make Has `new Worker(new URL('…', import.meta.url))` in one piece, so that bundlers see the file and take it along.
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
 * @param {string} whose It is.
 * @param {string} file Of the package.
 * @param {unknown} cause
 * @param {string} [otherwise] The alternative.
 */
export function workerFailure(whose, file, cause, otherwise = '') {
  return new ShardlineError('unavailable', `The ${whose}’s worker could not be started, or has failed. Serve ${file} beside the library; `
    + 'under a Content-Security-Policy, worker-src needs ’self’, and where Trusted Types are required, a default policy must let its address '
    + `pass.${otherwise}`, { reason: 'worker-not-started', params: { file }, cause });
}
