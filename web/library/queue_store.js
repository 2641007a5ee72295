// The queues of one database: where they are stored, which tab sends, and what to do when the page goes away or the network
// comes back.

import { invalidArgument } from './errors.js';
import { counterOf, UNREADABLE } from './lane.js';
import { CounterQueue } from './queue.js';
import { indexedDbStorage, memoryStorage } from './storage.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./storage.js').QueueStorage} QueueStorage
 * @typedef {import('./errors.js').ShardlineError} ShardlineError
 */

/** How long close() waits for the server. */
const CLOSE_MS = 5000;

/**
 * @param {'indexeddb' | 'memory' | QueueStorage | undefined} storage
 * @param {string} name
 * @returns {QueueStorage}
 */
export function openStorage(storage, name) {
  if (storage === 'memory') return memoryStorage();
  // Node has none. A browser that forbids it has one all the same, and fails later, with a warning.
  if (storage === undefined && !('indexedDB' in globalThis)) return memoryStorage();
  if (storage === undefined || storage === 'indexeddb') return indexedDbStorage(name);
  if (typeof storage?.update === 'function' && typeof storage.all === 'function' && typeof storage.close === 'function') {
    return storage;
  }
  throw invalidArgument('storage must be ‘indexeddb’, ‘memory’, or an object with update(), all() and close().');
}

export class QueueStore {
  #connection;
  #storage;
  #name;
  #warn;
  #retry;
  /** @type {Map<string, CounterQueue>} */
  #queues = new Map();
  /** @type {BroadcastChannel | undefined} */
  #channel;
  /** @type {() => void} */
  #release = () => {};
  #listeners = new AbortController();
  #maySend = false;
  /** @type {Promise<void> | undefined} */
  #closing;

  /**
   * @param {Connection} connection
   * @param {QueueStorage} storage
   * @param {string} name The same in all tabs that use the same storage.
   * @param {object} options
   * @param {((warning: ShardlineError) => void)} [options.onWarning]
   * @param {{initialDelayMs?: number, maxDelayMs?: number}} options.retry
   */
  constructor(connection, storage, name, { onWarning, retry }) {
    this.#connection = connection;
    this.#storage = storage;
    this.#name = name;
    this.#warn = onWarning ?? ((/** @type {ShardlineError} */ warning) => console.warn(warning));
    this.#retry = retry;
    this.#listen();
    void this.#begin();
  }

  /**
   * The queue by that key.
   * @param {string} key
   * @param {object} counter Its options, for a queue that is new.
   */
  queue(key, counter) {
    let queue = this.#queues.get(key);
    if (!queue) {
      queue = new CounterQueue({
        connection: this.#connection,
        maySend: () => this.#maySend,
        tell: (news, wakeInMs) => this.#channel?.postMessage({ news, wakeInMs }),
        warn: (warning) => this.#warn(warning),
        firstPauseMs: this.#retry.initialDelayMs ?? 1000,
        longestPauseMs: this.#retry.maxDelayMs ?? 60_000,
      }, this.#storage, memoryStorage, key, counter);
      this.#queues.set(key, queue);
      if (this.#storage.shared) void queue.look();
    }
    return queue;
  }

  /**
   * Sends what waits, as long as that works, and stops.
   * @returns {Promise<void>}
   */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([Promise.all([...this.#queues.values()].map((queue) => queue.flushOnce())), patience]);
    clearTimeout(timer);
    this.#listeners.abort();
    for (const queue of this.#queues.values()) queue.close();
    this.#maySend = false;
    this.#release();
    this.#channel?.close();
    await this.#storage.close();
  }

  /** Becomes the one that sends, as soon as no other tab is; and sends what earlier ones have left. */
  async #begin() {
    if (this.#storage.shared && 'BroadcastChannel' in globalThis) this.#openChannel();
    if (this.#storage.shared && 'navigator' in globalThis && 'locks' in navigator) {
      const locked = new Promise((resolve, reject) => {
        navigator.locks.request(this.#name, { signal: this.#listeners.signal }, () => {
          resolve(undefined);
          return new Promise((release) => {
            this.#release = () => release(undefined);
          });
        }).catch(reject);
      });
      try {
        await locked;
      } catch {
        // Closed while it waited; or the page may not use locks, then every tab sends. That counts nothing twice.
      }
    }
    if (this.#listeners.signal.aborted) return;
    this.#maySend = true;
    await this.#resumeAll();
  }

  async #resumeAll() {
    /** @type {Map<string, string>} */
    let texts;
    try {
      texts = await this.#storage.all();
    } catch {
      return; // The first increment will say so.
    }
    for (const [key, text] of texts) {
      const counter = counterOf(text);
      if (counter && !key.startsWith(UNREADABLE)) this.queue(key, counter);
    }
    for (const queue of this.#queues.values()) void queue.resume();
  }

  #openChannel() {
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data: { news, wakeInMs } }) => {
      const queue = this.#queues.get(news.key);
      if (wakeInMs === undefined) queue?.hear(news);
      else if (this.#maySend) this.#wake(news.key, wakeInMs);
    };
  }

  /**
   * Another tab has stored something.
   * @param {string} key
   * @param {number} ms
   */
  async #wake(key, ms) {
    const known = this.#queues.get(key);
    if (known) return known.wake(ms);
    await this.#resumeAll();
  }

  #listen() {
    const { signal } = this.#listeners;
    if (!('addEventListener' in globalThis)) return;
    globalThis.addEventListener('online', () => this.#flushAll(false), { signal });
    if (!('document' in globalThis)) return;
    globalThis.addEventListener('pagehide', () => this.#flushAll(true), { signal });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#flushAll(true);
    }, { signal });
  }

  /** @param {boolean} keepalive */
  #flushAll(keepalive) {
    for (const queue of this.#queues.values()) queue.flush({ keepalive }).catch(() => {});
  }
}
