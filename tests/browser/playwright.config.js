import { defineConfig } from '@playwright/test';
import { fileURLToPath } from 'node:url';

// Chromium comes from the system (scripts/env finds it); none is downloaded.
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.js',
  outputDir: fileURLToPath(new URL('../../build/browser/results', import.meta.url)),
  globalSetup: './support/global_setup.js',
  // One after the other: they share an emulator and two cores, and a test that competes for either is a test that flickers.
  workers: 1,
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
