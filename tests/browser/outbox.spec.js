/**
 * No increment is lost or counted twice when users sign in late, sites' data are cleared, tabs freeze, hang, crash, are closed or go into the
 * browser's cache of pages. The test steers Chromium through its DevTools protocol. The server counts.
 */
import { chromium } from '@playwright/test';
import { faults, startFaultProxy } from '../emulator/support/fault_proxy.js';
import { counted } from './support/counted.js';
import { longUnless } from './support/long.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { stored } from './support/stored.js';
import { expect, test } from './support/test.js';

test.use({ serviceWorkers: 'allow' });

const MAIN = `
import { connect } from './node_modules/shardline/library/counters_only.js';
globalThis.warnings = [];
globalThis.outcomes = [];
globalThis.shows = [];
globalThis.token = null;
addEventListener('pageshow', ({ persisted }) => shows.push(persisted));
globalThis.begin = async ({ host, hasUsers, flushMs }) => {
  globalThis.db = await connect({
    projectId: 'demo', host, retry: { initialDelayMs: 20, maxDelayMs: 200 }, onWarning: ({ code }) => warnings.push(code),
    ...(hasUsers ? { authToken: () => globalThis.token } : {}),
  });
  globalThis.counter = db.counter('counters/c', { shards: 3, flushMs });
  globalThis.set = db.countedSet('counters/c', { shards: 3, flushMs });
};
globalThis.add = (delta) => {
  counter.increment(delta).then(() => outcomes.push(delta), ({ code }) => outcomes.push(code));
};
globalThis.isReady = true;
`;
// Sends the increments that pages have left, when the browser says that the network is back, though no page may be open.
const SERVICE_WORKER = `
import { connect } from './node_modules/shardline/library/counters_static.js';
const host = new URL(location.href).searchParams.get('host');
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('sync', (event) => {
  if (event.tag === 'increments') event.waitUntil(send());
});
async function send() {
  const db = await connect({ projectId: 'demo', host });
  await db.close();
}
`;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
/** @type {Awaited<ReturnType<typeof startFaultProxy>>} */
let proxy;
test.beforeAll(async () => {
  const files = { ...EMPTY_PAGE, 'other.html': '<!doctype html><title>Other</title>', 'main.js': MAIN, 'worker.js': SERVICE_WORKER };
  server = await serveFolder(await makeApp('outbox-page', files));
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

/** @param {Page} page @param {{hasUsers?: boolean, flushMs?: number, token?: string | null}} [options] */
async function begin(page, { hasUsers = false, flushMs = 50, token = null } = {}) {
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate(({ as, ...options }) => {
    globalThis.token = as;
    return globalThis.begin(options);
  }, { host: proxy.url, hasUsers, flushMs, as: token });
}

/** @param {Page} page @param {Parameters<typeof begin>[1]} [options] */
async function open(page, options) {
  await page.goto(server.url);
  await begin(page, options);
}

/** @param {Page} page @param {number} delta */
const add = (page, delta) => page.evaluate((by) => globalThis.add(by), delta);
/** @param {Page} page @returns {Promise<(number | string)[]>} */
const outcomes = (page) => page.evaluate(() => globalThis.outcomes);
/** @param {Page} page @returns {Promise<number>} */
const pending = (page) => page.evaluate(() => globalThis.counter.pending);

/** Playwright itself waits in vain for a page that comes out of the cache. @param {Page} page @param {'back' | 'forward'} where */
const go = (page, where) => page.evaluate((to) => { setTimeout(() => history[to]()); }, where);

/** @param {Page} page How many rows it holds. */
const records = async (page) => (await page.evaluate(stored)).length;

/** No commit gets through, until proxy.reset() or another choice. */
const block = () => proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
const unblock = () => proxy.choose(() => null);

/** An ID token as Firebase makes them, but unsigned. @param {string} user */
function tokenOf(user) {
  const part = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: user, user_id: user, iat: now, exp: now + 3600, aud: 'demo', iss: 'https://securetoken.google.com/demo' })}.`;
}

/** Who has sent which increments. */
function senders() {
  const seen = new Set();
  for (const { verb, body, headers } of proxy.requests) {
    if (verb !== 'commit') continue;
    const [, payload = ''] = String(headers.authorization ?? '').split('.');
    const user = payload ? JSON.parse(Buffer.from(payload, 'base64url').toString()).sub : 'nobody';
    for (const [, delta] of body.matchAll(/"increment":\{"integerValue":"(-?\d+)"\}/g)) seen.add(`${user} ${delta}`);
  }
  return [...seen].sort();
}

test('sign-in comes late, and another user comes first: everybody’s increments go under their own token', async ({ page }) => {
  block();
  await open(page, { hasUsers: true, token: tokenOf('ann') });
  await add(page, 3);
  await expect.poll(() => records(page)).toBe(1);
  await page.reload();
  proxy.reset();
  await begin(page, { hasUsers: true });
  await add(page, 10);
  await expect.poll(() => outcomes(page)).toEqual([10]);
  await page.evaluate((token) => { globalThis.token = token; }, tokenOf('bob'));
  await add(page, 20);
  await expect.poll(() => outcomes(page)).toEqual([10, 20]);
  expect(await counted()).toBe(30);
  await page.evaluate((token) => { globalThis.token = token; }, tokenOf('ann'));
  await add(page, 40);
  await expect.poll(counted).toBe(73);
  expect(senders()).toEqual(['ann 3', 'ann 40', 'bob 20', 'nobody 10']);
});

test('site data are cleared while increments wait: all are counted, each promise for itself', async ({ page, context }) => {
  block();
  await open(page);
  await add(page, 5);
  await expect.poll(() => records(page)).toBe(1);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(server.url).origin, storageTypes: 'all' });
  await add(page, 7);
  await expect.poll(() => pending(page)).toBe(12);
  expect(await outcomes(page)).toEqual([]);
  unblock();
  await expect.poll(async () => (await outcomes(page)).toSorted()).toEqual([5, 7]);
  expect(await counted()).toBe(12);
});

test('a tab is frozen: another one sends; thawed, it goes on', async ({ page, context }) => {
  await open(page);
  const other = await context.newPage();
  await open(other);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await add(other, 2);
  await expect.poll(() => outcomes(other)).toEqual([2]);
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await add(page, 3);
  await expect.poll(() => outcomes(page)).toEqual([3]);
  expect(await counted()).toBe(5);
});

test('a tab hangs: another one sends; woken, it goes on', { tag: '@long' }, async ({ page, context }) => {
  await open(page);
  const other = await context.newPage();
  await open(other);
  // It stops in the middle of its work, and keeps its lock.
  const devtools = await context.newCDPSession(page);
  await devtools.send('Debugger.enable');
  const stopped = new Promise((resolve) => { devtools.once('Debugger.paused', resolve); });
  await devtools.send('Debugger.pause');
  const woken = page.evaluate(() => {});
  await stopped;
  await add(other, 2);
  await expect.poll(() => outcomes(other)).toEqual([2]);
  await devtools.send('Debugger.resume');
  await woken;
  await add(page, 3);
  await expect.poll(() => outcomes(page)).toEqual([3]);
  expect(await counted()).toBe(5);
});

test('the renderer of a tab is killed: another tab counts what it has left, once', async ({ page, context }) => {
  await open(page);
  const other = await context.newPage();
  await open(other);
  block();
  await add(page, 4);
  await expect.poll(() => records(page)).toBe(1);
  const devtools = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  devtools.send('Page.crash').catch(() => {});
  await crashed;
  unblock();
  await add(other, 2);
  await expect.poll(() => outcomes(other)).toEqual([2]);
  await expect.poll(counted).toBe(6);
});

for (const [how, leave] of /** @type {[string, (page: Page) => Promise<unknown>][]} */ ([
  ['closed', (page) => page.close({ runBeforeUnload: true })],
  ['navigated away from', (page) => page.goto(`${server.url}other.html`)],
])) {
  test(`a page that is ${how} sends what waits, and the server counts it though nobody is there any more`, longUnless(how === 'closed'), async ({ browser, firestore }) => {
    test.setTimeout(120_000);
    let context = await browser.newContext();
    // Chromium closes a page that does not answer at once, as on a busy machine, without a word to it: what waits is for the next page then.
    await expect(async () => {
      await context.close();
      context = await browser.newContext();
      proxy.reset();
      const page = await context.newPage();
      await firestore.deleteAll();
      await open(page, { flushMs: 1_000_000 });
      await add(page, 2);
      await expect.poll(() => outcomes(page)).toEqual([2]);
      await add(page, 4);
      await expect.poll(async () => (await page.evaluate(stored)).join()).toContain('"4"');
      expect(proxy.count('commit')).toBe(1);
      await leave(page);
      await expect.poll(counted).toBe(6);
    }).toPass();
    const next = await context.newPage();
    await open(next);
    await add(next, 1);
    await expect.poll(() => outcomes(next)).toEqual([1]);
    expect(await counted()).toBe(7);
    await context.close();
  });
}

/**
 * Chromium may drop a page from its cache at any time, as on a busy machine: that ends a visit, and proves nothing.
 * @param {Page} page
 * @param {string} condition True in the page that comes out of the cache.
 */
const comesBack = (page, condition) => page.waitForFunction(condition, undefined, { timeout: 10_000 }).then(() => true, () => false);

/** @param {import('@playwright/test').Browser} browser @returns {Promise<boolean>} Whether the cache had the page. */
async function backAndForth(browser) {
  const before = await counted();
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page, { flushMs: 1_000_000 });
  await page.evaluate(() => { globalThis.isTheSame = true; });
  await add(page, 16);
  await expect.poll(() => outcomes(page)).toEqual([16]);
  await add(page, 1);
  await expect.poll(async () => (await page.evaluate(stored)).join()).toContain('"1"');
  await page.goto(`${server.url}other.html`);
  await expect.poll(counted).toBe(before + 17);
  // Another tab counts meanwhile.
  const other = await context.newPage();
  await open(other);
  await add(other, 2);
  await expect.poll(() => outcomes(other)).toEqual([2]);
  await go(page, 'back');
  if (!await comesBack(page, 'globalThis.isTheSame')) return false;
  expect(await page.evaluate(() => globalThis.shows)).toEqual([false, true]);
  await expect.poll(() => outcomes(page)).toEqual([16, 1]);
  await page.evaluate(() => { globalThis.counter = globalThis.db.counter('counters/c', { shards: 3, flushMs: 0 }); });
  await add(page, 4);
  await expect.poll(() => outcomes(page)).toEqual([16, 1, 4]);
  await go(page, 'forward');
  await page.waitForURL('**/other.html', { waitUntil: 'commit' });
  await go(page, 'back');
  if (!await comesBack(page, 'globalThis.shows?.length === 3')) return false;
  expect(await page.evaluate(() => globalThis.shows)).toEqual([false, true, true]);
  await add(page, 8);
  await expect.poll(() => outcomes(page)).toEqual([16, 1, 4, 8]);
  expect(await counted()).toBe(before + 31);
  return true;
}

test('back and forward: the page comes out of the browser’s cache, and counts on', { tag: '@long' }, async () => {
  const { executablePath, args } = test.info().project.use.launchOptions ?? {};
  const visit = async () => {
    const browser = await chromium.launch({ executablePath, args, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
    return backAndForth(browser).finally(() => browser.close());
  };
  expect(await visit() || await visit() || await visit()).toBe(true);
});

test('the quota is used up: memory, a warning, and the count is right; with room again, it is stored again', { tag: '@long' }, async ({ page, context }) => {
  test.slow();
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(server.url);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await open(page);
  await add(page, 3);
  await expect.poll(() => outcomes(page)).toEqual([3]);
  expect(await page.evaluate(() => globalThis.warnings)).toEqual(['resource-exhausted']);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  block();
  await add(page, 4);
  await expect.poll(async () => (await page.evaluate(stored)).join(), { timeout: 40_000 }).toContain('"4"');
  await page.reload();
  unblock();
  await begin(page);
  await expect.poll(counted).toBe(7);
});

test('a private window: increments outlive the page, and are gone with the window', { tag: '@long' }, async ({ browser }) => {
  block();
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page);
  await add(page, 2);
  await expect.poll(() => records(page)).toBe(1);
  await page.reload();
  unblock();
  await begin(page);
  await expect.poll(counted).toBe(2);
  await context.close();
  const next = await browser.newContext();
  const fresh = await next.newPage();
  await fresh.goto(server.url);
  expect(await records(fresh)).toBe(0);
  await next.close();
});

test('a browser that blocks cookies refuses storage, locks and channels: increments are counted from memory', { tag: '@long' }, async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () => { throw new DOMException('The operation is insecure.', 'SecurityError'); };
    Object.defineProperty(globalThis, 'indexedDB', { get: refuse });
    LockManager.prototype.request = async () => refuse();
    // Like Firefox. Chromium makes one that no other tab hears.
    globalThis.BroadcastChannel = /** @type {any} */ (class {
      constructor() {
        refuse();
      }
    });
  });
  await open(page);
  await add(page, 4);
  await expect.poll(() => outcomes(page)).toEqual([4]);
  expect(await counted()).toBe(4);
  expect(await page.evaluate(() => globalThis.warnings)).toEqual(['resource-exhausted']);
});

test('options that are proxies, as frameworks make them of what they observe, can be told to other tabs', { tag: '@long' }, async ({ page }) => {
  await open(page);
  await page.evaluate(() => {
    const layout = new Proxy({ shardCollection: 'shards', countField: 'count' }, {});
    globalThis.counter = globalThis.db.counter('counters/p', { shards: 3, flushMs: 50, layout });
  });
  await add(page, 4);
  await expect.poll(() => outcomes(page)).toEqual([4]);
  expect(await counted('counters/p')).toBe(4);
});

test('a service worker sends in its sync event what a page has left', async ({ page, context }) => {
  block();
  await open(page);
  await page.evaluate(async (host) => {
    await navigator.serviceWorker.register(`./worker.js?host=${encodeURIComponent(host)}`, { type: 'module' });
    await navigator.serviceWorker.ready;
  }, proxy.url);
  await add(page, 9);
  await expect.poll(() => records(page)).toBe(1);
  // It has no time to send.
  const crashed = page.waitForEvent('crash');
  (await context.newCDPSession(page)).send('Page.crash').catch(() => {});
  await crashed;
  const other = await context.newPage();
  await other.goto(`${server.url}other.html`);
  unblock();
  expect(await counted()).toBe(0);
  const devtools = await context.newCDPSession(other);
  const registered = new Promise((resolve) => devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => one && resolve(one)));
  await devtools.send('ServiceWorker.enable');
  const { registrationId } = /** @type {any} */ (await registered);
  const { origin } = new URL(server.url);
  await devtools.send('ServiceWorker.dispatchSyncEvent', { origin, registrationId, tag: 'increments', lastChance: false });
  await expect.poll(counted).toBe(9);
});

test('changes of the storage that come together share transactions, and each sees the one before it', async ({ page }) => {
  await page.goto(server.url);
  const seen = await page.evaluate(async () => {
    const { indexedDbStorage } = await import(`${location.origin}/node_modules/shardline/library/storage/indexed_db.js`);
    const storage = indexedDbStorage('changes');
    const { transaction } = IDBDatabase.prototype;
    let transactions = 0;
    IDBDatabase.prototype.transaction = function (...args) {
      transactions += 1;
      return transaction.apply(this, args);
    };
    /** @type {(id: string, next: (text?: string) => string | undefined) => Promise<void>} */
    const change = (id, next) => storage.change(id, (/** @type {any} */ row) => {
      const text = next(row?.text);
      return text && { id, text };
    }, { durable: false });
    const refuse = () => {
      throw new Error('refused');
    };
    const first = [change('a', () => 'first'), change('a', (text) => `${text}, second`), change('b', () => undefined)];
    const changes = [...first, ...Array.from({ length: 250 }, (_, i) => change(`n${i}`, () => `${i}`))];
    await Promise.all(changes);
    const writes = transactions;
    const refused = await change('a', refuse).catch(({ message }) => message);
    const rows = await storage.read();
    storage.close();
    return { writes, rows: rows.length, a: rows.find(({ id }) => id === 'a').text, refused };
  });
  expect(seen).toEqual({ writes: expect.any(Number), rows: 251, a: 'first, second', refused: 'refused' });
  expect(seen.writes).toBeLessThanOrEqual(5);
});

/** Presses, and whether they are still there. @type {{[what: string]: {press: () => Promise<unknown>, isThere: () => Promise<boolean>}}} In the page. */
const PRESSES = {
  'a like': { press: () => globalThis.set.add('ann'), isThere: () => globalThis.set.has('ann') },
  'an increment': { press: () => globalThis.counter.increment(), isThere: async () => globalThis.counter.pending === 1 },
};
const DELAYS_MS = [10, 15, 25, 50];

for (const [what, { press, isThere }] of Object.entries(PRESSES)) {
  /** @param {import('@playwright/test').Page} page @param {import('@playwright/test').BrowserContext} context @param {() => Promise<unknown>} pressed */
  const killAndCount = async (page, context, pressed) => {
    await open(page);
    block();
    const devtools = await context.newCDPSession(page);
    await pressed();
    const crashed = page.waitForEvent('crash');
    devtools.send('Page.crash').catch(() => {});
    await crashed;
    expect(await counted()).toBe(0);
    const other = await context.newPage();
    await open(other);
    await expect.poll(() => other.evaluate(isThere), 'before it is counted').toBe(true);
    unblock();
    await expect.poll(counted).toBe(1);
  };

  test(`${what} survives that its tab is killed once it is stored`, longUnless(what === 'a like'), async ({ page, context }) => killAndCount(page, context, async () => {
    await page.evaluate(`void (${press})().catch(() => {})`);
    await expect.poll(() => records(page)).toBe(1);
  }));

  for (const ms of DELAYS_MS) {
    test(`${what} survives that its tab is killed ${ms} ms after it`, { tag: '@measured' }, async ({ page, context }) => killAndCount(page, context, () => (
      new Promise((resolve) => {
        void page.exposeFunction('stopped', resolve).then(() => page.evaluate(`(${pressAndStop})(${press}, ${ms})`));
      }))));
  }
}

/** In the page: presses, and some milliseconds later does nothing any more. @param {() => Promise<unknown>} press @param {number} ms */
async function pressAndStop(press, ms) {
  await globalThis.db.unreadableIncrements(); // Its storage is open.
  press().catch(() => {});
  setTimeout(() => {
    globalThis.stopped();
    for (;;);
  }, ms);
}

test('a lone press takes two transactions of the storage, one of them strict, does not ask for its row before it is there, and says nothing to tabs that are not there', async ({ page }) => {
  await open(page, { flushMs: 0 });
  await page.evaluate(() => globalThis.counter.increment());
  await expect.poll(() => records(page)).toBe(0);
  await page.evaluate(() => {
    globalThis.asked = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (names, mode, options) {
      globalThis.asked.push(options?.durability);
      return transaction.call(this, names, mode, options);
    };
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function (id) {
      globalThis.asked.push('get');
      return get.call(this, id);
    };
    BroadcastChannel.prototype.postMessage = () => globalThis.asked.push('message');
    return globalThis.counter.increment();
  });
  await expect.poll(() => page.evaluate(() => globalThis.asked)).toEqual(['strict', 'relaxed', 'get']);
});

test('close() takes what is settled out of the storage, and stages nothing for it', async ({ page }) => {
  await open(page, { flushMs: 0 });
  const writes = await page.evaluate(async () => {
    const counters = Array.from({ length: 60 }, (_, i) => globalThis.db.counter(`closed/c${i}`, { shards: 1, flushMs: 0 }));
    await Promise.all(counters.map((counter) => counter.increment()));
    const { transaction } = IDBDatabase.prototype;
    let count = 0;
    IDBDatabase.prototype.transaction = function (...args) {
      count += 1;
      return transaction.apply(this, args);
    };
    await globalThis.db.close();
    return count;
  });
  expect(await records(page)).toBe(0);
  expect(writes).toBeLessThan(10);
});

/** How long 50 totals are watched while 20 increments a second are asked for. */
const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? 60);

test(`50 watched counters, 20 increments a second, ${SOAK_SECONDS} seconds: memory and the number of records stay flat`, { tag: '@long' }, async ({ page, context }) => {
  test.setTimeout(60_000 + 3000 * SOAK_SECONDS);
  await open(page);
  const devtools = await context.newCDPSession(page);
  await page.evaluate(() => {
    const counters = Array.from({ length: 50 }, (_, i) => globalThis.db.counter(`soak/c${i}`, { shards: 3 }));
    globalThis.shown = 0;
    globalThis.asked = 0;
    for (const counter of counters) counter.watch(() => { globalThis.shown += 1; });
    globalThis.soak = setInterval(() => {
      globalThis.asked += 1;
      counters[globalThis.asked % 50].increment().catch(({ code }) => globalThis.warnings.push(code));
    }, 50);
  });
  const usage = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = /** @type {any} */ (await devtools.send('Runtime.getHeapUsage'));
    return { bytes: usedSize + backingStorageSize, records: await records(page), asked: await page.evaluate(() => globalThis.asked) };
  };
  const samples = [];
  for (let part = 1; part <= 4; part += 1) {
    await page.waitForFunction((least) => globalThis.asked >= least, 5 * SOAK_SECONDS * part, { timeout: 1000 * SOAK_SECONDS });
    samples.push(await usage());
  }
  await page.evaluate(() => clearInterval(globalThis.soak));
  console.log(samples.map(({ bytes, records: count, asked }) => `${asked} asked: ${(bytes / 2 ** 20).toFixed(1)} MiB, ${count} records`).join('\n'));
  const [first, ...later] = samples;
  for (const { bytes, records: count } of later) {
    expect(bytes).toBeLessThan(1.2 * first.bytes + 2 ** 20);
    expect(count).toBeLessThanOrEqual(50);
  }
  await expect.poll(() => records(page), { timeout: 40_000 }).toBe(0);
  const totals = await Promise.all(Array.from({ length: 50 }, (_, i) => counted(`soak/c${i}`)));
  expect(totals.reduce((sum, total) => sum + total)).toBe(await page.evaluate(() => globalThis.asked));
  expect(await page.evaluate(() => globalThis.shown)).toBeGreaterThan(50);
  expect(await page.evaluate(() => globalThis.warnings)).toEqual([]);
});
