/** Live pages in Chromium: their code comes when a page listens, and changes of another client show. */
import { connect } from 'shardline';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

const MAIN = `
import { connect } from './node_modules/shardline/library/collections_only.js';
globalThis.begin = async (host) => {
  globalThis.db = await connect({ projectId: 'demo', host });
  globalThis.rows = db.shardedCollection('live', { shards: 40, orderField: 'at' }).newestFirst().limit(2);
  await rows.get();
};
globalThis.listen = () => {
  globalThis.stop = rows.onChange(({ docs }) => { document.title = docs.map(({ data }) => data().at).join() || 'nothing'; });
};
globalThis.isReady = true;
`;

test('the code that listens comes with the first onChange(), and a change shows in the page until it stops, also if something on the way holds answers back', async ({ page }) => {
  const site = await serveFolder(await makeApp('listen-page', { ...EMPTY_PAGE, 'main.js': MAIN }));
  const theirs = await connect({ projectId: 'demo', host: places.emulator });
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  await page.goto(site.url);
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate(`begin(${JSON.stringify(places.emulator)})`);
  expect(requests.filter((url) => url.includes('/listen/'))).toEqual([]);
  await page.evaluate('listen()');
  await expect(page).toHaveTitle('nothing');
  expect(requests.filter((url) => url.includes('/listen/')).length).toBeGreaterThan(3);
  const rows = theirs.shardedCollection('live', { shards: 40, orderField: 'at' });
  for (const at of [1, 2]) {
    await rows.add({ at });
    await expect(page).toHaveTitle(new RegExp(`^${at}`));
  }
  expect(requests.filter((url) => url.startsWith('OPTIONS'))).toEqual([]);
  await page.evaluate('stop()');
  await expect.poll(() => requests.some((url) => url.includes('TYPE=terminate'))).toBe(true);
  await rows.add({ at: 3 });
  await expect(page).toHaveTitle('2,1');
  await theirs.close();
  await site.stop();
});

const COUNTING = `
import { connect } from './node_modules/shardline/library/counters_only.js';
globalThis.begin = async (host) => {
  globalThis.db = await connect({ projectId: 'demo', host });
  globalThis.stop = db.counter('live/total', { shards: 3 }).watch(({ value }) => { document.title = String(value ?? 'nothing'); });
};
globalThis.isReady = true;
`;

test('a counter is live: after the first total the code that listens comes, and nothing is asked any more', async ({ page }) => {
  const site = await serveFolder(await makeApp('live-counter', { ...EMPTY_PAGE, 'main.js': COUNTING }));
  const theirs = await connect({ projectId: 'demo', host: places.exactEmulator });
  const counter = theirs.counter('live/total', { shards: 3, flushMs: 0 });
  await counter.create();
  /** @type {string[]} */
  const requests = [];
  const asked = () => requests.filter((url) => url.includes(':runAggregationQuery')).length;
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(site.url);
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate(`begin(${JSON.stringify(places.exactEmulator)})`);
  await expect.poll(() => requests.some((url) => url.includes('/Listen/') && url.includes('RID=rpc'))).toBe(true);
  expect(requests.findIndex((url) => url.includes('live_count.js'))).toBeGreaterThan(requests.findIndex((url) => url.includes(':runAggregationQuery')));
  const first = Number(await page.title());
  // The last question may be on its way when the stream begins.
  await counter.increment();
  await expect(page).toHaveTitle(`${first + 1}`);
  const before = asked();
  for (let i = 2; i < 7; i += 1) {
    await counter.increment();
    await expect(page).toHaveTitle(`${first + i}`);
  }
  expect(asked()).toBe(before);
  await page.evaluate('stop()');
  await expect.poll(() => requests.some((url) => url.includes('TYPE=terminate'))).toBe(true);
  await theirs.close();
  await site.stop();
});
