// Where an embedded Firestore lives: on this thread, with its data in memory or, by name, in IndexedDB.

import { ShardlineError } from '../errors.js';
import { Engine } from './engine.js';
import { Log } from './log.js';

/**
 * @typedef {import('./engine.js').SimulatorRequest} SimulatorRequest
 * @typedef {import('./engine.js').SimulatorAnswer} SimulatorAnswer
 * @typedef {import('../workbench.js').Observation} Observation
 *
 * @typedef {object} Host What stands between a Simulator and its engine, near or far.
 * @property {(request: SimulatorRequest) => Promise<SimulatorAnswer>} answer
 * @property {(options: Record<string, unknown>) => Promise<void>} configure
 * @property {() => Promise<Observation>} observe
 * @property {() => Promise<void>} reset
 * @property {() => Promise<void>} close
 */

const SETTINGS = /** @type {const} */ (['limits', 'latencyMs', 'faults', 'dialect']);

/** @implements {Host} */
export class LocalHost {
  #module;
  #options;
  #name;
  #now;
  /** @type {Engine} */
  #engine;
  /** @type {Log | null} */
  #log = null;
  /** @type {Promise<void>} When all that was answered from is stored. */
  #stored = Promise.resolve();
  /** @type {Promise<void>} */
  #started;

  /**
   * @param {import('../generated/workbench.js').WorkbenchModule} module
   * @param {Record<string, unknown>} options Of the engine.
   * @param {{persist?: string, now?: () => number}} [more]
   */
  constructor(module, options, { persist, now = Date.now } = {}) {
    this.#module = module;
    this.#options = options;
    this.#name = persist;
    this.#now = now;
    this.#engine = new Engine(module, options);
    this.#started = persist === undefined ? Promise.resolve() : this.#load();
  }

  /** Resolves when it is ready; rejects if what is stored cannot be read. */
  get started() {
    return this.#started;
  }

  /**
   * An answer leaves only when what it tells, be it a commit's own or another's, is stored.
   * @param {SimulatorRequest} request
   */
  async answer(request) {
    await this.#started;
    const engine = this.#engine;
    const answer = engine.handle(request, this.#now());
    const journal = this.#log ? engine.takeJournal() : null;
    if (this.#log && journal?.length) {
      this.#stored = this.#log.append(journal);
      if (this.#log.isLong) this.#stored = this.#log.replace(engine.snapshot());
    }
    try {
      await this.#stored;
    } catch (error) {
      // Back to what is stored: nothing else may be seen by anybody.
      if (this.#engine === engine) await this.#reload();
      return notStored(error);
    }
    return answer;
  }

  /** @param {Record<string, unknown>} options */
  async configure(options) {
    await this.#started;
    this.#engine.configure(options);
    // As the engine does: faults and limits that are not named stay as they were.
    for (const [name, value] of Object.entries(options)) {
      const before = this.#options[name];
      this.#options = { ...this.#options, [name]: isObject(value) && isObject(before) ? { ...before, ...value } : value };
    }
  }

  get options() {
    return this.#options;
  }

  async observe() {
    await this.#started;
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, this.#options[name]]));
    return { ...this.#engine.observe(this.#now()), settings };
  }

  /** Forgets all data, and begins counting anew. */
  async reset() {
    // What cannot be read can still be forgotten.
    await this.#started.catch(() => {});
    if (this.#name !== undefined && !this.#log) this.#log = (await Log.open(this.#name)).log;
    this.#engine.close();
    this.#engine = new Engine(this.#module, this.#options);
    this.#started = Promise.resolve();
    if (!this.#log) return;
    this.#engine.keepJournal();
    this.#stored = this.#log.replace(null);
    await this.#stored;
  }

  async close() {
    await this.#started.catch(() => {});
    await this.#log?.close();
    this.#engine.close();
  }

  async #reload() {
    this.#engine.close();
    this.#engine = new Engine(this.#module, this.#options);
    this.#stored = Promise.resolve();
    this.#started = this.#load();
    await this.#started.catch(() => {});
  }

  async #load() {
    const engine = this.#engine;
    await this.#log?.close();
    this.#log = null;
    const { log, entries } = await Log.open(/** @type {string} */ (this.#name));
    try {
      for (const entry of entries) engine.restore(entry);
    } catch (cause) {
      await log.close();
      throw new ShardlineError('failed-precondition', `What is kept as “${this.#name}” cannot be read. To begin anew, delete the `
        + `IndexedDB database “shardline-simulator:${this.#name}”. (${/** @type {Error} */ (cause).message})`, { cause });
    }
    engine.keepJournal();
    this.#log = log;
  }
}

/**
 * @param {unknown} error
 * @returns {SimulatorAnswer}
 */
function notStored(error) {
  const message = `The embedded Firestore could not store this in IndexedDB, and has not done it: ${error}`;
  return {
    status: 429,
    contentType: 'application/json',
    delayMs: 0,
    lost: false,
    body: new TextEncoder().encode(JSON.stringify({ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } })),
  };
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
