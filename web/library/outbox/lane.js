// Sends the rows of one user at one place, with write coalescing and exponential back-off. The first press after a pause goes at once. The presses
// that follow gather for `flushMs`. If a row does not get through, the lane tries it again after longer and longer pauses, and all others wait for
// it.

import { partsOf } from '../amounts.js';
import { BackOff } from '../back_off.js';
import { sendRow } from './sender.js';

/**
 * @typedef {import('./place.js').Place} Place
 * @typedef {import('../press.js').Press} Press
 * @typedef {import('./rows.js').Row} Row
 * @typedef {import('../users.js').User} User
 * @typedef {import('../amounts.js').RowAmount} RowAmount
 * @typedef {import('./sender.js').Outcome} Outcome
 * @typedef {import('./sender.js').Host} Host
 * @typedef {{press: Press, amount?: RowAmount | undefined}} Share One commit carries it of a press.
 */

/** While a row is under way, the next row waits for its answer, but not for much longer than it would by itself. */
const LONGEST_TURN_MS = 1000;

export class Lane {
  // Constant after construction.
  #host;
  place;
  user;
  backOff;

  /** The rows of this page, oldest first. @type {Set<Row>} */
  rows = new Set();
  /** @type {Press[]} The presses of this moment. */
  #fresh = [];
  #running = 0;
  #sentAt = -Infinity;

  /** @param {Host} host @param {Place} place @param {User} user */
  constructor(host, place, user) {
    this.#host = host;
    this.place = place;
    this.user = user;
    this.backOff = new BackOff(host);
  }

  /** Whether it waits for an event: no row is under way or due. */
  get isIdle() {
    return this.#fresh.length === 0 && this.#running === 0 && (this.rows.size === 0 || this.backOff.error !== undefined || !this.#host.users.isHere(this.user));
  }

  /** Presses of one moment go together. @param {Press} press */
  take(press) {
    if (this.#fresh.push(press) === 1) queueMicrotask(() => this.#enterAll());
  }

  /** @param {Row} row It is this page's now. */
  adopt(row) {
    this.rows.add(row);
    this.plan();
  }

  /** Sends every row at once that need not gather, after a change of the network or the user. @param {boolean} [isAll] Also rows that gather. */
  hurry(isAll = false) {
    if (isAll) this.#enterAll();
    this.backOff.hurry();
    if (isAll) for (const row of this.rows) if (row.state === 'open') row.to('close');
    this.plan();
  }

  /**
   * Sends all rows at once, in requests that outlive the page, because the page is hidden or goes away. It stores no row before: there is no time for
   * that. While the server fails, those that are stored wait for another page.
   * @param {boolean} isLeaving Whether requests that are under way will break off.
   */
  sendLast(isLeaving) {
    this.#enterAll();
    for (const row of [...this.rows]) {
      const isUnderWay = row.state === 'sent' && row.sentAt < Infinity;
      // A page that is closed gets two events: it is hidden, and it goes away.
      const canWait = this.backOff.error && row.saved === 'saved' && row.isWhole;
      if (!row.isKept && !canWait && !this.#isBlocked(row) && (!isUnderWay || isLeaving)) void this.#send(row, true);
    }
  }

  /** Sends the rows that are due, and sets the timer for the rest. */
  plan() {
    const { timers, users, userWatch, isStopped } = this.#host;
    timers.clear('send', this);
    if (isStopped || this.rows.size === 0) return;
    if (!users.isHere(this.user)) {
      userWatch.askLater();
      return;
    }
    const now = performance.now();
    let next = this.backOff.until;
    if (next <= now) {
      next = Infinity;
      for (const row of [...this.rows]) {
        if (row.runs > 0 || this.#isBlocked(row) || !this.#isStoredEnough(row)) continue;
        // After a failure, one row probes the server (a circuit breaker that is half open).
        if (this.backOff.error && this.#running > 0) return;
        const dueAt = this.#dueAt(row);
        if (dueAt > now) next = Math.min(next, dueAt);
        else void this.#send(row, false);
      }
    }
    if (next < Infinity) timers.set('send', this, next - now, () => this.plan(), true);
  }

  #enterAll() {
    const presses = this.#fresh.splice(0).filter(({ end }) => !end && !this.#host.isStopped);
    this.enterParts(presses.flatMap((press) => this.#enter(press)));
    for (const press of presses) this.place.followWish(press);
    this.plan();
  }

  /** @param {Press} press @returns {Share[]} */
  #enter(press) {
    const { how: { amount, maxDelta } } = press;
    try {
      const parts = amount ? partsOf(amount, maxDelta) : [undefined];
      press.enter(parts.length);
      this.place.replace(press);
      return parts.map((part) => ({ press, amount: part }));
    } catch (error) {
      press.drop(error);
      return [];
    }
  }

  /** Puts presses into rows. @param {Share[]} parts */
  enterParts(parts) {
    if (parts.length === 0) return;
    const rows = new Set(parts.map(({ press, amount }) => (amount ? this.#rowFor(press, amount) : this.#wishFor(press))));
    this.place.changed();
    for (const row of rows) {
      if (row.isEmpty && row.saved === '') this.#end(row);
      else void this.#host.shelf.save(row);
    }
  }

  /** @param {Press} press @param {RowAmount} amount */
  #rowFor(press, amount) {
    const { how } = press;
    const options = JSON.stringify(how.counter);
    for (const row of this.rows) {
      if (row.state !== 'open' || JSON.stringify(row.stored.counter) !== options) continue;
      // A row grows for a moment only: another browser may have a copy of the storage, in which the row does not grow.
      const isYoung = performance.now() - row.since <= Math.max(row.flushMs, LONGEST_TURN_MS);
      if (isYoung && row.add(press, amount)) return row;
      row.to('close');
    }
    return this.#begin(press, { kind: 'count', delta: amount }, amount);
  }

  /** Replaces the earlier wish for the same key. @param {Press} press */
  #wishFor(press) {
    const { member = '', wanted = false } = press.how;
    for (const row of this.rows) {
      if (row.stored.member !== member || !row.to('add')) continue;
      // The user of an earlier press may be known only now.
      if (press.order > row.order) Object.assign(row.stored, { wanted, made: press.order });
      row.waiters.push({ press, isSent: false });
      return row;
    }
    return this.#begin(press, { kind: 'member', made: press.order, member, wanted, before: this.place.members.before(member, wanted) });
  }

  /** @param {Press} press @param {object} what @param {RowAmount} [amount] */
  #begin(press, what, amount) {
    const row = this.#host.make(this.place, this.user, press.how, what);
    row.flushMs = press.how.flushMs;
    row.waiters.push({ press, ...(amount && { amount }), isSent: true });
    this.rows.add(row);
    return row;
  }

  /** Whether an earlier wish for the same key is still under way, in any page. @param {Row} row */
  #isBlocked(row) {
    const { member } = row.stored;
    return member !== undefined && (!this.#host.others.hasLooked || this.place.members.firstWish(member, this.user) !== row);
  }

  /** Whether no other page can send another amount by the row's id: the storage has the row in its present form. @param {Row} row */
  #isStoredEnough(row) {
    return row.saved === '' || row.saved === 'saved' || row.isWhole;
  }

  /** @param {Row} row */
  #dueAt({ state, flushMs, stored: { kind } }) {
    if (state !== 'open' || kind === 'member') return -Infinity;
    return this.#sentAt + (this.#running > 0 ? Math.max(flushMs, LONGEST_TURN_MS) : flushMs);
  }

  /** Never rejects. @param {Row} row @param {boolean} keepalive */
  async #send(row, keepalive) {
    const host = this.#host;
    if (!row.to('send')) return;
    if (row.isEmpty && row.sentAt === Infinity) return this.#end(row);
    // From now on no other id may carry a part of it.
    for (const waiter of row.waiters) waiter.isSent ||= 'perhaps';
    row.runs += 1;
    row.isKept ||= keepalive;
    this.#running += 1;
    if (row.stored.kind === 'count') this.#sentAt = performance.now();
    // Another row may fail while this one waits for its turn.
    const run = async () => (row.isOver || host.isStopped || (this.backOff.isPaused && !keepalive) ? undefined : sendRow(host, row, keepalive));
    const outcome = await (keepalive ? run() : host.inTurn(run, row.waiters.length > 0));
    row.runs -= 1;
    if (!outcome && row.runs === 0) row.to('wait');
    if (keepalive) row.isKept = false;
    this.#running -= 1;
    if (outcome && !host.isStopped) this.#take(row, outcome);
    this.plan();
    host.progress();
  }

  /** Ends a row without anything to send. @param {Row} row */
  #end(row) {
    row.to('send');
    this.#host.settle(row, { outcome: 'counted' });
  }

  /** @param {Row} row @param {Outcome} outcome */
  #take(row, outcome) {
    const { commits } = this.place;
    commits.attempts += outcome.attempts ?? 0;
    commits.aborted += outcome.aborted ?? 0;
    const isWaiting = outcome.outcome === 'waiting';
    if (isWaiting && row.runs === 0 && row.to('wait')) this.backOff.begin(outcome);
    if (isWaiting) return;
    this.backOff.end();
    // Another call may know more about it.
    if (row.runs > 0 && outcome.outcome !== 'counted') return;
    this.#host.settle(row, outcome);
  }
}
