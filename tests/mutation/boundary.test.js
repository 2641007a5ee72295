/** The boundary between the core and JavaScript: all errors are ShardlineErrors, for any result of `fetch` and for any answer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect, ShardlineError, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { reviveDocuments, reviveTimes } from '../../web/library/revive.js';

const retry = { maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 1, timeoutMs: 1e6 };
const encoder = new TextEncoder();

/** @param {unknown} answer @param {number} [status] */
const respond = (answer, status = 200) => async () => new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status });

/** @param {any} fetch @param {(db: import('shardline').Database) => Promise<any>} act @returns {Promise<any>} What it was rejected with. */
async function failure(fetch, act = (db) => db.counter('posts/p1').get()) {
  const db = await connect({ projectId: 'p', fetch, host: 'http://simulator.invalid', retry, onWarning: () => {} });
  try {
    const result = await act(db);
    assert.fail(`it resolved: ${JSON.stringify(result)}`);
  } catch (error) {
    assert.ok(error instanceof ShardlineError, `${error instanceof Error ? error.stack : String(error)}`);
    assert.ok(error.message.length <= 1000, `${error.message.length} characters`);
    return error;
  } finally {
    await db.close();
  }
}

describe('what fetch returns', () => {
  const good = JSON.stringify([{ result: { aggregateFields: { sum: { integerValue: '5' }, count: { integerValue: '1' } } }, readTime: '2026-01-01T00:00:00Z' }]);
  const body = async () => encoder.encode(good).buffer;

  for (const status of [undefined, null, NaN, -1, 0, 200.5, 1e9, 2 ** 53, '200', {}, 200n, Symbol.iterator]) {
    test(`a status that is none: ${String(status)}`, async () => {
      const error = await failure(async () => ({ status, arrayBuffer: body }));
      assert.equal(error.code, 'unavailable');
      assert.match(error.cause.message, /status/);
    });
  }

  for (const bytes of [undefined, null, 5, 1e9, 2 ** 40, good, {}, [1, 2], { length: 1e9 }, 12n, () => {}, new Date(0)]) {
    test(`a body that is none: ${typeof bytes} ${String(bytes).slice(0, 20)}`, async () => {
      assert.equal((await failure(async () => ({ status: 200, arrayBuffer: async () => bytes }))).code, 'unavailable');
      assert.equal((await failure(async () => ({ status: 200, arrayBuffer: () => bytes }))).code, 'unavailable');
    });
  }

  for (const reason of [undefined, null, 'no', new TypeError('no'), Symbol.iterator, Object.freeze({})]) {
    test(`rejects, or throws: ${String(reason)}`, async () => {
      /** @type {any[]} */
      const fetches = [
        () => { throw reason; },
        () => Promise.reject(reason),
        async () => ({ status: 200, arrayBuffer: () => Promise.reject(reason) }),
        async () => ({ status: 200, arrayBuffer() { throw reason; } }),
        async () => ({ get status() { throw reason; } }),
      ];
      for (const fetch of fetches) {
        const error = await failure(fetch);
        assert.equal(error.code, 'unavailable');
        assert.equal(error.cause, reason);
      }
    });
  }

  for (const response of [undefined, null, 0, '', 'x', true, {}, [], () => {}, Response.error()]) {
    test(`something else than a Response: ${typeof response} ${String(response)}`, async () => {
      assert.equal((await failure(() => response)).code, 'unavailable');
      assert.equal((await failure(async () => response)).code, 'unavailable');
    });
  }

  test('bytes of another realm, and bytes without a Response around', async () => {
    const { runInNewContext } = await import('node:vm');
    const foreign = runInNewContext('new ArrayBuffer(0)').constructor;
    for (const make of [foreign, ArrayBuffer]) {
      const db = await connect({
        projectId: 'p', retry, host: 'http://simulator.invalid',
        fetch: /** @type {any} */ (async () => {
          const buffer = new make(good.length);
          new Uint8Array(buffer).set(encoder.encode(good));
          return { status: 200, arrayBuffer: async () => buffer };
        }),
      });
      assert.equal((await db.counter('posts/p1').get()).value, 5);
      await db.close();
    }
  });

  test('an answer that would fill the memory', async () => {
    const large = new ArrayBuffer(80 * 2 ** 20);
    const error = await failure(async () => ({ status: 200, arrayBuffer: async () => large }));
    assert.equal(error.code, 'unavailable');
    assert.match(error.cause.message, /bytes/);
  });
});

describe('what is asked for', () => {
  test('what JSON cannot say, and signals that are none', async () => {
    const circle = /** @type {any} */ ({});
    circle.circle = circle;
    const db = await connect({ projectId: 'p', fetch: respond({}), retry });
    const counter = db.counter('posts/p1');
    /** @type {((...args: any[]) => Promise<any>)[]} */
    const acts = [
      () => counter.resize(/** @type {any} */ (10n)),
      () => counter.create(/** @type {any} */ ({ ifExists: circle })),
      () => counter.get(/** @type {any} */ ({ source: circle })),
      () => counter.get(/** @type {any} */ ({ signal: 5 })),
      () => counter.create(/** @type {any} */ ({ signal: {} })),
      async () => db.counter('posts/p1', /** @type {any} */ ({ shards: 10n })),
      async () => db.counter('posts/p1', /** @type {any} */ ({ layout: circle })),
      async () => db.shardedCollection('c', /** @type {any} */ ({ shards: [1n] })),
      () => connect(/** @type {any} */ ({ projectId: 'p', retry: { maxAttempts: 2n } })),
      () => connect(/** @type {any} */ ({ projectId: 'p', host: ['http://127.0.0.1:1'] })),
    ];
    for (const act of acts) {
      await assert.rejects(async () => act(), (/** @type {any} */ error) => {
        assert.ok(error instanceof ShardlineError, `${act}: ${error.stack}`);
        assert.equal(error.code, 'invalid-argument');
        return true;
      });
    }
    await db.close();
  });

  test('tokens that are none', async () => {
    for (const token of [5, {}, 'a b', 'a\nb', 'é', Symbol.iterator, ['x']]) {
      const db = await connect({ projectId: 'p', fetch: respond({}), retry, authToken: /** @type {any} */ (() => token) });
      await assert.rejects(db.counter('posts/p1').get(), { name: 'ShardlineError', code: 'unauthenticated' });
      await db.close();
    }
  });
});

describe('what the server says', () => {
  test('a message of 50 MB is cut', async () => {
    const message = 'é'.repeat(25 * 2 ** 20);
    for (const status of ['INTERNAL', 'PERMISSION_DENIED', 'S'.repeat(10 ** 6)]) {
      const error = await failure(respond({ error: { code: 500, status, message } }, 500));
      assert.notEqual(error.code, 'invalid-argument');
    }
  });

  test('a status that Firestore never says alone does not blame the caller', async () => {
    for (const status of [400, 405, 411, 412, 413, 414, 415, 418, 422, 431, 451]) {
      const error = await failure(respond('<html>', status));
      assert.notEqual(error.code, 'invalid-argument', `${status}`);
      assert.equal(error.status, status);
    }
  });

  test('eight million digits take no seconds', async () => {
    const digits = '7'.repeat(8 * 2 ** 20);
    const started = performance.now();
    for (const value of [`{"integerValue":"${digits}"}`, `{"doubleValue":${digits}}`, `{"doubleValue":"${digits}"}`]) {
      const sum = `[{"result":{"aggregateFields":{"sum":${value},"count":{"integerValue":"1"}}},"readTime":"2026-01-01T00:00:00Z"}]`;
      assert.equal((await failure(respond(sum))).code, 'internal');
    }
    assert.ok(performance.now() - started < 5000, `${performance.now() - started} ms`);
  });

  test('an answer about ids that is an array ends', async () => {
    for (const answer of [[], [[]], [{}], {}, { writeResults: [] }, { writeResults: [[]] }, [{ writeResults: [{}] }]]) {
      assert.equal((await failure(respond(answer), (db) => db.ids('s/s', { shards: 2 }).next())).code, 'unavailable');
      assert.equal((await failure(respond(answer), (db) => db.ids('s/s').take(3))).code, 'internal');
      assert.match((await failure(respond(answer), (db) => db.ids('s/s').create())).code, /internal|outcome-unknown/);
    }
  });

  test('times that are none', async () => {
    for (const readTime of ['[object Object]', '', 'now', '2026-02-30T00:00:00Z', {}, 5]) {
      const sum = [{ result: { aggregateFields: { sum: { integerValue: '5' }, count: { integerValue: '1' } } }, readTime }];
      assert.equal((await failure(respond(sum))).code, 'internal', `${readTime}`);
    }
  });
});

describe('what the core has written is revived', () => {
  /** @param {any} data @param {any[]} shape */
  const revive = (data, shape) => reviveDocuments({ prefix: 'x/', docs: [['id', data, 0, 1, 0]], shapes: [shape] })[0].data();
  const refused = { name: 'ShardlineError', code: 'internal' };

  test('only where the document has something of its own', () => {
    const keys = () => [Object, Array, Function, String, Number].flatMap(({ prototype }) => Reflect.ownKeys(prototype)).length;
    const prototypes = keys();
    for (const shape of [[[0, '__proto__', 'polluted']], [[0, 'a', '__proto__', 'polluted']], [[0, 'a', 'constructor', 'prototype', 'polluted']],
      [[1, 'a', 'toString']], [[1, 't', 'at', 'x']], [[0, 'missing']], [[1, 'list', 'length', 'x']], [[1, 'list', 7]]]) {
      assert.throws(() => revive(JSON.parse('{"a":{},"t":"text","list":["AA"]}'), shape), refused, JSON.stringify(shape));
    }
    assert.equal(keys(), prototypes);
  });

  test('also where it is named like a prototype', () => {
    const data = revive(JSON.parse('{"__proto__":{"constructor":{"prototype":[1,2]}}}'), [[0, '__proto__', 'constructor', 'prototype']]);
    assert.deepEqual(Object.keys(data), ['__proto__']);
    assert.deepEqual(Object.getOwnPropertyDescriptor(data, '__proto__')?.value.constructor.prototype, new Timestamp(1, 2));
    assert.equal(Object.getPrototypeOf(data), Object.prototype);
  });

  for (const [kind, values] of /** @type {[number, any[]][]} */ ([
    [0, [null, 5, [], ['a', 0], [1e20, 0], [1, 1e9], [1, -1], {}]],
    [1, [null, 5, '%%%', 'AA-_', 'A', {}]],
    [2, [null, 5, {}, []]],
    [3, [null, [], [91, 0], ['a', 0], {}, [0, 181]]],
    [4, [null, 5, {}, ['x'], [null], [{}], ['1']]],
    [5, [null, 5, '', '12abc', '0x10', ' 1', '1e3', '9'.repeat(30), {}]],
    [6, [null, 5, '', 'nan', '1', 'toString', '__proto__', {}]],
    [7, [1]],
  ])) {
    test(`values of kind ${kind} that are none`, () => {
      for (const value of values) assert.throws(() => revive({ a: value }, [[kind, 'a']]), refused, JSON.stringify(value));
    });
  }

  test('read times that are none', () => {
    for (const times of [null, [null], [[1e20, 0]], [['x', 0]], [{}]]) assert.throws(() => reviveTimes(/** @type {any} */ (times)), refused);
  });
});

describe('a document that would pollute', () => {
  for (const first of ['{"__proto__":{"mapValue":{"fields":{"polluted":VALUE}}}}',
    '{"constructor":{"mapValue":{"fields":{"prototype":{"mapValue":{"fields":{"polluted":VALUE}}}}}}}']) {
    for (const value of ['{"timestampValue":"2026-01-01T00:00:00Z"}', '{"bytesValue":"AAAA"}', '{"integerValue":"9223372036854775807"}']) {
      test(`${first.slice(0, 20)} … ${value}`, async () => {
        const map = `{"mapValue":{"fields":${first.replace('VALUE', value)}}}`;
        for (const second of ['{"mapValue":{}}', '{"mapValue":{"fields":{}}}', '{"arrayValue":{"values":[]}}', '{"stringValue":"x"}']) {
          const fields = `{"at":{"integerValue":"1"},"shard":{"stringValue":"0"},"a":${map},"a":${second}}`;
          const answer = `[{"document":{"name":"projects/p/databases/(default)/documents/c/d","fields":${fields},`
            + '"createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00Z"},"readTime":"2026-01-01T00:00:00Z"}]';
          const error = await failure(respond(answer), (db) => db.shardedCollection('c', { shards: 1, orderField: 'at' }).get());
          assert.equal(error.code, 'internal');
          assert.equal(/** @type {any} */ ({}).polluted, undefined);
        }
      });
    }
  }
});

test('a module that cannot be started', async () => {
  for (const wasm of ['nowhere.wasm', 'http://', new Uint8Array(8), new Response('x', { status: 404 }), new Response('x'), 5, {}]) {
    await assert.rejects(connect({ projectId: 'p', wasm: /** @type {any} */ (wasm) }), { name: 'ShardlineError', code: 'unavailable' });
    const other = wasm instanceof Response ? new Response('y', { status: wasm.status }) : wasm;
    await assert.rejects(openWorkbench({ wasm: /** @type {any} */ (other) }), { name: 'ShardlineError', code: 'unavailable' });
  }
});
