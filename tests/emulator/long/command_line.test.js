/** The command line, continued: each command’s help and results, and commands that take long. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { COMMANDS, GROUPS } from '../../../web/bin/commands.js';
import { optionsOf, readArguments } from '../../../web/bin/options.js';
import { run as runProgram, runLine, split, start, startInTerminal } from '../support/command_line.js';
import { openShells } from '../support/shells.js';

const fixture = new URL('../../fixtures/indexes_before.jsonc', import.meta.url).pathname;

const shells = await openShells();
const { server, shell } = shells;
after(() => shells.stop());

test('--help of every command names all that it accepts, in lines that fit', async () => {
  const { run } = shell('help');
  const help = async (/** @type {string} */ line) => {
    const { out, err } = await run(line);
    assert.equal(err, '', line);
    for (const each of out.split('\n')) assert.ok(each.length <= 110, `${line}: ${each}`);
    return out;
  };
  for (const command of COMMANDS) {
    const { name, takes = [] } = command;
    const out = await help(`${name} --help`);
    assert.match(out, new RegExp(`^Usage: shardline ${name} `));
    for (const { name: argument } of takes) assert.match(out, new RegExp(`^  ${argument.toUpperCase()}\\b`, 'm'), `${name}: ${argument}`);
    const flags = optionsOf(command).map((option) => ({ option, flag: option.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) }));
    for (const { option, flag } of flags) {
      assert.deepEqual(readArguments(command, [option.type === 'flag' ? `--${flag}` : `--${flag}=1`, '-h']).help, true, `${name} --${flag}`);
      assert.match(out, new RegExp(`^  (-h, )?--${flag}(?= |$)`, 'm'), `${name} --${flag}`);
    }
    assert.match(out, /^ {2}-h, --help /m, name);
    // And the help promises no option that the command does not take.
    const named = Array.from(out.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm), ([, flag]) => flag);
    assert.deepEqual(named, flags.map(({ flag }) => flag), name);
  }
  for (const group of ['', ...GROUPS.map((each) => `${each} `)]) {
    const out = await help(`${group}--help`);
    for (const { name } of COMMANDS) assert.equal(new RegExp(`^  ${name} `, 'm').test(out), name.startsWith(group), `${group}--help: ${name}`);
  }
});

test('what begins with a minus and a digit is taken as it was written', async () => {
  const { run } = shell('minus');
  const shardsOf = '--shards ["-1","-2"]';
  const lines = [-7, -5, -3].map((timestamp) => JSON.stringify({ timestamp })).join('\n');
  await run(`insert depths ${shardsOf}`, lines);
  assert.equal((await run(`count depths ${shardsOf}`)).out, '3\n');
  const shards = (await run('query depths --json')).out.trimEnd().split('\n').map((line) => JSON.parse(line).data.shard);
  assert.deepEqual(shards.filter((shard) => shard !== '-1' && shard !== '-2'), []);
  for (const bound of ['--start-at -5', '--start-at=-5']) {
    const found = (await run(`query depths ${shardsOf} ${bound} --json`)).out.trimEnd().split('\n').map((line) => JSON.parse(line).data.timestamp);
    assert.deepEqual(found, [-5, -3], bound);
  }
  await run('counter create -1/p --shards 1');
  await run('counter increment -1/p -2.5');
  assert.equal((await run('counter get -1/p')).out, '-2.5\n');
  const there = await fetch(`${server.url}/v1/projects/minus/databases/(default)/documents/-1/p`, { headers: { authorization: 'Bearer owner' } });
  assert.equal(there.status, 200);
  // Another sign, which does not change.
  await run('counter create \u22121/p --shards 1');
  const other = await fetch(`${server.url}/v1/projects/minus/databases/(default)/documents/${encodeURIComponent('\u22121')}/p`);
  assert.equal(other.status, 200);
});

/**
 * The commands, and the members that their --json output has at least: the output is one line, or one line for each document that is found.
 * `[]`: it is a list. Each command finds the documents that the commands before it have made.
 * @type {[line: string, members: string, more?: {input?: string, code?: number}][]}
 */
const JSON_RESULTS = [
  ['counter create a/b --shards 2', 'created shards'],
  ['counter increment a/b 9007199254740993', 'counted'],
  ['counter flush a/b', 'lost pending'],
  ['counter get a/b', 'billed number pending readTime shards source value'],
  ['counter resize a/b 3', 'folded shards'],
  ['counter stats a/b', 'billed contention perShard suggestedShards'],
  ['counter cleanup a/b', 'billed deleted'],
  ['counter delete a/b', 'deleted'],
  ['counter increment pages/p 1 --layout extension --count-field visits', 'counted'],
  ['counter migrate pages/p --count-field visits --to-shards 2', 'complete folded shards'],
  ['counter create f/f --shards 2 --fields like,love', 'created shards'],
  ['counter publish f/f --fields like,love', 'billed readTime source totals'],
  ['counter create r/r --shards 1', 'created shards'],
  ['ratings set r/r ann 4 --from 1 --to 5', 'changed'],
  ['ratings get r/r ann --from 1 --to 5', 'value'],
  ['ratings summary r/r --from 1 --to 5', 'average billed count histogram pending readTime source sum'],
  ['ratings publish r/r --from 1 --to 5', 'average billed count histogram readTime sum'],
  ['ratings remove r/r ann --from 1 --to 5', 'changed'],
  ['ratings delete r/r --from 1 --to 5', 'deleted'],
  ['reactions set r/r ann love --kinds like,love', 'changed'],
  ['reactions get r/r ann --kinds like,love', 'value'],
  ['reactions summary r/r --kinds like,love', 'billed count counts pending readTime source'],
  ['reactions publish r/r --kinds like,love', 'billed count counts readTime'],
  ['reactions remove r/r ann --kinds like,love', 'changed'],
  ['reactions delete r/r --kinds like,love', 'deleted'],
  ['insert c --shards x,y', 'written', { input: '{"timestamp":1}\n{"timestamp":2}\n' }],
  ['query c --shards x,y', 'createTime data id updateTime'],
  ['count c --shards x,y', 'count'],
  ['plan c --shards x,y', 'chunks indexes requests worstCaseReads'],
  ['backfill c --shards x,y', 'billed read skipped unreachable written'],
  ['reshard c --shards 2 --also-read x,y', 'billed read skipped unreachable written'],
  ['ids create s/o --shards 2', 'created shards'],
  ['ids take s/o 3', '[]'],
  ['stock create e/s --units 5 --shards 2', 'created'],
  ['stock take e/s 2 --key k --hold-for 10min', 'heldUntil key taken units'],
  ['stock take e/s 9', 'left taken', { code: 1 }],
  ['stock confirm e/s --key k', 'confirmed'],
  ['stock put-back e/s 1 --key k', 'putBack units'],
  ['stock add e/s 3 --shards 2', 'added'],
  ['stock left e/s', 'left'],
  ['stock delete e/s', 'deleted'],
  ['stock rules events/{event}', 'text'],
  [`indexes audit ${fixture} --rising instruments.timestamp`, 'findings candidates', { code: 1 }],
  ['indexes sample c', 'collection documents reads fields'],
  [`indexes rewrite ${fixture} --counters`, 'changes commentsLost next notes steps text'],
  ['rules posts/{post}', 'text'],
  ['completion bash', 'text'],
  ['shards --writes-per-second 5', 'collection counter rampUpMinutes'],
  ['cost --increments 1e6', 'edition items location perMonth prices unit'],
  ['experiment', '[]'],
  ['experiment tenShards --users 5 --seconds 2', 'count latencyMs operations requests server throughput'],
  ['experiment stock --users 5 --seconds 2', 'latencyMs operations requests server stock throughput'],
];
/** These commands go on until Ctrl-C. Other tests read the output of watches. */
const ENDLESS = ['counter watch', 'stock watch', 'serve'];

test('every command has its results as JSON, and nothing else on the standard output', async () => {
  const { environment } = shell('json');
  const named = JSON_RESULTS.map(([line]) => line.split(' ').slice(0, COMMANDS.some(({ name }) => name === line.split(' ')[0]) ? 1 : 2).join(' '));
  assert.deepEqual([...new Set([...named, ...ENDLESS])].sort(), COMMANDS.map(({ name }) => name).sort());
  for (const [line, members, { input, code = 0 } = {}] of JSON_RESULTS) {
    const ended = await runProgram([...split(line), '--json'], environment, input);
    assert.equal(ended.code, code, `${line}\n${ended.err}`);
    const results = ended.out.split('\n').slice(0, -1).map((each) => JSON.parse(each));
    assert.ok(results.length === (line.startsWith('query') ? 2 : 1), `${line}\n${ended.out}`);
    for (const result of results) {
      if (members === '[]') assert.ok(Array.isArray(result) && result.length > 0, `${line}\n${ended.out}`);
      else assert.deepEqual(members.split(' ').filter((name) => !Object.hasOwn(result, name)), [], `${line}\n${ended.out}`);
    }
  }
  const serving = start(['serve', '--port', '0', '--json']);
  await serving.says(/\n/);
  const { code, out } = await serving.kill('SIGTERM');
  assert.equal(code, 0);
  assert.deepEqual(out.trimEnd().split('\n').map((line) => Object.keys(JSON.parse(line)).join(' ')), ['host url', 'requests billed missingIndexes indexes']);
});

test('a query with a limit says as JSON what follows it, for programs', async () => {
  const { run } = shell('pages');
  await run('insert c --shards x,y', [1, 2, 3].map((timestamp) => `${JSON.stringify({ timestamp })}\n`).join(''));
  const times = (/** @type {string} */ text) => text.trimEnd().split('\n').map((line) => JSON.parse(line).data.timestamp);
  const first = await run('query c --shards x,y --limit 2 --json');
  assert.deepEqual(times(first.out), [1, 2]);
  const page = JSON.parse(first.err);
  assert.deepEqual([page.documents, page.billed.reads >= 2, typeof page.nextToken], [2, true, 'string']);
  const last = await run(`query c --shards x,y --limit 2 --json --continue-from ${page.nextToken}`);
  assert.deepEqual(times(last.out), [3]);
  assert.deepEqual([JSON.parse(last.err).documents, JSON.parse(last.err).nextToken], [1, null]);
});

test('a collection gets its shards, and others; an interrupted run goes on with the command that is printed', async () => {
  const { environment, run, fails } = shell('shards');
  const documents = Array.from({ length: 900 }, (_, i) => ({ update: { name: `projects/shards/databases/(default)/documents/trades/${1000 + i}`, fields: { timestamp: { integerValue: `${i}` } } } }));
  for (const start of [0, 450]) {
    const response = await fetch(`${server.url}/v1/projects/shards/databases/(default)/documents:commit`, { method: 'POST', body: JSON.stringify({ writes: documents.slice(start, start + 450) }) });
    assert.equal(response.status, 200);
  }
  // The real run reads 900 documents, their count, and an empty page at the end.
  assert.deepEqual((await run('backfill trades --shards x,y --dry-run')).out.replace(/[\d,]+ reads, 0 writes/, 'N reads').split('\n'), [
    '900 would be given a shard, 0 have one already, 0 are left as they are', 'N reads',
    'without --dry-run: 902 reads, 900 writes, 0.00 dollars at the prices of us-central1, 2026-11-22', '',
  ]);
  const { realRun } = JSON.parse((await run('backfill trades --shards x,y --dry-run --location nam5 --json')).out);
  assert.deepEqual(realRun, { reads: 902, writes: 900, dollars: (902 * 0.6 + 900 * 1.8) / 1e6 });
  const slow = startInTerminal(['backfill', 'trades', '--shards', 'x,y', '--writes-per-second', '200'], environment);
  await slow.says(/backfilling \[#+-+\] \d+ %, \d+ of 900 documents, [\d,.]+\/s, \d+ s left, \$0\.00/);
  const { code, out } = await slow.pressCtrlC();
  assert.equal(code, 130);
  const [, reads, writes, command = ''] = /shardline: interrupted\. .* Billed so far, at least: (\d+) reads, (\d+) writes, 0\.00 dollars at the prices of us-central1\. To go on: (shardline backfill trades --shards=x,y .*--resume-from=\S+)\r\n$/.exec(out) ?? [];
  assert.notEqual(command, '', out);
  assert.ok(Number(reads) >= 200 && Number(writes) >= 200, out);
  const rest = await runLine(command.replace(/ --writes-per-second=\d+/, ''), environment);
  assert.equal(rest.code, 0, rest.err);
  assert.match(rest.err, /^backfilled 100 %, [\d,]+ of [\d,]+ documents, [\d,.]+\/s\n$/);
  assert.ok(Number(/^(\d+) were given/.exec(rest.out)?.[1]) < 900, 'the rest only');
  assert.match(rest.out, /\n[\d,]+ reads, \d+ writes, 0\.00 dollars at the prices of us-central1, 2026-11-22\n$/);
  assert.equal((await run('count trades --shards x,y')).out, '900\n');
  const { out: moved } = await run('reshard trades --shards 3 --also-read x,y --read-price 1000 --write-price 10000');
  assert.match(moved, /^900 were given a shard, .*\n902 reads, 900 writes, 9\.90 dollars at the prices that were given\n$/);
  await fails('backfill trades --shards 3 --location nowhere', 2, /--location must be us-central1 or nam5; for other locations give --read-price and --write-price\./);
  assert.equal((await run('count trades --shards 3')).out, '900\n');
});
