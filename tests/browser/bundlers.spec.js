/** The packed library in apps that other bundlers build, with no settings for it except those that the README names. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ICON, makeApp } from './support/package.js';
import { WEB } from './support/places.js';
import { run } from './support/run.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

const TESTS = join(WEB, '../tests');
const BIN = join(TESTS, 'node_modules/.bin');

/** @param {string} script Its tag. */
const html = (script) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>App</title><link rel="icon" href="./icon.svg"></head><body><output></output>${script}</body></html>
`;
const MODULE = '<script type="module" src="./main.js"></script>';
const CLASSIC = '<script src="./main.js"></script>';

/**
 * The app counts with both modules, asks, and runs the embedded Firestore with its worker.
 * @param {string} entry @param {string} workbench What openWorkbench() and createEmbeddedFirestore() are given.
 */
const main = (entry, workbench = '', simulator = '') => `
import { connect, Timestamp } from '${entry}';
import { openWorkbench } from 'shardline/workbench';
async function job() {
  const { createEmbeddedFirestore } = await openWorkbench(${workbench});
  const simulator = await createEmbeddedFirestore(${simulator});
  const db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
  const likes = db.counter('posts/p1', { shards: 3, flushMs: 0 });
  await likes.create();
  await likes.increment(2);
  await likes.resize(5);
  const rows = db.shardedCollection('rows', { shards: 40, shardField: 'shard', orderField: 'at' });
  await rows.add({ at: Timestamp.now() });
  const { docs } = await rows.newestFirst().limit(5).get();
  return 'counted ' + (await likes.get()).value + ', found ' + docs.length;
}
const show = (text) => { document.querySelector('output').textContent = text; };
job().then(show, (error) => show(error.code + ': ' + error.message + ' ' + error.cause));
`;

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 */
async function expectWork(page, url) {
  await page.goto(url);
  await expect(page.locator('output')).toHaveText('counted 2, found 1', { timeout: 20_000 });
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} folder
 */
async function expectServed(page, folder) {
  await writeFile(join(folder, 'icon.svg'), ICON);
  const server = await serveFolder(folder);
  await expectWork(page, server.url);
  await server.stop();
}

test('webpack', { tag: '@long' }, async ({ page }) => {
  const folder = await makeApp('webpack-app', { 'main.js': main('shardline') });
  const { default: webpack } = await import('webpack');
  const stats = await new Promise((resolve, reject) => {
    const output = { path: join(folder, 'dist'), filename: 'main.js' };
    webpack({ mode: 'production', context: folder, entry: './main.js', output, performance: false }, (error, done) => (error ? reject(error) : resolve(done)));
  });
  expect(stats.toJson({ all: false, errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] });
  await writeFile(join(folder, 'dist/index.html'), html(CLASSIC));
  await expectServed(page, join(folder, 'dist'));
});

for (const format of ['esm', 'iife']) {
  test(`esbuild, everything in one file, ${format}`, { tag: '@long' }, async ({ page }) => {
    const folder = await makeApp(`esbuild-${format}-app`, {
      'main.js': main('shardline/inline', "{ wasm: new URL('workbench.wasm', location.href) }", '{ worker: false }'),
    });
    await run(join(BIN, 'esbuild'), ['main.js', '--bundle', `--format=${format}`, '--outfile=dist/main.js', '--log-level=error'], { cwd: folder });
    await run('cp', [join(folder, 'node_modules/shardline/library/generated/workbench.wasm'), 'dist'], { cwd: folder });
    await writeFile(join(folder, 'dist/index.html'), html(format === 'esm' ? MODULE : CLASSIC));
    await expectServed(page, join(folder, 'dist'));
  });
}

test('Vite’s development server', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/\[vite\]/);
  const folder = await makeApp('vite-dev-app', { 'main.js': main('shardline'), 'index.html': html(MODULE), 'icon.svg': ICON });
  const { createServer } = await import(join(WEB, 'node_modules/vite/dist/node/index.js'));
  const server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0 } });
  await server.listen();
  await expectWork(page, server.resolvedUrls.local[0]);
  await server.close();
});

test('where a bundler has left the files behind, the error says what to do', { tag: '@long' }, async ({ page, watch }) => {
  watch.expect(/./);
  const folder = await makeApp('astray-app', { 'main.js': main('shardline') });
  await run(join(BIN, 'esbuild'), ['main.js', '--bundle', '--format=esm', '--outfile=dist/main.js', '--log-level=error'], { cwd: folder });
  await writeFile(join(folder, 'dist/index.html'), html(MODULE));
  await writeFile(join(folder, 'dist/icon.svg'), ICON);
  const server = await serveFolder(join(folder, 'dist'));
  await page.goto(server.url);
  await expect(page.locator('output')).toContainText('shardline/inline');
  await server.stop();
});
