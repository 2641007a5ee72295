/**
 * What all browser tests share: the page as it ships and the package as npm would publish it; and what each worker has to itself: an
 * emulator, and the page that connects to it. Where these are is handed on in environment variables, read by places.js.
 */
import { rm } from 'node:fs/promises';
import { startEmulator } from '../../emulator/support/emulator.js';
import { packLibrary } from './package.js';
import { BUILD } from './places.js';
import { serveTutorial } from './tutorial_build.js';

/** @param {import('@playwright/test').FullConfig} config */
export default async function setUp({ workers }) {
  await rm(BUILD, { recursive: true, force: true });
  const [embedded, tarball, ...connected] = await Promise.all([
    serveTutorial('embedded'), packLibrary(), ...Array.from({ length: workers }, (_, worker) => serveConnected(worker)),
  ]);
  process.env.SHARDLINE_TUTORIAL_EMBEDDED = embedded.url;
  process.env.SHARDLINE_TARBALL = tarball;
  return async () => {
    await Promise.all([embedded, ...connected].map((server) => server.stop()));
  };
}

/** @param {number} worker From 0 on. */
async function serveConnected(worker) {
  const emulator = await startEmulator();
  const tutorial = await serveTutorial(`connected-${worker}`, { emulator: new URL(emulator.url).host });
  process.env[`SHARDLINE_EMULATOR_${worker}`] = emulator.url;
  process.env[`SHARDLINE_TUTORIAL_${worker}`] = tutorial.url;
  return { stop: () => Promise.all([tutorial.stop(), emulator.stop()]) };
}
