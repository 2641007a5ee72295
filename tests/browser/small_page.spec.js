/** web/small.html, the page that people copy: from scripts/demo, and from the package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violations } from './support/axe.js';
import { engines } from './support/engines.js';
import { makeApp } from './support/package.js';
import { places, WEB } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';
import { startTutorial } from './support/vite.js';

test('is as short as it says', async () => {
  expect((await readFile(join(WEB, 'small.html'), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('likes, inserts, filters and turns pages, by keyboard, in its own Firestore and in a project', async ({ page, firestore }) => {
  const server = await startTutorial();
  const like = page.getByRole('button', { name: 'Like' });
  const total = page.getByRole('status', { name: 'Likes' });
  const next = page.getByRole('button', { name: 'Next page' });
  const symbols = page.locator('tbody td:nth-child(2)');
  const times = () => page.locator('tbody td:first-child').allTextContents();
  const insert = async (/** @type {string} */ symbol) => {
    await page.getByLabel('Symbol').fill(symbol);
    await expect(page.getByRole('button', { name: 'Insert' })).toBeEnabled();
    await page.keyboard.press('Enter');
    await expect(page.getByText(`${symbol} is inserted.`)).toBeVisible();
    await expect(symbols.first()).toContainText(symbol);
  };

  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(`${server.url}small.html`);
  await expect(total).toHaveText('0');
  await like.press('Enter');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(total).toHaveText('1');
  await insert('NEW');
  const first = await times();
  await next.press('Enter');
  await expect(symbols.first()).not.toContainText('NEW');
  const second = await times();
  expect([...first, ...second]).toEqual([...new Set([...first, ...second])].sort().reverse());
  expect(first.length + second.length).toBe(20);
  await page.getByLabel('Show').selectOption('instrumentType = etf');
  await expect(page.getByText('5 documents for 5 billed reads')).toBeVisible();
  await expect(symbols.filter({ hasText: 'etf' })).toHaveCount(5);
  await expect(next).toBeDisabled();
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page), colorScheme).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(total).toHaveText('1');

  await page.goto(`${server.url}small.html?project=demo&host=${places.emulator}`);
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  for (const symbol of ['ONE', 'TWO', 'SIX']) await insert(symbol);
  expect((await symbols.allTextContents()).map((text) => text.slice(0, 3))).toEqual(['SIX', 'TWO', 'ONE']);
  expect(await firestore.list('instruments')).toHaveLength(3);
  await server.stop();
});

test('an early Enter does not send the form, and with it the address of the project, away', async ({ page }) => {
  const server = await startTutorial();
  /** @type {() => void} */
  let release = () => {};
  const released = new Promise((resolve) => { release = () => resolve(undefined); });
  await page.route('**/packed/shardline.js', async (route) => {
    await released;
    await route.continue();
  });
  const url = `${server.url}small.html?project=demo&host=${places.emulator}`;
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByLabel('Symbol').fill('ONE');
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByRole('button', { name: 'Insert' })).toBeEnabled();
  expect(page.url()).toBe(url);
  await page.keyboard.press('Enter');
  await expect(page.getByText('ONE is inserted.')).toBeVisible();
  await server.stop();
});

for (const [name, start] of Object.entries(engines)) {
  test(`the package's copy works in ${name}`, { tag: '@long' }, async () => {
    const server = await serveFolder(join(await makeApp(`small-page-${name}`, {}), 'node_modules/shardline'));
    const engine = await start();
    const visitor = await engine.invite();
    const tab = await visitor.openTab();
    await tab.goto(`${server.url}small.html`);
    const shown = () => tab.evaluate(() => [...document.querySelectorAll('#total, #status, tbody tr:first-child td:nth-child(2)')].map(({ textContent }) => textContent).join('; '));
    await expect.poll(shown).toMatch(/^0; 10 documents for 10 billed reads; /);
    await tab.evaluate(() => /** @type {any} */ (document.querySelector('#like')).click());
    await expect.poll(shown).toMatch(/^1; /);
    await tab.evaluate(() => {
      /** @type {any} */ (document.querySelector('[name=symbol]')).value = 'NEW';
      document.querySelector('form')?.requestSubmit();
    });
    await expect.poll(shown).toMatch(/^1; NEW is inserted. 10 documents for 10 billed reads; NEW/);
    await tab.evaluate(() => /** @type {any} */ (document.querySelector('#next')).click());
    await expect.poll(shown).toMatch(/^1; 10 documents for 10 billed reads; [ABC]{3}/);
    await visitor.leave();
    await engine.close();
    await server.stop();
  });
}
