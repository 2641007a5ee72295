/** From the narrowest telephone to a wide screen, nothing is cut off and the page never scrolls sideways. */
import { isLong } from './support/long.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

const WIDTHS = isLong ? [320, 360, 412, 600, 768, 1024, 1087, 1088, 1280, 1440, 1920, 2560] : [320, 1440];

/** Elements that reach out of the window or of their panel, and texts that do not fit into their own element. */
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
    await expect.poll(() => page.evaluate(misfits), `at ${width} px`).toEqual([]);
  }
});

test('fits with the Firestore in the page', { tag: '@long' }, async ({ tutorial, page }) => {
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
    await expect.poll(() => page.evaluate(misfits), `at ${width} px`).toEqual([]);
  }
});

test('fits with what is wrong shown', { tag: '@long' }, async ({ tutorial, page, watch }) => {
  watch.expectFailedRequests();
  await tutorial.openForm();
  await tutorial.connectTo('a-host-with-a-long-name.that-is-not-there.invalid:8080');
  await expect(tutorial.connection.getByRole('status')).toContainText('No answer');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(misfits), `at ${width} px`).toEqual([]);
  }
});

test('keeps the log in view beside the panels, and below them on narrow screens', { tag: '@long' }, async ({ tutorial, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await tutorial.open();
  await tutorial.runQuery.scrollIntoViewIfNeeded();
  await expect(tutorial.log).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 780 });
  const [panels, log] = await Promise.all([tutorial.instruments.boundingBox(), tutorial.log.boundingBox()]);
  expect(log?.y).toBeGreaterThan((panels?.y ?? 0) + (panels?.height ?? 0));
});

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 360, height: 780 } });

  /** Controls that a finger does not hit well. */
  function smallControls() {
    const controls = 'button, select, input:not([type=radio], [type=checkbox]), label.radio, label.check';
    return [...document.querySelectorAll(controls)]
      .map((control) => ({ what: control.textContent || control.getAttribute('name') || control.className, ...control.getBoundingClientRect().toJSON() }))
      .filter(({ height }) => height > 0 && height < 28);
  }

  test('has controls that a finger can hit', { tag: '@long' }, async ({ tutorial, page }) => {
    await tutorial.openEmbedded();
    expect(await page.evaluate(smallControls)).toEqual([]);
  });

  test('has controls in the chapters that a finger can hit, and words large enough to read', { tag: '@long' }, async ({ lesson, page }) => {
    for (const chapter of ['sharded-query', 'ids']) {
      await lesson.open(chapter);
      await lesson.reveal();
      expect(await page.evaluate(smallControls), chapter).toEqual([]);
      const small = await page.locator('main').evaluate((main) => [...main.querySelectorAll('*')]
        .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()))
        .filter((element) => element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < 12)
        .map((element) => `${element.className} “${element.textContent}”`));
      expect(small, chapter).toEqual([]);
    }
  });

  test('cuts no option of a command in two', { tag: '@long' }, async ({ lesson, page }) => {
    for (const width of [320, 360, 390, 412]) {
      await page.setViewportSize({ width, height: 780 });
      await lesson.open('your-indexes', 'rewrite');
      const cut = await page.locator('.prose').evaluate((prose) => {
        const texts = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const words = [];
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          if (!node.parentElement?.closest('code')) continue;
          for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/\S+/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) words.push(word);
          }
        }
        return words;
      });
      expect(cut, `at ${width} px`).toEqual([]);
    }
  });

  test('keeps the button that copies at the end, however long the name of the code is', { tag: '@long' }, async ({ lesson, page }) => {
    for (const lang of ['en', 'ar', 'ja']) {
      await lesson.open('your-indexes', 'missing', { lang });
      await page.locator('.tool .button').first().click();
      await expect(page.locator('.code-head')).toHaveCount(2);
      const [first, second] = await page.locator('.code-head .button').evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().x));
      expect(first, lang).toBeCloseTo(second ?? NaN, 0);
    }
  });

  test('has tables with words in their columns, and not letters', { tag: '@long' }, async ({ lesson }) => {
    for (const lang of ['ar', 'de', 'en', 'es', 'ja', 'tr']) {
      await lesson.open('lost-answer', '', { lang });
      await lesson.reveal();
      const cells = lesson.tables.locator(':is(th, td)');
      await expect(cells.first()).toBeVisible();
      const high = await cells.evaluateAll((all) => all
        .map((cell) => ({ text: cell.textContent, lines: Math.round(cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight)) }))
        .filter(({ lines }) => lines > 4));
      // A cell is as high as its row.
      expect(high, lang).toEqual([]);
    }
  });

  test('names each shard within its own part of a strip', { tag: '@long' }, async ({ lesson, page }) => {
    for (const [lang, shards] of [['en', 3], ['en', 5], ['en', 10], ['es', 3], ['ja', 5], ['ar', 10]]) {
      await lesson.open('hot-range', '', { lang: String(lang), knobs: `index=shard&shards=${shards}&t=15000` });
      await expect(page.locator('.strip-shard')).toHaveCount(Number(shards));
      const edges = await page.locator('.strip').evaluate((strip) => {
        const names = [...strip.querySelectorAll('.strip-shard')].map((name) => name.getBoundingClientRect());
        return [...names.flatMap(({ left, right }) => [left, right]), strip.getBoundingClientRect().right];
      });
      expect(edges, `${lang}, ${shards} shards`).toEqual(edges.toSorted((a, b) => a - b));
    }
  });

  test('shows a press beside the confirmation that comes at nearly the same time', { tag: '@long' }, async ({ lesson, page }) => {
    await lesson.open('lost-answer');
    await lesson.reveal();
    const overlaps = await page.locator('.answers').evaluateAll((pictures) => pictures.flatMap((picture) => {
      const boxes = (/** @type {string} */ marks) => [...picture.querySelectorAll(marks)].map((mark) => mark.getBoundingClientRect());
      const [presses, ticks] = [boxes('.answers-press'), boxes('.answers-tick')];
      return presses.filter((press) => ticks.some((tick) => tick.left < press.right && press.left < tick.right && tick.top < press.bottom && press.top < tick.bottom));
    }));
    expect(overlaps).toEqual([]);
  });
});

test('stands a refill apart from the cards before it, where these run from right to left, too', { tag: '@long' }, async ({ lesson, page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const lang of ['en', 'ar']) {
    await lesson.open('sharded-query', '', { lang, knobs: 'shard-values=90&limit=15&t=99999' });
    const refill = page.locator('.merge-card[data-refill=true]').first();
    await expect(refill).toBeVisible();
    const gap = await refill.evaluate((card) => {
      const [own, before] = [card, /** @type {Element} */ (card.previousElementSibling)].map((each) => each.getBoundingClientRect());
      return Math.max((own?.left ?? 0) - (before?.right ?? 0), (before?.left ?? 0) - (own?.right ?? 0));
    });
    expect(gap, lang).toBeGreaterThan(16);
  }
});

test('draws time from left to right where words run from right to left, and says so at the axes', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('one-document', '', { lang: 'ar' });
  await lesson.reveal();
  await lesson.expectChartInPlace();
  await expect(page.locator('.u-wrap canvas'), 'a number, then its unit').toHaveCSS('direction', 'rtl');
  await page.goto(`${places.embeddedTutorial}?lang=ar#/playground`);
  const experiments = page.locator('#experiments');
  await experiments.locator('.button-primary').click();
  await expect(experiments.getByRole('status'), 'it is over, and the chart stays as it is').not.toBeEmpty();
  const [first, last] = await experiments.locator('.chart-xs span').evaluateAll((marks) => marks.map((mark) => mark.getBoundingClientRect().x));
  expect(first, 'where the line begins').toBeLessThan(last ?? 0);
  const [begin, end] = await experiments.locator('polyline').evaluate((line) => {
    const { points } = /** @type {SVGPolylineElement} */ (line);
    return [points.getItem(0).x, points.getItem(points.numberOfItems - 1).x];
  });
  expect(begin).toBeLessThan(end ?? 0);
});
