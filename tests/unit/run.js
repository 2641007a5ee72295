#!/usr/bin/env node
/**
 * Runs the C++ unit tests that are built in build/native, and ends with the line "N passed, N failed".
 *
 *   node tests/unit/run.js                    all rooms
 *   node tests/unit/run.js base counter       only these rooms
 *   --build FOLDER                            Sets the build folder. Default: build/native.
 *   --filter PATTERN                          Sets the tests, in the form of --gtest_filter. Default: all of this run.
 *   --slowest N                               Sets how many of the slowest tests are printed. Default: 0.
 *   --shuffle                                 Runs the tests of each room in a random order, twice in one process.
 *
 * JOBS processes run at the same time (default: one for each core). Each room is split into as many parts as there are jobs; the
 * part that took longest in the last run starts first. SHARDLINE_RUN=long runs more seeds, and the tests whose names end in
 * InLongRun.
 * A process that crashes or hangs fails the test that ran, and each test that it has not run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const LONGEST_MINUTES = 20;
const EVERYTHING = process.env.SHARDLINE_RUN === 'long' ? '*' : '*-*InLongRun';

const { values, positionals: rooms } = parseArgs({
  allowPositionals: true,
  options: {
    build: { type: 'string', default: join(ROOT, 'build', 'native') },
    filter: { type: 'string', default: EVERYTHING },
    slowest: { type: 'string', default: '0' },
    shuffle: { type: 'boolean', default: false },
  },
});
const jobs = Number(process.env.JOBS) || availableParallelism();
const timesFile = join(values.build, 'unit_test_times.json');

/** The programs of all rooms, or of those that are named. */
function programs() {
  const built = readFileSync(join(values.build, 'unit_tests'), 'utf8').split('\n').filter(Boolean);
  const roomOf = (program) => basename(program).replace(/_test$/, '');
  const unknown = rooms.filter((room) => !built.some((program) => roomOf(program) === room));
  if (unknown.length > 0) throw new Error(`There are no tests of ${unknown.join(', ')}.`);
  const chosen = built.filter((program) => rooms.length === 0 || rooms.includes(roomOf(program)));
  return chosen.map((program) => ({ program, room: roomOf(program) }));
}

/** What a process has printed, as counts and texts. Results are read from the text because a process that crashes has no report. */
function read(output) {
  const passed = [...output.matchAll(/\[ {7}OK \] (\S+)(?:, where .*)? \((\d+) ms\)$/gm)];
  // With "(… ms)": the list of failed tests at the end repeats the names without it.
  const failed = [...output.matchAll(/\[ {2}FAILED {2}\] (\S+?)(?:, where .*)? \((\d+) ms\)$/gm)];
  const begun = [...output.matchAll(/\[ RUN {6}\] (\S+)$/gm)].map(([, name]) => name);
  const planned = [...output.matchAll(/^\[={10}\] Running (\d+) tests? from/gm)].reduce((sum, [, number]) => sum + Number(number), 0);
  return {
    planned,
    begun,
    passed: passed.length,
    failed: failed.map(([, name]) => name),
    times: [...passed, ...failed].map(([, name, milliseconds]) => ({ name, seconds: Number(milliseconds) / 1000 })),
  };
}

/** The output from the start of each failed test to its end. */
function failuresIn(output) {
  const texts = [];
  let text = '';
  for (const line of output.split('\n')) {
    if (/\[ RUN {6}\]/.test(line)) text = '';
    text += `${line}\n`;
    if (/\[ {2}FAILED {2}\] .* ms\)$/.test(line)) texts.push(text);
  }
  return texts.join('');
}

function runPart({ program, room, part }) {
  const started = performance.now();
  const args = [`--gtest_filter=${values.filter}`, '--gtest_color=no'];
  if (values.shuffle) args.push('--gtest_shuffle', '--gtest_repeat=2');
  const child = spawn(program, args, {
    env: { ...process.env, GTEST_TOTAL_SHARDS: String(jobs), GTEST_SHARD_INDEX: String(part) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MINUTES * 60_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      resolve({ room, part, status, signal, output, seconds: (performance.now() - started) / 1000, ...read(output) });
    });
  });
}

/** Prints the failures of a process; returns how many tests have failed in it. */
function report({ room, part, status, signal, output, planned, begun, passed, failed }) {
  if (status === 0 && passed === planned) return 0;
  const unfinished = planned - passed - failed.length;
  console.log(`FAILED  ${room}${failed.length > 0 ? `: ${failed.join(' ')}` : ''}`);
  if (failed.length > 0) console.log(failuresIn(output));
  if (unfinished > 0 || failed.length === 0) {
    const end = signal ? `was ended by ${signal}` : `ended with ${status}`;
    const last = begun.length > 0 ? `in ${begun.at(-1)}` : 'before its first test';
    console.log(`Part ${part} of ${room} ${end} ${last}; ${unfinished} of its ${planned} tests have no result.`);
    console.log(output.slice(-20_000));
  }
  return Math.max(failed.length + unfinished, 1);
}

const timesBefore = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {};
const secondsBefore = ({ room, part }) => timesBefore[`${room} ${part}`] ?? 0;
const parts = programs().flatMap((one) => Array.from({ length: jobs }, (_, part) => ({ ...one, part })));
parts.sort((a, b) => secondsBefore(b) - secondsBefore(a));

const times = { ...timesBefore };
const resultsOf = new Map();

/** Adds the result of a part, and prints a line when it was the last of its room. */
function noteResult(result) {
  const results = [...(resultsOf.get(result.room) ?? []), result];
  resultsOf.set(result.room, results);
  if (results.length < jobs) return;
  const sum = (valueOf) => results.reduce((total, one) => total + valueOf(one), 0);
  console.log(`${result.room}: ${sum((one) => one.passed)} of ${sum((one) => one.planned)} tests passed in ${sum((one) => one.seconds).toFixed(1)} s`);
}

const slowest = [];
let passed = 0;
let failed = 0;
await Promise.all(
  Array.from({ length: jobs }, async () => {
    for (let next = parts.shift(); next; next = parts.shift()) {
      const result = await runPart(next);
      passed += result.passed;
      failed += report(result);
      noteResult(result);
      times[`${result.room} ${result.part}`] = result.seconds;
      slowest.push(...result.times.map((time) => ({ ...time, room: result.room })));
    }
  }),
);
if (values.filter === EVERYTHING && !values.shuffle) {
  mkdirSync(values.build, { recursive: true });
  writeFileSync(timesFile, JSON.stringify(times));
}
slowest.sort((a, b) => b.seconds - a.seconds);
for (const { room, name, seconds } of slowest.slice(0, Number(values.slowest))) console.log(`${seconds.toFixed(2)} s  ${room}: ${name}`);
if (passed + failed === 0) throw new Error('No test was run.');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
