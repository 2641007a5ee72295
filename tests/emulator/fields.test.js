/** Counters with fields, against Google's emulator: one increment of several fields counts once, whatever is lost. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { connect } from 'shardline';
import { connect as connectCounters } from 'shardline/counters';
import { Disk } from './support/disk.js';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';
import { until } from './support/until.js';

const SEED = Number(process.env.SEED ?? 1);
const retry = { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 5, timeoutMs: 5000 };
const KINDS = /** @type {const} */ (['like', 'love', 'laugh']);
const OPTIONS = { fields: KINDS, shards: 3, flushMs: 0 };
const SHARDS = 'posts/p1/shards';

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

/** The sums of what is in the database. */
async function stored() {
  const sums = { like: 0, love: 0, laugh: 0 };
  for (const { fields } of /** @type {any[]} */ (await rest.list(SHARDS))) {
    for (const kind of KINDS) sums[kind] += Number(fields[kind]?.integerValue ?? 0);
  }
  return sums;
}

describe('increments', () => {
  test('several fields are one commit of one shard and its marker', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    await claps.increment({ love: 2, like: -1 });
    assert.equal(proxy.count('commit'), 1);
    const [shard, ...others] = /** @type {any[]} */ (await rest.list(SHARDS));
    assert.deepEqual(others, []);
    assert.deepEqual(shard.fields, { like: { integerValue: '-1' }, love: { integerValue: '2' }, laugh: { integerValue: '0' } });
    assert.equal((await rest.list('shardline_markers')).length, 1);
    assert.deepEqual((await claps.get({ source: 'shards' })).totals, { like: -1, love: 2, laugh: 0 });
    assert.equal(db.counter('posts/p1', OPTIONS), claps);
    assert.deepEqual([claps.path, claps.fields, claps.shards], ['posts/p1', KINDS, 3]);
  });

  test('those that follow within a moment share a commit, field by field', async () => {
    const claps = db.counter('posts/p1', { ...OPTIONS, flushMs: 60_000 });
    // Within a minute of an earlier commit even a lone increment would wait.
    const first = claps.increment({ like: 1 });
    await claps.flush();
    await first;
    const waits = [claps.increment({ like: 1 }), claps.increment({ love: 5, like: 2 }), claps.increment({ laugh: 7 }), claps.increment({ laugh: -7 })];
    assert.deepEqual(claps.pending, { like: 3, love: 5, laugh: 0 });
    await claps.flush();
    await Promise.all(waits);
    assert.equal(proxy.count('commit'), 2);
    assert.deepEqual([await stored(), claps.pending], [{ like: 4, love: 5, laugh: 0 }, { like: 0, love: 0, laugh: 0 }]);
  });

  test('what comes to nothing is not sent', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    await Promise.all([claps.increment({ like: 0, love: 0n }), claps.increment({ laugh: 1 }), claps.increment({ laugh: -1 })]);
    assert.equal(proxy.count('commit'), 0);
  });

  test('above maxDelta goes in several commits, each field within it', async () => {
    const claps = db.counter('posts/p1', { ...OPTIONS, maxDelta: 2 });
    await claps.increment({ like: 5, love: -3, laugh: 1 });
    assert.equal(proxy.count('commit'), 3);
    assert.deepEqual(await stored(), { like: 5, love: -3, laugh: 1 });
    await assert.rejects(claps.increment({ like: 2001 }), shardlineError('invalid-argument', /maxDelta/));
  });

  test('big and broken numbers keep what they are', async () => {
    const claps = db.counter('posts/p1', { ...OPTIONS, shards: 1 });
    await claps.increment({ like: 2n ** 60n, love: 0.5 });
    await claps.increment({ like: 1, laugh: 2 });
    const { totals } = await claps.get();
    assert.deepEqual(totals, { like: 2n ** 60n + 1n, love: 0.5, laugh: 2 });
  });

  test('names of fields may be those of every object', async () => {
    const odd = db.counter('posts/p1', { fields: ['constructor', 'toString'], shards: 1, flushMs: 60_000 });
    const waits = [odd.increment({ constructor: 1 }), odd.increment({ toString: 2 }), odd.increment({ constructor: 3 })];
    await odd.flush();
    await Promise.all(waits);
    assert.deepEqual(Object.entries((await odd.get()).totals), [['constructor', 4], ['toString', 2]]);
  });

  test('count once when requests and answers are lost', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    const random = new Random(SEED);
    const trouble = [
      [faults.dropRequest()], [faults.dropResponse()], [faults.dropResponse(), faults.unavailable()], [faults.duplicate()],
      [faults.truncate()], [faults.unavailable(), faults.dropResponse(), faults.dropResponse()], [faults.aborted(), faults.html()],
    ];
    const sums = { like: 0, love: 0, laugh: 0 };
    for (const [index, each] of trouble.entries()) {
      const amounts = { like: random.between(1, 5), love: -random.between(1, 5) };
      proxy.script(...each);
      await claps.increment(amounts);
      sums.like += amounts.like;
      sums.love += amounts.love;
      assert.deepEqual(await stored(), sums, `seed ${SEED}: ${index}`);
      assert.deepEqual((await claps.get()).totals, sums, `seed ${SEED}: ${index}`);
    }
  });

  test('what rules refuse is refused, and pending no more', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.denied() : null));
    await assert.rejects(claps.increment({ like: 1 }), shardlineError('permission-denied'));
    assert.deepEqual(claps.pending, { like: 0, love: 0, laugh: 0 });
    await assert.rejects(claps.increment({ like: 1 }, { signal: AbortSignal.abort() }), shardlineError('cancelled'));
  });
});

describe('offline', () => {
  test('increments outlive their page, and every entry of the library sends them', async () => {
    const disk = new Disk({ projectId, host: proxy.url, retry });
    for (const [round, fault] of [faults.dropRequest(), faults.dropResponse()].entries()) {
      const first = await disk.open();
      const claps = first.db.counter('posts/p1', OPTIONS);
      proxy.reset();
      proxy.choose(({ verb }) => (verb === 'commit' ? fault : null));
      claps.increment({ like: 1, love: -2 }).catch(() => {});
      await until(() => disk.rows.size === 1 && proxy.count('commit') > 0);
      first.kill();
      const second = await disk.open();
      const again = second.db.counter('posts/p1', OPTIONS);
      await until(() => again.pending.like === 1);
      assert.deepEqual(again.pending, { like: 1, love: -2, laugh: 0 });
      proxy.reset();
      await again.flush();
      assert.deepEqual([await stored(), disk.rows.size], [{ like: round + 1, love: -2 * (round + 1), laugh: 0 }, 0]);
    }
    await disk.close();
  });

  test('a warning says which amounts may be lost', async () => {
    const disk = new Disk({ projectId, host: proxy.url, retry });
    const first = await disk.open();
    losesCommits();
    first.db.counter('posts/p1', OPTIONS).increment({ like: 1, love: -1 }).catch(() => {});
    await until(() => disk.rows.size === 1);
    first.kill();
    proxy.reset();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.denied() : null));
    /** @type {string[]} */
    const warnings = [];
    const second = await disk.open({ onWarning: (/** @type {Error} */ warning) => warnings.push(warning.message) });
    await until(() => warnings.some((each) => /posts\/p1 by 1 like, -1 love /.test(each)));
    second.kill();
    await disk.close();
  });
});

describe('totals', () => {
  test('are two requests and two reads once every shard is there', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    assert.deepEqual(await claps.create(), { created: true, shards: 3 });
    assert.deepEqual(await claps.create(), { created: false, shards: 3 });
    await claps.increment({ like: 3, laugh: 1 });
    proxy.reset();
    const { totals, source, billed, pending, readTime } = await claps.get();
    assert.deepEqual({ totals, source, billed, pending }, {
      totals: { like: 3, love: 0, laugh: 1 }, source: 'sum', billed: { reads: 2, writes: 0, deletes: 0 }, pending: { like: 0, love: 0, laugh: 0 },
    });
    assert.equal(proxy.count(), 2);
    assert.ok(Date.now() - readTime.toMillis() < 60_000);
    const listed = await claps.get({ source: 'shards' });
    assert.deepEqual([listed.source, listed.totals, listed.billed.reads], ['shards', totals, 3]);
  });

  test('are right while some shards lack a field that came later', async () => {
    const old = db.counter('posts/p1', { fields: ['like', 'love'], flushMs: 0 });
    await old.create();
    await old.increment({ like: 4 });
    const claps = db.counter('posts/p1', { fields: KINDS, flushMs: 0 });
    await claps.increment({ laugh: 1, like: 1 });
    const { totals, source } = await claps.get();
    assert.deepEqual({ totals, source }, { totals: { like: 5, love: 0, laugh: 1 }, source: 'shards' });
    assert.deepEqual((await old.get()).totals, { like: 5, love: 0 });
  });

  test('are right while shards beyond their number lack a field that came later', async () => {
    const old = db.counter('posts/p1', { fields: ['like', 'love'], shards: 10, flushMs: 0 });
    await old.create();
    for (let i = 0; i < 30; i += 1) await old.increment({ like: 1 });
    // Another counter in these shards gets fewer, and the number in the document is its number, too.
    await db.counter('posts/p1', { layout: { shardCollection: 'shards', countField: 'other', shardCountField: 'num_shards' } }).resize(2);
    const claps = db.counter('posts/p1', { fields: KINDS, shards: 2, flushMs: 0 });
    for (let i = 0; i < 30; i += 1) await claps.increment({ laugh: 1 });
    for (const fields of [KINDS, ['laugh', 'like']]) {
      const { totals } = await db.counter('posts/p1', { fields }).get();
      assert.deepEqual([totals.like, totals.laugh], [30, 30]);
    }
    assert.deepEqual((await claps.publish()).totals, { like: 30, love: 0, laugh: 30 });
  });

  test('of many fields are as of one moment', async () => {
    const fields = Array.from({ length: 9 }, (_, i) => `f${i}`);
    const many = db.counter('posts/p1', { fields, shards: 2, flushMs: 0 });
    await many.create();
    await many.increment(Object.fromEntries(fields.map((field, i) => [field, i])));
    proxy.reset();
    const { totals, source, billed } = await many.get();
    assert.deepEqual(Object.values(totals), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual([source, billed.reads, proxy.count()], ['sum', 4, 4]);
  });

  test('of several counters come together', async () => {
    const paths = ['posts/p1', 'posts/p2'];
    await db.counter('posts/p2', OPTIONS).increment({ love: 2 });
    const all = await db.counters(paths, OPTIONS).getAll();
    assert.deepEqual([...all].map(([path, { totals }]) => [path, totals.love]), [['posts/p1', 0], ['posts/p2', 2]]);
  });

  test('a counter without fields, and one in other fields, do not meet', async () => {
    const plain = db.counter('posts/p1', { shards: 3, flushMs: 0 });
    await plain.create();
    const claps = db.counter('posts/p1', OPTIONS);
    await Promise.all([plain.increment(7), claps.increment({ like: 2 })]);
    assert.deepEqual([(await plain.get()).value, (await claps.get()).totals.like], [7, 2]);
    await claps.delete();
    assert.deepEqual([(await plain.get()).value, (await claps.get()).totals.like], [7, 0]);
    await plain.increment(1);
    assert.equal((await plain.get()).value, 8);
  });
});

describe('the counter', () => {
  test('gets more shards, and fewer, while it counts', async () => {
    const claps = db.counter('posts/p1', { fields: KINDS, flushMs: 0 });
    await claps.create();
    await claps.increment({ love: 1 });
    assert.deepEqual(await claps.resize(12), { shards: 12 });
    assert.deepEqual(await claps.resize(2, { atLeast: true }), { shards: 12 });
    const { totals, source } = await claps.get();
    assert.deepEqual({ totals, source }, { totals: { like: 0, love: 1, laugh: 0 }, source: 'sum' });
    const presses = Array.from({ length: 40 }, (_, i) => claps.increment({ like: 1, [i % 2 ? 'love' : 'laugh']: 2 }));
    assert.deepEqual(await claps.resize(2), { shards: 2 });
    await Promise.all(presses);
    assert.deepEqual((await claps.get()).totals, { like: 40, love: 41, laugh: 40 });
    // A press that went to a shard that was moved has made it again.
    assert.deepEqual(await claps.resize(2), { shards: 2 });
    const { totals: after, source: now } = await claps.get();
    assert.deepEqual([after, now], [{ like: 40, love: 41, laugh: 40 }, 'sum']);
    assert.deepEqual((await rest.list(SHARDS)).map(({ name }) => name.split('/').at(-1)), ['0', '1']);
    await assert.rejects(claps.resize(2, /** @type {any} */ ({ atLeast: 1 })), shardlineError('invalid-argument', /atLeast/));
  });

  test('gets fewer shards by another call after one that was interrupted', async () => {
    const claps = db.counter('posts/p1', { fields: KINDS, shards: 6, flushMs: 0 });
    await claps.create();
    for (let i = 0; i < 12; i += 1) await claps.increment({ like: 1, love: -1 });
    await claps.flush();
    // It has moved the first field.
    await db.counter('posts/p1', { layout: { shardCollection: 'shards', countField: 'like', shardCountField: 'num_shards' } }).resize(2);
    const other = db.counter('posts/p1', { fields: KINDS });
    assert.deepEqual((await other.get()).totals, { like: 12, love: -12, laugh: 0 });
    assert.deepEqual(await other.resize(2), { shards: 2 });
    const { totals, source } = await other.get();
    assert.deepEqual([totals, source], [{ like: 12, love: -12, laugh: 0 }, 'sum']);
    assert.equal((await rest.list(SHARDS)).length, 2);
  });

  test('is deleted with all of its fields', async () => {
    const claps = db.counter('posts/p1', { fields: KINDS, flushMs: 0 });
    await claps.create();
    await claps.increment({ love: 1, like: 2 });
    await claps.publish();
    await claps.delete();
    const totals = { mapValue: { fields: { like: { integerValue: '2' }, love: { integerValue: '1' }, laugh: { integerValue: '0' } } } };
    assert.deepEqual([await rest.list(SHARDS), (await rest.get('posts/p1')).fields], [[], { totals }]);
    assert.deepEqual(await rest.runQuery({ from: [{ collectionId: 'shardline_totals', allDescendants: true }] }), [], 'the note of the publication');
    await assert.rejects(claps.increment({ like: 1 }), shardlineError('not-found', /create\(\)/));
  });

  test('refuses what it cannot have, and sends nothing', async () => {
    const make = (/** @type {any} */ options) => () => db.counter('posts/p1', options);
    for (const fields of [null, [], 'like', ['a b'], ['a.b'], ['👍'], ['1st'], ['__x__'], ['like', 'like'], [1], Array.from({ length: 21 }, (_, i) => `k${i}`)]) {
      assert.throws(make({ fields }), shardlineError('invalid-argument', /fields/));
    }
    assert.throws(make({ fields: ['like', 'count'] }), shardlineError('invalid-argument', /fields.*“count”/));
    assert.throws(make({ fields: ['like', 'stars'], layout: { shardCollection: 'parts', countField: 'stars', shardCountField: null } }), shardlineError('invalid-argument', /fields.*“stars”/));
    for (const [name, value] of Object.entries({ autoResize: { max: 20 }, countField: 'like', typo: 1 })) {
      assert.throws(make({ ...OPTIONS, [name]: value }), shardlineError('invalid-argument', new RegExp(name)));
    }
    assert.throws(make({ ...OPTIONS, layout: 'extension' }), shardlineError('invalid-argument', /layout/));
    assert.throws(make({ ...OPTIONS, delivery: 'transaction' }), shardlineError('invalid-argument', /delivery/));
    assert.throws(() => db.countedSet('posts/p1', /** @type {any} */ (OPTIONS)), shardlineError('invalid-argument', /fields/));
    const claps = db.counter('posts/p1', OPTIONS);
    for (const amounts of /** @type {any[]} */ ([1, 1n, 'like', null, undefined, {}, [], new Map([['like', 1]]), ['like']])) {
      await assert.rejects(claps.increment(amounts), shardlineError('invalid-argument', /amounts/));
    }
    await assert.rejects(claps.increment(/** @type {any} */ ({ like: 1, hate: 1 })), shardlineError('invalid-argument', /like, love, laugh.*hate/));
    for (const amount of /** @type {any[]} */ (['1', NaN, null, undefined, 2n ** 63n, Infinity])) {
      await assert.rejects(claps.increment({ like: amount }), shardlineError('invalid-argument', /like/));
    }
    await assert.rejects(claps.increment({ like: 1 }, /** @type {any} */ ({ key: 'k' })), shardlineError('invalid-argument', /key/));
    assert.throws(() => db.batch().increment(/** @type {any} */ (claps), 1), shardlineError('invalid-argument', /counter/));
    assert.throws(() => claps.watch(() => {}, /** @type {any} */ ({ maxAgeMs: 5 })), shardlineError('invalid-argument', /maxAgeMs/));
    assert.throws(() => /** @type {any} */ (claps).add('ann'), shardlineError('unimplemented', /reactions/));
    const counters = await connectCounters({ projectId, host: proxy.url, storage: 'memory' });
    assert.throws(() => counters.counter('posts/p1', /** @type {any} */ (OPTIONS)), shardlineError('invalid-argument', /fields.*shardline\/firebase/s));
    await counters.close();
    assert.equal(proxy.count(), 0);
  });

  test('counts in every layout, and with one write', async () => {
    for (const [path, layout, collection] of /** @type {const} */ ([
      ['posts/p3', 'mobile-sample', 'posts/p3/shards'], ['posts/p4', 'go-sample', 'posts/p4/shards'], ['claps', 'collection', 'claps'],
      ['posts/p5', { shardCollection: 'parts', countField: 'n', shardCountField: 'size' }, 'posts/p5/parts'],
    ])) {
      const claps = db.counter(path, { fields: KINDS, shards: 2, flushMs: 0, layout, delivery: 'at-least-once' });
      await claps.create();
      await claps.increment({ love: 3 });
      assert.equal((await claps.get()).totals.love, 3);
      assert.equal((await rest.list(collection)).length, 2);
    }
    assert.equal((await rest.list('shardline_markers')).length, 0);
  });
});

describe('publish()', () => {
  const name = { stringValue: 'Shard' };
  const fieldsOf = async (/** @type {string} */ path) => (await rest.get(path)).fields;
  const mapOf = (/** @type {{[kind: string]: number}} */ counts) => (
    { mapValue: { fields: Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, { integerValue: `${count}` }])) } });

  test('writes all totals into a field by which lists are sorted', async () => {
    for (const [id, love] of /** @type {const} */ ([['q1', 1], ['q2', 5], ['q3', 3]])) {
      await rest.set(`posts/${id}`, { name });
      const claps = db.counter(`posts/${id}`, { ...OPTIONS, shards: 1 });
      await claps.increment({ love, like: -1 });
      const { totals, source, billed } = await claps.publish({ field: 'stats.claps' });
      assert.deepEqual({ totals, source, billed }, { totals: { like: -1, love, laugh: 0 }, source: 'sum', billed: { reads: 3, writes: 2, deletes: 0 } });
    }
    assert.deepEqual(await fieldsOf('posts/q2'), { name, stats: { mapValue: { fields: { claps: mapOf({ like: -1, love: 5, laugh: 0 }) } } } });
    const sorted = await rest.runQuery({ from: [{ collectionId: 'posts' }], orderBy: [{ field: { fieldPath: 'stats.claps.love' }, direction: 'DESCENDING' }] });
    assert.deepEqual(sorted.map((document) => document.name.split('/').at(-1)), ['q2', 'q3', 'q1']);
  });

  test('leaves out no shard, whether or not the caller says how many there are', async () => {
    await rest.set('posts/p1', { name, ['num_shards']: { integerValue: '2' } });
    const before = db.counter('posts/p1', { fields: ['like'], flushMs: 0 });
    await before.create();
    // Its shard lacks the new fields, and the only shard with all of them is another one.
    await rest.set(`${SHARDS}/1`, { like: { integerValue: '4' } });
    await rest.set(`${SHARDS}/0`, { like: { integerValue: '7' }, love: { integerValue: '1' }, laugh: { integerValue: '0' } });
    const other = (await before.get({ source: 'shards' })).totals.like;
    assert.equal(other, 11);
    const fresh = await connect({ projectId, host: stage.emulator.url, storage: 'memory', retry });
    for (const options of [{ fields: KINDS }, { fields: KINDS, shards: 2 }, { fields: [...KINDS, 'sad', 'wow'], shards: 2 }]) {
      const { totals, source } = await fresh.counter('posts/p1', options).publish();
      assert.deepEqual([totals.like, totals.love, source], [other, 1, 'shards'], JSON.stringify(options));
    }
    assert.deepEqual((await fieldsOf('posts/p1')).totals, mapOf({ like: Number(other), love: 1, laugh: 0, sad: 0, wow: 0 }));
    await fresh.close();
  });

  test('whatever is lost, and whoever publishes at the same time; the plain counter of the place publishes by itself', async () => {
    await rest.set('posts/p1', { name });
    const claps = db.counter('posts/p1', OPTIONS);
    await claps.increment({ love: 4 });
    const trouble = [faults.dropResponse(), faults.dropRequest(), faults.aborted(), faults.duplicate()];
    proxy.choose(({ body }) => (body.includes('/published') ? trouble.shift() ?? null : null));
    const published = await Promise.all([claps.publish(), claps.publish(), claps.publish()]);
    assert.deepEqual(published.map(({ totals }) => totals.love), [4, 4, 4]);
    assert.deepEqual([await fieldsOf('posts/p1'), trouble.length], [{ name, totals: mapOf({ like: 0, love: 4, laugh: 0 }) }, 0]);
    const plain = db.counter('posts/p1', { shards: 3, flushMs: 0, publish: { field: 'likes', everyMs: 1000 } });
    await plain.increment(9);
    await until(async () => (await fieldsOf('posts/p1')).likes?.integerValue === '9');
    assert.deepEqual((await fieldsOf('posts/p1')).totals, mapOf({ like: 0, love: 4, laugh: 0 }));
  });

  test('is never replaced by the first one, which comes late, although another counter in the same shards is deleted meanwhile', async () => {
    await rest.set('posts/p1', { name });
    const [claps, votes] = [['like', 'love'], ['up', 'down']].map((fields) => db.counter('posts/p1', { fields, shards: 1, flushMs: 0 }));
    await claps?.increment({ like: 1 });
    await votes?.increment({ up: 1 });
    let release = () => {};
    const released = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    /** @type {import('./support/fault_proxy.js').SeenRequest | undefined} */
    let held;
    proxy.choose((request) => {
      if (held || request.verb !== 'commit' || !request.body.includes('/published')) return null;
      held = request;
      return faults.hold(released);
    });
    const patient = await connect({ projectId, host: proxy.url, storage: 'memory', retry: { ...retry, timeoutMs: 60_000 } });
    const first = patient.counter('posts/p1', { fields: ['up', 'down'], shards: 1 }).publish({ field: 'votes' });
    await until(() => held !== undefined);
    await votes?.increment({ up: 1 });
    await votes?.publish({ field: 'votes' });
    await claps?.delete();
    release();
    assert.equal((await first).totals.up, 2, 'it was read again');
    assert.ok(held && held.status !== null && held.status >= 400, `the older one was answered with ${held?.status}`);
    await patient.close();
    assert.deepEqual((await fieldsOf('posts/p1')).votes, mapOf({ up: 2, down: 0 }));
  });

  test('refuses fields that cannot be, and needs the document', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    for (const options of /** @type {any[]} */ ([{ field: '' }, { field: 'a..b' }, { field: 5 }, { field: '__name__' }, { field: 'num_shards' }, { totals: 'x' }, 'totals'])) {
      await assert.rejects(claps.publish(options), shardlineError('invalid-argument'), JSON.stringify(options));
    }
    for (const field of ['num_shards', 'num_shards.n']) await assert.rejects(claps.publish({ field }), shardlineError('invalid-argument', /^The option `field` must name another field/));
    await assert.rejects(db.counter('claps', { ...OPTIONS, layout: 'collection' }).publish(), shardlineError('invalid-argument', /^The option `field` needs a layout/));
    assert.equal(proxy.count(), 0);
    await assert.rejects(claps.publish(), shardlineError('not-found', /write it first\.$/));
    assert.equal(await rest.get('posts/p1'), null);
  });
});

describe('the option publish', () => {
  const publish = { field: 'totals', everyMs: 60_000 };
  const open = (/** @type {object} */ more = {}) => connect({ projectId, host: proxy.url, storage: 'memory', retry, ...more });
  const shown = async (/** @type {string} */ field = 'totals') => {
    const map = (await rest.get('posts/p1')).fields[field]?.mapValue.fields ?? {};
    return Object.fromEntries(Object.entries(map).map(([kind, { integerValue }]) => [kind, Number(integerValue)]));
  };
  const publications = () => proxy.requests.filter(({ body }) => body.includes('/published'));
  const written = () => publications().filter(({ verb, status }) => verb === 'commit' && status === 200).length;
  beforeEach(() => rest.set('posts/p1', { title: { stringValue: 'T' } }));

  test('writes all totals after a page has counted, once in such a time among all pages, and at the latest when the database is closed', async () => {
    const dbs = await Promise.all([open(), open()]);
    const [one, other] = dbs.map((each) => each.counter('posts/p1', { ...OPTIONS, publish }));
    await Promise.all([one?.increment({ like: 2 }), other?.increment({ like: 2 })]);
    for (let i = 0; i < 3; i += 1) await one?.increment({ love: 1 });
    await Promise.all(dbs.map((each) => each.close()));
    assert.equal(written(), 1);
    // As many as had been counted when they were added up.
    const { like = 0, love = 0, laugh } = await shown();
    assert.ok(like >= 2 && like <= 4 && love <= 3 && laugh === 0, JSON.stringify({ like, love, laugh }));
    const late = await open();
    await late.counter('posts/p1', { ...OPTIONS, publish }).increment({ laugh: 1 });
    await late.close();
    assert.deepEqual([written(), (await shown()).laugh], [1, 0], 'others have published lately');
  });

  test('goes on when others count, whatever is lost', async () => {
    const mine = await open();
    const claps = mine.counter('posts/p1', { ...OPTIONS, publish: { ...publish, everyMs: 1000 } });
    const trouble = [faults.dropRequest(), faults.dropResponse(), faults.aborted()];
    proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('/published') ? trouble.shift() ?? null : null));
    await claps.increment({ like: 1 });
    await until(async () => (await shown()).like === 1);
    await db.counter('posts/p1', OPTIONS).increment({ love: 4 });
    await claps.increment({ like: 1, love: -1 });
    await until(async () => {
      const { like, love } = await shown();
      return like === 2 && love === 3;
    });
    await mine.close();
    assert.equal(trouble.length, 0);
  });

  test('two counters in the same shards do not delay each other, and delete() takes the note of its own', async () => {
    const mine = await open();
    const claps = mine.counter('posts/p1', { ...OPTIONS, publish });
    const votes = mine.counter('posts/p1', { fields: ['up'], shards: 3, flushMs: 0, publish: { ...publish, field: 'votes' } });
    await claps.increment({ like: 1 });
    await until(async () => (await shown()).like === 1);
    await votes.increment({ up: 1 });
    await until(async () => (await shown('votes')).up === 1);
    await claps.delete();
    const notes = await rest.runQuery({ from: [{ collectionId: 'shardline_totals', allDescendants: true }] });
    assert.deepEqual(notes.map((note) => note.name.split('/').at(-3)), ['shards.shardline_fields.up']);
    await votes.delete();
    assert.deepEqual(await rest.runQuery({ from: [{ collectionId: 'shardline_totals', allDescendants: true }] }), []);
    await mine.close();
  });

  test('warns once while it cannot publish, and counting goes on', async () => {
    await fetch(`${stage.emulator.url}/v1/${rest.name('posts/p1')}`, { method: 'DELETE' });
    /** @type {import('shardline').ShardlineError[]} */
    const warnings = [];
    const mine = await open({ onWarning: (/** @type {import('shardline').ShardlineError} */ warning) => warnings.push(warning) });
    const claps = mine.counter('posts/p1', { ...OPTIONS, layout: 'node-sample', publish: { ...publish, everyMs: 1000 } });
    await claps.increment({ like: 1 });
    await until(() => warnings.length === 1);
    await claps.increment({ like: 1 });
    await mine.close();
    assert.deepEqual(warnings.map(({ code }) => code), ['not-found']);
    assert.match(warnings[0]?.message ?? '', /could not be published \(posts\/p1, totals\)/);
    assert.equal((await stored()).like, 2);
  });

  test('an increment that is refused publishes nothing', async () => {
    const mine = await open({ onWarning: () => {} });
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.denied() : null));
    await assert.rejects(mine.counter('posts/p1', { ...OPTIONS, publish }).increment({ like: 1 }), shardlineError('permission-denied'));
    await mine.close();
    assert.deepEqual(publications(), []);
  });

  test('is refused if it cannot be', () => {
    for (const bad of /** @type {any[]} */ ([null, 1, 'totals', {}, { field: '' }, { field: 7 }, { field: 'a..b' }, { field: 'num_shards' }, { field: 'totals', everyMs: 999 },
      { field: 'totals', everyMs: 1e9 }, { field: 'totals', everyMs: 1500.5 }, { field: 'totals', every: 5000 }])) {
      assert.throws(() => db.counter('posts/p1', { ...OPTIONS, publish: bad }), shardlineError('invalid-argument'), JSON.stringify(bad));
      assert.throws(() => db.counters(['posts/p1'], { ...OPTIONS, publish: bad }), shardlineError('invalid-argument'), JSON.stringify(bad));
    }
    assert.throws(() => db.counter('claps', { ...OPTIONS, layout: 'collection', publish }), shardlineError('invalid-argument', /path is a document/));
    assert.equal(proxy.count(), 0);
  });
});

describe('watch()', () => {
  test('shows own increments at once, and those of others', async () => {
    const claps = db.counter('posts/p1', OPTIONS);
    await claps.create();
    /** @type {import('shardline').LiveFields<typeof KINDS[number]>[]} */
    const told = [];
    const stop = claps.watch((live) => told.push(live), { intervalMs: 20 });
    await until(() => told.at(-1)?.state === 'live');
    losesCommits();
    const wait = claps.increment({ like: 1, love: -1 });
    assert.deepEqual([told.at(-1)?.totals, told.at(-1)?.pending], [{ like: 1, love: -1, laugh: 0 }, { like: 1, love: -1, laugh: 0 }]);
    proxy.reset();
    await wait;
    const other = await connect({ projectId, host: stage.emulator.url, storage: 'memory', retry });
    await other.counter('posts/p1', OPTIONS).increment({ laugh: 5 });
    await until(() => told.at(-1)?.totals?.laugh === 5);
    stop();
    for (const { totals, state } of told) {
      assert.ok(totals === undefined ? state === 'loading' : totals.like >= 0 && totals.like <= 1 && totals.love === -totals.like, JSON.stringify(totals));
    }
    assert.deepEqual(told.at(-1)?.reading?.totals, { like: 1, love: -1, laugh: 5 });
    await other.close();
  });

  test('never shows less or more while answers are lost', async () => {
    const claps = db.counter('posts/p2', OPTIONS);
    await claps.create();
    let sum = 0;
    /** @type {number[]} */
    const seen = [];
    const stop = claps.watch(({ totals }) => totals && seen.push(Number(totals.like)), { intervalMs: 5 });
    await until(() => seen.length > 0);
    for (const fault of [faults.dropResponse(), faults.dropRequest(), faults.duplicate(), faults.unavailable()]) {
      proxy.choose(({ verb }) => (verb === 'commit' ? fault : null));
      const wait = claps.increment({ like: 1, laugh: 2 });
      sum += 1;
      assert.equal(seen.at(-1), sum);
      await proxy.arrived(1, 'commit');
      proxy.reset();
      await wait;
      await claps.get();
      assert.equal(seen.at(-1), sum);
    }
    stop();
    assert.deepEqual(seen, [...seen].sort((one, other) => one - other));
  });

  test('is a store, and a loop', async () => {
    const claps = db.counter('posts/p3', OPTIONS);
    await claps.create();
    const stop = claps.subscribe(() => {});
    await until(() => claps.getSnapshot().state === 'live');
    assert.equal(claps.getSnapshot(), claps.getSnapshot());
    await claps.increment({ love: 1 });
    assert.equal(claps.getSnapshot().totals?.love, 1);
    stop();
    for await (const { totals } of claps.watch({ intervalMs: 10 })) {
      if (totals?.love === 1) break;
    }
  });
});
