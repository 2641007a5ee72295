/** The embedded Firestore's meter shows afterwards the numbers that cost() has said beforehand. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, ShardlineError, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
// Loaded beforehand: a module that is loaded in virtual time takes real time.
import '../../web/library/listen/live_count.js';
import '../../web/library/simulator/streams/streams.js';
import { Clock } from '../simulation/outbox/clock.js';
import { inRun } from '../support/run.js';

const { cost, createEmbeddedFirestore, shardsFor } = await openWorkbench();

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
/** @type {import('shardline').Database} */
let db;
before(async () => {
  simulator = await createEmbeddedFirestore();
  db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
});
after(async () => {
  await db.close();
  await simulator.close();
});

/**
 * @param {() => Promise<unknown>} work
 * @returns {Promise<{reads: number, writes: number}>} The meter's numbers for it.
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

test('ratings, their changes, and their summaries', async () => {
  const ratings = db.ratings('restaurants/r1', { from: 1, to: 5 });
  assert.deepEqual(await metered(async () => {
    for (const user of ['ann', 'ben', 'cid']) await ratings.set(user, 4);
    await ratings.set('ann', 1);
  }), expected({ choices: { perMonth: 4, changed: 0.25 } }));
  assert.deepEqual(await metered(() => ratings.summary()), expected({ summaries: { perMonth: 1 } }));
});

test('takes, refusals, confirmations, and units that are put back', async () => {
  const stock = db.stock('events/cost', { shards: 1 });
  await stock.create({ units: 6 });
  const seen = await metered(async () => {
    for (let i = 0; i < 3; ++i) await stock.take();
  });
  assert.deepEqual(seen, expected({ takes: { perMonth: 3 } }));
  const own = await metered(async () => {
    for (const key of ['a', 'b', 'c']) await stock.take(1, { key, holdFor: '1 h' });
    for (const key of ['a', 'b', 'c']) await stock.confirm({ key });
    for (const key of ['d', 'e']) await stock.take(1, { key });
    await stock.putBack(undefined, { key: 'a' });
  });
  assert.deepEqual(own, expected({ takes: { perMonth: 3, held: 3, refused: 2, putBack: 1, key: 'own' } }));
});

/**
 * Runs something in virtual time, on an embedded Firestore and in two pages of its own.
 * @param {(page: {clock: Clock, mine: import('shardline').Database, theirs: import('shardline').Database,
 *   seen: () => Promise<{reads: number, writes: number}>}) => Promise<void>} work `seen`: the meter's numbers since it began.
 * @param {{shards: number, latencyMs: number}} options
 */
async function inVirtualTime(work, { shards, latencyMs }) {
  const clock = new Clock();
  clock.install();
  try {
    const server = await createEmbeddedFirestore({ worker: false, latencyMs: [latencyMs, latencyMs] });
    const open = () => connect({ projectId: 'demo', fetch: server.fetch, storage: 'memory' });
    const [mine, theirs] = [await open(), await open()];
    const created = theirs.counter('posts/p', { shards }).create();
    await clock.pass(10_000);
    await created;
    const { billed: earlier } = await server.snapshot();
    await work({ clock, mine, theirs, seen: async () => {
      const { billed } = await server.snapshot();
      return { reads: billed.reads - earlier.reads, writes: billed.writes - earlier.writes };
    } });
    const closed = Promise.all([mine.close(), theirs.close()]);
    await clock.pass(60_000);
    await closed;
    await server.close();
  } finally {
    clock.uninstall();
  }
}

/** @type {{seconds: number, changing: number, shards?: number, intervalMs?: number}[]} */
const WATCHES = [
  { seconds: inRun(120, 600), changing: 1 },
  { seconds: 600, changing: 0.5, intervalMs: 5000 },
  { seconds: 3600, changing: 0 },
  { seconds: 60, changing: 0 },
  { seconds: 1200, changing: 0.5 },
  { seconds: 300, changing: 0.2, shards: 1_200 },
];
for (const { seconds, changing, shards = 10, intervalMs = 1000 } of WATCHES.slice(0, inRun(2, WATCHES.length))) {
  test(`a watch of ${seconds} s, of which the total changes for ${changing * 100} %, of ${shards} shards, every ${intervalMs} ms`, async () => {
    const watches = { perMonth: 1, hours: seconds / 3600, changing, shards, intervalMs };
    for (const latency of [0, 250]) {
      await inVirtualTime(async ({ clock, mine, theirs, seen }) => {
        const likes = theirs.counter('posts/p', { shards, delivery: 'at-least-once', flushMs: 0 });
        let shown = 0;
        let increments = 0;
        const stop = mine.counter('posts/p', { shards }).watch(({ value }) => { shown = Number(value ?? 0); }, { intervalMs, listen: false });
        for (let at = 0; at < seconds * 1000; at += intervalMs) {
          const step = Math.min(intervalMs, seconds * 1000 - 1 - at);
          // Between two readings.
          await clock.pass(Math.floor(step / 2));
          if (at < changing * seconds * 1000) {
            increments += 1;
            void likes.increment();
          }
          await clock.pass(step - Math.floor(step / 2));
        }
        stop();
        const { reads, writes } = await seen();
        const asked = cost({ watches, increments: { perMonth: increments, delivery: 'at-least-once' } }).perMonth;
        assert.equal(writes, asked.writes);
        // Exactly as often where answers take no time. Otherwise the next reading begins an interval after the answer: at the least
        // as often as a watch of an interval that is longer by so much, and no answer has to come once the watch has ended.
        const least = cost({ watches: { ...watches, intervalMs: intervalMs + latency } }).perMonth.reads - (latency > 0 ? Math.ceil(shards / 1000) : 0);
        assert.ok(reads >= least && reads <= asked.reads, `${least} <= ${reads} <= ${asked.reads}`);
        if (changing < 1) assert.equal(shown, increments, 'it has watched');
      }, { shards, latencyMs: latency });
    }
  });
}

test('a watch that listens', async () => {
  await inVirtualTime(async ({ clock, mine, theirs, seen }) => {
    const likes = theirs.counter('posts/p', { shards: 10, delivery: 'at-least-once', flushMs: 0 });
    const stop = mine.counter('posts/p', { shards: 10 }).watch(() => {});
    await clock.pass(2000);
    for (let i = 0; i < 7; i += 1) {
      void likes.increment();
      await clock.pass(2000);
    }
    stop();
    assert.equal((await seen()).reads, cost({ listens: { changes: 7 } }).perMonth.reads);
  }, { shards: 10, latencyMs: 20 });
});

for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once'])) {
  for (const perCommit of [1, 20, 1000]) {
    test(`increments, ${delivery}, of which each commit gathers ${perCommit}`, async () => {
      const commits = perCommit > 20 ? inRun(2, 20) : 20;
      await inVirtualTime(async ({ clock, mine, seen }) => {
        const likes = mine.counter('posts/p', { shards: 10, delivery, flushMs: 1000 });
        // The first one after a pause goes alone, and at once.
        const pending = [likes.increment()];
        await clock.pass(perCommit === 1 ? 1100 : 0.5);
        for (let i = 0; i < commits * perCommit; i += 1) {
          pending.push(likes.increment());
          // Those of one second go out together.
          await clock.pass(perCommit === 1 ? 1100 : 1000 / perCommit);
        }
        await clock.pass(2000);
        await Promise.all(pending);
        const [first, others] = [expected({ increments: { perMonth: 1, delivery } }), expected({ increments: { perMonth: commits * perCommit, perCommit, delivery } })];
        assert.deepEqual(await seen(), { reads: 0, writes: first.writes + others.writes });
      }, { shards: 10, latencyMs: 30 });
    });
  }
}

test('inserts, and queries over them', async () => {
  const instruments = db.shardedCollection('instruments', { shards: 60 });
  const documents = Array.from({ length: 300 }, (_, i) => ({ i, timestamp: new Timestamp(i, 0) }));
  assert.deepEqual(await metered(() => instruments.addAll(documents)), expected({ inserts: { perMonth: 300 } }));
  const query = instruments.newestFirst().limit(20);
  const chunks = query.plan().requests;
  const wholePages = { perMonth: 1, limit: 20, chunks, chunkReads: /** @type {const} */ ('whole-page') };
  assert.deepEqual(await metered(() => query.get({ chunkReads: 'whole-page' })), expected({ queries: wholePages }));
  const seen = await metered(() => query.get());
  const { reads, readsAtWorst = 0 } = cost({ queries: { ...wholePages, chunkReads: 'share' } }).items.queries ?? assert.fail();
  assert.ok(seen.reads >= reads && seen.reads <= readsAtWorst, `${reads} <= ${seen.reads} <= ${readsAtWorst}`);
});

test('a backfill, and the dry run before it', async () => {
  await db.collection('trades').addAll(Array.from({ length: 700 }, (_, i) => ({ i, timestamp: new Timestamp(i, 0) })));
  const trades = db.shardedCollection('trades', { shards: 3 });
  const { read, written, realRun } = await trades.backfill({ dryRun: true });
  const { reads, writes } = cost({ backfill: { documents: read, written } }).perMonth;
  assert.deepEqual([reads, writes], [700, 700]);
  /** @type {import('shardline').ReshardingProgress[]} */
  const told = [];
  const seen = await metered(() => trades.backfill({ onProgress: (progress) => { told.push(progress); } }));
  assert.equal(seen.writes, writes);
  assert.ok(seen.reads >= reads && seen.reads <= reads + 2, `${seen.reads}: each document, and how many there are`);
  // Its progress reports the bill so far, at the prices of cost().
  const { prices } = cost({});
  const priceOf = (/** @type {{reads: number, writes: number}} */ billed) => (billed.reads * prices.reads + billed.writes * prices.writes) / 1e6;
  for (const { billed, dollars } of told) assert.ok(Math.abs(dollars - priceOf(billed)) < 1e-12);
  assert.ok(told.length >= 3 && told.every(({ dollars }, i) => i === 0 || dollars > Number(told[i - 1]?.dollars)), 'more and more');
  assert.ok(Math.abs(Number(told.at(-1)?.dollars) - priceOf(seen)) < 1e-12);
  const { billed, dollars } = told.at(-1) ?? assert.fail();
  assert.deepEqual(realRun, { reads: billed.reads, writes: billed.writes, dollars });
  const moving = db.shardedCollection('trades', { shards: ['a', 'b'], alsoRead: 3 });
  const moved = await moving.reshard(['a', 'b'], { location: 'nowhere', prices: { reads: 10, writes: 20 } });
  assert.deepEqual([moved.written, moved.dollars], [700, (moved.billed.reads * 10 + moved.billed.writes * 20) / 1e6]);
  await assert.rejects(moving.reshard(['a', 'b'], { location: 'nowhere' }), { reason: 'argument-not-allowed', code: 'invalid-argument' });
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
