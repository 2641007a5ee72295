// A connection to the core, in which operations run: those that need the network, and those that do not.
//
// The core is in two modules. The first has what pages do all the time, and is there from the beginning; the second has the rest, and
// is fetched when something is asked that the first has not. src/api/tables.h says what is where, and nothing else needs to know: what
// an operation must know of earlier ones is in its arguments, in what is stored, or in the transport, which both modules share.

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
 * @typedef {object} RequestRecord What onRequest is told about every request that was sent.
 * @property {string} method
 * @property {string} path From `/v1/` on: without host and key.
 * @property {number} status The HTTP status; 0 when no answer came.
 * @property {number} ms From sending to the last byte of the answer.
 * @property {number} bytes Of the answer's body.
 * @property {Billed} billed
 *
 * @typedef {object} Transport How requests are sent.
 * @property {string} host
 * @property {typeof fetch} fetch
 * @property {string} [apiKey]
 * @property {TokenSource} [authToken]
 * @property {TokenSource} [appCheckToken]
 * @property {(record: RequestRecord) => void} [onRequest]
 * @property {(string | null | undefined)[]} [tokens] The last ones.
 * @property {() => void} [onNewToken] Told when the token of the user is another one than the last: it may be of another user.
 * @property {number} [clockOffset] By how many milliseconds the server's clock is ahead of now() of clock.js, as far as its answers have told.
 * @property {number} [pausedUntil] A server has asked for a pause until then, by performance.now().
 *
 * @typedef {object} RunOptions
 * @property {AbortSignal} [signal]
 * @property {(progress: any) => void} [onProgress] Told what a long operation says of how far it has come.
 * @property {(error: ShardlineError) => void} [onOutage] Told why a request has failed that is sent again later, if a user is to know.
 * @property {() => void} [onWrite] Told before anything is sent that writes.
 * @property {boolean} [keepalive] The first requests are sent at once, with the last tokens, and go on when the page goes away.
 * @property {(token: string | null | undefined) => string | null | undefined} [tokenFor] Under which token a request goes out, when this
 *   one is at hand; null for none. undefined: it is not sent, and the operation ends with `unauthenticated`.
 * @property {{answer?: import('./transport.js').Answer | undefined, cause?: unknown, isLate?: boolean, ms: number}} [first] The answer to the operation's first request, which was
 *   sent before there was an operation; without an answer, why there is none. And how long that took.
 *
 * @typedef {Pick<Connection, 'run' | 'runNow' | 'check' | 'serverNow' | 'pauseMs' | 'whole' | 'whenWhole' | 'loadListening' | 'close'>} Asking A connection, as counters and
 *   ids use it. Before the core is there, it is light_connection.js.
 */

export class Connection {
  #runner;
  #config;
  #first;
  #loadSecond;
  /** @type {Promise<ConnectedModule> | undefined} Undefined until it is needed, and when it could not be loaded. */
  #second;
  isClosed = false;
  /** The cancels of the calls in flight. @type {Set<() => void>} */
  #cancels = new Set();
  /** How often the user's token has become another one: it may be another user's. */
  tokens = 0;
  /** The makers of values in documents, if the app wants other classes than this library's. @type {import('./revive.js').Revivers | undefined} */
  revivers;
  /** Loads the code that listens, for entries that may load something later. @type {(() => Promise<typeof import('./listen/live_count.js')>) | undefined} */
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
   * The same for operations of the first module that need no network: they end at once.
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
   * Rejects with what is wrong with the arguments of an operation of the second module, and starts none.
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
   * Before what was read a while ago is shown without a request: makes sure that it is not shown to another user.
   * @param {AbortSignal} [signal] Ends the wait.
   */
  async meetUser(signal) {
    checkSignal(signal);
    if (this.transport.authToken) await this.#unlessCancelled(askTokens(this.transport, false), signal);
  }

  /** This one; undefined while the core is not there. @returns {Connection | undefined} */
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
   * Another one to the same database, whose requests are answered otherwise.
   * @param {(input: any, init: any) => Promise<any>} fetch
   */
  beside(fetch) {
    return new Connection(this.#runner, this.#config, { host: '', fetch }, this.#loadSecond);
  }

  /** Ends what is still running, with `cancelled`. */
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
   * The second module: fetched once for all who ask meanwhile, and again for those who ask after that has failed.
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
   * @returns {() => void} Ends that.
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
