import { defineConfig } from '@playwright/test';
import { join } from 'node:path';
import { CHROMIUM } from '../support/chromium.js';
import { isLong } from './support/long.js';
import { BUILD } from './support/places.js';

export default defineConfig({
  testDir: '.',
  // Tests with the tag @long run in the long run alone: they repeat a test in another language, at another width or in another engine.
  // Tests with the tag @measured measure frames, paints and long tasks. They run one after the other when all others have passed;
  // --no-deps runs them alone.
  projects: isLong
    ? [{ name: 'pages', grepInvert: /@measured/ }, { name: 'measured', grep: /@measured/, workers: 1, dependencies: ['pages'] }]
    : [{ name: 'pages', grepInvert: /@long|@measured/ }],
  workers: 2,
  outputDir: join(BUILD, 'results'),
  globalSetup: './support/global_setup.js',
  // A test that passes only when it is asked again has failed.
  retries: 0,
  forbidOnly: !!process.env.CI,
  // Generous: they bound a hang, and a busy machine does not hang.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    trace: 'off',
    // For a single visit, the tutorial would fetch and keep all its files. Tests of kept files allow it.
    serviceWorkers: 'block',
    // Shorter than a test, so that the failed action is named.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] },
  },
});
