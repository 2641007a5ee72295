// How soon a page shows a counter's total at its first visit: from the navigation on, in Chromium, with each client by itself on the page, on several
// networks and with a slow processor. The server in Firestore's place answers at once.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import { chromium } from '@playwright/test';

import { CHROMIUM } from '../support/chromium.js';
import { bundleFiles } from './bundle.js';
import { takeTurns } from './measure.js';
import { atMost, digits, printTable, spread } from './report.js';
import { serve } from './serve.js';

const MODULE = fileURLToPath(new URL('../../web/library/generated/counters.wasm', import.meta.url));

/** What Lighthouse calls slow 4G, and what Chromium's own tools called fast 3G. `throughput` is in bytes a second. */
const NETWORKS = {
  none: null,
  '4G': { latency: 150, throughput: 1_638_400 / 8 },
  '3G': { latency: 560, throughput: 1_474_560 / 8 },
};

/** @type {{[where: string]: {network: keyof typeof NETWORKS, slower: number}}} */
const PLACES = {
  'as it is': { network: 'none', slower: 1 },
  'processor 4 times slower': { network: 'none', slower: 4 },
  'slow 4G': { network: '4G', slower: 1 },
  '3G': { network: '3G', slower: 1 },
};

/** Each leaves the total in `globalThis.total`. */
const CLIENTS = {
  shardline: 'import { connect } from "shardline/counters"; const db = await connect({ projectId: "demo", host: HOST }); '
    + 'globalThis.total = (await db.counter("posts/p1", { shards: 10 }).get()).value;',
  lite: sdk('firebase/firestore/lite', 'getAggregate'),
  full: sdk('firebase/firestore', 'getAggregateFromServer'),
  bare: 'const { total, openEmulator } = await import("./clients/bare.js"); openEmulator({ host: HOST.slice(7), projectId: "demo" }); '
    + 'globalThis.total = await total("posts/p1");',
};

/** @param {string} module @param {string} aggregate */
function sdk(module, aggregate) {
  return `import { initializeApp } from "firebase/app"; import { getFirestore, connectFirestoreEmulator, collection, sum, ${aggregate} } from "${module}"; `
    + 'const db = getFirestore(initializeApp({ projectId: "demo" })); const { hostname, port } = new URL(HOST); connectFirestoreEmulator(db, hostname, Number(port)); '
    + `globalThis.total = (await ${aggregate}(collection(db, "posts/p1/shards"), { total: sum("count") })).data().total;`;
}

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchFirstTotal({ quick }) {
  const firestore = await serve(answerAsFirestore);
  const module = compress(readFileSync(MODULE), 'application/wasm');
  /** @type {{[path: string]: {body: Buffer, type: string}}} */
  const files = { '/generated/counters.wasm': module };
  for (const [name, code] of Object.entries(CLIENTS)) {
    for (const { path, contents } of await bundleFiles(code.replaceAll('HOST', JSON.stringify(firestore.url)), name)) files[path] = compress(contents, 'text/javascript');
  }
  /** @type {{[page: string]: {client: string}}} */
  const pages = { shardline: { client: 'shardline' }, lite: { client: 'lite' }, full: { client: 'full' }, bare: { client: 'bare' } };
  for (const [index, { client }] of Object.values(pages).entries()) {
    files[`/${index}`] = compress(Buffer.from(`<!doctype html><title>A total</title><link rel="icon" href="data:,"><script type="module" src="${client}.js"></script>`), 'text/html');
  }
  const site = await serve(({ url = '/' }, response) => {
    const file = files[url];
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br', 'cache-control': 'no-store' }).end(file.body);
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  try {
    return await measureAll(browser, site.url, Object.keys(pages), quick);
  } finally {
    await browser.close();
    site.close();
    firestore.close();
  }
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url
 * @param {string[]} names Of the pages.
 * @param {boolean} quick
 */
async function measureAll(browser, url, names, quick) {
  /** @type {{[where: string]: object}} */
  const results = {};
  const rows = [];
  const targets = [];
  for (const [where, place] of Object.entries(PLACES)) {
    const contenders = names.map((name, index) => ({ name, turn: async () => ({ ms: await visit(browser, `${url}/${index}`, place) }) }));
    const { summaries } = await takeTurns(contenders, quick ? { minRounds: 2, maxRounds: 2, budgetMs: 0 } : { minRounds: 9, maxRounds: 15, budgetMs: 60_000 });
    const lite = summaries.lite.ms.median;
    rows.push([where, ...names.map((name) => `${spread(summaries[name].ms)} ${digits(summaries[name].ms.median / lite)}×`)]);
    targets.push(atMost(`first total against lite, ${where}`, summaries.shardline.ms.median / lite, 1));
    results[where] = summaries;
  }
  printTable('from the navigation to the first total, nothing cached; ms and times lite', ['', ...names], rows);
  return { results, targets };
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url
 * @param {typeof PLACES[string]} place
 * @returns {Promise<number>} Milliseconds from the navigation to the total.
 */
async function visit(browser, url, { network, slower }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const conditions = NETWORKS[network];
  if (conditions) {
    const { latency, throughput } = conditions;
    await devTools.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput });
  }
  if (slower > 1) await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  page.on('console', (message) => console.error(`${url}: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`${url}: ${error.message}`));
  // The page notes the time itself: a question from outside comes later.
  await page.addInitScript(() => Object.defineProperty(globalThis, 'total', { set: (value) => { Object.assign(globalThis, { shown: { value, at: performance.now() } }); } }));
  await page.goto(url, { waitUntil: 'commit' });
  const shown = await (await page.waitForFunction(() => /** @type {any} */ (globalThis).shown)).jsonValue();
  if (shown.value !== 7) throw new Error(`${url} shows ${shown.value}, and not the total.`);
  await context.close();
  return shown.at;
}

/**
 * Every aggregation is 7.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answerAsFirestore(request, response) {
  const { method, headers } = request;
  const allowed = { 'access-control-allow-origin': headers.origin ?? '*', 'access-control-allow-credentials': 'true', 'access-control-allow-headers': headers['access-control-request-headers'] ?? '*', 'access-control-max-age': '3600' };
  if (method === 'OPTIONS') return void response.writeHead(200, allowed).end();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { structuredAggregationQuery: { aggregations } } = JSON.parse(Buffer.concat(chunks).toString());
  const aggregateFields = Object.fromEntries(aggregations.map(({ alias }) => [alias, { integerValue: '7' }]));
  const answer = JSON.stringify([{ result: { aggregateFields }, readTime: '2026-01-01T00:00:00.000000Z' }]);
  response.writeHead(200, { ...allowed, 'content-type': 'application/json' }).end(answer);
}

/** @param {Uint8Array} bytes @param {string} type */
function compress(bytes, type) {
  return { body: brotliCompressSync(bytes), type };
}
