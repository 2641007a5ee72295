// The owners of increments: one user comes, another one goes, and for a while the page does not know its user.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShardlineError } from '../../../web/library/errors.js';
import { add, browser, clock, commits, leave, network, open, signIn, tokenOf, total, user, warnings } from './scene.js';

test('stored increments wait until their user is signed in again, and go under nobody else’s token', async () => {
  network.needsUser = true;
  signIn('ann');
  const authToken = () => tokenOf(user);
  await leave(3, { authToken });
  signIn(null);
  await open({ authToken });
  await clock.pass(10_000);
  signIn('bob');
  await clock.pass(60_000);
  assert.deepEqual(commits, []);
  signIn('ann');
  await clock.pass(130_000);
  assert.deepEqual(commits, [{ token: tokenOf('ann'), delta: 3 }]);
  assert.equal(total(), 3);
});

for (const [what, leave] of /** @type {[string, (tab: Tab) => void][]} */ ([
  ['is left', (tab) => tab.tell('pagehide')],
  ['is hidden', (tab) => tab.tell('visibilitychange')],
])) {
  test(`the option \`user\` names another user than the last token was made for, and the page ${what}: it is nobody else’s to use`, async () => {
    for (const next of ['bob', null]) {
      signIn('ann');
      commits.length = 0;
      const page = await open({ authToken: () => tokenOf(user), user: () => user });
      add(page, 1);
      await clock.pass(5000);
      signIn(next);
      page.tab.run(() => void page.counter.increment(2));
      page.tab.visibilityState = 'hidden';
      leave(page.tab);
      await clock.pass(100);
      browser.kill(page.tab);
      await open({ authToken: () => tokenOf(user), user: () => user });
      await clock.pass(10_000);
      assert.deepEqual(commits, [{ token: tokenOf('ann'), delta: 1 }, { token: tokenOf(next), delta: 2 }]);
    }
  });
}

for (const [what, options] of /** @type {[string, () => object][]} */ ([
  ['the token tells who is there', () => ({ authToken: () => tokenOf(user) })],
  ['the option `user` tells who is there', () => ({ authToken: () => tokenOf(user), user: () => user })],
])) {
  test(`what was asked for while nobody was signed in goes without a token when somebody is: ${what}`, async () => {
    const page = await open(options());
    const early = add(page, 3);
    await clock.pass(100);
    signIn('ann');
    const late = add(page, 4);
    await clock.pass(5000);
    assert.deepEqual([early.outcome, late.outcome, page.counter.pending, total()], ['counted', 'counted', 0, 7]);
    assert.deepEqual(commits, [{ token: null, delta: 3 }, { token: tokenOf('ann'), delta: 4 }]);
  });

  test(`rules that ask for a user refuse it, and its page hears so: ${what}`, async () => {
    network.needsUser = true;
    const page = await open(options());
    const early = add(page, 3);
    await clock.pass(100);
    signIn('ann');
    await clock.pass(5000);
    assert.deepEqual([early.outcome, page.counter.pending, warnings.length], ['permission-denied', 0, 0]);
    const late = add(page, 4);
    await clock.pass(5000);
    assert.deepEqual([late.outcome, total()], ['counted', 4]);
  });

  test(`an earlier page has left it: the next one sends it, and tells of a refusal: ${what}`, async () => {
    const comeAfter = async (/** @type {boolean} */ needsUser) => {
      signIn(null);
      await leave(5, options());
      network.needsUser = needsUser;
      signIn('ann');
      commits.length = 0;
      const page = await open(options());
      await clock.pass(5000);
      browser.kill(page.tab);
      return [total(), ...commits, ...warnings.map(({ message }) => /by 5 was not counted/.test(message))];
    };
    assert.deepEqual(await comeAfter(false), [5, { token: null, delta: 5 }]);
    assert.deepEqual(await comeAfter(true), [5, { token: null, delta: 5 }, true]);
  });
}

test('tabs of another user do not show what a user has asked for who leaves while it is stored', async () => {
  const authToken = () => tokenOf(user);
  const [first, other] = [await open({ authToken }), await open({ authToken })];
  const [mine, others] = [add(first, 1), add(other, 1)];
  await clock.pass(5000);
  assert.deepEqual([mine.outcome, others.outcome], ['counted', 'counted']);
  network.isDown = true;
  signIn('bob');
  const late = add(first, 5);
  browser.storageFaults.late = 1;
  await clock.pass(10);
  signIn(null);
  add(first, 2);
  await clock.pass(100);
  browser.storageFaults.late = 0;
  await clock.pass(30_000);
  assert.deepEqual([first.counter.pending, other.counter.pending], [7, 2]);
  network.isDown = false;
  await clock.pass(70_000);
  assert.deepEqual([late.outcome, first.counter.pending, other.counter.pending], ['', 5, 0]);
  signIn('bob');
  await clock.pass(70_000);
  assert.deepEqual([late.outcome, first.counter.pending, total()], ['counted', 0, 9]);
});

test('what another tab has settled meanwhile does not wait for ever in a tab whose user was away', async () => {
  let here = 'bob';
  network.isDown = true;
  const page = await open({ authToken: () => tokenOf(here) });
  const result = add(page, 5);
  await clock.pass(100);
  here = 'ann';
  add(page, 1);
  await clock.pass(100);
  // It hears nothing of the events in between.
  page.tab.tell('pagehide');
  page.tab.freeze(false);
  await clock.pass(0);
  network.isDown = false;
  await open({ authToken: () => tokenOf('bob') });
  await clock.pass(60_000);
  assert.equal(total(), 5);
  page.tab.thaw(clock);
  page.tab.tell('pageshow', { persisted: true });
  await clock.pass(10_000);
  assert.deepEqual([result.outcome, page.counter.pending, total()], ['counted', 0, 6]);
});

test('what was kept in memory and is settled goes, though its user has left when it can be stored', async () => {
  signIn('ann');
  const page = await open({ authToken: () => tokenOf(user) });
  browser.storageFaults.fail = 1;
  const late = add(page, 3);
  await clock.pass(15_000);
  assert.equal(late.outcome, 'counted');
  signIn(null);
  add(page, 1);
  await clock.pass(100);
  browser.storageFaults.fail = 0;
  await clock.pass(120_000);
  assert.equal(total(), 4);
  assert.deepEqual([...browser.disk.keys()], []);
});

test('the option `user` throws: the increment is refused with a typed error, and nothing shows it', async () => {
  let name = () => /** @type {string | null} */ ('ann');
  const page = await open({ user: () => name() });
  /** @type {any[]} */
  const seen = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ { value, pending }) => seen.push([value, pending])));
  const counted = add(page, 1);
  await clock.pass(5000);
  name = () => { throw new RangeError('a slip of the user’s'); };
  const refused = add(page, 5);
  await clock.pass(5000);
  assert.deepEqual([counted.outcome, refused.outcome], ['counted', 'unauthenticated']);
  assert.deepEqual([seen.at(-1), page.counter.pending, total()], [[1, 0], 0, 1]);
  name = () => /** @type {any} */ (7);
  const nobody = add(page, 5);
  await clock.pass(5000);
  assert.deepEqual([nobody.outcome, seen.at(-1)], ['unauthenticated', [1, 0]]);
});

for (const [what, slip] of /** @type {[string, () => any][]} */ ([
  ['throws', () => { throw new RangeError('a slip of the user’s'); }],
  ['returns no name', () => 7],
])) {
  test(`the option \`user\` ${what} while increments wait: they go on waiting, one warning tells why, and they are counted`, async () => {
    let name = () => 'ann';
    const page = await open({ user: () => name() });
    add(page, 1);
    await clock.pass(500);
    const result = add(page, 2);
    await clock.pass(100);
    name = slip;
    await clock.pass(10_000);
    assert.deepEqual([result.outcome, total()], ['', 1]);
    assert.deepEqual(warnings.map(({ code }) => code), ['unauthenticated']);
    assert.ok(warnings[0] instanceof ShardlineError);
    name = () => 'ann';
    await clock.pass(120_000);
    assert.deepEqual([result.outcome, total()], ['counted', 3]);
  });
}
