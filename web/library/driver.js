// The imperative shell of one operation: it carries out the operation's frames. The core decides which requests to send, when to repeat one, and the
// meaning of an answer.

import { callApart } from './apart.js';
import { LONGEST_TIMEOUT_MS, now } from './clock.js';
import { ShardlineError, fromPlain } from './errors.js';
import { put, readFrame } from './frames.js';
import { meetTokens, send } from './transport.js';

/**
 * @typedef {import('./frames.js').ShardlineModule} ShardlineModule
 * @typedef {import('./frames.js').Frame} Frame
 * @typedef {import('./frames.js').WireRequest} WireRequest
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./connection.js').Transport} Transport
 * @typedef {import('./connection.js').RunOptions} RunOptions
 * @typedef {import('./transport.js').Answer} Answer
 */

/** Browsers let a page send 64 KiB in requests that outlive it, all of them together; headers count too. */
const MOST_KEEPALIVE_BYTES = 60_000;

/** The bytes in flight, from every connection: the limit is the page's. */
let outlivingBytes = 0;

/** After this time without an answer the user gets a warning, and the request goes on. */
const SILENCE_MS = 10_000;

/** The HTTP statuses after which the request has written nothing, and never will. */
const REFUSALS = [400, 401, 403, 404, 409, 429];

export class Driver {
  #module;
  #transport;
  #operation;
  #keepalive;
  #tokenFor;
  /** @type {RunOptions['first']} */
  #first;
  /** @type {Map<number, AbortController>} Requests that were sent together share one, because they time out together. */
  #underWay = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The time at which it fires. A timer that fires too early does no harm, so it is not set again for every answer. */
  #wake = Infinity;
  /** @type {unknown} The cause of the last request without an answer. */
  #cause;
  #done = false;
  /** Whether a request that writes was sent. */
  #hasCommitted = false;
  /** The number of commits without a known outcome: any of them may have been applied. */
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
   * @param {RunOptions['first']} [first]
   */
  constructor(module, transport, operation, keepalive, tokenFor, first) {
    this.#first = first;
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
   * Reports an event to the core, lets it go on, and carries out its frame.
   * @param {() => void} [tell]
   * @returns {Billed} The bill of the answer that was just passed in.
   */
  poll(tell) {
    if (!this.#done) {
      try {
        tell?.();
        return this.#step();
      } catch (error) {
        // The module crashed, or its frame cannot be read, so the requests under way are useless.
        for (const request of this.#underWay.values()) request.abort();
        this.#end({ error: this.#brokenOff(error) }, error instanceof ShardlineError ? error.cause : error);
      }
    }
    return { reads: 0, writes: 0, deletes: 0 };
  }

  /** @returns {Billed} */
  #step() {
    // The core's clock begins when its first request was sent.
    const hasOutput = this.#module.poll(this.#operation, now() - (this.#first?.ms ?? 0));
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
    // Last, because both may cancel this operation. The caller that waits for the end gets it afterwards.
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
    const first = this.#first;
    this.#first = undefined;
    const silence = setTimeout(() => callApart(this.onOutage, new ShardlineError('deadline-exceeded', 'The server does not answer.', { reason: 'timed-out' })), SILENCE_MS);
    /** @type {Answer | undefined} */
    let answer;
    try {
      const keepalive = wantsKeepalive ? { keepalive: kept > 0 } : undefined;
      answer = first ? first.answer : await this.#fetch(method, path, body, forceRefresh, controller.signal, keepalive);
      if (!answer) throw first?.cause;
    } catch (cause) {
      // Without a token nothing was sent, and retries are up to the source of the tokens. Otherwise there is no answer, or only a part; then the core
      // decides whether to send again.
      this.#cause = cause;
      if (cause instanceof ShardlineError) this.#fail(cause);
      if (cause instanceof RangeError && this.#isPage(path)) this.#fail(tooMuch(cause));
    }
    clearTimeout(silence);
    outlivingBytes -= kept;
    this.#underWay.delete(id);
    const ms = first ? first.ms : now() - started;
    const billed = this.poll(() => {
      const [address, size] = answer ? put(this.#module, answer.body) : [0, 0];
      if (answer && address) this.#module.respond(this.#operation, id, answer.status, address, size, now(), answer.retryAfterMs, Number(answer.isSignedIn));
      else if (answer && this.#isPage(path)) this.#giveUp(tooMuch(new RangeError(`There is no memory left for ${size} bytes.`)));
      // The core itself times out a late request.
      else if (!first?.isLate) this.#module.failRequest(this.#operation, id, now());
    });
    // 408, 499 and half a success mean no more than 503: the outcome is unknown.
    if (path.endsWith(':commit') && (billed.writes + billed.deletes > 0 || REFUSALS.includes(answer?.status ?? 0))) this.#inDoubt -= 1;
    callApart(transport.onRequest, { method, path, status: answer?.status ?? 0, ms, bytes: answer?.body.length ?? 0, billed });
  }

  /** True for requests whose repetition would be as large, and billed, again. @param {string} path */
  #isPage(path) {
    return path.endsWith(':runQuery') && !this.#hasCommitted;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Uint8Array} body
   * @param {boolean} forceRefresh
   * @param {AbortSignal} signal
   * @param {{keepalive: boolean}} [atOnce] The page is going away, and there is no time to ask for tokens.
   */
  async #fetch(method, path, body, forceRefresh, signal, atOnce) {
    const transport = this.#transport;
    if (!(atOnce && transport.tokens)) await meetTokens(transport, forceRefresh);
    const [atHand] = transport.tokens ?? [];
    const auth = this.#tokenFor ? this.#tokenFor(atHand) : atHand;
    if (this.#tokenFor && auth === undefined) {
      throw new ShardlineError('unauthenticated', 'The user whose increments wait is not signed in.', { reason: 'user-not-signed-in' });
    }
    if (path.endsWith(':commit')) {
      this.#hasCommitted = true;
      this.#inDoubt += 1;
      this.onWrite?.();
    }
    return send(transport, { method, path, body, auth, signal, ...atOnce });
  }
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
  return new ShardlineError('resource-exhausted', 'The documents of a page are more than 64 MiB, or than there is memory for: use a smaller limit() or pageSize, or '
    + 'select().', { reason: 'page-too-large', cause });
}
