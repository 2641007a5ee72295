/** Counters as stores: a subscription begins work, and nothing of it is left after its end. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { TotalStore } from '../../web/library/total_store.js';

/** @typedef {import('shardline').LiveTotal} LiveTotal */

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;

before(async () => {
  simulator = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' });
});
after(() => simulator.close());

const open = () => connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });

test('a counter that nobody subscribes to is not held by the database', async () => {
  const db = await open();
  const counter = db.counter('posts/p1', { shards: 3 });
  const listening = () => getEventListeners(counter.ended, 'abort').length;
  const before = listening();
  counter.getSnapshot();
  assert.equal(listening(), before, 'getSnapshot()');
  for (let i = 0; i < 2; i += 1) {
    const ends = [counter.subscribe(() => {}), counter.subscribe(() => {})];
    assert.ok(listening() > before);
    ends[0]?.();
    assert.ok(listening() > before, 'one is still there');
    for (const end of ends) end();
    assert.equal(listening(), before);
  }
  await db.close();
});

test('many who listen to one signal are no leak, and Node takes them for none', async () => {
  const db = await open();
  const counters = Array.from({ length: 20 }, (_, i) => db.counter(`posts/many${i}`, { shards: 1, publish: { field: 'likes' } }));
  await Promise.all(counters.map((counter) => counter.create()));
  const { signal } = new AbortController();
  const stops = counters.flatMap((counter) => [counter.watch(() => {}, { signal }), counter.subscribe(() => {})]);
  const increments = counters.flatMap((counter) => [counter.increment(1, { signal }), db.countedSet(counter.path, { shards: 1 }).add('ann', { signal }), counter.get({ signal })]);
  for (const each of [signal, counters[0]?.ended]) assert.ok(each && getEventListeners(each, 'abort').length <= 1);
  await Promise.all(increments);
  for (const stop of stops) stop();
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  await db.close();
});

test('a snapshot says that the database was closed, whether somebody has subscribed or not', async () => {
  const db = await open();
  const [asked, unasked] = ['posts/p1', 'posts/p2'].map((path) => db.counter(path, { shards: 3 }));
  assert.equal(asked?.getSnapshot().state, 'loading');
  await db.close();
  for (const counter of [asked, unasked]) {
    const { state, error } = counter?.getSnapshot() ?? {};
    assert.deepEqual([state, error?.reason], ['error', 'closed']);
    assert.equal(counter?.getSnapshot(), counter?.getSnapshot());
  }
});

test('who subscribes after the end is told of it once, and nobody else again', async () => {
  const db = await open();
  const counter = db.counter('posts/p1', { shards: 3 });
  await db.close();
  /** @type {[string, LiveTotal][]} */
  const told = [];
  const first = counter.subscribe((total) => told.push(['first', total]));
  assert.deepEqual(told.map(([who, { state, error }]) => [who, state, error?.reason]), [['first', 'error', 'closed']]);
  const second = counter.subscribe((total) => told.push(['second', total]));
  assert.deepEqual(told.map(([who]) => who), ['first', 'second']);
  for (const end of [first, second]) end();
});

test('a watch that is refused is refused to each who subscribes', () => {
  let watches = 0;
  const store = new TotalStore(() => {
    watches += 1;
    throw new RangeError('intervalMs');
  }, { pending: 0, state: 'loading' }, new AbortController().signal);
  for (let i = 1; i <= 3; i += 1) {
    assert.throws(() => store.subscribe(() => {}), RangeError);
    assert.equal(watches, i);
  }
});
