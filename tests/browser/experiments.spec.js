/** The load tests of the page: they show the library's own operations under the model of limits. */
import { expect, test } from './support/test.js';

/** @param {import('./support/tutorial.js').Tutorial} tutorial @param {string} column */
async function figures(tutorial, column) {
  return tutorial.experiments.getByRole('table').evaluate((table, heading) => {
    const index = [...table.querySelectorAll('thead th')].findIndex((th) => th.textContent === heading);
    return Object.fromEntries([...table.querySelectorAll('tbody tr')].map((row) => [
      row.querySelector('th')?.textContent ?? '', row.querySelectorAll('td')[index]?.textContent ?? '']));
  }, column);
}

/** @param {string | undefined} shown */
const number = (shown) => Number(shown?.replaceAll(',', ''));

test('one document holds about one increment a second, n shards about n, and none is lost', { tag: '@long' }, async ({ tutorial, page, watch }) => {
  await tutorial.openEmbedded();
  for (const [name, least, most] of /** @type {const} */ ([['One document', 0.8, 1.5], ['10 shards', 8, 13], ['50 shards', 40, 65]])) {
    await tutorial.runExperiment(name);
    const shown = await figures(tutorial, name);
    expect(number(shown['Increments a second'])).toBeGreaterThan(least);
    expect(number(shown['Increments a second'])).toBeLessThan(most);
    expect(shown['Counted in the end']).toBe(shown.Acknowledged);
    await expect(tutorial.experiments.getByRole('status')).toContainText(`${shown.Acknowledged} increments were acknowledged, and every one`);
  }
  await expect(tutorial.experiments.getByRole('columnheader')).toHaveText(['One document', '10 shards', '50 shards']);
  await expect(tutorial.experiments.locator('polyline')).toHaveCount(3);
  const [one, fifty] = [await figures(tutorial, 'One document'), await figures(tutorial, '50 shards')];
  expect(number(one.Retries)).toBeGreaterThan(number(fifty.Retries));

  await expect.poll(() => page.workers().length, 'the experiments’ own have gone').toBe(1);
  expect(watch.origins).toEqual([new URL(page.url()).origin]);
});

test('leaves the data of the page alone, and needs no connection', { tag: '@long' }, async ({ tutorial, watch }) => {
  watch.expectFailedRequests();
  await tutorial.openEmbedded();
  await tutorial.createCounter();
  await tutorial.plusTen.click();
  await tutorial.expectTotal('10');
  await tutorial.runExperiment('10 shards');
  await tutorial.readSum();
  await tutorial.expectTotal('10');
  await tutorial.openForm();
  await tutorial.connectTo('127.0.0.1:9');
  await expect(tutorial.plusOne).toBeDisabled();
  await tutorial.runExperiment('50 shards');
});

test('ends with the playground', async ({ tutorial, page }) => {
  // One that never ends by itself: its worker gets no work.
  await page.addInitScript(() => {
    globalThis.Worker = class extends Worker {
      /** @param {string | URL} url @param {WorkerOptions} [options] */
      constructor(url, options) {
        super(url, options);
        if (options?.name === 'shardline-experiment') this.postMessage = () => {};
      }
    };
  });
  await tutorial.openEmbedded();
  await tutorial.experiments.getByRole('radio', { name: /^50 shards/ }).check();
  await tutorial.experiments.getByRole('button', { name: 'Run the load test' }).click();
  // The page's Firestore, the experiment's own, and the experiment.
  await expect.poll(() => page.workers().length).toBe(3);
  // The contents run something themselves.
  await page.evaluate(() => { location.hash = '#/one-document'; });
  await expect(page.locator('.step')).toBeVisible();
  await expect.poll(() => page.workers().length, 'nothing goes on').toBe(0);
});

test('can be stopped, and begun again, with the keyboard', { tag: '@long' }, async ({ tutorial, page }) => {
  await tutorial.openEmbedded();
  await tutorial.experiments.getByRole('radio', { name: /^One document/ }).check();
  await tutorial.experiments.getByRole('button', { name: 'Run the load test' }).focus();
  // Pressed before the first answer of the worker can have come: both in one turn of the page.
  await tutorial.experiments.evaluate((panel) => {
    const [run, stop] = panel.querySelectorAll('button');
    run?.click();
    stop?.focus();
    stop?.click();
  });
  await expect(tutorial.experiments.getByRole('button', { name: 'Stop' })).toBeHidden();
  await expect(tutorial.experiments.getByRole('button', { name: 'Run the load test' })).toBeFocused();
  await expect(tutorial.experiments.getByRole('table')).toBeHidden();
  await expect(tutorial.experiments.getByRole('status')).toBeEmpty();
  await page.keyboard.press('Enter');
  await expect(tutorial.experiments.getByRole('status')).toContainText('every one of them was counted');
});
