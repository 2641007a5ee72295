/**
 * Firefox and WebKit, which is Safari's engine: the tutorial shows the same as in Chromium, and writes nothing to the console. A page stores
 * increments, shares them with its other tabs and sends them when it is left: each is counted exactly once.
 */
import { cp, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { faults, startFaultProxy } from '../emulator/support/fault_proxy.js';
import { counted } from './support/counted.js';
import { engines } from './support/engines.js';
import { steps } from './support/lesson.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { BUILD, places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { stored } from './support/stored.js';
import { emptyFirestore } from './support/test.js';

/** @typedef {import('./support/engines.js').Tab} Tab */

// The protocol that both speak does not report the console's messages.
const COMPLAINTS = `
globalThis.complaints = [];
for (const type of ['error', 'warn', 'info', 'log', 'debug']) {
  console[type] = (...what) => complaints.push([type, ...what.map((each) => each?.stack ?? String(each))].join(' '));
}
addEventListener('error', ({ message, error, target }) => complaints.push(['uncaught', message, error?.stack, target.src ?? target.href].join(' ')), true);
addEventListener('unhandledrejection', ({ reason }) => complaints.push('unhandled ' + (reason?.stack ?? reason)));
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complaints.push(['policy', violatedDirective, blockedURI].join(' ')));
`;

const MAIN = `
import { connect } from './node_modules/shardline/library/index.js';
import { openWorkbench } from './node_modules/shardline/library/workbench.js';
import { useDatabase } from './node_modules/shardline/library/elements.js';
Object.assign(globalThis, { connect, openWorkbench, useDatabase, resolved: 0, warnings: [] });
globalThis.begin = async ({ host, flushMs }) => {
  globalThis.db = await connect({
    projectId: 'demo', host, retry: { initialDelayMs: 20, maxDelayMs: 200 }, onWarning: ({ message }) => warnings.push(message),
  });
  globalThis.counter = db.counter('counters/c', { shards: 3, flushMs });
  globalThis.set = db.countedSet('counters/c', { shards: 3, flushMs });
};
globalThis.add = (delta) => {
  counter.increment(delta).then(() => { globalThis.resolved += delta; }, ({ message }) => warnings.push(message));
};
globalThis.isReady = true;
`;

/** A page with the entry that counts in a part of its own. */
const GAP = `
import { connect } from './node_modules/shardline/library/counters_only.js';
globalThis.begin = async ({ host, flushMs }) => {
  globalThis.db = await connect({ projectId: 'demo', host });
  globalThis.counter = db.counter('counters/c', { shards: 3, flushMs });
};
globalThis.add = (delta) => { counter.increment(delta).catch(() => {}); };
globalThis.isReady = true;
`;

/** @param {string} html */
const withComplaints = (html) => html.replace('<head>', '<head><script src="./complaints.js"></script>');

/** On a busy machine, a run of a thousand users may take so long in WebKit. */
const AT_LENGTH = { timeout: 60_000 };

const test = base.extend(/** @type {import('@playwright/test').Fixtures<{firestore: import('../emulator/support/rest.js').RestClient, wire: Awaited<ReturnType<typeof startFaultProxy>>}, {}>} */ ({
  firestore: emptyFirestore,
  wire: async ({}, use) => {
    const proxy = await startFaultProxy({ target: places.emulator });
    await use(proxy);
    await proxy.stop();
  },
}));

/** @type {{files: string, tutorial: string, app: string, gap: string, stop: () => Promise<unknown>}} */
let sites;
/** The file that counts, of the site `gap`. */
let press = '';
test.beforeAll(async () => {
  const folder = await mkdtemp(join(BUILD, 'engines-tutorial-'));
  await cp(places.tutorialFiles, folder, { recursive: true });
  const index = join(folder, 'index.html');
  await writeFile(index, withComplaints(await readFile(index, 'utf8')));
  await writeFile(join(folder, 'complaints.js'), COMPLAINTS);
  const gapFolder = await makeApp('engines-gap', { ...EMPTY_PAGE, 'main.js': GAP });
  press = join(gapFolder, 'node_modules/shardline/library/counters_press.js');
  const [tutorial, gap, app] = await Promise.all([serveFolder(folder), serveFolder(gapFolder), makeApp('engines-page', {
    ...EMPTY_PAGE, 'index.html': withComplaints(EMPTY_PAGE['index.html']), 'complaints.js': COMPLAINTS, 'main.js': MAIN,
    'other.html': '<!doctype html><title>Other</title>',
  }).then(serveFolder)]);
  sites = { files: folder, tutorial: tutorial.url, app: app.url, gap: gap.url, stop: () => Promise.all([tutorial, gap, app].map((site) => site.stop())) };
});
test.afterAll(() => sites.stop());

for (const [name, start] of Object.entries(engines)) {
  test.describe(name, { tag: '@long' }, () => {
    /** @type {import('./support/engines.js').Engine} */
    let engine;
    /** @type {import('./support/engines.js').Visitor} */
    let visitor;
    /** @type {Tab} */
    let tab;
    test.beforeAll(async () => {
      engine = await start();
    });
    test.afterAll(() => engine.close());
    test.beforeEach(async () => {
      visitor = await engine.invite();
      tab = await visitor.openTab();
    });
    test.afterEach(() => visitor.leave());

    test('every step of the tutorial shows what it has to show', async () => {
      test.setTimeout(420_000);
      for (const { chapter, step } of steps) {
        await tab.goto('about:blank');
        await tab.goto(`${sites.tutorial}?lang=en#/${chapter}/${step}`);
        await expect.poll(() => tab.evaluate(showAll), { ...AT_LENGTH, message: `${chapter}/${step}` }).toBe('shown');
        await expectNoComplaints(tab);
      }
    });

    test('the tutorial works without the network after the first visit', async () => {
      const site = await serveFolder(sites.files);
      await tab.goto(site.url);
      await expect.poll(() => tab.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe('activated');
      await site.stop();
      await tab.goto('about:blank');
      await tab.goto(`${site.url}?lang=ja#/one-document/many-writers`);
      await expect.poll(() => tab.evaluate(showAll), AT_LENGTH).toBe('shown');
    });

    test('answers are lost, the page is loaded again: counted once', async ({ wire }) => {
      wire.choose(({ verb, index }) => (verb === 'commit' && index === 0 ? faults.dropResponse() : faults.dropRequest()));
      await open(tab, wire.url);
      await add(tab, 5);
      await expect.poll(() => wire.requests.length).toBeGreaterThan(1);
      expect(await counted()).toBe(5);
      await open(tab, wire.url);
      await add(tab, 2);
      wire.reset();
      await expect.poll(() => resolved(tab)).toBe(2);
      await flush(tab);
      expect(await counted()).toBe(7);
      await expectNoComplaints(tab);
    });

    test('two tabs count, and the one that sends is closed', async ({ wire }) => {
      const other = await visitor.openTab();
      await open(tab, wire.url);
      await open(other, wire.url);
      let answers = 0;
      wire.choose(({ verb }) => (verb === 'commit' && (answers += 1) % 2 === 0 ? faults.dropResponse() : null));
      for (let round = 0; round < 10; round += 1) {
        await add(tab, 1);
        await add(other, 100);
      }
      // Increments that a page has not stored yet end with it.
      await expect.poll(() => resolved(tab)).toBe(10);
      await add(other, 100);
      await tab.close();
      await add(other, 100);
      await expect.poll(() => resolved(other)).toBe(1200);
      await flush(other);
      expect(await counted()).toBe(1210);
      await expectNoComplaints(other);
    });

    test('what two tabs count before the part that counts comes is stored, and counted by a page that has it', async ({ wire }) => {
      const other = await visitor.openTab();
      await rename(press, `${press}.away`);
      try {
        await open(tab, wire.url, { site: sites.gap });
        await open(other, wire.url, { site: sites.gap });
        await add(tab, 5);
        await add(other, 200);
        await expect.poll(async () => (await tab.evaluate(stored)).join()).toMatch(/"5".*"200"|"200".*"5"/);
        await tab.goto('about:blank');
      } finally {
        await rename(`${press}.away`, press);
      }
      expect(wire.count('commit')).toBe(0);
      await open(tab, wire.url, { site: sites.gap });
      await add(tab, 1000);
      await expect.poll(counted, AT_LENGTH).toBe(1205);
    });

    test('a page that is left sends what waits', async ({ wire }) => {
      await open(tab, wire.url, { flushMs: 1_000_000 });
      await add(tab, 2);
      await expect.poll(() => resolved(tab)).toBe(2);
      await add(tab, 4);
      await expect.poll(async () => (await tab.evaluate(stored)).join()).toContain('"4"');
      expect(wire.count('commit')).toBe(1);
      await tab.goto(`${sites.app}other.html`);
      await expect.poll(counted).toBe(6);
    });

    test('a like survives that its tab does nothing any more once it is stored', async ({ wire }) => {
      const other = await visitor.openTab();
      await open(tab, wire.url);
      wire.choose(() => faults.dropRequest());
      await tab.evaluate(() => {
        globalThis.set.add('ann').catch(() => {});
      });
      await expect.poll(async () => (await tab.evaluate(stored)).join()).toContain('ann');
      await tab.evaluate((host) => {
        setTimeout(() => {
          fetch(`${host}/stopped`);
          for (;;);
        });
      }, wire.url);
      await expect.poll(() => wire.requests.some(({ path }) => path === '/stopped')).toBe(true);
      await open(other, wire.url);
      expect(await other.evaluate(() => globalThis.set.has('ann')), 'before it is counted').toBe(true);
      expect(await counted()).toBe(0);
      wire.reset();
      // It keeps its lock, but does not answer other tabs.
      await expect.poll(counted, AT_LENGTH).toBe(1);
      await expectNoComplaints(other);
    });

    test('a live page shows what another client writes, to Google’s emulator and to the Firestore in the page', async () => {
      await open(tab, places.emulator);
      for (const isInPage of [false, true]) {
        const told = await tab.evaluate(async ({ host, isInPage: isEmbedded }) => {
          const server = isEmbedded ? { fetch: (await (await globalThis.openWorkbench()).createEmbeddedFirestore()).fetch } : { host };
          const [mine, theirs] = await Promise.all([globalThis.connect({ projectId: 'demo', ...server }), globalThis.connect({ projectId: 'demo', ...server })]);
          const rows = (/** @type {any} */ db) => db.shardedCollection('live', { shards: 40, orderField: 'at' });
          /** @type {string[]} */
          const pages = [];
          await new Promise((resolve, reject) => {
            const stop = rows(mine).newestFirst().limit(2).onChange((/** @type {any} */ { docs }) => {
              pages.push(docs.map((/** @type {any} */ { data }) => data().at).join());
              if (pages.length > 3) resolve(stop());
              else rows(theirs).add({ at: pages.length }).catch(reject);
            }, reject);
          });
          const counter = theirs.counter('live/c', { shards: 3, flushMs: 0 });
          await counter.create();
          let live = 0;
          await new Promise((resolve, reject) => {
            const stop = mine.counter('live/c', { shards: 3 }).watch((/** @type {any} */ { value, reading }) => {
              if (value === undefined) return;
              // The server has sent this total.
              if (reading.source === 'shards') live += 1;
              if (live === 3) resolve(stop());
              else counter.increment().catch(reject);
            });
          });
          await Promise.all([mine.close(), theirs.close()]);
          return [...pages, live];
        }, { host: places.emulator, isInPage });
        expect(told).toEqual(['', '1', '2,1', '3,2', 3]);
      }
      await expectNoComplaints(tab);
    });

    test('a sharded query, ids, a watch, and a like, against the Firestore in a worker of the page', async () => {
      await open(tab, places.emulator);
      const found = await tab.evaluate(async () => {
        const simulator = await (await globalThis.openWorkbench()).createEmbeddedFirestore({ persist: 'engines' });
        const db = await globalThis.connect({ projectId: 'demo', fetch: simulator.fetch });
        const trades = db.shardedCollection('trades', { shards: 4 });
        await trades.addAll(Array.from({ length: 40 }, (_, n) => ({ n, timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000) })));
        const newest = [];
        for await (const { data } of trades.orderBy('timestamp', 'desc').limit(5)) newest.push(data().n);
        const ids = db.ids('sequences/orders');
        await ids.create();
        const numbers = new Set([await ids.next(), await ids.next(), await ids.next()]).size;
        const like = document.createElement('shard-counter');
        like.setAttribute('path', 'posts/p1');
        like.setAttribute('type', 'like');
        like.setAttribute('shards', '3');
        like.setAttribute('user', 'ann');
        globalThis.useDatabase(db);
        document.body.append(like);
        const watched = [];
        for await (const { value, state } of db.counter('posts/p1', { shards: 3 }).watch({ intervalMs: 50 })) {
          watched.push(value);
          if (state === 'live' && value === 0) like.shadowRoot.querySelector('button').click();
          if (value === 1) break;
        }
        return { newest, numbers, liked: like.liked };
      });
      expect(found).toEqual({ newest: [39, 38, 37, 36, 35], numbers: 3, liked: true });
      await expectNoComplaints(tab);
    });

    test('a press on a star rates, a second press takes the rating back, and a stock shows the units that are left', async () => {
      await open(tab, places.emulator);
      const found = await tab.evaluate(async () => {
        const simulator = await (await globalThis.openWorkbench()).createEmbeddedFirestore({ worker: false });
        const db = await globalThis.connect({ projectId: 'demo', fetch: simulator.fetch });
        await db.stock('events/e1', { shards: 1 }).create({ units: 7 });
        globalThis.useDatabase(db);
        const [rating, stock] = ['shard-rating', 'shard-stock'].map((name) => document.body.appendChild(document.createElement(name)));
        Object.assign(rating, { path: 'restaurants/r1', from: 1, to: 5, shards: 1, user: 'ann' });
        stock.path = 'events/e1';
        const until = (type, element, isSo) => new Promise((resolve) => {
          const look = () => isSo() && resolve(undefined);
          element.addEventListener(type, look);
          look();
        });
        await until('shardline-change', rating, () => rating.state === 'live' && rating.rating === null);
        const star = () => rating.shadowRoot.querySelector('input[value="4"]');
        const seen = [];
        for (const wanted of [4, null, 4]) {
          const isTold = new Promise((resolve) => { rating.addEventListener('shardline-rate', ({ detail }) => resolve(detail.rating), { once: true }); });
          star().click();
          seen.push([rating.rating, star().checked, await isTold]);
          await until('shardline-change', rating, () => rating.count === (wanted === null ? 0 : 1));
        }
        await until('shardline-change', stock, () => stock.left === 7);
        return { seen, shown: stock.shadowRoot.textContent.trim() };
      });
      expect(found).toEqual({ seen: [[4, true, 4], [null, false, null], [4, true, 4]], shown: '7' });
      await expectNoComplaints(tab);
    });
  });
}

/** In the page: shows as much of a step as is possible now. Returns whether that is all. */
function showAll() {
  /** @param {string} selector @returns {any[]} */
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  if (!document.querySelector('main h1') || document.querySelector('main[aria-busy], .stage [aria-busy=true]')) return 'busy';
  const [start] = [...visible('.prediction .button-quiet'), ...visible('.stage > .actions .button-primary')];
  if (start) {
    start.click();
    return 'started';
  }
  if (visible('.stage, .tool').length === 0) return 'no stage';
  for (const slider of visible('.player-slider')) {
    if (slider.value === slider.max) continue;
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    return 'played';
  }
  const closed = visible('.more:not([open]) > summary');
  for (const summary of closed) summary.click();
  if (closed.length > 0 || visible('.picture').length !== visible('.table-scroll table').length) return 'no tables';
  return visible('[data-kind=error]').map((error) => error.textContent).join() || 'shown';
}

/** @param {Tab} tab */
async function expectNoComplaints(tab) {
  expect(await tab.evaluate(() => globalThis.complaints)).toEqual([]);
}

/** @param {Tab} tab @param {string} host @param {{flushMs?: number, site?: string}} [options] */
async function open(tab, host, { flushMs = 20, site = sites.app } = {}) {
  await tab.goto(site);
  await expect.poll(() => tab.evaluate(() => globalThis.isReady)).toBe(true);
  await tab.evaluate((options) => globalThis.begin(options), { host, flushMs });
}

/** @param {Tab} tab @param {number} delta */
const add = (tab, delta) => tab.evaluate((by) => globalThis.add(by), delta);
/** @param {Tab} tab @returns {Promise<number>} */
const resolved = (tab) => tab.evaluate(() => globalThis.resolved);
/** @param {Tab} tab */
const flush = (tab) => tab.evaluate(() => globalThis.counter.flush());
