/** The command line as people know it: its help, its hints, completion in shells, and sentences that can be pasted or read as they are. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { connect } from 'shardline';

import { COMMANDS, GROUPS } from '../../web/bin/commands.js';
import { complete, SCRIPTS } from '../../web/bin/completion.js';
import { Context } from '../../web/bin/context.js';
import { helpOf, listOf, withFlags } from '../../web/bin/options.js';
import { programName } from '../../web/bin/program.js';
import { didYouMean, distance } from '../../web/bin/suggest.js';
import { columns, counted, Terminal } from '../../web/bin/terminal.js';
import { longTest } from '../support/long_test.js';
import { run as runProgram, runLine, split, start } from './support/command_line.js';
import { startFaultProxy } from './support/fault_proxy.js';
import { openShells } from './support/shells.js';

const shells = await openShells();
after(() => shells.stop());

test('every help page fits 80 columns', () => {
  const pages = [listOf(COMMANDS, 'COMMAND'), ...GROUPS.map((group) => listOf(COMMANDS.filter(({ name }) => name.startsWith(`${group} `)), group)), ...COMMANDS.map(helpOf)];
  assert.ok(pages.length > 25);
  for (const line of pages.flatMap((page) => page.split('\n'))) assert.ok(line.length <= 80, `${line.length}: ${line}`);
});

longTest('help is found however it is asked for', async () => {
  const out = async (/** @type {string[]} */ ...words) => (await runProgram(words)).out;
  assert.equal(await out('help', 'counter', 'get'), await out('counter', 'get', '--help'));
  assert.equal(await out('counter', 'get', '-h'), await out('counter', 'get', '--help'));
  const group = await out('help', 'counter');
  assert.match(group, /^Usage: shardline counter COMMAND/);
  assert.ok(group.includes('counter flush') && !group.includes('indexes audit'));
  assert.deepEqual([await out('counter'), await out('counter', 'help'), await out('counter', '--help')], [group, group, group]);
  assert.deepEqual([await out('help'), await out('-h'), await out()], Array(3).fill(await out('--help')));
  assert.match(await out('-v'), /^\d+\.\d+\.\d+\n$/);
  assert.equal((await runProgram(['help', 'frob'])).code, 2);
});

longTest('what was probably meant is said', async () => {
  const { fails } = shells.shell('meant');
  await fails('conter get a/b', 2, /^shardline: There is no command “conter get”\. Did you mean counter get\? shardline --help lists them\.\n$/);
  await fails('counter incremnt a/b', 2, /Did you mean counter increment\?/);
  await fails('sevre', 2, /Did you mean serve\?/);
  await fails('--hlep', 2, /Did you mean --help\?/);
  await fails('counter get a/b --shard 3', 2, /There is no option --shard\. Did you mean --shards\? \(shardline counter get --help\)/);
  await fails('counter increment a/b --maxDelta 3', 2, /There is no option --maxDelta\. Did you mean --max-delta\?/);
  await fails('counter get a/b --frob', 2, /There is no option --frob\. \(/);
  await fails('counter get a/b -x', 2, /There is no option -x\. \(/);
  await fails('counter get a/b --source summ', 2, /it is “summ”\. Did you mean sum\?/);
});

test('words are as near to each other as the typing mistakes between them', () => {
  assert.equal(didYouMean('xyz', ['counter', 'query']), '');
  assert.equal(didYouMean('--maxDelta', ['--max-delta', '--shards']), ' Did you mean --max-delta?');
  const steps = [['', 'abc', 3], ['abc', 'abc', 0], ['abc', 'acb', 1], ['kitten', 'sitting', 3], ['ca', 'abc', 3]];
  for (const [one, other, expected] of steps) assert.equal(distance(String(one), String(other)), expected, `${one} ${other}`);
});

test('commands are printed as the user ran the program', () => {
  const name = (/** @type {string} */ script, env = {}, folder = '/home/ann/app') => programName(script, { PATH: '/usr/bin:/usr/local/bin', ...env }, folder);
  const installed = '/home/ann/app/node_modules/.bin/shardline';
  assert.equal(name('/usr/local/bin/shardline'), 'shardline');
  assert.equal(name(installed), './node_modules/.bin/shardline');
  assert.equal(name(installed, { npm_config_user_agent: 'npm/10.8.2 node/v22.0.0 linux x64' }), 'npx shardline');
  assert.equal(name(installed, { npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v22.0.0 linux x64' }), 'pnpm exec shardline');
  assert.equal(name(installed, { npm_config_user_agent: 'yarn/4.1.0 npm/? node/v22.0.0' }), 'yarn shardline');
  assert.equal(name('/home/ann/app/web/bin/shardline.js'), 'node web/bin/shardline.js');
  assert.equal(name('/home/ann/my app/shardline.js', {}, '/home/ann/my app/below'), "node '/home/ann/my app/shardline.js'");
});

longTest('a command that is printed under npx, or from a checkout, runs as it is', async () => {
  const { environment } = shells.shell('paste');
  const asked = async (/** @type {import('./support/command_line.js').Environment} */ more) => (await runProgram(['counter', 'get', 'posts/p1'], { ...environment, ...more })).err;
  assert.match(await asked({ npm_config_user_agent: 'npm/10.8.2 node/v22' }), /To create one: npx shardline counter create posts\/p1\n$/);
  // It does not use npm's own npx: a stand-in finds the program at the place where npm puts it.
  const folder = join(shells.folder, 'app');
  await mkdir(folder);
  const checkout = new URL('../../web/bin/shardline.js', import.meta.url).pathname;
  await symlink(checkout, join(folder, 'tool.js'));
  const child = spawn(process.execPath, ['tool.js', 'counter', 'get', 'posts/p1'], { cwd: folder, env: { PATH: process.env.PATH, ...environment } });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { err += text; });
  await once(child, 'close');
  const line = /To create one: (node tool\.js counter create posts\/p1)\n$/.exec(err)?.[1] ?? '';
  assert.notEqual(line, '', err);
  assert.equal((await runLine(`cd '${folder}' && ${line}`, environment)).out, 'created, with 10 shards\n');
});

longTest('a counter that does not exist is no total of 0', async () => {
  const { run, fails } = shells.shell('none');
  await fails('counter get posts/p1', 1, /^shardline: not-found: There is no counter at posts\/p1: check --layout\. If it has several fields, pass --fields\. To create one: shardline counter create posts\/p1\n$/);
  await fails('counter get posts/p1 --shards 3 --layout mobile-sample --json', 1, /create posts\/p1 --shards=3 --layout=mobile-sample/);
  await fails('counter stats posts/p1', 1, /^shardline: not-found: There is no counter at posts\/p1: check --layout\. To create one: shardline counter create posts\/p1\n$/);
  await fails('counter get posts/p1 --layout extension --count-field visit', 1, /: There is no count in the field visit of posts\/p1: check --count-field and --layout, or read the new counter if you have moved it\.\n$/);
  const watching = start(['counter', 'watch', 'posts/p1'], shells.shell('none').environment);
  await watching.says(/^There is no counter at posts\/p1: check --layout\. If it has several fields, pass --fields\. To create one: shardline counter create posts\/p1\n$/m);
  await watching.kill('SIGKILL');
  await run('counter create posts/p1 --shards 3');
  assert.equal((await run('counter get posts/p1')).out, '0\n');
  assert.match((await run('counter stats posts/p1')).out, /^shard +count\n0 /);
});

longTest('counter migrate says what it finds, moves and leaves', async () => {
  const { run, fails, environment } = shells.shell('migrate');
  const db = await connect({ projectId: 'migrate', host: shells.server.url });
  await db.collection('pages').set('home', { title: 'Home', stats: { visits: 1207, downloads: 342 } });
  const migrate = 'counter migrate pages/home --count-field';
  const total = async (path = 'pages/home') => (await db.counter(path).get()).value;

  await fails(`${migrate} stats.visit`, 1, /^shardline: not-found: pages\/home has no count in the field stats\.visit\. Its fields with numbers: stats\.downloads, stats\.visits\.\n$/);
  assert.equal((await db.collection('pages').get('home'))?.data()['num_shards'], undefined, 'nothing is made');
  assert.deepEqual(await run(`${migrate} stats.visits --to-shards 4`), { out: 'moved the counts of 1 document into 4 shards; complete: nothing is left\n', err: '' });

  const refused = await runProgram(split(`${migrate} stats.downloads --json`), environment);
  assert.deepEqual([refused.code, refused.out, await total()], [1, '', 1207]);
  const words = /^shardline: already-exists: The counter pages\/home already holds the migrated count of stats\.visits of pages\/home\. Migrate this one to another path \(--to-path\): .* To go on: (.*)\n$/;
  const { code } = await runLine(String(words.exec(refused.err)?.[1]), environment);
  assert.deepEqual([code, await total('pages/home/counters/downloads'), await total()], [0, 342, 1207]);

  const again = await run(`${migrate} stats.visits --to-shards 20`);
  assert.equal(again.out, 'moved nothing; complete: nothing is left\n');
  assert.match(again.err, /^An earlier run has moved the count, or the field has another name: pages\/home has no count in the field stats\.visits\. Its fields with numbers: num_shards\.\n--to-shards is for a new counter: pages\/home keeps its 4 shards\. To change the number: shardline counter resize pages\/home 20\n$/);
  await db.close();
});

longTest('counter migrate that is not complete says what to do, and a path that is none is refused', async () => {
  const { run, fails } = shells.shell('incomplete');
  const db = await connect({ projectId: 'incomplete', host: shells.server.url });
  const visits = db.counter('pages/p1', { layout: 'extension', countField: 'visits', flushMs: 0 });
  await visits.increment();
  const proxy = await startFaultProxy({ target: shells.server.url });
  const counting = { kind: 'count', before: () => visits.increment() };
  proxy.choose(({ verb, body }) => (verb === 'runQuery' && body.includes('"_counter_shards_"') ? counting : null));
  assert.match((await run(`counter migrate pages/p1 --count-field visits --host ${proxy.url}`)).out,
    /^moved the counts of \d+ documents into 10 shards; not complete, because other clients kept counting: run it again\n$/);
  await proxy.stop();
  await db.close();
  await fails('counter migrate pages --count-field visits', 2, /^shardline: invalid-argument: .*path.*pages/);
});

longTest('messages name flags and commands, and no option or call of the API', async () => {
  const { run, fails } = shells.shell('flags');
  await fails('counter increment posts/p1', 1, /[:.] run first “shardline counter create posts\/p1”, or pass the option --shards/i);
  await fails('ids take sequences/s 3', 1, /: run first “shardline ids create sequences\/s”\.\n$/);
  await fails('rules posts/{post} --max-delta 2 --access one-like', 2, /: --max-delta must be 1, without fractions, if access is one-like or one-vote/);
  await fails('rules posts/{post} --admin (', 2, /: --admin must be one expression/);
  await run('counter create posts/p1');
  await fails('counter create posts/p1 --if-exists error', 1, /with --if-exists=keep, counter create leaves it as it is/);
});

test('options are called by their flags in messages of the library', () => {
  const command = /** @type {import('../../web/bin/options.js').Command} */ (COMMANDS.find(({ name }) => name === 'cost'));
  const words = (/** @type {string} */ message, argument = '') => withFlags(command, { message, params: { argument } });
  assert.equal(words('queries.limit must be an integer; see `location`.'), '--query-limit must be an integer; see --location.');
  assert.equal(words('The location is unknown.'), 'The location is unknown.');
  assert.equal(words('location must be known.', 'location'), '--location must be known.');
  assert.equal(words('pass `prices`, such as {reads: 0.3, writes: 0.9}'), 'pass --read-price=0.3 --write-price=0.9');
});

longTest('the emulator’s address may have http:// in front of it', async () => {
  const { environment, run } = shells.shell('address');
  await run('counter create posts/p1 --shards 1');
  for (const [words, host, name] of /** @type {const} */ ([[[], ':80', 'FIRESTORE_EMULATOR_HOST'], [['--host', 'ftp://a'], 'ftp://a', '--host']])) {
    const { code, err } = await runProgram(['counter', 'get', 'posts/p1', ...words], { ...environment, FIRESTORE_EMULATOR_HOST: host });
    assert.equal(code, 2);
    assert.match(err, new RegExp(`^shardline: ${name} must be an address such as 127\\.0\\.0\\.1:8080; it is “${host}”\\.`));
  }
  for (const host of [shells.server.url, `${shells.server.url}/`]) {
    assert.equal((await runProgram(['counter', 'get', 'posts/p1'], { ...environment, FIRESTORE_EMULATOR_HOST: host })).out, '0\n');
  }
});

test('a host that refuses and a host that nobody knows are told apart', async () => {
  const { environment } = shells.shell('hosts');
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (closed.address());
  closed.close();
  for (const [host, message] of /** @type {const} */ ([
    [`http://127.0.0.1:${port}`, /^shardline: Nothing listens at http:\/\/127\.0\.0\.1:\d+; trying again\.\n/],
    ['https://firestore.invalid', /^shardline: No host is known by the name firestore\.invalid; trying again\.\n/],
  ])) {
    const asking = start(['counter', 'increment', 'a/b', '--shards=1', '--host', host], environment);
    await asking.says(message);
    await asking.kill('SIGKILL');
  }
});

test('a terminal that is closed may say so twice, and does not break a command off', (t) => {
  const exit = t.mock.method(process, 'exit', () => {});
  const context = new Context(/** @type {any} */ (COMMANDS[0]), { values: {}, help: false }, new Terminal(process.stdout, process.stderr));
  for (let i = 0; i < 2; i += 1) process.emit('SIGHUP', 'SIGHUP');
  assert.deepEqual([context.signal.aborted, exit.mock.callCount()], [true, 0]);
  context.end();
});

test('a line about the progress of an insertion names the line to go on from', (t) => {
  /** @type {string[]} */
  const lines = [];
  const err = /** @type {any} */ ({ write: (/** @type {string} */ line) => lines.push(line) });
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const report = new Terminal(err, err).progress('inserting', 'inserted');
  now = 9000;
  report({ done: 500, unit: 'document', skip: 501 });
  report({ done: 501, unit: 'document' }, true);
  assert.match(lines.join(''), /^inserting 500 documents, [\d.]+\/s, up to --skip=501\ninserted 501 documents, [\d.]+\/s\n$/);
});

test('a table shows controls of a terminal, and does not send them', () => {
  assert.equal(columns([['field', 'values'], ['a\u001b[2J\n', '\u009b5m']]), 'field             values\na\\u001b[2J\\u000a  \\u009b5m');
});

test('a noun follows its number', () => {
  assert.deepEqual([0, 1, 2, 1500].map((value) => counted(value, 'index')), ['0 indexes', '1 index', '2 indexes', '1,500 indexes']);
});

longTest('one of a thing is not spoken of as many', async () => {
  const { run } = shells.shell('plurals');
  assert.equal((await run('counter create posts/p1 --shards 1')).out, 'created, with 1 shard\n');
  assert.equal((await run('counter resize posts/p1 1')).out, '1 shard; the counts of 0 were moved\n');
  assert.equal((await run('ids create sequences/s --shards 1')).out, 'created, with 1 shard\n');
  assert.match((await run('insert c --shards x', '{"timestamp":1}')).err, /^inserted 1 document, /);
  assert.match((await run('query c --shards x --limit 1')).err, /^1 document; 1 read; /);
  assert.match((await run('plan c --shards x --limit 1')).out, /^1 request at first, of 1 shard\n1 read at the worst\n/);
});

/** @param {string} line */
const offered = (line) => complete(line.split(' ')).map(([word]) => word);

test('a shell completes commands, options and words', () => {
  assert.deepEqual(offered('cou'), ['counter', 'count']);
  assert.ok(offered('').includes('help') && offered('').includes('serve'));
  assert.deepEqual(offered('counter re'), ['resize']);
  assert.deepEqual(offered('help counter mi'), ['migrate']);
  assert.deepEqual(offered('stock put'), ['put-back']);
  assert.deepEqual(offered('counter get posts/p1 --so'), ['--source']);
  assert.deepEqual(offered('counter get posts/p1 --source '), ['sum', 'shards']);
  assert.deepEqual(offered('counter get posts/p1 --source=sh'), ['--source=shards']);
  assert.deepEqual(offered('counter get posts/p1 --source = sh'), ['shards'], 'as Bash takes it apart');
  assert.deepEqual(offered('counter get --source sum --s'), ['--shards'], 'each once');
  assert.deepEqual(offered('query c --where x --whe'), ['--where'], 'but those that may be given several times');
  assert.deepEqual(offered('completion f'), ['fish']);
  assert.deepEqual(offered('serve --indexes '), [], 'a file');
  assert.deepEqual(offered('frob '), []);
});

longTest('Bash completes by the script that is printed', async () => {
  const completed = async (/** @type {string[]} */ ...words) => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const { out, err } = await runLine(`bash -c 'source <(shardline completion bash); COMP_WORDS=(shardline ${list.replaceAll("'", '"')}); COMP_CWORD=${words.length}; _shardline; printf "%s " "\${COMPREPLY[@]}"'`);
    assert.equal(err, '');
    return out.trim().split(' ');
  };
  assert.deepEqual(await completed('ids', ''), ['create', 'take']);
  assert.deepEqual(await completed('rules', 'posts/{post}', '--access', '=', 'one'), ['one-vote', 'one-like']);
  for (const [shell, script] of Object.entries(SCRIPTS)) {
    assert.equal((await runProgram(['completion', shell])).out, script);
    assert.match(script, /\bshardline __complete /);
  }
});
