/** `shardline/counters` shows a total before the core is there: the same one as the core. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as whole from 'shardline';
import * as light from 'shardline/counters';
import * as atOnce from 'shardline/static';
import { openWorkbench } from 'shardline/workbench';
import { takeConnectOptions } from '../../web/library/counter_options.js';
import { LightConnection } from '../../web/library/light_connection.js';
import { runDialect } from './support/dialect_front.js';
import { userToken } from './support/rest.js';
import { shardlineError } from './support/shardline_error.js';
import { until } from './support/until.js';

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
before(async () => {
  const { createEmbeddedFirestore } = await openWorkbench();
  simulator = await createEmbeddedFirestore({ ...runDialect(), limits: 'none' });
});
after(() => simulator.close());

/** @param {object} [more] @returns {import('shardline').ConnectOptions} */
const options = (more) => ({ projectId: 'demo', fetch: simulator.fetch, ...more });

/** @param {string} path @param {number} value */
async function makeCounter(path, value) {
  const db = await atOnce.connect(options());
  await db.counter(path, { shards: 3, flushMs: 0 }).increment(value);
  await db.close();
}

/** @param {import('shardline/counters').Database} db */
const errorsOf = (db) => COUNTERS.map(([path, how]) => {
  try {
    db.counter(/** @type {any} */ (path), /** @type {any} */ (how));
    return undefined;
  } catch (error) {
    const { code, reason, params, message } = /** @type {import('shardline').ShardlineError} */ (error);
    return { code, reason, params, message };
  }
});

const itself = {};
Object.assign(itself, { itself });

/** @type {[path: unknown, options?: unknown][]} */
const COUNTERS = [
  ['posts/p1'], ['posts'], ['', {}], [undefined], [7], ['posts/\ud800'], ['posts/p\u0000'], ['a/__b__'],
  ...[0, 1, 10_000, 10_001, 1.5, '3', null, NaN, 3n].map((shards) => /** @type {[string, object]} */ (['posts/p1', { shards }])),
  ...['web-sample', 'php-sample', '', 'none', 'x'.repeat(200), 7, null, [], itself, {}].map((layout) => /** @type {[string, object]} */ (['posts/p1', { layout }])),
  ...[{ shardCollection: 's' }, { shardCollection: null, countField: 'n' }, { shardCollection: 's', countField: '' }, { shardCollection: 's', countField: 'a..b' },
    { shardCollection: 's', countField: 'n', shardCountField: 'm', parent: false }, { shardCollection: 's', countField: 'n', parent: true },
    { shardCollection: 's', countField: 'n', parent: 'yes' }, { shardCollection: 7, countField: 'n' }, { shardCollection: 's', countField: 'n', more: 1 },
    { shardCollection: 's', countField: '__name__' }, { shardCollection: 's', countField: 'n', shardCountField: null, parent: false },
    { shardCollection: 's', countField: '\ud800' }, { shardCollection: '..', countField: 'n' },
  ].map((layout) => /** @type {[string, object]} */ (['posts/p1', { layout }])),
  ['shards', { layout: { shardCollection: null, countField: 'n', shardCountField: 'm' } }],
  ['pages/p', { layout: 'extension' }], ['pages/p', { layout: 'extension', countField: 'visits' }], ['pages/p', { layout: 'extension', countField: 7 }],
  ['posts/p1', { countField: 'visits' }], ['posts/p1', { countField: null }],
  ...['exactly-once', 'at-least-once', 'transaction', 'twice', 7, null].map((delivery) => /** @type {[string, object]} */ (['posts/p1', { delivery }])),
  ...[1, 0, -1, 0.5, 10n, Infinity].map((maxDelta) => /** @type {[string, object]} */ (['posts/p1', { maxDelta }])),
  ...['likes', 'num_shards', 'a..b', '\ud800', '__name__'].map((field) => /** @type {[string, object]} */ (['posts/p1', { publish: { field } }])),
  ['posts/p1', { unknown: 1 }],
];

test('a counter is checked without the core as the core checks it', async () => {
  const [one, other] = await Promise.all([light.connect(options()), whole.connect(options())]);
  assert.deepEqual(errorsOf(one), errorsOf(other));
  await Promise.all([one.close(), other.close()]);
});

test('the first total, and what onRequest is told of it, are the core’s', async () => {
  await makeCounter('light/first', 41.5);
  const seen = await Promise.all([light, atOnce].map(async ({ connect }) => {
    /** @type {any[]} */
    const requests = [];
    const db = await connect(options({ apiKey: 'key', onRequest: ({ ms, bytes, ...request }) => requests.push({ ...request, ms: typeof ms, bytes: typeof bytes }) }));
    const { readTime, ...reading } = await db.counter('light/first', { shards: 3 }).get();
    await db.close();
    return { reading, requests, hasTime: readTime instanceof light.Timestamp };
  }));
  assert.deepEqual(seen[0], seen[1]);
  assert.equal(seen[0].reading.value, 41.5);
  assert.equal(seen[0].requests.length, 1);
});

/** Answers as a server or something in between may give once. @type {[name: string, answer: () => Response][]} */
const ODD = [
  ['an error', () => new Response('{"error":{"code":503,"status":"UNAVAILABLE","message":"later"}}', { status: 503 })],
  ['no aggregations', () => new Response('{"error":{"code":501,"status":"UNIMPLEMENTED","message":"no"}}', { status: 501 })],
  ['no JSON', () => new Response('<html>', { status: 200 })],
  ['another JSON', () => new Response('[{"result":{}}]', { status: 200 })],
  ['half of it', () => new Response('[{"result":{"aggregateFields":{"sum":{"integerValue":"7"},"count":{"integerValue":"1"}}}}]', { status: 200 })],
  ['a sum beyond 64 bits', () => new Response(JSON.stringify([{
    result: { aggregateFields: { sum: { doubleValue: 2 ** 63 }, count: { integerValue: '1' } } }, readTime: new Date().toISOString(),
  }]))],
  ['no answer', () => { throw new TypeError('Failed to fetch'); }],
];

for (const [name, answer] of ODD) {
  test(`an answer out of the ordinary is the core’s to read, and costs no request more: ${name}`, async () => {
    await makeCounter(`light/odd ${name}`, 7);
    const [one, other] = await Promise.all([light, atOnce].map(async ({ connect }) => {
      let isFirst = true;
      /** @type {any[]} */
      const requests = [];
      const db = await connect(options({
        host: 'http://127.0.0.1:1',
        fetch: async (/** @type {string} */ input, /** @type {RequestInit} */ init) => {
          if (!isFirst) return simulator.fetch(input, init);
          isFirst = false;
          return answer();
        },
        onRequest: (/** @type {any} */ { path, status, billed }) => requests.push([path, status, billed]),
      }));
      const { value, source, message } = await db.counter(`light/odd ${name}`, { shards: 3 }).get().catch((error) => error);
      await db.close();
      return { value, source, message, requests };
    }));
    assert.deepEqual(one, other);
    assert.ok(one?.value === 7 || /web page/.test(one?.message));
  });
}

test('the rest that could not be fetched is fetched again: the first total after a minute asks for it', async (context) => {
  const { Early } = await import('../../web/library/early.js');
  const { Users } = await import('../../web/library/users.js');
  Object.assign(globalThis, { document: new EventTarget() });
  context.after(() => { delete (/** @type {any} */ (globalThis).document); });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let fetched = 0;
  const early = new Early({ users: new Users(undefined, undefined), onWarning: undefined, storeName: undefined, load: async () => {
    fetched += 1;
    throw new TypeError('Failed to fetch dynamically imported module');
  } });
  for (const [afterMs, count] of /** @type {const} */ ([[0, 1], [1000, 1], [61_000, 2]])) {
    context.mock.timers.tick(afterMs);
    early.rest();
    context.mock.timers.tick(2000);
    await new Promise((resolve) => { setImmediate(resolve); });
    assert.equal(fetched, count, `${afterMs} ms later`);
  }
  await early.close();
});

test('a first total that is never answered ends as the core’s does', async (context) => {
  const { performance: clock } = globalThis;
  const now = clock.now.bind(clock);
  let passed = 0;
  context.mock.method(clock, 'now', () => now() + passed);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const errors = [];
  for (const { connect } of [light, atOnce]) {
    let requests = 0;
    const db = await connect(options({
      fetch: (/** @type {string} */ _, /** @type {RequestInit} */ { signal }) => new Promise((_resolve, reject) => {
        requests += 1;
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    }));
    /** @type {any} */
    let error;
    db.counter('light/silent', { shards: 3 }).get().catch((reason) => { error = reason; });
    while (!error) {
      await new Promise((resolve) => { setImmediate(resolve); });
      passed += 1000;
      context.mock.timers.tick(1000);
    }
    errors.push({ code: error?.code, reason: error?.reason, message: error?.message, requests });
    const closed = db.close();
    context.mock.timers.tick(10_000);
    await closed;
  }
  assert.deepEqual(errors[0], errors[1]);
  assert.equal(errors[0]?.code, 'deadline-exceeded');
});

test('if the part inside the JavaScript cannot be started, the core does all', async (context) => {
  // A module of its own, which has not started that part yet.
  const { openLight } = await import(/** @type {any} */ ('../../web/library/open_light.js?again'));
  const press = await import('../../web/library/counters_press.js');
  const before = await press.openPress(takeConnectOptions(options()));
  await before.outbox.close();
  // Such as on a page in another encoding, whose classic scripts lose the bytes beyond ASCII.
  const { compile } = WebAssembly;
  context.mock.method(WebAssembly, 'compile', (/** @type {Uint8Array} */ bytes) => compile(bytes.map((byte) => byte & 0x7f)));
  const { connection, outbox } = await openLight(takeConnectOptions(options()), async () => press);
  const db = new light.Database(connection, outbox);
  const counter = db.counter('light/misread', { shards: 3, flushMs: 0 });
  await counter.increment(4);
  assert.equal((await counter.get()).value, 4);
  assert.equal(connection instanceof LightConnection, false);
  await db.close();
});

test('a program without a page listens, too, when it has asked once', async (context) => {
  await makeCounter('light/listens', 5);
  let asked = 0;
  let heard = 0;
  const db = await light.connect(options({
    onRequest: (/** @type {{path: string}} */ { path }) => {
      asked += Number(path.endsWith(':runAggregationQuery'));
      heard += Number(path.endsWith('/Listen'));
    },
  }));
  context.after(() => db.close());
  /** @type {unknown[]} */
  const values = [];
  context.after(db.counter('light/listens', { shards: 3 }).watch(({ value }) => values.push(value), { intervalMs: 60_000 }));
  await until(() => heard > 0, 'the stream');
  await makeCounter('light/listens', 2);
  await until(() => values.at(-1) === 7);
  assert.equal(asked, 1);
});

test('get() is cancelled by its signal and by close(), and refused after it', async () => {
  /** @type {(value: unknown) => void} */
  let answer = () => {};
  const held = new Promise((resolve) => { answer = resolve; });
  const db = await light.connect(options({ host: 'http://127.0.0.1:1', fetch: (/** @type {string} */ _, /** @type {RequestInit} */ { signal }) => (
    Promise.race([held, new Promise((_resolve, reject) => { signal?.addEventListener('abort', () => reject(signal.reason)); })])) }));
  const counter = db.counter('light/held', { shards: 3 });
  const controller = new AbortController();
  const cancelled = assert.rejects(counter.get({ signal: controller.signal }), shardlineError('cancelled'));
  controller.abort(new Error('why'));
  await cancelled;
  const closed = assert.rejects(counter.get(), shardlineError('cancelled'));
  await db.close();
  await closed;
  await assert.rejects(counter.get(), shardlineError('failed-precondition'));
  await assert.rejects(counter.increment(), shardlineError('failed-precondition'));
  answer(undefined);
});

test('a press before the core is there goes under its user’s token, in parts that one commit may add', async () => {
  const token = userToken('ann');
  const tokens = [];
  const db = await light.connect(options({
    host: 'http://127.0.0.1:1', authToken: async () => token,
    fetch: (/** @type {string} */ input, /** @type {RequestInit} */ init) => {
      if (input.endsWith(':commit')) tokens.push(new Headers(init.headers).get('authorization'));
      return simulator.fetch(input, init);
    },
  }));
  const counter = db.counter('light/parts', { shards: 3, flushMs: 0, maxDelta: 2 });
  const done = counter.increment(5);
  assert.equal(counter.pending, 5);
  await done;
  assert.equal(counter.pending, 0);
  assert.equal((await counter.get()).value, 5);
  assert.deepEqual(tokens, Array(3).fill(`Bearer ${token}`));
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(counter.increment(1, { signal: controller.signal }), shardlineError('cancelled'));
  await db.close();
});
