// The rows of other pages: found in the storage, or told of by other tabs. They are shown, and taken over when their page is gone.

import { inDoubt } from '../press.js';
import { Row } from './rows.js';

/**
 * @typedef {import('./rows.js').StoredRow} StoredRow
 * @typedef {import('./rows.js').Waiter} Waiter
 */

/** How often it is looked after them, while there are any. */
const LOOK_MS = 10_000;

export class Others {
  #outbox;
  #shelf;
  #tabs;
  /** Whether what is stored was read once, if it can be. */
  hasLooked = false;
  /** @type {Promise<void>} Until what is stored was read. */
  looking = Promise.resolve();

  /** @param {{outbox: import('./outbox.js').Outbox, shelf: import('../storage/shelf.js').Shelf, tabs: import('./tabs.js').Tabs}} surroundings */
  constructor({ outbox, shelf, tabs }) {
    this.#outbox = outbox;
    this.#shelf = shelf;
    this.#tabs = tabs;
  }

  /** Reads what is stored, shows it, and takes over the rows of pages that are gone. */
  look() {
    const { timers, warnings } = this.#outbox;
    this.looking = this.looking.then(() => this.#look()).catch((error) => {
      warnings.once('reading', error);
      for (const row of this.#outbox.rows.values()) row.wasAway = false;
      timers.set('look', this, Math.max(this.#shelf.pauseMs, LOOK_MS / 10), () => this.look());
    }).then(() => {
      this.hasLooked = true;
      for (const lane of this.#outbox.lanes) lane.plan();
    });
  }

  /** What another tab has told. @param {Omit<StoredRow, 'counter'>[]} rows @param {boolean} isLate Whether it was told a while ago. */
  onRows(rows, isLate) {
    for (const row of rows) if (this.#outbox.users.isHere(row.user)) this.#meet(/** @type {StoredRow} */ (row), isLate);
    this.#lookLater();
  }

  /** Another user is there: other rows are to be shown. */
  onUser() {
    for (const row of this.#foreign) if (row.waiters.length === 0 && !this.#outbox.users.isHere(row.user)) this.#drop(row, false);
    this.look();
  }

  /** A row is another page's by now. @param {Row} row @param {StoredRow} stored As that page has it. */
  lose(row, stored) {
    if (!row.to('lose')) return;
    row.lane?.rows.delete(row);
    row.calls?.abort();
    const back = row.giveBack();
    row.stored = { ...row.stored, ...stored };
    row.mayArrive = true;
    row.isSole = false;
    row.since = performance.now();
    this.giveBack(row, back);
    row.place.changed();
    this.#lookLater();
  }

  /** What others do not send with a row goes into another one. @param {Row} row @param {Waiter[]} waiters */
  giveBack(row, waiters) {
    if (!row.isDoubtful) return this.#outbox.lane(row.place, row.user).enterParts(waiters);
    for (const { press } of waiters) press.rowEnds({ changed: false, error: inDoubt('Another tab has sent it, perhaps without this part.') });
  }

  get #foreign() {
    return [...this.#outbox.rows.values()].filter(({ state }) => state === 'foreign');
  }

  async #look() {
    const { isStopped, rows, users, warnings } = this.#outbox;
    if (isStopped) return;
    const startedAt = performance.now();
    const all = await this.#shelf.read();
    warnings.forget('reading');
    // The last one first: each is put before all others.
    const found = all.filter(({ id, user }) => users.isHere(user) && !this.#tabs.hasEnded(id)).sort((one, other) => other.made - one.made);
    // Some say that they have not made a row this page's, and have.
    const foreign = found.filter(({ id, page }) => !this.#tabs.names.has(page) || !rows.get(id)?.isMine);
    const gone = await this.#tabs.gone(new Set(foreign.map(({ page }) => page)));
    // Some storages say that they have removed a row, and have not.
    for (const { id } of all) if (this.#tabs.hasEnded(id)) this.#shelf.remove(id, false);
    for (const row of foreign) this.#meet(row, true);
    await Promise.all(foreign.map((row) => (gone.has(row.page) ? this.#takeOver(row) : undefined)));
    const ids = new Set(all.map(({ id }) => id));
    for (const row of [...rows.values()]) {
      if (row.since >= startedAt) continue;
      if (!ids.has(row.id)) this.#miss(row);
      else if (row.wasAway) this.#comeBackTo(row);
    }
    this.#lookLater();
    if (found.length < all.length) this.#outbox.userWatch.askLater();
  }

  #lookLater() {
    const foreign = this.#foreign;
    const { timers } = this.#outbox;
    if (foreign.length === 0 || timers.has('look', this)) return;
    timers.set('look', this, LOOK_MS, () => this.look(), foreign.some(({ waiters }) => waiters.length > 0));
  }

  /** It is another page's, which is there. @param {StoredRow} stored @param {boolean} [isEarlier] Whether it was found, not told of. */
  #meet(stored, isEarlier = false) {
    const { rows } = this.#outbox;
    if (this.#tabs.hasEnded(stored.id)) return;
    const known = rows.get(stored.id);
    if (known?.isMine) return this.lose(known, stored);
    const row = known ?? new Row(this.#outbox.place(stored.place), stored);
    row.stored = { ...row.stored, ...stored };
    if (known) return row.place.changed();
    row.state = 'foreign';
    row.mayArrive = true;
    row.isFound = isEarlier;
    rows.set(row.id, row);
    row.place.begin(row, isEarlier);
  }

  /** Its page is gone. @param {StoredRow} found */
  async #takeOver(found) {
    const stored = await this.#shelf.take(found).catch(() => undefined);
    if (!stored || this.#tabs.hasEnded(found.id)) return;
    const row = this.#outbox.rows.get(found.id);
    if (!row?.to('take')) return;
    row.stored = stored;
    row.saved = 'saved';
    row.wasStored = true;
    this.#adopt(row);
    this.#tabs.tell(stored);
  }

  /** @param {Row} row It is this page's now. */
  #adopt(row) {
    row.mayArrive = true;
    row.isSole = false;
    this.#outbox.lane(row.place, row.user).adopt(row);
  }

  /** A row of this page's is where it was when the page went away. @param {Row} row */
  #comeBackTo(row) {
    row.wasAway = false;
    if (row.isMine) void this.#outbox.save(row);
  }

  /** A row is not in the storage. @param {Row} row */
  #miss(row) {
    if (row.state === 'foreign' && row.waiters.length === 0) this.#drop(row, true);
    else if (row.state === 'foreign' || row.wasAway) this.mislay(row);
  }

  /** Who has settled a row may have told it while nobody listened. Whoever waits for it here asks the server. @param {Row} row */
  mislay(row) {
    const back = row.giveBack();
    row.isLost = true;
    row.place.seen.mistrust(row);
    row.saved = '';
    row.wasAway = false;
    row.to('close');
    this.giveBack(row, back);
    if (row.to('take') || row.isMine) this.#adopt(row);
    row.place.changed();
  }

  /** @param {Row} row @param {boolean} isCounted Whether another page has most likely settled it. */
  #drop(row, isCounted) {
    row.to('unknown');
    this.#outbox.rows.delete(row.id);
    row.place.finish(row, { isCounted });
  }
}
