/** Builds the page as scripts/build does, and serves its files with the headers of `vite preview`. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import configure from '../../../web/vite.config.js';
import { BUILD, WEB } from './places.js';
import { run } from './run.js';
import { serveFolder } from './static_server.js';

/** It takes the place of the emulator's address in the build, so that one build is enough for pages with any emulator, or without one. */
const PLACEHOLDER = 'emulator-of-the-tests.invalid:1';

/** @returns {Promise<string>} The folder; its pages are made by placeTutorial(). */
export async function buildTutorial() {
  const folder = join(BUILD, 'tutorial');
  await run(join(WEB, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn', '--outDir', folder], {
    cwd: WEB,
    env: { VITE_FIRESTORE_EMULATOR: PLACEHOLDER },
  });
  return folder;
}

/**
 * @param {string} built What buildTutorial() has returned.
 * @param {string} name
 * @param {{emulator?: string}} [options] Its host and port; without one, the page connects to the Firestore inside it.
 * @returns {Promise<string>} A folder with the page.
 */
export async function placeTutorial(built, name, { emulator = '' } = {}) {
  const folder = join(BUILD, `tutorial-${name}`);
  await cp(built, folder, { recursive: true });
  let placed = 0;
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const source = await readFile(join(folder, file), 'utf8');
    if (!source.includes(PLACEHOLDER)) continue;
    await writeFile(join(folder, file), source.replaceAll(PLACEHOLDER, emulator));
    placed += 1;
  }
  if (placed === 0) throw new Error('The page that was built has no place for the address of an emulator.');
  return folder;
}

/** @param {string} folder What placeTutorial() has returned. */
export function serveTutorial(folder) {
  return serveFolder(folder, { headers: configure({ command: 'serve', mode: 'production' }).preview.headers });
}
