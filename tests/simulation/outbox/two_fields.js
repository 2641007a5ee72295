// Counters with fields in a life: each increment adds to one field and takes away from another, in one commit.

import { fieldCounterOf } from '../../../web/library/field_counter.js';

/** The field that counts. */
export const FIRST = 'paid';
/** The second field always is the negative of the first one. */
const FIELDS = [FIRST, 'debt'];

/**
 * A counter with two fields, as the one counter that the rest of a life sees.
 * @param {any} connection
 * @param {import('../../../web/library/counter_database.js').CounterDatabase} db
 * @param {string} path
 * @param {object} options
 * @returns {any}
 */
export function inTwoFields(connection, db, path, options) {
  const counter = fieldCounterOf(connection, (at, how) => db.counter(at, how), path, { ...options, fields: FIELDS });
  return {
    increment: (/** @type {number} */ amount, /** @type {{signal?: AbortSignal}} */ how) => counter.increment({ paid: amount, debt: -amount }, how),
    flush: () => counter.flush(),
    /** NaN if a part of an increment is pending. */
    get pending() {
      const { paid, debt } = /** @type {any} */ (counter.pending);
      return paid === -debt ? paid : NaN;
    },
  };
}

/** Whether shards have what no increment leaves. @param {any[]} shards */
export function isTorn(shards) {
  return shards.some(({ fields }) => Number(fields.paid?.integerValue ?? 0) !== -Number(fields.debt?.integerValue ?? 0));
}
