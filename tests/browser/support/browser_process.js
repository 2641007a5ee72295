/** A Chromium that can be killed, and started again with its files on disk. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { CHROMIUM } from '../../support/chromium.js';

export class BrowserProcess {
  #folder;
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  #killAtExit = () => this.#signal();

  static async make() {
    return new BrowserProcess(await mkdtemp(join(tmpdir(), 'shardline-browser-')));
  }

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
    process.once('exit', this.#killAtExit);
  }

  /** @returns {Promise<import('@playwright/test').Page>} */
  async start() {
    const child = spawn(CHROMIUM, [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0',
      `--user-data-dir=${this.#folder}`, 'about:blank',
    ], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    this.#child = child;
    const address = await new Promise((resolve, reject) => {
      let output = '';
      child.stderr?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        const [, url] = /DevTools listening on (ws:\S+)/.exec(output) ?? [];
        if (url) resolve(url);
      });
      child.once('exit', () => reject(new Error(`Chromium has ended:\n${output}`)));
    });
    const browser = await chromium.connectOverCDP(address);
    const [context] = browser.contexts();
    if (!context) throw new Error('Chromium has no context.');
    return context.newPage();
  }

  /** At once, with all its processes: nothing is written any more. */
  async kill() {
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.#signal();
    await ended;
    this.#child = null;
  }

  async remove() {
    await this.kill();
    process.off('exit', this.#killAtExit);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #signal() {
    // It leads a process group of its own.
    if (this.#child?.pid) process.kill(-this.#child.pid, 'SIGKILL');
  }
}
