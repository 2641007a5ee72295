/** The command line as a person has it: in processes of its own, also in a pseudo-terminal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsWithThisProcess } from './children.js';

/** As npm installs it for all: among the programs that a shell finds, so that commands can be pasted. */
const PROGRAMS = mkdtempSync(join(tmpdir(), 'shardline-bin-'));
const PROGRAM = join(PROGRAMS, 'shardline');
symlinkSync(fileURLToPath(new URL('../../../web/bin/shardline.js', import.meta.url)), PROGRAM);
process.once('exit', () => rmSync(PROGRAMS, { recursive: true }));
/** Variables that a person's shell may have set must not change the test. */
const OURS = ['FIRESTORE_EMULATOR_HOST', 'GOOGLE_OAUTH_ACCESS_TOKEN', 'GOOGLE_CLOUD_PROJECT', 'SHARDLINE_STORE'];

/** Stands for the characters that make a terminal write a line again. */
export const LINE_ANEW = '⇤';

/**
 * @typedef {object} Ended
 * @property {number | null} code Null if it was killed.
 * @property {string} out
 * @property {string} err In a pseudo-terminal everything is in `out`.
 */

/** A process of the command line, under way. */
export class Running {
  out = '';
  err = '';

  /** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
  constructor(child) {
    this.child = child;
    endsWithThisProcess(child);
    child.stdout.setEncoding('utf8').on('data', (text) => { this.out = (this.out + text).replaceAll('\r\u001b[2K', LINE_ANEW); });
    child.stderr.setEncoding('utf8').on('data', (text) => { this.err += text; });
    child.stdin.on('error', () => {}); // It may have ended before it has read everything.
    /** @type {Promise<Ended>} */
    this.ended = once(child, 'close').then(([code]) => {
      return { code, out: this.out, err: this.err };
    });
  }

  /** Resolves when it has said something on either stream. @param {RegExp} pattern */
  async says(pattern) {
    const { child } = this;
    while (!pattern.test(this.out) && !pattern.test(this.err)) {
      const event = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), this.ended.then(() => 'ended')]);
      if (event === 'ended' && !pattern.test(this.out) && !pattern.test(this.err)) {
        throw new Error(`It has ended without saying ${pattern}:\n${this.out}\n${this.err}`);
      }
    }
  }

  /** @param {NodeJS.Signals} signal */
  kill(signal) {
    this.child.kill(signal);
    return this.ended;
  }

  /** Ctrl-C, in a pseudo-terminal. */
  pressCtrlC() {
    this.child.stdin.write('\u0003');
    return this.ended;
  }
}

/**
 * @typedef {Record<string, string | undefined>} Environment
 *
 * @param {string[]} words
 * @param {Environment} [environment]
 */
export function start(words, environment = {}) {
  return new Running(spawn(process.execPath, [PROGRAM, ...words], { env: environmentOf(environment) }));
}

/**
 * @param {string[]} words
 * @param {Environment} [environment]
 */
export function startInTerminal(words, environment = {}) {
  const line = [process.execPath, PROGRAM, ...words].map((word) => `'${word}'`).join(' ');
  return new Running(spawn('script', ['--quiet', '--return', '--flush', '--command', `stty cols 100; exec ${line}`, '/dev/null'], { env: environmentOf(environment) }));
}

/**
 * Runs a line as a shell does: one that the program has printed.
 * @param {string} line `shardline counter flush …`
 * @param {Environment} [environment]
 */
export function runLine(line, environment = {}) {
  const child = new Running(spawn('sh', ['-c', line], { env: environmentOf(environment) }));
  child.child.stdin.end();
  return child.ended;
}

/**
 * @param {string[]} words
 * @param {Environment} [environment]
 * @param {string} [input]
 */
export function run(words, environment = {}, input = '') {
  const child = start(words, environment);
  child.child.stdin.end(input);
  return child.ended;
}

/** As a shell takes a line apart. @param {string} line */
export const split = (line) => Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? String(word));

/**
 * Runs lines and checks how they end.
 * @template {Environment} E
 * @param {E} environment
 */
export const shellIn = (environment) => ({
  environment,
  /** Ends well, and returns what it has printed. @param {string} line @param {string} [input] */
  async run(line, input) {
    const { code, out, err } = await run(split(line), environment, input);
    assert.equal(code, 0, `${line}\n${out}\n${err}`);
    return { out, err };
  },
  /** Ends otherwise, with one line. @param {string} line @param {number} code @param {RegExp} message @param {string} [input] */
  async fails(line, code, message, input) {
    const ended = await run(split(line), environment, input);
    assert.equal(ended.code, code, `${line}\n${ended.err}`);
    assert.match(ended.err, message);
    assert.equal(ended.err.match(/\n/g)?.length, 1, ended.err);
    assert.equal(ended.out, '');
  },
});

/**
 * `shardline serve`, listening.
 * @param {string[]} [words]
 * @param {number} [port]
 */
export async function serve(words = [], port = 0) {
  const server = start(['serve', '--port', String(port), ...words]);
  await server.says(/FIRESTORE_EMULATOR_HOST=\S+/);
  const host = String(/FIRESTORE_EMULATOR_HOST=(\S+)/.exec(server.out)?.[1]);
  return { host, url: `http://${host}`, port: Number(host.split(':')[1]), stop: () => server.kill('SIGTERM'), server };
}

/** @param {Environment} environment */
function environmentOf(environment) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.includes(name) && !name.startsWith('npm_')));
  return { ...inherited, PATH: [PROGRAMS, dirname(process.execPath), process.env.PATH].join(delimiter), TERM: 'xterm', ...environment };
}
