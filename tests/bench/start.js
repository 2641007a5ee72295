// How soon a page's first increment is counted, by how many counters were ever counted here, and by how many increments of other
// counters wait in its storage: in Chromium, over a fetch that answers at once.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

import { atMost, digits, printTable } from './report.js';

const LIBRARY = fileURLToPath(new URL('../../web/library/', import.meta.url));
const RECORDS = [1, 500, 2000];
const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
const PAGE = `<!doctype html><script type="module">
import { connect } from './counters_only.js';
const answer = async (url, { body }) => {
  const { writes } = JSON.parse(new TextDecoder().decode(body));
  if (globalThis.isOffline && !writes[0].update.name.includes('/own/')) throw new TypeError('Failed to fetch');
  const commitTime = new Date().toISOString();
  return new Response(JSON.stringify({ commitTime, writeResults: writes.map(() => ({ updateTime: commitTime })) }));
};
const open = () => connect({ projectId: 'demo', fetch: answer, onWarning: () => {} });
globalThis.fill = async (count) => {
  const db = await open();
  const counters = Array.from({ length: count }, (_, i) => db.counter('c/n' + i, { shards: 3, flushMs: 0 }));
  const counted = Promise.all(counters.map((counter) => counter.increment()));
  if (!globalThis.isOffline) await counted;
  while (!globalThis.isOffline && await records() > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  while (globalThis.isOffline && await records() < count) await new Promise((resolve) => setTimeout(resolve, 100));
};
const records = async () => {
  const name = (await indexedDB.databases())[0]?.name;
  if (!name) return 0;
  const database = await new Promise((resolve) => { indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result); });
  const count = await new Promise((resolve) => { database.transaction('outbox').objectStore('outbox').count().onsuccess = ({ target }) => resolve(target.result); });
  database.close();
  return count;
};
globalThis.start = async () => {
  const began = performance.now();
  const db = await open();
  await db.counter('c/own', { shards: 3, flushMs: 0 }).increment();
  return performance.now() - began;
};
globalThis.isReady = true;
</script>`;

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchStart({ quick }) {
  const server = createServer(async ({ url = '/' }, response) => {
    const content = url === '/' ? PAGE : await readFile(LIBRARY + url.slice(1)).catch(() => '');
    response.writeHead(200, { 'content-type': TYPES[url === '/' ? 'html' : url.split('.').at(-1) ?? ''] ?? 'text/plain' }).end(content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  /** @type {{[what: string]: number}} */
  const results = {};
  try {
    for (const isOffline of [false, true]) {
      for (const count of RECORDS) {
        results[`${count} ${isOffline ? 'waiting' : 'settled'}`] = await measure(browser, `http://127.0.0.1:${port}/`, { count, isOffline, rounds: quick ? 3 : 9 });
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  printTable('connect() and a first increment, ms (median)', ['', ...RECORDS.map((count) => `${digits(count)} counters`)], ['settled', 'waiting'].map((what) =>
    [what === 'settled' ? 'all counted earlier' : 'all still waiting', ...RECORDS.map((count) => digits(results[`${count} ${what}`]))]));
  const most = `${RECORDS.at(-1)}`;
  const first = `${RECORDS[0]}`;
  return {
    results,
    targets: [atMost('start with 2,000 counters counted earlier, against 1', results[`${most} settled`] / results[`${first} settled`], 1.5)],
  };
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url
 * @param {{count: number, isOffline: boolean, rounds: number}} how
 * @returns {Promise<number>} Milliseconds.
 */
async function measure(browser, url, { count, isOffline, rounds }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const open = async () => {
    await page.goto(url);
    await page.waitForFunction('globalThis.isReady');
    await page.evaluate((offline) => { globalThis.isOffline = offline; }, isOffline);
  };
  await open();
  await page.evaluate((n) => globalThis.fill(n), count);
  const times = [];
  for (let round = 0; round <= rounds; round += 1) {
    await open();
    times.push(await page.evaluate(() => globalThis.start()));
  }
  await context.close();
  // The first one compiles the module.
  return times.slice(1).sort((a, b) => a - b)[Math.floor(rounds / 2)];
}
