// What was asked for on this page.

import { add } from '../totals.js';
import { sum } from './amounts.js';

/** @typedef {import('./amounts.js').Amount} Amount */

export class Tally {
  /** The sum of all that was ever asked for, but for what was refused. @type {number | bigint} */
  asked = 0;
  /** Increments that go another way than through the outbox, and are under way. @type {Set<Amount>} */
  tracked = new Set();
  /** Grows when one of them begins, and when it ends. */
  trackings = 0;

  /**
   * @param {Amount} amount
   * @param {1 | -1} sign
   */
  add(amount, sign) {
    const value = sum([amount]);
    this.asked = add(this.asked, sign > 0 ? value : -value);
  }

  /**
   * @param {Amount} amount
   * @returns {(counted: boolean) => void} Ends it.
   */
  track(amount) {
    this.tracked.add(amount);
    this.trackings += 1;
    this.add(amount, 1);
    return (counted) => {
      this.tracked.delete(amount);
      this.trackings += 1;
      if (!counted) this.add(amount, -1);
    };
  }
}
