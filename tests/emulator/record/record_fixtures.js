/**
 * Records tests/fixtures/*.json again from a running emulator: `node tests/emulator/record/record_fixtures.js`.
 * hand_written.js has the answers that no emulator gives; the files mark them.
 */
import { writeFile } from 'node:fs/promises';
import { startEmulator } from '../support/emulator.js';
import { RestClient } from '../support/rest.js';
import * as handWritten from './hand_written.js';
import { recordQueryRules } from './query_rules.js';
import { recordValueOrder } from './value_order.js';
import { bytes, filter, geo, integer, array, map, order, string, timestamp, double, vector } from './wire.js';

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const PROJECT = 'demo';

/**
 * @typedef {object} Exchange
 * @property {string} name
 * @property {string} source  'emulator', 'emulator, re-formatted' or 'hand-written'
 * @property {{method: string, path: string, body: unknown}} [request]
 * @property {{status: number, contentType: string, body: string}} response  `body` is the exact text
 */

/** Collects the exchanges of one file. */
class Recorder {
  /** @type {Exchange[]} */
  exchanges = [];

  /** @param {RestClient} client */
  constructor(client) {
    this.client = client;
  }

  /** @param {string} name @param {string} verb @param {object} body @param {{parent?: string}} [options] */
  async post(name, verb, body, { parent = '' } = {}) {
    const answer = await this.client.post(verb, body, parent);
    const exchange = {
      name,
      source: 'emulator',
      request: { method: 'POST', path: `/v1/${this.client.name(parent)}:${verb}`, body },
      response: { status: answer.status, contentType: answer.headers.get('content-type') ?? '', body: answer.text },
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  /** The same answer in the white space that other servers send. @param {Exchange} exchange */
  addFormats(exchange) {
    const json = JSON.parse(exchange.response.body);
    const formats = {
      compact: JSON.stringify(json),
      indented: `${JSON.stringify(json, null, 2)}\n`,
      'indented, CRLF and tabs': JSON.stringify(json, null, '\t').replaceAll('\n', '\r\n'),
    };
    if (Array.isArray(json)) {
      // How production streams an array: every element on its own, the comma on a line of its own.
      formats.streamed = `[${json.map((element) => JSON.stringify(element, null, 2)).join('\n,\n')}\n]`;
    }
    for (const [format, body] of Object.entries(formats)) {
      this.exchanges.push({
        ...exchange,
        name: `${exchange.name} (${format})`,
        source: 'emulator, re-formatted',
        response: { ...exchange.response, body },
      });
    }
  }
}

/** @param {RestClient} client */
async function recordCommits(client) {
  const record = new Recorder(client);
  const name = (path) => client.name(path);
  const add = (path, operand) => ({
    update: { name: name(path) },
    updateMask: { fieldPaths: [] },
    updateTransforms: [{ fieldPath: 'count', increment: operand }],
  });
  await record.post('create a counter', 'commit', {
    writes: [
      { update: { name: name('counters/c'), fields: { num_shards: integer(2) } }, currentDocument: { exists: false } },
      { update: { name: name('counters/c/shards/0'), fields: { count: integer(0) } }, currentDocument: { exists: false } },
      { update: { name: name('counters/c/shards/1'), fields: { count: integer(0) } }, currentDocument: { exists: false } },
    ],
  });
  const increment = await record.post('increment', 'commit', { writes: [add('counters/c/shards/0', integer(3))] });
  record.addFormats(increment);
  await record.post('increment by a double', 'commit', { writes: [add('counters/c/shards/1', double(0.5))] });
  await record.post('increment to int64 maximum', 'commit', { writes: [add('counters/c/shards/0', integer('9223372036854775807'))] });
  await record.post('increment to NaN', 'commit', { writes: [add('counters/c/shards/1', double('NaN'))] });
  const ledger = { name: name('ledgers/client1'), fields: { seq: integer(1) } };
  const first = await record.post('ledger and increment, first', 'commit', {
    writes: [{ update: ledger, currentDocument: { exists: false } }, add('counters/c/shards/1', integer(1))],
  });
  const { updateTime } = JSON.parse(first.response.body).writeResults[0];
  await record.post('ledger and increment, later', 'commit', {
    writes: [
      { update: { ...ledger, fields: { seq: integer(2) } }, currentDocument: { updateTime } },
      add('counters/c/shards/1', integer(1)),
    ],
  });
  await record.post('transforms of one document', 'commit', {
    writes: [
      {
        update: { name: name('counters/t'), fields: { keep: string('x') } },
        updateTransforms: [
          { fieldPath: 'count', increment: integer(1) },
          { fieldPath: 'at', setToServerValue: 'REQUEST_TIME' },
          { fieldPath: 'list', appendMissingElements: { values: [string('a')] } },
          { fieldPath: 'most', maximum: double(1.5) },
        ],
      },
    ],
  });
  await record.post('delete', 'commit', { writes: [{ delete: name('counters/t') }] });
  await record.post('no writes', 'commit', { writes: [] });
  return record.exchanges;
}

/** Fields of every type; what Firestore leaves out (empty arrays and maps, zero coordinates) is here. */
function everyType(client) {
  return {
    null: { nullValue: null },
    false: { booleanValue: false },
    true: { booleanValue: true },
    integer: integer(-7),
    large: integer('9007199254740993'),
    lowest: integer('-9223372036854775808'),
    double: double(0.1),
    whole: double(3),
    tiny: double(5e-324),
    huge: double(1.7976931348623157e308),
    nan: double('NaN'),
    infinity: double('Infinity'),
    minusInfinity: double('-Infinity'),
    seconds: timestamp('2024-01-02T03:04:05Z'),
    millis: timestamp('2024-01-02T03:04:05.100Z'),
    micros: timestamp('2024-01-02T03:04:05.123456Z'),
    yearOne: timestamp('0001-01-01T00:00:00Z'),
    lastMicro: timestamp('9999-12-31T23:59:59.999999Z'),
    empty: string(''),
    escapes: string('"\\/\b\f\n\r\t\u0000\u001f<>&\'\u2028 abcdefghij"'),
    emoji: string('😀 日本 \ufffd'),
    bytes: bytes('AP8='),
    noBytes: bytes(''),
    reference: { referenceValue: client.name('instruments/a') },
    geo: geo(52.5, -13.4),
    geoZero: geo(0, 0),
    geoHalf: geo(0, 1),
    array: array(integer(1), string('x'), map({ k: integer(2) })),
    emptyArray: array(),
    map: map({ inner: map({ deep: integer(1) }), 'dotted.key': integer(2), '"quoted"': integer(3) }),
    emptyMap: map({}),
    vector: vector(1, -0.5, 2.25),
    'a field': integer(1),
    '日本': integer(2),
  };
}

/** @param {RestClient} client */
async function recordReads(client) {
  const record = new Recorder(client);
  await client.set('types/all', everyType(client));
  await client.set('types/none', {});
  await client.set('types/__id7__', { x: integer(1) });
  await client.set('types/"quoted" \\ 日本 😀', { x: integer(1) });
  const paths = ['types/none', 'types/missing', 'types/__id7__'];
  const some = await record.post('found and missing', 'batchGet', { documents: paths.map((path) => client.name(path)) });
  record.addFormats(some);
  await record.post('every type', 'batchGet', { documents: [client.name('types/all')] });
  await record.post('mask', 'batchGet', { documents: [client.name('types/all')], mask: { fieldPaths: ['map.inner', 'integer', 'absent'] } });
  await record.post('no documents', 'batchGet', { documents: [] });
  await record.post('with a read-only transaction', 'batchGet', {
    documents: [client.name('types/missing')],
    newTransaction: { readOnly: {} },
  });
  return record.exchanges;
}

/** @param {RestClient} client */
async function recordQueries(client) {
  const record = new Recorder(client);
  const from = [{ collectionId: 'instruments' }];
  for (const [id, shard, second] of /** @type {const} */ ([['a', 'x', 1], ['b', 'y', 2], ['c', 'x', 2], ['d', 'z', 0]])) {
    await client.set(`instruments/${id}`, {
      symbol: string(id.toUpperCase()),
      shard: string(shard),
      timestamp: timestamp(`2024-01-01T00:00:0${second}.25Z`),
      price: map({ currency: string('USD'), micros: integer(34_790_000) }),
    });
  }
  const newest = [order('timestamp', 'DESCENDING'), order('__name__', 'DESCENDING')];
  const all = await record.post('sharded query', 'runQuery', {
    structuredQuery: { from, where: filter('shard', 'IN', array(string('x'), string('y'))), orderBy: newest, limit: 3 },
  });
  record.addFormats(all);
  await record.post('after a cursor', 'runQuery', {
    structuredQuery: {
      from,
      orderBy: newest,
      startAt: { values: [timestamp('2024-01-01T00:00:02.250Z'), { referenceValue: client.name('instruments/c') }], before: false },
    },
  });
  await record.post('select', 'runQuery', { structuredQuery: { from, select: { fields: [{ fieldPath: 'price.currency' }] }, limit: 2 } });
  await record.post('select nothing but names', 'runQuery', { structuredQuery: { from, select: { fields: [{ fieldPath: '__name__' }] }, limit: 1 } });
  const none = await record.post('nothing found', 'runQuery', { structuredQuery: { from: [{ collectionId: 'nowhere' }] } });
  record.addFormats(none);
  await record.post('every type', 'runQuery', { structuredQuery: { from: [{ collectionId: 'types' }], orderBy: [order('__name__')] } });
  await record.post('with a read-only transaction', 'runQuery', { structuredQuery: { from, limit: 1 }, newTransaction: { readOnly: {} } });
  return record.exchanges;
}

/** @param {RestClient} client */
async function recordAggregations(client) {
  const record = new Recorder(client);
  const sum = { alias: 'sum', sum: { field: { fieldPath: 'count' } } };
  const count = { alias: 'count', count: {} };
  /** @param {string} name @param {(object | null)[]} values null: a document without the field @param {object[]} [aggregations] @param {object} [query] */
  const ask = async (name, values, aggregations = [sum], query = {}) => {
    const collection = `agg${record.exchanges.length}`;
    for (const [id, value] of values.entries()) await client.set(`${collection}/${id}`, value === null ? {} : { count: value });
    const structuredQuery = { from: [{ collectionId: collection }], ...query };
    return record.post(name, 'runAggregationQuery', { structuredAggregationQuery: { structuredQuery, aggregations } });
  };
  record.addFormats(await ask('sum of integers', [integer(1), integer(2)]));
  await ask('sum of integers beyond 2^53', [integer('9007199254740992'), integer(3)]);
  await ask('sum with a double', [integer(1), double(0.5)]);
  await ask('sum overflows int64', [integer('9223372036854775807'), integer(1)]);
  await ask('sum is NaN', [integer(1), double('NaN')]);
  await ask('sum is infinite', [double(1.7976931348623157e308), double(1.7976931348623157e308)]);
  await ask('sum of nothing', []);
  await ask('sum skips strings', [integer(1), string('2')]);
  await ask('sum and count leave out documents without the field', [integer(1), null], [sum, count]);
  await ask('count', [integer(1), null], [count]);
  await ask('count up to the limit', [integer(1), integer(1), integer(1)], [count], { limit: 2 });
  await ask('average of nothing is null', [], [{ alias: 'average', avg: { field: { fieldPath: 'count' } } }]);
  await ask('average', [integer(1), integer(2)], [{ alias: 'average', avg: { field: { fieldPath: 'count' } } }]);
  return record.exchanges;
}

/** @param {RestClient} client */
async function recordErrors(client) {
  const record = new Recorder(client);
  await client.set('errors/here', { x: integer(1) });
  const write = (path, currentDocument) => ({ writes: [{ update: { name: client.name(path), fields: {} }, currentDocument }] });
  await record.post('NOT_FOUND: exists: true', 'commit', write('errors/missing', { exists: true }));
  await record.post('ALREADY_EXISTS: exists: false', 'commit', write('errors/here', { exists: false }));
  await record.post('FAILED_PRECONDITION: other updateTime', 'commit', write('errors/here', { updateTime: '2020-01-01T00:00:00.000001Z' }));
  await record.post('INVALID_ARGUMENT: name', 'commit', { writes: [{ delete: 'errors/here' }] });
  await record.post('INVALID_ARGUMENT: payload', 'commit', { writes: 1 });
  await record.post('INVALID_ARGUMENT: too many disjunctions', 'runQuery', {
    structuredQuery: {
      from: [{ collectionId: 'errors' }],
      where: filter('x', 'IN', array(...Array.from({ length: 31 }, (_, index) => integer(index)))),
    },
  });
  await record.post('INVALID_ARGUMENT: readTime in the future', 'runQuery', {
    structuredQuery: { from: [{ collectionId: 'errors' }] },
    readTime: '2999-01-01T00:00:00Z',
  });
  await record.post('FAILED_PRECONDITION: readTime too old', 'runQuery', {
    structuredQuery: { from: [{ collectionId: 'errors' }] },
    readTime: '2020-01-01T00:00:00Z',
  });
  await record.post('no message at all', 'runAggregationQuery', {
    structuredAggregationQuery: {
      structuredQuery: { from: [{ collectionId: 'errors' }] },
      aggregations: Array.from({ length: 6 }, (_, index) => ({ alias: `a${index}`, count: {} })),
    },
  });
  await record.post('no JSON: unknown method', 'commitAll', {});
  const anonymous = new RestClient({ url: client.url, projectId: PROJECT, token: null });
  const denied = new Recorder(anonymous);
  await denied.post('PERMISSION_DENIED: batchWrite', 'batchWrite', { writes: [] });
  return [...record.exchanges, ...denied.exchanges, ...handWritten.errors];
}

/** @param {string} file @param {string} about @param {Exchange[]} exchanges */
async function write(file, about, exchanges) {
  await writeFile(new URL(file, FIXTURES), `${JSON.stringify({ about, exchanges }, null, 1)}\n`);
}

const emulator = await startEmulator();
try {
  const client = new RestClient({ url: emulator.exactUrl, projectId: PROJECT });
  await write('commit.json', ':commit, what succeeds', await recordCommits(client));
  await write('batch_get.json', ':batchGet, what succeeds', [...(await recordReads(client)), ...handWritten.reads]);
  await write('run_query.json', ':runQuery, what succeeds', [...(await recordQueries(client)), ...handWritten.queries]);
  await write('aggregation.json', ':runAggregationQuery, what succeeds', [...(await recordAggregations(client)), ...handWritten.aggregations]);
  await write('errors.json', 'Answers that are errors, in every form', await recordErrors(client));
  await write('malformed.json', 'Bodies that a :runQuery must refuse although the status is 200', handWritten.malformed);
  await writeFile(new URL('query_rules.json', FIXTURES), await recordQueryRules(client));
  await writeFile(new URL('value_order.json', FIXTURES), await recordValueOrder(client));
} finally {
  await emulator.stop();
}
