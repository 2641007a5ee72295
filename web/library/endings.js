// How rows and presses end: the errors that callers are told, and the warnings that no caller waits for.

import { each, sum } from './amounts.js';
import { fromPlain, ShardlineError, whyOf } from './errors.js';
import { inDoubt } from './press.js';
import { subtract } from './totals.js';

/**
 * @typedef {import('./press.js').Press} Press
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./outbox/rows.js').Row} Row
 */

/** All of them at once, so that no listener sees a part of it. @param {Press[]} presses @param {() => ShardlineError} makeError */
export function dropAll(presses, makeError) {
  for (const press of presses) press.place.replace(press);
  for (const press of presses) press.drop(makeError());
}

/** @param {import('./outbox/sender.js').Outcome} outcome @returns {ShardlineError | undefined} */
export function failureOf({ outcome, error, cause }) {
  const failure = error && fromPlain(error, cause);
  if (outcome !== 'unknown' || failure?.code === 'outcome-unknown') return failure;
  return inDoubt(failure?.message ?? '', failure);
}

/**
 * The part of a row that no caller here waits for.
 * @param {Row} row
 * @returns {Total}
 */
export function unclaimed({ value, waiters, stored: { delta } }) {
  const told = waiters.filter(({ press }) => !press.isLeft);
  if (told.length === 0) return value || 1;
  // A sum of fractions depends on their order.
  return delta && each(delta).every((part) => 'integerValue' in part) ? subtract(value, sum(told.flatMap(({ amount }) => amount ?? []))) : 0;
}

/**
 * The warning about a failed row that no code awaits.
 * @param {import('./outbox/rows.js').StoredRow} row
 * @param {Total} amount
 * @param {ShardlineError} cause
 */
export function unclaimedError({ counter, member, wanted, delta }, amount, cause) {
  const isUnknown = cause.code === 'outcome-unknown';
  const by = delta && 'fields' in delta ? Object.entries(delta.fields).map(([field, part]) => `${sum([part])} ${field}`).join(', ') : amount;
  const what = member === undefined
    ? `An increment of ${counter.path} by ${by} ${isUnknown ? 'may or may not have been counted' : 'was not counted'}`
    : `${wanted ? (counter.choices ? 'set' : 'add') : 'remove'}(“${member.slice(0, 100)}”) of ${counter.path} ${isUnknown ? 'may or may not have been done' : 'was not done'}`;
  return new ShardlineError(cause.code, `${what}: ${cause.message}`, { ...whyOf(cause), status: cause.status, cause });
}
