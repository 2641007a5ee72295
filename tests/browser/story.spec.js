/** The purpose of the page, from the first connection to the last page of a query. */
import { longUnless } from './support/long.js';
import { places } from './support/places.js';
import { expect, test } from './support/test.js';

test.beforeEach(({ tutorial }) => tutorial.open());

test('connects to the emulator of scripts/demo by itself', async ({ tutorial, page, watch }) => {
  await expect(tutorial.header.getByText(`Connected to ${new URL(places.emulator).host}`)).toBeVisible();
  await expect(tutorial.connect).toBeHidden();
  await expect(page).toHaveTitle(/Shardline/);
  const expected = [new URL(places.tutorial).origin, places.emulator];
  expect(watch.origins.sort(), 'nothing is loaded from elsewhere').toEqual(expected.sort());
});

test.describe('counter', () => {
  test('is created, incremented, and read in both ways', async ({ tutorial, firestore }) => {
    await tutorial.create.click();
    await expect(tutorial.counter.getByText('Created counters/demo with 10 shards, in one atomic commit.')).toBeVisible();
    expect((await firestore.get('counters/demo')).fields).toEqual({ num_shards: { integerValue: '10' } });
    expect(await shardDocuments(firestore)).toHaveLength(10);

    for (let presses = 0; presses < 3; presses += 1) await tutorial.plusOne.click();
    await tutorial.plusTen.click();
    await tutorial.add(-3);
    await tutorial.expectTotal('10');
    await expect(tutorial.counter.getByText(/One sum over the shards, on the server: 1 read, .*\sms/)).toBeVisible();

    await tutorial.readShards();
    await expect(tutorial.counter.getByText(/Every shard document, added up here: 10 reads, .*\sms/)).toBeVisible();
    await tutorial.expectTotal('10');
    const shown = await tutorial.bars.evaluate((table) => [...table.querySelectorAll('tbody tr')].map((row) => [
      row.querySelector('th')?.textContent, row.querySelector('td:last-child')?.textContent]));
    const stored = (await shardDocuments(firestore)).map((document) => [
      document.name.split('/').at(-1), document.fields.count.integerValue]);
    expect(shown).toEqual(stored);
    expect(stored.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(10);
  });

  test('compares what both ways of reading cost', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.shards.fill('25');
    await tutorial.createCounter();
    await tutorial.readSum();
    const comparison = tutorial.counter.locator('.comparison');
    await expect(comparison).toContainText(/Sum on the server1 read.*Every shard25 reads/);
    await tutorial.readShards();
    await expect(comparison.locator('[data-chosen=true]')).toHaveText(/Every shard25 reads/);
    await expect(comparison).toContainText(/Sum on the server1 read/);
  });

  test('keeps its count when it is created again', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.createCounter();
    await tutorial.plusTen.click();
    await tutorial.expectTotal('10');
    await tutorial.create.click();
    const kept = 'counters/demo exists already, with 10 shards. Shardline kept its count.';
    await expect(tutorial.counter.getByText(kept)).toBeVisible();
    await tutorial.readSum();
    await tutorial.expectTotal('10');
  });

  test('counts every one of many rapid presses', async ({ tutorial, firestore }) => {
    await tutorial.createCounter();
    await tutorial.plusOne.evaluate((button) => {
      for (let presses = 0; presses < 50; presses += 1) /** @type {HTMLButtonElement} */ (button).click();
    });
    await tutorial.expectTotal('50');
    await expect(tutorial.counter.getByText(/^On the way/)).toBeHidden();
    const counts = (await shardDocuments(firestore)).map((document) => Number(document.fields.count.integerValue));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50);
    expect(await tutorial.requestsOf(':commit').count(), 'those close together went as one').toBeLessThan(25);
  });

  test('says that the bars are older than the increments', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.createCounter();
    await tutorial.readShards();
    await expect(tutorial.bars).toBeVisible();
    await expect(tutorial.counter.getByText('There have been increments since.')).toBeHidden();
    await tutorial.plusOne.click();
    await expect(tutorial.counter.getByText('There have been increments since.')).toBeVisible();
  });

  test('reads the total after increments only if it is to', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.counter.getByLabel(/Read the total after increments/).uncheck();
    await tutorial.plusOne.click();
    await expect(tutorial.requestsOf(':commit')).toHaveCount(1);
    await expect(tutorial.counter.getByText(/^On the way/)).toBeHidden();
    await tutorial.expectTotal('–');
    await tutorial.readSum();
    await tutorial.expectTotal('1');
  });

  test('shows numbers beyond 2^53, negative ones and fractions as they are', async ({ tutorial }) => {
    await tutorial.add('9007199254740993');
    await tutorial.expectTotal('9,007,199,254,740,993');
    await tutorial.path.fill('counters/other');
    await tutorial.expectTotal('–');
    await tutorial.add('-2.5');
    await tutorial.expectTotal('-2.5');
    await tutorial.readShards();
    await expect(tutorial.bars).toContainText('-2.5');
  });

  const layouts = [
    {
      label: 'Swift, Objective-C, Java, Kotlin',
      path: 'counters/demo',
      shard: 'counters/demo/shards/0',
      field: 'count',
      parent: { numShards: { integerValue: '2' } },
    },
    { label: 'Node.js, Python, C#', path: 'counters/demo', shard: 'counters/demo/shards/0', field: 'count' },
    { label: 'Go', path: 'counters/demo', shard: 'counters/demo/shards/0', field: 'Count' },
    { label: 'PHP', path: 'counterShards', shard: 'counterShards/0', field: 'Cnt' },
    { label: 'Ruby', path: 'counterShards', shard: 'counterShards/0', field: 'count' },
    { label: 'Collection of shards', path: 'counterShards', shard: 'counterShards/0', field: 'count' },
  ];
  for (const { label, path, shard, field, parent } of layouts) {
    test(`has the layout of ${label}`, longUnless(label === 'PHP'), async ({ tutorial, firestore }) => {
      await tutorial.counter.getByLabel('Layout').selectOption({ label });
      await expect(tutorial.path, 'proposes a path that suits').toHaveValue(path);
      await tutorial.shards.fill('2');
      await tutorial.create.click();
      await expect(tutorial.counter.getByText(/^Shardline created .* with 2 shards/)).toBeVisible();
      expect(Object.keys((await firestore.get(shard)).fields)).toEqual([field]);
      if (parent) expect((await firestore.get(path)).fields).toEqual(parent);
      await tutorial.plusOne.click();
      await tutorial.expectTotal('1');
    });
  }

  test('says what is pending as the library does', async ({ tutorial, page }) => {
    await tutorial.createCounter();
    /** @type {() => void} */
    let letGo = () => {};
    const held = new Promise((resolve) => { letGo = () => resolve(undefined); });
    await page.route('**/*:commit', async (route) => {
      await held;
      await route.continue();
    });
    await tutorial.plusTen.click();
    await tutorial.add(-3);
    await expect(tutorial.counter.getByText('On the way: 7')).toBeVisible();
    letGo();
    await expect(tutorial.counter.getByText(/^On the way/)).toBeHidden();
    await tutorial.expectTotal('7');
  });

  test('is followed live, also while others count', async ({ tutorial, firestore }) => {
    await tutorial.counter.getByLabel(/Read the total after increments/).uncheck();
    await tutorial.createCounter();
    const live = tutorial.counter.locator('.live-total');
    const follow = tutorial.counter.getByLabel(/Follow the total live/);
    await follow.check();
    await expect(live).toHaveText('0 Live. On the way: 0.');
    await tutorial.plusOne.click();
    await expect(live).toHaveText('1 Live. On the way: 0.');
    await firestore.set('counters/demo/shards/0', { count: { integerValue: '41' } });
    await expect(live).toContainText(/^4[12] /);
    await tutorial.expectTotal('–');
    await follow.uncheck();
    await expect(live).toBeEmpty();
    await follow.check();
    await tutorial.path.fill('counters/other');
    await expect(follow, 'it was another counter').not.toBeChecked();
    await expect(live).toBeEmpty();
  });

  test('shares a total among its readers', { tag: '@long' }, async ({ tutorial, firestore }) => {
    await tutorial.createCounter();
    await tutorial.plusTen.click();
    await tutorial.expectTotal('10');
    const press = () => tutorial.counter.getByRole('button', { name: /^Read the shared total/ }).click();
    await press();
    // It does not exist yet: the read that looks for it is billed as well, and is no part of the sum's cost.
    await expect(tutorial.counter.getByText(/^No shared total was fresh enough, so the server added up again: 2 reads, .*\sms$/)).toBeVisible();
    await expect(tutorial.counter.locator('.comparison > div').filter({ hasText: 'Sum on the server' })).toContainText('1 read');
    // A reader that finds it older than a second adds up; the next reader within that second pays one read.
    await expect(async () => {
      await press();
      await press();
      await expect(tutorial.counter.getByText(/^A total that all readers share, at most a second old: 1 read, .*\sms$/)).toBeVisible({ timeout: 1000 });
    }).toPass();
    await tutorial.expectTotal('10');
    const shared = await firestore.runQuery({ from: [{ collectionId: 'shardline_totals', allDescendants: true }] });
    expect(shared).toHaveLength(1);
  });

  test('tells how the load is spread, and changes its shards without losing a count', { tag: '@long' }, async ({ tutorial, firestore }) => {
    await tutorial.shards.fill('4');
    await tutorial.createCounter();
    for (let presses = 0; presses < 4; presses += 1) await tutorial.plusTen.click();
    await tutorial.expectTotal('40');
    await tutorial.counter.getByRole('button', { name: /^How the load is spread/ }).click();
    await expect(tutorial.counter.getByText(/^Commits that this page has sent: \d+\. Of these, 0 met other commits .* suggests: \d+\.$/)).toBeVisible();
    await expect(tutorial.bars.getByRole('rowheader')).toHaveText(['0', '1', '2', '3']);
    for (const [count, folded] of [['1', '3 documents'], ['6', '0 documents']]) {
      await tutorial.shards.fill(String(count));
      await tutorial.counter.getByRole('button', { name: /^Resize/ }).click();
      await expect(tutorial.counter.getByText(`counters/demo has ${count} shard`)).toContainText(String(folded));
      expect((await firestore.get('counters/demo')).fields).toEqual({ num_shards: { integerValue: count } });
      await tutorial.readSum();
      await tutorial.expectTotal('40');
    }
    await tutorial.shards.fill('0');
    await tutorial.counter.getByRole('button', { name: /^Resize/ }).click();
    await expect(tutorial.shards).toBeFocused();
    await expect(tutorial.shards).toHaveAttribute('aria-invalid', 'true');
  });

  test('shows the library’s rules for such counters', { tag: '@long' }, async ({ tutorial }) => {
    const { openWorkbench } = await import('../../web/library/workbench.js');
    const { counterRules } = await openWorkbench();
    await tutorial.counter.getByText('Security rules for such counters').click();
    const code = tutorial.counter.locator('.care .code-block code');
    await expect(code).toHaveText(counterRules({ path: 'counters/{counter}', shards: 10, access: 'public' }));
    await tutorial.counter.getByRole('radio', { name: /^A vote/ }).check();
    await tutorial.counter.getByLabel('Layout').selectOption({ label: 'PHP' });
    await expect(code).toHaveText(counterRules({ path: 'counterShards', layout: 'php-sample', shards: 10, access: 'one-vote' }));
  });

  test('increments by reading first when it is told to', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.createCounter();
    await tutorial.counter.getByLabel('If an answer is lost').selectOption({ label: 'Check before writing' });
    await tutorial.log.getByRole('button', { name: 'Clear' }).click();
    await tutorial.plusOne.click();
    await tutorial.expectTotal('1');
    await expect(tutorial.requestsOf(':batchGet')).toHaveCount(1);
    await expect(tutorial.requestsOf(':batchGet')).toContainText('1 read');
    await expect(tutorial.requestsOf(':commit')).toContainText('1 write');
  });
});

test.describe('instruments', () => {
  test('are inserted as the documentation has them, each on a random shard', async ({ tutorial, firestore }) => {
    await tutorial.insertSamples();
    const documents = await firestore.list('instruments');
    const symbols = documents.map(({ fields }) => fields.symbol.stringValue);
    expect(symbols.sort()).toEqual(['AAA', 'BBB', 'Index1 ETF']);
    for (const { fields } of documents) expect(['x', 'y', 'z']).toContain(fields.shard.stringValue);
    const first = documents.find(({ fields }) => fields.symbol.stringValue === 'AAA');
    expect(first.fields).toMatchObject({
      price: { mapValue: { fields: { currency: { stringValue: 'USD' }, micros: { integerValue: '34790000' } } } },
      exchange: { stringValue: 'EXCHG1' },
      instrumentType: { stringValue: 'commonstock' },
      timestamp: { timestampValue: '2019-01-01T13:45:23.010Z' },
    });
  });

  test('answer the three sample queries, merged and newest first', async ({ tutorial, firestore }) => {
    await tutorial.insertSamples();
    const shardOf = new Map((await firestore.list('instruments')).map(({ fields }) => [
      fields.symbol.stringValue, fields.shard.stringValue]));

    await tutorial.query('Common stock');
    expect(await tutorial.rows()).toEqual([
      {
        'No.': '1',
        Symbol: 'BBB',
        Type: 'commonstock',
        Exchange: 'EXCHG2',
        Price: '64,272 JPY',
        'Timestamp (UTC)': '2019-01-01 13:45:23.101',
        Shard: shardOf.get('BBB'),
      },
      {
        'No.': '2',
        Symbol: 'AAA',
        Type: 'commonstock',
        Exchange: 'EXCHG1',
        Price: '34.79 USD',
        'Timestamp (UTC)': '2019-01-01 13:45:23.010',
        Shard: shardOf.get('AAA'),
      },
    ]);
    await tutorial.query('Exchange 1');
    expect((await tutorial.rows()).map((row) => row.Symbol)).toEqual(['AAA', 'Index1 ETF']);
    await tutorial.query('In US dollars');
    expect((await tutorial.rows()).map((row) => row.Symbol)).toEqual(['AAA', 'Index1 ETF']);
    await expect(tutorial.instruments.getByText(/^Rows 1 to 2: 1 request, 2 reads, .*\sms\.$/)).toBeVisible();
    await expect(tutorial.nextPage).toBeHidden();

    await tutorial.instruments.getByLabel('Order').selectOption({ label: 'Oldest first' });
    await expect(tutorial.results, 'what is shown belongs to what is chosen').toBeHidden();
    await tutorial.query('In US dollars');
    expect((await tutorial.rows()).map((row) => row.Symbol)).toEqual(['Index1 ETF', 'AAA']);
  });

  test('come page by page, in the order of one unsharded query', async ({ tutorial, firestore }) => {
    await tutorial.insertRandom();
    await tutorial.insertSamples();
    await tutorial.instruments.getByLabel('Limit').fill('10');
    await tutorial.query('Exchange 1');
    const pages = [await tutorial.rows()];
    let beyond = false;
    while (await tutorial.hasNextPage()) {
      await tutorial.nextPage.click();
      const firstRow = tutorial.results.getByRole('cell', { name: String(pages.length * 10 + 1), exact: true });
      // If the last page was full, it takes one more question to learn that it was the last.
      await expect(firstRow.or(tutorial.instruments.getByText('There are no more documents.'))).toBeVisible();
      beyond = !await firstRow.isVisible();
      if (!beyond) pages.push(await tutorial.rows());
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat().map(symbolAndTime)).toEqual(await unsharded(firestore, 'exchange', 'EXCHG1'));

    const requests = await tutorial.requests.count();
    if (beyond) await tutorial.previousPage.click();
    await tutorial.previousPage.click();
    expect(await tutorial.rows(), 'a page that was seen').toEqual(pages.at(-2));
    await tutorial.nextPage.click();
    expect(await tutorial.rows()).toEqual(pages.at(-1));
    expect(await tutorial.requests.count(), 'comes back without a request').toBe(requests);
  });

  test('are asked chunk by chunk when there are many shard values', { tag: '@long' }, async ({ tutorial, firestore }) => {
    const plan = tutorial.instruments.getByRole('group', { name: 'Plan' });
    await tutorial.shardValues.fill('');
    await expect(plan).toContainText('Requests–');
    await tutorial.shardValues.fill('60');
    await expect(plan).toContainText('2 (shard values: 30 + 30)');
    await expect(plan).toContainText('Requests2');
    await tutorial.insertRandom();
    await tutorial.instruments.getByLabel('Limit').fill('7');
    await tutorial.query('In US dollars');
    const expected = await unsharded(firestore, 'price.currency', 'USD');
    expect((await tutorial.rows()).map(symbolAndTime)).toEqual(expected.slice(0, 7));
  });

  test('have a plan that says which index the query needs', { tag: '@long' }, async ({ tutorial }) => {
    const plan = tutorial.instruments.getByRole('group', { name: 'Plan' });
    await expect(plan).toContainText('1 (shard values: 3)');
    await tutorial.instruments.getByRole('radio', { name: /In US dollars/ }).check();
    await plan.getByText('For firestore.indexes.json').click();
    const { indexes: [index] } = JSON.parse(await plan.locator('pre').innerText());
    expect(index.collectionGroup).toBe('instruments');
    expect(index.fields.map((/** @type {{fieldPath: string}} */ field) => field.fieldPath))
      .toEqual(['shard', 'price.currency', 'timestamp']);
    expect(index.fields.at(-1).order).toBe('DESCENDING');
  });

  test('say so when nothing matches', { tag: '@long' }, async ({ tutorial }) => {
    await tutorial.query('Common stock');
    await expect(tutorial.instruments.getByText('No document matches. Have you inserted the samples?')).toBeVisible();
    await expect(tutorial.results).toBeHidden();
  });
});

test.describe('ids', () => {
  test('are given once each, from blocks of the sequence’s shards', async ({ tutorial, firestore, watch }) => {
    watch.expectFailedRequests(); // There is no sequence at first.
    const { ids } = tutorial;
    await ids.getByRole('button', { name: 'Next id' }).click();
    await expect(ids.getByRole('status')).toContainText('There is no sequence');
    await ids.getByLabel('Shards', { exact: true }).fill('3');
    await ids.getByLabel('Ids in a block').fill('4');
    await ids.getByRole('button', { name: 'Create the sequence' }).click();
    await expect(ids.getByText('Shardline created sequences/demo with 3 shards.')).toBeVisible();
    expect((await firestore.get('sequences/demo')).fields.shards).toEqual({ integerValue: '3' });
    const chips = ids.getByRole('listitem');
    for (let presses = 1; presses <= 5; presses += 1) {
      await ids.getByRole('button', { name: 'Next id' }).click();
      await expect(chips).toHaveCount(presses);
    }
    await expect(tutorial.requestsOf(':commit').filter({ hasText: '1 write' }), 'two blocks').toHaveCount(2);
    await ids.getByRole('button', { name: 'Take 10 at once' }).click();
    await expect(chips).toHaveCount(15);
    expect(new Set(await chips.allTextContents()).size).toBe(15);
    await ids.getByLabel('Ids in a block').fill('0');
    await expect(chips, 'they were of another sequence').toHaveCount(0);
    await ids.getByRole('button', { name: 'Next id' }).click();
    await expect(ids.getByLabel('Ids in a block')).toBeFocused();
  });
});

test.describe('request log', () => {
  test('shows every request with its cost, and their totals', async ({ tutorial }) => {
    const first = tutorial.requests.first();
    await expect(first).toContainText('POST :runAggregationQuery');
    await expect(first).toContainText('/v1/projects/demo/databases/(default)/documents/counters/demo');
    await tutorial.create.click();
    await expect(first).toContainText('POST :commit');
    await expect(first).toContainText('200');
    await expect(first).toContainText(/\d\sms/);
    await expect(first).toContainText('11 writes');
    await expect(tutorial.log.locator('dl')).toContainText('writes11');
    await expect(tutorial.header).toContainText('11 writes');

    await tutorial.log.getByRole('button', { name: 'Clear' }).click();
    await expect(tutorial.log.getByText('No requests yet.')).toBeVisible();
    await expect(tutorial.header).toContainText('0 reads');
    await expect(tutorial.header).toContainText('0 writes');
  });

  test('keeps the last hundred, and counts the others', { tag: '@long' }, async ({ tutorial, watch }) => {
    await tutorial.counter.getByLabel(/Read the total after increments/).uncheck();
    // A read and a write for each increment, and more where they get in each other's way.
    watch.expectFailedRequests();
    await tutorial.useTransactions();
    await tutorial.plusOne.evaluate((button) => {
      for (let presses = 0; presses < 60; presses += 1) /** @type {HTMLButtonElement} */ (button).click();
    });
    await expect(tutorial.counter.getByText(/^On the way/)).toBeHidden({ timeout: 30_000 });
    await expect(tutorial.requests).toHaveCount(100);
    const counted = tutorial.log.locator('dl > div').filter({ hasText: 'requests' }).locator('dd');
    await expect.poll(async () => Number(await counted.innerText())).toBeGreaterThan(120);
  });
});

/** @param {import('../emulator/support/rest.js').RestClient} firestore */
function shardDocuments(firestore) {
  return firestore.runQuery({
    from: [{ collectionId: 'shards' }],
    orderBy: [{ field: { fieldPath: '__name__' } }],
  }, { parent: 'counters/demo' });
}

/** @param {{[column: string]: string}} row */
function symbolAndTime(row) {
  return [row.Symbol, row['Timestamp (UTC)']];
}

/**
 * The same query without shards, newest first, answered by the emulator itself.
 * @param {import('../emulator/support/rest.js').RestClient} firestore
 * @param {string} fieldPath
 * @param {string} stringValue
 */
async function unsharded(firestore, fieldPath, stringValue) {
  const documents = await firestore.runQuery({
    from: [{ collectionId: 'instruments' }],
    where: { fieldFilter: { field: { fieldPath }, op: 'EQUAL', value: { stringValue } } },
    orderBy: [{ field: { fieldPath: 'timestamp' }, direction: 'DESCENDING' }],
  });
  return documents.map(({ fields }) => [
    fields.symbol.stringValue, fields.timestamp.timestampValue.replace('T', ' ').replace('Z', '')]);
}
