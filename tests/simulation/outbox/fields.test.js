// Rows and totals of counters with fields: how amounts of several fields go together, are cut, are told and are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isZero, joined, partsOf, sum } from '../../../web/library/amounts.js';
import { amountsInWords, unclaimed } from '../../../web/library/endings.js';
import { isRow } from '../../../web/library/outbox/rows.js';
import { SeenFields } from '../../../web/library/seen_fields.js';
import { Timestamp } from '../../../web/library/values.js';

/** @param {number | bigint} value */
const integer = (value) => ({ integerValue: `${value}` });
/** @param {Record<string, number | bigint>} amounts */
const of = (amounts) => ({ fields: Object.fromEntries(Object.entries(amounts).map(([field, value]) => [field, integer(value)])) });
const most = integer(2);

test('amounts are joined field by field, and those that come to nothing are left out', () => {
  assert.deepEqual(joined(of({ like: 1, love: 2 }), of({ love: -2, laugh: 5 })), of({ like: 1, laugh: 5 }));
  assert.deepEqual(joined(of({ constructor: 1 }), of({ toString: 2, constructor: 3 })), of({ constructor: 4, toString: 2 }));
  assert.ok(isZero(/** @type {any} */ (joined(of({ like: 1 }), of({ like: -1 })))));
  assert.equal(isZero(of({ like: 1, love: -1 })), false);
});

test('amounts that one commit cannot carry are not joined, and neither is left changed', () => {
  const one = of({ like: 1, love: 2 });
  assert.equal(joined(one, of({ like: 2 }), most), undefined);
  assert.deepEqual(joined(one, of({ love: -4 }), most), of({ like: 1, love: -2 }));
  assert.equal(joined(one, { fields: { like: { doubleValue: 0.5 } } }), undefined);
  assert.equal(joined(one, integer(1)), undefined);
  assert.equal(joined(of({ like: 2n ** 62n }), of({ like: 2n ** 62n })), undefined);
  assert.deepEqual(one, of({ like: 1, love: 2 }));
});

test('amounts above the bound are cut side by side', () => {
  assert.deepEqual(partsOf(of({ like: 5, love: -3, laugh: 1 }), most), [of({ like: 2, love: -2, laugh: 1 }), of({ like: 2, love: -1 }), of({ like: 1 })]);
  assert.deepEqual(partsOf(of({}), most), [of({})]);
  assert.deepEqual(partsOf(of({ like: 5 })), [of({ like: 5 })]);
  assert.throws(() => partsOf(of({ like: 1, love: 2001 }), most), { reason: 'increment-too-large' });
  assert.equal(sum([of({ like: 5, love: -3 }), integer(1)]), 3);
});

test('a stored row has amounts of its own fields, or it is none', () => {
  const row = { id: 'a'.repeat(20), page: 'p', user: null, place: 'x', counter: { path: 'c/c', delivery: 'exactly-once', fields: ['like', 'love'] }, made: 1, kind: 'count' };
  for (const delta of [of({ like: 1 }), of({ like: 1, love: -2 }), of({}), { fields: { love: { doubleValue: 0.5 } } }]) assert.ok(isRow({ ...row, delta }));
  for (const delta of [undefined, null, integer(1), { fields: null }, { fields: 5 }, of({ hate: 1 }), { fields: { like: 1 } }, { fields: { like: { doubleValue: NaN } } }]) {
    assert.equal(isRow({ ...row, delta }), false, JSON.stringify(delta));
  }
  assert.equal(isRow({ ...row, counter: { path: 'c/c' }, delta: of({ like: 1 }) }), false);
  assert.equal(isRow({ ...row, counter: { path: 'c/c', fields: 'like' }, delta: of({ like: 1 }) }), false);
});

test('a warning names the amounts for which nobody waits, field by field', () => {
  const waiter = (/** @type {any} */ amount, /** @type {boolean} */ isLeft) => ({ press: { isLeft }, amount });
  const row = (/** @type {any} */ delta, /** @type {any[]} */ waiters) => /** @type {any} */ ({ value: sum([delta]), waiters, stored: { delta } });
  assert.equal(unclaimed(row(of({ like: 3, love: -3 }), [])), '3 like, -3 love');
  assert.equal(unclaimed(row(of({ like: 3 }), [waiter(of({ like: 1, love: 1 }), false), waiter(of({ like: 2, love: -1 }), true)])), '2 like, -1 love');
  assert.equal(unclaimed(row(of({ like: 3 }), [waiter(of({ like: 3 }), false)])), '');
  assert.equal(unclaimed(row(integer(5), [waiter(integer(2), false), waiter(integer(3), true)])), '3');
  assert.equal(unclaimed(row(integer(5), [])), '5');
  assert.equal(amountsInWords([of({ like: 1 }), of({ like: 2, love: 1 })]), '3 like, 1 love');
});

/** A place with these parts, and a reading of it. */
function scene() {
  /** @type {any} */
  const place = {
    parts: [], counted: [], listeners: new Set(),
    get all() { return [...this.parts, ...this.counted]; },
    onChange(/** @type {() => void} */ listener) { this.listeners.add(listener); },
    changed() { for (const listener of this.listeners) listener(); },
    /** As a place does. @param {any} part @param {any} end */
    finish(part, end) {
      this.parts = this.parts.filter((/** @type {any} */ one) => one !== part);
      part.end = { endedAt: performance.now(), ...end };
      if (end.isCounted) this.counted.push({ ...part });
      this.changed();
    },
  };
  const reading = (/** @type {Record<string, number>} */ totals, /** @type {number} */ millis) => /** @type {any} */ (
    { value: 0, totals, readTime: Timestamp.fromMillis(millis), billed: { reads: 1 }, told: { totals } });
  return { place, reading, seen: new SeenFields(place, ['like', 'love']) };
}

test('totals show each field with what the reading lacks of it', () => {
  const { place, reading, seen } = scene();
  assert.equal(seen.totals, undefined);
  const part = { sentAt: Infinity, wish: { delta: of({ like: 2, love: -1 }) } };
  place.parts.push(part);
  assert.ok(seen.take(reading({ like: 10, love: 20 }, 1000), { from: 0, until: 1 }));
  assert.deepEqual(seen.totals, { like: 12, love: 19 });
  place.finish(part, { isCounted: true, at: Timestamp.fromMillis(2000) });
  assert.deepEqual(seen.totals, { like: 12, love: 19 });
  seen.take(reading({ like: 12, love: 19 }, 3000), { from: 2, until: 3 });
  assert.deepEqual(seen.totals, { like: 12, love: 19 });
  // An older one that arrives out of turn changes nothing.
  seen.take(reading({ like: 10, love: 20 }, 1500), { from: 1, until: 2 });
  assert.deepEqual([seen.totals, seen.value], [{ like: 12, love: 19 }, '12 19']);
});

test('a reading that may have an increment on its way is held back until that is known, in the fields that it changes', () => {
  const { place, reading, seen } = scene();
  let shown = 0;
  seen.watches.add(() => { shown += 1; });
  seen.take(reading({ like: 10, love: 20 }, 1000), { from: 0, until: 1 });
  const part = { sentAt: performance.now(), wish: { delta: of({ like: 1 }) } };
  place.parts.push(part);
  place.changed();
  const now = performance.now();
  seen.take(reading({ like: 11, love: 25 }, 2000), { from: now, until: now + 1000 });
  assert.deepEqual(seen.totals, { like: 11, love: 25 });
  assert.equal(seen.reading?.readTime.toMillis(), 1000);
  place.finish(part, { isCounted: true, at: Timestamp.fromMillis(1500) });
  assert.deepEqual([seen.totals, shown, seen.reading?.readTime.toMillis()], [{ like: 11, love: 25 }, 1, 2000]);
});

test('an increment that is refused is shown no more, in none of its fields', () => {
  const { place, reading, seen } = scene();
  const press = { sentAt: Infinity, wish: { amount: of({ like: 5, love: 5 }) } };
  place.parts.push(press);
  seen.take(reading({ like: 0, love: 0 }, 1000), { from: 0, until: 1 });
  assert.deepEqual(seen.totals, { like: 5, love: 5 });
  place.finish(press, { isCounted: false });
  assert.deepEqual(seen.totals, { like: 0, love: 0 });
});
