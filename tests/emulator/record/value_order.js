/** Lets the emulator sort one value of every kind, and document names, to have Firestore's own order on file. */
import { EDGE_BYTES, EDGE_DOCUMENT_IDS, EDGE_DOUBLES, EDGE_INTEGERS, EDGE_STRINGS, EDGE_TIMESTAMPS, Random } from '../support/random.js';
import { array, bytes, double, geo, integer, map, order, string, timestamp, vector } from './wire.js';

/** Stands for -0.0, which JSON.stringify cannot write. */
const MINUS_ZERO = '-0.0';
const NULL = { nullValue: null };

const OTHER_REFERENCES = [
  'projects/aaa/databases/(default)/documents/z/z',
  'projects/demo/databases/other/documents/a/a',
  'projects/zzz/databases/(default)/documents/a/a',
];
const REFERENCE_PATHS = [...EDGE_DOCUMENT_IDS.map((id) => `a/${id}`), 'a/b/c/d', 'a/b/c/__id7__', 'aa/a', 'b/a', 'A/a', 'é/a', '😀/a'];

const GEO_POINTS = [geo(0, 0), geo(-90, 180), geo(-90, -180), geo(90, 0), geo(0, -1), geo(0, 1), geo(0.1, -180)];

const ARRAYS = [
  array(), array(NULL), array(integer(1)), array(double(1)), array(integer(1), integer(2)), array(integer(1), NULL), array(integer(2)),
  array(double('NaN')), array({ booleanValue: true }, integer(1)), array(timestamp('2024-01-01T00:00:00Z')), array(string('a')), array(string('b')),
  array(map({})), array(map({ a: integer(1) })),
];

const VECTORS = [vector(1), vector(2), vector(100), vector(-1, 5), vector(1, 1), vector(1, 2), vector(0, 0, 0), vector(0, -1, 9)];

const MAPS = [
  map({}), map({ a: NULL }), map({ a: integer(1) }), map({ a: double(1) }), map({ a: integer(1), b: NULL }), map({ b: NULL, a: integer(1) }),
  map({ a: integer(1), b: integer(1) }), map({ a: integer(1), c: NULL }), map({ a: integer(2) }), map({ a: string('x') }), map({ a: array() }), map({ a: vector(1) }),
  map({ a: map({}) }), map({ a: map({ z: integer(1) }) }), map({ A: integer(5) }), map({ aa: integer(0) }), map({ b: integer(0) }),
  map({ value: array(double(1)) }), map({ 'x.y': integer(1) }), map({ é: integer(1) }), map({ '\ufffd': integer(1) }), map({ '😀': integer(1) }),
];

/** @param {(path: string) => string} name */
function allValues(name) {
  return [
    NULL,
    { booleanValue: false },
    { booleanValue: true },
    ...EDGE_INTEGERS.map(integer),
    ...EDGE_DOUBLES.map((value) => double(Object.is(value, -0) ? MINUS_ZERO : value)),
    ...EDGE_TIMESTAMPS.map(timestamp),
    ...EDGE_STRINGS.map(string),
    ...EDGE_BYTES.map(bytes),
    ...[...REFERENCE_PATHS.map(name), ...OTHER_REFERENCES].map((referenceValue) => ({ referenceValue })),
    ...GEO_POINTS,
    ...ARRAYS,
    ...VECTORS,
    ...MAPS,
  ];
}

/**
 * @param {import('../support/rest.js').RestClient} client
 * @returns {Promise<string>} the text of value_order.json
 */
export async function recordValueOrder(client) {
  const values = new Random(1).shuffle(allValues((path) => client.name(path)));
  for (const [id, value] of values.entries()) await client.set(`order/${idOf(id)}`, { value });

  const sorted = async (direction) => {
    const query = { from: [{ collectionId: 'order' }], orderBy: [order('value'), order('__name__', direction)] };
    return (await client.runQuery(query)).map((document) => Number(/\d+$/.exec(document.name)?.[0]));
  };
  const groups = tieGroups(await sorted('ASCENDING'), await sorted('DESCENDING'));
  const lines = groups.map((group) => `  [${group.map((id) => JSON.stringify(values[id])).join(', ')}]`);
  const names = (await sortedNames(client)).map((path) => `  ${JSON.stringify(path)}`);
  return `{
 "about": "Firestore's order of values, smallest first; values on one line are equal, and documents that hold them are ordered by name. Then document paths in the order of __name__.",
 "source": "emulator",
 "values": [
${lines.join(',\n').replaceAll(`"doubleValue":"${MINUS_ZERO}"`, `"doubleValue":${MINUS_ZERO}`)}
 ],
 "paths": [
${names.join(',\n')}
 ]
}
`;
}

/** @param {import('../support/rest.js').RestClient} client */
async function sortedNames(client) {
  const paths = EDGE_DOCUMENT_IDS.map((id) => `names/${id}`);
  paths.push('names/a/names/z', 'names/a/x/y/names/z', 'names/__id3__/names/z', 'g/x/names/z', 'g/__id3__/names/z', 'é/x/names/z', '\ufffd/x/names/z', '😀/x/names/z');
  for (const path of new Random(2).shuffle(paths)) await client.set(path, {});
  const query = { from: [{ collectionId: 'names', allDescendants: true }], orderBy: [order('__name__')] };
  return (await client.runQuery(query)).map((document) => client.path(document.name));
}

/**
 * Equal values are the runs that turn round when the names are sorted the other way.
 * @param {number[]} forward @param {number[]} backward
 */
function tieGroups(forward, backward) {
  const groups = [];
  for (let start = 0; start < forward.length; ) {
    const end = backward.indexOf(forward[start], start) + 1;
    groups.push(forward.slice(start, end));
    start = end;
  }
  return groups;
}

/** @param {number} index */
const idOf = (index) => `v${String(index).padStart(3, '0')}`;
