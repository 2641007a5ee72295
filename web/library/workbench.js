// The workbench: what a developer uses beside the library. A second WebAssembly module, loaded only by those who import this.

import { ShardlineError, invalidArgument } from './errors.js';
import createModule from './generated/workbench.js';
import { compile } from './load.js';

/**
 * @typedef {import('./generated/workbench.js').WorkbenchModule} WorkbenchModule
 *
 * @typedef {object} SimulatorOptions
 * @property {number} [seed] Of everything random: the same seed and the same requests give the same answers.
 * @property {number} [maxRequestBytes] 10 MiB as Firestore; Google's emulator takes 4 MiB.
 * @property {'none' | 'documented' | Partial<Limits>} [limits] Firestore's limits; by default none, as in Google's emulator.
 * @property {[number, number]} [latencyMs] How long an unhindered answer takes: between these, most near the first.
 * @property {Partial<Faults>} [faults]
 * @property {object} [indexes] The content of firestore.indexes.json, for the limits and for requireIndexes.
 * @property {boolean} [requireIndexes] Refuse queries that lack a composite index, as Firestore does.
 * @property {() => number} [now] The server's clock, in milliseconds since 1970; by default Date.now.
 *
 * @typedef {object} Limits The parameters of the model; src/simulator/limits.h explains each.
 * @property {number} documentWritesPerSecond 1
 * @property {number} documentBurst 5
 * @property {number} tabletWritesPerSecond 500
 * @property {number} tabletBurst 50
 * @property {number} splitLoad 0.5
 * @property {number} splitAfterSeconds 5
 * @property {number} lockDeadlineSeconds 20
 * @property {boolean} ramp true
 * @property {number} rampWritesPerSecond 500
 * @property {number} rampGrowth 1.5
 * @property {number} rampPeriodSeconds 300
 *
 * @typedef {object} Faults Probabilities, 0 to 1, but for the last four.
 * @property {number} dropRequest The request does not arrive.
 * @property {number} dropResponse It is carried out, and its answer does not arrive.
 * @property {number} internal HTTP 500, carried out or not.
 * @property {number} unavailable HTTP 503, carried out or not.
 * @property {number} resourceExhausted HTTP 429
 * @property {number} unauthenticated HTTP 401
 * @property {number} delay The answer takes delayMs longer.
 * @property {number} delayMs
 * @property {number} clockSkewMs The server's clock is ahead by this.
 * @property {number} downUntilMs Nothing arrives until then, by the clock of `now`.
 *
 * @typedef {object} Observation
 * @property {number} documents
 * @property {number} requests
 * @property {number} failed By faults.
 * @property {{reads: number, writes: number, deletes: number, dollars: number}} billed
 * @property {{aborted: number, waited: number}} contention
 * @property {{index: string, start: object[], writesPerSecond: number}[]} tablets The hottest first.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const EMPTY = new Uint8Array();

/** @type {Promise<Workbench> | undefined} */
let shared;

/**
 * @param {{wasm?: import('./load.js').WasmSource}} [options] Where workbench.wasm is; by default the file beside this one.
 * @returns {Promise<Workbench>}
 */
export function openWorkbench({ wasm } = {}) {
  if (wasm !== undefined) return start(wasm);
  // Written in one piece, so that bundlers see the file and take it along.
  shared ??= start(new URL('./generated/workbench.wasm', import.meta.url)).catch((error) => {
    shared = undefined; // The network may be back the next time.
    throw error;
  });
  return shared;
}

/**
 * @typedef {object} Workbench
 * @property {(options?: SimulatorOptions) => Promise<Simulator>} createSimulator An empty embedded Firestore.
 */

/**
 * @param {import('./load.js').WasmSource} source
 * @returns {Promise<Workbench>}
 */
async function start(source) {
  const module = await createModule({ wasm: await compile(await source) });
  return { createSimulator: async (options = {}) => new Simulator(module, options) };
}

/** An embedded Firestore: give its `fetch` to connect(), or to anything else that speaks Firestore's REST v1. */
export class Simulator {
  /** @type {WorkbenchModule} */
  #module;
  /** @type {() => number} */
  #now;
  /** 0 once it is closed. */
  #handle;

  /**
   * @param {WorkbenchModule} module
   * @param {SimulatorOptions} options
   */
  constructor(module, { now = Date.now, ...options }) {
    this.#module = module;
    this.#now = now;
    this.#handle = module.createSimulator(...this.#place(encoder.encode(JSON.stringify(options))));
    if (this.#handle === 0) throw invalidArgument(this.#frameText());
    this.fetch = this.fetch.bind(this);
  }

  /**
   * As the global fetch, whatever the host in the address.
   * @param {string | URL | Request} input
   * @param {RequestInit} [init]
   * @returns {Promise<Response>}
   */
  async fetch(input, init) {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const body = new Uint8Array(await request.arrayBuffer());
    signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const answer = this.handle(request.method, pathname + search, body, request.headers.get('authorization') ?? '');
    if (answer.delayMs > 0) await sleep(answer.delayMs, signal);
    // What a browser says when the connection breaks.
    if (answer.lost) throw new TypeError('Failed to fetch');
    return new Response(request.method === 'HEAD' ? null : answer.body, {
      status: answer.status,
      headers: { 'content-type': answer.contentType },
    });
  }

  /**
   * One request, answered at once: for programs that have their own clock.
   * @param {string} method
   * @param {string} target Path and query, as they stand in the address.
   * @param {Uint8Array} [body]
   * @param {string} [authorization] The header; 'Bearer owner' is an administrator.
   * @param {number} [now]
   * @returns {{status: number, contentType: string, delayMs: number, lost: boolean, body: Uint8Array<ArrayBuffer>}}
   */
  handle(method, target, body = EMPTY, authorization = '', now = this.#now()) {
    if (this.#handle === 0) throw new ShardlineError('failed-precondition', 'The simulator is closed.');
    const head = this.#place(encoder.encode(`${method}\n${target}\n${authorization}\n`));
    this.#module.handleRequest(this.#handle, ...head, ...this.#place(body), now);
    const frame = this.#frame();
    const end = frame.indexOf(0x0a);
    const { delayMicros, ...answer } = JSON.parse(decoder.decode(frame.subarray(0, end)));
    return { ...answer, delayMs: delayMicros / 1000, body: frame.slice(end + 1) };
  }

  /**
   * Changes latency and faults from now on.
   * @param {Pick<SimulatorOptions, 'latencyMs' | 'faults'>} options
   */
  configure(options) {
    const done = this.#module.configureSimulator(this.#handle, ...this.#place(encoder.encode(JSON.stringify(options))));
    if (done === 0) throw invalidArgument(this.#frameText());
  }

  /** @returns {Observation} How things stand. */
  snapshot() {
    this.#module.observe(this.#handle);
    return JSON.parse(this.#frameText());
  }

  /**
   * Calls back now and then with how things stand.
   * @param {(observation: Observation) => void} listener
   * @param {{intervalMs?: number, signal?: AbortSignal}} [options]
   * @returns {() => void} Ends it.
   */
  observe(listener, { intervalMs = 250, signal } = {}) {
    signal?.throwIfAborted();
    const timer = setInterval(() => listener(this.snapshot()), intervalMs);
    const stop = () => clearInterval(timer);
    signal?.addEventListener('abort', stop, { once: true });
    listener(this.snapshot());
    return stop;
  }

  /** Frees its memory. */
  close() {
    this.#module.destroySimulator(this.#handle);
    this.#handle = 0;
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {[number, number]} Address and size, which the module takes over.
   */
  #place(bytes) {
    const address = this.#module.allocate(bytes.length);
    if (address === 0) throw new ShardlineError('resource-exhausted', 'There is no memory left for the simulator.');
    this.#module.HEAPU8.set(bytes, address);
    return [address, bytes.length];
  }

  /** A view of what the module has just written, gone with the next call. */
  #frame() {
    const address = this.#module.frameAddress();
    return this.#module.HEAPU8.subarray(address, address + this.#module.frameSize());
  }

  #frameText() {
    return decoder.decode(this.#frame());
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
