// Sorts the documents of a target, which come unsorted, by the query's order: the core merges sorted answers, and refuses others.
// (https://firebase.google.com/docs/firestore/manage-data/data-types#value_type_ordering)

import { namesOf } from '../field_path.js';

/**
 * @typedef {import('./targets.js').WireDocument} WireDocument
 * @typedef {{field: {fieldPath: string}, direction?: string}} Order As in a StructuredQuery.
 * @typedef {(a: any, b: any) => number} Compare Below 0: a comes first.
 */

/** The types in their order, each with the members of the wire that have it. */
const TYPES = [
  ['nullValue'], ['booleanValue'], ['integerValue', 'doubleValue'], ['timestampValue'], ['stringValue'], ['bytesValue'], ['referenceValue'],
  ['geoPointValue'], ['arrayValue'], ['vector'], ['mapValue'],
];

/** @type {Compare} */
const plainly = (a, b) => Number(a > b) - Number(a < b);

/** The order of UTF-8 bytes: that of UTF-16, except that surrogates come last. @type {Compare} */
function byText(a, b) {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  if (at === length) return a.length - b.length;
  const isSurrogate = (/** @type {string} */ unit) => Number(unit >= '\ud800' && unit <= '\udfff');
  return isSurrogate(a[at]) - isSurrogate(b[at]) || plainly(a[at], b[at]);
}

/**
 * @param {any[]} a
 * @param {any[]} b
 * @param {Compare} compare
 */
function byElements(a, b, compare) {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = compare(a[at], b[at]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Ids like __id7__ are numbers, and come first. @type {Compare} */
function bySegment(a, b) {
  const [x, y] = [a, b].map((text) => /^__id(-?\d+)__$/.exec(text)?.[1]);
  if (x !== undefined && y !== undefined) return plainly(BigInt(x), BigInt(y));
  return Number(y !== undefined) - Number(x !== undefined) || byText(a, b);
}

/** @type {Compare} */
const byName = (a, b) => byElements(a.split('/'), b.split('/'), bySegment);

/** NaN is below all other numbers. The comparison of an integer with a double is exact. @type {Compare} */
function byNumber(a, b) {
  const [x, y] = [a, b].map(({ integerValue, doubleValue }) => (integerValue === undefined ? Number(doubleValue) : BigInt(integerValue)));
  const isNaN = (/** @type {any} */ number) => Number(Number.isNaN(number));
  return isNaN(y) - isNaN(x) || plainly(x, y);
}

/** @param {string} time */
const padded = (time) => time.replace('Z', '').replace(/^([^.]*)\.?(\d*)$/, (_, seconds, digits) => `${seconds}.${digits.padEnd(9, '0')}`);

/** @param {any} value */
function typeOf({ mapValue, ...rest }) {
  if (mapValue?.fields?.__type__?.stringValue === '__vector__') return 'vector';
  return mapValue ? 'mapValue' : /** @type {string} */ (Object.keys(rest)[0]);
}

/** @param {any} map */
const entriesOf = ({ fields = {} }) => Object.entries(fields).sort(([a], [b]) => byText(a, b));

/** @type {Compare} */
function byVector(a, b) {
  const [x, y] = [a, b].map(({ mapValue }) => mapValue.fields.value.arrayValue.values ?? []);
  return x.length - y.length || byElements(x, y, byValue);
}

/** The order within each type except numbers and vectors. @type {{[type: string]: Compare}} */
const BY_TYPE = {
  nullValue: () => 0,
  booleanValue: plainly,
  timestampValue: (a, b) => plainly(padded(a), padded(b)),
  stringValue: byText,
  bytesValue: (a, b) => plainly(atob(a), atob(b)),
  referenceValue: byName,
  geoPointValue: (a, b) => plainly(a.latitude ?? 0, b.latitude ?? 0) || plainly(a.longitude ?? 0, b.longitude ?? 0),
  arrayValue: (a, b) => byElements(a.values ?? [], b.values ?? [], byValue),
  mapValue: (a, b) => byElements(entriesOf(a), entriesOf(b), ([name, value], [other, otherValue]) => byText(name, other) || byValue(value, otherValue)),
};

/** @type {Compare} */
export function byValue(a, b) {
  const [type, other] = [typeOf(a), typeOf(b)];
  const [rank, otherRank] = [type, other].map((one) => TYPES.findIndex((types) => types.includes(one)));
  if (rank !== otherRank) return /** @type {number} */ (rank) - /** @type {number} */ (otherRank);
  if (type === 'vector') return byVector(a, b);
  return (BY_TYPE[type] ? BY_TYPE[type](a[type], b[type]) : byNumber(a, b));
}

/** @param {WireDocument} document @param {string[]} names */
function valueAt({ fields }, [first = '', ...names]) {
  return names.reduce((value, name) => value?.mapValue?.fields?.[name], fields?.[first]);
}

/**
 * @param {WireDocument[]} documents
 * @param {Order[]} orders The name comes last, in the direction of the order before it, unless it is among them.
 * @returns {WireDocument[]}
 */
export function sorted(documents, orders) {
  const directions = orders.map(({ direction }) => (direction === 'DESCENDING' ? -1 : 1));
  const paths = orders.map(({ field: { fieldPath } }) => (fieldPath === '__name__' ? undefined : namesOf(fieldPath)));
  if (!paths.includes(undefined)) {
    paths.push(undefined);
    directions.push(directions.at(-1) ?? 1);
  }
  const keyed = documents.map((document) => ({
    document, keys: paths.map((path) => (path ? valueAt(document, path) ?? {} : { referenceValue: document.name })),
  }));
  keyed.sort(({ keys: a }, { keys: b }) => {
    for (const [at, direction] of directions.entries()) {
      const order = direction * byValue(a[at], b[at]);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ document }) => document);
}
