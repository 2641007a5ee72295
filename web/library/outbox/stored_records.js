// What is stored, as a whole: what earlier pages have left, what cannot be read, what has to be stored again, and what may go.

import { ShardlineError } from '../errors.js';
import { Delayed } from './delayed.js';
import { idOf, isUnreadable, readStored, setAside, UNREADABLE } from './stored_text.js';
import { closedError } from './waits.js';

/**
 * @typedef {import('./record.js').StoredRecord} StoredRecord
 *
 * @typedef {object} Host What it needs of its outbox.
 * @property {import('./users.js').Users} users
 * @property {import('./user_watch.js').UserWatch} userWatch
 * @property {import('./warnings.js').Warnings} warnings
 * @property {(key: string, counter: import('./records.js').CounterArguments) => import('./counter_outbox.js').CounterOutbox} counter
 * @property {(place: import('./stored_text.js').Place) => boolean} has Whether this page knows the record there.
 * @property {() => StoredRecord[]} records The user's.
 * @property {() => StoredRecord[]} allRecords
 * @property {() => void} resume Sends what waits.
 */

/** How long settled records stay, for tabs that have missed how they ended. */
const TIDY_MS = 10_000;

export class StoredRecords {
  #storage;
  #host;
  #isStopped = false;
  #learning = new Delayed(() => void this.learn());
  #saving = new Delayed(() => void this.#save());
  #tidying = new Delayed(() => void this.#tidyOwn());
  #tidyingAll = new Delayed(() => void this.tidy());
  /** Whether increments of users who are not there are stored. */
  othersWait = false;

  /**
   * @param {import('./storage.js').PatientStorage} storage
   * @param {Host} host
   */
  constructor(storage, host) {
    this.#storage = storage;
    this.#host = host;
  }

  stop() {
    this.#isStopped = true;
    this.#learning.stop();
    this.#saving.stop();
    this.#tidying.stop();
    this.#tidyingAll.stop();
  }

  /**
   * What could not be read, by the keys by which it is kept.
   * @returns {Promise<Map<string, string>>}
   */
  async unreadable() {
    if (this.#isStopped) throw closedError('failed-precondition', 'closed', 'Connect again.');
    try {
      return new Map([...await this.#storage.all()].filter(([key]) => key.startsWith(UNREADABLE)));
    } catch (cause) {
      throw new ShardlineError('resource-exhausted', 'The storage cannot be read.', { reason: 'storage-not-readable', cause });
    }
  }

  /** Learns what earlier pages and other tabs have stored, and sends it. */
  async learn() {
    /** @type {Map<string, string>} */
    let texts;
    try {
      texts = await this.#storage.all();
    } catch {
      // The first increment will say so.
      this.#learning.after(this.#storage.pauseMs + 1);
      return;
    }
    this.othersWait = false;
    for (const [id, text] of texts) {
      if (!id.startsWith(UNREADABLE)) await this.#take(id, text);
    }
    for (const record of this.#host.allRecords()) {
      if (record.pending.length === 0) continue;
      if (!this.#host.users.isHere(record.place.user)) this.othersWait = true;
      // It was settled while this page could not hear of it; or it is lost.
      if (!texts.has(idOf(record.place))) record.refresh().catch(() => {});
    }
    if (this.othersWait) this.waitForOthers();
    if (texts.size > 0) this.tidyLater();
    this.#host.resume();
  }

  /** Increments of users who are not there wait: asks again who is, and then looks what has become of them. */
  waitForOthers() {
    this.othersWait = true;
    this.#host.userWatch.askLater();
  }

  /**
   * @param {string} id
   * @param {string} text
   */
  async #take(id, text) {
    try {
      const stored = readStored(text);
      if (!stored) return;
      const { key, user, side, counter } = stored;
      const place = side === undefined ? { key, user } : { key, user, side };
      if (!this.#host.users.isHere(user)) {
        this.othersWait = true;
        // What this page has shown as pending is kept up to date all the same.
        if (!this.#host.has(place)) return;
      }
      const { records } = this.#host.counter(key, counter);
      const record = records.at(place);
      await record.take(stored).catch((error) => {
        if (!isUnreadable(error)) throw error;
        return records.setAside(record, error);
      });
    } catch (error) {
      if (this.#isStopped) return; // The connection is closed, and nothing is wrong with the record.
      this.#host.warnings.once(id, /** @type {ShardlineError} */ (error));
      // If that fails, it stays where it is.
      if (isUnreadable(error)) await setAside(this.#storage, id, (now) => now === text).catch(() => {});
    }
  }

  refreshAll() {
    for (const record of this.#host.records()) if (record.pending.length > 0) record.refresh().catch(() => {});
    this.#host.resume();
  }

  /** @param {unknown} cause */
  onUnsaved(cause) {
    if (this.#isStopped) return; // It is closed as well.
    this.#host.warnings.once('storage', new ShardlineError('resource-exhausted', 'The browser does not let increments be stored: they are '
      + 'kept in memory until it does, and those that are not sent by then are lost when the page is closed.', { reason: 'storage-not-writable', cause }));
    this.#saving.after(this.#storage.pauseMs + 1);
  }

  /** Moves what is in memory to the storage, if it works again. */
  async #save() {
    const unsaved = this.#host.allRecords().filter(({ isUnsaved }) => isUnsaved);
    // The first one tries whether it works.
    for (const record of unsaved) {
      await record.refresh().catch(() => {});
      if (record.isUnsaved) break;
    }
    const cause = 'The storage has failed again.';
    if (unsaved.some(({ isUnsaved }) => isUnsaved)) this.onUnsaved(cause);
    else this.#host.warnings.forget('storage');
    this.tidyLater();
    this.#host.resume();
  }

  tidyLater() {
    this.#tidying.after(TIDY_MS);
  }

  /** First by who has begun it, and can go on with its ledger. */
  async #tidyOwn() {
    this.#tidyingAll.after(TIDY_MS);
    await this.tidy(({ isBegunHere }) => isBegunHere);
  }

  /**
   * Removes what is settled, whoever had asked for it.
   * @param {(record: StoredRecord) => boolean} [isMeant]
   */
  async tidy(isMeant = () => true) {
    const settled = this.#host.allRecords().filter((record) => record.isStored && record.isDone && isMeant(record));
    await Promise.allSettled(settled.map((record) => record.tidy()));
  }
}
