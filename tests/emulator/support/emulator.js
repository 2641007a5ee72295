/**
 * Starts and stops Google's Firestore emulator for a test file.
 *
 * A missing emulator is an error, never a skipped test: a suite that silently tests nothing is worse than one that fails.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsWithThisProcess } from './children.js';
import { DialectFront, runDialect } from './dialect_front.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/emulator', import.meta.url));
const READY_LINE = 'Dev App Server is now running';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const ATTEMPTS = 6;
/** Not among those that systems give to programs that ask for any port: 32768 and above on Linux, 49152 and above elsewhere. */
const PORTS = { first: 15_000, end: 32_000 };
const LOG_LIMIT = 64 * 1024;
/** A server that lives for a minute gains nothing from the optimising compiler, which competes with the tests for the cores. */
const JAVA_OPTS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/**
 * @typedef {object} EmulatorOptions
 * @property {string} [rules] Security rules: the text itself. Without it everything is allowed.
 * @property {number} [port]  0 or absent: a free one.
 * @property {string} [javaOptions]  The environment's JAVA_OPTS come first.
 */

/** @typedef {import('node:child_process').ChildProcessByStdio<null, import('node:net').Socket, import('node:net').Socket>} Process */

/**
 * One emulator process at a time; after a crash, `start` replaces it on the same port, with an empty database. A server before it
 * words its answers in the dialect of this run, and outlives a crash.
 */
export class Emulator {
  /** @type {Process | null} */
  #child = null;
  /** @type {string | null} where the rules are while it runs */
  #folder = null;
  /** @type {DialectFront | null} */
  #front = null;
  #log = '';
  #port;
  #rules;
  #javaOptions;

  /** @param {EmulatorOptions} options */
  constructor({ rules, port = 0, javaOptions = JAVA_OPTS } = {}) {
    this.#javaOptions = javaOptions;
    this.#rules = rules;
    this.#port = port;
  }

  get port() {
    return this.#port;
  }

  /** For `connect({host})` and the REST client: its answers are worded in the dialect of this run. */
  get url() {
    if (!this.#front) throw new Error('The emulator is not running.');
    return this.#front.url;
  }

  /** For who needs the emulator's own words. */
  get exactUrl() {
    return `http://${this.host}`;
  }

  /** The same, for the FIRESTORE_EMULATOR_HOST variable and Google's SDKs. */
  get host() {
    return `127.0.0.1:${this.#port}`;
  }

  /** The last 64 KiB that the emulator printed. */
  get log() {
    return this.#log;
  }

  /** Resolves when the emulator answers. */
  async start() {
    if (this.#child) throw new Error('The emulator is already running.');
    // A free port can be taken between the look and the start, as can the two that the emulator looks for itself; so a lost race is
    // tried again on others.
    const wantsFreePort = this.#port === 0;
    for (let attempt = 1; ; attempt += 1) {
      if (wantsFreePort) this.#port = await freePort();
      try {
        await this.#launch();
        this.#front ??= await new DialectFront({ target: this.exactUrl, ...runDialect() }).start();
        return this;
      } catch (error) {
        await this.#end();
        if (!wantsFreePort || attempt === ATTEMPTS || !this.#log.includes('Address already in use')) throw error;
      }
    }
  }

  /** Resolves when the process has ended. Stopping a stopped emulator does nothing. */
  async stop() {
    await this.#front?.stop();
    this.#front = null;
    await this.#end();
  }

  async #end() {
    const child = this.#child;
    this.#child = null;
    if (child && !hasEnded(child)) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(force);
    }
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  /** Kills the process at once, like a crash of the server. */
  async crash() {
    this.#child?.kill('SIGKILL');
    await this.#end();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.stop();
  }

  async #launch() {
    this.#log = '';
    const child = /** @type {Process} */ (spawn(SCRIPT, ['run', '--port', String(this.#port), ...(await this.#rulesArguments())], {
      env: { ...process.env, JAVA_OPTS: process.env.JAVA_OPTS ?? this.#javaOptions },
      stdio: ['ignore', 'pipe', 'pipe'],
    }));
    this.#child = child;
    endsWithThisProcess(child);
    await this.#untilReady(child);
    const answer = await fetch(this.exactUrl);
    if (!answer.ok) throw new Error(`The emulator answers ${answer.status} at ${this.exactUrl}.`);
    await answer.text();
    // Neither the process nor its pipes may keep a finished test file alive.
    child.unref();
    child.stdout.unref();
    child.stderr.unref();
  }

  async #rulesArguments() {
    if (this.#rules === undefined) return [];
    const folder = await mkdtemp(join(tmpdir(), 'shardline-rules-'));
    this.#folder = folder;
    const file = join(folder, 'firestore.rules');
    await writeFile(file, this.#rules);
    return ['--rules', file];
  }

  /** @param {Process} child */
  #untilReady(child) {
    return new Promise((resolve, reject) => {
      const fail = (what) => reject(new Error(`Google's Firestore emulator ${what}.\n${this.#log}`));
      const timer = setTimeout(() => fail(`was not ready within ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
      const settle = (action) => {
        clearTimeout(timer);
        action();
      };
      const read = (chunk) => {
        this.#log = (this.#log + chunk).slice(-LOG_LIMIT);
        if (this.#log.includes(READY_LINE)) settle(resolve);
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
      child.once('error', (error) => settle(() => fail(`could not be started: ${error.message}`)));
      // 'close' rather than 'exit': by then the reason it printed has been read.
      child.once('close', (code, signal) => settle(() => fail(`ended (${signal ?? `exit code ${code}`})`)));
    });
  }
}

/**
 * @param {EmulatorOptions} [options]
 * @returns {Promise<Emulator>}
 */
export async function startEmulator(options) {
  return new Emulator(options).start();
}

/** @param {Process} child */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/** @returns {Promise<number>} */
async function freePort() {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isFree(port)) return port;
  }
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
