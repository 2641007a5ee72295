// The increments of one counter that are on their way. They are stored, staged as batches, sent and settled; what each of
// these steps means for the stored text is decided in the core (src/counter/delivery_queue.h).

import { ShardlineError } from './errors.js';
import { decodeNumber } from './values.js';
import { add } from './watch.js';

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
 * @typedef {{amount: Amount, resolve: () => void, reject: (error: unknown) => void}} Asked An increment.
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

/** How many commits tell something about contention. */
const COMMITS_PER_LOOK = 20;

/** What stands in front of the keys of what cannot be read. */
export const UNREADABLE = 'unreadable';

/** One queue in one storage. */
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

/**
 * All that is asked for and not confirmed.
 * @param {Amount[]} amounts
 * @returns {number | bigint}
 */
export function sum(amounts) {
  let integers = 0n;
  let doubles = 0;
  let hasDouble = false;
  for (const amount of amounts) {
    if ('integerValue' in amount) {
      integers += BigInt(amount.integerValue);
    } else {
      doubles += Number(amount.doubleValue);
      hasDouble = true;
    }
  }
  return hasDouble ? Number(integers) + doubles : decodeNumber(`${integers}`);
}

/** All increments of one counter: in the storage, in memory where that fails, and on their way into either. */
export class CounterQueue {
  #surroundings;
  #key;
  #storage;
  #makeMemory;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {Asked[]} Not stored yet. */
  #fresh = [];
  /** @type {Asked[]} Being stored. */
  #entering = [];
  /** @type {Set<Amount>} Not for this queue to send. */
  #tracked = new Set();
  #trackings = 0;
  /** @type {number | bigint} */
  #asked = 0;
  /** @type {Promise<void> | undefined} */
  #looked;
  /** @type {Promise<void> | undefined} */
  #storing;
  /** @type {Lane} */
  #lane;
  /** @type {Lane | undefined} */
  #memory;
  #started = performance.now();
  /** @type {() => void} */
  #stopWatching = () => {};
  /** @type {object} */
  counter;
  flushMs = 1000;
  /** @type {string | undefined} */
  clientId;
  /** @type {Amount | undefined} */
  maxDelta;

  /**
   * @param {Surroundings} surroundings
   * @param {QueueStorage} storage
   * @param {() => QueueStorage} makeMemory
   * @param {string} key
   * @param {object} counter
   */
  constructor(surroundings, storage, makeMemory, key, counter) {
    this.#surroundings = surroundings;
    this.#storage = storage;
    this.#makeMemory = makeMemory;
    this.#key = key;
    this.counter = counter;
    this.#lane = this.#makeLane(storage);
  }

  /** The sum of what was asked for here, or stored by any tab or earlier page, and is not confirmed. */
  get pending() {
    const asked = [...this.#entering, ...this.#fresh].map(({ amount }) => amount);
    return sum([...this.#lane.entries, ...this.#memory?.entries ?? [], ...asked, ...this.#tracked]);
  }

  /** The sum of all that was ever asked for here, but for what was refused. */
  get asked() {
    return this.#asked;
  }

  /** Grows when something begins to be sent, and when that has ended. */
  get sends() {
    return this.#lanes().reduce((all, lane) => all + lane.sends, this.#trackings);
  }

  /** Whether something may be on its way to the server, from here or from another tab. */
  get sending() {
    return this.#tracked.size > 0 || this.#lanes().some((lane) => lane.sending || (!this.#mayDeliver(lane) && lane.entries.length > 0));
  }

  /** What this page has seen of contention. */
  get contention() {
    const lanes = this.#lanes();
    const attempts = lanes.reduce((all, lane) => all + lane.attempts, 0);
    const aborted = lanes.reduce((all, lane) => all + lane.aborted, 0);
    return { attempts, aborted, perSecond: (1000 * (attempts - aborted)) / Math.max(performance.now() - this.#started, 1000) };
  }

  /** How many shards the last delivery has found. */
  get shards() {
    return this.#lane.shards ?? this.#memory?.shards;
  }

  set shards(shards) {
    for (const lane of this.#lanes()) lane.shards = shards;
  }

  /**
   * Calls `grow` after every twenty commits, with what these have met; of several calls of this, the last one counts.
   * @param {(contention: {attempts: number, aborted: number, perSecond: number}) => Promise<void>} grow
   */
  watchContention(grow) {
    let seen = this.contention;
    let growing = false;
    this.#stopWatching();
    this.#stopWatching = this.onChange(async () => {
      const now = this.contention;
      const attempts = now.attempts - seen.attempts;
      if (growing || attempts < COMMITS_PER_LOOK) return;
      growing = true;
      const aborted = now.aborted - seen.aborted;
      seen = now;
      try {
        await grow({ attempts, aborted, perSecond: now.perSecond });
      } catch (error) {
        if (error instanceof ShardlineError && error.code !== 'cancelled') this.#surroundings.warn(error);
      }
      growing = false;
    });
  }

  /**
   * @param {() => void} listener Called after every change of `pending`.
   * @returns {() => void} Ends it.
   */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves when the increment is on the server.
   * @param {Amount} amount
   * @param {AbortSignal} [signal] Ends the wait; the increment too, if it has not been stored yet.
   * @returns {Promise<void>}
   */
  add(amount, signal) {
    return new Promise((resolve, reject) => {
      this.#ask(amount, 1);
      const refuse = (/** @type {unknown} */ error) => {
        this.#ask(amount, -1);
        reject(error);
      };
      const entry = { amount, resolve: () => resolve(), reject: refuse };
      signal?.addEventListener('abort', () => {
        const waiting = this.#fresh.includes(entry);
        this.#fresh = this.#fresh.filter((other) => other !== entry);
        (waiting ? refuse : reject)(new ShardlineError('cancelled', waiting ? 'The increment was cancelled before it was sent.'
          : 'The wait was cancelled. The increment is on its way, and will be counted.', { cause: signal.reason }));
        this.#changed();
      });
      this.#fresh.push(entry);
      this.#changed();
      this.#store();
    });
  }

  /**
   * Counts an increment as pending that goes another way.
   * @param {Amount} amount
   * @returns {(counted: boolean) => void} Ends it.
   */
  track(amount) {
    this.#tracked.add(amount);
    this.#trackings += 1;
    this.#ask(amount, 1);
    this.#changed();
    return (counted) => {
      this.#tracked.delete(amount);
      this.#trackings += 1;
      if (!counted) this.#ask(amount, -1);
      this.#changed();
    };
  }

  /**
   * Sends what waits. Resolves when everything asked for until now is settled: counted, or refused.
   * @param {{signal?: AbortSignal, keepalive?: boolean}} [options] `keepalive`: also when the page goes away meanwhile.
   * @returns {Promise<void>}
   */
  async flush({ signal, keepalive = false } = {}) {
    await this.look();
    while (this.#storing) await this.#storing;
    await Promise.all(this.#lanes().map(async (lane) => {
      const target = lane.last;
      lane.keepalive = keepalive;
      this.#send(lane, 0);
      await this.#until(() => lane.settled >= target, signal);
    }));
  }

  /** The same, but gives up as soon as sending does not work. */
  async flushOnce() {
    while (this.#storing) await this.#storing;
    await Promise.all(this.#lanes().map(async (lane) => {
      const target = lane.last;
      if (this.#mayDeliver(lane)) return lane.deliver();
      this.#send(lane, 0);
      return this.#until(() => lane.settled >= target);
    }));
  }

  /** Learns what earlier pages and other tabs have stored. */
  look() {
    this.#looked ??= this.#lane.refresh().catch((error) => this.#setAside(error));
    return this.#looked;
  }

  /** And sends it. */
  async resume() {
    await this.#lane.refresh().catch((error) => this.#setAside(error));
    this.#send(this.#lane, 0);
    // Those who wait in other tabs may have missed what a tab that has gone has done.
    if (this.#lane.shared) this.#surroundings.tell(this.#lane.news());
  }

  /**
   * Another tab wants something sent.
   * @param {number} ms
   */
  wake(ms) {
    if (this.#mayDeliver(this.#lane)) this.#lane.wake(ms);
  }

  /** @param {News} news */
  hear(news) {
    this.#lane.hear(news);
  }

  /** Everything that waits fails; what is stored is for the next page. */
  close() {
    for (const { reject } of this.#fresh.splice(0)) reject(closed('It was not sent.'));
    for (const lane of this.#lanes()) {
      lane.rejectAll(closed(lane.isVolatile ? 'The increment may or may not have been counted.'
        : 'The increment is stored, and is sent when the database is connected again.', lane));
    }
    this.#listeners.clear();
  }

  /**
   * @param {Amount} amount
   * @param {1 | -1} sign
   */
  #ask(amount, sign) {
    const value = sum([amount]);
    this.#asked = add(this.#asked, sign > 0 ? value : -value);
  }

  #lanes() {
    return this.#memory ? [this.#lane, this.#memory] : [this.#lane];
  }

  /** @param {QueueStorage} storage */
  #makeLane(storage) {
    return new Lane(this.#surroundings, storage, this.#key, this.counter, () => this.#changed());
  }

  /** @param {Lane} lane */
  #mayDeliver(lane) {
    return lane === this.#memory || this.#surroundings.maySend();
  }

  /**
   * @param {Lane} lane
   * @param {number} ms
   */
  #send(lane, ms) {
    if (lane.entries.length === 0) return;
    if (this.#mayDeliver(lane)) lane.wake(ms);
    else this.#surroundings.tell(lane.news(), ms);
  }

  #changed() {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Stores what is fresh, all of it at once; while that goes on, more may gather. */
  #store() {
    this.#storing ??= Promise.resolve().then(async () => {
      while (this.#fresh.length > 0) {
        this.#entering = this.#fresh;
        this.#fresh = [];
        await this.#storeEntering();
      }
    }).finally(() => {
      this.#storing = undefined;
      if (this.#fresh.length > 0) this.#store(); // It came between the loop and here.
    });
  }

  async #storeEntering() {
    const all = this.#entering;
    try {
      await this.#tryToStore(all, []);
    } catch (error) {
      if (all.length === 1) {
        this.#entering = [];
        all[0]?.reject(error);
      }
      // One of them is to blame.
      for (let i = 0; all.length > 1 && i < all.length; ++i) {
        await this.#tryToStore(all.slice(i, i + 1), all.slice(i + 1)).catch((reason) => {
          this.#entering = all.slice(i + 1);
          all[i]?.reject(reason);
        });
      }
    }
    this.#changed();
  }

  /**
   * @param {Asked[]} asked
   * @param {Asked[]} behind What is still to be stored after these.
   * @returns {Promise<void>}
   */
  async #tryToStore(asked, behind) {
    const lane = this.#memory ?? this.#lane;
    const args = { clientId: this.clientId ?? null, deltas: asked.map(({ amount }) => amount), maxDelta: this.maxDelta ?? null };
    try {
      await lane.add(this.counter, args, asked, () => {
        this.#entering = behind;
      });
    } catch (error) {
      if (!(error instanceof ShardlineError)) this.#useMemory(error);
      else if (error.code === 'data-loss' && lane === this.#lane) await this.#setAside(error);
      else throw error;
      return this.#tryToStore(asked, behind);
    }
    this.#send(lane, this.flushMs);
  }

  /** @param {unknown} cause */
  #useMemory(cause) {
    if (this.#memory) return;
    this.#memory = this.#makeLane(this.#makeMemory());
    this.#surroundings.warn(new ShardlineError('resource-exhausted', 'The browser does not let increments be stored: they are '
      + 'kept in memory, and those that are not sent are lost when the page is closed.', { cause }));
  }

  /**
   * What is stored cannot be read: begins anew, and keeps it for whoever can.
   * @param {unknown} error
   */
  async #setAside(error) {
    if (!(error instanceof ShardlineError)) return this.#useMemory(error);
    if (error.code !== 'data-loss') return; // The connection was closed.
    this.#surroundings.warn(error);
    try {
      await this.#lane.setAside();
    } catch (cause) {
      this.#useMemory(cause);
    }
  }

  /**
   * @param {() => boolean} condition
   * @param {AbortSignal} [signal]
   */
  #until(condition, signal) {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!condition()) return;
        stop();
        resolve(undefined);
      };
      const stop = this.onChange(check);
      signal?.addEventListener('abort', () => {
        stop();
        reject(new ShardlineError('cancelled', 'The wait was cancelled; sending goes on.', { cause: signal.reason }));
      });
      check();
    });
  }
}

/**
 * @param {string} message
 * @param {Lane} [lane]
 */
function closed(message, lane) {
  const code = lane?.isVolatile ? 'outcome-unknown' : 'cancelled';
  return new ShardlineError(code, `The database was closed. ${message}`, { cause: lane?.trouble });
}
