/** Google's own clients, doing the documentation's samples, against `shardline serve`. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { Firestore as AdminFirestore, FieldValue } from '@google-cloud/firestore';
import { deleteApp, initializeApp } from 'firebase/app';
import {
  addDoc, arrayUnion, average, collection, collectionGroup, connectFirestoreEmulator, count, deleteDoc, doc, getAggregate, getCount, getDoc, getDocs, getFirestore, increment, limit, orderBy, query, runTransaction, serverTimestamp, setDoc,
  startAfter, sum, terminate, updateDoc, where, writeBatch,
} from 'firebase/firestore/lite';

import { OAuth2Client } from 'google-auth-library';

import { serve } from './support/command_line.js';
import { runDialect } from './support/dialect_front.js';

/**
 * A transaction that was in another's way waits up to 90 seconds before it starts over: 60, give or take a half, for every 409 over REST.
 * What the SDK's own tests use to change that is not among its exports.
 */
const { setTimeoutHandler } = createRequire(import.meta.url)('../node_modules/@google-cloud/firestore/build/src/backoff.js');

/** @param {import('node:test').TestContext} t @param {import('./support/dialect_front.js').Dialect} dialect */
async function serveHere(t, dialect) {
  const server = await serve(['--dialect', dialect, '--seed', String(runDialect().seed)]);
  t.after(() => server.stop());
  return server;
}

test('firebase/firestore/lite: counters and queries of the documentation', async (t) => {
  const server = await serveHere(t, runDialect().dialect);
  const app = initializeApp({ projectId: 'lite', apiKey: 'x' });
  const db = getFirestore(app);
  connectFirestoreEmulator(db, '127.0.0.1', server.port);
  try {
    const counter = doc(db, 'counters', 'c');
    const batch = writeBatch(db);
    batch.set(counter, { num_shards: 3 });
    for (let shard = 0; shard < 3; shard += 1) batch.set(doc(counter, 'shards', String(shard)), { count: 0 });
    await batch.commit();
    for (let time = 0; time < 9; time += 1) await updateDoc(doc(counter, 'shards', String(time % 3)), 'count', increment(1));
    const shards = await getDocs(collection(counter, 'shards'));
    assert.equal(shards.docs.reduce((total, shard) => total + shard.data().count, 0), 9);
    assert.equal((await getAggregate(collection(counter, 'shards'), { total: sum('count'), mean: average('count') })).data().total, 9);
    assert.equal((await getCount(collectionGroup(db, 'shards'))).data().count, 3);

    const instruments = collection(db, 'instruments');
    const base = Date.UTC(2024, 0, 1);
    for (let index = 0; index < 12; index += 1) {
      await addDoc(instruments, { shard: ['x', 'y', 'z'][index % 3], exchange: `EXCHG${index % 2}`, price: { currency: index % 4 === 0 ? 'EUR' : 'USD', micros: index * 1000 }, timestamp: new Date(base + index * 1000) });
    }
    const newest = query(instruments, where('shard', 'in', ['x', 'y', 'z']), where('price.currency', '==', 'USD'), orderBy('timestamp', 'desc'), limit(5));
    const page = await getDocs(newest);
    assert.deepEqual(page.docs.map((one) => one.data().price.micros), [11000, 10000, 9000, 7000, 6000]);
    const more = await getDocs(query(newest, startAfter(page.docs[4])));
    assert.deepEqual(more.docs.map((one) => one.data().price.micros), [5000, 3000, 2000, 1000]);

    await setDoc(doc(db, 'cities', 'SF'), { name: 'San Francisco', regions: ['west'], at: serverTimestamp() });
    await setDoc(doc(db, 'cities', 'SF'), { population: 1 }, { merge: true });
    await updateDoc(doc(db, 'cities', 'SF'), { regions: arrayUnion('norcal') });
    await runTransaction(db, async (transaction) => {
      const city = await transaction.get(doc(db, 'cities', 'SF'));
      transaction.update(doc(db, 'cities', 'SF'), { population: city.data()?.population + 1 });
    });
    const city = (await getDoc(doc(db, 'cities', 'SF'))).data();
    assert.deepEqual([city?.name, city?.population, city?.regions], ['San Francisco', 2, ['west', 'norcal']]);
    // A transaction verifies the documents that it has read and does not write.
    await runTransaction(db, async (transaction) => {
      await transaction.get(doc(db, 'cities', 'SF'));
      await transaction.get(doc(db, 'cities', 'none'));
      transaction.set(doc(db, 'cities', 'LA'), { population: 3 });
    });
    assert.equal((await getDoc(doc(db, 'cities', 'LA'))).data()?.population, 3);
    await deleteDoc(doc(db, 'cities', 'SF'));
    assert.equal((await getDoc(doc(db, 'cities', 'SF'))).exists(), false);
    assert.equal(typeof count, 'function');
  } finally {
    await terminate(db);
    await deleteApp(app);
  }
});

/**
 * @param {import('node:test').TestContext} t
 * @param {string} projectId
 */
async function openAdmin(t, projectId) {
  // It takes a stream for broken if it begins with white space, which proxies may send.
  const server = await serveHere(t, runDialect().dialect === 'emulator' ? 'emulator' : 'production');
  process.env.FIRESTORE_EMULATOR_HOST = server.host;
  setTimeoutHandler(setImmediate);
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'owner', expiry_date: 4102444800000 });
  const db = new AdminFirestore({ projectId, preferRest: true, authClient });
  t.after(async () => {
    delete process.env.FIRESTORE_EMULATOR_HOST;
    setTimeoutHandler(setTimeout);
    await db.terminate();
  });
  return db;
}

test('@google-cloud/firestore over REST: transactions, bulk writes, recursive deletes', async (t) => {
  const db = await openAdmin(t, 'admin');
  const counter = db.doc('counters/c');
  await counter.set({ value: 0 });
  // Each reads before it writes, so they are in each other's way and start over.
  await Promise.all(Array.from({ length: 2 }, () => db.runTransaction(async (transaction) => {
    const now = await transaction.get(counter);
    transaction.update(counter, { value: now.get('value') + 1 });
  }, { maxAttempts: 50 })));
  assert.equal((await counter.get()).get('value'), 2);
  await counter.update({ value: FieldValue.increment(2), at: FieldValue.serverTimestamp() });
  assert.equal((await counter.get()).get('value'), 4);

  const writer = db.bulkWriter();
  for (let index = 0; index < 40; index += 1) void writer.set(db.doc(`items/${index}`), { index, even: index % 2 === 0 });
  await writer.close();
  const found = await db.collection('items').where('even', '==', true).orderBy('index', 'desc').limit(3).get();
  assert.deepEqual(found.docs.map((one) => one.get('index')), [38, 36, 34]);
  assert.equal((await db.collection('items').count().get()).data().count, 40);
  assert.deepEqual((await db.listCollections()).map((one) => one.id), ['counters', 'items']);
  await assert.rejects(db.doc('items/1').create({}), /ALREADY_EXISTS/);
  await db.recursiveDelete(db.collection('items'));
  assert.equal((await db.collection('items').get()).size, 0);
});

test('@google-cloud/firestore over REST: the nearest vectors, and how a query is answered', async (t) => {
  const db = await openAdmin(t, 'vectors');
  const items = db.collection('items');
  for (const [id, values] of Object.entries({ a: [1, 0], b: [0, 1], c: [1, 1], d: [-1, 0] })) await items.doc(id).set({ kind: 'k', embedding: FieldValue.vector(values) });
  const ids = (/** @type {{docs: {id: string}[]}} */ { docs }) => docs.map(({ id }) => id);
  const nearest = { vectorField: 'embedding', queryVector: [1, 0], limit: 3, distanceMeasure: /** @type {const} */ ('EUCLIDEAN') };
  const found = await items.findNearest({ ...nearest, distanceResultField: 'distance' }).get();
  assert.deepEqual(found.docs.map((one) => [one.id, one.get('distance')]), [['a', 0], ['c', 1], ['b', Math.SQRT2]]);
  assert.deepEqual(ids(await items.where('kind', '==', 'k').findNearest({ ...nearest, distanceMeasure: 'COSINE', distanceThreshold: 1 }).get()), ['a', 'c', 'b']);
  assert.deepEqual(ids(await items.findNearest({ ...nearest, distanceMeasure: 'DOT_PRODUCT', limit: 1 }).get()), ['a']);

  const byKind = items.where('kind', '==', 'k').orderBy('__name__');
  const plan = await byKind.explain({ analyze: false });
  assert.deepEqual([plan.snapshot, plan.metrics.executionStats, plan.metrics.planSummary.indexesUsed], [null, null, [{ query_scope: 'Collection', properties: '(kind ASC, __name__ ASC)' }]]);
  const { snapshot, metrics } = await byKind.explain({ analyze: true });
  assert.deepEqual([snapshot?.size, metrics.executionStats?.resultsReturned, metrics.executionStats?.readOperations], [4, 4, 4]);
  const counted = await byKind.count().explain({ analyze: true });
  assert.deepEqual([counted.snapshot?.data().count, counted.metrics.executionStats?.readOperations], [4, 1]);
  assert.deepEqual((await byKind.count().explain()).snapshot, null);
});

test('@google-cloud/firestore: onSnapshot() speaks gRPC, and learns at once that gRPC is not served', async (t) => {
  const db = await openAdmin(t, 'listening');
  // A listener waits for the server; a pause of its own must not keep this process.
  setTimeoutHandler((run, ms) => setTimeout(run, ms).unref());
  await db.doc('a/b').set({ v: 1 });
  const error = await new Promise((resolve, reject) => { db.doc('a/b').onSnapshot(() => reject(new Error('It listens.')), resolve); });
  assert.match(error.message, /12: The embedded Firestore does not serve gRPC/);
  // From then on this client speaks nothing but gRPC.
  await assert.rejects(db.doc('a/b').set({ v: 2 }), /does not serve gRPC/);
});
