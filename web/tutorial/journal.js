/**
 * @typedef {import('../library/connection.js').RequestRecord} RequestRecord
 * @typedef {RequestRecord & {number: number, at: Date}} Entry
 */

/** How many requests are remembered; the totals count the others, too. */
export const CAPACITY = 100;

/** All requests of the library, and their sums. Dispatches `add` and `clear` events. */
export class Journal extends EventTarget {
  /** @type {Entry[]} The newest last. */
  entries = [];
  totals = emptyTotals();

  /** @param {RequestRecord} record */
  add(record) {
    const { totals } = this;
    totals.requests += 1;
    totals.bytes += record.bytes;
    totals.reads += record.billed.reads;
    totals.writes += record.billed.writes;
    totals.deletes += record.billed.deletes;
    const entry = { ...record, number: totals.requests, at: new Date() };
    this.entries.push(entry);
    if (this.entries.length > CAPACITY) this.entries.shift();
    this.dispatchEvent(new CustomEvent('add', { detail: entry }));
  }

  clear() {
    this.entries = [];
    this.totals = emptyTotals();
    this.dispatchEvent(new Event('clear'));
  }
}

function emptyTotals() {
  return { requests: 0, bytes: 0, reads: 0, writes: 0, deletes: 0 };
}
