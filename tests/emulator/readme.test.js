/** The quick start of README.md, run as it stands there; and against Google's emulator, as the README says how. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmulator } from './support/emulator.js';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const quickStart = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';

/** The example behind a heading. @param {string} heading */
const exampleOf = (heading) => /```js\n(.*?)```/s.exec(readme.slice(readme.indexOf(heading)))?.[1] ?? '';

/**
 * Runs it, and checks what it prints.
 * @param {string} code
 * @param {import('node:test').TestContext} t
 * @param {string} [expected]
 */
async function expectToWork(code, t, expected = "1\n[ 'AAA' ] null\n") {
  // Inside tests/, so that `import 'shardline'` finds the package as it would in a user's project.
  const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.quick-start-', import.meta.url)));
  t.after(() => rm(folder, { recursive: true }));
  const file = `${folder}/quick_start.mjs`;
  await writeFile(file, code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  assert.equal(stdout, expected);
  assert.equal(stderr, '');
}

test('the quick start does what it says', (t) => expectToWork(quickStart, t));

test('the example of the index tools does what it says', (t) => expectToWork(exampleOf('**Indexes**'), t, [
  'hot instruments timestamp',
  'perhaps instruments timestamp',
  'removed timestamp rises, and shard is not in front of it: every document adds an entry to the same hot range.',
  '[] []',
  '',
].join('\n')));

test('the example of shards and costs does what it says', (t) => expectToWork(exampleOf('**Capacity**'), t, [
  '3 false 15',
  'Too early: up to 500 writes a second, a collection with a rising field needs no shards. A sharded timestamp would only cost indexes and queries.',
  '2000000 1000000 2.1',
  '',
].join('\n')));

test('the example of a live collection does what it says', (t) => {
  // With another shard field, so that theirs is missing.
  const fill = `await db.shardedCollection('trades', { shards: 1, shardField: 'other' }).addAll(
    [1, 2, 3].map((n) => ({ n, timestamp: Timestamp.now() })));\n`;
  return expectToWork(quickStart + fill + exampleOf('**A live collection**'), t, "1\n[ 'AAA' ] null\n3\n3 3 0 null\n3\n");
});

test('the quick start works with Google’s emulator when the host is passed in place of fetch', async (t) => {
  const host = /`(host: 'http:[^`]*)`/.exec(readme)?.[1] ?? '';
  const emulator = await startEmulator();
  t.after(() => emulator.stop());
  const code = quickStart.replace("projectId: 'demo', fetch }", `projectId: 'demo', ${host.replace('http://127.0.0.1:8080', emulator.url)} }`);
  assert.ok(code.includes(emulator.url));
  await expectToWork(code, t);
});
