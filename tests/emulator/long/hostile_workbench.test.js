// The same as ../hostile.test.js for the workbench and for shardline/firebase.
//
//   SEED=17 node --test tests/emulator/long/hostile_workbench.test.js
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as firebase from '../../../web/library/firebase.js';
import * as workbenchEntry from '../../../web/library/workbench.js';
import { hostileCalls, namesOf, refusalOf } from '../support/hostile_values.js';

/** @type {any} */
let workbench;
/** @type {any} */
let simulator;
/** @type {any} */
let engine;
let sent = 0;
const realFetch = globalThis.fetch;

before(async () => {
  workbench = await workbenchEntry.openWorkbench();
  simulator = await workbench.createEmbeddedFirestore({ limits: 'none' });
  engine = await workbench.createEngine();
  globalThis.fetch = async () => {
    sent += 1;
    throw new TypeError('Failed to fetch');
  };
});
after(async () => {
  globalThis.fetch = realFetch;
  await simulator.close();
});

const nothing = () => {};
const signal = new AbortController().signal;
const settings = { latencyMs: [0, 0], faults: { dropRequest: 0 }, limits: { documentBurst: 5 }, dialect: 'emulator' };
const options = { seed: 1, maxRequestBytes: 4_000_000, indexes: '{}', requireIndexes: 'note', ...settings };
const experiment = { preset: 'tenShards', users: 2, seconds: 1, seed: 1 };
const auth = { currentUser: null, authStateReady: async () => {} };
const firestore = { toJSON: () => ({ databaseId: { projectId: 'demo', database: '(default)' }, settings: {} }) };
const values = { Timestamp: Object, GeoPoint: Object, Bytes: { fromUint8Array: nothing }, doc: nothing, vector: nothing };
const app = { options: { projectId: 'demo', apiKey: 'key' } };
/** By what is called, and its function: arguments that are right. @type {{[subject: string]: {[name: string]: unknown[]}}} */
const RIGHT = {
  entry: { openWorkbench: [{ wasm: undefined }], describeErrors: [] },
  firebase: { connect: [app, { auth, firestore, values, databaseId: 'd', host: 'http://127.0.0.1:1', storage: 'memory', authToken: nothing, user: nothing, onWarning: nothing, retry: {} }] },
  workbench: {
    createEmbeddedFirestore: [{ ...options, worker: false, now: Date.now }], createEngine: [options], runExperiment: [experiment, { onProgress: nothing, signal }],
    describeCalls: [], experiments: [],
    counterRules: [{ path: 'posts/{post}', layout: 'web-sample', shards: 3, maxDelta: 1, fractions: false, access: 'public', missingShards: 'made', batches: true, admin: 'false' }],
    counterIndexes: [{ layout: 'web-sample', path: 'posts', total: 'sum' }], auditIndexes: ['{}', { rising: { a: ['at'] }, shards: { a: ['shard'] } }],
    stockRules: [{ path: 'events/{event}', access: 'public', maxUnits: 2, confirm: 'user', admin: 'false' }],
    joinCounterRules: ['', { path: 'posts/{post}' }], joinStockRules: ['', { path: 'events/{event}' }],
    rewriteIndexes: ['{}', { collections: [{ collection: 'a' }], indexes: [], counters: true, ids: true, stocks: true }], explainMissingIndex: ['no link', { indexes: '{}' }],
    shardsFor: [{ writesPerSecond: 5, burst: 10 }],
    cost: [{ edition: 'standard', location: 'us-central1', prices: { reads: 1, writes: 1, deletes: 1 }, increments: { perMonth: 5 }, totals: { perMonth: 5 }, takes: { perMonth: 5, refused: 1, held: 1, key: 'own' }, queries: { perMonth: 5, limit: 10 } }],
  },
  simulator: {
    configure: [settings], snapshot: [], observe: [nothing, { intervalMs: 250, signal }], run: [experiment, { onProgress: nothing, signal }], reset: [],
    fetch: ['http://simulator.invalid/v1/projects/demo/databases/(default)/documents/a/b'],
  },
  engine: { handle: [{ method: 'GET', target: '/v1/projects/demo/databases/(default)/documents/a/b', body: new Uint8Array(), authorization: '' }, 0], configure: [settings], observe: [0] },
};
/** By which messages name options besides. @type {{[name: string]: string[]}} */
const BY_OTHER_NAMES = { indexes: ['index file'], preset: ['experiment named'] };
/** As the global fetch, it throws its errors. */
const FETCH = 'simulator.fetch';
/** Methods that end objects; the test does not call them. */
const ENDS = ['close', 'constructor'];
/** The further exports of the entry. */
const CLASSES = ['EmbeddedFirestore'];

/** @param {string} name @returns {any} */
const subject = (name) => ({ entry: workbenchEntry, firebase, workbench, simulator, engine })[name];

/** @param {any} object */
function functionsOf(object) {
  const own = Object.getOwnPropertyNames(object).filter((name) => typeof object[name] === 'function');
  const prototype = Object.getPrototypeOf(object);
  const all = prototype && prototype !== Object.prototype ? [...own, ...Object.getOwnPropertyNames(prototype).filter((name) => name !== '__v_skip')] : own;
  return [...new Set(all)].filter((name) => !ENDS.includes(name) && !CLASSES.includes(name)).sort();
}

test('every public function has its arguments here', () => {
  for (const name of ['entry', 'workbench', 'simulator']) assert.deepEqual(functionsOf(subject(name)), Object.keys(RIGHT[name] ?? {}).sort(), name);
});

test('numbers that a text cannot say are refused, and not left out', async () => {
  for (const number of [NaN, Infinity, -Infinity]) {
    for (const [call, name] of /** @type {[() => unknown, string][]} */ ([
      [() => workbench.createEmbeddedFirestore({ seed: number }), 'seed'], [() => workbench.createEmbeddedFirestore({ faults: { dropRequest: number } }), 'faults.dropRequest'],
      [() => simulator.configure({ latencyMs: [0, number] }), 'latencyMs[1]'], [() => workbench.shardsFor({ writesPerSecond: number }), 'writesPerSecond'],
    ])) {
      await assert.rejects(async () => call(), (/** @type {any} */ { code, reason, params }) => {
        assert.deepEqual([code, reason, params.argument], ['invalid-argument', 'argument-not-allowed', name]);
        return true;
      });
    }
  }
});

/** Ends it. @param {any} result */
async function use(result) {
  if (typeof result === 'function') return result();
  if (typeof result?.close === 'function') return result.close();
  return result;
}

for (const [on, functions] of Object.entries(RIGHT)) {
  for (const [call, right] of Object.entries(functions)) {
    if (right.length === 0 || `${on}.${call}` === FETCH) continue;
    test(`${on}.${call}() takes what it is given, or refuses it by a typed error`, async () => {
      for (const { args, hostile, name, asked } of hostileCalls(on, call, right)) {
        const error = await refusalOf(asked, async () => use(await subject(on)[call](...args)));
        assert.equal(sent, 0, `${asked} sent something`);
        if (name && error?.code === 'invalid-argument') assert.ok([...namesOf(name, hostile), ...(BY_OTHER_NAMES[name] ?? [])].some((each) => error.message.includes(each)), `${asked}: ${error.message}`);
      }
    });
  }
}

test('a crash: requests that came together with the one at which it crashed meet the data as they were, and what they write stays', async (t) => {
  let isCrashing = false;
  const { get } = WebAssembly.Table.prototype;
  t.after(() => { WebAssembly.Table.prototype.get = get; });
  // Every function of the module that JavaScript can call; the one that handles a request has the most parameters.
  WebAssembly.Table.prototype.get = function (index) {
    const call = get.call(this, index);
    return call && ((/** @type {any[]} */ ...args) => {
      if (isCrashing && args.length > 5) {
        isCrashing = false;
        throw new WebAssembly.RuntimeError('unreachable');
      }
      return call(...args);
    });
  };
  const crashing = await workbench.createEmbeddedFirestore({ worker: false });
  /** @param {string} id @param {RequestInit} [init] */
  const send = async (id, init) => (await crashing.fetch(`http://localhost/v1/projects/demo/databases/(default)/documents/a/${id}`, init)).status;
  const write = { method: 'PATCH', body: '{"fields":{}}' };
  await send('one', write);
  isCrashing = true;
  assert.deepEqual(await Promise.all([send('none'), send('one'), send('two', write)]), [500, 200, 200]);
  isCrashing = true;
  assert.deepEqual([await send('none'), await send('one'), await send('two')], [500, 200, 200]);
  await crashing.close();
});
