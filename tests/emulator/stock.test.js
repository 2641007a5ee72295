/** Stocks, on the embedded Firestore and on Google's emulator: no unit is sold twice, and the last one is found. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { inRun } from '../support/run.js';
import { openDatabase } from './support/database.js';
import { runDialect } from './support/dialect_front.js';
import { faults, startFaultProxy } from './support/fault_proxy.js';
import { shardlineError } from './support/shardline_error.js';
import { until } from './support/until.js';

/** @typedef {import('shardline').Database} Database */

const retry = { maxAttempts: 6, initialDelayMs: 20, maxDelayMs: 200, timeoutMs: 20_000 };

/** @param {number} length @param {(index: number) => any} make */
const times = (length, make) => Promise.all(Array.from({ length }, (_, index) => make(index)));

/** @param {() => Promise<{open: (options?: object) => Promise<Database>, stop: () => Promise<void>}>} start */
function suite(start) {
  /** @type {Awaited<ReturnType<typeof start>>} */
  let backend;
  /** @type {Database} */
  let db;
  let names = 0;
  const freshPath = () => `events/e${(names += 1)}`;
  before(async () => {
    backend = await start();
    db = await backend.open();
  });
  after(async () => {
    await db.close();
    await backend.stop();
  });

  test('create() once, take, put back, add', async () => {
    const path = freshPath();
    const stock = db.stock(path, { shards: 4 });
    assert.equal(stock.path, path);
    assert.deepEqual(await stock.create({ units: 5 }), { created: true });
    assert.deepEqual(await stock.create({ units: 9 }), { created: false });
    const taken = await stock.take();
    assert.ok(taken.taken);
    assert.match(taken.key, /^[A-Za-z0-9]{20}$/);
    assert.deepEqual(await stock.take(3, { key: 'a/b %' }), { taken: true, key: 'a/b %', units: 3 });
    assert.deepEqual(await stock.take(3, { key: 'a/b %' }), { taken: true, key: 'a/b %', units: 3 });
    assert.deepEqual(await stock.take(2, { key: 'c' }), { taken: false, left: 1 });
    assert.equal(await stock.left(), 1);
    assert.deepEqual(await stock.putBack(1, { key: 'a/b %' }), { putBack: true, units: 2 });
    assert.deepEqual(await stock.putBack(undefined, { key: 'a/b %' }), { putBack: true, units: 0 });
    assert.deepEqual(await stock.putBack(undefined, { key: 'a/b %' }), { putBack: false, units: 0 });
    assert.deepEqual(await stock.add(6, { key: 'delivery 1' }), { added: true });
    assert.deepEqual(await stock.add(6, { key: 'delivery 1' }), { added: false });
    assert.equal(await stock.left(), 10);
    assert.deepEqual(await stock.take(10, { key: 'all' }), { taken: true, key: 'all', units: 10 });
  });

  test('of many takers as many are served as there are units, by browsers and servers alike', async () => {
    const path = freshPath();
    const units = inRun(50, 500);
    await db.stock(path, { shards: 10 }).create({ units });
    const clients = await times(4, () => backend.open());
    // One of them believes that there are fewer shards, and one, more.
    const stocks = clients.map((client, i) => client.stock(path, { shards: [10, 10, 3, 40][i] }));
    // On a busy machine a take may meet others again and again. Its user presses again.
    const take = async (/** @type {number} */ i) => {
      for (;;) {
        try {
          return await stocks[i % 4].take(1, { key: `t${i}` });
        } catch (error) {
          if (/** @type {any} */ (error).reason !== 'too-much-contention') throw error;
        }
      }
    };
    const results = await times(inRun(80, 800), take);
    const served = results.filter(({ taken }) => taken);
    assert.equal(served.length, units);
    assert.equal(await db.stock(path).left(), 0);
    // A client that asks again gets the same answer.
    const again = await times(20, (i) => stocks[(i + 1) % 4].take(1, { key: `t${i}` }));
    assert.deepEqual(again.map(({ taken }) => taken), results.slice(0, 20).map(({ taken }) => taken));
    await times(4, (i) => clients[i].close());
  });

  test('a hold becomes final, or its units go to others', async () => {
    const stock = db.stock(freshPath(), { shards: 2 });
    await stock.create({ units: 2 });
    const kept = await stock.take(1, { key: 'kept', holdFor: '1 h' });
    assert.ok(kept.taken && kept.heldUntil && kept.heldUntil.toMillis() > Date.now() + 3_000_000);
    const lapsed = await stock.take(1, { key: 'lapsed', holdFor: 1000 });
    assert.ok(lapsed.taken && lapsed.heldUntil);
    assert.deepEqual(await stock.confirm({ key: 'kept' }), { confirmed: true });
    // The server's clock decides. The first who asks after that gets the unit.
    await until(async () => (await stock.take(1, { key: 'next' })).taken);
    assert.deepEqual(await stock.confirm({ key: 'lapsed' }), { confirmed: false });
    assert.deepEqual(await stock.putBack(1, { key: 'lapsed' }), { putBack: false, units: 0 });
    assert.deepEqual(await stock.take(1, { key: 'lapsed' }), { taken: false, left: 0 });
  });

  test('watch() tells how many are left', async () => {
    const stock = db.stock(freshPath(), { shards: 2 });
    await stock.create({ units: 3 });
    /** @type {unknown[]} */
    const seen = [];
    const stop = stock.watch(({ value }) => { seen.push(value); }, { intervalMs: 20, listen: false });
    await until(() => seen.includes(3));
    await stock.take(2);
    await until(() => seen.includes(1));
    stop();
  });

  test('errors', async () => {
    await assert.rejects(db.stock(freshPath()).take(), shardlineError('not-found', /create\(\)/));
    const stock = db.stock(freshPath());
    await stock.create({ units: 1 });
    await assert.rejects(stock.putBack(1, { key: 'x' }), shardlineError('not-found', /nothing/));
    for (const units of [0, -1, 1.5, 1001, NaN, '1']) await assert.rejects(stock.take(/** @type {any} */ (units)), shardlineError('invalid-argument', /units/));
    for (const holdFor of [0, '10', '10 weeks', 'soon', -1, {}]) await assert.rejects(stock.take(1, { holdFor: /** @type {any} */ (holdFor) }), shardlineError('invalid-argument', /holdFor/));
    // A key that is undefined by mistake must not take without one.
    await assert.rejects(stock.take(1, { key: /** @type {any} */ (undefined) }), shardlineError('invalid-argument', /key/));
    await assert.rejects(stock.putBack(1, /** @type {any} */ ({})), shardlineError('invalid-argument', /key/));
    await assert.rejects(stock.create(/** @type {any} */ ({})), shardlineError('invalid-argument', /units/));
    assert.throws(() => db.stock('events'), shardlineError('invalid-argument', /path/));
    assert.throws(() => db.stock('events/e', /** @type {any} */ ({ shard: 1 })), shardlineError('invalid-argument', /shard/));
    await assert.rejects(db.stock('events/e', { shards: 0 }).take(), shardlineError('invalid-argument', /shards/));
    await assert.rejects(stock.take(1, { signal: AbortSignal.abort() }), shardlineError('cancelled'));
    assert.equal(await stock.left(), 1);
  });
}

describe('the embedded Firestore', () => {
  suite(async () => {
    const simulator = await (await openWorkbench()).createEmbeddedFirestore({ ...runDialect(), limits: 'none' });
    return {
      open: (options) => connect({ projectId: 'demo', fetch: simulator.fetch, retry, ...options }),
      stop: async () => simulator.close(),
    };
  });

  test('units are added to as many shards as one request can name', async () => {
    const simulator = await (await openWorkbench()).createEmbeddedFirestore();
    const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
    // create() names all of them in a request of 10 MB; add() has more to say of each.
    const shards = 6_400;
    const stock = db.stock(`events/${'e'.repeat(1_400)}`, { shards });
    assert.deepEqual(await stock.create({ units: 0 }), { created: true });
    assert.deepEqual(await stock.add(1_000_003), { added: true });
    assert.equal(await stock.left(), 1_000_003);
    const filled = (await db.collection(`${stock.path}/stock_shards`).where('left', '>', 0).get()).docs.length;
    assert.ok(filled > 5_000 && filled < shards, `${filled}`);
    await db.close();
    await simulator.close();
  });

  test('without the network a take is refused at once, and nothing of it waits', async () => {
    const db = await connect({ projectId: 'demo', fetch: async () => { throw new TypeError('Failed to fetch'); }, retry: { maxAttempts: 2, initialDelayMs: 1 } });
    await assert.rejects(db.stock('events/e').take(), shardlineError('unavailable'));
    await db.close();
  });
});

describe('Google’s emulator', () => {
  suite(async () => {
    const emulator = await openDatabase();
    return {
      open: (options) => connect({ projectId: emulator.projectId, host: emulator.url, retry, ...options }),
      stop: () => emulator.stop(),
    };
  });

  test('a stock that is not there has no units left, and says so', async () => {
    const emulator = await openDatabase();
    const db = await connect({ projectId: emulator.projectId, host: emulator.url, retry });
    await assert.rejects(db.stock('events/none').left(), shardlineError('not-found', /There is no stock at events\/none/));
    assert.equal(db.stock('events/e', { shards: 5 }), db.stock('events/e', { shards: 5 }));
    for (const options of /** @type {any[]} */ ([undefined, {}, { key: undefined }, { key: '' }])) {
      await assert.rejects(db.stock('events/e').confirm(options), shardlineError('invalid-argument', /key/));
      await assert.rejects(db.stock('events/e').putBack(1, options), shardlineError('invalid-argument', /key/));
    }
    await db.close();
    await emulator.stop();
  });

  test('with answers and requests lost on the way', async () => {
    const emulator = await openDatabase();
    const proxy = await startFaultProxy({ target: emulator.url });
    const db = await connect({ projectId: emulator.projectId, host: proxy.url, retry });
    const stock = db.stock('events/e', { shards: 5 });
    await stock.create({ units: 12 });
    const kinds = [faults.dropRequest, faults.dropResponse, faults.duplicate, faults.truncate];
    proxy.choose(({ index }) => kinds[index % 16]?.());
    const results = await times(20, (i) => stock.take(1, { key: `t${i}` }));
    assert.equal(results.filter(({ taken }) => taken).length, 12);
    const back = await times(20, (i) => (results[i].taken ? stock.putBack(undefined, { key: `t${i}` }) : undefined));
    assert.equal(back.filter((result) => result?.putBack).length, 12);
    assert.equal(await stock.left(), 12);
    await db.close();
    await proxy.stop();
    await emulator.stop();
  });
});
