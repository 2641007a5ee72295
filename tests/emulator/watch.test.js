/** Live totals: the shown totals, their times, and that this page's own changes never move a total back. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { connect, ShardlineError } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { Place } from '../../web/library/outbox/place.js';
import { Timestamp } from '../../web/library/values.js';
import { watch } from '../../web/library/watch.js';
import { runDialect } from './support/dialect_front.js';
import { Random } from './support/random.js';
import { until } from './support/until.js';

/** @typedef {import('shardline').Database} Database */

const retry = { maxAttempts: 50, initialDelayMs: 1, maxDelayMs: 5, timeoutMs: 5000 };

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
/** @type {Database} */
let db;
/** @type {Database} Another page. */
let other;
let requests = 0;
/** Waits for it before every answer. @type {Promise<unknown>} */
let hold = Promise.resolve();
let names = 0;
/** @type {(() => void)[]} */
let stops = [];

before(async () => {
  simulator = await (await openWorkbench()).createEmbeddedFirestore({ ...runDialect(), limits: 'none', latencyMs: [0, 6] });
  const fetch = async (/** @type {any} */ input, /** @type {any} */ init) => {
    requests += 1;
    const answer = await simulator.fetch(input, init);
    await hold;
    return answer;
  };
  db = await connect({ projectId: 'demo', fetch, retry });
  other = await connect({ projectId: 'demo', fetch: simulator.fetch, retry });
});
after(async () => {
  await Promise.all([db.close(), other.close()]);
  simulator.close();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const fresh = async (options = {}) => {
  const path = `counters/w${(names += 1)}`;
  await other.counter(path, { shards: 3 }).create();
  return { mine: db.counter(path, { shards: 3, flushMs: 5, ...options }), theirs: other.counter(path, { shards: 3, flushMs: 0 }) };
};

/** @param {import('shardline').Counter} counter @param {object} [options] */
function watching(counter, options) {
  /** @type {{value: number, pending: number}[]} */
  const seen = [];
  /** @type {string[]} */
  const states = [];
  /** @type {Set<string>} Each with the code of its error. */
  const kinds = new Set();
  const stop = counter.watch(({ value, pending, state, error }) => {
    states.push(state);
    kinds.add(`${state} ${error?.code}`);
    if (value !== undefined) seen.push({ value: Number(value), pending: Number(pending) });
  }, { intervalMs: 5, listen: false, ...options });
  stops.push(stop);
  return { seen, states, kinds, stop, last: () => seen.at(-1)?.value };
}

/**
 * Three increments go by that a watch on another page sees, which reads as often as those of this one. A page that is hidden does not
 * hide the other.
 * @param {import('shardline').Counter} theirs
 */
async function goesOn(theirs) {
  const { document } = /** @type {any} */ (globalThis);
  Reflect.deleteProperty(globalThis, 'document');
  const { last, stop } = watching(theirs);
  if (document) Object.assign(globalThis, { document });
  await until(() => last() !== undefined);
  for (let count = 0; count < 3; count += 1) {
    const wanted = Number(last()) + 1;
    await theirs.increment();
    await until(() => last() === wanted);
  }
  stop();
}

test('others’ increments arrive, and ours at once', async () => {
  const { mine, theirs } = await fresh({ flushMs: 60_000 });
  const { seen, last } = watching(mine);
  await until(() => seen.length > 0);
  assert.deepEqual(seen, [{ value: 0, pending: 0 }]);
  await mine.increment(1);
  const waiting = mine.increment(5);
  assert.deepEqual(seen.at(-1), { value: 6, pending: 5 });
  await theirs.increment(100);
  await until(() => last() === 106);
  assert.deepEqual(seen.at(-1), { value: 106, pending: 5 });
  await mine.flush();
  await waiting;
  await until(() => seen.at(-1)?.pending === 0);
  assert.equal(last(), 106);
});

test('a store for frameworks: one watch for all who subscribe, and a snapshot that is the same until something changes', async () => {
  const { mine, theirs } = await fresh();
  const { subscribe, getSnapshot } = mine;
  assert.deepEqual(getSnapshot(), { pending: 0, state: 'loading' });
  assert.equal(getSnapshot(), getSnapshot());
  /** @type {unknown[]} */
  const told = [];
  const ends = [subscribe((total) => told.push(total)), subscribe(() => {}), subscribe(() => {})];
  assert.deepEqual(told, [{ pending: 0, state: 'loading' }], 'told at once');
  await until(() => getSnapshot().state === 'live');
  const before = requests;
  await theirs.increment(4);
  await until(() => getSnapshot().value === 4);
  assert.equal(getSnapshot().number, 4);
  assert.equal(told.at(-1), getSnapshot());
  assert.ok(requests - before < 20, 'three who subscribe read as one does');
  for (const end of ends) end();
  const shown = getSnapshot();
  await theirs.increment(1);
  const late = subscribe((total) => told.push(total));
  assert.deepEqual(told.at(-1), { ...shown, state: 'loading' }, 'what was known, and that it is of the last time');
  await until(() => getSnapshot().value === 5);
  late();
  late();
});

test('a store says that the database was closed, also to whoever subscribes later', async () => {
  const own = await connect({ projectId: 'demo', fetch: simulator.fetch });
  const counter = own.counter((await fresh()).mine.path);
  /** @type {import('shardline').LiveTotal[]} */
  const told = [];
  stops.push(counter.subscribe((total) => told.push(total)));
  await until(() => counter.getSnapshot().state === 'live');
  assert.equal(counter.ended.aborted, false);
  const late = own.counter(`${counter.path}x`);
  await own.close();
  const { value, state, error } = /** @type {import('shardline').LiveTotal} */ (told.at(-1));
  assert.deepEqual([value, state, error?.code, error?.reason], [0, 'error', 'failed-precondition', 'closed']);
  assert.equal(counter.ended.reason, error);
  assert.equal(counter.getSnapshot(), told.at(-1));
  for (const each of [counter, late]) {
    const stop = each.subscribe((total) => told.push(total));
    assert.equal(told.at(-1)?.state, 'error');
    stop();
  }
});

test('a watch that begins when the database is closed says so, once, unless it has been ended', async () => {
  const own = await connect({ projectId: 'demo', fetch: simulator.fetch });
  const counter = own.counter((await fresh()).mine.path);
  await own.close();
  /** @type {import('shardline').LiveTotal[]} */
  const told = [];
  stops.push(counter.watch((total) => told.push(total)));
  counter.watch(() => assert.fail('it has been ended'))();
  counter.watch(() => assert.fail('nobody wants it'), { signal: AbortSignal.abort() });
  assert.deepEqual(told, [], 'not before it has returned');
  await until(() => told.length > 0);
  assert.deepEqual(told.map(({ value, state, error }) => [value, state, error?.code, error?.reason]), [[undefined, 'error', 'failed-precondition', 'closed']]);
  for await (const total of counter.watch()) assert.fail(total.state);
});

test('for await (const total of counter.watch())', async () => {
  const { mine, theirs } = await fresh();
  const controller = new AbortController();
  const values = [];
  for await (const { value } of mine.watch({ intervalMs: 3, signal: controller.signal })) {
    if (value !== undefined) values.push(value);
    if (value === 0) await theirs.increment(7);
    if (value === 7) await mine.increment(1);
    if (value === 8) controller.abort();
  }
  assert.deepEqual([...new Set(values)], [0, 7, 8]);
  for await (const { state } of mine.watch()) if (state === 'live') break;
  const own = await connect({ projectId: 'demo', fetch: simulator.fetch });
  const closing = (async () => { for await (const { state } of own.counter(mine.path).watch()) if (state === 'live') await own.close(); })();
  await closing;
  // A reader that does not wait for the next one any longer ends it.
  const iterator = mine.watch();
  await iterator.next();
  await until(() => mine.getSnapshot() !== undefined);
  const next = (async () => { let each = await iterator.next(); while (!each.done) each = await iterator.next(); return each; })();
  await iterator.return?.();
  assert.deepEqual(await next, { done: true, value: undefined });
  const before = requests;
  assert.throws(() => mine.watch(() => {}, { signal: /** @type {any} */ (new AbortController()) }), { code: 'invalid-argument', message: /signal/ });
  assert.throws(() => mine.subscribe(/** @type {any} */ (undefined)), { code: 'invalid-argument' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(requests, before, 'what was refused reads nothing');
  await assert.rejects(mine.watch(/** @type {any} */ ({ interval: 1 })).next(), { code: 'invalid-argument' });
  assert.throws(() => mine.watch(/** @type {any} */ (5)), { code: 'invalid-argument' });
});

for (const maxAgeMs of [undefined, 20]) {
  for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once', 'transaction'])) {
    test(`never back because of our own: ${delivery}${maxAgeMs ? ', maxAgeMs' : ''}`, async () => {
      const random = new Random(7);
      const { mine, theirs } = await fresh({ delivery });
      const { seen, last } = watching(mine, { intervalMs: 3, maxAgeMs });
      await until(() => seen.length > 0);
      let total = 0;
      /** @type {Promise<void>[]} */
      const all = [];
      for (let i = 0; i < 120; i += 1) {
        const amount = random.between(1, 9);
        total += amount;
        all.push((i % 10 === 0 ? theirs : mine).increment(amount));
        if (i % 3 > 0) continue;
        const enough = requests + random.between(0, 4);
        await until(() => requests >= enough);
      }
      await Promise.all(all);
      await until(() => last() === total, `${total}`);
      for (let i = 1; i < seen.length; i += 1) {
        assert.ok(seen[i].value >= seen[i - 1].value, `${seen[i - 1].value} → ${seen[i].value} (${i} of ${seen.length})`);
        assert.ok(seen[i].value <= total, `${seen[i].value} is more than there ever was`);
      }
    });
  }
}

/** A place of an outbox that sends nothing. @param {{learnt?: () => Promise<unknown>}} [more] */
function placeOf({ learnt = async () => {} } = {}) {
  return new Place(/** @type {any} */ ({ learnt, ended: new AbortController().signal }), 'a place');
}

const one = { integerValue: '1' };

// Two servers say how old a shared total is, and this page's clock is a third: with any clocks, a shown total is never taken back.
for (const newer of [false, true]) {
  test(`the age of a shared total that is a little too low: ${newer ? 'a newer one' : 'the one that is known'}`, async (t) => {
    let now = 1000;
    t.mock.method(performance, 'now', () => now);
    const place = placeOf();
    let reads = 0;
    const read = async () => {
      reads += 1;
      const readTime = Timestamp.fromMillis(reads > 1 && newer ? 51 : 50);
      if (reads === 1) return { value: 0, readTime, source: 'sum' };
      return { value: 0, readTime, source: 'shared', ageMs: 6 };
    };
    /** @type {unknown[]} */
    const seen = [];
    stops.push(watch(/** @type {any} */ (read), place, ({ value }) => seen.push(value), { intervalMs: 1 }));
    await until(() => seen.includes(0));
    // The server confirms the increment after the time of the shared total, which lacks it. No answer says at which moment the server counted it.
    now += 1;
    const end = place.track({ integerValue: '5' });
    now += 10;
    end({ isCounted: true });
    now += 6;
    const before = reads;
    await until(() => reads > before + 2);
    assert.deepEqual(seen.filter((value) => value !== undefined), [0, 5, 5]);
  });
}

test('readings fail after one that was in doubt: the next come no more often than `intervalMs` says', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const place = placeOf();
  place.track(one);
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (reads > 1) throw new Error('No.');
    return { value: 0, readTime: Timestamp.fromMillis(1), source: 'sum' };
  };
  stops.push(watch(/** @type {any} */ (read), place, () => {}, { intervalMs: 10_000 }));
  await settled();
  assert.equal(reads, 1);
  for (const [ms, most] of /** @type {[number, number][]} */ ([[200, 2], [9900, 2], [20_000, 3]])) {
    t.mock.timers.tick(ms);
    await settled();
    assert.ok(reads <= most, `${reads} after ${ms} ms more`);
  }
  assert.ok(reads > 1);
});

test('a shared total that is older than hundreds of changes up and down: what was seen is not taken back', async (t) => {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const place = placeOf();
  /** @type {any} */
  let reading = { value: 0, readTime: Timestamp.fromMillis(1), source: 'sum' };
  let reads = 0;
  /** @type {unknown[]} */
  const seen = [];
  stops.push(watch(async () => ((reads += 1), reading), place, ({ value }) => seen.push(value), { intervalMs: 1 }));
  await until(() => seen.includes(0));
  // All of it is counted at once. The shared total is of the peak.
  const changes = async (/** @type {string} */ integerValue) => {
    for (let i = 0; i < 400; i += 1) {
      now += 1;
      place.track({ integerValue })({ isCounted: true, at: Timestamp.fromMillis(now) });
      await undefined;
      await undefined;
    }
  };
  await changes('1');
  now += 30;
  const peak = now;
  now += 30;
  await changes('-1');
  assert.equal(seen.at(-1), 0);
  reading = { value: 400, readTime: Timestamp.fromMillis(peak), source: 'shared', ageMs: now - peak };
  const before = reads;
  await until(() => reads > before + 2);
  assert.equal(seen.at(-1), 0);
});

test('thousands of increments in one go: each is shown soon, and what waits is not added up anew for each', async (t) => {
  const place = placeOf();
  const { get } = /** @type {{get: () => unknown}} */ (Object.getOwnPropertyDescriptor(Place.prototype, 'pending'));
  const pending = t.mock.fn(function () { return get.call(place); });
  Object.defineProperty(place, 'pending', { get: pending });
  /** @type {any[]} */
  const seen = [];
  const reading = { value: 0, readTime: Timestamp.fromMillis(1), source: 'sum' };
  stops.push(watch(/** @type {any} */ (async () => reading), place, ({ value }) => seen.push(value), { intervalMs: 60_000 }));
  await until(() => seen.includes(0));
  pending.mock.resetCalls();
  for (let i = 1; i <= 4000; i += 1) {
    place.track(one);
    if (i <= 10) assert.equal(seen.at(-1), i, 'what somebody clicks is shown at once');
  }
  await undefined;
  await undefined;
  assert.equal(seen.at(-1), 4000);
  const sums = pending.mock.callCount();
  assert.ok(sums <= 200, `${sums} times`);
  place.track(one);
  assert.equal(seen.at(-1), 4001, 'and so is what comes later');
});

test('a reading that overtakes the answer to our own commit', async () => {
  const { mine } = await fresh({ flushMs: 0 });
  const { seen, last } = watching(mine, { intervalMs: 3 });
  await until(() => seen.length > 0);
  // Commits are carried out at once, and all answers come late.
  let release = () => {};
  hold = new Promise((resolve) => { release = () => resolve(undefined); });
  const asked = requests;
  const counted = mine.increment(10);
  await until(() => requests >= asked + 2, 'a commit and a reading');
  hold = Promise.resolve();
  release();
  await counted;
  await until(() => seen.at(-1)?.pending === 0);
  const later = requests;
  await until(() => requests >= later + 3);
  assert.equal(last(), 10);
  assert.deepEqual(new Set(seen.map(({ value }) => value)), new Set([0, 10]));
});

test('it asks less often when nothing changes, and again when something does', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let value = 0;
  let reads = 0;
  const read = async () => ({ value, readTime: Timestamp.fromMillis(reads += 1), source: 'sum' });
  /** @type {unknown[]} */
  const seen = [];
  stops.push(watch(/** @type {any} */ (read), placeOf(), (total) => seen.push(total.value), { intervalMs: 1000 }));
  /** How often it reads within so many seconds. @param {number} seconds */
  const within = async (seconds) => {
    const before = reads;
    for (let second = 0; second < seconds; second += 1) {
      t.mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return reads - before;
  };
  assert.equal(await within(2), 2);
  await within(60);
  assert.equal(await within(160), 10, 'every sixteen seconds');
  value = 5;
  while (seen.at(-1) !== 5) assert.ok(await within(1) <= 1);
  assert.equal(await within(3), 2);
});

test('a failing reading is told, and watching goes on', async () => {
  const { mine, theirs } = await fresh();
  /** @type {unknown[]} */
  const errors = [];
  const { seen, states, kinds, last } = watching(mine, { onError: (/** @type {unknown} */ error) => errors.push(error) });
  await until(() => seen.length > 0);
  simulator.configure({ faults: { dropRequest: 1 } });
  await until(() => errors.length >= 2);
  simulator.configure({ faults: { dropRequest: 0 } });
  assert.ok(errors.every((error) => error instanceof ShardlineError));
  await until(() => states.at(-1) === 'offline');
  await theirs.increment(3);
  await until(() => last() === 3);
  assert.equal(states.at(-1), 'live', 'it says that it has recovered');
  assert.deepEqual([...kinds], ['loading undefined', 'live undefined', 'offline unavailable']);
});

test('it calls back at once, also when nothing can be read, and a callback that throws disturbs nothing', async () => {
  const reported = /** @type {unknown[]} */ ([]);
  const { error } = console;
  console.error = (/** @type {unknown} */ thrown) => reported.push(thrown);
  simulator.configure({ faults: { dropRequest: 1 } });
  try {
    const { mine } = { mine: db.counter(`counters/w${(names += 1)}`, { shards: 3, flushMs: 5 }) };
    /** @type {any[]} */
    const seen = [];
    stops.push(mine.watch((total) => {
      seen.push(total);
      throw new Error('a slip of the user’s');
    }, { intervalMs: 5 }));
    await until(() => seen.length > 0);
    assert.deepEqual(seen[0], { value: undefined, number: undefined, pending: 0, state: 'loading', reading: undefined });
    const counted = mine.increment(2);
    assert.equal(seen.at(-1).pending, 2);
    simulator.configure({ faults: { dropRequest: 0 } });
    await counted;
    await until(() => seen.at(-1).value === 2 && seen.at(-1).pending === 0 && seen.at(-1).state === 'live');
    assert.equal(reported.length, seen.length);
  } finally {
    simulator.configure({ faults: { dropRequest: 0 } });
    console.error = error;
  }
});

test('stop() and signal end it', async () => {
  const { mine, theirs } = await fresh();
  const controller = new AbortController();
  const first = watching(mine, { signal: controller.signal });
  const second = watching(mine);
  await until(() => first.seen.length > 0 && second.seen.length > 0);
  controller.abort();
  second.stop();
  const before = requests;
  await goesOn(theirs);
  assert.equal(requests, before);
  assert.deepEqual([first.last(), second.last()], [0, 0]);
  assert.equal(watching(mine, { signal: controller.signal }).seen.length, 0);
});

test('what the browser says of the network: offline at once, unless a reading succeeds, and on without waiting when it is back', async () => {
  const page = new EventTarget();
  Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });
  let isOffline = false;
  const fetch = async (/** @type {any} */ input, /** @type {any} */ init) => {
    if (isOffline) throw new TypeError('no network');
    return simulator.fetch(input, init);
  };
  // Once an attempt has failed, no caller waits for the next one.
  const own = await connect({ projectId: 'demo', fetch, retry: { maxAttempts: 9, initialDelayMs: 600_000, maxDelayMs: 600_000, timeoutMs: 3_600_000 } });
  try {
    const { mine, theirs } = await fresh();
    const { states, kinds, stop, last } = watching(own.counter(mine.path, { shards: 3 }), { intervalMs: 600_000 });
    await until(() => states.at(-1) === 'live');
    page.dispatchEvent(new Event('offline'));
    assert.equal(states.at(-1), 'offline', 'told at once');
    await until(() => states.at(-1) === 'live');

    isOffline = true;
    page.dispatchEvent(new Event('offline'));
    await theirs.increment(3);
    assert.equal(states.at(-1), 'offline');
    isOffline = false;
    page.dispatchEvent(new Event('online'));
    await until(() => last() === 3);
    assert.equal(states.at(-1), 'live');
    await theirs.increment(4);
    page.dispatchEvent(new Event('online'));
    await until(() => last() === 7);
    assert.deepEqual([...kinds], ['loading undefined', 'live undefined', 'offline unavailable']);
    stop();
    const told = states.length;
    page.dispatchEvent(new Event('offline'));
    assert.equal(states.length, told);
  } finally {
    for (const stop of stops.splice(0)) stop();
    Reflect.deleteProperty(globalThis, 'addEventListener');
    await own.close();
  }
});

test('it rests while the page is hidden', async () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  Object.assign(globalThis, { document: page });
  try {
    const { mine, theirs } = await fresh();
    const { seen, last } = watching(mine);
    await until(() => seen.length > 0);
    page.hidden = true;
    page.dispatchEvent(new Event('visibilitychange'));
    await goesOn(theirs);
    const before = requests;
    await goesOn(theirs);
    assert.equal(requests, before);
    page.hidden = false;
    page.dispatchEvent(new Event('visibilitychange'));
    await until(() => last() === 6);
  } finally {
    for (const stop of stops.splice(0)) stop();
    Reflect.deleteProperty(globalThis, 'document');
  }
});

test('a page that is shown, or counts, before it is known what earlier ones have left: one reading, after that', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const within = (/** @type {number} */ ms) => {
    t.mock.timers.tick(ms);
    return new Promise((resolve) => setImmediate(resolve));
  };
  const page = Object.assign(new EventTarget(), { hidden: false });
  Object.assign(globalThis, { document: page });
  try {
    let learn = () => {};
    const learning = new Promise((resolve) => { learn = () => resolve(undefined); });
    let reads = 0;
    const read = async () => {
      reads += 1;
      return { value: 1, readTime: Timestamp.fromMillis(reads), source: 'sum', pending: 0 };
    };
    const place = placeOf({ learnt: () => learning });
    stops.push(watch(/** @type {any} */ (read), place, () => {}, { intervalMs: 5000 }));
    page.dispatchEvent(new Event('visibilitychange'));
    place.changed();
    await within(60_000);
    assert.equal(reads, 0);
    learn();
    await within(0);
    assert.equal(reads, 1);
    await within(4000);
    assert.equal(reads, 1);
  } finally {
    for (const stop of stops.splice(0)) stop();
    Reflect.deleteProperty(globalThis, 'document');
  }
});

describe('slips of the pen', () => {
  test('are refused', async () => {
    const { mine } = await fresh();
    for (const options of [{ interval: 5 }, { intervalMs: 0 }, { intervalMs: '5' }, { intervalMs: NaN }]) {
      assert.throws(() => mine.watch(() => {}, /** @type {any} */ (options)), (error) => error instanceof ShardlineError && error.code === 'invalid-argument');
    }
    assert.throws(() => mine.watch(/** @type {any} */ (undefined)), (error) => error instanceof ShardlineError && error.code === 'invalid-argument');
  });
});
