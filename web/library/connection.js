// Drives operations: the only caller of fetch and setTimeout. What is asked, when again, and what an answer means is
// decided in the core.

import { callApart } from './apart.js';
import { invalidArgument, ShardlineError } from './errors.js';

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
 * @property {Billed} billed By Firestore's published rules.
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
 *
 * @typedef {{status: number, body: Uint8Array, date: number}} Answer `date` is the server's clock, in milliseconds since 1970, or NaN.
 * @typedef {[id: number, method: string, path: string, offset: number, size: number, refreshToken: boolean]} WireRequest
 * @typedef {object} Frame See src/api/runtime.h.
 * @property {WireRequest[]} [requests]
 * @property {number[]} [aborts]
 * @property {number} [wake]
 * @property {[number, number, number]} [billed]
 * @property {boolean} [done]
 * @property {any} [result]
 * @property {{code: import('./errors.js').ErrorCode, message: string, status: number}} [error]
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Firestore's requests and answers are some 10 MiB at the most; the core's memory is not to be filled by somebody else's. */
const MAX_ANSWER = 64 * 2 ** 20;

const BYTES = ['[object ArrayBuffer]', '[object Uint8Array]'];

/** setTimeout takes 32 bits, and fires at once for more. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** What browsers let a page send in requests that outlive it is 64 KiB, all of them together; headers count too. */
const MOST_KEEPALIVE_BYTES = 60_000;

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
      module.poll(operation, performance.now());
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
      module.poll(operation, performance.now());
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

/** Does for one operation what its frames say. */
class Driver {
  #module;
  #transport;
  #operation;
  #keepalive;
  #mayUse;
  /** @type {Map<number, AbortController>} */
  #underWay = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** When it fires. Too early does no harm, so it is not set anew for every answer. */
  #wake = Infinity;
  /** @type {unknown} Why the last request got no answer. */
  #cause;
  #done = false;
  /** Whether anything was sent that writes. */
  #hasCommitted = false;
  /** @type {(frame: Frame, cause: unknown) => void} */
  onDone = () => {};

  /**
   * @param {ShardlineModule} module
   * @param {Transport} transport
   * @param {number} operation
   * @param {boolean} keepalive
   * @param {RunOptions['mayUse']} mayUse
   */
  constructor(module, transport, operation, keepalive, mayUse) {
    this.#keepalive = keepalive;
    this.#mayUse = mayUse;
    this.#module = module;
    this.#transport = transport;
    this.#operation = operation;
  }

  cancel() {
    this.poll(() => this.#module.cancel(this.#operation));
  }

  /**
   * Tells the core what happened, lets it go on, and does what it asks for.
   * @param {() => void} [tell]
   * @returns {Billed} What the answer that was just passed in was billed.
   */
  poll(tell) {
    if (!this.#done) {
      try {
        tell?.();
        return this.#step();
      } catch (error) {
        // The module crashed, or its frame cannot be read; so nothing will come of what is under way.
        for (const request of this.#underWay.values()) request.abort();
        this.#end({ error: this.#brokenOff(error) }, error instanceof ShardlineError ? error.cause : error);
      }
    }
    return { reads: 0, writes: 0, deletes: 0 };
  }

  /** @returns {Billed} */
  #step() {
    const news = this.#module.poll(this.#operation, performance.now());
    if (!news && this.#wake !== Infinity && !this.#transport.onRequest) return { reads: 0, writes: 0, deletes: 0 };
    const { frame, bodies } = readFrame(this.#module);
    for (const id of frame.aborts ?? []) this.#underWay.get(id)?.abort();
    // All are copied before the first is sent: a fetch of the user's may call this module again.
    const requests = (frame.requests ?? []).map((request) => ({ request, body: bodies.slice(request[3], request[3] + request[4]) }));
    const keepalive = this.#keepalive;
    this.#keepalive = false; // Retries are like any others.
    for (const { request, body } of requests) this.#send(request, body, keepalive);
    if (frame.done) {
      this.#end(frame, this.#cause);
    } else if (frame.wake !== undefined && frame.wake < this.#wake) {
      this.#setTimer(frame.wake);
    }
    const [reads, writes, deletes] = frame.billed ?? [0, 0, 0];
    return { reads, writes, deletes };
  }

  /** @param {unknown} error */
  #brokenOff(error) {
    const message = error instanceof ShardlineError ? error.message : 'The operation’s result cannot be read.';
    return this.#hasCommitted
      ? new ShardlineError('outcome-unknown', `${message} What was being written may or may not have been written.`)
      : new ShardlineError('internal', message);
  }

  /**
   * @param {Frame} frame
   * @param {unknown} cause
   */
  #end(frame, cause) {
    this.#done = true;
    clearTimeout(this.#timer);
    this.onDone(frame, cause);
  }

  /** @param {number} wake */
  #setTimer(wake) {
    clearTimeout(this.#timer);
    this.#wake = wake;
    this.#timer = setTimeout(() => {
      this.#wake = Infinity;
      this.poll();
    }, Math.min(Math.max(wake - performance.now(), 0), MAX_TIMEOUT));
  }

  /** @param {ShardlineError} error */
  #fail(error) {
    if (this.#done) return;
    const settle = this.onDone;
    this.onDone = () => settle({ error }, error.cause);
    this.cancel();
  }

  /**
   * @param {WireRequest} request
   * @param {Uint8Array} body A copy: the module's own memory may change or move while the request is under way.
   * @param {boolean} wantsKeepalive
   */
  async #send([id, method, path, , , forceRefresh], body, wantsKeepalive) {
    const transport = this.#transport;
    const outlives = transport.keepalive ?? 0;
    const kept = wantsKeepalive && outlives + body.length <= MOST_KEEPALIVE_BYTES ? body.length : 0;
    transport.keepalive = outlives + kept;
    const controller = new AbortController();
    this.#underWay.set(id, controller);
    this.#hasCommitted ||= path.endsWith(':commit');
    const started = performance.now();
    /** @type {Answer | undefined} */
    let answer;
    try {
      const keepalive = wantsKeepalive ? { keepalive: kept > 0 } : undefined;
      answer = await readAnswer(await this.#fetch(method, path, body, forceRefresh, controller.signal, keepalive));
      if (answer.date > 0) transport.clockOffset = answer.date - Date.now();
    } catch (cause) {
      // No token: nothing was sent, and asking again is up to whoever makes the tokens. Otherwise no answer, or only a part
      // of one; then the core decides whether to ask again.
      this.#cause = cause;
      if (cause instanceof ShardlineError) this.#fail(cause);
    }
    transport.keepalive -= kept;
    this.#underWay.delete(id);
    const ms = performance.now() - started;
    const billed = this.poll(() => {
      const [address, size] = answer ? put(this.#module, answer.body) : [0, 0];
      if (answer && address) this.#module.respond(this.#operation, id, answer.status, address, size, performance.now());
      else this.#module.failRequest(this.#operation, id, performance.now());
    });
    callApart(transport.onRequest, { method, path, status: answer?.status ?? 0, ms, bytes: answer?.body.length ?? 0, billed });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Uint8Array} body
   * @param {boolean} forceRefresh
   * @param {AbortSignal} signal
   * @param {{keepalive: boolean}} [atOnce] There is no time to ask for tokens: the page is going away.
   */
  async #fetch(method, path, body, forceRefresh, signal, atOnce) {
    const transport = this.#transport;
    const { host, apiKey, authToken, appCheckToken, fetch } = transport;
    if ((authToken || appCheckToken) && !(atOnce && transport.tokens)) {
      transport.tokens = await Promise.all([
        askToken('authToken', authToken, forceRefresh),
        askToken('appCheckToken', appCheckToken, forceRefresh),
      ]);
    }
    const [auth, appCheck] = transport.tokens ?? [];
    if (this.#mayUse?.(auth) === false) {
      throw new ShardlineError('unauthenticated', 'The user whose increments wait is not signed in.');
    }
    // A body of plain text spares the browser a preflight, as long as no other header asks for one anyway.
    /** @type {Record<string, string>} */
    const headers = { 'Content-Type': auth || appCheck ? 'application/json' : 'text/plain' };
    if (auth) headers.Authorization = `Bearer ${auth}`;
    if (appCheck) headers['X-Firebase-AppCheck'] = appCheck;
    const url = host + path + (apiKey ? `?key=${encodeURIComponent(apiKey)}` : '');
    return fetch(url, {
      method, headers, body: /** @type {BodyInit} */ (body), signal, credentials: 'omit', cache: 'no-store', ...atOnce,
    });
  }
}

/**
 * Takes in an answer, which need not be a Response: `fetch` may be anybody's. Throws if it is no answer.
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
async function readAnswer(response) {
  const { status } = response;
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new TypeError('fetch() has answered with something that has no HTTP status.');
  const buffer = await response.arrayBuffer();
  // Of another realm it is no instance of this ArrayBuffer. A number would make that many zeros.
  if (!BYTES.includes(Object.prototype.toString.call(buffer))) throw new TypeError('The answer’s arrayBuffer() has returned something else.');
  if (buffer.byteLength > MAX_ANSWER) throw new RangeError(`The answer has ${buffer.byteLength} bytes: more than Firestore ever sends.`);
  return { status, body: new Uint8Array(buffer), date: dateOf(response) };
}

/**
 * An answer without headers, or with others than a Response has, is an answer all the same.
 * @param {Response} response
 */
function dateOf(response) {
  try {
    return Date.parse(response.headers.get('date') ?? '');
  } catch {
    return NaN;
  }
}

/**
 * @param {string} name Of the option.
 * @param {TokenSource | undefined} source
 * @param {boolean} forceRefresh
 */
async function askToken(name, source, forceRefresh) {
  /** @type {unknown} */
  let token;
  try {
    token = await source?.({ forceRefresh });
  } catch (cause) {
    throw new ShardlineError('unauthenticated', `${name}() failed: sign the user in, and let it return a token or null.`, { cause });
  }
  if (token === null || token === undefined) return token;
  // What else a header cannot hold, fetch() would take for a network failure, which is tried again.
  if (typeof token === 'string' && /^[\x21-\x7e]*$/.test(token.trim())) return token.trim();
  throw new ShardlineError('unauthenticated', `${name}() must return a token, which is a text without spaces, or null.`);
}

/**
 * @param {ShardlineModule} module
 * @param {unknown} value
 */
function putJson(module, value) {
  /** @type {string} */
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    // A bigint where none is taken, or an object that contains itself.
    throw new ShardlineError('invalid-argument', `The options hold something that JSON cannot say: ${messageOf(cause)}.`, { cause });
  }
  const [address, size] = put(module, encoder.encode(text));
  if (address === 0) throw new ShardlineError('resource-exhausted', 'There is no memory left for these arguments.');
  return /** @type {const} */ ([address, size]);
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? String(error.message).slice(0, 200) : 'they cannot be read';
}

/**
 * Copies bytes into the module's memory.
 * @param {ShardlineModule} module
 * @param {Uint8Array} bytes
 * @returns {[address: number, size: number]} Address 0: there is no memory left.
 */
function put(module, bytes) {
  const address = module.allocate(bytes.length);
  if (address) module.HEAPU8.set(bytes, address);
  return [address, bytes.length];
}

/**
 * @param {ShardlineModule} module
 * @returns {{frame: Frame, bodies: Uint8Array}} `bodies` is a view, valid until the next call.
 */
function readFrame(module) {
  const start = module.frameAddress();
  const bytes = module.HEAPU8.subarray(start, start + module.frameSize());
  const size = module.headerSize();
  return { frame: JSON.parse(decoder.decode(bytes.subarray(0, size))), bodies: bytes.subarray(size) };
}

/**
 * @param {Frame} frame
 * @param {unknown} [cause]
 */
function toError({ error }, cause) {
  if (!error) return new ShardlineError('internal', 'The operation ended without a result.');
  return new ShardlineError(error.code, error.message, { status: error.status, cause });
}

/** @param {AbortSignal} signal */
function cancelled(signal) {
  return new ShardlineError('cancelled', 'The operation was cancelled before it began.', { cause: signal.reason });
}
