/**
 * The benchmark still runs, and measures every quantity that it promises, except the suites that take minutes or need the optimised native build.
 * This test does not judge its numbers: the machine is busy.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BENCH = fileURLToPath(new URL('../../bench/bench.js', import.meta.url));

test('the benchmark runs', { timeout: 900_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shardline-bench-'));
  try {
    const json = join(folder, 'bench.json');
    await promisify(execFile)(process.execPath, ['--expose-gc', BENCH, 'merge', 'size', 'emulator', 'collections', '--quick', '--json', json]);
    const { suites, targets } = JSON.parse(await readFile(json, 'utf8'));
    assert.equal(suites.merge.results.length, 12);
    for (const cell of suites.merge.results) assert.ok(cell.ratio > 0, cell.cell);
    assert.ok(suites.size.results.shardline.brotli > 0);
    assert.equal(suites.emulator.results.length, 4);
    for (const { name, jobs } of suites.emulator.results) for (const job of jobs) assert.ok(job.wall.median > 0, `${name}: ${job.name}`);
    const queries = suites.collections.results.filter((/** @type {any} */ { ways }) => ways);
    assert.equal(queries.length, 5);
    assert.equal(queries.filter((/** @type {any} */ { name }) => /shards, \d+ friends/.test(name)).length, 1, 'a long list on a sharded collection');
    for (const { name, ways } of queries) for (const { reads, trips, ms } of ways) assert.ok(reads > 0 && trips > 0 && ms.median > 0, name);
    const backfills = suites.collections.results.filter((/** @type {any} */ { ways }) => !ways);
    assert.equal(backfills.length, 2);
    for (const { name, core } of backfills) assert.ok(core > 0, `${name}: the core’s memory`);
    assert.ok(targets.length > 0);
    // The test judges the numbers that do not depend on the machine: the billed operations. (scripts/size.js watches the download.)
    for (const { what, measured, wanted, reached } of targets) {
      if (/billed/.test(what)) assert.ok(reached, `${what}: ${measured}, to reach: ${wanted}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
