/** The chapters that play recordings: the player, each chapter by keyboard to its last tick, and the source of its numbers. */
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { openLanguage, text } from '../../web/tutorial/text.js';
import { chapters, Lesson, tabTo } from './support/lesson.js';
import { longUnless } from './support/long.js';
import { LONGEST_TASK_MS, longestTaskOf, visits } from './support/measures.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

/** Numbers with their units, in the page's words. */
async function sayEnglish() {
  const english = LANGUAGES.find(({ tag }) => tag === 'en');
  if (!english) throw new Error('no English');
  Object.assign(globalThis, { document: { documentElement: {} } });
  await openLanguage(english);
  Reflect.deleteProperty(globalThis, 'document');
}

/** @param {string} id */
function chapterOf(id) {
  const chapter = chapters.find((each) => each.id === id);
  if (!chapter) throw new Error(`There is no chapter ${id}.`);
  return chapter;
}

/** @param {import('./support/lesson.js').Lesson} lesson */
const position = (lesson) => lesson.position.evaluate((slider) => Number(/** @type {HTMLInputElement} */ (slider).value));

/** @param {import('./support/lesson.js').Lesson} lesson */
const drawing = (lesson) => lesson.pictures.first().locator('svg').evaluate((svg) => svg.outerHTML);

/**
 * Guesses with the keyboard alone, and waits until the run is there.
 * @param {import('./support/lesson.js').Lesson} lesson
 * @param {string} guess
 */
async function guess(lesson, guess) {
  await tabTo(lesson.page, lesson.prediction.getByRole('textbox'));
  await lesson.page.keyboard.type(guess);
  await lesson.page.keyboard.press('Enter');
  await ready(lesson);
}

/** @param {import('./support/lesson.js').Lesson} lesson */
async function ready(lesson) {
  await expect(lesson.page.locator('.stage [aria-busy=true]')).toHaveCount(0, { timeout: 45_000 });
  await expect(lesson.player).toBeVisible();
}

/** @param {import('./support/lesson.js').Lesson} lesson */
async function toEndByKeyboard(lesson) {
  await tabTo(lesson.page, lesson.position);
  await lesson.page.keyboard.press('End');
}

/**
 * Moves a slider with the keyboard.
 * @param {import('./support/lesson.js').Lesson} lesson
 * @param {string} name
 * @param {'Home' | 'End' | 'ArrowLeft' | 'ArrowRight'} key
 * @param {number} [times]
 */
async function turn(lesson, name, key, times = 1) {
  await tabTo(lesson.page, lesson.page.locator(`#knob-${name}`));
  for (let each = 0; each < times; each += 1) await lesson.page.keyboard.press(key);
  await ready(lesson);
}

/**
 * @param {import('./support/lesson.js').Lesson} lesson
 * @param {string} name
 * @param {string} word
 */
async function choose(lesson, name, word) {
  await tabTo(lesson.page, lesson.page.locator(`input[name="${name}"]:checked`));
  for (let tries = 0; tries < 5 && await lesson.page.locator(`input[name="${name}"]:checked`).getAttribute('value') !== word; tries += 1) {
    await lesson.page.keyboard.press('ArrowDown');
  }
  await expect(lesson.page.locator(`input[name="${name}"][value="${word}"]`)).toBeChecked();
  await ready(lesson);
}

test('the player plays, pauses, steps to events and back, seeks, and begins again', async ({ page, lesson }) => {
  await lesson.open('one-document', 'many-writers', { knobs: 'users=20&t=0' });
  await ready(lesson);
  expect(await position(lesson)).toBe(0);
  const before = await drawing(lesson);

  await page.getByRole('button', { name: 'Step', exact: true }).click();
  const first = await position(lesson);
  expect(first).toBeGreaterThan(0);
  expect(first, 'a request takes 10 to 50 ms').toBeLessThan(50);
  await page.keyboard.press('l');
  const second = await position(lesson);
  expect(second).toBeGreaterThan(first);
  await page.keyboard.press('j');
  expect(await position(lesson)).toBe(first);
  await lesson.openMore();
  await page.getByRole('button', { name: 'Step back' }).click();
  await page.keyboard.press('j');
  expect(await position(lesson)).toBe(0);
  expect(await drawing(lesson), 'back is the same as never gone').toBe(before);

  await page.getByRole('combobox', { name: 'Speed' }).selectOption('4×');
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(() => position(lesson)).toBeGreaterThan(1500);
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  const paused = await position(lesson);
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  expect(await position(lesson)).toBe(paused);
  await expect.poll(() => page.url()).toContain(`t=${paused}`);

  await lesson.toEnd();
  const end = await lesson.position.getAttribute('max');
  expect(await position(lesson)).toBe(Number(end));
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  expect(await position(lesson), 'there is nothing behind the end').toBe(Number(end));
  await page.getByRole('button', { name: 'To the start' }).click();
  expect(await position(lesson)).toBe(0);
  expect(await drawing(lesson)).toBe(before);
});

test('the focus goes on from a button that goes away', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('one-document', 'many-writers', { knobs: 'users=20' });
  await page.getByRole('button', { name: 'Show me without a guess' }).click();
  await expect(lesson.player.getByRole('button').first()).toBeFocused();
  await lesson.open('your-app', 'shards');
  await page.getByRole('button', { name: 'Show me without a guess' }).click();
  await expect(lesson.prediction.getByRole('status')).toBeFocused();
  await lesson.open('lost-answer');
  await page.getByRole('button', { name: 'Submit my guess' }).click();
  await expect(lesson.prediction.getByRole('group'), 'it says what is missing').toHaveAccessibleDescription(/\w/);
});

test('with reduced motion the player goes from still to still', { tag: '@long' }, async ({ page, lesson }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    // The frames that the player asks for, at once.
    const real = globalThis.setInterval;
    Object.assign(globalThis, { setInterval: (/** @type {() => void} */ work) => real(work, 50) });
  });
  await lesson.open('one-document', 'many-writers', { knobs: 'users=20&t=0' });
  await ready(lesson);
  const end = Number(await lesson.position.getAttribute('max'));
  await lesson.position.evaluate((slider) => {
    const seen = new Set();
    Object.assign(window, { seen });
    const note = () => {
      seen.add(/** @type {HTMLInputElement} */ (slider).value);
      requestAnimationFrame(note);
    };
    note();
  });
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => position(lesson)).toBe(end);
  const seen = await page.evaluate(() => [.../** @type {any} */ (window).seen].map(Number));
  expect(seen.length).toBeLessThanOrEqual(13);
  for (const at of seen) expect(Math.abs((at * 12) / end - Math.round((at * 12) / end))).toBeLessThan(0.01);
});

/** All tasks of the chapter, also those that this file does not name. @param {import('./support/lesson.js').Lesson} lesson */
async function expectFinished({ page }) {
  await expect(page.locator('.chapter-links a[aria-current=page]')).toHaveAttribute('data-done', 'true');
  await expect(page.locator('.task[data-reached=false]')).toHaveCount(0);
}

test('one document, many writers: by keyboard to the last tick', async ({ page, lesson }) => {
  await lesson.open('one-document');
  await guess(lesson, '1000');
  await toEndByKeyboard(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 1,000 likes.');
  await lesson.expectReached('lost');
  await turn(lesson, 'users', 'ArrowLeft', 6);
  await toEndByKeyboard(lesson);
  await lesson.expectReached('holds');
  await expect(page.locator('.result')).toContainText('Firestore has counted 10 likes');
  await expectFinished(lesson);
});

test('the distributed counter: by keyboard to the last tick', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('distributed-counter');
  await guess(lesson, '50');
  await toEndByKeyboard(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 50 increments a second.');
  await lesson.expectReached('crowded');
  await turn(lesson, 'shards', 'End');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('holds');
  await expect(page.locator('.result')).toContainText('The counter keeps up.');
  await expectFinished(lesson);
});

test('what reading costs: by keyboard to the last tick', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('reading');
  await guess(lesson, '400');
  await toEndByKeyboard(lesson);
  await expect(page.locator('.result')).toContainText('if the readers read every shard');
  await turn(lesson, 'shards', 'End');
  await turn(lesson, 'readers', 'End');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('dear');
  await turn(lesson, 'shards', 'Home');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('same');
  await expectFinished(lesson);
});

test('the hot range: by keyboard to the last tick', { tag: '@long' }, async ({ lesson }) => {
  test.setTimeout(180_000);
  await lesson.open('hot-range');
  await guess(lesson, '900');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('split');
  const shards = lesson.page.getByRole('slider', { name: 'Shards' });
  await expect(shards, 'the time alone has none').toBeDisabled();
  await expect(shards).toHaveAccessibleDescription(/changes nothing/);
  await choose(lesson, 'index', 'both');
  await expect(shards).toBeEnabled();
  await toEndByKeyboard(lesson);
  await lesson.expectReached('old-index');
  await choose(lesson, 'index', 'shard');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('spread');
  await expectFinished(lesson);
});

test('ids under load: by keyboard to the last tick', { tag: '@long' }, async ({ page, lesson }) => {
  test.setTimeout(180_000);
  await lesson.open('ids');
  await guess(lesson, '0');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('twice');
  await expect(page.locator('.id-chip[data-duplicate=true]').first()).toContainText('owner no.');
  await choose(lesson, 'method', 'blocks');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('unique');
  await expect(page.locator('.id-chip[data-duplicate=true]')).toHaveCount(0);
  await choose(lesson, 'method', 'transaction');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('slow');
  await expectFinished(lesson);
});

test('live totals: an hour in three ways, by keyboard', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('live');
  await guess(lesson, '131');
  await toEndByKeyboard(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 131 reads. What happened: 131 reads.');
  await expect(page.locator('.live-reads')).toHaveText(['360 reads', '131 reads', '131 reads']);
  await expect(page.locator('.result')).toContainText('Firestore has billed 360 reads if the page asks every 10 seconds, and 131 reads if it listens.');
  await choose(lesson, 'tab', 'hidden');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('hidden');
  await seekTo(lesson, 0.5);
  await expect(page.locator('.live-tab')).toHaveText('The tab is hidden.');
});

test('live totals: a load at which listening costs more, to the last tick', { tag: '@long' }, async ({ page, lesson }) => {
  test.setTimeout(120_000);
  await lesson.open('live', '', { knobs: 'likes=20&t=0' });
  await ready(lesson);
  await toEndByKeyboard(lesson);
  await lesson.expectReached('busy');
  await expect(page.locator('.live-reads').last()).toHaveText(/^[45]\d\d reads$/);
  await choose(lesson, 'tab', 'hidden');
  await toEndByKeyboard(lesson);
  await turn(lesson, 'likes', 'Home');
  await toEndByKeyboard(lesson);
  await expectFinished(lesson);
});

test('tickets: a rush in three ways, by keyboard to the last tick', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('tickets');
  await guess(lesson, '500');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('oversold');
  await lesson.expectReached('exact');
  await expect(page.locator('.rush-sold[data-bad=true]')).toHaveText(/^1,000 sold, 500 too many$/);
  await expect(page.locator('.rush-sold').last()).toHaveText('500 sold');
});

test('tickets: too few shards, and holds that people pay or leave', { tag: '@long' }, async ({ page, lesson }) => {
  test.setTimeout(120_000);
  await lesson.open('tickets', '', { knobs: 'shards=5&t=0' });
  await ready(lesson);
  await toEndByKeyboard(lesson);
  for (const task of ['oversold', 'slow']) await lesson.expectReached(task);
  await lesson.open('tickets', 'holds');
  await page.getByLabel('The next person who finds no ticket').check();
  await page.getByRole('button', { name: 'Submit my guess' }).click();
  await ready(lesson);
  await toEndByKeyboard(lesson);
  await lesson.expectReached('returned');
  await expect(lesson.prediction).toContainText('What happened: The next person who finds no ticket.');
  await turn(lesson, 'hold', 'Home');
  await toEndByKeyboard(lesson);
  await lesson.expectReached('late');
});

test('a challenge: the run decides at its end, and the best result stays, with a link to its run', async ({ page, lesson }) => {
  await lesson.open('sharded-query', 'challenge', { knobs: 't=0' });
  await ready(lesson);
  const box = page.locator('.challenge');
  await expect(box).toContainText('You see the result at the end of the run.');
  await expect(page.locator('.challenge-best')).toHaveText('');
  await toEndByKeyboard(lesson);
  await expect(box).toContainText('Goal not reached. The page of 50 documents cost 66 reads: 6 reads too many.');
  await expect(page.locator('.challenge-best')).toHaveText('');
  await turn(lesson, 'shard-values', 'ArrowLeft', 3);
  await toEndByKeyboard(lesson);
  await expect(box).toContainText('Goal reached. The page of 50 documents cost 60 reads. The limit is 60.');
  const best = box.getByRole('link', { name: '60 shard values' });
  await expect(best).toBeVisible();
  await turn(lesson, 'shard-values', 'Home');
  await toEndByKeyboard(lesson);
  await expect(box).toContainText('Goal reached. The page of 50 documents cost 50 reads.');
  await page.reload();
  await best.click();
  await expect(box).toContainText('cost 60 reads');
  await expect(page.locator('#knob-shard-values')).toHaveAttribute('aria-valuetext', '60');
  await page.goto(places.embeddedTutorial);
  await page.getByRole('button', { name: 'Reset my progress' }).click();
  await lesson.open('sharded-query', 'challenge');
  await expect(page.locator('.challenge-best')).toHaveText('');
});

for (const { id, missed, knob, score } of [
  { id: 'distributed-counter', missed: 'shards=300', knob: { name: 'shards', key: 'ArrowRight', times: 2 }, score: '350 shards' },
  { id: 'hot-range', missed: 'shards=6', knob: { name: 'shards', key: 'ArrowRight', times: 1 }, score: '8 shards' },
  { id: 'ids', missed: 'method=blocks&block=5', knob: { name: 'block', key: 'ArrowRight', times: 3 }, score: /^[\d,]+ unused ids$/ },
]) {
  test(`a challenge, by keyboard: ${id}`, { tag: '@long' }, async ({ page, lesson }) => {
    test.setTimeout(180_000);
    await lesson.open(id, 'challenge', { knobs: `${missed}&t=0` });
    await ready(lesson);
    await toEndByKeyboard(lesson);
    await expect(page.locator('.challenge')).toContainText('Goal not reached.');
    await turn(lesson, knob.name, /** @type {'ArrowRight'} */ (knob.key), knob.times);
    await toEndByKeyboard(lesson);
    await expect(page.locator('.challenge')).toContainText('Goal reached.');
    await expect(page.locator('.challenge a')).toHaveText(score);
  });
}

/** @param {import('./support/lesson.js').Lesson} lesson @param {number} share Of the run. */
const seekTo = (lesson, share) => lesson.position.evaluate((slider, at) => {
  const { max } = /** @type {HTMLInputElement} */ (slider);
  /** @type {HTMLInputElement} */ (slider).value = String(at <= 1 ? Math.round(Number(max) * at) : at);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}, share);

test('a guess is judged when the run has come to what was asked, and not before', { tag: '@long' }, async ({ page, lesson }) => {
  // Nothing plays by itself beyond the asked time.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await lesson.open('one-document');
  await guess(lesson, '1000');
  await seekTo(lesson, 0);
  await expect(lesson.prediction).not.toContainText('What happened');
  await seekTo(lesson, 9900);
  await expect(lesson.prediction).not.toContainText('What happened');
  await expect(page.locator('.result')).not.toContainText('After 10 seconds');
  await seekTo(lesson, 10_000);
  const { prediction, record } = chapterOf('one-document').steps[0] ?? {};
  const recording = await record?.({ users: 1000 }, 1, new AbortController().signal);
  const answer = /** @type {any} */ (prediction)?.answer(recording);
  await expect(lesson.prediction).toContainText(`Your guess: 1,000 likes. What happened: ${answer} likes.`);
  await expect(page.locator('.result')).toContainText(`After 10 seconds, the count was ${answer}.`);
  await expect(page.locator('.result')).not.toContainText('Trying again at once does not help');
});

/**
 * Every text that is said of the guess, each with whether there was a player at that time.
 * @param {import('./support/lesson.js').Lesson} lesson
 * @returns {Promise<() => Promise<[string, boolean][]>>}
 */
async function listen({ prediction }) {
  const outcome = prediction.getByRole('status');
  await outcome.evaluate((element) => {
    /** @type {[string, boolean][]} */
    const said = [];
    Object.assign(element, { said });
    new MutationObserver(() => {
      if (element.textContent) said.push([element.textContent, document.querySelector('.player') !== null]);
    }).observe(element, { childList: true, subtree: true, characterData: true });
  });
  return () => outcome.evaluate((element) => /** @type {any} */ (element).said);
}

test('whoever has guessed hears at once, and once, when the run will answer', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('one-document');
  const said = await listen(lesson);
  await guess(lesson, '1000');
  await expect.poll(() => position(lesson), 'frames go by').toBeGreaterThan(1000);
  const awaited = 'Your guess: 1,000 likes. You see the result after 10\u00a0s.';
  await lesson.toEnd();
  await expect.poll(said).toHaveLength(2);
  expect((await said())[0], 'before there is anything to see').toEqual([awaited, false]);
  expect((await said())[1]?.[0]).toMatch(/^Your guess: 1,000 likes\. What happened: /);

  await lesson.openMore();
  await page.getByRole('button', { name: 'Run again with another seed' }).click();
  await expect.poll(async () => (await said())[2]?.[0], 'another run answers again').toBe(awaited);
});

test('a run that answers another question does not say that it will answer this one', { tag: '@long' }, async ({ lesson }) => {
  await lesson.open('distributed-counter', '', { knobs: 't=0' });
  await ready(lesson);
  const outcome = lesson.prediction.getByRole('status');
  await expect(outcome).toHaveText('You see the result at the end of the run.');
  await turn(lesson, 'shards', 'ArrowRight');
  const elsewhere = 'This run has other settings than the question. To see the answer, choose the question’s settings again.';
  await expect(outcome).toHaveText(elsewhere);
  await lesson.toEnd();
  await expect(outcome).toHaveText(elsewhere);
  await turn(lesson, 'shards', 'ArrowLeft');
  await expect(outcome).toHaveText('You see the result at the end of the run.');
  await lesson.toEnd();
  await expect(outcome).toContainText('What happened');
  await turn(lesson, 'shards', 'ArrowRight');
  await expect(outcome, 'it was answered').toContainText('What happened');
});

test('the answer is the one of the run that was asked about, whatever the knobs say while another one plays', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('one-document', '', { knobs: 'users=500&t=20000' });
  await ready(lesson);
  const said = await listen(lesson);
  await lesson.openMore();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('1×');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const playing = await position(lesson);
  await expect.poll(() => position(lesson)).toBeGreaterThan(playing);
  const users = page.locator('#knob-users');
  // As the knob is under the pointer before it is let go.
  await users.evaluate((knob) => {
    /** @type {HTMLInputElement} */ (knob).value = /** @type {HTMLInputElement} */ (knob).max;
    knob.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const dragged = await position(lesson);
  await expect.poll(() => position(lesson)).toBeGreaterThan(dragged);
  expect(await said(), 'this is the run of 500 people').toEqual([]);
  await users.dispatchEvent('change');
  await expect.poll(async () => (await said())[0]?.[0]).toBe('You see the result after 10\u00a0s of the run.');
});

test('a knob that is turned while the run is still being made belongs to the run', { tag: '@long' }, async ({ page, lesson }) => {
  /** @type {() => void} */
  let letGo = () => {};
  const held = new Promise((resolve) => { letGo = () => resolve(undefined); });
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await lesson.open('one-document');
  await lesson.prediction.locator('.button-quiet').click();
  await expect(page.locator('.stage [aria-busy=true]')).not.toHaveCount(0);
  await expect(lesson.prediction.getByRole('status')).toHaveText('You see the result after 10 s of the run.');
  await page.locator('#knob-users').press('ArrowLeft');
  await expect(lesson.prediction.getByRole('status')).toBeEmpty();
  letGo();
  await ready(lesson);
  await lesson.toEnd();
  await expect(page.locator('.result')).toContainText('500 people have pressed');
});

test('without a guess, too, it is said when the run will answer; a link that begins behind the answer has only that', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('distributed-counter');
  const said = await listen(lesson);
  await lesson.prediction.locator('.button-quiet').click();
  await ready(lesson);
  expect(await said()).toEqual([['You see the result at the end of the run.', false]]);
  await lesson.toEnd();
  await expect(lesson.prediction.getByRole('status')).toContainText(/^What happened: /);
  await expect.poll(() => page.url()).toMatch(/[?&]t=\d{5,}\b/);
  await page.reload();
  await lesson.expectOpen();
  const saidAfter = await listen(lesson);
  await ready(lesson);
  await expect(lesson.prediction.getByRole('status')).toContainText(/^What happened: /);
  expect((await saidAfter()).filter(([text]) => !text.startsWith('What happened'))).toEqual([]);
});

test('a tablet that reaches over several shards is counted once', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('hot-range', 'tablets', { knobs: 'index=shard&t=2000' });
  await expect(page.locator('.picture figcaption').first()).toContainText('has 1 tablet; 1 is hot.');
});

test('the numbers at tablets add up to the load', { tag: '@long' }, async ({ page, lesson }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await lesson.open('hot-range', 'tablets', { knobs: 'index=shard&t=18000' });
  const numbers = page.locator('.tablet-number');
  await expect(numbers, 'one for each shard').toHaveCount(3);
  const said = await numbers.allTextContents();
  const sum = said.reduce((total, number) => total + Number(number), 0);
  expect(sum, '900 a second').toBeGreaterThan(850);
  expect(sum).toBeLessThan(950);
  await lesson.openTables();
  const table = await lesson.tables.first().locator('tbody tr td:last-child').allTextContents();
  expect(table.filter((load) => Number(load) > 0), 'in the table, too').toEqual(said);
});

test('while a run plays, its legend, caption and prose tell one moment', async ({ page, lesson }) => {
  await lesson.open('distributed-counter', 'turn-up', { knobs: 'shards=50&t=0' });
  await ready(lesson);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const told = await page.locator('.chapter').evaluate((chapter) => new Promise((resolve) => {
    const wordsOf = (/** @type {string} */ place) => chapter.querySelector(place)?.textContent ?? '';
    /** @type {string[][]} */
    const seen = [];
    const look = () => {
      seen.push([
        wordsOf('.lane-keys [data-key=done] b'),
        /Firestore counted ([\d,]+)/.exec(wordsOf('figcaption'))?.[1] ?? '',
        /has counted ([\d,]+)/.exec(wordsOf('.result'))?.[1] ?? '',
      ]);
      if (seen.length < 60) requestAnimationFrame(look);
      else resolve(seen);
    };
    requestAnimationFrame(look);
  }));
  expect(new Set(told.map(([counted]) => counted)).size, 'it moves').toBeGreaterThan(10);
  expect(told.filter(([legend, caption, prose]) => legend !== caption || legend !== prose)).toEqual([]);
});

test('what is said of hot tablets is what is drawn, also while the run plays', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('hot-range', 'tablets', { knobs: 't=0' });
  await ready(lesson);
  await lesson.openMore();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('16×');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const states = await page.locator('.picture').first().evaluate((picture) => new Promise((resolve) => {
    /** @type {Set<string>} */
    const seen = new Set();
    const look = () => {
      const said = /no tablet is hot/.test(picture.querySelector('figcaption')?.textContent ?? '') ? 'none' : 'some';
      seen.add(`${said} said, ${picture.querySelector('.tablet[data-hot=true]') ? 'some' : 'none'} drawn`);
      const slider = /** @type {HTMLInputElement} */ (document.querySelector('.player-slider'));
      if (Number(slider.value) < Number(slider.max)) requestAnimationFrame(look);
      else resolve([...seen].sort());
    };
    requestAnimationFrame(look);
  }));
  expect(states).toEqual(['none said, none drawn', 'some said, some drawn']);
});

test('the words beside a picture are of the very state that it stands still at', { tag: '@long' }, async ({ page, lesson }) => {
  const words = () => page.locator('.chapter').evaluate((chapter) => ({
    captions: [...chapter.querySelectorAll('figcaption')].map(({ textContent }) => textContent),
    tables: [...chapter.querySelectorAll('.table-scroll table')].map(({ textContent }) => textContent),
    result: chapter.querySelector('.result')?.textContent,
    said: chapter.querySelector('.stage > [role=status].visually-hidden')?.textContent,
  }));
  await lesson.open('one-document', 'many-writers', { knobs: 'users=1000&t=0' });
  await ready(lesson);
  await lesson.openTables();
  const silent = (await words()).said;
  await lesson.openMore();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('16×');
  await page.getByRole('button', { name: 'Play', exact: true }).focus();
  /** @type {number[]} */
  const stops = [];
  for (const pause of ['k', 'Space', 'hide', 'j']) {
    const before = await position(lesson);
    await page.keyboard.press('k');
    await expect.poll(() => position(lesson)).toBeGreaterThan(before);
    if (stops.length === 0) expect((await words()).said, 'nobody could listen as fast as it plays').toBe(silent);
    // Between two of the moments at which tables follow, most probably: these are half a second apart, and so are 8 seconds of the run.
    if (pause === 'hide') {
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        Reflect.deleteProperty(document, 'hidden');
      });
    } else {
      await page.keyboard.press(pause);
    }
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    stops.push(await position(lesson));
    const [paused, at] = [await words(), stops.at(-1)];
    expect(paused.said).toBe(paused.captions.join(' '));
    await seekTo(lesson, Number(at) === 0 ? 1 : 0);
    expect(await words()).not.toEqual(paused);
    await lesson.position.evaluate((slider, value) => {
      /** @type {HTMLInputElement} */ (slider).value = String(value);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, at);
    expect(await words(), `after ${pause}, at ${at}`).toEqual(paused);
    await page.getByRole('button', { name: 'Play', exact: true }).focus();
  }
  await seekTo(lesson, 0.9); // The whole run takes 20 seconds.
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('32×');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const end = Number(await lesson.position.getAttribute('max'));
  await expect.poll(() => position(lesson), 'it plays to its end').toBe(end);
  const atEnd = await words();
  await seekTo(lesson, 0);
  await lesson.toEnd();
  expect(await words()).toEqual(atEnd);
  expect(atEnd.said).toBe(atEnd.captions.join(' '));
});

for (const { id, end } of [
  { id: 'distributed-counter', end: /Firestore counted|The counter (keeps up|does not keep up)/ },
  { id: 'hot-range', end: /Firestore writes|A split does not help/ },
  { id: 'ids', end: /In the two minutes|This way is fast, and wrong/ },
  { id: 'live', end: /a month costs/ },
  { id: 'tickets', end: /tickets? too many|The stock sells each ticket once/ },
]) {
  test(`the end of a run is not told before it: ${id}`, { tag: '@long' }, async ({ page, lesson }) => {
    test.setTimeout(120_000);
    await lesson.open(id, '', { knobs: 't=0' });
    await ready(lesson);
    for (const share of [0, 0.5, 0.99]) {
      await seekTo(lesson, share);
      await expect(page.locator('.result')).not.toBeEmpty();
      expect(await page.locator('.result').textContent()).not.toMatch(end);
    }
    await seekTo(lesson, 1);
    await expect(page.locator('.result')).toContainText(end);
  });
}

/** @type {{[step: string]: {[knob: string]: string | number}}} None of them as it is at first: the link has to say it. */
const TURNED = {
  'one-document/many-writers': { users: 200 },
  'one-document/sandbox': { users: 50, writes: 5, lost: 25 },
  'distributed-counter/turn-up': { shards: 20 },
  'distributed-counter/sandbox': { shards: 10, writes: 10, lost: 10 },
  'reading/three-ways': { shards: 20, readers: 5 },
  'live/ask-or-listen': { likes: 0, every: 60, tab: 'hidden' },
  'lost-answer/again': { fault: 'twice', request: 3 },
  'hot-range/tablets': { index: 'both', shards: 5 },
  'hot-range/sandbox': { index: 'both', shards: 5, events: 300, split: 2, lost: 5 },
  'sharded-query/merge': { 'shard-values': 60, limit: 15 },
  'sharded-query/pages': { pages: 3 },
  'sharded-query/three-queries': { query: 'currency', 'chunk-reads': 'whole-page' },
  'sharded-query/sandbox': { query: 'exchange', 'chunk-reads': 'whole-page', 'shard-values': 60, limit: 15, pages: 2, documents: 250 },
  'ids/three-ways': { method: 'transaction' },
  'ids/sandbox': { method: 'sum', shards: 20, block: 10, users: 50, lost: 5 },
  'tickets/rush': { shards: 20 },
  'tickets/holds': { hold: 2, paying: 75 },
  'tickets/sandbox': { units: 100, users: 200, shards: 10, lost: 5 },
  'your-app/shards': { writes: 200, readers: 50 },
  'your-app/code': { access: 'public', writes: 50 },
};

for (const { id, steps } of chapters) {
  for (const step of steps.filter(({ figures }) => figures)) {
    test(`every number in the prose is one of the run’s: ${id}/${step.id}`, longUnless(step.id === 'shards'), async ({ page, lesson }) => {
      const knobs = TURNED[`${id}/${step.id}`];
      if (!step.record || !step.figures || !knobs) throw new Error('not turned');
      await sayEnglish();
      // The same run once more, here in Node.
      const recording = await step.record(knobs, 7, new AbortController().signal);
      const isPlayed = recording.durationMs > 0;
      const query = new URLSearchParams(Object.entries(knobs).map(([name, value]) => [name, String(value)]));
      await lesson.open(id, step.id, { knobs: `${query}${isPlayed ? '&seed=7&t=0' : ''}` });
      if (isPlayed) await ready(lesson);
      else await lesson.reveal();
      for (const share of isPlayed ? [0, 0.37, 1] : [1]) {
        if (isPlayed) await seekTo(lesson, share);
        const textId = step.texts?.result ?? /** @type {import('../../web/tutorial/text.js').TextId} */ (`chapter.${id}.${step.id}.result`);
        const expected = text(textId, step.figures(recording, Math.round(recording.durationMs * share)));
        await expect(page.locator('.result')).toHaveText(expected.replaceAll('\n\n', ''));
      }
    });
  }
}

test('a thousand users at 60 frames a second', { tag: '@measured' }, async ({ page, lesson }) => {
  await lesson.open('one-document', 'many-writers', { knobs: 'users=1000&t=0' });
  await ready(lesson);
  const client = await page.context().newCDPSession(page);
  // Of this thread's own time, so that the machine's other work does not matter.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
  };
  await page.evaluate(() => {
    const frames = { count: 0 };
    Object.assign(window, { frames });
    const next = () => {
      frames.count += 1;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const count = () => page.evaluate(() => /** @type {any} */ (window).frames.count);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(count).toBeGreaterThan(30);
  const [framesBefore, busyBefore, began] = [await count(), await busy(), Date.now()];
  await expect.poll(count, { intervals: [250] }).toBeGreaterThan(framesBefore + 180);
  const [frames, work, passed] = [await count() - framesBefore, await busy() - busyBefore, Date.now() - began];
  console.log(`${Math.round((frames * 1000) / passed)} frames/s, ${(work / frames).toFixed(1)} ms of work each`);
  expect(await position(lesson)).toBeGreaterThan(5000);
  expect(work / frames, 'milliseconds of work for a frame').toBeLessThan(1000 / 60);
});

for (const [id, knobs] of /** @type {const} */ ([['one-document', 'users=1000'], ['hot-range', 'index=shard'], ['ids', 'method=blocks']])) {
  test(`no task is over 100 ms on a device that is four times slower, while a run is made and indexed: ${id}`, { tag: '@measured' }, async ({ browser }) => {
    test.setTimeout(120_000);
    const tasks = await visits(browser, 1, async (page) => {
      const lesson = new Lesson(page);
      await lesson.open(id, '', { knobs });
      return longestTaskOf(browser, page, async () => {
        await lesson.prediction.locator('.button-quiet').click();
        await ready(lesson);
        await page.getByRole('button', { name: 'Pause' }).click();
      });
    });
    test.info().annotations.push({ type: 'figures', description: `longest tasks ${tasks} ms` });
    expect(Math.min(...tasks), 'milliseconds of a task').toBeLessThan(LONGEST_TASK_MS);
  });
}
