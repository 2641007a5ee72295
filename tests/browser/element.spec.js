/** <shard-counter> in pages: under a strict policy, with a keyboard, without a network, fifty at a time. */
/* global app -- a variable that the script of support/element_page.js leaves for tests */
import { violations } from './support/axe.js';
import { ElementPages } from './support/element_page.js';
import { expect, test } from './support/test.js';

/** @type {ElementPages} */
let pages;
test.beforeAll(async () => {
  pages = await ElementPages.serve();
});
test.afterAll(() => pages.stop());

/** Time goes on by page.clock.runFor() alone: on a busy machine, seconds may pass while a page opens. @param {Page} page */
async function stopClock(page) {
  await page.clock.install({ time: 0 });
  // Later than the clock can have come by itself until then.
  await page.clock.pauseAt(3_600_000);
}

/** @param {import('@playwright/test').Page} page */
const ready = (page) => page.waitForFunction(() => globalThis.app !== undefined);

/** The one warning in the console about a like that waits for the network. */
const UNSENT = /^console\.warning: ShardlineError: The server could not be reached/;
const LIKE = '<shard-counter id="like" path="posts/p1" shards="3" type="like" user="ann">1,234</shard-counter>';
const NUMBER = '<shard-counter id="number" path="posts/p1" shards="3">1,234</shard-counter>';

test('a number that the page was sent with stays until the total is known, and follows it', async ({ page }) => {
  await pages.open(page, '<p>It has <shard-counter id="number" path="posts/p1" shards="3">1,200</shard-counter> likes.</p>', { script: 'main' });
  await ready(page);
  const number = page.locator('#number');
  const value = number.locator('[part=value]');
  await expect(number).toHaveText('1,200', { useInnerText: true });
  await expect(number).toHaveJSProperty('state', 'loading');
  expect(await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('counters.wasm')).length), 'the page has one connection of its own').toBe(1);

  await page.evaluate(() => app.useDatabase(app.open));
  await expect(value).toHaveText('1,234');
  await expect(number).toHaveJSProperty('value', 1234);
  await page.evaluate(() => app.others.counter('posts/p1', { shards: 3, flushMs: 0 }).increment(6));
  await expect(value).toHaveText('1,240');
  expect(await page.evaluate(() => app.events.at(-1))).toMatchObject({ type: 'shardline-change', id: 'number', value: 1240, state: 'live', pending: 0 });
});

test('nothing moves when the script comes', async ({ page }) => {
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => { release = () => resolve(undefined); });
  await page.route('**/start.js', async (route) => {
    await held;
    await route.continue();
  });
  const labelled = LIKE.replace('id="like"', 'id="labelled"').replace('>1,234', '><span slot="label">Like</span>1,234');
  const body = `<p id="before">${NUMBER} people like it, ${LIKE} and ${labelled} is what you can do.</p><p id="after">More.</p>`;
  const url = pages.open(page, body);
  await page.locator('#after').waitFor();
  // Browsers show nothing before the styles are there.
  await page.waitForFunction(() => document.styleSheets.length === 2);
  const boxes = () => page.evaluate(() => ['before', 'number', 'like', 'labelled', 'after'].map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return [x, y, width, height].map((side) => Math.round(10 * side) / 10);
  }));
  await page.evaluate(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  });
  const before = await boxes();
  expect(before[2]?.[3], 'the box of a button').toBeGreaterThan(40);
  release();
  await url;
  await ready(page);
  await expect(page.locator('#like')).toHaveJSProperty('state', 'live');
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);
  expect(await boxes()).toEqual(before);
  const shifts = () => page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(globalThis.shifts.map(({ value }) => value))));
  }));
  expect(await shifts()).toEqual([]);
  // The visible effect if something did.
  await page.evaluate(() => document.getElementById('before').prepend(document.createElement('hr')));
  await expect.poll(async () => (await shifts()).length).toBeGreaterThan(0);
});

test('a like is shown at once, counted once, and taken back; also by the keyboard', async ({ page }) => {
  await pages.open(page, LIKE);
  await ready(page);
  const button = page.getByRole('button', { name: 'Like', exact: true });
  const value = page.locator('#like [part=value]');
  await expect(value).toHaveText('1,234');
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);

  await page.evaluate(() => { globalThis.release = app.holdAnswers(); });
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Space');
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(value).toHaveText('1,235');
  await expect(value).toHaveAttribute('data-mark', 'pending');
  expect(await page.evaluate(() => document.querySelector('#like:state(pending):state(liked)') !== null)).toBe(true);
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect(value, 'taken back before the like has arrived').toHaveText('1,234');
  await page.keyboard.press('Enter');
  await expect(value).toHaveText('1,235');
  await page.evaluate(() => globalThis.release());
  await expect(value).toHaveAttribute('data-mark', '');
  await expect(value).toHaveText('1,235');
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-like'))).toEqual([{ type: 'shardline-like', id: 'like', liked: true }]);
  const there = () => page.evaluate(async () => {
    const counter = app.others.countedSet('posts/p1', { shards: 3 });
    return [await counter.has('ann'), (await counter.get()).value];
  });
  expect(await there()).toEqual([true, 1235]);

  await value.click({ force: true });
  await expect(button, 'all of the box is the button').toHaveAttribute('aria-pressed', 'false');
  await expect(value).toHaveAttribute('data-mark', '');
  expect(await there()).toEqual([false, 1234]);
});

test('knows from the beginning that the user likes it, also from another device', async ({ page }) => {
  await pages.open(page, LIKE, { script: 'main' });
  await ready(page);
  await page.evaluate(async () => {
    await app.others.countedSet('posts/p1', { shards: 3 }).add('ann');
    app.useDatabase(app.open);
  });
  const button = page.getByRole('button', { name: 'Like' });
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await button.click();
  await expect(page.locator('#like [part=value]')).toHaveText('1,234');
  await page.evaluate(() => document.getElementById('like').setAttribute('user', 'bob'));
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);
});

test('a press before the database is there is not lost', async ({ page }) => {
  await pages.open(page, LIKE, { script: 'main' });
  await ready(page);
  const button = page.getByRole('button', { name: 'Like' });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await page.evaluate(() => app.useDatabase(app.open));
  await expect(page.locator('#like [part=value]')).toHaveText('1,235');
  await expect.poll(() => page.evaluate(() => app.others.countedSet('posts/p1', { shards: 3 }).has('ann'))).toBe(true);
});

test('a press before the database is there is for what the element showed then, and for nobody else', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, ['path', 'user', 'gone', 'type'].map((id) => LIKE.replace('id="like"', `id="${id}"`)).join(''), { script: 'main' });
  await ready(page);
  for (const button of await page.getByRole('button').all()) await button.click();
  await page.evaluate(async () => {
    const [path, user, gone, type] = ['path', 'user', 'gone', 'type'].map((id) => document.getElementById(id));
    // Recycled for another post, or for the next user; taken out; and no button any more.
    path.path = 'posts/p2';
    user.user = 'bob';
    gone.remove();
    type.type = null;
    await new Promise((resolve) => { setTimeout(resolve); });
    document.querySelector('main').append(gone);
    app.useDatabase(app.open);
  });
  for (const id of ['path', 'user', 'gone', 'type']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  for (const id of ['path', 'user', 'gone']) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', false);
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-like'))).toEqual([]);
});

test('several changes and a press in one moment: each press is for the user whom it was for', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, ['like', 'known', 'turned', 'gone'].map((id) => LIKE.replace('id="like"', `id="${id}"`)).join(''), { script: 'main' });
  await ready(page);
  await page.evaluate(async () => {
    await app.others.countedSet('posts/p1', { shards: 3 }).add('ann');
    document.getElementById('turned').path = 'posts/p2';
    app.useDatabase(app.open);
  });
  for (const id of ['like', 'known', 'gone']) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', true);
  await expect(page.locator('#turned')).toHaveJSProperty('liked', false);
  await page.evaluate(async () => {
    const [known, turned, gone] = ['known', 'turned', 'gone'].map((id) => document.getElementById(id));
    known.user = 'bob';
    await new Promise((resolve) => { setTimeout(resolve); });
    // The element does not show yet that ann likes it: this is a like, and no like is taken back.
    known.user = 'ann';
    known.click();
    // The press has been made, and its outcome is told.
    turned.click();
    turned.type = 'number';
    gone.remove();
    await new Promise((resolve) => { setTimeout(resolve); });
    document.querySelector('main').append(gone);
    gone.path = null;
    await new Promise((resolve) => { setTimeout(resolve); });
  });
  await expect.poll(() => page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-like').map(({ id, liked }) => `${id} ${liked}`).sort()))
    .toEqual(['known true', 'turned true']);
  await expect(page.locator('#like')).toHaveJSProperty('liked', true);
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error'))).toEqual([]);
});

test('fifty elements are one connection; those of one counter are one watch, and know of each other', async ({ page }) => {
  await pages.open(page, `${LIKE.replace('"like"', '"first"')}${LIKE.replace('"like"', '"second"')}${`${NUMBER} `.repeat(50)}`);
  await ready(page);
  await expect.poll(() => page.evaluate(() => [...document.querySelectorAll('shard-counter')].every(({ state }) => state === 'live'))).toBe(true);
  const { opened, reads } = await page.evaluate(() => ({ opened: app.opened, reads: app.reads }));
  expect(opened).toBe(1);
  expect(reads, 'not one for each').toBeLessThan(10);
  await page.locator('#first').getByRole('button').click();
  await expect(page.locator('#second').getByRole('button')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#second [part=value]')).toHaveText('1,235');
  await expect(page.locator('#number').first().locator('[part=value]')).toHaveText('1,235');
});

/** The script for a page whose database has counters with fields: the entry of the page has none. */
const USE_FIELDS = `(async () => {
  const { connect } = await import('./node_modules/shardline/library/index.js');
  app.whole = (fetch) => connect({ projectId: 'demo', fetch, storage: 'memory' });
  const claps = (await app.whole(app.simulator.fetch)).counter('posts/p1', { fields: ['like', 'love', 'laugh'], shards: 3, flushMs: 0 });
  await claps.create();
  await claps.increment({ like: 1, love: 1234 });
  app.claps = claps;
  app.useDatabase(await app.whole(app.fetch));
})()`;

test('elements of one counter with fields show a field each, or the sum, and are one watch', async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: field must be /);
  const element = (/** @type {string} */ id, /** @type {string} */ more) => `<p><shard-counter id="${id}" path="posts/p1" shards="3" ${more}>7</shard-counter></p>`;
  const of = 'fields="like, love, laugh"';
  await pages.open(page, [
    element('like', `${of} field="like"`), element('love', `${of} field="love"`), element('sum', of), element('wrong', `${of} field="hate"`), element('lone', 'field="love"'),
    element('slow', `${of} field="laugh" listen="false" interval-ms="50"`), element('plain', ''),
  ].join(''), { script: 'main' });
  await ready(page);
  await page.evaluate(USE_FIELDS);
  const value = (/** @type {string} */ id) => page.locator(`#${id} [part=value]`);
  for (const [id, text] of [['like', '1'], ['love', '1,234'], ['sum', '1,235'], ['slow', '0'], ['plain', '1,234']]) await expect(value(id)).toHaveText(text);
  for (const id of ['wrong', 'lone']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'error');
  await page.evaluate(() => app.claps.increment({ love: 2, laugh: 5 }));
  for (const [id, text] of [['like', '1'], ['love', '1,236'], ['sum', '1,242'], ['slow', '5'], ['plain', '1,234']]) await expect(value(id)).toHaveText(text);

  const wrong = page.locator('#wrong');
  await wrong.evaluate((shown) => { shown.field = 'laugh'; });
  await expect(wrong.locator('[part=value]'), 'another field').toHaveText('5');
  const asked = await page.evaluate(() => {
    document.getElementById('slow').remove();
    return app.reads;
  });
  await page.evaluate(() => {
    const more = Array.from({ length: 20 }, () => document.getElementById('love').cloneNode(true));
    document.querySelector('main').prepend(...more);
    return Promise.all(more.map((each) => new Promise((resolve) => {
      each.addEventListener('shardline-change', ({ detail }) => detail.value === 1236 && resolve(undefined));
    })));
  });
  expect(await page.evaluate(() => app.reads) - asked, 'not one for each').toBeLessThan(10);
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error').map(({ id, reason }) => [id, reason]))).toEqual([
    ['wrong', 'argument-not-allowed'], ['lone', 'argument-not-allowed'],
  ]);
});

test('a counter with fields of the app’s own shows without attributes, and the increment of this page at once', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, '<shard-counter id="own" field="love">7</shard-counter>', { script: 'main' });
  await ready(page);
  await page.evaluate(USE_FIELDS);
  const own = page.locator('#own');
  await own.evaluate((shown) => { shown.counter = app.claps; });
  await expect(own.locator('[part=value]')).toHaveText('1,234');
  expect(await own.evaluate(async (shown) => {
    const wait = app.claps.increment({ love: 1, like: 5 });
    const now = [shown.value, shown.pending];
    await wait;
    return now;
  })).toEqual([1235, 1]);
  await expect(own).toHaveJSProperty('pending', 0);
});

test('a database without counters with fields says which one has them', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: .*fields.*shardline\/firebase/);
  await pages.open(page, '<shard-counter id="none" path="posts/p1" fields="like,love">7</shard-counter>');
  await ready(page);
  await expect(page.locator('#none')).toHaveJSProperty('state', 'error');
});

test('reads while it is in view, and for 30 seconds more', async ({ page }) => {
  await stopClock(page);
  const far = LIKE.replace('id="like" path="posts/p1"', 'id="far" path="posts/p2"').replace('>1,234<', ' reads-per-hour="600" listen="false">7<');
  await pages.open(page, `${NUMBER}<div class="tall"></div><p>${far}</p>`);
  await ready(page);
  await page.clock.runFor(1000);
  const near = page.locator('#number');
  await expect(near).toHaveJSProperty('state', 'live');
  /** How often a total of that post was asked for. @param {string} post */
  const asked = (post) => page.evaluate((name) => app.asked.filter((url) => url.includes(`/posts/${name}:`)).length, post);
  expect([await asked('p2'), await page.locator('#far').evaluate((element) => element.value)]).toEqual([0, undefined]);

  await page.locator('#far').evaluate((element) => element.scrollIntoView());
  await expect(page.locator('#far')).toHaveJSProperty('state', 'live');
  expect(await asked('p2')).toBeGreaterThan(0);
  await page.evaluate(() => app.others.counter('posts/p1', { shards: 3, flushMs: 0 }).increment(6));
  // A watch that asks, and finds nothing new, asks every 16 seconds.
  await page.clock.runFor(20_000);
  await expect(near, 'not long out of view').toHaveJSProperty('value', 1240);
  await page.clock.runFor(40_000);
  const before = await asked('p1');
  await page.evaluate(() => app.others.counter('posts/p1', { shards: 3, flushMs: 0 }).increment());
  await page.clock.runFor(60_000);
  expect([await asked('p1'), await near.evaluate((element) => element.value)], 'out of view').toEqual([before, 1240]);

  await near.evaluate((element) => element.scrollIntoView());
  await page.clock.runFor(1000);
  await expect(near).toHaveJSProperty('value', 1241);
});

test('reads while it is in the page: not after it was removed, and on without a break when it is moved', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, `${NUMBER}<section></section>`);
  await ready(page);
  const value = page.locator('#number [part=value]');
  await expect(value).toHaveText('1,234');
  expect(await page.evaluate(async () => {
    const element = document.getElementById('number');
    const states = [];
    element.addEventListener('shardline-change', ({ detail }) => states.push(detail.state));
    document.querySelector('section').append(element);
    await new Promise((resolve) => { setTimeout(resolve); });
    document.querySelector('main').moveBefore?.(element, null);
    await new Promise((resolve) => { setTimeout(resolve); });
    return states;
  }), 'a move begins nothing anew').toEqual([]);

  // A read that is under way ends first. Then whoever still watched would read again within a second, as the other watch does.
  const reads = await page.evaluate(async () => {
    globalThis.element = document.getElementById('number');
    globalThis.element.remove();
    const third = await app.open({ fetch: app.simulator.fetch });
    const before = app.reads;
    const seen = new Set();
    for await (const { value } of app.others.counter('posts/p1', { shards: 3 }).watch()) {
      if (value === undefined || seen.has(value)) continue;
      seen.add(value);
      if (seen.size === 4) break;
      await third.counter('posts/p1', { shards: 3, flushMs: 0 }).increment(1);
    }
    return app.reads - before;
  });
  expect(reads).toBe(0);
  expect(await page.evaluate(() => globalThis.element.state)).toBe('loading');
  await page.evaluate(() => document.querySelector('section').append(globalThis.element));
  await expect(page.locator('#number')).toHaveJSProperty('state', 'live');
  await expect(value).toHaveText('1,237');
});

test('properties are attributes, count before the element is defined, and a recycled element shows the other counter', { tag: '@long' }, async ({ page }) => {
  await page.route('**/start.js', async (route) => {
    await page.evaluate(() => {
      const element = /** @type {any} */ (document.getElementById('bare'));
      element.path = 'posts/p2';
      element.shards = 3;
      element.notation = 'compact';
    });
    await route.continue();
  });
  await pages.open(page, '<shard-counter id="bare"></shard-counter>');
  await ready(page);
  const bare = page.locator('#bare');
  const value = bare.locator('[part=value]');
  await expect(value).toHaveText('1.2M');
  await expect(value).toHaveAttribute('title', '1,234,567');
  await expect(bare).toHaveAttribute('path', 'posts/p2');
  await page.evaluate(() => { /** @type {any} */ (document.getElementById('bare')).notation = null; });
  await expect(value).toHaveText('1,234,567');
  await expect(bare).not.toHaveAttribute('notation');
  expect(await page.evaluate(async () => {
    const element = document.getElementById('bare');
    element.path = 'posts/p1';
    await Promise.resolve();
    return [element.state, element.value];
  })).toEqual(['loading', undefined]);
  await expect(value).toHaveText('1,234');

  expect(await page.evaluate(async () => {
    const made = new app.ShardCounter();
    const plain = document.createElement('shard-counter');
    made.counter = app.others.counter('posts/p2', { shards: 3 });
    const opened = app.opened;
    plain.db = await app.open();
    Object.assign(plain, { path: 'posts/p1', shards: 3, intervalMs: 500, maxAgeMs: 0, type: 'like', user: 'cem', label: 'Star', countField: null, layout: null, disabled: true });
    document.body.append(made, plain);
    await new Promise((resolve) => {
      addEventListener('shardline-change', () => made.state === 'live' && plain.state === 'live' && resolve(undefined));
    });
    return [made.value, plain.value, app.opened - opened, plain.outerHTML.replace(/^<shard-counter|><.*$/g, '')];
  })).toEqual([1234567, 1234, 1, ' path="posts/p1" shards="3" interval-ms="500" max-age-ms="0" type="like" user="cem" label="Star" disabled=""']);
  await expect(page.getByRole('button', { name: 'Star' })).toBeDisabled();
});

test('without a network: says so not by colour alone, keeps the like until it can be sent, and recovers', async ({ page, watch }) => {
  watch.expect(UNSENT);
  await pages.open(page, `${NUMBER} ${LIKE}`);
  await ready(page);
  const like = page.locator('#like');
  const button = like.getByRole('button');
  const message = like.getByRole('status');
  await expect(like).toHaveJSProperty('liked', false);
  await page.evaluate(() => { app.isOffline = true; });
  await button.click();
  for (const id of ['number', 'like']) {
    const value = page.locator(`#${id} [part=value]`);
    await expect(value).toHaveAttribute('data-mark', 'offline');
    await expect(value).toHaveCSS('text-decoration-style', 'dashed');
    await expect(page.locator(`#${id}`)).toContainText(/Offline: this number may be old/, { useInnerText: false });
    await expect(value).toHaveText('1,235');
    expect(await page.evaluate((name) => document.querySelector(`#${name}:state(offline)`) !== null, id)).toBe(true);
  }
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error').map(({ id, code }) => [id, code]).sort()))
    .toEqual([['like', 'unavailable'], ['number', 'unavailable']]);
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(message).toHaveText('');
  await page.evaluate(() => { app.isOffline = false; });
  await expect(page.locator('#number')).toHaveJSProperty('state', 'live');
  await expect.poll(() => page.evaluate(() => app.others.countedSet('posts/p1', { shards: 3 }).has('ann'))).toBe(true);
  await expect(like.locator('[part=value]')).toHaveAttribute('data-mark', '');
  await expect(like.locator('[part=value]')).toHaveText('1,235');
});

test('a press shows at once beside an element, whatever options the handle has that counts', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, `${NUMBER} ${LIKE}`, { script: 'main' });
  await ready(page);
  await page.evaluate(async () => {
    app.db = await app.open();
    app.useDatabase(app.db);
  });
  for (const id of ['number', 'like']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  const shown = await page.evaluate(async () => {
    const release = app.holdAnswers();
    const pressed = [
      app.db.counter('posts/p1', { shards: 3, delivery: 'at-least-once', flushMs: 5000 }).increment(30), app.db.counter('posts/p1', { shards: 5, maxDelta: 7 }).increment(6),
      app.db.countedSet('posts/p1', { shards: 4 }).add('bob'),
    ];
    const values = ['number', 'like'].map((id) => document.getElementById(id).value);
    release();
    await Promise.all(pressed);
    return values;
  });
  expect(shown).toEqual([1271, 1271]);
  for (const id of ['number', 'like']) await expect(page.locator(`#${id} [part=value]`)).toHaveText('1,271');
});

test('whether the user likes it is asked again when that has failed, though the total stays as it is', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE, { script: 'main' });
  await ready(page);
  await page.evaluate(() => {
    let failures = 6;
    app.useDatabase(() => app.open({
      fetch: (input, init) => {
        if (!String(input).endsWith(':batchGet') || failures === 0) return app.fetch(input, init);
        failures -= 1;
        return Promise.reject(new TypeError('no network'));
      },
    }));
  });
  await expect(page.locator('#like')).toHaveJSProperty('state', 'live');
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);
});

test('without a user a press asks for one, and the page may see to it itself', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE.replace(' user="ann"', ''));
  await ready(page);
  const like = page.locator('#like');
  await expect(like).toHaveJSProperty('state', 'live');
  await like.getByRole('button').click();
  await expect(like.getByRole('status')).toHaveText('Sign in to like this.');
  await page.evaluate(() => {
    document.getElementById('like').addEventListener('shardline-error', (event) => {
      event.preventDefault();
      if (event.detail.code === 'unauthenticated') event.target.user = 'ann';
    }, { once: true });
  });
  await like.getByRole('button').click();
  await expect(like.getByRole('status')).toHaveText('');
  await expect(like).toHaveJSProperty('liked', false);
  await like.getByRole('button').click();
  await expect(like.locator('[part=value]')).toHaveText('1,235');
});

test('an element that is given another post or another user tells nothing of the press that was for those before', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, ['same', 'path', 'user', 'both'].map((id, i) => LIKE.replace('id="like"', `id="${id}"`).replace('ann', `ann${i}`)).join(''));
  await ready(page);
  const recycle = () => page.evaluate(async () => {
    const [same, path, user, both] = ['same', 'path', 'user', 'both'].map((id) => document.getElementById(id));
    app.events.length = 0;
    const release = app.holdAnswers();
    for (const element of [same, path, user, both]) element.click();
    same.intervalMs = (same.intervalMs ?? 1000) + 1000;
    path.path = 'posts/p2';
    user.user += 'x';
    Object.assign(both, { path: 'posts/p2', user: 'bob' });
    await new Promise((resolve) => { setTimeout(resolve); });
    release();
  });
  const messages = () => page.evaluate(() => [...document.querySelectorAll('shard-counter')].map((each) => each.shadowRoot.querySelector('[part=message]').textContent));
  /** @param {string} type */
  const told = (type) => page.evaluate((name) => app.events.filter((event) => event.type === name).map(({ id, liked, code }) => [id, liked ?? code]), type);
  /** @param {string} user */
  const isCounted = (user) => page.evaluate((name) => app.others.countedSet('posts/p1', { shards: 3 }).has(name), user);

  for (const id of ['same', 'path', 'user', 'both']) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', false);
  await recycle();
  await expect.poll(() => told('shardline-like')).toEqual([['same', true]]);
  for (const user of ['ann0', 'ann1', 'ann2', 'ann3']) await expect.poll(() => isCounted(user)).toBe(true);
  for (const id of ['path', 'user', 'both']) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', false);
  expect(await told('shardline-like')).toEqual([['same', true]]);

  await page.evaluate(() => {
    for (const id of ['path', 'both']) document.getElementById(id).path = 'posts/p1';
    app.refuses = true;
  });
  for (const [id, liked] of /** @type {const} */ ([['path', true], ['user', false], ['both', false]])) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', liked);
  await recycle();
  await expect.poll(messages).toEqual(['That did not work. Try again.', '', '', '']);
  for (const id of ['path', 'user', 'both']) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', false);
  expect(await messages()).toEqual(['That did not work. Try again.', '', '', '']);
  expect(await told('shardline-error')).toEqual([['same', 'permission-denied']]);
});

test('a like button whose counter is no counted set says so, and likes once it has one', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE);
  await ready(page);
  const like = page.locator('#like');
  expect(await page.evaluate(() => new Promise((resolve) => {
    const element = document.getElementById('like');
    element.addEventListener('shardline-error', (event) => {
      event.preventDefault();
      resolve(event.detail.message);
    }, { once: true });
    element.counter = app.others.counter('posts/p1', { shards: 3 });
  }))).toBe('A like button needs a counted set: element.counter = db.countedSet(path).');
  await page.evaluate(() => { document.getElementById('like').counter = app.others.countedSet('posts/p1', { shards: 3 }); });
  await expect(like).toHaveJSProperty('state', 'live');
  await like.getByRole('button').click();
  await expect(like).toHaveJSProperty('liked', true);
});

test('a message ends when somebody has signed in, and with what it was said of', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE.replace(' user="ann"', ''));
  await ready(page);
  const like = page.locator('#like');
  const message = like.getByRole('status');
  const changes = [
    () => { document.getElementById('like').user = 'ann'; },
    () => { document.getElementById('like').path = 'posts/p2'; },
    () => { document.getElementById('like').counter = app.others.countedSet('posts/p1', { shards: 3 }); },
  ];
  for (const change of changes) {
    await expect(like).toHaveJSProperty('state', 'live');
    await like.getByRole('button').click();
    await expect(message).toHaveText('Sign in to like this.');
    await page.evaluate(change);
    await expect(message).toHaveText('');
    await page.evaluate(() => { document.getElementById('like').user = null; });
  }
});

test('a database that does not open is an error, and is opened again when the network is back, or on a press', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE, { script: 'main' });
  await ready(page);
  const like = page.locator('#like');
  await page.evaluate(() => {
    app.isClosed = true;
    app.useDatabase(async () => {
      if (app.isClosed) throw new app.ShardlineError('unavailable', 'The module did not come.', { reason: 'no-network' });
      return app.open();
    });
  });
  await expect(like).toHaveJSProperty('state', 'offline');
  await expect(like).toHaveText(/^1,234/, { useInnerText: true });
  await like.getByRole('button').click();
  await expect(like.getByRole('status')).toHaveText('No connection. Try again.');
  await expect(like.getByRole('button')).toHaveAttribute('aria-pressed', 'false');
  await page.evaluate(() => {
    app.isClosed = false;
    dispatchEvent(new Event('online'));
  });
  await expect(like).toHaveJSProperty('state', 'live');
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error').map(({ code }) => code))).toEqual(['unavailable', 'unavailable']);
});

test('an attribute that is set to what it is changes nothing: a page that answers each error so does not ask for ever', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE, { script: 'main' });
  await ready(page);
  expect(await page.evaluate(async () => {
    let told = 0;
    let asked = 0;
    const isToldTwice = new Promise((resolve) => {
      addEventListener('shardline-error', ({ target }) => {
        target.label = 'Later';
        told += 1;
        if (told === 2) resolve();
      });
    });
    app.useDatabase(() => new Promise((_, reject) => {
      asked += 1;
      setTimeout(reject, 10, new app.ShardlineError('unavailable', 'The module did not come.', { reason: 'no-network' }));
    }));
    await isToldTwice;
    // If the page asked once more, it would do so in one of the next turns.
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => { setTimeout(resolve); });
    return asked;
  }), 'the label is new once').toBe(2);
});

test('a mistake in the page is told to whoever made it', async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: (The attribute|.*posts|Not connected: TypeError)/);
  await pages.open(page, '<shard-counter id="odd" path="posts"></shard-counter><shard-counter id="even" path="posts/p1" shards="many"></shard-counter>');
  await ready(page);
  for (const id of ['odd', 'even']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'error');
  await page.evaluate(() => { document.getElementById('odd').db = {}; });
  await expect.poll(() => page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error').map(({ code }) => code)))
    .toEqual(['invalid-argument', 'invalid-argument', 'unknown']);
  await expect.poll(() => watch.all.length, 'the console says so, too').toBe(3);
  expect(await page.evaluate(() => [
    () => app.useDatabase(undefined), () => app.useDatabase('posts'), () => app.useDatabase({}), () => app.useDatabase({ projectId: 'demo' }),
    () => app.useDatabase(new Proxy({}, { get() { throw new Error('hostile'); } })), () => app.useTexts({ licke: 'x' }), () => app.useTexts({ like: 1 }),
  ].map((call) => {
    try {
      return call();
    } catch (error) {
      return error.code;
    }
  }))).toEqual(Array(7).fill('invalid-argument'));
});

test('a path or a counter may come later; when none has come for long, that is a mistake', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: <shard-counter> needs the attribute `path`/);
  await stopClock(page);
  const bare = (/** @type {string} */ id) => `<shard-counter id="${id}" type="like" user="ann">7</shard-counter>`;
  await pages.open(page, bare('never') + bare('path') + bare('counter'), { script: 'main' });
  await ready(page);
  await page.evaluate(() => app.useDatabase(app.open));
  await page.locator('#counter').getByRole('button').click();
  await page.clock.runFor(9000);
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error'))).toEqual([]);
  for (const id of ['never', 'path', 'counter']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'loading');
  await page.evaluate(() => {
    document.getElementById('path').path = 'posts/p1';
    document.getElementById('counter').counter = app.others.countedSet('posts/p1', { shards: 3 });
  });
  for (const id of ['path', 'counter']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await expect(page.locator('#counter').getByRole('button'), 'the press was not lost').toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#counter [part=value]')).toHaveText('1,235');
  await page.clock.runFor(3000);
  const never = page.locator('#never');
  await expect(never).toHaveJSProperty('state', 'error');
  for (const id of ['path', 'counter']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await page.evaluate(() => { document.getElementById('never').label = 'Star'; });
  await expect.poll(() => watch.all.length, 'once').toBe(1);

  // It waits no second time.
  await never.getByRole('button').click();
  await page.clock.runFor(1000);
  await expect(never.getByRole('status')).toHaveText('That did not work. Try again.');
  await expect(never.getByRole('button')).toHaveAttribute('aria-pressed', 'false');
  await page.evaluate(() => { document.getElementById('never').path = 'posts/p1'; });
  await expect(never).toHaveJSProperty('state', 'live');
});

test('a database that is missing for long: one warning to the console, and nothing is lost', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.warning: <shard-counter> has no database: call useDatabase/);
  await stopClock(page);
  await pages.open(page, LIKE + NUMBER, { script: 'main' });
  await ready(page);
  await page.locator('#like').getByRole('button').click();
  await page.clock.runFor(9000);
  expect(watch.all.length).toBe(0);
  await page.clock.runFor(3000);
  await expect.poll(() => watch.all.length).toBe(1);
  for (const id of ['like', 'number']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'loading');
  await page.evaluate(() => app.useDatabase(app.open));
  for (const id of ['like', 'number']) await expect(page.locator(`#${id} [part=value]`)).toHaveText('1,235');
  expect(watch.all.length).toBe(1);
});

test('a second copy of the library says that the elements go by the first one', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.warning: Another copy of shardline\/element/);
  await pages.open(page, NUMBER, { script: 'main' });
  await ready(page);
  // As another bundle has it: under an address of its own.
  await page.route('**/copy/**', async (route) => route.fulfill({ response: await route.fetch({ url: route.request().url().replace('/copy/', '/library/') }) }));
  await page.evaluate(() => import(/** @type {any} */ ('./node_modules/shardline/copy/element.js')));
  expect(watch.all.length).toBe(1);
});

test('a database that opens at last opens for all elements that wait for it', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, `${LIKE}${NUMBER}${LIKE.replace('"like"', '"other"').replace('posts/p1', 'posts/p2')}`, { script: 'main' });
  await ready(page);
  await page.evaluate(() => {
    app.isClosed = true;
    app.useDatabase(async () => {
      if (app.isClosed) throw new app.ShardlineError('unavailable', 'The module did not come.', { reason: 'no-network' });
      return app.open();
    });
  });
  for (const id of ['like', 'number', 'other']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'offline');
  await page.evaluate(() => { app.isClosed = false; });
  await page.locator('#like').getByRole('button').click();
  for (const id of ['like', 'number', 'other']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await expect(page.locator('#like [part=value]')).toHaveText('1,235');
  expect(await page.evaluate(() => app.opened), 'one connection').toBe(1);
});

test('a database that is named again, as each component of a page may do, begins nothing anew; unless it was closed or did not open', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, `${LIKE}${NUMBER}`, { script: 'main' });
  await ready(page);
  await page.evaluate(() => {
    app.isClosed = true;
    app.openOnce = async () => {
      if (app.isClosed) throw new app.ShardlineError('unavailable', 'The module did not come.', { reason: 'no-network' });
      app.db = await app.open();
      return app.db;
    };
    app.useDatabase(app.openOnce);
  });
  for (const id of ['like', 'number']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'offline');
  await page.evaluate(() => {
    app.isClosed = false;
    for (let i = 0; i < 3; i += 1) app.useDatabase(app.openOnce);
  });
  for (const id of ['like', 'number']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  expect(await page.evaluate(() => app.opened)).toBe(1);
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);
  expect(await page.evaluate(async () => {
    app.events.length = 0;
    for (let i = 0; i < 3; i += 1) {
      app.useDatabase(app.openOnce);
      await new Promise((resolve) => { setTimeout(resolve); });
    }
    return [app.events, app.opened];
  })).toEqual([[], 1]);

  // Elements that come when it is closed say so, until the page opens it again.
  await page.evaluate(async () => {
    for (const id of ['like', 'number']) document.getElementById(id).remove();
    await app.db.close();
    app.useDatabase(app.openOnce);
    document.querySelector('main').append(new app.ShardCounter());
    Object.assign(document.querySelector('shard-counter'), { id: 'late', path: 'posts/p1', shards: 3 });
  });
  await expect(page.locator('#late')).toHaveJSProperty('state', 'live');
  expect(await page.evaluate(() => app.opened)).toBe(2);
});

test('elements of one counter that say different numbers of shards have one truth, and are told once', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: shards must be 3, as of the other <shard-counter> of posts\/p1/);
  const other = LIKE.replace('"like"', '"other"').replace('shards="3"', 'shards="5"');
  await pages.open(page, `${LIKE}${other}${other.replace('"other"', '"third"')}${LIKE.replace('"like"', '"silent"').replace(' shards="3"', '')}`);
  await ready(page);
  for (const id of ['like', 'other', 'third', 'silent']) await expect(page.locator(`#${id}`)).toHaveJSProperty('liked', false);
  await page.locator('#other').getByRole('button').click();
  for (const id of ['like', 'other', 'third', 'silent']) {
    await expect(page.locator(`#${id}`).getByRole('button')).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator(`#${id} [part=value]`)).toHaveText('1,235');
  }
  await page.locator('#silent').getByRole('button').click();
  await expect(page.locator('#like [part=value]')).toHaveText('1,234');
  await expect(page.locator('#like').getByRole('button')).toHaveAttribute('aria-pressed', 'false');
  expect(await page.evaluate(() => app.events.filter(({ type }) => type === 'shardline-error').map(({ id, code }) => [id, code])))
    .toEqual([['other', 'invalid-argument']]);
});

test('a bad number of shards is the mistake of one element, and no other one has to do with it', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: .*shards.*0/);
  await pages.open(page, NUMBER.replace('"number"', '"bad"').replace('shards="3"', 'shards="0"'));
  await ready(page);
  const bad = page.locator('#bad');
  await expect(bad).toHaveJSProperty('state', 'error');
  await page.evaluate(() => {
    const silent = document.getElementById('bad').cloneNode(true);
    silent.id = 'silent';
    silent.shards = null;
    document.body.append(silent);
  });
  await expect(page.locator('#silent [part=value]')).toHaveText('1,234');
  await page.evaluate(() => { document.getElementById('bad').shards = 3; });
  await expect(bad).toHaveJSProperty('state', 'live');
  expect(watch.all.length, 'nothing is said of the mended one').toBe(1);
});

test('the only element that says how many shards there are may say otherwise', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: .*(intervalMs|interval-ms)/);
  await pages.open(page, `${LIKE}${NUMBER.replace('"number"', '"odd"').replace('shards', 'interval-ms="-1" shards')}`);
  await ready(page);
  await expect(page.locator('#like')).toHaveJSProperty('state', 'live');
  await expect(page.locator('#odd'), 'one that follows nothing does not count').toHaveJSProperty('state', 'error');
  await page.evaluate(() => document.getElementById('odd').setAttribute('interval-ms', 'often'));
  for (const shards of [5, 4]) {
    await page.evaluate((now) => { document.getElementById('like').shards = now; }, shards);
    await expect(page.locator('#like')).toHaveJSProperty('state', 'live');
    await expect(page.locator('#like [part=value]')).toHaveText('1,234');
  }
  // Both in one step, and while one of them is out of the page.
  await page.evaluate(() => {
    const other = document.getElementById('like').cloneNode(true);
    other.id = 'other';
    document.body.append(other);
  });
  await expect(page.locator('#other')).toHaveJSProperty('state', 'live');
  await page.evaluate(() => { for (const id of ['like', 'other']) document.getElementById(id).shards = 6; });
  for (const id of ['like', 'other']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await page.evaluate(() => {
    document.getElementById('other').remove();
    document.getElementById('like').shards = 7;
  });
  await expect(page.locator('#like')).toHaveJSProperty('state', 'live');
  await expect(page.locator('#like [part=value]')).toHaveText('1,234');
  expect(await page.evaluate(() => app.events.filter(({ type, id }) => type === 'shardline-error' && id !== 'odd'))).toEqual([]);
});

test('a database that was closed: elements do not go on as if they were live', async ({ page }) => {
  await pages.open(page, `${LIKE}${NUMBER.replace('shards', 'interval-ms="500" shards')}`, { script: 'main' });
  await ready(page);
  await page.evaluate(async () => {
    app.db = await app.open();
    app.useDatabase(app.db);
  });
  for (const id of ['like', 'number']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);
  await page.evaluate(async () => {
    await app.db.close();
    for (const id of ['like', 'number']) {
      const late = document.getElementById(id).cloneNode();
      late.id = `late-${id}`;
      document.body.append(late);
    }
  });
  for (const id of ['like', 'number', 'late-like', 'late-number']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'error');
  await expect(page.locator('#like [part=value]')).toHaveText('1,234');
  await page.locator('#like').getByRole('button').click();
  await expect(page.locator('#like').getByRole('status')).toHaveText('That did not work. Try again.');
  expect(await page.evaluate(() => [...new Set(app.events.filter(({ type }) => type === 'shardline-error').map(({ reason }) => reason))])).toEqual(['closed']);
  await page.evaluate(() => app.useDatabase(app.open));
  for (const id of ['like', 'number', 'late-like', 'late-number']) await expect(page.locator(`#${id}`)).toHaveJSProperty('state', 'live');
});

test('is heard as a toggle with a number, which does not interrupt', async ({ page, watch }) => {
  watch.expect(UNSENT);
  await pages.open(page, `<p>${NUMBER} likes</p> ${LIKE}`);
  await ready(page);
  const like = page.locator('#like');
  const button = like.getByRole('button');
  await expect(like).toHaveJSProperty('state', 'live');
  await expect(button).toHaveAccessibleName('Like');
  await expect(button).toHaveAccessibleDescription('1,234');
  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - paragraph: 1,234 likes
    - button "Like"
    - text: 1,234
    - status
  `);
  await button.focus();
  await page.evaluate(() => app.others.counter('posts/p1', { shards: 3, flushMs: 0 }).increment(1));
  await expect(like.locator('[part=value]')).toHaveText('1,235');
  await expect(button, 'whoever is on it is not told each time').toHaveAccessibleDescription('1,234');
  await button.blur();
  await expect(button).toHaveAccessibleDescription('1,235');
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => { app.isOffline = true; });
  await expect(like).toHaveJSProperty('state', 'offline');
  await button.click();
  await expect(like.locator('[part=value]')).toHaveText('1,236');
  await expect(like.getByRole('status')).toHaveText('');
  expect(await violations(page)).toEqual([]);
});

test('a label and a fieldset mean it, click() and focus() too', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, `<form><fieldset><label for="like">I like it</label>${LIKE}</fieldset></form>`);
  await ready(page);
  const like = page.locator('#like');
  const button = like.getByRole('button');
  await expect(like).toHaveJSProperty('liked', false);
  await page.getByText('I like it').click();
  await expect(like).toHaveJSProperty('liked', true);
  await page.evaluate(() => document.getElementById('like').click());
  await expect(like).toHaveJSProperty('liked', false);
  await page.evaluate(() => document.getElementById('like').focus());
  await expect(button).toBeFocused();
  await page.evaluate(() => { document.querySelector('fieldset').disabled = true; });
  await expect(button).toBeDisabled();
  await page.evaluate(() => document.getElementById('like').click());
  await expect(like).toHaveJSProperty('liked', false);
});

test('is called as its label attribute says, or as the <label> of the page, and never nothing', { tag: '@long' }, async ({ page }) => {
  const named = (/** @type {string} */ id, more = '') => LIKE.replace('id="like"', `id="${id}" ${more}`);
  await pages.open(page, `<label for="for">I like <b>it</b></label>${named('for')}<label>Mine: ${named('around')} <!-- none --></label>
    <label for="both">Not this</label>${named('both', 'label="Star"')}${named('empty', 'label=""')}`);
  await ready(page);
  await expect(page.locator('#empty')).toHaveJSProperty('state', 'live');
  for (const [id, name] of [['for', 'I like it'], ['around', 'Mine:'], ['both', 'Star'], ['empty', 'Like']]) {
    await expect(page.locator(`#${id}`).getByRole('button'), id).toHaveAccessibleName(name);
  }
});

test('does without what old browsers, and the pages of other test runners, have not', { tag: '@long' }, async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(HTMLElement.prototype, 'attachInternals'));
  await pages.open(page, LIKE);
  await ready(page);
  await page.locator('#like').getByRole('button').click();
  await expect(page.locator('#like [part=value]')).toHaveText('1,235');
  await expect(page.locator('#like')).toHaveJSProperty('liked', true);
});

test('speaks the language around it, and changes with the page', async ({ page }) => {
  await pages.open(page, `${LIKE}<p lang="de">${NUMBER}</p>`, { attributes: 'lang="ar-EG" dir="rtl"' });
  await ready(page);
  const value = page.locator('#like [part=value]');
  await expect(value).toHaveText('١٬٢٣٤');
  await expect(page.locator('#number [part=value]')).toHaveText('1.234');
  await page.evaluate(() => app.useTexts({ like: 'أعجبني' }));
  await expect(page.getByRole('button', { name: 'أعجبني' })).toBeVisible();
  await page.evaluate(() => { document.documentElement.lang = 'fr'; });
  await expect(value).toHaveText('1\u202f234');
  await page.evaluate(() => { document.querySelector('p').lang = 'en'; });
  await expect(page.locator('#number [part=value]'), 'a part of the page').toHaveText('1,234');
  await page.evaluate(() => {
    const host = document.body.appendChild(document.createElement('div'));
    host.attachShadow({ mode: 'open' }).append(document.querySelector('p'));
    host.shadowRoot.querySelector('p').removeAttribute('lang');
    host.lang = 'de';
  });
  await expect(page.locator('#number [part=value]'), 'around a shadow tree').toHaveText('1.234');
  await page.evaluate(() => { document.querySelector('body > div').shadowRoot.querySelector('p').lang = 'en'; });
  await expect(page.locator('#number [part=value]'), 'inside a shadow tree').toHaveText('1,234');
  await page.evaluate(() => { document.documentElement.lang = 'no_such language'; });
  await expect(value).toHaveText('1,234');
});

test('is styled in another document, too, and when it comes back', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, `${LIKE}<iframe srcdoc="<p>Elsewhere</p>"></iframe>`);
  await ready(page);
  const look = () => page.evaluate(() => {
    const element = globalThis.element ??= document.getElementById('like');
    const style = (/** @type {Element} */ each) => element.ownerDocument.defaultView.getComputedStyle(each);
    return [style(element).display, style(element.shadowRoot.querySelector('button')).borderTopWidth, style(element.shadowRoot.querySelector('.unseen')).position];
  });
  const styled = ['flex', '0px', 'absolute'];
  await page.frameLocator('iframe').getByText('Elsewhere').waitFor();
  expect((await look()).map((each) => each.replace('inline-', ''))).toEqual(styled);
  await page.evaluate(() => document.querySelector('iframe').contentDocument.body.append(globalThis.element));
  expect((await look()).map((each) => each.replace('inline-', ''))).toEqual(styled);
  await page.evaluate(() => document.querySelector('main').append(globalThis.element));
  expect((await look()).map((each) => each.replace('inline-', ''))).toEqual(styled);
});

test('a message stays inside a narrow page, whichever way it is written', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 500 });
  const at = (/** @type {string} */ id) => LIKE.replace('id="like"', `id="${id}"`).replace(' user="ann"', '');
  await pages.open(page, ['left', 'right', 'middle'].flatMap((side) => ['ltr', 'rtl'].map((dir) => `<div class="${side}" dir="${dir}">${at(`${side}-${dir}`)}</div>`)).join(''));
  await ready(page);
  await expect(page.locator('#right-rtl')).toHaveJSProperty('state', 'live');
  for (const side of ['left', 'right', 'middle']) {
    for (const dir of ['ltr', 'rtl']) {
      const element = page.locator(`#${side}-${dir}`);
      await element.getByRole('button').click();
      await expect(element.getByRole('status')).toHaveText('Sign in to like this.');
      const [left, right, width, scrolled] = await page.evaluate((id) => {
        const box = document.getElementById(id).shadowRoot.querySelector('[part=message]').getBoundingClientRect();
        const { clientWidth, scrollWidth } = document.documentElement;
        return [box.left, box.right, clientWidth, scrollWidth];
      }, `${side}-${dir}`);
      expect(left, `${side} ${dir}`).toBeGreaterThanOrEqual(0);
      expect(right, `${side} ${dir}`).toBeLessThanOrEqual(width);
      expect(scrolled, `${side} ${dir}`).toBe(width);
      // It would cover the next button.
      await element.getByRole('button').blur();
    }
  }
  await page.setViewportSize({ width: 1280, height: 500 });
  const element = page.locator('#left-ltr');
  await element.getByRole('button').click();
  expect(await page.evaluate(() => {
    const [host, message] = [document.getElementById('left-ltr'), document.getElementById('left-ltr').shadowRoot.querySelector('[part=message]')];
    return message.getBoundingClientRect().left - host.getBoundingClientRect().left;
  }), 'with space enough it stands where the button begins').toBe(1);
});

test('takes the attributes that React’s server writes, and speaks the language of the place it is moved to', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/^console\.error: ShardlineError: `countField` must be left out/);
  const props = NUMBER.replace('shards', 'intervalms="500" maxagems="7" countfield="n" shards');
  await pages.open(page, `<section id="german" lang="de"></section>${props}${LIKE}`);
  await ready(page);
  const number = page.locator('#number');
  expect(await number.evaluate((/** @type {any} */ { intervalMs, maxAgeMs, countField }) => [intervalMs, maxAgeMs, countField])).toEqual([500, 7, 'n']);
  await number.evaluate((/** @type {any} */ element) => { element.countField = null; element.intervalMs = 1000; });
  expect(await number.evaluate((element) => element.getAttributeNames().sort())).toEqual(['id', 'interval-ms', 'maxagems', 'path', 'shards']);
  await expect(number.locator('[part=value]')).toHaveText('1,234');
  const moves = await number.evaluate((element) => {
    const german = document.getElementById('german');
    if (!german?.moveBefore) return false;
    german.moveBefore(element, null);
    return true;
  });
  expect(moves).toBe(true);
  await expect(number.locator('[part=value]')).toHaveText('1.234');
});

test('a press means the user that was set just before', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE);
  await ready(page);
  const like = page.locator('#like');
  await expect(like).toHaveJSProperty('liked', false);
  await like.evaluate((/** @type {any} */ element) => {
    element.user = 'ben';
    element.click();
  });
  await expect.poll(() => page.evaluate(() => app.events.find(({ type }) => type === 'shardline-like')?.liked)).toBe(true);
  expect(await page.evaluate(() => Promise.all(['ann', 'ben'].map((key) => app.others.countedSet('posts/p1', { shards: 3 }).has(key))))).toEqual([false, true]);
});

test('moves nothing for whoever wants no motion', { tag: '@long' }, async ({ page }) => {
  await pages.open(page, LIKE);
  await ready(page);
  const icon = page.locator('#like [part=icon]');
  await expect(page.locator('#like')).toHaveJSProperty('liked', false);
  await page.locator('#like').getByRole('button').click();
  await expect(icon).toHaveCSS('animation-name', 'like');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(icon).toHaveCSS('animation-name', 'none');
});
