/** Runs Vite's development server on a port of its choice. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { WEB } from './places.js';

const START_TIMEOUT_MS = 60_000;
const TUTORIAL = [fileURLToPath(new URL('development_server.js', import.meta.url))];

/**
 * Serves the tutorial from its sources.
 * @param {{emulator?: string}} [options] What scripts/demo puts into VITE_FIRESTORE_EMULATOR.
 */
export function startTutorial({ emulator = '' } = {}) {
  return start(TUTORIAL, WEB, { VITE_FIRESTORE_EMULATOR: emulator });
}

/** @param {string} folder Of an app. */
export function startVite(folder) {
  return start([join(WEB, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', '0', '--clearScreen', 'false'], folder);
}

/**
 * @param {string[]} program And its arguments.
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
async function start(program, cwd, env = {}) {
  const child = spawn(process.execPath, program, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const stop = async () => {
    process.off('exit', killAtExit);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  try {
    return { url: await addressOf(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @typedef {import('node:stream').Readable} Readable
 * @param {import('node:child_process').ChildProcessByStdio<null, Readable, Readable>} child
 * @returns {Promise<string>} As the server prints it.
 */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (/** @type {string} */ what) => reject(new Error(`Vite ${what}:\n${output}`));
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS);
    const read = (/** @type {string} */ chunk) => {
      output += stripVTControlCharacters(chunk);
      const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(output);
      if (!match) return;
      clearTimeout(timer);
      resolve(match[0]);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
