// Makes wrong answers that are valid JSON.

import { copyOf, places, toText, toTree } from './json_tree.js';

/**
 * @typedef {import('../emulator/support/random.js').Random} Random
 * @typedef {import('./json_tree.js').Place} Place
 *
 * The effect of a mutation on an answer's truth:
 *   same     says the same in another form: the operation must not notice
 *   broken   is no answer to the question: the operation must refuse it, or come to the right result all the same
 *   disorder holds true documents only, some of them twice or in another order: an operation that reads all of them must refuse it;
 *            one that reads as many as it returns may lack documents, but what it returns is in order and never twice
 *   lie      is a well-formed answer that is not true: no client can tell, so only its behaviour is judged
 * @typedef {'same' | 'broken' | 'disorder' | 'lie'} Truth
 * @typedef {{text: string, truth: Truth, what: string}} Mutated
 */

const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', '', '0', 'length', 'name', 'fields', 'error', 'document', 'found', 'done',
  'result', 'readTime', 'values', 'integerValue', 'stringValue', 'mapValue', 'a\u0000b', 'é', '\u202e'];

const NUMBERS = ['0', '-0', '1', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808', '9223372036854775808',
  '18446744073709551616', '1e308', '1e400', '-1e400', '1e-400', '0.5', '5.0', '1e3', `1${'0'.repeat(400)}`, `0.${'3'.repeat(400)}`,
  'NaN', 'Infinity', '-Infinity', '+1', '01', '.5', '1.', '0x10', '1_000', '--1', '1e', 'null', '[]', '{}', 'true'];

const TEXTS = ['""', '"NaN"', '"Infinity"', '"-Infinity"', '"-0"', '"nan"', '"1e3"', '"5.0"', '"0x10"', '" 1"', '"1 "', '"12abc"',
  '"9223372036854775807"', '"-9223372036854775808"', '"9223372036854775808"', '"90071992547409931"', `"${'9'.repeat(3000)}"`,
  '"__proto__"', '"constructor.prototype"', '"[object Object]"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u202e"',
  '"=====" ', '"AA-_"', '"A"', '"%%%"', '"projects/x"', '"//////"', '"<script>"', '"\\"]}"', '"🂡"'];

const TIMES = ['"1970-01-01T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59.999999Z"', '"0000-01-01T00:00:00Z"',
  '"2019-02-30T00:00:00Z"', '"2019-01-01T24:00:00Z"', '"2019-01-01T00:00:00"', '"2019-01-01 00:00:00Z"', '"10000-01-01T00:00:00Z"',
  '"2019-01-01T00:00:00.1234567891Z"', '"2019-01-01T00:00:00+99:99"', '"now"', '""', '0', 'null', '{"seconds":1}',
  '"[object Object]"', '"2019-01-01T00:00:00Z\\u0000"'];

/** @param {string} text A number, a word, or a text with its quotes. */
const scalar = (text) => /** @type {import('./json_tree.js').Node} */ ({ kind: 'scalar', text });

/** A field that stands twice: a map with a value on the way to a prototype, then a map without. @param {Random} random */
function pollution(random) {
  const value = random.pick([{ timestampValue: '2019-01-01T00:00:00Z' }, { bytesValue: 'AAAA' }, { doubleValue: 'NaN' },
    { integerValue: '9223372036854775807' }]);
  const inside = random.pick([{ polluted: value }, { toString: value }, { length: value }, { 0: value }]);
  /** @param {object} fields */
  const map = (fields) => ({ mapValue: { fields } });
  const proto = Object.fromEntries([['__proto__', map(inside)]]);
  return toTree(map(random.pick([proto, { constructor: map({ prototype: map(inside) }) }, map(inside).mapValue.fields])));
}

/** @param {import('./json_tree.js').Node} element Of an answer to :runQuery, perhaps. */
const holdsDocument = (element) => element.kind === 'object' && element.members.some(([key]) => key === '"document"');

/** @typedef {(random: Random, place: Place) => Truth | undefined} Mutation Undefined: it does not apply to this place. */

/** @type {{[name: string]: Mutation}} */
const MUTATIONS = {
  drop(random, { node }) {
    if (node.kind === 'scalar') return undefined;
    const list = node.kind === 'object' ? node.members : node.elements;
    if (list.length === 0) return undefined;
    list.splice(random.between(0, list.length - 1), 1);
    return 'lie';
  },
  reorder(random, { node }) {
    if (node.kind !== 'object' || node.members.length < 2) return undefined;
    node.members.splice(0, Infinity, ...random.shuffle(node.members));
    return 'same';
  },
  addUnknown(random, { node, path }) {
    // In fields, every member is a field; in a value, there is one member.
    if (node.kind !== 'object' || /(^|\/)fields|aggregateFields|transformResults|Value$/.test(path)) return undefined;
    const value = toTree(random.pick([null, 1, 'x', [], {}, [[{ a: 1 }]], { document: { name: 'x' } }, { error: {} }]));
    node.members.splice(random.between(0, node.members.length), 0, ['"explainMetrics"', value]);
    return 'same';
  },
  escapeKey(random, { node }) {
    if (node.kind !== 'object' || node.members.length === 0) return undefined;
    const member = random.pick(node.members);
    const name = JSON.parse(member[0]);
    if (name === '') return undefined;
    member[0] = `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(name.slice(1)).slice(1)}`;
    return 'lie'; // No server writes names so; whether a reader takes it is its own matter.
  },
  duplicateMember(random, { node }) {
    if (node.kind !== 'object' || node.members.length === 0) return undefined;
    const [key, value] = random.pick(node.members);
    node.members.push([key, random.chance(0.5) ? copyOf(value) : copyOf(random.pick(node.members)[1])]);
    return 'lie';
  },
  pollute(random, { node, path }) {
    if (node.kind !== 'object' || !/\/fields$/.test(path)) return undefined;
    const key = random.pick(['"a"', '"b"', node.members[0]?.[0] ?? '"c"']);
    const nothing = toTree(random.pick([{ mapValue: {} }, { mapValue: { fields: {} } }, { arrayValue: {} }, { stringValue: 'x' }, { nullValue: null }]));
    node.members.push([key, pollution(random)], [key, nothing]);
    return 'lie';
  },
  addHostileField(random, { node, path }) {
    if (node.kind !== 'object' || !/\/fields$/.test(path)) return undefined;
    node.members.push([JSON.stringify(random.pick(['__proto__', 'constructor', 'prototype'])), pollution(random)]);
    return 'lie';
  },
  rename(random, { node }) {
    if (node.kind !== 'object' || node.members.length === 0) return undefined;
    random.pick(node.members)[0] = JSON.stringify(random.pick(KEYS));
    return 'lie';
  },
  repeatElement(random, { node, path }) {
    if (node.kind !== 'array' || node.elements.length === 0) return undefined;
    const element = random.pick(node.elements);
    const count = random.pick([1, 1, 2, 50]);
    const at = random.between(0, node.elements.length);
    node.elements.splice(at, 0, ...Array.from({ length: count }, () => copyOf(element)));
    if (path !== '') return 'lie';
    return holdsDocument(element) ? 'disorder' : 'broken';
  },
  shuffle(random, { node, path }) {
    if (node.kind !== 'array' || node.elements.length < 2) return undefined;
    node.elements.splice(0, Infinity, ...random.shuffle(node.elements));
    if (path !== '') return 'lie';
    return node.elements.some(holdsDocument) ? 'disorder' : 'same'; // Only queries promise an order.
  },
  empty(random, { node }) {
    if (node.kind === 'object') node.members.length = 0;
    else if (node.kind === 'array') node.elements.length = 0;
    else return undefined;
    return 'lie';
  },
  nest(random, place) {
    place.replace({ kind: 'array', elements: [place.node] });
    return 'lie';
  },
  deepen(random, place) {
    const depth = random.pick([3, 25, 200, 5000]);
    const [open, close] = random.pick([['[', ']'], ['{"a":', '}'], ['{"mapValue":{"fields":{"a":', '}}}'], ['{"arrayValue":{"values":[', ']}}']]);
    place.replace(scalar(open.repeat(depth) + toText(place.node) + close.repeat(depth)));
    return 'lie';
  },
  swapType(random, place) {
    place.replace(scalar(random.pick(['null', 'true', 'false', '0', '""', '[]', '{}', '[{}]', '{"":{}}', '[null]', '"x"'])));
    return 'lie';
  },
  number(random, place) {
    if (place.node.kind !== 'scalar') return undefined;
    place.replace(scalar(random.pick(NUMBERS)));
    return 'lie';
  },
  text(random, place) {
    if (place.node.kind !== 'scalar') return undefined;
    place.replace(scalar(random.pick(TEXTS)));
    return 'lie';
  },
  time(random, place) {
    if (place.node.kind !== 'scalar' || !/^"\d{4}-\d\d-\d\dT/.test(place.node.text)) return undefined;
    place.replace(scalar(random.pick(TIMES)));
    return 'lie';
  },
  integer(random, place) {
    if (place.key !== 'integerValue') return undefined;
    place.replace(scalar(random.pick([...TEXTS, ...NUMBERS])));
    return 'lie';
  },
  valueType(random, { node }) {
    if (node.kind !== 'object' || node.members.length !== 1 || !node.members[0][0].endsWith('Value"')) return undefined;
    const kind = random.pick(['nullValue', 'booleanValue', 'integerValue', 'doubleValue', 'timestampValue', 'stringValue', 'bytesValue',
      'referenceValue', 'geoPointValue', 'arrayValue', 'mapValue', 'fancyValue']);
    node.members[0][0] = `"${kind}"`;
    return 'lie';
  },
  /** Another document than the one asked for: of another project, database, collection or shard. */
  foreign(random, place) {
    if (place.node.kind !== 'scalar' || !/^"projects\//.test(place.node.text) || !/\/(document|found)\/name$/.test(place.path)) return undefined;
    const name = JSON.parse(place.node.text);
    const parts = name.split('/');
    const at = random.pick([1, 3, 5]);
    parts[at] = random.pick([`${parts[at]}x`, '..', '', 'other', '__proto__']);
    place.replace(scalar(JSON.stringify(random.pick([parts.join('/'), `${name}/sub/other`, name.slice(0, -parts.at(-1).length - 1), name.slice(1)]))));
    return 'broken';
  },
};

const NAMES = Object.keys(MUTATIONS);

/** What comes last says the least, so it is what several changes together come to. @type {Truth[]} */
const RANK = ['same', 'broken', 'disorder', 'lie'];

/**
 * Changes an answer in one to three places.
 * @param {Random} random
 * @param {string} text JSON
 * @returns {Mutated}
 */
export function mutateTree(random, text) {
  const original = JSON.parse(text);
  let root = toTree(original);
  /** @type {Truth} */
  let truth = 'same';
  const done = [];
  const wanted = random.pick([1, 1, 1, 2, 3]);
  for (let tries = 0; done.length < wanted && tries < 60; tries += 1) {
    const name = random.pick(NAMES);
    const place = random.pick(places(root, (node) => { root = node; }));
    const result = MUTATIONS[name](random, place);
    if (result === undefined) continue;
    done.push(`${name} at ${place.path || '/'}`);
    if (RANK.indexOf(result) > RANK.indexOf(truth)) truth = result;
  }
  const mutated = toText(root);
  return { text: mutated, truth: truth === 'lie' ? truthOf(original, mutated, done.length > 1) : truth, what: done.join(', ') };
}

/**
 * @param {unknown} original
 * @param {string} text
 * @param {boolean} severally Whether it was changed in several places. Then what makes it no JSON may stand where no reader need
 *   look, and a lie beside it.
 * @returns {Truth}
 */
export function truthOf(original, text, severally) {
  let mutated;
  try {
    mutated = JSON.parse(text);
  } catch {
    return severally ? 'lie' : 'broken';
  }
  return isSame(original, mutated) ? 'same' : 'lie';
}

/** As JSON: the order of members does not matter, 0 is not -0. @param {any} a From a server. @param {any} b @returns {boolean} */
function isSame(a, b) {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length
    && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}
