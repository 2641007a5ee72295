/**
 * Outages: the server is there and refuses to answer, or something else answers in its place. Each waiting call rejects soon, and nothing is lost.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { shardlineError } from './support/shardline_error.js';
import { until } from './support/until.js';

/**
 * @typedef {import('shardline').ShardlineError} ShardlineError
 * @typedef {{status: number, body: string, headers?: {[name: string]: string}}} Answer
 */

const { createEmbeddedFirestore } = await openWorkbench();

/** @param {number} status @param {string} name @param {string} message @param {object[]} [details] @returns {Answer} */
const refusal = (status, name, message, details) => ({ status, body: JSON.stringify({ error: { code: status, message, status: name, ...(details && { details }) } }) });
/** As the API says why, beside its message. @param {string} reason */
const errorInfo = (reason) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }];
const QUOTA = refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.');
const DOWN = refusal(503, 'UNAVAILABLE', 'The service is currently unavailable.');
const RULES = refusal(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.');
const page = (/** @type {number} */ status) => ({ status, body: '<!doctype html><title>Welcome to the hotel</title>', headers: { 'content-type': 'text/html' } });

/** @type {import('shardline').Database[]} */
const opened = [];
afterEach(async () => {
  world.answer = null;
  await Promise.all(opened.splice(0).map((db) => db.close()));
});

/** @type {{answer: Answer | null, sentAt: number[]}} What is answered in place of the server. */
const world = { answer: null, sentAt: [] };

/** @param {Partial<import('shardline').ConnectOptions>} [options] */
async function open(options) {
  const simulator = await createEmbeddedFirestore({ limits: 'none' });
  world.sentAt = [];
  const fetch = Object.assign(async (/** @type {any} */ url, /** @type {any} */ init) => {
    world.sentAt.push(performance.now());
    if (!world.answer) return simulator.fetch(url, init);
    const { status, body, headers } = world.answer;
    return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
  }, { host: simulator.fetch.host });
  /** @type {ShardlineError[]} */
  const warnings = [];
  const db = await connect({ projectId: 'demo', fetch, storage: 'memory', onWarning: (warning) => warnings.push(warning), ...options });
  opened.push(db);
  return { db, warnings };
}

describe('a server that refuses to answer', () => {
  for (const [what, answer, code, state] of /** @type {[string, Answer, string, string][]} */ ([
    ['429', QUOTA, 'resource-exhausted', 'error'],
    ['503', DOWN, 'unavailable', 'offline'],
  ])) {
    test(`${what}: warning and watch say so while the requests are still being tried`, async () => {
      // Otherwise the caller would hear of it only after the last attempt.
      const { db, warnings } = await open({ retry: { maxAttempts: 1000, initialDelayMs: 1, maxDelayMs: 10, maxReadMs: 1e6 } });
      const counter = db.counter('posts/p1', { shards: 4 });
      await counter.create();
      world.answer = answer;
      let isCounted = false;
      void counter.increment().then(() => { isCounted = true; }, () => {});
      /** @type {import('shardline').LiveTotal | undefined} */
      let total;
      const stop = counter.watch((now) => { total = now; });
      await until(() => warnings.length > 0 && total?.state === state);
      assert.deepEqual(warnings.map((warning) => warning.code), [code], 'one warning of an outage');
      assert.equal(total?.error?.code, code);
      assert.equal(isCounted, false);
      assert.equal(counter.pending, 1);
      stop();
    });

    test(`${what}: get, has and queries reject when their time is over`, async () => {
      const { db } = await open({ retry: { maxReadMs: 30 } });
      const counter = db.counter('posts/p1', { shards: 4 });
      world.answer = answer;
      const started = performance.now();
      const calls = [() => counter.get(), () => counter.get({ maxAgeMs: 1000 }), () => counter.get({ source: 'shards' }), () => db.countedSet('posts/p1', { shards: 4 }).has('u'), () => db.collection('x').get(),
        () => db.shardedCollection('y', { shards: 3 }).limit(5).get(), () => db.shardedCollection('y', { shards: 3 }).count(), () => db.collection('x').sum('n')];
      await Promise.all(calls.map((call) => assert.rejects(call(), shardlineError(code))));
      assert.ok(performance.now() - started < 1000);
    });
  }

  test('increments and likes that have waited are counted when the server is there again', async () => {
    const { db, warnings } = await open({ retry: { initialDelayMs: 1, maxDelayMs: 2 } });
    const counter = db.counter('posts/p1', { shards: 4 });
    await counter.create();
    world.answer = QUOTA;
    const waiting = [counter.increment(3), db.countedSet('posts/p1', { shards: 4 }).add('ann')];
    await until(() => warnings.length > 0);
    world.answer = null;
    await Promise.all(waiting);
    assert.equal((await counter.get()).value, 4);
  });

  test('one outage is one warning, though some requests may have been applied', async () => {
    const { db, warnings } = await open({ retry: { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 2 } });
    const counter = db.counter('posts/p1', { shards: 4 });
    world.answer = DOWN;
    const counted = counter.increment();
    await until(() => world.sentAt.length > 12);
    world.answer = null;
    await counted;
    assert.deepEqual(warnings.map(({ code }) => code), ['unavailable']);
  });

  test('gets the pause that it asks for, also from the next call of an increment', async () => {
    const { db, warnings } = await open({ retry: { maxAttempts: 1, initialDelayMs: 1, maxDelayMs: 2 } });
    const counter = db.counter('posts/p1', { shards: 4 });
    world.answer = { ...DOWN, headers: { 'retry-after': '1' } };
    void counter.increment().catch(() => {});
    await until(() => warnings.length > 0);
    world.answer = null;
    await until(() => counter.pending === 0);
    const [first = 0, second = 0] = world.sentAt;
    assert.ok(second - first >= 990, `${second - first}`);
  });

  test('gets the pause until a date by its own clock, however wrong the device’s is', async () => {
    const { db } = await open();
    const at = (/** @type {number} */ ms) => new Date(Date.now() + ms).toUTCString();
    world.answer = { ...DOWN, headers: { 'retry-after': at(7_201_000), date: at(7_200_000) } };
    const counted = db.counter('posts/p1', { shards: 4 }).increment();
    await until(() => world.sentAt.length > 0);
    world.answer = null;
    await counted;
    const [first = 0, second = 0] = world.sentAt;
    assert.ok(second - first >= 900 && second - first < 10_000, `${second - first}`);
  });

  test('a read does not wait for a pause that is longer than its time', async () => {
    const { db } = await open();
    for (const retryAfter of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      world.answer = { ...DOWN, headers: { 'retry-after': retryAfter } };
      await assert.rejects(db.counter('posts/p1', { shards: 4 }).get(), shardlineError('unavailable'));
    }
    assert.equal(world.sentAt.length, 2);
  });
});

test('a server that is silent: warning and watch say so after ten seconds, and the requests go on', async (t) => {
  let sent = 0;
  const silent = () => {
    sent += 1;
    return new Promise(() => {});
  };
  const { db, warnings } = await open({ fetch: /** @type {any} */ (silent) });
  const counter = db.counter('posts/p1', { shards: 4 });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** @type {string[]} */
  const states = [];
  const stop = counter.watch(({ state }) => states.push(state));
  counter.increment().catch(() => {});
  while (sent < 2) await new Promise(setImmediate);
  t.mock.timers.tick(9_900);
  assert.deepEqual([new Set(states), warnings.length], [new Set(['loading']), 0]);
  t.mock.timers.tick(200);
  assert.deepEqual([states.at(-1), warnings.map(({ code, reason }) => [code, reason])], ['offline', [['deadline-exceeded', 'timed-out']]]);
  assert.equal(sent, 2);
  stop();
  t.mock.timers.reset();
});

describe('a page in place of an answer', () => {
  for (const status of [403, 404]) {
    test(`${status}: increments and likes wait`, async () => {
      const { db, warnings } = await open({ retry: { maxAttempts: 1, initialDelayMs: 1, maxDelayMs: 2 } });
      const counter = db.counter('posts/p1', { shards: 4 });
      await counter.create();
      world.answer = page(status);
      const waiting = [counter.increment(), db.countedSet('posts/p1', { shards: 4 }).add('ann')];
      await until(() => warnings.length > 0);
      assert.equal(warnings[0]?.reason, 'answer-unreadable');
      await assert.rejects(counter.get(), (/** @type {ShardlineError} */ error) => error.reason === 'answer-unreadable' && !/rules/.test(error.message));
      assert.equal(counter.pending, 2);
      world.answer = null;
      await Promise.all(waiting);
      assert.equal((await counter.get()).value, 2);
    });
  }
});

describe('what is wrong with the project is said, and nothing of rules', () => {
  for (const [what, answer, words] of /** @type {[string, Answer, RegExp][]} */ ([
    ['a key of another site', refusal(403, 'PERMISSION_DENIED', 'Requests from referer https://a.example/ are blocked.', errorInfo('API_KEY_HTTP_REFERRER_BLOCKED')), /website restrictions/],
    ['a key that is none', refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', errorInfo('API_KEY_INVALID')), /apiKey/],
    ['an API that is not enabled', refusal(403, 'PERMISSION_DENIED', 'Cloud Firestore API has not been used in project 1 before or it is disabled.', errorInfo('SERVICE_DISABLED')), /not enabled/],
    ['a billing account that is closed', refusal(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.', errorInfo('BILLING_DISABLED')), /billing account/],
  ])) {
    test(what, async () => {
      const { db } = await open();
      const counter = db.counter('posts/p1', { shards: 4 });
      world.answer = answer;
      for (const call of [() => counter.get(), () => counter.increment(), () => counter.increment(1, { key: 'k' }), () => db.countedSet('posts/p1', { shards: 4 }).add('ann'), () => db.collection('x').get()]) {
        await assert.rejects(call(), (/** @type {ShardlineError} */ error) => {
          assert.match(error.message, words);
          assert.doesNotMatch(error.message, /ecurity rules|signed in/);
          return true;
        });
      }
    });
  }

  test('nobody is signed in', async () => {
    world.answer = RULES;
    for (const [options, isSaid] of /** @type {const} */ ([[{}, true], [{ authToken: () => null }, true], [{ authToken: () => 'ann' }, false]])) {
      const { db } = await open(options);
      const counter = db.counter('posts/p1', { shards: 4 });
      for (const call of [() => counter.get(), () => counter.increment()]) {
        await assert.rejects(call(), (/** @type {ShardlineError} */ error) => error.code === 'permission-denied' && /Nobody was signed in/.test(error.message) === isSaid);
      }
    }
  });
});
