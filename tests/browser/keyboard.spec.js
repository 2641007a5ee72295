/** The whole story without a mouse. */
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

test('connects, counts, inserts, asks and turns pages', async ({ tutorial, page }) => {
  await tutorial.openForm();
  const press = async (/** @type {string[]} */ ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** @param {import('@playwright/test').Locator} target */
  const tabTo = async (target) => {
    for (let steps = 0; steps < 60; steps += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await press('Tab');
    }
    throw new Error(`Tab does not lead to ${target}`);
  };

  await tabTo(tutorial.host);
  await press('ControlOrMeta+a');
  await page.keyboard.type(new URL(places.emulator).host);
  await press('Enter');
  await tutorial.expectConnected();
  const change = tutorial.connection.getByRole('button', { name: 'Change' });
  await expect(change, 'where the focus is when the form has gone').toBeFocused();

  await tabTo(tutorial.path);
  await press('Enter');
  await expect(tutorial.counter.getByText(/^Shardline created/)).toBeVisible();
  await tabTo(tutorial.plusOne);
  await press('Space', 'Space', 'Enter');
  await tutorial.expectTotal('3');
  await expect(tutorial.plusOne, 'a busy button keeps the focus').toBeFocused();
  await tabTo(tutorial.counter.getByRole('button', { name: /^Read every shard/ }));
  await press('Enter');
  await expect(tutorial.bars).toBeVisible();

  await tabTo(tutorial.instruments.getByRole('button', { name: 'Insert the 3 samples' }));
  await press('Enter');
  await expect(tutorial.instruments.getByText(/^3 documents inserted/)).toBeVisible();
  await tabTo(tutorial.instruments.getByRole('radio', { name: /Common stock/ }));
  await press('ArrowDown', 'ArrowDown');
  await expect(tutorial.instruments.getByRole('radio', { name: /In US dollars/ })).toBeChecked();
  await tabTo(tutorial.instruments.getByLabel('Limit'));
  await press('ControlOrMeta+a');
  await page.keyboard.type('1');
  await press('Enter');
  await expect(tutorial.results).toBeVisible();
  expect((await tutorial.rows()).map((row) => row.Symbol)).toEqual(['AAA']);

  await tabTo(tutorial.nextPage);
  await press('Enter');
  await expect(tutorial.results.getByText('Index1 ETF')).toBeVisible();
  if (await tutorial.hasNextPage()) {
    await press('Enter');
    await expect(tutorial.nextPage).toBeDisabled();
  }
  await expect(tutorial.previousPage, 'takes the focus over from a button that is of no use any more').toBeFocused();
  await press('Enter');
  await expect(tutorial.results.getByText('Index1 ETF').or(tutorial.results.getByText('AAA'))).toBeVisible();
});

test('the focus is visible wherever it is, and follows the page’s order', async ({ tutorial, page }) => {
  await tutorial.open();
  await tutorial.insertSamples();
  await tutorial.query('Common stock');
  await tutorial.readShards();
  const first = page.getByRole('link', { name: 'Skip to the counter' });
  await first.focus();
  await page.keyboard.press('Shift+Tab');
  /** @type {{what: string, outline: number}[]} */
  const stops = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const outlines = [element, element.closest('label') ?? element].map((part) => getComputedStyle(part));
      return {
        what: element.textContent?.slice(0, 30) || element.getAttribute('name') || element.tagName,
        outline: Math.max(...outlines.map((style) => (style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth)))),
      };
    });
    if (!stop || (stops.length > 0 && stop.what === 'Skip to the counter')) break;
    stops.push(stop);
  }
  expect(stops.length).toBeGreaterThan(20);
  expect(stops.filter((stop) => stop.outline < 2), 'stops without an outline').toEqual([]);
  const order = ['Skip to the counter', 'Change', 'Create the counter', '+1', 'Run the query', 'Clear'];
  expect(stops.map((stop) => stop.what).filter((what) => order.includes(what))).toEqual(order);
});

test('the first link leads past the header', async ({ tutorial, page }) => {
  await tutorial.open();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the counter' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(tutorial.path).toBeFocused();
});
