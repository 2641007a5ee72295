// Runs operations of the core on the documents that a stream brings: the core's requests are answered with these. The core merges and adds them up as it does
// with other answers. The first run finds nothing, and tells which queries there are to listen to.

import { invalidArgument } from '../errors.js';
import { sorted } from './order.js';

/**
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {Pick<import('./targets.js').Moment, 'documents' | 'readTime'>} Answer
 */

/** The most that a limit can be: as good as none. */
export const NO_LIMIT = 2 ** 31 - 1;
/** The moment of the first run. */
const NEVER = '1970-01-01T00:00:00Z';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Replay {
  #core;
  #isWhole;
  /** The queries, as JSON. @type {string[]} */
  #queries = [];
  /** The targets of these queries. @type {import('./targets.js').What[]} */
  targets = [];
  /** The documents of the targets at a moment, with which the core is answered. @type {Answer} */
  answer = { documents: [], readTime: NEVER };

  /**
   * @param {Connection} connection
   * @param {AbortSignal} signal Ends it.
   * @param {{isWhole?: boolean}} [options] `isWhole`: a target has all documents of its query, whatever its limit.
   */
  constructor(connection, signal, { isWhole = false } = {}) {
    this.#isWhole = isWhole;
    this.#core = connection.beside(async (/** @type {string} */ url, /** @type {{body: Uint8Array}} */ { body }) => this.#respond(url, body));
    signal.addEventListener('abort', () => this.#core.close(), { once: true });
  }

  /** @param {string} name @param {object} args @param {AbortSignal} signal */
  run(name, args, signal) {
    return this.#core.run(name, args, { signal });
  }

  /** `projects/…/databases/…`, after the first run. */
  get database() {
    const [first] = this.targets;
    return first && 'query' in first ? /** @type {string} */ (first.query.parent.split('/documents')[0]) : '';
  }

  /** @param {string} url @param {Uint8Array} body */
  #respond(url, body) {
    const { structuredQuery, readTime } = JSON.parse(decoder.decode(body));
    if (!structuredQuery) throw new TypeError('The stream brings documents of queries alone.');
    const { readTime: at, documents } = this.answer;
    if (readTime !== undefined && readTime !== at) {
      throw invalidArgument('A page token of a consistent read belongs to one moment, and nothing changes in it. Pass continueFrom() the token of another page.',
        { reason: 'token-of-another-query' });
    }
    const text = JSON.stringify(structuredQuery);
    if (at === NEVER) this.#listenTo(url, structuredQuery, text);
    const found = sorted(documents[this.#queries.indexOf(text)] ?? [], structuredQuery.orderBy ?? []);
    const answer = encoder.encode(JSON.stringify(found.length > 0 ? found.map((document) => ({ document, readTime: at })) : [{ readTime: at }]));
    return { status: 200, arrayBuffer: async () => answer };
  }

  /** @param {string} url @param {any} structuredQuery @param {string} text */
  #listenTo(url, structuredQuery, text) {
    const { select, limit, ...rest } = structuredQuery;
    // Listening knows no projection; the core leaves out what was not selected.
    const query = this.#isWhole || limit === NO_LIMIT ? rest : { ...rest, limit };
    const parent = url.replace(/^\/v1\//, '').replace(/:runQuery.*$/, '').split('/').map(decodeURIComponent).join('/');
    this.#queries.push(text);
    this.targets.push({ query: { parent, structuredQuery: query } });
  }
}
