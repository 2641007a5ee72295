// How rows and presses end: the errors for callers, and the warnings if no caller waits.

import { each, sum } from './amounts.js';
import { fromPlain, ShardlineError, whyOf } from './errors.js';
import { inDoubt } from './press.js';
import { add, subtract } from './totals.js';

/**
 * @typedef {import('./press.js').Press} Press
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./amounts.js').RowAmount} RowAmount
 * @typedef {import('./outbox/rows.js').Row} Row
 */

/** All of them at once, so that no listener sees a part of it. @param {Press[]} presses @param {() => ShardlineError} makeError */
export function dropAll(presses, makeError) {
  for (const press of presses) press.place.replace(press);
  for (const press of presses) press.drop(makeError());
}

/**
 * Leaves a waiting row, because the database is closed.
 * @param {Row} row
 * @param {ShardlineError} error
 * @param {import('./warnings.js').Warnings} warnings
 */
export function leave(row, error, warnings) {
  const nobodys = row.waiters.length > 0 && error.reason !== 'increment-goes-on' ? unclaimed(row) : '';
  for (const { press } of row.waiters) press.close(error);
  if (nobodys) warnings.warn(unclaimedError(row.stored, nobodys, error));
}

/** @param {import('./outbox/sender.js').Outcome} outcome @returns {ShardlineError | undefined} */
export function failureOf({ outcome, error, cause }) {
  const failure = error && fromPlain(error, cause);
  if (outcome !== 'unknown' || failure?.code === 'outcome-unknown') return failure;
  return inDoubt(failure?.message ?? '', failure);
}

/**
 * Amounts by field, added up. Those of a counter without fields have the field ''.
 * @param {RowAmount[]} amounts
 */
function byField(amounts) {
  /** @type {Map<string, Total>} */
  const totals = new Map();
  for (const amount of amounts) {
    for (const [field, part] of 'fields' in amount ? Object.entries(amount.fields) : [/** @type {const} */ (['', amount])]) {
      totals.set(field, add(totals.get(field) ?? 0, sum([part])));
    }
  }
  return totals;
}

/** `3`, or by field `3 like, -1 love`; empty for nothing. @param {Map<string, Total>} totals */
const inWords = (totals) => [...totals].filter(([, total]) => total !== 0).map(([field, total]) => `${total} ${field}`.trim()).join(', ');

/** Amounts in words, added up. @param {RowAmount[]} amounts */
export const amountsInWords = (amounts) => inWords(byField(amounts));

/**
 * The part of a row that no caller here waits for, in words. Empty: there is none.
 * @param {Row} row
 */
export function unclaimed({ value, waiters, stored: { delta } }) {
  const told = waiters.filter(({ press }) => !press.isLeft);
  if (told.length === 0) return (delta && amountsInWords([delta])) || `${value || 1}`;
  // A sum of fractions depends on their order.
  if (!delta || each(delta).some((part) => 'doubleValue' in part)) return '';
  const left = byField([delta]);
  for (const [field, total] of byField(told.flatMap(({ amount }) => amount ?? []))) left.set(field, subtract(left.get(field) ?? 0, total));
  return inWords(left);
}

/**
 * The warning about a failed row that no code awaits.
 * @param {import('./outbox/rows.js').StoredRow} row
 * @param {string} amount In words.
 * @param {ShardlineError} cause
 */
export function unclaimedError({ counter, member, wanted }, amount, cause) {
  const isUnknown = cause.code === 'outcome-unknown';
  const what = member === undefined
    ? `An increment of ${counter.path} by ${amount} ${isUnknown ? 'may or may not have been counted' : 'was not counted'}`
    : `${wanted ? (counter.choices ? 'set' : 'add') : 'remove'}(“${member.slice(0, 100)}”) of ${counter.path} ${isUnknown ? 'may or may not have been done' : 'was not done'}`;
  return new ShardlineError(cause.code, `${what}: ${cause.message}`, { ...whyOf(cause), status: cause.status, cause });
}
