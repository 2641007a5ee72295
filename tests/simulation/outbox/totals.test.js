// The totals that watches show while increments are on their way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenTotal } from '../../../web/library/seen_total.js';
import { Timestamp } from '../../../web/library/values.js';
import { watch } from '../../../web/library/watch.js';
import { add, browser, clock, leave, network, open, openAtOnce } from './scene.js';

/** The states that a watch of the page reports, without repetitions. @param {any} page @param {object} [options] */
function watching(page, options) {
  /** @type {string[]} */
  const told = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ { value, pending, state }) => {
    const text = `${value} ${pending} ${state}`;
    if (told.at(-1) !== text) told.push(text);
  }, options));
  return told;
}

/** What others have counted. @param {number} amount */
async function countedByOthers(amount) {
  const other = await open({ storage: 'memory' });
  add(other, amount);
  await clock.pass(5000);
  browser.kill(other.tab);
}

for (const [what, slow] of /** @type {[string, {arrival: number, answer: number}][]} */ ([
  ['is slow to arrive', { arrival: 8000, answer: 0 }],
  ['is answered late', { arrival: 0, answer: 8000 }],
])) {
  for (const amount of [1, -1]) {
    test(`the first thing that a page does is an increment by ${amount} that ${what}: no total is shown that lacks it, or has it twice`, async () => {
      await countedByOthers(7);
      network.slow = slow;
      const page = await openAtOnce();
      add(page, amount);
      const told = watching(page);
      await clock.pass(20_000);
      assert.deepEqual(told, ['undefined 0 loading', `undefined ${amount} loading`, `${7 + amount} 0 live`]);
    });
  }
}

test('a total waits for an increment that is on its way for ten seconds, however rarely it is read; then the increment counts as not arrived', async () => {
  await countedByOthers(7);
  network.slow.arrival = 25_000;
  const page = await openAtOnce();
  const counted = add(page, 1);
  await clock.pass(300);
  const told = watching(page, { intervalMs: 30_000 });
  await clock.pass(9500);
  assert.deepEqual(told, ['undefined 1 loading']);
  await clock.pass(1000);
  assert.deepEqual(told.slice(1), ['8 1 live']);
  await clock.pass(60_000);
  assert.equal(counted.outcome, 'counted');
  assert.deepEqual(told.slice(1), ['8 1 live', '8 0 live']);
});

test('the total comes as soon as the increment is answered, however rarely it is read', async () => {
  await countedByOthers(7);
  network.slow.answer = 3000;
  const page = await openAtOnce();
  add(page, 1);
  const told = watching(page, { intervalMs: 600_000 });
  await clock.pass(6000);
  assert.equal(told.at(-1), '8 0 live');
});

test('two watches of one counter: what one of them reads, both show', async () => {
  await countedByOthers(7);
  let readings = 0;
  /** @type {any} */
  const page = {};
  const fetch = async (/** @type {string} */ url, /** @type {any} */ init) => {
    if (url.includes(':runAggregationQuery') && (readings += 1) === 1) await clock.sleep(4000);
    return network.fetchOf(page.tab)(url, init);
  };
  Object.assign(page, await open({ fetch }));
  const first = watching(page);
  await clock.pass(10);
  const second = watching(page);
  await clock.pass(1000);
  assert.deepEqual([first, second], [['undefined 0 loading', '7 0 live'], ['undefined 0 loading', '7 0 live']]);
  await countedByOthers(1);
  assert.deepEqual([first.at(-1), second.at(-1)], ['8 0 live', '8 0 live']);
});

test('one increment up and one down under way at once: neither of them moves the total when it arrives', async () => {
  await countedByOthers(10);
  const page = await open();
  const told = watching(page);
  await clock.pass(5000);
  network.slow.answer = 4000;
  add(page, 5);
  await clock.pass(2000);
  add(page, -3);
  await clock.pass(20_000);
  assert.deepEqual(told, ['undefined 0 loading', '10 0 live', '15 5 live', '12 2 live', '12 -3 live', '12 0 live']);
});

test('a like that is taken back at once: a total that was read between the two is not shown later', async () => {
  const page = await open();
  const told = watching(page, { intervalMs: 100 });
  await clock.pass(5000);
  network.slow.answer = 400;
  clock.after(0, () => page.set.add('ann').then(() => page.set.remove('ann')), page.tab);
  await clock.pass(20_000);
  assert.deepEqual(told, ['undefined 0 loading', '0 0 live', '1 1 live', '1 0 live', '0 -1 live', '0 0 live']);
});

test('a total that may be old: a page that has counted reads for itself first', async () => {
  const [page, other] = [await open(), await open({ storage: 'memory' })];
  page.tab.run(() => page.counter.create());
  await clock.pass(1000);
  other.tab.run(() => other.counter.get({ maxAgeMs: 0 }));
  await clock.pass(1000);
  const told = watching(other, { maxAgeMs: 60_000 });
  add(page, 5);
  await clock.pass(5000);
  const own = watching(page, { maxAgeMs: 60_000 });
  await clock.pass(5000);
  assert.deepEqual([told, own], [['undefined 0 loading', '0 0 live'], ['undefined 0 loading', '5 0 live']]);
  await clock.pass(100_000);
  assert.deepEqual([told.at(-1), own.at(-1)], ['5 0 live', '5 0 live']);
});

for (const [what, arrival, expected, soon] of /** @type {[string, number, string, number]} */ ([
  ['are counted meanwhile', 0, '105 0 live', 4000],
  ['do not arrive', 10_000_000, '105 5 live', 13_000],
])) {
  test(`a total that may be old, and increments that an earlier page has left ${what}: the first reading is a new one`, async () => {
    const other = await open({ storage: 'memory' });
    other.tab.run(() => other.counter.create());
    await clock.pass(1000);
    add(other, 100);
    await clock.pass(5000);
    await leave(5);
    other.tab.run(() => other.counter.get({ maxAgeMs: 1000 }));
    await clock.pass(1500);
    network.slow.arrival = arrival;
    const page = await open({}, (storage) => {
      const { read } = storage;
      storage.read = () => clock.sleep(100).then(read);
    });
    const told = watching(page, { maxAgeMs: 60_000 });
    await clock.pass(soon);
    assert.equal(told.at(-1), expected);
    assert.deepEqual(told.filter((text) => text.endsWith('live')).filter((text) => !text.startsWith('105 ')), []);
  });
}

/** A page of which the first so many readings are refused. @param {number} refused */
async function openRefused(refused) {
  /** @type {any} */
  const page = { readings: 0 };
  const fetch = (/** @type {string} */ url, /** @type {any} */ init) => {
    if (url.includes(':runAggregationQuery') && (page.readings += 1) <= refused) {
      const body = JSON.stringify({ error: { code: 403, message: 'Missing or insufficient permissions.', status: 'PERMISSION_DENIED' } });
      return Promise.resolve({ status: 403, headers: { get: () => null }, arrayBuffer: async () => new TextEncoder().encode(body).buffer });
    }
    return network.fetchOf(page.tab)(url, init);
  };
  return Object.assign(page, await open({ fetch }));
}

test('readings that are refused come no more often than `intervalMs` says, also while the page counts', async () => {
  const page = await openRefused(Infinity);
  watching(page, { intervalMs: 10_000 });
  for (let i = 0; i < 200; i += 1) {
    add(page, 1);
    await clock.pass(150);
  }
  assert.ok(page.readings >= 2 && page.readings <= 4, `${page.readings} readings in 30 s`);
});

test('an error is told only while the last reading has failed', async () => {
  network.slow.arrival = 100_000;
  const page = await openRefused(1);
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 0 });
  add(page, 1);
  await clock.pass(300);
  /** @type {string[]} */
  const told = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ total) => told.push(`${total.state} ${'error' in total && total.error.code}`)));
  await clock.pass(20_000);
  assert.deepEqual(told.filter((text, i) => text !== told[i - 1]), ['loading false', 'error permission-denied', 'loading false', 'live false']);
});

test('a first total that is made while answers come late has nothing twice, and is not taken back', async () => {
  network.slow = { arrival: 1000, answer: 3000 };
  const page = await open();
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 200 });
  let asked = 0;
  /** @type {{value: number, asked: number}[]} */
  const seen = [];
  for (let i = 0; i < 300; i += 1) {
    if (i === 6) page.tab.run(() => page.counter.watch((/** @type {any} */ { value }) => value !== undefined && seen.push({ value, asked })));
    asked += 1;
    add(page, 1);
    await clock.pass(100);
  }
  await clock.pass(20_000);
  assert.equal(seen.at(-1)?.value, 300);
  assert.ok(seen.every(({ value, asked: most }) => value <= most), JSON.stringify(seen[0]));
  assert.ok(seen.every(({ value }, i) => value >= (seen[i - 1]?.value ?? 0)), seen.map(({ value }) => value).join());
});

test('under readsPerHour, the first question after a stream comes as soon as its own price allows, whatever the stream has brought', async () => {
  const place = /** @type {any} */ ({ all: [], forget: () => {}, pending: 0, ended: new AbortController().signal, learnt: async () => {}, onChange: () => () => {} });
  place.seen = new SeenTotal(place);
  const reading = (/** @type {number} */ reads) => (
    { value: 1, number: 1, shards: 10, source: /** @type {const} */ ('sum'), readTime: Timestamp.now(), pending: 0, billed: { reads, writes: 0, deletes: 0 } });
  let questions = 0;
  const read = async () => {
    questions += 1;
    return reading(1);
  };
  /** @type {any} */
  let joined;
  const live = { isCurrent: true, first: async () => false, onAsked: () => {}, join: (/** @type {any} */ one) => { joined = one; return () => {}; } };
  const stop = watch(read, place, () => {}, { readsPerHour: 600 }, undefined, async () => live);
  await clock.pass(1000);
  assert.equal(questions, 1);
  place.seen.take(reading(10), { from: performance.now(), until: performance.now() });
  joined.hear();
  await clock.pass(60_000);
  assert.equal(questions, 1, 'the stream brings the total');
  live.isCurrent = false;
  joined.ask();
  await clock.pass(10_000);
  assert.equal(questions, 2);
  stop();
});
