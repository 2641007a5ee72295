/**
 * Requests written by hand: chance seldom draws them. Each case begins with an empty database; see support/conformance.js.
 *
 * @typedef {import('./support/conformance.js').ConformanceRequest} ConformanceRequest
 */
import { ENUM_NUMBERS } from './support/enums.js';

const name = (/** @type {string} */ path) => `~root~/${path}`;
const int = (/** @type {number | string} */ value) => ({ integerValue: String(value) });
const text = (/** @type {string} */ value) => ({ stringValue: value });
const list = (/** @type {any[]} */ ...values) => ({ arrayValue: { values } });
const map = (/** @type {any} */ fields) => ({ mapValue: { fields } });

/** @param {string} path @param {any} [fields] @param {any} [more] */
const update = (path, fields = { v: int(1) }, more = {}) => ({ update: { name: name(path), fields }, ...more });
/** @param {any[]} writes @returns {ConformanceRequest} */
const commit = (...writes) => ({ method: 'POST', path: ':commit', body: { writes } });
/** @param {string} verb @param {any} body @param {any} [more] @returns {ConformanceRequest} */
const post = (verb, body, more = {}) => ({ method: 'POST', path: `:${verb}`, body, ...more });
/** @param {string} path @returns {ConformanceRequest} */
const get = (path) => ({ method: 'GET', path: `/${path}` });
/** @param {any} structuredQuery @param {any} [more] @returns {ConformanceRequest} */
const query = (structuredQuery, more = {}) => post('runQuery', { structuredQuery: { from: [{ collectionId: 'q' }], ...structuredQuery }, ...more });
/** @param {any[]} aggregations @param {any} [structuredQuery] @returns {ConformanceRequest} */
const aggregate = (aggregations, structuredQuery = {}) => post('runAggregationQuery', { structuredAggregationQuery: { structuredQuery: { from: [{ collectionId: 'q' }], ...structuredQuery }, aggregations } });
/** @param {string} path @param {string} op @param {any} value */
const filter = (path, op, value) => ({ where: { fieldFilter: { field: { fieldPath: path }, op, value } } });
/** @param {string} path @param {number} count @param {any[]} more */
const anyOf = (path, count, ...more) => filter(path, 'IN', list(...Array.from({ length: count }, (_, i) => int(i)), ...more));
/** @param {{where: any}[]} filters */
const or = (...filters) => ({ where: { compositeFilter: { op: 'OR', filters: filters.map(({ where }) => where) } } });
/** @param {string} path @param {any[]} transforms */
const transform = (path, ...transforms) => ({ update: { name: name(path) }, updateMask: {}, updateTransforms: transforms });
const vector = (/** @type {any[]} */ ...values) => map({ __type__: text('__vector__'), value: list(...values) });

const INCREMENTS = [int('9223372036854775807'), int(1), int('-9223372036854775808'), int('-9223372036854775808'), { doubleValue: 0.5 }, int(1), { doubleValue: 'NaN' }, int(1)];

/** Every pair of writes to one document in one commit, on one that is there and one that is not. */
const PAIR_KINDS = {
  insert: (/** @type {string} */ path) => update(path, { v: int(1) }, { currentDocument: { exists: false } }),
  update: (/** @type {string} */ path) => update(path, { v: int(2) }, { currentDocument: { exists: true } }),
  updateAtVersion: (/** @type {string} */ path) => update(path, { v: int(2) }, { currentDocument: { updateTime: { $time: 0 } } }),
  upsert: (/** @type {string} */ path) => update(path, { v: int(3) }),
  delete: (/** @type {string} */ path) => ({ delete: name(path) }),
  deleteExisting: (/** @type {string} */ path) => ({ delete: name(path), currentDocument: { exists: true } }),
  deleteMissing: (/** @type {string} */ path) => ({ delete: name(path), currentDocument: { exists: false } }),
  deleteAtVersion: (/** @type {string} */ path) => ({ delete: name(path), currentDocument: { updateTime: { $time: 0 } } }),
  transform: (/** @type {string} */ path) => ({ transform: { document: name(path), fieldTransforms: [{ fieldPath: 'n', increment: int(1) }] } }),
};

function pairs() {
  const kinds = Object.values(PAIR_KINDS);
  const paths = kinds.flatMap((_, first) => kinds.map((__, second) => `p/${first}-${second}`));
  const requests = [commit(...paths.map((path) => update(path)))];
  for (const [first, one] of kinds.entries()) {
    for (const [second, other] of kinds.entries()) {
      requests.push(commit(one(`p/${first}-${second}`), other(`p/${first}-${second}`)), get(`p/${first}-${second}`));
      requests.push(commit(one(`m/${first}-${second}`), other(`m/${first}-${second}`)), get(`m/${first}-${second}`));
    }
  }
  return requests;
}

const nested = (/** @type {number} */ depth) => (depth === 0 ? int(1) : map({ a: nested(depth - 1) }));

const BAD_AND_GOOD_VALUES = [
  {}, { integerValue: '1', stringValue: 'x' }, { nullValue: 'NULL_VALUE' }, { booleanValue: 'true' }, { booleanValue: 1 }, { stringValue: null }, { integerValue: null },
  list(list()), { arrayValue: null }, { mapValue: null }, { arrayValue: { foo: 1 } }, { geoPointValue: { latitude: 91 } }, { geoPointValue: { latitude: 'NaN' } },
  { referenceValue: name('q') }, { referenceValue: 'projects/z/databases/(default)/documents/q/a' }, { referenceValue: 'x' }, { referenceValue: '' }, { bytesValue: '!!' }, { bytesValue: '_-8' },
  { doubleValue: '1.5' }, { fooValue: 1 }, { integer_value: '5' }, { integerValue: 1e3 }, { integerValue: 1.5 }, { integerValue: '9223372036854775808' }, map({ __x__: int(1) }), map({ '': int(1) }),
  vector(int(1)), vector(), vector({ doubleValue: 'Infinity' }), vector({ doubleValue: 1 }), list(vector({ doubleValue: 1 })), list(map({ v: vector({ doubleValue: 1 }) })),
  nested(18), nested(19), nested(20), nested(21), { timestampValue: '2024-01-02T03:04:05.123456789Z' }, { timestampValue: '2024-01-02T03:04:05+02:00' }, { timestampValue: '2024-01-02' },
  { timestampValue: '10000-01-01T00:00:00Z' }, { timestampValue: '0001-01-01T00:00:00Z' },
];

/** @param {string} path @param {any} currentDocument */
const verify = (path, currentDocument) => ({ verify: name(path), currentDocument });

/** A query with this number for an enumerator. @type {Record<string, (number: unknown) => any>} */
const WITH_ENUM = {
  unaryFilter: (op) => ({ where: { unaryFilter: { field: { fieldPath: 'v' }, op } } }),
  compositeFilter: (op) => ({ where: { compositeFilter: { op, filters: [filter('v', 'EQUAL', int(1)).where, filter('v', 'EQUAL', int(2)).where] } } }),
  fieldFilter: (op) => filter('v', /** @type {any} */ (op), [8, 9, 10].includes(Number(op)) ? list(int(1)) : int(1)),
  direction: (direction) => ({ orderBy: [{ field: { fieldPath: 'w' }, direction }] }),
  distanceMeasure: (distanceMeasure) => nearest({ distanceMeasure, distanceResultField: 'near' }),
};

/** @param {any} [more] @param {any} [query] */
const nearest = (more = {}, query = {}) => ({ findNearest: { vectorField: { fieldPath: 'x' }, queryVector: vector({ doubleValue: 1 }, { doubleValue: 0 }), distanceMeasure: 'EUCLIDEAN', limit: 10, ...more }, ...query });
const VECTORS = Object.entries({ a: [1, 0], b: [0, 1], c: [1, 1], d: [-1, 0], e: [10, 0], f: [1, 0], z: [0, 0], three: [1, 2, 3] })
  .map(([id, values], index) => update(`q/${id}`, { x: vector(...values.map((doubleValue) => ({ doubleValue }))), n: int(index) }));

/** The parts of messages that the tests of Google's SDKs look for. */
const REFUSED_QUERIES = [
  { orderBy: [{ field: { fieldPath: '__name__' } }, { field: { fieldPath: 'v' } }] }, { orderBy: [{ field: { fieldPath: 'v' } }, { field: { fieldPath: 'v' } }] },
  { orderBy: [{ field: { fieldPath: '__name__' }, direction: 'DESCENDING' }] }, { ...filter('v', 'GREATER_THAN', int(0)), orderBy: [{ field: { fieldPath: '__name__' } }] },
  ...[['EQUAL', { referenceValue: name('q/a') }], ['IN', list({ referenceValue: name('q/a') })]].map(([op, value]) => (
    { where: { compositeFilter: { op: 'AND', filters: [filter('__name__', /** @type {string} */ (op), value).where, filter('v', 'GREATER_THAN', int(0)).where] } } })),
  ...[[filter('v', 'NOT_EQUAL', int(1)), filter('w', 'NOT_EQUAL', int(1))], [filter('v', 'NOT_IN', list(int(1))), filter('w', 'IN', list(int(1)))], [filter('v', 'ARRAY_CONTAINS', int(1)), filter('w', 'ARRAY_CONTAINS', int(1))],
    [anyOf('a', 10), anyOf('b', 4)]].map((filters) => ({ where: { compositeFilter: { op: 'AND', filters: filters.map(({ where }) => where) } } })),
  { offset: -1 }, { limit: -1 }, { ...filter('v', 'EQUAL', int(1)), from: [{ allDescendants: true }] }, { from: [{ allDescendants: true }], orderBy: [{ field: { fieldPath: 'v' } }] }, { startAt: { values: [int(1)] } },
  { orderBy: [{ field: { fieldPath: '__name__' } }], startAt: { values: [text('a')] } }, nearest({}, { limit: 1 }), nearest({}, { offset: 1 }), nearest({}, { orderBy: [{ field: { fieldPath: 'n' } }], endAt: { values: [int(1)] } }),
];

const JWT_PART = Buffer.from('{}').toString('base64url');
const TOKENS = ['Bearer not-a-jwt', 'Bearer a.b.c', `Bearer ${JWT_PART}.${JWT_PART}.`, `Bearer ${JWT_PART}.${JWT_PART}.xx`, `Bearer ${JWT_PART}.${JWT_PART}.x`, `Bearer ${JWT_PART}.${JWT_PART}`, `Bearer ${JWT_PART}.${JWT_PART}.x.y`,
  `Bearer W10.${JWT_PART}.`, `Bearer ${JWT_PART}.zz.`, 'Bearer  owner', 'bearer owner', 'Bearer OWNER', 'Bearer ya29.abc', 'Bearer', 'Basic abc', 'owner'];
const PROJECTS = ['a_b', 'A', 'a.b', '-a', 'a-', '1', 'example.com:p', 'a:b:c', 'a%20b', 'ä', 'x'.repeat(64)];

const NAMES = ['q', 'q/a/b', 'q/.', 'q/..', 'q/__x__', 'q/__id7__', 'q/__id-3__', 'q/__id07__', '__id7__/a', 'q/____', 'q/___', 'q//a/b', 'q/a:b', `q/${'x'.repeat(1500)}`, `q/${'x'.repeat(1501)}`,
  `${'x'.repeat(1501)}/a`, 'q/é', 'q/a b', 'q/a%2Fb', 'a/b/'.repeat(49) + 'c/d'];

const byName = { orderBy: [{ field: { fieldPath: '__name__' } }] };
const byNameBackwards = { orderBy: [{ field: { fieldPath: '__name__' }, direction: 'DESCENDING' }] };
const one = { field: { fieldPath: 'v' } };

/** @type {{name: string, requests: ConformanceRequest[]}[]} */
export const CONFORMANCE_CASES = [
  {
    name: 'numbers for enumerators',
    requests: [
      commit(...VECTORS, update('q/one', { v: int(1), w: int(3), l: list(int(1)) }), update('q/null', { v: { nullValue: 0 }, w: int(2) }), update('q/nan', { v: { doubleValue: 'NaN' }, w: int(1) })),
      ...Object.entries(WITH_ENUM).flatMap(([kind, make]) => [...ENUM_NUMBERS[kind] ?? [], '2', null, 'x', '', 2.5, true].map((word) => query(make(word)))),
      ...[...ENUM_NUMBERS.setToServerValue ?? [], '1', null, 'x'].map((setToServerValue) => commit(transform('q/t', { fieldPath: 't', setToServerValue }))),
      ...[0, 1, '0', 'NULL_VALUE', 'x', null, true, {}, []].map((nullValue) => commit(update('q/t', { v: { nullValue } }))),
    ],
  },
  {
    name: 'verify',
    requests: [
      commit(update('a/1'), update('a/2'), update('a/gone')), commit({ delete: name('a/gone') }),
      ...[verify('a/1', { exists: true }), verify('a/1', { exists: false }), verify('a/none', { exists: true }), verify('a/none', { exists: false }), verify('a/gone', { exists: false }), verify('a/gone', { exists: true }),
        verify('a/1', { updateTime: { $time: 0 } }), verify('a/1', { updateTime: '2020-01-01T00:00:00Z' }), verify('a/1', { updateTime: '2036-01-01T00:00:00Z' }), verify('a/none', { updateTime: { $time: 0 } }), verify('a/gone', { updateTime: { $time: 1 } }),
        verify('a/1', {}), verify('a/1', undefined), verify('a/1', null), { ...verify('a/1', { exists: true }), updateMask: { fieldPaths: ['v'] } }, { ...verify('a/1', { exists: true }), updateMask: null },
        { ...verify('a/1', { exists: true }), updateTransforms: [{ fieldPath: 'v', increment: int(1) }] }, verify('a', { exists: true }), { verify: null, currentDocument: { exists: true } }, { ...verify('a/1', { exists: true }), delete: name('a/1') },
      ].flatMap((write) => [commit(write), commit(write, update('a/2', { v: int(3) })), get('a/2'), post('batchWrite', { writes: [write, update('a/2', { v: int(4) })] }, { admin: true })]),
      ...[(/** @type {any} */ write) => [verify('a/1', { exists: true }), write], (/** @type {any} */ write) => [write, verify('a/1', { exists: true })]].flatMap((both) => [
        update('a/1'), { delete: name('a/1') }, transform('a/1', { fieldPath: 'v', increment: int(1) }), verify('a/1', { exists: true })].flatMap((write) => [commit(...both(write)), post('batchWrite', { writes: both(write) }, { admin: true })])),
      commit(verify('n/1', { exists: false }), verify('n/2', { exists: false })), commit(verify('n/1', { exists: false }), update('n/3')), get('a/1'),
      post('beginTransaction', {}), post('batchGet', { documents: [name('a/1'), name('a/none')], transaction: { $token: 0 } }), commit(verify('a/1', { exists: true })),
      post('commit', { transaction: { $token: 0 }, writes: [verify('a/1', { updateTime: { $time: 0 } }), verify('a/none', { exists: false })] }),
      post('beginTransaction', { options: { readOnly: {} } }), post('commit', { transaction: { $token: 1 }, writes: [verify('a/1', { exists: true })] }),
    ],
  },
  {
    name: 'the nearest vectors',
    requests: [
      commit(...VECTORS, update('q/text', { x: text('x'), n: int(99) }), update('q/none', { n: int(100) }), update('q/list', { x: list(int(1), int(0)) })),
      ...['EUCLIDEAN', 'COSINE', 'DOT_PRODUCT'].flatMap((distanceMeasure) => [undefined, null, 0, 1, 1.5, -1, '1', 'NaN', 'Infinity'].map((distanceThreshold) => nearest({ distanceMeasure, distanceThreshold, distanceResultField: 'near' }))).map((one) => query(one)),
      ...[
        ...[0, 1, 2, 1000, 1001, -1, '3', null, undefined, 1.5].map((limit) => nearest({ limit })),
        ...['near', 'n', 'x', 'a.b', '`a.b`', '', '__x__', '__name__', null, 'x y', 'x'.repeat(1501)].map((distanceResultField) => nearest({ distanceResultField, limit: 2 })),
        ...[vector(), vector({ doubleValue: 1 }), vector(...[1, 2, 3].map((doubleValue) => ({ doubleValue }))), int(1), list({ doubleValue: 1 }), null, {}, vector(int(1), int(0)), undefined].map((queryVector) => nearest({ queryVector })),
        ...[{ fieldPath: '__name__' }, { fieldPath: 'zz' }, { fieldPath: 'a..b' }, {}, null, undefined].map((vectorField) => nearest({ vectorField })), { findNearest: {} }, { findNearest: null }, nearest({ nonsense: 1 }),
        ...[filter('n', 'LESS_THAN', int(3)), filter('n', 'EQUAL', int(3)), { limit: 2 }, { limit: 0 }, { offset: 1 }, { orderBy: [{ field: { fieldPath: 'n' } }] }, { orderBy: [{ field: { fieldPath: 'n' }, direction: 2 }] },
          { select: { fields: [{ fieldPath: 'n' }] } }, { select: { fields: [{ fieldPath: 'near' }] } }, { select: { fields: [{ fieldPath: '__name__' }] } }, { from: [{ collectionId: 'q', allDescendants: true }] }, { from: [{ allDescendants: true }] },
        ].map((more) => nearest({ distanceResultField: 'near', limit: 4 }, more)),
      ].map((one) => query(one)),
      query(nearest(), { newTransaction: { readOnly: {} } }), aggregate([{ count: {} }], nearest({ limit: 3 })), aggregate([{ sum: { field: { fieldPath: 'n' } } }], nearest({ limit: 3 })),
    ],
  },
  { name: 'messages of queries', requests: REFUSED_QUERIES.map((one) => ({ ...query(one), says: true })) },
  {
    name: 'messages of aggregations',
    requests: [
      ...[[{ count: {}, alias: 'x' }, { count: {}, alias: 'x' }], []].map((one) => aggregate(one)), aggregate([{ sum: one }], { select: { fields: [{ fieldPath: 'v' }] } }), aggregate([{ sum: one }], byName),
    ].map((request) => ({ ...request, says: true })),
  },
  { name: 'six aggregations', requests: [aggregate(Array.from({ length: 5 }, () => ({ count: {} }))), aggregate(Array.from({ length: 6 }, () => ({ count: {} })))] },
  {
    name: 'what is not there',
    requests: ['', '/q', '/q/a'].flatMap((parent) => ['partitionQuery', 'executePipeline', 'write', 'listen', 'commit', 'nonsense'].flatMap((verb) => [{}, { nonsense: 1 }].map((body) => (
      { method: 'POST', path: `${parent}:${verb}`, body })))).filter(({ path, body }) => path.startsWith(':') || !('nonsense' in body) || !path.endsWith(':commit')),
  },
  { name: 'explainOptions', requests: [commit(update('q/a')), ...[{}, { analyze: false }, { analyze: true }, null, { nonsense: 1 }, { analyze: 'x' }].flatMap((explainOptions) => [query({}, { explainOptions })])] },
  { name: 'who asks', requests: TOKENS.flatMap((authorization) => [{ ...commit(update('a/1')), authorization }, { ...post('batchWrite', {}), authorization }, { ...post('nonsense', {}), authorization }]) },
  { name: 'ids of projects', requests: PROJECTS.map((project) => ({ method: 'GET', path: `!/v1/projects/${project}/databases/(default)/documents/a/b` })) },
  { name: 'two writes to one document in one commit', requests: pairs() },
  { name: 'increments', requests: INCREMENTS.map((increment) => commit(transform('a/1', { fieldPath: 'n', increment }))) },
  {
    name: 'transforms of arrays and extremes',
    requests: [
      commit(update('a/1', { list: list(int(1), { doubleValue: 2 }, text('x'), { nullValue: null }, { doubleValue: 'NaN' }), s: text('x') })),
      ...[{ appendMissingElements: { values: [{ doubleValue: 1 }, int(2), int(3), { doubleValue: 3 }, { doubleValue: 'NaN' }, { nullValue: null }] } },
        { removeAllFromArray: { values: [{ doubleValue: 1 }, { doubleValue: 'NaN' }, { nullValue: null }] } }].flatMap((one) => [commit(transform('a/1', { fieldPath: 'list', ...one })), get('a/1')]),
      ...['maximum', 'minimum'].flatMap((kind) => [int(5), { doubleValue: 5 }, int(6), { doubleValue: 2.5 }, { doubleValue: 'NaN' }, text('x'), { nullValue: null }].map((value) => commit(transform('a/1', { fieldPath: 'd', [kind]: value })))),
      ...[{ fieldPath: 'x' }, { fieldPath: 'x', increment: int(1), maximum: int(2) }, { increment: int(1) }, { fieldPath: 'x', setToServerValue: 'SERVER_VALUE_UNSPECIFIED' }, { fieldPath: 'x', setToServerValue: 1 },
        { fieldPath: 'x', increment: text('x') }, { fieldPath: 's.t', increment: int(1) }].map((one) => commit(transform('a/1', one))),
      commit(transform('a/1', { fieldPath: 'm', increment: int(1) }, { fieldPath: 'm.x', increment: int(1) })),
      get('a/1'),
    ],
  },
  {
    name: 'masks',
    requests: [
      commit(update('a/1', { z: int(1), v: map({ x: int(1) }) })),
      ...[['v.y', 'q.r.s'], ['z.x'], ['v', 'v.x'], ['v', 'v'], [], ['*'], ['a..b'], [''], ['`a.b`'], ['__name__'], ['k']].flatMap((fieldPaths) => [
        commit(update('a/1', { z: map({ x: int(2) }), 'a.b': int(3), k: int(1), l: int(2) }, { updateMask: { fieldPaths } })), get('a/1')]),
      commit(update('a/1', {}, { updateMask: { fieldPaths: ['z.x'] } })), get('a/1'), commit(update('a/1', { v: int(3) }, { updateMask: null })), get('a/1'),
    ],
  },
  { name: 'values', requests: BAD_AND_GOOD_VALUES.flatMap((value) => [commit(update('q/v', { v: value })), get('q/v'), query(filter('v', 'EQUAL', value))]) },
  { name: 'names', requests: NAMES.flatMap((path) => [commit(update(path)), post('batchGet', { documents: [name(path)] })]) },
  { name: 'field names', requests: ['__x__', '', 'x'.repeat(1500), 'x'.repeat(1501), 'a.b', '`', '\\', 'é', '____', '__'].flatMap((field) => [commit(update('q/a', { [field]: int(1) })), get('q/a')]) },
  {
    name: 'malformed writes',
    requests: [{}, { currentDocument: { exists: true } }, { update: null }, { update: {} }, { transform: { document: name('a/1'), fieldTransforms: [] } },
      { transform: { document: name('a/1'), fieldTransforms: [{ fieldPath: 'v', increment: int(1) }] }, updateMask: { fieldPaths: ['x'] } }, { delete: name('a/1'), updateTransforms: [{ fieldPath: 'w', increment: int(1) }] },
      { delete: name('a/1'), update: { name: name('a/1') } }, update('a/1', {}, { currentDocument: { exists: true, updateTime: '2020-01-01T00:00:00Z' } }), update('a/1', {}, { nonsense: 1 })].map((write) => commit(write)),
  },
  {
    name: 'documents by REST verbs',
    requests: [
      { method: 'POST', path: '/l?documentId=n1', body: { fields: { v: int(1) } } }, { method: 'POST', path: '/l?documentId=n1', body: {} }, { method: 'POST', path: '/l?documentId=__x__', body: {} },
      { method: 'POST', path: '/l?documentId=a%2Fb', body: {} }, { method: 'POST', path: '/l?documentId=n2', body: { name: name('l/other') } }, { method: 'POST', path: '/l?documentId=n3' },
      { method: 'POST', path: '/made', body: {} }, { method: 'POST', path: '/l/a?documentId=q', body: {} }, { method: 'POST', path: '/l?documentId=n4&mask.fieldPaths=v', body: { fields: { v: int(1), w: int(2) } } },
      { method: 'PATCH', path: '/l/p1?updateMask.fieldPaths=w&mask.fieldPaths=v', body: { fields: { w: int(1) } } }, { method: 'PATCH', path: '/l/p1?currentDocument.exists=false', body: {} },
      { method: 'PATCH', path: '/l/none?currentDocument.exists=true', body: {} }, { method: 'PATCH', path: '/l/p1', body: { fieldz: {} } }, { method: 'PATCH', path: '/l/p1?updateMask.fieldPaths=', body: {} },
      { method: 'PATCH', path: '/l', body: {} }, { method: 'DELETE', path: '/l/p1?currentDocument.exists=true' }, { method: 'DELETE', path: '/l/p1?currentDocument.exists=true' }, { method: 'DELETE', path: '/l/p1' },
      { method: 'DELETE', path: '/l' }, { method: 'PUT', path: '/l/p1', body: {} }, get('l/n1?mask.fieldPaths=w'), get('l/none'), get('__x__'), get('l?pageSize=-1'), get('l?orderBy=v%20down'), get('l?nonsense=1&pageSize=1'),
      { method: 'GET', path: '!/' }, { method: 'GET', path: '!/v1/foo' }, { method: 'GET', path: '!/v1/projects/p' }, { method: 'POST', path: ':nonsense', body: {} },
    ],
  },
  {
    name: 'lists and collection ids',
    requests: [
      commit(update('l/a'), update('l/b', { v: int(3) }), update('l/c', { v: int(2) }), update('l/__id7__', { w: int(1) }), update('l/m/sub/x'), update('l/zz/sub/x/deep/y'), update('other/k/sub/x')),
      ...['', '?pageSize=2', '?pageSize=2&pageToken={"$page":0}', '?pageSize=20&pageToken={"$page":0}', '?pageSize=4', '?pageSize=0', '?orderBy=v', '?orderBy=v%20desc', '?orderBy=v%20desc,__name__', '?mask.fieldPaths=w',
        '?mask.fieldPaths=w..x', '?showMissing=true', '?showMissing=true&orderBy=v'].map((parameters) => get(`l${parameters}`)),
      ...['?showMissing=true', '?showMissing=true&pageSize=2', '?showMissing=true&pageSize=2&pageToken={"$page":3}'].map((parameters) => ({ ...get(`l${parameters}`), admin: true })),
      get('l/m/sub'), get('nothing'), ...['', '/l/zz', '/l/m', '/l/a', '/l'].map((parent) => ({ method: 'POST', path: `${parent}:listCollectionIds`, body: {}, admin: true })),
      post('listCollectionIds', { pageSize: 1 }, { admin: true }), post('listCollectionIds', { pageSize: -1 }), post('listCollectionIds', {}),
    ],
  },
  {
    name: 'queries',
    requests: [
      commit(update('q/a', { v: int(1), m: map({ k: int(1) }) }), update('q/b', { v: int(2) }), update('q/c', { v: int(3) }), update('q/a/q/n', { v: int(5) }), update('q/a/r/n', { v: int(6) })),
      ...[{}, { from: [] }, { from: [{}] }, { from: [{ allDescendants: true }] }, { from: [{ collectionId: 'q', allDescendants: true }] }, { from: [{ collectionId: 'q' }, { collectionId: 'r' }] }, { from: [{ collectionId: 'a/b' }] },
        { from: [{ collectionId: '__b__' }] }, { offset: 1 }, { offset: 10 }, { offset: -1 }, { limit: 0 }, { limit: -1 }, { limit: 3 }, { limit: null }, { limit: '2' }, { limit: 1.5 }, { offset: 1, limit: 1 }, byNameBackwards,
        filter('__name__', 'EQUAL', { referenceValue: name('q/b') }), filter('__name__', 'EQUAL', text('b')), filter('__name__', 'EQUAL', { referenceValue: name('z/b') }), filter('__name__', 'EQUAL', { referenceValue: name('q') }),
        filter('__name__', 'IN', list({ referenceValue: name('q/b') }, { referenceValue: name('q/a') })), filter('__name__', 'ARRAY_CONTAINS', { referenceValue: name('q/a') }), filter('__name__', 'NOT_EQUAL', { referenceValue: name('q/a') }),
        filter('__name__', 'EQUAL', { referenceValue: 'projects/z/databases/(default)/documents/q/a' }), { where: { unaryFilter: { field: { fieldPath: '__name__' }, op: 'IS_NULL' } } }, { where: {} }, { where: null },
        filter('v', 'OPERATOR_UNSPECIFIED', int(1)), filter('v', 'EQ', int(1)), { where: { fieldFilter: { field: { fieldPath: 'v' }, op: 5, value: int(1) } } }, { where: { fieldFilter: { field: { fieldPath: 'v' }, op: 'EQUAL' } } },
        { where: { compositeFilter: { op: 'AND' } } }, { where: { compositeFilter: { op: 'OR', filters: [] } } }, { where: { compositeFilter: { filters: [filter('v', 'EQUAL', int(1)).where] } } }, filter('v', 'IN', int(1)),
        filter('v', 'IN', list(...Array.from({ length: 30 }, (_, i) => int(i)))), filter('v', 'IN', list(...Array.from({ length: 31 }, (_, i) => int(i)))), filter('v', 'NOT_IN', list(...Array.from({ length: 11 }, (_, i) => int(i)))),
        { orderBy: [{ field: { fieldPath: 'v' }, direction: 'UP' }] }, { orderBy: [{ field: { fieldPath: 'v' } }, { field: { fieldPath: 'v' } }] }, { orderBy: [{}] }, { orderBy: [...byName.orderBy, { field: { fieldPath: 'v' } }] },
        { orderBy: [{ field: { fieldPath: 'v' } }], startAt: {} }, { orderBy: [{ field: { fieldPath: 'v' } }], startAt: { before: true } }, { orderBy: [{ field: { fieldPath: 'v' } }], startAt: { values: [int(1), int(2)] } }, { ...byName, startAt: { values: [text('a')] } },
        { ...byName, startAt: { values: [{ referenceValue: name('q/a/x/y') }] } }, { startAt: { values: [int(1)] } }, { orderBy: [{ field: { fieldPath: 'v' } }], startAt: { values: [int(3)], before: true }, endAt: { values: [int(1)] } },
        { select: { fields: [{ fieldPath: 'a..b' }] } }, { select: { fields: [{}] } }, { select: {} }, { nonsense: 1 },
        { where: { compositeFilter: { op: 'AND', filters: Array.from({ length: 11 }, (_, i) => filter(`f${i}`, 'GREATER_THAN', int(1)).where) } } },
        { where: { compositeFilter: { op: 'AND', filters: [filter('a', 'IN', list(...Array.from({ length: 10 }, (_, i) => int(i)))).where, filter('b', 'IN', list(int(1), int(2), int(3), int(4))).where] } } },
      ].map((one) => query(one)),
      post('runQuery', {}), query({}, { readTime: '2099-01-01T00:00:00Z' }), query({}, { readTime: '2026-01-01T00:00:00.123456789Z' }), query({}, { readTime: '2020-01-01T00:00:00Z' }), query({}, { readTime: { $time: 0 } }),
      query({ limit: 1 }, { newTransaction: { readOnly: {} } }), query({}, { nonsense: 1 }),
      ...['/q', '/q/a'].map((parent) => ({ method: 'POST', path: `${parent}:runQuery`, body: { structuredQuery: { from: [{ collectionId: 'q' }] } } })),
    ],
  },
  {
    name: 'aggregations',
    requests: [
      commit(update('q/a', { v: int(1), w: int('9223372036854775807') }), update('q/b', { v: int(2), w: int(1) }), update('q/c', { v: { doubleValue: 0.5 }, w: int(-1) }), update('q/d', { v: text('x') }), update('q/e', { x: int(1) })),
      ...[[{ count: {} }], [{ count: { upTo: '2' }, alias: 'x' }], [{ count: { upTo: 0 } }], [{ count: { upTo: -1 } }], [{ sum: one }, { avg: one }, { count: {} }], [{ sum: { field: { fieldPath: 'w' } } }, { avg: { field: { fieldPath: 'w' } } }],
        [{ sum: { field: { fieldPath: 'zz' } } }, { avg: { field: { fieldPath: 'zz' } } }], [{ count: {}, alias: 'x' }, { count: {}, alias: 'x' }], [], [{}], [{ sum: {} }], [{ sum: { field: { fieldPath: '__name__' } } }],
        [{ count: {}, alias: '__x__' }], [{ count: {}, alias: '1 x.' }]].map((one) => aggregate(one)),
      aggregate([{ count: {} }], { limit: 2 }), aggregate([{ count: {} }, { sum: one }], { limit: 1, offset: 1 }), aggregate([{ sum: one }], { select: { fields: [{ fieldPath: 'v' }] } }),
      aggregate([{ sum: one }], byName), aggregate([{ sum: one }], filter('__name__', 'GREATER_THAN', { referenceValue: name('q/a') })), aggregate([{ sum: one }], filter('v', 'GREATER_THAN', int(0))),
    ],
  },
  {
    name: 'transactions',
    requests: [
      commit(update('a/1')),
      post('beginTransaction', {}), post('batchGet', { documents: [name('a/1'), name('a/2')], transaction: { $token: 0 } }), post('batchGet', { documents: [name('a/1')], transaction: { $token: 0 }, readTime: { $time: 0 } }),
      post('commit', { transaction: { $token: 0 }, writes: [update('a/1', { v: int(7) })] }), post('batchGet', { documents: [name('a/1')], transaction: { $token: 0 } }), post('rollback', { transaction: { $token: 0 } }),
      post('commit', { transaction: { $token: 0 }, writes: [] }),
      post('beginTransaction', { options: { readOnly: {} } }), commit(update('a/1', { v: int(8) })), post('batchGet', { documents: [name('a/1')], transaction: { $token: 1 } }), query({ from: [{ collectionId: 'a' }] }, { transaction: { $token: 1 } }),
      post('commit', { transaction: { $token: 1 }, writes: [update('a/3')] }), post('commit', { transaction: { $token: 1 } }), post('rollback', { transaction: { $token: 1 } }),
      post('beginTransaction', { options: { readWrite: { retryTransaction: 'AAAA' } } }), post('beginTransaction', { options: { readOnly: {}, readWrite: {} } }), post('beginTransaction', { options: { readOnly: { readTime: '2020-01-01T00:00:00Z' } } }),
      post('beginTransaction', { options: { readOnly: { readTime: { $time: 0 } } } }), post('batchGet', { documents: [name('a/1')], transaction: { $token: 2 } }),
      post('rollback', {}), post('rollback', { transaction: 'AAAA' }), post('commit', { transaction: '!!' }), post('batchGet', { documents: [name('a/1')], newTransaction: { readOnly: {} } }),
      post('beginTransaction', {}), post('commit', { transaction: { $token: 4 }, writes: [update('a/1', {}, { currentDocument: { exists: false } })] }), post('commit', { transaction: { $token: 4 } }),
    ],
  },
  {
    name: 'a transaction stays open behind a commit that makes no sense, and ends with one that fails',
    requests: [
      commit(update('a/1')), post('beginTransaction', {}),
      post('commit', { transaction: { $token: 0 }, writes: [update('a/2'), { delete: name('a/2'), currentDocument: { exists: false } }] }),
      post('commit', { transaction: { $token: 0 }, writes: [update('a/2', {}, { currentDocument: { exists: false } }), update('a/2', {}, { currentDocument: { exists: false } })] }),
      post('commit', { transaction: { $token: 0 }, writes: [update('a', {})] }),
      post('commit', { transaction: { $token: 0 }, writes: [update('a/1', {}, { currentDocument: { exists: false } })] }),
      post('commit', { transaction: { $token: 0 } }),
    ],
  },
  {
    name: 'a transaction holds what it has read',
    requests: [
      commit(update('a/1')), post('beginTransaction', {}), post('batchGet', { documents: [name('a/1')], transaction: { $token: 0 } }), commit(update('a/2')), commit(update('a/1', { v: int(2) })),
      post('commit', { transaction: { $token: 0 }, writes: [update('a/1', { v: int(3) })] }), commit(update('a/1', { v: int(4) })),
    ],
  },
  {
    name: 'disjunctions that are the same count once',
    requests: [
      [anyOf('a', 16), anyOf('b', 2)], [anyOf('a', 15, int(0)), anyOf('b', 2)], [anyOf('a', 15, { doubleValue: 1 }), anyOf('b', 2)], [anyOf('a', 30, int(0))],
      [or(anyOf('a', 14), filter('d', 'EQUAL', int(1)), filter('a', 'EQUAL', int(3))), anyOf('b', 2)],
      [or(anyOf('a', 15), filter('d', 'EQUAL', int(1)), filter('a', 'EQUAL', int(3))), anyOf('b', 2)],
      [or(anyOf('a', 6), anyOf('b', 6)), or(anyOf('a', 6), anyOf('c', 2))], [or(anyOf('a', 6), anyOf('b', 2)), or(anyOf('a', 4), anyOf('b', 2))],
    ].map((filters) => query({ where: { compositeFilter: { op: 'AND', filters: filters.map(({ where }) => where) } } })),
  },
  {
    name: 'batchWrite',
    requests: [[update('a/1'), update('a/2', {}, { currentDocument: { exists: true } }), { delete: name('a/3') }], [update('a/1'), update('a/1')], [update('a/1'), update('a')], []].flatMap((writes) => [
      post('batchWrite', { writes }), post('batchWrite', { writes }, { admin: true })]),
  },
  {
    name: 'batchGet',
    requests: [commit(update('a/1')), ...[{ documents: [name('a/1'), name('a/1'), name('a/none')], mask: { fieldPaths: ['x'] } }, { documents: [] }, {}, { documents: [name('a')] }, { documents: [name('a/1')], mask: { fieldPaths: ['a..b'] } },
      { documents: [name('a/1')], readTime: '2099-01-01T00:00:00Z' }, { documents: [name('a/1')], readTime: { $time: 0 } }, { nonsense: 1 }].map((body) => post('batchGet', body))],
  },
];
