/**
 * Runs the tests of this folder on one emulator, with a project for each file; see support/database.js.
 *
 *   node tests/emulator/run.js                        the default run
 *   SHARDLINE_RUN=long node tests/emulator/run.js     more seeds, and the files in long/, too
 *   node tests/emulator/run.js FILE…                  these files
 *   --repeat N                                        N times, every other time in the opposite order
 *   --report FILE                                     all results in TAP; build/reports/emulator.tap by default
 *
 * One file more runs at a time than there are cores (JOBS), because each waits for the emulator a quarter of its time. The last line says
 * `N passed, N failed`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isLong } from '../support/run.js';
import { SHARED } from './support/database.js';
import { Emulator } from './support/emulator.js';
import { RestClient } from './support/rest.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** They take longest, and begin first, so that no core is idle at the end. */
const FIRST = ['property', 'conformance', 'rules', 'rules_members', 'command_line', 'bench', 'delivery', 'readme', 'rules_library'];
/** Nothing takes as long; a file that hangs fails. */
const FILE_TIMEOUT_MS = isLong ? 3_600_000 : 600_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: 'string', default: '1' }, report: { type: 'string', default: `${ROOT}build/reports/emulator.tap` } },
});
const repeats = Number(options.repeat);
if (!Number.isSafeInteger(repeats) || repeats < 1) throw new Error(`--repeat must be a number of runs, such as 5; got ${options.repeat}.`);

/** @param {string} folder */
const testsIn = (folder) => readdirSync(new URL(folder, import.meta.url))
  .filter((name) => name.endsWith('.test.js')).sort().map((name) => fileURLToPath(new URL(folder + name, import.meta.url)));

/** @param {string} file */
function rank(file) {
  const index = FIRST.indexOf(/([a-z_]+)\.test\.js$/.exec(file)?.[1] ?? '');
  return index < 0 ? FIRST.length : index;
}

const files = positionals.length > 0 ? positionals.map((file) => resolve(file))
  : [...testsIn('./'), ...(isLong ? testsIn('./long/') : [])].sort((one, other) => rank(one) - rank(other));

const total = { passed: 0, failed: 0 };
const stopping = new AbortController();
const stopped = once(stopping.signal, 'abort');
/** @type {string | undefined} */
let signalled;
for (const signal of /** @type {const} */ (['SIGHUP', 'SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    signalled = signal;
    total.failed += 1;
    stopping.abort();
  });
}

/** How long the tests of each file took, in milliseconds. @type {Map<string, number>} */
let times = new Map();

/** @param {number} number */
async function runOnce(number) {
  times = new Map();
  const order = number % 2 === 1 ? files : files.toReversed();
  const events = run({ files: order, concurrency: Number(process.env.JOBS || availableParallelism()) + 1, timeout: FILE_TIMEOUT_MS, signal: stopping.signal });
  for (const event of ['test:pass', 'test:fail']) {
    events.on(event, ({ file, nesting, details }) => {
      if (file && nesting === 0) times.set(file, (times.get(file) ?? 0) + details.duration_ms);
    });
  }
  events.on('test:diagnostic', ({ file, nesting, message }) => {
    // The totals come at the end, and belong to no file.
    const [, what, count] = file === undefined && nesting === 0 ? /^(pass|fail|cancelled) (\d+)$/.exec(message) ?? [] : [];
    if (what) total[what === 'pass' ? 'passed' : 'failed'] += Number(count);
  });
  const report = createWriteStream(repeats === 1 ? options.report : options.report.replace(/(\.\w+)?$/, `-${number}$1`));
  events.compose(tap).pipe(report);
  events.compose(new spec()).pipe(process.stdout, { end: false });
  // A run that is broken off has no end.
  await Promise.race([finished(report), stopped]);
}

/** Files that forget to name their project share the default one, and disturb each other. @param {string} url */
async function expectNoSharedProject(url) {
  const { json } = await new RestClient({ url }).post('listCollectionIds', {});
  if (!json?.collectionIds) return;
  console.log(`FAILED  A test has written to the project \`demo\`, which is the default and belongs to no file: ${json.collectionIds.join(', ')}`);
  total.failed += 1;
}

function reportSeconds() {
  for (const [file, ms] of [...times].sort(([, one], [, other]) => other - one)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file.replace(ROOT, '')}`);
  }
}

/** @returns {boolean} whether there is an emulator */
function hasEmulator() {
  try {
    execFileSync(`${ROOT}scripts/emulator`, ['find'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

async function main() {
  if (!hasEmulator()) {
    console.log('FAILED  Google’s Firestore emulator is not there: `scripts/emulator help` says where it is looked for, `scripts/emulator find` how to get it');
    total.failed += 1;
    return;
  }
  mkdirSync(dirname(resolve(options.report)), { recursive: true });
  // The optimising compiler takes two thirds more of the processor in the default run. Only the long run earns that back.
  const emulator = await new Emulator(isLong ? { javaOptions: '-XX:+UseSerialGC' } : {}).start();
  process.env[SHARED] = emulator.host;
  for (let number = 1; number <= repeats && !signalled; number += 1) {
    if (repeats > 1) console.log(`run ${number} of ${repeats}`);
    await runOnce(number);
  }
  reportSeconds();
  if (!signalled) await expectNoSharedProject(emulator.exactUrl);
  await emulator.stop();
}

try {
  await main();
} catch (error) {
  console.log('FAILED ', error);
  total.failed += 1;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
