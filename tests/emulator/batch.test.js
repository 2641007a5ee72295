/** Batches of writes to documents, counters and collections, against Google's emulator: applied exactly once, all of it or nothing. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { arrayUnion, connect, deleteField, increment, serverTimestamp, Timestamp } from 'shardline';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';

const SEED = Number(process.env.SEED ?? 1);
const DAY_MS = 86_400_000;
const SHARDED = { shards: ['x', 'y', 'z'], shardField: 'shard', orderField: 'timestamp' };

const stage = await startStage();
const { projectId, proxy, rest } = stage;
/** @type {import('shardline').Database} Through the proxy. */
let db;

before(async () => {
  db = await open();
});
after(async () => {
  await db.close();
  await stage.stop();
});
beforeEach(() => stage.reset());

function open() {
  return connect({ projectId, host: proxy.url, storage: 'memory', retry: { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 5, timeoutMs: 5000 } });
}

/** What Google's emulator holds of a counter. @param {string} path */
async function total(path, field = 'count') {
  const shards = await rest.list(`${path}/shards`);
  return shards.reduce((sum, { fields }) => sum + Number(fields[field]?.integerValue ?? 0), 0);
}

/** A field of a document, by the second opinion; undefined if it is not there. @param {string} path @param {string} field */
async function valueOf(path, field) {
  const document = await rest.get(path);
  return Object.values(document?.fields?.[field] ?? {})[0];
}

/** Of `orders/1`, a counter and a sum that would show a second time. */
async function aBatch(likes = db.counter('posts/p1', { shards: 3 })) {
  const batch = db.batch();
  batch.set('orders/1', { state: 'open' }).set('sums/s', { n: increment(1) }, { merge: true }).increment(likes, 5);
  return batch;
}

/** @param {number} times */
async function expectApplied(times) {
  assert.equal(await total('posts/p1'), 5 * times);
  assert.equal(Number(await valueOf('sums/s', 'n') ?? 0), times);
  assert.equal(await valueOf('orders/1', 'state'), times > 0 ? 'open' : undefined);
}

describe('a batch', () => {
  test('is one commit, and has a marker that expires', async () => {
    const likes = db.counter('posts/p1', { shards: 3 });
    await likes.create();
    const views = db.counter('posts/p2', { shards: 3, delivery: 'transaction' });
    const stock = db.shardedCollection('stock', SHARDED);
    await rest.set('orders/2', { a: { integerValue: '1' }, b: { integerValue: '2' } });
    await rest.set('orders/3', {});
    proxy.reset();
    const batch = db.batch();
    batch.set('orders/1', { at: serverTimestamp(), tags: ['a'] });
    batch.update('orders/2', { a: deleteField(), 'c.d': 3, tags: arrayUnion('b') });
    batch.delete('orders/3');
    batch.increment(likes).increment(views, -2).increment(likes, 2n);
    const added = batch.add(stock, { symbol: 'AAA', timestamp: Timestamp.now() });
    const { id, ...none } = batch.add(db.collection('notes'), { text: 'hello' });
    assert.deepEqual(none, {});
    assert.equal(proxy.count(), 0, 'nothing is sent before commit()');
    const { writes, commitTime } = await batch.commit();
    assert.equal(writes, 8);
    assert.equal(proxy.count('commit'), 1);
    assert.equal(await total('posts/p1'), 3);
    assert.equal(await total('posts/p2'), -2);
    assert.deepEqual((await rest.get('orders/2')).fields, {
      b: { integerValue: '2' }, c: { mapValue: { fields: { d: { integerValue: '3' } } } }, tags: { arrayValue: { values: [{ stringValue: 'b' }] } },
    });
    assert.equal(await rest.get('orders/3'), null);
    assert.equal(await valueOf(`stock/${added.id}`, 'shard'), added.shard);
    assert.ok(['x', 'y', 'z'].includes(String(added.shard)));
    assert.equal(await valueOf(`notes/${id}`, 'text'), 'hello');
    const [marker, ...others] = await rest.list('shardline_markers');
    assert.deepEqual(others, []);
    assert.deepEqual(marker.fields.applied, { booleanValue: true });
    const days = (Date.parse(marker.fields.expireAt.timestampValue) - Date.now()) / DAY_MS;
    assert.ok(days > 29 && days < 61, `${days}`);
    assert.match(String(await valueOf('orders/1', 'at')), /^\d{4}-/);
    assert.ok(Timestamp.fromString((await rest.get('orders/1')).updateTime).isEqual(/** @type {Timestamp} */ (commitTime)));
    assert.deepEqual((await stock.newestFirst().get()).docs.map((doc) => doc.id), [added.id]);
  });

  test('asks how many shards a counter has, once', async () => {
    await db.counter('posts/p1', { shards: 4 }).create();
    const likes = db.counter('posts/p1');
    await (await aBatch(likes)).commit();
    assert.equal(likes.shards, 4);
    proxy.reset();
    await db.batch().increment(likes, 1).commit();
    assert.equal(proxy.count(), 1);
    await assert.rejects(db.batch().delete('orders/1').increment(db.counter('posts/none')).commit(), shardlineError('not-found', /create\(\)/));
    assert.equal(await valueOf('orders/1', 'state'), 'open');
  });

  test('a user’s id is the name of a document that is new', async () => {
    const orders = db.ids('sequences/orders', { shards: 2 });
    await orders.create();
    const [id] = await orders.take(1);
    await db.batch().create(`orders/${id}`, { n: 1 }).commit();
    const again = db.batch().create(`orders/${id}`, { n: 2 }).set('sums/s', { n: 1 });
    await assert.rejects(again.commit(), shardlineError('already-exists'));
    assert.equal(await valueOf(`orders/${id}`, 'n'), '1');
    assert.equal(await rest.get('sums/s'), null);
  });

  test('counters that share their shards, and other layouts', async () => {
    const options = { shards: 1, layout: { shardCollection: 'shards', countField: 'up' } };
    const up = db.counter('posts/p1', options);
    const down = db.counter('posts/p1', { ...options, layout: { ...options.layout, countField: 'down' } });
    const pages = db.counter('pages/p1', { layout: 'extension', countField: 'stats.visits', shards: 3 });
    await db.batch().increment(up, 3).increment(down, 0.5).increment(pages, 7).commit();
    const [shard] = await rest.list('posts/p1/shards');
    assert.deepEqual(shard.fields, { up: { integerValue: '3' }, down: { doubleValue: 0.5 } });
    assert.equal((await pages.get()).value, 7);
  });

  test('that has nothing to write sends nothing', async () => {
    assert.deepEqual(await db.batch().commit(), { writes: 0, commitTime: null });
    assert.equal(proxy.count(), 0);
  });

  test('is pending while it is under way', async () => {
    const likes = db.counter('posts/p1', { shards: 3 });
    /** @type {number[]} */
    const seen = [];
    const stop = likes.watch(({ pending }) => seen.push(Number(pending)));
    const batch = await aBatch(likes);
    assert.equal(likes.pending, 0);
    const done = batch.commit();
    assert.equal(likes.pending, 5);
    await done;
    assert.equal(likes.pending, 0);
    stop();
    assert.ok(seen.includes(5), `${seen}`);
    const refused = db.batch().increment(likes, 2).update('orders/none', { a: 1 }).commit();
    assert.equal(likes.pending, 2);
    await assert.rejects(refused, shardlineError('not-found'));
    assert.equal(likes.pending, 0);
    assert.equal((await likes.get()).value, 5);
  });

  test('publishes the total of a counter that does so', async () => {
    const likes = db.counter('posts/p1', { shards: 3, publish: { field: 'likes', everyMs: 1000 } });
    await likes.create();
    await (await aBatch(likes)).commit();
    await proxy.arrived(2, 'commit');
    await db.close();
    assert.equal(await valueOf('posts/p1', 'likes'), '5');
    db = await open();
  });
});

describe('nothing is applied', () => {
  test('of a batch that updates a document that is not there', async () => {
    const batch = await aBatch();
    batch.update('orders/none', { a: 1 });
    await assert.rejects(batch.commit(), shardlineError('not-found'));
    await expectApplied(0);
    const markers = await rest.list('shardline_markers');
    assert.deepEqual(markers.map(({ fields }) => fields.applied.booleanValue), [false], 'nor will it be');
  });

  test('of a batch that is refused before it is sent', async () => {
    const likes = db.counter('posts/p1', { shards: 3, maxDelta: 3 });
    const refused = [
      [db.batch().set('a/1', {}).delete('a/1'), /a\/1 is written twice/],
      [db.batch().set('a', {}), /a/],
      [db.batch().set('a/1', { x: 'x'.repeat(1_100_000) }), /a\/1: The document is larger/],
      [db.batch().update('a/1', { 'b..c': 1 }), /a\/1: /],
      [db.batch().increment(likes, 2).increment(db.counter('posts/p1', { shards: 3, maxDelta: 3 }), 2), /maxDelta/],
      [db.batch().increment(db.counter('likes', { layout: 'collection' })), /shards/],
      [Array.from({ length: 11 }, (_, i) => i).reduce((batch, i) => batch.set(`a/${i}`, { x: 'x'.repeat(1_000_000) }), db.batch()), /10 MiB/],
    ];
    for (const [batch, message] of refused) {
      await assert.rejects(/** @type {any} */ (batch).commit(), shardlineError('invalid-argument', /** @type {RegExp} */ (message)));
    }
    assert.equal(proxy.count(), 0);
  });

  test('by calls that are refused at once', async () => {
    const other = await open();
    const batch = db.batch();
    const any = /** @type {any} */ (batch);
    const invalid = [
      () => any.set(1, {}), () => any.set('a/1', 1), () => any.set('a/1', {}, { merge: 'yes' }), () => any.set('a/1', {}, { more: true }),
      () => any.update('a/1', null), () => any.delete(), () => any.increment({}), () => any.increment(null), () => any.add({}, {}), () => any.add(undefined, {}),
      () => any.increment(db.counter('a/b'), 'x'), () => any.increment(db.counter('a/b'), NaN),
      () => any.increment(other.counter('a/b')), () => any.add(other.collection('a'), {}),
      () => any.add(db.shardedCollection('a', SHARDED), { n: 1 }), () => any.add(db.shardedCollection('a', SHARDED), { shard: 'q', timestamp: 1 }),
    ];
    for (const call of invalid) assert.throws(call, shardlineError('invalid-argument'), `${call}`);
    assert.deepEqual(await batch.commit(), { writes: 0, commitTime: null }, 'none of them is in the batch');
    for (const call of [() => batch.delete('a/1'), () => batch.increment(db.counter('a/b')), () => batch.add(db.collection('a'), {})]) {
      assert.throws(call, shardlineError('failed-precondition', /new one/));
    }
    await assert.rejects(batch.commit(), shardlineError('failed-precondition', /applied already/));
    await assert.rejects(any.commit({ more: 1 }), shardlineError('invalid-argument'));
    await other.close();
  });
});

describe('lost answers', () => {
  test('a batch is applied once, whatever is lost', async () => {
    const trouble = [
      [faults.dropRequest()], [faults.dropResponse()], [faults.dropResponse(), faults.unavailable()], [faults.duplicate()],
      [faults.truncate()], [faults.unavailable(), null, faults.dropResponse(), faults.dropResponse()], [faults.aborted(), faults.html()],
      [faults.internal(), faults.dropRequest(), null, faults.duplicate()],
    ];
    await db.counter('posts/p1', { shards: 3 }).get(); // Now the server's clock is known.
    for (const [index, each] of trouble.entries()) {
      proxy.script(...each);
      await (await aBatch()).commit();
      await expectApplied(index + 1);
    }
  });

  test('the same request that arrives late, and twice, changes nothing', async () => {
    const batch = await aBatch();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    await assert.rejects(batch.commit(), shardlineError('outcome-unknown', /commit\(\) again/));
    const late = proxy.requests.filter(({ verb }) => verb === 'commit').map(({ body }) => JSON.parse(body));
    assert.ok(late.length > 1);
    proxy.reset();
    await batch.commit();
    for (const body of [...late, ...late]) assert.equal((await rest.post('commit', body)).status, 409);
    await expectApplied(1);
  });

  test('what was refused in doubt is not applied late', async () => {
    await db.counter('posts/p1', { shards: 3 }).get();
    proxy.reset();
    const batch = (await aBatch()).update('orders/later', { a: 1 });
    proxy.script(faults.dropRequest());
    await assert.rejects(batch.commit(), shardlineError('not-found'));
    const [first] = proxy.requests;
    await rest.set('orders/later', {});
    assert.equal((await rest.post('commit', JSON.parse(first?.body ?? ''))).status, 409);
    await expectApplied(0);
    await assert.rejects(batch.commit(), shardlineError('failed-precondition', /withdrawn/));
  });

  test('without the network it rejects, and can be asked for again', async () => {
    const likes = db.counter('posts/p1', { shards: 3 });
    await likes.get();
    for (const [index, fault] of [faults.dropRequest(), faults.dropResponse()].entries()) {
      const batch = await aBatch(likes);
      proxy.choose(() => fault);
      await assert.rejects(batch.commit(), shardlineError('outcome-unknown'));
      assert.equal(likes.pending, 0, 'nothing is stored');
      proxy.reset();
      await Promise.all([batch.commit(), assert.rejects(batch.commit(), shardlineError('failed-precondition', /wait/))]);
      await expectApplied(index + 1);
    }
  });

  test('a batch in doubt is withdrawn', async () => {
    const likes = db.counter('posts/p1', { shards: 3 });
    await likes.get();
    proxy.reset();
    const lost = await aBatch(likes);
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    await assert.rejects(lost.commit(), shardlineError('outcome-unknown'));
    const late = JSON.parse(proxy.requests[0]?.body ?? '');
    proxy.reset();
    assert.deepEqual(await lost.withdraw(), { applied: false });
    assert.equal((await rest.post('commit', late)).status, 409);
    await expectApplied(0);
    const applied = await aBatch(likes);
    proxy.choose(() => faults.dropResponse());
    await assert.rejects(applied.commit(), shardlineError('outcome-unknown'));
    proxy.reset();
    assert.deepEqual(await applied.withdraw(), { applied: true });
    await expectApplied(1);
    const unsent = await aBatch(likes);
    assert.deepEqual(await unsent.withdraw(), { applied: false });
    await assert.rejects(unsent.commit(), shardlineError('failed-precondition', /withdrawn/));
    await expectApplied(1);
  });

  test('a signal ends it, and it can be asked for again', async () => {
    const controller = new AbortController();
    const batch = await aBatch();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.hold(new Promise(() => {})) : null));
    const done = batch.commit({ signal: controller.signal });
    await proxy.arrived(1, 'commit');
    controller.abort();
    await assert.rejects(done, shardlineError('cancelled', /may have been applied/));
    proxy.reset();
    await batch.commit();
    await expectApplied(1);
    await assert.rejects(db.batch().delete('a/1').commit({ signal: AbortSignal.abort() }), shardlineError('cancelled'));
  });

  test('contention: another shard is drawn', async () => {
    await db.counter('posts/p1', { shards: 3 }).get();
    proxy.reset();
    proxy.script(faults.aborted(), faults.aborted());
    await (await aBatch()).commit();
    const shards = proxy.requests.map(({ body }) => JSON.parse(body).writes.at(-1).update.name);
    assert.equal(shards.length, 3);
    assert.notEqual(shards[0], shards[1]);
    await expectApplied(1);
  });

  test(`many batches at once from several pages on a network that loses what it likes, seed ${SEED}`, async () => {
    const random = new Random(SEED);
    const pages = await Promise.all([open(), open(), open()]);
    const stocks = pages.map((page) => page.shardedCollection('stock', SHARDED));
    proxy.seeded(SEED);
    let unknown = 0;
    /** @type {{id: string, delta: number}[]} */
    const applied = [];
    /** @type {string[]} */
    const refused = [];
    await Promise.all(Array.from({ length: 60 }, async (_, i) => {
      const at = i % pages.length;
      const delta = random.between(1, 9);
      const batch = /** @type {any} */ (pages[at]).batch();
      batch.increment(pages[at]?.counter('posts/p1', { shards: 3 }), delta).set('sums/s', { n: increment(1) }, { merge: true });
      const { id } = batch.add(stocks[at], { delta, timestamp: i });
      if (i % 10 === 0) batch.update('orders/none', { a: 1 });
      for (let tries = 0; ; ++tries) {
        try {
          await batch.commit();
          applied.push({ id, delta });
          return;
        } catch (error) {
          const { code } = /** @type {import('shardline').ShardlineError} */ (error);
          if (code !== 'outcome-unknown' || tries === 5) {
            assert.ok(['not-found', 'aborted', 'resource-exhausted', 'outcome-unknown', 'failed-precondition', 'unavailable'].includes(code), `${error}`);
            if (code === 'outcome-unknown') unknown += 1;
            else refused.push(id);
            return;
          }
        }
      }
    }));
    proxy.reset();
    const documents = await rest.list('stock');
    const ids = new Set(documents.map(({ name }) => String(name).split('/').at(-1)));
    for (const { id } of applied) assert.ok(ids.has(id), `${id} was applied`);
    for (const id of refused) assert.ok(!ids.has(id), `${id} was refused`);
    assert.ok(applied.length >= 50 && refused.length >= 6 - unknown, `${applied.length} applied, ${refused.length} refused, ${unknown} unknown`);
    assert.equal(await total('posts/p1'), documents.reduce((sum, { fields }) => sum + Number(fields.delta.integerValue), 0));
    assert.equal(Number(await valueOf('sums/s', 'n')), documents.length);
    await Promise.all(pages.map((page) => page.close()));
  });
});
