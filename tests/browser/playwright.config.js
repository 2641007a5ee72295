import { defineConfig } from '@playwright/test';
import { fileURLToPath } from 'node:url';

// Chromium comes from the system (scripts/env finds it); none is downloaded.
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

/** @param {string[]} names */
const specs = (...names) => names.map((name) => `**/${name}.spec.js`);
const VIEWS = specs('languages', 'chapter_forms');
const TIMED = specs('runs', 'site', 'start');

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.js',
  outputDir: fileURLToPath(new URL('../../build/browser/results', import.meta.url)),
  globalSetup: './support/global_setup.js',
  // There are two cores. The chapters' views go on beside all else, which shares an emulator, and so goes one after the other; what
  // looks at frames and long tasks has the machine for itself, in the end.
  workers: 2,
  projects: [
    { name: 'views', testMatch: VIEWS, fullyParallel: true },
    { name: 'behaviour', testIgnore: [...VIEWS, ...TIMED], workers: 1 },
    { name: 'timed', testMatch: TIMED, workers: 1, dependencies: ['views', 'behaviour'] },
  ],
  // A test that passes only when it is asked again has failed.
  retries: 0,
  forbidOnly: !!process.env.CI,
  // Generous: they bound a hang, and a busy machine is none.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    trace: 'off',
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] },
  },
});
