// Does for one operation what its frames say: the only caller of fetch. The core decides which requests to send, when to repeat one, and the meaning
// of an answer.

import { callApart } from './apart.js';
import { LONGEST_TIMEOUT_MS, now } from './clock.js';
import { ShardlineError, fromPlain } from './errors.js';
import { put, readFrame } from './frames.js';

/**
 * @typedef {import('./frames.js').ShardlineModule} ShardlineModule
 * @typedef {import('./frames.js').Frame} Frame
 * @typedef {import('./frames.js').WireRequest} WireRequest
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./connection.js').Transport} Transport
 * @typedef {import('./connection.js').TokenSource} TokenSource
 * @typedef {import('./connection.js').RunOptions} RunOptions
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Uint8Array} body
 * @property {number} date The server's clock, in milliseconds since 1970. It is NaN if that is not known: what is no success may be a
 *   proxy's answer.
 * @property {number} retryAfterMs For how long the server wants no other request; 0 if it does not say.
 */

/** Firestore's requests and answers are some 10 MiB at the most; the core's memory must not be filled by another server's. */
const MAX_ANSWER = 64 * 2 ** 20;

const BYTES = ['[object ArrayBuffer]', '[object Uint8Array]'];

/** Browsers let a page send 64 KiB in requests that outlive it, all of them together; headers count too. */
const MOST_KEEPALIVE_BYTES = 60_000;

/** The bytes in flight, from every connection: the limit is the page's. */
let outlivingBytes = 0;

/** After them nothing has been written, and nothing will be. */
const REFUSALS = [400, 401, 403, 404, 409, 429];

/** @type {RequestInit | undefined} Found out at the first request: Node takes 20 ms to make its first Request. */
let uncached;

/**
 * No answer comes from a cache, whatever stands in between says of it. Cloudflare's workers with a compatibility date before November
 * 2024 throw for this option; they have no cache.
 */
function takeUncached() {
  if (uncached) return uncached;
  uncached = { cache: 'no-store' };
  try {
    void new Request('https://firestore.googleapis.com', uncached);
  } catch {
    uncached = {};
  }
  return uncached;
}

/** A server that asks for a longer pause, or a proxy, is not believed. */
const MOST_RETRY_AFTER_MS = 3_600_000;

/** The earliest and the latest time that a server's clock may name. */
const EARLIEST = Date.UTC(2020);
const LATEST = Date.UTC(2100);

export class Driver {
  #module;
  #transport;
  #operation;
  #keepalive;
  #tokenFor;
  /** @type {Map<number, AbortController>} Those sent together have one, as they are given up together: their time is over at once. */
  #underWay = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** When it fires. Too early does no harm, so it is not set again for every answer. */
  #wake = Infinity;
  /** @type {unknown} Why the last request got no answer. */
  #cause;
  #done = false;
  /** Whether anything was sent that writes. */
  #hasCommitted = false;
  /** How many commits were sent of which no answer has said what has become of them: any of them may have been applied. */
  #inDoubt = 0;
  /** @type {(frame: Frame, cause: unknown) => void} */
  onDone = () => {};
  /** @type {RunOptions['onProgress']} */
  onProgress;
  /** @type {RunOptions['onOutage']} */
  onOutage;
  /** @type {RunOptions['onWrite']} */
  onWrite;

  /**
   * @param {ShardlineModule} module
   * @param {Transport} transport
   * @param {number} operation
   * @param {boolean} keepalive
   * @param {RunOptions['tokenFor']} tokenFor
   */
  constructor(module, transport, operation, keepalive, tokenFor) {
    this.#keepalive = keepalive;
    this.#tokenFor = tokenFor;
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
   * @returns {Billed} The bill of the answer that was just passed in.
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
    const hasOutput = this.#module.poll(this.#operation, now());
    if (!hasOutput && this.#wake !== Infinity && !this.#transport.onRequest) return { reads: 0, writes: 0, deletes: 0 };
    const { frame, bodies } = readFrame(this.#module);
    for (const id of frame.aborts ?? []) this.#underWay.get(id)?.abort();
    const keepalive = this.#keepalive;
    this.#keepalive = false; // Retries are like any others.
    if (frame.requests) this.#sendAll(frame.requests, bodies.slice(), keepalive);
    if (frame.done) {
      this.#end(frame, this.#cause);
    } else if (frame.wake !== undefined && frame.wake < this.#wake) {
      this.#setTimer(frame.wake);
    }
    // Last, because both may cancel this operation. The caller that waits for the end hears of it afterwards.
    if (frame.outage) callApart(this.onOutage, fromPlain(frame.outage, this.#cause));
    if (frame.progress !== undefined) callApart(this.onProgress, frame.progress);
    const [reads, writes, deletes] = frame.billed ?? [0, 0, 0];
    return { reads, writes, deletes };
  }

  /**
   * @param {WireRequest[]} requests
   * @param {Uint8Array} bodies A copy: the module's own memory may change or move while requests are under way, and a fetch of the
   *   user's may call this module again.
   * @param {boolean} keepalive
   */
  #sendAll(requests, bodies, keepalive) {
    const controller = new AbortController();
    for (const request of requests) {
      const [, , , offset, size] = request;
      this.#send(request, bodies.subarray(offset, offset + size), controller, keepalive);
    }
  }

  /** @param {unknown} error */
  #brokenOff(error) {
    const message = error instanceof ShardlineError ? error.message : 'The operation’s result cannot be read.';
    return this.#hasCommitted
      ? inDoubt(message, { reason: 'result-in-doubt' })
      : new ShardlineError('internal', message, { reason: 'internal-fault' });
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
    }, Math.min(Math.max(wake - now(), 0), LONGEST_TIMEOUT_MS));
  }

  /** @param {ShardlineError} error */
  #fail(error) {
    this.poll(() => this.#giveUp(error));
  }

  /** Within poll(). @param {ShardlineError} error */
  #giveUp(error) {
    const settle = this.onDone;
    const told = this.#inDoubt > 0 ? inDoubt(error.message, { reason: 'write-in-doubt', cause: error }) : error;
    this.onDone = () => settle({ error: told }, told.cause);
    this.#module.cancel(this.#operation);
  }

  /**
   * @param {WireRequest} request
   * @param {Uint8Array} body
   * @param {AbortController} controller
   * @param {boolean} wantsKeepalive
   */
  async #send([id, method, path, , , forceRefresh], body, controller, wantsKeepalive) {
    const transport = this.#transport;
    const kept = wantsKeepalive && outlivingBytes + body.length <= MOST_KEEPALIVE_BYTES ? body.length : 0;
    outlivingBytes += kept;
    this.#underWay.set(id, controller);
    const started = now();
    /** @type {Answer | undefined} */
    let answer;
    let isSignedIn = 1;
    try {
      const keepalive = wantsKeepalive ? { keepalive: kept > 0 } : undefined;
      const onToken = (/** @type {string | null | undefined} */ token) => { isSignedIn = token ? 1 : 0; };
      answer = await readAnswer(await this.#fetch(method, path, body, forceRefresh, controller.signal, onToken, keepalive));
      if (answer.retryAfterMs > 0) transport.pausedUntil = Math.max(transport.pausedUntil ?? 0, performance.now() + answer.retryAfterMs);
      if (answer.date > EARLIEST && answer.date < LATEST) transport.clockOffset = answer.date - now();
    } catch (cause) {
      // No token: nothing was sent, and asking again is up to the maker of the tokens. Otherwise no answer, or only a part
      // of one; then the core decides whether to ask again.
      this.#cause = cause;
      if (cause instanceof ShardlineError) this.#fail(cause);
      if (cause instanceof RangeError && this.#isPage(path)) this.#fail(tooMuch(cause));
    }
    outlivingBytes -= kept;
    this.#underWay.delete(id);
    const ms = now() - started;
    const billed = this.poll(() => {
      const [address, size] = answer ? put(this.#module, answer.body) : [0, 0];
      if (answer && address) this.#module.respond(this.#operation, id, answer.status, address, size, now(), answer.retryAfterMs, isSignedIn);
      else if (answer && this.#isPage(path)) this.#giveUp(tooMuch(new RangeError(`There is no memory left for ${size} bytes.`)));
      else this.#module.failRequest(this.#operation, id, now());
    });
    // 408, 499 and half a success tell no more than 503 does.
    if (path.endsWith(':commit') && (billed.writes + billed.deletes > 0 || REFUSALS.includes(answer?.status ?? 0))) this.#inDoubt -= 1;
    callApart(transport.onRequest, { method, path, status: answer?.status ?? 0, ms, bytes: answer?.body.length ?? 0, billed });
  }

  /** A repetition would be as large, and billed, again. @param {string} path */
  #isPage(path) {
    return path.endsWith(':runQuery') && !this.#hasCommitted;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Uint8Array} body
   * @param {boolean} forceRefresh
   * @param {AbortSignal} signal
   * @param {(token: string | null | undefined) => void} onToken Told under which one it is sent.
   * @param {{keepalive: boolean}} [atOnce] There is no time to ask for tokens: the page is going away.
   */
  async #fetch(method, path, body, forceRefresh, signal, onToken, atOnce) {
    const transport = this.#transport;
    const { host, apiKey, authToken, appCheckToken, fetch } = transport;
    if ((authToken || appCheckToken) && !(atOnce && transport.tokens)) {
      await askTokens(transport, forceRefresh);
    }
    const [atHand, appCheck] = transport.tokens ?? [];
    const auth = this.#tokenFor ? this.#tokenFor(atHand) : atHand;
    if (this.#tokenFor && auth === undefined) {
      throw new ShardlineError('unauthenticated', 'The user whose increments wait is not signed in.', { reason: 'user-not-signed-in' });
    }
    onToken(auth);
    // A body of plain text spares the browser a preflight, as long as no other header asks for one anyway.
    /** @type {Record<string, string>} */
    const headers = { 'Content-Type': auth || appCheck ? 'application/json' : 'text/plain' };
    if (auth) headers.Authorization = `Bearer ${auth}`;
    if (appCheck) headers['X-Firebase-AppCheck'] = appCheck;
    const parameters = [];
    // Firestore indents its answers unless it is asked not to: of documents, that is half of the bytes.
    if (path.endsWith(':runQuery')) parameters.push('prettyPrint=false');
    if (apiKey) parameters.push(`key=${encodeURIComponent(apiKey)}`);
    const url = host + path + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
    if (path.endsWith(':commit')) {
      this.#hasCommitted = true;
      this.#inDoubt += 1;
      this.onWrite?.();
    }
    return fetch(url, {
      method, headers, body: /** @type {BodyInit} */ (body), signal, credentials: 'omit', ...takeUncached(), ...atOnce,
    });
  }
}

/**
 * Takes in an answer, which need not be a Response: `fetch` may come from the app. Throws if it is no answer.
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
async function readAnswer(response) {
  const { status } = response;
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new TypeError('fetch() has answered with something that has no HTTP status.');
  const buffer = await response.arrayBuffer();
  // An ArrayBuffer of another realm is no instance of this realm's ArrayBuffer. A number would make that many zeros.
  if (!BYTES.includes(Object.prototype.toString.call(buffer))) throw new TypeError('The answer’s arrayBuffer() has returned something else.');
  if (buffer.byteLength > MAX_ANSWER) throw new RangeError(`The answer has ${buffer.byteLength} bytes: more than Firestore ever sends.`);
  const isSuccess = status >= 200 && status < 300;
  return {
    status,
    body: new Uint8Array(buffer),
    date: isSuccess ? Date.parse(headerOf(response, 'date')) : NaN,
    retryAfterMs: isSuccess ? 0 : retryAfterOf(response),
  };
}

/**
 * Browsers let a page read the header only if the server says so.
 * @param {Response} response
 */
function retryAfterOf(response) {
  const value = headerOf(response, 'retry-after').trim();
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? Math.min(ms, MOST_RETRY_AFTER_MS) : 0;
}

/**
 * @param {string} message
 * @param {{reason: 'result-in-doubt' | 'write-in-doubt', cause?: unknown}} why
 */
function inDoubt(message, why) {
  return new ShardlineError('outcome-unknown', `${message} The server may have applied the write.`, why);
}

/** @param {RangeError} cause */
function tooMuch(cause) {
  return new ShardlineError('resource-exhausted', 'The documents of a page are more than 64 MiB together, or than there is memory for: ask for fewer at '
    + 'a time with limit() or pageSize, or for some of their fields with select().', { reason: 'page-too-large', cause });
}

/**
 * An answer without headers, or with others than a Response has, is an answer all the same.
 * @param {Response} response
 * @param {string} name
 * @returns {string}
 */
function headerOf(response, name) {
  try {
    return `${response.headers.get(name) ?? ''}`;
  } catch {
    return '';
  }
}

/**
 * Gets the tokens for what is sent next.
 * @param {Transport} transport
 * @param {boolean} forceRefresh
 */
export async function askTokens(transport, forceRefresh) {
  const { authToken, appCheckToken } = transport;
  const tokens = await Promise.all([
    askToken('authToken', authToken, forceRefresh),
    askToken('appCheckToken', appCheckToken, forceRefresh),
  ]);
  const last = transport.tokens;
  transport.tokens = tokens;
  if (last && last[0] !== tokens[0]) transport.onNewToken?.();
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
    throw tokenNotGiven(name, `${name}() failed: sign the user in, and let it return a token or null.`, cause);
  }
  if (token === null || token === undefined) return token;
  // fetch() would treat any other invalid header as a network failure, which is tried again.
  if (typeof token === 'string' && /^[\x21-\x7e]*$/.test(token.trim())) return token.trim();
  throw tokenNotGiven(name, `${name}() must return a token, which is a text without spaces, or null.`);
}

/**
 * @param {string} name Of the option.
 * @param {string} message
 * @param {unknown} [cause]
 */
function tokenNotGiven(name, message, cause) {
  return new ShardlineError('unauthenticated', message, { reason: 'token-not-given', params: { function: name }, cause });
}
