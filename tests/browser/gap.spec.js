/**
 * The time between a page's first total and the file that counts: each press in between is counted once, also if that file comes late or never, if
 * the page is closed, or if another tab has the file.
 */
import { startFaultProxy } from '../emulator/support/fault_proxy.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { stored } from './support/stored.js';
import { expect, test } from './support/test.js';

const MAIN = `
import { connect } from './node_modules/shardline/library/counters_only.js';
const { searchParams } = new URL(location.href);
globalThis.warnings = [];
globalThis.outcomes = [];
globalThis.shown = [];
globalThis.db = await connect({ projectId: 'demo', host: searchParams.get('host'), onWarning: ({ reason }) => warnings.push(reason) });
globalThis.counter = db.counter(searchParams.get('path'), { shards: 3, flushMs: 0 });
globalThis.set = db.countedSet(searchParams.get('path'), { shards: 3, flushMs: 0 });
globalThis.settle = (promise) => { promise.then((result) => outcomes.push(result ?? 'counted'), ({ reason }) => outcomes.push(reason)); };
globalThis.watch = () => counter.watch(({ value, pending, state }) => shown.push([value, pending, state].join()));
globalThis.isReady = true;
`;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
/** @type {Awaited<ReturnType<typeof startFaultProxy>>} */
let proxy;
test.beforeAll(async () => {
  server = await serveFolder(await makeApp('gap-page', { ...EMPTY_PAGE, 'main.js': MAIN }));
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

let counters = 0;
/** A counter of each test's own. */
const newPath = () => `gaps/g${(counters += 1)}`;

/** @param {Page} page @param {string} path */
async function open(page, path) {
  await page.goto(`${server.url}?host=${encodeURIComponent(proxy.url)}&path=${path}`);
  await page.waitForFunction('globalThis.isReady');
}

const FILE = '**/counters_press.js*';
/** The file that counts is not there until the returned function is called. @param {Page} page */
async function block(page) {
  await page.route(FILE, (route) => route.abort());
  return () => page.unroute(FILE);
}

/** @param {Page} page @param {number} delta */
const add = (page, delta) => page.evaluate((by) => globalThis.settle(globalThis.counter.increment(by)), delta);
/** @param {Page} page @returns {Promise<any[]>} */
const outcomes = (page) => page.evaluate(() => globalThis.outcomes);
/** @param {Page} page @returns {Promise<any[]>} */
const warnings = (page) => page.evaluate(() => globalThis.warnings);
/** @param {Page} page @returns {Promise<number>} */
const total = (page) => page.evaluate(async () => (await globalThis.counter.get()).value);
/** @param {Page} page */
const rows = async (page) => (await page.evaluate(stored)).length;
/** @param {Page} page */
const tellOnline = (page) => page.evaluate(() => { dispatchEvent(new Event('online')); });

test('a first total needs no file but the entry, and the file that counts follows when the page has time', async ({ page }) => {
  const path = newPath();
  await open(page, path);
  await add(page, 7);
  await expect.poll(() => outcomes(page)).toEqual(['counted']);
  // A page that finds a row fetches that file at once.
  await expect.poll(() => rows(page)).toBe(0);
  /** @type {string[]} */
  const fetched = [];
  page.on('request', (request) => { fetched.push(request.url().replace(/^.*\/|\?.*$/g, '')); });
  await page.reload();
  await page.waitForFunction('globalThis.isReady');
  expect(fetched.filter((file) => /counters_press|\.wasm$/.test(file))).toEqual([]);
  expect(await page.evaluate(() => globalThis.counter.get())).toMatchObject({ value: 7, shards: 1, source: 'sum', pending: 0, billed: { reads: 1, writes: 0, deletes: 0 } });
  await expect.poll(() => fetched).toContain('counters.wasm');
  expect(fetched.indexOf('counters_press.js')).toBeGreaterThan(fetched.findIndex((file) => file.endsWith(':runAggregationQuery')));
});

test('a press before that file is there shows at once, is stored, and is counted when the file has come', async ({ page }) => {
  const path = newPath();
  /** @type {() => void} */
  let arrive = () => {};
  const arrival = new Promise((resolve) => { arrive = () => resolve(undefined); });
  await page.route(FILE, async (route) => {
    await arrival;
    await route.continue();
  });
  await open(page, path);
  await page.evaluate(() => { globalThis.watch(); });
  await add(page, 3);
  await page.evaluate(() => {
    globalThis.settle(globalThis.set.add('ann'));
    globalThis.settle(globalThis.set.add('ben'));
    globalThis.settle(globalThis.set.remove('ben'));
  });
  await expect.poll(() => page.evaluate(() => globalThis.shown.at(-1))).toBe('4,4,live');
  await expect.poll(() => rows(page)).toBe(4);
  expect(await outcomes(page)).toEqual([]);
  arrive();
  await expect.poll(() => outcomes(page).then((all) => all.length)).toBe(4);
  expect(await outcomes(page)).toEqual(expect.arrayContaining(['counted', { changed: true }]));
  expect(await page.evaluate(() => globalThis.set.hasAll(['ann', 'ben']).then((members) => [...members]))).toEqual([['ann', true], ['ben', false]]);
  expect(await total(page)).toBe(4);
  await expect.poll(() => rows(page)).toBe(0);
  await expect.poll(() => page.evaluate(() => globalThis.shown.at(-1))).toBe('4,0,live');
  expect((await page.evaluate(() => globalThis.shown)).filter((text) => !/^[0345]?,/.test(text))).toEqual([]);
  expect(await warnings(page)).toEqual([]);
});

test('a file that does not come is told of once, and fetched again when the network is back', async ({ page }) => {
  const path = newPath();
  const unblock = await block(page);
  await open(page, path);
  await add(page, 5);
  await expect.poll(() => warnings(page)).toEqual(['module-not-loaded']);
  await tellOnline(page);
  await expect.poll(() => rows(page)).toBe(1);
  expect([await total(page), await page.evaluate(() => globalThis.counter.pending), await outcomes(page)]).toEqual([0, 5, []]);
  await unblock();
  await tellOnline(page);
  await expect.poll(() => outcomes(page)).toEqual(['counted']);
  expect([await total(page), await warnings(page)]).toEqual([5, ['module-not-loaded']]);
});

test('what a page has asked for that is closed before that file comes, the next page sends', async ({ page, context }) => {
  const path = newPath();
  await block(page);
  await open(page, path);
  await add(page, 5);
  await expect.poll(() => rows(page)).toBe(1);
  await page.close();
  const next = await context.newPage();
  await open(next, path);
  await expect.poll(() => rows(next)).toBe(0);
  expect([await total(next), await warnings(next)]).toEqual([5, []]);
});

test('of two tabs one lacks that file: the other one sends for it, and nothing is counted twice', async ({ page, context }) => {
  const path = newPath();
  await open(page, path);
  await add(page, 1);
  await expect.poll(() => outcomes(page)).toEqual(['counted']);
  const other = await context.newPage();
  const unblock = await block(other);
  await open(other, path);
  await add(other, 2);
  await expect.poll(() => rows(other)).toBe(1);
  await tellOnline(page);
  await expect.poll(() => total(page)).toBe(3);
  expect(await outcomes(other)).toEqual([]);
  await unblock();
  await tellOnline(other);
  await expect.poll(() => outcomes(other)).toEqual(['counted']);
  expect([await total(other), await warnings(page)]).toEqual([3, []]);
});

test('a database that is closed meanwhile says what becomes of it, and leaves what is stored to the next page', async ({ page }) => {
  const path = newPath();
  const unblock = await block(page);
  await open(page, path);
  await add(page, 5);
  await expect.poll(() => rows(page)).toBe(1);
  await page.evaluate(() => globalThis.db.close());
  expect(await outcomes(page)).toEqual(['increment-goes-on']);
  expect(await page.evaluate(() => globalThis.counter.get().catch(({ code }) => code))).toBe('failed-precondition');
  await unblock();
  await open(page, path);
  await expect.poll(() => rows(page)).toBe(0);
  expect(await total(page)).toBe(5);
});
