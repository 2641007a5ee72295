/**
 * Pages that have learnt how many shards a counter has, and others that resize it meanwhile: under rules which refuse shards that are
 * not there, on Google's emulator.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { connect } from 'shardline';
import { KnownShards } from '../../web/library/known_shards.js';
import { faults } from './support/fault_proxy.js';
import { loadRules } from './support/rules_world.js';
import { startStage } from './support/stage.js';

/** Everybody may do everything but make a shard. */
const RULES = `
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /shardline_markers/{id} { allow read, write; }
    match /posts/{post} { allow read, write; }
    match /posts/{post}/{collection}/{id} {
      allow read, update, delete;
      allow create: if collection != 'shards';
    }
    match /posts/{post}/{collection}/{id}/{below}/{rest=**} { allow read, write; }
    match /closed/{rest=**} { allow read; }
  }
}`;
const MANY = 50;
const FEW = 2;

const stage = await startStage();
const { emulator, proxy } = stage;

let projectId = '';
/** @type {import('shardline').Database} */
let admin;
/** @type {import('shardline').Database} */
let page;

/** @param {Partial<import('shardline').ConnectOptions>} [options] */
const open = (options) => connect({ projectId, host: proxy.url, storage: 'memory', retry: { initialDelayMs: 1, maxDelayMs: 20 }, ...options });

before(async () => {
  const loaded = await loadRules(emulator.url, RULES);
  assert.equal(loaded.problem, '');
  projectId = loaded.projectId;
  admin = await open({ authToken: () => 'owner' });
  page = await open();
});
beforeEach(() => proxy.reset());
after(async () => {
  await Promise.all([page.close(), admin.close()]);
  await stage.stop();
});

let names = 0;
const freshPath = () => `posts/k${(names += 1)}`;

/** The number of requests for the number of shards. */
const asked = () => proxy.requests.filter(({ verb, body }) => verb === 'batchGet' && body.includes('num_shards')).length;

/** @param {string} path */
const totalOf = async (path) => (await admin.counter(path).get()).value;

/** @typedef {import('shardline').Counter} Counter */

/** @param {Counter} counter */
function batched(counter) {
  const batch = page.batch();
  batch.increment(counter);
  return batch.commit();
}

/** @type {{[how: string]: {options?: import('shardline').CounterOptions, count: (counter: Counter, i: number) => Promise<unknown>}}} */
const WAYS = {
  'increment()': { count: (counter) => counter.increment() },
  'increment() without a marker': { options: { delivery: 'at-least-once' }, count: (counter) => counter.increment() },
  'increment() as a transaction': { options: { delivery: 'transaction' }, count: (counter) => counter.increment() },
  'increment() with a key': { count: (counter, i) => counter.increment(1, { key: `event${i}` }) },
  'add()': { count: (counter, i) => page.countedSet(counter.path, { flushMs: 0 }).add(`user${i}`) },
  'a batch': { count: (counter) => batched(counter) },
};

describe('after a resize() to fewer shards a page asks once how many there are, and nothing is refused', () => {
  for (const [how, { options, count }] of Object.entries(WAYS)) {
    test(how, async () => {
      const path = freshPath();
      await admin.counter(path, { shards: MANY }).create();
      const counter = page.counter(path, { flushMs: 0, ...options });
      await count(counter, 0);
      assert.equal(counter.shards, MANY);
      await admin.counter(path).resize(FEW);
      proxy.reset();
      for (let i = 1; i <= 20; i += 1) await count(counter, i);
      assert.equal(counter.shards, FEW);
      assert.equal(asked(), 1);
      assert.equal(await totalOf(path), 21);
    });
  }

  test('increments that each go in a commit of their own', async () => {
    const path = freshPath();
    await admin.counter(path, { shards: MANY }).create();
    const counter = page.counter(path, { flushMs: 0, maxDelta: 1 });
    await counter.create();
    await admin.counter(path).resize(FEW);
    await Promise.all(Array.from({ length: 10 }, () => counter.increment()));
    assert.equal(await totalOf(path), 10);
  });
});

test('what rules refuse whatever the shard is refused, after the document was asked once more', async () => {
  const path = 'closed/c1';
  await admin.counter(path, { shards: FEW }).create();
  const counter = page.counter(path, { flushMs: 0 });
  const denied = { code: 'permission-denied' };
  await assert.rejects(counter.increment(), denied);
  proxy.reset();
  await assert.rejects(counter.increment(), denied);
  const increments = proxy.requests.filter(({ verb, body }) => verb === 'commit' && body.includes('/shards/'));
  assert.deepEqual([asked(), increments.length], [1, 2]);
  await assert.rejects(page.countedSet(path, { flushMs: 0 }).add('user'), denied);
  await assert.rejects(batched(counter), denied);
  assert.equal(await totalOf(path), 0);
});

/** The storage that outlives a page. @returns {import('shardline').OutboxStorage} */
function disk() {
  const rows = new Map();
  return {
    change: async (id, change) => {
      const row = change(rows.get(id));
      if (row === undefined) rows.delete(id);
      else rows.set(id, row);
    },
    read: async () => [...rows.values()],
  };
}

for (const said of [undefined, FEW]) {
  test(`what an earlier page has stored goes by the number of today, ${said ? 'as this page says' : 'as the document says'}`, async () => {
    const path = freshPath();
    await admin.counter(path, { shards: MANY }).create();
    const storage = disk();
    const one = await open({ storage, onWarning: () => {} });
    const counter = one.counter(path, { flushMs: 0, maxDelta: 1, ...(said ? { shards: MANY } : {}) });
    await counter.increment();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    const waiting = Array.from({ length: 6 }, () => counter.increment().catch(({ reason }) => reason));
    await one.close();
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['increment-goes-on']));
    proxy.choose(() => null);
    await admin.counter(path).resize(FEW);
    /** @type {string[]} */
    const warnings = [];
    const two = await open({ storage, onWarning: ({ message }) => warnings.push(message) });
    await two.counter(path, { flushMs: 0, maxDelta: 1, shards: said }).flush();
    assert.deepEqual(warnings, []);
    assert.equal(await totalOf(path), 7);
    await two.close();
  });
}

test('a page that goes away has no time to ask, and goes by what it has learnt', (t) => {
  const known = new KnownShards();
  assert.deepEqual([known.goBy(undefined), known.goBy(undefined, false), known.goBy(7)], [undefined, undefined, 7]);
  known.learn(3);
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 10 * 60_000);
  assert.deepEqual([known.goBy(undefined), known.goBy(undefined, false), known.goBy(7)], [undefined, 3, 3]);
});

test('a page learns within ten minutes that others have added shards', async (t) => {
  const path = freshPath();
  await admin.counter(path, { shards: 1 }).create();
  const counter = page.counter(path, { flushMs: 0 });
  const told = page.counter(path, { flushMs: 0, shards: 1, delivery: 'transaction' });
  await Promise.all([counter.increment(), told.increment()]);
  await admin.counter(path).resize(MANY);
  proxy.reset();
  await counter.increment();
  assert.equal(counter.shards, 1);
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 10 * 60_000);
  await Promise.all([counter.increment(), told.increment()]);
  assert.equal(counter.shards, MANY);
  assert.equal(told.shards, MANY, 'it is known of the place');
  assert.equal(asked(), 1);
});
