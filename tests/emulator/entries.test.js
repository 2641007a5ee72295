/** The entries for pages that need only half of the library: each does its half as the whole does, with a smaller module. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as whole from 'shardline';
import * as collectionsOnly from 'shardline/collections';
import * as countersOnly from 'shardline/counters';
import * as element from 'shardline/element';
import * as elements from 'shardline/elements';
import { openWorkbench } from 'shardline/workbench';
import { runDialect } from './support/dialect_front.js';

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
before(async () => {
  const { createEmbeddedFirestore } = await openWorkbench();
  simulator = await createEmbeddedFirestore({ ...runDialect(), limits: 'none' });
});
after(() => simulator.close());

/** @returns {import('shardline').ConnectOptions} */
const options = () => ({ projectId: 'demo', fetch: simulator.fetch });

test('shardline/counters counts, gives ids, and has no collections', async () => {
  const db = await countersOnly.connect(options());
  const likes = db.counter('posts/halves', { shards: 3, flushMs: 0 });
  await likes.create();
  await Promise.all([likes.increment(), likes.increment(41)]);
  assert.equal((await likes.get()).value, 42);
  assert.equal((await likes.get({ maxAgeMs: 1000 })).value, 42);
  await likes.resize(5);
  assert.equal((await likes.get({ source: 'shards' })).shards, 5);
  assert.equal((await db.counters(['posts/halves']).getAll()).get('posts/halves')?.value, 42);
  const moved = await likes.migrate({ to: { path: 'posts/moved' } }).catch((error) => error.code);
  assert.equal(moved, 'invalid-argument', 'migrate() is there, and for the layout `extension`');
  await likes.delete();

  const orders = db.ids('sequences/halves', { shards: 2, block: 5 });
  await orders.create();
  const ids = await orders.take(20);
  assert.equal(new Set(ids).size, 20);
  await orders.resize(3);
  assert.throws(() => /** @type {any} */ (db).shardedCollection('rows'), { reason: 'method-missing' });
  await db.close();
});

test('shardline/collections writes and asks, and has no counters', async () => {
  const db = await collectionsOnly.connect(options());
  const trades = db.shardedCollection('trades', { shards: 40 });
  const at = (/** @type {number} */ seconds) => new collectionsOnly.Timestamp(seconds, 0);
  await trades.addAll(Array.from({ length: 30 }, (_, n) => ({ n, timestamp: at(n % 7), self: db.doc('trades/one') })));
  await trades.set('one', { n: 30, timestamp: at(100) });
  await trades.update('one', { n: 31 });
  const query = trades.where('n', '>', 3).newestFirst().limit(10);
  const page = await query.get();
  assert.deepEqual(page.docs[0]?.data(), { n: 31, timestamp: at(100), shard: page.docs[0]?.data().shard });
  assert.equal((await query.continueFrom(page.nextToken ?? '').get()).docs.length, 10);
  assert.equal(await trades.where('n', '>', 3).count(), 27);
  assert.equal(query.plan().requests, 2);
  await trades.delete('one');
  assert.ok(!('counter' in db) && !('ids' in db));
  await db.close();
});

test('they share their errors and values, and refuse what they have no use for', async () => {
  assert.equal(countersOnly.ShardlineError, whole.ShardlineError);
  assert.equal(collectionsOnly.ShardlineError, whole.ShardlineError);
  assert.equal(collectionsOnly.Timestamp, whole.Timestamp);
  const useless = /** @type {any} */ ({ ...options(), storage: 'memory' });
  await assert.rejects(collectionsOnly.connect(useless), (/** @type {any} */ error) =>
    error instanceof whole.ShardlineError && error.code === 'invalid-argument' && /storage/.test(error.message));
  await assert.rejects(countersOnly.connect(/** @type {any} */ ({})), /projectId/);
});

test('shardline/element and shardline/elements can be imported on a server, where they define nothing', () => {
  assert.deepEqual(Object.keys(element), ['ShardCounter', 'ShardlineError', 'useDatabase', 'useTexts']);
  assert.deepEqual(Object.keys(elements), ['ShardCounter', 'ShardRating', 'ShardStock', 'ShardlineError', 'useDatabase', 'useTexts']);
  assert.equal(elements.ShardCounter, element.ShardCounter);
  assert.equal('customElements' in globalThis, false);
  element.useDatabase(() => assert.fail('nobody needs it'));
});
