/** Documents that go through the command line: its message about lines whose write is in doubt, and values that a text must not change. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { longTest } from '../support/long_test.js';
import { serve, shellIn, start } from './support/command_line.js';
import { faults, startFaultProxy } from './support/fault_proxy.js';

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shardline-cli-'));
  server = await serve();
});

after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** @param {string} project @param {string} [host] */
const shell = (project, host = server.host) => shellIn({ FIRESTORE_EMULATOR_HOST: host, GOOGLE_CLOUD_PROJECT: project, SHARDLINE_STORE: join(folder, project) });

/** @param {object[]} documents */
const linesOf = (documents) => documents.map((document) => `${JSON.stringify(document)}\n`).join('');

/** @param {number} count @param {object} [more] */
const some = (count, more) => Array.from({ length: count }, (_, timestamp) => ({ timestamp, ...more }));

/**
 * In front of the server. From one commit on, counted from 0, each is applied and meets a fault.
 * @param {import('node:test').TestContext} t
 * @param {number} first
 * @param {() => import('./support/fault_proxy.js').Fault} fault
 */
async function faultsFrom(t, first, fault) {
  const proxy = await startFaultProxy({ target: server.url });
  t.after(() => proxy.stop());
  let commits = 0;
  /** @type {(value?: unknown) => void} */
  let told = () => {};
  const met = new Promise((resolve) => { told = resolve; });
  proxy.choose((request) => {
    if (!request.path.includes(':commit')) return null;
    commits += 1;
    if (commits <= first) return null;
    told();
    return fault();
  });
  return { host: proxy.url.replace('http://', ''), met };
}

/** Documents as they are stored. @param {string} project @param {string} collection */
async function stored(project, collection) {
  const response = await fetch(`${server.url}/v1/projects/${project}/databases/(default)/documents/${collection}`);
  const { documents = [] } = /** @type {{documents?: {fields: any}[]}} */ (await response.json());
  return documents.map(({ fields }) => fields);
}

test('an insert that is broken off by a second Ctrl-C prints no command that may add documents twice', async (t) => {
  /** @type {(value?: unknown) => void} */
  let release = () => {};
  const held = new Promise((resolve) => { release = resolve; });
  t.after(() => release());
  const { host, met } = await faultsFrom(t, 1, () => faults.holdResponse(held));
  const { run } = shell('twice');
  const inserting = start(['insert', 'c', '--shards=x,y'], shell('twice', host).environment);
  inserting.child.stdin.end(linesOf(some(1200)));
  await met;
  while ((await run('count c --shards x,y')).out !== '1000\n');
  // Signals that come before the program has seen the first of them are one.
  inserting.child.kill('SIGINT');
  const { code, err } = await inserting.kill('SIGTERM');
  assert.equal(code, 130);
  assert.equal(err, 'shardline: interrupted. Lines up to 500 are written. Lines 501 to 1000 may have been written, all or the first of them; look, then go on '
    + 'behind the last one that is there: with --skip=500 if none is, with --skip=1000 if all are.\n');
  await run('insert c --shards x,y --skip=1000', linesOf(some(1200)));
  assert.equal((await run('count c --shards x,y')).out, '1200\n');
});

longTest('an insert whose answer was lost says which lines are written, and which may be', async (t) => {
  const cut = () => faults.dropResponse();
  const second = shell('lost', (await faultsFrom(t, 1, cut)).host);
  const first = shell('lost', (await faultsFrom(t, 0, cut)).host);
  const { run } = shell('lost');
  /** @param {ReturnType<typeof shell>} shell @param {string[]} words @param {string} input */
  const failed = async ({ environment }, words, input) => {
    const inserting = start(['insert', ...words], environment);
    inserting.child.stdin.end(input);
    const { code, err } = await inserting.ended;
    assert.equal(code, 1, err);
    assert.doesNotMatch(err, /To go on/);
    return err.trimEnd().split('\n').at(-1) ?? '';
  };
  const [later, atOnce, one] = await Promise.all([
    failed(second, ['c', '--shards=x,y'], `\n${linesOf(some(1200))}`),
    failed(first, ['d', '--shards=x,y', '--skip=2'], linesOf(some(5))),
    failed(first, ['e', '--shards=x,y'], `\n${linesOf(some(1))}`),
  ]);
  assert.match(later, /^shardline: outcome-unknown: .* Lines up to 501 are written\. Lines 502 to 1001 may have been written, .* --skip=501 if none is, with --skip=1001 if all are\.$/);
  assert.match(atOnce, /^shardline: outcome-unknown: .*\. Lines 3 to 5 may have been written, .* --skip=2 if none is, with --skip=5 if all are\.$/);
  assert.doesNotMatch(atOnce, /up to/);
  assert.doesNotMatch(one, /up to/, 'an empty line is not written');
  assert.match(one, /^shardline: outcome-unknown: .*\. Line 2 may have been written; look, then go on with --skip=1 or --skip=2\.$/);
  assert.deepEqual([(await run('count c --shards x,y')).out, (await run('count d --shards x,y')).out], ['1000\n', '3\n']);
});

longTest('a batch that is larger than one commit is in doubt only behind what is written', async (t) => {
  const { host } = await faultsFrom(t, 1, () => faults.dropResponse());
  const inserting = start(['insert', 'c', '--shards=x'], shell('large', host).environment);
  inserting.child.stdin.end(linesOf(some(6, { text: 'x'.repeat(300_000) })));
  const { code, err } = await inserting.ended;
  assert.equal(code, 1);
  assert.match(err, /Lines up to 3 are written\. Lines 4 to 6 may have been written, all or the first of them; .*--skip=3 if none is, with --skip=6 if all are\.\n$/);
});

test('an insert that was refused for certain names the command that goes on', async (t) => {
  const { host } = await faultsFrom(t, 1, () => faults.answer(403, '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"No."}}'));
  await shell('refused', host).fails('insert c --shards x', 1, /permission-denied: .* To go on: shardline insert c --shards=x --skip=500\n$/, linesOf(some(600)));
});

longTest('what is wrong with one document is told with its line', async () => {
  const { run, fails } = shell('lines');
  const with734 = (/** @type {object} */ bad) => `\n${linesOf([...some(732), bad, ...some(500)])}`;
  const cases = /** @type {[object, RegExp][]} */ ([
    [{ n: 1 }, /^shardline: invalid-argument: Line 734: The document has no field “timestamp”.* the option --order-field\. To go on: .* --skip=501\n$/],
    [{ timestamp: 1, shard: 'q' }, /^shardline: invalid-argument: Line 734: Field "shard" .*--skip=501\n$/],
    [{ timestamp: 1, list: [[1]] }, /^shardline: invalid-argument: Line 734: Field "list" .*--skip=501\n$/],
    [[1], /^shardline: invalid-argument: Line 734: A document’s data must be a plain object\..*--skip=501\n$/],
  ]);
  for (const [index, [bad, message]] of cases.entries()) {
    await fails(`insert c${index} --shards x,y`, 2, message, with734(bad));
    assert.equal((await run(`count c${index} --shards x,y`)).out, '500\n', 'the first batch, and nothing of the other');
  }
});

test('nothing in a document steers the terminal, and JSON stays what it was', async () => {
  const { run } = shell('controls');
  const steering = Array.from({ length: 0xA1 - 0x7E }, (_, i) => String.fromCharCode(0x7E + i)).join('');
  const data = { timestamp: 1, [`name${steering}`]: `\u001B${steering}ü`, list: [{ [steering]: steering }] };
  await run('insert c --shards x', linesOf([data]));
  for (const json of ['', ' --json']) {
    const { out } = await run(`query c --shards x${json}`);
    assert.doesNotMatch(out.trimEnd(), /\p{Cc}/u);
    const printed = JSON.parse(json ? out : out.slice(out.indexOf('{')));
    assert.deepEqual(json ? printed.data : printed, { ...data, shard: 'x' });
    assert.ok(out.includes('\\u009b') && out.includes('\\u007f') && out.includes('ü'), out);
  }
});

test('what is wrong with a line does not steer the terminal either', async () => {
  const { fails } = shell('steering');
  await fails('insert c --shards x', 1, /^\P{Cc}*Line 1: \P{Cc}*\\u009b31m\P{Cc}*\n$/u, '{"timestamp":{"$timestamp":"\u009B31m"}}');
});

longTest('a double is written as a double, or refused', async () => {
  const { run, fails } = shell('doubles');
  const doubles = ['1.5', '-0', 'NaN', '-Infinity', '1e20', '9007199254740992'];
  await run('insert c --shards x', linesOf(doubles.map(($double) => ({ timestamp: 1, d: { $double } }))));
  const found = (await stored('doubles', 'c')).map(({ d }) => d);
  assert.ok(found.every((value) => Object.keys(value).join() === 'doubleValue'), JSON.stringify(found));
  assert.deepEqual(found.map(({ doubleValue }) => Number(doubleValue)).map(String).sort(), ['-Infinity', '0', '1.5', '100000000000000000000', '9007199254740992', 'NaN']);
  for (const whole of ['"1"', '1', '"-3.0"', '"0"', '"9007199254740991"']) {
    await fails('insert w --shards x', 1, /Line 1: \{"\$double":.*\} is no value: a whole number of this size is always written as an integer/, `{"timestamp":{"$double":${whole}}}`);
    await fails(`query w --shards x --start-at {"$double":${whole}}`, 2, /is always written as an integer/);
  }
  assert.match((await run('insert --help')).out, /\$double takes no whole number up to 9007199254740991/);
});

longTest('comments that the new index file does not keep are told of', async () => {
  const { run } = shell('comments');
  const file = join(folder, 'commented.json');
  await writeFile(file, '{\n  // why this one\n  "indexes": []\n}\n');
  const told = /^(added|exempted) .*\nthe new text loses the comments of the file\nDeploy the file with [^\n]*\n$/s;
  assert.match((await run(`indexes rewrite ${file} --collection c`)).err, /^added .*\nlater exempted .*\nthe new text loses the comments of the file\n1\. Queries: .*\n4\. Remove [^\n]*\n$/s);
  assert.match((await run(`indexes rewrite ${file} --collection c --remove-old`)).err, told);
  assert.match((await run(`indexes rewrite ${file} --collection c --remove-old --write`)).err, told);
  assert.doesNotMatch((await run(`indexes rewrite ${file} --collection c --remove-old --write`)).err, /comments/);
});

longTest('errors call options what they are called here', async () => {
  const { fails } = shell('flags');
  const both = /--location must be us-central1 or nam5; for other locations give --read-price and --write-price\.\n$/;
  await fails('backfill c --shards x,y --location mars --read-price 1', 2, both);
  await fails('cost --location mars --read-price 1 --increments 5', 2, /: --write-price must be a number/);
  await fails('cost --queries 10', 2, /: --query-limit must be a number/);
  await fails('plan c --shards x --shard-field a --order-field a.b', 2, /: --shard-field and --order-field must be different fields/);
  await fails('backfill c --shards x --resume-from=zzz', 2, /: --resume-from does not belong to this call/);
});
