// Runs an experiment in a worker of its own. It is apart from experiment.js, which the worker imports: otherwise a bundler that builds the worker
// would meet this file again.

import { callApart } from '../apart.js';
import { fromPlain } from '../errors.js';
import { cancelled } from './experiment.js';
import { startWorker, workerFailure } from './workers.js';

/**
 * Runs an experiment in a worker of its own.
 * @param {WebAssembly.Module} wasm
 * @param {import('./experiment.js').ExperimentOptions | string} options
 * @param {import('./experiment.js').RunOptions} [runOptions]
 * @returns {Promise<import('./experiment.js').ExperimentReport>}
 */
export async function runInWorker(wasm, options, { onProgress, signal } = {}) {
  const worker = start();
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(cancelled(/** @type {AbortSignal} */ (signal)));
      signal?.addEventListener('abort', stop, { once: true });
      worker.onerror = (event) => {
        event.preventDefault();
        reject(failed(event.message));
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

function start() {
  return startWorker(() => new Worker(new URL('./experiment_worker.js', import.meta.url), { type: 'module', name: 'shardline-experiment' }), failed);
}

/** @param {unknown} cause */
function failed(cause) {
  return workerFailure('experiment', 'simulator/experiment_worker.js', cause);
}
