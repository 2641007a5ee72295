/** Writes to sharded collections: Google's own SDKs read the library's writes, and the library reads theirs. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { AggregateField, Firestore } from '@google-cloud/firestore';
import { initializeApp } from 'firebase/app';
import * as lite from 'firebase/firestore/lite';
import {
  and, arrayRemove, arrayUnion, Bytes, connect, deleteField, GeoPoint, increment, serverTimestamp, Timestamp, vector, or, where,
} from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { longTest } from '../support/long_test.js';
import { inRun } from '../support/run.js';
import { faults } from './support/fault_proxy.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';

const retry = { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 2 };
/** The documents of the page on sharded timestamps. */
const INSTRUMENTS = [
  ['AAA', 'USD', 34790000, 'EXCHG1', 'commonstock', '2019-01-01T13:45:23.010Z'],
  ['BBB', 'JPY', 64272000000, 'EXCHG2', 'commonstock', '2019-01-01T13:45:23.101Z'],
  ['Index1 ETF', 'USD', 473000000, 'EXCHG1', 'etf', '2019-01-01T13:45:23.001Z'],
].map(([symbol, currency, micros, exchange, instrumentType, at]) => ({
  symbol, price: { currency, micros }, exchange, instrumentType, timestamp: Timestamp.fromString(`${at}`),
}));

const stage = await startStage();
const { emulator, projectId, proxy, rest } = stage;
/** @type {import('shardline').Database} */
let db;

before(async () => {
  db = await connect({ projectId, host: proxy.url, retry });
  process.env.FIRESTORE_EMULATOR_HOST = emulator.host; // For Google's SDK.
});
after(async () => {
  await db.close();
  await stage.stop();
});
beforeEach(() => stage.reset());

const open = () => db.shardedCollection('instruments', { shards: ['x', 'y', 'z'] });

describe('the documented example', () => {
  test('its three queries give what it says, newest first', async () => {
    const instruments = open();
    await instruments.addAll(INSTRUMENTS);
    const symbols = async (/** @type {string} */ field, /** @type {string} */ value) =>
      (await instruments.where(field, '==', value).newestFirst().limit(5).get()).docs.map(({ data }) => data().symbol);
    assert.deepEqual(await symbols('instrumentType', 'commonstock'), ['BBB', 'AAA']);
    assert.deepEqual(await symbols('exchange', 'EXCHG1'), ['AAA', 'Index1 ETF']);
    assert.deepEqual(await symbols('price.currency', 'USD'), ['AAA', 'Index1 ETF']);
  });

  test('pages, streams and counts', async () => {
    const instruments = open();
    await instruments.addAll(INSTRUMENTS);
    const query = instruments.newestFirst();
    const first = await query.limit(2).get();
    assert.deepEqual(first.docs.map(({ data }) => data().symbol), ['BBB', 'AAA']);
    const second = await query.limit(2).continueFrom(first.nextToken).get();
    assert.deepEqual(second.docs.map(({ data }) => data().symbol), ['Index1 ETF']);
    assert.equal(second.nextToken, null);
    const streamed = [];
    for await (const { data } of query) streamed.push(data().symbol);
    assert.deepEqual(streamed, ['BBB', 'AAA', 'Index1 ETF']);
    assert.equal(await query.count(), 3);
  });
});

describe('writes', () => {
  test('add() draws an id and one of the shard values', async () => {
    const shards = new Set();
    for (let i = 0; i < 30; i += 1) {
      const { id, shard } = await open().add({ timestamp: new Date(i) });
      assert.match(id, /^[A-Za-z0-9]{20}$/);
      shards.add(shard);
    }
    assert.deepEqual([...shards].sort(), ['x', 'y', 'z']); // Missed by one in 10^5 runs at the most.
  });

  test('add() keeps a shard value that the document names, and refuses one that there is not', async () => {
    assert.equal((await open().add({ shard: 'y', timestamp: new Date(0) })).shard, 'y');
    await assert.rejects(open().add({ shard: 'q', timestamp: new Date(0) }), shardlineError('invalid-argument', /shard/));
  });

  test('add() adds once when the answer is lost', async () => {
    proxy.script(faults.dropResponse(), null);
    await open().add({ timestamp: new Date(0) });
    assert.equal((await rest.list('instruments')).length, 1);
    proxy.script(faults.duplicate());
    await open().add({ timestamp: new Date(1) });
    assert.equal((await rest.list('instruments')).length, 2);
  });

  test('addAll() writes batches, reports each, and checks everything first', async () => {
    const documents = Array.from({ length: 1200 }, (_, i) => ({ i, timestamp: new Date(i) }));
    /** @type {object[]} */
    const progress = [];
    const written = await open().addAll(documents, { onProgress: (step) => progress.push(step) });
    assert.equal(new Set(written.map(({ id }) => id)).size, 1200);
    assert.deepEqual(progress.at(-1), { written: 1200, total: 1200 });
    assert.ok(progress.length >= 3);
    assert.equal(await open().count(), 1200);

    proxy.reset();
    const bad = [...documents, { timestamp: new Date(0), nested: [[1]] }];
    await assert.rejects(open().addAll(bad), shardlineError('invalid-argument', /nested.*array/));
    assert.equal(proxy.requests.length, 0);
    // If a loop could not go through the value, the library would write no documents, without an error.
    for (const slip of /** @type {any[]} */ ([{ timestamp: new Date(0) }, Promise.resolve(documents), 5, null, undefined, (async function* () { yield documents[0]; })()])) {
      await assert.rejects(open().addAll(slip), shardlineError('invalid-argument', /documents must be .*iterable/));
    }
    assert.equal(proxy.requests.length, 0);
    assert.deepEqual(await open().addAll(new Set()), []);
  });

  test('addAll() says which document is refused, whatever it is refused for', async () => {
    const good = Array.from({ length: 733 }, (_, i) => ({ i, timestamp: new Date(i) }));
    /** @type {[any, string, object][]} */
    const cases = [
      [{ n: 1 }, 'document-lacks-order-field', { field: 'timestamp' }],
      [{ timestamp: 1, f() {} }, 'value-not-allowed', { field: 'f' }],
      [{ timestamp: 1, list: [[1]] }, 'value-not-allowed', { field: 'list' }],
      [{ timestamp: 1, shard: 'q' }, 'value-not-allowed', { field: 'shard' }],
      [5, 'argument-not-allowed', { argument: 'data', allowed: 'a plain object' }],
      [{ timestamp: 1, get a() { throw new RangeError('Of the app.'); } }, 'argument-unreadable', { argument: 'data' }],
    ];
    for (const [bad, reason, params] of cases) {
      await assert.rejects(open().addAll([...good, bad, ...good]), (/** @type {any} */ error) => {
        assert.match(error.message, /^Document 733: [^:]/);
        assert.match(error.stack, /Document 733: /, 'what Node prints says it, too');
        assert.deepEqual([error.code, error.reason, { ...error.params }, error.status], ['invalid-argument', reason, params, 0]);
        assert.equal(error.cause instanceof RangeError, reason === 'argument-unreadable');
        return true;
      });
      await assert.rejects(open().add(bad), (/** @type {any} */ error) => !/^Document \d/.test(error.message));
    }
    assert.equal(proxy.requests.length, 0);
  });

  test('set() replaces, update() changes, delete() removes', async () => {
    const instruments = open();
    await instruments.set('one', { a: 1, b: { c: 2, d: 3 }, timestamp: new Date(0) });
    await instruments.update('one', { 'b.c': 5, a: deleteField(), e: [1] });
    const { shard, ...fields } = (await rest.get('instruments/one')).fields;
    assert.ok(['x', 'y', 'z'].includes(shard.stringValue));
    assert.deepEqual(fields, {
      b: { mapValue: { fields: { c: { integerValue: '5' }, d: { integerValue: '3' } } } },
      e: { arrayValue: { values: [{ integerValue: '1' }] } },
      timestamp: { timestampValue: '1970-01-01T00:00:00Z' },
    });
    await instruments.set('one', { timestamp: new Date(1) });
    assert.deepEqual(Object.keys((await rest.get('instruments/one')).fields).sort(), ['shard', 'timestamp']);
    await instruments.delete('one');
    await instruments.delete('one');
    assert.equal(await rest.get('instruments/one'), null);
    await assert.rejects(instruments.update('one', { a: 1 }), shardlineError('not-found'));
  });

  test('transforms are done by the server', async () => {
    const instruments = open();
    await instruments.set('t', { timestamp: serverTimestamp(), n: 1, tags: ['a', 'b'] });
    await instruments.update('t', { n: increment(2), tags: arrayUnion('b', 'c') });
    await instruments.update('t', { tags: arrayRemove('a') });
    const { fields } = await rest.get('instruments/t');
    assert.equal(fields.n.integerValue, '3');
    assert.deepEqual(fields.tags.arrayValue.values.map((/** @type {any} */ value) => value.stringValue), ['b', 'c']);
    assert.ok(Math.abs(Date.parse(fields.timestamp.timestampValue) - Date.now()) < 60_000);
  });

  test('set(), update() and delete() whose answers are lost are looked up, and not sent again', async () => {
    const instruments = open();
    const verbs = () => proxy.requests.map(({ verb }) => verb).join(' ');
    const write = async (/** @type {() => Promise<unknown>} */ run) => {
      proxy.reset();
      proxy.script(faults.dropResponse());
      await run();
      assert.equal(verbs(), 'commit batchGet');
    };
    await write(() => instruments.set('one', { n: 1, at: new Date(5), timestamp: new Date(0) }));
    await write(() => instruments.update('one', { n: 2, at: deleteField(), 'a.b': [1.5, 'é', null] }));
    await write(() => instruments.delete('one'));
    assert.equal(await rest.get('instruments/one'), null);
  });

  test('what was not applied is repeated on the condition that nobody has written meanwhile', async () => {
    const instruments = open();
    const write = async (/** @type {() => Promise<unknown>} */ run, /** @type {string} */ condition) => {
      proxy.reset();
      proxy.script(faults.dropRequest());
      await run();
      assert.deepEqual(proxy.requests.map(({ verb }) => verb), ['commit', 'batchGet', 'commit']);
      const [sent] = JSON.parse(/** @type {any} */ (proxy.requests[2]).body).writes;
      assert.ok(condition in sent.currentDocument, JSON.stringify(sent.currentDocument));
    };
    await write(() => instruments.set('one', { n: 1, timestamp: new Date(0) }), 'exists');
    await write(() => instruments.set('one', { n: 2, timestamp: new Date(0) }), 'updateTime');
    await write(() => instruments.update('one', { n: 3 }), 'updateTime');
    assert.equal((await rest.get('instruments/one')).fields.n.integerValue, '3');
    await write(() => instruments.delete('one'), 'updateTime');
    assert.equal(await rest.get('instruments/one'), null);
  });

  test('an increment whose answer is lost is not sent again', async () => {
    const instruments = open();
    await instruments.set('t', { timestamp: new Date(0), n: 1 });
    proxy.script(faults.dropResponse());
    await assert.rejects(instruments.update('t', { n: increment(1) }), shardlineError('outcome-unknown'));
    assert.equal((await rest.get('instruments/t')).fields.n.integerValue, '2');
    proxy.script(faults.dropRequest());
    await assert.rejects(instruments.set('t', { timestamp: serverTimestamp() }), shardlineError('outcome-unknown'));
    assert.equal((await rest.get('instruments/t')).fields.n.integerValue, '2');
  });

  const bad = /** @type {[string, () => Promise<unknown>, RegExp][]} */ ([
    ['an empty id', () => open().set('', { timestamp: new Date(0) }), /empty/],
    ['an id with a slash', () => open().set('a/b', { timestamp: new Date(0) }), /slash/],
    ['the id ".."', () => open().set('..', { timestamp: new Date(0) }), /not allowed/],
    ['a reserved id', () => open().set('__x__', { timestamp: new Date(0) }), /reserved/],
    ['an id that is too long', () => open().set('é'.repeat(751), { timestamp: new Date(0) }), /1,500/],
    ['half a surrogate pair in an id', () => open().set('\ud800', { timestamp: new Date(0) }), /Unicode/],
    ['half a surrogate pair in a value', () => open().add({ name: 'a\udc00', timestamp: new Date(0) }), /name.*Unicode/],
    ['a reserved field name', () => open().add({ __x__: 1, timestamp: new Date(0) }), /__x__.*reserved/],
    ['an empty field name', () => open().add({ '': 1, timestamp: new Date(0) }), /empty/],
    ['undefined', () => open().add({ a: undefined, timestamp: new Date(0) }), /“a” is undefined/],
    ['an array in an array', () => open().add({ a: [[1]], timestamp: new Date(0) }), /array directly inside an array/],
    ['an integer outside of int64', () => open().add({ a: 2n ** 63n, timestamp: new Date(0) }), /integer of 64 bits/],
    ['a date outside of Firestore’s years', () => open().add({ timestamp: new Date(253402300800000) }), /timestamp.*9999/],
    ['a document over 1 MiB', () => open().add({ a: 'a'.repeat(1024 * 1024), timestamp: new Date(0) }), /MiB|bytes/],
    ['no document', () => open().add(/** @type {any} */ (null)), /plain object/],
  ]);
  for (const [what, write, message] of bad) {
    test(`refuse ${what}, and send nothing`, async () => {
      await assert.rejects(write(), shardlineError('invalid-argument', message));
      assert.equal(proxy.requests.length, 0);
    });
  }
});

describe('single documents', () => {
  test('get() reads what is there, and exists() asks whether it is', async () => {
    const instruments = open();
    const { id } = await instruments.add({ at: new GeoPoint(1, 2), big: 2n ** 60n, nested: { 'a.b': [new Date(5)] }, timestamp: new Date(0) });
    const document = await instruments.get(id);
    assert.ok(document);
    const [listed] = (await instruments.get()).docs;
    const { readTime, data, ...rest } = document;
    assert.deepEqual({ ...rest, data: data() }, { ...listed, data: listed?.data() });
    assert.ok(readTime.toMillis() >= rest.updateTime.toMillis());
    assert.equal(await instruments.get('none'), null);
    assert.equal(await instruments.exists(id), true);
    assert.equal(await instruments.exists('none'), false);
    // An id that is missing by mistake does not read the whole collection.
    for (const slip of [undefined, null, 5, '', 'a/b']) await assert.rejects(instruments.get(/** @type {any} */ (slip)), { code: 'invalid-argument' });
    await assert.rejects(instruments.get('a/b'), shardlineError('invalid-argument', /id/));
    await assert.rejects(instruments.get(/** @type {any} */ (7)), shardlineError('invalid-argument', /id/));
  });

  test('get() reads documents that no query finds: of another shard, or without fields', async () => {
    await rest.commit([{ update: { name: rest.name('instruments/a'), fields: {} } }]);
    assert.deepEqual((await open().get('a'))?.data(), {});
    assert.equal(await open().exists('a'), true);
  });

  test('set() with merge takes vectors for what they are, and many fields in no time', async () => {
    const instruments = open();
    await instruments.set('v', { timestamp: new Date(0), embedding: vector([1, 2]), inner: { embedding: vector([3]) } });
    await instruments.set('v', { embedding: vector([5, 6]), inner: { embedding: vector([7]), more: 1 } }, { merge: true });
    const data = /** @type {NonNullable<Awaited<ReturnType<typeof instruments.get>>>} */ (await instruments.get('v')).data();
    assert.deepEqual([data.embedding.toArray(), data.inner.embedding.toArray(), data.inner.more], [[5, 6], [7], 1]);
    const scores = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`s${(n * 7919) % 5000}`, n % 2 === 0]));
    await instruments.set('v', { scores }, { merge: true });
    assert.deepEqual((await instruments.get('v'))?.data().scores, scores);
  });

  test('shardBy may not choose a value that is only read', async () => {
    const moving = db.shardedCollection('instruments', { shards: ['n'], alsoRead: ['o'], shardBy: () => 'o' });
    await assert.rejects(moving.add({ timestamp: new Date(0) }), shardlineError('invalid-argument', /shard/));
    await assert.rejects(moving.set('x', { timestamp: new Date(0) }), shardlineError('invalid-argument', /shard/));
  });

  test('set() with merge keeps what it does not name, as Google’s SDK does', { timeout: 60_000 }, async () => {
    const sdk = new Firestore({ projectId });
    const before = { a: 1, map: { b: 2, 'c.d': { e: 3 } }, list: [1], timestamp: new Date(0), shard: 'y' };
    const changes = { map: { 'c.d': { f: 4 }, g: {} }, list: [2], n: 1 };
    await sdk.doc('instruments/theirs').set(before);
    await sdk.doc('instruments/theirs').set(changes, { merge: true });
    await open().set('ours', before);
    assert.deepEqual(await open().set('ours', { ...changes, a: 1 }, { merge: true }), { id: 'ours' });
    assert.deepEqual((await rest.get('instruments/ours')).fields, (await rest.get('instruments/theirs')).fields);
    await open().set('ours', { map: { b: deleteField() }, n: increment(5) }, { merge: true });
    const merged = (await open().get('ours'))?.data();
    assert.deepEqual([merged?.map, merged?.n, merged?.shard], [{ 'c.d': { e: 3, f: 4 }, g: {} }, 6, 'y']);
    await sdk.terminate();
  });

  test('set() with merge makes a document that is missing, with a shard, once', async () => {
    proxy.script(null, faults.dropResponse());
    await open().set('new', { a: 1, timestamp: new Date(0) }, { merge: true });
    assert.deepEqual((await open().get()).docs.map(({ id, data }) => [id, data().a]), [['new', 1]]);
    const { shard } = await open().set('newer', { timestamp: new Date(0) }, { merge: true });
    assert.ok(['x', 'y', 'z'].includes(String(shard)));
    await assert.rejects(open().set('new', { a: 1 }, /** @type {any} */ ({ merg: true })), shardlineError('invalid-argument', /merg/));
  });

  test('set() with merge moves a document only if it says so', async () => {
    const instruments = open();
    const shardOf = async (/** @type {string} */ id) => (await instruments.get(id))?.data().shard;
    await instruments.set('there', { shard: 'x', n: 1, timestamp: new Date(0) });
    await assert.rejects(instruments.set('there', { shard: 'y', n: 2 }, { merge: true }), shardlineError('invalid-argument', /move: true/));
    await assert.rejects(instruments.set('there', { shard: 'y', n: 2 }, { merge: true, move: false }), { reason: 'shard-field-changed' });
    assert.deepEqual((await instruments.get('there'))?.data().n, 1, 'nothing was written');
    assert.deepEqual(await instruments.set('there', { shard: 'x', n: increment(4) }, { merge: true }), { id: 'there', shard: 'x' });
    assert.deepEqual(await instruments.set('there', { shard: 'y', n: increment(1) }, { merge: true, move: true }), { id: 'there', shard: 'y' });
    assert.deepEqual(await instruments.get('there').then((found) => [found?.data().n, found?.data().shard]), [6, 'y']);
    // shardBy is about documents that are new.
    const byRule = db.shardedCollection('instruments', { shards: ['x', 'y', 'z'], shardBy: () => 'z' });
    assert.deepEqual(await byRule.set('there', { n: 7 }, { merge: true }), { id: 'there' });
    assert.equal(await shardOf('there'), 'y');
    assert.deepEqual(await byRule.set('new', { n: 7, timestamp: new Date(0) }, { merge: true }), { id: 'new', shard: 'z' });
    assert.deepEqual(await instruments.set('named', { shard: 'y', map: {}, timestamp: new Date(0) }, { merge: true }), { id: 'named', shard: 'y' });
    assert.deepEqual((await rest.get('instruments/named')).fields.map, { mapValue: {} });
    // One that has no shard yet.
    await rest.commit(['a', 'b'].map((id) => ({ update: { name: rest.name(`instruments/${id}`), fields: { n: { integerValue: '1' } } } })));
    assert.deepEqual(await byRule.set('a', { n: 2 }, { merge: true }), { id: 'a' });
    assert.equal(await shardOf('a'), undefined);
    assert.deepEqual(await instruments.set('b', { shard: 'x', n: increment(1) }, { merge: true }), { id: 'b', shard: 'x' });
    assert.deepEqual((await instruments.get('b'))?.data(), { n: 2, shard: 'x' });
    await assert.rejects(instruments.set('b', { n: 1, timestamp: new Date(0) }, { move: true }), shardlineError('invalid-argument', /merge: true/));
  });

  longTest('of many who merge into a document with a shard each, the first decides, and nothing is lost', { timeout: 60_000 }, async () => {
    const { createEmbeddedFirestore } = await openWorkbench();
    const simulator = await createEmbeddedFirestore({ seed: 5 });
    const patient = { ...retry, maxAttempts: 20 };
    const theirs = await Promise.all([
      connect({ projectId, host: proxy.url, retry: patient }),
      connect({ projectId: 'demo', fetch: simulator.fetch, retry: patient }),
    ]);
    for (const one of theirs) {
      const instruments = one.shardedCollection('instruments', { shards: ['x', 'y', 'z'] });
      for (let round = 0; round < 5; round += 1) {
        const results = await Promise.allSettled(Array.from({ length: 9 }, (_, i) => instruments.set(`d${round}`, {
          shard: /** @type {string} */ (['x', 'y', 'z'][i % 3]), n: increment(1), timestamp: new Date(0),
        }, { merge: true })));
        const data = (await instruments.get(`d${round}`))?.data();
        const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.shard] : []));
        assert.deepEqual([done, data?.n], [Array(3).fill(data?.shard), 3]);
        for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.reason, 'shard-field-changed');
      }
      await one.close();
    }
  });

  test('an update that may move a document says so', async () => {
    await open().set('a', { shard: 'x', timestamp: new Date(0) });
    await assert.rejects(open().update('a', { shard: 'y' }), shardlineError('invalid-argument', /move: true/));
    await open().update('a', { shard: 'y' }, { move: true });
    assert.equal((await open().get('a'))?.data().shard, 'y');
  });

  test('shardBy chooses the shard', async () => {
    const byName = db.shardedCollection('instruments', {
      shards: ['x', 'y', 'z'], shardBy: ({ symbol }) => (symbol === 'AAA' ? 'z' : undefined),
    });
    for (let i = 0; i < 5; i += 1) assert.equal((await byName.add({ symbol: 'AAA', timestamp: new Date(i) })).shard, 'z');
    assert.equal((await byName.add({ symbol: 'AAA', shard: 'x', timestamp: new Date(9) })).shard, 'x');
    await byName.add({ symbol: 'BBB', timestamp: new Date(9) });
    const wrong = db.shardedCollection('instruments', { shards: 3, shardBy: () => 'q' });
    await assert.rejects(wrong.add({ timestamp: new Date(0) }), shardlineError('invalid-argument', /shard/));
  });
});

describe('sum() and average()', () => {
  test('are those of Google’s SDK', { timeout: 60_000 }, async () => {
    const sdk = new Firestore({ projectId });
    const instruments = open();
    const compare = async (/** @type {string} */ what) => {
      const all = sdk.collection('instruments').orderBy('timestamp');
      const theirs = (await all.aggregate({ sum: AggregateField.sum('n.m'), average: AggregateField.average('n.m') }).get()).data();
      assert.deepEqual({ sum: Number(await instruments.sum('n.m')), average: await instruments.average('n.m') }, theirs, what);
    };
    await compare('nothing');
    await instruments.addAll([3, -3, 0].map((m, i) => ({ n: { m }, timestamp: new Date(i) })));
    await compare('numbers that add up to 0');
    await instruments.addAll([5, 'seven', null, 1].map((m, i) => ({ n: { m }, timestamp: new Date(i) })));
    await compare('what is no number does not take part');
    await instruments.add({ n: { m: 0.25 }, timestamp: new Date(5) });
    await compare('a fraction');
    await instruments.add({ n: { m: NaN }, timestamp: new Date(6) });
    await compare('NaN');
    await sdk.terminate();
  });

  test('integers are exact', async () => {
    const instruments = open();
    await instruments.addAll([2n ** 60n, 1, 2n ** 61n].map((n, i) => ({ n, timestamp: new Date(i) })));
    assert.equal(await instruments.sum('n'), 2n ** 60n + 2n ** 61n + 1n);
    await assert.rejects(db.shardedCollection('instruments', { shards: 40 }).limit(1).sum('n'), shardlineError('invalid-argument', /limit/));
  });
});

const THIRTY_ONE = Array.from({ length: 31 }, (_, i) => i);

describe('wide lists', () => {
  test('a hundred friends, page by page', async () => {
    const people = db.shardedCollection('people', { shards: 3 });
    const friends = Array.from({ length: 100 }, (_, i) => `friend ${i}`);
    await people.addAll([...friends, ...friends, 'a stranger'].map((author, i) => ({ author, timestamp: new Date(i % 70) })));
    const query = people.where('author', 'in', friends).newestFirst();
    assert.equal(query.plan().requests, 10); // 300 combinations, of which Firestore takes 30 at a time.
    assert.equal(await query.count(), 200);
    const docs = [];
    let page = await query.limit(30).get({ consistentRead: true });
    for (; page.nextToken !== null; page = await query.limit(30).continueFrom(page.nextToken).get()) docs.push(...page.docs);
    docs.push(...page.docs);
    assert.equal(new Set(docs.map(({ id }) => id)).size, 200);
    const times = docs.map(({ data }) => data().timestamp.toMillis());
    assert.deepEqual(times, times.toSorted((a, b) => b - a));
  });

  test('what has several of many tags is found once', async () => {
    const posts = db.shardedCollection('posts', { shards: 2 });
    const tags = Array.from({ length: 50 }, (_, i) => i);
    await posts.addAll(tags.map((tag) => ({ tags: [tag, (tag + 25) % 50, 99], timestamp: new Date(tag) })));
    const query = posts.where('tags', 'array-contains-any', tags);
    const { docs } = await query.get({ consistentRead: true });
    assert.deepEqual(docs.map(({ data }) => data().tags[0]), tags);
    const streamed = [];
    for await (const { data } of query.stream({ pageSize: 3 })) streamed.push(data().tags[0]);
    assert.deepEqual(streamed, tags);
  });
});

describe('what is too much for one query', () => {
  const documents = Array.from({ length: 80 }, (_, i) => ({ a: i % 40, b: i % 33, tags: [i % 40, (i + 7) % 40], timestamp: new Date(i % 9) }));
  const numbers = (/** @type {(document: typeof documents[number]) => boolean} */ meets) =>
    documents.map((document, n) => ({ ...document, n })).filter(meets).map(({ n }) => n).sort((a, b) => a - b);
  const LISTS = /** @type {[what: string, filter: import('shardline').QueryFilter, meets: (document: typeof documents[number]) => boolean, counts: boolean][]} */ ([
    ['two long lists', and(where('a', 'in', THIRTY_ONE), where('b', 'in', THIRTY_ONE)), ({ a, b }) => a < 31 && b < 31, true],
    ['forty alternatives of one field', or(...Array.from({ length: 40 }, (_, i) => where('a', '==', i / 2))), ({ a }) => a < 20, true],
    ['a long list in or()', or(where('a', 'in', THIRTY_ONE), where('b', '==', 32), where('b', '<', 5)), ({ a, b }) => a < 31 || b === 32 || b < 5, false],
    ['two long lists, one of an array', and(where('a', 'in', THIRTY_ONE), where('tags', 'array-contains-any', THIRTY_ONE)),
      ({ a, tags }) => a < 31 && tags.some((tag) => tag < 31), false],
  ]);
  // The emulator takes ten seconds of a core for the first one, and half a minute for the last.
  for (const [what, filter, meets, counts] of inRun(LISTS.slice(1, -1), LISTS)) {
    test(what, async () => {
      const items = db.shardedCollection('items', { shards: 3 });
      await items.addAll(documents.map((document, n) => ({ ...document, n })));
      const query = items.where(filter).newestFirst();
      const expected = numbers(meets);
      const found = [];
      let page = await query.limit(7).get();
      for (; page.nextToken !== null; page = await query.limit(7).continueFrom(page.nextToken).get()) found.push(...page.docs);
      found.push(...page.docs);
      assert.deepEqual(found.map(({ data }) => data().n).toSorted((a, b) => a - b), expected);
      const times = found.map(({ data }) => data().timestamp.toMillis());
      assert.deepEqual(times, times.toSorted((a, b) => b - a));
      if (counts) assert.equal(await query.count(), expected.length);
      else await assert.rejects(query.count(), shardlineError('invalid-argument', /several times/));
    });
  }
});

test('options are as they were given, whatever the app makes of its lists later', async () => {
  const shards = ['x', 'y'];
  const collection = db.shardedCollection('instruments', { shards });
  await collection.add({ timestamp: Timestamp.now(), shard: 'x' });
  shards.shift();
  const converter = { toFirestore: (/** @type {any} */ model) => model, fromFirestore: (/** @type {any} */ snapshot) => snapshot.data() };
  assert.equal((await collection.get()).docs.length, 1);
  assert.equal((await collection.withConverter(converter).get()).docs.length, 1);
});

describe('options and queries refuse', () => {
  const refused = /** @type {[string, () => unknown, RegExp][]} */ ([
    ['no options', () => db.shardedCollection('instruments', /** @type {any} */ (undefined)), /shards/],
    ['a document’s path', () => db.shardedCollection('a/b', { shards: 3 }), /document/],
    ['no shards', () => db.shardedCollection('a', { shards: [] }), /shards/],
    ['shard values that repeat', () => db.shardedCollection('a', { shards: ['x', 'x'] }), /shards/],
    ['a shard count that is none', () => db.shardedCollection('a', { shards: 1.5 }), /shards/],
    ['an unknown option', () => db.shardedCollection('a', /** @type {any} */ ({ shards: 3, orderfield: 'x' })), /orderfield/],
    ['a bad field path', () => db.shardedCollection('a', { shards: 3, orderField: 'a..b' }), /a\.\.b/],
    ['a field path that is too long to be shown', () => db.shardedCollection('a', { shards: 3, shardField: 'x'.repeat(2000) }), /shardField.*longer than 1,500 bytes/],
    ['an unknown operator', () => open().where('a', /** @type {any} */ ('=~'), 1).plan(), /=~|operator/],
    ['an unknown direction', () => open().orderBy('price', /** @type {any} */ ('up')).plan(), /asc|desc|direction/i],
    ['a direction that is a function', () => open().orderBy('price', /** @type {any} */ (() => 'asc')).plan(), /asc|desc|direction/i],
    ['limit 0', () => open().limit(0).plan(), /limit/],
    ['limits that JSON leaves out', () => open().limit(/** @type {any} */ (() => 5)).plan(), /limit/],
    ['limits that JSON makes nothing of', () => open().limit(/** @type {any} */ ({ toJSON() {} })).plan(), /limit/],
    ['options that JSON leaves out', () => db.shardedCollection('a', { shards: 3, alsoRead: /** @type {any} */ (() => 3) }), /alsoRead/],
    ['shards that JSON has no word for', () => db.shardedCollection('a', { shards: 3, shardBy: /** @type {any} */ (() => 1n) }).addAll(INSTRUMENTS), /shardBy/],
    ['lists that make too many combinations', () => {
      const many = Array.from({ length: 101 }, (_, i) => i);
      open().where('a', 'in', many).where('b', 'in', many).plan();
    }, /10,000 combinations/],
    ['counts that would count twice', () => open().where('a', 'array-contains-any', THIRTY_ONE).count(), /several times/],
    ['not-in beside in', () => open().where('a', 'not-in', [1]).where('b', 'in', [1]).plan(), /not-in/],
    ['a filter on the shard field', () => open().where('shard', '==', 'x').plan(), /shard/],
    ['a token of another query', async () => {
      await open().addAll(INSTRUMENTS);
      const { nextToken } = await open().limit(1).get();
      await open().where('a', '==', 1).limit(1).continueFrom(nextToken).get();
    }, /token|continueFrom/],
    ['a token that is none', () => open().continueFrom('nonsense').get(), /token|continueFrom/],
  ]);
  for (const [what, call, message] of refused) {
    test(what, async () => {
      await assert.rejects(async () => call(), shardlineError('invalid-argument', message));
    });
  }
});

describe('plan()', () => {
  test('asks as few chunks as Firestore’s limits allow', () => {
    const chunks = (/** @type {number} */ shards, /** @type {[string, any, any][]} */ ...filters) => {
      let query = db.shardedCollection('a', { shards }).limit(10);
      for (const filter of filters) query = query.where(...filter);
      return query.plan().chunks.map(({ length }) => length);
    };
    assert.deepEqual(chunks(3), [3]);
    assert.deepEqual(chunks(60), [30, 30]);
    assert.equal(chunks(61).length, 3);
    assert.ok(chunks(10, ['a', 'in', [1, 2, 3, 4, 5, 6, 7]]).every((size) => size * 7 <= 30));
    assert.deepEqual(chunks(3, ['a', 'not-in', [1]]), [1, 1, 1]);
  });

  test('names the index that is needed, and the reads at the worst', () => {
    const plan = db.shardedCollection('a', { shards: 60 }).where('exchange', '==', 'X').newestFirst().limit(5).plan();
    assert.equal(plan.requests, 2);
    assert.deepEqual(plan.index.map(({ field, order }) => [field, order]), [
      ['shard', 'ASCENDING'], ['exchange', 'ASCENDING'], ['timestamp', 'DESCENDING'],
    ]);
    assert.ok(plan.worstCaseReads !== null && plan.worstCaseReads >= 5);
  });
});

describe('a sharded query', () => {
  test('bills about what it returns', async () => {
    const wide = db.shardedCollection('wide', { shards: 90 });
    await wide.addAll(Array.from({ length: 900 }, (_, i) => ({ i, timestamp: new Date(i) })));
    const shares = await wide.newestFirst().limit(90).get();
    const wholePages = await wide.newestFirst().limit(90).get({ chunkReads: 'whole-page' });
    assert.deepEqual(shares.docs.map(({ data }) => data().i), Array.from({ length: 90 }, (_, i) => 899 - i));
    assert.deepEqual(shares.docs.map(({ id }) => id), wholePages.docs.map(({ id }) => id));
    assert.equal(wholePages.billed.reads, 270);
    assert.ok(shares.billed.reads < 180, `${shares.billed.reads} reads`);
    assert.equal(wholePages.requests, 3);
  });

  test('reads one moment when asked to', async () => {
    const wide = db.shardedCollection('wide', { shards: 90 });
    await wide.addAll(Array.from({ length: 100 }, (_, i) => ({ i, timestamp: new Date(i) })));
    const page = await wide.limit(50).get({ consistentRead: true });
    assert.equal(new Set(page.readTimes.map(String)).size, 1);
    await wide.add({ i: -1, timestamp: new Date(75.5) });
    const rest = await wide.limit(100).continueFrom(page.nextToken).get({ consistentRead: true });
    assert.deepEqual(rest.docs.map(({ data }) => data().i), Array.from({ length: 50 }, (_, i) => 50 + i));
  });
});

describe('with Google’s SDKs', () => {
  const everything = {
    text: 'ü😀"\\', whole: 7, large: 2n ** 60n + 1n, fraction: 0.5, nan: NaN, infinite: -Infinity, yes: true, nothing: null,
    at: new Timestamp(1546350323, 10001000), bytes: new Uint8Array([0, 255]), place: new GeoPoint(52.5, 0), list: [1, 'a', { b: [] }],
    map: { 'x.y': { z: 1 } }, embedding: vector([1, 0.5]), timestamp: new Date(0),
  };

  test('the server SDK reads what we wrote', async () => {
    const { id } = await open().add({ ...everything, friend: db.doc('a/b') });
    const google = new Firestore({ projectId, useBigInt: true });
    const data = (await google.doc(`instruments/${id}`).get()).data() ?? {};
    await google.terminate();
    assert.equal(data.text, everything.text);
    assert.equal(data.whole, 7n);
    assert.equal(data.large, everything.large);
    assert.equal(data.fraction, 0.5);
    assert.ok(Number.isNaN(data.nan));
    assert.equal(data.infinite, -Infinity);
    assert.equal(data.at.toMillis(), 1546350323010);
    assert.equal(data.at.nanoseconds, 10001000);
    assert.deepEqual([...data.bytes], [0, 255]);
    assert.equal(data.place.latitude, 52.5);
    assert.deepEqual(data.embedding.toArray(), [1, 0.5]);
    assert.deepEqual(data.list, [1n, 'a', { b: [] }]);
    assert.deepEqual(data.map, { 'x.y': { z: 1n } });
    assert.equal(data.friend.path, 'a/b');
  });

  test('we read what the lite SDK wrote, with its own sample', async () => {
    const app = initializeApp({ projectId });
    const store = lite.getFirestore(app);
    lite.connectFirestoreEmulator(store, '127.0.0.1', emulator.port);
    await lite.addDoc(lite.collection(store, 'instruments'), {
      ...everything, shard: 'y', large: 2 ** 40, at: new lite.Timestamp(1546350323, 10001000), bytes: lite.Bytes.fromUint8Array(everything.bytes),
      place: new lite.GeoPoint(52.5, 0), embedding: lite.vector([1, 0.5]), friend: lite.doc(store, 'a/b'),
    });
    await lite.terminate(store);
    const [document] = (await open().get()).docs;
    const { shard, friend, large, timestamp, bytes, ...data } = document?.data() ?? {};
    assert.equal(shard, 'y');
    assert.equal(friend.path, 'a/b');
    assert.equal(large, 2 ** 40);
    assert.equal(timestamp.toMillis(), 0);
    assert.deepEqual(bytes, Bytes.from(everything.bytes));
    const { large: _, timestamp: __, bytes: ___, ...expected } = everything;
    assert.deepEqual(data, expected);
  });
});
