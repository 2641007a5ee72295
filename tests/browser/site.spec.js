/** How much of the page a first visit asks for, and how soon it is there on a slow device. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { Lesson } from './support/lesson.js';
import { LONGEST_TASK_MS, longestTaskOf, SLOWER, visits } from './support/measures.js';
import { serveFolder } from './support/static_server.js';
import { BUILD, WEB } from './support/places.js';
import { run } from './support/run.js';
import { expect, test } from './support/test.js';

test.use({ serviceWorkers: 'allow' });

/** First view, compressed, before WebAssembly: the most for a telephone on a poor network. */
const FIRST_VIEW_BYTES = 100_000;
const LARGEST_PAINT_MS = 1500;

/** @type {{url: string, stop: () => Promise<void>}} */
let server;
/** @type {string} */
let folder;

test.beforeAll(async () => {
  folder = await mkdtemp(join(BUILD, 'site-'));
  // Like a shell in which a developer works on another project: the build is for users all the same.
  const env = { NODE_ENV: 'development' };
  await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn', '--outDir', join(folder, 'some/path')], { cwd: WEB, env });
  server = await serveFolder(folder);
});

test.afterAll(() => server.stop());

const address = () => `${server.url}some/path/`;

test('a page that is built in the shell of another project is for users all the same', { tag: '@long' }, async ({ page }) => {
  await page.goto(address());
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe('activated');
});

for (const view of ['', '#/your-app']) {
  test(`the first view is quick on a slow device: ${view || 'the contents'}`, { tag: '@measured' }, async ({ browser }) => {
    test.setTimeout(240_000);
    const paints = await visits(browser, SLOWER, (page) => paintOf(page, view));
    const tasks = await visits(browser, 1, (page) => longestTaskOf(browser, page, () => open(page, view)));
    test.info().annotations.push({ type: 'figures', description: `paints ${paints} ms, longest tasks ${tasks} ms` });
    expect(Math.min(...paints)).toBeGreaterThan(0);
    expect(Math.min(...paints), 'milliseconds to the largest paint').toBeLessThan(LARGEST_PAINT_MS);
    expect(Math.min(...tasks), 'milliseconds of a task').toBeLessThan(LONGEST_TASK_MS);
  });
}

test('the first view of every chapter is small in every language', { tag: '@long' }, async ({ browser }) => {
  test.setTimeout(480_000);
  /** @type {Record<string, number>} */
  const sizes = {};
  /** @type {Record<string, number>} */
  const known = {};
  for (const { tag } of LANGUAGES) {
    for (const view of ['', ...CHAPTERS.map(({ id }) => id), 'playground']) {
      const page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
      // The requests before the view is complete.
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector('main h1')) return;
          observer.disconnect();
          const [visit, ...files] = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
          Object.assign(window, { needed: [visit, ...files].map((entry) => entry?.name.split('#')[0]) });
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(`${address()}?lang=${tag}#/${view}`);
      const urls = await page.waitForFunction(() => /** @type {any} */ (window).needed).then((needed) => needed.jsonValue());
      const fetched = urls.filter((/** @type {string} */ url) => !url.endsWith('.wasm'))
        .map(async (/** @type {string} */ url) => known[url] ??= gzipSync(await (await fetch(url)).bytes()).length);
      sizes[`${tag} ${view}`] = (await Promise.all(fetched)).reduce((sum, size) => sum + size, 0);
      await page.context().close();
    }
  }
  const largest = Object.entries(sizes).sort(([, a], [, b]) => b - a).slice(0, 5);
  test.info().annotations.push({ type: 'figures', description: JSON.stringify(largest) });
  console.log(largest.map(([view, bytes]) => `${view}: ${bytes}`).join(', '));
  expect(Object.entries(sizes).filter(([, bytes]) => bytes >= FIRST_VIEW_BYTES)).toEqual([]);
});

test('a thousand users are shown without a long task on a slow device', { tag: '@measured' }, async ({ browser }) => {
  test.setTimeout(240_000);
  const tasks = await visits(browser, 1, async (page) => {
    const lesson = new Lesson(page);
    await lesson.open('one-document', '', { url: address() });
    return longestTaskOf(browser, page, async () => {
      await lesson.prediction.locator('.button-quiet').click();
      await expect(lesson.player).toBeVisible();
      await expect.poll(() => lesson.position.evaluate((slider) => Number(/** @type {HTMLInputElement} */ (slider).value))).toBeGreaterThan(5000);
    });
  });
  test.info().annotations.push({ type: 'figures', description: `longest tasks ${tasks} ms` });
  expect(Math.min(...tasks), 'milliseconds of a task').toBeLessThan(LONGEST_TASK_MS);
});

/** @param {import('@playwright/test').Page} page @param {string} view */
async function open(page, view) {
  await page.goto(`${address()}${view}`);
  await expect(page.locator('main h1')).toBeVisible();
  await page.waitForLoadState('networkidle');
}

/** @param {import('@playwright/test').Page} page @param {string} view @returns {Promise<number>} The largest paint, in milliseconds. */
async function paintOf(page, view) {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) Object.assign(window, { paintedMs: Math.round(startTime) });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await open(page, view);
  return page.evaluate(() => Number(/** @type {any} */ (window).paintedMs ?? 0));
}
