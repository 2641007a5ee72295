/**
 * The packed library in a service worker: a place without a page, without `import()`, without workers of its own, that the browser stops when it
 * likes. It answers its page's requests with a report of its work.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faults, startFaultProxy } from '../emulator/support/fault_proxy.js';
import { longUnless } from './support/long.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places, WEB } from './support/places.js';
import { run } from './support/run.js';
import { serveFolder } from './support/static_server.js';
import { stored } from './support/stored.js';
import { expect, test } from './support/test.js';

test.use({ serviceWorkers: 'allow' });

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * It counts, with both modules, and asks a sharded query.
 * @param {{counters: string, collections: string, workbench: string}} entries Where they are imported from.
 */
const worker = ({ counters, collections, workbench }) => `
import { connect as connectCounters, Timestamp } from '${counters}';
import { connect as connectCollections } from '${collections}';
import { openWorkbench } from '${workbench}';

const host = new URL(location.href).searchParams.get('host');
const warnings = [];
const options = { projectId: 'demo', host, retry: { initialDelayMs: 20, maxDelayMs: 200 } };

async function job() {
  const db = await connectCounters({ ...options, onWarning: ({ code, message }) => warnings.push(code + ': ' + message) });
  const likes = db.counter('counters/sw', { shards: 3, flushMs: 0 });
  const { created } = await likes.create();
  await Promise.all([likes.increment(), likes.increment(4n), likes.increment(-2)]);
  await likes.resize(5);
  const { value } = await likes.get();
  const isStored = (await indexedDB.databases()).some(({ name }) => name.startsWith('shardline '));
  const lists = await connectCollections(options);
  const rows = lists.shardedCollection('rows', { shards: 40, shardField: 'shard', orderField: 'at' });
  await rows.addAll(Array.from({ length: 20 }, (_, n) => ({ n, at: new Timestamp(1000 + n, 0) })));
  const { docs } = await rows.where('n', '<', 15).newestFirst().limit(4).get();
  await Promise.all([db.close(), lists.close()]);
  return { created, value, isStored, found: docs.map(({ data }) => data().n), warnings };
}

async function embedded() {
  const { createEmbeddedFirestore } = await openWorkbench();
  const simulator = await createEmbeddedFirestore();
  const db = await connectCounters({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
  const likes = db.counter('a/b', { shards: 2, flushMs: 0 });
  await likes.increment(3);
  const { value } = await likes.get();
  await db.close();
  await simulator.close();
  return { value };
}

/** Counts, and is stopped before anything is sent. */
async function leave() {
  const db = await connectCounters(options);
  db.counter('counters/sw', { shards: 3, flushMs: 60_000 }).increment(7).catch(() => {});
  return { left: true };
}

const JOBS = { job, embedded, leave };
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const work = JOBS[new URL(event.request.url).searchParams.get('do')];
  if (!work) return;
  event.respondWith(work().then(Response.json, (error) => Response.json({ error: String(error), cause: String(error.cause) })));
});
`;

const library = './node_modules/shardline/library';
const WORKBENCH = `${library}/workbench.js`;
const PAGE = { ...EMPTY_PAGE, 'main.js': '', 'counting.js': `
import { connect } from '${library}/counters_only.js';
const host = new URL(location.href).searchParams.get('host');
globalThis.begin = () => connect({ projectId: 'demo', host, retry: { initialDelayMs: 20, maxDelayMs: 200 } });
`, 'counting.html': '<!doctype html><title>Counts</title><link rel="icon" href="./icon.svg"><script type="module" src="./counting.js"></script>' };

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {{type: 'module' | 'classic', host?: string}} how
 */
async function start(page, url, { type, host = places.emulator }) {
  await page.goto(url);
  await page.evaluate(async ({ kind, to }) => {
    const claimed = new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = resolve; });
    await navigator.serviceWorker.register(`./worker.js?host=${encodeURIComponent(to)}`, { type: kind });
    await claimed;
  }, { kind: type, to: host });
}

/** @param {import('@playwright/test').Page} page @param {'job' | 'embedded' | 'leave'} work */
const ask = (page, work) => page.evaluate(async (what) => (await fetch(`./answer?do=${what}`)).json(), work);

const headers = () => ({ 'content-security-policy': `${POLICY}; connect-src 'self' ${places.emulator}` });

/** @type {[name: string, imports: Parameters<typeof worker>[0]][]} */
const ENTRIES = [
  ['shardline', { counters: `${library}/index.js`, collections: `${library}/index.js`, workbench: WORKBENCH }],
  ['shardline/static and shardline/collections', { counters: `${library}/counters_static.js`, collections: `${library}/collections_only.js`, workbench: WORKBENCH }],
  ['shardline/inline', { counters: `${library}/inline.js`, collections: `${library}/inline.js`, workbench: WORKBENCH }],
];

for (const [name, imports] of ENTRIES) {
  test(`${name} in a module service worker counts, asks, and keeps what waits where its pages do`, longUnless(imports === ENTRIES[1]?.[1]), async ({ page }) => {
    const folder = await makeApp(`service-worker-${name.replaceAll(/\W+/g, '-')}`, { ...PAGE, 'worker.js': worker(imports) });
    const server = await serveFolder(folder, { headers: headers() });
    await start(page, server.url, { type: 'module' });
    expect(await ask(page, 'job')).toEqual({ created: true, value: 3, isStored: true, found: [14, 13, 12, 11], warnings: [] });
    expect(await ask(page, 'embedded')).toEqual({ value: 3 });
    await server.stop();
  });
}

test('shardline/inline, made one file by esbuild, in a service worker that is no module', { tag: '@long' }, async ({ page }) => {
  const folder = await makeApp('service-worker-classic', {
    'source.js': worker({ counters: 'shardline/inline', collections: 'shardline/inline', workbench: 'shardline/workbench' }),
  });
  const esbuild = join(WEB, '../tests/node_modules/.bin/esbuild');
  await run(esbuild, ['source.js', '--bundle', '--format=iife', '--outfile=dist/worker.js', '--log-level=error'], { cwd: folder });
  for (const [path, content] of Object.entries(PAGE)) await writeFile(join(folder, 'dist', path), content);
  const server = await serveFolder(join(folder, 'dist'), { headers: headers() });
  await start(page, server.url, { type: 'classic' });
  expect(await ask(page, 'job')).toEqual({ created: true, value: 3, isStored: true, found: [14, 13, 12, 11], warnings: [] });
  await server.stop();
});

test('what a service worker has left when the browser stops it, a page sends', async ({ page, context, watch }) => {
  watch.expectFailedRequests();
  const proxy = await startFaultProxy({ target: places.emulator });
  const [, imports] = ENTRIES[1];
  const folder = await makeApp('service-worker-stopped', { ...PAGE, 'worker.js': worker(imports) });
  const server = await serveFolder(folder);
  await start(page, server.url, { type: 'module', host: proxy.url });
  proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
  expect(await ask(page, 'leave')).toEqual({ left: true });
  await expect.poll(async () => (await page.evaluate(stored)).length).toBe(1);
  const devtools = await context.newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  proxy.reset();
  await page.goto(`${server.url}counting.html?host=${encodeURIComponent(proxy.url)}`);
  await page.waitForFunction('globalThis.begin');
  const value = await page.evaluate(async () => {
    const db = await globalThis.begin();
    const counter = db.counter('counters/sw', { shards: 3 });
    await counter.flush();
    return (await counter.get()).value;
  });
  expect(value).toBe(7);
  await Promise.all([server.stop(), proxy.stop()]);
});
