// A stand-in for the outbox until the page has loaded it (lazy loading). It stores increments in rows meanwhile, so that they are counted even if the
// outbox never comes: then the next page, or another tab, sends the rows.

import { partsOf } from './amounts.js';
import { drawId } from './draw_id.js';
import { Place } from './outbox/place.js';
import { beginPress, closedWith } from './press.js';
import { hasRows, putRow } from './storage/early_rows.js';
import { abortable, closedError, within } from './waits.js';
import { Warnings } from './warnings.js';

/**
 * @typedef {import('./outbox/outbox.js').Outbox} Outbox
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./press.js').Press} Press
 * @typedef {{connection: Connection, outbox: Outbox}} Opened
 * @typedef {{stored: import('./outbox/rows.js').StoredRow, amount: import('./amounts.js').RowAmount | undefined, isStored: boolean}} EarlyRow
 * @typedef {{press: Press, rows: EarlyRow[]}} Asked
 */

/** How long close() waits for the outbox. */
const CLOSE_MS = 5000;
/** The first pause before another fetch of the outbox. It doubles each time, up to the longest (exponential back-off). */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** How long a page may be busy after its first total, until it fetches the outbox in any case. */
const BUSY_MS = 2000;

export class Early {
  // Constant after construction. The outbox goes on with the public members.
  #users;
  #storeName;
  #load;
  /** @type {Map<string, Place>} */
  places = new Map();
  warnings;
  ending = new AbortController();
  ended = this.ending.signal;
  /** This page's name until it has the outbox. */
  page = drawId();
  /** @type {Set<Asked>} */
  asked = new Set();

  /** Set after the outbox has taken over. @type {Outbox | undefined} */
  outbox;
  /** @type {Connection | undefined} */
  core;
  /** @type {Promise<Opened> | undefined} */
  #opening;
  #isIdle = false;
  /** Whether earlier pages have left rows. */
  #hasRows = false;
  #pauseMs = FIRST_PAUSE_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Promise<unknown>} Resolves when the rows of earlier pages are known. */
  #learnt;
  /** @type {Promise<void> | undefined} */
  #closing;

  /**
   * @param {object} options
   * @param {import('./users.js').Users} options.users
   * @param {((warning: import('./errors.js').ShardlineError) => void) | undefined} options.onWarning
   * @param {string | undefined} options.storeName The name of the IndexedDB database; undefined: it stores nothing.
   * @param {(early: Early) => Promise<Opened>} options.load
   */
  constructor({ users, onWarning, storeName, load }) {
    this.#users = users;
    this.#storeName = storeName;
    this.#load = load;
    this.warnings = new Warnings(onWarning);
    this.#learnt = storeName === undefined ? Promise.resolve() : this.#meetEarlierPages(storeName);
    globalThis.addEventListener?.('online', () => this.#asksForMore && this.#insist(), { signal: this.ended });
  }

  /** @param {string} key See StoredRow. */
  place(key) {
    const place = this.places.get(key) ?? new Place(this.outbox ?? this, key);
    this.places.set(key, place);
    return place;
  }

  /** Fetches the outbox. Calls during a fetch share it. After a failed fetch the next call fetches again. */
  open() {
    this.#opening ??= this.#load(this).then((opened) => {
      clearTimeout(this.#timer);
      this.core = opened.connection;
      this.warnings.forget('press');
      return opened;
    }).catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Fetches the rest, because the page has shown its first total. After a failed fetch and a pause, the next total fetches again. */
  rest() {
    if (this.#isIdle || !globalThis.document) return;
    this.#isIdle = true;
    const open = () => !this.ended.aborted && this.open().catch(() => {
      // A press that waits fetches again by itself.
      if (!this.ended.aborted && !this.#asksForMore) this.#timer = setTimeout(() => { this.#isIdle = false; }, LONGEST_PAUSE_MS);
    });
    if ('requestIdleCallback' in globalThis) requestIdleCallback(open, { timeout: BUSY_MS });
    else setTimeout(open, FIRST_PAUSE_MS / 4);
  }

  /**
   * See Place.ask().
   * @param {Place} place @param {import('./outbox/place.js').How} how
   * @param {AbortSignal} [signal]
   * @returns {Promise<{changed: boolean}>}
   */
  ask(place, how, signal) {
    if (this.outbox) return this.outbox.ask(place, how, signal);
    this.ended.throwIfAborted();
    const [press, promise] = beginPress(place, how, this.#users.known, signal);
    const asked = { press, rows: [] };
    this.asked.add(asked);
    void this.#keep(asked);
    this.#insist();
    return promise;
  }

  /** See Outbox. @param {Place} place @param {{signal?: AbortSignal}} [options] */
  flush(place, options) {
    const cancelled = (/** @type {unknown} */ cause) => (
      closedError('cancelled', 'increment-goes-on', 'The wait was cancelled; sending goes on.', /** @type {any} */ (cause)));
    return abortable(options?.signal, cancelled, async () => (await this.open()).outbox.flush(place, options));
  }

  async learnt() {
    await this.#learnt;
  }

  async unreadable() {
    return (await this.open()).outbox.unreadable();
  }

  /** Sends the presses until one fails, and stops. */
  close() {
    return (this.#closing ??= this.#close());
  }

  async #close() {
    await within(Promise.all([this.#learnt, this.#asksForMore && this.open()]), CLOSE_MS).catch(() => {});
    if (this.outbox) return this.outbox.close();
    clearTimeout(this.#timer);
    this.ending.abort(closedError('failed-precondition', 'closed', 'Connect again.'));
    const isVolatile = this.#storeName === undefined;
    for (const { press, rows } of this.asked) {
      if (rows.length === 0) press.drop(closedError('cancelled', 'increment-withdrawn', 'The increment was not sent.'));
      for (const { isStored } of rows) press.close(closedWith({ sentAt: Infinity, runs: 0, saved: isStored ? 'saved' : 'saving', isWhole: true }, isVolatile));
    }
  }

  /** Whether a press or a row waits for the outbox. */
  get #asksForMore() {
    return !this.outbox && (this.#hasRows || this.asked.size > 0);
  }

  /** Fetches the outbox until it is there. */
  #insist() {
    clearTimeout(this.#timer);
    this.open().catch((error) => {
      if (this.ended.aborted) return;
      this.warnings.once('press', error);
      this.#timer = setTimeout(() => this.#insist(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  /** @param {string} name */
  async #meetEarlierPages(name) {
    this.#hasRows = await hasRows(name);
    if (!this.#hasRows || this.ended.aborted) return;
    this.#insist();
    // Without the outbox, the page shows a total without the increments of earlier pages, which are counted later.
    await this.open().then(({ outbox }) => outbox.learnt(), () => {});
  }

  /** Stores the rows of a press. @param {Asked} asked */
  async #keep({ press, rows }) {
    if (press.user === undefined) {
      try {
        const user = await this.#users.ask();
        if (this.outbox || press.end) return;
        press.user = user;
      } catch {
        return; // The outbox will ask again.
      }
    }
    const { place, how: { counter, amount, maxDelta, member, wanted, before } } = press;
    const common = { page: this.page, user: press.user, place: place.key, counter };
    try {
      const parts = amount ? partsOf(amount, maxDelta) : [undefined];
      for (const part of parts) {
        const what = part ? { kind: /** @type {const} */ ('count'), made: Date.now(), delta: part }
          : { kind: /** @type {const} */ ('member'), made: press.order, member, wanted, before };
        rows.push({ stored: { id: drawId(), ...common, ...what }, amount: part, isStored: false });
      }
      press.enter(parts.length);
    } catch (error) {
      press.drop(error);
    }
    const name = this.#storeName;
    if (name === undefined) return;
    await Promise.all(rows.map(async (row) => {
      try {
        await putRow(name, row.stored);
        row.isStored = true;
      } catch {
        // The outbox tries again, and reports the error.
      }
    }));
  }
}
