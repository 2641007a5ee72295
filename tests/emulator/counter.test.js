/** Counters against Google's emulator, with Google's own SDKs and the documentation's own samples as the second opinion. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { FieldValue, Firestore } from '@google-cloud/firestore';
import { deleteApp, initializeApp } from 'firebase/app';
import * as lite from 'firebase/firestore/lite';
import { connect, Timestamp } from 'shardline';
import { longTest } from '../support/long_test.js';
import { isLong } from '../support/run.js';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';

/** @typedef {import('shardline').Database} Database */
/** @typedef {import('@google-cloud/firestore').DocumentReference} DocumentReference */
/** @typedef {import('@google-cloud/firestore').CollectionReference} CollectionReference */

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

/** Retries without the waiting. */
const retry = { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 5, timeoutMs: 5000 };

const stage = await startStage();
const { emulator, projectId, proxy, rest } = stage;
/** @type {Database} Straight to the emulator. */
let db;
/** @type {Database} Through the proxy. */
let proxied;
/** @type {Firestore} Google's SDK for servers. */
let sdk;
/** @type {import('firebase/app').FirebaseApp} */
let app;
/** @type {import('firebase/firestore/lite').Firestore} Google's SDK for pages. */
let page;

before(async () => {
  db = await open(emulator.url);
  proxied = await open(proxy.url);
  process.env.FIRESTORE_EMULATOR_HOST = emulator.host;
  sdk = new Firestore({ projectId });
  app = initializeApp({ projectId });
  page = lite.getFirestore(app);
  lite.connectFirestoreEmulator(page, '127.0.0.1', emulator.port);
});
after(async () => {
  await Promise.all([db.close(), proxied.close(), sdk.terminate(), deleteApp(app)]);
  await stage.stop();
});
beforeEach(() => proxy.reset());

/** A database whose counters send at once, unless they say otherwise. @param {string} host */
async function open(host) {
  const database = await connect({ projectId, host, retry });
  const counter = database.counter.bind(database);
  database.counter = (path, options) => counter(path, { flushMs: 0, ...options });
  return database;
}

let names = 0;
/** A path that no test has used yet. @param {string} [start] */
const freshId = (start = 'c') => `${start}${(names += 1)}`;
const freshDocument = () => `counters/${freshId()}`;

/** The integer that a field of a document holds. @param {string} path */
async function integer(path, field = 'count') {
  const document = await rest.get(path);
  return document && BigInt(document.fields[field].integerValue);
}

/** @param {string} path @param {number | bigint} value */
const setInteger = (path, value, field = 'count') => rest.set(path, { [field]: { integerValue: `${value}` } });

// ---- The samples of seeds 000 and 001, line by line where they are JavaScript, else as their SDK sends them ----

const random = (/** @type {number} */ bound) => Math.floor(Math.random() * bound).toString();

/** Adds the counts up, as every sample does. @param {{docs: {get?: Function, data: Function}[]}} snapshot */
const sumOf = (snapshot, field = 'count') => snapshot.docs.reduce((sum, doc) => sum + doc.data()[field], 0);

const webSample = {
  createCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    const ref = lite.doc(page, path);
    const batch = lite.writeBatch(page);
    batch.set(ref, { num_shards: numShards });
    for (let i = 0; i < numShards; i++) {
      batch.set(lite.doc(lite.collection(ref, 'shards'), i.toString()), { count: 0 });
    }
    return batch.commit();
  },
  incrementCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    const shardRef = lite.doc(lite.collection(lite.doc(page, path), 'shards'), random(numShards));
    return lite.updateDoc(shardRef, 'count', lite.increment(1));
  },
  /** Of seed 001. */
  incrementInTransaction(/** @type {string} */ path, /** @type {number} */ numShards) {
    const shardRef = lite.doc(lite.collection(lite.doc(page, path), 'shards'), random(numShards));
    return lite.runTransaction(page, async (t) => {
      const doc = await t.get(shardRef);
      t.update(shardRef, { count: doc.data()?.count + 1 });
    });
  },
  async getCount(/** @type {string} */ path) {
    return sumOf(await lite.getDocs(lite.collection(lite.doc(page, path), 'shards')));
  },
};

/** Swift, Objective-C, Java, Kotlin: the same with numShards, the parent first. */
const mobileSample = {
  async createCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    const ref = sdk.doc(path);
    await ref.set({ numShards });
    for (let i = 0; i < numShards; i++) await ref.collection('shards').doc(String(i)).set({ count: 0 });
  },
  incrementCounter: (/** @type {string} */ path, /** @type {number} */ numShards) =>
    sdk.doc(path).collection('shards').doc(random(numShards)).update({ count: FieldValue.increment(1) }),
  getCount: async (/** @type {string} */ path) => sumOf(await sdk.doc(path).collection('shards').get()),
};

const nodeSample = {
  createCounter: async () => {}, // It has none.
  incrementCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    const shardRef = sdk.doc(path).collection('shards').doc(random(numShards));
    return shardRef.set({ count: FieldValue.increment(1) }, { merge: true });
  },
  getCount: mobileSample.getCount,
};

/** Python and C#. */
const pythonSample = {
  async createCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    for (let num = 0; num < numShards; num++) await sdk.doc(path).collection('shards').doc(String(num)).set({ count: 0 });
  },
  incrementCounter: mobileSample.incrementCounter,
  getCount: mobileSample.getCount,
};

const goSample = {
  async createCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    for (let num = 0; num < numShards; num++) await sdk.doc(path).collection('shards').doc(String(num)).set({ Count: 0 });
  },
  incrementCounter: (/** @type {string} */ path, /** @type {number} */ numShards) =>
    sdk.doc(path).collection('shards').doc(random(numShards)).update('Count', FieldValue.increment(1)),
  getCount: async (/** @type {string} */ path) => sumOf(await sdk.doc(path).collection('shards').get(), 'Count'),
};

const phpSample = {
  async createCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    for (let i = 0; i < numShards; i++) await sdk.collection(path).doc(String(i)).set({ Cnt: 0 });
  },
  async incrementCounter(/** @type {string} */ path) {
    const numShards = (await sdk.collection(path).get()).size;
    await sdk.collection(path).doc(random(numShards)).update('Cnt', FieldValue.increment(1));
  },
  getCount: async (/** @type {string} */ path) => sumOf(await sdk.collection(path).get(), 'Cnt'),
};

/** Ruby and the Japanese post; Ruby's sum over the collection group is left out, as it adds up all counters. */
const collectionSample = {
  async createCounter(/** @type {string} */ path, /** @type {number} */ numShards) {
    for (let i = 0; i < numShards; i++) await sdk.collection(path).doc(String(i)).set({ count: 0 });
  },
  incrementCounter: (/** @type {string} */ path, /** @type {number} */ numShards) =>
    sdk.collection(path).doc(random(numShards)).update({ count: FieldValue.increment(1) }),
  getCount: async (/** @type {string} */ path) => sumOf(await sdk.collection(path).get()),
};

/** @type {[name: string, layout: import('shardline').CounterOptions['layout'], sample: typeof mobileSample, path: () => string][]} */
const LAYOUTS = [
  ['web', 'web-sample', webSample, freshDocument],
  ['mobile', 'mobile-sample', mobileSample, freshDocument],
  ['node', 'node-sample', nodeSample, freshDocument],
  ['python', 'node-sample', pythonSample, freshDocument],
  ['go', 'go-sample', goSample, freshDocument],
  ['php', 'php-sample', phpSample, () => `samples/php/${freshId('distributedCounters')}`],
  ['ruby', 'ruby-sample', collectionSample, () => freshId('shards')],
  ['Japanese post', 'collection', collectionSample, () => freshId('counterShards')],
  ['web, written out', { shardCollection: 'shards', countField: 'count', shardCountField: 'num_shards', parent: true }, webSample,
    freshDocument],
];

// In the default run one of shards below a document, one of shards in a collection, and one with names of its own.
for (const [name, layout, sample, freshPath] of LAYOUTS.filter(([each]) => isLong || ['web', 'ruby', 'web, written out'].includes(each))) {
  describe(`layout ${name}`, () => {
    const shards = 4;

    test('the sample counts on in what we made', async () => {
      const counter = db.counter(freshPath(), { layout, shards });
      assert.deepEqual(await counter.create(), { created: true, shards });
      assert.equal(await sample.getCount(counter.path), 0);
      for (let i = 0; i < 5; i += 1) await counter.increment();
      await counter.increment(-2);
      assert.equal(await sample.getCount(counter.path), 3);
      for (let i = 0; i < 5; i += 1) await sample.incrementCounter(counter.path, shards);
      assert.equal((await counter.get()).value, 8);
      assert.equal((await counter.get({ source: 'shards' })).value, 8);
    });

    test('we count on in what the sample made', async () => {
      const path = freshPath();
      await sample.createCounter(path, shards);
      for (let i = 0; i < 5; i += 1) await sample.incrementCounter(path, shards);
      const isStored = layout === 'web-sample' || layout === 'mobile-sample' || typeof layout === 'object';
      for (const delivery of /** @type {const} */ (['at-least-once', 'transaction'])) {
        const counter = db.counter(path, { layout, delivery, shards: isStored ? undefined : shards });
        for (let i = 0; i < 5; i += 1) await counter.increment();
        assert.equal(counter.shards, shards);
      }
      assert.equal(await sample.getCount(path), 15);
      assert.equal((await db.counter(path, { layout }).get()).value, 15);
    });

    test('create() keeps what the sample has counted', async () => {
      const path = freshPath();
      await sample.createCounter(path, shards);
      for (let i = 0; i < 5; i += 1) await sample.incrementCounter(path, shards);
      const counter = db.counter(path, { layout, shards });
      const result = await counter.create();
      assert.equal(result.shards, shards);
      await counter.create();
      assert.equal(await sample.getCount(path), 5);
      await assert.rejects(counter.create({ ifExists: 'error' }), shardlineError('already-exists', /exists already/));
      await counter.increment();
      assert.equal((await counter.get()).value, 6);
    });
  });
}

describe('the samples, faults included', () => {
  test('the transaction sample and our transactions, all at once', async () => {
    const path = freshDocument();
    await webSample.createCounter(path, 10);
    const counter = db.counter(path, { delivery: 'transaction' });
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => counter.increment()),
      ...Array.from({ length: 5 }, () => webSample.incrementInTransaction(path, 10)),
    ]);
    const counted = results.filter((result) => result.status === 'fulfilled').length;
    for (const result of results.slice(0, 20)) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'aborted');
    }
    assert.equal((await counter.get()).value, counted);
    assert.ok(counted > 10, `${counted} of 25 got through`);
  });

  test('Swift’s eleventh shard is counted', async () => {
    const path = freshDocument();
    await rest.set(path, { numShards: { integerValue: '3' } });
    for (let i = 0; i <= 3; i += 1) await setInteger(`${path}/shards/${i}`, 10 ** i);
    const counter = db.counter(path, { layout: 'mobile-sample' });
    assert.equal((await counter.get()).value, 1111);
    assert.equal((await counter.get()).shards, 4);
  });

  test('Objective-C’s one shard, which is named after the number, is counted, and the others are made', async () => {
    const path = freshDocument();
    await rest.set(path, { numShards: { integerValue: '3' } });
    await setInteger(`${path}/shards/3`, 5);
    const counter = db.counter(path, { layout: 'mobile-sample' });
    for (let i = 0; i < 3; i += 1) await counter.increment();
    assert.equal((await counter.get()).value, 8);
  });

  test('a counter that was never made', async () => {
    const counter = db.counter(freshDocument());
    await assert.rejects(counter.increment(), shardlineError('not-found', /create\(\)/));
    await assert.rejects(db.counter(counter.path, { delivery: 'transaction' }).increment(), shardlineError('not-found'));
    const { value, shards } = await counter.get();
    assert.deepEqual([value, shards], [0, 0]);
  });
});

describe('create', () => {
  test('a post keeps its fields', async () => {
    const path = freshDocument();
    await sdk.doc(path).set({ title: 'Hello', meta: { tags: ['a'], shards: 'not ours' } });
    assert.deepEqual(await db.counter(path, { shards: 2 }).create(), { created: true, shards: 2 });
    assert.deepEqual((await sdk.doc(path).get()).data(), { title: 'Hello', meta: { tags: ['a'], shards: 'not ours' }, num_shards: 2 });
    const nested = { shardCollection: 'parts', countField: 'stats.n', shardCountField: 'meta.`shard count`', parent: true };
    const counter = db.counter(path, { layout: nested, shards: 2 });
    await counter.create();
    await counter.increment(7);
    assert.deepEqual((await sdk.doc(path).get()).get('meta'), { tags: ['a'], shards: 'not ours', 'shard count': 2 });
    const parts = await sdk.doc(path).collection('parts').get();
    assert.deepEqual(parts.docs.map((doc) => doc.get('stats.n')).sort(), [0, 7]);
    assert.equal((await counter.get()).value, 7);
  });

  test('of three creators at once, one succeeds', async () => {
    for (const layout of /** @type {const} */ (['web-sample', 'node-sample'])) {
      for (const ifExists of /** @type {const} */ (['keep', 'error'])) {
        const path = freshDocument();
        const creators = [3, 3, 3].map((shards) => db.counter(path, { layout, shards }).create({ ifExists }));
        const results = await Promise.allSettled(creators);
        const created = results.filter((result) => result.status === 'fulfilled' && result.value.created);
        assert.equal(created.length, 1, `${layout} ${ifExists}`);
        const rejected = results.filter((result) => result.status === 'rejected');
        assert.equal(rejected.length, ifExists === 'keep' ? 0 : 2);
        for (const result of rejected) shardlineError('already-exists')(result.reason);
        assert.equal((await rest.list(`${path}/shards`)).length, 3);
      }
    }
  });

  test('live shards without a parent are taken over', async () => {
    const path = freshDocument();
    for (let i = 0; i < 5; i += 1) await nodeSample.incrementCounter(path, 4);
    assert.deepEqual(await db.counter(path, { shards: 4 }).create(), { created: true, shards: 4 });
    assert.equal(await webSample.getCount(path), 5);
    assert.equal((await rest.list(`${path}/shards`)).length, 4);
  });

  test('another document in the way', async () => {
    const path = freshDocument();
    await sdk.doc(path).set({ num_shards: 'many' });
    await assert.rejects(db.counter(path).create(), shardlineError('failed-precondition', /num_shards/));
    // A user who may write the document must not stop all other clients.
    await db.counter(path).increment();
    assert.equal((await db.counter(path).get()).value, 1);
  });

  test('700 shards, half of them there already', async () => {
    const path = freshDocument();
    const shards = Array.from({ length: 350 }, (_, i) => ({
      update: { name: rest.name(`${path}/shards/${2 * i}`), fields: { count: { integerValue: '1' } } },
    }));
    await rest.commit(shards);
    const counter = db.counter(path, { layout: 'node-sample', shards: 700 });
    assert.deepEqual(await counter.create(), { created: false, shards: 700 });
    const sum = await counter.get();
    assert.deepEqual([sum.value, sum.shards, sum.billed.reads], [350, 700, 1]);
    const listed = await counter.get({ source: 'shards' });
    assert.deepEqual([listed.value, listed.shards, listed.billed.reads], [350, 700, 700]);
  });

  test('a lost answer', async () => {
    for (const fault of [faults.dropResponse(), faults.truncate(), faults.cutResponse(), faults.answerAfter(502, '<html>', 'text/html')]) {
      const keep = proxied.counter(freshDocument());
      proxy.script(null, fault);
      assert.deepEqual(await keep.create(), { created: false, shards: 10 }, 'who made it cannot be known');
      const strict = proxied.counter(freshDocument());
      proxy.script(null, fault);
      await assert.rejects(strict.create({ ifExists: 'error' }), shardlineError('outcome-unknown', /exists now/));
      assert.equal((await rest.list(`${strict.path}/shards`)).length, 10);
    }
    const counter = proxied.counter(freshDocument());
    proxy.script(null, faults.dropRequest());
    assert.deepEqual(await counter.create({ ifExists: 'error' }), { created: true, shards: 10 });
  });

  test('sent twice by the browser', async () => {
    const counter = proxied.counter(freshDocument());
    proxy.script(null, faults.duplicate());
    assert.equal((await counter.create()).shards, 10);
    assert.equal((await rest.list(`${counter.path}/shards`)).length, 10);
  });
});

describe('increment', () => {
  test('asks for the shard count once', async () => {
    const path = freshDocument();
    await webSample.createCounter(path, 3);
    const counter = proxied.counter(path);
    assert.equal(counter.shards, undefined);
    await counter.increment();
    assert.equal(counter.shards, 3);
    await counter.increment();
    await counter.increment();
    assert.deepEqual(proxy.requests.map((request) => request.verb), ['batchGet', 'commit', 'commit', 'commit']);
  });

  test('goes where the options said, whatever the app makes of its objects later', async () => {
    const layout = { shardCollection: 'parts', countField: 'likes' };
    const path = freshDocument();
    const counter = proxied.counter(path, { shards: 1, layout });
    layout.countField = 'views';
    await counter.increment(3);
    assert.equal((await counter.get()).value, 3);
    assert.equal((await proxied.counter(path, { shards: 1, layout }).get()).value, 0);
  });

  test('what create() made needs no asking', async () => {
    const counter = proxied.counter(freshDocument());
    await counter.create();
    await counter.increment();
    assert.deepEqual(proxy.requests.map((request) => request.verb), ['batchGet', 'commit', 'commit']);
  });

  test('spreads over all shards', async () => {
    const counter = db.counter(freshDocument(), { shards: 5, maxDelta: 1 });
    await counter.create();
    await Promise.all(Array.from({ length: 100 }, () => counter.increment()));
    const { value, perShard } = await counter.get({ source: 'shards' });
    assert.equal(value, 100);
    const counts = Object.values(perShard ?? {}).map(Number);
    assert.equal(counts.length, 5);
    assert.ok(counts.every((count) => count > 3), `${counts}`);
  });

  for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once', 'transaction'])) {
    describe(`delivery ${delivery}`, () => {
      /** A counter with one shard, which holds `value`. @param {number | bigint} [value] */
      const oneShard = async (value, database = db) => {
        const counter = database.counter(freshDocument(), { shards: 1, delivery });
        if (value !== undefined) await setInteger(`${counter.path}/shards/0`, value);
        return counter;
      };

      test('any number', async () => {
        const counter = await oneShard();
        for (const delta of [1, 0, -0, -7, 5n, MAX - 10n, -(MAX - 10n), 2 ** 53 - 1, -(2 ** 53 - 1)]) await counter.increment(delta);
        assert.equal((await counter.get()).value, -1);
        assert.equal(await integer(`${counter.path}/shards/0`), -1n);
        await counter.increment(0.5);
        assert.equal((await counter.get()).value, -0.5);
        await counter.increment(2);
        assert.equal((await counter.get()).value, 1.5);
        assert.equal((await sdk.doc(`${counter.path}/shards/0`).get()).get('count'), 1.5);
      });

      test('the ends of int64', async () => {
        const counter = await oneShard();
        await counter.increment(MAX - 1n);
        assert.equal((await counter.get()).value, MAX - 1n);
        await counter.increment(MIN);
        assert.equal((await counter.get()).value, -2);
        await setInteger(`${counter.path}/shards/0`, MIN + 1n);
        assert.equal((await counter.get()).value, MIN + 1n);
      });

      test('beyond the ends of int64', async () => {
        const high = await oneShard(MAX - 5n);
        await assert.rejects(high.increment(10), shardlineError('out-of-range'));
        assert.equal(await integer(`${high.path}/shards/0`), delivery === 'transaction' ? MAX - 5n : MAX);
        const low = await oneShard(MIN + 5n);
        await assert.rejects(low.increment(-10), shardlineError('out-of-range'));
      });

      test('what is no number, and other fields', async () => {
        const counter = await oneShard();
        await sdk.doc(`${counter.path}/shards/0`).set({ count: 'seven', note: 'kept' });
        await counter.increment(2);
        assert.deepEqual((await sdk.doc(`${counter.path}/shards/0`).get()).data(), { count: 2, note: 'kept' });
      });

      test('refusals and faults that leave no doubt', async () => {
        const counter = await oneShard(0, proxied);
        for (const fault of [faults.aborted(), faults.exhausted(), faults.unauthenticated()]) {
          proxy.script(fault);
          await counter.increment();
        }
        assert.equal(await integer(`${counter.path}/shards/0`), 3n);
        proxy.script(faults.answer(403, '{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}'));
        await assert.rejects(counter.increment(), shardlineError('permission-denied', /No\./));
        proxy.script(faults.answer(404, 'Not Found\n', 'text/plain'));
        if (delivery !== 'transaction') {
          // This is not Firestore's answer, so the library sends the increment again.
          await counter.increment();
          assert.equal(await integer(`${counter.path}/shards/0`), 4n);
        } else {
          await assert.rejects(counter.increment(), shardlineError('unimplemented', /host/));
        }
      });

      test('cancelled', async () => {
        const counter = await oneShard(0, proxied);
        await assert.rejects(counter.increment(1, { signal: AbortSignal.abort('why') }), shardlineError('cancelled'));
        assert.equal(proxy.requests.length, 0);
        const controller = new AbortController();
        /** @type {(value: unknown) => void} */
        let release = () => {};
        proxy.script(faults.hold(new Promise((resolve) => {
          release = resolve;
        })));
        const increment = counter.increment(1, { signal: controller.signal });
        await proxy.arrived(1);
        controller.abort();
        await assert.rejects(increment, shardlineError('cancelled'));
        release(undefined);
        await counter.flush();
        assert.equal(counter.pending, 0);
      });
    });
  }

  test('at least once: a lost answer may count twice', async () => {
    for (const fault of [faults.dropResponse(), faults.truncate(), faults.answerAfter(500, '<html>', 'text/html')]) {
      const counter = proxied.counter(freshDocument(), { shards: 1, delivery: 'at-least-once' });
      proxy.script(fault);
      await counter.increment();
      assert.equal(await integer(`${counter.path}/shards/0`), 2n);
      proxy.script(faults.dropRequest());
      await counter.increment();
      assert.equal(await integer(`${counter.path}/shards/0`), 3n);
    }
  });

  test('transaction: a lost answer never counts twice', async () => {
    for (const fault of [faults.dropResponse(), faults.truncate(), faults.answerAfter(500, '<html>', 'text/html')]) {
      const counter = proxied.counter(freshDocument(), { shards: 1, delivery: 'transaction' });
      proxy.script(null, fault);
      await assert.rejects(counter.increment(), shardlineError('outcome-unknown'));
      assert.equal(await integer(`${counter.path}/shards/0`), 1n);
      proxy.script(null, faults.dropRequest());
      await counter.increment();
      assert.equal(await integer(`${counter.path}/shards/0`), 2n);
    }
  });

  test('exactly once: a lost answer never counts twice', async () => {
    const kinds = [
      faults.dropResponse, faults.truncate, faults.duplicate, faults.dropRequest, () => faults.answerAfter(500, '<html>', 'text/html'),
    ];
    for (const kind of kinds) {
      const counter = proxied.counter(freshDocument(), { shards: 3 });
      for (let count = 1; count <= 2; count += 1) {
        proxy.script(kind());
        await counter.increment();
        assert.equal((await counter.get()).value, count, kind().kind);
      }
    }
  });

  test('nobody there: waits until somebody is', async () => {
    const counter = proxied.counter(freshDocument(), { shards: 3 });
    let down = true;
    proxy.choose(() => (down ? faults.dropResponse() : null));
    const waiting = counter.increment(3);
    await proxy.arrived(15);
    assert.equal(counter.pending, 3);
    down = false;
    await waiting;
    assert.equal(counter.pending, 0);
    assert.equal((await counter.get()).value, 3);
    const transaction = proxied.counter(freshDocument(), { shards: 3, delivery: 'transaction' });
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    await assert.rejects(transaction.increment(), shardlineError('outcome-unknown', /may or may not/));
  });

  test('a transaction meets writers all the time', async () => {
    const counter = proxied.counter(freshDocument(), { shards: 2, delivery: 'transaction' });
    let writes = 0;
    proxy.choose(({ verb }) => ({
      kind: 'somebody writes',
      before: async () => {
        if (verb !== 'commit' || writes >= 3) return;
        writes += 1;
        for (const shard of [0, 1]) await sdk.doc(`${counter.path}/shards/${shard}`).set({ count: FieldValue.increment(1) }, { merge: true });
      },
    }));
    await counter.increment();
    assert.equal((await db.counter(counter.path).get()).value, 7);
  });

  longTest('random faults from a seed: what was acknowledged is there', async () => {
    for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once', 'transaction'])) {
      for (const seed of [1, 2, 3]) {
        const dice = new Random(seed);
        const counter = proxied.counter(freshDocument(), { shards: 3, delivery, maxDelta: 1 });
        proxy.reset();
        proxy.choose(() => (dice.chance(0.25) ? dice.pick([
          faults.dropRequest, faults.dropResponse, faults.cutResponse, faults.truncate, faults.unavailable, faults.internal,
          faults.aborted, faults.html, faults.emptyBody,
        ])() : null));
        const results = await Promise.allSettled(Array.from({ length: 30 }, () => counter.increment()));
        const acknowledged = results.filter((result) => result.status === 'fulfilled').length;
        const doubtful = results.filter((result) => result.status === 'rejected' && result.reason.code === 'outcome-unknown').length;
        const { value } = await db.counter(counter.path).get();
        assert.ok(value >= acknowledged, `${value} of ${acknowledged}, seed ${seed}`);
        if (delivery === 'exactly-once') assert.equal(value, 30, `seed ${seed}`);
        if (delivery === 'transaction') assert.ok(value <= acknowledged + doubtful, `${value}, seed ${seed}`);
        assert.ok(acknowledged > 0);
      }
    }
  });
});

describe('get', () => {
  test('one read, as of one moment', async () => {
    const counter = proxied.counter(freshDocument(), { shards: 10 });
    await counter.create();
    await counter.increment(42);
    proxy.reset();
    const { readTime, ...reading } = await counter.get();
    assert.deepEqual(reading, { value: 42, number: 42, shards: 10, source: 'sum', pending: 0, billed: { reads: 1, writes: 0, deletes: 0 } });
    assert.ok(readTime instanceof Timestamp);
    assert.ok(Math.abs(readTime.toMillis() - Date.now()) < 60_000);
    assert.equal(proxy.requests.length, 1);
  });

  test('shard by shard', async () => {
    const counter = db.counter(freshDocument(), { shards: 3 });
    await setInteger(`${counter.path}/shards/0`, 1);
    await setInteger(`${counter.path}/shards/1`, 2n ** 60n);
    await rest.set(`${counter.path}/shards/2`, { count: { doubleValue: 0.5 } });
    await rest.set(`${counter.path}/shards/3`, { count: { stringValue: 'x' } });
    await rest.set(`${counter.path}/shards/4`, { other: { integerValue: '1' } });
    const listed = await counter.get({ source: 'shards' });
    assert.deepEqual(listed.perShard, { 0: 1, 1: 2n ** 60n, 2: 0.5 });
    assert.equal(listed.value, 2 ** 60);
    assert.equal(listed.shards, 4);
    assert.equal(listed.billed.reads, 5);
    const sum = await counter.get();
    assert.deepEqual([sum.value, sum.shards, sum.perShard], [2 ** 60, 4, undefined]);
  });

  test('values that JavaScript’s numbers cannot hold', async () => {
    /** @type {[values: bigint[], total: number | bigint][]} */
    const cases = [
      [[2n ** 53n, -1n], 2 ** 53 - 1],
      [[2n ** 53n, 1n], 2n ** 53n + 1n],
      [[-(2n ** 53n), -1n], -(2n ** 53n) - 1n],
      [[MAX], MAX],
      [[MIN], MIN],
      [[MAX, MIN], -1],
      [[MAX, 5n, -6n], MAX - 1n],
    ];
    for (const [values, total] of cases) {
      const counter = db.counter(freshDocument());
      for (const [i, value] of values.entries()) await setInteger(`${counter.path}/shards/${i}`, value);
      for (const reading of [await counter.get(), await counter.get({ source: 'shards' })]) {
        assert.equal(reading.value, total, `${values}`);
        assert.equal(reading.number, Number(total), 'the nearest number');
      }
    }
  });

  test('doubles', async () => {
    /** @type {[values: (number | string)[], total: number][]} */
    const cases = [[[0.5, 0.25], 0.75], [['NaN', 1], NaN], [['Infinity'], Infinity], [['Infinity', '-Infinity'], NaN], [[1e300, 1], 1e300]];
    for (const [values, total] of cases) {
      const counter = db.counter(freshDocument());
      for (const [i, doubleValue] of values.entries()) await rest.set(`${counter.path}/shards/${i}`, { count: { doubleValue } });
      assert.equal((await counter.get()).value, total, `${values}`);
      assert.equal((await counter.get({ source: 'shards' })).value, total, `${values}`);
    }
  });

  test('a total beyond int64', async () => {
    for (const end of [MAX, MIN]) {
      const counter = db.counter(freshDocument());
      for (const i of [0, 1]) await setInteger(`${counter.path}/shards/${i}`, end);
      await assert.rejects(counter.get(), shardlineError('out-of-range'));
      await assert.rejects(counter.get({ source: 'shards' }), shardlineError('out-of-range'));
    }
  });

  test('lists where the server cannot add up', async () => {
    const path = freshDocument();
    for (let i = 0; i < 3; i += 1) await setInteger(`${path}/shards/${i}`, i);
    const counter = proxied.counter(path);
    for (const fault of [
      faults.arrayError(400, 'FAILED_PRECONDITION', 'The query requires an index.'),
      faults.arrayError(501, 'UNIMPLEMENTED'),
      faults.answer(404, 'Not Found\n', 'text/plain'),
    ]) {
      proxy.script(fault);
      const reading = await counter.get();
      assert.deepEqual([reading.value, reading.source, reading.perShard], [3, 'shards', { 0: 0, 1: 1, 2: 2 }]);
    }
    proxy.script(faults.arrayError(403, 'PERMISSION_DENIED', 'No.'));
    await assert.rejects(counter.get(), shardlineError('permission-denied', /No\./));
  });

  test('faults on the way', async () => {
    const path = freshDocument();
    for (let i = 0; i < 3; i += 1) await setInteger(`${path}/shards/${i}`, i);
    for (const source of /** @type {const} */ (['sum', 'shards'])) {
      for (const fault of [
        faults.dropRequest(), faults.dropResponse(), faults.cutResponse(), faults.truncate(), faults.unavailable(), faults.html(),
        faults.errorInArray(), faults.emptyBody(), faults.exhausted(), faults.pretty(),
      ]) {
        proxy.script(fault);
        assert.equal((await proxied.counter(path).get({ source })).value, 3, `${source} ${fault.kind}`);
      }
    }
  });

  test('both of Google’s SDKs see the same', async () => {
    const counter = db.counter(freshDocument(), { shards: 3 });
    await counter.create();
    for (let i = 1; i <= 10; i += 1) await counter.increment(i);
    assert.equal((await counter.get()).value, 55);
    assert.equal(await webSample.getCount(counter.path), 55);
    assert.equal(await mobileSample.getCount(counter.path), 55);
    const aggregated = await lite.getAggregate(lite.collection(page, `${counter.path}/shards`), { total: lite.sum('count') });
    assert.equal(aggregated.data().total, 55);
  });
});

describe('bad input', () => {
  /** @type {[what: string, path: any, options: any, message: RegExp][]} */
  const cases = [
    ['no path', undefined, undefined, /counter\(\) takes a path, such as posts\/p1, not/],
    ['a number for a path', 7, undefined, /counter\(\) takes a path, such as posts\/p1, not/],
    ['a collection’s path', 'counters', undefined, /names a collection/],
    ['a document’s path for a layout of collections', 'counters/c', { layout: 'php-sample' }, /names a document/],
    ['an empty segment', 'counters//c', undefined, /empty segment/],
    ['no shards', 'counters/c', { shards: 0 }, /shards/],
    ['too many shards', 'counters/c', { shards: 10001 }, /10,000/],
    ['a fraction of a shard', 'counters/c', { shards: 1.5 }, /shards/],
    ['NaN shards', 'counters/c', { shards: NaN }, /shards/],
    ['shards as text', 'counters/c', { shards: '10' }, /shards/],
    ['shards as a bigint', 'counters/c', { shards: 10n }, /bigint|BigInt/],
    ['an unknown layout', 'counters/c', { layout: 'android' }, /android/],
    ['an incomplete layout', 'counters/c', { layout: { shardCollection: 'shards' } }, /countField/],
    ['a layout that contradicts itself', 'counters/c', { layout: { shardCollection: 's', countField: 'n', parent: true } }, /shardCountField/],
    ['the extension’s layout without its field', 'counters/c', { layout: 'extension' }, /countField/],
    ['a field for a layout that has one', 'counters/c', { countField: 'visits' }, /countField/],
    ['a field that is none', 'counters/c', { layout: 'extension', countField: 'a..b' }, /a\.\.b/],
    ['an unknown delivery', 'counters/c', { delivery: 'once' }, /delivery/],
    ['an unknown option', 'counters/c', { shrads: 10 }, /shrads/],
    ['options as text', 'counters/c', 'web', /has no option/],
  ];
  for (const [what, path, options, message] of cases) {
    test(what, () => {
      assert.throws(() => db.counter(path, options), shardlineError('invalid-argument', message));
    });
  }

  test('options that are an object which contains itself', () => {
    const layout = /** @type {any} */ ({});
    layout.layout = layout;
    assert.throws(() => db.counter('counters/c', { layout }), shardlineError('invalid-argument'));
  });

  test('deltas', async () => {
    const counter = proxied.counter('counters/c', { shards: 1 });
    for (const delta of [NaN, Infinity, -Infinity, 2 ** 53, 1e300, MAX + 1n, MIN - 1n, '1', null, true, {}, [1], Symbol('x'), () => 1]) {
      await assert.rejects(counter.increment(/** @type {any} */ (delta)), shardlineError('invalid-argument', /bigint/), String(delta));
    }
    assert.equal(proxy.requests.length, 0);
  });

  test('options of the methods', async () => {
    const counter = proxied.counter('counters/c', { shards: 1 });
    const wrong = /** @type {any} */ ({ ifExist: 'keep' });
    await assert.rejects(counter.create(wrong), shardlineError('invalid-argument', /ifExist/));
    await assert.rejects(counter.create({ ifExists: /** @type {any} */ ('replace') }), shardlineError('invalid-argument', /keep/));
    await assert.rejects(counter.increment(1, /** @type {any} */ ({ shard: 3 })), shardlineError('invalid-argument', /shard/));
    await assert.rejects(counter.get({ source: /** @type {any} */ ('cache') }), shardlineError('invalid-argument', /source/));
    await assert.rejects(counter.get(/** @type {any} */ ({ maxAge: 3 })), shardlineError('invalid-argument', /maxAge/));
    await assert.rejects(proxied.counter('counters/c', { layout: 'node-sample' }).increment(), shardlineError('invalid-argument', /shards/));
    assert.equal(proxy.requests.length, 0);
  });
});

test('whoever has deleted a counter counts no further in it, until it is made anew', async () => {
  await stage.reset();
  const counter = db.counter('counters/gone', { flushMs: 0 });
  await counter.create();
  await counter.increment(2);
  await counter.delete();
  assert.equal(counter.shards, undefined);
  await assert.rejects(counter.increment(), { code: 'not-found' });
  await counter.create();
  await counter.increment(3);
  assert.equal((await counter.get()).value, 3);
});

test('the delivery `transaction` refuses what `maxDelta` does not let into one commit, before it is sent', async () => {
  const counter = db.counter('counters/bounded', { shards: 2, delivery: 'transaction', maxDelta: 2 });
  await counter.create();
  for (const delta of [3, -3, 2.5, 3n]) {
    await assert.rejects(counter.increment(delta), { code: 'invalid-argument', reason: 'argument-not-allowed', message: /maxDelta, 2/ });
  }
  await counter.increment(2);
  await counter.increment(-1);
  assert.deepEqual([(await counter.get()).value, counter.pending], [1, 0]);
});

test('with the same path and options it is the same object, whatever the order of the options', () => {
  const likes = db.counter('counters/same', { shards: 3, layout: { shardCollection: 'shards', countField: 'count' } });
  assert.equal(db.counter('counters/same', { layout: { countField: 'count', shardCollection: 'shards' }, shards: 3 }), likes);
  assert.equal(db.counter('counters/other'), db.counter('counters/other', {}));
  assert.notEqual(db.counter('counters/same', { shards: 3 }), likes);
  assert.notEqual(db.counter('counters/same'), db.counter('counters/other'));
});
