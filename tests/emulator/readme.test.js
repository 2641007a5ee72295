/** The quick start of README.md, run as it stands there, but for the emulator's address. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmulator } from './support/emulator.js';

const ADDRESS = 'http://127.0.0.1:8080';

/** @type {import('./support/emulator.js').Emulator} */
let emulator;
before(async () => {
  emulator = await startEmulator();
});
after(() => emulator.stop());

test('the quick start does what it says', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const code = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  assert.ok(code.includes(ADDRESS), 'the quick start names the emulator’s usual address');
  // Inside tests/, so that `import 'shardline'` finds the package as it would in a user's project.
  const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.quick-start-', import.meta.url)));
  after(() => rm(folder, { recursive: true }));
  const file = `${folder}/quick_start.mjs`;
  await writeFile(file, code.replace(ADDRESS, emulator.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  assert.equal(stdout, "1\n[ 'AAA' ] null\n");
  assert.equal(stderr, '');
});
