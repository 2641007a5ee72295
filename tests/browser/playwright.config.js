import { defineConfig } from '@playwright/test';
import { fileURLToPath } from 'node:url';

// Chromium comes from the system (scripts/env finds it); none is downloaded.
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

/** They measure frames, paints and long tasks. */
const MEASURED = ['**/runs.spec.js', '**/site.spec.js'];

export default defineConfig({
  testDir: '.',
  // Most tests wait most of the time. Those that measure time run when all others have passed, one after the other; alone with --no-deps.
  projects: [
    { name: 'pages', testMatch: '**/*.spec.js', testIgnore: MEASURED },
    { name: 'measured', testMatch: MEASURED, workers: 1, dependencies: ['pages'] },
  ],
  workers: 2,
  outputDir: fileURLToPath(new URL('../../build/browser/results', import.meta.url)),
  globalSetup: './support/global_setup.js',
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
    // Shorter than a test, so that what cannot be done is named.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] },
  },
});
