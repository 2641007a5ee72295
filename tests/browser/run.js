/**
 * Runs the browser tests, and ends with the line "N passed, N failed".
 *
 *   node tests/browser/run.js                       all tests of the default run
 *   SHARDLINE_RUN=long node tests/browser/run.js    all tests, in all engines, also the tests that measure time
 *   node tests/browser/run.js --repeat 5            the same run five times: pages and emulators are made once
 *   node tests/browser/run.js outbox -g 'crash'     other arguments are handed to `playwright test`
 *
 * build/reports/browser.json is Playwright's report, that of the last of several runs; those before it are browser.1.json and so on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CHROMIUM } from '../support/chromium.js';
import { setUp } from './support/global_setup.js';
import { isLong as isLongRun } from './support/long.js';
import { BUILD, TESTS } from './support/places.js';

const REPORTS = join(TESTS, '../build/reports');
const CONFIG = join(TESTS, 'browser/playwright.config.js');
const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');
/** As in playwright.config.js. */
const WORKERS = 2;

/** @type {{program: string, isLong: boolean, advice: string}[]} */
const NEEDED = [
  { program: CHROMIUM, isLong: false, advice: 'Chromium is missing: install the package chromium-headless-shell (chromium for the long run), or set CHROMIUM.' },
  { program: process.env.FIREFOX || '/usr/bin/firefox-esr', isLong: true, advice: 'Firefox is missing: install the package firefox-esr, or set FIREFOX.' },
  {
    program: process.env.WEBKIT || '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    isLong: true,
    advice: 'WebKit is missing: install the package libwebkit2gtk-4.1-0, or set WEBKIT.',
  },
  { program: '/usr/bin/WebKitWebDriver', isLong: true, advice: 'The driver of WebKit is missing: install the package webkit2gtk-driver.' },
  { program: '/usr/bin/Xvfb', isLong: true, advice: 'The screen of WebKit is missing: install the package xvfb.' },
];

const { repeat, workers, others } = parseArguments(process.argv.slice(2));
const missing = NEEDED.find(({ program, isLong }) => (isLongRun || !isLong) && !isProgram(program));
if (missing) {
  console.error(missing.advice);
  end({ passed: 0, failed: 1 });
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let playwright;
let isStopped = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    isStopped = true;
    // Before the first run, child processes end with this process.
    if (playwright) playwright.kill(signal);
    else process.exit(1);
  });
}

await mkdir(REPORTS, { recursive: true });
const tearDown = await setUp(workers);
const sum = { passed: 0, failed: 0 };
try {
  for (let run = 1; run <= repeat && !isStopped; run += 1) {
    if (repeat > 1) console.log(`\nrun ${run} of ${repeat}`);
    const { passed, failed } = await runOnce(run === repeat ? 'browser.json' : `browser.${run}.json`);
    sum.passed += passed;
    sum.failed += failed;
  }
} finally {
  await tearDown();
}
end(isStopped ? { ...sum, failed: Math.max(1, sum.failed) } : sum);

/** @param {string} name Of the report. */
async function runOnce(name) {
  const report = join(BUILD, name);
  playwright = spawn(process.execPath, [
    PLAYWRIGHT, 'test', '--config', CONFIG, '--workers', `${workers}`, '--reporter', 'list,json', ...others,
  ], { cwd: TESTS, stdio: 'inherit', env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
  const [status] = await once(playwright, 'exit');
  const counts = await readFile(report, 'utf8').then(countsOf, () => ({ passed: 0, failed: 0 }));
  await copyFile(report, join(REPORTS, name)).catch(() => {});
  // Any other error, such as a file of tests that cannot be read, is a failure as well.
  return status === 0 ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}

/** @param {string} report */
function countsOf(report) {
  const { expected, unexpected, flaky, skipped } = JSON.parse(report).stats;
  return { passed: expected, failed: unexpected + flaky + skipped };
}

/** @param {string[]} given */
function parseArguments(given) {
  const numbers = { '--repeat': 1, '--workers': WORKERS };
  const others = [];
  for (let index = 0; index < given.length; index += 1) {
    const [, name = '', inline] = /^(--repeat|--workers)(?:=(.*))?$/.exec(given[index] ?? '') ?? [];
    if (!name) {
      others.push(given[index] ?? '');
      continue;
    }
    if (inline === undefined) index += 1;
    const number = Number(inline ?? given[index]);
    if (!Number.isSafeInteger(number) || number < 1) {
      console.error(`${name} needs a positive integer.`);
      process.exit(1);
    }
    numbers[/** @type {keyof typeof numbers} */ (name)] = number;
  }
  return { repeat: numbers['--repeat'], workers: numbers['--workers'], others };
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {{passed: number, failed: number}} counts */
function end({ passed, failed }) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
