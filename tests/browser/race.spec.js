/** The contents begin with a picture that moves. */
import { crowd } from '../../web/tutorial/model/crowd.js';
import { record, stateAt } from '../../web/tutorial/model/recording.js';
import { chapters } from './support/lesson.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

/** @typedef {import('@playwright/test').Page} Page */

/** @param {Page} page @returns {Promise<number[]>} The counts of the two sides. */
const counts = (page) => page.locator('.race-count b').evaluateAll((all) => all.map(({ textContent }) => Number(textContent?.replace(/\D/g, ''))));

/** @param {Page} page */
const position = (page) => page.locator('.player-slider').inputValue().then(Number);

test('the counts of one document and of ten shards run apart by themselves, and are those of the embedded Firestore', async ({ page }) => {
  await page.goto(places.embeddedTutorial);
  await expect(page.locator('.race')).toBeVisible();
  const began = Date.now();
  await expect.poll(async () => {
    const [one = 0, ten = 0] = await counts(page);
    return ten - one;
  }, { timeout: 5000, intervals: [100] }).toBeGreaterThan(200);
  expect(Date.now() - began, 'milliseconds').toBeLessThan(5000);
  await page.getByRole('button', { name: 'Pause' }).click();
  const at = await position(page);
  const runs = await Promise.all([1, 10].map((shards) => record(crowd(1000, shards, 1))));
  expect(await counts(page)).toEqual(runs.map((run) => stateAt(run, at).counted));
  await page.locator('.player-slider').press('End');
  expect(await counts(page)).toEqual(runs.map((run) => stateAt(run, runs[1]?.durationMs ?? 0).counted));
  expect((await counts(page))[1]).toBe(1000);
});

test('the picture is loaded after the first view, and pauses out of view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(places.embeddedTutorial);
  await expect.poll(() => position(page)).toBeGreaterThan(0);
  const { view, module } = await page.evaluate(() => {
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
    const module = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.wasm'));
    return { view: navigation?.loadEventStart ?? Infinity, module: module?.startTime ?? 0 };
  });
  expect(module).toBeGreaterThan(view);
  const toggle = page.locator('.race .button-primary');
  await expect(toggle).toHaveText('Pause');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(toggle).toHaveText('Play');
  const paused = await position(page);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => position(page)).toBeGreaterThan(paused);
  await toggle.click();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(page.locator('.race')).not.toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.locator('.race')).toBeInViewport();
  await expect(toggle, 'the reader has stopped it').toHaveText('Play');
});

test('readers who ask for less motion see the end, still', { tag: '@long' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(places.embeddedTutorial);
  await expect(page.locator('.race')).toBeVisible();
  expect(await position(page)).toBe(Number(await page.locator('.player-slider').getAttribute('max')));
  await expect(page.locator('.race .button-primary')).toHaveText('Play');
});

test('the contents are there without the picture, and when the reader goes on before it comes', async ({ page, watch }) => {
  watch.expectFailedRequests();
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(places.embeddedTutorial);
  await expect(page.locator('.race-place'), 'an empty place says nothing').toHaveCount(0);
  await expect(page.locator('.race-figure figcaption')).toContainText('ten shards');
  await page.unroute('**/*.wasm');
  await page.reload();
  await page.getByRole('link', { name: 'Begin' }).click();
  await expect(page.locator('.chapter')).toBeVisible();
  await expect(page.locator('.race')).toHaveCount(0);
});

/** @param {import('@playwright/test').Locator} picture @returns {Promise<string[]>} How its motions are: each way once. */
const motions = (picture) => picture.evaluate((place) => [...new Set(place.getAnimations({ subtree: true }).map(({ playState }) => playState))]);

test('the picture of a card plays in view and comes to its end, is still out of view, and plays again when the card has the focus', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(places.embeddedTutorial);
  const pictures = page.locator('.card-picture');
  await expect(pictures).toHaveCount(chapters.length + 1);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.locator('path').count()).toBeGreaterThan(2);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => motions(pictures.last()), 'out of view').toEqual(['finished']);
  await pictures.last().scrollIntoViewIfNeeded();
  await expect.poll(() => motions(pictures.last())).toContain('running');
  await expect.poll(() => motions(pictures.last())).toEqual(['finished']);
  await page.locator('.card').last().focus();
  await expect.poll(() => motions(pictures.last())).toContain('running');
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => motions(pictures.last()), { message: 'before it would end by itself', timeout: 1500 }).toEqual(['finished']);
});

test('the pictures of the cards are whole and still for readers who ask for less motion', { tag: '@long' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(places.embeddedTutorial);
  const pictures = page.locator('.card-picture');
  await expect(pictures).toHaveCount(chapters.length + 1);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture.locator('svg')).toBeVisible();
  }
  expect(await motions(page.locator('.contents-list'))).toEqual([]);
  const hidden = await page.locator('.card-picture path').evaluateAll((paths) => paths.filter((path) => getComputedStyle(path).opacity !== '1').length);
  expect(hidden).toBe(0);
});

test('the contents print all pictures of the cards, whole and still', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 640 });
  await page.goto(places.embeddedTutorial);
  const pictures = page.locator('.card-picture');
  // The observer is there.
  await expect(page.locator('.race')).toBeVisible();
  await expect.poll(() => pictures.last().locator('path').count()).toBe(0);
  await page.pdf();
  for (const picture of await pictures.all()) {
    expect(await picture.locator('path').count()).toBeGreaterThan(2);
    expect(await motions(picture)).toEqual(['finished']);
  }
});
