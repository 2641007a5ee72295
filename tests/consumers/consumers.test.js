/**
 * The packed library in apps of other bundlers, frameworks, runtimes and compilers: newest versions, and old ones that are still in use.
 * Each app counts against Google's emulator with both modules, asks a sharded query, and opens the workbench.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../browser/support/run.js';
import { serveFolder } from '../browser/support/static_server.js';
import { startEmulator } from '../emulator/support/emulator.js';
import { makeApp, packLibrary, startBrowser, startServer, WEB } from './app.js';

/** @type {string} */
let tarball;
/** @type {Awaited<ReturnType<typeof startEmulator>>} */
let emulator;
/** @type {import('@playwright/test').Browser} */
let browser;

before(async () => {
  [tarball, emulator, browser] = await Promise.all([packLibrary('consumers'), startEmulator(), startBrowser()]);
});
after(() => Promise.all([browser?.close(), emulator?.stop()]));

const EXPECTED = 'counted 2, found 1, embedded 3';
let apps = 0;

/** What each app does, as a module that exports it. @param {string} [entry] @param {string} [simulator] Its options. */
function job(entry = 'shardline', simulator = '{}') {
  apps += 1;
  return `import { connect, Timestamp } from '${entry}';
import { openWorkbench } from 'shardline/workbench';

export async function job() {
  const db = await connect({ projectId: 'consumers-${apps}', host: '${emulator.url}', storage: 'memory' });
  const likes = db.counter('posts/p1', { shards: 3, flushMs: 0 });
  await likes.create();
  await likes.increment(2);
  await likes.resize(5);
  const rows = db.shardedCollection('rows', { shards: 40, shardField: 'shard', orderField: 'at' });
  await rows.add({ at: Timestamp.now() });
  const { docs } = await rows.newestFirst().limit(5).get();
  const { createEmbeddedFirestore } = await openWorkbench();
  const simulator = await createEmbeddedFirestore(${simulator});
  const embedded = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
  await embedded.counter('a/b', { shards: 2 }).increment(3);
  const { value } = await embedded.counter('a/b', { shards: 2 }).get();
  await embedded.close();
  await simulator.close();
  return 'counted ' + (await likes.get()).value + ', found ' + docs.length + ', embedded ' + value;
}
`;
}

const MAIN = `import { job } from './job.js';
const show = (text) => { document.querySelector('output').textContent = text; };
job().then(show, (error) => show(error.code + ': ' + error.message + ' ' + error.cause));
`;
const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>App</title></head><body><output></output><script type="module" src="./main.js"></script></body></html>
`;
const files = () => ({ 'index.html': PAGE, 'main.js': MAIN, 'job.js': job() });
const EXCLUDE = "export default { optimizeDeps: { exclude: ['shardline'] } };\n";

/** @param {string} url */
async function expectWork(url) {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    const output = page.locator('output', { hasText: /./ });
    await output.waitFor({ timeout: 60_000 });
    assert.equal(await output.textContent(), EXPECTED);
  } finally {
    await page.close();
  }
}

/** @param {string} folder */
async function expectServed(folder) {
  const server = await serveFolder(folder);
  await expectWork(server.url).finally(() => server.stop());
}

for (const version of ['5', '7']) {
  test(`Vite ${version}: built, and its development server`, async (t) => {
    const folder = await makeApp(`vite-${version}`, { ...files(), 'vite.config.js': EXCLUDE }, [tarball, `vite@${version}`]);
    await run('node_modules/.bin/vite', ['build', '--logLevel=error', '--target=es2022'], { cwd: folder });
    await expectServed(join(folder, 'dist'));
    const url = await startServer(t, folder, 'vite', ['--host', '127.0.0.1', '--port', '0'], /127\.0\.0\.1:(\d+)/);
    await writeFile(join(folder, 'job.js'), job());
    await expectWork(url);
  });
}

test('Vite’s development server, with the library linked from its checkout', async (t) => {
  const config = `export default { server: { fs: { allow: ['.', '${WEB}'] } } };\n`;
  const folder = await makeApp('vite-linked', { ...files(), 'vite.config.js': config }, [WEB, 'vite@8']);
  await expectWork(await startServer(t, folder, 'vite', ['--host', '127.0.0.1', '--port', '0'], /127\.0\.0\.1:(\d+)/));
});

test('Rollup, with the plugin that takes files along', async () => {
  const config = `import { nodeResolve } from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';
export default { input: 'main.js', output: { dir: 'dist', format: 'es' }, plugins: [nodeResolve({ browser: true }), importMetaAssets()] };
`;
  // It builds no workers.
  const folder = await makeApp('rollup', { ...files(), 'job.js': job('shardline', '{ worker: false }'), 'rollup.config.js': config }, [tarball, 'rollup@4', '@rollup/plugin-node-resolve', '@web/rollup-plugin-import-meta-assets']);
  await run('node_modules/.bin/rollup', ['--config', '--silent'], { cwd: folder });
  await writeFile(join(folder, 'dist/index.html'), PAGE);
  await expectServed(join(folder, 'dist'));
});

test('Parcel', async () => {
  const folder = await makeApp('parcel', files(), [tarball, 'parcel@2']);
  await run('node_modules/.bin/parcel', ['build', 'index.html', '--cache-dir', '.cache', '--no-source-maps', '--log-level', 'error'], { cwd: folder });
  await expectServed(join(folder, 'dist'));
});

for (const bundler of ['turbopack', 'webpack']) {
  test(`Next.js with ${bundler}: on the server and in the page`, async (t) => {
    const page = `'use client';
import { useEffect, useState } from 'react';
import { job } from '../job.js';
export default function Page() {
  const [text, show] = useState('');
  useEffect(() => { job().then(show, (error) => show(error.code + ': ' + error.message + ' ' + error.cause)); }, []);
  return <output>{text}</output>;
}
`;
    const layout = 'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n';
    const route = `import { job } from '../../job_on_server.js';
export const dynamic = 'force-dynamic';
export async function GET() { return new Response(await job()); }
`;
    // In components of the server, Turbopack makes addresses of files that are for browsers alone; in routes it does not.
    const rendered = `import { job } from '../../job_in_component.js';
export const dynamic = 'force-dynamic';
export default async function Page() { return <output>{await job()}</output>; }
`;
    const folder = await makeApp(`next-${bundler}`, {
      'app/page.jsx': page,
      'app/rendered/page.jsx': rendered,
      'app/layout.jsx': layout,
      'app/server/route.js': route,
      'job.js': job(),
      'job_on_server.js': job(),
      'job_in_component.js': job(),
      'next.config.js': "export default { serverExternalPackages: ['shardline'] };\n",
    }, [tarball, 'next@16', 'react@19', 'react-dom@19']);
    await run('node_modules/.bin/next', ['build', `--${bundler}`], { cwd: folder, env: { NEXT_TELEMETRY_DISABLED: '1' } });
    const url = await startServer(t, folder, 'next', ['start', '--hostname', '127.0.0.1', '--port', '0'], /127\.0\.0\.1:(\d+)[^]*Ready/);
    assert.equal(await (await fetch(`${url}server`)).text(), EXPECTED);
    const html = await (await fetch(`${url}rendered`)).text();
    assert.ok(html.includes(`<output>${EXPECTED}</output>`), html);
    await expectWork(url);
  });
}

/** The lowest versions that the package says it runs in. @type {string[]} */
const LOWEST = JSON.parse(readFileSync(join(WEB, 'package.json'), 'utf8')).engines.node.match(/[\d.]+/g);

/** @type {[name: string, packages: string[], program: string, args: string[]][]} */
const RUNTIMES = [
  ...LOWEST.map((version) => /** @type {[string, string[], string, string[]]} */ ([`Node ${version}`, [`node@${version}`], 'node', []])),
  ['Node 22', ['node@22'], 'node', []],
  ['Deno', ['deno@2'], 'deno', ['run', '--quiet', '--allow-all']],
  ['Bun', ['bun@1'], 'bun', []],
];
for (const [name, packages, program, args] of RUNTIMES) {
  test(name, async () => {
    const main = "import { job } from './job.js';\nconsole.log(await job());\n";
    const folder = await makeApp(packages.join('-').replaceAll('@', '-'), { 'main.js': main, 'job.js': job() }, [tarball, ...packages]);
    assert.equal(await run(`node_modules/.bin/${program}`, [...args, 'main.js'], { cwd: folder }), `${EXPECTED}\n`);
  });
}

test('require() in Node 22', async () => {
  const main = "const { connect } = require('shardline');\nconst { openWorkbench } = require('shardline/workbench');\nconsole.log(typeof connect, typeof openWorkbench);\n";
  const folder = await makeApp('require', { 'main.cjs': main }, [tarball, 'node@22']);
  assert.equal(await run('node_modules/.bin/node', ['--no-warnings', 'main.cjs'], { cwd: folder }), 'function function\n');
});

/** The files that the library's own test of types reads, except those that need Firebase's types. */
const TYPED = ['documents.ts', 'counters.ts', 'entries.ts', 'element.ts'];
/** Uses the DOM, and is left out if there is no DOM. */
const OF_A_PAGE = 'element.ts';

for (const version of ['5.4', '5.9', '6.0', 'latest']) {
  test(`TypeScript ${version}: strict, with and without types of the DOM`, async () => {
    const main = `import { connect, type Counter, type Database } from 'shardline';
import { connect as connectCounters } from 'shardline/counters';
import { connect as connectCollections } from 'shardline/collections';
import { connect as connectApp } from 'shardline/firebase';
import { connect as connectAppCounters } from 'shardline/firebase-counters';
import { openWorkbench, type Workbench } from 'shardline/workbench';
export const database: Promise<Database> = connect({ projectId: 'demo' });
export const total = async (counter: Counter) => (await counter.get()).value;
export const all = [connectCounters, connectCollections, connectApp, connectAppCounters];
export const workbench: Promise<Workbench> = openWorkbench();
interface Instrument { symbol: string; timestamp: Date }
export async function habits(db: Database, instrument: Instrument) {
  const rows = db.shardedCollection('instruments', { shards: 3 });
  await rows.add(instrument);
  await rows.addAll([instrument]);
  const page = await rows.limit(5).get();
  // @ts-expect-error A last page has no next one.
  rows.continueFrom(page.nextToken);
  page.docs[0]!.data().symbol;
  await db[Symbol.asyncDispose]();
}
`;
    const wrong = `import type { ShardedCollection } from 'shardline';
export const wrong = (rows: ShardedCollection<{ symbol: string; price: { micros: number } }>) => [
  rows.where('symbl', '==', 'A'), rows.orderBy('symbl'), rows.select('symbl'), rows.sum('price.micro'), rows.update('a', 'symbl', 1),
];
`;
    const checked = Object.fromEntries(TYPED.map((name) => [name, readFileSync(new URL(`../types/${name}`, import.meta.url), 'utf8')]));
    const folder = await makeApp(`typescript-${version}`, { 'main.ts': main, 'wrong.ts': wrong, ...checked }, [tarball, `typescript@${version}`, '@types/node@20']);
    const own = Object.keys(checked).filter((name) => name !== OF_A_PAGE);
    for (const module of [['--module', 'esnext', '--moduleResolution', 'bundler'], ['--module', 'nodenext']]) {
      for (const lib of [['--lib', 'es2022,dom,dom.iterable', OF_A_PAGE], ['--lib', 'es2022', '--types', 'node']]) {
        await run('node_modules/.bin/tsc', ['--noEmit', '--strict', '--target', 'es2022', ...module, ...lib, 'main.ts', ...own], { cwd: folder });
      }
    }
    // Each message names the fields that exist. TypeScript 7 explains only the last overload.
    await assert.rejects(run('node_modules/.bin/tsc', ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', 'wrong.ts'], { cwd: folder }), (/** @type {Error} */ { message }) => {
      const messages = message.split(/^wrong\.ts/m).slice(1);
      assert.equal(messages.length, 5, message);
      for (const each of messages) assert.match(each, /"price\.micros"/);
      return true;
    });
  });
}

test('types are found however TypeScript resolves modules', async () => {
  const folder = await makeApp('attw', {}, ['@arethetypeswrong/cli@0.18']);
  // Tells whatever it finds, and ends with an error then. What is no ESM module, and the resolution of TypeScript before 4.7, have no part in it.
  await run('node_modules/.bin/attw', [tarball, '--profile', 'esm-only'], { cwd: folder });
});
