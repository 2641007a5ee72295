// All that is under way at one place: a counter's path, its shards and its field. Every counter of the place shows it as pending, whatever
// options a counter has, and whichever tab or element has made it.

import { sum } from '../amounts.js';
import { ContentionWatch } from '../contention.js';
import { KnownShards } from '../known_shards.js';
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
 *
 * @typedef {boolean | string} Membership Whether a key is a member of a counted set; in a set of choices, its choice, or false.
 *
 * @typedef {object} Part Something that will change the total, or has.
 * @property {Total} value By how much.
 * @property {number} sentAt When it was sent at the earliest, by performance.now(); Infinity: no request of it can arrive.
 * @property {{member?: string, wanted?: Membership, before?: Membership, delta?: RowAmount, amount?: RowAmount}} [wish] A counted set has wishes for a
 *   member. A counter has the `delta` of a row, or the `amount` of a call.
 * @property {number} [order] By which wishes are sorted, the same in all pages.
 * @property {string} [id]
 * @property {User} [user]
 * @property {End} [end]
 *
 * @typedef {object} End
 * @property {boolean} isCounted
 * @property {Timestamp} [at] As of when, by the server.
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
  /** @type {Set<Part>} Those that have not ended. */
  #parts = new Set();
  /** @type {Part[]} Those that were counted, and may not be in the last reading. */
  #counted = [];
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** The lane of each user who counts here. @type {Map<User, import('./lane.js').Lane>} */
  lanes = new Map();
  /** Which keys were members when that was heard last. @type {Map<string, Membership>} */
  members = new Map();
  /** Members that were settled while they were being asked after. @type {Set<Map<string, Membership>>} */
  #hearing = new Set();
  /** Grows when something was counted of which this page knows. */
  countings = 0;
  /** Commits that this page has sent, and how many of them have met with contention. */
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

  /** The sum of all that is not confirmed: of this page, of other tabs, and of earlier pages. */
  get pending() {
    let whole = /** @type {Total} */ (0);
    for (const part of this.#parts) whole = add(whole, part.value);
    return whole;
  }

  get parts() {
    return [...this.#parts];
  }

  /** Also those that were counted, and may not be in the reading that is shown. */
  get all() {
    return [...this.#parts, ...this.#counted];
  }

  /** Its presses go there from now on. @param {Outbox} outbox */
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
    this.changed();
  }

  /** Begins a part that takes the place of another one. @param {Part} part */
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
      for (const members of [this.members, ...this.#hearing]) members.set(stored.member, wanted);
      if (changed) stored.before = before ?? !wanted;
      else if (!commitTime) stored.before = wanted;
    }
    this.finish(row, { isCounted, ...(commitTime && { at: Timestamp.fromString(commitTime) }) });
    for (const { press } of waiters) press.rowEnds({ changed: changed && press.how.wanted === wanted, error });
  }

  /** Other parts have taken its place, or it is another page's to show. @param {Part} part */
  replace(part) {
    this.#parts.delete(part);
  }

  /** A part that every later reading contains need not be remembered. @param {(part: Part) => boolean} isIn */
  forget(isIn) {
    this.#counted = this.#counted.filter((part) => !isIn(part));
  }

  changed() {
    this.seen.follow();
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Counts something as pending that does not go through the outbox.
   * @param {Amount} amount
   * @returns {(end: Omit<End, 'endedAt'>) => void} Ends it.
   */
  track(amount) {
    const part = { value: sum([amount]), sentAt: performance.now() };
    this.begin(part);
    return (end) => this.finish(part, end);
  }

  /** Whether the last wish for a key wants it in the set, or the choice; undefined: none waits. @param {string} key */
  wanted(key) {
    return this.#wishes(key).at(-1)?.wish?.wanted;
  }

  /** Whether a key is a member before a new wish, as far as is known. @param {string} key @param {Membership} wanted @returns {Membership} */
  memberBefore(key, wanted) {
    return this.wanted(key) ?? this.members.get(key) ?? !wanted;
  }

  /** The first wish for a key that waits, of a user, or of whom it is not known yet. @param {string} key @param {User} user */
  firstWish(key, user) {
    return this.#wishes(key).find((part) => part.user === user || part.user === undefined);
  }

  /** A number for a new wish: the time, but after all wishes that this page knows of, whatever their clocks say. @param {string} key */
  orderOfNext(key) {
    return Math.max(Date.now(), ...this.#wishes(key).map(({ order = 0 }) => order + 1));
  }

  /** @param {string} key */
  #wishes(key) {
    return this.parts.filter(({ wish }) => wish?.member === key)
      .sort(({ order: one = 0, id = '' }, { order: other = 0, id: otherId = '' }) => one - other || (id < otherId ? -1 : 1));
  }

  /** Wishes that have waited for another one need not wait any more. @param {Part} part */
  followWish({ wish }) {
    if (wish?.member !== undefined) for (const lane of this.lanes.values()) lane.plan();
  }

  /**
   * Which keys will be members when the wishes that wait here have been sent. A wish says so also without the network.
   * @param {string[]} keys
   * @param {() => Promise<Membership[]>} ask Asks the server which are.
   * @returns {Promise<Membership[]>}
   */
  async willHave(keys, ask) {
    await this.learnt();
    const wishes = keys.map((key) => this.wanted(key));
    if (!wishes.includes(undefined)) return /** @type {Membership[]} */ (wishes);
    /** @type {Map<string, Membership>} */
    const settled = new Map();
    this.#hearing.add(settled);
    try {
      const members = await ask();
      return keys.map((key, i) => {
        // The answer may be older than a wish that was settled meanwhile.
        const member = settled.get(key) ?? members[i] ?? false;
        this.members.set(key, member);
        return this.wanted(key) ?? member;
      });
    } finally {
      this.#hearing.delete(settled);
    }
  }

  /**
   * Resolves when it is on the server, with whether it was this that has changed something.
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
