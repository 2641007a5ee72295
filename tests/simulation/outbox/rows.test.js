// One row, and who sends it: again, at the same time, from a copy, or while the server does not answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, browser, clock, commits, DAY_MS, deleteMarkers, documents, network, open, openAtOnce, times, total, warnings } from './scene.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** @type {{outcome: string}[]} */
let results = [];

/**
 * Two pages of which nobody can tell whether they are there, so each sends what it finds. The first has just counted 1, so what it is
 * asked for gathers.
 * @param {(storage: any) => void} [change] Changes the storage of the first.
 * @param {object} [options] Of the first.
 */
async function openTwo(change = () => {}, options = {}) {
  const page = await open(options, change, { isBare: true });
  const other = await open({}, () => {}, { isBare: true });
  results = [add(page, 1)];
  await clock.pass(100);
  return [page, other];
}

test('three pages send the same row at once: it is counted once, and whoever waits is told so', async () => {
  network.isDown = true;
  const pages = [];
  // If no page can know which others are there, every page sends.
  for (let i = 0; i < 3; i += 1) pages.push(await open({}, () => {}, { isBare: true }));
  const result = add(pages[0], 5);
  await clock.pass(100);
  for (const { tab } of pages) tab.tell('online');
  await clock.pass(100);
  network.isDown = false;
  network.slow.answer = 3000;
  for (const { tab } of pages) tab.tell('online');
  await clock.pass(20_000);
  assert.ok(commits.length >= 3, `${commits.length}`);
  assert.deepEqual([result.outcome, total(), documents('shardline_markers').length], ['counted', 5, 1]);
  assert.deepEqual([pages.map(({ counter }) => counter.pending), browser.disk.size], [[0, 0, 0], 0]);
});

test('two copies of one storage both send for an hour, on a bad network: everything is counted once', async () => {
  network.isDown = true;
  const original = await open();
  results = [];
  let asked = 0;
  const press = (/** @type {any} */ page) => {
    results.push(add(page, 1));
    asked += 1;
  };
  for (let i = 0; i < 20; i += 1) {
    press(original);
    await clock.pass(3 * SECOND_MS);
  }
  const copy = await open({}, () => {}, { home: browser.copy() });
  assert.equal(copy.counter.pending, 20);
  // The copy does not have this one, and sends first.
  press(original);
  await clock.pass(10);
  network.isDown = false;
  copy.tab.tell('online');
  await clock.pass(90);
  for (let minute = 0; minute < 60; minute += 1) {
    network.faults = { lose: 0.1, loseAnswer: 0.2, duplicate: 0.2, late: 0.05, abort: 0.1, unavailable: 0.1 };
    for (const page of [original, copy]) {
      press(page);
      await clock.pass(MINUTE_MS / 2);
    }
  }
  network.heal();
  await clock.pass(5 * MINUTE_MS);
  assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['counted']));
  assert.equal(total(), asked);
  assert.deepEqual([original.counter.pending, copy.counter.pending], [0, 0]);
});

test('a row grows while the storage hangs, and somebody copies the storage: nothing that the copy lacks is told as counted with it', async () => {
  network.isDown = true;
  let hangs = false;
  const page = await open({}, (storage) => {
    const { change } = storage;
    storage.change = async (/** @type {any[]} */ ...args) => {
      await change(...args);
      if (hangs) await new Promise(() => {});
    };
  });
  const outcomes = [add(page, 16)];
  await clock.pass(100);
  hangs = true;
  outcomes.push(add(page, 1));
  await clock.pass(10);
  outcomes.push(add(page, 4));
  await clock.pass(3000);
  const copy = await open({}, () => {}, { home: browser.copy() });
  await clock.pass(10);
  assert.equal(copy.counter.pending, 17);
  hangs = false;
  await clock.pass(10_000);
  network.isDown = false;
  copy.tab.tell('online');
  await clock.pass(5 * MINUTE_MS);
  assert.deepEqual([outcomes.map(({ outcome }) => outcome), times([16, 1, 4])], [['counted', 'counted', 'counted'], [1, 1, 1]]);
});

test('a fifth of all answers is 503 for a minute: 20 s later all is counted, with at most 4 requests for each increment', async () => {
  const pages = [await open({ retry: undefined }), await open({ retry: undefined })];
  const counters = Array.from({ length: 5 }, (_, i) => `c/n${i}`);
  network.faults.unavailable = 0.2;
  let asked = 0;
  for (let second = 0; second < 60; second += 1) {
    for (const { tab, db } of pages) {
      tab.run(() => void db.counter(counters[second % counters.length], { shards: 3 }).increment(1));
      asked += 1;
    }
    await clock.pass(SECOND_MS);
  }
  network.heal();
  await clock.pass(20 * SECOND_MS);
  const totals = counters.map((counter) => total(counter));
  assert.equal(totals.reduce((sum, each) => sum + each, 0), asked);
  assert.ok(network.requests <= 4 * asked, `${network.requests} requests for ${asked} increments`);
});

test('the first answer is lost on a counter that 1,000 others have written to: at most 3 requests more', async () => {
  const others = await openAtOnce({ storage: 'memory' });
  for (let i = 0; i < 1000; i += 1) {
    add(others, 1);
    await clock.pass(100);
  }
  assert.equal(commits.length, 1000);
  /** @type {any} */
  const page = {};
  let isLost = false;
  const fetch = async (/** @type {string} */ url, /** @type {any} */ init) => {
    const answer = await network.fetchOf(page.tab)(url, init);
    if (isLost || !url.includes(':commit')) return answer;
    isLost = true;
    throw new TypeError('Failed to fetch');
  };
  Object.assign(page, await openAtOnce({ fetch }));
  const before = network.requests;
  const result = add(page, 1);
  await clock.pass(10 * SECOND_MS);
  assert.deepEqual([result.outcome, total(), isLost], ['counted', 1001, true]);
  assert.ok(network.requests - before <= 4, `${network.requests - before} requests`);
});

test('the network goes while many rows wait for their turn: those that are under way fail, and the others are not sent', async () => {
  network.isDown = true;
  const page = await open({ retry: { maxAttempts: 2, initialDelayMs: 1000, maxDelayMs: 60_000 } });
  page.counter = page.db.counter('c/c', { shards: 3, maxDelta: 1 });
  const result = add(page, 60);
  await clock.pass(100);
  assert.ok(network.requests <= 16, `${network.requests} requests at once`);
  await clock.pass(20 * SECOND_MS);
  assert.ok(network.requests <= 40, `${network.requests} requests`);
  network.isDown = false;
  await clock.pass(MINUTE_MS);
  assert.deepEqual([result.outcome, total()], ['counted', 60]);
});

test('the pauses between attempts without a network grow, up to the longest', async () => {
  network.isDown = true;
  const page = await open({ retry: { maxAttempts: 1, initialDelayMs: 1000, maxDelayMs: 60_000 } });
  add(page, 1);
  await clock.pass(60 * MINUTE_MS);
  assert.ok(network.requests >= 60 && network.requests <= 70, `${network.requests} requests in an hour`);
});

test('a row that waits until its marker may have expired is asked after, not sent: nobody counts it twice, and its page says that nobody knows', async () => {
  const page = await openAtOnce();
  network.faults.loseAnswer = 1;
  add(page, 1);
  await clock.pass(90);
  assert.equal(total(), 1);
  browser.kill(page.tab);
  await clock.pass(61 * DAY_MS);
  network.heal();
  deleteMarkers();
  warnings.length = 0;
  const later = await open();
  await clock.pass(10 * SECOND_MS);
  assert.deepEqual([total(), later.counter.pending, browser.disk.size], [1, 0, 0]);
  assert.deepEqual(warnings.map(({ code, message }) => [code, /may or may not have been counted/.test(message)]), [['outcome-unknown', true]]);
});

for (const [what, isHeldUp] of /** @type {[string, boolean][]} */ ([
  ['was held up before it has sent its row', true],
  ['is about to hear that its row is refused', false],
])) {
  test(`a page that ${what} does not call refused what another page has sent meanwhile`, async () => {
    const bare = () => open({}, () => {}, { isBare: true });
    const page = await bare();
    add(page, 1);
    await clock.pass(500);
    const result = add(page, 2);
    await clock.pass(100);
    if (isHeldUp) page.tab.freeze(false);
    else network.slow.answer = 2000;
    network.needsUser = !isHeldUp;
    await clock.pass(1000);
    network.needsUser = false;
    network.slow = { arrival: 30_000, answer: 0 };
    const other = await bare();
    await clock.pass(100);
    browser.kill(other.tab);
    network.slow.arrival = 0;
    network.needsUser = true;
    if (isHeldUp) page.tab.thaw(clock);
    await clock.pass(20_000);
    network.needsUser = false;
    await clock.pass(60_000);
    assert.equal(total(), 3);
    assert.ok(['counted', 'outcome-unknown'].includes(result.outcome), result.outcome);
  });
}

for (const [what, answer] of /** @type {[string, number][]} */ ([
  ['has sent, and settled', 0],
  ['is sending', 3000],
])) {
  test(`a page adds to a row that another one has taken, and ${what}: what it has added goes into another row`, async () => {
    const [page, other] = await openTwo();
    results.push(add(page, 4));
    await clock.pass(500);
    network.slow.answer = answer;
    other.tab.tell('online'); // It takes the row, and sends it.
    await clock.pass(200);
    results.push(add(page, 16));
    await clock.pass(20_000);
    assert.deepEqual([results.map(({ outcome }) => outcome), times([1, 4, 16])], [['counted', 'counted', 'counted'], [1, 1, 1]]);
    assert.deepEqual([page.counter.pending, browser.disk.size], [0, 0]);
  });
}

for (const [what, isBefore] of /** @type {[string, boolean][]} */ ([
  ['has not begun to store it', true],
  ['has not heard that it is stored', false],
])) {
  test(`a row grows while it is stored, and another page sends the smaller one while the storage ${what}: what is told is true`, async () => {
    let isSlow = false;
    const [page, other] = await openTwo((storage) => {
      const { change } = storage;
      storage.change = async (/** @type {any[]} */ ...args) => {
        if (!isSlow) return change(...args);
        if (isBefore) await clock.sleep(3000);
        await change(...args);
        if (!isBefore) await clock.sleep(3000);
      };
    });
    if (!isBefore) isSlow = true;
    results.push(add(page, 4));
    await clock.pass(100);
    isSlow = true;
    results.push(add(page, 16));
    await clock.pass(100);
    other.tab.tell('online');
    await clock.pass(30_000);
    assert.deepEqual([results.map(({ outcome }) => outcome), times([1, 4, 16])], [['counted', 'counted', 'counted'], [1, 1, 1]]);
  });
}

for (const [who, isLeft] of /** @type {[string, boolean][]} */ ([['the caller', false], ['a caller that has left', true]])) {
  test(`the storage lies that it has not stored what a row has grown by, and another page sends all of it: nothing is counted twice, and ${who} is told`, async () => {
    let lies = false;
    const [page, other] = await openTwo((storage) => {
      const { change } = storage;
      storage.change = async (/** @type {any[]} */ ...args) => {
        await change(...args);
        if (lies) throw new Error('The storage has failed.');
      };
    }, { retry: { maxAttempts: 1, initialDelayMs: 10_000 } });
    network.isDown = true;
    results.push(add(page, 4));
    await clock.pass(2000); // That did not work, so nothing is sent for a while.
    results.push(add(page, 16));
    await clock.pass(100);
    lies = true;
    const controller = new AbortController();
    /** @type {string | undefined} */
    let outcome;
    clock.after(0, () => page.counter.increment(64, { signal: controller.signal }).then(() => { outcome = 'counted'; }, (/** @type {any} */ { code }) => { outcome = code; }), page.tab);
    if (isLeft) clock.after(20, () => controller.abort(), page.tab);
    await clock.pass(50);
    page.tab.freeze(false);
    lies = false;
    network.isDown = false;
    other.tab.tell('online');
    await clock.pass(1000);
    assert.deepEqual(times([1, 4, 16, 64]), [1, 1, 1, 1]);
    page.tab.thaw(clock);
    await clock.pass(30_000);
    assert.deepEqual([results.map(({ outcome }) => outcome), times([1, 4, 16, 64])], [['counted', 'counted', 'counted'], [1, 1, 1, 1]]);
    const isInDoubt = outcome === 'outcome-unknown' || warnings.some(({ code, message }) => code === 'outcome-unknown' && /by 64 may or may not/.test(message));
    assert.deepEqual([outcome === 'cancelled', isInDoubt], [isLeft, true]);
  });
}

test('a row that has grown while it was stored is stored again before its page is gone', async () => {
  const page = await open({}, (storage) => {
    const { change } = storage;
    storage.change = (/** @type {any[]} */ ...args) => change(...args).then(() => clock.sleep(1000));
  });
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 60_000 });
  add(page, 1);
  await clock.pass(3000);
  add(page, 4);
  await clock.pass(100);
  add(page, 16);
  await clock.pass(5000);
  assert.equal(total(), 1);
  browser.kill(page.tab);
  await open();
  await clock.pass(5000);
  assert.deepEqual(times([1, 4, 16]), [1, 1, 1]);
});

test('a page shows at once what has become of a row that another one has sent', async () => {
  const [page, other] = [await open(), await open()];
  await clock.pass(100);
  network.slow.answer = 500;
  add(page, 5);
  await clock.pass(100);
  assert.equal(other.counter.pending, 5);
  await clock.pass(1000);
  assert.deepEqual([page.counter.pending, other.counter.pending], [0, 0]);
});

/** What is wanted of a key, and what became of it. @param {any} page @param {'add' | 'remove'} what */
function wish(page, what) {
  const result = { outcome: '' };
  clock.after(0, () => page.set[what]('ann').then(() => { result.outcome = 'done'; }, (/** @type {any} */ error) => { result.outcome = error.code; }), page.tab);
  return result;
}

test('a page hangs while its wish is under way, another one makes it come true, and it is taken back: the first does not repeat it', async () => {
  network.faults.lose = 1;
  const page = await open();
  const first = wish(page, 'add');
  await clock.pass(10);
  page.tab.freeze(false);
  network.heal();
  const other = await open();
  await clock.pass(30_000);
  assert.equal(total(), 1);
  const second = wish(other, 'remove');
  await clock.pass(5000);
  assert.equal(total(), 0);
  page.tab.thaw(clock);
  await clock.pass(60_000);
  assert.deepEqual([first.outcome, second.outcome, total()], ['done', 'done', 0]);
});

test('a page comes back with a wish that another one has made come true, and that was taken back: it does not repeat it', async () => {
  network.isDown = true;
  const page = await open();
  const first = wish(page, 'add');
  await clock.pass(500);
  page.tab.tell('pagehide');
  page.tab.freeze(false);
  await clock.pass(0);
  network.isDown = false;
  const other = await open();
  await clock.pass(5000);
  assert.equal(total(), 1);
  const second = wish(other, 'remove');
  await clock.pass(5000);
  assert.equal(total(), 0);
  page.tab.thaw(clock);
  page.tab.tell('pageshow', { persisted: true });
  await clock.pass(60_000);
  assert.deepEqual([first.outcome, second.outcome, total()], ['done', 'done', 0]);
});
