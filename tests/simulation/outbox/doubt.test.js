// Increments in doubt: for a while no page knows whether they were counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenTotal } from '../../../web/library/seen_total.js';
import { Timestamp } from '../../../web/library/values.js';
import { add, clock, network, open, openAtOnce, signIn, tokenOf, total, user, warnings } from './scene.js';

/** @param {any} page @returns {number[]} The totals that a watch of it shows, without repetitions. */
function shownBy(page) {
  /** @type {number[]} */
  const shown = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ { value }) => value !== undefined && value !== shown.at(-1) && shown.push(value)));
  return shown;
}

test('nobody is signed in, the answer is lost, and rules refuse: whoever signs in withdraws it, also with the option `user`', async () => {
  network.needsUser = true;
  const page = await open({ user: () => user, authToken: async () => tokenOf(user) });
  network.faults.loseAnswer = 1;
  const result = add(page, 5);
  await clock.pass(5000);
  network.heal();
  await clock.pass(20_000);
  assert.equal(result.outcome, '');
  signIn('ann');
  await clock.pass(20_000);
  assert.deepEqual([result.outcome, total()], ['permission-denied', 0]);
});

test('the network goes while an increment is under way, and comes back: the total has it once, and never lacks it', async () => {
  const [page, other] = [await openAtOnce(), await open({ storage: 'memory' })];
  add(other, 7);
  await clock.pass(2000);
  const shown = shownBy(page);
  await clock.pass(2000);
  network.faults.loseAnswer = 1;
  const result = add(page, 1);
  await clock.pass(50);
  network.isDown = true;
  await clock.pass(60_000);
  network.heal();
  network.slow.answer = 1500;
  page.tab.tell('online');
  await clock.pass(20_000);
  assert.deepEqual([result.outcome, shown, total()], ['counted', [7, 8], 8]);
});

for (const [what, slow] of /** @type {[string, {arrival: number, answer: number}][]} */ ([['arrive', { arrival: 0, answer: 40_000 }], ['do not arrive', { arrival: 40_000, answer: 0 }]])) {
  test(`commits are not answered, and ${what}: the total follows others after ten seconds, and shows nothing twice`, async () => {
    const [page, other] = [await openAtOnce({ retry: { maxAttempts: 1, timeoutMs: 120_000 } }), await open({ storage: 'memory' })];
    const shown = shownBy(page);
    await clock.pass(2000);
    network.slow = slow;
    add(page, 1);
    await clock.pass(500);
    network.slow = { arrival: 0, answer: 0 };
    await clock.pass(15_000);
    add(other, 10);
    await clock.pass(15_000);
    assert.ok(shown.at(-1) === 10 || shown.at(-1) === 11, `${shown}`);
    await clock.pass(60_000);
    assert.equal(shown.at(-1), 11);
    assert.ok(shown.every((value, i) => value <= 11 && value >= (shown[i - 1] ?? 0)), `${shown}`);
    assert.deepEqual(warnings.map(({ code, reason }) => [code, reason]), [['deadline-exceeded', 'timed-out']]);
  });
}

test('a part that is refused goes out of a total that had it, and out of no other', async () => {
  /** @type {{all: any[], forget: () => void}} */
  const place = { all: [{ value: 2, sentAt: 0 }], forget: () => {} };
  const seen = new SeenTotal(/** @type {any} */ (place));
  const read = () => seen.take({ value: 0, source: 'shards', shards: 1, readTime: Timestamp.now() }, { from: 1, until: 1 });
  read();
  await clock.pass(10_001);
  read();
  assert.equal(seen.value, 2, 'what is under way is taken to be missing');
  // Another page has sent it long ago.
  const [own, other] = [place.all[0], { value: 4, sentAt: 0, end: { isCounted: false } }];
  place.all = [own, other];
  read();
  assert.equal(seen.value, 2);
  place.all = [own];
  seen.settle(/** @type {any} */ (other));
  assert.equal(seen.value, 2, 'the total never had it');
  place.all = [];
  own.end = { isCounted: false };
  seen.settle(own);
  assert.equal(seen.value, 0);
});

test('a part that was given up as counted, and comes back: it is in the total once, also when it is counted only then', async () => {
  const now = performance.now();
  const at = (/** @type {number} */ ms) => Timestamp.fromMillis(1_000_000 + ms);
  const [one, lost] = /** @type {any[]} */ ([{ value: 3, sentAt: now + 5 }, { value: 2, sentAt: now + 5 }]);
  /** @type {{all: any[], forget: (isIn: (part: any) => boolean) => void}} */
  const place = { all: [], forget: (isIn) => { place.all = place.all.filter((part) => !part.end || !isIn(part)); } };
  const seen = new SeenTotal(/** @type {any} */ (place));
  const read = (/** @type {number} */ value, /** @type {number} */ ms) => (
    seen.take({ value, source: 'shards', shards: 1, readTime: at(ms) }, { from: now + ms, until: now + ms }));
  read(0, 0);
  place.all = [one, lost];
  assert.equal(seen.value, 5);
  lost.end = { isCounted: true, endedAt: now + 10 };
  // The reading includes the first part alone. The page cannot know that.
  read(3, 20);
  await clock.pass(10_001);
  read(3, 21);
  assert.equal(seen.value, 5, 'the total goes back for nobody');
  const again = /** @type {any} */ ({ value: 2, sentAt: -Infinity });
  place.all.push(again);
  seen.meet(again);
  assert.equal(seen.value, 5);
  again.end = { isCounted: true, at: at(30), endedAt: now + 30 };
  seen.settle(again);
  assert.equal(seen.value, 5);
  one.end = { isCounted: true, at: at(15), endedAt: now + 40 };
  seen.settle(one);
  assert.equal(seen.value, 5);
});
