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

/**
 * Runs it, and checks what it prints.
 * @param {string} code
 * @param {import('node:test').TestContext} t
 */
async function expectToWork(code, t) {
  // Inside tests/, so that `import 'shardline'` finds the package as it would in a user's project.
  const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.quick-start-', import.meta.url)));
  t.after(() => rm(folder, { recursive: true }));
  const file = `${folder}/quick_start.mjs`;
  await writeFile(file, code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  assert.equal(stdout, "1\n[ 'AAA' ] null\n");
  assert.equal(stderr, '');
}

test('the quick start does what it says', (t) => expectToWork(quickStart, t));

test('the quick start works with Google’s emulator when the host is passed in place of fetch', async (t) => {
  const host = /`(host: 'http:[^`]*)`/.exec(readme)?.[1] ?? '';
  const emulator = await startEmulator();
  t.after(() => emulator.stop());
  const code = quickStart.replace("projectId: 'demo', fetch }", `projectId: 'demo', ${host.replace('http://127.0.0.1:8080', emulator.url)} }`);
  assert.ok(code.includes(emulator.url));
  await expectToWork(code, t);
});
