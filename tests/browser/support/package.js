/** The library as a user gets it: packed by npm, unpacked into a folder of its own. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILD, WEB, places } from './places.js';
import { run } from './run.js';

/** Pages' icon: without one the browser asks the server for it in vain. */
export const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Files of an app whose page shows nothing, and runs main.js. */
export const EMPTY_PAGE = {
  'index.html': `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>App</title><link rel="icon" href="./icon.svg"><script type="module" src="./main.js"></script></head>
  <body></body>
</html>
`,
  'icon.svg': ICON,
};

/** @returns {Promise<string>} The path of the .tgz file. */
export async function packLibrary() {
  await mkdir(BUILD, { recursive: true });
  const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', BUILD];
  const output = await run('npm', ['pack', ...options], { cwd: WEB });
  return join(BUILD, JSON.parse(output)[0].filename);
}

/**
 * A folder of its own with a package.json, into which the packed library has been installed.
 * @param {string} name Its name begins with it.
 * @param {Record<string, string>} files By their paths.
 * @param {{byNpm?: boolean}} [options] Without npm it is merely unpacked, which is faster.
 * @returns {Promise<string>} Its path.
 */
export async function makeApp(name, files, { byNpm = false } = {}) {
  const folder = await mkdtemp(join(BUILD, `${name}-`));
  const library = join(folder, 'node_modules/shardline');
  await mkdir(library, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  if (byNpm) {
    // It depends on nothing, so nothing has to be fetched.
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', places.tarball], { cwd: folder });
  } else {
    await run('tar', ['-xzf', places.tarball, '--strip-components=1'], { cwd: library });
  }
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  return folder;
}
