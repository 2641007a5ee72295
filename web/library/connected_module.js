// A WebAssembly module, and in it a connection to one database.

import { putJson, readFrame, toError } from './frames.js';

/** @typedef {import('./generated/runtime.js').ShardlineModule} ShardlineModule */

/** Runtime::Start returns this for an operation that another module may have. */
const NOT_IN_MODULE = -1;

/** A connection to the core that survives a crash of the module: later calls run in the module that takes its place, on a new connection. */
export class ConnectedModule {
  #runner;
  #config;
  /** @type {ShardlineModule | undefined} The module that made the handle. */
  #module;
  #handle = 0;
  #isClosed = false;

  /**
   * @param {import('./load.js').ModuleRunner<ShardlineModule>} runner
   * @param {object} config For the core, except the seed: see Runtime::Connect.
   */
  constructor(runner, config) {
    this.#runner = runner;
    this.#config = config;
    this.#inModule(() => {});
  }

  /**
   * Starts an operation. Throws if its arguments are wrong.
   * @template T
   * @param {string} name
   * @param {object} args
   * @param {(module: ShardlineModule, operation: number) => T} action See #inModule().
   * @returns {T | undefined} undefined: the module has no operation of that name.
   */
  start(name, args, action) {
    return this.#inModule((module) => {
      const operation = module.start(this.#handle, ...putJson(module, { name, arguments: args }));
      if (operation === NOT_IN_MODULE) return undefined;
      if (operation === 0) throw toError(readFrame(module).frame);
      return action(module, operation);
    });
  }

  /** Ends the connection. Later calls are refused. */
  close() {
    this.#isClosed = true;
    try {
      this.#module?.disconnect(this.#handle);
    } catch {
      // The module has crashed. There is nothing left in it to end.
    }
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
    // Drawn again: ids that another module has made from it must not be made again.
    const seed = [...crypto.getRandomValues(new Uint32Array(8))];
    this.#handle = module.connect(...putJson(module, { ...this.#config, seed }));
    if (this.#handle === 0) throw toError(readFrame(module).frame);
    return module;
  }
}
