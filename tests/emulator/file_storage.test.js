/** The files in which the command line's increments wait: many processes, killed at any moment. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

import { fileStorage, placeOf } from '../../web/bin/file_storage.js';
import { longTest } from '../support/long_test.js';
import { serve } from './support/command_line.js';
import { Random } from './support/random.js';
import { until } from './support/until.js';

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

/** Any object is a row to the storage. @param {string} id @param {string} [text] */
const row = (id, text) => /** @type {import('../../web/library/storage/storage.js').KeptRow} */ (/** @type {unknown} */ ({ id, text }));

/** @param {unknown[]} rows */
const sorted = (rows) => rows.map((each) => JSON.stringify(each)).sort();

test('rows are kept by their ids, changed and removed', async (t) => {
  const folder = join(await makeFolder(t), 'a', 'b');
  const storage = fileStorage(folder);
  assert.deepEqual(await storage.read(), []);
  await storage.change('one', (before) => row('one', `${before}`), { durable: true });
  await storage.change('two', () => row('two', '2'), SOON);
  await storage.change('one', () => row('one', 'changed'), SOON);
  await storage.change('two', (before) => before, SOON);
  const other = fileStorage(folder);
  assert.deepEqual(sorted(await other.read()), sorted([row('one', 'changed'), row('two', '2')]));
  await other.change('two', () => undefined, SOON);
  await other.change('none', () => undefined, SOON);
  assert.deepEqual(await storage.read(), [row('one', 'changed')]);
  await assert.rejects(storage.change('one', () => { throw new RangeError('mine'); }, SOON), RangeError);
  assert.deepEqual(await other.read(), [row('one', 'changed')]);
  assert.deepEqual(await readdir(folder), ['one.row'], 'nothing is left over');
});

test('increments do not wait in whichever folder the shell is in', (t) => {
  const names = ['SHARDLINE_STORE', 'XDG_STATE_HOME', 'LOCALAPPDATA', 'HOME'];
  const before = names.map((name) => process.env[name]);
  const set = (/** @type {(string | undefined)[]} */ values) => names.forEach((name, i) => {
    if (values[i] === undefined) delete process.env[name];
    else process.env[name] = values[i];
  });
  t.after(() => set(before));
  const place = () => placeOf({ host: 'http://a', projectId: 'p', databaseId: 'd' });
  for (const home of ['', 'here']) {
    set(['', '', '', home]);
    assert.throws(place, /Name a folder in SHARDLINE_STORE/);
  }
  set(['', '', '', '/home/ann']);
  assert.equal(place(), '/home/ann/.local/state/shardline/http%3A%2F%2Fa/p/d');
  set(['/store', '', '', '']);
  assert.equal(place(), '/store/http%3A%2F%2Fa/p/d');
});

test('what a killed process leaves behind is in nobody’s way', async (t) => {
  const folder = await makeFolder(t);
  const storage = fileStorage(folder);
  await storage.change('id', () => row('id', 'first'), SOON);
  // It was killed while it held the lock, and another one while it wrote.
  for (const [name, text] of /** @type {const} */ ([['id.lock', ''], ['x.new', '{"id":"i']])) {
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), 0, 0);
  }
  assert.deepEqual(await storage.read(), [row('id', 'first')]);
  await storage.change('id', (before) => (before === undefined ? before : row('id', 'second')), SOON);
  assert.deepEqual(await readdir(folder), ['id.row']);
  assert.deepEqual(await storage.read(), [row('id', 'second')]);
});

test('a lock from before the clock was set back is broken', { timeout: 20_000 }, async (t) => {
  const folder = await makeFolder(t);
  const storage = fileStorage(folder);
  await writeFile(join(folder, 'id.lock'), '');
  const later = Date.now() / 1000 + 3600;
  await utimes(join(folder, 'id.lock'), later, later);
  await storage.change('id', () => row('id', 'first'), SOON);
  assert.deepEqual(await readdir(folder), ['id.row']);
});

longTest('a lock that is taken again and again does not hold up a change for ever', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, 'id.lock');
  await writeFile(path, '');
  const holding = setInterval(() => void utimes(path, Date.now() / 1000, Date.now() / 1000), 200);
  t.after(() => clearInterval(holding));
  await assert.rejects(fileStorage(folder).change('id', () => row('id', 'first'), SOON), /id\.lock has been there for 5000 ms/);
});

test('a damaged file is told of and stays, and others are in nobody’s way', async (t) => {
  const folder = await makeFolder(t);
  const torn = join(folder, `${'A'.repeat(20)}.row`);
  await writeFile(torn, '{"id":"AAA');
  const others = ['null', '5', '{"id":"CCC"}'].map((text, i) => ({ file: join(folder, `${'BCD'[i]?.repeat(20)}.row`), text }));
  for (const { file, text } of others) await writeFile(file, text);
  const { createEmbeddedFirestore } = await openWorkbench();
  const simulator = await createEmbeddedFirestore({ limits: 'none' });
  /** @type {string[]} */
  const warnings = [];
  const db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: fileStorage(folder), onWarning: ({ code }) => warnings.push(code) });
  await db.counter('counters/c', { shards: 3 }).increment(2);
  assert.deepEqual(sorted(await db.unreadableIncrements()), sorted([torn, ...others.map(({ file }) => file)].map((file) => ({ file }))));
  await db.close();
  await simulator.close();
  assert.deepEqual(warnings, ['data-loss']);
  assert.deepEqual((await readdir(folder)).sort(), [torn, ...others.map(({ file }) => file)].map((file) => basename(file)));
});

test('a folder that cannot be written: one warning, and memory', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'file'), '');
  const { createEmbeddedFirestore } = await openWorkbench();
  const simulator = await createEmbeddedFirestore({ limits: 'none' });
  /** @type {(string | undefined)[]} */
  const warnings = [];
  const storage = fileStorage(join(folder, 'file', 'below'));
  /** @type {(value?: unknown) => void} */
  let connectNetwork = () => {};
  const network = new Promise((resolve) => { connectNetwork = resolve; });
  const fetch = (/** @type {any} */ input, /** @type {any} */ init) => network.then(() => simulator.fetch(input, init));
  const db = await connect({ projectId: 'demo', fetch, storage, onWarning: ({ reason }) => warnings.push(reason) });
  const counter = db.counter('counters/c', { shards: 3, flushMs: 0 });
  const asked = Array.from({ length: 3 }, () => counter.increment());
  await until(() => warnings.length > 0);
  connectNetwork();
  await Promise.all(asked);
  assert.equal((await counter.get()).value, 3);
  await db.close();
  await simulator.close();
  assert.deepEqual(warnings, ['storage-not-writable']);
});

longTest('of changes by several processes, one of which is killed, none is lost', async (t) => {
  const folder = await makeFolder(t);
  const killed = startScript(t, 'adding_process.js', folder, 1e9);
  const others = [1, 2].map(() => startScript(t, 'adding_process.js', folder, 100));
  await killed.killAfter(30);
  assert.deepEqual(await Promise.all(others.map(({ ended }) => ended)), [0, 0]);
  const [{ text = '' } = {}] = /** @type {any[]} */ (await fileStorage(folder).read());
  const told = 200 + killed.lines.length;
  assert.ok([told, told + 1].includes(Number(text)), `${text} of ${told}: the last one may be stored and not told`);
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
    // The next process sends the rest.
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
