// The operations of sharded collections.

import assert from 'node:assert/strict';
import { Bytes, GeoPoint, Timestamp, vector, VectorValue } from 'shardline';

/**
 * @typedef {import('./operations.js').Operation} Operation
 * @typedef {import('shardline').ShardedCollection} ShardedCollection
 * @typedef {import('shardline').ShardedQuery} ShardedQuery
 */

const SHARDS = Array.from({ length: 40 }, (_, i) => `s${i}`);
const OPTIONS = { shards: SHARDS.slice(0, 4), orderField: 'at' };

/** @param {import('../emulator/support/random.js').Random} random @param {any} db @param {number} index */
function someDocument(random, db, index) {
  const any = random.pick([null, true, 1, -5.5, NaN, Infinity, -0, 9007199254740993n, -(2n ** 63n), 'text', 'é🂡', '__proto__',
    Bytes.from([1, 2, 254]), new GeoPoint(48.1, 11.5), db.doc('posts/p1'), vector([1, 0.5, -Infinity]), [1, [2].length, { deep: 2n ** 62n }],
    new Timestamp(1546300800, 123456000), { map: { time: new Timestamp(0, 0), bytes: Bytes.from([7]) } }, {}]);
  return {
    shard: SHARDS[index % 4],
    at: new Timestamp(1600000000 + Math.floor(index / 2), 0),
    kind: random.pick(['a', 'b', 'c']),
    price: { currency: random.pick(['USD', 'EUR']), micros: random.between(0, 99) },
    any,
    more: Array.isArray(any) || any instanceof VectorValue ? { any } : [any],
  };
}

/** @type {{[name: string]: (all: ShardedCollection) => ShardedQuery}} */
const QUERIES = {
  'the newest': (all) => all.newestFirst().limit(5),
  'the oldest': (all) => all.limit(3),
  'all of it': (all) => all,
  'an equality': (all) => all.where('price.currency', '==', 'USD').newestFirst().limit(4),
  'an inequality': (all) => all.where('price.micros', '>', 20).limit(6),
  'two kinds': (all) => all.where('kind', 'in', ['a', 'b']).limit(6),
  'not these': (all) => all.where('kind', 'not-in', ['c']).limit(6),
  'selected fields': (all) => all.select('any', 'price.micros').limit(6),
  'no field': (all) => all.select().limit(6),
  'from a moment on': (all) => all.startAt(new Timestamp(1600000003, 0)).limit(6),
  'with an array': (all) => all.where('more', 'array-contains', 'text').limit(6),
};

/** @param {any[]} docs What of them does not change. */
const facts = (docs) => docs.map(({ id, name, data, createTime, updateTime }) => ({ id, name, data: data(), createTime, updateTime }));

/**
 * Nobody has documents made up, twice or out of order, though some may be missing: those that stand in an answer where no reader
 * comes by.
 * @param {any[]} docs @param {any[]} all In their order. @param {number} most
 */
function assertOfThese(docs, all, most) {
  let next = 0;
  for (const doc of docs) {
    const at = all.findIndex(({ id }, index) => index >= next && id === doc.id);
    assert.ok(at >= 0, `${doc.id} is out of order, or there twice`);
    assert.deepEqual(doc, all[at]);
    next = at + 1;
  }
  assert.ok(docs.length <= most, `${docs.length} documents instead of ${most}`);
}

/** @param {object} surroundings */
async function filled({ db, random }) {
  const all = db.shardedCollection('instruments', OPTIONS);
  await all.addAll(Array.from({ length: 20 }, (_, index) => someDocument(random, db, index)));
  return all;
}

/** @param {string} name @param {(query: ShardedQuery) => Promise<any>} read @param {(result: any) => any} normal @param {(query: ShardedQuery) => ShardedQuery} [more] @returns {Operation[]} */
const reading = (name, read, normal, more = (query) => query) => Object.entries(QUERIES).map(([what, build]) => ({
  name: `collection: ${name} of ${what}`,
  async prepare(surroundings) {
    const query = more(build(await filled(surroundings)));
    return { query, expected: normal(await read(query)), all: facts((await query.limit(1000).get()).docs) };
  },
  run: (_, { query }) => read(query),
  check(result, { expected, all }, disorderly) {
    if (disorderly) assertOfThese(normal(result), all, expected.length);
    else assert.deepEqual(normal(result), expected);
  },
  async after(_, { query, expected }) {
    assert.deepEqual(normal(await read(query)), expected);
  },
}));

/** @param {ShardedQuery} query */
async function readAll(query) {
  const docs = [];
  for await (const doc of query.stream({ pageSize: 3 })) docs.push(doc);
  return docs;
}

/** @param {ShardedQuery} query */
async function readTwoPages(query) {
  const first = await query.limit(4).get();
  return [...first.docs, ...(first.nextToken === null ? [] : (await query.limit(4).continueFrom(first.nextToken).get()).docs)];
}

/** @param {string} name @param {(all: ShardedCollection) => Promise<any>} write @returns {Operation} */
const writing = (name, write, expect) => ({
  name: `collection: ${name}`,
  writes: true,
  async prepare(surroundings) {
    const all = surroundings.db.shardedCollection('notes', OPTIONS);
    await all.set('old', { shard: 's0', at: 1, text: 'old' });
    return { all, before: (await all.get()).docs };
  },
  run: (_, { all }) => write(all),
  check() {},
  async after(_, { all, before }, { truthful, error }) {
    const now = (await all.get()).docs.filter(({ id }) => id !== 'later').map(({ data }) => data().text).sort();
    const then = before.map(({ data }) => data().text).sort();
    if (truthful && !error) assert.deepEqual(now, expect);
    else if (truthful) assert.ok([`${expect}`, `${then}`].includes(`${now}`), `${now}`);
    await all.set('later', { shard: 's1', at: 2, text: 'later' });
    assert.equal((await all.where('text', '==', 'later').get()).docs.length, 1);
    assert.equal(await all.count(), now.length + 1);
  },
});

/** @type {Operation[]} */
export const COLLECTION_OPERATIONS = [
  ...reading('get()', (query) => query.get(), ({ docs }) => facts(docs)),
  ...reading('get({ chunkReads: whole-page })', (query) => query.get({ chunkReads: 'whole-page' }), ({ docs }) => facts(docs)),
  ...reading('get({ consistentRead })', (query) => query.get({ consistentRead: true }), ({ docs }) => facts(docs)),
  ...reading('count()', (query) => query.count(), (count) => count),
  ...reading('stream()', readAll, facts),
  ...reading('two pages', readTwoPages, facts),
  {
    name: 'collection: get() of several chunks',
    async prepare({ db, random }) {
      const all = db.shardedCollection('instruments', { shards: SHARDS, orderField: 'at' });
      await all.addAll(Array.from({ length: 30 }, (_, index) => ({ ...someDocument(random, db, index), shard: SHARDS[(index * 7) % 40] })));
      const query = all.newestFirst().limit(9);
      return { query, expected: facts((await query.get()).docs), all: facts((await query.limit(30).get()).docs) };
    },
    run: (_, { query }) => query.get(),
    check(result, { expected, all }, disorderly) {
      if (disorderly) assertOfThese(facts(result.docs), all, expected.length);
      else assert.deepEqual(facts(result.docs), expected);
    },
    async after(_, { query, expected }) {
      assert.deepEqual(facts((await query.get()).docs), expected);
    },
  },
  writing('add()', (all) => all.add({ at: 5, text: 'new' }), ['new', 'old']),
  writing('addAll()', (all) => all.addAll([{ at: 5, text: 'm' }, { at: 5, text: 'n' }]), ['m', 'n', 'old']),
  writing('set()', (all) => all.set('old', { shard: 's0', at: 5, text: 'set' }), ['set']),
  writing('update()', (all) => all.update('old', { text: 'changed' }), ['changed']),
  writing('delete()', (all) => all.delete('old'), []),
];
