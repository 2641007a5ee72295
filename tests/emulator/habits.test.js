// Code that users of Firebase's SDK write out of habit works here, or throws an error that helps, before anything is sent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FieldValue } from '@google-cloud/firestore';
import firebase from 'firebase/compat/app';
import 'firebase/compat/firestore';
import { documentId, getFirestore, or as sdkOr, serverTimestamp as sdkServerTimestamp, where as sdkWhere } from 'firebase/firestore/lite';
import { initializeApp } from 'firebase/app';
import { connect as connectCollections } from '../../web/library/collections_only.js';
import { connect as connectCounters } from '../../web/library/counters_only.js';
import { connect, deleteField, or, serverTimestamp, ShardlineError, Timestamp, where } from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';
import { longTest } from '../support/long_test.js';

/** @type {any} */
let simulator;
/** @type {any} */
let db;
/** @type {any} */
let rows;
let requests = 0;

before(async () => {
  simulator = await (await openWorkbench()).createEmbeddedFirestore();
  db = await connect({ projectId: 'demo', fetch: simulator.fetch, onRequest: () => { requests += 1; } });
  rows = db.shardedCollection('rows', { shards: 3 });
  for (let i = 0; i < 4; i += 1) await rows.add({ i, timestamp: Timestamp.fromMillis(i) });
});
after(async () => {
  await db.close();
  await simulator.close();
});

/** @param {() => unknown} action @param {RegExp} message */
async function refuses(action, message) {
  const before = requests;
  await assert.rejects(async () => action(), (/** @type {any} */ error) => {
    assert.equal(error.code, 'invalid-argument');
    assert.match(error.message, message);
    return true;
  });
  assert.equal(requests, before);
}

test('a document is a cursor: here or of Firebase’s SDK, sorted by several fields, under a converter', async () => {
  const ids = (/** @type {any} */ page) => page.docs.map((/** @type {any} */ { id }) => id);
  const plain = db.collection('cursors');
  for (const [id, n] of [['a', 1], ['b', 1], ['c', 1], ['d', 2], ['e', 3]]) await plain.set(id, { n, 'odd name': { x: 5 - n }, timestamp: Timestamp.fromMillis(n) });
  const queries = [rows, rows.newestFirst(), rows.orderBy('i'), plain, plain.orderBy('n'), plain.orderBy('n', 'desc'), plain.where('n', '>', 0), plain.orderBy('`odd name`.x').orderBy('n'),
    plain.where('n', '>=', 1).where('timestamp', '>', new Date(0)), plain.orderBy('n').orderBy('__name__', 'desc')];
  for (const query of queries) {
    const { docs } = await query.get();
    const all = docs.map((/** @type {any} */ { id }) => id);
    for (const [i, document] of docs.entries()) {
      assert.deepEqual(ids(await query.startAfter(document).get()), all.slice(i + 1));
      assert.deepEqual(ids(await query.startAt(document).get()), all.slice(i));
      assert.deepEqual(ids(await query.endBefore(document).get()), all.slice(0, i));
      assert.deepEqual(ids(await query.endAt(document).limit(10).get()), all.slice(0, i + 1));
    }
  }
  const converted = plain.withConverter({ toFirestore: (/** @type {any} */ it) => it, fromFirestore: (/** @type {any} */ snapshot) => ({ named: snapshot.data().n }) }).orderBy('n');
  assert.deepEqual(ids(await converted.startAfter((await converted.limit(4).get()).docs[3]).get()), ['e']);
  const ofSdk = { id: 'd', ref: db.doc('cursors/d'), data: () => ({ n: 2 }) };
  assert.deepEqual(ids(await plain.orderBy('n').startAfter(ofSdk).get()), ['e']);
  assert.equal(await plain.orderBy('n').startAt(ofSdk).count(), 2);
  const [selected] = (await plain.orderBy('n').select('timestamp').limit(1).get()).docs;
  await refuses(() => plain.orderBy('n').startAt(selected).get(), /sorted by n, which the document .* does not have/);
  await refuses(() => plain.orderBy('n').startAt(ofSdk, 3), /or one document/);
});

test('what only looks a little like a document is a map like any other', async () => {
  const { docs } = await rows.limit(2).get();
  const more = await rows.startAfter(docs[1].data().timestamp).get();
  assert.deepEqual(more.docs.map((/** @type {any} */ { data }) => data().i), [2, 3]);
  assert.equal((await rows.startAt({ id: 'x', data: 1 }).get()).docs.length, 0);
});

test('the `nextToken` of a page is no cursor', async () => {
  const { nextToken } = await rows.limit(2).get();
  for (const method of ['startAt', 'startAfter', 'endAt', 'endBefore']) await refuses(() => rows[method](nextToken), /call continueFrom\(\)/);
  assert.equal((await rows.limit(2).continueFrom(nextToken).get()).docs.length, 2);
  assert.equal((await rows.startAfter('WzEs').get()).docs.length, 0);
});

test('a page says how many documents it has, and a document that it exists', async () => {
  const page = await rows.limit(3).get();
  assert.deepEqual([page.size, page.empty], [3, false]);
  const none = await rows.where('i', '==', 'none').get();
  assert.deepEqual([none.size, none.empty], [0, true]);
  assert.deepEqual(Object.keys(page).filter((name) => ['size', 'empty', 'forEach'].includes(name)), []);
  /** @type {unknown[]} */
  const seen = [];
  page.forEach((/** @type {unknown} */ doc) => seen.push(doc));
  assert.deepEqual(seen, page.docs);
  const document = await rows.get(page.docs[0].id);
  assert.equal(document.exists(), true);
  assert.ok(document.exists);
  assert.deepEqual(Object.keys(document).sort(), ['createTime', 'data', 'id', 'name', 'readTime', 'updateTime']);
  assert.equal(await rows.get('none'), null);
});

test('a path may come in parts, as collection() and doc() of the SDK take it', async () => {
  assert.equal(db.collection('posts', 'p1', 'comments').path, 'posts/p1/comments');
  assert.equal(db.doc('posts', 'p1').path, 'posts/p1');
  assert.equal(db.doc('posts/p1', 'comments', 'c1').path, 'posts/p1/comments/c1');
  for (const path of [[], [''], ['posts'], ['/posts/p1'], ['posts/p1/'], ['posts//p1/x'], ['posts', 'p1', 'comments'], ['posts', 5], ['posts', undefined], [db.doc('a/b')]]) {
    await refuses(() => db.doc(...path), /doc\(\) needs the path of a document/);
  }
  for (const path of [[], ['posts', 'p1'], ['posts', '', 'x'], ['posts', undefined, 'x'], ['posts', { shards: 3 }]]) await refuses(() => db.collection(...path), /path|options/);
});

test('an id in place of a reference is told what to give instead', async () => {
  const plain = db.collection('plain');
  await plain.set('p1', { i: 1 });
  for (const collection of [plain, rows]) {
    await refuses(() => collection.where(documentId(), '==', 'p1').get(), /references.*db\.doc\('posts\/p1'\)/);
    await refuses(() => collection.where('__name__', 'in', ['p1', 'p2']).get(), /references.*db\.doc\(/);
    await refuses(() => collection.orderBy('__name__').startAfter('p1').get(), /reference.*db\.doc\(/);
  }
  assert.equal((await plain.where(documentId(), 'in', [db.doc('plain/p1')]).get()).size, 1);
  assert.equal((await plain.orderBy('__name__').startAt(db.doc('plain/p1')).get()).size, 1);
  await refuses(() => plain.get(db.doc('plain/p1')), /get\(\) takes the id of a document/);
});

test('transforms of Firebase’s older API and of its server’s are taken', async () => {
  const plain = db.collection('plain');
  await plain.set('t', { n: 1, tags: ['x', 'y'], gone: 1 });
  for (const Value of [firebase.firestore.FieldValue, FieldValue]) {
    const [at, last] = [Value.serverTimestamp(), Value.delete()];
    await plain.update('t', { n: Value.increment(2), at, gone: last, tags: Value.arrayUnion('z') });
    await plain.set('t', { tags: Value.arrayRemove('x') }, { merge: true });
  }
  const { at, ...rest } = (await plain.get('t')).data();
  assert.ok(at instanceof Timestamp);
  assert.deepEqual(rest, { n: 5, tags: ['y', 'z'] });
  await plain.update('t', new firebase.firestore.FieldPath('a.b', 'c'), 1);
  assert.deepEqual((await plain.get('t')).data()['a.b'], { c: 1 });
});

test('a transform where none can stand is called by its name', async () => {
  for (const transform of [serverTimestamp(), sdkServerTimestamp(), FieldValue.serverTimestamp()]) {
    await refuses(() => db.collection('plain').add({ list: [transform] }), /“list\.0” is a transform such as serverTimestamp\(\)/);
    await refuses(() => rows.where('i', '==', transform).get(), /“i” is a transform such as serverTimestamp\(\)/);
  }
});

test('an observer in place of a function would never be called', async () => {
  const likes = db.counter('posts/p1', { shards: 2 });
  for (const observer of [{ next() {} }, { next() {}, error() {} }]) {
    await refuses(() => likes.watch(observer), /watch\(\) needs a function/);
    await refuses(() => likes.subscribe(observer), /subscribe\(\) needs a function/);
  }
});

test('what is no Date is none', async () => {
  for (const date of ['2020-01-01', 5, null, undefined, {}]) await refuses(() => Timestamp.fromDate(/** @type {any} */ (date)), /date must be a Date/);
});

test('filters of Firebase’s SDK are told where to take others from', async () => {
  await refuses(() => rows.where(sdkWhere('i', '==', 1)), /of this library/);
  await refuses(() => rows.where(sdkOr(sdkWhere('i', '==', 1), sdkWhere('i', '==', 2))), /of this library/);
});

test('data() is a method: a field that is read of the method itself is answered', async () => {
  await db.collection('named').set('a', { name: 'Ann', list: [1] });
  const doc = await db.collection('named').get('a');
  assert.deepEqual(doc.data(), { name: 'Ann', list: [1] });
  for (const field of ['name', 'list']) await refuses(() => doc.data[field], new RegExp(`data is a method: read data\\(\\)\\.${field}`));
  assert.equal(doc.data.none, undefined);
  assert.equal(JSON.stringify({ data: doc.data }), '{"data":{"list":[1],"name":"Ann"}}');
});

test('continueFrom() of no page is refused, and told how to begin and where the end is', async () => {
  for (const token of [null, undefined]) await refuses(() => rows.continueFrom(token), /`nextToken` of a page.*null after the last page.*Begin without it, or by startAfter\(value\)/);
});

test('a new document without the order field is refused, as no query would find it', async () => {
  const rejected = /no field “timestamp”.*no query would find it.*Timestamp\.now\(\)/;
  await refuses(() => rows.add({ i: 5 }), rejected);
  await refuses(() => rows.addAll([{ i: 5, timestamp: new Date() }, { i: 6 }]), rejected);
  await refuses(() => rows.set('five', { i: 5 }), rejected);
  await refuses(() => rows.set('five', { i: 5, timestamp: deleteField() }), rejected);
  const nested = db.shardedCollection('nested', { shards: 2, orderField: 'times.made' });
  for (const times of [undefined, {}, 5, { other: 1 }, { 'made.by': 1 }]) {
    await refuses(() => nested.add(times === undefined ? {} : { times }), /no field “times\.made”/);
  }
  // A name with a dot in it is no path.
  for (const made of [1, serverTimestamp()]) await refuses(() => nested.add({ 'times.made': made }), /no field “times\.made”/);
});

test('one that has it, and changes of one that is there, are taken', async () => {
  const nested = db.shardedCollection('nested', { shards: 2, orderField: 'times.made' });
  for (const made of [serverTimestamp(), new Date(0), null, 0, '']) await nested.add({ times: { made } });
  assert.equal((await nested.get()).docs.length, 5);
  await nested.set('one', { times: { made: 1 } });
  await nested.set('one', { note: 'x' }, { merge: true });
  await nested.update('one', { note: 'y' });
  assert.equal((await nested.get('one')).data().note, 'y');
});

test('an instance of a class of one’s own is refused by its name, a frozen or null-prototype object is taken', async () => {
  class Instrument {
    timestamp = new Date();
  }
  await refuses(() => rows.add(new Instrument()), /plain object/);
  await rows.add(Object.freeze(Object.assign(Object.create(null), { timestamp: new Date(0), i: -1 })));
});

test('conditions are joined by and(), not one behind the other as in query() of the SDK', async () => {
  await refuses(() => rows.where(where('i', '==', 1), where('i', '==', 2)), /join several with and\(\)/);
  await refuses(() => rows.where(where('i', '==', 1), '==', 5), /one filter/);
});

longTest('conditions that are joined one by one are as good as those joined at once', async () => {
  const each = Array.from({ length: 4000 }, (_, i) => where('i', '==', 3 - i));
  const found = await rows.where(each.reduce((a, b) => or(a, b))).get();
  assert.deepEqual(new Set(found.docs.map((/** @type {any} */ { data }) => data().i)), new Set([0, -1, 1, 2, 3]));
  await assert.rejects(async () => rows.where(or(or(), where('i', '==', 1))).plan(), { code: 'invalid-argument' });
});

test('a limit, a direction or an option that is missing or of another call is refused', async () => {
  for (const limit of [null, undefined, Infinity, '5', 2.5, 0]) {
    await refuses(() => rows.limit(limit).get(), /limit/);
    await refuses(() => rows.limit(limit).stream().next(), /limit/);
  }
  await refuses(() => rows.orderBy(undefined, 'desc'), /orderBy\(\) needs/);
  await refuses(() => rows.orderBy('i', null).get(), /direction/);
  await refuses(() => db.collection('rows', { shards: 3 }), /shardedCollection\(path, options\)/);
  for (const own of [{ ordinary: true }, { path: 'others' }]) await refuses(() => db.shardedCollection('rows', { shards: 3, ...own }), /has no option/);
});

test('an increment that a button calls is told how to be called', async () => {
  const counter = db.counter('posts/habits', { shards: 3 });
  const { increment } = counter;
  await refuses(() => increment(), /pass \(\) => counter\.increment\(\) on/);
  await refuses(() => counter.increment(new Event('click')), /The amount of an increment must be .* It is a value of the type object\./);
  await refuses(() => counter.increment('1'), /It is the string '1'\./);
  await refuses(() => counter.increment(2 ** 53), /use a bigint\. It is 9007199254740992\./);
});

test('a condition without an operator, or without a value, is told what it lacks', async () => {
  await refuses(() => rows.where('i', 1), /a field, an operator and a value/);
  await refuses(() => rows.where('i', '==', undefined), /a field, an operator and a value.* the value is undefined/);
  await refuses(() => where('i', /** @type {any} */ (1), undefined), /a field, an operator and a value/);
});

test('an option of another call is refused by its name', async () => {
  const data = { timestamp: new Date(0) };
  const option = { onProgress() {} };
  for (const [name, call] of Object.entries({
    add: () => rows.add(data, option),
    set: () => rows.set('r', data, option),
    update: () => rows.update('r', { i: 1 }, option),
    get: () => rows.get('r', option),
    exists: () => rows.exists('r', option),
    delete: () => rows.delete('r', option),
  })) await refuses(call, new RegExp(`${name}\\(\\) has no option “onProgress”`));
});

test('an app of Firebase’s SDK is told which entry takes it', async () => {
  const app = initializeApp({ projectId: 'demo' }, 'habits');
  const older = firebase.initializeApp({ projectId: 'demo' }, 'older habits');
  for (const open of [connect, connectCounters, connectCollections]) {
    for (const made of [app, older, getFirestore(app)]) {
      await refuses(() => open(/** @type {any} */ (made)), /pass the app to connect\(\) of shardline\/firebase/);
    }
    await refuses(() => open(/** @type {any} */ ({ projectId: 'demo', apikey: 'k' })), /no option “apikey”, only projectId, .*(?<!shardline\/firebase\.)$/);
    const config = { apiKey: 'k', authDomain: 'demo.firebaseapp.com', projectId: 'demo', appId: '1:2:web:3' };
    await refuses(() => open(config), /no option “authDomain”.*Pass only projectId and apiKey, or pass the app to connect\(\) of shardline\/firebase/);
  }
});

test('a counter’s option of another name is refused with all that there are', async () => {
  const all = 'shards, layout, countField, delivery, flushMs, maxDelta, autoResize, publish';
  for (const name of ['numShards', 'num_shards', 'flushMillis']) {
    await refuses(() => db.counter('posts/p1', { [name]: 10 }), new RegExp(`A counter has no option “${name}”, only ${all}\\.$`));
  }
});

/** The text that says that it is not here. */
const ANSWERED = {
  Firestore: ['collectionGroup', 'runTransaction'],
  Query: ['limitToLast'],
  CollectionReference: ['doc'],
  DocumentReference: ['collection', 'delete', 'get', 'onSnapshot', 'set', 'update'],
  WriteBatch: [],
};
/** The parts of the SDK itself: its settings, its cache, its bundles, and the links between its objects. */
const OF_THE_SDK = [
  'INTERNAL', 'app', 'clearPersistence', 'disableNetwork', 'enableMultiTabIndexedDbPersistence', 'enableNetwork', 'enablePersistence', 'firestore', 'isEqual',
  'loadBundle', 'namedQuery', 'onSnapshotsInSync', 'parent', 'settings', 'terminate', 'useEmulator', 'waitForPendingWrites', 'withConverter', 'id',
];

/** @param {any} object @returns {string[]} */
const namesIn = (object) => [...new Set(object === null || object === Object.prototype ? [] : [...Object.getOwnPropertyNames(object), ...namesIn(Object.getPrototypeOf(object))])];

test('every method of Firebase’s SDK is here, or says what to use instead', async () => {
  const ours = { Firestore: db, Query: rows.limit(1), CollectionReference: db.collection('plain'), DocumentReference: db.doc('a/b'), WriteBatch: db.batch() };
  for (const [name, object] of Object.entries(ours)) {
    const theirs = namesIn(/** @type {any} */ (firebase.firestore)[name].prototype).filter((each) => !each.startsWith('_') && each !== 'constructor');
    assert.ok(theirs.length >= 4, name);
    const answered = /** @type {Record<string, string[]>} */ (ANSWERED)[name] ?? [];
    assert.deepEqual(theirs.filter((each) => !(each in object) && !OF_THE_SDK.includes(each)), [], name);
    assert.deepEqual(answered.filter((each) => !theirs.includes(each)), [], name);
    for (const method of answered) await expectAnswer(() => object[method](() => {}), method);
    const seen = [];
    for (const each in object) seen.push(each);
    assert.deepEqual(seen.filter((each) => answered.includes(each)), []);
  }
});

/** @param {() => unknown} action @param {string} method @param {RegExp} [word] */
async function expectAnswer(action, method, word = /./) {
  const before = requests;
  await assert.rejects(async () => action(), (/** @type {any} */ error) => {
    assert.ok(error instanceof ShardlineError, error.stack);
    assert.deepEqual([error.code, error.reason, error.params.method], ['unimplemented', 'method-missing', method]);
    assert.ok(error.message.startsWith(`There is no ${method}() here: use ${error.params.instead}`), error.message);
    assert.match(error.message, word);
    return true;
  });
  assert.equal(requests, before);
}

test('what is used in place of a method of Firebase’s SDK is there', async () => {
  await db.collection('plain').set('p1', { i: 1 });
  const plain = db.collection('plain');
  await expectAnswer(() => plain.doc('p1').get(), 'doc', /use get\(id\), set\(id, data\), update\(id, changes\) and delete\(id\) of the collection/);
  await expectAnswer(() => db.doc('plain/p1').get(), 'get', /get\(id\).*of the collection/);
  for (const call of ['get', 'set', 'update', 'delete']) assert.equal(typeof plain[call], 'function');
  await expectAnswer(() => db.doc('plain/p1').collection('more'), 'collection', /collection\(path\) of the database/);
  await expectAnswer(() => rows.limitToLast(2), 'limitToLast', /orderBy\(field, 'desc'\) with limit\(\)/);
  assert.deepEqual((await rows.orderBy('timestamp', 'desc').limit(2).get()).docs.map((/** @type {any} */ { data }) => data().i), [3, 2]);
  await expectAnswer(() => db.runTransaction(async () => {}), 'runTransaction', /use batch\(\)/);
  await expectAnswer(() => db.counter('posts/p1', { shards: 2 }).onSnapshot(() => {}), 'onSnapshot', /use watch\(callback\)/);
  const alone = /** @type {any} */ (await connectCollections({ projectId: 'demo', fetch: simulator.fetch }));
  await expectAnswer(() => alone.batch(), 'batch', /batch\(\) of shardline/);
  await expectAnswer(() => alone.collectionGroup('plain'), 'collectionGroup', /collection\(path\)/);
  await alone.close();
});

test('a database of counters alone names the entry that has collections and batches', async () => {
  const counters = /** @type {any} */ (await connectCounters({ projectId: 'demo', fetch: simulator.fetch }));
  for (const method of ['batch', 'collection', 'doc', 'shardedCollection']) {
    await expectAnswer(() => counters[method]('plain'), method, /use the entry shardline or shardline\/firebase\.$/);
  }
  await counters.close();
});
