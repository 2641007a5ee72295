// The cost of one press, of a like and of a thousand presses in Chromium: this library, exactly once and with its rows in IndexedDB,
// beside Google's lite SDK, and beside its full SDK with the persistent cache. All write to Google's emulator, and take turns in one browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

import { startEmulator } from '../emulator/support/emulator.js';
import { RestClient } from '../emulator/support/rest.js';
import { CHROMIUM } from '../support/chromium.js';
import { BareTab } from './bare_tab.js';
import { bundle } from './bundle.js';
import { openEmulator, total } from './clients/bare.js';
import { takeTurns } from './measure.js';
import { atMost, digits, printTable, spread } from './report.js';
import { serve } from './serve.js';

const PROJECT = 'demo';
const SHARDS = 10;
const MODULE = fileURLToPath(new URL('../../web/library/generated/counters.wasm', import.meta.url));
const FULL = { 'firebase/firestore/lite': 'firebase/firestore' };
const PERSISTENT = '{ localCache: sdk.persistentLocalCache() }';

/** The modules of the pages: the client of each, and what it opens. @type {{[page: string]: {code: string, alias?: {[module: string]: string}}}} */
const PAGES = {
  shardline: { code: 'import * as client from "./clients/press_shardline.js"; await client.open(EMULATOR);' },
  lite: { code: 'import * as client from "./clients/press_lite.js"; await client.open(EMULATOR);' },
  full: { code: `import * as client from "./clients/press_lite.js"; import * as sdk from "firebase/firestore"; await client.open(EMULATOR, ${PERSISTENT});`, alias: FULL },
};

/** @typedef {{name: string, page: string, job: string, apartMs: number}} Presser */

/** By default a press gathers with others for a second after the one before. */
const AT_ONCE = presser('shardline, flushMs 0', 'shardline', 'press');
const BY_DEFAULT = presser('shardline', 'shardline', 'pressByDefault', 1100);
const LITE = presser('lite', 'lite', 'press');
const PERSISTING = presser('full, persistent cache', 'full', 'press');
const LIKE = presser('shardline, add()', 'shardline', 'like');
const LITE_LIKE = presser('lite, batch', 'lite', 'like');
const LITE_LIKE_ONCE = presser('lite, transaction', 'lite', 'likeOnce');

/** @param {string} name @param {string} page @param {string} job @returns {Presser} */
function presser(name, page, job, apartMs = 100) {
  return { name, page, job, apartMs };
}

/** @typedef {Awaited<ReturnType<typeof openPages>>} Pages */

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchPress({ quick }) {
  const emulator = await startEmulator();
  const site = await serveSite(emulator.exactUrl);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  try {
    await openEmulator({ host: emulator.host, projectId: PROJECT });
    const pages = await openPages(await browser.newBrowserCDPSession(), site.url, new RestClient({ url: emulator.exactUrl, projectId: PROJECT }));
    const lone = await benchLone(pages, quick);
    const likes = await benchLikes(pages, quick);
    const many = await benchMany(pages, quick);
    const traffic = await benchTraffic(pages);
    await pages.check();
    return { results: { lone: lone.results, likes: likes.results, many: many.results, traffic: traffic.results }, targets: [lone, likes, many, traffic].flatMap(({ targets }) => targets) };
  } finally {
    await browser.close();
    site.close();
    await emulator.stop();
  }
}

/** @param {Pages} pages @param {boolean} quick */
async function benchLone(pages, quick) {
  const pressers = [AT_ONCE, BY_DEFAULT, LITE, PERSISTING];
  const times = quick ? 3 : 10;
  const contenders = pressers.map((who) => ({
    name: who.name,
    turn: async () => ({
      ...await pages.cost(who, times),
      ...(who !== LITE && { stored: middle(await pages.call(who, 'stored', { times: quick ? 1 : 3 })) }),
    }),
  }));
  const { rounds, summaries } = await takeTurns(contenders, inRounds(quick ? 2 : 9));
  printTable(`a lone press in Chromium: ms, median (min–max) of ${rounds} rounds of ${times}`, ['', 'main thread', '/ lite', 'acknowledged', '/ lite', 'stored'],
    pressers.map(({ name }) => [...costRow(name, summaries, LITE), summaries[name].stored ? spread(summaries[name].stored) : '']));
  const stored = (/** @type {Presser} */ { name }) => summaries[name].stored.median / summaries[PERSISTING.name].stored.median;
  return {
    results: summaries,
    targets: [
      ...[AT_ONCE, BY_DEFAULT].flatMap((who) => costTargets('lone press', who, summaries, LITE, 1.2)),
      ...[AT_ONCE, BY_DEFAULT].map((who) => atMost(`lone press, stored, ${who.name} against ${PERSISTING.name}`, stored(who), 1)),
    ],
  };
}

/** @param {Pages} pages @param {boolean} quick */
async function benchLikes(pages, quick) {
  const pressers = [LIKE, LITE_LIKE, LITE_LIKE_ONCE];
  const times = quick ? 3 : 10;
  const contenders = pressers.map((who) => ({ name: who.name, turn: () => pages.cost(who, times) }));
  const { rounds, summaries } = await takeTurns(contenders, inRounds(quick ? 2 : 9));
  printTable(`a like in Chromium: ms, median (min–max) of ${rounds} rounds of ${times}`, ['', 'main thread', '/ batch', 'acknowledged', '/ batch'],
    pressers.map(({ name }) => costRow(name, summaries, LITE_LIKE)));
  return { results: summaries, targets: [LITE_LIKE, LITE_LIKE_ONCE].flatMap((peer) => costTargets('like', LIKE, summaries, peer, 1.3)) };
}

/** @param {Pages} pages @param {boolean} quick */
async function benchMany(pages, quick) {
  // The full SDK would take the most of the time of the suite: its main thread is as busy as ten of lite's.
  const pressers = [{ ...BY_DEFAULT, apartMs: 0 }, LITE];
  const [ours, lite] = pressers;
  const [times, seconds] = quick ? [200, 2] : [1000, 10];
  const contenders = pressers.map((who) => ({ name: who.name, turn: async () => (await pages.costOf(who, 'many', { times, perSecond: times / seconds })).cost }));
  const { rounds, summaries } = await takeTurns(contenders, inRounds(quick ? 1 : 3));
  const share = (/** @type {Presser} */ { name }, /** @type {string} */ what) => summaries[name][what].median / summaries[lite.name][what].median;
  printTable(`${digits(times)} presses in ${seconds} s in Chromium: ms, median (min–max) of ${rounds} rounds`, ['', 'main thread', '/ lite', 'renderer', '/ lite'],
    pressers.map((who) => [who.name, ...['main', 'renderer'].flatMap((what) => [spread(summaries[who.name][what]), digits(share(who, what))])]));
  return {
    results: summaries,
    targets: [['main', 'main thread'], ['renderer', 'renderer']].map(([what, said]) => atMost(`${digits(times)} presses in ${seconds} s, ${said}, against lite`, share(ours, what), 0.5)),
  };
}

/** @param {Pages} pages */
async function benchTraffic(pages) {
  // The full SDK sends a press in a stream.
  const pressers = [AT_ONCE, LITE, PERSISTING, LIKE, LITE_LIKE];
  /** @type {{[name: string]: {transactions: number, strict: number, messages: number, bytes: number}}} */
  const results = {};
  for (const who of pressers) results[who.name] = await pages.traffic(who);
  printTable('what one press asks of the browser', ['', 'transactions', 'of them strict', 'messages to tabs', 'bytes of the commit'],
    pressers.map(({ name }) => [name, ...Object.values(results[name]).map((count) => (Number.isNaN(count) ? '' : digits(count)))]));
  return {
    results,
    targets: [[AT_ONCE, LITE, 'lone press'], [LIKE, LITE_LIKE, 'like']].flatMap(([ours, lite, what]) => {
      const { transactions, strict, messages, bytes } = results[ours.name];
      return [
        atMost(`${what}, transactions of the storage`, transactions, 2, ''),
        atMost(`${what}, strict ones`, strict, 1, ''),
        atMost(`${what}, messages without another tab`, messages, 0, ''),
        atMost(`${what}, bytes of the commit, against ${lite.name}`, bytes / results[lite.name].bytes, 2),
      ];
    }),
  };
}

/** @param {string} name @param {any} summaries @param {Presser} peer */
function costRow(name, summaries, peer) {
  return [name, ...['main', 'acknowledged'].flatMap((what) => [spread(summaries[name][what]), digits(summaries[name][what].median / summaries[peer.name][what].median)])];
}

/** @param {string} what @param {Presser} ours @param {any} summaries @param {Presser} peer @param {number} acknowledged The bound. */
function costTargets(what, ours, summaries, peer, acknowledged) {
  const share = (/** @type {string} */ metric) => summaries[ours.name][metric].median / summaries[peer.name][metric].median;
  return [
    atMost(`${what}, main thread, ${ours.name} against ${peer.name}`, share('main'), 1.3),
    atMost(`${what}, acknowledged, ${ours.name} against ${peer.name}`, share('acknowledged'), acknowledged),
  ];
}

/** @param {number} rounds */
function inRounds(rounds) {
  return { minRounds: rounds, maxRounds: rounds, budgetMs: 0 };
}

/** @param {number[]} numbers */
function middle(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

/**
 * A tab for each client, with a storage of its own.
 * @param {import('@playwright/test').CDPSession} browser
 * @param {string} url
 * @param {RestClient} rest
 */
async function openPages(browser, url, rest) {
  /** @type {{[page: string]: BareTab}} */
  const tabs = {};
  for (const name of Object.keys(PAGES)) tabs[name] = await openTab(browser, `${url}/${name}`);
  /** How often each counter was pressed. @type {Map<string, number>} */
  const pressed = new Map();

  const pages = {
    /** @param {Presser} who @param {string} call @param {{times?: number, perSecond?: number}} how @returns {Promise<any>} */
    async call({ page, job, apartMs }, call, how) {
      const path = `counters/${page}-${job}`;
      if (!pressed.has(path)) await createCounter(rest, path);
      pressed.set(path, (pressed.get(path) ?? 0) + (how.times ?? 1));
      return tabs[page].evaluate(`presses.${call}(${JSON.stringify({ job, path, apartMs, ...how })})`);
    },

    /** Milliseconds of the main thread, and of all threads of the page's process. @param {Presser} who @param {string} call @param {{times: number, perSecond?: number}} how */
    async costOf(who, call, how) {
      const before = await spent(tabs[who.page]);
      const result = await pages.call(who, call, how);
      const after = await spent(tabs[who.page]);
      return { cost: { main: after.main - before.main, renderer: after.renderer - before.renderer }, result };
    },

    /** The mean of several lone presses. @param {Presser} who @param {number} times */
    async cost(who, times) {
      const { cost, result } = await pages.costOf(who, 'lone', { times });
      return { main: cost.main / times, renderer: cost.renderer / times, acknowledged: middle(result) };
    },

    /** @param {Presser} who */
    async traffic(who) {
      const tab = tabs[who.page];
      let bytes = 0;
      tab.on('Network.requestWillBeSent', ({ request: { url, postData = '' } }) => {
        if (url.includes(':commit')) bytes += postData.length;
      });
      await tab.send('Network.enable');
      const seen = await pages.call(who, 'traffic', {});
      await tab.send('Network.disable');
      return { ...seen, bytes: bytes || NaN };
    },

    /** Everything was counted once. */
    async check() {
      for (const [path, times] of pressed) assert.equal(await total(path), times, path);
    },
  };
  // The first ones compile.
  for (const who of [AT_ONCE, { ...BY_DEFAULT, apartMs: 0 }, LITE, PERSISTING, LIKE, LITE_LIKE, LITE_LIKE_ONCE]) await pages.call(who, 'many', { times: 100, perSecond: 100 });
  return pages;
}

/** @param {import('@playwright/test').CDPSession} browser @param {string} url */
async function openTab(browser, url) {
  const tab = await BareTab.open(browser);
  // A page that says anything may measure something else than was meant.
  for (const event of ['Runtime.consoleAPICalled', 'Runtime.exceptionThrown']) tab.on(event, (params) => console.error(`${url}: ${JSON.stringify(params)}`));
  await tab.send('Runtime.enable');
  await tab.send('Page.navigate', { url });
  await tab.evaluate('new Promise((resolve) => { if (globalThis.presses) resolve(); else globalThis.onReady = resolve; })');
  // The processor's time, because a busy machine makes every client wait.
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
  return tab;
}

/** @param {BareTab} tab */
async function spent(tab) {
  const { metrics } = await tab.send('Performance.getMetrics');
  const ms = (/** @type {string} */ wanted) => 1000 * metrics.find((/** @type {{name: string}} */ { name }) => name === wanted).value;
  return { main: ms('ThreadTime'), renderer: ms('ProcessTime') };
}

/** @param {RestClient} rest @param {string} path */
async function createCounter(rest, path) {
  const write = (/** @type {string} */ document, /** @type {object} */ fields) => ({ update: { name: rest.name(document), fields } });
  await rest.commit([
    write(path, { num_shards: { integerValue: `${SHARDS}` } }),
    ...Array.from({ length: SHARDS }, (_, i) => write(`${path}/shards/${i}`, { count: { integerValue: '0' } })),
  ]);
}

/** @param {string} host Of the emulator. */
async function serveSite(host) {
  /** @type {{[path: string]: {body: string | Uint8Array, type: string}}} */
  const files = { '/generated/counters.wasm': { body: readFileSync(MODULE), type: 'application/wasm' } };
  for (const [name, { code, alias }] of Object.entries(PAGES)) {
    const start = `import { presses } from "./clients/press_page.js"; globalThis.presses = presses(client, ${SHARDS}); globalThis.onReady?.();`;
    files[`/${name}.js`] = { body: await bundle(code.replace('EMULATOR', JSON.stringify({ host, projectId: PROJECT })) + start, alias), type: 'text/javascript' };
    files[`/${name}`] = { body: `<!doctype html><title>Presses</title><link rel="icon" href="data:,"><script type="module" src="${name}.js"></script>`, type: 'text/html' };
  }
  return serve(({ url = '/' }, response) => {
    const file = files[url];
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
}
