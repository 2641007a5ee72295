/** The page speaks the reader's language, everywhere, in its direction. */
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { steps } from './support/lesson.js';
import { longUnless } from './support/long.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

/** The shown words in plain letters, apart from code, names and the reader's own texts. */
function plainWords() {
  // The texts of the browser's own lists, and names of stored data.
  const plain = (/** @type {string | null} */ shown) => (shown ?? '').replace(/,? and \[|events: (?:shard, )?timestamp|Index\d+/g, '').match(/[A-Za-z]{2,}/) !== null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = /** @type {Element} */ (node.parentElement);
    if (element.closest('code, pre, script, [translate="no"], option[value]:not(:checked)')) continue;
    if (!element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden')) continue;
    if (plain(node.textContent)) words.push(`${element.tagName}.${element.className}: ${node.textContent}`);
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [aria-valuetext]')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) {
      const value = element.getAttribute(name) ?? '';
      if (plain(value) && !element.closest('[translate="no"]')) words.push(`${element.tagName} ${name}: ${value}`);
    }
  }
  return words;
}

test.describe('in the pseudo-locale no English is left', () => {
  test('in the contents', async ({ page }) => {
    await page.goto(`${places.embeddedTutorial}?lang=en-XA`);
    await expect(page.locator('.race')).toBeVisible();
    expect(await page.evaluate(plainWords)).toEqual([]);
    expect(await page.title()).not.toMatch(/limits/);
  });

  for (const { chapter, step } of steps) {
    test(`in ${chapter}/${step}`, longUnless(step === 'code'), async ({ page, lesson }) => {
      await lesson.open(chapter, step, { lang: 'en-XA' });
      expect(await page.evaluate(plainWords), 'at first').toEqual([]);
      await lesson.reveal();
      expect(await page.evaluate(plainWords), 'at the end').toEqual([]);
    });
  }

  test('in the playground', { tag: '@long' }, async ({ page }) => {
    await page.goto(`${places.embeddedTutorial}?lang=en-XA#/playground`);
    const counter = page.locator('#counter');
    await expect(counter.locator('.button-primary')).toBeEnabled();
    await counter.locator('form .button').first().click();
    await counter.locator('.button-primary').click();
    await expect(counter.locator('output')).toHaveText('1');
    await page.locator('#instruments .actions .button').first().click();
    await page.locator('#instruments .button-primary').click();
    await expect(page.locator('.results-table tbody tr')).not.toHaveCount(0);
    expect(await page.evaluate(plainWords)).toEqual([]);
  });
});

test('a number is typed as the language writes it', { tag: '@long' }, async ({ page, lesson }) => {
  await page.goto(`${places.embeddedTutorial}?lang=de#/playground`);
  const counter = page.locator('#counter');
  await expect(counter.locator('.button-primary')).toBeEnabled();
  await counter.locator('form .button').first().click();
  const add = async (/** @type {string} */ typed) => {
    await counter.locator('.delta input').fill(typed);
    await counter.locator('.delta .button').click();
  };
  await add('0,5');
  await expect(counter.locator('output')).toHaveText('0,5');
  await add('x');
  await expect(counter.locator('.delta .field-error'), 'a proposal that is accepted').toContainText('0,5');
  await lesson.open('reading', 'three-ways', { lang: 'ar' });
  await lesson.prediction.locator('input').fill('٢٠٬٠٠٠');
  await lesson.prediction.locator('.button-primary').click();
  await expect(lesson.prediction.locator('.prediction-outcome')).toContainText('20,000');
});

test('the address chooses the language, then the reader, then the browser', async ({ browser }) => {
  const [first, ...others] = LANGUAGES;
  const other = others[0] ?? first;
  const context = await browser.newContext({ locale: `${other?.tag}-XX` });
  const page = await context.newPage();
  const shown = () => page.locator('html').getAttribute('lang');
  await page.goto(places.embeddedTutorial);
  await expect.poll(shown, 'the browser’s').toBe(other?.tag);
  await page.goto(`${places.embeddedTutorial}?lang=en-XA#/your-app/code`);
  await expect.poll(shown, 'the address’s').toBe('en-XA');
  await page.locator('.languages summary').click();
  await page.locator('.languages a[hreflang=en]').click();
  await expect.poll(shown, 'the reader’s').toBe('en');
  expect(new URL(page.url()).hash, 'at the same place').toMatch(/^#\/your-app\/code/);
  await page.goto(places.embeddedTutorial);
  await expect.poll(shown, 'kept').toBe('en');
  await context.close();
});

test('words that run from right to left keep their order within code', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('lost-answer', '', { lang: 'ar' });
  const comment = page.locator('.code bdi').first();
  await expect(comment).toHaveText(/\.$/);
  const [begin, end] = await comment.evaluate(({ firstChild }) => {
    const words = /** @type {Text} */ (firstChild);
    return [0, words.length - 1].map((place) => {
      const range = document.createRange();
      range.setStart(words, place);
      range.setEnd(words, place + 1);
      return range.getBoundingClientRect().x;
    });
  });
  expect(end, 'a full stop ends its sentence').toBeLessThan(begin ?? 0);
  expect(await page.locator('.code').first().textContent(), 'and the code is the same').toMatch(/^\/\/ .*\.\nconst likes/);
});
