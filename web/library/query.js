// Queries over sharded collections: how they are put together and read. How they are asked is decided in the core.

import { invalidArgument } from './errors.js';
import { reviveDocuments, reviveTimes } from './revive.js';
import { encodeValue } from './values.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./revive.js').DocumentSnapshot} DocumentSnapshot
 *
 * @typedef {'==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not-in' | 'array-contains' | 'array-contains-any'} FilterOperator
 *
 * @typedef {object} QueryOptions
 * @property {'adaptive' | 'eager'} [fetch] `adaptive`, the default, asks each chunk of shards for its share of the page, and again
 *   those that run dry: few reads. What it reads too much is kept for the next page: one that is asked for within a second, and
 *   without a write through this connection in between, begins with it, so it may show documents as they were a moment ago.
 *   `eager` asks each for the whole page, one round trip, and always reads anew.
 * @property {boolean} [snapshot] Whether all chunks, and all pages after this one, are read at the same instant.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} QueryPage
 * @property {DocumentSnapshot[]} docs
 * @property {string | null} next For `after()`; null when there are no more documents.
 * @property {import('./values.js').Timestamp[]} readTimes The moment at which each chunk was read; the last one, if it was asked several times.
 * @property {number} requests
 * @property {Billed} billed
 *
 * @typedef {object} QueryPlan
 * @property {(string | number)[][]} chunks The shard values that are asked for together.
 * @property {number} requests How many there are at first; an adaptive page may need more.
 * @property {number | null} worstCaseReads As the standard edition bills them. Null without a limit: as many as there are documents.
 * @property {{field: string, order?: 'ASCENDING' | 'DESCENDING', arrayConfig?: 'CONTAINS'}[]} index The composite index that
 *   the query needs.
 */

/** How many documents a stream asks for at a time. */
const PAGE_SIZE = 300;

/**
 * @typedef {object} QueryState In the order in which the core reads it: see src/sharded_query/query_plan.h.
 * @property {unknown[]} filters
 * @property {boolean} descending
 * @property {number | null} limit
 * @property {string[] | null} select
 * @property {unknown[] | null} start
 * @property {unknown[] | null} end
 * @property {string | null} after
 */

/** @type {QueryState} */
const EVERYTHING = { filters: [], descending: false, limit: null, select: null, start: null, end: null, after: null };

/** A query over a sharded collection. Immutable: every method returns a new one. */
export class ShardedQuery {
  #connection;
  #collection;
  #query;

  /**
   * @param {Connection} connection
   * @param {unknown[]} collection As the core reads it: see src/sharded_query/sharded_collection.h.
   * @param {QueryState} [query]
   */
  constructor(connection, collection, query = EVERYTHING) {
    this.#connection = connection;
    this.#collection = collection;
    this.#query = query;
  }

  /**
   * @param {string} field A path with dots: `price.currency`.
   * @param {FilterOperator} op
   * @param {unknown} value
   */
  where(field, op, value) {
    return this.#with({ filters: [...this.#query.filters, [field, op, encodeValue(value, field)]] });
  }

  /**
   * By the collection's order field, in which direction. Default `asc`.
   * @param {'asc' | 'desc'} direction
   */
  orderBy(direction) {
    return this.#with({ descending: choose('orderBy()', direction, ['asc', 'desc']) });
  }

  /** @param {number} count At most so many documents. */
  limit(count) {
    // null, to which JSON also turns NaN and Infinity, would mean none; false is refused, as is all else that is no number.
    return this.#with({ limit: Number.isFinite(count) ? count : false });
  }

  /** @param {...string} fields Only these; none for just ids and times. */
  select(...fields) {
    return this.#with({ select: fields });
  }

  /** @param {...unknown} values Of the order field; further ones of the fields of inequalities, sorted by name. */
  startAt(...values) {
    return this.#with({ start: encodePosition(true, values) });
  }

  /** @param {...unknown} values */
  startAfter(...values) {
    return this.#with({ start: encodePosition(false, values) });
  }

  /** @param {...unknown} values */
  endAt(...values) {
    return this.#with({ end: encodePosition(true, values) });
  }

  /** @param {...unknown} values */
  endBefore(...values) {
    return this.#with({ end: encodePosition(false, values) });
  }

  /** @param {string | null} token The `next` of a page of the same query. */
  after(token) {
    return this.#with({ after: token ?? '' });
  }

  /**
   * One page: as many documents as the limit says, or all of them.
   * @param {QueryOptions} [options]
   * @returns {Promise<QueryPage>}
   */
  async get({ fetch, snapshot, signal, ...unknown } = {}) {
    const result = await this.#connection.run('collection.query', this.#arguments(fetch, snapshot, unknown), { signal });
    const { prefix, docs, shapes, readTimes, ...rest } = result;
    return {
      ...rest,
      docs: reviveDocuments(result),
      readTimes: reviveTimes(readTimes),
    };
  }

  /**
   * How many documents there are, up to the limit; counted on the server, for one read for each 1,000 of a chunk.
   * @param {{snapshot?: boolean, signal?: AbortSignal}} [options]
   * @returns {Promise<number>}
   */
  async count({ snapshot, signal, ...unknown } = {}) {
    const query = this.#with({ select: null });
    const { count } = await this.#connection.run('collection.count', query.#arguments('eager', snapshot, unknown), { signal });
    return count;
  }

  /**
   * What get() would ask for. Asks for nothing.
   * @returns {QueryPlan}
   */
  plan() {
    return this.#connection.runNow('collection.plan', this.#arguments());
  }

  /**
   * All documents, page by page as they are wanted.
   * @param {QueryOptions & {pageSize?: number}} [options]
   * @returns {AsyncGenerator<DocumentSnapshot, void, void>}
   */
  async *stream({ pageSize = PAGE_SIZE, ...options } = {}) {
    let left = this.#query.limit ?? Infinity;
    /** @type {ShardedQuery} */
    let query = this;
    for (;;) {
      const page = await query.limit(Math.min(pageSize, left)).get(options);
      yield* page.docs;
      left -= page.docs.length;
      if (page.next === null || left <= 0) return;
      query = query.after(page.next);
    }
  }

  [Symbol.asyncIterator]() {
    return this.stream();
  }

  /** @param {{[part in keyof QueryState]?: unknown}} more */
  #with(more) {
    return new ShardedQuery(this.#connection, this.#collection, /** @type {QueryState} */ ({ ...this.#query, ...more }));
  }

  /**
   * @param {string} [fetch]
   * @param {boolean} [snapshot]
   * @param {object} [unknown] Further options, which are slips of the pen.
   */
  #arguments(fetch = 'adaptive', snapshot = false, unknown = {}) {
    const [name] = Object.keys(unknown);
    if (name) throw invalidArgument(`A query has no option “${name}”.`);
    const eager = choose('fetch', fetch, ['adaptive', 'eager']);
    return [this.#collection, [...Object.values(this.#query), eager, Boolean(snapshot)]];
  }
}

/**
 * Whether it is the second of two words.
 * @param {string} what
 * @param {unknown} word
 * @param {[string, string]} words
 */
function choose(what, word, words) {
  const index = words.indexOf(/** @type {string} */ (word));
  if (index < 0) throw invalidArgument(`${what} takes '${words[0]}' or '${words[1]}'.`);
  return index === 1;
}

/**
 * @param {boolean} inclusive
 * @param {unknown[]} values
 */
function encodePosition(inclusive, values) {
  return [inclusive, ...values.map((value) => encodeValue(value, 'startAt() or endAt()'))];
}
