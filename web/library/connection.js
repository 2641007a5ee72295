// A connection to the core, in which operations run: those that need the network, and those that do not.

import { now } from './clock.js';
import { Driver } from './driver.js';
import { invalidArgument, ShardlineError } from './errors.js';
import { putJson, readFrame, toError } from './frames.js';

/**
 * @typedef {import('./generated/shardline.js').ShardlineModule} ShardlineModule
 * @typedef {(hint: {forceRefresh: boolean}) => string | null | undefined | Promise<string | null | undefined>} TokenSource
 * @typedef {{reads: number, writes: number, deletes: number}} Billed
 *
 * @typedef {object} RequestRecord What onRequest is told about every request that was sent.
 * @property {string} method
 * @property {string} path From `/v1/` on: without host and key.
 * @property {number} status The HTTP status; 0 when no answer came.
 * @property {number} ms From sending to the last byte of the answer.
 * @property {number} bytes Of the answer's body.
 * @property {Billed} billed By Firestore's published rules for the standard edition.
 *
 * @typedef {object} Transport How requests are sent.
 * @property {string} host
 * @property {typeof fetch} fetch
 * @property {string} [apiKey]
 * @property {TokenSource} [authToken]
 * @property {TokenSource} [appCheckToken]
 * @property {(record: RequestRecord) => void} [onRequest]
 * @property {(string | null | undefined)[]} [tokens] The last ones.
 * @property {number} [clockOffset] By how many milliseconds the server's clock is ahead of this one, as far as its answers have told.
 * @property {number} [keepalive] How many bytes are on their way in requests that outlive the page.
 *
 * @typedef {object} RunOptions
 * @property {AbortSignal} [signal]
 * @property {boolean} [keepalive] The first requests are sent at once, with the last tokens, and go on when the page goes away.
 * @property {(token: string | null | undefined) => boolean} [mayUse] Whether a request may go out under this token. If not, it is not
 *   sent, and the operation ends with `unauthenticated`.
 */

export class Connection {
  #runner;
  #config;
  #transport;
  /** @type {ShardlineModule | undefined} In which the handle means something. */
  #module;
  #handle = 0;
  #isClosed = false;
  /** @type {Set<Driver>} */
  #drivers = new Set();

  /**
   * @param {import('./load.js').ModuleRunner<ShardlineModule>} runner
   * @param {object} config For the core, but for the seed: see Runtime::Connect.
   * @param {Transport} transport
   */
  constructor(runner, config, transport) {
    this.#runner = runner;
    this.#config = config;
    this.#transport = transport;
    this.#inModule(() => {});
  }

  /**
   * Starts an operation of the core and drives it to its end.
   * @param {string} name
   * @param {object} args
   * @param {RunOptions} [options]
   * @returns {Promise<any>}
   */
  run(name, args, { signal, keepalive = false, mayUse } = {}) {
    return new Promise((resolve, reject) => {
      if (signal && typeof signal.addEventListener !== 'function') throw invalidArgument('The option `signal` must be an AbortSignal.');
      if (signal?.aborted) throw cancelled(signal);
      const driver = this.#start(name, args, (module, operation) => new Driver(module, this.#transport, operation, keepalive, mayUse));
      const cancel = () => driver.cancel();
      signal?.addEventListener('abort', cancel);
      this.#drivers.add(driver);
      driver.onDone = (frame, cause) => {
        this.#drivers.delete(driver);
        signal?.removeEventListener('abort', cancel);
        if (frame.error) reject(toError(frame, signal?.aborted ? signal.reason : cause));
        else resolve(frame.result);
      };
      driver.poll();
    });
  }

  /**
   * The same for operations that need no network: they end at once.
   * @param {string} name
   * @param {object} args
   * @returns {any}
   */
  runNow(name, args) {
    return this.#start(name, args, (module, operation) => {
      module.poll(operation, now());
      const { frame } = readFrame(module);
      if (frame.error) throw toError(frame);
      return frame.result;
    });
  }

  /**
   * Throws what is wrong with the arguments of an operation, and starts none.
   * @param {string} name
   * @param {object} args
   */
  check(name, args) {
    this.#start(name, args, (module, operation) => {
      module.cancel(operation);
      module.poll(operation, now());
    });
  }

  /** Milliseconds since 1970 by the server's clock, once an answer has told it. A device's own may be months wrong. */
  now() {
    return Math.max(Date.now() + (this.#transport.clockOffset ?? 0), 0);
  }

  /** Ends what is still running, with `cancelled`. */
  close() {
    for (const driver of this.#drivers) driver.cancel();
    this.#isClosed = true;
    try {
      this.#module?.disconnect(this.#handle);
    } catch {
      // It has crashed: there is nothing left in it.
    }
  }

  /**
   * @template T
   * @param {string} name
   * @param {object} args
   * @param {(module: ShardlineModule, operation: number) => T} action See #inModule().
   * @returns {T}
   */
  #start(name, args, action) {
    return this.#inModule((module) => {
      const operation = module.start(this.#handle, ...putJson(module, { name, arguments: args }));
      if (operation === 0) throw toError(readFrame(module).frame);
      return action(module, operation);
    });
  }

  /**
   * @template T
   * @param {(module: ShardlineModule) => T} action It sends nothing: when the module crashes meanwhile, it is called once more, with the
   *   one that takes its place.
   * @returns {T}
   */
  #inModule(action) {
    try {
      return action(this.#running());
    } catch (error) {
      if (this.#isClosed || this.#runner.isRunning(this.#module)) throw error;
      return action(this.#running());
    }
  }

  /** The module, in which there is a connection. */
  #running() {
    if (!this.#module || !(this.#isClosed || this.#runner.isRunning(this.#module))) this.#module = this.#connect();
    return this.#module;
  }

  #connect() {
    const { module } = this.#runner;
    // Drawn anew: ids that another module has made from it must not be made again.
    const seed = [...crypto.getRandomValues(new Uint32Array(8))];
    this.#handle = module.connect(...putJson(module, { ...this.#config, seed }));
    if (this.#handle === 0) throw toError(readFrame(module).frame);
    return module;
  }
}

/** @param {AbortSignal} signal */
function cancelled(signal) {
  return new ShardlineError('cancelled', 'The operation was cancelled before it began.', { cause: signal.reason });
}
