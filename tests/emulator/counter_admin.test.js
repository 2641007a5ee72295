/** Roll-ups, resizing and deleting of counters, on the embedded Firestore and on Google's emulator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { runDialect } from './support/dialect_front.js';
import { openDatabase } from './support/database.js';
import { freshFetch } from './support/fresh_fetch.js';
import { shardlineError } from './support/shardline_error.js';

/** @typedef {import('shardline').Database} Database */

const retry = { maxAttempts: 8, initialDelayMs: 1, maxDelayMs: 20, timeoutMs: 5000 };

/** @param {number} length @param {(index: number) => any} make */
const times = (length, make) => Promise.all(Array.from({ length }, (_, index) => make(index)));

/**
 * Writes a document past the library.
 * @param {(url: string, init: {method: string, headers: Record<string, string>, body: string}) => Promise<Response>} fetch @param {string} host @param {string} projectId
 */
const putWith = (fetch, host, projectId) => async (/** @type {string} */ path, /** @type {object} */ fields) => {
  const name = `projects/${projectId}/databases/(default)/documents/${path}`;
  const response = await fetch(`${host}/v1/projects/${projectId}/databases/(default)/documents:commit`, {
    method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify({ writes: [{ update: { name, fields } }] }),
  });
  assert.equal(response.status, 200, await response.text());
};

/**
 * @typedef {object} Backend
 * @property {(options?: object) => Promise<Database>} open
 * @property {(path: string, fields: object) => Promise<void>} put
 * @property {() => Promise<void>} stop
 *
 * @param {() => Promise<Backend>} start
 */
function suite(start) {
  /** @type {Awaited<ReturnType<typeof start>>} */
  let backend;
  /** @type {Database} */
  let db;
  let names = 0;
  const freshPath = () => `counters/c${(names += 1)}`;
  /** @param {string} path @param {object} [options] */
  const counterAt = (path, options) => db.counter(path, { flushMs: 0, ...options });
  before(async () => {
    backend = await start();
    db = await backend.open();
  });
  after(async () => {
    await db.close();
    await backend.stop();
  });

  test('maxAgeMs: one read while it is young, and its age is told', async () => {
    const likes = counterAt(freshPath());
    await likes.create();
    await likes.increment(5);
    const first = await likes.get({ maxAgeMs: 60_000 });
    assert.deepEqual([first.value, first.source, first.billed], [5, 'sum', { reads: 2, writes: 1, deletes: 0 }]);
    await likes.increment(2);
    const second = await likes.get({ maxAgeMs: 60_000 });
    assert.deepEqual([second.value, second.source, second.billed], [5, 'shared', { reads: 1, writes: 0, deletes: 0 }]);
    assert.ok(/** @type {number} */ (second.ageMs) >= 0 && /** @type {number} */ (second.ageMs) <= 60_000);
    assert.deepEqual(second.readTime, first.readTime);
    assert.equal((await likes.get({ maxAgeMs: 0 })).value, 7);
    assert.equal((await likes.get()).shards, 10);
    for (const maxAgeMs of [-1, 0.5, '5', NaN]) {
      await assert.rejects(likes.get(/** @type {any} */ ({ maxAgeMs })), shardlineError('invalid-argument', /maxAgeMs/));
    }
    await assert.rejects(likes.get({ maxAgeMs: 5, source: 'sum' }), shardlineError('invalid-argument', /source/));
  });

  test('maxAgeMs: of many who come at once, one writes', async () => {
    const path = freshPath();
    await counterAt(path).create();
    const readings = await times(30, () => counterAt(path).get({ maxAgeMs: 60_000 }));
    assert.equal(readings.reduce((sum, { billed }) => sum + billed.writes, 0), 1);
  });

  test('resize up and down while others count', async () => {
    const path = freshPath();
    await counterAt(path, { shards: 4 }).create();
    let counted = 0;
    let going = true;
    const counting = times(4, async (i) => {
      // They know the number of shards of their own time.
      const likes = counterAt(path, { shards: [4, 12, 2, 30][i], flushMs: 0 });
      while (going) {
        await likes.increment(1 + i);
        counted += 1 + i;
      }
    });
    try {
      for (const shards of [12, 2, 30, 3]) {
        const result = await counterAt(path).resize(shards);
        assert.equal(result.shards, shards);
      }
    } finally {
      going = false;
    }
    await counting;
    const likes = counterAt(path);
    assert.equal((await likes.get()).value, counted);
    await likes.resize(3);
    const { value, shards } = await likes.get({ source: 'shards' });
    assert.deepEqual([value, shards], [counted, 3]);
  });

  test('resize refuses what makes no sense', async () => {
    for (const shards of [0, -1, 10_001, 2.5, '3', null]) {
      await assert.rejects(counterAt(freshPath()).resize(/** @type {any} */ (shards)), shardlineError('invalid-argument'));
    }
    await assert.rejects(counterAt(freshPath()).resize(3), shardlineError('not-found', /create\(\)/));
  });

  test('delete leaves nothing, and is no error twice', async () => {
    const path = freshPath();
    const likes = counterAt(path, { shards: 3 });
    await likes.create();
    await likes.increment();
    await likes.get({ maxAgeMs: 0 });
    assert.deepEqual(await likes.delete(), { deleted: 5 });
    assert.deepEqual([(await likes.get()).value, (await likes.get()).shards], [0, 0]);
    await likes.delete();
    assert.equal((await likes.create()).created, true);
    assert.equal((await likes.get({ maxAgeMs: 60_000 })).source, 'sum');
  });

  test('resize to at least so many never shrinks', async () => {
    const path = freshPath();
    await counterAt(path, { shards: 12 }).create();
    const late = counterAt(path, { shards: 2 });
    assert.deepEqual(await late.resize(5, { atLeast: true }), { shards: 12, folded: 0 });
    assert.equal(late.shards, 12);
    const grown = await times(4, (i) => counterAt(path).resize(13 + i, { atLeast: true }));
    assert.ok(grown.every(({ shards }, i) => shards >= 13 + i && shards <= 16));
    assert.equal((await counterAt(path).get()).shards, 16);
    await assert.rejects(late.resize(5, /** @type {any} */ ({ atLeast: 1 })), shardlineError('invalid-argument', /atLeast/));
  });

  test('counters that share their shards leave each other alone', async () => {
    const path = freshPath();
    for (const fields of [['likes', 'views'], ['stats.likes', 'stats.views']]) {
      const [likes, views] = fields.map((countField) => counterAt(`${path}${fields[0]}`, {
        layout: { shardCollection: 'shards', countField, shardCountField: 'num_shards' }, shards: 6,
      }));
      assert.deepEqual(await likes.create(), { created: true, shards: 6 });
      assert.deepEqual(await views.create(), { created: false, shards: 6 });
      for (let i = 0; i < 10; i += 1) await Promise.all([likes.increment(1), views.increment(3)]);
      assert.equal((await likes.resize(2)).shards, 2);
      assert.deepEqual([(await likes.get()).value, (await views.get()).value], [10, 30]);
      await likes.delete();
      assert.deepEqual([(await likes.get()).value, (await views.get()).value], [0, 30]);
      const { perShard } = await views.get({ source: 'shards' });
      const surplus = Object.keys(perShard ?? {}).filter((shard) => Number(shard) >= 3);
      assert.deepEqual(await views.resize(3), { shards: 3, folded: surplus.length });
      await views.delete();
      assert.equal((await views.get()).shards, 0);
      assert.deepEqual(await views.create(), { created: true, shards: 6 });
    }
  });

  test('cleanUp deletes what has expired, and nothing else', async () => {
    const path = freshPath();
    const likes = counterAt(path, { shards: 2 });
    await likes.create();
    await likes.increment(1, { key: 'event' });
    const keys = 'shardline/shards.count/shardline_keys';
    const now = Date.now();
    const day = 24 * 3600 * 1000;
    const put = (/** @type {string} */ id, /** @type {object} */ fields) => backend.put(`${path}/${keys}/${id}`, fields);
    const key = (/** @type {number} */ days) => ({ applied: { booleanValue: true }, expireAt: { timestampValue: new Date(now + days * day).toISOString() } });
    await put('old', key(-50));
    await put('older', key(-100));
    await put('alive', key(20));
    await put('note', { text: { stringValue: 'mine' } });
    assert.deepEqual(await likes.cleanUp({ olderThan: now - 80 * day }), { deleted: 1, billed: { reads: 5, writes: 0, deletes: 1 } });
    assert.deepEqual(await likes.cleanUp({ olderThan: new Date(now + 365 * day) }), { deleted: 1, billed: { reads: 4, writes: 0, deletes: 1 } });
    assert.deepEqual(await likes.cleanUp({ olderThan: Timestamp.fromMillis(now) }), { deleted: 0, billed: { reads: 3, writes: 0, deletes: 0 } });
    assert.equal((await likes.cleanUp()).deleted, 0);
    assert.equal((await likes.get()).value, 1);
    for (const olderThan of [null, 'yesterday', NaN, Infinity, 1e20, new Date(NaN), {}, 5n, true]) {
      await assert.rejects(likes.cleanUp(/** @type {any} */ ({ olderThan })), shardlineError('invalid-argument', /olderThan/));
    }
  });

  test('db.cleanUp deletes the markers of all counters that have expired', async () => {
    const now = Date.now();
    const put = (/** @type {string} */ id, /** @type {number} */ ms) => (
      backend.put(`shardline_markers/${id.padEnd(20, 'x')}`, { applied: { booleanValue: true }, expireAt: { timestampValue: new Date(now + ms).toISOString() } }));
    await put('old', -3_600_000);
    await put('older', -7_200_000);
    await put('alive', 60_000);
    assert.equal((await db.cleanUp({ olderThan: now - 5_000_000 })).deleted, 1);
    assert.equal((await db.cleanUp()).deleted, 1);
    assert.deepEqual(await db.cleanUp(), { deleted: 0, billed: { reads: 1, writes: 0, deletes: 0 } });
    for (const olderThan of [null, 'yesterday', NaN]) {
      await assert.rejects(db.cleanUp(/** @type {any} */ ({ olderThan })), shardlineError('invalid-argument', /olderThan/));
    }
  });

  test('options are no arguments, and arguments no options', async () => {
    const likes = counterAt(freshPath(), { shards: 2 });
    await likes.create();
    const elsewhere = { path: 'counters/elsewhere' };
    const calls = /** @type {const} */ (['create', 'flush', 'stats', 'delete', 'migrate', 'get', 'cleanUp']);
    for (const options of [{ counter: elsewhere }, { shards: 5 }, { path: 'counters/x' }, null, 5, 'keep', { signal: 5 }]) {
      for (const call of calls) {
        await assert.rejects(likes[call](/** @type {any} */ (options)), shardlineError('invalid-argument'), `${call} ${JSON.stringify(options)}`);
      }
      await assert.rejects(likes.resize(3, /** @type {any} */ (options)), shardlineError('invalid-argument'));
      await assert.rejects(likes.increment(3, /** @type {any} */ (options)), shardlineError('invalid-argument'));
    }
    for (const shards of [5n, {}, [3], undefined]) {
      await assert.rejects(likes.resize(/** @type {any} */ (shards)), shardlineError('invalid-argument'));
    }
    assert.throws(() => counterAt(freshPath(), { path: 'counters/x' }), shardlineError('invalid-argument', /A counter has no option “path”/));
    await assert.rejects(likes.delete(/** @type {any} */ ({ deep: true })), shardlineError('invalid-argument', /delete\(\) has no option “deep”, only signal\./));
    assert.deepEqual([(await likes.get()).value, (await likes.get()).shards], [0, 2]);
    await likes.delete({ signal: undefined });
  });

  test('many totals at once, and what each shard holds', async () => {
    const paths = [freshPath(), freshPath(), freshPath()];
    for (const [i, path] of paths.entries()) {
      await counterAt(path, { shards: 2 }).create();
      await counterAt(path).increment(i * 10);
    }
    const all = await db.counters([...paths, paths[0]]).getAll();
    assert.deepEqual([...all].map(([path, { value }]) => [path, value]), [[paths[0], 0], [paths[1], 10], [paths[2], 20]]);
    const { perShard, suggestedShards } = await counterAt(paths[2]).stats();
    assert.deepEqual(Object.values(perShard).sort(), [0, 20]);
    assert.equal(suggestedShards, 2);
    await assert.rejects(db.counters(paths).getAll(/** @type {any} */ ({ source: 'x' })), shardlineError('invalid-argument'));
  });
}

describe('the embedded Firestore', () => suite(async () => {
  const simulator = await (await openWorkbench()).createEmbeddedFirestore({ ...runDialect(), limits: 'none', latencyMs: [0, 2] });
  return {
    open: (options) => connect({ projectId: 'demo', fetch: simulator.fetch, retry, ...options }),
    put: putWith(simulator.fetch, 'https://firestore.googleapis.com', 'demo'),
    stop: async () => simulator.close(),
  };
}));

describe('Google’s emulator', () => suite(async () => {
  const emulator = await openDatabase();
  return {
    open: (options) => connect({ projectId: emulator.projectId, host: emulator.url, retry, ...options }),
    put: putWith(freshFetch, emulator.url, emulator.projectId),
    stop: () => emulator.stop(),
  };
}));
