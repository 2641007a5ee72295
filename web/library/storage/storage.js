// The storage in which rows wait until the server has confirmed them, behind a circuit breaker.

import { notAllowed } from '../errors.js';
import { readable } from '../options.js';
import { within } from '../waits.js';
import { indexedDbStorage } from './indexed_db.js';

/**
 * @typedef {import('../outbox/rows.js').StoredRow} StoredRow
 *
 * @typedef {{id: string} & Record<string, unknown>} KeptRow A plain object, which JSON and structured clones can say. Its `id` is 20 letters
 *   and digits; the rest is the library's own.
 *
 * A store of rows by their `id` that outlives the page. `connect({ storage })` takes one.
 * @typedef {object} OutboxStorage
 * @property {() => Promise<KeptRow[]>} read All rows.
 * @property {(id: string, change: (row: KeptRow | undefined) => KeptRow | undefined, how: {durable: boolean, isNew?: boolean}) => Promise<void>}
 *   change Calls `change` once, with the row of that id, and stores its result; undefined removes the row. No other change of the row may come in
 *   between (atomic read-modify-write). With `durable` it resolves only when a power failure cannot lose the change. With `isNew` no row has the id
 *   yet: you need not look for one, and undefined changes nothing.
 * @property {() => void | Promise<void>} [close]
 * @property {() => void} [reset] Called if a change does not end: open the storage again.
 * @property {boolean} [volatile] Whether its rows are lost with the page.
 * @property {boolean} [shared] Whether other tabs use the same storage: then Web Locks and a BroadcastChannel coordinate them.
 */

/** The timeout of a call. It counts from the storage's last answer to an earlier call. */
const LONGEST_WAIT_MS = 5000;
/** A timer that is later than this was suspended: the page was frozen, or the device slept. */
const LATE_MS = 1000;
/** The first pause after a failure. It doubles each time, up to the longest (exponential back-off). */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** The pause of a storage that can never work. setTimeout takes little more. */
const FOR_GOOD_MS = 2e9;

/** The error of a call during a pause: the storage did not get the call. */
export class LeftAlone extends Error {}

/**
 * The storage that lasts as long as the page.
 * @returns {OutboxStorage}
 */
export function memoryStorage() {
  // The outbox itself has all rows of this page, and no other page could read them.
  return { volatile: true, read: async () => [], change: async () => {} };
}

/**
 * @param {'indexeddb' | 'memory' | OutboxStorage | undefined} storage
 * @param {string} name
 * @returns {OutboxStorage}
 */
export function openStorage(storage, name) {
  if (storage === 'memory') return memoryStorage();
  // Node has no IndexedDB. A browser that forbids it has the interface, and fails later, with a warning.
  if (storage === undefined && !('indexedDB' in globalThis)) return memoryStorage();
  if (storage === undefined || storage === 'indexeddb') return indexedDbStorage(name);
  const isStorage = readable('storage', () => [storage.read, storage.change].every((each) => typeof each === 'function'));
  if (isStorage) return storage;
  throw notAllowed('storage', '‘indexeddb’, ‘memory’, or an object with read() and change()');
}

/**
 * A circuit breaker with timeouts: each call waits a bounded time, and after a failure the storage gets no calls for a while. A busy storage is not a
 * failure: the time counts from its last answer to an earlier call. Answers to later calls do not count. Otherwise a lost answer would wait as long
 * as others come.
 */
export class PatientStorage {
  #storage;
  /** @type {Set<{since: number}>} The waiting calls, oldest first. */
  #asked = new Set();
  #pauseMs = 0;
  #downUntil = 0;
  /** @type {unknown} */
  #cause;

  /** @param {OutboxStorage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  get shared() {
    return this.#storage.shared === true;
  }

  get volatile() {
    return this.#storage.volatile === true;
  }

  /** The rest of the present pause, in milliseconds. */
  get pauseMs() {
    return Math.max(this.#downUntil - performance.now(), 0);
  }

  /**
   * If it rejects with any error except LeftAlone, the row may or may not be stored.
   * @param {string} id
   * @param {(row: StoredRow | undefined) => StoredRow | undefined} change
   * @param {{durable: boolean, isNew?: boolean}} options
   */
  async change(id, change, options) {
    let isOver = false;
    const guarded = (/** @type {KeptRow | undefined} */ row) => (isOver ? row : change(/** @type {StoredRow | undefined} */ (row)));
    await this.#attempt(() => this.#storage.change(id, guarded, options)).finally(() => {
      isOver = true;
    });
  }

  /** @returns {Promise<unknown[]>} */
  async read() {
    const rows = await this.#attempt(() => this.#storage.read());
    if (Array.isArray(rows)) return rows;
    this.#cause = new TypeError('read() must resolve to an array of rows.');
    this.#downUntil = performance.now() + FOR_GOOD_MS;
    throw this.#cause;
  }

  async close() {
    try {
      await within(this.#storage.close?.(), LONGEST_WAIT_MS);
    } catch {
      // It is closed as far as possible.
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} action
   */
  async #attempt(action) {
    if (this.pauseMs > 0) throw new LeftAlone('The storage has failed.', { cause: this.#cause });
    try {
      const result = await this.#wait(action());
      this.#pauseMs = 0;
      return result;
    } catch (cause) {
      if (this.pauseMs === 0) this.#rest(cause);
      throw cause;
    }
  }

  /** @param {unknown} cause */
  #rest(cause) {
    this.#cause = cause;
    this.#pauseMs = Math.min(this.#pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    this.#downUntil = performance.now() + this.#pauseMs;
    this.#storage.reset?.();
  }

  /**
   * @template T
   * @param {Promise<T>} answer
   * @returns {Promise<T>}
   */
  async #wait(answer) {
    const mine = { since: performance.now() };
    this.#asked.add(mine);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        const check = (/** @type {number} */ dueAt) => {
          const now = performance.now();
          // A page that was frozen runs its timers before it gets the answers that came meanwhile.
          if (now - dueAt > LATE_MS) mine.since = now;
          const left = mine.since + LONGEST_WAIT_MS - now;
          if (left > 0) timer = setTimeout(() => check(now + left), left);
          else reject(new Error(`The storage has not answered for ${LONGEST_WAIT_MS} ms.`));
        };
        check(performance.now());
        answer.finally(() => this.#isAliveAfter(mine)).then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#asked.delete(mine);
    }
  }

  /** @param {{since: number}} answered */
  #isAliveAfter(answered) {
    let isLater = false;
    for (const each of this.#asked) {
      if (isLater) each.since = performance.now();
      isLater ||= each === answered;
    }
  }
}
