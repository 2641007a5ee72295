// Amounts of increments in Firestore's own form, and their sums.

import { invalidArgument } from './errors.js';
import { decodeNumber } from './values.js';

/**
 * @typedef {{integerValue: string} | {doubleValue: number | string}} Amount
 * @typedef {{fields: {[field: string]: Amount}}} FieldAmounts Of a counter with fields: none of them is 0.
 * @typedef {Amount | FieldAmounts} RowAmount What one commit adds to one counter.
 * @typedef {import('./totals.js').Total} Total
 */

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
/** How many commits one increment may take. */
const MOST_PARTS = 1000;

/**
 * The amounts that an amount consists of.
 * @param {RowAmount} amount
 * @returns {Amount[]}
 */
export const each = (amount) => ('fields' in amount ? Object.values(amount.fields) : [amount]);

/**
 * @param {Iterable<RowAmount>} amounts Those of several fields are added up, too.
 * @returns {Total}
 */
export function sum(amounts) {
  let integers = 0n;
  let doubles = 0;
  let hasDouble = false;
  for (const amount of [...amounts].flatMap(each)) {
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
 * @param {Total} total
 * @returns {Amount}
 */
export function amountOf(total) {
  return typeof total === 'bigint' || Number.isSafeInteger(total) ? { integerValue: `${total}` } : { doubleValue: total };
}

/** @param {RowAmount} amount */
export function isZero(amount) {
  return each(amount).every((part) => ('integerValue' in part ? BigInt(part.integerValue) === 0n : Number(part.doubleValue) === 0));
}

/**
 * Two amounts as one, if one commit can add it: integers stay exact, so a fraction does not join them. Amounts of several fields are joined field by
 * field.
 * @param {RowAmount} one
 * @param {RowAmount} other
 * @param {Amount} [most] The bound of one commit, up or down, for each field.
 * @returns {RowAmount | undefined}
 */
export function joined(one, other, most) {
  if (!('fields' in one) && !('fields' in other)) return joinedAmount(one, other, most);
  if (!('fields' in one) || !('fields' in other)) return undefined;
  const fields = { ...one.fields };
  for (const [field, amount] of Object.entries(other.fields)) {
    const before = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const whole = before ? joinedAmount(before, amount, most) : amount;
    if (!whole) return undefined;
    if (isZero(whole)) delete fields[field];
    else fields[field] = whole;
  }
  return { fields };
}

/**
 * @param {Amount} one
 * @param {Amount} other
 * @param {Amount} [most]
 * @returns {Amount | undefined}
 */
function joinedAmount(one, other, most) {
  if ('integerValue' in one && 'integerValue' in other) {
    const whole = BigInt(one.integerValue) + BigInt(other.integerValue);
    const isWithin = whole >= MIN_INT64 && whole <= MAX_INT64;
    return isWithin && (!most || magnitude(whole) <= integerOf(most)) ? { integerValue: `${whole}` } : undefined;
  }
  if ('integerValue' in one || 'integerValue' in other) return undefined;
  const whole = Number(one.doubleValue) + Number(other.doubleValue);
  return Number.isFinite(whole) && (!most || Math.abs(whole) <= Number(sum([most]))) ? { doubleValue: whole } : undefined;
}

/**
 * An amount in parts that one commit each may add. Amounts of several fields are cut side by side.
 * @param {RowAmount} amount
 * @param {Amount} [most] The bound of one commit, up or down, for each field.
 * @returns {RowAmount[]}
 */
export function partsOf(amount, most) {
  if (!most) return [amount];
  if (!('fields' in amount)) return partsOfAmount(amount, most);
  const cuts = Object.entries(amount.fields).map(([field, whole]) => /** @type {const} */ ([field, partsOfAmount(whole, most)]));
  const size = Math.max(1, ...cuts.map(([, parts]) => parts.length));
  return Array.from({ length: size }, (_, i) => {
    const there = cuts.flatMap(([field, parts]) => (parts[i] ? [/** @type {const} */ ([field, parts[i]])] : []));
    return { fields: Object.fromEntries(there) };
  });
}

/**
 * @param {Amount} amount
 * @param {Amount} most
 * @returns {Amount[]}
 */
function partsOfAmount(amount, most) {
  if ('integerValue' in amount) {
    const step = integerOf(most);
    if (step < 1n) {
      throw invalidArgument('With a `maxDelta` below 1 there can be no integers.', { reason: 'arguments-conflict', params: { argument: 'maxDelta', other: 'delta' } });
    }
    const whole = BigInt(amount.integerValue);
    const size = magnitude(whole);
    checkParts((size + step - 1n) / step);
    return cut(size, step, 0n, (part) => ({ integerValue: `${whole < 0n ? -part : part}` }));
  }
  const whole = Number(amount.doubleValue);
  const step = Number(sum([most]));
  checkParts(Math.ceil(Math.abs(whole) / step));
  return cut(Math.abs(whole), step, 0, (part) => ({ doubleValue: Math.sign(whole) * part }));
}

/**
 * @template {number | bigint} N
 * @param {N} size
 * @param {N} step
 * @param {N} zero
 * @param {(part: N) => Amount} toAmount
 */
function cut(size, step, zero, toAmount) {
  const parts = [];
  let left = size;
  for (; left > step; left = /** @type {N} */ (left - step)) parts.push(toAmount(step));
  if (left > zero || parts.length === 0) parts.push(toAmount(left));
  return parts;
}

/** @param {number | bigint} count */
function checkParts(count) {
  if (count > MOST_PARTS) {
    throw invalidArgument('The increment is more than 1,000 times `maxDelta`: make it smaller, or `maxDelta` larger.', { reason: 'increment-too-large' });
  }
}

/** @param {bigint} whole */
const magnitude = (whole) => (whole < 0n ? -whole : whole);

/** @param {Amount} most */
const integerOf = (most) => ('integerValue' in most ? BigInt(most.integerValue) : BigInt(Math.floor(Math.min(Number(most.doubleValue), 2 ** 63))));
