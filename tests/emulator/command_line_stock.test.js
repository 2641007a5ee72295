/** `shardline stock` as a person sees it: units are taken once, a printed command goes on, and a stock that is missing is no stock without units. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { longTest } from '../support/long_test.js';
import { inRun } from '../support/run.js';
import { run as runProgram, runLine, split, start } from './support/command_line.js';
import { faults, startFaultProxy } from './support/fault_proxy.js';
import { openShells } from './support/shells.js';
import { until } from './support/until.js';

const shells = await openShells();
const { server, emulator, folder, shell } = shells;
after(() => shells.stop());

/** @type {[name: string, place: {host: string, projectId?: string}][]} */
const PLACES = [['Google’s emulator', emulator], ['shardline serve', server]];
for (const [name, place] of inRun(PLACES.slice(0, 1), PLACES)) {
  test(`a stock is taken, put back, held and filled: ${name}`, async () => {
    const { run, fails, environment } = shell(place.projectId ?? 'stock', place);
    /** @param {string} line */
    const no = async (line) => {
      const { code, out, err } = await runProgram(split(line), environment);
      assert.deepEqual([code, err], [1, ''], line);
      return out;
    };
    assert.equal((await run('stock create events/e1 --units 5 --shards 2')).out, 'created, with 5 units in 2 shards\n');
    assert.equal((await run('stock create events/e1 --units 9 --shards 2')).out, 'it was there already\n');
    assert.equal((await run('stock take events/e1 3 --shards 2 --key order-1')).out, 'took 3 units with the key order-1\n');
    assert.equal((await run('stock take events/e1 3 --shards 2 --key order-1')).out, 'took 3 units with the key order-1\n', 'the same key takes once');
    assert.equal((await run('stock left events/e1')).out, '2\n');
    assert.equal(await no('stock take events/e1 3 --shards 2'), 'took nothing: 2 units left\n');
    assert.deepEqual(JSON.parse(await no('stock take events/e1 3 --shards 2 --json')), { taken: false, left: 2 });
    assert.equal((await run('stock put-back events/e1 1 --key order-1')).out, 'put back: the take has 2 units now\n');
    assert.equal((await run('stock put-back events/e1 --key order-1')).out, 'put back: the take has 0 units now\n');
    assert.equal((await run('stock put-back events/e1 --key order-1')).out, 'all units had gone back before\n');
    const key = /^took 1 unit with the key ([A-Za-z0-9]{20}), held until 20\S+Z\n$/.exec((await run('stock take events/e1 --shards 2 --hold-for 10min')).out)?.[1];
    assert.equal((await run(`stock confirm events/e1 --key ${key}`)).out, 'confirmed\n');
    assert.ok(JSON.parse((await run('stock take events/e1 --shards 2 --key b --hold-for 60s --json')).out).heldUntil);
    await run('stock put-back events/e1 --key b');
    assert.equal(await no('stock confirm events/e1 --key b'), 'not confirmed: the time of the hold had passed, and its units have gone back\n');
    assert.equal((await run('stock add events/e1 6 --shards 2 --key truck-9')).out, 'added 6 units\n');
    assert.equal((await run('stock add events/e1 6 --shards 2 --key truck-9')).out, 'this key has added units before\n');
    assert.deepEqual(JSON.parse((await run('stock left events/e1 --json')).out), { left: 10 });
    assert.equal((await run('stock delete events/e1')).out, 'deleted 6 documents\n');
    assert.deepEqual(JSON.parse((await run('stock delete events/e1 --json')).out), { deleted: 0 });
    await fails('stock left events/e1', 1, /^shardline: not-found: There is no stock at events\/e1/);
    await run('stock create events/e1 --units 5 --shards 2');
    await fails('stock put-back events/e1 --key nobody', 1, /^shardline: not-found: .*nobody/);
    await fails('stock put-back events/e1', 2, /--key is missing/);
    await fails('stock take events/e1 1001', 2, /NUMBER must be an integer from 1 to 1,000; it is “1001”/);
    await fails('stock take events/e1 --hold-for 3600', 2, /^shardline: --hold-for must be a time with its unit, such as 90s, 10min, 2h or 1d; it is “3600”\. \(/);
    await fails('stock take events/e1 --hold-for soon', 2, /^shardline: invalid-argument: (?!.*To go on).*--hold-for/);
  });
}

longTest('a stock that is missing is no stock without units, and the command that creates it is printed', async () => {
  const { run, fails } = shell('missing');
  const create = 'shardline stock create events/e1';
  await fails('stock left events/e1', 1, new RegExp(`^shardline: not-found: There is no stock at events/e1: run first “${create} --units=N”\\.\n$`));
  await fails('stock take events/e1 2 --shards 4', 1, new RegExp(`run first “${create} --shards=4 --units=N”`));
  const watching = start(['stock', 'watch', 'events/e1'], shell('missing').environment);
  await watching.says(/^There is no stock at events\/e1\. To create one: /m);
  await watching.kill('SIGKILL');
  await run('stock create events/e1 --units 0');
  assert.equal((await run('stock left events/e1')).out, '0\n');
});

longTest('a watch prints the units that are left, until Ctrl-C', async () => {
  const { environment, run } = shell('watch');
  await run('stock create events/e1 --units 7 --shards 1');
  const watching = start(['stock', 'watch', 'events/e1', '--interval-ms', '50', '--json'], environment);
  await watching.says(/\{"value":7,"state":"live"\}\n/);
  await run('stock take events/e1 2 --shards 1');
  await watching.says(/\{"value":5,"state":"live"\}\n/);
  const { code, err } = await watching.kill('SIGINT');
  assert.deepEqual([code, err], [130, 'shardline: interrupted.\n']);
});

test('a take whose answer is lost prints the command that finds it', async (t) => {
  const proxy = await startFaultProxy({ target: server.url });
  t.after(() => proxy.stop());
  proxy.choose((request) => (request.path.includes(':commit') ? faults.dropResponse() : null));
  const { environment, run } = shell('lost');
  await run('stock create events/e1 --units 3 --shards 1');
  const taking = start(['stock', 'take', 'events/e1', '2', '--shards=1', '--host', proxy.url], environment);
  // The first commit has arrived, and its answer has not.
  await until(async () => (await run('stock left events/e1')).out === '1\n');
  const { err } = await taking.kill('SIGINT');
  const command = /To go on: (shardline stock take events\/e1 2 --shards=1 --key=\S+) --host=\S+\n$/.exec(err)?.[1] ?? '';
  assert.notEqual(command, '', err);
  const again = await runLine(command, environment);
  assert.match(again.out, /^took 2 units with the key /, again.err);
  assert.equal((await run('stock left events/e1')).out, '1\n');
});

longTest('the rules of stocks join a file, beside the rules of counters, and the indexes have their policies', async () => {
  const { run, fails } = shell('none', { host: '127.0.0.1:1' });
  const file = join(folder, 'firestore.rules');
  await writeFile(file, "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n    match /{all=**} {\n      allow write: if true;\n    }\n  }\n}\n");
  await run(`rules events/{event} --into ${file} --write`);
  const joined = await run(`stock rules events/{event} --access signed-in --max-units 4 --into ${file}`);
  assert.match(joined.err, /:5: `allow write` lets everybody write `events\/\{event\}\/stock_shards\/\{shardId\}`, past the rules of the stocks\./);
  assert.equal((await run(`stock rules events/{event} --access signed-in --max-units 4 --into ${file} --write`)).out, '');
  const text = await readFile(file, 'utf8');
  assert.equal(text, joined.out);
  assert.match(text, /\/\/ \[shardline events\/\{event\}\][^]*\/\/ \[shardline stock events\/\{event\}\]/);
  await run(`stock rules events/{event} --access one-take --into ${file} --write`);
  const again = await readFile(file, 'utf8');
  assert.deepEqual([again.match(/\/\/ \[shardline /g)?.length, again.includes('take.units <= 4')], [2, false], 'replaced');
  await fails('stock rules events/{event} --write', 2, /--into is missing/);

  const indexes = join(folder, 'firestore.indexes.json');
  await writeFile(indexes, '{"indexes": [], "fieldOverrides": []}');
  await run(`indexes rewrite ${indexes} --stocks --write`);
  const expiring = JSON.parse(await readFile(indexes, 'utf8')).fieldOverrides.filter((/** @type {any} */ { ttl }) => ttl);
  assert.deepEqual(expiring.map((/** @type {any} */ { collectionGroup, fieldPath }) => `${collectionGroup}.${fieldPath}`).sort(), ['stock_adds.expireAt', 'stock_takes.expireAt']);
  assert.deepEqual(await run(`indexes rewrite ${indexes} --stocks --write`), { out: '', err: 'nothing needs to be changed\n' });
});

longTest('the price of a stock: the takes, the refusals, the holds, and the documents of the takes', async () => {
  const { run, fails } = shell('none', { host: '127.0.0.1:1' });
  const { out } = await run('cost --takes 1000 --takes-refused 9000 --takes-held 500 --takes-confirmed 400 --takes-put-back 100');
  assert.match(out, /^takes +1,000 +2,000 +0 /m);
  assert.match(out, /^refusals +27,000 +0 +0 /m);
  assert.match(out, /^confirmations +400 +400 +0 /m);
  assert.match(out, /^lapsedHolds +300 +200 +0 /m);
  assert.match(out, /^putBacks +100 +200 +0 /m);
  assert.match(out, /^keptTakes +0 +0 +0 /m);
  assert.match(out, /^returnedTakes +0 +0 +200 /m);
  await fails('cost --takes 10 --takes-held 11', 2, /--takes-held must be/);
});
