/** <shard-rating> and <shard-stock> in pages: with a keyboard, without a network, refused, several of one path. */
/* global app -- a variable that the script of support/element_page.js leaves for tests */
import { violations } from './support/axe.js';
import { ElementPages } from './support/element_page.js';
import { expect, test } from './support/test.js';

/** @type {ElementPages} */
let pages;
test.beforeAll(async () => {
  pages = await ElementPages.serve();
});
test.afterAll(() => pages.stop());

const UNSENT = /^console\.warning: ShardlineError: The server could not be reached/;
const RATING = '<shard-rating id="rating" path="restaurants/r1" from="1" to="5" shards="3" user="ann">4.5 (2)</shard-rating>';
const SUMMARY = '<shard-rating id="summary" path="restaurants/r1" from="1" to="5" shards="3">4.5 (2)</shard-rating>';
const STOCK = '<shard-stock id="stock" path="events/e1" shards="3">2</shard-stock>';

/** Defines the elements, and gives them a database with ratings. Another page has rated, and has made a stock. */
const USE = `(async () => {
  const [{ connect }, { useTexts }] = await Promise.all(['index', 'elements'].map((name) => import('./node_modules/shardline/library/' + name + '.js')));
  app.useTexts = useTexts;
  const open = (fetch) => connect({ projectId: 'demo', fetch, storage: 'memory', retry: { maxAttempts: 2, initialDelayMs: 1, maxDelayMs: 2 } });
  app.whole = await open(app.simulator.fetch);
  app.stars = app.whole.ratings('restaurants/r1', { from: 1, to: 5, shards: 3 });
  await Promise.all([app.stars.set('ben', 4), app.stars.set('cem', 5)]);
  app.tickets = app.whole.stock('events/e1', { shards: 3 });
  await app.tickets.create({ units: 2 });
  app.openWhole = () => open(app.fetch);
  app.useDatabase(app.openWhole);
})()`;

/** @param {import('@playwright/test').Page} page @param {string} body @param {string} [attributes] Of the html element. */
async function open(page, body, attributes) {
  await pages.open(page, body, { script: 'main', ...(attributes && { attributes }) });
  await page.waitForFunction(() => globalThis.app !== undefined);
  await page.evaluate(USE);
}

/** @param {import('@playwright/test').Page} page @param {string} type */
const told = (page, type) => page.evaluate((name) => app.events.filter((event) => event.type === name), type);

test('<shard-rating> shows average and count, and the rating of its user, which the keyboard sets, changes and takes back', async ({ page }) => {
  await open(page, `<p>Before <a href="#">it</a></p>${RATING}${SUMMARY}`);
  const rating = page.locator('#rating');
  const group = rating.getByRole('radiogroup', { name: 'Your rating' });
  const star = (/** @type {number} */ value) => rating.getByRole('radio', { name: String(value), exact: true });
  for (const id of ['rating', 'summary']) {
    await expect(page.locator(`#${id} [part=value]`)).toHaveText('4.5');
    await expect(page.locator(`#${id} [part=count]`)).toHaveText('(2)');
  }
  await expect(rating).toHaveJSProperty('rating', null);
  await expect(page.locator('#summary').getByRole('radiogroup'), 'nobody rates there').toHaveCount(0);

  await page.getByRole('link').focus();
  await page.keyboard.press('Tab');
  await expect(star(1)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(star(1)).toBeChecked();
  await expect(rating.locator('input:focus-visible + [part~=choice]')).toHaveCSS('outline-style', 'solid');
  for (const value of [2, 3]) {
    await page.keyboard.press('ArrowRight');
    await expect(star(value)).toBeChecked();
  }
  await expect(rating.locator('[part~=chosen]')).toHaveCount(3);
  await expect(group).toHaveAccessibleDescription('Press Delete to take your rating back.');
  for (const id of ['rating', 'summary']) await expect(page.locator(`#${id} [part=value]`)).toHaveText('4');
  await expect.poll(() => page.evaluate(() => app.stars.get('ann'))).toBe(3);
  await expect.poll(async () => (await told(page, 'shardline-rate')).at(-1)).toMatchObject({ id: 'rating', rating: 3 });
  expect((await told(page, 'shardline-change')).filter(({ id }) => id === 'rating').at(-1)).toMatchObject({ average: 4, count: 3, rating: 3, state: 'live', pending: 0 });
  expect(await violations(page)).toEqual([]);

  await page.keyboard.press('Delete');
  await expect(rating).toHaveJSProperty('rating', null);
  await expect(page.locator('#summary [part=count]')).toHaveText('(2)');
  await expect.poll(() => page.evaluate(() => app.stars.get('ann'))).toBe(undefined);
  await star(5).click();
  await expect(page.locator('#summary [part=count]')).toHaveText('(3)');
  await expect(rating.locator('[part~=chosen]')).toHaveCount(5);
  await star(5).click();
  await expect(star(5), 'a second press').not.toBeChecked();
  await expect(page.locator('#summary [part=count]')).toHaveText('(2)');
  await page.evaluate(() => app.stars.set('dan', 1));
  await expect(page.locator('#summary [part=value]'), 'another user, rounded').toHaveText('3.3');
});

test('<shard-rating>: a rating waits for the network, and one that the server refuses is taken back', async ({ page, watch }) => {
  watch.expect(UNSENT);
  await open(page, RATING);
  const rating = page.locator('#rating');
  const star = (/** @type {number} */ value) => rating.getByRole('radio', { name: String(value), exact: true });
  await expect(rating).toHaveJSProperty('rating', null);
  await expect(rating).toHaveJSProperty('count', 2);
  await page.evaluate(() => { app.isOffline = true; });
  await star(3).click();
  await expect(rating.locator('[part=value]')).toHaveText('4');
  await expect(rating.locator('[part=value]')).toHaveAttribute('data-mark', 'offline');
  await expect(rating).toContainText(/Offline: this number may be old/, { useInnerText: false });
  await star(2).click();
  await expect(star(2)).toBeChecked();
  expect(await page.evaluate(() => document.querySelector('#rating:state(offline):state(pending):state(rated)') !== null)).toBe(true);
  await page.evaluate(() => { app.isOffline = false; });
  await expect.poll(() => page.evaluate(() => app.stars.get('ann')), 'of several that wait, the last one').toBe(2);
  await expect(rating.locator('[part=value]')).toHaveAttribute('data-mark', '');
  await expect(rating.getByRole('status')).toHaveText('');

  await page.evaluate(() => { app.refuses = true; });
  await star(5).click();
  await expect(rating.getByRole('status')).toHaveText('That did not work. Try again.');
  await expect(star(2), 'as before').toBeChecked();
  await expect(rating).toHaveJSProperty('count', 3);
  expect((await told(page, 'shardline-error')).at(-1)).toMatchObject({ id: 'rating', code: 'permission-denied' });
  await star(5).blur();
  await expect(rating.getByRole('status')).toHaveText('');
});

test('<shard-stock> shows the units that are left, until it is sold out', async ({ page }) => {
  const empty = '<shard-stock id="empty" path="events/e1"><b slot="sold-out">Gone!</b></shard-stock>';
  await open(page, `${STOCK} ${empty}`);
  const stock = page.locator('#stock');
  await expect(stock.locator('[part=value]')).toHaveText('2');
  await page.evaluate(() => app.tickets.take(1));
  await expect(stock.locator('[part=value]')).toHaveText('1');
  await expect(stock).toHaveJSProperty('left', 1);
  await page.evaluate(() => app.tickets.take(1));
  await expect(stock.locator('[part~=sold-out]')).toHaveText('Sold out');
  await expect(page.locator('#empty')).toContainText('Gone!');
  await expect(page.getByText('Gone!')).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll('shard-stock:state(sold-out):state(live)').length)).toBe(2);
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => app.tickets.add(1200));
  await expect(stock.locator('[part=value]')).toHaveText('1,200');
  await expect(page.getByText('Gone!')).toBeHidden();
  expect((await told(page, 'shardline-change')).filter(({ id }) => id === 'stock').map(({ left }) => left).filter((left, i, all) => left !== all[i - 1]))
    .toEqual([2, 1, 0, 1200]);
});

test('a database without ratings, a wrong attribute and a missing one say so', async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: <shard-rating> needs a database with ratings\(\): import connect\(\) from shardline, /);
  watch.expect(/^console\.error: ShardlineError: The attribute `to` must be a number/);
  watch.expect(/^console\.error: ShardlineError: `from` must be an integer/);
  const others = '<shard-rating id="counters" path="restaurants/r1" from="1" to="5">4.5</shard-rating>';
  await open(page, `${RATING.replace('to="5"', 'to="five"')}${SUMMARY.replace('from="1"', '')}${others}${STOCK}`);
  await page.evaluate(async () => { document.getElementById('counters').db = await app.open(); });
  for (const id of ['rating', 'summary', 'counters']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'error');
  await expect(page.locator('#counters')).toContainText('4.5');
  expect((await told(page, 'shardline-error')).map(({ reason }) => reason)).toEqual(['argument-not-allowed', 'argument-not-allowed', 'argument-not-allowed']);
  await page.evaluate(() => { document.getElementById('rating').to = 5; });
  await expect(page.locator('#rating [part=value]'), 'a mistake that is put right').toHaveText('4.5');
  await page.evaluate(async () => { document.getElementById('stock').db = await app.open(); });
  await expect(page.locator('#stock [part=value]'), 'every database with counters has stocks').toHaveText('2');
  await page.evaluate(() => {
    const summary = { average: 2, count: 1 };
    const ratings = { subscribe: (listener) => { listener({ state: 'live', summary }); return () => {}; } };
    document.getElementById('counters').db = { ratings: () => ratings };
  });
  await expect(page.locator('#counters [part=value]'), 'a simulated database, as in tests of apps').toHaveText('2');
});

test('elements of one path are one watch, and know of each other', { tag: '@long' }, async ({ page }) => {
  const many = Array.from({ length: 20 }, (_, i) => `${SUMMARY.replace('"summary"', `"s${i}"`)} ${STOCK.replace('"stock"', `"t${i}"`)}`).join(' ');
  await open(page, `${RATING}${RATING.replace('"rating"', '"second"')}${many}`);
  await expect.poll(() => page.evaluate(() => [...document.querySelectorAll('shard-rating, shard-stock')].every(({ state }) => state === 'live'))).toBe(true);
  expect(await page.evaluate(() => app.reads), 'not one for each').toBeLessThan(10);
  await page.locator('#rating').getByRole('radio', { name: '1' }).click();
  await expect(page.locator('#second').getByRole('radio', { name: '1' })).toBeChecked();
  await expect(page.locator('#s7 [part=count]')).toHaveText('(3)');
});

test('a rating before the database is there is not lost; for another user it is', { tag: '@long' }, async ({ page }) => {
  await open(page, `${RATING}${RATING.replace('"rating"', '"other"').replace('r1', 'r2')}${RATING.replace('"rating"', '"late"').replace('r1', 'r4')}`);
  await page.evaluate(async () => {
    app.useDatabase(null);
    document.getElementById('late').path = null;
    await new Promise((resolve) => { setTimeout(resolve); });
  });
  for (const id of ['rating', 'other', 'late']) {
    await page.locator(`#${id}`).getByRole('radio', { name: '4' }).click();
    await expect(page.locator(`#${id}`)).toHaveJSProperty('rating', 4);
  }
  await page.evaluate(() => {
    document.getElementById('other').user = 'eve';
    document.getElementById('late').path = 'restaurants/r4';
    app.useDatabase(app.openWhole);
  });
  await expect.poll(() => page.evaluate(() => app.stars.get('ann'))).toBe(4);
  await expect(page.locator('#other')).toHaveJSProperty('rating', null);
  await expect.poll(async () => (await told(page, 'shardline-rate')).map(({ id }) => id).sort()).toEqual(['late', 'rating']);
});

test('reads only in view, and in the page', { tag: '@long' }, async ({ page }) => {
  await open(page, `<div class="tall"></div>${SUMMARY.replace('r1', 'r7')}${STOCK.replace('e1', 'e7')}`);
  const asked = () => page.evaluate(() => app.asked.filter((url) => /r7|e7/.test(url)).length);
  await expect(page.locator('#summary')).toHaveJSProperty('state', 'loading');
  expect(await asked()).toBe(0);
  await page.locator('#stock').scrollIntoViewIfNeeded();
  for (const id of ['summary', 'stock']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await expect(page.locator('#summary [part=value]'), 'nobody has rated').toHaveText('–');
});

test('<shard-rating> has numbers if it begins elsewhere, the language around it, a label and a fieldset', { tag: '@long' }, async ({ page }) => {
  const scale = RATING.replace('from="1" to="5"', 'from="0" to="10"').replace('r1', 'r3');
  await open(page, `<form><fieldset><label for="rating">كيف كان؟</label>${scale}</fieldset></form>`, 'lang="ar-EG" dir="rtl"');
  const rating = page.locator('#rating');
  const group = rating.getByRole('radiogroup', { name: 'كيف كان؟' });
  await expect(group.getByRole('radio')).toHaveCount(11);
  await group.getByRole('radio', { name: '٠', exact: true }).click();
  await expect(rating).toHaveJSProperty('rating', 0);
  await expect(rating.locator('[part=value]')).toHaveText('٠');
  await expect(rating.locator('[part~=chosen]')).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(rating, 'to the left is the next one').toHaveJSProperty('rating', 1);
  await page.evaluate(() => app.useTexts({ rating: 'تقييمك', average: 'المتوسط', like: 'أعجبني' }));
  await expect(rating).toContainText('المتوسط');
  await page.evaluate(() => { document.querySelector('fieldset').disabled = true; });
  await expect(group.getByRole('radio').first()).toBeDisabled();
});

test('a database that was closed, and one that is opened again', { tag: '@long' }, async ({ page }) => {
  await open(page, `${SUMMARY}${STOCK}`);
  for (const id of ['summary', 'stock']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await page.evaluate(async () => {
    const db = await app.openWhole();
    app.useDatabase(db);
    app.closing = db;
  });
  for (const id of ['summary', 'stock']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await page.evaluate(() => app.closing.close());
  for (const id of ['summary', 'stock']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'error');
  await page.evaluate(() => app.useDatabase(app.openWhole));
  for (const id of ['summary', 'stock']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
});
