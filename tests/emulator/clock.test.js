/** The clock of time limits, on devices that sleep. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { now } from '../../web/library/clock.js';

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
