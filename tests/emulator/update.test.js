/** update() with fields and values in turn, like Firebase's updateDoc(): against Google's emulator, whose SDK does the same, and the embedded one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FieldPath as ServerFieldPath } from '@google-cloud/firestore';
import { deleteApp, initializeApp } from 'firebase/app';
import * as sdk from 'firebase/firestore/lite';
import { arrayUnion, connect, deleteField, increment, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { Database } from './support/database.js';
import { shardlineError } from './support/shardline_error.js';

const emulator = new Database();
const { projectId } = emulator;
/** @type {import('firebase/app').FirebaseApp} */
let app;
/** @type {import('firebase/firestore/lite').Firestore} */
let firestore;
/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;

before(async () => {
  await emulator.start();
  app = initializeApp({ projectId, apiKey: 'key' }, 'update');
  firestore = sdk.getFirestore(app);
  sdk.connectFirestoreEmulator(firestore, '127.0.0.1', emulator.port);
  simulator = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' });
});
after(async () => {
  await deleteApp(app);
  await simulator.close();
  await emulator.stop();
});

const BEFORE = { price: { micros: 1, note: 'x' }, 'a.b': { c: 1, d: 2 }, tags: ['x'], n: 1 };
/** By this library's functions and by those of the SDK: what is done to a document. @param {typeof sdk | {deleteField: any, increment: any, arrayUnion: any}} functions */
const changes = (functions) => [
  'price.micros', functions.increment(5), new sdk.FieldPath('a.b', 'c'), 3, 'price.note', functions.deleteField(), new ServerFieldPath('odd`name'), { deep: [1, null] },
  'tags', functions.arrayUnion('y'), '__proto__x', 'p',
];
const AFTER = { price: { micros: 6 }, 'a.b': { c: 3, d: 2 }, 'odd`name': { deep: [1, null] }, tags: ['x', 'y'], n: 1, '__proto__x': 'p' };

for (const [name, options] of /** @type {[string, () => any][]} */ ([
  ['Google’s emulator', () => ({ host: emulator.url })],
  ['the embedded Firestore', () => ({ fetch: simulator.fetch })],
])) {
  describe(name, () => {
    /** @type {import('shardline').Database} */
    let db;
    let sent = 0;
    before(async () => {
      db = await connect({ projectId, storage: 'memory', onRequest: () => { sent += 1; }, ...options() });
    });
    after(() => db.close());

    test('collections and batches change what updateDoc() changes', async () => {
      const own = { increment, deleteField, arrayUnion };
      const plain = db.collection('plain');
      const sharded = db.shardedCollection('sharded', { shards: 3, orderField: 'n' });
      for (const collection of [plain, sharded]) {
        for (const functions of [own, sdk]) {
          await collection.set('a', BEFORE);
          const [field, value, ...more] = changes(functions);
          await collection.update('a', field, value, ...more);
          const { shard, ...data } = (await collection.get('a'))?.data() ?? {};
          assert.deepEqual(data, AFTER);
        }
      }
      await plain.set('b', BEFORE);
      const [field, value, ...more] = changes(own);
      assert.deepEqual(await db.batch().update('plain/b', field, value, ...more).update('plain/a', { n: 2 }).commit().then(({ writes }) => writes), 2);
      assert.deepEqual((await plain.get('b'))?.data(), AFTER);
      assert.equal((await plain.get('a'))?.data().n, 2);
    });

    test('options stand behind the last value', async () => {
      const sharded = db.shardedCollection('moved', { shards: ['x', 'y'] });
      await sharded.set('a', { timestamp: Timestamp.now(), shard: 'x' });
      await assert.rejects(sharded.update('a', 'shard', 'y'), shardlineError('invalid-argument', /move/));
      await sharded.update('a', 'shard', 'y', 'n', 1, { move: true });
      assert.deepEqual((await sharded.where('n', '==', 1).get()).docs.map(({ data }) => data().shard), ['y']);
      await assert.rejects(sharded.update('a', 'n', 1, { signal: AbortSignal.abort() }), shardlineError('cancelled'));
      await sharded.update('a', 'n', { move: true });
      assert.deepEqual((await sharded.get('a'))?.data().n, { move: true });
    });

    test('what is missing, twice or no field is refused, and nothing is sent', async () => {
      const rows = db.collection('plain');
      const before = sent;
      /** @type {[unknown[], RegExp][]} */
      const wrong = [
        [['n'], /“n” has no `value`/],
        [['n', 1, 'm'], /“m” has no `value`/],
        [['n', 1, new sdk.FieldPath('m.m')], /“`m\.m`” has no `value`/],
        [['n', undefined], /“n” is undefined/],
        [['x'.repeat(10_000), undefined], /^.{1,1000}$/],
        [['n', 1, 5, 6], /a `field` is no path/],
        [['n', 1, undefined, 6], /a `field` is no path/],
        [['n', 1, new sdk.FieldPath('n'), 2], /“n” is there twice/],
        [['n', 1, '`n`', 2], /"n" is changed twice/],
        [['p', 1, 'p.q', 2], /"p\.q" is changed twice/],
        [['', 1], /field/i],
        [['a..b', 1], /a\.\.b/],
        [[sdk.documentId(), 1], /document's name/],
        [[{ [/** @type {any} */ (new sdk.FieldPath('a.b'))]: 1 }], /in turn.*a FieldPath cannot be the key of an object/],
        [['n', 1, { merge: true }], /no option.*merge|no options/],
      ];
      for (const [given, message] of wrong) {
        const [field, value, ...more] = /** @type {[any, any]} */ (given);
        const refused = shardlineError('invalid-argument', message);
        const batch = () => (given.length === 1 ? db.batch().update('plain/a', field) : db.batch().update('plain/a', field, value, ...more));
        await assert.rejects(given.length === 1 ? rows.update('a', field) : rows.update('a', field, value, ...more), refused, String(message));
        await assert.rejects(async () => batch().commit(), refused, String(message));
      }
      await assert.rejects(async () => db.batch().update('plain/a', { n: 1 }, /** @type {any} */ ({ lastUpdateTime: 5 })).commit(),
        shardlineError('invalid-argument', /update\(\) of a batch has no options/));
      assert.equal(sent, before);
    });
  });
}

test('the SDK does the same', async () => {
  const document = sdk.doc(firestore, 'sdk/a');
  await sdk.setDoc(document, BEFORE);
  const [field, value, ...more] = changes(sdk);
  // It takes no FieldPath of the server's SDK.
  await sdk.updateDoc(document, field, value, ...more.map((each) => (each instanceof ServerFieldPath ? new sdk.FieldPath('odd`name') : each)));
  assert.deepEqual((await sdk.getDoc(document)).data(), AFTER);
});
