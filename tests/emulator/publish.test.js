/** Published totals, against Google's emulator. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { connect, ShardlineError } from 'shardline';
import { faults } from './support/fault_proxy.js';
import { startStage } from './support/stage.js';
import { until } from './support/until.js';

const stage = await startStage();
const { projectId, proxy, rest } = stage;

after(() => stage.stop());
beforeEach(() => stage.reset());

/** @param {object} [more] */
const open = (more) => connect({ projectId, host: proxy.url, storage: 'memory', retry: { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 5 }, ...more });

const likesOf = async () => (await rest.get('posts/p1')).fields.likes?.integerValue;
const commits = () => proxy.requests.filter(({ verb, body }) => verb === 'commit' && body.includes('/published')).length;

/** Resolves when the document says so. @param {string} value */
async function shows(value) {
  await until(async () => await likesOf() === value);
}

test('what cannot be published is told once for each counter, and again when it has worked meanwhile', async () => {
  const warnings = /** @type {ShardlineError[]} */ ([]);
  const db = await open({ onWarning: (/** @type {ShardlineError} */ warning) => warnings.push(warning) });
  const publish = { field: 'likes', everyMs: 1000 };
  const [first, second] = ['posts/p1', 'posts/p2'].map((path) => db.counter(path, { layout: 'node-sample', shards: 2, flushMs: 0, publish }));
  await first?.increment();
  await until(() => warnings.length === 1);
  await second?.increment();
  await until(() => warnings.length === 2);
  assert.deepEqual(warnings.map(({ message }) => /posts\/p\d, likes/.exec(message)?.[0]), ['posts/p1, likes', 'posts/p2, likes']);
  await rest.set('posts/p1', { likes: { integerValue: '0' } });
  await first?.increment();
  await shows('2');
  await fetch(`${stage.emulator.url}/v1/projects/${projectId}/databases/(default)/documents/posts/p1`, { method: 'DELETE' });
  await first?.increment();
  await until(() => warnings.length === 3);
  await db.close();
});

test('a total is in the document, for lists that are sorted by it, and goes on when others count', async () => {
  const dbs = await Promise.all([open(), open(), open()]);
  const publish = { field: 'likes', everyMs: 1000 };
  const counters = dbs.map((db) => db.counter('posts/p1', { shards: 3, flushMs: 0, publish }));
  await counters[0].create();
  await rest.set('posts/p0', { likes: { integerValue: '2' } });
  await Promise.all(counters.map((counter) => counter.increment(3)));
  await shows('9');
  await counters[1].increment(-8);
  await dbs[2].countedSet('posts/p1', { shards: 3, flushMs: 0, publish }).add('ann');
  await shows('2');
  await counters[2].increment();
  await shows('3');
  const [first] = await rest.runQuery({ from: [{ collectionId: 'posts' }], orderBy: [{ field: { fieldPath: 'likes' }, direction: 'DESCENDING' }] });
  assert.equal(first.name.split('/').at(-1), 'p1');
  assert.equal((await rest.get('posts/p1')).fields.num_shards.integerValue, '3');
  await Promise.all(dbs.map((db) => db.close()));
  await counters[0].delete().catch(() => {});
});

test('not more than once in such a time, and at the latest when the database is closed', async () => {
  const db = await open();
  const likes = db.counter('posts/p1', { shards: 2, flushMs: 0, publish: { field: 'likes', everyMs: 60_000 } });
  await likes.create();
  // The page asks for the same counter again and again.
  for (let time = 0; time < 5; ++time) await db.counter('posts/p1', { flushMs: 0, publish: { field: 'likes', everyMs: 60_000 } }).increment();
  await likes.increment();
  await db.close();
  assert.equal(commits(), 1);
  // As many as had been counted when it was added up.
  const shown = await likesOf();
  assert.ok(Number(shown) >= 1 && Number(shown) <= 6, shown);
  const other = await open();
  await other.counter('posts/p1', { flushMs: 0, publish: { field: 'likes', everyMs: 60_000 } }).increment();
  await other.close();
  assert.equal(commits(), 1, 'others have published lately');
  assert.equal(await likesOf(), shown);
});

test('what is lost is published by the next', async () => {
  const db = await open();
  const likes = db.counter('posts/p1', { shards: 2, flushMs: 0, publish: { field: 'likes', everyMs: 1000 } });
  await likes.create();
  let lost = 0;
  proxy.choose(({ body }) => (body.includes('/published') && ++lost <= 3 ? [faults.dropRequest(), faults.dropResponse(), faults.aborted()][lost - 1] : null));
  await likes.increment(4);
  await shows('4');
  await db.close();
  assert.ok(lost > 1);
});

test('where it cannot be written counting goes on, with a word of warning', async () => {
  /** @type {ShardlineError[]} */
  const warnings = [];
  const db = await open({ onWarning: (/** @type {ShardlineError} */ warning) => warnings.push(warning) });
  // There is no document to write to.
  const likes = db.counter('posts/p1', { layout: 'node-sample', shards: 2, flushMs: 0, publish: { field: 'likes', everyMs: 1000 } });
  await likes.increment();
  await likes.increment();
  await db.close();
  assert.deepEqual(warnings.map(({ code }) => code), ['not-found']);
  assert.match(warnings[0]?.message ?? '', /could not be published/);
});

test('delete() takes along what was kept for it, and leaves the field', async () => {
  const db = await open();
  const likes = db.counter('posts/p1', { shards: 2, flushMs: 0, publish: { field: 'likes', everyMs: 1000 } });
  await likes.create();
  await likes.increment();
  await shows('1');
  await likes.delete();
  assert.deepEqual(await rest.list('posts/p1/shardline/shards.count/shardline_totals'), []);
  assert.deepEqual((await rest.get('posts/p1')).fields, { likes: { integerValue: '1' } });
  await db.close();
});

test('options that cannot be are refused', async () => {
  const db = await open();
  for (const publish of /** @type {any[]} */ ([null, 1, 'likes', {}, { field: '' }, { field: 7 }, { field: 'a..b' }, { field: 'num_shards' }, { field: 'likes', everyMs: 999 },
    { field: 'likes', everyMs: 1e9 }, { field: 'likes', everyMs: 1500.5 }, { field: 'likes', everyMs: 2000n }])) {
    assert.throws(() => db.counter('posts/p1', { publish }), (error) => error instanceof ShardlineError && error.code === 'invalid-argument');
  }
  assert.throws(() => db.counter('likes', { layout: 'collection', shards: 3, publish: { field: 'likes' } }), /path is a document/);
  assert.equal(proxy.count(), 0);
  await db.close();
});
