/**
 * The promise of sharded queries: the pages of one, put together, are what a single unsharded query over the same documents
 * returns, document by document and field by field. Collections, filters, cursors and pages are random.
 *
 *   SEED=123 node --test tests/emulator/property.test.js     one collection again
 *   FROM=5000 RUNS=1000 …                                     others, and more of them
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from 'shardline';
import { encodeValue } from '../../web/library/values.js';
import { startEmulator } from './support/emulator.js';
import { plainFields } from './support/plain.js';
import { Random, ValueGenerator } from './support/random.js';
import { RestClient } from './support/rest.js';

const RUNS = Number(process.env.RUNS ?? 20);
const FIRST_SEED = Number(process.env.SEED ?? process.env.FROM ?? 1);
const QUERIES_PER_COLLECTION = 5;
/** Few, so that many documents meet in one place of the order. */
const MOMENTS = ['2024-06-01T10:20:30Z', '2024-06-01T10:20:30.001Z', '2024-06-01T10:20:30.000001Z', '1969-12-31T23:59:59.999999Z'];
const OPERATORS = /** @type {Record<string, string>} */ ({
  '==': 'EQUAL', '!=': 'NOT_EQUAL', '<': 'LESS_THAN', '<=': 'LESS_THAN_OR_EQUAL', '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL', in: 'IN', 'not-in': 'NOT_IN', 'array-contains': 'ARRAY_CONTAINS',
  'array-contains-any': 'ARRAY_CONTAINS_ANY',
});

/** More than Firestore takes in one list, some twice. What the collections hold of it: 0 to 4, in halves. */
const WIDE = Array.from({ length: 70 }, (_, i) => (i % 60) / 2 - 0.5);

/** @type {import('./support/emulator.js').Emulator} */
let emulator;
/** @type {RestClient} */
let rest;
/** @type {import('shardline').Database} */
let db;

before(async () => {
  emulator = await startEmulator();
  rest = new RestClient({ url: emulator.url });
  db = await connect({ projectId: 'demo', host: emulator.url });
});
after(async () => {
  await db.close();
  await emulator.stop();
});

/** @typedef {[field: string, op: any, value: any]} Filter */

/**
 * A random collection of documents that all carry a shard value.
 * @param {Random} random
 * @param {number} seed
 */
async function makeCollection(random, seed) {
  const values = new ValueGenerator(random);
  const count = random.pick([1, 2, 3, 7, 30, 31, 60, 61, 120]);
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
      shard: encodeValue(random.pick(shardValues), 'shard'),
      kind: { stringValue: random.pick(['stock', 'etf']) },
      n: random.pick([{ integerValue: `${random.between(0, 4)}` }, { doubleValue: random.between(0, 8) / 2 }, { nullValue: null }]),
      price: { mapValue: { fields: { currency: { stringValue: random.pick(['USD', 'JPY']) }, m: values.value(2) } } },
      tags: { arrayValue: { values: [{ stringValue: random.pick(['a', 'b']) }, { integerValue: '1' }] } },
      ...orderFields(orderField, order),
    };
    return { update: { name: rest.name(`${path}/${id}`), fields } };
  });
  if (writes.length > 0) await rest.commit(writes);
  return { path, shards, orderField, pool };
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
  const filters = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => random.pick(one)());
  return allowed(filters) ? filters : filters.slice(0, 1);
}

/**
 * What Firestore itself refuses to combine, and two lists that are too long for it.
 * @param {Filter[]} filters
 */
function allowed(filters) {
  const ops = filters.map(([, op]) => op);
  const count = (/** @type {string[]} */ ...named) => ops.filter((op) => named.includes(op)).length;
  return count('array-contains', 'array-contains-any') <= 1 && count('!=', 'not-in') <= 1
    && !(count('not-in') && count('in', 'array-contains-any'))
    && filters.filter(([, , value]) => isWide(value)).length <= 1;
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

/** @param {Filter} filter */
function wireFilter([field, op, value]) {
  if (value === null) return { unaryFilter: { field: { fieldPath: field }, op: 'IS_NULL' } };
  return { fieldFilter: { field: { fieldPath: field }, op: OPERATORS[op], value: encodeValue(value, field) } };
}

/**
 * @param {Random} random
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 */
function makeQuery(random, { orderField, pool }) {
  // A cursor takes what a document may hold there, but for what only the wire can say.
  const values = pool.filter((value) => 'timestampValue' in value).map((value) => new Date(value.timestampValue));
  return {
    filters: makeFilters(random, orderField),
    direction: /** @type {'asc' | 'desc'} */ (random.pick(['asc', 'desc'])),
    select: random.chance(0.3) ? random.pick([['kind'], ['n', 'price.currency'], [orderField], ['price.none', 'kind']]) : undefined,
    start: values.length && random.chance(0.2) ? { value: random.pick(values), inclusive: random.chance(0.5) } : undefined,
    end: values.length && random.chance(0.2) ? { value: random.pick(values), inclusive: random.chance(0.5) } : undefined,
    limit: random.chance(0.3) ? random.between(1, 70) : undefined,
    pageSize: random.pick([1, 2, 3, 5, 10, 100]),
    fetch: /** @type {'adaptive' | 'eager'} */ (random.pick(['adaptive', 'eager'])),
    snapshot: random.chance(0.3),
  };
}

/**
 * One query without a word of shards.
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @param {ReturnType<typeof makeQuery>} query
 */
function unsharded({ path, orderField }, query) {
  const descending = query.direction === 'desc';
  const segments = path.split('/');
  // What lies between the ends of the wide list, the server is asked for by its ends.
  const filters = query.filters.map(([field, op, value]) => wireFilter([field, op, isWide(value) ? value.filter(isNeeded) : value]));
  return rest.runQuery({
    from: [{ collectionId: segments.pop() }],
    ...(filters.length ? { where: { compositeFilter: { op: 'AND', filters } } } : {}),
    orderBy: [{ field: { fieldPath: orderField }, direction: descending ? 'DESCENDING' : 'ASCENDING' }],
    ...(query.select ? { select: { fields: query.select.map((fieldPath) => ({ fieldPath })) } } : {}),
    ...(query.start ? { startAt: { values: [encodeValue(query.start.value, '')], before: query.start.inclusive } } : {}),
    ...(query.end ? { endAt: { values: [encodeValue(query.end.value, '')], before: !query.end.inclusive } } : {}),
    ...(query.limit ? { limit: query.limit } : {}),
  }, { parent: segments.join('/') });
}

/**
 * @param {Awaited<ReturnType<typeof makeCollection>>} collection
 * @param {ReturnType<typeof makeQuery>} wanted
 */
function sharded({ path, shards, orderField }, wanted) {
  let query = db.shardedCollection(path, { shards, orderField }).orderBy(wanted.direction);
  for (const [field, op, value] of wanted.filters) query = query.where(field, op, value);
  if (wanted.select) query = query.select(...wanted.select);
  if (wanted.start) query = wanted.start.inclusive ? query.startAt(wanted.start.value) : query.startAfter(wanted.start.value);
  if (wanted.end) query = wanted.end.inclusive ? query.endAt(wanted.end.value) : query.endBefore(wanted.end.value);
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
 */
async function allPages(query, { limit = Infinity, pageSize, fetch, snapshot }) {
  const docs = [];
  /** @type {string | null} */
  let next = null;
  do {
    const size = Math.min(pageSize, limit - docs.length);
    const page = await (next ? query.after(next) : query).limit(size).get({ fetch, snapshot });
    assert.ok(page.docs.length <= size);
    assert.ok(page.docs.length > 0 || page.next === null, 'an empty page is the last one');
    docs.push(...page.docs);
    next = page.next;
  } while (next !== null && docs.length < limit);
  return docs;
}

for (let run = 0; run < (process.env.SEED ? 1 : RUNS); run += 1) {
  const seed = FIRST_SEED + run;
  test(`pages equal the unsharded query (SEED=${seed})`, async () => {
    const random = new Random(seed);
    const collection = await makeCollection(random, seed);
    for (let i = 0; i < QUERIES_PER_COLLECTION; i += 1) {
      const wanted = makeQuery(random, collection);
      const about = JSON.stringify({ ...collection, pool: undefined, ...wanted });
      const expected = await unsharded(collection, wanted);
      const query = sharded(collection, wanted);
      const docs = await allPages(query, wanted);
      assert.deepEqual(docs.map(({ name }) => name), expected.map(({ name }) => name), about);
      docs.forEach(({ data, createTime, updateTime }, at) => {
        assert.deepStrictEqual(data, plainFields(expected[at].fields), `${about} ${expected[at].name}`);
        assert.equal(createTime.toMillis(), Date.parse(expected[at].createTime) + microsOf(expected[at].createTime) / 1000, about);
        assert.ok(updateTime.toMillis() >= createTime.toMillis());
      });
      const limited = wanted.limit ? query.limit(wanted.limit) : query;
      if (wanted.filters.some(([, op, value]) => op === 'array-contains-any' && isWide(value))) continue;
      assert.equal(await limited.count(), expected.length, about);
      await checkSums(query, collection, wanted, about);
    }
  });
}

/**
 * The microseconds that Date cannot hold.
 * @param {string} time
 */
function microsOf(time) {
  return Number((/\.(\d+)Z$/.exec(time)?.[1] ?? '').padEnd(6, '0').slice(3));
}
