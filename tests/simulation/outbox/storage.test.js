// How long a storage is waited for, in virtual time.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { PatientStorage } from '../../../web/library/outbox/storage.js';
import { Clock } from './clock.js';

/** @type {Clock} */
let clock;
beforeEach(() => {
  clock = new Clock();
  clock.install();
});
afterEach(() => clock.uninstall());

/**
 * Answers one update after the other.
 * @param {(key: string) => number} delay Milliseconds; Infinity: it never does.
 * @param {boolean} [isSerial] Whether the next update waits for the one before.
 */
function openStorage(delay, isSerial = true) {
  let last = Promise.resolve();
  let resets = 0;
  const answer = (/** @type {string} */ key) => (delay(key) < Infinity ? clock.sleep(delay(key)) : new Promise(() => {}));
  const storage = new PatientStorage({
    update(key, change) {
      const step = (isSerial ? last : Promise.resolve()).then(() => answer(key)).then(() => void change(undefined));
      last = step;
      return step;
    },
    all: async () => new Map(),
    close: () => {},
    reset: () => { resets += 1; },
  });
  /** @param {string} key How and when its update ends. */
  const update = async (key) => {
    const [how] = await Promise.allSettled([storage.update(key, () => '', { durable: false })]);
    return `${how.status} after ${performance.now()}`;
  };
  return { storage, update, resets: () => resets };
}

test('a storage that has much to do is waited for as long as it answers', async () => {
  const { update } = openStorage(() => 100);
  const updates = Promise.all(Array.from({ length: 2000 }, (_, i) => update(`${i}`)));
  await clock.pass(300_000);
  assert.equal((await updates).at(-1), 'fulfilled after 200000');
});

test('what was asked later does not prolong the wait for an answer that never comes', async () => {
  const { update } = openStorage((key) => (key === 'lost' ? Infinity : Number(key)), false);
  const outcomes = Promise.all([update('3000'), update('lost'), update('4000'), update('6000')]);
  await clock.pass(20_000);
  assert.deepEqual(await outcomes, ['fulfilled after 3000', 'rejected after 8000', 'fulfilled after 4000', 'fulfilled after 6000']);
});

test('many updates that are given up together are one failure', async () => {
  const { storage, update, resets } = openStorage(() => Infinity);
  const outcomes = Promise.all(Array.from({ length: 20 }, () => update('lost')));
  await clock.pass(5000);
  assert.deepEqual(new Set(await outcomes), new Set(['rejected after 5000']));
  assert.equal(storage.pauseMs, 500);
  assert.equal(resets(), 1);
});
