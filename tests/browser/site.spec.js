/** The page as files on a web server: under any path, with the policy that it brings along, and without the network after the first visit. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serveFolder } from './support/folder.js';
import { BUILD, WEB } from './support/places.js';
import { run } from './support/run.js';
import { expect, test } from './support/test.js';

/** First view, compressed, before WebAssembly: what a telephone on a poor network can take. */
const FIRST_VIEW_BYTES = 100_000;
const LARGEST_PAINT_MS = 1500;
const LONGEST_TASK_MS = 100;
const SLOWER = 4;

/** @type {{url: string, stop: () => Promise<void>}} */
let server;
/** @type {string} */
let folder;

test.beforeAll(async () => {
  folder = await mkdtemp(join(BUILD, 'site-'));
  const built = join(folder, 'built');
  await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn', '--outDir', built], { cwd: WEB });
  await cp(built, join(folder, 'served/some/path'), { recursive: true });
  server = await serveFolder(join(folder, 'served'));
});

test.afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const address = () => `${server.url}some/path/`;

test('works under any path, and without the network after the first visit', async ({ page, lesson, tutorial, watch }) => {
  await page.goto(address());
  await expect(page.locator('.contents-list')).toBeVisible();
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== 'activated') await new Promise((resolve) => active?.addEventListener('statechange', resolve));
  });
  await server.stop();
  watch.expectFailedRequests(); // The visit is asked for first.
  await lesson.open('your-app', 'shards', { url: address(), lang: 'en' });
  await lesson.reveal();
  await expect(page.locator('.result')).toContainText('20 shards');
  await lesson.open('your-indexes', 'hot', { url: address(), lang: 'en-XA' });
  await lesson.reveal();
  await expect(page.locator('.finding')).toHaveCount(3);
  await tutorial.openEmbedded(`${address()}?lang=en`);
  await tutorial.createCounter();
  await tutorial.plusOne.click();
  await tutorial.expectTotal('1');
  await tutorial.runExperiment('10 shards');
  server = await serveFolder(join(folder, 'served'));
});

test('sends nobody anything, and has its policy in the page', async ({ page, lesson, watch }) => {
  await lesson.open('your-app', 'code', { url: address() });
  await lesson.reveal();
  expect(watch.origins).toEqual([new URL(server.url).origin]);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe-inline');
});

for (const view of ['', '#/your-app']) {
  test(`the first view is small and quick on a slow device: ${view || 'the contents'}`, async ({ page }) => {
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    /** @type {Promise<number>[]} */
    const sizes = [];
    page.on('response', (response) => {
      // The service worker fetches all others afterwards, on its own account.
      if (response.request().serviceWorker() || response.url().endsWith('.wasm')) return;
      sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.addInitScript(() => {
      const seen = { paint: 0, tasks: /** @type {number[]} */ ([]) };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) seen.paint = startTime;
      }).observe({ type: 'largest-contentful-paint', buffered: true });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.tasks.push(duration);
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(`${address()}${view}`);
    await expect(page.locator('main h1')).toBeVisible();
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(FIRST_VIEW_BYTES);
    await page.waitForLoadState('networkidle');
    const { paint, tasks } = await page.evaluate(() => /** @type {any} */ (window).seen);
    expect(paint).toBeGreaterThan(0);
    expect(paint).toBeLessThan(LARGEST_PAINT_MS);
    expect(tasks.filter((/** @type {number} */ ms) => ms > LONGEST_TASK_MS)).toEqual([]);
    test.info().annotations.push({ type: 'figures', description: `${bytes} bytes, ${Math.round(paint)} ms, tasks ${tasks.map(Math.round)}` });
    console.log(`${view || 'contents'}: ${bytes} bytes, ${Math.round(paint)} ms, long tasks ${tasks.map(Math.round)}`);
  });
}
