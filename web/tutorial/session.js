import { connect, ShardlineError } from '../library/index.js';
import { Journal } from './journal.js';

/**
 * @typedef {import('../library/index.js').Database} Database
 *
 * @typedef {object} Settings
 * @property {'emulator' | 'project'} kind
 * @property {string} host An origin.
 * @property {string} projectId
 * @property {string} databaseId
 * @property {string} apiKey Empty for none.
 * @property {string} idToken Empty for none.
 *
 * @typedef {'closed' | 'connecting' | 'connected' | 'silent' | 'failed'} State
 *   `silent`: was connected, and the last request got no answer.
 */

/** Shorter than the library's own: someone is watching. */
const RETRY = { maxAttempts: 5, initialDelayMs: 500, timeoutMs: 20_000 };
const ASK_ONCE = { maxAttempts: 1, timeoutMs: 20_000 };

/** What is read to see whether somebody answers. */
export const PROBE_PATH = 'counters/demo';

/** The page's connection to one database. Tells of a new state by a `change` event. */
export class Session extends EventTarget {
  journal = new Journal();
  /** @type {State} */
  state = 'closed';
  /** @type {Settings | null} Of the connection that there is, or that was tried last. */
  settings = null;
  /** @type {Database | null} */
  database = null;
  /** @type {unknown} Why the state is `failed`; or, while it is `connected`, what the rules refused to the first request. */
  error = null;
  /** Whether a failure was the server's: false if not even the library was ready to ask it. */
  couldStart = true;
  #attempts = 0;

  /**
   * Connects, in place of the connection that there was, and asks the server something to see that it answers.
   * @param {Settings} settings
   */
  async open(settings) {
    this.#attempts += 1;
    const attempt = this.#attempts;
    const previous = this.database;
    this.settings = settings;
    this.database = null;
    this.#enter('connecting');
    await previous?.close();
    /** @type {Database | null} */
    let database = null;
    try {
      database = await this.#connect(settings, RETRY);
      const refusal = await this.#probe(settings);
      if (attempt !== this.#attempts) return await database.close();
      this.database = database;
      this.#enter('connected', refusal);
    } catch (error) {
      await database?.close();
      if (attempt !== this.#attempts) return;
      this.couldStart = database !== null;
      this.#enter('failed', error);
    }
  }

  /**
   * @param {Settings} settings
   * @returns {Promise<unknown>} What the security rules refused: a server that refuses is a server that is there.
   */
  async #probe(settings) {
    const database = await this.#connect(settings, ASK_ONCE);
    try {
      await database.counter(PROBE_PATH).get();
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
   * @param {import('../library/index.js').RetryOptions} retry
   */
  #connect(settings, retry) {
    const { host, projectId, databaseId, apiKey, idToken } = settings;
    return connect({
      host,
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
