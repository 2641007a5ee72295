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
    const { source: by, average, billed: { reads } } = await many.summary();
    assert.deepEqual([by, average, reads], ['sum', 5, 3]);
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
    assert.throws(() => /** @type {any} */ (reactions).onSnapshot(), shardlineError('unimplemented', /watch\(callback\)/));
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

describe('a watch', () => {
  /** @param {import('shardline').Ratings} ratings @param {import('shardline').WatchSummaryOptions} [options] */
  function watching(ratings, options) {
    /** @type {import('shardline').LiveSummary<import('shardline').RatingSummary>[]} */
    const told = [];
    const stop = ratings.watch((live) => told.push(live), { listen: false, intervalMs: 20, ...options });
    return { told, stop, last: () => told.at(-1) };
  }

  test('tells a change of this device at once and once, and those of others', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    const { told, stop, last } = watching(ratings);
    await until(() => last()?.state === 'live');
    assert.deepEqual([told[0], last()?.summary?.average], [{ pending: 0, state: 'loading' }, null]);
    losesCommits();
    const set = ratings.set('ann', 4);
    await until(() => last()?.summary?.sum === 4);
    assert.deepEqual([last()?.pending, last()?.summary?.pending, last()?.summary?.average], [1, 1, 4]);
    proxy.reset();
    await set;
    await until(() => last()?.pending === 0);
    const other = await connect({ projectId, host: proxy.url, storage: 'memory', retry });
    await other.ratings('restaurants/r1', STARS).set('ben', 1);
    await until(() => last()?.summary?.count === 2);
    assert.deepEqual(last()?.summary?.histogram, { 1: 1, 2: 0, 3: 0, 4: 1, 5: 0 });
    // Another choice of the same user leaves the number of ratings.
    await ratings.set('ann', 5);
    await until(() => last()?.summary?.sum === 6 && last()?.pending === 0);
    assert.ok(told.every(({ summary }) => !summary || [0, 4, 5, 6].includes(summary.sum)), JSON.stringify(told.map(({ summary }) => summary?.sum)));
    stop();
    const { length } = told;
    await ratings.set('ann', 3);
    assert.equal((await ratings.summary()).sum, 4);
    assert.equal(told.length, length);
    await other.close();
  });

  test('says that the network is gone, and goes on when it is back', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    /** @type {string[]} */
    const errors = [];
    const { stop, last } = watching(ratings, { onError: ({ code }) => errors.push(code) });
    await until(() => last()?.state === 'live');
    proxy.choose(() => faults.dropRequest());
    await until(() => last()?.state === 'offline' && errors.length > 0);
    assert.deepEqual([last()?.error?.code, last()?.summary?.count], ['unavailable', 0]);
    proxy.reset();
    await until(() => last()?.state === 'live');
    stop();
  });

  test('is also a store, and a loop', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    assert.equal(db.ratings('restaurants/r1', { ...STARS }), ratings, 'the same object');
    assert.notEqual(db.ratings('restaurants/r1', { ...STARS, to: 4 }), ratings);
    assert.notEqual(db.ratings('restaurants/r2', STARS), ratings);
    const reactions = db.reactions('posts/p1', { kinds: ['like', 'love'] });
    assert.equal(db.reactions('posts/p1', { kinds: ['like', 'love'] }), reactions);
    assert.notEqual(db.reactions('posts/p1', { kinds: ['love', 'like'] }), reactions);
    await ratings.set('ann', 3);
    for await (const { summary } of ratings.watch({ listen: false })) if (summary?.sum === 3) break;
    // Without the proxy, which is no place for streams.
    const listening = await connect({ projectId, host: stage.emulator.url, storage: 'memory' });
    const { subscribe, getSnapshot } = listening.ratings('restaurants/r1', STARS);
    let changes = 0;
    const end = subscribe(() => { changes += 1; });
    await until(() => getSnapshot().summary?.sum === 3);
    assert.equal(getSnapshot(), getSnapshot());
    assert.ok(changes > 1);
    end();
    await listening.close();
  });

  test('spends no more than readsPerHour', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    await ratings.set('ann', 3);
    const spending = watching(ratings, { intervalMs: 1, readsPerHour: 10 });
    await until(() => spending.last()?.state === 'live');
    const { stop, last } = watching(db.ratings('restaurants/r2', STARS), { intervalMs: 1 });
    await until(() => last()?.state === 'live');
    proxy.reset();
    // The other watch asks meanwhile, and so time goes by.
    await proxy.arrived(3, 'runAggregationQuery');
    assert.ok(proxy.requests.every(({ path }) => !path.includes('restaurants/r1')));
    stop();
    spending.stop();
  });

  test('refuses what it cannot do', () => {
    const ratings = /** @type {any} */ (db.ratings('restaurants/r1', STARS));
    assert.throws(() => ratings.watch(undefined), shardlineError('invalid-argument', /a loop: for await \(const \{ summary \}/));
    assert.throws(() => ratings.watch({ next: () => {} }), shardlineError('invalid-argument', /callback|function/));
    assert.throws(() => ratings.watch(() => {}, { maxAgeMs: 5 }), shardlineError('invalid-argument', /maxAgeMs/));
    assert.throws(() => ratings.subscribe(), shardlineError('invalid-argument', /function/));
    assert.throws(() => ratings.onSnapshot(), shardlineError('unimplemented', /watch\(callback\)/));
    assert.equal(proxy.count(), 0);
  });
});

describe('publish()', () => {
  const name = { stringValue: 'Shard' };
  const fieldsOf = async (/** @type {string} */ path) => (await rest.get(path)).fields;

  test('writes the average and the count, by which lists are sorted', async () => {
    for (const [id, values] of /** @type {const} */ ([['r1', [2]], ['r2', [4, 5]], ['r3', []]])) {
      await rest.set(`restaurants/${id}`, { name });
      const ratings = db.ratings(`restaurants/${id}`, STARS);
      for (const [i, value] of values.entries()) await ratings.set(`user${i}`, value);
      const { count, average, pending } = await ratings.publish();
      assert.deepEqual([count, average, pending], [values.length, values.length === 0 ? null : id === 'r1' ? 2 : 4.5, 0]);
    }
    assert.deepEqual(await fieldsOf('restaurants/r2'), { name, average: { doubleValue: 4.5 }, count: { integerValue: '2' } });
    assert.deepEqual(await fieldsOf('restaurants/r3'), { name, average: { nullValue: null }, count: { integerValue: '0' } });
    const sorted = await rest.runQuery({ from: [{ collectionId: 'restaurants' }], orderBy: [{ field: { fieldPath: 'average' }, direction: 'DESCENDING' }] });
    assert.deepEqual(sorted.map((document) => document.name.split('/').at(-1)), ['r2', 'r1', 'r3']);
    await db.ratings('restaurants/r1', STARS).set('user1', 5);
    await db.ratings('restaurants/r1', STARS).publish();
    assert.deepEqual((await fieldsOf('restaurants/r1')).average, { doubleValue: 3.5 });
  });

  test('into the fields that the caller names', async () => {
    await rest.set('posts/p1', { name });
    const ratings = db.ratings('posts/p1', STARS);
    const reactions = db.reactions('posts/p1', { kinds: KINDS, shards: 1 });
    await ratings.set('ann', 3);
    await reactions.set('ann', 'love');
    await ratings.publish({ average: 'stars.mean', count: 'stars.votes' });
    const { counts } = await reactions.publish({ counts: 'reactions', count: 'reacted' });
    assert.deepEqual(counts, { like: 0, love: 1, laugh: 0 });
    const { stars, reactions: map, reacted } = await fieldsOf('posts/p1');
    assert.deepEqual(stars.mapValue.fields, { mean: { doubleValue: 3 }, votes: { integerValue: '1' } });
    assert.deepEqual(map.mapValue.fields, { like: { integerValue: '0' }, love: { integerValue: '1' }, laugh: { integerValue: '0' } });
    assert.deepEqual(reacted, { integerValue: '1' });
    await reactions.publish();
    assert.deepEqual((await fieldsOf('posts/p1')).counts, map);
  });

  test('whatever is lost, and whoever publishes at the same time', async () => {
    await rest.set('restaurants/r1', { name });
    const ratings = db.ratings('restaurants/r1', STARS);
    await ratings.set('ann', 4);
    const trouble = [faults.dropResponse(), faults.dropRequest(), faults.aborted(), faults.duplicate()];
    proxy.choose(({ body }) => (body.includes('/published') ? trouble.shift() ?? null : null));
    const summaries = await Promise.all([ratings.publish(), ratings.publish(), ratings.publish()]);
    assert.deepEqual(summaries.map(({ sum }) => sum), [4, 4, 4]);
    assert.deepEqual((await fieldsOf('restaurants/r1')).average, { doubleValue: 4 });
    assert.equal(trouble.length, 0);
  });

  test('refuses fields that cannot be, and needs the document', async () => {
    const ratings = db.ratings('restaurants/r1', STARS);
    for (const options of /** @type {any[]} */ ([{ average: '' }, { average: 'a..b' }, { count: 5 }, { count: '__name__' }, { average: 'a', count: 'a' },
      { average: 'a', count: 'a.b' }, { counts: 'x' }, 'votes'])) {
      await assert.rejects(ratings.publish(options), shardlineError('invalid-argument', /average|count|options/));
    }
    assert.equal(proxy.count(), 0);
    await assert.rejects(ratings.publish(), shardlineError('not-found'));
    assert.equal(await rest.get('restaurants/r1'), null);
  });
});

test('delete() takes the choices of all users, and leaves the document', async () => {
  await rest.set('restaurants/r1', { name: { stringValue: 'Shard' } });
  const ratings = db.ratings('restaurants/r1', STARS);
  for (const user of ['ann', 'ben', 'cid', 'dan']) await ratings.set(user, 4);
  await ratings.remove('ben');
  await ratings.publish();
  const kept = [MEMBERS, 'restaurants/r1/shardline_ratings', 'restaurants/r1/shardline/shardline_ratings.choice/shardline_totals'];
  const lists = (await Promise.all(kept.map((path) => rest.list(path)))).flat();
  assert.deepEqual(await ratings.delete(), { deleted: lists.length });
  for (const path of kept) assert.deepEqual(await rest.list(path), [], path);
  assert.deepEqual(Object.keys((await rest.get('restaurants/r1')).fields).sort(), ['average', 'count', 'name']);
  assert.deepEqual([await ratings.get('ann'), (await ratings.summary()).count], [undefined, 0]);
  assert.deepEqual(await ratings.set('ann', 2), { changed: true });
  assert.deepEqual([(await ratings.summary()).sum, await ratings.get('ann')], [2, 2]);
});
