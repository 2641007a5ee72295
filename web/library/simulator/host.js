// The host of an embedded Firestore on this thread, with its data in memory or, by name, in IndexedDB. Crash recovery: if its module crashes, the
// host replays the write-ahead log in a new module, and goes on with the data from before that request.

import { ShardlineError } from '../errors.js';
import { Engine, isClosed } from './engine.js';
import { Log, MemoryLog } from './log.js';

/**
 * @typedef {import('./engine.js').EmbeddedFirestoreRequest} EmbeddedFirestoreRequest
 * @typedef {import('./engine.js').EmbeddedFirestoreAnswer} EmbeddedFirestoreAnswer
 * @typedef {import('../workbench.js').Observation} Observation
 *
 * @typedef {object} Host The interface between an EmbeddedFirestore and its engine, on this thread or elsewhere.
 * @property {(request: EmbeddedFirestoreRequest) => Promise<EmbeddedFirestoreAnswer>} answer
 * @property {(options: Record<string, unknown>) => Promise<void>} configure
 * @property {() => Promise<Observation>} observe
 * @property {() => Promise<void>} reset
 * @property {() => Promise<void>} close
 */

const SETTINGS = /** @type {const} */ (['limits', 'latencyMs', 'faults', 'dialect']);

/** @implements {Host} */
export class LocalHost {
  #runner;
  #options;
  #name;
  #open;
  #now;
  /** @type {Engine} */
  #engine;
  /** The last engine that has loaded all stored data. After a crash it differs from #engine until the new one has loaded. @type {Engine | null} */
  #ready = null;
  /** @type {Log | MemoryLog | null} Null until it is open. */
  #log = null;
  /** @type {Promise<unknown>} Resolves when all data behind earlier answers is stored. */
  #stored = Promise.resolve();
  /** @type {Promise<void>} */
  #started;
  /** Whether the data is too large for a snapshot, which was tried once. */
  #isTooLarge = false;
  #isClosed = false;

  /**
   * @param {import('../load.js').ModuleRunner<import('../generated/workbench.js').WorkbenchModule>} runner
   * @param {Record<string, unknown>} options The engine's options.
   * @param {{persist?: string, now?: () => number}} [more]
   */
  constructor(runner, options, { persist, now = Date.now } = {}) {
    this.#runner = runner;
    this.#options = options;
    const memory = new MemoryLog();
    this.#name = persist;
    this.#open = async () => (persist === undefined ? { log: memory, entries: memory.entries } : Log.open(persist));
    this.#now = now;
    this.#engine = new Engine(runner.module, options);
    this.#started = this.#load();
  }

  /** Resolves when it is ready; rejects if the stored data cannot be read. */
  get started() {
    return this.#started;
  }

  /**
   * Write-ahead: an answer leaves only when all data that it shows is stored.
   * @param {EmbeddedFirestoreRequest} request
   */
  async answer(request) {
    while (this.#ready !== this.#engine) await this.#started;
    const engine = this.#engine;
    /** @type {EmbeddedFirestoreAnswer} */
    let answer;
    try {
      answer = engine.handle(request, this.#now());
      this.#note(engine.takeJournal());
    } catch (error) {
      if (!await this.#restartAfter(engine)) throw error;
      return failed(500, 'INTERNAL', 'The embedded Firestore has crashed at this request. It has not done it, and was started again');
    }
    try {
      await (this.#log?.isLong ? this.#shorten(engine, this.#log) : this.#stored);
    } catch (error) {
      // Goes back to the stored data: no caller may see other data.
      if (this.#engine === engine) await this.#reload();
      return failed(429, 'RESOURCE_EXHAUSTED', `The embedded Firestore could not store this in IndexedDB, and has not done it: ${error}`);
    }
    return answer;
  }

  /** @param {Uint8Array} journal */
  #note(journal) {
    if (this.#log && journal.length > 0) this.#stored = this.#log.append(journal);
  }

  /**
   * Compaction: replaces the journals by a snapshot. If there is no memory for a snapshot, the journals stay, and no request fails because of that.
   * @param {Engine} engine
   * @param {Log | MemoryLog} log
   * @returns {Promise<unknown>} Resolves when all data is stored, either way.
   */
  async #shorten(engine, log) {
    if (this.#isTooLarge) return this.#stored;
    const journals = this.#stored;
    try {
      this.#stored = log.replace(engine.snapshot());
      return this.#stored;
    } catch {
      this.#isTooLarge = true;
      await this.#restartAfter(engine);
      return journals;
    }
  }

  /** @param {Record<string, unknown>} options */
  async configure(options) {
    await this.#use((engine) => engine.configure(options));
    // Like the engine: options that are not named stay, also single faults and limits.
    for (const [name, value] of named(options)) {
      const before = this.#options[name];
      const now = isObject(value) ? Object.fromEntries(named(value)) : value;
      this.#options = { ...this.#options, [name]: isObject(now) && isObject(before) ? { ...before, ...now } : now };
    }
  }

  get options() {
    return this.#options;
  }

  async observe() {
    const observation = await this.#use((engine) => engine.observe(this.#now()));
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, this.#options[name]]));
    return { ...observation, settings };
  }

  /** Deletes all data, and resets the counts. */
  async reset() {
    // Even unreadable data can be deleted.
    await this.#started.catch(() => {});
    if (this.#isClosed) throw isClosed();
    this.#log ??= (await this.#open()).log;
    this.#isTooLarge = false;
    this.#renewEngine();
    this.#started = Promise.resolve();
    this.#engine.keepJournal();
    this.#ready = this.#engine;
    this.#stored = this.#log.replace(null);
    await this.#stored;
  }

  async close() {
    this.#isClosed = true;
    await this.#started.catch(() => {});
    await this.#log?.close();
    this.#closeEngine();
  }

  /**
   * @template T
   * @param {(engine: Engine) => T} action
   * @returns {Promise<T>}
   */
  async #use(action) {
    while (this.#ready !== this.#engine) await this.#started;
    const engine = this.#engine;
    try {
      return action(engine);
    } catch (error) {
      await this.#restartAfter(engine);
      throw error;
    }
  }

  /**
   * @param {Engine} engine
   * @returns {Promise<boolean>} Whether it had crashed.
   */
  async #restartAfter(engine) {
    if (this.#runner.isRunning(engine.module)) return false;
    if (this.#engine === engine) await this.#reload();
    return true;
  }

  async #reload() {
    this.#renewEngine();
    this.#stored = Promise.resolve();
    this.#started = this.#load();
    await this.#started.catch(() => {});
  }

  #renewEngine() {
    this.#closeEngine();
    this.#engine = new Engine(this.#runner.module, this.#options);
  }

  #closeEngine() {
    try {
      this.#engine.close();
    } catch {
      // Its module has crashed, and holds nothing any more.
    }
  }

  async #load() {
    const engine = this.#engine;
    await this.#log?.close();
    this.#log = null;
    const { log, entries } = await this.#open();
    try {
      for (const entry of entries) engine.restore(entry);
    } catch (cause) {
      await log.close();
      throw new ShardlineError('failed-precondition', `The data kept as “${this.#name}” cannot be read. To start again, delete the `
        + `IndexedDB database “shardline-embedded:${this.#name}”. (${/** @type {Error} */ (cause).message})`,
        { reason: 'kept-data-unreadable', params: { name: String(this.#name) }, cause });
    }
    engine.keepJournal();
    this.#log = log;
    this.#ready = engine;
  }
}

/**
 * @param {number} code
 * @param {string} status
 * @param {string} message
 * @returns {EmbeddedFirestoreAnswer}
 */
function failed(code, status, message) {
  return {
    status: code,
    contentType: 'application/json',
    delayMs: 0,
    lost: false,
    body: new TextEncoder().encode(JSON.stringify({ error: { code, message, status } })),
  };
}

/**
 * The members with a value: undefined and null count as left out.
 * @param {object} options
 * @returns {[name: string, value: unknown][]}
 */
function named(options) {
  return Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
