// The pending changes at one place, which is a counter's path, its shards and its field (optimistic UI). Every counter object of the place shows
// them, whatever options it has, and whichever tab or element has made the changes.

import { sum } from '../amounts.js';
import { ContentionWatch } from '../contention.js';
import { KnownShards } from '../known_shards.js';
import { Members } from '../members.js';
import { SeenTotal } from '../seen_total.js';
import { add } from '../totals.js';
import { Timestamp } from '../values.js';

/**
 * @typedef {import('../amounts.js').Amount} Amount
 * @typedef {import('../amounts.js').RowAmount} RowAmount
 * @typedef {import('../totals.js').Total} Total
 * @typedef {import('../errors.js').ShardlineError} ShardlineError
 * @typedef {import('../users.js').User} User
 * @typedef {import('./rows.js').CounterArguments} CounterArguments
 * @typedef {import('./outbox.js').Outbox} Outbox
 * @typedef {import('./rows.js').Row} Row
 * @typedef {import('./sender.js').Outcome} Outcome
 * @typedef {import('../members.js').Membership} Membership
 *
 * @typedef {object} Part Something that will change the total, or has.
 * @property {Total} value The amount of the change.
 * @property {number} sentAt The earliest time at which it was sent, by performance.now(); Infinity: no request of it can arrive.
 * @property {{member?: string, wanted?: Membership, before?: Membership, delta?: RowAmount, amount?: RowAmount}} [wish] A counted set has a key and a
 *   membership. A counter has the `delta` of a row, or the `amount` of a call.
 * @property {number} [order] The sort key of wishes, the same in all pages.
 * @property {string} [id]
 * @property {User} [user]
 * @property {End} [end]
 *
 * @typedef {object} End
 * @property {boolean} isCounted
 * @property {Timestamp} [at] The commit time on the server.
 * @property {number} endedAt By performance.now().
 *
 * @typedef {object} How How something was asked for.
 * @property {CounterArguments} counter
 * @property {number} flushMs
 * @property {Amount} [maxDelta]
 * @property {RowAmount} [amount] Set for an increment.
 * @property {string} [member] Set for a counted set.
 * @property {Membership} [wanted]
 * @property {Membership} [before] The membership before, as far as it was known.
 */

/** The number of ended parts that are remembered for totals that are read later. */
const MOST_ENDED = 1000;

export class Place {
  #outbox;
  /** @type {Set<Part>} The parts that have not ended. */
  #parts = new Set();
  /** @type {Part[]} The parts that were counted, and that the last reading may lack. */
  #counted = [];
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** The lane of each user who counts here. @type {Map<User, import('./lane.js').Lane>} */
  lanes = new Map();
  members = new Members(this);
  /** The number of counted parts that this page knows. */
  countings = 0;
  /** The number of commits that this page has sent, and of those that met contention. */
  commits = { attempts: 0, aborted: 0 };
  knownShards = new KnownShards();
  contention = new ContentionWatch(this);
  /** The total that all watches have seen. */
  seen = new SeenTotal(this);

  /**
   * @param {Outbox | import('../early.js').Early} outbox
   * @param {string} key
   */
  constructor(outbox, key) {
    this.#outbox = outbox;
    this.key = key;
    this.warnings = outbox.warnings;
    /** Aborted when the database is closed. */
    this.ended = outbox.ended;
  }

  /** The sum of all unconfirmed parts: of this page, of other tabs, and of earlier pages. */
  get pending() {
    let whole = /** @type {Total} */ (0);
    for (const part of this.#parts) whole = add(whole, part.value);
    return whole;
  }

  get parts() {
    return [...this.#parts];
  }

  /** All parts, also the counted ones that the shown reading may lack. */
  get all() {
    return [...this.#parts, ...this.#counted];
  }

  /** Sends its presses to another outbox from now on. @param {Outbox} outbox */
  moveTo(outbox) {
    this.#outbox = outbox;
  }

  /** Resolves when the rows of earlier pages are known. */
  learnt() {
    return this.#outbox.learnt();
  }

  /** @param {() => void} listener Called after every change. It must not throw. @returns {() => void} Ends it. */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {Part} part */
  begin(part) {
    this.hold(part);
    this.seen.meet(part);
    this.changed();
  }

  /** Begins a part that replaces another one. @param {Part} part */
  hold(part) {
    this.#parts.add(part);
  }

  /**
   * @param {Part} part
   * @param {Omit<End, 'endedAt'>} end
   */
  finish(part, end) {
    const { id, value, sentAt, wish } = part;
    this.#parts.delete(part);
    part.end = { ...end, endedAt: performance.now() };
    this.seen.settle(part);
    if (end.isCounted) {
      this.countings += 1;
      // Without the row itself, which would keep all its presses in memory.
      if (this.#counted.push({ id, value, sentAt, wish, end: part.end }) > MOST_ENDED) this.#counted.shift();
    }
    this.changed();
    this.followWish(part);
  }

  /** A row has ended, and its presses end with it. @param {Row} row @param {Outcome} outcome @param {ShardlineError} [error] */
  settle(row, { outcome, commitTime, changed = true, before }, error) {
    const { stored, waiters } = row;
    const wanted = /** @type {Membership} */ (stored.wanted);
    const isCounted = outcome === 'counted';
    if (stored.member !== undefined && isCounted) {
      this.members.settle(stored.member, wanted);
      if (changed) stored.before = before ?? !wanted;
      else if (!commitTime) stored.before = wanted;
    }
    this.finish(row, { isCounted, ...(commitTime && { at: Timestamp.fromString(commitTime) }) });
    for (const { press } of waiters) press.rowEnds({ changed: changed && press.how.wanted === wanted, error });
  }

  /** Removes a part because other parts have replaced it, or another page shows it. @param {Part} part */
  replace(part) {
    this.#parts.delete(part);
  }

  /** Drops the parts that every later reading contains. @param {(part: Part) => boolean} isIn */
  forget(isIn) {
    this.#counted = this.#counted.filter((part) => !isIn(part));
  }

  changed() {
    this.seen.follow();
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Shows an amount as pending that does not go through the outbox.
   * @param {Amount} amount
   * @returns {(end: Omit<End, 'endedAt'>) => void} Ends it.
   */
  track(amount) {
    const part = { value: sum([amount]), sentAt: performance.now() };
    this.begin(part);
    return (end) => this.finish(part, end);
  }

  /** Sends the wishes that have waited for this one. @param {Part} part */
  followWish({ wish }) {
    if (wish?.member !== undefined) for (const lane of this.lanes.values()) lane.plan();
  }

  /**
   * Resolves when the change is on the server, with whether this call has changed something.
   * @param {How} how
   * @param {AbortSignal} [signal] Ends the wait.
   * @returns {Promise<{changed: boolean}>}
   */
  ask(how, signal) {
    return this.#outbox.ask(this, how, signal);
  }

  /** @param {{signal?: AbortSignal}} options */
  flush(options) {
    return this.#outbox.flush(this, options);
  }
}
