// One row, and who sends it: again, at the same time, from a copy, or while the server does not answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, browser, clock, commits, DAY_MS, deleteMarkers, documents, network, open, openAtOnce, total, warnings } from './scene.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

test('three pages send the same row at once: it is counted once, and whoever waits is told so', async () => {
  network.isDown = true;
  const pages = [];
  // Where nobody can tell which pages are there, everybody sends.
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
  /** @type {{outcome: string}[]} */
  const results = [];
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
  network.isDown = false;
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
