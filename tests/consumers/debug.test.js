/** The entry for debuggers, from the tarball: it works as the others, its traps name C++ functions, and its source map their lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { run } from '../browser/support/run.js';
import { serveFolder } from '../browser/support/static_server.js';
import { makeApp, packLibrary, startBrowser } from './app.js';

const JOB = `import { connect } from 'shardline/debug';
import { openWorkbench } from 'shardline/workbench';
export async function job() {
  const { createSimulator } = await openWorkbench();
  const simulator = await createSimulator();
  const db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
  const likes = db.counter('a/b', { shards: 3, flushMs: 0 });
  await likes.create(); // In the ordinary modules, the second has it.
  await likes.increment(2);
  const rows = db.shardedCollection('rows', { shards: 40, shardField: 'shard', orderField: 'at' });
  await rows.add({ at: new Date(0) });
  const { docs } = await rows.orderBy('desc').limit(5).get();
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
before(async () => {
  const html = '<!doctype html><meta charset="utf-8"><title>App</title><output></output><script type="module" src="./page.js"></script>';
  const page = "import { job } from './job.js';\njob().then((text) => { document.querySelector('output').textContent = text; });\n";
  folder = await makeApp('debug', {
    'job.js': JOB, 'main.js': "import { job } from './job.js';\nconsole.log(await job());\n", 'trap.js': TRAP, 'index.html': html, 'page.js': page,
  }, [await packLibrary('debug'), 'vite@8']);
});

test('in Node and in Chromium, behind a bundler, it counts and asks as the others do', async () => {
  assert.equal(await run('node', ['main.js'], { cwd: folder }), `${EXPECTED}\n`);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error'], { cwd: folder });
  const [server, browser] = await Promise.all([serveFolder(join(folder, 'dist')), startBrowser()]);
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const output = page.locator('output', { hasText: /./ });
    await output.waitFor({ timeout: 60_000 });
    assert.equal(await output.textContent(), EXPECTED);
  } finally {
    await Promise.all([server.stop(), browser.close()]);
  }
});

test('a trap names functions, and the source map the lines they are at', async () => {
  const stack = await run('node', ['trap.js'], { cwd: folder });
  assert.match(stack, /shardline::PaddedText::Free/);
  const map = JSON.parse(readFileSync(join(folder, 'node_modules/shardline/library/generated/debug.wasm.map'), 'utf8'));
  const [, offset = ''] = /anonymous namespace\)::Start\([^\n]*:wasm-function\[\d+\]:0x([0-9a-f]+)/.exec(stack) ?? [];
  const { source, line } = placeOf(map, parseInt(offset, 16));
  assert.match(map.sources[source], /^shardline\/(src|wasm)\/[\w/]+\.(cc|h)$/);
  assert.ok(map.sourcesContent[source].split('\n')[line].trim().length > 0);
});

test('nothing in it tells where it was built', () => {
  for (const name of ['debug.js', 'debug.wasm', 'debug.wasm.map']) {
    const text = readFileSync(join(folder, 'node_modules/shardline/library/generated', name), 'latin1');
    assert.doesNotMatch(text, /\/home\/|\/work\/|\/root\/|\/usr\/share|\.\.\/\.\.\//, name);
  }
});

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Where the byte of a module comes from: the last mapping before it. @param {{mappings: string}} map @param {number} offset */
function placeOf({ mappings }, offset) {
  let [column, source, line] = [0, 0, 0];
  let found = { source, line };
  for (const segment of mappings.split(',')) {
    const [columns = 0, sources = 0, lines = 0] = numbersIn(segment);
    column += columns;
    if (column > offset) return found;
    source += sources;
    line += lines;
    found = { source, line };
  }
  return found;
}

/** @param {string} segment */
function numbersIn(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
