/**
 * Records which queries Firestore takes, and their results in a small data set that holds every type. Tests compare the embedded Firestore and the
 * planner of sharded queries with the file.
 */
import { array, double, filter, integer, map, order, string } from './wire.js';

const NULL = { nullValue: null };
const unary = (fieldPath, op) => ({ unaryFilter: { field: { fieldPath }, op } });
const all = (...filters) => ({ compositeFilter: { op: 'AND', filters } });
const any = (...filters) => ({ compositeFilter: { op: 'OR', filters } });
const count = (length, make) => Array.from({ length }, (_, index) => make(index));
const inShards = (length) => filter('shard', 'IN', array(...count(length, (index) => string(`s${index}`))));
const anyOf = (length) => filter('list', 'ARRAY_CONTAINS_ANY', array(...count(length, integer)));
const equals = (length) => count(length, (index) => filter(`f${index}`, 'EQUAL', integer(index)));

/** By id; `a` is the field that is asked about. */
export const DOCUMENTS = {
  none: { x: integer(1), shard: string('s0') },
  null: { a: NULL, shard: string('s0') },
  nan: { a: double('NaN'), shard: string('s1') },
  one: { a: integer(1), b: integer(1), shard: string('s0') },
  oneDouble: { a: double(1), b: integer(2), shard: string('s1') },
  two: { a: integer(2), b: integer(0), shard: string('s2') },
  zero: { a: integer(0), b: integer(2), shard: string('s0') },
  minusInfinity: { a: double('-Infinity'), shard: string('s2') },
  text: { a: string('x'), shard: string('s1') },
  emptyText: { a: string(''), shard: string('s1') },
  false: { a: { booleanValue: false }, shard: string('s2') },
  true: { a: { booleanValue: true }, shard: string('s2') },
  array: { a: array(integer(1)), list: array(NULL, double('NaN'), double(1)), shard: string('s0') },
  emptyArray: { a: array(), list: array(integer(2), string('x')), shard: string('s1') },
  map: { a: map({ k: integer(1) }), shard: string('s2') },
  emptyMap: { a: map({}), shard: string('s0') },
};

/** @type {Record<string, object>} structured queries without `from` */
const QUERIES = {
  ...where({
    'EQUAL null': filter('a', 'EQUAL', NULL),
    'EQUAL NaN': filter('a', 'EQUAL', double('NaN')),
    'NOT_EQUAL null': filter('a', 'NOT_EQUAL', NULL),
    'NOT_EQUAL NaN': filter('a', 'NOT_EQUAL', double('NaN')),
    'IS_NULL': unary('a', 'IS_NULL'),
    'IS_NAN': unary('a', 'IS_NAN'),
    'IS_NOT_NULL': unary('a', 'IS_NOT_NULL'),
    'IS_NOT_NAN': unary('a', 'IS_NOT_NAN'),
    'EQUAL integer': filter('a', 'EQUAL', integer(1)),
    'EQUAL double': filter('a', 'EQUAL', double(1)),
    'EQUAL map': filter('a', 'EQUAL', map({ k: double(1) })),
    'NOT_EQUAL integer': filter('a', 'NOT_EQUAL', integer(1)),
    'greater than zero': filter('a', 'GREATER_THAN', integer(0)),
    'greater than the lowest number': filter('a', 'GREATER_THAN_OR_EQUAL', double('-Infinity')),
    'less than NaN': filter('a', 'LESS_THAN', double('NaN')),
    'at least NaN': filter('a', 'GREATER_THAN_OR_EQUAL', double('NaN')),
    'greater than null': filter('a', 'GREATER_THAN', NULL),
    'greater than the empty string': filter('a', 'GREATER_THAN', string('')),
    'at most false': filter('a', 'LESS_THAN_OR_EQUAL', { booleanValue: false }),
    'at least the empty array': filter('a', 'GREATER_THAN_OR_EQUAL', array()),
    'at least the empty map': filter('a', 'GREATER_THAN_OR_EQUAL', map({})),
    'IN with null': filter('a', 'IN', array(NULL, integer(1))),
    'IN with NaN': filter('a', 'IN', array(double('NaN'), integer(1))),
    'IN with an array': filter('a', 'IN', array(array(integer(1)))),
    'IN with nothing': filter('a', 'IN', array()),
    'NOT_IN': filter('a', 'NOT_IN', array(integer(1), string('x'))),
    'NOT_IN with null': filter('a', 'NOT_IN', array(NULL, integer(1))),
    'NOT_IN with NaN': filter('a', 'NOT_IN', array(double('NaN'))),
    'NOT_IN with nothing': filter('a', 'NOT_IN', array()),
    'ARRAY_CONTAINS': filter('list', 'ARRAY_CONTAINS', integer(1)),
    'ARRAY_CONTAINS null': filter('list', 'ARRAY_CONTAINS', NULL),
    'ARRAY_CONTAINS NaN': filter('list', 'ARRAY_CONTAINS', double('NaN')),
    'ARRAY_CONTAINS_ANY': filter('list', 'ARRAY_CONTAINS_ANY', array(integer(1), integer(2))),
    'IN of 30': inShards(30),
    'IN of 31': inShards(31),
    'IN of 31, two of them different': filter('shard', 'IN', array(...count(31, (index) => string(`s${index % 2}`)))),
    'NOT_IN of 10': filter('a', 'NOT_IN', array(...count(10, integer))),
    'NOT_IN of 11': filter('a', 'NOT_IN', array(...count(11, integer))),
    'ARRAY_CONTAINS_ANY of 30': anyOf(30),
    'ARRAY_CONTAINS_ANY of 31': anyOf(31),
    'IN × ARRAY_CONTAINS_ANY = 30': all(inShards(3), anyOf(10)),
    'IN × ARRAY_CONTAINS_ANY = 40': all(inShards(4), anyOf(10)),
    'OR of 30': any(...count(30, (index) => filter('a', 'EQUAL', integer(index)))),
    'OR of 31': any(...count(31, (index) => filter('a', 'EQUAL', integer(index)))),
    'IN × OR = 30': all(inShards(15), any(filter('a', 'EQUAL', integer(1)), filter('b', 'EQUAL', integer(2)))),
    'IN × OR = 32': all(inShards(16), any(filter('a', 'EQUAL', integer(1)), filter('b', 'EQUAL', integer(2)))),
    'IN and NOT_EQUAL': all(inShards(2), filter('a', 'NOT_EQUAL', integer(1))),
    'IN and NOT_IN': all(inShards(2), filter('a', 'NOT_IN', array(integer(1)))),
    'IN of one value and NOT_IN': all(inShards(1), filter('a', 'NOT_IN', array(integer(1)))),
    'EQUAL and NOT_IN': all(filter('shard', 'EQUAL', string('s0')), filter('a', 'NOT_IN', array(integer(1)))),
    'ARRAY_CONTAINS_ANY and NOT_IN': all(anyOf(2), filter('a', 'NOT_IN', array(integer(1)))),
    'OR and NOT_IN': all(any(filter('b', 'EQUAL', integer(1)), filter('b', 'EQUAL', integer(2))), filter('a', 'NOT_IN', array(integer(1)))),
    'NOT_IN and NOT_EQUAL': all(filter('a', 'NOT_IN', array(integer(1))), filter('b', 'NOT_EQUAL', integer(1))),
    'two NOT_EQUAL': all(filter('a', 'NOT_EQUAL', integer(1)), filter('b', 'NOT_EQUAL', integer(1))),
    'two NOT_EQUAL on one field': all(filter('a', 'NOT_EQUAL', integer(1)), filter('a', 'NOT_EQUAL', integer(2))),
    'NOT_EQUAL and IS_NOT_NULL': all(filter('a', 'NOT_EQUAL', integer(1)), unary('b', 'IS_NOT_NULL')),
    'NOT_EQUAL and an inequality': all(filter('a', 'NOT_EQUAL', integer(1)), filter('b', 'GREATER_THAN', integer(0))),
    'two ARRAY_CONTAINS': all(filter('list', 'ARRAY_CONTAINS', integer(1)), filter('list', 'ARRAY_CONTAINS', NULL)),
    'ARRAY_CONTAINS and ARRAY_CONTAINS_ANY': all(filter('list', 'ARRAY_CONTAINS', integer(1)), anyOf(2)),
    'ARRAY_CONTAINS and IN': all(filter('list', 'ARRAY_CONTAINS', integer(1)), inShards(2)),
    'inequalities on 2 fields': all(filter('a', 'GREATER_THAN', integer(0)), filter('b', 'LESS_THAN', integer(2))),
    'inequalities on 10 fields': all(...count(10, (index) => filter(`f${index}`, 'GREATER_THAN', integer(0)))),
    'inequalities on 11 fields': all(...count(11, (index) => filter(`f${index}`, 'GREATER_THAN', integer(0)))),
    'AND of one': all(filter('a', 'EQUAL', integer(1))),
    'bad field path': filter('a b', 'EQUAL', integer(1)),
    'empty field path': filter('', 'EQUAL', integer(1)),
  }),
  'IN of 30 and 70 more filters': { where: all(inShards(30), ...equals(70)) },
  'IN of 30 and 71 more filters': { where: all(inShards(30), ...equals(71)) },
  'IN of 30, 68 more filters, 2 orders': { where: all(inShards(30), ...equals(68)), orderBy: [order('o'), order('__name__')] },
  'IN of 30, 69 more filters, 2 orders': { where: all(inShards(30), ...equals(69)), orderBy: [order('o'), order('__name__')] },
  'order by field': { orderBy: [order('a')] },
  'order by field, down': { orderBy: [order('a', 'DESCENDING')] },
  'order by field, down, name up': { orderBy: [order('a', 'DESCENDING'), order('__name__')] },
  'order without a direction': { orderBy: [{ field: { fieldPath: 'b' } }] },
  'order by the field of an equality': { where: filter('a', 'EQUAL', integer(1)), orderBy: [order('a', 'DESCENDING')] },
  'order by another field than the inequality': { where: filter('a', 'GREATER_THAN_OR_EQUAL', integer(0)), orderBy: [order('b', 'DESCENDING')] },
  'inequality left out before __name__': { where: filter('a', 'GREATER_THAN', integer(0)), orderBy: [order('b'), order('__name__')] },
  'NOT_IN of null alone, left out before __name__': { where: filter('a', 'NOT_IN', array(NULL)), orderBy: [order('b'), order('__name__')] },
  'NOT_IN with null, left out before __name__': { where: filter('a', 'NOT_IN', array(NULL, integer(1))), orderBy: [order('b'), order('__name__')] },
  'order after __name__': { orderBy: [order('__name__'), order('a')] },
  'order twice by one field': { orderBy: [order('a'), order('a')] },
  'cursor, inclusive': { orderBy: [order('b')], startAt: { values: [integer(1)], before: true } },
  'cursor, exclusive': { orderBy: [order('b')], startAt: { values: [integer(1)], before: false } },
  'end, exclusive': { orderBy: [order('b')], endAt: { values: [integer(2)], before: true } },
  'end, inclusive': { orderBy: [order('b')], endAt: { values: [integer(2)], before: false } },
  'cursor of another type': { orderBy: [order('a')], startAt: { values: [string('')], before: true } },
  'cursor longer than the orders': { orderBy: [order('b')], startAt: { values: [integer(1), string('x')], before: true } },
  'cursor name as a string': { orderBy: [order('b'), order('__name__')], startAt: { values: [integer(1), string('x')], before: true } },
  'limit 0': { limit: 0 },
  'limit below 0': { limit: -1 },
  'limit and offset': { orderBy: [order('__name__')], offset: 2, limit: 2 },
};

/** @param {Record<string, object>} filters */
function where(filters) {
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, { where: filter }]));
}

/**
 * @param {import('../support/rest.js').RestClient} client
 * @returns {Promise<string>} the text of query_rules.json
 */
export async function recordQueryRules(client) {
  for (const [id, fields] of Object.entries(DOCUMENTS)) await client.set(`rules/${id}`, fields);
  const lines = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    const structuredQuery = { from: [{ collectionId: 'rules' }], ...query };
    const { json } = await client.post('runQuery', { structuredQuery });
    const outcome = json.error
      ? { error: json.error.status, message: json.error.message }
      : { ids: json.filter((element) => element.document).map((element) => element.document.name.split('/').pop()) };
    lines.push(`  ${JSON.stringify({ name, query: structuredQuery, ...outcome })}`);
  }
  const documents = Object.entries(DOCUMENTS).map(([id, fields]) => `  ${JSON.stringify(id)}: ${JSON.stringify(fields)}`);
  return `{
 "about": "Queries that Firestore takes or refuses, and the ids they find among \`documents\` of the collection 'rules', in order.",
 "source": "emulator",
 "documents": {
${documents.join(',\n')}
 },
 "queries": [
${lines.join(',\n')}
 ]
}
`;
}
