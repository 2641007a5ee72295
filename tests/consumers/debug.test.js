/**
 * The entry for debuggers, from the tarball: it works as the others, its traps name C++ functions, its source map their lines, and a
 * debugger stops at them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../browser/support/run.js';
import { serveFolder } from '../browser/support/static_server.js';
import { makeApp, packLibrary, startBrowser } from './app.js';
import { offsetOf, placeOf, sourceMapAt, sourceMapIn } from './source_map.js';

const JOB = `import { connect } from 'shardline/debug';
import { openWorkbench } from 'shardline/workbench';
export async function job() {
  const { createEmbeddedFirestore } = await openWorkbench();
  const simulator = await createEmbeddedFirestore();
  const db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
  const likes = db.counter('a/b', { shards: 3, flushMs: 0 });
  await likes.create(); // In the ordinary modules, the second has it.
  await likes.increment(2);
  const rows = db.shardedCollection('rows', { shards: 40, shardField: 'shard', orderField: 'at' });
  await rows.add({ at: new Date(0) });
  const { docs } = await rows.newestFirst().limit(5).get();
  const { value } = await likes.get();
  await db.close();
  await simulator.close();
  return 'counted ' + value + ', found ' + docs.length;
}
`;
const EXPECTED = 'counted 2, found 1';
/** An address behind the end of the memory: where it is read, the module traps. */
const TRAP = `import { readFileSync } from 'node:fs';
import createModule from './node_modules/shardline/library/generated/debug.js';
const module = await createModule({ wasm: new WebAssembly.Module(readFileSync('node_modules/shardline/library/generated/debug.wasm')) });
try {
  module.start(1, -16, 1000);
} catch (error) {
  console.log(error.stack);
}
process.exit();
`;

/** @type {string} */
let folder;
/** @type {import('@playwright/test').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;

before(async () => {
  const html = '<!doctype html><meta charset="utf-8"><title>App</title><script type="module" src="./page.js"></script>';
  const page = "import { job } from './job.js';\nglobalThis.job = job;\n";
  folder = await makeApp('debug', {
    'job.js': JOB, 'main.js': "import { job } from './job.js';\nconsole.log(await job());\n", 'trap.js': TRAP, 'index.html': html, 'page.js': page,
  }, [await packLibrary('debug'), 'vite@8']);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error'], { cwd: folder });
  [server, browser] = await Promise.all([serveFolder(join(folder, 'dist')), startBrowser()]);
});
after(() => Promise.all([server?.stop(), browser?.close()]));

/** A page of the app, behind a bundler. */
async function openPage() {
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction('globalThis.job');
  return page;
}

test('in Node and in Chromium, behind a bundler, it counts and asks as the others do', async () => {
  assert.equal(await run('node', ['main.js'], { cwd: folder }), `${EXPECTED}\n`);
  const page = await openPage();
  assert.equal(await page.evaluate('globalThis.job()'), EXPECTED);
});

/** A function that every sharded query runs. */
const FILE = 'shardline/src/sharded_query/query_plan.cc';
const FUNCTION = 'Status QueryPlan::SetChunks() {';

test('a debugger finds the C++, stops at a line of it, and shows which functions are under way', async () => {
  const page = await openPage();
  const session = await page.context().newCDPSession(page);
  /** @type {any[]} */
  const modules = [];
  session.on('Debugger.scriptParsed', (script) => {
    if (script.scriptLanguage === 'WebAssembly' && /debug/.test(script.url)) modules.push(script);
  });
  await session.send('Debugger.enable');
  await page.evaluate('globalThis.job()');
  const [{ scriptId, sourceMapURL }] = modules;
  const map = sourceMapAt(sourceMapURL);
  const source = map.sources.indexOf(FILE);
  const text = map.sourcesContent[source] ?? '';
  assert.equal(text, readFileSync(new URL(`../../${FILE.replace('shardline/', '')}`, import.meta.url), 'utf8'));
  const line = text.split('\n').indexOf(FUNCTION);
  assert.ok(line > 0);

  const { breakpointId } = await session.send('Debugger.setBreakpoint', { location: { scriptId, lineNumber: 0, columnNumber: offsetOf(map, source, line) } });
  /** @type {Promise<any>} */
  const paused = new Promise((resolve) => { session.once('Debugger.paused', resolve); });
  const again = page.evaluate('globalThis.job()');
  const { callFrames, hitBreakpoints } = await paused;
  assert.deepEqual(hitBreakpoints, [breakpointId]);
  const own = callFrames.filter((/** @type {any} */ frame) => frame.location.scriptId === scriptId);
  const stack = own.map((/** @type {any} */ { functionName, location }) => {
    const place = placeOf(map, location.columnNumber) ?? { source: 0, line: 0 };
    return { name: functionName, file: map.sources[place.source], code: map.sourcesContent[place.source]?.split('\n')[place.line] };
  });
  const [top, caller] = stack;
  assert.match(top.name, /shardline::QueryPlan::SetChunks\(\)/);
  assert.deepEqual([top.file, top.code], [FILE, FUNCTION]);
  assert.match(caller.name, /shardline::QueryPlan::Read\(/);
  assert.match(caller.code, /SetChunks\(\)/);
  assert.ok(stack.some((/** @type {any} */ { name, file }) => /shardline::Runtime::Start\(/.test(name) && file === 'shardline/src/api/runtime.cc'));
  await session.send('Debugger.removeBreakpoint', { breakpointId });
  await session.send('Debugger.resume');
  assert.equal(await again, EXPECTED);
});

test('a trap names functions, and the source map the lines they are at', async () => {
  const stack = await run('node', ['trap.js'], { cwd: folder });
  assert.match(stack, /at free .*\n +at Start \(/);
  const map = sourceMapIn(readFileSync(join(folder, 'node_modules/shardline/library/generated/debug.wasm')));
  const [, offset = ''] = /at Start \([^\n]*:wasm-function\[\d+\]:0x([0-9a-f]+)/.exec(stack) ?? [];
  const { source, line } = placeOf(map, parseInt(offset, 16)) ?? { source: 0, line: 0 };
  assert.match(map.sources[source] ?? '', /^shardline\/(src|wasm)\/[\w/]+\.(cc|h)$/);
  assert.ok(map.sourcesContent[source]?.split('\n')[line]?.trim());
});

test('nothing in it tells where it was built', () => {
  const files = ['debug.js', 'debug.wasm'].map((name) => readFileSync(join(folder, 'node_modules/shardline/library/generated', name)));
  const [, wasm = Buffer.alloc(0)] = files;
  for (const text of [...files.map((file) => file.toString('latin1')), JSON.stringify(sourceMapIn(wasm).sources)]) {
    assert.doesNotMatch(text, /\/home\/|\/work\/|\/root\/|\/usr\/share|\.\.\/\.\.\//);
  }
});
