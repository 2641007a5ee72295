// Where increments wait until the server has confirmed them. What is stored is text; what it means is decided in the core.

import { notAllowed } from '../errors.js';
import { readable } from '../options.js';
import { indexedDbStorage } from './indexed_db.js';

/**
 * Something that keeps texts by key, and outlives the page. `connect({ storage })` takes one.
 * @typedef {object} OutboxStorage
 * @property {(key: string, change: (text: string | undefined) => string | undefined, options: {durable: boolean}) =>
 *   Promise<void>} update Calls `change` once, with the text stored by that key, and stores what it returns; undefined removes
 *   it. Nobody else's update of the key may come in between. When `change` throws, nothing is changed, and the promise rejects
 *   with that error. With `durable` it resolves only when a power failure can do no harm.
 * @property {() => Promise<Map<string, string>>} all What is stored, by its keys. If it is anything else, the storage is not used.
 * @property {() => void | Promise<void>} close
 * @property {() => void} [reset] Called when an update does not end: what was opened is to be opened anew.
 * @property {boolean} [volatile] Whether it is lost with the page.
 * @property {boolean} [shared] Whether other tabs use the same one: then Web Locks and a BroadcastChannel tie them together.
 */

/** How long an answer of the storage is waited for, after it has answered whatever was asked before. */
const LONGEST_WAIT_MS = 5000;
/** A timer that comes so much too late was held up: the page was frozen, or the device slept. */
const LATE_MS = 1000;
/** How long a storage that has failed is left alone: doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** How long one that is of no use is left alone. setTimeout takes little more. */
const FOR_GOOD_MS = 2e9;

/**
 * As long as the page lives.
 * @returns {OutboxStorage}
 */
export function memoryStorage() {
  /** @type {Map<string, string>} */
  const texts = new Map();
  return {
    volatile: true,
    async update(key, change) {
      const text = change(texts.get(key));
      if (text === undefined) texts.delete(key);
      else texts.set(key, text);
    },
    all: async () => new Map(texts),
    close: () => {},
  };
}

/**
 * @param {'indexeddb' | 'memory' | OutboxStorage | undefined} storage
 * @param {string} name
 * @returns {OutboxStorage}
 */
export function openStorage(storage, name) {
  if (storage === 'memory') return memoryStorage();
  // Node has none. A browser that forbids it has one all the same, and fails later, with a warning.
  if (storage === undefined && !('indexedDB' in globalThis)) return memoryStorage();
  if (storage === undefined || storage === 'indexeddb') return indexedDbStorage(name);
  const isStorage = readable('storage', () => [storage.update, storage.all, storage.close].every((each) => typeof each === 'function'));
  if (isStorage) return storage;
  throw notAllowed('storage', '‘indexeddb’, ‘memory’, or an object with update(), all() and close()');
}

/**
 * Of another realm it is no instance of this Map. Values that are no texts are told as unreadable, each for itself.
 * @param {any} texts
 */
function isMapByTexts(texts) {
  return Object.prototype.toString.call(texts) === '[object Map]' && [...texts.keys()].every((key) => typeof key === 'string');
}

/**
 * Ends with the promise, or rejects after so long. What the promise does later is ignored.
 * @template T
 * @param {Promise<T> | T} promise
 * @param {number} ms
 * @returns {Promise<T>}
 */
export function within(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It did not end within ${ms} ms.`)), ms);
    Promise.resolve(promise).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * A storage of which every answer is waited for a bounded time, and which is left alone for a while after it has failed. One that has
 * much to do is no failure: the time counts from its last answer to something that was asked before. Answers to what was asked later
 * do not count, as one that does not come would be waited for as long as others come.
 */
export class PatientStorage {
  #storage;
  /** @type {Set<{since: number}>} What is waited for, in the order in which it was asked for. */
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

  /** How long it is left alone, from now on. */
  get pauseMs() {
    return Math.max(this.#downUntil - performance.now(), 0);
  }

  /** @type {OutboxStorage['update']} When it rejects after `change` has returned, the text may or may not be stored. */
  async update(key, change, options) {
    let abandoned = false;
    /** @type {{error: unknown} | undefined} What `change` has thrown; that is no failure of the storage. */
    let refused;
    const guarded = (/** @type {string | undefined} */ text) => {
      if (abandoned) return text;
      try {
        return change(text);
      } catch (error) {
        refused = { error };
        throw error;
      }
    };
    await this.#attempt(() => this.#storage.update(key, guarded, options).catch((error) => {
      if (!refused) throw error;
    })).finally(() => {
      abandoned = true;
    });
    if (refused) throw /** @type {{error: unknown}} */ (refused).error;
  }

  /** @returns {Promise<Map<string, string>>} */
  async all() {
    const texts = await this.#attempt(() => this.#storage.all());
    if (isMapByTexts(texts)) return texts;
    this.#cause = new TypeError('all() must resolve to a Map of texts.');
    this.#downUntil = performance.now() + FOR_GOOD_MS;
    throw this.#cause;
  }

  async close() {
    try {
      await within(this.#storage.close(), LONGEST_WAIT_MS);
    } catch {
      // It is closed as far as anybody can close it.
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} action
   */
  async #attempt(action) {
    if (this.pauseMs > 0) throw new Error('The storage has failed.', { cause: this.#cause });
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
          // A page that was frozen hears its timers before the answers that came meanwhile.
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
