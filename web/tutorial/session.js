import { ShardlineError } from '../library/errors.js';
import { Journal } from './journal.js';

/**
 * @typedef {import('../library/index.js').Database} Database
 * @typedef {import('../library/workbench.js').EmbeddedFirestore} EmbeddedFirestore
 *
 * @typedef {object} Settings
 * @property {'embedded' | 'emulator' | 'project'} kind
 * @property {string} host An origin; empty for the embedded Firestore.
 * @property {string} projectId
 * @property {string} databaseId
 * @property {string} apiKey Empty if there is none.
 * @property {string} idToken Empty if there is none.
 *
 * @typedef {'closed' | 'connecting' | 'connected' | 'silent' | 'failed'} State
 *   `silent`: was connected, and the last request got no answer.
 */

/** Shorter than the library's own: someone is watching. */
const RETRY = { maxAttempts: 5, initialDelayMs: 500, timeoutMs: 20_000 };
const ASK_ONCE = { maxAttempts: 1, timeoutMs: 20_000 };

/** The first settings of the embedded Firestore: as limited as a real one, and about as far away. */
const SIMULATOR = { limits: /** @type {const} */ ('documented'), latencyMs: /** @type {[number, number]} */ ([15, 60]) };
/** Under which its data stay. */
const KEPT_AS = 'tutorial';

/** The page's connection to one database. Tells of a new state by a `change` event, and of data that are gone by `reset`. */
export class Session extends EventTarget {
  journal = new Journal();
  /** @type {State} */
  state = 'closed';
  /** @type {Settings | null} The settings of this connection, or of the last attempt. */
  settings = null;
  /** @type {Database | null} */
  database = null;
  /** @type {EmbeddedFirestore | null} The embedded Firestore, while the page is connected to it. */
  simulator = null;
  /** Whether the embedded Firestore's data stay in the browser. */
  isKept = false;
  /** @type {unknown} The error of the state `failed`; or, while the state is `connected`, the rules' refusal of the first request. */
  error = null;
  /** Whether a failure was the server's: false if not even the library was ready to ask it. */
  couldStart = true;
  #attempts = 0;

  /** @param {string} probePath The counter that is read to see whether a server answers. */
  constructor(probePath = 'counters/demo') {
    super();
    this.probePath = probePath;
  }

  /**
   * Connects, in place of the connection that there was, and asks the server something to see that it answers.
   * @param {Settings} settings
   */
  async open(settings) {
    this.#attempts += 1;
    const attempt = this.#attempts;
    const previous = [this.database, this.simulator];
    this.settings = settings;
    this.database = null;
    this.simulator = null;
    this.#enter('connecting');
    for (const part of previous) await part?.close();
    /** @type {EmbeddedFirestore | null} */
    let simulator = null;
    /** @type {Database | null} */
    let database = null;
    try {
      let isKept = false;
      if (settings.kind === 'embedded') ({ simulator, isKept } = await openSimulator());
      const { fetch } = simulator ?? globalThis;
      database = await this.#connect(settings, fetch, RETRY);
      const refusal = await this.#probe(settings, fetch);
      if (attempt !== this.#attempts) {
        await database.close();
        await simulator?.close();
        return;
      }
      this.database = database;
      this.simulator = simulator;
      this.isKept = isKept;
      this.#enter('connected', refusal);
    } catch (error) {
      await database?.close();
      await simulator?.close();
      if (attempt !== this.#attempts) return;
      this.couldStart = database !== null;
      this.#enter('failed', error);
    }
  }

  /** Ends the connection. The embedded Firestore keeps its data. */
  async close() {
    this.#attempts += 1;
    const open = [this.database, this.simulator];
    this.database = null;
    this.simulator = null;
    this.#enter('closed');
    for (const part of open) await part?.close();
  }

  /** Empties the embedded Firestore. */
  async reset() {
    await this.simulator?.reset();
    this.dispatchEvent(new Event('reset'));
  }

  /**
   * @param {Settings} settings
   * @param {typeof globalThis.fetch} fetch
   * @returns {Promise<unknown>} The refusal of the security rules: a server that refuses is there.
   */
  async #probe(settings, fetch) {
    // The tab that has the embedded Firestore's data may be closed while it is asked; then another tab has them, and answers.
    const database = await this.#connect(settings, fetch, settings.kind === 'embedded' ? RETRY : ASK_ONCE);
    try {
      await database.counter(this.probePath).get();
      return null;
    } catch (error) {
      if (error instanceof ShardlineError && error.code === 'permission-denied') return error;
      throw error;
    } finally {
      await database.close();
    }
  }

  /**
   * @param {Settings} settings
   * @param {typeof globalThis.fetch} fetch
   * @param {import('../library/index.js').RetryOptions} retry
   */
  async #connect(settings, fetch, retry) {
    // The page can be seen before the library is there.
    const { connect } = await import('../library/index.js');
    const { host, projectId, databaseId, apiKey, idToken } = settings;
    return connect({
      fetch,
      host: host || undefined,
      projectId,
      databaseId,
      apiKey: apiKey || undefined,
      authToken: idToken ? () => idToken : undefined,
      retry,
      onRequest: (record) => {
        this.journal.add(record);
        if (this.settings === settings) this.#onAnswer(record.status !== 0);
      },
    });
  }

  /** @param {boolean} answered */
  #onAnswer(answered) {
    if (this.state === 'connected' && !answered) this.#enter('silent');
    else if (this.state === 'silent' && answered) this.#enter('connected');
  }

  /**
   * @param {State} state
   * @param {unknown} [error]
   */
  #enter(state, error = null) {
    this.state = state;
    this.error = error;
    this.dispatchEvent(new Event('change'));
  }
}

/** The page loads the workbench's module only if the reader uses it. */
async function openSimulator() {
  const { openWorkbench } = await import('../library/workbench.js');
  const { createEmbeddedFirestore } = await openWorkbench();
  try {
    return { simulator: await createEmbeddedFirestore({ ...SIMULATOR, persist: KEPT_AS }), isKept: true };
  } catch {
    // Browsers keep nothing for pages that came over an insecure connection, or for readers who forbid it; and the kept data may be damaged.
    return { simulator: await createEmbeddedFirestore(SIMULATOR), isKept: false };
  }
}
