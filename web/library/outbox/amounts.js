// Sums of what was asked for.

import { decodeNumber } from '../values.js';

/** @typedef {{integerValue: string} | {doubleValue: number | string}} Amount */

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
