/** The frame that all chapters share: addresses, languages, predictions, tasks, and the state that it keeps. */
import { chapters, Lesson, steps } from './support/lesson.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

test('begins with the contents, and leads from chapter to chapter to the playground', async ({ page, tutorial }) => {
  await page.goto(places.embeddedTutorial);
  await expect(page).toHaveTitle('Shardline: past Firestore’s two write limits');
  await expect(page.locator('.contents-list a')).toHaveCount(chapters.length + 1);
  await page.getByRole('link', { name: 'Begin' }).click();
  for (const [index, { chapter, step }] of steps.entries()) {
    await expect(page).toHaveURL(addressOf(chapter, step));
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page.getByRole('heading', { level: 2 })).not.toHaveCount(0);
    const onward = page.locator('.pager-link').last();
    // The step before is shown, with a link to this one, until the files of this one are there.
    const next = steps[index + 1];
    await expect(onward).toHaveAttribute('href', next ? addressOf(next.chapter, next.step) : /#\/playground$/);
    // By the keyboard: a step that still computes moves the link away from under a pointer.
    await onward.press('Enter');
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Playground' })).toBeFocused();
  await expect(tutorial.connection.getByText('You are connected to the embedded Firestore')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'In your app' })).toBeVisible();
});

test('whoever goes on while the address follows a run arrives where they go', async ({ page, lesson }) => {
  await lesson.open('reading', 'three-ways');
  await lesson.reveal();
  await expect.poll(() => page.url()).toMatch(/\bt=/);
  await lesson.position.evaluate((/** @type {HTMLInputElement} */ slider) => {
    // After a moment without a move the address follows the next one at once.
    const started = performance.now();
    while (performance.now() - started < 300);
    /** @type {HTMLAnchorElement} */ (document.querySelector('.pager-link:last-child')).click();
    // The page still shows the run, until the next step is loaded.
    slider.value = '0';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect.poll(() => page.url()).toContain('#/live');
  await expect(page.getByRole('heading', { level: 1, name: 'Live totals' })).toBeVisible();
});

test('a tool says that it is at work until its first answer is there', { tag: '@long' }, async ({ page, lesson }) => {
  /** @type {() => void} */
  let letGo = () => {};
  const held = new Promise((resolve) => { letGo = () => resolve(undefined); });
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await lesson.open('your-indexes', 'rewrite');
  const tool = page.locator('.tool');
  await expect(tool).toHaveAttribute('aria-busy', 'true');
  letGo();
  await expect(tool).not.toHaveAttribute('aria-busy');
  await expect(page.getByLabel(/in which timestamp rises/)).toBeVisible();
  await page.getByLabel('Shard field').fill('');
  await expect(tool.locator('[data-kind=error]')).toBeVisible();
  await expect(tool, 'nor after a failure').not.toHaveAttribute('aria-busy');
});

test('a view whose files do not come says so, and comes when the page is loaded again', async ({ page, watch }) => {
  watch.expectFailedRequests();
  watch.expect(/^console\.error: TypeError: Failed to fetch dynamically imported module/);
  await page.goto(places.embeddedTutorial);
  await page.route('**/*.js', (route) => route.abort());
  await page.locator('.contents-list a').last().click();
  await expect(page.getByRole('heading', { level: 1, name: 'This part of the tutorial did not load' })).toBeFocused();
  await page.unroute('**/*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Playground' })).toBeVisible();
});

test('an address that leads nowhere leads to the contents, and to the first step', { tag: '@long' }, async ({ page, lesson }) => {
  for (const hash of ['#/nowhere', '#/%E0%A4%A', '#/?t=x&seed=-1', '#x']) {
    await page.goto(`${places.embeddedTutorial}${hash}`);
    await expect(page.locator('.contents-list')).toBeVisible();
    await page.goto('about:blank');
  }
  await lesson.open('your-app', 'nowhere', { knobs: 'writes=banana&readers=1e99&seed=99999999999999999999&t=-5&__proto__=1' });
  await lesson.reveal();
  await expect(page.locator('.result')).toContainText('shards');
});

test('keeps predictions and tasks, and forgets them when asked to', async ({ page, lesson }) => {
  await lesson.open('your-app', 'shards');
  await expect(lesson.stage).toBeHidden();
  await page.getByRole('button', { name: 'Submit my guess' }).click();
  await expect(lesson.prediction, 'nothing was guessed yet').toContainText('Type a number');
  await lesson.prediction.getByRole('textbox').fill('7');
  await page.keyboard.press('Enter');
  await expect(lesson.prediction).toContainText('Your guess: 7 shards. Answer: 20 shards.');
  await page.getByLabel('Increments a second').press('End');
  await lesson.expectReached('busy');
  await expect(lesson.prediction, 'it asks about 20 people a second, and not about as many as the knob says')
    .toContainText('Your guess: 7 shards. Answer: 20 shards.');
  // The address follows when the knob rests.
  await expect.poll(() => page.url()).toMatch(/=500\b/);
  await page.reload();
  await lesson.expectReached('busy');
  await expect(page.locator('.result')).toContainText('500 shards');
  await expect(lesson.prediction.locator('input')).toHaveValue('7');
  await expect(lesson.prediction).not.toContainText('Answer');
  await page.goto(places.embeddedTutorial);
  await page.getByRole('button', { name: 'Reset my progress' }).click();
  await expect(page.locator('h1'), 'the button has gone').toBeFocused();
  await lesson.open('your-app', 'shards');
  await expect(lesson.stage).toBeHidden();
  await expect(lesson.tasks.first()).toHaveAttribute('data-reached', 'false');
});

test('whoever comes back reads what they guessed, until the run answers', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('lost-answer');
  await page.getByLabel('More likes than presses').check();
  await page.getByRole('button', { name: 'Submit my guess' }).click();
  await lesson.reveal();
  await lesson.open('lost-answer');
  await expect(lesson.prediction).toContainText('You guessed More likes than presses. Run it');
  await lesson.reveal();
  await expect(lesson.prediction).toContainText('Your guess: More likes than presses. What happened: More likes than presses.');
  await expect(lesson.prediction).not.toContainText('You guessed');
});

test('a view that is left leaves no listener behind, nor do the pictures of a run that another one replaces', { tag: '@long' }, async ({ page, lesson, tutorial, watch }) => {
  watch.expectFailedRequests(); // Work that is under way when the reader leaves the playground.
  const devtools = await page.context().newCDPSession(page);
  /** How many listeners the page itself has, which outlives all views. */
  const listeners = async () => {
    let count = 0;
    for (const expression of ['window', 'document']) {
      const { result } = await devtools.send('Runtime.evaluate', { expression });
      count += (await devtools.send('DOMDebugger.getEventListeners', { objectId: String(result.objectId) })).listeners.length;
    }
    return count;
  };
  const goTo = (/** @type {string} */ hash) => page.evaluate((to) => { location.hash = to; }, hash);
  const visit = async () => {
    await goTo('#/playground');
    await expect(tutorial.plusOne).toBeEnabled();
    await goTo('#/distributed-counter/turn-up?t=1000');
    await expect(lesson.player).toBeVisible();
    await lesson.expectChartInPlace();
    const shown = await listeners();
    await lesson.openMore();
    await page.getByRole('button', { name: 'Run again' }).click();
    await expect.poll(() => page.url()).toContain('seed=2');
    await lesson.toEnd();
    await lesson.expectChartInPlace();
    await expect.poll(listeners).toBe(shown);
    await goTo('#/');
    await expect(page.locator('.contents-list')).toBeVisible();
  };
  await page.goto(places.embeddedTutorial);
  await visit();
  // What is left now is once for all: uPlot's own, and Playwright's.
  const left = await listeners();
  await visit();
  await expect.poll(listeners).toBe(left);
});

test('the texts of a language do not come: English does; and without any, a sentence and a button', async ({ page, watch }) => {
  watch.expectFailedRequests();
  await page.route(/\/de-[^/]*\.js$/, (route) => route.abort());
  await page.goto(`${places.embeddedTutorial}?lang=de`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('.contents-list')).toBeVisible();
  watch.expect(/^uncaught/);
  await page.route(/\/en-[^/]*\.js$/, (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The tutorial could not be loaded');
  await page.unroute(/\/en-[^/]*\.js$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.contents-list')).toBeVisible();
});

test('works where nothing can be kept', { tag: '@long' }, async ({ page, lesson }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } });
  });
  await lesson.open('your-app', 'shards');
  await lesson.reveal();
  await page.getByLabel('Increments a second').press('End');
  await lesson.expectReached('busy');
});

test('what was kept by somebody else does no harm', { tag: '@long' }, async ({ page, lesson }) => {
  await page.addInitScript(() => {
    if (origin === 'null') return; // A frame without a place to keep things.
    localStorage.setItem('shardline-tutorial', JSON.stringify({
      tasks: 5, predictions: [{}], language: {}, chapters: null, challenges: { 'ids/challenge': { score: 0, address: 'javascript:0' }, 'x/y': null },
    }));
  });
  await lesson.open('your-app', 'shards');
  await lesson.reveal();
  await expect(page.locator('.result')).toContainText('20 shards');
  await lesson.open('ids', 'challenge');
  await expect(page.locator('.challenge-best')).toHaveText('');
});

test('a chart stands in its place', { tag: '@long' }, async ({ lesson }) => {
  await lesson.open('one-document', 'many-writers');
  await lesson.reveal();
  await lesson.expectChartInPlace();
});

test('a link shows somebody else the very same', { tag: '@long' }, async ({ browser, page, lesson }) => {
  test.setTimeout(480_000);
  for (const { id, steps: all } of chapters) {
    for (const step of all.filter(({ record }) => record)) {
      await lesson.open(id, step.id);
      await lesson.reveal();
      const isPlayed = await lesson.player.isVisible();
      // No setting has its default: a link that leaves one out would otherwise look right.
      await turnFirstKnob(lesson);
      if (isPlayed) {
        await lesson.openMore();
        await page.getByRole('button', { name: 'Run again with another seed' }).click();
        await expect(page.locator('.seed .hint')).toContainText(`The seed, ${(step.seed ?? 1) + 1},`);
        await lesson.reveal();
        await lesson.position.evaluate((slider) => {
          const { max } = /** @type {HTMLInputElement} */ (slider);
          /** @type {HTMLInputElement} */ (slider).value = String(Math.round(Number(max) * 0.6));
          slider.dispatchEvent(new Event('input', { bubbles: true }));
        });
        // The address follows a little later.
        const at = await lesson.position.inputValue();
        await expect.poll(() => page.url()).toMatch(new RegExp(`[?&]t=${at}\\b`));
      }
      const shown = await look(lesson);
      const link = page.url();
      const context = await browser.newContext();
      const other = await context.newPage();
      const otherLesson = new Lesson(other);
      await other.goto(link);
      await otherLesson.expectOpen();
      if (!isPlayed) await otherLesson.reveal();
      await expect(otherLesson.stage).toBeVisible();
      await expect(otherLesson.pictures).toHaveCount(await lesson.pictures.count());
      if (isPlayed) await otherLesson.openTables();
      await expect.poll(() => look(otherLesson), `${id}/${step.id}`).toEqual(shown);
      await context.close();
    }
  }
});

test('a link shows somebody else the same of what is worked with', { tag: '@long' }, async ({ browser, page, lesson }) => {
  await lesson.open('your-indexes', 'rewrite');
  await page.getByRole('radio', { name: 'A chat' }).check();
  await page.getByLabel('Shard field').fill('part');
  await page.getByLabel('Add the entries for distributed counters').check();
  await page.getByLabel('messages, in which createdAt rises').check();
  await expect.poll(() => page.url()).toContain('file=chat&shard=part&counters=yes&busy=messages.createdAt');
  await expect(page.locator('[data-kind=added]')).toContainText('messages');
  const rewritten = await page.locator('.code-block code').first().textContent();
  expect(rewritten).toMatch(/"part"[^]*"ttl": true/);
  const tool = page.url();
  await lesson.open('your-app', 'code');
  await page.getByRole('radio', { name: /^A vote/ }).check();
  await page.getByLabel('Increments a second').press('End');
  const code = page.locator('.code-block code');
  await expect(code.filter({ hasText: 'likes.add(uid)' })).toHaveCount(1);
  await expect.poll(() => page.url()).toMatch(/access=one-vote&where=project&writes=500$/);
  const files = await code.allTextContents();

  const other = await (await browser.newContext()).newPage();
  await other.goto(tool);
  await expect(other.locator('.code-block code').first()).toHaveText(String(rewritten));
  await other.goto('about:blank');
  await other.goto(page.url());
  await expect.poll(() => other.locator('.code-block code').allTextContents()).toEqual(files);
  await other.context().close();
});

/** @param {Lesson} lesson */
async function turnFirstKnob(lesson) {
  const knob = lesson.page.locator('.stage .knobs').locator('input[type=range], input[type=radio]:not(:checked)').first();
  const isSlider = await knob.getAttribute('type') === 'range';
  const before = await knob.inputValue();
  if (isSlider) {
    await knob.press('ArrowLeft');
    if (await knob.inputValue() === before) await knob.press('ArrowRight');
  } else {
    await knob.check();
  }
  await lesson.reveal();
}

/** @param {Lesson} lesson */
async function look(lesson) {
  return {
    captions: await lesson.pictures.locator('figcaption').allTextContents(),
    tables: await lesson.tables.allTextContents(),
    drawn: await lesson.pictures.evaluateAll((all) => all.map((picture) => picture.querySelector('svg')?.outerHTML ?? '')),
    result: await lesson.page.locator('.result').evaluateAll((all) => all.map((each) => each.textContent)),
  };
}

/**
 * @param {string} chapter
 * @param {string} step
 */
function addressOf(chapter, step) {
  const isFirst = chapters.some(({ id, steps: [first] }) => id === chapter && first?.id === step);
  return new RegExp(`#/${chapter}${isFirst ? `(/${step})?` : `/${step}`}(\\?|$)`);
}
