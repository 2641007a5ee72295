/**
 * All browser tests share the built page, and the package in the form that npm would publish. Each worker has an emulator of its own, and a page that
 * connects to it. Environment variables hold their addresses; places.js reads them.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmulator } from '../../emulator/support/emulator.js';
import { packLibrary } from './package.js';
import { BUILD, RUNS } from './places.js';
import { buildTutorial, placeTutorial, serveTutorial } from './tutorial_build.js';

/**
 * For Playwright. Nothing is left to do when ../run.js has called setUp() for several runs.
 * @param {import('@playwright/test').FullConfig} config
 */
export default async function setUpOnce({ workers }) {
  return process.env.SHARDLINE_TARBALL ? undefined : setUp(workers);
}

/**
 * @param {number} workers How many tests run at a time.
 * @returns {Promise<() => Promise<void>>} Ends its processes, and removes its files.
 */
export async function setUp(workers) {
  await removeFoldersOfEndedRuns();
  await mkdir(BUILD, { recursive: true });
  const [built, tarball, ...emulators] = await Promise.all([
    buildTutorial(), packLibrary(), ...Array.from({ length: workers }, () => startEmulator()),
  ]);
  process.env.SHARDLINE_TARBALL = tarball;
  process.env.SHARDLINE_TUTORIAL_FILES = await placeTutorial(built, 'embedded');
  const embedded = await serveTutorial(process.env.SHARDLINE_TUTORIAL_FILES);
  process.env.SHARDLINE_TUTORIAL_EMBEDDED = embedded.url;
  const connected = await Promise.all(emulators.map(async (emulator, worker) => {
    const tutorial = await serveTutorial(await placeTutorial(built, `connected-${worker}`, { emulator: new URL(emulator.url).host }));
    process.env[`SHARDLINE_EMULATOR_${worker}`] = emulator.url;
    process.env[`SHARDLINE_EXACT_EMULATOR_${worker}`] = emulator.exactUrl;
    process.env[`SHARDLINE_TUTORIAL_${worker}`] = tutorial.url;
    return tutorial;
  }));
  return async () => {
    await Promise.all([embedded, ...connected, ...emulators].map((server) => server.stop()));
    // Playwright's files about failures stay until the next run.
    const left = (await readdir(join(BUILD, 'results')).catch(() => [])).filter((name) => name !== '.last-run.json');
    if (left.length === 0) await rm(BUILD, { recursive: true, force: true });
  };
}

/** A run that was killed leaves its folder behind. Each is named after the process that has begun it. */
async function removeFoldersOfEndedRuns() {
  await mkdir(RUNS, { recursive: true });
  for (const name of await readdir(RUNS)) {
    const [, pid] = /^run-(\d+)$/.exec(name) ?? [];
    if (!pid || !isRunning(Number(pid))) await rm(join(RUNS, name), { recursive: true, force: true });
  }
}

/** @param {number} pid Another run's; this run begins with an empty folder. */
function isRunning(pid) {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
