/** What cost() says beforehand is what the embedded Firestore's meter shows afterwards. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, ShardlineError, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

const { cost, createSimulator, shardsFor } = await openWorkbench();

/** @type {import('shardline/workbench').Simulator} */
let simulator;
/** @type {import('shardline').Database} */
let db;
before(async () => {
  simulator = await createSimulator();
  db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
});
after(async () => {
  await db.close();
  await simulator.close();
});

/**
 * @param {() => Promise<unknown>} work
 * @returns {Promise<{reads: number, writes: number}>} What the meter shows for it.
 */
async function metered(work) {
  const { billed: earlier } = await simulator.snapshot();
  await work();
  const { billed } = await simulator.snapshot();
  return { reads: billed.reads - earlier.reads, writes: billed.writes - earlier.writes };
}

/** @param {import('shardline/workbench').CostOptions} load */
const expected = (load) => {
  const { perMonth: { reads, writes } } = cost(load);
  return { reads, writes };
};

for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once', 'transaction'])) {
  test(`increments, ${delivery}`, async () => {
    const likes = db.counter(`posts/${delivery}`, { shards: 10, delivery, flushMs: 0 });
    await likes.create();
    const seen = await metered(async () => {
      for (let i = 0; i < 5; ++i) await likes.increment();
    });
    assert.deepEqual(seen, expected({ increments: { perMonth: 5, delivery } }));
  });
}

test('totals, from the sum and from the shards', async () => {
  const likes = db.counter('posts/totals', { shards: 10 });
  await likes.create();
  assert.deepEqual(await metered(() => likes.get()), expected({ totals: { perMonth: 1, shards: 10 } }));
  assert.deepEqual(await metered(() => likes.get({ source: 'shards' })), expected({ totals: { perMonth: 1, shards: 10, source: 'shards' } }));
});

test('inserts, and queries over them', async () => {
  const instruments = db.shardedCollection('instruments', { shards: 60 });
  const documents = Array.from({ length: 300 }, (_, i) => ({ i, timestamp: new Timestamp(i, 0) }));
  assert.deepEqual(await metered(() => instruments.addAll(documents)), expected({ inserts: { perMonth: 300 } }));
  const query = instruments.orderBy('desc').limit(20);
  const chunks = query.plan().requests;
  const eager = { perMonth: 1, limit: 20, chunks, fetch: /** @type {const} */ ('eager') };
  assert.deepEqual(await metered(() => query.get({ fetch: 'eager' })), expected({ queries: eager }));
  const seen = await metered(() => query.get());
  const { reads, readsAtWorst = 0 } = cost({ queries: { ...eager, fetch: 'adaptive' } }).items.queries ?? assert.fail();
  assert.ok(seen.reads >= reads && seen.reads <= readsAtWorst, `${reads} <= ${seen.reads} <= ${readsAtWorst}`);
});

test('a backfill, and the dry run before it', async () => {
  await db.collection('trades').addAll(Array.from({ length: 700 }, (_, i) => ({ i, timestamp: new Timestamp(i, 0) })));
  const trades = db.shardedCollection('trades', { shards: 3 });
  const { read, written } = await trades.backfill({ dryRun: true });
  const { reads, writes } = cost({ backfill: { documents: read, written } }).perMonth;
  assert.deepEqual([reads, writes], [700, 700]);
  const seen = await metered(() => trades.backfill());
  assert.equal(seen.writes, writes);
  assert.ok(seen.reads >= reads && seen.reads <= reads + 2, `${seen.reads}: each document, and how many there are`);
});

test('what is wrong with a load is told by a typed error', () => {
  const refuses = (/** @type {() => unknown} */ call, /** @type {RegExp} */ message) =>
    assert.throws(call, (error) => error instanceof ShardlineError && error.code === 'invalid-argument' && message.test(error.message));
  refuses(() => shardsFor(/** @type {any} */ ({})), /writesPerSecond/);
  refuses(() => shardsFor(/** @type {any} */ (undefined)), /object/);
  refuses(() => cost(/** @type {any} */ ({ updates: {} })), /updates/);
  refuses(() => cost({ location: 'nowhere' }), /prices/);
  refuses(() => cost({ inserts: { perMonth: Infinity } }), /perMonth/);
});
