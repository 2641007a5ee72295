// The embedded Firestore behind a `fetch` that spoils some of its answers, until a test makes it honest.

import { hostileResponse, response } from './hostile_response.js';
import { makeHuge, mutateBytes } from './mutate_bytes.js';
import { mutateTree } from './mutate_tree.js';

/**
 * @typedef {import('../emulator/support/random.js').Random} Random
 * @typedef {import('./mutate_tree.js').Truth} Truth
 * @typedef {import('./hostile_response.js').Answer} Answer
 * @typedef {{path: string, what: string, truth: Truth, answer: string}} Spoilt What was done to an answer.
 * @typedef {Answer & {truth: Truth, what: string, make?: () => unknown}} SpoiltAnswer
 */

const STATUSES = [100, 199, 201, 204, 206, 302, 304, 400, 401, 403, 404, 408, 409, 412, 413, 418, 429, 499, 500, 501, 502, 503, 504, 599];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class HostileServer {
  #engine;
  #random;
  #now;
  /** How many more answers it spoils. */
  left = 0;
  /** How likely it is that an answer is spoilt. */
  rate = 0;
  requests = 0;
  commits = 0;
  /** Whether it has said that an argument is not valid: in a spoilt answer, or about what had come of one. */
  hasBlamed = false;
  /** How many it has spoilt in all. */
  total = 0;
  /** @type {Spoilt[]} */
  spoilt = [];

  /**
   * @param {import('../../web/library/simulator/engine.js').Engine} engine
   * @param {Random} random
   * @param {() => number} now The server's clock, in milliseconds.
   */
  constructor(engine, random, now) {
    this.#engine = engine;
    this.#random = random;
    this.#now = now;
  }

  /** As the global one. @type {typeof globalThis.fetch & {host: string}} */
  fetch = Object.assign((/** @type {any} */ input, /** @type {any} */ init) => this.#fetch(input, init), { host: 'http://simulator.invalid' });

  /** @param {number} count @param {number} rate */
  spoil(count, rate) {
    this.left = count;
    this.rate = rate;
    this.requests = 0;
    this.commits = 0;
    this.hasBlamed = false;
    this.spoilt = [];
  }

  /** Whether all that it has said since spoil() was true, or no answer at all. */
  get truthful() {
    return this.spoilt.every(({ truth }) => truth !== 'lie');
  }

  /** Whether it has said true documents twice, or in another order. */
  get disorderly() {
    return this.spoilt.some(({ truth }) => truth === 'disorder');
  }

  /** @param {string} url @param {RequestInit} init @returns {any} What a hostile fetch returns may be anything. */
  #fetch(url, { method = 'GET', body }) {
    const { pathname, search } = new URL(url);
    const request = { method, target: pathname + search, body: /** @type {Uint8Array} */ (body) };
    const { status, body: bytes } = this.#engine.handle(request, this.#now());
    this.requests += 1;
    if (pathname.endsWith(':commit')) this.commits += 1;
    const answer = { status, body: bytes };
    if (status !== 200) this.#listen(bytes);
    if (this.left <= 0 || !this.#random.chance(this.rate)) return Promise.resolve(response(answer));
    this.left -= 1;
    this.total += 1;
    const path = pathname.slice(pathname.lastIndexOf(':'));
    const spoilt = this.#spoil(path, answer);
    this.#listen(spoilt.body.subarray(0, 600));
    this.spoilt.push({ path, what: spoilt.what, truth: spoilt.truth, answer: `${spoilt.status} ${decoder.decode(spoilt.body.subarray(0, 600))}` });
    return spoilt.make ? spoilt.make() : Promise.resolve(response(spoilt));
  }

  /** @param {Uint8Array} body */
  #listen(body) {
    this.hasBlamed ||= decoder.decode(body).includes('INVALID_ARGUMENT');
  }

  /** @param {string} path @param {Answer} answer @returns {SpoiltAnswer} */
  #spoil(path, answer) {
    const random = this.#random;
    const kind = random.unit();
    if (kind < 0.1) return { ...answer, truth: 'broken', ...hostileResponse(random, answer) };
    if (kind < 0.2) {
      // Of a commit, a status may say that it was refused.
      return { ...answer, status: random.pick(STATUSES), truth: path === ':commit' ? 'lie' : 'broken', what: 'status' };
    }
    if (kind < 0.202) {
      const { bytes, truth, what } = makeHuge(random, answer.body);
      return { status: answer.status, body: bytes, truth, what };
    }
    if (kind < 0.4) {
      const { bytes, truth, what } = mutateBytes(random, answer.body);
      return { status: answer.status, body: bytes, truth, what };
    }
    const { text, truth, what } = mutateTree(random, decoder.decode(answer.body));
    return { status: answer.status, body: encoder.encode(text), truth, what };
  }
}
