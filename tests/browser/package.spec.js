/**
 * The packed library in the hands of others, under a strict policy: in a fresh Vite app, in a page without a bundler, in workers.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EMPTY_PAGE, ICON, makeApp } from './support/package.js';
import { places, WEB } from './support/places.js';
import { run } from './support/run.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

const { exports } = JSON.parse(await readFile(join(WEB, 'package.json'), 'utf8'));

const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
];

/** A counter and a sharded query against an emulator: the work of all pages below. */
const JOB = `
export async function job(host) {
  const records = [];
  const db = await connect({ projectId: 'demo', host, onRequest: (record) => records.push(record) });
  const counter = db.counter('counters/app', { shards: 3 });
  const { created } = await counter.create();
  await Promise.all([counter.increment(), counter.increment(4n), counter.increment(-2)]);
  const { value, billed } = await counter.get();
  const trades = db.shardedCollection('trades', { shards: 60 });
  const timestamp = Timestamp.fromString('2019-01-01T13:45:23.010Z');
  await trades.addAll(Array.from({ length: 40 }, (_, n) => ({ n, timestamp: new Timestamp(timestamp.seconds + n % 7, 0) })));
  const seen = [];
  for await (const { data } of trades.newestFirst().limit(10)) seen.push(data().timestamp.seconds - timestamp.seconds);
  const refusal = await counter.increment(0.1 + NaN).catch((error) => error instanceof ShardlineError && error.code);
  await db.close();
  return { created, value, reads: billed.reads, seen, refusal, requests: records.length };
}
`;
const IMPORTS = 'connect, ShardlineError, Timestamp';

/** @param {any} found */
function expectResult(found) {
  expect(found).toMatchObject({
    created: true, value: 3, reads: 1, seen: [6, 6, 6, 6, 6, 5, 5, 5, 5, 5], refusal: 'invalid-argument',
  });
  expect(found.requests).toBeGreaterThan(5);
}

/** @param {string} script Its address. */
const html = (script) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8"><title>App</title><link rel="icon" href="./icon.svg"><script type="module" src="${script}"></script>
  </head>
  <body><output></output></body>
</html>
`;

/** Shows the result; the test reads it. */
const SHOW = `
const show = (result) => { document.querySelector('output').textContent = JSON.stringify(result); };
const showError = (error) => show({ error: String(error), cause: String(error.cause) });
const runInWorker = (worker, host) => {
  worker.onmessage = ({ data }) => show(data);
  worker.onerror = (event) => show({ error: event.message });
  worker.postMessage(host);
};
`;

const WORKER = `import { job } from './job.js';
self.onmessage = ({ data }) => job(data).then(postMessage, (error) => postMessage({ error: String(error) }));
`;

/** The page under a policy that allows its own files and the emulator. */
function headers() {
  return { 'content-security-policy': [...POLICY, "img-src 'self'", `connect-src 'self' ${places.emulator}`].join('; ') };
}

/** @param {import('@playwright/test').Page} page */
async function result(page) {
  await expect(page.locator('output')).not.toBeEmpty();
  return JSON.parse(await page.locator('output').innerText());
}

test('has only what it needs in it', async () => {
  const files = (await run('tar', ['-tzf', places.tarball], { cwd: WEB })).trim().split('\n');
  expect(files).toContain('package/library/index.js');
  for (const name of ['runtime.js', 'shardline.wasm', 'counters.wasm', 'collections.wasm', 'admin.wasm']) {
    expect(files).toContain(`package/library/generated/${name}`);
  }
  expect(files).toContain('package/types/index.d.ts');
  expect(files.filter((file) => !/^package\/(package\.json|README\.md|LICENSE|CHANGELOG\.md|NOTICE\.md|small\.html|guides\/|bin\/|library\/|packed\/|types\/|(collections|counters|debug|elements?|firebase|firebase-counters|inline|static|workbench)\.js$)/.test(file))).toEqual([]);
});

test.describe('a fresh Vite app', () => {
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let server;

  test.beforeAll(async () => {
    const folder = await makeApp('vite-app', {
      'index.html': html('./main.js'),
      'icon.svg': ICON,
      'job.js': `import { ${IMPORTS} } from 'shardline';\n${JOB}`,
      'worker.js': WORKER,
      'main.js': `import { job } from './job.js';${SHOW}
        const host = new URLSearchParams(location.search).get('host');
        if (location.hash === '#worker') {
          runInWorker(new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }), host);
        } else {
          job(host).then(show, showError);
        }`,
      // As small as it gets: a Vite app needs no settings for the library, and these two only for where it is served.
      'vite.config.js': "export default { base: './', worker: { format: 'es' } };\n",
    }, { byNpm: true });
    await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], { cwd: folder });
    server = await serveFolder(join(folder, 'dist'), { headers: headers() });
  });
  test.afterAll(() => server.stop());

  test('does its work', async ({ page }) => {
    await page.goto(`${server.url}?host=${places.emulator}`);
    expectResult(await result(page));
  });

  test('does its work in a module worker', async ({ page }) => {
    await page.goto(`${server.url}?host=${places.emulator}#worker`);
    expectResult(await result(page));
  });
});

test('a Vite app that counts and does no more ships smaller modules, and fetches the second when an administrator calls', async ({ page, watch }) => {
  const folder = await makeApp('counting-app', {
    'index.html': html('./main.js'),
    'icon.svg': ICON,
    'main.js': `import { connect } from 'shardline/counters';${SHOW}
      const db = await connect({ projectId: 'demo', host: new URLSearchParams(location.search).get('host') });
      const counter = db.counter('counters/half', { shards: 2 });
      await counter.increment(5);
      show((await counter.get()).value);
      globalThis.cleanUp = () => counter.cleanUp().then(({ deleted }) => deleted, ({ name, code, message }) => ({ name, code, message }));
      globalThis.value = async () => (await counter.get()).value;`,
    'vite.config.js': "export default { base: './' };\n",
  });
  await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], { cwd: folder });
  const built = await readdir(join(folder, 'dist/assets'));
  expect(built.filter((file) => file.endsWith('.wasm'))).toEqual([expect.stringMatching(/^admin-/), expect.stringMatching(/^counters-/)]);
  const server = await serveFolder(join(folder, 'dist'), { headers: headers() });
  /** @type {string[]} */
  const fetched = [];
  page.on('request', (request) => {
    const [, name] = /\/([a-z]+)-[^/]*\.wasm$/.exec(request.url()) ?? [];
    if (name) fetched.push(name);
  });
  await page.goto(`${server.url}?host=${places.emulator}`);
  expect(await result(page)).toBe(5);
  expect(fetched).toEqual(['counters']);

  const cleanUp = () => page.evaluate(() => Promise.all([globalThis.cleanUp(), globalThis.cleanUp()]));
  watch.expect(/ERR_FAILED/);
  await page.route('**/admin-*.wasm', (route) => route.abort());
  for (const refusal of await cleanUp()) {
    expect(refusal).toMatchObject({ name: 'ShardlineError', code: 'unavailable', message: expect.stringContaining('connect({ wasm })') });
  }
  expect(await page.evaluate(() => globalThis.value())).toBe(5);
  await page.unroute('**/admin-*.wasm');
  expect(await cleanUp()).toEqual([0, 0]);
  expect(fetched).toEqual(['counters', 'admin', 'admin']);
  await server.stop();
});

test.describe('a page without a bundler', () => {
  /** @type {string} */
  let folder;
  test.beforeAll(async () => {
    const library = './node_modules/shardline/packed/shardline.js';
    folder = await makeApp('plain-page', {
      'index.html': html('./main.js'),
      'icon.svg': ICON,
      'job.js': `import { ${IMPORTS} } from '${library}';\n${JOB}`,
      'worker.js': WORKER,
      'main.js': `import { job } from './job.js';${SHOW}
        const host = new URLSearchParams(location.search).get('host');
        if (location.hash === '#worker') runInWorker(new Worker('./worker.js', { type: 'module' }), host);
        else job(host).then(show, showError);`,
    });
  });

  for (const [where, hash] of [['does its work', ''], ['does its work in a module worker', '#worker']]) {
    test(where, async ({ page }) => {
      const server = await serveFolder(folder, { headers: headers() });
      await page.goto(`${server.url}?host=${places.emulator}${hash}`);
      expectResult(await result(page));
      await server.stop();
    });
  }

  test('does its work when the server does not know what .wasm is', { tag: '@long' }, async ({ page }) => {
    const server = await serveFolder(folder, { headers: headers(), types: { '.wasm': 'application/octet-stream' } });
    await page.goto(`${server.url}?host=${places.emulator}`);
    expectResult(await result(page));
    await server.stop();
  });

  test('says what is missing when the policy forbids WebAssembly', async ({ page, watch }) => {
    watch.expect(/./);
    const policy = headers()['content-security-policy'].replace("'wasm-unsafe-eval'", '');
    const server = await serveFolder(folder, { headers: { 'content-security-policy': policy } });
    await page.goto(`${server.url}?host=${places.emulator}`);
    expect((await result(page)).error).toContain('wasm-unsafe-eval');
    await server.stop();
  });
});

test('the import map of the guide loads packed files, and no others', async ({ page }) => {
  const guide = await readFile(join(WEB, 'guides/setup.md'), 'utf8');
  const [, map = ''] = /<script type="importmap"[^>]*>(.*?)<\/script>/s.exec(guide) ?? [];
  const entries = Object.keys(JSON.parse(map).imports);
  expect(entries.length).toBeGreaterThan(4);
  const folder = await makeApp('import-map-page', {
    'index.html': `<!doctype html><html lang="en"><head><title>App</title><link rel="icon" href="./icon.svg">
      <script type="importmap" nonce="of-the-policy">${map}</script></head></html>`,
    'icon.svg': ICON,
  });
  const policy = headers()['content-security-policy'].replace('script-src', "script-src 'nonce-of-the-policy'");
  const server = await serveFolder(folder, { headers: { 'content-security-policy': policy } });
  /** @type {string[]} */
  let fetched = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname.replace('/node_modules/shardline', '')));
  const expectFetched = (/** @type {string[]} */ ...files) => {
    expect(fetched.filter((path) => /\.(js|wasm)$/.test(path)).sort()).toEqual(files.sort());
    fetched = [];
  };
  await page.goto(server.url);
  await page.evaluate(async (host) => {
    const { connect } = await import('shardline/counters');
    const db = await connect({ projectId: 'demo', host });
    const likes = db.counter('counters/packed', { shards: 3 });
    await likes.increment(2);
    Object.assign(globalThis, { db, likes });
  }, places.emulator);
  expectFetched('/packed/counters.js', '/library/generated/counters.wasm');
  expect(await page.evaluate(async () => (await globalThis.likes.cleanUp()).deleted)).toBe(0);
  expectFetched('/library/generated/admin.wasm');
  expect(await page.evaluate(async () => {
    const { openWorkbench } = await import('shardline/workbench');
    const simulator = await (await openWorkbench()).createEmbeddedFirestore();
    const { status } = await simulator.fetch('https://firestore.googleapis.com/v1/projects/demo/databases/(default)/documents/posts/p1');
    const { throughput } = await simulator.run({ users: 10, seconds: 5 });
    return { status, hasCounted: throughput > 0 };
  })).toEqual({ status: 404, hasCounted: true });
  expectFetched('/packed/workbench.js', '/library/generated/workbench.wasm', '/packed/worker.js', '/packed/experiment_worker.js');
  const exported = await page.evaluate((names) => Promise.all(names.map(async (name) => Object.keys(await import(name)))), entries);
  for (const [index, name] of entries.entries()) {
    expect(exported[index].sort(), name).toEqual(Object.keys(await import(join(WEB, exports[name.replace('shardline', '.')].default))).sort());
  }
  await server.stop();
});

test('packed files work from another site', { tag: '@long' }, async ({ page }) => {
  const folder = await makeApp('cdn', EMPTY_PAGE);
  const [cdn, site] = await Promise.all([serveFolder(folder, { headers: { 'access-control-allow-origin': '*' } }), serveFolder(folder)]);
  await page.route('**/main.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(site.url);
  const found = await page.evaluate(async ({ packed, host }) => {
    const [{ connect }, { openWorkbench }] = await Promise.all([import(`${packed}shardline.js`), import(`${packed}workbench.js`)]);
    const db = await connect({ projectId: 'demo', host });
    const { deleted } = await db.counter('counters/cdn', { shards: 3 }).cleanUp();
    const { createEmbeddedFirestore } = await openWorkbench();
    const refusal = await createEmbeddedFirestore().catch(({ message }) => message);
    const { documents } = await (await createEmbeddedFirestore({ worker: false })).snapshot();
    return { deleted, refusal, documents };
  }, { packed: `${cdn.url}node_modules/shardline/packed/`, host: places.emulator });
  expect(found).toEqual({ deleted: 0, refusal: expect.stringContaining('worker: false'), documents: 0 });
  await Promise.all([cdn.stop(), site.stop()]);
});

test('its types check in a strict TypeScript app', { tag: '@long' }, async () => {
  const folder = await makeApp('typed-app', {
    'main.ts': `import { connect, ShardlineError, Timestamp, type Database } from 'shardline';
      import { connect as connectCollections } from 'shardline/collections';
      import { connect as connectCounters, type CounterReading } from 'shardline/counters';
      import { openWorkbench, type Observation, type EmbeddedFirestore } from 'shardline/workbench';
      const db: Database = await connect({ projectId: 'demo', host: 'http://127.0.0.1:8080' });
      const reading = await db.counter('posts/p1', { shards: 10, layout: 'web-sample' }).get({ source: 'shards' });
      const total: number | bigint = reading.value;
      const page = await db.shardedCollection('instruments', { shards: ['x', 'y', 'z'] })
        .where('exchange', '==', 'EXCHG1').newestFirst().limit(5).get();
      const next: string | null = page.nextToken;
      const newest: Timestamp | undefined = page.readTimes[0];
      try { await db.close(); } catch (error) { if (error instanceof ShardlineError && error.code === 'aborted') throw error; }
      const { createEmbeddedFirestore } = await openWorkbench();
      const simulator: EmbeddedFirestore = await createEmbeddedFirestore({ limits: { documentBurst: 1 }, persist: 'test', faults: { dropResponse: 0.1 } });
      const local = await connect({ projectId: 'demo', fetch: simulator.fetch });
      const stop = simulator.observe(({ billed, contention, tablets }: Observation) => [billed.dollars, contention.documents, tablets]);
      const { throughput, perSecond } = await simulator.run({ preset: 'tenShards', users: 10 }, { onProgress: ({ seconds }) => seconds });
      const rates: number[] = [throughput, ...perSecond.acknowledged];
      await simulator.configure({ limits: 'none' });
      await simulator.close();
      const counters = await connectCounters({ projectId: 'demo', storage: 'memory' });
      const half: CounterReading = await counters.counter('posts/p1').get();
      // @ts-expect-error: has none
      counters.shardedCollection('instruments', { shards: 3 });
      const collections = await connectCollections({ projectId: 'demo' });
      await collections.shardedCollection('instruments', { shards: 3 }).add({ self: collections.doc('instruments/i') });
      // @ts-expect-error: has no queue
      await connectCollections({ projectId: 'demo', storage: 'memory' });
      // @ts-expect-error: no such limits
      await createEmbeddedFirestore({ limits: 'some' });
      // @ts-expect-error: no such layout
      db.counter('posts/p1', { layout: 'cobol' });
      // @ts-expect-error: no such operator
      db.shardedCollection('instruments', { shards: 3 }).where('exchange', '=', 'EXCHG1');
      export { total, next, newest, local, stop, rates, half };
    `,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'ESNext.Disposable'],
        module: 'ESNext',
        moduleResolution: 'Bundler',
        strict: true,
        noEmit: true,
        types: [],
      },
      files: ['main.ts'],
    }),
  });
  await run(join(WEB, 'node_modules/.bin/tsc'), [], { cwd: folder });
});
