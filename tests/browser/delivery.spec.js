/**
 * Increments in a real browser: pages that are reloaded or crash while they send, tabs that share a storage, a network that goes
 * away, and storage that is forbidden. The total is right to the unit.
 */
import { faults, startFaultProxy } from '../emulator/support/fault_proxy.js';
import { longUnless } from './support/long.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { stored } from './support/stored.js';
import { expect, test } from './support/test.js';

const MAIN = `
import { connect } from './node_modules/shardline/library/index.js';
globalThis.warnings = [];
globalThis.resolved = 0;
globalThis.begin = async (host) => {
  globalThis.db = await connect({
    projectId: 'demo', host, retry: { initialDelayMs: 20, maxDelayMs: 200 }, onWarning: ({ code }) => warnings.push(code),
  });
  globalThis.counter = db.counter('counters/c', { shards: 3, flushMs: 50 });
};
globalThis.add = (delta) => {
  counter.increment(delta).then(() => { globalThis.resolved += delta; }, (error) => warnings.push(error.code));
};
globalThis.isReady = true;
`;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
/** @type {Awaited<ReturnType<typeof startFaultProxy>>} */
let proxy;
test.beforeAll(async () => {
  const folder = await makeApp('delivery-page', { ...EMPTY_PAGE, 'main.js': MAIN });
  server = await serveFolder(folder);
  proxy = await startFaultProxy({ target: places.emulator });
});
test.afterAll(async () => {
  await Promise.all([server.stop(), proxy.stop()]);
});
test.beforeEach(({ watch }) => {
  proxy.reset();
  watch.expectFailedRequests();
});

/** @typedef {import('@playwright/test').Page} Page */

/** @param {Page} page */
async function open(page) {
  await page.goto(server.url);
  await begin(page);
}

/** @param {Page} page */
async function begin(page) {
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate((host) => globalThis.begin(host), proxy.url);
}

/** @param {Page} page @param {number} delta */
const add = (page, delta) => page.evaluate((by) => globalThis.add(by), delta);
/** @param {Page} page @returns {Promise<number>} */
const pending = (page) => page.evaluate(() => globalThis.counter.pending);
/** @param {Page} page @returns {Promise<number>} */
const resolved = (page) => page.evaluate(() => globalThis.resolved);
/** @param {Page} page @returns {Promise<number>} */
const total = (page) => page.evaluate(async () => (await globalThis.counter.get()).value);

/** What a page does that has nothing left to send. @param {Page} page @param {number} expected */
async function expectTotal(page, expected) {
  await page.evaluate(() => globalThis.counter.flush());
  await expect.poll(() => pending(page)).toBe(0);
  expect(await total(page)).toBe(expected);
}

/** The storage has it: a commit does not wait for that. @param {Page} page @param {string} delta */
const isStored = (page, delta) => expect.poll(async () => (await page.evaluate(stored)).join()).toContain(`"${delta}"`);

/** Cuts off the first commit: before the emulator has it, or behind. Resolves when that has happened. @param {boolean} applied */
function cutCommit(applied) {
  return new Promise((resolve) => {
    let cut = false;
    proxy.choose(({ verb }) => {
      if (verb !== 'commit' || cut) return null;
      cut = true;
      const stuck = async () => {
        resolve(undefined);
        await new Promise(() => {});
      };
      return applied ? { ...faults.dropResponse(), after: stuck } : { ...faults.dropResponse(), before: stuck };
    });
  });
}

for (const applied of [false, true]) {
  const when = applied ? 'and applied' : 'and not applied';
  test(`a reload while a commit is under way ${when}`, longUnless(applied), async ({ page }) => {
    await open(page);
    const cut = cutCommit(applied);
    await add(page, 5);
    await cut;
    await isStored(page, '5');
    await page.reload();
    await begin(page);
    await add(page, 2);
    await expectTotal(page, 7);
  });

  test(`a crash while a commit is under way ${when}`, longUnless(!applied), async ({ page, context }) => {
    await open(page);
    const cut = cutCommit(applied);
    await add(page, 5);
    await cut;
    await isStored(page, '5');
    const devtools = await context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    devtools.send('Page.crash').catch(() => {});
    await crashed;
    const next = await context.newPage();
    await open(next);
    await expectTotal(next, 5);
  });
}

test('a reload with increments that were not sent yet', async ({ page }) => {
  await open(page);
  await add(page, 1);
  await expectTotal(page, 1);
  await page.evaluate(() => {
    globalThis.counter = globalThis.db.counter('counters/c', { shards: 3, flushMs: 1e6 });
    for (let i = 0; i < 10; i += 1) globalThis.add(1);
  });
  await isStored(page, '10');
  expect(proxy.count('commit')).toBe(1);
  await page.reload();
  await begin(page);
  await expectTotal(page, 11);
});

test('two tabs: both count, and see what is pending in all', async ({ page, context }) => {
  const other = await context.newPage();
  await Promise.all([open(page), open(other)]);
  let held = () => {};
  const until = new Promise((resolve) => {
    held = () => resolve(undefined);
  });
  proxy.choose(({ verb }) => (verb === 'commit' ? faults.hold(until) : null));
  await add(page, 3);
  await add(other, 4);
  await expect.poll(async () => [await pending(page), await pending(other)]).toEqual([7, 7]);
  held();
  await expect.poll(async () => [await resolved(page), await resolved(other)]).toEqual([3, 4]);
  await expectTotal(page, 7);
  await expectTotal(other, 7);
  const { held: locks = [], pending: waiting = [] } = await page.evaluate(() => navigator.locks.query());
  expect([locks.length, waiting.filter(({ mode }) => mode === 'exclusive').length], 'each is known to be there').toEqual([2, 0]);
});

test('two tabs: what one leaves when it goes, the other sends', async ({ page, context }) => {
  await open(page);
  const other = await context.newPage();
  await open(other);
  const cut = cutCommit(true);
  await add(page, 3);
  await cut;
  await add(other, 4);
  await page.close();
  await expect.poll(() => resolved(other)).toBe(4);
  await expectTotal(other, 7);
});

test('offline and back', async ({ page, context }) => {
  await open(page);
  await add(page, 1);
  await expectTotal(page, 1);
  await context.setOffline(true);
  await add(page, 2);
  await add(page, 3);
  await expect.poll(() => pending(page)).toBe(5);
  await page.waitForFunction(() => !navigator.onLine);
  await context.setOffline(false);
  await expect.poll(() => resolved(page)).toBe(6);
  await expectTotal(page, 6);
});

test('hidden: what waits is sent at once', async ({ page }) => {
  await open(page);
  await add(page, 1);
  await expectTotal(page, 1);
  await page.evaluate(() => {
    globalThis.counter = globalThis.db.counter('counters/c', { shards: 3, flushMs: 1e6 });
    globalThis.add(5);
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => resolved(page)).toBe(6);
  await expectTotal(page, 6);
});

test('storage that is forbidden: memory, a warning, and the count is right', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', {
      get: () => {
        throw new DOMException('Forbidden.', 'SecurityError');
      },
    });
  });
  await open(page);
  proxy.script(faults.dropResponse());
  await add(page, 3);
  await add(page, 4);
  await expect.poll(() => resolved(page)).toBe(7);
  await expectTotal(page, 7);
  expect(await page.evaluate(() => globalThis.warnings)).toEqual(['resource-exhausted']);
});
