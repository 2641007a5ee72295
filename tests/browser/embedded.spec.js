/** The page with the Firestore inside it, for a visitor who has only a browser. */
import { damageKept } from './support/damage_kept.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';
import { Tutorial } from './support/tutorial.js';
import { serveTutorial } from './support/tutorial_build.js';
import { startTutorial } from './support/vite.js';

/**
 * The whole story: a counter, instruments and a query.
 * @param {Tutorial} tutorial
 */
async function tellStory(tutorial) {
  await tutorial.create.click();
  await expect(tutorial.counter.getByText(/^Shardline created|exists already/)).toBeVisible();
  await tutorial.plusTen.click();
  await tutorial.expectTotal('10');
  await tutorial.insertSamples();
  await tutorial.query('Exchange 1');
  expect((await tutorial.rows()).map((row) => row.Symbol)).toEqual(['AAA', 'Index1 ETF']);
}

/** @param {Tutorial} tutorial @param {string | RegExp} label @param {number} value */
async function slide(tutorial, label, value) {
  await tutorial.simulator.getByLabel(label).evaluate((control, wanted) => {
    /** @type {HTMLInputElement} */ (control).valueAsNumber = wanted;
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
  }, value);
}

/** @param {Tutorial} tutorial @param {string} label */
const figure = (tutorial, label) => tutorial.simulator.locator('.totals > div').filter({ has: tutorial.page.getByText(label, { exact: true }) })
  .locator('dd');

test('works where what was kept is damaged, and says that nothing is kept', { tag: '@long' }, async ({ tutorial, page }) => {
  await tutorial.openEmbedded();
  await page.goto(places.embeddedTutorial);
  await page.evaluate(damageKept, 'tutorial');
  await tutorial.openEmbedded();
  await expect(tutorial.connection).toContainText('Your data are gone when you close the page');
  await tellStory(tutorial);
});

test('works by itself, and keeps its data until they are deleted', async ({ tutorial, page, watch }) => {
  await tutorial.openEmbedded();
  await tellStory(tutorial);
  await expect(figure(tutorial, 'writes')).toHaveText('16');
  await expect(figure(tutorial, 'documents')).toHaveText('15');
  await expect(figure(tutorial, 'price')).toHaveText(/^\$0\.0000\d+$/);
  expect(watch.origins, 'nothing is asked of anybody else').toEqual([new URL(page.url()).origin]);

  await page.reload();
  await tutorial.readSum();
  await tutorial.expectTotal('10');
  await tutorial.query('Exchange 1');
  expect((await tutorial.rows()).map((row) => row.Symbol)).toEqual(['AAA', 'Index1 ETF']);

  await tutorial.simulator.getByRole('button', { name: 'Delete all data' }).click();
  await expect(tutorial.simulator.getByRole('status')).toContainText('All data deleted');
  await expect(figure(tutorial, 'documents')).toHaveText('0');
  await tutorial.expectTotal('–');
  await expect(tutorial.results, 'what is shown is not there any more').toBeHidden();
  await page.reload();
  await tutorial.readSum();
  await expect(tutorial.counter.getByText('No shards here yet')).toBeVisible();
  await tutorial.plusTen.click();
  await tutorial.expectTotal('10');
  await tutorial.simulator.getByRole('button', { name: 'Delete all data' }).click();
  await tutorial.expectTotal('–');
  await tutorial.plusOne.click();
  await tutorial.expectTotal('1');
});

test('makes writes wait for a hot document, and shows where; not when the limits are off', { tag: '@long' }, async ({ tutorial }) => {
  await tutorial.openEmbedded();
  await tutorial.counter.getByLabel(/Read the total after increments/).uncheck();
  await tutorial.shards.fill('1');
  await tutorial.useTransactions();
  await tutorial.createCounter();
  const press = () => tutorial.plusOne.evaluate((button) => {
    for (let presses = 0; presses < 12; presses += 1) /** @type {HTMLButtonElement} */ (button).click();
  });
  await press();
  const documents = tutorial.simulator.getByRole('table', { name: 'Documents that a write would have to wait for' });
  await expect(documents.getByRole('rowheader')).toHaveText('counters/demo/shards/0');
  await expect(documents.getByRole('cell')).toHaveText(/^[\d.]+\sm?s$/);
  await expect(figure(tutorial, 'had to wait')).not.toHaveText('0');
  await expect(tutorial.counter.getByText(/^On the way: \d+$/)).toBeVisible();

  await tutorial.simulator.getByLabel(/limits/).uncheck();
  await expect(tutorial.simulator.getByText('The limits are off, so no write ever waits.')).toBeVisible();
  await expect(documents).toBeHidden();
  await tutorial.path.fill('counters/other');
  await tutorial.createCounter();
  await press();
  await expect(tutorial.counter.getByText(/^On the way/)).toBeHidden();
});

test('loses answers, and takes its time, as it is told', { tag: '@long' }, async ({ tutorial }) => {
  await tutorial.openEmbedded();
  await tutorial.createCounter();
  await slide(tutorial, 'Answers take', 1000);
  await expect(tutorial.simulator.getByLabel('Answers take')).toHaveAttribute('aria-valuetext', 'up to 1,000\u00a0ms');
  await tutorial.readSum();
  await expect(tutorial.counter.getByText(/1 read, (2[5-9]\d|[3-9]\d\d|[\d,]{5,})\sms/)).toBeVisible();
  await slide(tutorial, 'Answers take', 0);
  await slide(tutorial, 'Answers lost', 50);
  await expect(async () => {
    await tutorial.plusOne.click();
    await expect(tutorial.log.getByText('no answer').first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await slide(tutorial, 'Answers lost', 0);
  await tutorial.plusOne.click();
  await expect(tutorial.header.getByText('Connected to the embedded Firestore')).toBeVisible();
});

test('is one for all tabs, and goes on in the others when one is closed', { tag: '@long' }, async ({ tutorial, page, context }) => {
  await tutorial.openEmbedded();
  await tutorial.createCounter();
  await tutorial.plusTen.click();
  await tutorial.expectTotal('10');
  const other = new Tutorial(await context.newPage());
  await other.openEmbedded();
  await other.readSum();
  await other.expectTotal('10');
  await other.simulator.getByLabel(/limits/).uncheck();
  await expect(tutorial.simulator.getByLabel(/limits/), 'the settings are of all tabs, too').not.toBeChecked();
  await page.close();
  await other.plusOne.click();
  await other.expectTotal('11');
});

test('connects though the tab that has the data goes while it is asked', async ({ tutorial, page, context }) => {
  await tutorial.openEmbedded();
  const [worker] = page.workers();
  if (!worker) throw new Error('The page has no worker.');
  // It is asked, and its answers do not come.
  await worker.evaluate(() => {
    const { postMessage } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (message) {
      if (message.kind === 'reply' && message.result.status !== undefined) Object.assign(globalThis, { isAsked: true });
      else postMessage.call(this, message);
    };
  });
  const other = new Tutorial(await context.newPage());
  await other.page.goto(`${places.embeddedTutorial}#/playground`);
  await expect.poll(() => worker.evaluate(() => 'isAsked' in globalThis)).toBe(true);
  await page.close();
  await expect(other.connection.getByText('You are connected to the embedded Firestore')).toBeVisible();
});

test('needs no network: all that is not this machine is out of reach', { tag: '@long' }, async ({ tutorial, page, watch }) => {
  /** @type {string[]} */
  const outside = [];
  await page.route((url) => url.hostname !== '127.0.0.1', (route) => {
    outside.push(route.request().url());
    return route.abort();
  });
  await tutorial.openEmbedded();
  await tellStory(tutorial);
  expect(outside).toEqual([]);
  expect(watch.origins).toEqual([new URL(places.embeddedTutorial).origin]);
});

test('goes on when even the page’s own server has gone', { tag: '@long' }, async ({ tutorial, context }) => {
  const server = await serveTutorial(places.tutorialFiles);
  await tutorial.openEmbedded(server.url);
  // The first call of an administrator fetches the library's second module.
  await tutorial.create.click();
  await expect(tutorial.counter.getByText(/^Shardline created/)).toBeVisible();
  await server.stop();
  await context.setOffline(true);
  await tellStory(tutorial);
  await tutorial.simulator.getByRole('button', { name: 'Delete all data' }).click();
  await expect(tutorial.simulator.getByRole('status')).toContainText('All data deleted');
  await context.setOffline(false);
});

test('is what scripts/demo shows, from the sources', { tag: '@long' }, async ({ tutorial, page }) => {
  const server = await startTutorial();
  await tutorial.openEmbedded(server.url);
  await tellStory(tutorial);
  await page.goto('about:blank');
  await server.stop();
});
