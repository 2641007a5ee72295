/** The examples of README.md and of the guides: the test runs each from the file's text, and compares its output with the text beneath it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from './support/database.js';

const root = new URL('../../', import.meta.url);
const guides = await readdir(new URL('web/guides', root));
const pages = await Promise.all(['README.md', ...guides.filter((name) => name.endsWith('.md')).map((name) => `web/guides/${name}`)]
  .map(async (path) => ({ path, text: await readFile(new URL(path, root), 'utf8') })));

/** A block of text directly beneath an example has its output. An example that needs a browser or an app around it has no such block. */
const EXAMPLE = /```js\n(?<code>.*?)```\n(?:```text\n(?<printed>.*?)```\n)?/gs;
/** The line that the README tells readers without a project to replace, and the lines that it gives them. */
const CONNECT = /^const db = await connect\(\{ projectId: 'my-project'.*\}\);\n/m;
const [, embedded = ''] = /\*\*Without a project\*\*.*?```js\n(.*?)```/s.exec(pages[0]?.text ?? '') ?? [];

/**
 * @param {string} code
 * @param {import('node:test').TestContext} t
 * @param {string[]} [flags]
 */
async function run(code, t, flags = []) {
  // Inside tests/, so that `import 'shardline'` finds the package as it would in a user's project.
  const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.example-', import.meta.url)));
  t.after(() => rm(folder, { recursive: true }));
  const file = `${folder}/example.mjs`;
  await writeFile(file, code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, file]);
  assert.equal(stderr, '');
  return stdout;
}

for (const { path, text } of pages) {
  for (const [index, { groups: { code, printed } = {} }] of [...text.matchAll(EXAMPLE)].entries()) {
    test(`${path}, example ${index + 1}${printed === undefined ? ' is JavaScript' : ''}`, async (t) => {
      const runnable = printed === undefined ? code ?? '' : (code ?? '').replace(CONNECT, () => embedded);
      assert.equal(await run(runnable, t, printed === undefined ? ['--check'] : []), printed ?? '');
    });
  }
}

test('every guide has its place in the README, and no link leads nowhere', async () => {
  const readme = pages[0]?.text ?? '';
  for (const { path } of pages.slice(1)) assert.ok(readme.includes(`(${path})`), path);
  for (const { path, text } of pages) {
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      await assert.doesNotReject(readFile(new URL(link, new URL(path, root))), `${path}: ${link}`);
    }
  }
});

test('the README is a front page', () => assert.ok((pages[0]?.text.split('\n').length ?? 0) <= 121));

test('no command of a guide writes over a file that is there', () => {
  let redirections = 0;
  for (const { path, text } of pages) {
    for (const [, line = '', file] of text.matchAll(/^ *(.* > ([\w./]+\.(?:json|rules)))$/gm)) {
      redirections += 1;
      assert.ok(line.startsWith(`test -e ${file} || `), `${path}: ${line}`);
    }
  }
  assert.ok(redirections > 0);
});

test('the quick start works with Google’s emulator when the host is passed in place of the key', async (t) => {
  const readme = pages[0]?.text ?? '';
  const { code = '', printed } = [...readme.matchAll(EXAMPLE)].find(({ groups }) => groups?.printed !== undefined)?.groups ?? {};
  const host = /`(host: 'http:[^`]*)`/.exec(readme)?.[1] ?? '';
  const emulator = await openDatabase();
  t.after(() => emulator.stop());
  const there = code.replace("projectId: 'my-project', apiKey: 'AIza…' }", `projectId: '${emulator.projectId}', ${host.replace('http://127.0.0.1:8080', emulator.url)} }`);
  assert.ok(there.includes(emulator.url));
  assert.equal(await run(there, t), printed);
});
