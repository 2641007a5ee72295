/** Chapters 4, 6, 7 and 9 without a mouse, to their last tick. The test compares their numbers with the library's. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbench } from '../../web/library/workbench.js';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { RestClient, userToken } from '../emulator/support/rest.js';
import { loadRules } from '../emulator/support/rules_world.js';
import { tabTo } from './support/lesson.js';
import { longUnless } from './support/long.js';
import { makeApp } from './support/package.js';
import { BUILD, places, TESTS, WEB } from './support/places.js';
import { run } from './support/run.js';
import { serveFolder } from './support/static_server.js';
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

/** To the next step, as soon as it is shown: the one before stays until then. @param {Page} page */
async function goOn(page) {
  const step = await page.locator('.chapter').elementHandle();
  await tabTo(page, page.locator('.pager-link').last());
  await page.keyboard.press('Enter');
  await step?.waitForElementState('hidden');
}

/** @param {Lesson} lesson */
const expectFinished = async ({ page }) => {
  await expect(page.locator('.chapter-links a[aria-current=page]')).toHaveAttribute('data-done', 'true');
  await expect(page.locator('.task[data-reached=false]')).toHaveCount(0);
};

test('what is shown without being started has no button to start it, unless it fails', { tag: '@long' }, async ({ lesson, page, watch }) => {
  watch.expectFailedRequests();
  let isCut = true;
  /** @type {() => void} */
  let letGo = () => {};
  const held = new Promise((resolve) => { letGo = () => resolve(undefined); });
  await page.route('**/*.wasm', async (route) => {
    await held;
    await (isCut ? route.abort() : route.continue());
  });
  await lesson.open('your-app', 'code');
  await expect(page.locator('.stage [aria-busy=true]')).not.toHaveCount(0);
  await expect(lesson.runButton).toBeHidden();
  letGo();
  await expect(lesson.runButton).toBeVisible();
  isCut = false;
  await lesson.runButton.click();
  await expect(page.locator('.result')).toBeVisible();
  await expect(lesson.runButton).toBeHidden();
});

test('4: nothing in the table is later than the moment that the words beside it tell', { tag: '@long' }, async ({ lesson }) => {
  await lesson.open('lost-answer');
  await lesson.reveal();
  const seconds = (/** @type {string} */ said) => [...said.matchAll(/([\d.]+)\ss\b/g)].map(([, number]) => Number(number));
  await expect(lesson.tables).toHaveCount(2);
  for (const [place, picture] of (await lesson.pictures.all()).entries()) {
    const [now = NaN] = seconds(await picture.locator('figcaption').innerText());
    const times = seconds((await lesson.tables.nth(place).locator('td').allInnerTexts()).join('\n'));
    expect(times.length).toBeGreaterThan(3);
    expect(Math.max(...times)).toBeLessThanOrEqual(now);
  }
});

test('4: the answer that got lost', async ({ lesson, page }) => {
  await lesson.open('lost-answer');
  await tabTo(page, lesson.prediction.locator('input').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await playToEnd(lesson);
  await expect(lesson.prediction).toContainText('Your guess: More likes than presses. What happened: More likes than presses.');
  await expect(page.locator('.result')).toContainText('Trying again: 3 presses, 4 counted. With the marker: 3 presses, 3 counted.');
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

test('6: the sharded query', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('sharded-query');
  await tabTo(page, lesson.prediction.getByRole('textbox'));
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await playToEnd(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 20 reads. What happened: 16 reads.');
  await expect(page.locator('.result')).toContainText('Shardline sent 2 requests to 2 chunks and merged 10 documents. Firestore billed 16 reads. The list is exactly the list that one query');
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

  await goOn(page);
  await tabTo(page, lesson.prediction.getByRole('textbox'));
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await playToEnd(lesson);
  await expect(lesson.prediction).toContainText('Your guess: 10 reads. What happened: 10 reads.');
  await lesson.expectReached('cheap');
  await page.locator('.skip').focus();
  await slide(page, 'pages', 'End');
  await playToEnd(lesson);
  await lesson.expectReached('last');
  await expect(page.locator('.result')).toContainText('you get exactly the documents that one query returns');

  await goOn(page);
  await tabTo(page, lesson.runButton);
  await page.keyboard.press('Enter');
  for (const word of ['exchange', 'currency', 'whole-page']) {
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
  await expect(codeBlock(page, 'firestore.indexes.json'), 'the file that the question is about').toContainText('price.currency');
  await tabTo(page, lesson.prediction.getByRole('textbox'));
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(lesson.prediction).toContainText('Your guess: 1 hot index. Answer: 2 hot indexes.');
  await lesson.expectReached('hidden');
  await expect(page.locator('.finding')).toHaveCount(3);
  await expect(page.locator('.sandbox-link a')).toHaveAttribute('href', '#/hot-range/sandbox?index=time&events=900');
  const area = page.getByLabel('firestore.indexes.json');
  await tabTo(page, area);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('{"indexes": [');
  await expect(lesson.stage, 'a file that is half typed').toContainText('The index file is not JSON');
  const fields = ['shard', 'exchange', 'timestamp'].map((fieldPath) => ({ fieldPath, order: 'ASCENDING' }));
  await page.keyboard.insertText(`${JSON.stringify({ collectionGroup: 'instruments', queryScope: 'COLLECTION', fields })}]}`);
  await lesson.expectReached('mend');
  await expect(lesson.prediction, 'it asks about the first file').toContainText('Answer: 2 hot indexes.');

  await goOn(page);
  await expect(page.locator('.code-block code:visible'), 'nothing changes unless the reader says so').toHaveCount(1);
  await expect(page.locator('.finding')).toHaveCount(0);
  await tabTo(page, page.getByLabel('instruments, in which timestamp rises'));
  await page.keyboard.press('Space');
  await lesson.expectReached('clean');
  const [first = '', second = ''] = await page.locator('.code-block code:visible').allTextContents();
  expect([first, second].map((text) => JSON.parse(text).indexes.length), 'the first file keeps what old queries need').toEqual([6, 4]);
  await expect(page.locator('.index-steps li')).toHaveText([/^Queries/, /^Backfill/, /^Indexes/, /^Old indexes/]);
  await tabTo(page, page.getByLabel('Add the entries for distributed counters'));
  await page.keyboard.press('Space');
  await lesson.expectReached('counters');
  await expect(page.locator('.code-block code').first()).toContainText('"ttl": true');
  const exempted = page.locator('[data-kind=exempted]');
  await expect(exempted.filter({ hasText: 'stop working' }).locator('.index-line strong'), 'what the reader asks for otherwise').toHaveText(['instruments', 'instruments']);
  await expect(exempted.filter({ hasText: 'you need not know' }).locator('.index-line strong').filter({ hasText: 'instruments' })).toHaveCount(0);

  await goOn(page);
  await tabTo(page, page.getByRole('button', { name: 'Use a sample' }));
  await page.keyboard.press('Enter');
  await lesson.expectReached('read');
  await expect(page.locator('.missing-index')).toContainText('exchange ↑');
  const offered = await page.locator('.code-block code').allTextContents();
  const fieldsOf = (/** @type {string} */ entry) => JSON.parse(entry).fields.map((/** @type {any} */ { fieldPath }) => fieldPath);
  expect(offered.map(fieldsOf), 'what Firestore asks for comes first').toEqual([['exchange', 'timestamp'], ['shard', 'exchange', 'timestamp']]);
  await expectFinished(lesson);
});

test('7: a file can be dropped, or chosen', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('your-indexes', 'rewrite');
  const content = JSON.stringify({ indexes: [{ collectionGroup: 'logs', queryScope: 'COLLECTION', fields: [
    { fieldPath: 'createdAt', order: 'DESCENDING' }, { fieldPath: 'level', order: 'ASCENDING' }] }] });
  await page.locator('input[type=file]').setInputFiles({ name: 'firestore.indexes.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await page.getByLabel('logs, in which createdAt rises').check();
  await expect(page.locator('.code-block code').first()).toContainText('"fieldPath": "shard"');
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
  await page.getByLabel('visits, in which createdAt rises').check();
  await expect(page.locator('[data-kind=added]')).toContainText('visits');
  await expect(page.locator('.code-block code').first()).toContainText('"fieldPath": "part"');
  expect(page.url(), 'the file is the reader’s own').not.toContain('visits');
});

test('7: a name is a hint, and the reader says whether a field rises', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('your-indexes');
  await page.locator('.skip').focus();
  const fields = ['createdAt', 'kind'].map((fieldPath) => ({ fieldPath, order: 'ASCENDING' }));
  const buffer = Buffer.from(JSON.stringify({ indexes: [{ collectionGroup: 'logs', queryScope: 'COLLECTION', fields }] }));
  await lesson.reveal();
  await page.locator('input[type=file]').setInputFiles({ name: 'firestore.indexes.json', mimeType: 'application/json', buffer });
  await expect(lesson.stage).toContainText('Hot: 0. Perhaps hot: 2.');
  await expect(page.locator('.finding').first()).toContainText('If the values rise: ');
  const box = page.getByLabel('createdAt in logs');
  await box.check();
  await expect(lesson.stage).toContainText('Hot: 2. Perhaps hot: 0.');
  await expect(page.locator('.finding').first()).not.toContainText('If the values rise');
  await box.uncheck();
  await expect(lesson.stage).toContainText('Hot: 0. Perhaps hot: 2.');
});

test('7: every field that rises gets its shard, under whatever name', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('your-indexes', 'rewrite', { knobs: 'file=toString' });
  await expect(page.locator('.index-file input:checked'), 'an address may say anything').toHaveValue('instruments');
  const index = (/** @type {string} */ field) => ({ collectionGroup: 'logs', queryScope: 'COLLECTION', fields: [
    { fieldPath: 'level', order: 'ASCENDING' }, { fieldPath: field, order: 'DESCENDING' }] });
  const buffer = Buffer.from(JSON.stringify({ indexes: [index('createdAt'), index('updatedAt')] }));
  await page.locator('input[type=file]').setInputFiles({ name: 'firestore.indexes.json', mimeType: 'application/json', buffer });
  await page.getByLabel('Shard field').fill('bucket');
  for (const box of await page.getByLabel(/^logs, in which/).all()) await box.check();
  await expect(lesson.stage).toContainText('Hot or perhaps hot before: 4. After the second file: 0.');
  await lesson.expectReached('clean');
  await page.locator('input[type=file]').setInputFiles({ name: 'firestore.indexes.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(lesson.stage, 'the file was chosen again').not.toContainText('Hot or perhaps hot before');
  await expect(page.getByLabel(/^logs, in which/)).toHaveCount(0);
});

test('9: in your app', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('your-app');
  await tabTo(page, lesson.prediction.getByRole('textbox'));
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await expect(lesson.prediction).toContainText('Your guess: 20 shards. Answer: 20 shards.');
  await slide(page, 'writes', 'End');
  await lesson.expectReached('busy');
  await slide(page, 'writes', 'Home');
  await slide(page, 'writes', 'ArrowRight', 2);
  await slide(page, 'readers', 'Home');
  await lesson.expectReached('cheap');
  await expect(page.locator('.sandbox-link a')).toHaveAttribute('href', '#/distributed-counter/sandbox?writes=5&shards=10');

  await goOn(page);
  await expect(page.locator('.code-block:visible')).toHaveCount(9);
  await expect(codeBlock(page, 'src/main.js'), 'a like button is what a reader came for').toContainText('onAuthStateChanged');
  await expect(codeBlock(page, 'index.html'), 'twice the shards that the load of the step before needs').toContainText('shards="10"');
  const { version } = JSON.parse(await readFile(join(TESTS, 'node_modules/firebase/package.json'), 'utf8'));
  await expect(page.locator('[data-part=install] .code-block code')).toContainText(new RegExp(` firebase@${version.split('.')[0]}\\s*$`));
  await choose(page, 'one-vote');
  await lesson.expectReached('vote');
  await expect(codeBlock(page, 'firestore.rules')).toContainText('Who has voted');
  await choose(page, 'emulator');
  await expect(page.locator('.recipe > li:visible'), 'nothing for which one needs an account').toHaveCount(6);
  await expect(codeBlock(page, 'src/main.js')).toContainText('connectAuthEmulator');
  await expect(page.locator('.recipe > li[data-part=start]'), 'Firebase’s red banner is explained').toContainText('Running in emulator mode');
  await choose(page, 'project');
  await expect(page.locator('.recipe > li[data-part=start]'), 'which a real project does not show').not.toContainText('emulator');
  await choose(page, 'public');
  await expect(page.locator('.recipe > li[data-part=user]'), 'nobody signs in').toBeHidden();
  await choose(page, 'emulator');

  await goOn(page);
  await expect(page.locator('.like')).toBeEnabled();
  await expect(codeBlock(page, 'src/main.js')).toContainText("db.counter('posts/p1', { shards: 10, maxDelta: 1 })");
  await expect(codeBlock(page, 'src/main.js'), 'where it runs is what the step before says').toContainText("host: 'http://127.0.0.1:8080'");
  await tabTo(page, page.locator('.like'));
  for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('Space');
  await expect(page.locator('.like-value')).toHaveText('10');
  await lesson.expectReached('counted');
  await expectFinished(lesson);
});

test('9: a like of one’s own can be taken back', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('your-app', 'connect');
  const like = page.locator('shard-counter').getByRole('button');
  const value = page.locator('shard-counter [part=value]');
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await tabTo(page, page.locator('shard-counter'));
  await page.keyboard.press('Space');
  await lesson.expectReached('counted');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(value).toHaveText('1');
  await page.keyboard.press('Space');
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await expect(value).toHaveText('0');
});

test('9: a vote of one’s own is what is asked for', { tag: '@long' }, async ({ lesson, page }) => {
  await lesson.open('your-app', 'connect', { knobs: 'access=one-vote' });
  await page.locator('.like').click();
  await expect(page.locator('.like-value')).toHaveText('1');
  await lesson.expectReached('counted');
});

test('9: the counter has as many shards as the code says, and what was said goes with the connection', { tag: '@long' }, async ({ lesson, page, firestore }) => {
  await lesson.open('your-app', 'connect', { knobs: 'writes=50' });
  const create = page.getByRole('button', { name: 'Create the counter' });
  const said = page.locator('.like-box .notice');
  await expect(codeBlock(page, 'index.html')).toContainText('shards="100"');
  await create.click();
  await expect(said).toContainText('The counter is created, with 100 shards.');
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('radio', { name: 'Google’s emulator', exact: true }).check();
  await page.getByLabel('Host and port').fill(new URL(places.emulator).host);
  await expect(page.getByLabel('Project id'), 'of the emulators that the step before starts').toHaveValue('demo-like');
  await page.getByLabel('Project id').fill('demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('You are connected to the emulator')).toBeVisible();
  await expect(said).toBeHidden();
  await create.click();
  await expect(said).toContainText('The counter is created, with 100 shards.');
  expect((await firestore.get('posts/p1')).fields).toEqual({ num_shards: { integerValue: '100' } });
  expect(await firestore.list('posts/p1/shards')).toHaveLength(100);
  await slide(page, 'writes', 'End');
  await expect(said, 'it was said of another number of shards').toBeHidden();
});

test('9: rules that refuse are taken for the reader’s own', { tag: '@long' }, async ({ lesson, page, watch }) => {
  watch.expectFailedRequests();
  const { projectId } = await loadRules(places.emulator, "rules_version = '2'; service cloud.firestore { match /{all=**} { allow read: if false; } }");
  await lesson.open('your-app', 'connect');
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('radio', { name: 'Google’s emulator', exact: true }).check();
  await page.getByLabel('Host and port').fill(new URL(places.emulator).host);
  await page.getByLabel('Project id').fill(projectId);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.locator('#connect .notice'), 'what this chapter is about').toContainText('read posts/p1');
  await page.getByRole('button', { name: 'Create the counter' }).click();
  await expect(page.locator('.like-box .notice')).toContainText('Create the counter as that step says');
});

/** @param {string} file @returns {string[]} The collections that an index file is about. */
const collectionsOf = (file) => [...new Set(JSON.parse(file).fieldOverrides.map((/** @type {any} */ { collectionGroup }) => collectionGroup))].sort();

test('9: the index file is about what the rules let somebody write, and the text says what each is for, in every language', { tag: '@long' }, async ({ lesson, page }) => {
  const { counterIndexes } = await openWorkbench();
  const whole = JSON.parse(counterIndexes()).fieldOverrides;
  for (const { tag } of LANGUAGES) {
    await lesson.open('your-app', 'code', { lang: tag });
    for (const [access, ...collections] of [
      ['one-vote', 'shardline_members'], ['signed-in'], ['public'], ['one-like', 'shardline_members'],
    ]) {
      await page.locator(`input[value="${access}"]`).check();
      const said = page.locator('[data-part=rules] p').first().locator('code').filter({ hasText: 'shardline_' });
      await expect(said, `${tag} ${access}`).toHaveText(['shardline_markers', ...collections, 'shardline_totals']);
      const file = await codeBlock(page, 'firestore.indexes.json').textContent() ?? '';
      const named = await codeBlock(page, 'firestore.rules').textContent() ?? '';
      expect(collectionsOf(file)).toEqual([...new Set(named.match(/shardline_\w+/g))].sort());
      expect(JSON.parse(file).fieldOverrides).toEqual(whole.filter((/** @type {any} */ { collectionGroup }) => collectionsOf(file).includes(collectionGroup)));
      await expect(page.locator('[data-part=deploy] > p')).toContainText('TTL');
    }
  }
});

const BUTTONS = /** @type {const} */ ([
  ['one-like', 'project'], ['one-vote', 'project'], ['signed-in', 'project'], ['public', 'project'], ['one-like', 'emulator'], ['public', 'emulator'],
]);

for (const [access, where] of BUTTONS) {
  test(`9: the code to paste is a working like button, under its own rules: ${access}, ${where}`, longUnless(access === 'one-like' && where === 'project'), async ({ browser, lesson, page }) => {
    test.setTimeout(120_000);
    await lesson.open('your-app', 'code', { knobs: `access=${access}&where=${where}` });
    await expect(page.locator('.recipe'), 'it comes when it has been computed').toBeVisible();
    const files = await page.locator('.code-block').evaluateAll((blocks) => Object.fromEntries(blocks.map((block) => [
      block.querySelector('.label')?.textContent ?? '', block.querySelector('code')?.textContent ?? ''])));
    const { projectId, problem } = await loadRules(places.emulator, files['firestore.rules'] ?? '');
    expect(problem).toBe('');
    const rest = new RestClient({ url: places.emulator, projectId });
    await rest.deleteAll();
    if (where === 'emulator') {
      const command = inPlace(await page.locator('[data-part=create-there] code').textContent() ?? '', projectId);
      expect(command).toMatch(/^npx shardline counter create /);
      await run('node', [join(WEB, 'bin/shardline.js'), ...command.trim().split(' ').slice(2)], { cwd: BUILD });
      expect((await rest.get('posts/p1')).fields).toEqual({ num_shards: { integerValue: '40' } });
    } else {
      // By hand; the step says so.
      await rest.set('posts/p1', { num_shards: { integerValue: '40' } });
    }
    const app = await serveApp(`like-${access}-${where}`, { ...files, 'src/main.js': inPlace(files['src/main.js'] ?? '', projectId) });

    const [ann, bob] = await Promise.all(['ann', 'bob'].map((uid) => openAs(browser, uid, app.url, projectId)));
    const button = (/** @type {Page} */ user) => user.getByRole('button');
    const total = (/** @type {Page} */ user) => user.locator(access === 'one-like' ? 'shard-counter [part=value]' : '#likes');
    await button(ann).click();
    await expect(total(ann)).toContainText('1');
    await expect.poll(() => sumOf(rest)).toBe(1);
    await button(bob).click();
    await expect.poll(() => sumOf(rest)).toBe(2);
    const answered = ann.waitForResponse(/:(commit|batchGet)\b/);
    await button(ann).click();
    await answered;
    await expect.poll(() => sumOf(rest)).toBe({ 'one-like': 1, 'one-vote': 2 }[access] ?? 3);
    for (const user of [ann, bob]) await expect(user.locator('#problem')).toBeEmpty();
    const listed = await Promise.all(['', 'posts/p1/shardline/shards.count'].map((parent) => rest.post('listCollectionIds', {}, parent)));
    const written = listed.flatMap(({ json }) => json.collectionIds ?? []).filter((id) => id.startsWith('shardline_'));
    expect(written, 'documents of its own').toEqual([access.startsWith('one-') ? 'shardline_members' : 'shardline_markers']);
    expect(collectionsOf(files['firestore.indexes.json'] ?? ''), 'and the index file is about them').toEqual(expect.arrayContaining(written));
    await rest.deleteAll();
    await button(ann).click();
    await expect(ann.locator('#problem'), 'what a reader most likely has forgotten comes first').toContainText(/^There may be no counter posts\/p1: create it\./);
    await Promise.all([ann, bob].map((user) => user.context().close()));
    await app.stop();
  });
}

/** @param {Page} page @param {string} label */
function codeBlock(page, label) {
  return page.locator('.code-block').filter({ has: page.locator('.label', { hasText: new RegExp(`^${label}$`) }) }).locator('code');
}

/** @param {RestClient} rest @returns {Promise<number>} What the shards hold together. */
async function sumOf(rest) {
  const shards = await rest.list('posts/p1/shards');
  return shards.reduce((/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields.count.integerValue), 0);
}

/**
 * The app that the page has shown, with this worker's emulator in place of a real project or of an emulator at the usual port.
 * @param {string} code
 * @param {string} projectId
 */
function inPlace(code, projectId) {
  const host = `host: '${places.emulator}'`;
  if (code.includes('demo-like')) {
    expect(code).toContain('http://127.0.0.1:8080');
    return code.replaceAll('demo-like', projectId).replaceAll('http://127.0.0.1:8080', places.emulator);
  }
  const placeholder = "{ projectId: 'my-project', apiKey: 'my-web-api-key' }";
  expect(code).toContain(placeholder);
  return code.includes('connect(app)')
    ? code.replace(placeholder, `{ projectId: '${projectId}', apiKey: 'key' }`).replace('connect(app)', `connect(app, { ${host} })`)
    : code.replace(placeholder, `{ projectId: '${projectId}', ${host} }`);
}

/**
 * Builds the app that the page has shown.
 * @param {string} name
 * @param {Record<string, string>} files By their labels.
 */
async function serveApp(name, files) {
  const folder = await makeApp(name, { 'index.html': files['index.html']?.replace('<head>', '<head><link rel="icon" href="data:,">') ?? '' });
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/main.js'), files['src/main.js'] ?? '');
  for (const scope of ['firebase', '@firebase']) await symlink(join(TESTS, 'node_modules', scope), join(folder, 'node_modules', scope));
  await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel=error'], { cwd: folder });
  return serveFolder(join(folder, 'dist'));
}

/**
 * A browser of somebody's own, for whom Google's sign-in, or its emulator, answers as it does where anonymous sign-in is enabled.
 * @param {import('@playwright/test').Browser} browser
 * @param {string} uid
 * @param {string} url
 * @param {string} projectId
 */
async function openAs(browser, uid, url, projectId) {
  const page = await (await browser.newContext()).newPage();
  const idToken = userToken(uid, { projectId });
  await page.route('**/identitytoolkit.googleapis.com/**', (route) => {
    const isLookup = route.request().url().includes('accounts:lookup');
    return route.fulfill({
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
      json: isLookup ? { users: [{ localId: uid }] } : { idToken, refreshToken: 'refresh', expiresIn: '3600', localId: uid },
    });
  });
  await page.goto(url);
  await expect(page.getByRole('button')).toBeEnabled();
  await expect.poll(() => page.evaluate(() => /** @type {any} */ (document.querySelector('shard-counter'))?.user), 'signed in').not.toBeNull();
  return page;
}
