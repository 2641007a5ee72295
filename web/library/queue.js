// All increments of one counter that are on their way: in the lane of its storage, in one in memory where that fails, and on
// their way into either.

import { ShardlineError } from './errors.js';
import { Lane } from './lane.js';
import { decodeNumber } from './values.js';
import { add } from './watch.js';

/**
 * @typedef {import('./lane.js').Amount} Amount
 * @typedef {import('./lane.js').News} News
 * @typedef {import('./lane.js').Surroundings} Surroundings
 * @typedef {import('./storage.js').QueueStorage} QueueStorage
 *
 * @typedef {{amount: Amount, resolve: () => void, reject: (error: unknown) => void}} Asked An increment.
 */

/** How many commits tell something about contention. */
const COMMITS_PER_LOOK = 20;

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
