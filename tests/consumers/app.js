/** Apps that use the packed library, each in a folder of its own with the packages that npm installs there. */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { run } from '../browser/support/run.js';
import { CHROMIUM } from '../support/chromium.js';

const BUILD = fileURLToPath(new URL('../../build/consumers', import.meta.url));
export const WEB = fileURLToPath(new URL('../../web', import.meta.url));

/**
 * @param {string} name Of the tests that want it: they may run beside others.
 * @returns {Promise<string>} The library as npm would publish it: the path of a .tgz file.
 */
export async function packLibrary(name) {
  const folder = join(BUILD, 'packed', name);
  await mkdir(folder, { recursive: true });
  const output = await run('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], { cwd: WEB });
  return join(folder, JSON.parse(output)[0].filename);
}

/** @returns {Promise<import('@playwright/test').Browser>} */
export function startBrowser() {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/**
 * @param {string} name
 * @param {Record<string, string>} files By their paths.
 * @param {string[]} packages What npm installs: the library first.
 * @returns {Promise<string>} The app's folder.
 */
export async function makeApp(name, files, packages) {
  const folder = join(BUILD, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  await run('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages], { cwd: folder });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/**
 * Starts a server that says when it listens.
 * @param {import('node:test').TestContext} t Stops it at the end.
 * @param {string} folder
 * @param {string} program Below node_modules/.bin.
 * @param {string[]} args
 * @param {RegExp} ready What it prints by then; its first group is the port.
 * @returns {Promise<string>} Its address.
 */
export async function startServer(t, folder, program, args, ready) {
  const child = spawn(join(folder, 'node_modules/.bin', program), args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' } });
  t.after(() => { if (child.pid) process.kill(-child.pid); });
  let said = '';
  const port = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
        const match = ready.exec(said);
        if (match) resolve(match[1]);
      });
    }
    child.on('exit', (code) => reject(new Error(`${program} ended with ${code}:\n${said}`)));
  });
  return `http://127.0.0.1:${port}/`;
}
