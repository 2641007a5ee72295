/**
 * The embedded Firestore of the packed package, in a worker, under a strict policy and with no server but the page's own: the data that it keeps and
 * that other tabs see, also after a tab was closed or killed at a bad moment.
 */
import { join } from 'node:path';
import { BrowserProcess } from './support/browser_process.js';
import { damageKept } from './support/damage_kept.js';
import { longUnless } from './support/long.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { WEB } from './support/places.js';
import { run } from './support/run.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';
import { startVite } from './support/vite.js';

const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    + "img-src 'self'; base-uri 'none'; form-action 'none'",
};

/** What the tests below call in the page. @param {string} library @param {string} workbench */
const main = (library, workbench) => `
import { connect } from '${library}';
import { openWorkbench } from '${workbench}';
const documents = '/v1/projects/demo/databases/(default)/documents';
const send = async (path, init) => {
  const response = await simulator.fetch('http://firestore' + documents + path, init);
  return { status: response.status, body: await response.json() };
};
Object.assign(globalThis, {
  async start(options) {
    globalThis.simulator = await (await openWorkbench()).createEmbeddedFirestore(options);
    globalThis.db = await connect({ projectId: 'demo', fetch: simulator.fetch, retry: { maxAttempts: 1 } });
  },
  send,
  // One commit to several documents, which get the same value.
  commit: (paths, value, text = '') => send(':commit', { method: 'POST', body: JSON.stringify({ writes: paths.map((path) => ({
    update: { name: documents.slice(4) + '/' + path, fields: { value: { integerValue: value }, text: { stringValue: text } } },
  })) }) }),
  async read(path) {
    const { status, body } = await send('/' + path);
    return status === 404 ? null : Number(body.fields.value.integerValue);
  },
});
globalThis.isReady = true;
`;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
/** The page's folder. @type {string} */
let folder;
test.beforeAll(async () => {
  const package_ = './node_modules/shardline/library';
  folder = await makeApp('simulator-page', {
    ...EMPTY_PAGE, 'main.js': main(`${package_}/index.js`, `${package_}/workbench.js`),
  });
  server = await serveFolder(folder, { headers: HEADERS });
});
test.afterAll(() => server.stop());

/**
 * @param {import('@playwright/test').Page} page
 * @param {object} [options]
 */
async function start(page, options) {
  await page.goto(server.url);
  await begin(page, options);
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {object} [options]
 */
async function begin(page, options = { persist: 'test' }) {
  await page.waitForFunction('globalThis.isReady');
  await page.evaluate((given) => globalThis.start(given), options);
}

/** @param {import('@playwright/test').Page} page */
const countOnce = (page) => page.evaluate(async () => {
  const counter = globalThis.db.counter('counters/c', { shards: 3 });
  await counter.create();
  await counter.increment();
  return (await counter.get()).value;
});

/**
 * Writes without end, several commits at once, each of two large documents: `a/<id>` and `b/<id>`.
 * @param {import('@playwright/test').Page} page
 * @param {number} count When so many have been acknowledged, this returns, and the page goes on writing.
 * @returns {Promise<string[]>} The ids that have been acknowledged, kept up to date.
 */
async function writeUntil(page, count) {
  /** @type {string[]} */
  const acknowledged = [];
  const enough = new Promise((resolve) => {
    page.on('console', (message) => {
      const [, id] = /^acknowledged (\S+)$/.exec(message.text()) ?? [];
      if (!id) return;
      acknowledged.push(id);
      if (acknowledged.length >= count) resolve(undefined);
    });
  });
  await page.evaluate(() => {
    const text = 'x'.repeat(100_000);
    for (let lane = 0; lane < 4; lane += 1) {
      (async () => {
        for (let value = 1; ; value += 1) {
          const id = `${lane}-${value}`;
          const { status } = await globalThis.commit([`a/${id}`, `b/${id}`], value, text);
          if (status === 200) console.info(`acknowledged ${id}`);
        }
      })();
    }
  });
  await enough;
  return acknowledged;
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} collectionId
 * @returns {Promise<string[]>} The ids of its documents.
 */
function list(page, collectionId) {
  return page.evaluate(async (from) => {
    const { body } = await globalThis.send(':runQuery', {
      method: 'POST',
      body: JSON.stringify({ structuredQuery: { from: [{ collectionId: from }], select: { fields: [] } } }),
    });
    return body.map((/** @type {any} */ { document }) => document?.name.split('/').at(-1));
  }, collectionId);
}

/** @param {import('@playwright/test').Page} page @param {string} path */
const read = (page, path) => page.evaluate((at) => globalThis.read(at), path);

/** @param {import('@playwright/test').Page} page @param {string[]} paths @param {number} value @param {string} [text] */
const commit = async (page, paths, value, text) => (await page.evaluate(
  ([...args]) => globalThis.commit(...args), /** @type {const} */ ([paths, value, text]))).status;

test.describe('in a worker', () => {
  test('of a page without a bundler', async ({ page, watch }) => {
    await start(page, { latencyMs: [1, 5] });
    expect(page.workers()).toHaveLength(1);
    expect(await countOnce(page)).toBe(1);
    expect(watch.origins).toEqual([new URL(server.url).origin]);
    await page.evaluate(() => globalThis.simulator.close());
    await expect.poll(() => page.workers().length).toBe(0);
    expect(await page.evaluate(() => globalThis.simulator.fetch('http://x/').catch((/** @type {any} */ error) => error.code)))
      .toBe('cancelled');
  });

  test('of a fresh Vite app, built and in development', { tag: '@long' }, async ({ page }) => {
    const folder = await makeApp('simulator-vite-app', {
      ...EMPTY_PAGE, 'main.js': main('shardline', 'shardline/workbench'),
    });
    await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], { cwd: folder });
    const built = await serveFolder(join(folder, 'dist'), { headers: HEADERS });
    await page.goto(built.url);
    await begin(page);
    expect(page.workers()).toHaveLength(1);
    expect(await countOnce(page)).toBe(1);
    await built.stop();

    const development = await startVite(folder);
    await page.goto(development.url);
    await begin(page);
    expect(await countOnce(page)).toBe(1);
    await page.goto('about:blank');
    await development.stop();
  });

  test('says what is missing when the policy forbids workers', { tag: '@long' }, async ({ page, watch }) => {
    watch.expect(/./);
    const policy = HEADERS['content-security-policy'].replace("worker-src 'self'", "worker-src 'none'");
    const strict = await serveFolder(folder, { headers: { 'content-security-policy': policy } });
    await page.goto(strict.url);
    await page.waitForFunction('globalThis.isReady');
    expect(await page.evaluate(() => globalThis.start({}).catch((/** @type {Error} */ error) => error.message))).toContain('worker-src');
    await page.evaluate(() => globalThis.start({ worker: false, persist: 'test' }));
    expect(await countOnce(page)).toBe(1);
    await strict.stop();
  });

  test('says so, too, where Trusted Types do not let its address pass', { tag: '@long' }, async ({ page, watch }) => {
    watch.expect(/policy violated: require-trusted-types-for|TrustedScriptURL/);
    const policy = `${HEADERS['content-security-policy']}; require-trusted-types-for 'script'`;
    const strict = await serveFolder(folder, { headers: { 'content-security-policy': policy } });
    await page.goto(strict.url);
    await page.waitForFunction('globalThis.isReady');
    expect(await page.evaluate(async () => {
      const reasonOf = (/** @type {Promise<any>} */ call) => call.then(() => 'done', ({ reason, name }) => reason ?? name);
      const started = await reasonOf(globalThis.start({}));
      await globalThis.start({ worker: false });
      const { runExperiment } = await (await import('./node_modules/shardline/library/workbench.js')).openWorkbench();
      return [started, await reasonOf(runExperiment('oneShard'))];
    })).toEqual(['worker-not-started', 'worker-not-started']);
    await strict.stop();
  });
});

test('what is kept needs https:// or localhost, and says so elsewhere', { tag: '@long' }, async ({ page }) => {
  await page.route('http://elsewhere.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname, server.url).href }) });
  });
  await page.goto('http://elsewhere.test/');
  await page.waitForFunction('globalThis.isReady');
  const refusal = await page.evaluate(() => globalThis.start({ persist: 'test', worker: false }).catch((/** @type {any} */ { code, reason }) => [code, reason]));
  expect(refusal).toEqual(['failed-precondition', 'storage-missing']);
});

test('fetch is a fetch: signals, lost answers, time', async ({ page }) => {
  await start(page, { latencyMs: [150, 151] });
  const seen = await page.evaluate(async () => {
    const url = 'http://firestore/v1/projects/demo/databases/(default)/documents/a/b';
    const began = performance.now();
    const { status } = await globalThis.simulator.fetch(new Request(url));
    const ms = performance.now() - began;
    // Nothing is answered before it is given up.
    await globalThis.simulator.configure({ latencyMs: [60_000, 60_000] });
    const controller = new AbortController();
    const aborted = globalThis.simulator.fetch(url, { signal: controller.signal });
    controller.abort();
    const name = await aborted.catch((/** @type {Error} */ error) => error.name);
    const timedOut = await globalThis.simulator.fetch(url, { signal: AbortSignal.timeout(20) })
      .catch((/** @type {Error} */ error) => error.name);
    await globalThis.simulator.configure({ latencyMs: [0, 0], faults: { dropRequest: 1 } });
    const lost = await globalThis.simulator.fetch(url).catch(String);
    return { status, ms, name, timedOut, lost };
  });
  expect(seen).toMatchObject({ status: 404, name: 'AbortError', timedOut: 'TimeoutError', lost: 'TypeError: Failed to fetch' });
  expect(seen.ms).toBeGreaterThan(149);
});

test.describe('what is kept', () => {
  test('survives a reload, until it is reset', { tag: '@long' }, async ({ page }) => {
    await start(page);
    expect(await commit(page, ['a/1', 'a/2'], 7)).toBe(200);
    await page.reload();
    await begin(page);
    expect(await read(page, 'a/1')).toBe(7);
    await page.evaluate(() => globalThis.simulator.reset());
    expect(await read(page, 'a/1')).toBeNull();
    expect(await commit(page, ['a/3'], 1)).toBe(200);
    await page.reload();
    await begin(page);
    expect(await Promise.all(['a/1', 'a/2', 'a/3'].map((path) => read(page, path)))).toEqual([null, null, 1]);
    await begin(page, { persist: 'another' });
    expect(await read(page, 'a/3'), 'another name, other data').toBeNull();
    await begin(page, {});
    expect(await read(page, 'a/3'), 'no name, nothing kept').toBeNull();
  });

  test('is put together now and then', { tag: '@long' }, async ({ page }) => {
    await start(page);
    const text = 'x'.repeat(100_000);
    for (let value = 1; value <= 60; value += 1) await commit(page, [`a/${value % 4}`], value, text);
    const bytes = () => page.evaluate(async () => {
      const open = indexedDB.open('shardline-embedded:test');
      const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
      const all = db.transaction('entries').objectStore('entries').getAll();
      const entries = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
      db.close();
      return entries.map((/** @type {Uint8Array} */ { length }) => length);
    });
    // Former versions are kept for an hour, so they count as well; but there are fewer entries than commits.
    expect((await bytes()).length).toBeLessThan(50);
    await page.reload();
    await begin(page);
    expect(await Promise.all(['a/0', 'a/1', 'a/2', 'a/3'].map((path) => read(page, path)))).toEqual([60, 57, 58, 59]);
  });

  for (const what of ['tab', 'browser']) {
    test(`is whole, and no less than what was acknowledged, when the ${what} is killed while it writes`, longUnless(what === 'tab'), async ({ page: given, context, watch }) => {
      watch.expect(/^console\.info: acknowledged /); // How this test hears of it.
      const browser = await BrowserProcess.make();
      try {
        const page = what === 'tab' ? given : await browser.start();
        await start(page);
        const acknowledged = await writeUntil(page, 50);
        if (what === 'tab') {
          const crashed = page.waitForEvent('crash');
          (await context.newCDPSession(page)).send('Page.crash').catch(() => {});
          await crashed;
        } else {
          await browser.kill();
        }
        const next = what === 'tab' ? await context.newPage() : await browser.start();
        await start(next);
        const [a, b] = await Promise.all([list(next, 'a'), list(next, 'b')]);
        expect(a, 'both documents of every commit, or none').toEqual(b);
        expect(acknowledged.filter((id) => !a.includes(id)), 'acknowledged, and lost').toEqual([]);
        expect(await commit(next, ['a/1'], 1)).toBe(200);
      } finally {
        await browser.remove();
      }
    });
  }

  test('is all that anybody sees when it cannot be stored', { tag: '@long' }, async ({ page }) => {
    await start(page);
    expect(await commit(page, ['a/1'], 1)).toBe(200);
    // Like another tab that has taken the lock by force: all writes from here on fail.
    await page.evaluate(async () => {
      const open = indexedDB.open('shardline-embedded:test');
      const db = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
      const transaction = db.transaction('owner', 'readwrite');
      transaction.objectStore('owner').put('somebody else', 0);
      await new Promise((resolve) => { transaction.oncomplete = resolve; });
      db.close();
    });
    expect(await commit(page, ['a/1'], 2)).toBe(429);
    expect(await read(page, 'a/1')).toBe(1);
    expect(await commit(page, ['a/1'], 3)).toBe(200);
    await page.reload();
    await begin(page);
    expect(await read(page, 'a/1')).toBe(3);
  });
});

test('a live page shows what another tab writes, and that all was forgotten', async ({ page: a, context }) => {
  await start(a);
  await a.evaluate(() => {
    globalThis.db.collection('live').onChange((/** @type {any} */ { docs }) => { document.title = `shows ${docs.map((/** @type {any} */ { id }) => id)}`; });
  });
  await expect(a).toHaveTitle('shows ');
  const b = await context.newPage();
  await start(b);
  expect(await commit(b, ['live/x'], 1)).toBe(200);
  await expect(a).toHaveTitle('shows x');
  await b.evaluate(() => globalThis.simulator.reset());
  await expect(a).toHaveTitle('shows ');
});

test('what cannot be read is reported, to whoever takes over as well, until it is deleted', { tag: '@long' }, async ({ page: a, context }) => {
  await start(a);
  const b = await context.newPage();
  await start(b);
  expect(await commit(b, ['a/1'], 1)).toBe(200);
  await a.evaluate(damageKept, 'test');
  await a.close();
  // The first may still meet the one that has just gone.
  await b.evaluate(() => globalThis.read('a/1').catch(() => {}));
  const failure = await b.evaluate(() => globalThis.read('a/1').catch((/** @type {Error} */ error) => error.message));
  expect(failure).toContain('delete the IndexedDB database “shardline-embedded:test”');
  const again = await b.evaluate(() => globalThis.start({ persist: 'test' }).catch((/** @type {Error} */ error) => error.message));
  expect(again).toContain('cannot be read');
  await b.evaluate(() => new Promise((resolve) => {
    indexedDB.deleteDatabase('shardline-embedded:test').onsuccess = resolve;
  }));
  await begin(b);
  expect(await commit(b, ['a/1'], 2)).toBe(200);
});

test('what waits for one that is not kept, or is kept under another name, reaches no other one', { tag: '@long' }, async ({ page: a, context }) => {
  const b = await context.newPage();
  const c = await context.newPage();
  await start(a, {});
  await start(b, {});
  await start(c);
  for (const page of [a, b, c]) {
    await page.evaluate(async () => {
      globalThis.counter = globalThis.db.counter('counters/c', { shards: 2 });
      await globalThis.counter.create();
    });
  }
  const count = async (page, by) => page.evaluate(async (delta) => {
    await globalThis.counter.increment(delta);
    return (await globalThis.counter.get()).value;
  }, by);
  expect(await Promise.all([count(a, 1), count(b, 20), count(c, 300)])).toEqual([1, 20, 300]);
  const hosts = await Promise.all([a, b, c].map((page) => page.evaluate(() => globalThis.simulator.fetch.host)));
  expect(new Set(hosts).size).toBe(3);
  const d = await context.newPage();
  await start(d);
  expect(await d.evaluate(() => globalThis.simulator.fetch.host), 'those of one name are one').toBe(hosts[2]);
});

test.describe('two tabs', () => {
  test('see the same data, settings and resets', { tag: '@long' }, async ({ page: a, context }) => {
    await start(a);
    const b = await context.newPage();
    await start(b);
    expect(await commit(a, ['a/1'], 1)).toBe(200);
    expect(await read(b, 'a/1')).toBe(1);
    expect(await commit(b, ['a/1'], 2)).toBe(200);
    expect(await read(a, 'a/1')).toBe(2);
    await b.evaluate(() => globalThis.simulator.configure({ faults: { dropRequest: 1 } }));
    expect(await a.evaluate(() => globalThis.read('a/1').catch(String))).toBe('TypeError: Failed to fetch');
    expect(await a.evaluate(async () => (await globalThis.simulator.snapshot()).settings.faults)).toEqual({ dropRequest: 1 });
    await a.close();
    expect(await b.evaluate(() => globalThis.read('a/1').catch(String)), 'the faults stay with the data')
      .toBe('TypeError: Failed to fetch');
    await b.evaluate(() => globalThis.simulator.configure({ faults: { dropRequest: 0 } }));
    expect(await read(b, 'a/1')).toBe(2);
    await b.evaluate(() => globalThis.simulator.reset());
    expect(await read(b, 'a/1')).toBeNull();
  });

  for (const how of ['closed', 'killed', 'reloaded']) {
    test(`the one that has the data is ${how}: the others go on, and nothing is lost`, longUnless(how === 'killed'), async ({ page: a, context }) => {
      await start(a);
      const others = [await context.newPage(), await context.newPage()];
      for (const other of others) await start(other);
      expect(await commit(a, ['a/mine'], 5)).toBe(200);
      // Each adds one at a time, as long as it takes, and counts what was acknowledged, and what has an unknown outcome.
      for (const other of others) {
        await other.evaluate(() => {
          Object.assign(globalThis, { acknowledged: 0, unknown: 0, refused: 0, isDone: false });
          globalThis.work = (async () => {
            const counter = globalThis.db.counter('counters/shared', { shards: 4, delivery: 'transaction' });
            while (!globalThis.isDone) {
              await counter.increment().then(() => { globalThis.acknowledged += 1; }, (/** @type {any} */ error) => {
                if (error.code === 'outcome-unknown') globalThis.unknown += 1;
                else globalThis.refused += 1;
              });
            }
          })();
        });
      }
      const acknowledgedBy = (/** @type {import('@playwright/test').Page} */ page) => page.evaluate(() => globalThis.acknowledged);
      for (const other of others) await expect.poll(() => acknowledgedBy(other)).toBeGreaterThan(20);
      const before = await Promise.all(others.map(acknowledgedBy));
      if (how === 'closed') {
        await a.close();
      } else if (how === 'reloaded') {
        await a.reload();
        await begin(a);
      } else {
        (await context.newCDPSession(a)).send('Page.crash').catch(() => {});
        await a.waitForEvent('crash');
      }
      for (const [index, other] of others.entries()) {
        await expect.poll(() => acknowledgedBy(other)).toBeGreaterThan((before[index] ?? 0) + 20);
      }
      let acknowledged = 0;
      let unknown = 0;
      for (const other of others) {
        const tally = await other.evaluate(async () => {
          globalThis.isDone = true;
          await globalThis.work;
          return [globalThis.acknowledged, globalThis.unknown];
        });
        acknowledged += tally[0] ?? 0;
        unknown += tally[1] ?? 0;
      }
      const readers = how === 'reloaded' ? [...others, a] : others;
      for (const reader of readers) {
        const total = await reader.evaluate(async () => (await globalThis.db.counter('counters/shared', { shards: 4 }).get()).value);
        expect(total).toBeGreaterThanOrEqual(acknowledged);
        expect(total).toBeLessThanOrEqual(acknowledged + unknown);
        expect(await read(reader, 'a/mine')).toBe(5);
      }
      for (const other of others) await other.close();
    });
  }
});

test('closed while it takes over: no lock and no connection is left', { tag: '@long' }, async ({ page }) => {
  await start(page, { persist: 'leaving', worker: false });
  const left = await page.evaluate(async () => {
    const found = [];
    for (let turns = 0; turns < 10; turns += 1) {
      const first = globalThis.simulator;
      await globalThis.start({ persist: 'leaving', worker: false });
      await first.close();
      for (let i = 0; i < turns; i += 1) await new Promise((resolve) => { setTimeout(resolve); });
      await globalThis.simulator.close();
      const isDeleted = await new Promise((resolve) => {
        indexedDB.deleteDatabase('shardline-embedded:leaving').onsuccess = () => resolve(true);
        setTimeout(() => resolve(false), 5000);
      });
      const locks = async () => (await navigator.locks.query()).held?.filter(({ name }) => name?.startsWith('shardline-embedded')).length;
      // A lock that was granted while its request was aborted is given back by the browser, in its own time.
      for (const end = Date.now() + 5000; await locks() !== 0 && Date.now() < end;);
      found.push(`${isDeleted} ${await locks()}`);
      await globalThis.start({ persist: 'leaving', worker: false });
    }
    return found;
  });
  expect(left).toEqual(Array.from({ length: 10 }, () => 'true 0'));
});
