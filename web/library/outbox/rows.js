// A row is a stored batch: one commit carries it. Its id is an idempotency key: it names the marker that the commit creates, so the row is counted
// once, whichever page sends it and however often. A row is a state machine, and the table below has every transition.

import { isZero, joined, sum } from '../amounts.js';

/**
 * @typedef {import('../amounts.js').RowAmount} RowAmount
 * @typedef {import('../totals.js').Total} Total
 * @typedef {import('../users.js').User} User
 * @typedef {import('./place.js').Place} Place
 * @typedef {import('../press.js').Press} Press
 *
 * @typedef {{path: string, delivery: string, shards?: number, choices?: string[], fields?: readonly string[]}} CounterArguments Arguments for the core,
 *   which has checked them. `choices` of a set of choices, `fields` of a counter with fields: the fields in the shards.
 *
 * @typedef {object} StoredRow
 * @property {string} id 20 letters and digits.
 * @property {string} page The page that sends it.
 * @property {User} user The user who made it. It is sent with that user's token.
 * @property {string} place The key of the counter's place: its path, shards and field.
 * @property {CounterArguments} counter
 * @property {number} made Milliseconds since 1970 by this device's clock. Wishes for one key are sorted by it.
 * @property {'count' | 'member'} kind
 * @property {RowAmount} [delta] Set for a count.
 * @property {string} [marker] The id of its commit, after the row's own id was refused for good.
 * @property {string} [member] A key of a counted set.
 * @property {import('./place.js').Membership} [wanted] The wanted membership of the key, or its choice.
 * @property {import('./place.js').Membership} [before] The last known membership before.
 *
 * @typedef {{press: Press, amount?: RowAmount, isSent: boolean | 'perhaps'}} Waiter `isSent`: whether another page that sends the row sends this with it.
 *
 * @typedef {'open' | 'ready' | 'sent' | 'waiting' | 'foreign' | 'counted' | 'refused' | 'unknown'} State
 * @typedef {'add' | 'close' | 'send' | 'wait' | 'lose' | 'take' | Ending} Event
 * @typedef {'counted' | 'refused' | 'unknown'} Ending
 */

const ENDINGS = /** @type {const} */ ({ counted: 'counted', refused: 'refused', unknown: 'unknown' });

/**
 * - `open`: this page's, not sent, and may grow. Rows in the other states never grow.
 * - `ready`: this page's, and not sent.
 * - `sent`: a request is under way.
 * - `waiting`: was sent, perhaps by another page, and its outcome is not known, or a failure of another row came before its turn. It is sent after a
 *   pause.
 * - `foreign`: another page's.
 * @type {Record<State, Partial<Record<Event, State>>>}
 */
export const TRANSITIONS = {
  open: { add: 'open', close: 'ready', send: 'sent', lose: 'foreign', ...ENDINGS },
  ready: { send: 'sent', lose: 'foreign', ...ENDINGS },
  sent: { send: 'sent', wait: 'waiting', lose: 'foreign', ...ENDINGS },
  waiting: { send: 'sent', lose: 'foreign', ...ENDINGS },
  foreign: { take: 'waiting', ...ENDINGS },
  counted: {},
  refused: {},
  unknown: {},
};

/** A row in memory. Its counter shows it as pending (place.js). */
export class Row {
  /** @type {State} */
  state = 'open';
  /** The presses of this page in the row. @type {Waiter[]} */
  waiters = [];
  flushMs = 0;
  /** The number of calls that are sending it. */
  runs = 0;
  /**
   * Ends the calls of a wish. When the wish is settled, a call that went on would repeat it, perhaps after a later wish. @type {AbortController |
   * undefined}
   */
  calls;
  /** Whether one of the calls must outlive the page. */
  isKept = false;
  /** When it was sent at the earliest, by performance.now(); Infinity: no request of it can arrive. */
  sentAt = Infinity;
  /** The time since when only a user who signs in can find out its outcome. @type {number | undefined} */
  doubtedAt;
  /** `stale`: it has changed while the storage was writing it. @type {'' | 'saving' | 'stale' | 'saved'} */
  saved = '';
  /** Whether no page has tried to store it. */
  isNew = false;
  /** Whether it was ever stored: then it leaves the storage only when it has ended, or with all data. */
  wasStored = false;
  /** The time since when this page has it, by performance.now(). */
  since = performance.now();
  /** @type {import('./place.js').End | undefined} */
  end;

  /**
   * @param {Place} place
   * @param {StoredRow} stored
   */
  constructor(place, stored) {
    this.place = place;
    this.stored = stored;
  }

  get user() {
    return this.stored.user;
  }

  get id() {
    return this.stored.id;
  }

  get order() {
    return this.stored.made;
  }

  /** The lane that sends it while it is this page's. */
  get lane() {
    return this.place.lanes.get(this.user);
  }

  get isOver() {
    return this.end !== undefined;
  }

  /** Whether this page sends it. */
  get isMine() {
    return !this.isOver && this.state !== 'foreign';
  }

  /** The change of the total. @returns {Total} */
  get value() {
    const { delta, wanted, before } = this.stored;
    return delta ? sum([delta]) : Number(!!wanted) - Number(!!before);
  }

  get wish() {
    return this.stored;
  }

  /** Whether the storage has all of it, so that another page would send all of it. */
  get isWhole() {
    return this.waiters.every(({ isSent }) => isSent === true);
  }

  /** Whether there is nothing to send. */
  get isEmpty() {
    return this.stored.delta !== undefined && isZero(this.stored.delta);
  }

  /**
   * Changes its state.
   * @param {Event} event
   * @returns {boolean} Whether the table has the transition: a late answer changes nothing.
   */
  to(event) {
    const next = TRANSITIONS[this.state][event];
    if (next) this.state = next;
    return next !== undefined;
  }

  /**
   * Adds to an open row, if one commit can carry both.
   * @param {Press} press
   * @param {RowAmount} amount
   * @returns {boolean}
   */
  add(press, amount) {
    const { delta = amount } = this.stored;
    const whole = joined(delta, amount, press.how.maxDelta);
    if (!whole || !this.to('add')) return false;
    this.stored.delta = whole;
    this.waiters.push({ press, amount, isSent: false });
    return true;
  }

  /**
   * Removes the presses that another page's copy of this row may lack.
   * @param {(waiter: Waiter) => boolean} [isMeant]
   * @returns {Waiter[]} They may go into another row.
   */
  giveBack(isMeant = ({ isSent }) => isSent !== true) {
    const back = this.waiters.filter((waiter) => isMeant(waiter));
    if (back.length === 0) return back;
    this.waiters = this.waiters.filter((waiter) => !isMeant(waiter));
    const sure = this.waiters.flatMap(({ amount }) => amount ?? []);
    const [last] = this.waiters.map(({ press }) => press).sort((one, other) => other.order - one.order);
    if (this.stored.delta) this.stored.delta = sure.reduce((whole, amount) => joined(whole, amount) ?? whole);
    else if (last) Object.assign(this.stored, { wanted: last.how.wanted, made: last.order });
    return back;
  }
}

/**
 * Whether a stored value is a row. Other programs write to the storage, too.
 * @param {any} stored
 * @returns {stored is StoredRow}
 */
export function isRow(stored) {
  const { id, page, user, place, counter, kind, made, delta, member, wanted } = stored ?? {};
  const isText = (/** @type {unknown} */ text) => typeof text === 'string' && !/\p{Surrogate}/u.test(text);
  return /^[A-Za-z0-9]{20}$/.test(id) && [page, place, counter?.path].every(isText) && (user === null || isText(user))
    && Number.isFinite(made)
    && (kind === 'count' ? isDelta(delta, counter.fields) : kind === 'member' && isText(member) && isMembership(wanted, counter.choices));
}

/** @param {unknown} wanted @param {any} choices */
function isMembership(wanted, choices) {
  return choices === undefined ? typeof wanted === 'boolean' : Array.isArray(choices) && (wanted === false || choices.includes(wanted));
}

/** @param {any} delta @param {any} fields */
function isDelta(delta, fields) {
  if (fields === undefined) return isAmount(delta);
  const amounts = delta?.fields;
  return Array.isArray(fields) && typeof amounts === 'object' && amounts !== null
    && Object.entries(amounts).every(([field, amount]) => fields.includes(field) && isAmount(amount));
}

/** @param {any} delta */
function isAmount(delta) {
  return /^-?\d{1,19}$/.test(delta?.integerValue) || Number.isFinite(delta?.doubleValue);
}
