/** Rules of WCAG that a program can check (axe), in every state that looks different; and the announcements to screen readers. */
import { violations } from './support/axe.js';
import { longUnless } from './support/long.js';
import { expect, test } from './support/test.js';

/**
 * Something to see in every part of the panel of the Firestore in the page.
 * @param {import('./support/tutorial.js').Tutorial} tutorial
 */
async function makeBusy(tutorial) {
  await tutorial.shards.fill('1');
  await tutorial.useTransactions();
  await tutorial.createCounter();
  await tutorial.insertRandom();
  await tutorial.plusOne.evaluate((button) => {
    for (let presses = 0; presses < 30; presses += 1) /** @type {HTMLButtonElement} */ (button).click();
  });
  await expect(tutorial.simulator.getByRole('table')).toHaveCount(2);
}

/** @param {import('./support/tutorial.js').Tutorial} tutorial */
async function fill(tutorial) {
  await tutorial.createCounter();
  await tutorial.add(-7);
  await tutorial.plusTen.click();
  await tutorial.expectTotal('3');
  await tutorial.readShards();
  await expect(tutorial.bars).toBeVisible();
  await tutorial.insertRandom();
  await tutorial.query('Common stock');
  await tutorial.openDetails();
  await tutorial.counter.getByRole('button', { name: /^How the load is spread/ }).click();
  // Its text moves the elements below.
  await expect(tutorial.counter.locator('.care .notice')).toBeVisible();
  await tutorial.counter.getByText('Security rules for such counters').click();
  await expect(tutorial.counter.locator('.care .code-block')).toBeVisible();
  await tutorial.counter.getByLabel(/Follow the total live/).check();
  await expect(tutorial.counter.locator('.live-total')).toContainText('Live');
  await tutorial.ids.getByRole('button', { name: 'Create the sequence' }).click();
  await tutorial.ids.getByRole('button', { name: 'Take 10 at once' }).click();
  await expect(tutorial.ids.getByRole('listitem')).toHaveCount(10);
}

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [360, 1440]) {
    test(`no violations, ${colorScheme} at ${width} px`, longUnless(colorScheme === 'light' && width === 360), async ({ tutorial, page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await tutorial.open();
      await fill(tutorial);
      expect(await violations(page)).toEqual([]);
    });
  }

  test(`no violations with the Firestore in the page, ${colorScheme}`, { tag: '@long' }, async ({ tutorial, page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 900 });
    await tutorial.openEmbedded();
    await makeBusy(tutorial);
    await tutorial.runExperiment('50 shards');
    expect(await violations(page)).toEqual([]);
  });

  test(`no violations where something is wrong, ${colorScheme}`, { tag: '@long' }, async ({ tutorial, page, watch }) => {
    watch.expectFailedRequests();
    await page.emulateMedia({ colorScheme });
    await tutorial.openForm();
    expect(await violations(page), 'unconnected').toEqual([]);
    await tutorial.connectTo('127.0.0.1:9');
    await expect(tutorial.connection.getByRole('status')).toContainText('No answer');
    await tutorial.connectTo('???');
    expect(await violations(page), 'a wrong host').toEqual([]);
    await tutorial.open();
    await tutorial.path.fill('counters');
    await tutorial.create.click();
    await tutorial.shardValues.fill('');
    await tutorial.runQuery.click();
    await tutorial.add('many');
    expect(await violations(page), 'wrong fields').toEqual([]);
  });
}

test('has landmarks, one first heading, and named regions', async ({ tutorial, page }) => {
  await tutorial.open();
  await expect(page.getByRole('banner')).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Connection', 'Distributed counter', 'Sharded timestamps', 'Unique ids', 'Experiments', 'Requests',
  ]);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('tells of results in live regions', async ({ tutorial }) => {
  await tutorial.open();
  await tutorial.create.click();
  await expect(tutorial.counter.getByRole('status').filter({ hasText: 'Created counters/demo' })).toBeVisible();
  await tutorial.plusOne.click();
  await tutorial.expectTotal('1');
  await expect(tutorial.total).toHaveAttribute('aria-live', 'polite');
  await tutorial.insertSamples();
  await tutorial.query('Exchange 1');
  await expect(tutorial.instruments.getByRole('status').filter({ hasText: 'Rows 1 to 2' })).toBeVisible();
});

test('the bars are a table to those who cannot see them', { tag: '@long' }, async ({ tutorial }) => {
  await tutorial.open();
  await tutorial.shards.fill('3');
  await tutorial.createCounter();
  await tutorial.readShards();
  await expect(tutorial.bars.getByRole('columnheader')).toHaveText(['Shard', 'Count']);
  await expect(tutorial.bars.getByRole('rowheader')).toHaveText(['0', '1', '2']);
  await expect(tutorial.bars.getByRole('cell', { name: '0', exact: true })).toHaveCount(3);
});

test('stands still for those who ask for less motion', { tag: '@long' }, async ({ tutorial, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await tutorial.open();
  const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || transitionDuration !== '0s';
  }).map((element) => element.outerHTML.slice(0, 80)));
  expect(moving).toEqual([]);
});
