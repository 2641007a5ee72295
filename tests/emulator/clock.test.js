/** The clock of time limits, on devices that sleep. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { now } from '../../web/library/clock.js';
import { connect } from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';

const WEEKS = 40 * 24 * 3600 * 1000;

/** @param {import('node:test').TestContext} t */
function device(t) {
  const clocks = { timer: performance.now(), wall: Date.now() };
  t.mock.method(performance, 'now', () => clocks.timer);
  t.mock.method(Date, 'now', () => clocks.wall);
  return clocks;
}

for (const [what, timer, wall, expected] of /** @type {const} */ ([
  ['both clocks go on', WEEKS, WEEKS, WEEKS],
  ['timers stand still while it sleeps', 10, WEEKS, WEEKS],
  ['the wall clock is put back', 1000, -WEEKS, 1000],
  ['the wall clock is set by a server, a little ahead', 1000, 1500, 1000],
])) {
  test(what, (t) => {
    const clocks = device(t);
    const begun = now();
    clocks.timer += timer;
    clocks.wall += wall;
    assert.equal(Math.round(now() - begun), expected);
    clocks.timer += 5;
    clocks.wall += 5;
    assert.equal(Math.round(now() - begun), expected + 5);
  });
}

test('it never goes back, whatever the wall clock does', (t) => {
  const clocks = device(t);
  let last = now();
  for (const step of [WEEKS, -2 * WEEKS, WEEKS, 0, -WEEKS]) {
    clocks.timer += 1;
    clocks.wall += step;
    assert.ok(now() > last);
    last = now();
  }
});

test('a key is kept for as long as it is to be, though the device’s clock was put right after the server’s was known', async (t) => {
  const simulator = await (await openWorkbench()).createEmbeddedFirestore({ worker: false });
  const server = Date.now();
  const clocks = device(t);
  clocks.wall += 2 * WEEKS; // Ahead of the server's.
  /** @type {number[]} */
  const expiries = [];
  const db = await connect({
    projectId: 'demo',
    storage: 'memory',
    fetch: Object.assign(async (/** @type {any} */ input, /** @type {any} */ init) => {
      const [, expiry] = /"expireAt":\{"timestampValue":"([^"]+)"/.exec(new TextDecoder().decode(init?.body)) ?? [];
      if (expiry) expiries.push(Date.parse(expiry));
      const { status, headers, body } = await simulator.fetch(input, init);
      return new Response(body, { status, headers: { ...Object.fromEntries(headers), date: new Date(server).toUTCString() } });
    }, { host: simulator.fetch.host }),
  });
  const sales = db.counter('shops/s1', { shards: 2 });
  await sales.get().catch(() => {});
  clocks.wall -= 2 * WEEKS;
  assert.deepEqual(await sales.increment(5, { key: 'e1' }), { counted: true });
  const days = (Number(expiries.at(-1)) - server) / (24 * 3600 * 1000);
  assert.ok(days > 29 && days < 62, `expires after ${days} days`);
  await db.close();
  await simulator.close();
});
