// Who waits for increments that were asked for here.

import { ShardlineError, fromPlain, whyOf } from '../errors.js';
import { add } from '../totals.js';
import { sum } from './amounts.js';

/**
 * @typedef {import('./record_state.js').Seen} Seen
 * @typedef {import('../totals.js').Total} Total
 *
 * @typedef {object} Waiter An increment that was asked for here.
 * @property {string} epoch
 * @property {number} version As of which it is in the record.
 * @property {number} first Its first ticket.
 * @property {number} last
 * @property {import('./amounts.js').Amount} amount
 * @property {boolean} [isUnsaved] Whether it is in memory only. Others know nothing of it then: their tickets are not its tickets.
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 */

export class Waiters {
  /** @type {Waiter[]} */
  #all = [];

  get all() {
    return this.#all;
  }

  /** @param {Waiter[]} waiters */
  add(waiters) {
    this.#all.push(...waiters);
  }

  /**
   * Those for which the condition holds do not wait here any more.
   * @param {(waiter: Waiter) => boolean} condition
   * @returns {Waiter[]} These.
   */
  take(condition) {
    const all = this.#all;
    const taken = new Set(all.filter(condition));
    if (taken.size > 0) this.#all = all.filter((waiter) => !taken.has(waiter));
    return [...taken];
  }

  /** Whether anybody waits for a record of this epoch. @param {string | undefined} epoch */
  has(epoch) {
    return this.#all.some((waiter) => waiter.epoch === epoch);
  }

  /** Their record goes on under another epoch. @param {string} epoch @param {string} next */
  move(epoch, next) {
    for (const waiter of this.#all) if (waiter.epoch === epoch) waiter.epoch = next;
  }

  /** What waits is stored now. */
  markSaved() {
    for (const waiter of this.#all) waiter.isUnsaved = false;
  }

  /**
   * Tells those whose increments are settled.
   * @param {Seen} seen
   * @param {boolean} isFromOtherTab Whether another tab has seen this.
   * @returns {Map<number, Total>} The tickets whose failure was told, and of how much; NaN where an increment has several tickets, and
   *   nobody knows how much of it is in which.
   */
  settle({ epoch, settled, failures }, isFromOtherTab) {
    const done = this.take((waiter) => waiter.epoch === epoch && waiter.last <= settled && !(isFromOtherTab && waiter.isUnsaved));
    /** @type {Map<number, Total>} */
    const told = new Map();
    for (const { first, last, amount, resolve, reject } of done) {
      const failed = failures.filter(({ ticket }) => ticket >= first && ticket <= last);
      for (const { ticket } of failed) told.set(ticket, add(told.get(ticket) ?? 0, first === last ? sum([amount]) : NaN));
      if (failed[0]) reject(fromPlain(failed[0].error));
      else resolve();
    }
    return told;
  }
}

/**
 * What is told of increments that nobody waits for.
 * @param {any} counter
 * @param {Total} amount
 * @param {ShardlineError} cause
 */
export function unclaimedError(counter, amount, cause) {
  const what = cause.code === 'outcome-unknown' ? 'may or may not have been counted' : 'was not counted';
  return new ShardlineError(cause.code, `An increment of ${counter.path} by ${amount} ${what}: ${cause.message}`,
    { ...whyOf(cause), status: cause.status, cause });
}
