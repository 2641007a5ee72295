/** The command line for a person: its output, its exit codes, Ctrl-C; against `shardline serve` and Google's emulator. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { openWorkbench } from 'shardline/workbench';

import { readShards } from '../../web/bin/commands/collection.js';
import { COMMANDS } from '../../web/bin/commands.js';
import { hostOf, tokenFor } from '../../web/bin/database.js';
import { flagOf, optionsOf, readArguments, UsageError } from '../../web/bin/options.js';
import { readText, writeText } from '../../web/bin/text_file.js';
import { longTest } from '../support/long_test.js';
import { inRun } from '../support/run.js';
import { LINE_ANEW, run as runProgram, runLine, serve, start, startInTerminal } from './support/command_line.js';
import { faults, startFaultProxy } from './support/fault_proxy.js';
import { openShells } from './support/shells.js';

/** The byte order mark with which Windows' shells begin a file. */
const BOM = '\uFEFF';
const fixture = new URL('../fixtures/indexes_before.jsonc', import.meta.url).pathname;

const shells = await openShells();
const { server, emulator, folder, shell } = shells;
after(() => shells.stop());

/**
 * Takes every request, and never answers.
 * @param {import('node:test').TestContext} t
 */
async function startSilent(t) {
  const server = createServer();
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { host: `127.0.0.1:${port}`, asked: () => once(server, 'request') };
}

/** @type {[name: string, place: {host: string, projectId?: string}][]} */
const PLACES = [['Google’s emulator', emulator], ['shardline serve', server]];
for (const [name, place] of inRun(PLACES.slice(0, 1), PLACES)) {
  test(`counters, collections and ids: ${name}`, async () => {
    const { run } = shell(place.projectId ?? 'life', place);
    assert.equal((await run('counter create posts/p1 --shards 3')).out, 'created, with 3 shards\n');
    assert.equal((await run('counter create posts/p1 --json')).out, '{"created":false,"shards":3}\n');
    assert.equal((await run('counter increment posts/p1')).out, 'counted 1\n');
    await run('counter increment posts/p1 -3');
    await run('counter increment posts/p1 0.5 --delivery=at-least-once');
    assert.deepEqual(await run('counter get posts/p1'), { out: '-1.5\n', err: '' });
    const reading = JSON.parse((await run('counter get posts/p1 --json --source shards')).out);
    assert.deepEqual([reading.value, reading.source, reading.billed.reads], [-1.5, 'shards', 3]);
    assert.match((await run('counter stats posts/p1')).out, /^shard +count\n0 .*\n1 .*\n2 .*\n\d+ shards would do\n$/);
    assert.match((await run('counter resize posts/p1 5')).out, /^5 shards; /);
    assert.equal((await run('counter cleanup posts/p1')).out, 'deleted 0 markers and 0 keys that had expired\n');
    await run('counter create posts/big');
    await run('counter increment posts/big 9007199254740993');
    assert.equal((await run('counter get posts/big')).out, '9007199254740993\n');
    assert.equal((await run('counter delete posts/p1')).out, 'deleted 6 documents\n');

    const lines = Array.from({ length: 1203 }, (_, i) => JSON.stringify({
      symbol: `S${i}`, exact: { $integer: `${2n ** 60n + BigInt(i)}` }, price: { currency: i % 3 ? 'USD' : 'EUR' }, timestamp: new Date(Date.UTC(2024, 0, 1) + i * 1000),
    }));
    lines.splice(700, 0, '');
    const inserted = await run('insert instruments --shards x,y,z --times timestamp', `${BOM}${lines.join('\n')}`);
    assert.equal(inserted.out, '');
    assert.match(inserted.err, /^(inserting .*\n)*inserted 1,203 documents, [\d,.]+\/s\n$/);
    assert.equal((await run("count instruments --shards x,y,z --where 'price.currency == EUR'")).out, '401\n');
    const page = await run("query instruments --shards x,y,z --where 'price.currency == USD' --newest-first --limit 2 --select symbol,exact");
    const found = page.out.trimEnd().split('\n').map((line) => JSON.parse(String(/^\w{20} {2}(.*)$/.exec(line)?.[1])));
    assert.deepEqual(found, [1202, 1201].map((i) => ({ symbol: `S${i}`, exact: { $integer: `${2n ** 60n + BigInt(i)}` } })));
    const token = /^2 documents; (\d+) reads; the next page: --continue-from (\S+)\n$/.exec(page.err);
    assert.ok(token && Number(token[1]) <= 6, page.err);
    assert.match((await run(`query instruments --shards x,y,z --where 'price.currency == USD' --newest-first --limit 2 --select symbol,exact --continue-from ${token[2]}`)).out, /"S1199"/);
    assert.equal((await run('count instruments --shards x,y,z --where \'{"or": ["symbol == S1", {"and": ["symbol == S2", "price.currency == USD"]}, "symbol == S3"]}\'')).out, '3\n');
    const sorted = await run("query instruments --order 'price.currency desc' --order 'timestamp asc' --limit 2 --select symbol");
    assert.deepEqual(sorted.out.match(/"S\d+"/g), ['"S1"', '"S2"']);
    const range = await run('query instruments --shards x,y,z --start-at 2024-01-01T00:00:05Z --end-before 2024-01-01T00:00:07Z --json');
    assert.deepEqual(range.out.trim().split('\n').map((line) => JSON.parse(line).data.timestamp), [5, 6].map((second) => ({ $timestamp: `2024-01-01T00:00:0${second}.000Z` })));
    assert.equal((await run("count instruments --shards x,y,z --where 'timestamp < 2024-01-01T01:00:02+01:00'")).out, '2\n', 'a time with an offset');

    assert.equal((await run('ids create sequences/orders --shards 2')).out, 'created, with 2 shards\n');
    const ids = `${(await run('ids take sequences/orders 40')).out}${(await run('ids take sequences/orders')).out}`.trim().split('\n');
    assert.equal(new Set(ids).size, 41);
  });
}

longTest('ratings and reactions', async () => {
  const { run, fails } = shell('choices');
  await run('counter create restaurants/r1 --shards 1');
  const [stars, kinds] = ['--from 1 --to 5', '--kinds like,love'];
  assert.equal((await run(`ratings set restaurants/r1 ann 4 ${stars}`)).out, 'set 4\n');
  assert.equal((await run(`ratings set restaurants/r1 ann 4 ${stars}`)).out, '4 was set already\n');
  await run(`ratings set restaurants/r1 ben 1 ${stars}`);
  assert.equal((await run(`ratings summary restaurants/r1 ${stars}`)).out, 'rating  users\n1       1\n2       0\n3       0\n4       1\n5       0\n2 ratings, 2.5 on average\n');
  assert.equal((await run(`ratings publish restaurants/r1 ${stars} --average stars`)).out, 'published 2 ratings, 2.5 on average\n');
  const { out } = await run('query restaurants --order stars');
  assert.ok(out.includes('"stars":2.5') && out.includes('"count":2'), out);
  assert.equal((await run(`reactions set restaurants/r1 ann love ${kinds}`)).out, 'set love\n');
  assert.equal((await run(`reactions summary restaurants/r1 ${kinds}`)).out, 'reaction  users\nlike      0\nlove      1\n1 reaction\n');
  assert.match((await run(`ratings delete restaurants/r1 ${stars}`)).out, /^deleted \d documents\n$/);
  assert.equal((await run(`ratings get restaurants/r1 ann ${stars}`)).out, 'no rating\n');
  await fails(`ratings set restaurants/r1 ann 6 ${stars}`, 2, /VALUE must be an integer from 1 to 5/);
  await fails(`ratings publish restaurants/r2 ${stars}`, 1, /not-found/);
});

longTest('a counter with fields', async () => {
  const { run, fails } = shell('fields');
  const fields = '--fields like,love,laugh';
  await fails(`counter get posts/p1 ${fields}`, 1,
    /^shardline: not-found: There is no counter at posts\/p1: check --fields and --layout\. To create one: shardline counter create posts\/p1 --fields=like,love,laugh\n$/);
  assert.equal((await run(`counter create posts/p1 --shards 2 ${fields}`)).out, 'created, with 2 shards\n');
  assert.equal((await run(`counter increment posts/p1 love=9007199254740993,like=-1 ${fields}`)).out, 'counted love=9007199254740993,like=-1\n');
  assert.equal((await run(`counter increment posts/p1 laugh=0.5 ${fields} --json`)).out, '{"counted":{"laugh":0.5}}\n');
  assert.equal((await run(`counter get posts/p1 ${fields}`)).out, 'field  total\nlike   -1\nlove   9007199254740993\nlaugh  0.5\n');
  const { readTime, ...reading } = JSON.parse((await run(`counter get posts/p1 --fields laugh,like --json`)).out);
  assert.deepEqual(reading, {
    totals: { laugh: 0.5, like: -1 }, shards: 2, source: 'sum', pending: { laugh: 0, like: 0 }, billed: { reads: 2, writes: 0, deletes: 0 },
  });
  assert.ok(!Number.isNaN(Date.parse(readTime)), readTime);
  assert.equal((await run(`counter publish posts/p1 ${fields} --field claps`)).out, 'published like -1, love 9007199254740993, laugh 0.5\n');
  assert.match((await run('query posts --order claps.laugh')).out, /"claps":\{"laugh":0\.5,"like":-1,/);
  assert.equal((await run(`counter resize posts/p1 3 ${fields}`)).out, '3 shards\n');
  assert.equal((await run(`counter delete posts/p1 ${fields}`)).out, 'deleted 4 documents\n');
  await fails('counter increment posts/p1 like=1', 2, /--fields is missing/);
  await fails(`counter increment posts/p1 ${fields}`, 2, /DELTA must be an amount for each field, such as like=1; it is “1”/);
});

longTest('a counter with fields is watched, and refuses wrong amounts and options', async () => {
  const { environment, run, fails } = shell('fields-wrong');
  const fields = '--fields like,love';
  for (const amounts of ['like=', 'like=x', 'like=1,like=2', 'like=1,', 'like=1,2']) await fails(`counter increment posts/p1 ${amounts} ${fields}`, 2, /DELTA.*must be/);
  await fails(`counter increment posts/p1 hate=1 --shards 2 ${fields}`, 2, /like, love.*hate/);
  await fails('counter get posts/p1 --fields like,like', 2, /--fields must be a list of 1 to 20 different names/);
  await fails(`counter get posts/p1 ${fields} --max-age-ms 5`, 2, /--max-age-ms is for counters without --fields/);
  await fails(`counter get posts/p1 ${fields} --count-field n`, 2, /--count-field is for counters without --fields/);
  await fails(`counter get posts/p1 ${fields} --layout extension`, 2, /--layout must be another one than/);
  const watching = start(['counter', 'watch', 'posts/p1', '--fields=like,love', '--interval-ms', '50', '--json'], environment);
  await watching.says(/^There is no counter at posts\/p1: check --fields and --layout\./m);
  await run(`counter create posts/p1 --shards 1 ${fields}`);
  await run(`counter increment posts/p1 love=2 ${fields}`);
  await watching.says(/\{"totals":\{"like":0,"love":2\},"state":"live"\}\n/);
  assert.equal((await watching.kill('SIGINT')).code, 130);
});

longTest('an increment of fields that is interrupted is sent by the command that is printed', async (t) => {
  const first = await serve();
  await first.stop();
  const { environment, run } = shell('fields-away', first);
  const waiting = start(['counter', 'increment', 'posts/p1', 'love=5', '--shards=2', '--fields=like,love'], environment);
  await waiting.says(/^shardline: Nothing listens at http:\S+; trying again\.$/m);
  const { code, err } = await waiting.kill('SIGINT');
  assert.equal(code, 130);
  const command = / To go on: (.*)$/m.exec(err)?.[1] ?? '';
  assert.match(command, /^shardline counter flush posts\/p1/, err);
  const again = await serve([], first.port);
  t.after(() => again.stop());
  assert.equal((await runLine(command, environment)).out, 'nothing waits any more\n');
  assert.match((await run('counter get posts/p1 --shards 2 --fields like,love')).out, /^love {3}5$/m);
});

longTest('ratings and reactions are taken back, and wrong ones are refused', async () => {
  const { run, fails } = shell('taken-back');
  const [stars, kinds] = ['--from 1 --to 5', '--kinds like,love'];
  await run(`ratings set restaurants/r1 ben 1 ${stars}`);
  assert.equal((await run(`ratings remove restaurants/r1 ben ${stars}`)).out, 'taken back\n');
  assert.equal((await run(`ratings remove restaurants/r1 ben ${stars}`)).out, 'there was no rating\n');
  await fails('ratings summary restaurants/r1 --from 1', 2, /--to is missing/);
  await fails(`reactions set restaurants/r1 ann hate ${kinds}`, 2, /one of like, love/);
});

longTest('a counter of the extension is moved', async () => {
  const { run } = shell('extension');
  await run('counter increment pages/hello 7 --layout extension --count-field stats.visits');
  assert.match((await run('counter migrate pages/hello --count-field stats.visits --to-shards 4')).out, /^moved the counts of \d+ documents? into 4 shards; complete: nothing is left\n$/);
  assert.equal((await run('counter get pages/hello')).out, '7\n');
});

longTest('what needs no network', async () => {
  const { run, fails } = shell('none', { host: '127.0.0.1:1' });
  assert.equal((await run("plan instruments --shards 40 --where 'price.currency == USD' --limit 5")).out,
    '2 requests at first, of 20 + 20 shards\n10 reads at the worst\nindex: shard ascending, price.currency ascending, timestamp ascending\n');
  const { out: text, err } = await run(`indexes rewrite ${fixture} --collection instruments --counters --ids --remove-old`);
  assert.match(err, /^removed \{.*\}: timestamp rises/);
  const mine = join(folder, 'firestore.indexes.json');
  await writeFile(mine, BOM + text);
  assert.equal((await run(`indexes audit ${mine} --rising instruments.timestamp`)).out, 'no index is known to be hot\n');
  await writeFile(mine, text);
  assert.equal((await run(`indexes audit ${mine}`)).out, 'no index is known to be hot\n');
  assert.deepEqual(await run(`indexes rewrite ${mine} --collection instruments --counters --ids --write`), { out: '', err: 'nothing needs to be changed\n' });
  assert.equal(await readFile(mine, 'utf8'), text);
  const audit = await runProgram(['indexes', 'audit', '-', '--rising', 'instruments.timestamp'], {}, await readFile(fixture, 'utf8'));
  assert.equal(audit.code, 1);
  assert.match(audit.out, /^hot +instruments: timestamp\n/);
  assert.match((await run('rules posts/{post} --access signed-in --max-delta 2')).out, /^rules_version = '2';/);
  assert.match((await run('rules posts/{post} --access one-like')).out, /shardline_members/, 'as the library has it');
  assert.match((await run('shards --writes-per-second 1000 --burst 1500')).out, /^a counter: .*\na collection: 3 shards\. .*\nto grow to that: 15 minutes\n$/);
  const cost = await run('cost --increments 1e6 --totals 1e6');
  assert.match(cost.out, /^a month +reads +writes +deletes +dollars\nincrements +0 +2,000,000 +0 +1\.80\nmarkers +0 +0 +1,000,000 +0\.13\ntotals +1,000,000 +0 +0 +0\.30\ntogether +1,000,000 +2,000,000 +1,000,000 +2\.23\nprices: /);
  assert.match((await run('experiment')).out, /^singleDocument +\S.*\ntenShards /);
  assert.match((await run('experiment tenShards --users 20 --seconds 5')).out, /^throughput .*\n(.*\n)*count +[\d,]+ found, 0 lost, 0 too many\n/);
  assert.match((await run('experiment')).out, /^stock +500 units for 5,000 users, from a stock of 50 shards\nstockByTransaction /m);
  assert.match((await run('experiment stock --users 40 --seconds 5 --shards 4 --units 7')).out, /^stock +7 units, 7 taken, 0 too many, 40 refused$/m);
  const oversold = /^stock +7 units, \d+ taken, (\d+) too many/m.exec((await run('experiment stockByReading --users 40 --seconds 5 --units 7')).out);
  assert.ok(Number(oversold?.[1]) > 0, oversold?.[0]);
  assert.match((await run('experiment')).out, /^ratings +Stars of 3,000 users .*\nratingsByTransaction /m);
  assert.match((await run('experiment ratings --users 20 --seconds 5 --shards 50')).out, /^count +20 found, 0 lost, 0 too many$/m);
  assert.match((await run('experiment ratingsByTransaction --users 20 --seconds 5')).out, /^count +[\d,]+ found, 0 lost, 0 too many$/m);
  await fails('cost', 2, /at least one of --increments/);
  for (const line of ['indexes audit', 'indexes rewrite --ids']) await fails(line, 2, /^shardline: firestore\.indexes\.json cannot be read: /);
  await fails('indexes audit /nowhere.json', 2, /\/nowhere\.json cannot be read/);
  await fails('experiment noSuch', 2, /noSuch/);
});

test('wrong usage ends with 2, what fails with 1, each with one line', async () => {
  const { fails, run, environment } = shell('wrong');
  await fails('frob', 2, /^shardline: There is no command “frob”\. shardline --help lists them\.\n$/);
  await fails('counter frob', 2, /no command “counter frob”/);
  await fails("counter '' posts/p1", 2, /^shardline: There is no command “counter ”\./);
  await fails("''", 2, /^shardline: There is no command “”\./);
  await fails('counter get', 2, /PATH is missing.*\(shardline counter get --help\)/);
  await fails('counter get a/b c', 2, /“c” is one argument too many/);
  await fails('counter get a/b --frob', 2, /--frob/);
  await fails('counter get a/b --source all', 2, /--source must be sum or shards; it is “all”/);
  await fails('counter get a', 2, /invalid-argument: .*even number of segments/);
  await fails('counter increment a/b many', 2, /DELTA must be a number/);
  await fails('counter resize a/b 10001', 2, /NUMBER must be an integer from 1 to 10,000; it is “10001”/);
  await fails('query c --shards x --where price', 2, /--where must be a field, an operator and a value/);
  await fails('counter get a/b --host ftp://x', 2, /--host must be an address/);
  await fails('counter increment a/b', 1, /^shardline: not-found: .* Run first “shardline counter create a\/b”/);
  await fails('insert c --shards x', 1, /^shardline: Line 2: .* To go on: shardline insert c --shards=x --skip=1\n$/, '\n{"a":');
  await fails('insert c --shards x --times timestamp', 1, /Line 1: .*yesterday/, '{"timestamp":"yesterday"}');
  await fails('insert c --shards x', 1, /Line 1: 9007199254740992 has more digits than JSON keeps/, '{"timestamp":9007199254740993}');
  await fails('insert c /nowhere --shards x', 2, /\/nowhere cannot be read/);
  await fails('query c --shards x --start-at {"$timestamp":"now"}', 2, /takes a timestamp .*, not the string 'now'/);
  const nowhere = await runProgram(['counter', 'get', 'a/b'], { ...environment, GOOGLE_CLOUD_PROJECT: undefined });
  assert.deepEqual([nowhere.code, nowhere.err.includes('--project')], [2, true]);
  const unset = await runProgram(['plan', 'c'], { ...environment, GOOGLE_CLOUD_PROJECT: '' });
  assert.deepEqual([unset.code, unset.err], [0, ''], 'an empty variable is one that is not set');
  const { out } = await run('counter increment --help');
  for (const part of ['Usage: shardline counter increment PATH [DELTA] [options]', '--delivery DELIVERY', '--project', 'default exactly-once', '130 interrupted']) assert.ok(out.replaceAll(/\s+/g, ' ').includes(part), part);
  assert.match((await run('--help')).out, /counter create[^]*query[^]*serve/);
  assert.equal((await run('--version')).out, `${JSON.parse(await readFile(new URL('../../web/package.json', import.meta.url), 'utf8')).version}\n`);
});

test('a result that cannot be written is an error', async () => {
  const program = new URL('../../web/bin/shardline.js', import.meta.url).pathname;
  for (const words of ['--version', 'rules posts/{post} --shards 10']) {
    const { status, stderr } = spawnSync('/bin/sh', ['-c', `"$0" "$@" > /dev/full`, process.execPath, program, ...words.split(' ')], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [1, 'shardline: The result cannot be written: ENOSPC: no space left on device, write.\n']);
  }
});

test('a command outlives the reader of its messages, and ends in order when its terminal is closed', { timeout: 30_000 }, async (t) => {
  const { environment, run } = shell('unread');
  // Its note that there is no counter cannot be written.
  const unread = start(['counter', 'watch', 'posts/p1', '--interval-ms', '50', '--json'], environment);
  unread.child.stderr.destroy();
  await unread.says(/"value":0,"state":"live"/);
  await run('counter increment posts/p1 --shards 2');
  await unread.says(/"value":1,"state":"live"/);
  assert.equal((await unread.kill('SIGINT')).code, 130);

  const silent = await startSilent(t);
  const waiting = start(['counter', 'increment', 'posts/p1', '--shards=2'], { ...environment, FIRESTORE_EMULATOR_HOST: silent.host });
  await silent.asked();
  const { code, err } = await waiting.kill('SIGHUP');
  assert.equal(code, 130);
  assert.match(err, /^shardline: interrupted\. .* To go on: shardline counter flush posts\/p1 --shards=2\n$/);
});

test('text that is not UTF-8 is refused, and is not changed', async () => {
  const { run, fails } = shell('latin');
  const file = join(folder, 'latin1.txt');
  await writeFile(file, Buffer.from("rules_version = '2'; // caf\u00e9", 'latin1'));
  await assert.rejects(readText(file), (error) => error instanceof UsageError && error.message === `${file} is not UTF-8. Save it as UTF-8.`);
  // U+2028 is no end of a line of JSON.
  const lines = ['{"timestamp":1,"name":"caf\u00e9 \u{1F600}\u2028"}', '{"timestamp":2}'].join('\n');
  await writeFile(file, Buffer.concat([Buffer.from(`${lines}\n`), Buffer.from('{"timestamp":3,"name":"caf\u00e9"}', 'latin1')]));
  await fails(`insert c ${file} --shards x`, 1, /^shardline: Line 3: it is not UTF-8\. Save the file as UTF-8\. To go on: shardline insert c \S+ --shards=x --skip=2\n$/);
  assert.match((await run('query c --shards x --select name --limit 1')).out, /"name":"caf\u00e9 \u{1F600}\u2028"/u);
});

test('a file of the user is replaced as a whole, or stays as it is', async () => {
  const [file, link] = [join(folder, 'real.rules'), join(folder, 'link.rules')];
  await writeFile(file, 'old', { mode: 0o640 });
  await symlink('real.rules', link);
  await writeText(link, 'new');
  assert.deepEqual([await readFile(file, 'utf8'), (await lstat(link)).isSymbolicLink(), (await stat(file)).mode & 0o777], ['new', true, 0o640]);
  await writeFile(file, `${BOM}new`);
  await writeText(file, 'new');
  assert.equal(await readFile(file, 'utf8'), `${BOM}new`, 'it has this text');

  const rules = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n  }\n}\n";
  await writeFile(file, rules);
  const program = new URL('../../web/bin/shardline.js', import.meta.url).pathname;
  const words = ['rules', 'posts/{post}', '--into', file, '--write'];
  // A disk that is full after a block.
  const { status, stderr } = spawnSync('/bin/sh', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, program, ...words], { encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^shardline: \S+real\.rules cannot be written: EFBIG.*\n$/m);
  assert.equal(await readFile(file, 'utf8'), rules);
  assert.deepEqual((await readdir(folder)).filter((name) => name.endsWith('.new')), []);
});

test('an option that takes one value is not taken twice', async () => {
  const { fails, run } = shell('twice');
  await fails(`indexes rewrite ${fixture} --collection a --collection b`, 2, /--collection takes one value; it is given 2 times\. \(shardline indexes rewrite --help\)/);
  await fails('query c --shards x --limit=1 --limit 1', 2, /--limit takes one value; it is given 2 times/);
  await run("query c --json --json --where 'a == 1' --where 'b == 2'");
});

test('an empty argument or option is refused, unless the empty string is a value of it', async () => {
  /** @type {Set<string>} */
  const allowed = new Set();
  for (const command of COMMANDS) {
    const needed = [...command.takes ?? [], ...command.options ?? []].filter((each) => each.needed);
    const words = needed.map((each) => (command.takes?.includes(each) ? '1' : `--${flagOf(each)}=1`));
    for (const option of optionsOf(command).filter(({ type }) => type !== 'flag')) {
      const flag = `--${flagOf(option)}`;
      const others = words.filter((word) => !word.startsWith(`${flag}=`));
      const message = new RegExp(`^${flag} (is empty\\. Give it a value(, or leave it out)?\\.|must be)`);
      try {
        readArguments(command, [...others, `${flag}=`]);
        allowed.add(flag);
      } catch (error) {
        assert.ok(error instanceof UsageError && message.test(error.message), `${command.name}: ${error}`);
      }
    }
    if (command.takes?.[0]) assert.throws(() => readArguments(command, ['']), UsageError, command.name);
  }
  assert.deepEqual([...allowed], ['--start-at', '--start-after', '--end-at', '--end-before', '--query']);
  // The variable must not give way to Google's servers.
  const { fails } = shell('empty');
  await fails("counter get a/b --host ''", 2, /^shardline: --host is empty\. Give it a value, or leave it out\. \(shardline counter get --help\)\n$/);
});

test('shard values that may be a typing mistake are refused', async () => {
  const { fails } = shell('values');
  for (const text of ['x, y', 'x,,y', 'x,', '-3', '3.5', '{"a":1}', '"x"', '1e3', '[x', 'x,-1']) {
    assert.throws(() => readShards(text, '--also-read'), (error) => error instanceof UsageError && error.message.startsWith('--also-read must be a number, values'), text);
  }
  for (const [text, values] of /** @type {const} */ ([
    ['3', 3], ['x,y', ['x', 'y']], ['1,2', ['1', '2']], ['["a b",-3]', ['a b', -3]], ['us east,us west', ['us east', 'us west']],
  ])) assert.deepEqual(readShards(text), values);
  await fails("plan c --shards 'x, y'", 2, /^shardline: --shards must be .* it is “x, y”\. \(shardline plan --help\)\n$/);
});

/** The core's call behind each command. @type {Record<string, string>} */
const CALLS = {
  'counter create': 'counter.create', 'counter increment': 'counter.increment', 'counter get': 'counter.total', 'counter resize': 'counter.resize',
  'counter migrate': 'counter.migrate', 'counter cleanup': 'counter.cleanUp', 'counter delete': 'counter.delete',
  query: 'collection.query', count: 'collection.count', plan: 'collection.plan', insert: 'collection.add', backfill: 'collection.backfill',
  reshard: 'collection.reshard', 'ids create': 'ids.create', 'ids take': 'ids.take',
  'ratings summary': 'choices.summary', 'ratings publish': 'choices.publish', 'ratings delete': 'counter.delete',
  'reactions summary': 'choices.summary', 'reactions publish': 'choices.publish', 'reactions delete': 'counter.delete',
  'stock create': 'stock.create', 'stock take': 'stock.take', 'stock put-back': 'stock.putBack', 'stock confirm': 'stock.confirm', 'stock add': 'stock.add',
  'stock delete': 'stock.delete',
};

test('the commands’ tables say what the calls’ schemas say', async () => {
  const calls = new Map((await openWorkbench()).describeCalls().map((call) => [call.name, call]));
  let compared = 0;
  for (const command of COMMANDS) {
    const call = calls.get(CALLS[command.name] ?? '');
    if (!call) continue;
    /** @type {Map<string, any>} Of the call, and of what it is about. */
    const schemas = new Map(call.arguments.flatMap((argument) => [argument, ...(argument.internal ? argument.members ?? [] : [])]).map((each) => [each.name, each]));
    for (const { name, inApi = name, words, range, usual } of [...(command.takes ?? []), ...(command.options ?? [])]) {
      const schema = schemas.get(inApi);
      if (!schema) continue;
      const place = `${command.name} ${name}`;
      if (schema.words) assert.deepEqual(words, schema.words, place);
      if (schema.least !== undefined && schema.most !== undefined) assert.deepEqual(range, [schema.least, schema.most], place);
      if (usual !== undefined && schema.default !== null) assert.equal(usual, schema.default, place);
      compared += 1;
    }
  }
  assert.ok(compared > 60, `${compared}`);
  assert.deepEqual(Object.values(CALLS).filter((name) => !calls.has(name)), []);
});

test('an increment that is interrupted while nobody answers is sent by the command that is printed', async (t) => {
  const first = await serve();
  await first.stop();
  const { environment, run } = shell('away', first);
  const waiting = start(['counter', 'increment', 'posts/p1', '5', '--shards=2'], environment);
  await waiting.says(/^shardline: Nothing listens at http:\S+; trying again\.$/m);
  const { code, out, err } = await waiting.kill('SIGINT');
  assert.deepEqual([code, out], [130, '']);
  const last = err.trimEnd().split('\n').at(-1) ?? '';
  const command = /^shardline: interrupted\. .*stored.* To go on: (shardline .*)$/.exec(last)?.[1] ?? '';
  assert.equal(command, 'shardline counter flush posts/p1 --shards=2');

  const second = await serve([], first.port);
  t.after(() => second.stop());
  assert.deepEqual(await runLine(command, environment), { code: 0, out: 'nothing waits any more\n', err: '' });
  await run('counter create posts/p1 --shards 2');
  assert.equal((await run('counter get posts/p1')).out, '5\n');
});

longTest('an interrupted increment names the command that sends it only if it is stored', async (t) => {
  const silent = await startSilent(t);
  for (const [delivery, goesOn] of /** @type {const} */ ([['transaction', false], ['at-least-once', true]])) {
    const { environment } = shell(`stored-${delivery}`, silent);
    const waiting = start(['counter', 'increment', 'posts/p1', '--shards=2', '--delivery', delivery], environment);
    await silent.asked();
    const { code, err } = await waiting.kill('SIGINT');
    assert.equal(code, 130);
    assert.match(err, /^shardline: interrupted\. .*\n$/);
    assert.equal(err.includes(' To go on: shardline counter flush posts/p1 --shards=2\n'), goesOn, err);
    const stored = await readdir(environment.SHARDLINE_STORE, { recursive: true, withFileTypes: true });
    assert.equal(stored.some((entry) => entry.isFile()), goesOn, delivery);
  }
});

test('an interrupted increment that could not be stored is not said to be counted later', async (t) => {
  const silent = await startSilent(t);
  const { environment } = shell('full', silent);
  await writeFile(environment.SHARDLINE_STORE, 'where the folder would be');
  const waiting = start(['counter', 'increment', 'posts/p1', '--shards=2'], environment);
  await silent.asked();
  const { code, err } = await waiting.kill('SIGINT');
  const [told, ended] = err.split('\n');
  assert.equal(code, 130);
  assert.match(told ?? '', /^shardline: resource-exhausted: Increments cannot be stored: ENOTDIR.*SHARDLINE_STORE/);
  assert.equal(ended, 'shardline: interrupted. The increment could not be stored, and may or may not have been counted.');
});

test('increments whose token has expired wait for a new one, and the commands end', { timeout: 30_000 }, async (t) => {
  const refusing = createServer((request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"code":401,"status":"UNAUTHENTICATED","message":"Expired"}}');
  });
  t.after(() => refusing.close());
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (refusing.address());
  const { fails } = shell('expired', { host: `127.0.0.1:${port}` });
  const message = /^shardline: unauthenticated: .*Expired.* stored.* Get a new token: export GOOGLE_OAUTH_ACCESS_TOKEN=.* To go on: shardline counter flush posts\/p1 --shards=2\n$/;
  for (const words of ['counter increment posts/p1 5 --shards=2', 'counter flush posts/p1 --shards=2']) await fails(words, 1, message);
});

longTest('what waits is found by the counter’s path alone, whatever its options were; other users are named', async (t) => {
  const first = await serve();
  await first.stop();
  const { environment, run } = shell('found', first);
  const waiting = start(['counter', 'increment', 'posts/p1', '0.5', '--shards=2', '--delivery=at-least-once'], environment);
  await waiting.says(/Nothing listens/);
  assert.equal((await waiting.kill('SIGINT')).code, 130);
  const second = await serve([], first.port);
  t.after(() => second.stop());
  const user = `h.${Buffer.from(JSON.stringify({ sub: 'ann' })).toString('base64url')}.s`;
  const { out, err } = await run(`counter flush posts/p1 --token ${user}`);
  assert.deepEqual([out, err], ['nothing waits any more\n', 'Increments of other users stay: they are sent under their own tokens.\n']);
  await run('counter create posts/p1 --shards 2');
  assert.equal((await run('counter get posts/p1')).out, '0\n');
  assert.equal((await run('counter flush posts/p1')).err, '');
  assert.equal((await run('counter get posts/p1')).out, '0.5\n');
});

test('a flush says which increments were not counted, and which files still wait', async () => {
  /** @param {string} project @param {(put: (name: string, text?: string) => Promise<void>, store: string) => Promise<void>} fill */
  const flush = async (project, fill) => {
    const { environment } = shell(project);
    const store = join(environment.SHARDLINE_STORE, ...[server.url, project, '(default)'].map(encodeURIComponent));
    await mkdir(store, { recursive: true });
    await fill((id, text = JSON.stringify({
      id, page: 'gone', user: '', place: 'posts/p1 2', counter: { path: 'posts/p1', delivery: 'exactly-once' }, made: Date.now(), kind: 'count', delta: { integerValue: '5' },
    })) => writeFile(join(store, `${id}.row`), text), store);
    const { code, out, err } = await runProgram(['counter', 'flush', 'posts/p1', '--json'], environment);
    return { code, result: JSON.parse(out), err };
  };
  const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(20));
  const [refused, left] = await Promise.all([
    // There is no such counter.
    flush('refused', (put) => put(`${a}`)),
    // A lock that cannot be removed, and files without a row.
    flush('left', async (put, store) => {
      await Promise.all([put(`${b}`), put(`${c}`, 'null'), put(`${d}`, '{"id":'), mkdir(join(store, `${b}.lock`))]);
      await utimes(join(store, `${b}.lock`), 0, 0);
    }),
  ]);
  assert.deepEqual([refused.code, refused.result], [1, { pending: 0, lost: 1 }]);
  assert.match(refused.err, /^shardline: not-found: An increment of posts\/p1 by 5 was not counted: .*\n$/);
  assert.deepEqual([left.code, left.result], [1, { pending: 3, lost: 0 }]);
  for (const sentence of [/B{20}\.row still waits: look/, /\/C{20}\.row cannot be read: repair or remove it\./, /\/D{20}\.row cannot be read/]) assert.match(left.err, sentence);
});

longTest('an insert of which nobody knows whether it is there offers no command that would add it twice', async (t) => {
  const proxy = await startFaultProxy({ target: server.url });
  t.after(() => proxy.stop());
  proxy.choose((request) => (request.path.includes(':commit') ? faults.dropResponse() : null));
  const { environment, run } = shell('doubt');
  const { code, err } = await runProgram(['insert', 'c', '--shards', 'x', '--host', proxy.url], environment, '{"timestamp":1}\n{"timestamp":2}\n');
  assert.equal(code, 1);
  assert.match(err, /outcome-unknown/);
  assert.doesNotMatch(err, /To go on/);
  assert.equal((await run('count c --shards x')).out, '2\n');
});

longTest('an insert that is interrupted ends with what is being sent, and prints the command that adds the rest', async () => {
  const { environment, run } = shell('resume');
  const lines = Array.from({ length: 1300 }, (_, i) => `${JSON.stringify({ timestamp: i })}\n`);
  const inserting = start(['insert', 'c', '--shards', 'x,y'], environment);
  // The first 600 are there: a batch is sent, and the rest of them waits for more.
  inserting.child.stdin.write(lines.slice(0, 600).join(''));
  while ((await run('count c --shards x,y')).out !== '500\n');
  const { code, err } = await inserting.kill('SIGINT');
  assert.equal(code, 130);
  const command = /^shardline: interrupted\..* To go on: (shardline insert c --shards=x,y --skip=500)\n$/m.exec(err)?.[1] ?? '';
  assert.notEqual(command, '', err);
  const rest = start(command.split(' ').slice(1), environment);
  rest.child.stdin.end(lines.join(''));
  assert.equal((await rest.ended).code, 0);
  const found = (await run('query c --shards x,y --select timestamp --json')).out.trimEnd().split('\n').map((line) => JSON.parse(line).data.timestamp);
  assert.deepEqual(found, Array.from({ length: 1300 }, (_, i) => i));
});

longTest('a query that is interrupted prints the command that prints the rest, and nothing that is not true', async (t) => {
  const { environment, run } = shell('long');
  await run('insert c --shards x,y', Array.from({ length: 700 }, (_, i) => `${JSON.stringify({ timestamp: i })}\n`).join(''));
  const proxy = await startFaultProxy({ target: server.url });
  t.after(() => proxy.stop());
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => { release = () => resolve(undefined); });
  t.after(() => release());
  /** @type {Promise<void>} */
  const second = new Promise((resolve) => {
    proxy.choose(({ body }) => {
      if (!body.includes('"startAt"')) return null;
      resolve();
      return faults.hold(held);
    });
  });
  const asking = start(['query', 'c', '--shards=x,y', '--select=timestamp', '--json'], { ...environment, FIRESTORE_EMULATOR_HOST: proxy.url.replace('http://', '') });
  await second;
  const { code, out, err } = await asking.kill('SIGINT');
  assert.equal(code, 130);
  const command = /^shardline: interrupted\. .*To go on: (shardline query c --shards=x,y --select=timestamp --continue-from=\S+ --json)\n$/.exec(err)?.[1] ?? '';
  assert.notEqual(command, '', err);
  const rest = await runLine(command, environment);
  assert.equal(rest.code, 0, rest.err);
  const printed = (/** @type {string} */ text) => text.trimEnd().split('\n').map((line) => JSON.parse(line).data.timestamp);
  assert.ok(printed(rest.out).length < 700, 'the rest only');
  assert.deepEqual([...printed(out), ...printed(rest.out)], Array.from({ length: 700 }, (_, i) => i));
});

test('what is refused as it is written is not said to go on with the same words', async () => {
  const { fails } = shell('same');
  await fails('backfill trades --shards x,y --resume-from=zzz', 2, /^shardline: invalid-argument: (?!.*To go on).*--resume-from/);
  await fails('reshard trades --shards x,y', 2, /^shardline: invalid-argument: (?!.*To go on)/);
});

test('in a terminal, work has a bar that is drawn in place, and Ctrl-C ends it', async () => {
  const done = startInTerminal(['experiment', 'tenShards', '--users', '200', '--seconds', '20']);
  const { code, out } = await done.ended;
  assert.equal(code, 0);
  const [bars = ''] = out.split('throughput');
  const drawn = bars.split(LINE_ANEW).slice(1);
  assert.ok(drawn.length >= 2 && drawn.every((line) => line.trimEnd().length < 100 && !line.trimEnd().includes('\n')), out);
  assert.match(drawn.at(-1) ?? '', /^ran \[#{8,24}\] 100 %, 20 of 20 virtual seconds, [\d,.]+\/s\r\n$/);

  const stopped = startInTerminal(['experiment', 'fiftyShards', '--users', '5000', '--seconds', '600']);
  await stopped.says(/virtual seconds, .* left/);
  const ended = await stopped.pressCtrlC();
  assert.equal(ended.code, 130);
  assert.match(ended.out, /\r\nshardline: interrupted\. /);
});

test('a watch shows the total in place, or line by line where there is no terminal, until Ctrl-C', async () => {
  const { environment, run } = shell('watch');
  await run('counter create posts/p1 --shards 2');
  const words = ['counter', 'watch', 'posts/p1', '--interval-ms', '50'];
  const [seen, piped] = [startInTerminal(words, environment), start([...words, '--json'], environment)];
  await Promise.all([seen.says(/⇤0$/), piped.says(/\{"value":0,"state":"live"\}\n/)]);
  await run('counter increment posts/p1 41');
  await Promise.all([seen.says(/⇤41$/), piped.says(/\{"value":41,"state":"live"\}\n/)]);
  const [inTerminal, inPipe] = await Promise.all([seen.pressCtrlC(), piped.kill('SIGINT')]);
  assert.equal(inTerminal.code, 130);
  assert.match(inTerminal.out, /⇤41(\^C)?\r?\nshardline: interrupted\.\r\n$/);
  assert.deepEqual([inPipe.code, inPipe.err], [130, 'shardline: interrupted.\n']);
});

test('an emulator is sent “owner”, or a token that is given for it, and no other', async (t) => {
  const seen = /** @type {(string | undefined)[]} */ ([]);
  const refusing = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":{"code":403,"status":"PERMISSION_DENIED","message":"No."}}');
  });
  t.after(() => refusing.close());
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (refusing.address());
  const get = ['counter', 'get', 'posts/p1', '--shards', '2', '--project', 'demo'];
  const secret = { GOOGLE_OAUTH_ACCESS_TOKEN: 'secret' };
  for (const { code, err } of [
    await runProgram([...get, '--host', `127.0.0.1:${port}`], secret),
    await runProgram(get, { ...secret, FIRESTORE_EMULATOR_HOST: `127.0.0.1:${port}` }),
    await runProgram([...get, '--host', `http://127.0.0.1:${port}`, '--token', 'mine'], secret),
  ]) assert.deepEqual([code, /^shardline: permission-denied: .*\n$/.test(err), err.includes('No token')], [1, true, false], err);
  assert.deepEqual(seen, ['Bearer owner', 'Bearer owner', 'Bearer mine']);
});

test('only Google’s servers get the token of the environment; an address without a scheme is an emulator', (t) => {
  const { GOOGLE_OAUTH_ACCESS_TOKEN: before } = process.env;
  t.after(() => (before === undefined ? delete process.env.GOOGLE_OAUTH_ACCESS_TOKEN : (process.env.GOOGLE_OAUTH_ACCESS_TOKEN = before)));
  process.env.GOOGLE_OAUTH_ACCESS_TOKEN = 'secret';
  for (const [given, host, token] of [
    ['emulator:8080', 'http://emulator:8080', 'owner'],
    ['192.168.1.5:8080', 'http://192.168.1.5:8080', 'owner'],
    ['[::1]:8080', 'http://[::1]:8080', 'owner'],
    ['https://proxy.example', 'https://proxy.example', 'owner'],
    ['https://googleapis.com.example', 'https://googleapis.com.example', 'owner'],
    ['https://firestore.googleapis.com@proxy.example', 'https://firestore.googleapis.com@proxy.example', 'owner'],
    ['http://firestore.googleapis.com', 'http://firestore.googleapis.com', 'owner'],
    ['firestore.googleapis.com', 'https://firestore.googleapis.com', 'secret'],
    ['https://firestore.us-east1.rep.googleapis.com:443/', 'https://firestore.us-east1.rep.googleapis.com:443/', 'secret'],
  ]) assert.deepEqual([hostOf(given), tokenFor(hostOf(given)), tokenFor(hostOf(given), 'mine')], [host, token, 'mine'], given);
});
