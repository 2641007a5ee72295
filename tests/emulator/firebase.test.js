/** The entry `shardline/firebase` with Firebase's own SDK: its app, its user, its values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteApp } from 'firebase/app';
import * as sdk from 'firebase/firestore/lite';
import { connect as connectPlainly } from 'shardline';
import { arrayUnion, connect, Timestamp } from 'shardline/firebase';
import { emulator, makeApp, testApps } from './support/firebase_apps.js';

const { projectId } = emulator;

testApps(connect);

test('values of Firebase’s SDK are taken as they are, and its queries find them', async () => {
  const { app, firestore } = makeApp('values');
  const db = await connect(app, { firestore });
  const rows = db.shardedCollection('open/o/rows', { shards: 2, shardField: 'shard', orderField: 'at' });
  const at = sdk.Timestamp.fromMillis(1_700_000_000_123);
  const data = {
    at, point: new sdk.GeoPoint(1.5, -2), bytes: sdk.Bytes.fromBase64String('AQID'), vector: sdk.vector([1, 2.5]),
    reference: sdk.doc(firestore, 'open/x'), nested: { list: [at] }, made: sdk.serverTimestamp(), count: sdk.increment(3), tags: sdk.arrayUnion('a', 'b'),
  };
  const { id } = await rows.add(data);
  const seen = (await sdk.getDoc(sdk.doc(firestore, `open/o/rows/${id}`))).data() ?? {};
  assert.ok(at.isEqual(seen.at) && at.isEqual(seen.nested.list[0]) && data.point.isEqual(seen.point) && data.bytes.isEqual(seen.bytes));
  assert.deepEqual([seen.vector.toArray(), seen.reference.path, seen.count, seen.tags], [[1, 2.5], 'open/x', 3, ['a', 'b']]);
  assert.ok(seen.made instanceof sdk.Timestamp);
  const page = await rows.where('at', '==', at).newestFirst().get();
  assert.deepEqual([page.docs[0]?.id, page.docs[0]?.data().at], [id, new Timestamp(at.seconds, at.nanoseconds)]);
  assert.equal((await rows.newestFirst().startAt(at).limit(1).get()).docs.length, 1);
  await rows.update(id, { point: sdk.deleteField(), tags: sdk.arrayRemove('a') });
  const later = (await sdk.getDoc(sdk.doc(firestore, `open/o/rows/${id}`))).data() ?? {};
  assert.deepEqual([later.point, later.tags], [undefined, ['b']]);
  // Another copy of this library, whose classes are others.
  const copy = await import(`${import.meta.resolve('shardline').replace(/index\.js$/, 'values.js')}?copy`);
  await rows.update(id, { at: copy.Timestamp.fromMillis(5), tags: copy.arrayUnion('c'), reference: new copy.DocumentReference(`projects/${projectId}/databases/(default)/documents/open/y`) });
  const [doc] = (await rows.newestFirst().get()).docs;
  assert.deepEqual([doc?.data().at, doc?.data().tags, doc?.data().reference.path], [Timestamp.fromMillis(5), ['b', 'c'], 'open/y']);
  await db.close();
  await deleteApp(app);
});

test('what is no app, and what is no value', async () => {
  for (const app of [undefined, {}, { options: {} }]) await assert.rejects(connect(/** @type {any} */ (app)), { code: 'invalid-argument', message: /FirebaseApp/ });
  const { app, firestore } = makeApp('bad');
  await assert.rejects(connect(app, { firestore: /** @type {any} */ ({}) }), { code: 'invalid-argument', message: /getFirestore/ });
  await assert.rejects(connect(app, /** @type {any} */ ({ region: 'x' })), { code: 'invalid-argument', message: /region/ });
  const db = await connectPlainly({ projectId, host: emulator.exactUrl });
  const rows = db.shardedCollection('open/o/rows', { shards: 2, orderField: 'at' });
  for (const value of [new Map(), new (class Thing {})(), new (class Moment { toArray() { return [2024, 1]; } })(), new (class Place { latitude = 1; longitude = 2; })(), sdk.documentId(), sdk.collection(firestore, 'open')]) {
    await assert.rejects(rows.add({ at: 1, value }), { code: 'invalid-argument', message: /value/ });
  }
  await assert.rejects(rows.add({ at: 1, list: [arrayUnion(1)] }), { code: 'invalid-argument', message: /list/ });
  await db.close();
  await deleteApp(app);
});
