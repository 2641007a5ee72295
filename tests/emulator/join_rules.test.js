/**
 * Rules files of the shapes that apps have, with the rules of counters joined into them, on Google's emulator: they compile, counters count
 * under them, and the app's own rules decide as before.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

import { isLong } from '../support/run.js';
import { Emulator } from './support/emulator.js';
import { openShells } from './support/shells.js';
import { RestClient, userToken } from './support/rest.js';
import { integer, list, loadRules, text } from './support/rules_world.js';

const { joinCounterRules } = await openWorkbench();
const OPTIONS = /** @type {const} */ ({ path: 'posts/{post}', access: 'signed-in' });

/** @typedef {[user: string | null, does: 'get' | 'create' | 'update' | 'delete', path: string, isAllowed: boolean, fields?: Record<string, object>]} Probe */

const TITLE = { title: text('A') };
const MINE = { author: text('ann') };
const [ANN, BOB] = ['ann', 'bob'];

/**
 * By the file's name: the findings, and the decisions of its own rules. `compiles` is false if Google's emulator refuses the original file.
 * @type {Record<string, {findings: string[], compiles?: false, probes: Probe[]}>}
 */
const FILES = {
  test_mode: { findings: ['readable', 'readable', 'counts'], probes: [[null, 'update', 'a/b', true, TITLE], [null, 'get', 'posts/p1', true]] },
  signed_in: { findings: ['readable', 'readable', 'counts'], probes: [[null, 'get', 'a/b', false], [ANN, 'get', 'a/b', true], [null, 'update', 'posts/p1', false, TITLE]] },
  locked: { findings: ['readable', 'readable'], probes: [[ANN, 'get', 'a/b', false], [ANN, 'update', 'posts/p1', false, TITLE]] },
  owners: {
    findings: ['readable', 'readable', 'shard-count', 'shard-count'],
    probes: [
      [ANN, 'get', 'users/bob', true], [null, 'get', 'users/bob', false], [ANN, 'update', 'users/ann', true, TITLE], [ANN, 'update', 'users/bob', false, TITLE],
      [ANN, 'update', 'posts/p1', true, TITLE], [BOB, 'update', 'posts/p1', false, TITLE], [ANN, 'update', 'posts/p1', false, { author: text('bob') }],
      [ANN, 'create', 'posts/new', true, MINE], [BOB, 'create', 'posts/new', false, MINE], [BOB, 'delete', 'posts/p1', false],
    ],
  },
  guarded: {
    findings: ['readable'],
    probes: [
      [ANN, 'update', 'posts/p1', true, TITLE], [ANN, 'update', 'posts/p1', false, { num_shards: integer(1) }], [null, 'update', 'posts/p1', false, TITLE],
      [ANN, 'create', 'posts/new', true, TITLE], [ANN, 'create', 'posts/new', false, { num_shards: integer(1), ...TITLE }], [ANN, 'create', 'posts/p1/comments/c', true, TITLE],
    ],
  },
  chat: { findings: ['readable', 'readable'], probes: [[ANN, 'get', 'rooms/r', true], [BOB, 'get', 'rooms/r', false], [ANN, 'create', 'rooms/r/messages/m', true, { from: text('ann') }]] },
  blog: { findings: ['readable', 'shard-count'], probes: [[ANN, 'update', 'posts/p1', false, TITLE], [ANN, 'create', 'posts/p1/comments/c', true, TITLE], [null, 'create', 'posts/p1/comments/c', false, TITLE]] },
  version_1: { findings: ['version', 'readable', 'readable'], probes: [[ANN, 'create', 'posts/p1/drafts/d', true, TITLE], [null, 'create', 'posts/p1/drafts/d', false, TITLE], [ANN, 'update', 'posts/p1', false, TITLE]] },
  flat: { findings: ['readable', 'readable', 'shard-count'], probes: [['p1', 'update', 'posts/p1', true, TITLE], [ANN, 'update', 'posts/p1', false, TITLE], [null, 'get', 'users/bob', true]] },
  split: { findings: ['readable', 'shard-count'], probes: [[ANN, 'update', 'posts/p1', true, TITLE], [null, 'update', 'posts/p1', false, TITLE]] },
  default_database: { findings: ['readable', 'readable'], probes: [[ANN, 'update', 'posts/p1', true, TITLE], [ANN, 'update', 'posts/p1', false, { num_shards: integer(1) }], [ANN, 'create', 'posts/new', true, TITLE]] },
  one_line: { findings: ['readable', 'readable', 'shard-count'], probes: [[ANN, 'update', 'posts/p1', true, TITLE], [null, 'update', 'posts/p1', false, TITLE], [null, 'get', 'a/b', true]] },
  windows: { findings: ['readable', 'readable'], compiles: false, probes: [[ANN, 'update', 'users/ann', true, TITLE], [BOB, 'update', 'users/ann', false, TITLE]] },
  with_storage: { findings: ['readable', 'readable'], probes: [[ANN, 'update', 'users/ann', true, TITLE], [BOB, 'update', 'users/ann', false, TITLE], [ANN, 'update', 'posts/p1', false, TITLE]] },
  comments: { findings: ['readable', 'readable'], probes: [[null, 'create', 'names/a', true, TITLE], [null, 'create', 'names/a}', false, TITLE], [null, 'get', 'names/b', true], [null, 'update', 'posts/p1', false, TITLE]] },
  no_semicolons: { findings: ['readable', 'shard-count'], probes: [[ANN, 'update', 'posts/p1', true, TITLE], [null, 'update', 'posts/p1', false, TITLE], [ANN, 'delete', 'posts/p1', false]] },
  roles: { findings: ['readable', 'readable', 'counts'], probes: [[ANN, 'update', 'a/b', true, TITLE], [BOB, 'update', 'a/b', false, TITLE], [BOB, 'get', 'users/bob', true], [BOB, 'get', 'users/ann', false]] },
  subcollections: { findings: ['readable', 'readable', 'shard-count', 'counts'], probes: [['p1', 'create', 'posts/p1/c/d', true, TITLE], [ANN, 'create', 'posts/p1/c/d', false, TITLE], [ANN, 'update', 'posts/p1', false, TITLE]] },
  two_blocks: { findings: ['readable', 'readable'], compiles: false, probes: [[null, 'get', 'pages/p', true], [null, 'update', 'pages/p', false, TITLE]] },
  nothing: { findings: ['readable', 'readable'], compiles: false, probes: [[ANN, 'get', 'a/b', false]] },
};

/** @type {Awaited<ReturnType<typeof openShells>>} */
let shells;
let url = '';
before(async () => {
  shells = await openShells();
  url = shells.emulator.url;
});
after(() => shells.stop());

/** Each costs the emulator some tenths of a second. */
const FILES_OF_RUN = Object.entries(FILES).filter(([name]) => isLong || ['owners', 'guarded', 'version_1', 'split', 'windows', 'comments'].includes(name));

/** @param {string} name */
const fileNamed = (name) => readFile(new URL(`../fixtures/rules/${name}.rules`, import.meta.url), 'utf8');

/** A project with these rules, and some documents. @param {string} rules */
async function projectUnder(rules) {
  const { projectId, problem } = await loadRules(url, rules);
  const owner = new RestClient({ url, projectId });
  await owner.set('posts/p1', { num_shards: integer(2), ...MINE, ...TITLE });
  await owner.set('posts/p1/shards/0', { count: integer(0) });
  await owner.set('users/ann', { role: text('admin') });
  await owner.set('rooms/r', { members: list(text('ann')) });
  const as = (/** @type {string | null} */ user) => new RestClient({ url, projectId, token: user === null ? null : userToken(user, { projectId }) });
  return { projectId, problem, owner, as };
}

/** Whether rules let it happen. What a probe has made goes again. @param {Awaited<ReturnType<typeof projectUnder>>} project @param {Probe} probe */
async function isAllowed({ owner, as }, [user, does, path, , fields = {}]) {
  const client = as(user);
  const name = client.name(path);
  const write = does === 'delete' ? { delete: name } : { update: { name, fields }, ...(does === 'update' && { updateMask: { fieldPaths: Object.keys(fields) } }) };
  const { status, text: body } = await (does === 'get' ? client.post('batchGet', { documents: [name] }) : client.post('commit', { writes: [write] }));
  assert.ok(status === 200 || status === 403, body);
  if (does === 'create') await owner.commit([{ delete: name }]);
  return status === 200;
}

/** @param {RestClient} client @param {number} by */
const increment = (client, by) => client.post('commit', {
  writes: [{ update: { name: client.name('posts/p1/shards/0') }, updateMask: { fieldPaths: [] }, updateTransforms: [{ fieldPath: 'count', increment: integer(by) }] }],
});

describe('rules joined into a file', { concurrency: true }, () => {
  for (const [name, { findings, compiles = true, probes }] of FILES_OF_RUN) {
    test(name, async () => {
      const before = await fileNamed(name);
      const joined = joinCounterRules(before, OPTIONS);
      assert.deepEqual(joined.findings.map(({ kind }) => kind), findings);
      assert.equal(joinCounterRules(joined.text, OPTIONS).text, joined.text, 'joined once more');
      for (const rules of compiles ? [before, joined.text] : [joined.text]) {
        const project = await projectUnder(rules);
        assert.equal(project.problem, '');
        for (const probe of probes) assert.equal(await isAllowed(project, probe), probe[3], `${rules === before ? 'before' : 'after'}: ${probe}`);
        if (rules === before) continue;
        const statuses = [await increment(project.as(BOB), 1), await increment(project.as(null), 1), await project.as(null).post('batchGet', { documents: [project.owner.name('posts/p1')] })];
        const isOpen = joined.findings.some(({ kind, who }) => kind === 'counts' && who === 'everybody');
        assert.deepEqual(statuses.map(({ status }) => status), [200, isOpen ? 200 : 403, 200]);
        // The review's finding about this file is true: only then can others change a count at will.
        const goesPast = joined.findings.some(({ kind, who }) => kind === 'counts' && who !== 'some');
        assert.equal((await increment(project.as(BOB), 5)).status, goesPast ? 200 : 403);
      }
    });
  }

  for (const methods of ['update', 'create', 'create, update', 'write']) {
    test(`what is to be added to \`allow ${methods}\` keeps the number of shards, and nothing else`, async () => {
      const rules = (/** @type {string} */ condition) => `rules_version = '2';
        service cloud.firestore { match /databases/{database}/documents { match /posts/{post} { allow ${methods}: if ${condition}; } } }`;
      const [finding, ...more] = joinCounterRules(rules('true'), OPTIONS).findings.filter(({ kind }) => kind !== 'readable');
      assert.deepEqual([finding?.kind, finding?.who, more], ['shard-count', 'everybody', []]);
      const guard = finding?.todo.replace(/^.*: &&/, '&&');
      const joined = joinCounterRules(rules(`true ${guard}`), OPTIONS);
      assert.deepEqual(joined.findings.filter(({ kind }) => kind !== 'readable'), []);
      const project = await projectUnder(joined.text);
      assert.equal(project.problem, '');
      const can = (/** @type {string} */ method) => methods.includes(method) || methods === 'write';
      const shards = { num_shards: integer(0) };
      /** @type {Probe[]} */
      const probes = [
        [null, 'update', 'posts/p1', can('update'), TITLE], [null, 'update', 'posts/p1', false, shards],
        [null, 'create', 'posts/new', can('create'), TITLE], [null, 'create', 'posts/new', false, { num_shards: integer(3) }],
        [null, 'delete', 'posts/p1', methods === 'write'],
      ];
      for (const probe of probes) assert.equal(await isAllowed(project, probe), probe[3], `${probe}`);
    });
  }
});

test('a counter counts while nobody can read its document, if each client is told how many shards there are', async () => {
  const { text: rules, findings } = joinCounterRules(await fileNamed('locked'), { ...OPTIONS, parent: 'private' });
  assert.deepEqual(findings.map(({ path }) => path), ['posts/{post}/shards/{shardId}']);
  const project = await projectUnder(rules);
  assert.equal(project.problem, '');
  assert.equal(await isAllowed(project, [ANN, 'get', 'posts/p1', false]), false);
  const token = userToken(ANN, { projectId: project.projectId });
  const db = await connect({ projectId: project.projectId, host: url, storage: 'memory', authToken: () => token });
  const likes = db.counter('posts/p1', { shards: 2, maxDelta: 1, flushMs: 0 });
  await likes.increment();
  await likes.increment();
  assert.equal((await likes.get()).value, 2);
  await db.close();
});

test('an administrator creates, resizes and deletes a counter whose document is private', async () => {
  const { text: rules } = joinCounterRules(await fileNamed('locked'), { ...OPTIONS, parent: 'private', admin: 'request.auth.token.admin == true' });
  const { projectId, problem } = await loadRules(url, rules);
  assert.equal(problem, '');
  const open = (/** @type {object} */ claims) => connect({ projectId, host: url, storage: 'memory', authToken: () => userToken(ANN, { projectId, ...claims }) });
  const [admin, db] = await Promise.all([open({ admin: true }), open({})]);
  const likes = db.counter('posts/p2', { shards: 4, maxDelta: 1, flushMs: 0 });
  const counter = admin.counter('posts/p2');
  assert.deepEqual(await admin.counter('posts/p2', { shards: 4 }).create(), { created: true, shards: 4 });
  for (const shards of [2, 8]) {
    await likes.increment();
    assert.equal((await counter.resize(shards)).shards, shards);
  }
  await likes.increment();
  assert.deepEqual([(await likes.get()).value, (await counter.get()).value], [3, 3]);
  await assert.rejects(db.counter('posts/p2').resize(3), { code: 'permission-denied' });
  await counter.delete();
  assert.equal((await likes.get()).value, 0);
  await Promise.all([admin.close(), db.close()]);
});

test('a guard that is added as the note says closes all ways through a condition', async () => {
  const rules = (/** @type {string} */ condition) => `rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents { match /posts/{post} { allow update: if ${condition}; } } }`;
  const open = 'request.auth.uid == post || true';
  const [{ todo = '' } = {}] = joinCounterRules(rules(open), OPTIONS).findings.filter(({ kind }) => kind === 'shard-count');
  const [, guard] = /^Put its condition in parentheses, and add behind them: (.*)$/.exec(todo) ?? [];
  const project = await projectUnder(joinCounterRules(rules(`(${open}) ${guard}`), OPTIONS).text);
  assert.equal(project.problem, '');
  for (const [fields, isAllowedNow] of /** @type {const} */ ([[TITLE, true], [{ num_shards: integer(0) }, false]])) {
    assert.equal(await isAllowed(project, [null, 'update', 'posts/p1', isAllowedNow, fields]), isAllowedNow);
  }
});

test('the command line joins rules into a file, says what to look at, and changes nothing unasked', async () => {
  const { run, fails } = shells.shell('rules');
  const file = join(shells.folder, 'firestore.rules');
  const before = await fileNamed('owners');
  await writeFile(file, before);
  const line = `rules posts/{post} --access signed-in --into ${file}`;
  const shown = await run(line);
  const { text: expected } = joinCounterRules(before, OPTIONS);
  assert.equal(shown.out, expected);
  assert.equal(await readFile(file, 'utf8'), before);
  const notes = shown.err.trimEnd().split('\n');
  assert.equal(notes.length, 4, shown.err);
  assert.match(notes[0] ?? '', /firestore\.rules:\d+: Everybody can read `posts\/\{post\}`.*set --parent to private/);
  const [, at] = /:(\d+): `allow create` lets .* write num_shards of `posts\/\{post\}`.*'num_shards' in request/.exec(notes[2] ?? '') ?? [];
  assert.match(expected.split('\n')[Number(at) - 1] ?? '', /allow create/);
  assert.equal((await run(`${line} --write`)).out, '');
  assert.equal(await readFile(file, 'utf8'), expected);
  const made = join(shells.folder, 'new.rules');
  await run(`rules posts/{post} --into ${made} --write`);
  assert.equal(await readFile(made, 'utf8'), (await run('rules posts/{post}')).out);
  assert.deepEqual(JSON.parse((await run(`${line} --json`)).out).findings, joinCounterRules(expected, OPTIONS).findings);
  await fails('rules posts/{post} --write', 2, /--into is missing/);
  await writeFile(file, 'service cloud.firestore {');
  await fails(line, 2, /The rules file cannot be read at line 1: a brace is not closed/);
  if (!isLong) return;
  // As people start it: with the file.
  const emulator = await new Emulator({ rules: expected }).start();
  const client = new RestClient({ url: emulator.url, projectId: 'rules', token: userToken(BOB, { projectId: 'rules' }) });
  await new RestClient({ url: emulator.url, projectId: 'rules' }).set('posts/p1', { num_shards: integer(2) });
  assert.deepEqual([(await increment(client, 1)).status, (await increment(client, 2)).status], [200, 403]);
  await emulator.stop();
});
