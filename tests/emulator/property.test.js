/**
 * A property-based test of the promise of queries: the pages of one, put together, equal the result of a single query of Firestore's own over the
 * same documents, document by document and field by field. Collections, sharded and ordinary ones, filters, orders, cursors and pages are random.
 *
 *   SEED=123 node --test tests/emulator/property.test.js     one collection again
 *   FROM=5000 RUNS=1000 …                                     others, and more of them
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { and, connect, or, where } from 'shardline';
import { encodeValue } from '../../web/library/values.js';
import { inRun } from '../support/run.js';
import { openDatabase } from './support/database.js';
import { plainFields } from './support/plain.js';
import { Random, ValueGenerator } from './support/random.js';
import { RestClient } from './support/rest.js';

const RUNS = Number(process.env.RUNS ?? inRun(3, 20));
const FIRST_SEED = Number(process.env.SEED ?? process.env.FROM ?? 1);
const QUERIES_PER_COLLECTION = 5;
/** Few, so that many documents meet in one place of the order. */
const MOMENTS = ['2024-06-01T10:20:30Z', '2024-06-01T10:20:30.001Z', '2024-06-01T10:20:30.000001Z', '1969-12-31T23:59:59.999999Z'];
const OPERATORS = /** @type {Record<string, string>} */ ({
  '==': 'EQUAL', '!=': 'NOT_EQUAL', '<': 'LESS_THAN', '<=': 'LESS_THAN_OR_EQUAL', '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL', in: 'IN', 'not-in': 'NOT_IN', 'array-contains': 'ARRAY_CONTAINS',
  'array-contains-any': 'ARRAY_CONTAINS_ANY',
});

/** More than Firestore takes in one list, some twice. The collections hold a part of it: 0 to 4, in halves. */
const WIDE = Array.from({ length: 70 }, (_, i) => (i % 60) / 2 - 0.5);

/** @type {import('./support/database.js').Database} */
let emulator;
/** @type {RestClient} */
let rest;
/** @type {import('shardline').Database} */
let db;

before(async () => {
  emulator = await openDatabase();
  rest = new RestClient({ url: emulator.url, projectId: emulator.projectId });
  db = await connect({ projectId: emulator.projectId, host: emulator.url });
});
after(async () => {
  await db.close();
  await emulator.stop();
});

/** @typedef {[field: string, op: any, value: any] | [joined: 'and' | 'or', filters: Filter[]]} Filter */

/**
 * A random collection of documents that all carry a shard value.
 * @param {Random} random
 * @param {number} seed
 */
async function makeCollection(random, seed) {
  const values = new ValueGenerator(random);
  const count = random.pick([1, 2, 3, 7, 30, 31, 60, 61, 120]);
  const isOrdinary = random.chance(0.25);
  const shards = random.chance(0.3) ? Array.from({ length: count }, (_, i) => (i % 2 ? `s${i}` : i)) : count;
  const shardValues = typeof shards === 'number' ? Array.from({ length: shards }, (_, i) => `${i}`) : shards;
  const path = random.chance(0.3) ? `parents/p/c${seed}` : `c${seed}`;
  const orderField = random.pick(['timestamp', 'meta.at', '`x.y`']);
  const pool = Array.from({ length: 6 }, () => (random.chance(0.6) ? { timestampValue: random.pick(MOMENTS) } : values.value(1)));
  const ids = new Set(Array.from({ length: random.between(0, 60) }, () => values.documentId()).filter((id) => !/^__.*__$/.test(id)));
  const writes = [...ids].map((id) => {
    const order = random.chance(0.9) ? random.pick(pool) : undefined;
    const fields = {
      ...(random.chance(0.3) ? { extra: { mapValue: { fields: values.fields(1) } } } : {}),
      ...(isOrdinary ? {} : { shard: encodeValue(random.pick(shardValues), 'shard') }),
      kind: { stringValue: random.pick(['stock', 'etf']) },
      n: random.pick([{ integerValue: `${random.between(0, 4)}` }, { doubleValue: random.between(0, 8) / 2 }, { nullValue: null }]),
      price: { mapValue: { fields: { currency: { stringValue: random.pick(['USD', 'JPY']) }, m: values.value(2) } } },
      tags: { arrayValue: { values: [{ stringValue: random.pick(['a', 'b']) }, { integerValue: '1' }] } },
      ...orderFields(orderField, order),
    };
    return { update: { name: rest.name(`${path}/${id}`), fields } };
  });
  if (writes.length > 0) await rest.commit(writes);
  return { path, shards, orderField, pool, isOrdinary };
}

/**
 * @param {string} field
 * @param {object | undefined} value
 */
function orderFields(field, value) {
  if (!value) return {};
  if (field === 'meta.at') return { meta: { mapValue: { fields: { at: value } } } };
  return { [field.replaceAll('`', '')]: value };
}

/**
 * @param {Random} random
 * @param {string} orderField
 * @returns {Filter[]}
 */
function makeFilters(random, orderField) {
  const one = /** @type {(() => Filter)[]} */ ([
    () => ['kind', '==', random.pick(['stock', 'etf', 'none'])],
    () => ['price.currency', '==', 'USD'],
    () => ['n', random.pick(['<', '<=', '>', '>=', '!=']), random.between(0, 4)],
    () => ['n', '==', random.pick([null, 2])],
    () => ['kind', 'in', random.pick([['stock'], ['stock', 'etf'], ['etf', 'x', 'y']])],
    () => ['n', 'not-in', [1, 2.5]],
    () => ['n', 'in', WIDE],
    () => ['tags', 'array-contains-any', [...WIDE, 'a']],
    () => ['tags', 'array-contains', random.pick(['a', 1])],
    () => ['tags', 'array-contains-any', ['a', 'b', 'c']],
    () => [orderField, random.pick(['>', '>=', '<', '<=']), new Date(MOMENTS[0] ?? '')],
  ]);
  const few = () => Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => random.pick(one)());
  const filters = random.chance(0.6) ? few() : [...few(), makeTree(random, () => random.pick(one)(), 3)];
  return allowed(filters) ? filters : filters.slice(0, 1).filter((filter) => allowed([filter]));
}

/**
 * @param {Random} random
 * @param {() => Filter} one
 * @param {number} depth
 * @returns {Filter}
 */
function makeTree(random, one, depth) {
  if (depth === 0 || random.chance(0.3)) return one();
  return [random.pick(['and', 'or']), Array.from({ length: random.between(1, 3) }, () => makeTree(random, one, depth - 1))];
}

/** All conditions, whatever joins them. @param {Filter[]} filters @returns {[field: string, op: any, value: any][]} */
const leaves = (filters) => filters.flatMap((filter) => (Array.isArray(filter[1]) ? leaves(filter[1]) : [/** @type {any} */ (filter)]));

/**
 * Of the normal form: how many disjunctions there are, how many conditions they have together, and how many array-contains the one of
 * them that has most.
 * @param {Filter[]} filters
 * @param {'and' | 'or'} how
 * @returns {{arrays: number, disjunctions: number, terms: number}}
 */
function sizeOf(filters, how) {
  const sizes = filters.map(([op, value, list]) => {
    if (Array.isArray(value)) return sizeOf(value, /** @type {'and' | 'or'} */ (op));
    const [arrays, any] = [value.startsWith('array-contains') ? 1 : 0, ['in', 'array-contains-any'].includes(value)];
    const disjunctions = any ? list.filter(isWide(list) ? isNeeded : () => true).length : 1;
    return { arrays, disjunctions, terms: disjunctions };
  });
  const add = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);
  const multiply = (/** @type {number[]} */ all) => all.reduce((a, b) => a * b, 1);
  const [arrays, disjunctions] = [sizes.map((size) => size.arrays), sizes.map((size) => size.disjunctions)];
  const all = multiply(disjunctions);
  return how === 'and' ? { arrays: add(arrays), disjunctions: all, terms: add(sizes.map((size) => (size.terms * all) / size.disjunctions)) }
    : { arrays: Math.max(...arrays), disjunctions: add(disjunctions), terms: add(sizes.map((size) => size.terms)) };
}

/**
 * Whether the query without shards is one that Firestore takes. Of long lists, it is asked for what collections may hold.
 * @param {Filter[]} filters
 */
function allowed(filters) {
  const all = leaves(filters);
  const count = (/** @type {string[]} */ ...named) => all.filter(([, op]) => named.includes(op)).length;
  const isJoined = filters.some(([, value]) => Array.isArray(value));
  const { disjunctions, terms } = sizeOf(filters, 'and');
  // Each has the shard, too; behind them stand the orders and the parent.
  const isSmall = disjunctions <= 30 && terms + disjunctions <= 90;
  return count('!=', 'not-in') <= 1 && sizeOf(filters, 'and').arrays <= 1
    && !(count('not-in') && (isJoined || count('in', 'array-contains-any')))
    && isSmall;
}

/** @param {unknown} value */
const isWide = (value) => Array.isArray(value) && value.length > 30;

/**
 * Whether a collection may hold it, the first time that it is in the list.
 * @param {unknown} value
 * @param {number} at
 * @param {unknown[]} all
 */
function isNeeded(value, at, all) {
  return all.indexOf(value) === at && (typeof value === 'string' || (Number(value) >= 0 && Number(value) <= 4));
}

/** @param {Filter} filter @returns {object} */
function wireFilter([field, op, value]) {
  // What lies between the ends of the wide list, the server is asked for by its ends.
  if (isWide(value)) return wireFilter([field, op, value.filter(isNeeded)]);
  if (Array.isArray(op)) return { compositeFilter: { op: field.toUpperCase(), filters: op.map(wireFilter) } };
  if (value === null) return { unaryFilter: { field: { fieldPath: field }, op: 'IS_NULL' } };
  return { fieldFilter: { field: { fieldPath: field }, op: OPERATORS[op], value: encodeValue(value, field) } };
}

/** As the library takes it. @param {Filter} filter @returns {import('shardline').QueryFilter} */
function builtFilter([field, op, value]) {
  return Array.isArray(op) ? (field === 'or' ? or : and)(...op.map(builtFilter)) : where(field, op, value);
}

/**
 * The order of the documents; empty: the collection's own order.
 * @param {Random} random
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @returns {{field: string, direction: 'asc' | 'desc'}[]}
 */
function makeOrders(random, { orderField, isOrdinary }) {
  const direction = () => /** @type {'asc' | 'desc'} */ (random.pick(['asc', 'desc']));
  if (isOrdinary && random.chance(0.3)) return [];
  const orders = [{ field: orderField, direction: direction() }];
  if (random.chance(0.4)) orders.push({ field: 'n', direction: direction() });
  if (random.chance(0.2)) orders.push({ field: 'price.m', direction: direction() });
  if (random.chance(0.15)) orders.reverse();
  if (random.chance(0.1)) orders.push({ field: '__name__', direction: direction() });
  return orders;
}

/**
 * @param {Random} random
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 */
function makeQuery(random, collection) {
  const { orderField, pool } = collection;
  const orders = makeOrders(random, collection);
  // A cursor takes every value that a document may hold there, except values that only the wire can express.
  const moments = pool.filter((value) => 'timestampValue' in value).map((value) => new Date(value.timestampValue));
  const values = orders[0]?.field === orderField ? moments : [];
  const further = () => (orders[1]?.field === 'n' && random.chance(0.5) ? [random.between(0, 4)] : []);
  return {
    filters: orders.at(-1)?.field === '__name__' ? [] : makeFilters(random, orderField),
    orders,
    select: random.chance(0.3) ? random.pick([['kind'], ['n', 'price.currency'], [orderField], ['price.none', 'kind']]) : undefined,
    start: values.length && random.chance(0.2) ? { values: [random.pick(values), ...further()], inclusive: random.chance(0.5) } : undefined,
    end: values.length && random.chance(0.2) ? { values: [random.pick(values), ...further()], inclusive: random.chance(0.5) } : undefined,
    limit: random.chance(0.3) ? random.between(1, 70) : undefined,
    pageSize: random.pick([1, 2, 3, 5, 10, 100]),
    chunkReads: /** @type {'share' | 'whole-page'} */ (random.pick(['share', 'whole-page'])),
    consistentRead: random.chance(0.3),
  };
}

/**
 * One query without a word of shards.
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @param {ReturnType<typeof makeQuery>} query
 */
function unsharded({ path }, query) {
  const segments = path.split('/');
  const filters = query.filters.map(wireFilter);
  return rest.runQuery({
    from: [{ collectionId: segments.pop() }],
    ...(filters.length ? { where: { compositeFilter: { op: 'AND', filters } } } : {}),
    orderBy: query.orders.map(({ field, direction }) => ({ field: { fieldPath: field }, direction: direction === 'desc' ? 'DESCENDING' : 'ASCENDING' })),
    ...(query.select ? { select: { fields: query.select.map((fieldPath) => ({ fieldPath })) } } : {}),
    ...(query.start ? { startAt: { values: query.start.values.map((value) => encodeValue(value, '')), before: query.start.inclusive } } : {}),
    ...(query.end ? { endAt: { values: query.end.values.map((value) => encodeValue(value, '')), before: !query.end.inclusive } } : {}),
    ...(query.limit ? { limit: query.limit } : {}),
  }, { parent: segments.join('/') });
}

/**
 * @param {import('shardline').Database} database
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @param {ReturnType<typeof makeQuery>} wanted
 */
function sharded(database, { path, shards, orderField, isOrdinary }, wanted) {
  /** @type {import('shardline').ShardedQuery} */
  let query = isOrdinary ? database.collection(path) : database.shardedCollection(path, { shards, orderField });
  for (const { field, direction } of wanted.orders) {
    query = field === orderField && !isOrdinary && direction === 'desc' ? query.newestFirst() : query.orderBy(field, direction);
  }
  for (const filter of wanted.filters) query = query.where(builtFilter(filter));
  if (wanted.select) query = query.select(...wanted.select);
  if (wanted.start) query = wanted.start.inclusive ? query.startAt(...wanted.start.values) : query.startAfter(...wanted.start.values);
  if (wanted.end) query = wanted.end.inclusive ? query.endAt(...wanted.end.values) : query.endBefore(...wanted.end.values);
  return query;
}

/**
 * Sums and averages, which Firestore's own query has, too.
 * @param {import('shardline').ShardedQuery} query
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @param {ReturnType<typeof makeQuery>} wanted
 * @param {string} about
 */
async function checkSums(query, collection, wanted, about) {
  const all = await unsharded(collection, { ...wanted, select: undefined, limit: undefined });
  const numbers = all.map(({ fields: { n } }) => Number(n.integerValue ?? n.doubleValue ?? NaN)).filter((n) => !Number.isNaN(n));
  // Halves, which doubles add up exactly.
  const sum = numbers.reduce((a, b) => a + b, 0);
  assert.equal(await query.sum('n'), sum, about);
  assert.equal(await query.average('n'), numbers.length ? sum / numbers.length : null, about);
}

/**
 * All pages of a sharded query, one after the other.
 * @param {import('shardline').ShardedQuery} query
 * @param {ReturnType<typeof makeQuery>} wanted
 * @param {number} most How many documents there are: pages must end.
 */
async function allPages(query, { limit = Infinity, pageSize, chunkReads, consistentRead }, most) {
  const docs = [];
  /** @type {string | null} */
  let next = null;
  do {
    const size = Math.min(pageSize, limit - docs.length);
    const page = await (next ? query.continueFrom(next) : query).limit(size).get({ chunkReads, consistentRead });
    assert.ok(page.docs.length <= size);
    assert.ok(page.docs.length > 0 || page.nextToken === null, 'an empty page is the last one');
    docs.push(...page.docs);
    assert.ok(docs.length <= most, `more than ${most} documents`);
    next = page.nextToken;
  } while (next !== null && docs.length < limit);
  return docs;
}

/**
 * The queries of one random collection, and their expected answers.
 * @param {import('shardline').Database} database
 * @param {number} seed
 * @param {(error: unknown) => void} onError Told what a query is refused with.
 */
async function checkCollection(database, seed, onError) {
  const random = new Random(seed);
  const collection = await makeCollection(random, seed);
  for (let i = 0; i < QUERIES_PER_COLLECTION; i += 1) {
    const wanted = makeQuery(random, collection);
    const about = JSON.stringify({ ...collection, pool: undefined, ...wanted });
    try {
      await checkQuery(database, collection, wanted, about);
    } catch (error) {
      onError(error);
    }
  }
}

/**
 * @param {import('shardline').Database} database
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @param {ReturnType<typeof makeQuery>} wanted
 * @param {string} about
 */
async function checkQuery(database, collection, wanted, about) {
  const expected = await unsharded(collection, wanted);
  const query = sharded(database, collection, wanted);
  const docs = await allPages(query, wanted, expected.length);
  assert.deepEqual(docs.map(({ name }) => name), expected.map(({ name }) => name), about);
  docs.forEach(({ data, createTime, updateTime }, at) => {
    assert.deepStrictEqual(data(), plainFields(expected[at].fields), `${about} ${expected[at].name}`);
    assert.equal(createTime.toMillis(), Date.parse(expected[at].createTime) + microsOf(expected[at].createTime) / 1000, about);
    assert.ok(updateTime.toMillis() >= createTime.toMillis());
  });
  const limited = wanted.limit ? query.limit(wanted.limit) : query;
  try {
    assert.equal(await limited.count(), expected.length, about);
  } catch (error) {
    // If a document could be counted several times.
    if (/** @type {any} */ (error).reason !== 'query-aggregation-not-allowed' || query.plan().requests === 1) throw error;
    return;
  }
  await checkSums(query, collection, wanted, about);
}

for (let run = 0; run < (process.env.SEED ? 1 : RUNS); run += 1) {
  const seed = FIRST_SEED + run;
  test(`pages equal the unsharded query (SEED=${seed})`, () => checkCollection(db, seed, (error) => { throw error; }));
}

/**
 * Faults on purpose, each made by changing what the library asks: the comparison above must find it, or the library itself by an answer that
 * is not in order, in one of a few collections, from a seed on whose queries show it.
 * @type {[what: string, seed: number, change: (query: any) => void][]}
 */
const PLANTED = [
  ['or() is and()', 8, (query) => eachFilter(query.where, (filter) => { if (filter.op === 'OR') filter.op = 'AND'; })],
  ['the last alternative of or() is lost', 8, (query) => eachFilter(query.where, ({ op, filters }) => { if (op === 'OR' && filters.length > 1) filters.pop(); })],
  ['the second order is ignored', 1, ({ orderBy }) => { if (orderBy?.[1] && orderBy[1].field.fieldPath !== '__name__') orderBy.splice(1, 1); }],
  ['the second order goes the other way', 1, ({ orderBy: [, second] = [] }) => {
    if (second && second.field.fieldPath !== '__name__') second.direction = second.direction === 'DESCENDING' ? 'ASCENDING' : 'DESCENDING';
  }],
  ['a long list loses a value in each piece', 3, (query) => eachValue(query.where, (values) => { if (values.length > 8) values.splice(3, 1); })],
  ['a piece of a long list is left out', 3, (query) => eachValue(query.where, (values) => { if (values.length > 4 && values.some(isTwo)) values.splice(0, values.length, { stringValue: 'none' }); })],
  ['two pieces of a long list find the same documents', 3, (query) => eachValue(query.where, (values) => { if (values.length > 4 && !values.some(isTwo)) values.splice(-1, 1, TWO); })],
  ['a cursor takes in what it leaves out', 1, ({ startAt }) => { if (startAt) startAt.before = true; }],
];
const COLLECTIONS_PER_FAULT = 8;

/** One of the wide list, which many documents have. */
const TWO = { integerValue: '2' };
/** @param {any} value */
const isTwo = (value) => value.integerValue === TWO.integerValue;

/** @param {any} where @param {(composite: any) => void} change */
function eachFilter(where, change) {
  const composite = where?.compositeFilter;
  if (!composite) return;
  for (const filter of composite.filters) eachFilter(filter, change);
  change(composite);
}

/** Those of lists that are compared with a field of the documents' own, and not with the shard. @param {any} where @param {(values: any[]) => void} change */
function eachValue(where, change) {
  for (const filter of where?.compositeFilter?.filters ?? []) eachValue(filter, change);
  const { field, value } = where?.fieldFilter ?? {};
  if (value?.arrayValue && field.fieldPath !== 'shard') change(value.arrayValue.values);
}

for (const [what, first, change] of inRun(PLANTED.slice(0, 1), PLANTED)) {
  test(`a fault that is planted is found: ${what}`, async () => {
    /** @type {typeof fetch} */
    const spoilt = (input, init) => {
      const body = /:run(?:Aggregation)?Query/.test(String(input)) ? JSON.parse(String(new TextDecoder().decode(/** @type {any} */ (init?.body)))) : null;
      if (!body) return fetch(input, init);
      change(body.structuredQuery ?? body.structuredAggregationQuery.structuredQuery);
      return fetch(input, { ...init, body: JSON.stringify(body) });
    };
    const faulty = await connect({ projectId: emulator.projectId, host: emulator.url, fetch: spoilt, retry: { maxAttempts: 1 } });
    let found = false;
    for (let seed = first; seed < first + COLLECTIONS_PER_FAULT && !found; seed += 1) {
      // A query that the server refuses proves nothing about the comparison.
      await checkCollection(faulty, seed, (error) => { found ||= error instanceof assert.AssertionError || /** @type {any} */ (error).code === 'internal'; });
    }
    await faulty.close();
    assert.ok(found, `${what}: ${COLLECTIONS_PER_FAULT} collections from ${first} on do not show it`);
  });
}

/**
 * The microseconds that Date cannot hold.
 * @param {string} time
 */
function microsOf(time) {
  return Number((/\.(\d+)Z$/.exec(time)?.[1] ?? '').padEnd(6, '0').slice(3));
}
