// A transactional outbox: the increments and likes of one database that are on their way, as a list of rows.
//
//   increment() → Press → Row: stored, and sent by its lane → counted, refused or unknown: removed, and announced to the other tabs
//
// Every page sends its own rows. Rows whose page is gone belong to the page that finds them. Two pages may send the same row without harm: the marker
// that its commit creates is an idempotency key (src/exactly_once/marker.h).

import { drawId } from '../draw_id.js';
import { ShardlineError, toPlain } from '../errors.js';
import { beginPress, closedWith, Press } from '../press.js';
import { Shelf } from '../storage/shelf.js';
import { PatientStorage } from '../storage/storage.js';
import { UserWatch } from '../user_watch.js';
import { abortable, closedError, inTurns, until, within } from '../waits.js';
import { Warnings } from '../warnings.js';
import { dropAll, failureOf, leave, unclaimed, unclaimedError } from '../endings.js';
import { followEarly } from '../follow_early.js';
import { Lane } from './lane.js';
import { Others } from './others.js';
import { PageLife, thisBrowser } from './page_life.js';
import { Place } from './place.js';
import { Row } from './rows.js';
import { Tabs } from './tabs.js';
import { Timers } from './timers.js';

/**
 * @typedef {import('../users.js').User} User
 * @typedef {import('./place.js').How} How
 */

/** How long close() waits for the server, and for the storage. */
const CLOSE_MS = 5000;
const MOST_SENDING = 8;

export class Outbox {
  // Constant after construction. Lanes use the public members.
  #storage;
  #tabs;
  #life;
  shelf;
  others;
  connection;
  users;
  userWatch;
  warnings;
  timers = new Timers(() => this.#life.onLate());
  inTurn = inTurns(MOST_SENDING);
  pausesMs;

  /** All rows that this page knows. @type {Map<string, Row>} */
  rows = new Map();
  /** @type {Map<string, Place>} */
  #places;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #ending;
  /** Aborted when it is closed. */
  ended;
  isStopped = false;
  /** @type {Promise<void> | undefined} */
  #closing;

  /**
   * @param {import('../connection.js').Connection} connection
   * @param {import('../storage/storage.js').OutboxStorage} storage
   * @param {string} name The same in all tabs that use the same storage.
   * @param {object} options
   * @param {import('../users.js').Users} options.users
   * @param {((warning: ShardlineError) => void)} [options.onWarning]
   * @param {{initialDelayMs?: number, maxDelayMs?: number}} options.retry
   * @param {import('./page_life.js').Browser} [options.browser]
   * @param {import('../early.js').Early} [options.early] The object that this outbox replaces: it takes over the places of it.
   */
  constructor(connection, storage, name, { users, onWarning, retry, browser = thisBrowser(), early }) {
    this.#places = early?.places ?? new Map();
    this.#ending = early?.ending ?? new AbortController();
    this.ended = this.#ending.signal;
    this.connection = connection;
    this.users = users;
    this.warnings = early?.warnings ?? new Warnings(onWarning);
    this.userWatch = new UserWatch(users, {
      timers: this.timers,
      warnings: this.warnings,
      onPress: (press, user) => this.lane(press.place, user).take(press),
      onAsked: () => this.#life.resume(),
    });
    this.pausesMs = { first: retry.initialDelayMs ?? 1000, longest: retry.maxDelayMs ?? 60_000 };
    this.#storage = new PatientStorage(storage);
    this.#tabs = new Tabs(storage.shared ? browser : {}, name, {
      onRow: (row, sentAt) => this.others.onRow(row, sentAt),
      onGone: () => this.others.look(),
      onSettled: ({ id, ...outcome }) => {
        const row = this.rows.get(id);
        if (row) this.settle(row, outcome, true);
      },
    });
    this.shelf = new Shelf(this.#storage, {
      timers: this.timers,
      warnings: this.warnings,
      tabs: this.#tabs,
      onSave: (row) => this.#tabs.tell(row),
      onSaved: (row) => row.lane?.plan(),
      onTaken: (row, stored) => this.others.lose(row, stored),
      onGone: (row) => this.others.mislay(row),
      onDoubt: (row) => this.others.fix(row),
    });
    this.others = new Others(this, this.#tabs);
    this.#life = new PageLife(this, this.#tabs);
    this.#life.begin(browser, this.ended);
    if (!early) return;
    this.#tabs.names.add(early.page);
    followEarly(this, early);
  }

  /** @param {string} key See StoredRow. */
  place(key) {
    const place = this.#places.get(key) ?? new Place(this, key);
    this.#places.set(key, place);
    return place;
  }

  /** All stored values that are not rows. */
  async unreadable() {
    this.ended.throwIfAborted();
    await this.shelf.read();
    return this.shelf.unreadable;
  }

  /** @param {() => void} listener Called when a row was sent, and its outcome is known. */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the rows of earlier pages are known. */
  async learnt() {
    await this.userWatch.asked();
    await this.others.looking;
  }

  /**
   * See Place.ask().
   * @param {Place} place @param {How} how
   * @param {AbortSignal} [signal]
   * @returns {Promise<{changed: boolean}>}
   */
  ask(place, how, signal) {
    this.ended.throwIfAborted();
    // First, because it may call a function of the app's, which may throw.
    const { known } = this.users;
    const [press, promise] = beginPress(place, how, known, signal);
    this.enter(press);
    return promise;
  }

  /**
   * Sends all rows of a place. Resolves when all earlier calls of this page's user are settled. Rejects if the database is closed before.
   * @param {Place} place
   * @param {{signal?: AbortSignal}} [options]
   */
  flush(place, { signal } = {}) {
    const cancelled = (/** @type {unknown} */ cause) => (
      new ShardlineError('cancelled', 'The wait was cancelled; sending goes on.', { reason: 'increment-goes-on', cause }));
    return abortable(signal, cancelled, (isCancelled) => abortable(this.ended, (closed) => closed, async (isClosed) => {
      await this.learnt();
      const lanes = [...place.lanes.values()].filter(({ user }) => this.users.isHere(user));
      for (const lane of lanes) lane.hurry(true);
      const rows = lanes.flatMap((lane) => [...lane.rows]);
      await until(this, () => isCancelled() || isClosed() || rows.every(({ isOver }) => isOver));
    }));
  }

  /** Sends all rows, also those of earlier pages, until one fails, and stops. */
  close() {
    return (this.#closing ??= this.#close());
  }

  // ---- For its parts ----

  /** @param {Press} press */
  enter(press) {
    if (press.user === undefined) this.userWatch.identify(press);
    else this.lane(press.place, press.user).take(press);
  }

  /** @param {Place} place @param {User} user */
  lane(place, user) {
    const lane = place.lanes.get(user) ?? new Lane(this, place, user);
    place.lanes.set(user, lane);
    return lane;
  }

  get lanes() {
    return [...this.#places.values()].flatMap(({ lanes }) => [...lanes.values()]);
  }

  /** A row of this page. @param {Place} place @param {User} user @param {How} how @param {Pick<import('./rows.js').StoredRow, 'kind'>} what */
  make(place, user, { counter }, what) {
    const row = new Row(place, { id: drawId(), page: this.#tabs.page, user, place: place.key, counter, made: Date.now(), ...what });
    row.isNew = true;
    this.rows.set(row.id, row);
    place.hold(row);
    return row;
  }

  progress() {
    for (const listener of [...this.#listeners]) listener();
  }

  /** @param {Row} row @param {import('./sender.js').Outcome} outcome @param {boolean} [isNews] Whether another tab has sent it. */
  settle(row, outcome, isNews = false) {
    const { outcome: ending, commitTime, before } = outcome;
    if (ending === 'waiting' || !row.to(ending)) return;
    const back = isNews ? row.giveBack() : [];
    this.rows.delete(row.id);
    row.lane?.rows.delete(row);
    row.calls?.abort();
    const error = failureOf(outcome);
    const nobodys = error ? unclaimed(row) : '';
    row.place.settle(row, outcome, error);
    this.others.giveBack(row, back);
    // Some storages report that they have removed a row, and have not: a page that finds it there removes it, too.
    if (!isNews || row.sentAt === -Infinity) this.shelf.remove(row.id, !isNews && row.saved === 'saved');
    if (!isNews) {
      if (error && nobodys) this.warnings.warn(unclaimedError(row.stored, nobodys, error));
      this.#tabs.tellSettled({ id: row.id, outcome: ending, ...(commitTime && { commitTime }), ...(before !== undefined && { before }), ...(error && { error: toPlain(error) }) });
    }
    this.progress();
  }

  async #close() {
    await within(this.#sendAll(), CLOSE_MS).catch(() => {});
    this.#ending.abort(closedError('failed-precondition', 'closed', 'Connect again.'));
    this.isStopped = true;
    this.timers.stop();
    const presses = [...this.#places.values()].flatMap(({ parts }) => parts.filter((part) => part instanceof Press));
    dropAll(presses, () => closedError('cancelled', 'increment-withdrawn', 'The increment was not sent.'));
    this.#tabs.leave();
    // A row that is being stored may be stored in time.
    await within(this.shelf.idle(), CLOSE_MS).catch(() => {});
    for (const row of this.rows.values()) leave(row, closedWith(row, this.#storage.volatile), this.warnings);
    await this.#storage.close();
  }

  async #sendAll() {
    await this.learnt();
    for (const lane of this.lanes) lane.hurry(true);
    await until(this, () => this.lanes.every(({ isIdle }) => isIdle));
  }
}
