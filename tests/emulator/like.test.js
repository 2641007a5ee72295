/** A user's like in the element: when it asks the server, and when it asks again. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { ShardlineError } from 'shardline';
import { Wish } from '../../web/library/element/wish.js';

/** @param {import('shardline').ErrorCode} code */
const failure = (code) => new ShardlineError(code, 'It failed.', { reason: 'server-refused' });

/** A double of a counter: its answers, and the number of questions. */
class Stub {
  asked = 0;
  /** @type {boolean | Error | Promise<boolean>} */
  answer = true;
  /** @type {Error | null} */
  refusal = null;

  async has() {
    this.asked += 1;
    if (this.answer instanceof Error) throw this.answer;
    return this.answer;
  }

  async add() {
    if (this.refusal) throw this.refusal;
  }
}

const turns = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

/** @type {any} */
let counter;
/** @type {Wish<any, boolean>} */
let like;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  counter = new Stub();
  like = new Wish((set) => set.has('ann'), (set, wanted) => set[wanted ? 'add' : 'remove']('ann'));
  like.subscribe(() => {});
});
afterEach(() => mock.timers.reset());

for (const code of /** @type {const} */ (['unauthenticated', 'internal', 'resource-exhausted', 'unavailable'])) {
  test(`after ${code} it asks again, later and later, and tells of it once at the most`, async () => {
    counter.answer = failure(code);
    const isTold = code !== 'unavailable';
    await (isTold ? assert.rejects(like.learn(counter), { code }) : like.learn(counter));
    await like.learn(counter);
    assert.equal(counter.asked, 2);
    counter.answer = true;
    mock.timers.tick(1999);
    assert.equal(counter.asked, 2);
    mock.timers.tick(1);
    await turns();
    assert.equal(counter.asked, 3);
    assert.equal(like.state, true);
    await like.learn(counter);
    assert.equal(counter.asked, 3, 'it is known');
  });
}

test('what the rules refuse they would refuse again', async () => {
  counter.answer = failure('permission-denied');
  await assert.rejects(like.learn(counter), { code: 'permission-denied' });
  await like.learn(counter);
  mock.timers.tick(100_000);
  await turns();
  assert.equal(counter.asked, 1);
});

for (const code of /** @type {const} */ (['permission-denied', 'outcome-unknown'])) {
  test(`after a press that ended with ${code} while the first question was under way, it asks anew`, async () => {
    counter.answer = new Promise(() => {});
    void like.learn(counter);
    counter.answer = false;
    counter.refusal = failure(code);
    await assert.rejects(/** @type {Promise<boolean>} */ (like.press(counter, !like.state)), { code });
    await turns();
    assert.equal(counter.asked, 2);
    assert.equal(like.state, false);
  });
}

test('after a minute out of view, and when the network is back, the next total asks again: the user may have used another device', async () => {
  const { Wish: OfPage } = await import('../../web/library/element/wish.js');
  const page = Object.assign(new EventTarget(), { hidden: false });
  const window = new EventTarget();
  const turn = (/** @type {boolean} */ hidden) => page.dispatchEvent(Object.assign(new Event('visibilitychange'), (page.hidden = hidden, {})));
  Object.assign(globalThis, { document: page, addEventListener: window.addEventListener.bind(window) });
  const { now } = performance;
  let passed = 0;
  performance.now = () => now.call(performance) + passed;
  try {
    const shown = new OfPage((set) => set.has('ann'), (set) => set.add('ann'));
    const stop = shown.subscribe(() => {});
    counter.answer = failure('permission-denied');
    await assert.rejects(shown.learn(counter), { code: 'permission-denied' });
    const asked = [];
    counter.answer = true;
    for (const awayMs of [1000, 61_000, 0]) {
      turn(true);
      passed += awayMs;
      turn(false);
      if (awayMs === 0) window.dispatchEvent(new Event('online'));
      await shown.learn(counter);
      asked.push(counter.asked);
    }
    assert.deepEqual([asked, shown.state], [[1, 2, 3], true]);
    stop();
    window.dispatchEvent(new Event('online'));
    await shown.learn(counter);
    assert.equal(counter.asked, 3, 'nobody looks at it');
  } finally {
    performance.now = now;
    for (const name of ['document', 'addEventListener']) delete (/** @type {any} */ (globalThis))[name];
  }
});
