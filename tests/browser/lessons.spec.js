/** Chapters 4, 6, 7 and 9 without a mouse, to their last tick. What they show is compared with what the library says. */
import { join } from 'node:path';
import { tabTo } from './support/lesson.js';
import { ICON, makeApp } from './support/package.js';
import { places, WEB } from './support/places.js';
import { expect, test } from './support/test.js';

/** @typedef {import('./support/lesson.js').Lesson} Lesson */
/** @typedef {import('@playwright/test').Page} Page */

/** Chooses by the keyboard: to the group, then with the arrows. @param {Page} page @param {string} word */
async function choose(page, word) {
  const group = page.locator('fieldset').filter({ has: page.locator(`input[value="${word}"]`) });
  await tabTo(page, group.locator('input:checked'));
  const words = await group.locator('input').evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).value));
  for (let turns = 0; turns < words.length; turns += 1) {
    if (await page.evaluate(() => /** @type {HTMLInputElement} */ (document.activeElement).value) === word) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`${word} cannot be chosen`);
}

/** Moves a slider by the keyboard. @param {Page} page @param {string} knob @param {string} key @param {number} [times] */
async function slide(page, knob, key, times = 1) {
  await tabTo(page, page.locator(`#knob-${knob}`));
  for (let presses = 0; presses < times; presses += 1) await page.keyboard.press(key);
}

/** Waits until the run that the knobs ask for is there, and plays to its end. @param {Lesson} lesson */
async function playToEnd(lesson) {
  await expect(lesson.player).toBeVisible();
  await expect(lesson.page.locator('.stage [aria-busy=true]')).toHaveCount(0);
  await tabTo(lesson.page, lesson.position);
  await lesson.page.keyboard.press('End');
}

/** @param {Lesson} lesson */
const expectFinished = async ({ page }) => {
  await expect(page.locator('.chapter-links a[aria-current=page]')).toHaveAttribute('data-done', 'true');
  await expect(page.locator('.task[data-reached=false]')).toHaveCount(0);
};

test('4: the answer that got lost', async ({ lesson, page }) => {
  await lesson.open('lost-answer');
  await tabTo(page, lesson.prediction.locator('input').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await playToEnd(lesson);
  await expect(lesson.prediction).toContainText('Your guess: More than was pressed. What happened: More than was pressed.');
  await expect(page.locator('.result')).toContainText('Trying again: 3 presses, 4 counted. With the ledger: 3 presses, 3 counted.');
  await lesson.expectReached('double');
  await lesson.expectReached('refused');
  await expect(lesson.pictures.nth(1).locator('figcaption')).toContainText('pressed 3, requests sent 5, counted 3, confirmed 3');

  // Back, event by event: the first one is a press, and nothing has been counted yet.
  await page.keyboard.press('Home');
  await expect(lesson.pictures.first().locator('figcaption')).toContainText('counted 0');
  await page.keyboard.press('l');
  await expect(lesson.pictures.first().locator('figcaption')).toContainText('pressed 1, requests sent 1, counted 1');
  await page.keyboard.press('j');
  await expect(lesson.pictures.first().locator('figcaption')).toContainText('counted 0');

  await page.locator('.skip').focus();
  await choose(page, 'lost');
  await playToEnd(lesson);
  await lesson.expectReached('harmless');
  await expectFinished(lesson);
});

test('6: the sharded query', async ({ lesson, page }) => {
  await lesson.open('sharded-query');
  await tabTo(page, page.getByRole('spinbutton'));
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await playToEnd(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 20 reads. What happened: 16 reads.');
  await expect(page.locator('.result')).toContainText('2 requests to 2 chunks; 10 documents merged, 16 reads billed. The list is exactly what one query');
  await lesson.expectReached('tie');
  const times = await page.locator('.merge-result .merge-card b').allTextContents();
  expect(times).toHaveLength(10);
  expect(times, 'the newest first').toEqual([...times].sort().reverse());
  await page.locator('.skip').focus();
  await slide(page, 'shard-values', 'Home');
  await playToEnd(lesson);
  await lesson.expectReached('one');
  await page.locator('.skip').focus();
  await slide(page, 'shard-values', 'End');
  await slide(page, 'limit', 'End');
  await playToEnd(lesson);
  await lesson.expectReached('refill');

  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('spinbutton'));
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await playToEnd(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 10 reads. What happened: 10 reads.');
  await lesson.expectReached('cheap');
  await page.locator('.skip').focus();
  await slide(page, 'pages', 'End');
  await playToEnd(lesson);
  await lesson.expectReached('last');
  await expect(page.locator('.result')).toContainText('this is exactly what one query returns');

  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await tabTo(page, lesson.runButton);
  await page.keyboard.press('Enter');
  for (const word of ['exchange', 'currency', 'eager']) {
    await expect(lesson.player).toBeVisible();
    await page.locator('.skip').focus();
    await choose(page, word);
    await playToEnd(lesson);
    await lesson.expectReached(word);
  }
  await expectFinished(lesson);
});

test('7: your indexes', async ({ lesson, page }) => {
  await lesson.open('your-indexes');
  await tabTo(page, page.getByRole('spinbutton'));
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(lesson.prediction).toContainText('Your guess: 1 hot index. What happened: 2 hot indexes.');
  await lesson.expectReached('hidden');
  await expect(page.locator('.finding')).toHaveCount(3);
  const area = page.getByLabel('firestore.indexes.json');
  await tabTo(page, area);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('{"indexes": [');
  await expect(lesson.stage, 'a file that is half typed').toContainText('The index file is not JSON');
  const fields = ['shard', 'exchange', 'timestamp'].map((fieldPath) => ({ fieldPath, order: 'ASCENDING' }));
  await page.keyboard.insertText(`${JSON.stringify({ collectionGroup: 'instruments', queryScope: 'COLLECTION', fields })}]}`);
  await lesson.expectReached('mend');

  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await lesson.expectReached('clean');
  await tabTo(page, page.getByLabel('Also what distributed counters need'));
  await page.keyboard.press('Space');
  await lesson.expectReached('counters');
  await expect(page.locator('.code-block code')).toContainText('"ttl": true');

  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Use a sample' }));
  await page.keyboard.press('Enter');
  await lesson.expectReached('read');
  await expect(page.locator('.missing-index')).toContainText('exchange ↑');
  await expectFinished(lesson);
});

test('7: a file can be dropped, or chosen', async ({ lesson, page }) => {
  await lesson.open('your-indexes', 'rewrite');
  const content = JSON.stringify({ indexes: [{ collectionGroup: 'logs', queryScope: 'COLLECTION', fields: [
    { fieldPath: 'createdAt', order: 'DESCENDING' }, { fieldPath: 'level', order: 'ASCENDING' }] }] });
  await page.locator('input[type=file]').setInputFiles({ name: 'firestore.indexes.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await expect(page.locator('.code-block code')).toContainText('"fieldPath": "shard"');
  await expect(page.locator('[data-kind=added]')).toContainText('logs');
  await lesson.expectReached('clean');
  await page.getByLabel('Shard field').fill('');
  await expect(lesson.stage.locator('[data-kind=error]')).toBeVisible();
  await page.locator('.index-file').evaluate((box, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text.replaceAll('logs', 'visits')], 'x.json'));
    box.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, content);
  await page.getByLabel('Shard field').fill('part');
  await expect(page.locator('[data-kind=added]')).toContainText('visits');
  await expect(page.locator('.code-block code')).toContainText('"fieldPath": "part"');
  expect(page.url(), 'the file is the reader’s own').not.toContain('visits');
});

test('9: in your app', async ({ lesson, page }) => {
  await lesson.open('your-app');
  await tabTo(page, page.getByRole('spinbutton'));
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await expect(lesson.prediction).toContainText('Your guess: 20 shards. What happened: 20 shards.');
  await slide(page, 'writes', 'End');
  await lesson.expectReached('busy');
  await slide(page, 'writes', 'Home');
  await slide(page, 'writes', 'ArrowRight', 2);
  await slide(page, 'readers', 'Home');
  await lesson.expectReached('cheap');

  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await expect(page.locator('.code-block')).toHaveCount(5);
  await choose(page, 'one-vote');
  await lesson.expectReached('vote');
  await expect(page.locator('.code-block code').nth(3)).toContainText('shardline_votes');

  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await expect(page.locator('.like')).toBeEnabled();
  await tabTo(page, page.locator('.like'));
  for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('Space');
  await expect(page.locator('.like-value')).toHaveText('10');
  await lesson.expectReached('counted');
  await expectFinished(lesson);
});

test('9: the code to paste is a working like button', async ({ lesson, page, firestore, watch }) => {
  watch.expect(/\[vite\]/);
  await lesson.open('your-app', 'code');
  const files = await page.locator('.code-block').evaluateAll((blocks) => Object.fromEntries(blocks.map((block) => [
    block.querySelector('.label')?.textContent ?? '', block.querySelector('code')?.textContent ?? ''])));
  const placeholder = "projectId: 'my-project', apiKey: 'my-web-api-key'";
  expect(files['src/main.js']).toContain(placeholder);
  const folder = await makeApp('like-app', {
    'index.html': `<link rel="icon" href="/icon.svg">${files['index.html']?.replace('/src/main.js', '/main.js')}`,
    'main.js': files['src/main.js']?.replace(placeholder, `projectId: 'demo', host: '${places.emulator}'`) ?? '',
    'icon.svg': ICON,
  });
  const { createServer } = await import(join(WEB, 'node_modules/vite/dist/node/index.js'));
  const server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0 } });
  await server.listen();
  await page.goto(server.resolvedUrls.local[0]);
  await page.getByRole('button').click();
  await page.getByRole('button').click();
  await expect(page.locator('#likes')).toHaveText('2');
  await expect.poll(async () => (await firestore.list('posts/p1/shards')).reduce(
    (/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields.count.integerValue), 0)).toBe(2);
  await page.goto('about:blank');
  await server.close();
});
