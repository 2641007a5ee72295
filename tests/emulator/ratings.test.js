/**
 * Ratings and reactions, against Google's emulator: each user has one choice at a time, also if requests and answers are lost, and shards count the
 * choices.
 */
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
const retry = { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 5, timeoutMs: 5000 };
const STARS = { from: 1, to: 5, shards: 3 };
const KINDS = /** @type {const} */ (['like', 'love', 'laugh']);
const MEMBERS = 'restaurants/r1/shardline/shardline_ratings.choice/shardline_members';

const stage = await startStage();
const { projectId, proxy, rest } = stage;
/** @type {import('shardline').Database} Through the proxy. */
let db;

before(async () => {
  db = await connect({ projectId, host: proxy.url, storage: 'memory', retry });
});
after(async () => {
  await db.close();
  await stage.stop();
});
beforeEach(() => stage.reset());

const losesCommits = () => proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));

/** @param {import('shardline').Ratings} ratings */
async function told(ratings) {
  const { count, sum, average, histogram } = await ratings.summary();
  return { count, sum, average, histogram };
}

describe('ratings', () => {
  test('each user has one, from any device, and may change it', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    assert.equal(ratings.path, 'restaurants/r1');
    assert.deepEqual(await told(ratings), { count: 0, sum: 0, average: null, histogram: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } });
    assert.equal(await ratings.get('ann'), undefined);
    assert.deepEqual(await ratings.set('ann', 4), { changed: true });
    assert.deepEqual(await ratings.set('ann', 4), { changed: false });
    const other = await connect({ projectId, host: proxy.url, storage: 'memory', retry });
    const elsewhere = other.ratings('restaurants/r1', STARS);
    assert.deepEqual(await elsewhere.set('ben', 1), { changed: true });
    assert.deepEqual(await elsewhere.set('ann', 5), { changed: true });
    assert.equal(await ratings.get('ann'), 5);
    assert.deepEqual(await told(ratings), { count: 2, sum: 6, average: 3, histogram: { 1: 1, 2: 0, 3: 0, 4: 0, 5: 1 } });
    assert.deepEqual(await ratings.remove('ann'), { changed: true });
    assert.deepEqual(await ratings.remove('ann'), { changed: false });
    assert.deepEqual(await told(ratings), { count: 1, sum: 1, average: 1, histogram: { 1: 1, 2: 0, 3: 0, 4: 0, 5: 0 } });
    await other.close();
  });

  test('the summary is one request, billed as one read', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    for (const [user, value] of /** @type {const} */ ([['ann', 5], ['ben', 2], ['cid', 5]])) await ratings.set(user, value);
    proxy.reset();
    const { source, billed, pending, readTime } = await ratings.summary();
    assert.deepEqual({ source, billed, pending }, { source: 'sum', billed: { reads: 1, writes: 0, deletes: 0 }, pending: 0 });
    assert.ok(Date.now() - readTime.toMillis() < 60_000);
    assert.equal(proxy.count(), 1);
    const listed = await ratings.summary({ source: 'shards' });
    assert.deepEqual([listed.source, listed.count, listed.sum], ['shards', 3, 12]);
    const many = db.ratings('restaurants/r2', { from: 0, to: 10 });
    await many.set('ann', 10);
    await many.set('ben', 0);
    const { source: by, average } = await many.summary();
    assert.deepEqual([by, average], ['shards', 5]);
  });

  test('a changed value moves in the commit that changes the member', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    await ratings.set('ann', 2);
    await ratings.set('ann', 3);
    const [member] = await rest.list(MEMBERS);
    const { choice, delta, shard } = /** @type {any} */ (member).fields;
    assert.deepEqual([choice, delta], [{ stringValue: 'r3' }, { integerValue: '1' }]);
    const written = (await rest.list('restaurants/r1/shardline_ratings')).find(({ name }) => name.endsWith(`/${shard.stringValue}`));
    assert.equal(/** @type {any} */ (member).updateTime, /** @type {any} */ (written).updateTime);
  });

  test('refuses what is no rating and no user, and sends nothing', async () => {
    const make = (/** @type {any} */ options) => () => db.ratings('restaurants/r1', options);
    for (const from of [undefined, -1, 1.5, 101, '1', null]) assert.throws(make({ from, to: 5 }), shardlineError('invalid-argument', /from/));
    for (const to of [undefined, 1, 0, 21, 5.5, '5']) assert.throws(make({ from: 1, to }), shardlineError('invalid-argument', /to/));
    for (const shards of [0, 1.5, 10_001, 'x']) assert.throws(make({ ...STARS, shards }), shardlineError('invalid-argument', /shards/));
    assert.throws(make({ ...STARS, layout: 'web-sample' }), shardlineError('invalid-argument', /layout/));
    assert.throws(() => db.ratings('restaurants', STARS), shardlineError('invalid-argument', /path/i));
    const ratings = db.ratings('restaurants/r1', STARS);
    for (const value of /** @type {any[]} */ ([0, 6, 4.5, '4', null, undefined, NaN, 4n])) {
      await assert.rejects(ratings.set('ann', value), shardlineError('invalid-argument', /value must be an integer from 1 to 5/));
    }
    for (const user of /** @type {any[]} */ (['', 1, null, undefined, '\ud800'])) {
      await assert.rejects(ratings.set(user, 4), shardlineError('invalid-argument', /key/));
      await assert.rejects(ratings.remove(user), shardlineError('invalid-argument', /key/));
      await assert.rejects(ratings.get(user), shardlineError('invalid-argument', /key/));
    }
    assert.equal(proxy.count(), 0);
  });

  test('keeps its promise when requests and answers are lost', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    const random = new Random(SEED);
    const trouble = [
      [faults.dropRequest()], [faults.dropResponse()], [faults.dropResponse(), faults.unavailable()], [faults.duplicate()],
      [faults.truncate()], [faults.unavailable(), faults.dropResponse(), faults.dropResponse()], [faults.aborted(), faults.html()],
    ];
    let last = 0;
    for (const [index, each] of trouble.entries()) {
      const value = 1 + (last + random.between(0, 3)) % 5;
      proxy.script(...each);
      assert.deepEqual(await ratings.set('ann', value), { changed: value !== last }, `seed ${SEED}: ${index}`);
      last = value;
      const { count, sum } = await ratings.summary();
      assert.deepEqual([count, sum], [1, value], `seed ${SEED}: ${index}`);
    }
  });
});

describe('ratings offline', () => {
  test('show at once, and outlive their page', async () => {
    const disk = new Disk({ projectId, host: proxy.url, retry });
    const page = await disk.open();
    await page.db.ratings('restaurants/r1', STARS).set('ann', 2);
    for (const fault of [faults.dropRequest(), faults.dropResponse()]) {
      const first = await disk.open();
      const before = first.db.ratings('restaurants/r1', STARS);
      const had = await before.get('ann');
      proxy.reset();
      proxy.choose(({ verb }) => (verb === 'commit' ? fault : null));
      const next = had === 2 ? 5 : 1;
      before.set('ann', next).catch(() => {});
      assert.equal(await before.get('ann'), next);
      await until(() => disk.rows.size === 1 && proxy.count('commit') > 0);
      first.kill();
      const second = await disk.open();
      const again = second.db.ratings('restaurants/r1', STARS);
      assert.equal(await again.get('ann'), next);
      proxy.reset();
      await again.flush();
      assert.deepEqual([await again.get('ann'), (await again.summary()).sum, disk.rows.size], [next, next, 0]);
    }
    await disk.close();
  });

  test('the summary has what waits, and a device’s own rating only once', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    await db.ratings('restaurants/r1', STARS).set('eve', 2);
    await ratings.set('fay', 3);
    losesCommits();
    const waits = [ratings.set('eve', 5), ratings.remove('fay'), ratings.set('dan', 4)];
    await proxy.arrived(2, 'commit');
    const { histogram, count, sum, pending } = await ratings.summary();
    assert.deepEqual({ histogram, count, sum, pending }, { histogram: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 }, count: 2, sum: 9, pending: 3 });
    proxy.reset();
    await Promise.all(waits);
    const after = await ratings.summary();
    assert.deepEqual([after.count, after.sum, after.pending], [2, 9, 0]);
  });

  test('of several that wait the last one is sent', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    losesCommits();
    const first = ratings.set('ann', 1);
    await proxy.arrived(2, 'commit');
    const wishes = [ratings.set('ann', 2), ratings.remove('ann'), ratings.set('ann', 3)];
    assert.equal(await ratings.get('ann'), 3);
    proxy.reset();
    await Promise.all([first, ...wishes]);
    assert.deepEqual([(await ratings.summary()).sum, await ratings.get('ann')], [3, 3]);
    assert.ok(proxy.count('commit') <= 3, `${proxy.count('commit')}`);
  });

  test('what rules refuse is refused, and shows no more', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.denied() : null));
    await assert.rejects(ratings.set('ann', 4), shardlineError('permission-denied'));
    await assert.rejects(ratings.set('ann', 4, { signal: AbortSignal.abort() }), shardlineError('cancelled'));
    assert.deepEqual([await ratings.get('ann'), (await ratings.summary()).count], [undefined, 0]);
  });
});

describe('reactions', () => {
  test('each user has one, and may change it', async () => {
    const reactions = db.reactions('posts/p1', { kinds: KINDS, shards: 1 });
    assert.deepEqual((await reactions.summary()).counts, { like: 0, love: 0, laugh: 0 });
    await reactions.set('ann', 'love');
    await reactions.set('ben', 'like');
    await reactions.set('ann', 'laugh');
    assert.equal(await reactions.get('ann'), 'laugh');
    const { counts, count, source } = await reactions.summary();
    assert.deepEqual({ counts, count, source }, { counts: { like: 1, love: 0, laugh: 1 }, count: 2, source: 'sum' });
    await reactions.remove('ann');
    assert.equal(await reactions.get('ann'), undefined);
    assert.equal((await reactions.summary()).count, 1);
  });

  test('a kind that comes later is counted with the others, and one that goes takes nothing with it', async () => {
    const old = db.reactions('posts/p1', { kinds: ['like', 'angry'], shards: 1 });
    await old.set('ann', 'like');
    await old.set('ben', 'angry');
    const reactions = db.reactions('posts/p1', { kinds: KINDS, shards: 1 });
    assert.deepEqual(await reactions.summary().then(({ counts, source }) => [counts, source]), [{ like: 1, love: 0, laugh: 0 }, 'shards']);
    await reactions.set('ben', 'love');
    assert.deepEqual(await reactions.summary().then(({ counts, source }) => [counts, source]), [{ like: 1, love: 1, laugh: 0 }, 'sum']);
    assert.equal((await old.summary()).counts.angry, 0);
  });

  test('refuses what is no kind', async () => {
    const make = (/** @type {any} */ kinds) => () => db.reactions('posts/p1', { kinds });
    for (const kinds of [undefined, [], 'like', ['a b'], ['👍'], ['1st'], ['__x__'], ['like', 'like'], [1], Array.from({ length: 21 }, (_, i) => `k${i}`)]) {
      assert.throws(make(kinds), shardlineError('invalid-argument', /kinds/));
    }
    const reactions = db.reactions('posts/p1', { kinds: KINDS });
    for (const kind of /** @type {any[]} */ (['hate', '', 1, null, undefined, false])) await assert.rejects(reactions.set('ann', kind), shardlineError('invalid-argument', /like, love, laugh/));
    assert.throws(() => /** @type {any} */ (reactions).watch(), shardlineError('unimplemented', /summary\(\)/));
    assert.equal(proxy.count(), 0);
  });

  test('a counter, ratings and reactions of one document do not meet', async () => {
    const likes = db.counter('posts/p1', { shards: 2, flushMs: 0 });
    await likes.create();
    const ratings = db.ratings('posts/p1', STARS);
    const reactions = db.reactions('posts/p1', { kinds: KINDS });
    await Promise.all([likes.increment(7), ratings.set('ann', 4), reactions.set('ann', 'love')]);
    assert.deepEqual([(await likes.get()).value, (await ratings.summary()).sum, (await reactions.summary()).count], [7, 4, 1]);
    await likes.delete();
    assert.deepEqual([await ratings.get('ann'), await reactions.get('ann')], [4, 'love']);
  });
});
