// One embedded Firestore inside the WebAssembly module. All methods are synchronous: their callers add the latency.

import { ShardlineError, notAllowed } from '../errors.js';
import { readable } from '../options.js';
import { frame, frameError, frameText, place, placeJson } from './memory.js';
import { plain } from './plain.js';

/**
 * @typedef {import('../generated/workbench.js').WorkbenchModule} WorkbenchModule
 *
 * @typedef {object} EmbeddedFirestoreRequest
 * @property {string} method
 * @property {string} target Path and query of the address.
 * @property {Uint8Array} [body]
 * @property {string} [authorization] The header. 'Bearer owner' is an administrator; anything else must be a bearer's JWT.
 *
 * @typedef {object} EmbeddedFirestoreAnswer
 * @property {number} status
 * @property {string} contentType
 * @property {number} delayMs Milliseconds from the request to the answer.
 * @property {boolean} lost The answer does not arrive; the request may have been carried out.
 * @property {Uint8Array<ArrayBuffer>} body
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const EMPTY = new Uint8Array();

export class Engine {
  #module;
  /** 0 once it is closed. */
  #handle;

  /**
   * @param {WorkbenchModule} module
   * @param {object} options The options that src/simulator/simulator_options.cc reads.
   * @hidden Made by the library.
   */
  constructor(module, options) {
    this.#module = module;
    this.#handle = module.createSimulator(...placeJson(module, options));
    if (this.#handle === 0) throw frameError(this.#module);
  }

  /**
   * @param {EmbeddedFirestoreRequest} request
   * @param {number} now The clock, in milliseconds since 1970.
   * @returns {EmbeddedFirestoreAnswer}
   */
  handle(request, now) {
    this.#checkOpen();
    const { method, target, body, authorization } = checked(request);
    checkTime(now);
    const head = place(this.#module, encoder.encode(`${method}\n${target}\n${authorization}\n`));
    this.#module.handleRequest(this.#handle, ...head, ...place(this.#module, body), now);
    const bytes = frame(this.#module);
    const end = bytes.indexOf(0x0a);
    const { delayMicros, ...answer } = JSON.parse(decoder.decode(bytes.subarray(0, end)));
    return { ...answer, delayMs: delayMicros / 1000, body: bytes.slice(end + 1) };
  }

  /** @param {object} options */
  configure(options) {
    this.#checkOpen();
    this.#check(this.#module.configureSimulator(this.#handle, ...placeJson(this.#module, plain(options, 'options'))));
  }

  /**
   * @param {number} now
   * @returns {Omit<import('../workbench.js').Observation, 'settings'>} The present state.
   */
  observe(now) {
    this.#checkOpen();
    checkTime(now);
    this.#module.observe(this.#handle, now);
    return JSON.parse(frameText(this.#module));
  }

  /** From now on, keeps a journal of changes. */
  keepJournal() {
    this.#checkOpen();
    this.#module.keepJournal(this.#handle);
  }

  /** @returns {Uint8Array<ArrayBuffer>} The changes since the last call, which restore() takes. Empty if nothing has changed. */
  takeJournal() {
    this.#checkOpen();
    this.#module.takeJournal(this.#handle);
    return frame(this.#module).slice();
  }

  /** @returns {Uint8Array<ArrayBuffer>} The whole state, which restore() takes. */
  snapshot() {
    this.#checkOpen();
    this.#module.takeSnapshot(this.#handle);
    return frame(this.#module).slice();
  }

  /**
   * @param {Uint8Array} bytes A snapshot, which replaces the content of its databases, or the next journal.
   */
  restore(bytes) {
    this.#checkOpen();
    this.#check(this.#module.restore(this.#handle, ...place(this.#module, bytes)));
  }

  /** Frees its memory. */
  close() {
    this.#module.destroySimulator(this.#handle);
    this.#handle = 0;
  }

  /** The module in which it runs. */
  get module() {
    return this.#module;
  }

  #checkOpen() {
    if (this.#handle === 0) throw isClosed();
  }

  /** @param {number} done 0: the frame holds an error's message. */
  #check(done) {
    if (done === 0) throw frameError(this.#module);
  }
}

export function isClosed() {
  return new ShardlineError('failed-precondition', 'The embedded Firestore is closed.', { reason: 'closed' });
}

/** @param {EmbeddedFirestoreRequest} request @returns {Required<EmbeddedFirestoreRequest>} */
function checked(request) {
  const read = readable('request', () => ({
    method: request.method, target: request.target, body: request.body ?? EMPTY, authorization: request.authorization ?? '',
  }), 'The request');
  for (const name of /** @type {const} */ (['method', 'target', 'authorization'])) {
    if (typeof read[name] !== 'string') throw notAllowed(name, 'a text');
  }
  if (!readable('body', () => read.body instanceof Uint8Array)) throw notAllowed('body', 'a Uint8Array');
  return read;
}

/** @param {number} now */
function checkTime(now) {
  if (!Number.isFinite(now)) throw notAllowed('now', 'a number of milliseconds since 1970');
}
