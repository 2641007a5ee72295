// Sums of totals, which are numbers as long as these are exact, and bigints beyond.

/** @typedef {number | bigint} Total */

/**
 * @param {Total} a
 * @param {Total} b
 * @returns {Total}
 */
export function add(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) || !Number.isInteger(a) || !Number.isInteger(b)) return sum;
  }
  const isInteger = [a, b].every((one) => typeof one === 'bigint' || Number.isSafeInteger(one));
  if (!isInteger) return Number(a) + Number(b);
  const sum = BigInt(a) + BigInt(b);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}

/**
 * @param {Total} a
 * @param {Total} b
 */
export function subtract(a, b) {
  return add(a, -b);
}
