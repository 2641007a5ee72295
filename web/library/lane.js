// The increments of one counter in one storage: how they are stored, staged as batches, sent and settled. What each of these
// steps means for the stored text is decided in the core (src/counter/delivery_queue.h).

import { ShardlineError } from './errors.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./storage.js').QueueStorage} QueueStorage
 * @typedef {{integerValue: string} | {doubleValue: number | string}} Amount
 * @typedef {{code: import('./errors.js').ErrorCode, message: string, status: number}} PlainError
 *
 * @typedef {object} View What a queue's text says. See src/api/delivery_api.h.
 * @property {string} state
 * @property {number} settled
 * @property {{ticket: number, error: PlainError}[]} failures
 * @property {Amount[]} entries
 * @property {number[]} [tickets]
 * @property {any} [batch]
 *
 * @typedef {object} Stored
 * @property {object} counter The counter's options, for other tabs and later pages to send by.
 * @property {string} state
 * @property {number} version Grows with every change, also from one queue to another by the same key.
 *
 * @typedef {object} News What tabs tell each other about a queue.
 * @property {string} key
 * @property {number} version
 * @property {number} settled
 * @property {View['failures']} failures
 * @property {Amount[]} entries
 *
 * @typedef {object} Waiter
 * @property {number} first
 * @property {number} last
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 *
 * @typedef {object} Surroundings What a queue needs of its database.
 * @property {Connection} connection
 * @property {() => boolean} maySend Whether this tab is the one that sends.
 * @property {(news: News, wakeInMs?: number) => void} tell Tells the other tabs; and wakes the one that sends.
 * @property {(warning: ShardlineError) => void} warn
 * @property {number} firstPauseMs How long to wait after a delivery that has settled nothing, in which the core has tried several
 *   times already. Doubled each time.
 * @property {number} longestPauseMs
 */

/** What stands in front of the keys of what cannot be read. */
export const UNREADABLE = 'unreadable';

export class Lane {
  #surroundings;
  #storage;
  #key;
  #onChange;
  #version = 0;
  /** @type {Waiter[]} */
  #waiters = [];
  /** @type {Promise<void> | undefined} */
  #delivering;
  #again = false;
  /** The last ticket that is to be sent now; Infinity until the storage has said which is the last. */
  #target = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #dueAt = Infinity;
  #pauseMs = 0;
  /** @type {object} */
  #counter;
  settled = 0;
  /** @type {View['failures']} */
  failures = [];
  /** @type {Amount[]} */
  entries = [];
  /** @type {ShardlineError | undefined} Why the last attempt has settled nothing. */
  trouble;
  attempts = 0;
  aborted = 0;
  /** Whether a batch has been sent and is not settled. */
  sending = false;
  /** Grows when that begins, and when it ends. */
  sends = 0;
  /** @type {number | undefined} As the last delivery has found it. */
  shards;
  keepalive = false;

  /**
   * @param {Surroundings} surroundings
   * @param {QueueStorage} storage
   * @param {string} key
   * @param {object} counter
   * @param {() => void} onChange
   */
  constructor(surroundings, storage, key, counter, onChange) {
    this.#surroundings = surroundings;
    this.#storage = storage;
    this.#key = key;
    this.#counter = counter;
    this.#onChange = onChange;
  }

  /** The ticket of the last increment so far. */
  get last() {
    return this.settled + this.entries.length;
  }

  get shared() {
    return this.#storage.shared === true;
  }

  /** Whether what it holds is lost with the page. */
  get isVolatile() {
    return this.#storage.volatile === true;
  }

  /**
   * Stores increments.
   * @param {object} counter
   * @param {object} args `deltas`, `clientId`, `maxDelta`.
   * @param {{resolve: () => void, reject: (error: unknown) => void}[]} callers One for each delta.
   * @param {() => void} onStored Called when `entries` has them.
   */
  async add(counter, args, callers, onStored) {
    this.#counter = counter;
    const view = await this.#update('queue.add', args, { onStored });
    const tickets = view.tickets ?? [];
    callers.forEach(({ resolve, reject }, i) => {
      this.#waiters.push({ first: tickets[2 * i] ?? 0, last: tickets[2 * i + 1] ?? 0, resolve, reject });
    });
    // Another tab may have been faster.
    this.#settle(view.settled, view.failures);
  }

  /** Removes what cannot be read, and keeps it by another key for whoever can. */
  async setAside() {
    /** @type {string | undefined} */
    let unreadable;
    await this.#storage.update(this.#key, (text) => {
      try {
        const stored = readStored(text);
        if (stored) this.#surroundings.connection.runNow('queue.view', { state: stored.state });
        return text; // Somebody was faster.
      } catch {
        unreadable = text;
        return undefined;
      }
    }, { durable: true });
    if (unreadable === undefined) return;
    await this.#storage.update(`${UNREADABLE} ${Date.now()} ${this.#key}`, () => unreadable, { durable: false });
  }

  /** Learns what is stored. */
  async refresh() {
    await this.#update('queue.view', {});
  }

  /**
   * Takes in what another tab tells.
   * @param {News} news
   */
  hear({ version, settled, failures, entries }) {
    if (version > this.#version) {
      this.#version = version;
      this.settled = settled;
      this.failures = failures;
      this.entries = entries;
    }
    this.#settle(settled, failures);
    this.#onChange();
  }

  /** @returns {News} */
  news() {
    const { settled, failures, entries } = this;
    return { key: this.#key, version: this.#version, settled, failures, entries };
  }

  /**
   * Sends what waits, in so many milliseconds at the latest.
   * @param {number} ms
   */
  wake(ms) {
    const dueAt = performance.now() + ms;
    // In times of trouble there is a pause, which new increments do not shorten.
    if (dueAt >= this.#dueAt || (ms > 0 && this.trouble && this.#dueAt < Infinity)) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    if (ms <= 0) void this.deliver();
    else this.#timer = setTimeout(() => void this.deliver(), ms);
  }

  /**
   * Sends all that waits now, or until something has not worked out; what is added meanwhile has its own time. Never rejects.
   * @returns {Promise<void>}
   */
  deliver() {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
    this.#again = true;
    this.#target = Infinity;
    this.#delivering ??= this.#deliverAll().finally(() => {
      this.#delivering = undefined;
      this.keepalive = false;
      if (this.#again) void this.deliver(); // It was asked for between the loop and here.
    });
    return this.#delivering;
  }

  /** @param {unknown} error */
  rejectAll(error) {
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  async #deliverAll() {
    try {
      while (this.#again) {
        this.#again = false;
        while (await this.#deliverOne() && this.settled < this.#target);
      }
    } catch (cause) {
      // The storage fails, or the connection was closed meanwhile.
      if (cause instanceof ShardlineError && (cause.code === 'cancelled' || cause.code === 'failed-precondition')) return;
      this.#pause(cause instanceof ShardlineError ? cause
        : new ShardlineError('unavailable', 'Increments that wait in the storage cannot be sent, because it fails.', { cause }));
    }
  }

  /** @returns {Promise<boolean>} Whether a batch was settled. */
  async #deliverOne() {
    const { batch } = await this.#update('queue.stage', { now: Date.now() }, { durable: true });
    if (!batch) return false;
    if (!this.sending) this.sends += 1;
    this.sending = true;
    if (this.#target === Infinity) this.#target = this.last;
    const outcome = await this.#send(batch);
    this.attempts += outcome.attempts ?? 0;
    this.aborted += outcome.aborted ?? 0;
    this.shards = outcome.shards || this.shards;
    if (outcome.outcome === 'unsettled') {
      // It goes on from the ledger as it is by now.
      if (outcome.ledger) await this.#update('queue.settle', { batch: batch.id, outcome });
      const { code, message, status } = outcome.error;
      this.#pause(new ShardlineError(code, message, { status }));
      return false;
    }
    this.#pauseMs = 0;
    this.trouble = undefined;
    await this.#update('queue.settle', { batch: batch.id, outcome });
    this.sending = false;
    this.sends += 1;
    return true;
  }

  /** @param {any} batch */
  async #send(batch) {
    const counter = { ...this.#counter };
    if (this.shards) Object.assign(counter, { shards: this.shards });
    try {
      return await this.#surroundings.connection.run('counter.deliver', { counter, batch }, { keepalive: this.keepalive });
    } catch (error) {
      if (!(error instanceof ShardlineError) || error.code === 'cancelled' || error.code === 'failed-precondition') throw error;
      const { code, message, status } = error;
      return { outcome: code === 'invalid-argument' ? 'refused' : 'unsettled', error: { code, message, status } };
    }
  }

  /** @param {ShardlineError} error */
  #pause(error) {
    if (this.trouble?.code !== error.code) this.#surroundings.warn(error);
    this.trouble = error;
    const { firstPauseMs, longestPauseMs } = this.#surroundings;
    this.#pauseMs = Math.min(this.#pauseMs * 2 || firstPauseMs, longestPauseMs);
    this.#again = false;
    this.wake(this.#pauseMs);
    this.#onChange();
  }

  /**
   * One atomic step of the queue in the storage.
   * @param {string} name Of the core's operation.
   * @param {object} args
   * @param {{durable?: boolean, onStored?: () => void}} [options]
   * @returns {Promise<View>}
   */
  async #update(name, args, { durable = false, onStored } = {}) {
    /** @type {{view: View, version: number, changed: boolean} | undefined} */
    let result;
    await this.#storage.update(this.#key, (text) => {
      const stored = readStored(text);
      const view = this.#surroundings.connection.runNow(name, { state: stored?.state ?? null, ...args });
      // Where nothing is stored, nothing comes of looking.
      const changed = name === 'queue.add' || (stored !== undefined && view.state !== stored.state);
      if (stored && name !== 'queue.add') this.#counter = stored.counter;
      const version = changed ? Math.max((stored?.version ?? 0) + 1, Date.now()) : stored?.version ?? 0;
      result = { view, version, changed };
      return changed ? JSON.stringify({ counter: this.#counter, state: view.state, version }) : text;
    }, { durable });
    if (!result) throw new ShardlineError('internal', 'The storage has not called what it was given.');
    const { view, version, changed } = result;
    const { settled, failures, entries } = view;
    if (version >= this.#version) {
      this.#version = version;
      this.settled = settled;
      this.failures = failures;
      this.entries = entries;
    }
    onStored?.();
    if (changed && this.shared) this.#surroundings.tell({ key: this.#key, version, settled, failures, entries });
    this.#settle(settled, failures);
    this.#onChange();
    return view;
  }

  /**
   * Tells those who wait.
   * @param {number} settled
   * @param {View['failures']} failures
   */
  #settle(settled, failures) {
    const done = this.#waiters.filter(({ last }) => last <= settled);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter(({ last }) => last > settled);
    for (const { first, last, resolve, reject } of done) {
      const failure = failures.find(({ ticket }) => ticket >= first && ticket <= last);
      if (failure) reject(new ShardlineError(failure.error.code, failure.error.message, { status: failure.error.status }));
      else resolve();
    }
  }
}

/**
 * @param {string | undefined} text
 * @returns {Stored | undefined}
 */
function readStored(text) {
  if (text === undefined) return undefined;
  /** @type {any} */
  let stored;
  try {
    stored = JSON.parse(text);
  } catch {
    // Answered below.
  }
  if (typeof stored?.state === 'string' && Number.isSafeInteger(stored.version) && typeof stored.counter?.path === 'string') return stored;
  throw new ShardlineError('data-loss', 'Stored increments cannot be read: something else has written to the storage.');
}

/**
 * The options of the counter that a stored text is about; undefined if it cannot be read.
 * @param {string} text
 */
export function counterOf(text) {
  try {
    return readStored(text)?.counter;
  } catch {
    return undefined;
  }
}
