/** The code field: a reader changes the code of a step and runs it in the page, in a worker that reaches nothing else. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { violations } from './support/axe.js';
import { engines } from './support/engines.js';
import { tabTo } from './support/lesson.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';
import { startTutorial } from './support/vite.js';

/** A server of someone else. @returns {Promise<{url: string, asked: string[], stop: () => void}>} */
async function startElsewhere() {
  /** @type {string[]} */
  const asked = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }).end('export default 1');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, asked, stop: () => server.close() };
}

/** @param {import('@playwright/test').Page} page */
function fieldOf(page) {
  const field = page.locator('.trial');
  return {
    field,
    area: field.getByRole('textbox'),
    run: field.getByRole('button', { name: 'Run the code' }),
    stop: field.getByRole('button', { name: 'Stop' }),
    reset: field.getByRole('button', { name: 'Reset the code' }),
    outcome: field.locator('.trial-outcome'),
    output: field.locator('.trial-output'),
    bill: field.locator('.trial-bill'),
  };
}

/** Tries every way out, and prints the ways that lead somewhere. @param {string} elsewhere */
const hostile = (elsewhere) => `
const ways = {
  fetch: () => fetch('${elsewhere}/fetch'),
  ownFetch: () => fetch('/icon.svg'),
  request: () => new XMLHttpRequest().open('GET', '${elsewhere}/xhr'),
  socket: () => new WebSocket('${elsewhere.replace('http', 'ws')}/socket'),
  events: () => new EventSource('${elsewhere}/events'),
  beacon: () => navigator.sendBeacon('${elsewhere}/beacon'),
  importElsewhere: () => import('${elsewhere}/module.js'),
  importText: () => import('data:text/javascript,export default 1'),
  importBlob: () => import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' }))),
  scripts: () => importScripts('${elsewhere}/script.js'),
  evaluate: () => (async () => {}).constructor('return 1')(),
  evaluateLate: () => Function('return globalThis')(),
  database: () => indexedDB.open('mine'),
  buckets: () => navigator.storageBuckets.open('mine'),
  files: () => navigator.storage.getDirectory(),
  cache: () => caches.open('mine'),
  storage: () => localStorage.setItem('mine', '1'),
  channel: () => new BroadcastChannel('mine').postMessage('1'),
  worker: () => new Worker('data:text/javascript,1'),
  message: () => postMessage({ kind: 'log', line: 'forged' }),
  prototype: () => Object.getPrototypeOf(globalThis).fetch.call(globalThis, '${elsewhere}/prototype'),
  page: () => document.title,
};
const open = [];
for (const [name, way] of Object.entries(ways)) {
  try {
    await way();
    open.push(name);
  } catch {}
}
// The Firestore of this run answers for every host.
await firestore.fetch('${elsewhere}/firestore').catch(() => {});
console.log('open:', open.join());
`;

test('the code runs, and its output and its bill are shown', async ({ page, lesson }) => {
  await page.clock.install();
  await lesson.open('distributed-counter', 'turn-up', { lang: 'en', knobs: 'shards=5&code=evil()' });
  const { area, run, stop, reset, outcome, output, bill } = fieldOf(page);
  await expect(area).toHaveValue(/^const likes = db\.counter\('posts\/p1', \{ shards: 5 \}\);/);
  const given = await area.inputValue();
  await expect(reset).toBeDisabled();
  await run.click();
  await expect(outcome).toContainText('The code has ended after');
  await expect(output).toHaveText('1\n');

  await area.fill(`${given}console.warn([Timestamp.fromString('2026-01-01T00:00:00Z'), 5n]);\nawait likes.increment(-1);\nthrow new Error('<b>enough</b>');`);
  await area.press('Control+Enter');
  await expect(outcome).toContainText('The code has ended with an error. Line 9. Error: <b>enough</b>');
  await expect(output).toHaveText('1\nwarn: [Timestamp(2026-01-01T00:00:00.000Z), 5n]\n');
  await expect(bill.locator('dd').first()).not.toHaveText('0');
  // The commit of create(), and of two increments with a marker each.
  await expect(bill).toContainText(/writes\D*10|10\D*writes/);

  await area.fill('let broken = ;');
  await run.click();
  await expect(outcome).toContainText(/^The code has ended with an error\. Line 1\. SyntaxError/);

  await area.fill('console.log("on");\nfor (;;);');
  await run.click();
  await expect(outcome).toHaveText('The code is running.');
  await page.clock.runFor(10_000);
  await expect(outcome).toHaveText('The code was stopped because it took more than 10 seconds.');
  await expect(output).toHaveText('on\n');
  await run.click();
  await stop.click();
  await expect(outcome).toHaveText('You have stopped the code.');

  expect(page.url(), 'the address has no code').not.toContain('broken');
  await reset.click();
  await expect(area).toHaveValue(given);
});

test('the code reaches nothing outside of its worker', async ({ page, lesson, watch }) => {
  watch.expect(/Content Security Policy|TrustedScriptURL|violat|Failed to load/);
  const elsewhere = await startElsewhere();
  await lesson.open('ids', 'three-ways', { lang: 'en' });
  const { area, run, outcome, output } = fieldOf(page);
  const stored = () => page.evaluate(async () => JSON.stringify([(await indexedDB.databases()).map(({ name }) => name), { ...localStorage }, await caches.keys()]));
  const before = await stored();
  await area.fill(hostile(elsewhere.url));
  await run.click();
  await expect(outcome).toContainText('The code has ended after');
  await expect(output).toHaveText('open: \n');
  // Code that closes the function around it.
  await area.fill(`}); console.log('outside', typeof fetch, typeof indexedDB); (async () => {`);
  await run.click();
  await expect(output).toHaveText(/^outside undefined undefined\n/);
  expect(elsewhere.asked).toEqual([]);
  expect(await stored(), 'and nothing is stored').toBe(before);

  // The page itself still makes no worker from a text of someone else.
  expect(await page.evaluate(() => {
    try {
      return String(new Worker(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))));
    } catch (error) {
      return /** @type {Error} */ (error).name;
    }
  })).toBe('TypeError');
  elsewhere.stop();
});

test('a challenge is solved by code', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('sharded-query', 'challenge', { lang: 'en', knobs: 'shard-values=30' });
  const { area, run } = fieldOf(page);
  const challenge = page.locator('.challenge-outcome');
  await run.click();
  await expect(challenge).toHaveText('Goal reached. The code returned 50 documents of the newest 50. The cost is 50 reads, and the limit is 60.');
  await expect(page.locator('.challenge-best a')).toHaveText('30 shard values');
  await lesson.open('ids', 'challenge', { lang: 'en' });
  await run.click();
  await expect(challenge).toHaveText(/^Goal not reached\. The code returned 1 id/);
  await area.fill((await area.inputValue()).replace('return [id];', 'return orders.take(1000);'));
  await run.click();
  await expect(challenge).toHaveText(/^Goal reached\. The code returned 1,000 ids, and no id twice\./);
});

test('the reader’s code stays while the page is open, and no longer', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('ids', 'sandbox', { lang: 'en' });
  const { area, run, output, outcome } = fieldOf(page);
  await area.fill('for (let n = 0; n < 300; n += 1) console.log(n);');
  await run.click();
  await expect(outcome).toContainText('You see the first 200 outputs only.');
  await expect(output.locator('.trial-line')).toHaveCount(200);
  await area.fill("\nsetTimeout(() => { throw new Error('late'); });\nawait new Promise((end) => setTimeout(end, 50));");
  await run.click();
  await expect(output).toHaveText('error: Error: late Line 2.\n');
  await area.fill("\n\ndb.counter('a');");
  await run.click();
  await expect(outcome, 'the line of the reader’s code, not of the library').toContainText('Line 3. ShardlineError');
  await page.evaluate(() => { location.hash = '#/ids/challenge'; });
  await expect(area).toHaveValue(/return \[id\];/);
  await page.goBack();
  await expect(area).toHaveValue(/^\s+db\.counter/);
  await page.reload();
  await expect(area).toHaveValue(/^const orders/);
});

test('the field works by keyboard, and for screen readers', { tag: '@long' }, async ({ page, lesson }) => {
  await lesson.open('distributed-counter', 'sandbox', { lang: 'en' });
  const { area, run, stop, output } = fieldOf(page);
  await tabTo(page, area);
  await page.keyboard.press('Tab');
  await expect(run).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(stop).toBeFocused();
  await expect(output).toBeVisible();
  await expect(run).toBeFocused();
  expect(await violations(page)).toEqual([]);
});

test('the code runs in the page of the development server', { tag: '@long' }, async ({ page, lesson }) => {
  // Each module is a request of its own there, and a busy machine takes long for all of them.
  test.setTimeout(120_000);
  const server = await startTutorial();
  await lesson.open('ids', 'three-ways', { url: server.url, lang: 'en' });
  const { run, outcome } = fieldOf(page);
  await run.click();
  await expect(outcome).toContainText('The code has ended after', { timeout: 60_000 });
  await server.stop();
});

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the code runs without the network after the first visit', { tag: '@long' }, async ({ page, lesson, watch }) => {
    const site = await serveFolder(places.tutorialFiles);
    await page.goto(site.url);
    await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe('activated');
    await site.stop();
    watch.expectFailedRequests();
    await lesson.open('tickets', 'rush', { url: site.url, lang: 'en' });
    const { run, outcome } = fieldOf(page);
    await run.click();
    await expect(outcome).toContainText('The code has ended after');
  });
});

for (const [name, start] of Object.entries(engines)) {
  test(`the code runs in ${name}, and reaches nothing else`, { tag: '@long' }, async () => {
    test.setTimeout(180_000);
    const engine = await start();
    const site = await serveFolder(places.tutorialFiles);
    const visitor = await engine.invite();
    const tab = await visitor.openTab();
    await tab.goto(`${site.url}?lang=en#/ids/three-ways`);
    const run = (/** @type {string | null} */ code) => tab.evaluate(async (text) => {
      const until = async (/** @type {() => any} */ look) => {
        for (;;) {
          const found = look();
          if (found) return found;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      };
      const field = await until(() => document.querySelector('.trial'));
      const area = field.querySelector('textarea');
      if (text !== null) {
        area.value = text;
        area.dispatchEvent(new Event('input'));
      }
      field.querySelector('.button-primary').click();
      await until(() => field.querySelector('.trial-outcome[data-end]'));
      return { outcome: field.querySelector('.trial-outcome').textContent, output: field.querySelector('.trial-output').textContent };
    }, code);
    expect((await run(null)).outcome).toContain('The code has ended after');
    const elsewhere = await startElsewhere();
    expect(await run(hostile(elsewhere.url))).toMatchObject({ output: 'open: \n' });
    expect(elsewhere.asked).toEqual([]);
    elsewhere.stop();
    expect((await run('\nthrow new Error("here");')).outcome).toContain('Line 2. Error: here');
    expect((await run('\nlet broken = ;')).outcome).toMatch(/The code has ended with an error\. (Line 2\. )?SyntaxError/);
    await visitor.leave();
    await site.stop();
    await engine.close();
  });
}
