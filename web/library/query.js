// Queries over collections, sharded or not: this builds them, and reads their results. The core sends a query to each chunk of shards, and merges the
// answers (scatter-gather, k-way merge).

import { callApart, report } from './apart.js';
import { originalOf } from './converter.js';
import { invalidArgument, notAllowed, optionNotAllowed, ShardlineError, shown, takes } from './errors.js';
import { pathOf, valueAt } from './field_path.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { readable, takeOptions } from './options.js';
import { reviveDocuments, reviveTimes } from './revive.js';
import { seenBy } from './seen_queries.js';
import { decodeNumber, DocumentReference, encodeValue } from './values.js';

/**
 * @import {
 *   Condition, ConditionOn, CursorValue, DocumentConverter, DocumentData, FieldPath, FieldType, FirebaseFieldPath, JoinFilters, NumberPath, Operand, OperatorFor,
 *   QueryFilter, Selected,
 * } from './document_types.js'
 * @import { LivePage, LiveQueryOptions } from './listen/live_query.js'
 * @import { DocumentSnapshot } from './revive.js'
 *
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./connection.js').Billed} Billed
 *
 * @typedef {'==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not-in' | 'array-contains' | 'array-contains-any'} FilterOperator
 *
 * @typedef {object} QueryOptions
 * @property {'share' | 'whole-page'} [chunkReads] `share`, the default, asks each chunk of shards for its share of the page, and again a chunk that
 *   runs dry: few reads. `stream()` keeps the documents beyond a page for its next page. `whole-page` asks each chunk for a whole page: one round
 *   trip.
 * @property {boolean} [consistentRead] Whether all chunks, and all pages after this one, are read at the same instant.
 * @property {AbortSignal} [signal]
 *
 * @typedef {{consistentRead?: boolean | undefined, signal?: AbortSignal | undefined}} AggregateOptions
 *
 * @typedef {object} QueryPlan
 * @property {(string | number)[][]} chunks The shard values of each request; empty in an ordinary collection.
 * @property {number} requests The number of first requests; a page with `chunkReads: 'share'` may need more.
 * @property {number | null} worstCaseReads The most reads that the standard edition bills. Null without a limit: as many as there are documents. Null
 *   also for inequalities on several fields: Firestore then also bills the index entries that it scans.
 * @property {IndexField[]} index The composite index that the query needs; the first, if there are several. Empty if single-field indexes suffice,
 *   which only the standard edition keeps by itself.
 * @property {PlannedIndex[]} indexes All indexes that it needs: with or(), alternatives may need different ones.
 *
 * @typedef {{field: string, order?: 'ASCENDING' | 'DESCENDING', arrayConfig?: 'CONTAINS'}} IndexField
 *
 * @typedef {object} PlannedIndex
 * @property {IndexField[]} fields
 * @property {number} fixed How many of the fields, from the first on, filters fix to one value each: their order and their directions do
 *   not matter.
 */

/**
 * @template [T=DocumentData]
 * @typedef {object} QueryPage
 * @property {DocumentSnapshot<T>[]} docs
 * @property {number} size The number of documents in `docs`.
 * @property {boolean} empty Whether `docs` is empty.
 * @property {DocumentSnapshot<T>[]['forEach']} forEach That of `docs`.
 * @property {string | null} nextToken For `continueFrom()`; null if no more documents follow. If the last documents just fill a page, it may have a
 *   `nextToken`, and the page behind it is empty: an exact answer would cost one more read for each page.
 * @property {import('./values.js').Timestamp[]} readTimes The moment at which each chunk was read; the last one, if it took several requests.
 * @property {number} requests
 * @property {Billed} billed
 */

/** How many documents a stream asks for at a time. */
const PAGE_SIZE = 300;
const MAX_PAGE_SIZE = 10_000;
const MAX_LIMIT = 2 ** 31 - 1;

const OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'array-contains', 'array-contains-any'];

/**
 * @typedef {object} QueryState As the core takes it: see kQueryParameters in src/sharded_query/query_plan.h.
 * @property {EncodedFilter[]} filters
 * @property {{field?: string, direction: 'asc' | 'desc'}[]} [orders]
 * @property {number | null} [limit]
 * @property {string[]} [select]
 * @property {Cursor} [start]
 * @property {Cursor} [end]
 * @property {string} [continueFrom]
 *
 * @typedef {{inclusive: boolean, values: object[]}} Position
 * @typedef {Position | {inclusive: boolean, document: any}} Cursor At a document: its values are known when all orders are.
 * @typedef {{field: string, op: FilterOperator, value: object} | {op: 'and' | 'or', filters: EncodedFilter[]}} EncodedFilter
 */

/** @type {(filter: unknown) => EncodedFilter | undefined} */
let encodedIn;

/** The result of where(), and() and or(). Its public type is QueryFilter, which says more about it. */
class Filter {
  #encoded;

  /** @param {EncodedFilter} encoded */
  constructor(encoded) {
    this.#encoded = encoded;
  }

  static {
    encodedIn = (filter) => (filter instanceof Filter ? filter.#encoded : undefined);
  }
}

/**
 * A condition on one field, to join with others.
 * @template {string | FirebaseFieldPath} Path
 * @template {FilterOperator} Op
 * @template const Value
 * @param {Path} field A path with dots: `price.currency`.
 * @param {Op} op
 * @param {Value} value
 * @returns {Path extends string ? QueryFilter<Condition<Path, Op, Value>> : QueryFilter}
 */
export function where(field, op, value) {
  const path = pathOf(field);
  if (value === undefined) {
    throw notAllowed('where()', 'a field, an operator and a value', 'where() takes a field, an operator and a value. Here the value is undefined.');
  }
  if (!OPERATORS.includes(op)) {
    const instead = typeof op === 'string' && /^=+$/.test(op) ? 'Use \'==\'.' : `There are '${OPERATORS.join('\', \'')}'.`;
    throw notAllowed('op', `one of '${OPERATORS.join('\', \'')}'`, `where() has no operator like ${shown(op)}. ${instead}`);
  }
  return /** @type {any} */ (filter({ field: path, op, value: encodeValue(value, path) }));
}

/** All of these conditions must hold. @type {JoinFilters} */
export const and = (...filters) => join('and', filters);

/**
 * At least one of these conditions must hold. A query may have up to 10,000 combinations of the alternatives of `or()` and of the values of `in` and
 * `array-contains-any`. Beyond 30 the library sends it in pieces.
 * @type {JoinFilters}
 */
export const or = (...filters) => join('or', filters);

/**
 * @param {'and' | 'or'} op
 * @param {readonly unknown[]} filters
 */
function join(op, filters) {
  // or(or(a, b), c) is or(a, b, c): thousands that are joined one by one stay one level deep.
  return filter({ op, filters: filters.map(encodedOf).flatMap((one) => ('filters' in one && one.op === op && one.filters.length > 0 ? one.filters : [one])) });
}

/** @param {EncodedFilter} encoded @returns {QueryFilter} */
function filter(encoded) {
  return /** @type {any} */ (new Filter(encoded));
}

/** @param {unknown} filter */
function encodedOf(filter) {
  const encoded = readable('filter', () => encodedIn(filter), 'A filter');
  if (encoded) return encoded;
  throw notAllowed('filter', 'a result of where(), and() or or() of this library',
    'and(), or() and where() take the results of where(), and() and or() of this library.');
}

/**
 * @typedef {{path: string, shardField?: string, orderField?: string, ordinary?: boolean}} CollectionSpec Of what the core takes of a collection, what is
 *   looked at here.
 */

/** @type {QueryState} */
const EVERYTHING = { filters: [] };

/** How many streams there have been. */
let streams = 0;

/**
 * The collection of a query, for the classes that extend it with writes.
 * @type {(query: ShardedQuery<any, any>) => {connection: Connection, collection: CollectionSpec}}
 */
export let targetOf;

/**
 * Converts the documents that a query has read.
 * @type {(query: ShardedQuery<any, any>, result: any) => DocumentSnapshot<any>[]}
 */
export let documentsOf;

/**
 * A query over a collection. Immutable: every method returns a new one.
 * @template [T=DocumentData] The type of the documents.
 * @template [Data=T] The type that you read: see select().
 */
export class ShardedQuery {
  #connection;
  #collection;
  #query;
  #converter;

  /**
   * @param {Connection} connection
   * @param {CollectionSpec} collection As the core takes it: see kCollectionParameters in src/sharded_query/sharded_collection.h.
   * @param {QueryState} [query]
   * @param {DocumentConverter<any>} [converter]
   * @hidden Made by the library.
   */
  constructor(connection, collection, query = EVERYTHING, converter) {
    this.#connection = connection;
    this.#collection = collection;
    this.#query = query;
    this.#converter = converter;
  }

  static {
    targetOf = (query) => ({ connection: query.#connection, collection: query.#collection });
    documentsOf = (query, result) => reviveDocuments(result, query.#connection.revivers, query.#converter);
    keepFromProxies(this, Filter);
    answerHabits(this, 'limitToLast', 'orderBy(field, \'desc\') with limit()');
  }

  /**
   * Keeps only documents that also meet this condition: `where('price', '>', 5)`, or `where(or(where('price', '>', 5), where('isNew', '==', true)))`.
   * @overload
   * @param {QueryFilter<ConditionOn<T>>} filter The result of where(), and() or or().
   * @returns {ShardedQuery<T, Data>}
   */
  /**
   * The same for a FieldPath of Firebase's SDKs.
   * @overload
   * @param {FirebaseFieldPath} field
   * @param {FilterOperator} op
   * @param {any} value
   * @returns {ShardedQuery<T, Data>}
   */
  // The last one, because TypeScript 7 explains a mistake by the last one alone.
  /**
   * @template {FieldPath<T>} Path
   * @template {OperatorFor<FieldType<T, Path>>} Op
   * @overload
   * @param {Path} field A path with dots: `price.currency`.
   * @param {Op} op
   * @param {Operand<FieldType<T, Path>, Op>} value
   * @returns {ShardedQuery<T, Data>}
   */
  /**
   * @param {any} field
   * @param {any} [op]
   * @param {unknown} [value]
   */
  where(field, op, value) {
    const path = pathOf(field);
    if (typeof path !== 'string' && (op !== undefined || value !== undefined)) {
      throw notAllowed('where()', 'a field, an operator and a value, or one filter',
        'where() takes a field, an operator and a value, or one filter: join several with and().');
    }
    const filter = typeof path === 'string' ? where(path, op, value) : field;
    return this.#with({ filters: [...this.#query.filters, encodedOf(filter)] });
  }

  /**
   * Sorts by a field: `orderBy('price', 'desc')`. Another call adds a field for documents that are equal in the fields before. The query does not
   * find documents that lack one of the fields. The default order is the collection's order field, and in an ordinary collection the documents'
   * names.
   * @param {FieldPath<T> | (keyof T & string) | FirebaseFieldPath} field
   * @param {'asc' | 'desc'} [direction] Default `asc`.
   */
  orderBy(field, direction = 'asc') {
    const path = pathOf(field);
    if (typeof path !== 'string') {
      throw notAllowed('orderBy()', 'the path of a field', 'orderBy() needs the path of a field such as price.currency.');
    }
    if (direction !== 'asc' && direction !== 'desc') {
      throw notAllowed('direction', '\'asc\' or \'desc\'', `The direction of orderBy() is 'asc' or 'desc', not ${shown(direction)}.`);
    }
    return this.#with({ orders: [...this.#query.orders ?? [], { field: path, direction }] });
  }

  /** Sorts by the order field of a sharded collection, the latest document first. */
  newestFirst() {
    return this.#with({ orders: [...this.#query.orders ?? [], { direction: 'desc' }] });
  }

  /** @param {number} count The most documents of a page. */
  limit(count) {
    if (!Number.isInteger(count) || count < 1 || count > MAX_LIMIT) {
      throw takes('limit', 'limit', 'an integer from 1 to 2,147,483,647', count);
    }
    return this.#with({ limit: count });
  }

  /**
   * Without fields, the documents have only ids and times.
   * @overload
   * @returns {ShardedQuery<T, {}>}
   */
  /**
   * Reads only these fields.
   * @template {FieldPath<T>} Path
   * @overload
   * @param {...Path} fields
   * @returns {ShardedQuery<T, Selected<T, Path>>}
   */
  /**
   * The same for FieldPaths of Firebase's SDKs.
   * @template {FieldPath<T> | FirebaseFieldPath} OnePath
   * @overload
   * @param {...OnePath} fields
   * @returns {ShardedQuery<T, Partial<T>>}
   */
  /** @param {...(string | FirebaseFieldPath)} fields @returns {ShardedQuery<T, any>} */
  select(...fields) {
    return this.#with({ select: fields.map((field) => {
      const path = pathOf(field);
      if (typeof path !== 'string') throw takes('select', 'select()', 'paths of fields, such as price.currency', field);
      return path;
    }) });
  }

  /**
   * @param {...CursorValue<T>} values Values for the orders, from the first on; then for the fields of inequalities, sorted by name. Or one document
   *   that a query has returned, here or in Firebase's SDKs.
   */
  startAt(...values) {
    return this.#with({ start: encodePosition('startAt()', true, values) });
  }

  /** @param {...CursorValue<T>} values */
  startAfter(...values) {
    return this.#with({ start: encodePosition('startAfter()', false, values) });
  }

  /** @param {...CursorValue<T>} values */
  endAt(...values) {
    return this.#with({ end: encodePosition('endAt()', true, values) });
  }

  /** @param {...CursorValue<T>} values */
  endBefore(...values) {
    return this.#with({ end: encodePosition('endBefore()', false, values) });
  }

  /** @param {string} token The `nextToken` of a page of the same query. It must not be null: no page follows then. */
  continueFrom(token) {
    if (typeof token !== 'string') {
      throw invalidArgument('continueFrom() takes the `nextToken` of a page, which is null after the last page. Begin without it, '
        + 'or by startAfter(value).', { reason: 'token-of-another-query' });
    }
    return this.#with({ continueFrom: token });
  }

  /**
   * Reads one page: as many documents as limit() allows, or all of them.
   * @param {QueryOptions} [options]
   * @returns {Promise<QueryPage<Data>>}
   */
  async get(options) {
    const { signal, ...how } = takeOptions('get', options, ['chunkReads', 'consistentRead', 'signal']);
    return this.#page(how, signal);
  }

  /**
   * @param {Omit<QueryOptions, 'signal'> & {stream?: string}} how
   * @param {AbortSignal} [signal]
   * @returns {Promise<QueryPage<Data>>}
   */
  async #page(how, signal) {
    const args = this.#arguments(how);
    this.#note();
    const result = await this.#connection.run('collection.query', args, { signal });
    const { prefix, docs, shapes, readTimes, ...rest } = result;
    const found = documentsOf(this, result);
    const page = { ...rest, docs: found, readTimes: reviveTimes(readTimes) };
    // Not enumerable, so that tests can compare a page with its content.
    return Object.defineProperties(page, {
      size: { value: found.length },
      empty: { value: found.length === 0 },
      forEach: { value: found.forEach.bind(found) },
    });
  }

  /**
   * Calls back with the page at once, and whenever it changes. The page is exactly the result of the unsharded query at that moment. The server sends
   * changes within a second, and bills one read for each document that changes in a chunk’s page, or comes into it.
   *
   * The first page reads up to limit() documents of each chunk; a chunk has up to 30 shard values. The library opens a broken stream again. A page
   * that is hidden for more than a minute gets no changes until the user returns. The first call loads the code for this.
   * @param {(page: LivePage<Data>) => void} callback
   * @param {LiveQueryOptions | LiveQueryOptions['onError']} [options] Or only `onError`, like in Firebase’s SDKs.
   * @returns {() => void} Ends the calls.
   */
  onChange(callback, options) {
    const args = this.#arguments({ chunkReads: 'whole-page' });
    this.plan(); // Refuses the queries that get() would refuse.
    this.#note();
    const ending = new AbortController();
    import('./listen/live_query.js').then(
      ({ listenTo }) => listenTo(this.#connection, args, (result) => documentsOf(this, result), callback, options, ending),
      (cause) => callApart([/** @type {any} */ (options)?.onError, options, report].find((tell) => typeof tell === 'function'),
        new ShardlineError('unavailable', 'live_query.js could not be loaded. Call again.', { reason: 'module-not-loaded', params: { file: 'live_query.js' }, cause })),
    );
    return () => ending.abort();
  }

  /** The same under its name in Firebase’s SDKs. @type {ShardedQuery<T, Data>['onChange']} */
  onSnapshot(...args) {
    return this.onChange(...args);
  }

  /**
   * The number of documents, up to limit(). The server counts, for one read for each 1,000 documents of a chunk.
   * @param {AggregateOptions} [options]
   * @returns {Promise<number>}
   */
  async count(options) {
    const { signal, ...how } = takeOptions('count', options, ['consistentRead', 'signal']);
    const query = this.#with({ select: undefined });
    query.#note();
    const { count } = await this.#connection.run('collection.count', query.#arguments(how), { signal });
    return count;
  }

  /**
   * The sum of a field over all documents of the query, without values that are not numbers. The server adds up, for one read for each 1,000
   * documents of a chunk. A sum of integers is exact: a number, or a bigint if a number would lose digits. Beyond 64 bits it becomes a double.
   * @param {NumberPath<T> | FirebaseFieldPath} field A path with dots: `price.micros`. It needs an index with the order field in front of it.
   * @param {AggregateOptions} [options]
   * @returns {Promise<number | bigint>}
   */
  async sum(field, options) {
    return /** @type {number | bigint} */ (await this.#aggregate('sum', field, options));
  }

  /**
   * The average of the numbers in a field; null if there are no numbers. See sum().
   * @param {NumberPath<T> | FirebaseFieldPath} field
   * @param {AggregateOptions} [options]
   * @returns {Promise<number | null>}
   */
  async average(field, options) {
    return /** @type {number | null} */ (await this.#aggregate('average', field, options));
  }

  /**
   * The plan of get(): its requests, reads and indexes. Sends nothing.
   *
   * Reads and indexes are those of Firestore’s standard edition. The enterprise edition also runs a query without an index, and bills every document
   * of the collection that it scans, in units of 4 KiB: declare an index there even if `index` is empty.
   * @returns {QueryPlan}
   */
  plan() {
    const { orders, ...plan } = this.#connection.runNow('collection.plan', this.#arguments());
    return plan;
  }

  /**
   * The beginning or end of a page in the core's form.
   * @param {Cursor | undefined} cursor
   * @returns {Position | undefined}
   */
  #position(cursor) {
    if (!cursor || !('document' in cursor)) return cursor;
    const { inclusive, document } = cursor;
    const { filters, orders: given } = this.#query;
    const { orders } = this.#connection.runNow('collection.plan', { collection: this.#collection, query: { filters, orders: given } });
    const values = readable('cursor', () => orders.map((/** @type {string} */ field) => {
      if (field === '__name__') return encodeValue(referenceTo(document), field);
      const value = valueAt(originalOf(document), field);
      if (value !== undefined) return encodeValue(value, field);
      throw cursorNotAllowed(`The query is sorted by ${field}, which the document of its cursor does not have: select() left it out, or it is another query’s.`);
    }), 'A cursor');
    return { inclusive, values };
  }

  /**
   * Iterates over all documents, and reads the next page when you need it. Documents that a page has fetched beyond its end are billed once: the next
   * page begins with them. A slow reader gets documents as of the time when they were fetched.
   * @param {QueryOptions & {pageSize?: number}} [options]
   * @returns {AsyncGenerator<DocumentSnapshot<Data>, void, void>}
   */
  async *stream(options) {
    const { pageSize = PAGE_SIZE, signal, ...how } = takeOptions('stream', options, ['pageSize', 'chunkReads', 'consistentRead', 'signal']);
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
      throw optionNotAllowed('pageSize', 'an integer from 1 to 10,000');
    }
    this.plan(); // Refuses what get() would refuse: behind this, pages have limits of their own.
    const number = streams += 1;
    let left = this.#query.limit ?? Infinity;
    /** @type {ShardedQuery<T, Data>} */
    let query = this;
    for (;;) {
      // Another user must not see documents that were fetched for the last one.
      const stream = `${number} ${this.#connection.tokens} `;
      const page = await query.limit(Math.min(pageSize, left)).#page({ ...how, stream }, signal);
      yield* page.docs;
      left -= page.docs.length;
      if (page.nextToken === null || left <= 0) return;
      query = query.continueFrom(page.nextToken);
      await this.#connection.meetUser(signal);
    }
  }

  [Symbol.asyncIterator]() {
    return this.stream();
  }

  /**
   * @param {'sum' | 'average'} kind
   * @param {string | FirebaseFieldPath} field
   * @param {AggregateOptions} [options]
   */
  async #aggregate(kind, field, options) {
    const { signal, ...how } = takeOptions(kind, options, ['consistentRead', 'signal']);
    const path = pathOf(field);
    if (typeof path !== 'string') throw takes(kind, 'field', 'the path of a field, such as price.micros', field);
    const query = this.#with({ select: undefined });
    const { value } = await this.#connection.run('collection.aggregate', { ...query.#arguments(how), kind, field: path }, { signal });
    return value === null ? null : decodeNumber(value);
  }

  /** Keeps its form for db.seenQueries(), also if the server refuses it because an index is missing. */
  #note() {
    const { filters, orders } = this.#query;
    seenBy(this.#connection).note(this.#collection, [orders, filters.map(formOf)], () => this.plan());
  }

  /** @param {Partial<QueryState>} more @returns {ShardedQuery<T, Data>} */
  #with(more) {
    // After select(), a converter could not distinguish a part of a document from a whole one.
    const converter = more.select ? undefined : this.#converter;
    return new ShardedQuery(this.#connection, this.#collection, { ...this.#query, ...more }, converter);
  }

  /** @param {QueryOptions & {stream?: string}} [options] */
  #arguments({ chunkReads, consistentRead, stream } = {}) {
    const { start, end } = this.#query;
    return { collection: this.#collection, query: { ...this.#query, start: this.#position(start), end: this.#position(end), chunkReads, consistentRead, stream } };
  }
}

/** A filter without its values. @param {EncodedFilter} filter @returns {unknown[]} */
function formOf(filter) {
  return 'filters' in filter ? [filter.op, filter.filters.map(formOf)] : [filter.field, filter.op];
}

/**
 * @param {string} call
 * @param {boolean} inclusive
 * @param {unknown[]} values
 * @returns {Cursor}
 */
function encodePosition(call, inclusive, values) {
  const [first] = values;
  if (values.length === 1 && readable('cursor', () => isDocument(first), 'A cursor')) return { inclusive, document: first };
  if (readable('cursor', () => values.some(isDocument) || values.some(isToken), 'A cursor')) {
    throw cursorNotAllowed(`${call} takes a value for each order, or one document. For the next page, call continueFrom().`);
  }
  return { inclusive, values: values.map((value) => encodeValue(value, call)) };
}

/** @param {string} message */
function cursorNotAllowed(message) {
  return invalidArgument(message, { reason: 'query-cursor-not-allowed' });
}

/** Whether it is the `nextToken` of a page: all page tokens of src/sharded_query/page_token.cc begin alike. @param {unknown} value */
function isToken(value) {
  return typeof value === 'string' && /^WzEs[\w-]{20}/.test(value);
}

/** The reference of a document of this library or of Firebase's SDKs. @param {any} document */
function referenceTo({ name, ref }) {
  return typeof name === 'string' ? new DocumentReference(name) : ref;
}

/**
 * Whether it is a document that a query has returned, here or in Firebase's SDK.
 * @param {any} value
 */
function isDocument(value) {
  return typeof value?.id === 'string' && typeof value.data === 'function';
}
