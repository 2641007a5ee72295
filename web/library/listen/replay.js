// Runs operations of the core on the documents of a stream: it answers the core's requests with these documents (a fake server). The core merges them
// and adds them up like other answers. The first run finds no documents, and yields the queries to listen to.

import { invalidArgument, ShardlineError } from '../errors.js';
import { sorted } from './order.js';

/**
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {Pick<import('./targets.js').Moment, 'documents' | 'readTime'>} Answer
 */

/** The largest limit, which means no limit. */
export const NO_LIMIT = 2 ** 31 - 1;
/** The moment of the first run. */
const NEVER = '1970-01-01T00:00:00Z';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Replay {
  #core;
  #isWhole;
  /** The core's requests, as JSON. @type {string[]} */
  #questions = [];
  /** The targets of these requests. @type {import('./targets.js').What[]} */
  targets = [];
  /** The documents of the targets at a moment: the answers to the core have them. @type {Answer} */
  answer = { documents: [], readTime: NEVER };

  /**
   * @param {Connection} connection
   * @param {AbortSignal} signal Ends it.
   * @param {{isWhole?: boolean}} [options] `isWhole`: a target has all documents of its query, also those beyond its limit.
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
    const name = first && ('query' in first ? first.query.parent : first.documents.documents[0]);
    return name?.split('/documents')[0] ?? '';
  }

  /** @param {string} url @param {Uint8Array} body */
  #respond(url, body) {
    const { structuredQuery, documents: names, readTime } = JSON.parse(decoder.decode(body));
    if (!structuredQuery && !names) throw new ShardlineError('internal', 'The stream brings documents alone.', { reason: 'internal-fault' });
    const { readTime: at, documents } = this.answer;
    if (readTime !== undefined && readTime !== at) {
      throw invalidArgument('A page token of a consistent read belongs to one moment, and nothing changes in it. Pass continueFrom() the token of another page.',
        { reason: 'token-of-another-query' });
    }
    const text = JSON.stringify(structuredQuery ?? names);
    if (at === NEVER) this.#listenTo(text, structuredQuery ? this.#targetOf(url, structuredQuery) : { documents: { documents: names } });
    const all = documents[this.#questions.indexOf(text)] ?? [];
    const found = structuredQuery ? sorted(all, structuredQuery.orderBy ?? []).map((document) => ({ document, readTime: at })) : partsOf(names, all, at);
    const answer = encoder.encode(JSON.stringify(found.length > 0 ? found : [{ readTime: at }]));
    return { status: 200, arrayBuffer: async () => answer };
  }

  /** @param {string} text @param {import('./targets.js').What} target */
  #listenTo(text, target) {
    this.#questions.push(text);
    this.targets.push(target);
  }

  /** @param {string} url @param {any} structuredQuery @returns {import('./targets.js').What} */
  #targetOf(url, structuredQuery) {
    const { select, limit, ...rest } = structuredQuery;
    // A stream has no projection; the core leaves out the fields that were not selected.
    const query = this.#isWhole || limit === NO_LIMIT ? rest : { ...rest, limit };
    const parent = url.replace(/^\/v1\//, '').replace(/:runQuery.*$/, '').split('/').map(decodeURIComponent).join('/');
    return { query: { parent, structuredQuery: query } };
  }
}

/**
 * The answer to a :batchGet.
 * @param {string[]} names
 * @param {import('./targets.js').WireDocument[]} documents
 * @param {string} readTime
 */
function partsOf(names, documents, readTime) {
  const found = new Map(documents.map((document) => [document.name, document]));
  return names.map((name) => (found.has(name) ? { found: found.get(name), readTime } : { missing: name, readTime }));
}
