// A connection to the core, in which operations run, with or without the network.
//
// The core is split into two modules (code splitting). The first has the frequent calls, and is there from the beginning. The second has all others,
// and is fetched at the first of them. src/api/tables.h assigns the calls. Operations in different modules share state only through their arguments,
// the storage, and the transport.

import { now } from './clock.js';
import { ConnectedModule } from './connected_module.js';
import { Driver } from './driver.js';
import { ShardlineError } from './errors.js';
import { readFrame, toError } from './frames.js';
import { cancelled, checkSignal, onAbort } from './signals.js';
import { askTokens, pauseMs, serverNow } from './transport.js';

/**
 * @typedef {import('./generated/runtime.js').ShardlineModule} ShardlineModule
 * @typedef {import('./load.js').ModuleRunner<ShardlineModule>} Runner
 * @typedef {(hint: {forceRefresh: boolean}) => string | null | undefined | Promise<string | null | undefined>} TokenSource
 * @typedef {{reads: number, writes: number, deletes: number}} Billed What was billed by the rules of Firestore’s standard edition:
 *   documents, and one read for each 1,000 index entries that an aggregation begins. A query with ranges on several fields is billed for the
 *   index entries that it scans, too: these are not in it, because no answer says how many there were. The enterprise edition bills bytes, which are not
 *   counted here: a read in units of 4 KiB, a write in units of 1 KiB of the document and of each index entry. The workbench's `cost()`
 *   has both.
 *
 * @typedef {object} RequestRecord The argument of onRequest, for every request that was sent.
 * @property {string} method
 * @property {string} path From `/v1/` on: without host and key.
 * @property {number} status The HTTP status; 0 when no answer came.
 * @property {number} ms Milliseconds from sending to the last byte of the answer.
 * @property {number} bytes The size of the answer's body.
 * @property {Billed} billed
 *
 * @typedef {object} Transport How requests are sent.
 * @property {string} host
 * @property {typeof fetch} fetch
 * @property {string} [apiKey]
 * @property {TokenSource} [authToken]
 * @property {TokenSource} [appCheckToken]
 * @property {() => import('./users.js').User | undefined} [user] The user at this moment, if the app names the user.
 * @property {(record: RequestRecord) => void} [onRequest]
 * @property {(string | null | undefined)[]} [tokens] The last ones.
 * @property {() => void} [onNewToken] Called when the user's token has changed: the user may have, too.
 * @property {number} [clockOffset] The milliseconds by which the server's clock is ahead of now() of clock.js. Undefined before an answer.
 * @property {number} [pausedUntil] The end of the pause that a server has asked for, by performance.now().
 *
 * @typedef {object} RunOptions
 * @property {AbortSignal} [signal]
 * @property {(progress: any) => void} [onProgress] Called with the progress of a long operation.
 * @property {(error: ShardlineError) => void} [onOutage] Called with the error of a request that will be sent again, if the user should know.
 * @property {() => void} [onWrite] Called before the first request that writes.
 * @property {boolean} [keepalive] Sends the first requests at once, with the last tokens. They go on when the page goes away.
 * @property {(token: string | null | undefined) => string | null | undefined} [tokenFor] Returns the token of a request from the one at hand; null:
 *   no token. undefined: the request is not sent, and the operation ends with `unauthenticated`.
 * @property {{answer?: import('./transport.js').Answer | undefined, cause?: unknown, isLate?: boolean, ms: number}} [first] The answer to the
 *   operation's first request, which was sent before there was an operation; without an answer, the cause. `ms` is the time that it took.
 *
 * @typedef {Pick<Connection, 'run' | 'runNow' | 'check' | 'serverNow' | 'pauseMs' | 'whole' | 'whenWhole' | 'loadListening' | 'close'>} Asking A connection, as counters and
 *   ids use it. Before the core is there, it is light_connection.js.
 */

export class Connection {
  #runner;
  #config;
  #first;
  #loadSecond;
  /** @type {Promise<ConnectedModule> | undefined} Undefined until the first call that needs it, and after a failed load. */
  #second;
  isClosed = false;
  /** The cancels of the calls in flight. @type {Set<() => void>} */
  #cancels = new Set();
  /** The number of changes of the user's token. Each may mean another user. */
  tokens = 0;
  /** The makers of values in documents, if the app wants other classes than this library's. @type {import('./revive.js').Revivers | undefined} */
  revivers;
  /**
   * Loads the code that listens, in entries that may load code later. @type {(() => Promise<typeof import('./listen/live_count.js')>) | undefined}
   */
  loadListening;

  /**
   * @param {Runner} runner Of the first module.
   * @param {object} config For the core, except the seed: see Runtime::Connect.
   * @param {Transport} transport
   * @param {() => Promise<Runner>} loadSecond
   */
  constructor(runner, config, transport, loadSecond) {
    this.#runner = runner;
    this.#config = config;
    this.transport = transport;
    this.#first = new ConnectedModule(runner, config);
    transport.onNewToken = () => { this.tokens += 1; };
    this.#loadSecond = loadSecond;
  }

  /**
   * Starts an operation of the core, at once if the first module has it, and drives it to its end.
   * @param {string} name
   * @param {object} args
   * @param {RunOptions} [options]
   * @returns {Promise<any>}
   */
  run(name, args, options = {}) {
    return new Promise((resolve) => {
      resolve(this.#drive(this.#first, name, args, options)
        ?? this.#whenLoaded(options.signal).then((second) => this.#drive(second, name, args, options) ?? hasNot(name)));
    });
  }

  /**
   * The same for operations of the first module without the network, which end at once.
   * @param {string} name
   * @param {object} args
   * @returns {any}
   */
  runNow(name, args) {
    return this.#first.start(name, args, (module, operation) => {
      module.poll(operation, now());
      const { frame } = readFrame(module);
      if (frame.error) throw toError(frame);
      return frame.result;
    });
  }

  /**
   * Checks the arguments of an operation of the second module, and rejects with their error. Starts no operation.
   * @param {string} name
   * @param {object} args
   * @param {AbortSignal} [signal]
   */
  async check(name, args, signal) {
    const second = await this.#whenLoaded(signal);
    const isKnown = second.start(name, args, (module, operation) => {
      module.cancel(operation);
      module.poll(operation, now());
      return true;
    });
    if (!isKnown) hasNot(name);
  }

  /**
   * Learns the present user, before a page shows an earlier reading without a request: another user must not see it.
   * @param {AbortSignal} [signal] Ends the wait.
   */
  async meetUser(signal) {
    checkSignal(signal);
    if (this.transport.authToken) await this.#unlessCancelled(askTokens(this.transport, false), signal);
  }

  /** This connection; undefined while the core is not there. @returns {Connection | undefined} */
  get whole() {
    return this;
  }

  async whenWhole() {
    return this;
  }

  /** Milliseconds since 1970 by the best clock there is. */
  serverNow() {
    return serverNow(this.transport);
  }

  /** How many milliseconds are left of a pause that a server has asked for. */
  get pauseMs() {
    return pauseMs(this.transport);
  }

  /**
   * Another connection to the same database, with another fetch().
   * @param {(input: any, init: any) => Promise<any>} fetch
   */
  beside(fetch) {
    return new Connection(this.#runner, this.#config, { host: '', fetch }, this.#loadSecond);
  }

  /** Ends all running operations with `cancelled`. */
  close() {
    this.isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#first.close();
    this.#second?.then((second) => second.close(), () => {});
  }

  /**
   * @param {ConnectedModule} connected
   * @param {string} name
   * @param {object} args
   * @param {RunOptions} options
   * @returns {Promise<any> | undefined} undefined: the module has no such operation.
   */
  #drive(connected, name, args, { signal, onProgress, onOutage, onWrite, keepalive = false, tokenFor, first }) {
    checkSignal(signal);
    const driver = connected.start(name, args, (module, operation) => new Driver(module, this.transport, operation, keepalive, tokenFor, first));
    return driver && new Promise((resolve, reject) => {
      const forget = this.onCancel(signal, () => driver.cancel());
      driver.onProgress = onProgress;
      driver.onOutage = onOutage;
      driver.onWrite = onWrite;
      driver.onDone = (frame, cause) => {
        forget();
        if (frame.error) reject(toError(frame, signal?.aborted ? signal.reason : cause));
        else resolve(frame.result);
      };
      driver.poll();
    });
  }

  /**
   * The second module. Calls during a load share it. After a failed load the next call fetches again.
   * @param {AbortSignal} [signal] Ends the wait.
   */
  async #whenLoaded(signal) {
    checkSignal(signal);
    this.#second ??= this.#load().catch((error) => {
      this.#second = undefined;
      throw error;
    });
    return this.#unlessCancelled(this.#second, signal);
  }

  /**
   * @template T
   * @param {Promise<T>} wait
   * @param {AbortSignal} [signal] Ends the wait; close() does, too.
   */
  async #unlessCancelled(wait, signal) {
    let forget = () => {};
    /** @type {Promise<never>} */
    const end = new Promise((_, reject) => {
      forget = this.onCancel(signal, () => reject(cancelled(signal)));
    });
    try {
      return await Promise.race([wait, end]);
    } finally {
      forget();
    }
  }

  async #load() {
    return new ConnectedModule(await this.#loadSecond(), this.#config);
  }

  /**
   * @param {AbortSignal | undefined} signal
   * @param {() => void} cancel Called when the signal is aborted, or the connection closed.
   * @returns {() => void} Removes the callback.
   */
  onCancel(signal, cancel) {
    this.#cancels.add(cancel);
    const forget = signal && onAbort(signal, cancel);
    return () => {
      this.#cancels.delete(cancel);
      forget?.();
    };
  }
}

/**
 * @param {ReturnType<typeof import('./connect.js').checkOptions>} options
 * @param {import('./connect.js').Load} load
 * @param {import('./connect.js').Load} loadSecond
 */
export async function openConnection({ config, transport, wasm }, load, loadSecond) {
  return new Connection(await load(wasm), config, transport, () => loadSecond(wasm));
}

/**
 * @param {string} name
 * @returns {never}
 */
function hasNot(name) {
  throw new ShardlineError('unavailable', `${name} is in the file admin.wasm, and another one was loaded: connect({ wasm }) takes a `
    + 'function of the file’s name, wasm: (file) => ….', { reason: 'module-not-loaded', params: { file: 'admin.wasm' } });
}
