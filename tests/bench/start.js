// How soon a page's first increment is counted, by how many counters earlier pages have counted: in Chromium, over a fetch that answers
// at once.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

import { CHROMIUM } from '../support/chromium.js';
import { atMost, digits, printTable } from './report.js';
import { serve } from './serve.js';

const LIBRARY = fileURLToPath(new URL('../../web/library/', import.meta.url));
const COUNTERS = [1, 500, 2000];
const FEW = [1, 100];
const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
const PAGE = `<!doctype html><script type="module">
import { connect } from './counters_only.js';
const answer = async (url, { body }) => {
  const { writes, documents } = JSON.parse(new TextDecoder().decode(body));
  const now = new Date().toISOString();
  if (documents) return new Response(JSON.stringify(documents.map((name) => ({ missing: name, readTime: now }))));
  return new Response(JSON.stringify({ commitTime: now, writeResults: writes.map(() => ({ updateTime: now })) }));
};
const open = () => connect({ projectId: 'demo', fetch: answer });
globalThis.fill = async (count) => {
  const db = await open();
  const counters = Array.from({ length: count }, (_, i) => db.counter('c/n' + i, { shards: 3, flushMs: 0 }));
  await Promise.all(counters.map((counter) => counter.increment()));
  await db.close();
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
  const server = await serve(async ({ url = '/' }, response) => {
    const content = url === '/' ? PAGE : await readFile(LIBRARY + url.slice(1)).catch(() => '');
    response.writeHead(200, { 'content-type': TYPES[url === '/' ? 'html' : url.split('.').at(-1) ?? ''] ?? 'text/plain' }).end(content);
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const counts = quick ? FEW : COUNTERS;
  /** @type {{[counters: string]: number}} */
  const results = {};
  try {
    for (const count of counts) results[count] = await measure(browser, `${server.url}/`, count, quick ? 3 : 9);
  } finally {
    await browser.close();
    server.close();
  }
  printTable('connect() and a first increment, by how many counters were counted before', ['', ...counts.map((count) => digits(count))],
    [['ms, median', ...counts.map((count) => digits(results[count]))]]);
  const [least = 1] = counts;
  const most = counts.at(-1) ?? 1;
  return { results, targets: [atMost(`start after ${digits(most)} counters, against 1`, results[most] / results[least], 1.5)] };
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url
 * @param {number} count Of counters.
 * @param {number} rounds
 * @returns {Promise<number>} Milliseconds.
 */
async function measure(browser, url, count, rounds) {
  const context = await browser.newContext();
  const page = await context.newPage();
  // A warning of the library means that the measurement was not the intended one.
  page.on('console', (message) => console.error(`${count} counters: ${message.text()}`));
  const open = async () => {
    await page.goto(url);
    await page.waitForFunction('globalThis.isReady');
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
