// Sums of what was asked for.

import { subtract } from '../totals.js';
import { decodeNumber } from '../values.js';

/**
 * @typedef {{integerValue: string} | {doubleValue: number | string}} Amount
 * @typedef {import('../totals.js').Total} Total
 */

/**
 * @param {Iterable<Amount>} amounts
 * @returns {number | bigint}
 */
export function sum(amounts) {
  let integers = 0n;
  let doubles = 0;
  let hasDouble = false;
  for (const amount of amounts) {
    if ('integerValue' in amount) {
      integers += BigInt(amount.integerValue);
    } else {
      doubles += Number(amount.doubleValue);
      hasDouble = true;
    }
  }
  return hasDouble ? Number(integers) + doubles : decodeNumber(`${integers}`);
}

/**
 * Of those that take away, and of those that add.
 * @param {Amount[]} amounts
 * @returns {[Total, Total]}
 */
export function sums(amounts) {
  const takesAway = (/** @type {Amount} */ amount) => Number(Object.values(amount)[0]) < 0;
  return [sum(amounts.filter(takesAway)), sum(amounts.filter((amount) => !takesAway(amount)))];
}

/**
 * @param {Total} total
 * @returns {Amount}
 */
export function amountOf(total) {
  return typeof total === 'bigint' || Number.isSafeInteger(total) ? { integerValue: `${total}` } : { doubleValue: total };
}

/**
 * What is left of an entry of which so much is somebody's. 0 also where nobody knows: when that is NaN, or fractions were added up, of
 * which the sum depends on their order.
 * @param {Amount} amount
 * @param {Total} part
 * @returns {Total}
 */
export function rest(amount, part) {
  const whole = sum([amount]);
  if (Number(part) === 0) return whole;
  return 'integerValue' in amount ? subtract(whole, part) || 0 : 0;
}
