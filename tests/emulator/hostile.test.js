// Every public function gets values that no caller should pass: getters that throw, proxies, cycles, half characters, 10 MB of text. It accepts a
// value, or refuses it with a typed error that names the argument; then it sends nothing.
//
//   SEED=17 node --test tests/emulator/hostile.test.js
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as library from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';
import { Dice } from '../simulation/outbox/dice.js';
import { HOSTILE, hostileCalls, namesOf, refusalOf, seed } from './support/hostile_values.js';

const { connect, ShardlineError, Timestamp } = library;
/** @type {any} */
let simulator;
/** @type {any} */
let workbench;
/** @type {any} */
let db;
let sent = 0;

before(async () => {
  workbench = await openWorkbench();
  simulator = await workbench.createEmbeddedFirestore({ limits: 'none' });
  const fetch = Object.assign((/** @type {any} */ url, /** @type {any} */ init) => {
    sent += 1;
    return simulator.fetch(url, init);
  }, { host: simulator.fetch.host });
  db = await connect({ projectId: 'demo', fetch, retry: { maxAttempts: 1 }, onWarning: () => {} });
  await db.counter('c/c', { shards: 3 }).create();
  await db.ids('i/i', { shards: 3 }).create();
  await db.stock('e/e', { shards: 3 }).create({ units: 10_000 });
  await db.collection('r').set('r', {});
});
after(async () => {
  await db.close();
  await simulator.close();
});

const signal = new AbortController().signal;
const nothing = () => {};
const data = { timestamp: new Date(0), n: 1 };
/** Stand-ins for values that exist only when the database is open: see subject(). */
const COUNTER = Symbol('counter');
const ROWS = Symbol('rows');
const WATCH = { intervalMs: 1000, maxAgeMs: 1000, listen: true, readsPerHour: 600, signal, onError: nothing };
/** The methods that counters and counted sets share. */
const COUNT = {
  create: [{ ifExists: 'keep', signal }], flush: [{ signal }], stats: [{ signal }], watch: [nothing, WATCH],
  subscribe: [nothing], getSnapshot: [], resize: [3, { atLeast: true, signal }], migrate: [{ to: { layout: 'web-sample', shards: 3 }, signal }], delete: [{ signal }],
  get: [{ source: 'sum', signal }], onSnapshot: [nothing],
};
/** The methods that ratings and reactions share. */
const CHOICES = {
  remove: ['u', { signal }], get: ['u', { signal }], summary: [{ source: 'sum', signal }], flush: [{ signal }], delete: [{ signal }],
  watch: [nothing, { intervalMs: 1000, listen: true, readsPerHour: 600, signal, onError: nothing }], subscribe: [nothing], getSnapshot: [], onSnapshot: [nothing],
};
const FIELDS = { fields: ['like', 'love'], shards: 3, layout: 'web-sample', delivery: 'exactly-once', flushMs: 0, maxDelta: 5, publish: { field: 't', everyMs: 60_000 } };
/** By what is called, and its function: arguments that are right. @type {{[subject: string]: {[name: string]: unknown[]}}} */
const RIGHT = {
  library: { connect: [{ projectId: 'demo', databaseId: 'd', host: 'http://127.0.0.1:1', apiKey: 'k', authToken: nothing, appCheckToken: nothing, retry: {}, storage: 'memory', user: nothing, onWarning: nothing, onRequest: nothing }] },
  database: {
    counter: ['c/c', { shards: 3, layout: 'web-sample', delivery: 'exactly-once', flushMs: 0, maxDelta: 5, autoResize: { max: 5 } }],
    countedSet: ['c/c', { shards: 3 }], counters: [['c/c', 'c/d'], { shards: 3 }], ids: ['i/i', { shards: 3, maxShards: 1000, block: 2 }], stock: ['e/e', { shards: 3 }],
    shardedCollection: ['rows', { shards: ['a', 'b'], alsoRead: ['c'], shardField: 'shard', orderField: 'timestamp', shardBy: nothing }],
    collection: ['plain'], doc: ['a/b'], seenQueries: [], unreadableIncrements: [], batch: [], cleanUp: [{ olderThan: 5, signal }],
    runTransaction: [nothing], collectionGroup: ['rows'],
    ratings: ['r/r', { from: 1, to: 5, shards: 3 }], reactions: ['r/r', { kinds: ['like', 'love'], shards: 3 }],
  },
  ratings: { ...CHOICES, set: ['u', 4, { signal }], publish: [{ average: 'a', count: 'n', signal }] },
  reactions: { ...CHOICES, set: ['u', 'like', { signal }], publish: [{ counts: 'k', count: 'n', signal }] },
  counter: {
    ...COUNT, increment: [1, { key: 'k', signal }], cleanUp: [{ olderThan: 5, signal }], add: ['k'], remove: ['k'], has: ['k'],
  },
  set: {
    ...COUNT, add: ['k', { signal }], remove: ['k', { signal }], has: ['k', { signal }], hasAll: [['k', 'l'], { signal }], increment: [1],
    cleanUp: [{ olderThan: 5, signal }],
  },
  counters: { getAll: [{ source: 'sum', signal }], hasAll: ['k', { signal }], watch: [nothing, WATCH] },
  ids: { create: [{ signal }], resize: [3, { signal }], next: [{ signal }], take: [2, { signal }] },
  stock: {
    create: [{ units: 5, signal }], add: [1, { key: 'k', signal }], take: [1, { key: 'k', holdFor: '10 min', signal }], putBack: [1, { key: 'k', signal }],
    confirm: [{ key: 'k', signal }], delete: [{ signal }], left: [{ signal }], watch: [nothing, WATCH],
  },
  rows: {
    withConverter: [{ toFirestore: nothing, fromFirestore: nothing }],
    add: [data, { signal }], addAll: [[data, data], { onProgress: nothing, signal }], set: ['x', data, { merge: true, move: true, signal }],
    update: ['x', { n: 2 }, { move: true, signal }], get: ['x', { signal }], exists: ['x', { signal }], delete: ['x', { signal }],
    backfill: [{ onProgress: nothing, dryRun: true, resumeFrom: null, writesPerSecond: 5, location: 'nam5', prices: { reads: 1, writes: 1 }, signal }],
    reshard: [['a', 'b'], { onProgress: nothing, dryRun: true, signal }],
    where: ['n', '==', 1], orderBy: ['n', 'desc'], newestFirst: [], limit: [3], select: ['n', 'm'], startAt: [1], startAfter: [1], endAt: [1], endBefore: [1], continueFrom: ['token'],
    count: [{ consistentRead: true, signal }], sum: ['n', { consistentRead: true, signal }], average: ['n', { signal }], plan: [], stream: [{ pageSize: 3, chunkReads: 'whole-page', signal }],
    doc: ['x'], onChange: [nothing, { maxTargets: 1, onError: nothing, signal }], onSnapshot: [nothing], limitToLast: [3],
  },
  fieldByField: { update: ['x', 'n', 2, 'm', { o: 3 }, { move: true, signal }] },
  batchFieldByField: { update: ['b/b', 'n', 2, 'm', { o: 3 }] },
  query: { get: [{ chunkReads: 'whole-page', consistentRead: true, signal }] },
  batch: {
    set: ['b/b', data, { merge: true }], create: ['b/c', data], update: ['b/b', { n: 2 }], delete: ['b/b'], increment: [COUNTER, 1], add: [ROWS, data],
    commit: [{ signal }], withdraw: [{ signal }],
  },
  fields: {
    increment: [{ like: 1, love: -1 }, { signal }], get: [{ source: 'sum', signal }], create: [{ ifExists: 'keep', signal }], resize: [3, { atLeast: true, signal }],
    delete: [{ signal }], flush: [{ signal }], watch: [nothing, { intervalMs: 1000, listen: true, readsPerHour: 600, signal, onError: nothing }],
    subscribe: [nothing], getSnapshot: [], onSnapshot: [nothing], add: ['k'], remove: ['k'], has: ['k'], stats: [], migrate: [], cleanUp: [],
    publish: [{ field: 'f', signal }],
  },
  fieldCounters: { getAll: [{ source: 'sum', signal }] },
  withFields: { counter: ['c/f', FIELDS], counters: [['c/f', 'c/g'], FIELDS] },
};
/** Methods that end objects; the test does not call them. */
const ENDS = ['close', 'constructor'];

/** @param {string} name @param {string} [call] @returns {any} */
function subject(name, call) {
  const rows = db.shardedCollection('rows', { shards: ['a', 'b'], alsoRead: ['c'] });
  if (call === 'migrate') return db.counter('c/v', { layout: 'extension', countField: 'visits' });
  switch (name) {
    case 'library': return library;
    case 'database':
    case 'withFields': return db;
    case 'fields': return db.counter('c/f', { fields: ['like', 'love'], shards: 3, flushMs: 0 });
    case 'fieldCounters': return db.counters(['c/f', 'c/g'], { fields: ['like', 'love'], shards: 3 });
    case 'counter': return db.counter('c/c', { shards: 3, flushMs: 0 });
    case 'set': return db.countedSet('c/c', { shards: 3, flushMs: 0 });
    case 'counters': return db.counters(['c/c', 'c/d'], { shards: 3 });
    case 'ratings': return db.ratings('r/r', { from: 1, to: 5, shards: 3 });
    case 'reactions': return db.reactions('r/r', { kinds: ['like', 'love'], shards: 3 });
    case 'ids': return db.ids('i/i', { shards: 3, block: 2 });
    case 'stock': return db.stock('e/e', { shards: 3 });
    case 'query': return rows.limit(2);
    case 'batch':
    case 'batchFieldByField': return db.batch().set('b/a', { n: 1 });
    default: return rows;
  }
}

/** @param {unknown} argument */
function there(argument) {
  return argument === COUNTER || argument === ROWS ? subject(String(argument.description)) : argument;
}

/** @param {any} object */
function methodsOf(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (typeof value === 'function') names.add(name);
  }
  return [...names].filter((name) => !ENDS.includes(name));
}

/** Does what its caller would do with it, and ends it. @param {any} result */
async function use(result) {
  if (typeof result === 'function') return result();
  if (typeof result?.plan === 'function') return result.plan();
  if (typeof result?.commit === 'function') return result.commit();
  if (typeof result?.return === 'function') {
    const ends = result.next();
    await Promise.race([ends, new Promise((resolve) => { setTimeout(resolve, 5); })]);
    return result.return();
  }
  if (result instanceof library.DocumentReference || !(result instanceof Object)) return undefined;
  if (typeof result.close === 'function') return result.close();
  return result;
}

test('every public function has its arguments here', () => {
  for (const [name, right] of Object.entries(RIGHT)) {
    if (['library', 'query', 'fieldByField', 'batchFieldByField', 'withFields'].includes(name)) continue;
    assert.deepEqual(methodsOf(subject(name)).sort(), Object.keys(right).sort(), name);
  }
});

for (const [on, functions] of Object.entries(RIGHT)) {
  for (const [call, right] of Object.entries(functions)) {
    if (right.length === 0) continue;
    test(`${on}.${call}() takes what it is given, or refuses it by a typed error`, async () => {
      for (const { args, hostile, name, asked } of hostileCalls(on, call, right)) {
        const before = sent;
        const error = await refusalOf(asked, async () => use(await subject(on, call)[call](...args.map(there))));
        if (error?.code !== 'invalid-argument') continue;
        assert.equal(sent, before, `${asked} sent something: ${error.message}`);
        if (name) assert.ok(namesOf(name, hostile).some((each) => error.message.includes(each)), `${asked}: ${error.message}`);
      }
    });
  }
}

test('values refuse what they cannot be', () => {
  const dice = new Dice(seed);
  const makers = [
    (/** @type {any} */ value) => new Timestamp(value), (/** @type {any} */ value) => new Timestamp(0, value), Timestamp.fromMillis, Timestamp.fromDate,
    Timestamp.fromString, (/** @type {any} */ value) => new library.GeoPoint(value, 0), (/** @type {any} */ value) => new library.GeoPoint(0, value),
    library.vector, library.increment, (/** @type {any} */ value) => library.arrayUnion(value), (/** @type {any} */ value) => library.arrayRemove(value),
  ];
  for (let i = 0; i < 400; i += 1) {
    const make = dice.pick(makers);
    const [what, hostile] = dice.pick(HOSTILE);
    try {
      make(/** @type {any} */ (hostile));
    } catch (error) {
      assert.ok(error instanceof ShardlineError, `${make} of ${what} (SEED=${seed}): ${/** @type {Error} */ (error).stack}`);
    }
  }
});
