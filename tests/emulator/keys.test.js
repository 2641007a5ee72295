/** Keys that count once, against Google's emulator: counted sets, and increments with a key. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { connect } from 'shardline';
import { Disk } from './support/disk.js';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';
import { until } from './support/until.js';

const SEED = Number(process.env.SEED ?? 1);
const DAY_MS = 86_400_000;
const retry = { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 5, timeoutMs: 5000 };

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
  return connect({ projectId, host: proxy.url, storage: 'memory', retry });
}

describe('a counted set', () => {
  test('counts each key once, from any device, and takes it back', async () => {
    const likes = db.countedSet('posts/p1', { shards: 3 });
    await likes.create();
    assert.equal(await likes.has('ann'), false);
    assert.deepEqual(await likes.add('ann'), { changed: true });
    assert.deepEqual(await likes.add('ann'), { changed: false });
    const other = await open();
    const elsewhere = other.countedSet('posts/p1');
    assert.deepEqual(await elsewhere.add('ann'), { changed: false });
    assert.deepEqual(await elsewhere.add('ben'), { changed: true });
    assert.equal((await likes.get()).value, 2);
    assert.deepEqual(await elsewhere.remove('ann'), { changed: true });
    assert.deepEqual(await likes.remove('ann'), { changed: false });
    assert.equal(await likes.has('ann'), false);
    assert.equal(await likes.has('ben'), true);
    assert.equal((await likes.get()).value, 1);
    assert.deepEqual(await likes.add('ann'), { changed: true });
    assert.equal((await likes.get()).value, 2);
    await other.close();
  });

  test('is beside increments, and goes with the counter', async () => {
    const likes = db.countedSet('posts/p1', { shards: 3, flushMs: 0 });
    await likes.create();
    await Promise.all([db.counter('posts/p1', { flushMs: 0 }).increment(10), likes.add('ann')]);
    assert.equal((await likes.get()).value, 11);
    await likes.delete();
    for (const collection of ['posts', 'posts/p1/shards', 'posts/p1/shardline/shards.count/shardline_members']) {
      assert.deepEqual(await rest.list(collection), [], collection);
    }
  });

  test('takes any text as a key', async () => {
    const likes = db.countedSet('posts/p1', { shards: 2 });
    const keys = ['a', 'a/b', 'a%2Fb', '.', '..', '__x__', 'ü', 'u\u0308', '💚', ' ', 'x'.repeat(1500), '"\\\n', 'null'];
    for (const key of keys) assert.deepEqual(await likes.add(key), { changed: true }, key);
    for (const key of keys) assert.equal(await likes.has(key), true, key);
    assert.equal((await likes.get()).value, keys.length);
    for (const key of keys) assert.deepEqual(await likes.remove(key), { changed: true }, key);
    assert.equal((await likes.get()).value, 0);
  });

  test('refuses what is no key, and sends nothing', async () => {
    const likes = db.countedSet('posts/p1', { shards: 2 });
    for (const key of /** @type {any[]} */ (['', 'x'.repeat(1501), '\ud800', 1, 1n, null, undefined, {}, Symbol('x')])) {
      for (const call of /** @type {const} */ (['add', 'remove', 'has'])) await assert.rejects(likes[call](key), shardlineError('invalid-argument', /key/));
      await assert.rejects(db.counter('posts/p1', { shards: 2 }).increment(1, { key }), shardlineError('invalid-argument', /key/));
    }
    await assert.rejects(likes.add('a', /** @type {any} */ ({ key: 'b' })), shardlineError('invalid-argument', /add\(\) has no option “key”/));
    assert.equal(proxy.count(), 0);
    await assert.rejects(db.countedSet('likes', { layout: 'collection' }).add('a'), shardlineError('invalid-argument', /shards/));
    await assert.rejects(db.countedSet('posts/none').add('a'), shardlineError('not-found', /create\(\)/));
  });

  for (const [layout, path] of Object.entries({ 'web-sample': 'posts/p1', 'go-sample': 'posts/p2', 'php-sample': 'samples/php/likes', collection: 'likes', extension: 'pages/p1' })) {
    test(`lies below the counter in the layout ${layout}`, async () => {
      const options = { layout: /** @type {any} */ (layout), shards: 3, ...(layout === 'extension' && { countField: 'stats.likes' }) };
      const likes = db.countedSet(path, options);
      await likes.create();
      for (const key of ['ann', 'ben', 'cid']) await likes.add(key);
      await likes.remove('ben');
      assert.equal((await likes.get()).value, 2);
      await likes.resize(2);
      await likes.remove('ann');
      assert.equal((await likes.get()).value, 1);
    });
  }

  test('pending shows what is under way', async () => {
    const likes = db.countedSet('posts/p1', { shards: 2 });
    const adding = likes.add('ann');
    assert.equal(likes.pending, 1);
    await adding;
    assert.equal(likes.pending, 0);
    const removing = likes.remove('ann');
    assert.equal(likes.pending, -1);
    await removing;
    assert.equal(likes.pending, 0);
  });

  test('keeps its promise when requests and answers are lost', async () => {
    const likes = db.countedSet('posts/p1', { shards: 3 });
    const trouble = [
      [faults.dropRequest()], [faults.dropResponse()], [faults.dropResponse(), faults.unavailable()], [faults.duplicate()],
      [faults.truncate()], [faults.unavailable(), faults.dropResponse(), faults.dropResponse()], [faults.aborted(), faults.html()],
    ];
    for (const [index, each] of trouble.entries()) {
      proxy.script(...each);
      // The test knows which request has counted, also if its answer was lost.
      assert.deepEqual(await likes.add(`user${index}`), { changed: true }, `${index}`);
      assert.equal((await likes.get()).value, 1);
      proxy.script(null, ...each);
      assert.deepEqual(await likes.remove(`user${index}`), { changed: true }, `${index}`);
      assert.equal((await likes.get()).value, 0);
    }
  });

  test('a wish that waits for the network shows at once, outlives its page, and counts once', async () => {
    const disk = new Disk({ projectId, host: proxy.url, retry });
    const page = await disk.open();
    const likes = page.db.countedSet('posts/p1', { shards: 3 });
    await likes.create();
    for (const fault of [faults.dropRequest(), faults.dropResponse()]) {
      await rest.deleteAll();
      await likes.create();
      proxy.choose(() => fault);
      const first = await disk.open();
      const offline = first.db.countedSet('posts/p1', { shards: 3 });
      offline.add('ann').catch(() => {});
      assert.equal(offline.pending, 1);
      assert.equal(await offline.has('ann'), true);
      await until(() => disk.rows.size === 1 && proxy.count('commit') > 0);
      first.kill();
      const second = await disk.open();
      const again = second.db.countedSet('posts/p1', { shards: 3 });
      assert.equal(await again.has('ann'), true);
      assert.equal(again.pending, 1);
      proxy.reset();
      await again.flush();
      assert.deepEqual([(await again.get()).value, await again.has('ann'), again.pending], [1, true, 0]);
      assert.equal(await page.db.countedSet('posts/p1').has('ann'), true);
      assert.equal(disk.rows.size, 0);
    }
    await disk.close();
  });

  test('of several wishes for a key that wait the last one is sent, and the others have changed nothing', async () => {
    const likes = db.countedSet('posts/p1', { shards: 3 });
    await likes.create();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    const first = likes.add('ann');
    await proxy.arrived(2, 'commit');
    const wishes = [likes.remove('ann'), likes.add('ann'), likes.remove('ann')];
    assert.deepEqual([likes.pending, await likes.has('ann')], [0, false]);
    proxy.reset();
    await Promise.all([first, ...wishes]);
    assert.deepEqual([(await likes.get()).value, await likes.has('ann')], [0, false]);
    const commits = proxy.count('commit');
    assert.ok(commits <= 2, `${commits}`);
  });

  test('what rules refuse is refused, and shows no more', async () => {
    const likes = db.countedSet('posts/p1', { shards: 3 });
    await likes.create();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.denied() : null));
    const refused = likes.add('ann');
    assert.equal(likes.pending, 1);
    await assert.rejects(refused, shardlineError('permission-denied'));
    assert.deepEqual([likes.pending, await likes.has('ann')], [0, false]);
    await assert.rejects(likes.remove('ann', { signal: AbortSignal.abort() }), shardlineError('cancelled'));
  });

  test('many keys are asked for in one request, and what waits is known', async () => {
    const likes = db.countedSet('posts/p1', { shards: 3 });
    for (const key of ['ann', 'ben']) await likes.add(key);
    proxy.reset();
    const keys = ['ann', 'ben', ...Array.from({ length: 98 }, (_, i) => `user${i}`)];
    const members = await likes.hasAll([...keys, 'ann']);
    assert.deepEqual([...members.keys()], keys);
    assert.deepEqual([...members].filter(([, isMember]) => isMember), [['ann', true], ['ben', true]]);
    assert.equal(proxy.count(), 1);
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    const [added, removed] = [likes.add('cid'), likes.remove('ann')];
    assert.deepEqual(await likes.hasAll(['ann', 'ben', 'cid', 'dan']), new Map([['ann', false], ['ben', true], ['cid', true], ['dan', false]]));
    proxy.reset();
    proxy.choose(() => faults.dropRequest());
    // Nothing is asked when each answer waits here, so nothing can fail.
    assert.deepEqual(await db.counters(['posts/p1'], { shards: 3 }).hasAll('cid'), new Map([['posts/p1', true]]));
    assert.equal(proxy.requests.filter(({ verb }) => verb !== 'commit').length, 0);
    proxy.reset();
    await Promise.all([added, removed]);
    assert.deepEqual(await likes.hasAll([]), new Map());
  });

  test('a list of 50 posts opens with 51 requests, and with 2 where totals are published', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `posts/p${i}`);
    const options = { shards: 3, publish: { field: 'likes' } };
    for (const [i, path] of paths.entries()) {
      await rest.set(path, { num_shards: { integerValue: '3' }, likes: { integerValue: `${i}` } });
      await rest.set(`${path}/shards/0`, { count: { integerValue: `${i}` } });
    }
    for (const path of ['posts/p7', 'posts/p8']) await db.countedSet(path, { shards: 3 }).add('ann');
    for (const [source, most] of /** @type {const} */ ([['sum', 51], ['published', 2]])) {
      proxy.reset();
      const page = await open();
      const list = page.counters(paths, options);
      const [totals, liked] = await Promise.all([list.getAll({ source }), list.hasAll('ann')]);
      assert.ok(proxy.count() <= most, `${source}: ${proxy.count()}`);
      // The total is not published, because no call has asked for that.
      const expected = paths.map((path, i) => [path, i + (source === 'sum' ? Number(i === 7 || i === 8) : 0)]);
      assert.deepEqual([...totals].map(([path, { value }]) => [path, value]), expected);
      assert.deepEqual([...liked].flatMap(([path, isMember]) => (isMember ? path : [])), ['posts/p7', 'posts/p8']);
      await page.close();
    }
  });

  test(`several devices over a faulty network, seed ${SEED}`, async () => {
    const random = new Random(SEED);
    const likes = db.countedSet('posts/p1', { shards: 3 });
    proxy.seeded(SEED);
    const keys = ['ann', 'ben', 'cid'];
    await Promise.all(Array.from({ length: 4 }, async () => {
      for (let time = 0; time < 15; ++time) {
        const key = random.pick(keys);
        await (random.chance(0.5) ? likes.add(key) : likes.remove(key)).catch((error) => shardlineError(error.code === 'aborted' ? 'aborted' : 'outcome-unknown')(error));
      }
    }));
    proxy.reset();
    const members = await Promise.all(keys.map((key) => likes.has(key)));
    assert.equal((await likes.get()).value, members.filter(Boolean).length);
  });
});

describe('an increment with a key', () => {
  test('goes in one commit: beyond maxDelta it is refused before anything is sent', async () => {
    const counter = db.counter('posts/p1', { shards: 3, maxDelta: 2 });
    for (const delta of [3, -3, 10n]) {
      await assert.rejects(counter.increment(delta, { key: 'event' }), shardlineError('invalid-argument', /maxDelta, 2, up or down, with a key/));
    }
    assert.equal(proxy.count(), 0);
    assert.deepEqual(await counter.increment(-2, { key: 'event' }), { counted: true });
  });

  test('counts once, from any process', async () => {
    const sold = db.counter('shops/s1', { shards: 3 });
    await sold.create();
    assert.deepEqual(await sold.increment(5, { key: 'event-4711' }), { counted: true });
    assert.deepEqual(await sold.increment(5, { key: 'event-4711' }), { counted: false });
    const other = await open();
    assert.deepEqual(await other.counter('shops/s1').increment(5, { key: 'event-4711' }), { counted: false });
    assert.deepEqual(await other.counter('shops/s1').increment(-2, { key: 'event/4712' }), { counted: true });
    await other.close();
    assert.equal((await sold.get()).value, 3);
    assert.equal(await db.countedSet('shops/s1').has('event-4711'), false);
    for (const { fields } of await rest.list('shops/s1/shardline/shards.count/shardline_keys')) {
      const days = (Date.parse(fields.expireAt.timestampValue) - Date.now()) / DAY_MS;
      assert.ok(days > 29 && days < 61, `${days}`);
    }
    assert.deepEqual(await sold.cleanUp().then(({ deleted }) => deleted), 0);
  });

  test('counts once when several come at the same moment, and answers get lost', async () => {
    const sold = db.counter('shops/s1', { shards: 3 });
    proxy.seeded(SEED, { dropResponse: 0.3, duplicate: 0.2 });
    const tried = await Promise.allSettled(Array.from({ length: 6 }, () => sold.increment(7, { key: 'event' })));
    proxy.reset();
    const counted = tried.filter((one) => one.status === 'fulfilled' && one.value.counted);
    assert.ok(counted.length <= 1, `${counted.length}`);
    await sold.increment(7, { key: 'event' });
    assert.equal((await sold.get()).value, 7);
  });

  test('needs no outbox: other increments are not held up', async () => {
    const sold = db.counter('shops/s1', { shards: 3, flushMs: 60_000 });
    const waiting = sold.increment(1);
    assert.deepEqual(await sold.increment(0.5, { key: 'half' }), { counted: true });
    await sold.flush();
    await waiting;
    assert.equal((await sold.get()).value, 1.5);
  });
});
