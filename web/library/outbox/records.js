// The records of one counter: one for each user who has counted here, and further ones for what had to be put back.

import { StoredRecord } from './record.js';
import { drawId, idOf, isUnreadable } from './stored_text.js';

/**
 * @typedef {import('../errors.js').ShardlineError} ShardlineError
 * @typedef {import('./stored_text.js').Place} Place
 * @typedef {import('./counter_outbox.js').Surroundings} Surroundings
 * @typedef {import('../counter_arguments.js').CheckedOptions['counter']} CounterArguments
 *
 * @typedef {object} Owner The counter, as its records see it.
 * @property {() => CounterArguments} counter Its options.
 * @property {import('./known_shards.js').KnownShards} knownShards
 * @property {() => void} onChange
 */

export class Records {
  #surroundings;
  #owner;
  /** @type {Map<string, StoredRecord>} */
  #records = new Map();

  /**
   * @param {Surroundings} surroundings
   * @param {Owner} owner
   */
  constructor(surroundings, owner) {
    this.#surroundings = surroundings;
    this.#owner = owner;
  }

  get all() {
    return [...this.#records.values()];
  }

  /** Of the user who is there, and of nobody. */
  get own() {
    return this.all.filter(({ place }) => this.#surroundings.users.isHere(place.user));
  }

  get senders() {
    return Array.from(this.#records.values(), ({ sender }) => sender);
  }

  /** @param {Place} place */
  has(place) {
    return this.#records.has(idOf(place));
  }

  /**
   * The record at that place, which is made if there is none.
   * @param {Place} place
   */
  at(place) {
    const id = idOf(place);
    let record = this.#records.get(id);
    if (!record) {
      record = new StoredRecord(this.#surroundings, place, this.#owner, {
        onLost: (lost, waiters, isPrivate) => void this.#putBack(place, lost, waiters, isPrivate),
      });
      this.#records.set(id, record);
    }
    return record;
  }

  /**
   * Sends what waits in a record, in so many milliseconds at the latest: by the tab that is the one to do so by then.
   * @param {StoredRecord} record
   * @param {number} ms
   */
  send(record, ms) {
    if (record.pending.length === 0) return;
    if (!this.#surroundings.maySend(record)) this.#surroundings.wakeLeader(record, ms);
    record.sender.wake(ms);
  }

  sendAll() {
    for (const record of this.all) this.send(record, 0);
  }

  /** Sends what waits and has no time of its own: earlier pages have left it, or it could not be sent. */
  resume() {
    for (const record of this.all) if (record.sender.isOverdue) this.send(record, 0);
  }

  /** Forgets what was put back and is settled. */
  tidy() {
    for (const [id, record] of this.#records) {
      if (record.place.side && record.isGone && !record.sender.isSending) this.#records.delete(id);
    }
  }

  /**
   * Does something with a record. If what is stored of it cannot be read, the record begins anew.
   * @param {StoredRecord} record
   * @param {() => Promise<void>} action
   */
  async withReadable(record, action) {
    try {
      await action();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await this.setAside(record, /** @type {ShardlineError} */ (error));
      await action();
    }
  }

  /**
   * What is stored cannot be read: begins anew, and keeps it for whoever can.
   * @param {StoredRecord} record
   * @param {ShardlineError} error
   */
  async setAside(record, error) {
    this.#surroundings.warnings.once(idOf(record.place), error);
    await record.setAside();
  }

  /**
   * @param {Place} place
   * @param {import('./record_state.js').Seen} lost
   * @param {import('./record.js').Waiter[]} waiters
   * @param {boolean} isPrivate
   */
  async #putBack(place, lost, waiters, isPrivate) {
    // Several tabs may have gone on from the same record without seeing each other's. Otherwise all of them put back the same one.
    const side = isPrivate ? drawId() : lost.epoch;
    const record = this.at({ ...place, side });
    try {
      const missing = await record.putBack(lost, waiters);
      this.send(record, 0);
      // They go on from what was seen here, and the ledger tells that there are two copies.
      if (missing.length > 0) await this.#putBack(place, lost, missing, true);
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    }
  }
}
