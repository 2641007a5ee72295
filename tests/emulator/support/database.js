/**
 * Google's emulator for a test file: one process for all files, in which each file has a project of its own. tests/emulator/run.js starts it; a file
 * that runs alone starts one. A test that stops its emulator starts an `Emulator` of its own instead.
 */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { DialectFront, runDialect } from './dialect_front.js';
import { Emulator } from './emulator.js';
import { freshFetch } from './fresh_fetch.js';

/** The address of the emulator that all files share, in the environment of a test file: host and port. */
export const SHARED = 'SHARDLINE_SHARED_EMULATOR';

/** @type {Promise<string> | undefined} */
let address;

/** Host and port of the emulator. It ends with this process if this process has started it. */
async function addressOfEmulator() {
  return process.env[SHARED] ?? (await new Emulator().start()).host;
}

/** A name that no other file has, and no other run. */
export function freshProject() {
  const file = basename(process.argv[1] ?? '').replace(/\.test\.js$/, '').replaceAll(/[^a-z0-9]+/g, '-');
  return `${file}-${randomBytes(5).toString('hex')}`;
}

/** An empty database, and the ways to it. */
export class Database {
  projectId = freshProject();
  #rules;
  #host = '';
  /** @type {DialectFront | undefined} */
  #front;

  /** @param {{rules?: string}} [options]  Security rules: the text itself. Without it everything is allowed. */
  constructor({ rules } = {}) {
    this.#rules = rules;
  }

  async start() {
    this.#host = await (address ??= addressOfEmulator());
    this.#front = await new DialectFront({ target: this.exactUrl, ...runDialect() }).start();
    if (this.#rules !== undefined) await this.#load(this.#rules);
    return this;
  }

  /** For `connect({host})` and the REST client: its answers are worded in the dialect of this file. */
  get url() {
    return this.#started.url;
  }

  /** For a reader of the emulator's own words. */
  get exactUrl() {
    return `http://${this.#host}`;
  }

  /** The emulator's host and port, as Google's SDKs and FIRESTORE_EMULATOR_HOST take them. */
  get host() {
    return this.#host;
  }

  get port() {
    return Number(this.#host.split(':')[1]);
  }

  /** The emulator goes on: other files use it. */
  async stop() {
    await this.#front?.stop();
    this.#front = undefined;
  }

  get #started() {
    if (!this.#front) throw new Error('The database has not been started.');
    return this.#front;
  }

  /** @param {string} rules */
  async #load(rules) {
    const answer = await freshFetch(`${this.exactUrl}/emulator/v1/projects/${this.projectId}:securityRules`, {
      method: 'PUT', body: JSON.stringify({ rules: { files: [{ name: 'firestore.rules', content: rules }] } }),
    });
    if (!answer.ok) throw new Error(`The emulator does not take the rules: ${await answer.text()}`);
    await answer.text();
  }
}

/** @param {{rules?: string}} [options] */
export const openDatabase = (options) => new Database(options).start();
