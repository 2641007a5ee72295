// Documents of a target, sorted as Firestore sorts them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byValue, sorted } from '../../../web/library/listen/order.js';
import { Dice } from '../outbox/dice.js';

const ROOT = 'projects/p/databases/d/documents/c/';

/** @param {...object} values */
const list = (...values) => ({ arrayValue: { values } });
/** @param {object} fields */
const map = (fields) => ({ mapValue: { fields } });
/** @param {...number} numbers */
const vector = (...numbers) => map({ __type__: { stringValue: '__vector__' }, value: list(...numbers.map((doubleValue) => ({ doubleValue }))) });
/** @param {string} id */
const reference = (id) => ({ referenceValue: ROOT + id });

/** Each comes before the next. */
const RISING = [
  { nullValue: null },
  { booleanValue: false }, { booleanValue: true },
  { doubleValue: 'NaN' }, { doubleValue: '-Infinity' }, { integerValue: '-9223372036854775808' }, { doubleValue: -1.5 }, { integerValue: '-1' }, { doubleValue: 0.5 },
  { integerValue: '9007199254740992' }, { integerValue: '9007199254740993' }, { doubleValue: 9007199254740994 }, { integerValue: '9223372036854775807' }, { doubleValue: 'Infinity' },
  { timestampValue: '0001-01-01T00:00:00Z' }, { timestampValue: '2026-01-01T00:00:00Z' }, { timestampValue: '2026-01-01T00:00:00.000001Z' }, { timestampValue: '2026-01-01T00:00:00.1Z' },
  { stringValue: '' }, { stringValue: 'B' }, { stringValue: 'a' }, { stringValue: 'aa' }, { stringValue: 'é' }, { stringValue: '\uffee' }, { stringValue: '𝄞' },
  { bytesValue: '' }, { bytesValue: 'AA==' }, { bytesValue: '/w==' },
  reference('__id2__'), reference('__id10__'), reference('A'), reference('a'), reference('a/b/a'), reference('a/b/c'),
  { geoPointValue: { latitude: -1 } }, { geoPointValue: {} }, { geoPointValue: { longitude: 1 } }, { geoPointValue: { latitude: 1 } },
  { arrayValue: {} }, list({ integerValue: '1' }), list({ integerValue: '1' }, { nullValue: null }), list({ stringValue: 'a' }),
  vector(9), vector(1, 2), vector(1, 3),
  { mapValue: {} }, map({ a: { integerValue: '1' } }), map({ b: { integerValue: '0' }, a: { integerValue: '1' } }), map({ a: { integerValue: '2' } }), map({ b: { nullValue: null } }),
];

test('values of all types, each in its place', () => {
  for (const [i, a] of RISING.entries()) {
    for (const [j, b] of RISING.entries()) assert.equal(Math.sign(byValue(a, b)), Math.sign(i - j), `${JSON.stringify(a)} and ${JSON.stringify(b)}`);
  }
  assert.equal(byValue({ integerValue: '1' }, { doubleValue: 1 }), 0);
  assert.equal(byValue({ doubleValue: -0 }, { integerValue: '0' }), 0);
  assert.equal(byValue({ timestampValue: '2026-01-01T00:00:00.10Z' }, { timestampValue: '2026-01-01T00:00:00.1Z' }), 0);
});

test('documents by several fields, inner ones too, and then by their names in the last direction', () => {
  const dice = new Dice(1);
  const documents = Array.from({ length: 60 }, (_, i) => ({
    name: `${ROOT}${String(i).padStart(2, '0')}`, createTime: '', updateTime: '',
    fields: { 'a.b': { integerValue: `${i % 3}` }, c: map({ d: { stringValue: 'xy'[i % 2] } }) },
  }));
  const shuffled = documents.map((document) => ({ document, at: dice.next() })).sort((a, b) => a.at - b.at).map(({ document }) => document);
  const order = (/** @type {string} */ fieldPath, /** @type {string} */ direction) => ({ field: { fieldPath }, direction });
  const found = sorted(shuffled, [order('`a.b`', 'DESCENDING'), order('c.d', 'ASCENDING')]);
  const keys = found.map(({ name, fields }) => [-Number(fields?.['a.b'].integerValue), fields?.c.mapValue.fields.d.stringValue, name]);
  assert.deepEqual(keys, [...keys].sort((a, b) => (a[0] - b[0]) || (a[1] < b[1] ? -1 : Number(a[1] > b[1])) || (a[2] < b[2] ? -1 : 1)));
  assert.deepEqual(sorted(shuffled, []), documents);
  assert.deepEqual(sorted(shuffled, [order('__name__', 'DESCENDING')]), [...documents].reverse());
  assert.deepEqual(sorted(shuffled, [order('c.d', 'DESCENDING')]).map(({ name }) => name).slice(0, 2), [`${ROOT}59`, `${ROOT}57`]);
});
