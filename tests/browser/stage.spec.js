/** The picture of a step is a stage that stays in view after each action of the reader, at every place of the story. */
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { chapters } from './support/lesson.js';
import { longUnless } from './support/long.js';
import { expect, test } from './support/test.js';

/** @typedef {import('./support/lesson.js').Lesson} Lesson */

const SIZES = [[360, 640], [390, 844], [1024, 768], [1440, 900]].map(([width = 0, height = 0]) => ({ width, height }));
/** On narrower screens the stage is the upper part of the window, of which it takes this share at most. */
const WIDE = 960;
const SHARE = 0.45;
/** Runs that are made sooner than those that the questions are about, and look alike. @type {{[chapter: string]: string}} */
const QUICKER = { 'one-document': 'users=200', 'hot-range': 'index=shard', ids: 'method=blocks' };

test.describe.configure({ mode: 'parallel' });

const staged = chapters.flatMap(({ id, steps }) => steps.filter(({ pictures }) => pictures).map(({ id: step }) => ({ chapter: id, step })));
const firsts = staged.filter(({ chapter, step }) => chapters.some(({ id, steps: [first] }) => id === chapter && first?.id === step));

/** Names each rule of the layout that the stage breaks. */
function misplaced({ WIDE, SHARE }) {
  const stage = /** @type {HTMLElement} */ (document.querySelector('.stage'));
  const { top, bottom, left, right, height } = stage.getBoundingClientRect();
  const isWide = innerWidth >= WIDE;
  const from = isWide ? /** @type {HTMLElement} */ (document.querySelector('.page-header')).getBoundingClientRect().bottom : 0;
  const pictures = stage.querySelector('.pictures');
  const problems = [];
  if (top < from - 0.5 || bottom > innerHeight + 0.5) problems.push(`from ${top} to ${bottom}, in ${from} to ${innerHeight}`);
  if (left < -0.5 || right > innerWidth + 0.5) problems.push(`from ${left} to ${right}, in ${innerWidth}`);
  if (!isWide && height > innerHeight * SHARE + 0.5) problems.push(`${height} high`);
  if (isWide && right - left < innerWidth * 0.5) problems.push(`${right - left} wide`);
  const seen = Math.min(pictures?.clientHeight ?? 0, stage.querySelector('.stage-scroll')?.clientHeight ?? 0);
  return seen < 90 ? [...problems, `${seen} for the pictures`] : problems;
}

/** @param {Lesson} lesson @param {string} when */
async function expectInView({ page }, when) {
  await expect.poll(() => page.evaluate(misplaced, { WIDE, SHARE }), when).toEqual([]);
}

/**
 * Answers at the first size, and steps through the run at all of them.
 * @param {Lesson} lesson
 * @param {typeof SIZES} sizes
 * @param {string} name
 */
async function act(lesson, sizes, name) {
  const { page, prediction, player } = lesson;
  const at = (/** @type {string} */ what) => `${name}, ${page.viewportSize()?.width} px: ${what}`;
  const scroll = (/** @type {number} */ share) => page.evaluate(
    (part) => scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * part), share);
  const skip = prediction.locator('.button-quiet');
  await (await skip.count() > 0 ? skip : lesson.runButton).click();
  await expect(page.locator('.picture').first()).toBeVisible({ timeout: 45_000 });
  await expectInView(lesson, at('answered, or run'));
  const isPlayed = await player.isVisible();
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const share of [1, 0.5]) {
      await scroll(share);
      if (isPlayed) await page.keyboard.press('l');
      await expectInView(lesson, at('a step'));
    }
  }
}

/**
 * At the size that the window has.
 * @param {Lesson} lesson
 * @param {string} name
 */
async function turn(lesson, name) {
  const { page } = lesson;
  const knob = page.locator('.knobs').locator('input[type=range]:enabled, input[type=radio]:not(:checked)').first();
  if (await knob.getAttribute('type') === 'range') await knob.press('ArrowLeft');
  else await knob.press(' ');
  await expect(page.locator('.stage [aria-busy=true]')).toHaveCount(0, { timeout: 45_000 });
  await expectInView(lesson, `${name}: a knob turned, and played`);
}

/** A run that plays, in English, and one in Arabic. */
const SHOWN = ['one-document', 'distributed-counter'];

// Chapters take turns in being read in Arabic, and at two of the sizes. The long run reads each of them in both languages and at all sizes.
for (const [place, { chapter, step }] of firsts.entries()) {
  const lang = place % 2 === 0 ? 'en' : 'ar';
  const first = Math.floor(place / 2) % SIZES.length;
  const sizes = [0, 2].map((next) => /** @type {typeof SIZES[0]} */ (SIZES[(first + next) % SIZES.length]));
  test(`${chapter}: the stage is wholly in view after each action, in ${lang}`, longUnless(SHOWN.includes(chapter)), async ({ lesson, page }) => {
    await page.setViewportSize(/** @type {typeof SIZES[0]} */ (sizes[0]));
    await lesson.open(chapter, step, { lang, knobs: QUICKER[chapter] });
    await act(lesson, sizes, lang);
    await turn(lesson, lang);
  });
}

for (const lang of ['en', 'ar']) {
  for (const size of SIZES) {
    test(`${lang}: the stage of every step is wholly in view after each action at ${size.width} px`, { tag: '@long' }, async ({ lesson, page }) => {
      test.setTimeout(420_000);
      await page.setViewportSize(size);
      for (const { chapter, step } of staged) {
        await lesson.open(chapter, step, { lang });
        await act(lesson, [size], `${chapter}/${step}`);
        await turn(lesson, `${chapter}/${step}`);
      }
    });
  }
}

test('the stage comes before the story, for the eyes, the keyboard and the ears; a tool has no stage', { tag: '@long' }, async ({ lesson, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lesson.open('one-document', '', { knobs: 't=5000' });
  await expect(lesson.player).toBeVisible();
  const order = await page.locator('main :is(h1, .player, h2, #knob-users, .tasks, .pager-links)').evaluateAll(
    (all) => all.map((element) => element.id || element.className || element.tagName));
  expect(order).toEqual(['H1', 'player', 'step-title', 'knob-users', 'tasks', 'pager-links']);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.locator('.stage #knob-users'), 'where there is room for it').toBeVisible();
  await lesson.open('your-indexes');
  await expect(page.locator('.stage-place')).toHaveCount(0);
});

test('live totals: the chart is in view beside the lanes, in every language', { tag: '@long' }, async ({ lesson, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const { tag } of LANGUAGES) {
    await lesson.open('live', '', { lang: tag, knobs: 'likes=20&tab=hidden&t=1800000' });
    await expect(lesson.player, tag).toBeVisible({ timeout: 45_000 });
    await lesson.expectChartInPlace();
    await page.locator('.stage-scroll').evaluate((element) => element.scrollTo(0, 0));
    const hidden = await page.locator('.series').evaluate((series) => (
      series.getBoundingClientRect().bottom - /** @type {Element} */ (series.closest('.stage-scroll')).getBoundingClientRect().bottom));
    expect(hidden, tag).toBeLessThanOrEqual(0);
  }
});

test('a stage below a long title comes up when its run comes', async ({ lesson, page }) => {
  await page.setViewportSize({ width: 360, height: 500 });
  await lesson.open('sharded-query', 'three-queries', { lang: 'de' });
  await lesson.runButton.evaluate((button) => /** @type {HTMLElement} */ (button).click());
  await expect(lesson.player).toBeVisible();
  await expectInView(lesson, 'run');
});

test('what has the focus is not below the stage of a telephone', async ({ lesson, page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await lesson.open('one-document', '', { knobs: 't=5000' });
  await expect(lesson.player).toBeVisible();
  await page.locator('.pager-link').last().focus();
  for (let steps = 0; steps < 6; steps += 1) {
    await page.keyboard.press('Shift+Tab');
    const { isBeside, top, edge } = await page.evaluate(() => {
      const stage = /** @type {HTMLElement} */ (document.querySelector('.stage'));
      const focused = /** @type {HTMLElement} */ (document.activeElement);
      const { top, bottom } = focused.getBoundingClientRect();
      // The code field's cursor is at its end.
      const seen = focused instanceof HTMLTextAreaElement ? bottom - parseFloat(getComputedStyle(focused).lineHeight) : top;
      return { isBeside: !stage.contains(focused), top: seen, edge: stage.getBoundingClientRect().bottom };
    });
    if (isBeside) expect(top).toBeGreaterThanOrEqual(edge);
  }
});

test('in a low window nothing stays, and all of the picture is there', { tag: '@long' }, async ({ lesson, page }) => {
  await page.setViewportSize({ width: 360, height: 320 });
  for (const { tag } of LANGUAGES) {
    await lesson.open('lost-answer', '', { lang: tag });
    await lesson.reveal();
    await expect(page.locator('.stage-place')).toHaveCSS('position', 'static');
    const hidden = await page.locator('.stage-scroll').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(hidden, tag).toBeLessThanOrEqual(1);
  }
});
