// The stored rows, with graceful degradation: if the storage fails, rows go on in memory, one warning reports that, and they are stored when it works
// again.

import { ShardlineError } from '../errors.js';
import { isRow } from '../outbox/rows.js';
import { LeftAlone } from './storage.js';

/**
 * @typedef {import('../outbox/rows.js').Row} Row
 * @typedef {import('../outbox/rows.js').StoredRow} StoredRow
 *
 * @typedef {object} Host
 * @property {import('../outbox/timers.js').Timers} timers
 * @property {import('../warnings.js').Warnings} warnings
 * @property {import('../outbox/tabs.js').Tabs} tabs
 * @property {(row: Row) => void} onSave Called before it is stored; it may be sent meanwhile.
 * @property {(row: Row) => void} onSaved Called when the storage has its present form.
 * @property {(row: Row, stored: StoredRow) => void} onTaken Called if the storage has it as another page's.
 * @property {(row: Row) => void} onGone Called if the storage no longer has it.
 * @property {(row: Row) => void} onDoubt Called if it is unknown whether the storage has it, and in which form.
 */

export class Shelf {
  #storage;
  #host;
  /** @type {Set<Row>} The rows that the storage lacks. */
  #unsaved = new Set();
  /** @type {Set<string>} The rows that have ended, and may still be in the storage. */
  #unremoved = new Set();
  /** @type {Set<Promise<void>>} */
  #underWay = new Set();
  /** @type {unknown[]} */
  unreadable = [];

  /**
   * @param {import('./storage.js').PatientStorage} storage
   * @param {Host} host
   */
  constructor(storage, host) {
    this.#storage = storage;
    this.#host = host;
  }

  /** Whether a row is lost with the page. @param {Row} row */
  isVolatile(row) {
    return this.#storage.volatile || this.#unsaved.has(row);
  }

  /** Stores a row in its present form, and again if it changes meanwhile. Never rejects. @param {Row} row @returns {Promise<void>} */
  async save(row) {
    if (row.saved === 'saving' || row.saved === 'stale') {
      row.saved = 'stale';
      return;
    }
    do {
      row.saved = 'saving';
      this.#host.onSave(row);
      await this.#note(this.#save(row));
    } while (/** @type {string} */ (row.saved) === 'stale' && row.isMine);
    if (row.saved === 'saving') row.saved = 'saved';
    this.#host.onSaved(row);
  }

  /** Removes a row that has ended. @param {string} id @param {boolean} wasSaved */
  remove(id, wasSaved) {
    void this.#note(this.#remove(id, wasSaved));
  }

  /**
   * Takes the final refusal of a row, if no other page can have sent it: the row leaves the storage, or is stored with another marker.
   * @param {Row} row
   * @param {string} [marker]
   * @returns {Promise<boolean>} Whether it was.
   */
  async claim(row, marker) {
    let isSure = true;
    const next = marker && { ...row.stored, marker };
    try {
      await this.#storage.change(row.id, (stored) => {
        isSure = stored ? this.#host.tabs.names.has(stored.page) : !row.wasStored;
        return isSure ? next || undefined : stored;
      }, { durable: true });
    } catch (cause) {
      isSure = !row.wasStored;
      // The row may have left the storage.
      if (!isSure) this.#fail(row, cause);
    }
    if (!isSure) return false;
    if (next) Object.assign(row, { stored: next, sentAt: Infinity });
    else row.saved = '';
    return true;
  }

  /**
   * Makes another page's row this page's, unless another page was faster.
   * @param {StoredRow} row The row that was read.
   * @returns {Promise<StoredRow | undefined>} The row's present form. Rejects if the storage fails.
   */
  async take({ id, page }) {
    /** @type {StoredRow | undefined} */
    let taken;
    await this.#storage.change(id, (stored) => {
      taken = stored?.page === page ? { ...stored, page: this.#host.tabs.page } : undefined;
      return taken ?? stored;
    }, { durable: false });
    return taken;
  }

  /** @returns {Promise<StoredRow[]>} Rejects with `resource-exhausted` while the storage cannot be read. */
  async read() {
    /** @type {unknown[]} */
    let all;
    try {
      all = await this.#storage.read();
    } catch (cause) {
      throw new ShardlineError('resource-exhausted', 'The browser’s storage cannot be read: increments of earlier pages wait there.', { reason: 'storage-not-readable', cause });
    }
    this.unreadable = all.filter((each) => !isRow(each));
    if (this.unreadable.length > 0) {
      this.#host.warnings.once('unreadable', new ShardlineError('data-loss', 'Stored increments cannot be read: something else has written to the storage. '
        + 'They stay where they are; db.unreadableIncrements() returns them.', { reason: 'storage-altered' }));
    }
    return all.filter(isRow);
  }

  /** How long the library does not use the storage after a failure. */
  get pauseMs() {
    return this.#storage.pauseMs;
  }

  /** Resolves when no write is under way. */
  async idle() {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** @param {Promise<void>} work */
  #note(work) {
    const noted = work.finally(() => this.#underWay.delete(noted));
    this.#underWay.add(noted);
    return noted;
  }

  /** @param {Row} row */
  async #save(row) {
    /** @type {StoredRow | undefined} */
    let taken;
    let isGone = false;
    /** @type {import('../outbox/rows.js').Waiter[]} */
    let waiters = [];
    const { isNew } = row;
    row.isNew = false;
    try {
      await this.#storage.change(row.id, (stored) => {
        taken = stored && !this.#host.tabs.names.has(stored.page) ? stored : undefined;
        // Another page may have taken it and settled it while this page hung.
        isGone = !stored && row.wasStored;
        if (taken || isGone) return stored;
        row.stored.page = this.#host.tabs.page;
        waiters = [...row.waiters];
        for (const waiter of waiters) waiter.isSent ||= 'perhaps';
        return row.isOver ? undefined : { ...row.stored };
      }, { durable: true, isNew });
    } catch (cause) {
      this.#fail(row, cause);
      return;
    }
    this.#unsaved.delete(row);
    if (taken) {
      this.#host.onTaken(row, taken);
    } else if (isGone) {
      this.#host.onGone(row);
    } else {
      row.wasStored = true;
      for (const waiter of waiters) waiter.isSent = true;
    }
    this.#host.warnings.forget('storage');
  }

  /** @param {Row} row @param {unknown} cause */
  #fail(row, cause) {
    const isTried = !(cause instanceof LeftAlone);
    if (isTried) this.#host.onDoubt(row);
    row.saved = '';
    this.#host.warnings.once('storage', new ShardlineError('resource-exhausted', 'Increments cannot be stored: those that have not been sent are lost when the page '
      + 'is closed.', { reason: 'storage-not-writable', cause: isTried ? cause : /** @type {Error} */ (cause).cause }));
    if (row.isOver) return;
    this.#unsaved.add(row);
    this.#retryLater();
  }

  /** @param {string} id @param {boolean} wasSaved */
  async #remove(id, wasSaved) {
    let isThere = true;
    try {
      await this.#storage.change(id, (stored) => {
        isThere = stored !== undefined;
        return undefined;
      }, { durable: false });
      this.#unremoved.delete(id);
    } catch {
      this.#unremoved.add(id);
      this.#retryLater();
    }
    if (isThere || !wasSaved || this.#storage.volatile) return;
    this.#host.warnings.once('forgets', new ShardlineError('resource-exhausted', 'The storage has not kept an increment: those that have not been sent may be lost when '
      + 'the page is closed.', { reason: 'storage-not-writable' }));
  }

  #retryLater() {
    const { timers } = this.#host;
    if (!timers.has('store', this)) timers.set('store', this, this.#storage.pauseMs + 1, () => this.#retry());
  }

  #retry() {
    for (const row of [...this.#unsaved]) {
      this.#unsaved.delete(row);
      if (row.isMine) void this.save(row);
    }
    for (const id of [...this.#unremoved]) this.remove(id, false);
  }
}
