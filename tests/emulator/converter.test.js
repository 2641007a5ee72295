/** Firebase's converters, its classes and its field paths, with its own SDK reading and writing the same documents. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FieldPath as ServerFieldPath } from '@google-cloud/firestore';
import { deleteApp, initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore/lite';
import { or, Timestamp, where } from 'shardline';
import { connect } from 'shardline/firebase';
import { Database } from './support/database.js';

const emulator = new Database();
const { projectId } = emulator;
/** @type {import('firebase/app').FirebaseApp} */
let app;
/** @type {import('firebase/firestore/lite').Firestore} */
let firestore;
/** @type {import('shardline').Database} */
let db;

before(async () => {
  await emulator.start();
  app = initializeApp({ projectId, apiKey: 'key' }, 'converters');
  firestore = sdk.getFirestore(app);
  sdk.connectFirestoreEmulator(firestore, '127.0.0.1', emulator.port);
  db = await connect(app, { firestore });
});
after(async () => {
  await db.close();
  await deleteApp(app);
  await emulator.stop();
});

class Post {
  /** @param {string} title @param {Date} at @param {string} [id] @param {string} [path] */
  constructor(title, at, id, path) {
    Object.assign(this, { title, at, id, path });
  }
}

/** As in Firebase's documentation. */
const converter = {
  /** @param {any} post @param {any} [options] */
  toFirestore(post, options) {
    return { ...(options?.merge ? { merged: true } : {}), ...(post.title === undefined ? {} : { headline: post.title }), ...(post.at === undefined ? {} : { at: post.at }) };
  },
  /** @param {any} snapshot @param {any} [options] */
  fromFirestore(snapshot, options) {
    const data = snapshot.data(options);
    assert.equal(snapshot.get('headline'), data.headline);
    assert.equal(snapshot.get(new sdk.FieldPath('headline')), data.headline);
    assert.equal(snapshot.get('no.where'), undefined);
    return new Post(data.headline, data.at.toDate(), snapshot.id, snapshot.ref.path);
  },
};

for (const [kind, make] of /** @type {[string, (path: string) => any][]} */ ([
  ['a sharded collection', (path) => db.shardedCollection(path, { shards: 3, orderField: 'at', shardBy: ({ headline }) => (headline ? '1' : undefined) })],
  ['an ordinary collection', (path) => db.collection(path)],
])) {
  test(`${kind} with a converter of Firebase writes and reads an app’s own objects`, async () => {
    const path = `posts-${kind.length}`;
    const posts = make(path).withConverter(converter);
    const at = new Date(1_700_000_000_000);
    const { id } = await posts.add(new Post('first', at));
    const own = new Post('first', at, id, `${path}/${id}`);
    assert.deepStrictEqual((await posts.get(id)).data(), own);
    assert.deepStrictEqual((await posts.where('headline', '==', 'first').limit(1).get()).docs.map((/** @type {any} */ { data }) => data()), [own]);
    for await (const { data } of posts.where('headline', '==', 'first')) assert.deepStrictEqual(data(), own);
    // The SDK with the same converter, and without one.
    const theirs = sdk.collection(firestore, path);
    assert.deepStrictEqual((await sdk.getDoc(sdk.doc(theirs, id).withConverter(converter))).data(), own);
    const stored = (await sdk.getDoc(sdk.doc(theirs, id))).data() ?? {};
    assert.deepEqual([stored.headline, 'title' in stored, stored.shard], ['first', false, kind === 'a sharded collection' ? '1' : undefined]);

    await posts.addAll([new Post('second', at), new Post('third', at)]);
    await posts.set('named', new Post('fourth', at));
    await posts.set('named', { title: 'fifth' }, { merge: true });
    await posts.update('named', { note: 'as stored' });
    const batch = db.batch();
    batch.add(posts, new Post('sixth', at));
    await batch.commit();
    const titles = (await posts.get()).docs.map((/** @type {any} */ { data }) => data().title).sort();
    assert.deepEqual(titles, ['fifth', 'first', 'second', 'sixth', 'third']);
    const { merged, note } = (await sdk.getDoc(sdk.doc(theirs, 'named'))).data() ?? {};
    assert.deepEqual([merged, note], [true, 'as stored']);

    assert.deepEqual((await posts.select('headline').where('headline', '==', 'first').get()).docs[0].data(), { headline: 'first' });
    const plain = posts.withConverter(null);
    assert.equal((await plain.get(id)).data().headline, 'first');
    assert.equal(await posts.get('none'), null);
  });
}

test('what a converter throws rejects the call, and nothing is sent; what is none is refused', async () => {
  const rows = db.collection('refused');
  const slip = new RangeError('Of the app.');
  const broken = rows.withConverter({ toFirestore() { throw slip; }, fromFirestore() { throw slip; } });
  for (const call of [() => broken.add({}), () => broken.set('a', {}), () => broken.addAll([{}])]) {
    await assert.rejects(call, (error) => error === slip);
  }
  await rows.set('a', { n: 1 });
  await assert.rejects(broken.get('a'), (error) => error === slip);
  await assert.rejects(broken.get(), (error) => error === slip);
  assert.equal((await rows.get()).docs.length, 1);
  for (const [value, named] of /** @type {[any, RegExp][]} */ ([[{}, /toFirestore/], [{ toFirestore() {} }, /fromFirestore/], [5, /toFirestore/], ['', /toFirestore/]])) {
    assert.throws(() => rows.withConverter(value), { code: 'invalid-argument', message: named });
  }
  await assert.rejects(rows.withConverter({ toFirestore: /** @type {any} */ (() => 5), fromFirestore() {} }).add({}), { code: 'invalid-argument' });
});

test('with `values`, documents come in the classes of Firebase’s SDK', async () => {
  const { Bytes, doc, GeoPoint, Timestamp: FirebaseTimestamp, vector } = sdk;
  const data = {
    at: FirebaseTimestamp.fromMillis(1_700_000_000_123), logo: Bytes.fromUint8Array(new Uint8Array([1, 2, 255])), place: new GeoPoint(1, -2),
    author: doc(firestore, 'users/ann'), embedding: vector([1, 0.5, -0]), deep: [{ at: FirebaseTimestamp.fromMillis(5) }],
    abroad: doc(sdk.getFirestore(app, 'other'), 'users/ben'), large: 2n ** 60n,
  };
  const { id } = await db.collection('typed').add(data);
  for (const values of /** @type {any[]} */ ([{ Bytes, doc, GeoPoint, Timestamp: FirebaseTimestamp, vector }, sdk])) {
    const theirs = await connect(app, { firestore, values });
    const rows = theirs.collection('typed');
    const found = (await rows.get()).docs[0] ?? assert.fail();
    const [seen, { createTime }] = [found.data(), found];
    assert.ok(createTime instanceof Timestamp);
    for (const name of /** @type {const} */ (['at', 'logo', 'place', 'author', 'embedding'])) {
      assert.equal(seen[name].constructor, data[name].constructor, name);
      assert.ok(name === 'author' ? sdk.refEqual(seen.author, data.author) : /** @type {any} */ (data[name]).isEqual(seen[name]), name);
    }
    assert.ok(seen.deep[0].at.isEqual(data.deep[0]?.at));
    assert.equal(seen.abroad.name, `projects/${projectId}/databases/other/documents/users/ben`);
    assert.equal(seen.large, 2n ** 60n);
    // They go back as they came, and a converter gets the SDK's reference.
    await rows.set(id, seen);
    const again = (await rows.get(id))?.data() ?? assert.fail();
    assert.ok(again.place.isEqual(data.place) && again.logo.isEqual(data.logo));
    const references = rows.withConverter({ toFirestore: (model) => model, fromFirestore: ({ ref, get }) => (get('constructor.name') === undefined ? ref : null) });
    assert.ok(sdk.refEqual(/** @type {any} */ ((await references.get(id))?.data()), doc(firestore, `typed/${id}`)));
    await theirs.close();
  }
  const some = await connect(app, { firestore, values: { GeoPoint } });
  const mixed = (await some.collection('typed').get(id) ?? assert.fail()).data();
  assert.ok(mixed.place instanceof GeoPoint && mixed.at instanceof Timestamp);
  await some.close();
  for (const [options, named] of /** @type {[any, RegExp][]} */ ([
    [{ values: { doc } }, /firestore/], [{ firestore, values: { Timestamp: 5 } }, /values\.Timestamp/], [{ firestore, values: { Bytes: class {} } }, /values\.Bytes/],
    ...[null, 5, true, 'abc', [], FirebaseTimestamp].map((values) => [{ firestore, values }, /`values` must be an object/]),
    ...[{ timestamp: FirebaseTimestamp }, { Timestamp: FirebaseTimestamp, geoPoint: GeoPoint }, { Doc: doc, GeoPoint }, { Moment: FirebaseTimestamp }]
      .map((values) => [{ firestore, values }, /`values` has no (timestamp|geoPoint|Doc|Moment), only Timestamp, Bytes, doc, GeoPoint and vector/]),
    [{ firestore, values: { Timestamp: (/** @type {number} */ seconds) => seconds } }, /values\.Timestamp/], [{ firestore, values: { GeoPoint: () => {} } }, /values\.GeoPoint/],
  ])) await assert.rejects(connect(app, { host: emulator.exactUrl, ...options }), { code: 'invalid-argument', message: named });
});

test('what classes of `values` throw rejects the call, as they threw it, and the server is not blamed', async () => {
  const { Bytes, doc, GeoPoint, vector } = sdk;
  const { id } = await db.collection('thrown').add({
    Timestamp: Timestamp.fromMillis(1), GeoPoint: new GeoPoint(1, 2), Bytes: Bytes.fromUint8Array(new Uint8Array([1])), doc: doc(firestore, 'users/ann'), vector: vector([1]),
  });
  for (const slip of [new RangeError('Of the app.'), 'a text']) {
    const fails = () => { throw slip; };
    class Fails { constructor() { fails(); } }
    for (const values of /** @type {any[]} */ ([{ Timestamp: Fails }, { GeoPoint: Fails }, { Bytes: { fromUint8Array: fails } }, { doc: fails }, { vector: fails }])) {
      const theirs = await connect(app, { firestore, values });
      for (const read of [() => theirs.collection('thrown').get(id), () => theirs.collection('thrown').get()]) await assert.rejects(read, (error) => error === slip);
      await theirs.close();
    }
  }
});

test('field paths of Firebase’s SDKs are taken where texts are', async () => {
  const path = 'paths';
  const field = new sdk.FieldPath('price', 'per.unit');
  const tick = new sdk.FieldPath('a`b\\c');
  const rows = db.shardedCollection(path, { shards: 2, shardField: new sdk.FieldPath('shard'), orderField: new sdk.FieldPath('when', 'at') });
  const when = { at: Timestamp.fromMillis(1) };
  await rows.addAll([1, 2, 3].map((n) => ({ when, price: { 'per.unit': n }, 'a`b\\c': n % 2 })));
  const units = async (/** @type {any} */ query) => (await query.get()).docs.map((/** @type {any} */ { data }) => data().price['per.unit']).sort();
  assert.deepEqual(await units(rows.where(field, '>=', 2)), [2, 3]);
  assert.deepEqual(await units(rows.where(tick, '==', 1)), [1, 3]);
  assert.deepEqual(await units(rows.where(or(where(field, '==', 1), where(new ServerFieldPath('price', 'per.unit'), '==', 3)))), [1, 3]);
  assert.deepEqual((await rows.orderBy(field, 'desc').orderBy(sdk.documentId()).get()).docs.map(({ data }) => data().price['per.unit']), [3, 2, 1]);
  assert.deepEqual((await rows.select(field).where(field, '==', 2).get()).docs[0]?.data(), { price: { 'per.unit': 2 } });
  assert.deepEqual([await rows.sum(field), await rows.average(field)], [6, 2]);
  const { docs } = await sdk.getDocs(sdk.query(sdk.collection(firestore, path), sdk.where(field, '>=', 2)));
  assert.equal(docs.length, 2);
  await assert.rejects(rows.add({ price: { 'per.unit': 4 } }), { message: /when\.at/ });
  for (const wrong of /** @type {any[]} */ ([{ segments: 'ab' }, { segments: [1] }, { segments: [] }, new sdk.FieldPath('__x__')])) {
    await assert.rejects(async () => rows.where(wrong, '==', 1).get(), { code: 'invalid-argument' });
  }
});
