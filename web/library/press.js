// A press is one call of increment(), add() or remove(): its amount or wish, and the promise of its caller.

import { sum } from './amounts.js';
import { ShardlineError } from './errors.js';
import { onAbort } from './signals.js';
import { closedError } from './waits.js';

/**
 * @typedef {import('./users.js').User} User
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./outbox/place.js').How} How
 * @typedef {import('./outbox/rows.js').Row} Row
 */

/** One call. The press itself is a pending part until its rows exist. */
export class Press {
  /** @type {User | undefined} Undefined until it is known. */
  user;
  /** The known user at the time of the call. @type {User | undefined} */
  userBefore;
  /** Whether its user was unknown when it was made. */
  isLate = false;
  /** Whether its rows exist. */
  isEntered = false;
  /** Whether its caller has stopped waiting. */
  isLeft = false;
  order = 0;
  sentAt = Infinity;
  /** The number of its rows that have not ended. */
  rows = 0;
  /** @type {import('./outbox/place.js').End | undefined} */
  end;
  /** @type {ShardlineError | undefined} The error of one of its rows. */
  #failure;
  #hasChanged = false;
  /** The number of all its rows. */
  #parts = 0;
  /** @type {ShardlineError[]} */
  #closings = [];

  /**
   * @param {import('./outbox/place.js').Place} place
   * @param {How} how
   * @param {Total} value
   * @param {{resolve: (result: {changed: boolean}) => void, reject: (error: unknown) => void, onEnd: () => void}} promise
   */
  constructor(place, how, value, promise) {
    this.place = place;
    this.how = how;
    this.value = value;
    this.promise = promise;
  }

  get wish() {
    return this.how;
  }

  /** @param {number} parts The number of its rows. */
  enter(parts) {
    this.isEntered = true;
    this.rows = parts;
    this.#parts = parts;
  }

  /** One of its rows has ended. @param {{changed: boolean, error?: ShardlineError | undefined}} outcome */
  rowEnds({ changed, error }) {
    this.rows -= 1;
    this.#failure ??= error;
    this.#hasChanged ||= changed;
    if (this.rows > 0) return;
    if (this.#failure) this.fail(this.#failure);
    else this.#leave(() => this.promise.resolve({ changed: this.#hasChanged }));
  }

  /** Its signal was aborted. @param {unknown} cause */
  cancel(cause) {
    if (this.isEntered) this.fail(goesOn(cause));
    else this.drop(withdrawn(cause));
  }

  /** Ends the press: no part of it will be counted. @param {unknown} error */
  drop(error) {
    this.place.finish(this, { isCounted: false });
    this.fail(error);
  }

  /** Takes the error of one of its rows after the database was closed. The caller gets the worst one. @param {ShardlineError} error */
  close(error) {
    this.#closings.push(error);
    if (this.#closings.length < this.rows) return;
    const isInParts = this.rows < this.#parts || new Set(this.#closings.map(({ reason }) => reason)).size > 1;
    const isSafe = (/** @type {ShardlineError} */ { reason }) => reason === 'increment-goes-on' || (reason === 'increment-withdrawn' && !isInParts);
    const worst = this.#closings.find((each) => !isSafe(each));
    this.fail(worst?.reason === 'increment-withdrawn' ? inDoubt('The database was closed, and a part of it was not sent.', worst) : worst ?? error);
  }

  /** Rejects the caller's promise, whatever its rows' outcome will be. @param {unknown} error */
  fail(error) {
    this.#leave(() => this.promise.reject(error));
  }

  /** @param {() => void} tell */
  #leave(tell) {
    if (this.isLeft) return;
    this.isLeft = true;
    this.promise.onEnd();
    tell();
  }
}

/**
 * Begins a press: its place shows it as pending.
 * @param {import('./outbox/place.js').Place} place
 * @param {How} how
 * @param {User | undefined} user Undefined until it is known.
 * @param {AbortSignal} [signal]
 * @returns {[Press, Promise<{changed: boolean}>]}
 */
export function beginPress(place, how, user, signal) {
  const { amount, member = '', wanted = false } = how;
  const value = amount ? sum([amount]) : +!!wanted - +!!(how.before = place.members.before(member, wanted));
  /** @type {Press | undefined} */
  let press;
  const promise = new Promise((resolve, reject) => {
    const begun = new Press(place, how, value, { resolve, reject, onEnd: () => forget?.() });
    const forget = signal && onAbort(signal, () => begun.cancel(signal.reason));
    if (member) begun.order = place.members.orderOfNext(member);
    begun.user = user;
    press = begun;
  });
  place.begin(/** @type {Press} */ (/** @type {unknown} */ (press)));
  return [/** @type {Press} */ (/** @type {unknown} */ (press)), promise];
}

/** @param {string} message @param {unknown} [cause] */
export function inDoubt(message, cause) {
  return new ShardlineError('outcome-unknown', `The increment may or may not have been counted. ${message}`.trim(), { reason: 'increment-in-doubt', cause });
}

/** @param {unknown} cause */
function withdrawn(cause) {
  return new ShardlineError('cancelled', 'The increment was cancelled before it was stored: it will not be counted.', { reason: 'increment-withdrawn', cause });
}

/** @param {unknown} cause */
function goesOn(cause) {
  return new ShardlineError('cancelled', 'The wait was cancelled. The increment is stored or on its way, and counts unless the server refuses it.',
    { reason: 'increment-goes-on', cause });
}

/**
 * The error of a row that waits when the database is closed.
 * @param {{lane?: {backOff: {error: ShardlineError | undefined}} | undefined} & Pick<Row, 'sentAt' | 'runs' | 'saved' | 'isWhole'>} row
 * @param {boolean} isVolatile Whether the storage is lost with the page.
 */
export function closedWith({ lane, sentAt, runs, saved, isWhole }, isVolatile) {
  const cause = lane?.backOff.error;
  if (isVolatile) {
    return sentAt < Infinity || runs > 0 ? closedError('outcome-unknown', 'increment-in-doubt', 'The increment may or may not have been counted.', cause)
      : closedError('cancelled', 'increment-withdrawn', 'The increment was not sent.', cause);
  }
  return saved === 'saved' && isWhole ? closedError('cancelled', 'increment-goes-on', 'The increment is stored, and is sent when the database is connected again.', cause)
    : closedError('outcome-unknown', 'increment-in-doubt', 'The increment was being stored. The next connection may or may not send it.', cause);
}
