/**
 * Differential testing: sends the same requests to the embedded Firestore and to Google's emulator, and compares the answers, except times, generated
 * ids, tokens and the wording of messages.
 *
 * A request may hold `{$time: n}`, `{$token: n}` and `{$page: n}`, which stand for the n-th system time, transaction or page
 * token that the *same side* has answered before. So relations are compared, too: a write that changes nothing must keep the
 * time that an earlier answer had.
 */
import { isDeepStrictEqual } from 'node:util';
import { freshFetch } from './fresh_fetch.js';

/**
 * @typedef {object} ConformanceRequest
 * @property {string} [name]
 * @property {string} method
 * @property {string} path  behind `/v1/<root>`, percent-encoded
 * @property {any} [body]   a string goes out as it is
 * @property {boolean} [admin]
 * @property {string} [authorization]  The header, if it is another one than an administrator's.
 * @property {boolean} [says]  The message of an error is compared, too.
 *
 * @typedef {{status: number, body: any}} Reply
 * @typedef {(method: string, path: string, body: string | undefined, authorization: string) => Promise<{status: number, text: string}>} Send
 */

const SYSTEM_TIMES = new Set(['createTime', 'updateTime', 'commitTime']);
const DAY_MS = 86_400_000;

/** One side of the comparison: an empty database and its answers so far. */
export class Side {
  /** @param {Send} send @param {string} project */
  constructor(send, project) {
    this.send = send;
    this.root = `projects/${project}/databases/(default)/documents`;
    this.times = /** @type {string[]} */ ([]);
    this.tokens = /** @type {string[]} */ ([]);
    this.pages = /** @type {string[]} */ ([]);
    /** The last error's message, for people. */
    this.message = '';
  }

  /** @param {ConformanceRequest} request @returns {Promise<Reply>} normalised */
  async ask({ method, path, body, admin = false, authorization = admin ? 'Bearer owner' : '', says = false }) {
    const text = body === undefined ? undefined : this.#fill(typeof body === 'string' ? body : JSON.stringify(body));
    const target = path.startsWith('!') ? path.slice(1) : `/v1/${this.root}${this.#fill(path, true)}`;
    const answer = await this.send(method, target, text, authorization);
    let json;
    try {
      json = JSON.parse(answer.text);
    } catch {
      json = answer.text;
    }
    const reply = { status: answer.status, body: this.#normalise(json) };
    return says && reply.body.error ? { ...reply, body: { ...reply.body, message: this.message } } : reply;
  }

  /** Puts in what placeholders stand for, and the name of the database for `~`. @param {string} text */
  #fill(text, inUrl = false) {
    const known = (/** @type {string[]} */ list, /** @type {string} */ index) => list[Number(index) % list.length] ?? 'none';
    const quote = (/** @type {string} */ value) => (inUrl ? encodeURIComponent(value) : JSON.stringify(value));
    return text
      .replaceAll(/\{"\$time":(\d+)\}/g, (_, index) => quote(known(this.times, index)))
      .replaceAll(/\{"\$token":(\d+)\}/g, (_, index) => quote(known(this.tokens, index)))
      .replaceAll(/\{"\$page":(\d+)\}/g, (_, index) => quote(known(this.pages, index)))
      .replaceAll('~root~', this.root)
      .replaceAll('~db~', this.root.slice(0, -'/documents'.length));
  }

  /** @param {any} json @param {string} [key] @returns {any} */
  #normalise(json, key = '') {
    if (Array.isArray(json)) return json.map((element) => this.#normalise(element));
    if (json !== null && typeof json === 'object') {
      if (json.error) {
        this.message = json.error.message ?? '';
        return { error: json.error.status, code: json.error.code };
      }
      if (typeof json.code === 'number' && typeof json.message === 'string') return { code: json.code };
      return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, this.#normalise(value, name)]));
    }
    if (Object.is(json, -0)) return 0;
    if (typeof json !== 'string') return json;
    if (SYSTEM_TIMES.has(key)) return `time ${this.#label(this.times, json)}`;
    if (key === 'readTime') return 'now';
    if (key === 'transaction') return `transaction ${this.#label(this.tokens, json)}`;
    if (key === 'nextPageToken') {
      this.pages.push(json);
      return 'page';
    }
    if (key === 'timestampValue' && Math.abs(Date.parse(json) - Date.now()) < DAY_MS) return 'now';
    if (json.startsWith(this.root)) return `~${json.slice(this.root.length)}`.replace(/\/[0-9A-Za-z]{20}$/, '/auto');
    return json;
  }

  /** @param {string[]} known @param {string} value */
  #label(known, value) {
    const index = known.indexOf(value);
    return index >= 0 ? index : known.push(value) - 1;
  }
}

/**
 * @typedef {object} Difference
 * @property {ConformanceRequest} request
 * @property {Reply} ours
 * @property {Reply} theirs
 * @property {number} index  in the sequence
 * @property {string} message  their last error's
 */

/**
 * @param {Side} ours @param {Side} theirs
 * @param {ConformanceRequest[]} requests
 * @param {(request: ConformanceRequest, ours: Reply, theirs: Reply) => boolean} isKnown
 * @returns {Promise<Difference | null>} the first that is not known
 */
export async function compareSequence(ours, theirs, requests, isKnown) {
  for (const [index, request] of requests.entries()) {
    const [our, their] = await Promise.all([ours.ask(request), theirs.ask(request)]);
    if (!isDeepStrictEqual(our, their) && !isKnown(request, our, their)) {
      return { request, ours: our, theirs: their, index, message: theirs.message };
    }
  }
  return null;
}

/**
 * Shrinks a failing sequence: leaves out the requests without which it still fails.
 * @param {ConformanceRequest[]} requests
 * @param {(requests: ConformanceRequest[]) => Promise<boolean>} fails
 */
export async function shrink(requests, fails) {
  let shortest = requests;
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < shortest.length;) {
      const without = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      if (without.length > 0 && await fails(without)) shortest = without;
      else start += size;
    }
  }
  return shortest;
}

/** @param {string} url of the emulator @returns {Send} */
export function sendToEmulator(url) {
  return async (method, path, body, authorization) => {
    const response = await freshFetch(url + path, {
      method,
      body,
      signal: AbortSignal.timeout(20_000),
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(authorization ? { authorization } : {}),
      },
    });
    return { status: response.status, text: await response.text() };
  };
}

/** @param {import('../../../web/library/simulator/engine.js').Engine} engine @returns {Send} */
export function sendToSimulator(engine) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return async (method, path, body, authorization) => {
    // Like fetch: it escapes the characters that a URL may not hold.
    const { pathname, search } = new URL(path, 'http://simulator');
    const answer = engine.handle({
      method, target: pathname + search, body: encoder.encode(body ?? ''), authorization,
    }, Date.now());
    return { status: answer.status, text: decoder.decode(answer.body) };
  };
}
