/** db.collection(): an ordinary collection, its documents and queries, compared with Google's own SDK. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Firestore } from '@google-cloud/firestore';
import { and, connect, deleteField, or, where } from 'shardline';
import * as collectionsOnly from 'shardline/collections';
import { longTest } from '../support/long_test.js';
import { faults } from './support/fault_proxy.js';
import { startStage } from './support/stage.js';

const stage = await startStage();
const { emulator, projectId, proxy, rest } = stage;
/** @type {import('shardline').Database} */
let db;
/** @type {Firestore} */
let google;

before(async () => {
  db = await connect({ projectId, host: proxy.url, retry: { maxAttempts: 4, initialDelayMs: 1, maxDelayMs: 2 } });
  process.env.FIRESTORE_EMULATOR_HOST = emulator.host;
  google = new Firestore({ projectId });
});
after(async () => {
  await google.terminate();
  await db.close();
  await stage.stop();
});
beforeEach(() => stage.reset());

const read = async (/** @type {string} */ path) => (await google.doc(path).get()).data();

test('documents are written as they are given, without a shard', async () => {
  const users = db.collection('teams/t/users');
  assert.equal(users.path, 'teams/t/users');
  const added = await users.add({ name: 'Ada', shard: 'mine' });
  assert.deepEqual(Object.keys(added), ['id']);
  assert.deepEqual(await read(`teams/t/users/${added.id}`), { name: 'Ada', shard: 'mine' });
  assert.deepEqual(await users.set('u1', {}), { id: 'u1' });
  assert.deepEqual(await users.get('u1').then((found) => found?.data()), {});
  await users.set('u1', { name: 'Bob', tags: { a: 1, b: 2 } });
  assert.deepEqual(await users.set('u1', { tags: { b: deleteField(), c: 3 }, shard: 7 }, { merge: true }), { id: 'u1' });
  assert.deepEqual(await read('teams/t/users/u1'), { name: 'Bob', tags: { a: 1, c: 3 }, shard: 7 });
  await users.update('u1', { shard: deleteField(), 'tags.a': 5 });
  assert.deepEqual(await read('teams/t/users/u1'), { name: 'Bob', tags: { a: 5, c: 3 } });
  await assert.rejects(users.update('nobody', { name: 'x' }), { code: 'not-found' });
  assert.equal(await users.exists('u1'), true);
  await users.delete('u1');
  assert.equal(await users.exists('u1'), false);
  assert.equal((await users.addAll(Array.from({ length: 700 }, (_, i) => ({ i })))).length, 700);
  assert.equal(await users.count(), 701);
});

test('a merge whose answer is lost makes a document that is missing, once', async () => {
  const users = db.collection('users');
  for (const fault of [faults.dropRequest(), faults.dropResponse()]) {
    proxy.reset();
    proxy.script(fault);
    await users.set('new', { name: 'Ada' }, { merge: true });
    assert.deepEqual(await read('users/new'), { name: 'Ada' });
    await rest.deleteAll();
  }
});

test('what a query cannot ask is said before anything is sent', async () => {
  const users = db.collection('users');
  const wrong = /** @type {[string, () => unknown, RegExp][]} */ ([
    ['no order field', () => users.newestFirst().plan(), /no order field/],
    ['the same order twice', () => users.orderBy('a').orderBy('a', 'desc').plan(), /twice/],
    ['nothing to join', () => users.where(or()).plan(), /need a filter/],
    ['10,001 alternatives', () => users.where(or(...Array.from({ length: 10_001 }, (_, i) => where('a', '==', i)))).plan(), /10,000 combinations/],
    ['a filter of another library', () => users.where(/** @type {any} */ ({ type: 'or' })), /of this library/],
    ['no operator', () => users.where('a', /** @type {any} */ (undefined), 1).plan(), /op/],
    ['joined words', () => users.where('a', /** @type {any} */ ('or'), 1).plan(), /no operator like the string 'or'/],
    ['no collection', () => db.collection('users/u1'), /path/],
  ]);
  for (const [what, call, message] of wrong) {
    assert.throws(call, (error) => error instanceof Error && 'code' in error && error.code === 'invalid-argument' && message.test(error.message), what);
  }
  const backfill = /** @type {any} */ (users).backfill;
  assert.equal(backfill, undefined);
  assert.equal(proxy.requests.length, 0);
});

longTest('the friends of somebody, newest first, page by page', async () => {
  const users = db.collection('users');
  await users.addAll(Array.from({ length: 300 }, (_, i) => ({ name: `u${i}`, seen: (i * 7) % 100, isPublic: i % 3 === 0 })));
  const friends = Array.from({ length: 100 }, (_, i) => `u${i * 2}`);
  const query = users.where('name', 'in', friends).where(or(where('isPublic', '==', true), and(where('seen', '>', 10), where('seen', '<', 90))))
    .orderBy('seen', 'desc').orderBy('name');
  const expected = (await google.collection('users').orderBy('seen', 'desc').orderBy('name').get()).docs.map((doc) => doc.data())
    .filter(({ name, seen, isPublic }) => friends.includes(name) && (isPublic || (seen > 10 && seen < 90)));
  const found = [];
  for await (const { data } of query.stream({ pageSize: 9 })) found.push(data());
  assert.deepEqual(found, expected);
  assert.equal(await query.count(), expected.length);
  assert.equal(await query.sum('seen'), expected.reduce((sum, { seen }) => sum + seen, 0));
  const { chunks, requests } = query.plan();
  assert.deepEqual([chunks.flat(), requests], [[], 7], '15 names at a time, two alternatives each');
  const { nextToken } = await query.limit(5).get();
  assert.ok(nextToken);
  await assert.rejects(users.where('name', 'in', friends).orderBy('seen', 'desc').orderBy('name').continueFrom(nextToken).get(), { code: 'invalid-argument' });
  await assert.rejects(query.orderBy('isPublic').continueFrom(nextToken).get(), { code: 'invalid-argument' });
});

test('a != beside an or() that takes several requests', async () => {
  const users = db.collection('users');
  const names = Array.from({ length: 40 }, (_, i) => `f${i}`);
  await users.addAll(names.map((name, number) => ({ number, price: number % 3, [name]: 1 })));
  const numbersOf = async (/** @type {import('shardline').ShardedQuery} */ query) => (await query.get()).docs.map(({ data }) => data().number).sort((a, b) => a - b);
  const any = users.where(or(...names.map((name) => where(name, '==', 1))));
  const wanted = names.map((_, number) => number).filter((number) => number % 3 !== 2);
  assert.deepEqual(await numbersOf(any.where('price', '!=', 2)), wanted);
  const six = or(...names.slice(0, 6).map((name) => where(name, '==', 1)));
  const orElse = or(where('price', '!=', 2), ...names.slice(5, 10).map((name) => where(name, '==', 1)));
  assert.deepEqual(await numbersOf(users.where(and(six, orElse))), [0, 1, 3, 4, 5]);
});

test('every entry has what is needed', async () => {
  const other = await collectionsOnly.connect({ projectId, host: emulator.url });
  await other.collection('things').set('a', { n: 1 });
  const { docs } = await other.collection('things').where(collectionsOnly.or(collectionsOnly.where('n', '==', 1), collectionsOnly.where('n', '==', 2))).get();
  assert.deepEqual(docs.map(({ id }) => id), ['a']);
  await other.close();
});
