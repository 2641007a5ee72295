/** The files in which the command line's increments wait: many processes, killed at any moment. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { connect } from 'shardline';

import { fileStorage } from '../../web/bin/file_storage.js';
import { serve } from './support/command_line.js';
import { Random } from './support/random.js';

const SOON = { durable: false };

/** @param {import('node:test').TestContext} t */
async function makeFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'shardline-storage-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @param {import('node:test').TestContext} t @param {string} script @param {(string | number)[]} words */
function startScript(t, script, ...words) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`support/${script}`, import.meta.url)), ...words.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = /** @type {string[]} */ ([]);
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    child.emit('lines');
  });
  const ended = once(child, 'close').then(([code]) => code);
  return {
    lines,
    ended,
    /** Kills it as soon as it has printed so many lines, or lets it end. @param {number} count */
    async killAfter(count) {
      while (lines.length < count && child.exitCode === null) await Promise.race([once(child, 'lines'), ended]);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('texts are kept by their keys, changed and removed', async (t) => {
  const folder = await makeFolder(t);
  const storage = fileStorage(join(folder, 'a', 'b'));
  assert.deepEqual(await storage.all(), new Map());
  await storage.update('["one"]', (text) => `${text} 1`, { durable: true });
  await storage.update('two/\n', () => '2', SOON);
  await storage.update('["one"]', (text) => `${text} 2`, SOON);
  await storage.update('two/\n', (text) => text, SOON);
  const other = fileStorage(join(folder, 'a', 'b'));
  assert.deepEqual(await other.all(), new Map([['["one"]', 'undefined 1 2'], ['two/\n', '2']]));
  await other.update('two/\n', () => undefined, SOON);
  assert.deepEqual(await storage.all(), new Map([['["one"]', 'undefined 1 2']]));
  await storage.update('two/\n', (text) => `${text} again`, SOON);
  assert.equal((await other.all()).get('two/\n'), 'undefined again');
  await assert.rejects(storage.update('["one"]', () => { throw new RangeError('mine'); }, SOON), RangeError);
  assert.equal((await other.all()).get('["one"]'), 'undefined 1 2');
  assert.equal((await readdir(join(folder, 'a', 'b'))).length, 2, 'nothing is left over');
});

test('what a killed process leaves behind is in nobody’s way', async (t) => {
  const folder = await makeFolder(t);
  const storage = fileStorage(folder);
  await storage.update('key', () => 'first', SOON);
  const [name = ''] = await readdir(folder);
  const stem = name.split('.')[0];
  // It was killed while it held the lock,
  const lock = join(folder, `${stem}.lock`);
  await writeFile(lock, '');
  await utimes(lock, 0, 0);
  // after it had written, but not yet removed what was there before;
  await writeFile(join(folder, `${stem}.2`), JSON.stringify({ key: 'key', text: 'second' }));
  // and another one while it wrote.
  const torn = join(folder, 'x.new');
  await writeFile(torn, '{"key":"key","te');
  await utimes(torn, 0, 0);
  assert.deepEqual(await storage.all(), new Map([['key', 'second']]));
  await storage.update('key', (text) => `${text}, third`, SOON);
  assert.deepEqual(await readdir(folder), [`${stem}.3`]);
  assert.deepEqual(await storage.all(), new Map([['key', 'second, third']]));
});

test('a process that slept while others broke its lock writes over nothing', async (t) => {
  const folder = await makeFolder(t);
  const storage = fileStorage(folder);
  await storage.update('key', () => '1', SOON);
  const stem = readdirSync(folder)[0]?.split('.')[0];
  // They have written the next generation, or more than that and removed the next.
  for (const generation of [2, 9]) {
    const theirs = JSON.stringify({ key: 'key', text: `theirs ${generation}` });
    await assert.rejects(storage.update('key', (text) => {
      writeFileSync(join(folder, `${stem}.${generation}`), theirs);
      return `${text}, mine`;
    }, SOON));
    assert.deepEqual(await storage.all(), new Map([['key', `theirs ${generation}`]]));
  }
});

test('a damaged file is set aside and told of; what was before it holds, and others are in nobody’s way', async (t) => {
  const folder = await makeFolder(t);
  const storage = fileStorage(folder);
  await storage.update('whole', () => 'whole', SOON);
  await storage.update('torn', () => 'before', SOON);
  const [name = ''] = (await readdir(folder)).filter((each) => readFileSync(join(folder, each), 'utf8').includes('torn'));
  const stem = name.split('.')[0];
  await writeFile(join(folder, `${stem}.7`), '');
  assert.deepEqual([...(await storage.all()).keys()].sort(), [`unreadable ${stem}.7`, 'whole']);
  await storage.update('torn', (text) => `${text}, after`, SOON);
  assert.deepEqual(await storage.all(), new Map([['whole', 'whole'], ['torn', 'before, after']]));
  assert.ok((await readdir(folder)).includes(`${stem}.7.unreadable`));
});

test('of updates by several processes, one of which is killed, none is lost', async (t) => {
  const folder = await makeFolder(t);
  const killed = startScript(t, 'adding_process.js', folder, 1e9);
  const others = [1, 2].map(() => startScript(t, 'adding_process.js', folder, 100));
  await killed.killAfter(30);
  assert.deepEqual(await Promise.all(others.map(({ ended }) => ended)), [0, 0]);
  const sum = Number((await fileStorage(folder).all()).get('key'));
  const told = 200 + killed.lines.length;
  assert.ok(sum === told || sum === told + 1, `${sum} of ${told}: the last one may be stored and not told`);
});

test('processes share the storage, some are killed, and every increment is counted once', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`SEED=${seed}`);
  const random = new Random(seed);
  const server = await serve(['--latency-ms', '5,40', '--seed', String(seed % 1000)]);
  t.after(() => server.stop());
  for (let round = 0; round < 3; round += 1) {
    const folder = await makeFolder(t);
    const path = `counters/c${round}`;
    const start = (/** @type {number} */ first) => startScript(t, 'counting_process.js', server.url, folder, path, ...Array.from({ length: 8 }, (_, i) => first + i));
    const killed = start(0);
    const lives = start(8);
    await killed.killAfter(random.between(0, 4));
    assert.equal(await lives.ended, 0);
    // What is left is sent by the next process.
    const db = await connect({ projectId: 'killed', host: server.url, storage: fileStorage(folder) });
    const counter = db.counter(path);
    await counter.flush();
    assert.equal(counter.pending, 0);
    const digits = BigInt((await counter.get()).value).toString(4).padStart(16, '0').split('').reverse().join('');
    assert.match(digits, /^[01]{8}1{8}$/, 'each once at the most; and each of the process that went on');
    for (const number of killed.lines) assert.equal(digits[Number(number)], '1', `${number} was acknowledged`);
    await db.close();
  }
});
