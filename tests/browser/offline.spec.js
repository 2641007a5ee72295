/** The page as files on a web server: under any path, with the policy that it brings along, and without the network after the first visit. */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { messages as english } from '../../web/tutorial/languages/en.js';
import { BUILD, places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

test.use({ serviceWorkers: 'allow' });

/** @type {Record<string, unknown>} */
const messages = english;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
/** @type {string} */
let folder;

test.beforeEach(async () => {
  folder = await mkdtemp(join(BUILD, 'site-'));
  await cp(places.tutorialFiles, join(folder, 'some/path'), { recursive: true });
  server = await serveFolder(folder);
});
test.afterEach(() => server.stop());

const address = () => `${server.url}some/path/`;

test('works under any path, and without the network after the first visit', async ({ page, lesson, tutorial, watch }) => {
  await page.goto(address());
  await expect(page.locator('.contents-list')).toBeVisible();
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe('activated');
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
});

test('the page of the first visit opens every chapter without the network, and is not loaded again', { tag: '@long' }, async ({ page, lesson }) => {
  await page.goto(`${address()}?lang=en`);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await page.evaluate(() => document.body.setAttribute('data-visit', 'first'));
  await server.stop();
  for (const { id } of CHAPTERS) {
    await page.evaluate((chapter) => { location.hash = `#/${chapter}`; }, id);
    await expect(page.locator('main h1')).toContainText(String(messages[`chapter.${id}.title`]));
    await lesson.reveal();
  }
  await expect(page.locator('body')).toHaveAttribute('data-visit', 'first');
});

test('a deploy takes the place of what was kept, also where browsers keep the page itself for a while', async ({ page, watch }) => {
  watch.expectFailedRequests();
  const copy = join(folder, 'some/path');
  const site = await serveFolder(copy, { headers: { 'cache-control': 'max-age=600' } });
  const isActive = async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === 'activated' && !registration.waiting && !registration.installing;
  };
  await page.goto(site.url);
  await expect.poll(() => page.evaluate(isActive)).toBe(true);
  const change = async (/** @type {string} */ name, /** @type {string} */ from, /** @type {string} */ to) => {
    const text = await readFile(join(copy, name), 'utf8');
    expect(text).toContain(from);
    await writeFile(join(copy, name), text.replace(from, to));
  };
  await change('index.html', '<body', '<body data-deploy="2"');
  await change('service_worker.js', 'self.VERSION = \'', 'self.VERSION = \'2');
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
  const versions = () => page.evaluate(async () => (await caches.keys()).map((name) => name.split(' ').at(-1)?.[0]));
  // The new worker waits until no page of the old version is open.
  await expect.poll(async () => {
    await page.goto('about:blank');
    await page.goto(site.url);
    return versions();
  }).toEqual(['2']);
  await site.stop();
  await page.goto(`${site.url}?lang=en`);
  await expect(page.locator('.contents-list')).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-deploy', '2');
});

test('asks no other site for anything, and has its policy in the page', { tag: '@long' }, async ({ page, lesson, watch }) => {
  await lesson.open('your-app', 'code', { url: address() });
  await lesson.reveal();
  expect(watch.origins).toEqual([new URL(server.url).origin]);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe-inline');
});
