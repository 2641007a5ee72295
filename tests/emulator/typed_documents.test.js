// The promises of the documents' types (tests/types/documents.ts) hold when the program runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  arrayUnion, Bytes, connect, deleteField, DocumentReference, GeoPoint, increment, or, serverTimestamp, Timestamp, vector, VectorValue, where,
} from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';

/** @type {any} */
let simulator;
/** @type {any} */
let db;
/** @type {any} */
let rows;

before(async () => {
  simulator = await (await openWorkbench()).createEmbeddedFirestore();
  db = await connect({ projectId: 'demo', fetch: simulator.fetch });
  rows = db.shardedCollection('rows', { shards: 3 });
});
after(async () => {
  await db.close();
  await simulator.close();
});

test('what may be written for a field is read as the field’s type', async () => {
  await rows.set('a', {
    timestamp: new Date(0),
    stamped: serverTimestamp(),
    price: { currency: 'USD', micros: increment(5), note: 'x' },
    tags: arrayUnion('x', 'y'),
    trades: [{ at: new Date(1), micros: 1 }],
    volume: 5n,
    owner: db.doc('users/u'),
    place: new GeoPoint(1, 2),
    logo: new Uint8Array([1, 2]),
    embedding: vector([1, 2]),
    listing: { exchange: 'X' },
  });
  const data = (await rows.get('a')).data();
  for (const time of [data.timestamp, data.stamped, data.trades[0].at]) assert.ok(time instanceof Timestamp);
  assert.deepEqual(data.price, { currency: 'USD', micros: 5, note: 'x' });
  assert.deepEqual(data.tags, ['x', 'y']);
  assert.equal(data.volume, 5);
  assert.ok(data.owner instanceof DocumentReference && data.owner.isEqual(db.doc('users/u')) && !data.owner.isEqual(db.doc('users/v')));
  assert.ok(data.place instanceof GeoPoint && data.logo instanceof Bytes && data.embedding instanceof VectorValue);
});

test('a Date finds Timestamps, null finds null, and a path of any depth the field', async () => {
  await rows.set('b', { timestamp: new Date(5), a: { b: { c: { d: { e: { f: 'deep' } } } } }, owner: null, 'odd-name': 5 });
  const found = async (/** @type {any} */ query) => (await query.get()).docs.map((/** @type {any} */ { id }) => id);
  assert.deepEqual(await found(rows.where('timestamp', '==', new Date(5))), ['b']);
  assert.deepEqual(await found(rows.where('a.b.c.d.e.f', '==', 'deep')), ['b']);
  assert.deepEqual(await found(rows.where('`odd-name`', '==', 5)), ['b']);
  assert.deepEqual(await found(rows.where('owner', '==', null)), ['b']);
  assert.deepEqual(await found(rows.where(or(where('timestamp', '==', Timestamp.fromMillis(5)), where('a.b', '==', 5)))), ['b']);
});

test('select() leaves those parts of maps, and nothing without fields', async () => {
  const [few] = (await rows.where('price.currency', '==', 'USD').select('price.micros', 'listing.exchange', 'tags').get()).docs;
  assert.deepEqual(few.data(), { price: { micros: 5 }, listing: { exchange: 'X' }, tags: ['x', 'y'] });
  const [none] = (await rows.select().get()).docs;
  assert.deepEqual(none.data(), {});
});

test('update() changes the fields of its paths, set() with merge also those in the middle of maps', async () => {
  await rows.update('a', { 'price.micros': increment(1), 'price.note': deleteField(), listing: deleteField() });
  await rows.set('a', { price: { currency: 'JPY' } }, { merge: true });
  const data = (await rows.get('a')).data();
  assert.deepEqual(data.price, { currency: 'JPY', micros: 6 });
  assert.equal('listing' in data, false);
});
