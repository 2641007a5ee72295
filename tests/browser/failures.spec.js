/** When something is wrong, the page names it at the right place, and works again afterwards. */
import { randomUUID } from 'node:crypto';
import { startEmulator } from '../emulator/support/emulator.js';
import { RestClient, userToken } from '../emulator/support/rest.js';
import { loadRules } from '../emulator/support/rules_world.js';
import { longUnless } from './support/long.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

test.describe('connecting elsewhere', () => {
  test.beforeEach(({ tutorial }) => tutorial.openForm());

  test('nothing is sent before Connect is pressed', async ({ tutorial, page, watch }) => {
    expect(watch.origins).toEqual([new URL(page.url()).origin]);
    await tutorial.connectTo(new URL(places.emulator).host);
    await expect(tutorial.header.getByText(`Connected to ${new URL(places.emulator).host}`)).toBeVisible();
    await expect(tutorial.simulator, 'belongs to the other').toBeHidden();
    await tutorial.expectConnected();
    await expect(tutorial.connection.getByRole('button', { name: 'Change' }), 'keeps the focus').toBeFocused();
  });

  test('a host where nobody answers is named, with what to do', async ({ tutorial, watch }) => {
    watch.expectFailedRequests();
    await tutorial.connectTo('127.0.0.1:9');
    const notice = tutorial.connection.getByRole('status');
    await expect(notice).toContainText('No answer from http://127.0.0.1:9.');
    await expect(notice).toContainText('Is the emulator running there?');
    await expect(tutorial.plusOne).toBeDisabled();
    await expect(tutorial.requests.first()).toContainText('no answer');

    await tutorial.connectTo(places.emulator);
    await tutorial.expectConnected();
    await expect(notice).toBeEmpty();
  });

  for (const host of ['', 'not a host', 'ftp://127.0.0.1', 'http://']) {
    test(`“${host}” is refused as a host, at its field`, longUnless(host === 'not a host'), async ({ tutorial }) => {
      await tutorial.connectTo(host);
      await expect(tutorial.host).toBeFocused();
      await expect(tutorial.host).toHaveAttribute('aria-invalid', 'true');
      await expect(tutorial.host).toHaveAccessibleDescription(/^Type a host and a port such as 127\.0\.0\.1:8080\./);
      await tutorial.host.fill(places.emulator);
      await expect(tutorial.host).not.toHaveAttribute('aria-invalid');
    });
  }

  test('a server that is no Firestore is recognised', { tag: '@long' }, async ({ tutorial, page, watch }) => {
    watch.expectFailedRequests();
    await page.route('http://127.0.0.1:9/**', (route) => route.fulfill({
      status: 200,
      contentType: 'text/html',
      headers: { 'access-control-allow-origin': '*' },
      body: '<!doctype html><title>Welcome to nginx!</title>',
    }));
    await tutorial.connectTo('127.0.0.1:9');
    await expect(tutorial.connection.getByRole('status').locator('.notice')).toHaveAttribute('data-kind', 'error');
    await expect(tutorial.plusOne).toBeDisabled();
  });

  test('a bad project id is refused', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.connection.getByLabel('Project id').fill('');
    await tutorial.connectTo(places.emulator);
    await expect(tutorial.connection.getByLabel('Project id')).toBeFocused();
    await tutorial.connection.getByLabel('Project id').fill('a/b');
    await tutorial.connectTo(places.emulator);
    await expect(tutorial.connection.getByRole('status')).toContainText('project');
  });

  test('a real project gets its key, which the log never shows', async ({ tutorial, page }) => {
    // The emulator serves several runs.
    const projectId = `my-project-${randomUUID()}`;
    /** @type {string[]} */
    const asked = [];
    await page.route('https://firestore.googleapis.com/**', async (route) => {
      const url = new URL(route.request().url());
      asked.push(url.searchParams.get('key') ?? '');
      const response = await route.fetch({ url: places.emulator + url.pathname });
      await route.fulfill({ response });
    });
    await tutorial.connection.getByRole('radio', { name: 'Firebase project' }).check();
    await expect(tutorial.host).toBeHidden();
    await tutorial.connection.getByLabel('Project id').fill(projectId);
    await tutorial.connection.getByLabel('Web API key').fill('AIza-secret');
    await tutorial.connect.click();
    await expect(tutorial.connection.getByText(`Connected to project ${projectId} at firestore.googleapis.com.`)).toBeVisible();
    await tutorial.plusOne.click();
    await tutorial.expectTotal('1');
    expect(new Set(asked)).toEqual(new Set(['AIza-secret']));
    await expect(page.locator('body')).not.toContainText('AIza-secret');
  });
});

test.describe('input that cannot be meant', () => {
  test.beforeEach(({ tutorial }) => tutorial.open());

  test('a path that is no document is refused at its field, and nothing is sent', { tag: '@long' }, async ({ tutorial }) => {
    const requests = await tutorial.requests.count();
    await tutorial.path.fill('counters');
    await tutorial.plusOne.click();
    await expect(tutorial.path).toBeFocused();
    await expect(tutorial.path).toHaveAttribute('aria-invalid', 'true');
    await expect(tutorial.path).toHaveAccessibleDescription(/counters/);
    for (const path of ['', 'a//b', 'a/..', `a/${'x'.repeat(1501)}`]) {
      await tutorial.path.fill(path);
      await tutorial.create.click();
      await expect(tutorial.path, `“${path.slice(0, 20)}”`).toHaveAttribute('aria-invalid', 'true');
    }
    expect(await tutorial.requests.count()).toBe(requests);
    await tutorial.path.fill('counters/fine');
    await tutorial.plusOne.click();
    await tutorial.expectTotal('1');
    await expect(tutorial.path).not.toHaveAttribute('aria-invalid');
  });

  test('a number of shards that no counter can have is refused at its field', { tag: '@long' }, async ({ tutorial }) => {
    for (const shards of ['0', '', '10001', '1.5']) {
      await tutorial.shards.fill(shards);
      await tutorial.create.click();
      await expect(tutorial.shards, `“${shards}”`).toBeFocused();
      await expect(tutorial.shards).toHaveAttribute('aria-invalid', 'true');
      await expect(tutorial.shards).toHaveAccessibleDescription(/^shards must be an integer/);
    }
  });

  test('an amount that is no number is refused at its field', { tag: '@long' }, async ({ tutorial }) => {
    for (const amount of ['', 'many', '1e999', '5 5']) {
      await tutorial.add(amount);
      await expect(tutorial.counter.getByLabel('Amount')).toHaveAccessibleDescription('Type a number such as 5, -3 or 0.5.');
    }
    await tutorial.add('99999999999999999999');
    await expect(tutorial.counter.getByRole('status').filter({ hasText: 'That request is not valid.' })).toBeVisible();
  });

  test('a collection, shard values and a limit that cannot be used are refused at their fields', async ({ tutorial }) => {
    const collection = tutorial.instruments.getByLabel('Collection');
    await collection.fill('instruments/one');
    await tutorial.runQuery.click();
    await expect(collection).toBeFocused();
    await expect(collection).toHaveAttribute('aria-invalid', 'true');
    await collection.fill('instruments');
    for (const values of ['', ',', '0', 'x, x']) {
      await tutorial.shardValues.fill(values);
      await tutorial.instruments.getByRole('button', { name: 'Insert the 3 samples' }).click();
      await expect(tutorial.shardValues, `“${values}”`).toBeFocused();
      await expect(tutorial.shardValues).toHaveAttribute('aria-invalid', 'true');
    }
    await tutorial.shardValues.fill('x');
    const limit = tutorial.instruments.getByLabel('Limit');
    for (const count of ['', '0', '2.5']) {
      await limit.fill(count);
      await tutorial.runQuery.click();
      await expect(limit, `“${count}”`).toBeFocused();
      await expect(limit).toHaveAttribute('aria-invalid', 'true');
    }
    await limit.fill('5');
    await tutorial.query('Common stock');
    await expect(tutorial.instruments.getByText(/^No document matches/)).toBeVisible();
  });
});

test('security rules that refuse: says so beside the button, and works with a token', async ({ tutorial, watch }) => {
  watch.expectFailedRequests();
  const { projectId } = await loadRules(places.emulator, `rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents/{document=**} { allow read, write: if request.auth.uid == 'ada'; }
    }`);
  await tutorial.openForm();
  await tutorial.connection.getByLabel('Project id').fill(projectId);
  await tutorial.connectTo(places.emulator);
  await tutorial.expectConnected();
  await expect(tutorial.connection.getByRole('status'))
    .toContainText('its security rules do not let this page read counters/demo');

  await tutorial.create.click();
  const refusal = tutorial.counter.getByRole('status').filter({ hasText: 'The security rules refuse this.' });
  await expect(refusal).toBeVisible();
  await expect(refusal).toContainText('connect with the ID token of a user who may do this');
  await expect(refusal.locator('code').last()).toHaveText(
    'match /counters/{id}/{rest=**} { allow read, write: if request.auth != null; } match /shardline_markers/{id} { allow get, create: if request.auth != null; }');
  await tutorial.runQuery.click();
  await expect(tutorial.instruments.getByRole('status').filter({ hasText: 'The security rules refuse this.' })).toBeVisible();

  await tutorial.connection.getByRole('button', { name: 'Change' }).click();
  await tutorial.connection.getByLabel('ID token').fill(userToken('ada', { projectId }));
  await tutorial.connect.click();
  await tutorial.expectConnected();
  await expect(refusal).toBeHidden();
  await tutorial.createCounter();
  await tutorial.plusOne.click();
  await tutorial.expectTotal('1');
});

test('killed and started again: says what has happened, and goes on', { tag: '@long' }, async ({ tutorial, watch }) => {
  watch.expectFailedRequests();
  const emulator = await startEmulator();
  // Its first answers take long on a busy machine; this test is not about that.
  await new RestClient({ url: emulator.url }).get('warm/up');
  await tutorial.openForm();
  await tutorial.connectTo(emulator.host);
  await tutorial.expectConnected();
  await tutorial.createCounter();

  await emulator.crash();
  await tutorial.readSum();
  await expect(tutorial.header.getByText(`No answer from ${emulator.host}`)).toBeVisible();
  await expect(tutorial.connection.getByRole('status'))
    .toContainText('Has the emulator stopped? Start it again on the same port');
  // When the library has given up.
  await expect(tutorial.counter.getByRole('status').filter({ hasText: `No answer from http://${emulator.host}.` }))
    .toBeVisible({ timeout: 30_000 });

  await emulator.start();
  await tutorial.plusTen.click();
  await tutorial.expectTotal('10');
  await expect(tutorial.header.getByText(`Connected to ${emulator.host}`)).toBeVisible();
  await expect(tutorial.connection.getByRole('status')).toBeEmpty();
  await expect(tutorial.counter.getByRole('status').filter({ hasText: 'No answer' })).toBeHidden();
  await emulator.stop();
});
