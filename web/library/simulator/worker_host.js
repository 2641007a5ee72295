// The page's proxy of an embedded Firestore that runs in a worker.

import { ShardlineError } from '../errors.js';
import { Calls } from './calls.js';
import { startWorker, workerFailure } from './workers.js';

/** @typedef {import('./host.js').Host} Host */

/** @implements {Host} */
export class WorkerHost {
  #calls = new Calls();
  #worker;

  /**
   * @param {WebAssembly.Module} wasm
   * @param {Record<string, unknown>} options
   */
  constructor(wasm, options) {
    this.#worker = start();
    this.#worker.onmessage = ({ data }) => this.#calls.finish(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end(failed(event.message));
    };
    this.started = this.#call('open', wasm, options);
  }

  /** @param {import('./engine.js').EmbeddedFirestoreRequest} request */
  answer(request) {
    return this.#call('answer', request);
  }

  /** @param {Record<string, unknown>} options */
  configure(options) {
    return this.#call('configure', options);
  }

  observe() {
    return this.#call('observe');
  }

  reset() {
    return this.#call('reset');
  }

  async close() {
    await this.#call('close').catch(() => {});
    this.#end(new ShardlineError('cancelled', 'The embedded Firestore was closed.', { reason: 'cancelled' }));
  }

  /** @param {ShardlineError} error */
  #end(error) {
    this.#worker.terminate();
    this.#ended = error;
    this.#calls.failAll(error);
  }

  /** @type {ShardlineError | null} */
  #ended = null;

  /**
   * @param {string} method
   * @param {...unknown} args
   */
  #call(method, ...args) {
    if (this.#ended) return Promise.reject(this.#ended);
    const call = { method, args };
    return this.#calls.start(call, (number) => this.#worker.postMessage({ number, call }));
  }
}

function start() {
  return startWorker(() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'shardline-embedded' }), failed);
}

/** @param {unknown} cause */
function failed(cause) {
  return workerFailure('embedded Firestore', 'simulator/worker.js', cause, ' Or run it in the page itself: createEmbeddedFirestore({ worker: false }).');
}
