/** Every step of every chapter is readable for everyone: WCAG as far as a program can check it, any width, any size of text, on paper, at rest. */
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { violations } from './support/axe.js';
import { chapters, steps } from './support/lesson.js';
import { isLong, longUnless } from './support/long.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

/** The narrowest telephones, a window at 200 %, and 4K. */
const WIDTHS = isLong ? [320, 360, 640, 1024, 1440, 3840] : [320, 1440];

/** A run that plays, one that compares, and a tool: most others look like one of them. The default run has no other. */
const TELLING = ['distributed-counter/turn-up', 'sharded-query/merge', 'your-indexes/hot'];

/** The first step of each chapter. @param {string} chapter @param {string} step */
const isFirst = (chapter, step) => chapters.some(({ id, steps: [first] }) => id === chapter && first?.id === step);

/** Elements that are wider than their room, and texts that do not fit into their own element. */
function misfits() {
  const { scrollWidth } = document.documentElement;
  const problems = scrollWidth > window.innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.visually-hidden, [hidden], .skip, pre, textarea, svg, .chapter-title, details:not([open]) > :not(summary)')) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const label = `${element.tagName}.${element.className} “${element.textContent?.slice(0, 30)}”`;
    const isScrolled = element.closest('.table-scroll') !== null;
    if (!isScrolled && width > 0 && (left < -1 || right > window.innerWidth + 1)) problems.push(`${label} from ${left} to ${right}`);
    const isBox = element.clientWidth > 0 && element.matches('button, dd, dt, p, label, li, a, figcaption');
    if (!isScrolled && isBox && element.scrollWidth > element.clientWidth + 1) problems.push(`${label} is cut off`);
  }
  return problems;
}

for (const { chapter, step } of steps) {
  test(`${chapter}/${step}: no violations, and fits every width`, longUnless(TELLING.includes(`${chapter}/${step}`)), async ({ lesson, page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await lesson.open(chapter, step);
    if (isLong) expect(await violations(page), 'before').toEqual([]);
    await lesson.reveal();
    await expectWritten(page, { tag: 'en', dir: 'ltr' });
    expect(await violations(page), 'light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    if (isLong) expect(await violations(page), 'dark').toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate(misfits), `at ${width} px`).toEqual([]);
    }
  });
}

test('the contents: no violations, and fits every width', async ({ page }) => {
  for (const colorScheme of isLong ? /** @type {const} */ (['light', 'dark']) : /** @type {const} */ (['light'])) {
    await page.emulateMedia({ colorScheme });
    await page.goto(places.embeddedTutorial);
    await expect(page.locator('.race')).toBeVisible();
    await page.locator('.languages summary').click();
    expect(await violations(page), colorScheme).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate(misfits), `at ${width} px`).toEqual([]);
    }
  }
});

/** @param {import('@playwright/test').Page} page @param {{tag: string, dir: string}} language */
async function expectWritten(page, { tag, dir }) {
  await expect(page.locator('html')).toHaveAttribute('lang', tag);
  await expect(page.locator('html')).toHaveAttribute('dir', dir);
  for (const code of await page.locator('main :is(code, pre)').all()) await expect(code).toHaveCSS('direction', 'ltr');
}

for (const language of LANGUAGES.filter(({ tag }) => tag !== 'en')) {
  const { tag } = language;
  test(`${tag}: every step, in its direction, fits a telephone; no violations`, { tag: '@long' }, async ({ lesson, page }) => {
    test.setTimeout(420_000);
    await page.setViewportSize({ width: 360, height: 780 });
    for (const { chapter, step } of steps) {
      const name = `${chapter}/${step}`;
      await lesson.open(chapter, step, { lang: tag });
      await lesson.reveal();
      await expectWritten(page, language);
      await expect.poll(() => page.evaluate(misfits), name).toEqual([]);
      if (isFirst(chapter, step)) expect(await violations(page), name).toEqual([]);
    }
  });
}

for (const { tag } of LANGUAGES) {
  test(`${tag}: ids stand side by side on a telephone`, { tag: '@long' }, async ({ lesson, page }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await lesson.open('ids', '', { lang: tag, knobs: 'method=sum&t=1000000' });
    // The run takes a busy machine long.
    await expect(page.locator('.id-chip[data-duplicate=true]').first()).toBeVisible({ timeout: 45_000 });
    await expect(page.locator('.id-chip')).toHaveCount(24);
    const lines = () => page.locator('.id-chip').evaluateAll((chips) => new Set(chips.map((chip) => chip.getBoundingClientRect().top)).size);
    await expect.poll(lines).toBeLessThanOrEqual(12);
    const mixed = await page.locator('.id-chip[data-duplicate=true]').evaluateAll((chips) => chips.filter((chip) => {
      const range = document.createRange();
      range.selectNode(/** @type {Node} */ (chip.firstChild));
      const [id, owners] = [range.getBoundingClientRect(), /** @type {Element} */ (chip.lastElementChild).getBoundingClientRect()];
      return id.left < owners.right && owners.left < id.right;
    }).length);
    expect(mixed, 'ids in which the number of owners stands').toBe(0);
  });
}

test('what waits beyond the dots of a lane is said beside them', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('one-document', '', { knobs: 't=5000' });
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 780 });
    await expect(async () => {
      const { end, dots, more } = await page.locator('.lanes').evaluate((svg) => {
        const label = /** @type {SVGGraphicsElement} */ (svg.querySelector('.lane-more'));
        const box = label.getBBox();
        const points = /** @type {Element} */ (svg.querySelector('.mark-waiting')).getAttribute('d')?.matchAll(/M([\d.]+)/g) ?? [];
        return { end: box.x + box.width, dots: [...points].map(([, x]) => Number(x)), more: label.textContent };
      });
      expect(more).toMatch(/^\+\d+$/);
      expect(dots.length + Number(more), 'all are there').toBe(991);
      expect(Math.min(...dots) - 3, 'the left edge of the last dot').toBeGreaterThan(end);
    }).toPass();
  }
});

test('every picture has its sentence and its table, which say what it shows at that time', { tag: '@long' }, async ({ lesson, page }) => {
  test.setTimeout(420_000);
  for (const { chapter, step } of steps) {
    await lesson.open(chapter, step);
    await lesson.reveal();
    for (const [place, picture] of (await lesson.pictures.all()).entries()) {
      const name = `${chapter}/${step}`;
      await expect(picture.locator('figcaption'), name).not.toBeEmpty();
      await expect(lesson.tables.nth(place).locator('tbody tr'), name).not.toHaveCount(0);
      await expect(picture.locator(':scope > [aria-hidden=true]'), name).toHaveCount(1);
    }
    const captions = await lesson.pictures.locator('figcaption').allTextContents();
    if (captions.length === 0) continue;
    // Read out, too, while nothing moves.
    const said = page.locator('.stage > [role=status].visually-hidden');
    await expect(said).toHaveText(captions.join(' '));
    if (!await lesson.player.isVisible()) continue;
    const tables = await lesson.tables.allTextContents();
    await lesson.position.press('Home');
    await expect(said).not.toHaveText(captions.join(' '));
    expect(await lesson.tables.allTextContents()).not.toEqual(tables);
  }
});

test('stands still for those who ask for less motion, and shows the run in steps', async ({ lesson, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await lesson.open('lost-answer');
  await lesson.reveal();
  const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || transitionDuration !== '0s';
  }).map((element) => element.outerHTML.slice(0, 80)));
  expect(moving).toEqual([]);
});

test('prints what was seen, without what can be pressed', async ({ lesson, page }) => {
  await lesson.open('lost-answer');
  await lesson.reveal();
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await expect(page.locator('.page-header')).toBeHidden();
  await expect(lesson.player).toBeHidden();
  await expect(lesson.pictures.first()).toBeVisible();
  await expect(page.locator('.result')).toBeVisible();
});
