// Crash recovery: the rows of other pages, from the storage or from messages of other tabs. This page shows them, and takes them over when their page
// is gone.

import { amountsInWords, unclaimedError } from '../endings.js';
import { inDoubt } from '../press.js';
import { Row } from './rows.js';

/**
 * @typedef {import('./rows.js').StoredRow} StoredRow
 * @typedef {import('./rows.js').Waiter} Waiter
 */

/** The interval of the checks for them, while there are any. */
const LOOK_MS = 10_000;
const SOON_MS = 1000;

export class Others {
  #outbox;
  #shelf;
  #tabs;
  /** Whether the storage was read once, or cannot be read. */
  hasLooked = false;
  /** Rows of other pages that the storage lacks, and the time since when. @type {Map<Row, number>} */
  #missing = new Map();
  /** The rows in messages of other tabs since the storage began to be read. @type {Set<string>} */
  #told = new Set();
  /** The time since when the storage cannot be read, by performance.now(). Infinity: it can be read. */
  #failedAt = Infinity;
  /** @type {Promise<void>} Until the storage was read. */
  looking = Promise.resolve();

  /** @param {import('./outbox.js').Outbox} outbox @param {import('./tabs.js').Tabs} tabs */
  constructor(outbox, tabs) {
    this.#outbox = outbox;
    this.#shelf = outbox.shelf;
    this.#tabs = tabs;
  }

  /** Reads the storage, shows its rows, and takes over those of pages that are gone. */
  look() {
    const { timers, warnings } = this.#outbox;
    const looking = this.looking.then(() => this.#look()).catch((error) => {
      // If it cannot be written either, one warning says so.
      const now = performance.now();
      if (now - this.#failedAt >= SOON_MS && !warnings.hasTold('storage')) warnings.once('reading', error);
      this.#failedAt = Math.min(this.#failedAt, now);
      timers.set('look', this, Math.max(this.#shelf.pauseMs, SOON_MS), () => this.look());
    }).then(() => {
      // The page may have been away meanwhile.
      this.hasLooked ||= this.looking === looking;
      for (const lane of this.#outbox.lanes) lane.plan();
    });
    this.looking = looking;
  }

  /** Takes a message of another tab about a row. @param {Omit<StoredRow, 'counter'>} row @param {number} sentAt See Row. */
  onRow(row, sentAt) {
    if (this.#outbox.users.isHere(row.user)) {
      this.#meet(/** @type {StoredRow} */ (row), sentAt);
      this.#told.add(row.id);
    }
    this.#lookLater();
  }

  /** The page was away: other pages may have taken its rows, and have sent other wishes after them. */
  comeBack() {
    const { rows } = this.#outbox;
    this.hasLooked = false;
    const stored = [...rows.values()].filter(({ isMine, saved }) => isMine && saved !== '');
    this.looking = Promise.all([this.looking, ...stored.map((row) => this.#shelf.save(row))]).then(() => {});
  }

  /** Another user has signed in: shows that user's rows. */
  onUser() {
    const hidden = this.#foreign.filter(({ user, waiters }) => waiters.length === 0 && !this.#outbox.users.isHere(user));
    for (const row of hidden) row.place.replace(row);
    for (const row of hidden) this.#drop(row, false);
    this.look();
  }

  /** Gives up a row that another page has taken. @param {Row} row @param {StoredRow} stored As that page has it. */
  lose(row, stored) {
    if (!row.to('lose')) return;
    row.lane?.rows.delete(row);
    row.calls?.abort();
    const back = row.giveBack();
    row.stored = { ...row.stored, ...stored };
    row.saved = 'saved';
    row.sentAt = Math.min(row.sentAt, performance.now());
    this.giveBack(row, back);
    row.place.changed();
    this.#lookLater();
  }

  /**
   * The storage may have a smaller form of a row: the row must not change any more, and presses that no form in the storage can have go into another
   * row. @param {Row} row
   */
  fix(row) {
    row.to('close');
    const back = row.isMine ? row.giveBack(({ isSent }) => !isSent) : [];
    if (back.length > 0) this.#tabs.tell(row);
    this.giveBack(row, back);
  }

  /** Puts presses that no other page sends with the row into another row. @param {Row} row @param {Waiter[]} waiters */
  giveBack(row, waiters) {
    this.#outbox.lane(row.place, row.user).enterParts(waiters.filter(({ isSent }) => !isSent));
    const doubtful = waiters.filter(({ isSent }) => isSent);
    if (doubtful.length === 0) return;
    const error = inDoubt('Another tab has sent it, perhaps without this part.');
    const nobodys = doubtful.filter(({ press }) => press.isLeft);
    for (const { press } of doubtful) press.rowEnds({ changed: false, error });
    if (nobodys.length > 0) this.#outbox.warnings.warn(unclaimedError(row.stored, amountsInWords(nobodys.flatMap(({ amount }) => amount ?? [])), error));
  }

  get #foreign() {
    return [...this.#outbox.rows.values()].filter(({ state }) => state === 'foreign');
  }

  async #look() {
    const { isStopped, rows, users, warnings } = this.#outbox;
    if (isStopped) return;
    const known = this.#foreign;
    this.#told.clear();
    const all = await this.#shelf.read();
    this.#failedAt = Infinity;
    warnings.forget('reading');
    // The last one first, because each goes before all others.
    const found = all.filter(({ id, user }) => users.isHere(user) && !this.#tabs.hasEnded(id)).sort((one, other) => other.made - one.made);
    // Some storages report a failure although they have made a row this page's.
    const foreign = found.filter(({ id, page }) => !this.#tabs.names.has(page) || !rows.get(id)?.isMine);
    const gone = await this.#tabs.gone(new Set(foreign.map(({ page }) => page)));
    // Some storages report that they have removed a row, and have not.
    for (const { id } of all) if (this.#tabs.hasEnded(id)) this.#shelf.remove(id, false);
    // Another tab may have announced a newer state of a row meanwhile.
    for (const row of foreign) if (!this.#told.has(row.id)) this.#meet(row, -Infinity);
    await Promise.all(foreign.map((row) => (gone.has(row.page) ? this.#takeOver(row) : undefined)));
    const ids = new Set(all.map(({ id }) => id));
    const now = performance.now();
    const missing = known.filter(({ state, id }) => state === 'foreign' && !ids.has(id));
    this.#missing = new Map(missing.map((row) => [row, this.#missing.get(row) ?? now]));
    // The page that has settled a row may still announce it.
    for (const [row, since] of this.#missing) if (now - since >= SOON_MS) this.#miss(row);
    this.#lookLater(missing.length > 0 ? SOON_MS : LOOK_MS);
    if (found.length < all.length) this.#outbox.userWatch.askLater();
  }

  #lookLater(ms = LOOK_MS) {
    const foreign = this.#foreign;
    const { timers } = this.#outbox;
    if (foreign.length === 0 || timers.has('look', this)) return;
    timers.set('look', this, ms, () => this.look(), foreign.some(({ waiters }) => waiters.length > 0));
  }

  /** Shows a row of another page that is alive. @param {StoredRow} stored @param {number} sentAt See Row. */
  #meet(stored, sentAt) {
    const { rows } = this.#outbox;
    if (this.#tabs.hasEnded(stored.id)) return;
    const known = rows.get(stored.id);
    if (known?.isMine) return this.lose(known, stored);
    const row = known ?? new Row(this.#outbox.place(stored.place), stored);
    row.stored = { ...row.stored, ...stored };
    if (known) return row.place.changed();
    row.state = 'foreign';
    row.sentAt = sentAt;
    rows.set(row.id, row);
    // This page may have assumed that the row was counted.
    row.place.forget(({ id }) => id === row.id);
    row.place.begin(row);
  }

  /** Takes over a row whose page is gone. @param {StoredRow} found */
  async #takeOver(found) {
    const stored = await this.#shelf.take(found).catch(() => undefined);
    if (!stored || this.#tabs.hasEnded(found.id)) return;
    const row = this.#outbox.rows.get(found.id);
    if (!row?.to('take')) return;
    row.stored = stored;
    row.saved = 'saved';
    row.wasStored = true;
    this.#adopt(row);
    this.#tabs.tell(row);
  }

  /** @param {Row} row It is this page's now. */
  #adopt(row) {
    this.#outbox.lane(row.place, row.user).adopt(row);
  }

  /** Takes note that the storage lacks another page's row. @param {Row} row */
  #miss(row) {
    if (row.waiters.length === 0) this.#drop(row, true);
    else this.mislay(row);
  }

  /**
   * The page that has settled a row may have announced it while this page did not listen. If a caller waits here, this page asks the server. @param
   * {Row} row
   */
  mislay(row) {
    const back = row.giveBack();
    row.sentAt = Math.min(row.sentAt, performance.now());
    row.saved = '';
    row.to('close');
    if (row.isMine && back.length > 0) this.#tabs.tell(row);
    this.giveBack(row, back);
    if (row.to('take') || row.isMine) this.#adopt(row);
    row.place.changed();
  }

  /** @param {Row} row @param {boolean} isCounted Whether another page has probably settled it. */
  #drop(row, isCounted) {
    row.to('unknown');
    this.#outbox.rows.delete(row.id);
    row.place.finish(row, { isCounted });
  }
}
