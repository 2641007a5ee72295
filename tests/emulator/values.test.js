/** The wire form of each JavaScript value, and the values that are refused. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import {
  arrayUnion, Bytes, deleteField, DocumentReference, GeoPoint, increment, serverTimestamp, ShardlineError, Timestamp, vector,
} from 'shardline';
import { Connection } from '../../web/library/connection.js';
import createModule from '../../web/library/generated/runtime.js';
import { ModuleRunner } from '../../web/library/load.js';
import { decodeNumber, encodeDocument, encodeValue } from '../../web/library/values.js';
import { Random } from './support/random.js';

/** @param {RegExp} message */
const invalid = (message) => (/** @type {unknown} */ error) => {
  assert.ok(error instanceof ShardlineError, `${error}`);
  assert.equal(error.code, 'invalid-argument');
  assert.match(error.message, message);
  return true;
};

describe('encodeValue', () => {
  const cases = /** @type {[unknown, object][]} */ ([
    [null, { nullValue: null }],
    [true, { booleanValue: true }],
    ['', { stringValue: '' }],
    [7, { integerValue: '7' }],
    [-0, { doubleValue: '-0' }],
    [0.5, { doubleValue: 0.5 }],
    [NaN, { doubleValue: 'NaN' }],
    [-Infinity, { doubleValue: '-Infinity' }],
    [2 ** 53 - 1, { integerValue: '9007199254740991' }],
    [2 ** 53, { doubleValue: 9007199254740992 }],
    [2n ** 63n - 1n, { integerValue: '9223372036854775807' }],
    [new Date('2019-01-01T13:45:23.010Z'), { timestampValue: '2019-01-01T13:45:23.010Z' }],
    [new Timestamp(0, 123456789), { timestampValue: '1970-01-01T00:00:00.123456Z' }],
    [new Timestamp(-62135596800, 0), { timestampValue: '0001-01-01T00:00:00.000Z' }],
    [new Uint8Array([251, 255]), { bytesValue: '+/8=' }],
    [new GeoPoint(-90, 180), { geoPointValue: { latitude: -90, longitude: 180 } }],
    [new DocumentReference('projects/p/databases/d/documents/a/b'), { referenceValue: 'projects/p/databases/d/documents/a/b' }],
    [[1, ['a']], {
      arrayValue: { values: [{ integerValue: '1' }, { arrayValue: { values: [{ stringValue: 'a' }] } }] },
    }],
    [{ a: { b: 1 } }, { mapValue: { fields: { a: { mapValue: { fields: { b: { integerValue: '1' } } } } } } }],
    [Object.create(null), { mapValue: { fields: {} } }],
    [runInNewContext('({ a: 1 })'), { mapValue: { fields: { a: { integerValue: '1' } } } }],
    [runInNewContext('new Uint8Array([251, 255])'), { bytesValue: '+/8=' }],
    [{ [Symbol.toStringTag]: 'Date' }, { mapValue: { fields: {} } }],
    [runInNewContext('new Date(0)'), { timestampValue: '1970-01-01T00:00:00.000Z' }],
    [vector([1, 0.5]), {
      mapValue: {
        fields: {
          __type__: { stringValue: '__vector__' },
          value: { arrayValue: { values: [{ doubleValue: 1 }, { doubleValue: 0.5 }] } },
        },
      },
    }],
  ]);
  for (const [value, wire] of cases) {
    test(JSON.stringify(wire), () => assert.deepEqual(encodeValue(value, 'field'), wire));
  }

  const loop = {};
  Object.assign(loop, { loop });
  const refused = /** @type {[string, unknown, RegExp][]} */ ([
    ['undefined', undefined, /“f” is undefined/],
    ['a function', () => {}, /“f” is a function/],
    ['a symbol', Symbol('s'), /“f” is a symbol/],
    ['an invalid date', new Date(NaN), /“f” is an invalid Date/],
    ['a class instance', new (class Price {})(), /“f” is an instance of Price/],
    ['a Map', new Map(), /instance of Map/],
    ['what contains itself', loop, /contains itself/],
    ['undefined deep inside', { a: [{ b: undefined }] }, /“f\.a\.0\.b” is undefined/],
    ['a hole in an array', Object.assign([1], { 2: 2 }), /“f\.1” is undefined/],
    ['a transform in an array', [serverTimestamp()], /“f\.0”/],
    ['a vector of strings', vector(/** @type {any} */ (['1'])), /vector/],
  ]);
  for (const [what, value, message] of refused) {
    test(`refuses ${what}`, () => assert.throws(() => encodeValue(value, 'f'), invalid(message)));
  }
});

describe('encodeDocument', () => {
  test('puts transforms beside the fields', () => {
    const { fields, transforms } = encodeDocument({ at: serverTimestamp(), n: { count: increment(2n), a: 1 }, gone: deleteField() });
    assert.deepEqual(fields, { n: { mapValue: { fields: { a: { integerValue: '1' } } } } });
    assert.deepEqual(transforms, [
      { path: ['at'], kind: 'serverTimestamp', value: undefined },
      { path: ['n', 'count'], kind: 'increment', value: { integerValue: '2' } },
      { path: ['gone'], kind: 'delete', value: undefined },
    ]);
  });

  test('takes "__proto__" for a name like any other', () => {
    const { fields } = encodeDocument(JSON.parse('{"__proto__": 1}'));
    assert.equal(JSON.stringify(fields), '{"__proto__":{"integerValue":"1"}}');
  });

  test('refuses what is no object of fields', () => {
    for (const data of [null, 7, 'text', [], new Date(), undefined]) {
      assert.throws(() => encodeDocument(data), invalid(/plain object/));
    }
  });

  test('refuses transforms of values that are none', () => {
    assert.throws(() => increment(/** @type {any} */ ('1')), invalid(/increment\(\)/));
    assert.throws(() => arrayUnion(undefined), invalid(/arrayUnion\(\)/));
  });
});

describe('Timestamp', () => {
  test('reads what Firestore writes, to the last digit', () => {
    for (const text of ['2019-01-01T13:45:23.000Z', '0001-01-01T00:00:00.000001Z', '9999-12-31T23:59:59.999999Z']) {
      assert.equal(Timestamp.fromString(text).toString(), text);
    }
    assert.deepEqual({ ...Timestamp.fromString('1969-12-31T23:59:59.5Z') }, { seconds: -1, nanoseconds: 500000000 });
    assert.equal(Timestamp.fromString('2019-01-01T13:45:23Z').toMillis(), Date.parse('2019-01-01T13:45:23Z'));
  });

  test('reads offsets, as other languages write them', () => {
    assert.equal(Timestamp.fromString('2024-02-29T23:30:00.123456-05:30').toString(), '2024-03-01T05:00:00.123456Z');
    assert.equal(Timestamp.fromString('2019-01-01T00:00:00+00:00').toString(), '2019-01-01T00:00:00.000Z');
  });

  test('goes to Date and back', () => {
    for (const millis of [0, -1, 1546350323010, -62135596800000, 253402300799999]) {
      assert.equal(Timestamp.fromMillis(millis).toMillis(), millis);
      assert.equal(Timestamp.fromDate(new Date(millis)).toDate().getTime(), millis);
    }
  });

  test('sorts as moments do, also before 1970', () => {
    const moments = [-62135596800, -5, -1, 0, 1, 253402300799].flatMap(
      (seconds) => [0, 10_000_000, 10_500_000, 100_000_000].map((nanoseconds) => new Timestamp(seconds, nanoseconds)),
    );
    assert.deepEqual([...moments].reverse().sort((a, b) => (a < b ? -1 : 1)), moments);
  });

  test('refuses what is none', () => {
    for (const text of ['', 'today', '2019-01-01', '2019-13-01T00:00:00Z', '2021-02-29T00:00:00Z', '2019-04-31T00:00:00Z', '2019-01-01T24:00:00Z', '2019-01-01T00:00:00+24:00', '2019-01-01T00:00:00', '10000-01-01T00:00:00Z']) {
      assert.throws(() => Timestamp.fromString(text), invalid(/timestamp/));
    }
    assert.throws(() => new Timestamp(1.5, 0), invalid(/seconds/));
    assert.throws(() => new Timestamp(0, 1e9), invalid(/nanoseconds/));
    assert.throws(() => Timestamp.fromDate(new Date(NaN)), invalid(/seconds/));
  });
});

test('GeoPoint refuses what is not on Earth', () => {
  for (const [latitude, longitude] of [[91, 0], [0, -181], [NaN, 0]]) {
    assert.throws(() => new GeoPoint(/** @type {number} */ (latitude), /** @type {number} */ (longitude)), invalid(/latitude/));
  }
});

test('Bytes go to base64 and back', () => {
  const bytes = Bytes.fromBase64String('AP/+');
  assert.deepEqual([...bytes], [0, 255, 254]);
  assert.equal(bytes.toBase64(), 'AP/+');
});

test('a reference knows its path', () => {
  const reference = new DocumentReference('projects/p/databases/(default)/documents/posts/p1/shards/0');
  assert.equal(reference.path, 'posts/p1/shards/0');
  assert.equal(reference.id, '0');
});

test('doubles pass through the core bit by bit', async () => {
  const wasm = await WebAssembly.compile(await readFile(new URL('../../web/library/generated/shardline.wasm', import.meta.url)));
  const runner = await ModuleRunner.start(createModule, wasm);
  let sent = '';
  const refuse = async (/** @type {unknown} */ _, /** @type {RequestInit} */ { body }) => {
    sent = await new Response(body).text();
    return new Response('{"error":{"code":403,"status":"PERMISSION_DENIED","message":"No."}}', { status: 403 });
  };
  const connection = new Connection(runner, { projectId: 'demo', databaseId: '(default)' }, /** @type {any} */ ({ host: 'http://127.0.0.1:1', fetch: refuse }), () => new Promise(() => {}));
  const random = new Random(1);
  const bits = new BigUint64Array(1);
  const double = new Float64Array(bits.buffer);
  const anyDouble = () => {
    bits[0] = BigInt(random.uint32()) << 32n | BigInt(random.uint32());
    return double[0] ?? 0;
  };
  const ends = [0.1, 1e20, 1e21, 1e-6, 1e-7, 5e-324, 2 ** -1022, Number.MAX_VALUE, 2 ** 53, 2 ** 53 - 1, 123456789.012345, 4.35, 0.000001];
  for (const value of [...ends, ...ends.map((end) => -end), ...Array.from({ length: 5000 }, anyDouble).filter(Number.isFinite)]) {
    const counter = { path: 'counters/c', shards: 1, delivery: 'at-least-once' };
    await connection.run('counter.commit', {
      counter, delta: { doubleValue: value }, id: 'x'.repeat(20), sentBefore: false, serverNow: Date.now(),
    });
    assert.equal(Number(/"doubleValue":([^}]*)}/.exec(sent)?.[1]), value);
  }
  connection.close();
});

test('decodeNumber keeps every digit', () => {
  assert.equal(decodeNumber('9007199254740991'), 9007199254740991);
  assert.equal(decodeNumber('9007199254740993'), 9007199254740993n);
  assert.equal(decodeNumber('-9223372036854775808'), -(2n ** 63n));
  assert.equal(decodeNumber(0.5), 0.5);
  assert.ok(Number.isNaN(decodeNumber('NaN')));
  assert.equal(decodeNumber('-Infinity'), -Infinity);
});
