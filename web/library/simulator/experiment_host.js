// An experiment in a worker of its own. Apart from experiment.js, which the worker imports: bundlers that build the worker must not come
// by here again.

import { callApart } from '../apart.js';
import { ShardlineError, fromPlain } from '../errors.js';
import { cancelled } from './experiment.js';

/**
 * Runs an experiment in a worker of its own.
 * @param {WebAssembly.Module} wasm
 * @param {import('./experiment.js').ExperimentOptions | string} options
 * @param {import('./experiment.js').RunOptions} [runOptions]
 * @returns {Promise<import('./experiment.js').ExperimentReport>}
 */
export async function runInWorker(wasm, options, { onProgress, signal } = {}) {
  const worker = startWorker();
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(cancelled(/** @type {AbortSignal} */ (signal)));
      signal?.addEventListener('abort', stop, { once: true });
      worker.onerror = (event) => {
        event.preventDefault();
        reject(failed(event.message ?? ''));
      };
      worker.onmessage = ({ data: { progress, report, error } }) => {
        if (progress) callApart(onProgress, progress);
        else if (error) reject(fromPlain(error));
        else resolve(report);
      };
      worker.postMessage({ wasm, options, tellsProgress: onProgress !== undefined });
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    worker.terminate();
  }
}

function startWorker() {
  try {
    // Written in one piece, so that bundlers see the file and take it along.
    return new Worker(new URL('./experiment_worker.js', import.meta.url), { type: 'module', name: 'shardline-experiment' });
  } catch (cause) {
    // A policy forbids it: Trusted Types, for example.
    throw failed(/** @type {Error} */ (cause).message, cause);
  }
}

/** @param {string} message @param {unknown} [cause] */
function failed(message, cause) {
  return new ShardlineError('unavailable', 'The experiment’s worker could not be started, or has failed. Serve '
    + `simulator/experiment_worker.js beside the library. ${message}`,
  { reason: 'worker-not-started', params: { file: 'simulator/experiment_worker.js' }, cause });
}
