// A stand-in for the connection until the page has loaded the core and the outbox: it asks for the total of a counter. It leaves everything else to
// the core, also unusual answers.

import { callApart } from './apart.js';
import { now } from './clock.js';
import { ShardlineError } from './errors.js';
import { requestFor } from './reader.js';
import { cancelled, checkSignal, onAbort } from './signals.js';
import { meetTokens, pauseMs, send, serverNow } from './transport.js';
import { abortable } from './waits.js';

/**
 * @typedef {import('./connection.js').RunOptions} RunOptions
 * @typedef {NonNullable<RunOptions['first']>} First
 */

/** The same as in the core. */
const TIMEOUT_MS = 30_000;
const ENTRIES_PER_READ = 1000;

export class LightConnection {
  #read;
  #config;
  #transport;
  #early;

  /**
   * @param {import('./reader.js').Reader} read
   * @param {ReturnType<typeof import('./connect.js').checkOptions>} options
   * @param {import('./early.js').Early} early
   */
  constructor(read, { config, transport }, early) {
    this.#read = read;
    this.#config = config;
    this.#transport = transport;
    this.#early = early;
  }

  get #core() {
    return this.#early.core;
  }

  /**
   * See Connection.
   * @param {string} name
   * @param {any} args
   * @param {RunOptions} [options]
   * @returns {Promise<any>}
   */
  async run(name, args, options = {}) {
    if (this.#core) return this.#core.run(name, args, options);
    const { ended } = this.#early;
    if (ended.aborted) throw ended.reason;
    checkSignal(options.signal);
    const request = name === 'counter.total' && args.source === undefined && this.#requestFor(args);
    if (!request || request.path === undefined || request.body === undefined) return this.#runLater(name, args, options);
    const first = await this.#ask(request.path, request.body, options.signal);
    return totalOf(first.answer) ?? this.#runLater(name, args, { ...options, first });
  }

  /**
   * See Connection. Without the core, only counters are checked.
   * @param {string} name
   * @param {any} args
   * @returns {any}
   */
  runNow(name, args) {
    if (this.#core) return this.#core.runNow(name, args);
    return name === 'counter.check' ? this.#requestFor(args) : undefined;
  }

  /** See Connection. @param {string} name @param {object} args @param {AbortSignal} [signal] */
  async check(name, args, signal) {
    return (await this.whenWhole(signal)).check(name, args, signal);
  }

  /** See Connection. */
  get whole() {
    return this.#core;
  }

  /** Fetches the core, if it is not there. @param {AbortSignal} [signal] Ends the wait. */
  async whenWhole(signal) {
    checkSignal(signal);
    const { ended } = this.#early;
    return abortable(ended, () => cancelled(), () => abortable(signal, () => cancelled(signal), async () => (await this.#early.open()).connection));
  }

  /** See Connection. @type {import('./connection.js').Connection['loadListening']} */
  loadListening;

  serverNow() {
    return serverNow(this.#transport);
  }

  /** See Connection. */
  get pauseMs() {
    return pauseMs(this.#transport);
  }

  /** Calls in flight end with the outbox. */
  close() {
    this.#core?.close();
  }

  /** @param {any} args */
  #requestFor(args) {
    return requestFor(this.#read, this.#config, args);
  }

  /** @param {string} name @param {any} args @param {RunOptions} options */
  async #runLater(name, args, options) {
    return (await this.whenWhole(options.signal)).run(name, args, options);
  }

  /**
   * @param {string} path
   * @param {string} body
   * @param {AbortSignal} [signal]
   * @returns {Promise<First>}
   */
  async #ask(path, body, signal) {
    const transport = this.#transport;
    const { ended } = this.#early;
    const controller = new AbortController();
    const forgets = [ended, ...(signal ? [signal] : [])].map((each) => onAbort(each, () => controller.abort()));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, TIMEOUT_MS);
    const started = now();
    const method = 'POST';
    const given = async () => {
      await meetTokens(transport, false);
      return send(transport, { method, path, body, auth: transport.tokens?.[0], signal: controller.signal });
    };
    try {
      // A fetch() of the app may ignore the signal.
      const answer = await abortable(controller.signal, (reason) => reason, given);
      const ms = now() - started;
      const total = totalOf(answer);
      if (total) {
        callApart(transport.onRequest, { method, path, status: answer.status, ms, bytes: answer.body.length, billed: total.billed });
        this.#early.rest();
      }
      return { answer, ms };
    } catch (cause) {
      if (signal?.aborted || ended.aborted) throw new ShardlineError('cancelled', 'The operation was cancelled.', { reason: 'cancelled', cause: signal?.reason });
      if (cause instanceof ShardlineError) throw cause;
      return { cause, isLate, ms: now() - started };
    } finally {
      clearTimeout(timer);
      for (const forget of forgets) forget();
    }
  }
}

/**
 * Reads an ordinary answer. The core reads all others.
 * @param {import('./transport.js').Answer | undefined} answer
 */
function totalOf(answer) {
  if (answer?.status !== 200) return undefined;
  try {
    const [{ result: { aggregateFields: { sum, count } }, readTime }, ...more] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.body));
    const value = sum.integerValue ?? sum.doubleValue;
    const isInteger = /^-?\d{1,19}$/.test(sum.integerValue);
    // A sum of integers beyond 64 bits is a double.
    const isDouble = sum.integerValue === undefined && typeof value === 'number' && Math.abs(value) < 2 ** 63;
    if (more.length > 0 || !(isInteger || isDouble) || !/^\d{1,15}$/.test(count.integerValue) || typeof readTime !== 'string') return undefined;
    const shards = Number(count.integerValue);
    return { value, readTime, shards, source: 'sum', billed: { reads: Math.max(Math.ceil(shards / ENTRIES_PER_READ), 1), writes: 0, deletes: 0 } };
  } catch {
    return undefined;
  }
}
