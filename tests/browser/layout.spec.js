/** From the narrowest telephone to a wide screen, nothing is cut off and the page never scrolls sideways. */
import { expect, test } from './support/test.js';

const WIDTHS = [320, 360, 412, 600, 768, 1024, 1087, 1088, 1280, 1440, 1920, 2560];

/** What reaches out of the window or of its panel, and texts that do not fit into their own element. */
function misfits() {
  const { scrollWidth } = document.documentElement;
  const problems = scrollWidth > window.innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.visually-hidden, thead, [hidden], .skip, pre')) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const panel = element.closest('.panel')?.getBoundingClientRect() ?? { left: 0, right: window.innerWidth };
    const label = `${element.tagName}.${element.className} “${element.textContent?.slice(0, 30)}”`;
    if (width > 0 && (left < panel.left - 1 || right > panel.right + 1)) {
      problems.push(`${label} from ${left} to ${right}, not in ${panel.left} to ${panel.right}`);
    }
    const isBox = element.clientWidth > 0 && element.matches('button, th, td, dd, dt, p, label');
    if (isBox && element.scrollWidth > element.clientWidth + 1) problems.push(`${label} is cut off`);
  }
  return problems;
}

test('fits every width, with everything on it', async ({ tutorial, page, firestore }) => {
  await tutorial.open();
  await tutorial.path.fill(`counters/a-rather-long-name-for-a-counter-${'x'.repeat(60)}`);
  await tutorial.createCounter();
  await tutorial.add('-9007199254740993');
  await tutorial.expectTotal('-9,007,199,254,740,993');
  await tutorial.readShards();
  await expect(tutorial.bars).toBeVisible();
  await tutorial.shardValues.fill('x, y, a-shard-value-of-some-length');
  await tutorial.insertRandom();
  await firestore.set('instruments/long', {
    symbol: { stringValue: 'A very long name of an instrument'.repeat(3) },
    exchange: { stringValue: 'EXCHANGE'.repeat(12) },
    instrumentType: { stringValue: 'commonstock' },
    shard: { stringValue: 'a-shard-value-of-some-length' },
    timestamp: { timestampValue: '2999-01-01T00:00:00Z' },
  });
  await tutorial.query('Common stock');
  await expect(tutorial.results).toContainText('A very long name');
  await tutorial.openDetails();
  await tutorial.connection.getByRole('button', { name: 'Change' }).click();

  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(misfits), `at ${width} px`).toEqual([]);
  }
});

test('fits with the Firestore in the page', async ({ tutorial, page }) => {
  await tutorial.openEmbedded();
  await tutorial.path.fill(`counters/a-rather-long-name-for-a-counter-${'x'.repeat(60)}`);
  await tutorial.shards.fill('1');
  await tutorial.useTransactions();
  await tutorial.createCounter();
  await tutorial.insertRandom();
  await tutorial.plusOne.evaluate((button) => {
    for (let presses = 0; presses < 60; presses += 1) /** @type {HTMLButtonElement} */ (button).click();
  });
  await expect(tutorial.simulator.getByRole('table')).toHaveCount(2);
  for (const name of /** @type {const} */ (['One document', '10 shards', '50 shards'])) await tutorial.runExperiment(name);
  await tutorial.connection.getByRole('button', { name: 'Change' }).click();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(misfits), `at ${width} px`).toEqual([]);
  }
});

test('fits with what is wrong shown', async ({ tutorial, page, watch }) => {
  watch.expectFailedRequests();
  await tutorial.openForm();
  await tutorial.connectTo('a-host-with-a-long-name.that-is-not-there.invalid:8080');
  await expect(tutorial.connection.getByRole('status')).toContainText('No answer');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(misfits), `at ${width} px`).toEqual([]);
  }
});

test('keeps the log in view beside the panels, and below them on narrow screens', async ({ tutorial, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await tutorial.open();
  await tutorial.runQuery.scrollIntoViewIfNeeded();
  await expect(tutorial.log).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 780 });
  const [panels, log] = await Promise.all([tutorial.instruments.boundingBox(), tutorial.log.boundingBox()]);
  expect(log?.y).toBeGreaterThan((panels?.y ?? 0) + (panels?.height ?? 0));
});

test('has controls that a finger can hit', async ({ tutorial, page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await tutorial.openEmbedded();
  const small = await page.evaluate(() => {
    const controls = 'button, select, input:not([type=radio], [type=checkbox]), label.radio, label.check';
    return [...document.querySelectorAll(controls)]
      .map((control) => ({ what: control.textContent || control.getAttribute('name'), ...control.getBoundingClientRect().toJSON() }))
      .filter(({ height }) => height > 0 && height < 28);
  });
  expect(small).toEqual([]);
});
