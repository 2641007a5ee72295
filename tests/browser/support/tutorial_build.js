/** Builds the page as scripts/build does, and serves it with `vite preview`. */
import { join } from 'node:path';
import { run } from './run.js';
import { BUILD, WEB } from './places.js';
import { startVite } from './vite.js';

/**
 * @param {string} name
 * @param {{emulator?: string}} [options] What scripts/demo puts into VITE_FIRESTORE_EMULATOR.
 */
export async function serveTutorial(name, { emulator = '' } = {}) {
  const folder = join(BUILD, `tutorial-${name}`);
  await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn', '--outDir', folder], {
    cwd: WEB,
    env: { VITE_FIRESTORE_EMULATOR: emulator },
  });
  return startVite(['preview', '--outDir', folder]);
}
