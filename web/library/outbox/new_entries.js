// Increments on their way into the storage: whose they are, and that they are stored together.

import { ShardlineError } from '../errors.js';
import { onAbort } from '../signals.js';

/**
 * @typedef {import('./amounts.js').Amount} Amount
 * @typedef {import('./users.js').User} User
 *
 * @typedef {object} Entry An increment that is not stored yet.
 * @property {Amount} amount
 * @property {User | undefined} user Whose it is; undefined until that is known.
 * @property {User} [userBefore] Who was there when it was asked for, as far as was known.
 * @property {boolean} [isAsking] Whether it is being asked just now.
 * @property {boolean} [isLate] Whether nobody could tell then.
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 *
 * @typedef {object} Callbacks
 * @property {(user: User, entries: Entry[], onStored: () => void) => Promise<void>} store
 * @property {() => void} onChange
 * @property {(amount: Amount, error: ShardlineError) => void} onUnclaimed Called when an increment has failed for which nobody waits any
 *   more.
 */

export class NewEntries {
  #surroundings;
  #callbacks;
  /** @type {Entry[]} Not stored yet. */
  #fresh = [];
  /** @type {Set<Entry>} Being stored. */
  #entering = new Set();
  /** @type {Set<Promise<User>>} */
  #asking = new Set();
  /** @type {Promise<void> | undefined} */
  #storing;

  /**
   * @param {{users: import('./users.js').Users, onUnknownUser: (error: ShardlineError) => void}} surroundings
   * @param {Callbacks} callbacks
   */
  constructor(surroundings, callbacks) {
    this.#surroundings = surroundings;
    this.#callbacks = callbacks;
  }

  get amounts() {
    return this.#fresh.map(({ amount }) => amount);
  }

  /**
   * Resolves when the increment is on the server.
   * @param {Amount} amount
   * @param {User | undefined} user Whose it is, if that is known.
   * @param {() => void} onFailed
   * @param {AbortSignal} [signal] Ends the wait; the increment too, if it has not been stored yet.
   * @returns {Promise<void>}
   */
  add(amount, user, onFailed, signal) {
    return new Promise((resolve, reject) => {
      /** @type {Entry} */
      const entry = {
        amount,
        user,
        resolve: () => {
          forget?.();
          resolve();
        },
        reject: (error) => {
          forget?.();
          onFailed();
          // Nobody waits for it any more.
          if (isLeft && error instanceof ShardlineError && error.code !== 'cancelled') {
            this.#callbacks.onUnclaimed(amount, error);
          }
          reject(error);
        },
      };
      let isLeft = false;
      const cancel = () => {
        const isFresh = this.#fresh.includes(entry) && !this.#entering.has(entry);
        const cause = signal?.reason;
        if (isFresh) {
          this.#fresh = this.#fresh.filter((other) => other !== entry);
          entry.reject(new ShardlineError('cancelled', 'The increment was cancelled before it was stored: it will not be counted.',
            { reason: 'increment-withdrawn', cause }));
        } else {
          isLeft = true;
          reject(new ShardlineError('cancelled', 'The wait was cancelled. The increment is stored or on its way, and will be counted unless '
            + 'the server refuses it.', { reason: 'increment-goes-on', cause }));
        }
        this.#callbacks.onChange();
      };
      const forget = signal && onAbort(signal, cancel);
      this.#fresh.push(entry);
      if (entry.user === undefined) void this.#identify(entry);
      else this.#store();
      this.#callbacks.onChange();
    });
  }

  /** It may be known now whose increments they are. */
  resume() {
    for (const entry of this.#fresh) if (entry.user === undefined) void this.#identify(entry);
  }

  /** @param {(isEntering: boolean) => ShardlineError} makeError `isEntering`: it is being stored just now, and nobody knows yet whether it will be. */
  rejectAll(makeError) {
    for (const entry of this.#fresh.splice(0)) entry.reject(makeError(this.#entering.has(entry)));
  }

  /**
   * Learns whose increment it is, and stores it.
   * @param {Entry} entry
   */
  async #identify(entry) {
    if (entry.isAsking) return;
    entry.isAsking = true;
    const { users } = this.#surroundings;
    const before = entry.userBefore ?? users.current;
    entry.userBefore = before;
    const asking = users.ask();
    this.#asking.add(asking);
    try {
      entry.user = await asking;
    } catch (error) {
      // The outbox goes on asking, and calls resume().
      entry.isLate = true;
      this.#surroundings.onUnknownUser(/** @type {ShardlineError} */ (error));
      return;
    } finally {
      entry.isAsking = false;
      this.#asking.delete(asking);
    }
    if (entry.isLate && before !== undefined && before !== entry.user) {
      this.#leave([entry]);
      entry.reject(new ShardlineError('unauthenticated', 'The increment was not counted: authToken() failed when it was asked for, and now '
        + 'another user is signed in. The option `user` tells at any time who is.', { reason: 'user-changed' }));
    }
    this.#store();
  }

  /** Stores what is fresh, all of it at once; while that goes on, more may gather. */
  #store() {
    this.#storing ??= Promise.resolve().then(async () => {
      for (let user = this.#nextUser(); user !== undefined; user = this.#nextUser()) {
        const entries = this.#fresh.filter((entry) => entry.user === user);
        this.#entering = new Set(entries);
        await this.#storeEntries(user, entries);
        this.#entering = new Set();
      }
    }).finally(() => {
      this.#storing = undefined;
      if (this.#nextUser() !== undefined) this.#store(); // It came between the loop and here.
    });
  }

  /** Resolves when everything asked for is stored, as far as it is known whose it is. @param {() => boolean} isOver */
  async stored(isOver) {
    while ((this.#asking.size > 0 || this.#storing) && !isOver()) {
      await Promise.allSettled([...this.#asking]);
      await this.#storing;
    }
  }

  #nextUser() {
    return this.#fresh.find(({ user }) => user !== undefined)?.user;
  }

  /**
   * @param {User} user
   * @param {Entry[]} entries
   */
  async #storeEntries(user, entries) {
    try {
      await this.#callbacks.store(user, entries, () => this.#leave(entries));
    } catch (error) {
      if (entries.length === 1) {
        this.#leave(entries);
        entries[0]?.reject(error);
      } else {
        // One of them is to blame.
        for (const entry of entries) await this.#storeEntries(user, [entry]);
      }
    }
    this.#callbacks.onChange();
  }

  /** They are stored. @param {Entry[]} entries */
  #leave(entries) {
    const gone = new Set(entries);
    this.#fresh = this.#fresh.filter((entry) => !gone.has(entry));
  }
}
