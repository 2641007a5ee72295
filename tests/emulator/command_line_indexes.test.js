/** `shardline indexes` for a person: hints that are no findings, two files, and the answers of a sample of documents. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect, Timestamp } from 'shardline';

import { readIndexFile } from '../../web/bin/commands/index_file.js';
import { readKnown } from '../../web/bin/commands/known_fields.js';
import { verdicts } from '../../web/bin/commands/sample.js';
import { longTest } from '../support/long_test.js';
import { inRun } from '../support/run.js';
import { run as runProgram, split } from './support/command_line.js';
import { openShells } from './support/shells.js';

const fixture = new URL('../fixtures/indexes_before.jsonc', import.meta.url).pathname;
const shells = await openShells();
const { server, emulator, folder, shell } = shells;
after(() => shells.stop());

/** @param {string} line */
const codeOf = async (line) => (await runProgram(split(line), {})).code;

longTest('names are hints: they end well, apart from findings, unless it is strict', async () => {
  const { run } = shell('audit', { host: '127.0.0.1:1' });
  const { out } = await run(`indexes audit ${fixture}`);
  assert.match(out, /^no index is known to be hot\n\nCandidates: .*\nperhaps {2}instruments: timestamp\n {9}Perhaps: the name timestamp suggests .*\n {9}Find out /);
  assert.doesNotMatch(out, /^hot/m);
  assert.match(out, /Then pass timestamp as --rising or --not-rising\./);
  const { findings, candidates } = JSON.parse((await run(`indexes audit ${fixture} --json`)).out);
  assert.deepEqual([findings.length, new Set(candidates.map((/** @type {any} */ { risk }) => risk))], [0, new Set(['perhaps'])]);
  assert.equal(await codeOf(`indexes audit ${fixture} --strict`), 1);
  const hot = await runProgram(split(`indexes audit ${fixture} --rising instruments.timestamp`), {});
  assert.equal(hot.code, 1);
  assert.match(hot.out, /`shardline indexes rewrite` adds such an index/);
  assert.doesNotMatch(hot.out, /\(\)/, 'no call of the API');
  assert.equal((await run(`indexes audit ${fixture} --not-rising instruments.* --strict`)).out, 'no index is known to be hot\n');
  const known = join(folder, 'known.json');
  await writeFile(known, JSON.stringify({ rising: { instruments: ['timestamp'] } }));
  assert.equal(await codeOf(`indexes audit ${fixture} --known ${known}`), 1);
  await writeFile(known, JSON.stringify({ notRising: { instruments: ['timestamp'] } }));
  assert.equal(await codeOf(`indexes audit ${fixture} --known ${known} --strict`), 0);
  await writeFile(known, 'none');
  assert.equal(await codeOf(`indexes audit ${fixture} --known ${known}`), 2);
});

test('another file is no index file without hot indexes, and a miswritten member no answer', async () => {
  const { fails } = shell('other', { host: '127.0.0.1:1' });
  const [file, known] = [join(folder, 'firebase.json'), join(folder, 'miswritten.json')];
  const text = '{\n  // "indexes": []\n  "firestore": { "rules": "firestore.rules", "indexes": "firestore.indexes.json" }\n}\n';
  await writeFile(file, text);
  await fails(`indexes audit ${file}`, 2, /^shardline: \S+firebase\.json has neither “indexes” nor “fieldOverrides”\. Pass your firestore\.indexes\.json\. \(/);
  await fails(`indexes rewrite ${file} --ids --write`, 2, /has neither/);
  assert.equal(await readFile(file, 'utf8'), text);
  const accepted = ['{}', '', '{"indexes": []}', '{ /* none */ "fieldOverrides": [] }', '{"indexes": [],}'];
  for (const content of accepted) {
    await writeFile(file, content);
    assert.equal(await readIndexFile(file), content);
  }
  for (const [content, message] of /** @type {const} */ ([
    ['{"rise": {"a": ["b"]}}', /“rise” is not one of rising, notRising, shards/],
    ['{"rising": {"a": "b"}}', /“rising” must have a list of fields for each collection/],
    ['{"rising": ["a.b"]}', /“rising” must have a list/],
    ['[]', /it is no object/],
  ])) {
    await writeFile(known, content);
    await assert.rejects(readKnown(known), message, content);
  }
  await writeFile(known, '{"rising": {"a": ["b"]}, "shards": {"a": ["c"]}}');
  assert.deepEqual(await readKnown(known), { rising: { a: ['b'] }, shards: { a: ['c'] } });
});

test('ratings and reactions get their index and their rules', async () => {
  const { out } = await runProgram(split(`indexes rewrite ${fixture} --ratings 1-5 --reactions like,love`), {});
  for (const field of ['r1', 'r5', 'like', 'love']) assert.match(out, new RegExp(`"fieldPath": "${field}"`));
  const rules = async (/** @type {string} */ line) => runProgram(split(`rules posts/{post} ${line}`), {});
  assert.match((await rules('--ratings 1-5 --shards 7')).out, /hasOnly\(\['r1', 'r2', 'r3', 'r4', 'r5'\]\)/);
  assert.match((await rules('--reactions like,love')).out, /match \/shardline_reactions\/\{shardId\}/);
  for (const line of ['--ratings 5', '--ratings 5-1', '--ratings 1-5 --reactions like', '--reactions a-b', '--ratings 1-5 --access one-like']) {
    const { code, err } = await rules(line);
    assert.notEqual(code, 0, line);
    assert.match(err, /ratings|reactions|access/, line);
  }
});

longTest('a file is rewritten for a collection that takes more than an index takes: two files, in the order of four steps', async () => {
  const { run, fails } = shell('rewrite', { host: '127.0.0.1:1' });
  await fails(`indexes rewrite ${fixture}`, 2, /Which collection takes more than 500 writes a second\? .*--collection.*Candidates: instruments\./);
  const before = await readFile(fixture, 'utf8');
  const slow = await run(`indexes rewrite ${fixture} --collection instruments --writes-per-second 400`);
  assert.deepEqual(slow, { out: before, err: 'nothing needs to be changed\n' });
  const { out, err } = await run(`indexes rewrite ${fixture} --collection instruments`);
  const [, first = '', second = ''] = /^\/\/ .*: deploy it first\.\n([^]*)\n\/\/ .*: deploy it when no query needs the old indexes any more\.\n([^]*)$/.exec(out) ?? [];
  assert.deepEqual([first, second].map((text) => JSON.parse(text).indexes.length), [8, 5]);
  assert.deepEqual(err.match(/^\d\. \w+/gm), ['1. Queries', '2. Backfill', '3. Indexes', '4. Remove']);
  assert.match(err, /^2\. .*backfill instruments --shards=YOUR_VALUES`$/m);
  const given = await run(`indexes rewrite ${fixture} --collection instruments --query exchange`);
  assert.match(given.err, /no index serves a query of instruments by timestamp alone\. .* add `--query=`\.$/m);
  const both = await run(`indexes rewrite ${fixture} --collection instruments --query exchange --query=`);
  assert.doesNotMatch(both.err, /timestamp alone\./);
  assert.match(both.out, /"shard",[^}]*},\s*{\s*"fieldPath": "timestamp"/);
  const mine = join(folder, 'mine.json');
  await writeFile(mine, before);
  assert.equal((await run(`indexes rewrite ${mine} --collection instruments --write`)).out, '');
  assert.deepEqual(JSON.parse(await readFile(mine, 'utf8')), JSON.parse(first));
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'mine.later.json'), 'utf8')), JSON.parse(second));
  assert.deepEqual(JSON.parse((await run(`indexes rewrite ${mine} --collection instruments --remove-old`)).out), JSON.parse(second));
  await writeFile(mine, Buffer.from(`\uFEFF${before}`, 'utf16le'));
  const known = join(folder, 'known.json');
  await writeFile(known, Buffer.from('\uFEFF{}', 'utf16le'));
  for (const command of [`indexes audit ${mine}`, `rules posts/{post} --into ${mine}`, `insert c ${mine} --shards=x`, `indexes audit --known ${known}`]) {
    await fails(command, 2, /is UTF-16, as PowerShell writes it with `>`\. Save it as UTF-8\./);
  }
  await writeFile(known, '\uFEFF{"notRising": {"instruments": ["timestamp"]}}');
  await writeFile(mine, before);
  assert.doesNotMatch((await run(`indexes audit ${mine} --known ${known}`)).out, /perhaps .*timestamp/);
});

/** @type {[name: string, place: {host: string, projectId?: string}][]} */
const PLACES = [['shardline serve', server], ['Google’s emulator', emulator]];
for (const [name, place] of inRun(PLACES.slice(0, 1), PLACES)) {
  test(`a sample of documents says which fields rise: ${name}`, async (t) => {
    const project = place.projectId ?? 'sample';
    const { run, fails } = shell(project, place);
    await fails('indexes sample logs', 1, /^shardline: No document is in logs\. .*below documents: rooms\/room1\/logs\.\n$/);
    const db = await connect({ projectId: project, host: `http://${place.host}`, authToken: () => 'owner' });
    t.after(() => db.close());
    const logs = db.shardedCollection('logs', { shards: 2, orderField: 'n' });
    // One after the other, because one commit has one createTime.
    for (let i = 0; i < 12; ++i) {
      await logs.add({ n: i, meta: { 'day-no': `d${String(i).padStart(3, '0')}` }, left: 100 - i, dice: (i * 7) % 12, kind: 'a', createdAt: 3 });
    }
    const known = join(folder, `known_${project}.json`);
    await writeFile(known, JSON.stringify({ rising: { logs: ['dice'], others: ['n'] } }));
    const { out, err } = await run(`indexes sample logs --known ${known}`);
    assert.match(out, /^n +12 +100 % +rises$/m);
    assert.match(out, /^meta\.`day-no` +12 +100 % +rises$/m);
    assert.match(out, /^left +12 +0 % +falls, which is as hot$/m);
    assert.match(out, /^dice +12 +\d\d % +does not follow createTime$/m);
    assert.match(out, /^kind +12 +too few values or moments to tell$/m);
    assert.match(err, /^documents: 12; reads: 12\. /);
    // The conclusion from it.
    assert.deepEqual(JSON.parse(await readFile(known, 'utf8')), {
      rising: { logs: ['left', 'meta.`day-no`', 'n'], others: ['n'] }, notRising: { logs: ['dice'] },
    });
    const result = JSON.parse((await run('indexes sample logs --documents 10 --json')).out);
    assert.deepEqual([result.collection, result.documents, result.reads], ['logs', 10, 10]);
  });
}

test('documents of one moment, few values and values of several kinds say nothing that is not so', () => {
  /** @param {(i: number) => Record<string, unknown>} dataOf @param {(i: number) => number} [secondOf] */
  const verdictsOf = (dataOf, secondOf = (i) => i) => {
    const docs = Array.from({ length: 40 }, (_, i) => ({ id: String(i), name: '', data: () => dataOf(i), createTime: new Timestamp(secondOf(i), 5), updateTime: new Timestamp(99, 0) }));
    return Object.fromEntries(verdicts(docs.reverse()).map(({ field, verdict }) => [field, verdict]));
  };
  assert.deepEqual(verdictsOf((i) => ({ n: i })), { n: 'rises' });
  assert.deepEqual(verdictsOf((i) => ({ n: i }), () => 1), { n: 'too few' }, 'imported at once');
  assert.deepEqual(verdictsOf((i) => ({ n: Math.floor(i / 10) })), { n: 'too few' });
  // A few are late, and a few are of another kind.
  assert.deepEqual(verdictsOf((i) => ({ at: i === 20 ? 'soon' : new Timestamp(i === 30 ? 2 : i, 0) })), { at: 'rises' });
  assert.deepEqual(verdictsOf((i) => ({ at: new Timestamp(1, i), big: 2n ** 60n + BigInt(i) })), { at: 'rises', big: 'rises' });
  assert.deepEqual(verdictsOf((i) => ({ n: i % 20 })), { n: 'does not follow' });
  assert.deepEqual(verdictsOf((i) => ({ list: [i], none: null, flag: true, map: { n: -i } })), { 'map.n': 'falls' });
});
