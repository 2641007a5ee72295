/**
 * What all browser tests share: an emulator, the page as it ships (once for that emulator, once for the Firestore inside it), and the package
 * as npm would publish it. Where these are is handed on in environment variables, read by places.js.
 */
import { rm } from 'node:fs/promises';
import { startEmulator } from '../../emulator/support/emulator.js';
import { packLibrary } from './package.js';
import { BUILD } from './places.js';
import { serveTutorial } from './tutorial_build.js';

export default async function setUp() {
  await rm(BUILD, { recursive: true, force: true });
  const [emulator, embedded, tarball] = await Promise.all([startEmulator(), serveTutorial('embedded'), packLibrary()]);
  const connected = await serveTutorial('connected', { emulator: new URL(emulator.url).host });
  process.env.SHARDLINE_EMULATOR = emulator.url;
  process.env.SHARDLINE_TUTORIAL = connected.url;
  process.env.SHARDLINE_TUTORIAL_EMBEDDED = embedded.url;
  process.env.SHARDLINE_TARBALL = tarball;
  return async () => {
    await Promise.all([connected.stop(), embedded.stop(), emulator.stop()]);
  };
}
