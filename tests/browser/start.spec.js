/** The start of a page: its fetches, and their order. */
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

const MAIN = `
import { connect } from './node_modules/shardline/library/index.js';
globalThis.open = async () => { await connect({ projectId: 'demo' }); };
globalThis.isReady = true;
`;
const PRELOAD = '<link rel="preload" href="./node_modules/shardline/library/generated/shardline.wasm" as="fetch" type="application/wasm" crossorigin>';

/** @param {string} name @param {Record<string, string>} files */
async function openPage(name, files) {
  return serveFolder(await makeApp(name, { ...EMPTY_PAGE, 'main.js': MAIN, ...files }));
}

test('a module that the page has preloaded is not fetched again, and importing fetches nothing', async ({ page }) => {
  const site = await openPage('start-preload', {});
  const preloading = await openPage('start-preload-link', { 'index.html': EMPTY_PAGE['index.html'].replace('<script', `${PRELOAD}<script`) });
  /** @type {string[]} */
  let fetched = [];
  page.on('request', (request) => { if (request.url().endsWith('.wasm')) fetched.push(request.url()); });
  try {
    await page.goto(site.url);
    await page.waitForFunction('globalThis.isReady');
    expect(fetched).toEqual([]);
    await page.evaluate(() => globalThis.open());
    expect(fetched.length).toBe(1);
    fetched = [];
    await page.goto(preloading.url);
    await page.waitForFunction('globalThis.isReady');
    await page.evaluate(() => globalThis.open());
    expect(fetched.length).toBe(1);
  } finally {
    await page.close();
    await Promise.all([site.stop(), preloading.stop()]);
  }
});
