/** The tools for firestore.indexes.json in JavaScript, and an embedded Firestore that takes the written files. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { and, connect, or, ShardlineError, where } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

const { auditIndexes, counterIndexes, createEmbeddedFirestore, explainMissingIndex, rewriteIndexes } = await openWorkbench();
const fixture = (/** @type {string} */ name) => readFile(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const before = await fixture('indexes_before.jsonc');

/** @param {() => unknown} call @param {RegExp} message */
const refuses = (call, message) =>
  assert.throws(call, (error) => error instanceof ShardlineError && error.code === 'invalid-argument' && message.test(error.message));

test('auditIndexes() says what is hot, and rewriteIndexes() cools it', () => {
  const rising = { instruments: ['timestamp'] };
  const { findings, candidates } = auditIndexes(before, { rising });
  assert.deepEqual(findings.map(({ where, risk, collection, field }) => [where, risk, collection, field]), [
    ['single-field', 'hot', 'instruments', 'timestamp'],
    ...Array.from({ length: 3 }, () => ['composite', 'perhaps', 'instruments', 'timestamp']),
  ]);
  assert.deepEqual(candidates, []);
  const options = { collections: [{ collection: 'instruments' }], counters: true, ids: true, removeOld: true };
  const { text, changes, commentsLost } = rewriteIndexes(before, options);
  assert.ok(commentsLost && changes.every(({ why }) => why.length > 20));
  assert.deepEqual(auditIndexes(text, { rising }).findings, []);
  assert.deepEqual(rewriteIndexes(text, options), { text, changes: [], next: null, notes: [], commentsLost: false });
  const { fieldOverrides } = JSON.parse(text);
  for (const each of JSON.parse(counterIndexes()).fieldOverrides) {
    assert.ok(fieldOverrides.some((/** @type {object} */ other) => JSON.stringify(other) === JSON.stringify(each)), JSON.stringify(each));
  }
  assert.ok(fieldOverrides.some((/** @type {any} */ each) => each.collectionGroup === 'shardline_ids' && each.fieldPath === 'next'));
});

test('a name is a hint: without more, nothing is found, and nothing is changed', () => {
  const { findings, candidates } = auditIndexes(before);
  assert.deepEqual(findings, []);
  assert.deepEqual(candidates.map(({ risk, hint, field }) => [risk, hint, field]), Array.from({ length: 4 }, () => ['perhaps', 'name', 'timestamp']));
  assert.deepEqual(auditIndexes(before, { notRising: { instruments: ['*'] } }), { findings: [], candidates: [] });
  const slow = rewriteIndexes(before, { collection: 'instruments', writesPerSecond: 500 });
  assert.deepEqual(slow, { text: before, changes: [], next: null, notes: [], commentsLost: false });
});

test('a stock works with the indexes that its file leaves, and no other', async (t) => {
  const { text, changes } = rewriteIndexes('{}', { stocks: true });
  const { fieldOverrides } = JSON.parse(text);
  assert.deepEqual(fieldOverrides.filter((/** @type {any} */ { ttl }) => ttl), ['stock_takes', 'stock_adds'].map((collectionGroup) => (
    { collectionGroup, fieldPath: 'expireAt', ttl: true, indexes: [] })));
  assert.equal(changes.length, fieldOverrides.length);
  assert.deepEqual(rewriteIndexes(text, { stocks: true }).changes, []);
  let now = 1_700_000_000_000;
  const simulator = await createEmbeddedFirestore({ worker: false, indexes: text, requireIndexes: true, now: () => now });
  const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
  t.after(() => Promise.all([db.close(), simulator.close()]));
  const stock = db.stock('events/e1', { shards: 3 });
  await stock.create({ units: 3 });
  await stock.add(1);
  await stock.take(4, { key: 'a', holdFor: '1 min' });
  assert.deepEqual(await stock.take(), { taken: false, left: 0 });
  now += 120_000;
  assert.equal((await stock.take(4, { key: 'b' })).taken, true);
  await stock.putBack(undefined, { key: 'b' });
  assert.equal(await stock.left(), 4);
  // Exempt are all fields of all documents, except those that queries ask for.
  /** @type {[collection: string, indexed: string[]][]} */
  const indexed = [['stock_shards', ['left']], ['stock_takes', ['heldUntil']], ['stock_adds', []]];
  for (const [collection, kept] of indexed) {
    const { docs } = await db.collection(`events/e1/${collection}`).limit(10).get();
    const written = [...docs.flatMap((doc) => Object.keys(doc.data())), ...(collection === 'stock_takes' ? ['heldUntil'] : [])];
    const exempt = fieldOverrides.filter((/** @type {any} */ each) => each.collectionGroup === collection).map((/** @type {any} */ { fieldPath }) => fieldPath);
    assert.deepEqual([...exempt, ...kept].sort(), [...new Set(written)].sort(), collection);
  }
});

// Deployed before its old queries are gone, a file without their indexes breaks an app.
test('the first of the two files serves the old queries and the new ones, the second only the new ones', async (t) => {
  const { text, next, changes } = rewriteIndexes(before, { collection: 'instruments' });
  assert.deepEqual([...new Set(changes.map(({ kind }) => kind))], ['added']);
  assert.deepEqual([...new Set(next?.changes.map(({ kind }) => kind))], ['removed', 'exempted']);
  assert.equal(next?.text, rewriteIndexes(before, { collection: 'instruments', removeOld: true }).text);
  const ask = async (/** @type {string} */ indexes) => {
    const simulator = await createEmbeddedFirestore({ worker: false, indexes, requireIndexes: true });
    const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
    t.after(() => Promise.all([db.close(), simulator.close()]));
    const old = db.collection('instruments');
    const sharded = db.shardedCollection('instruments', { shards: 3 });
    const oldOnes = [old.where('exchange', '==', 'a').orderBy('timestamp', 'desc').get(), old.orderBy('timestamp').get()];
    const newOnes = [sharded.where('exchange', '==', 'a').newestFirst().get(), sharded.newestFirst().get(), sharded.get(), sharded.count()];
    return Promise.all([oldOnes, newOnes].map(async (asked) => [...new Set((await Promise.allSettled(asked)).map(({ status }) => status))].join()));
  };
  assert.deepEqual(await ask(before), ['fulfilled', 'rejected']);
  assert.deepEqual(await ask(text), ['fulfilled', 'fulfilled']);
  assert.deepEqual(await ask(String(next?.text)), ['rejected', 'fulfilled']);
});

test('the query by the order field alone, which no file lists, keeps an index as plan() has it', async (t) => {
  const db = await connect({ projectId: 'demo', fetch: async () => new Response() });
  t.after(() => db.close());
  const readings = db.shardedCollection('readings', { shards: 3, orderField: 'at' });
  const asWritten = (/** @type {import('shardline').ShardedQuery} */ query) => query.plan().index.map(({ field, ...order }) => ({ fieldPath: field, ...order }));
  const wanted = [asWritten(readings.newestFirst()), asWritten(readings)];
  const of = { collection: 'readings', orderField: 'at' };
  const indexesOf = (/** @type {string | undefined} */ text) => JSON.parse(String(text)).indexes.map((/** @type {any} */ { fields }) => fields);
  const { text, next, notes } = rewriteIndexes('{"indexes":[]}', { collections: [of] });
  assert.deepEqual([indexesOf(text), indexesOf(next?.text), notes], [wanted, wanted, []]);
  // Who gives the queries learns of it, and can give this one as well.
  const given = rewriteIndexes('{"indexes":[]}', { collections: [{ ...of, queries: [['sensor']] }] });
  assert.equal(given.notes.length, 1);
  assert.match(String(given.notes[0]), /no index serves a query of readings by at alone\..* add `\[\]` to `queries`\./);
  const plans = [readings.newestFirst().plan(), readings.plan()];
  for (const queries of [[['sensor'], []], plans]) assert.deepEqual(rewriteIndexes('{}', { collections: [{ ...of, queries }] }).notes, []);
  assert.deepEqual(indexesOf(rewriteIndexes('{}', { collections: [{ ...of, queries: plans }] }).text), wanted);
});

test('the direction of `__name__` is part of an index', async (t) => {
  const fields = (/** @type {string} */ name) => [
    { fieldPath: 'exchange', order: 'ASCENDING' }, { fieldPath: 'at', order: 'DESCENDING' }, { fieldPath: '__name__', order: name },
  ];
  const file = (/** @type {object[]} */ ...indexes) => JSON.stringify({ indexes });
  const index = (/** @type {string} */ name) => ({ collectionGroup: 'trades', queryScope: 'COLLECTION', fields: fields(name) });
  const ask = async (/** @type {string} */ indexes) => {
    const simulator = await createEmbeddedFirestore({ worker: false, indexes, requireIndexes: true });
    const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
    t.after(() => Promise.all([db.close(), simulator.close()]));
    return db.collection('trades').where('exchange', '==', 'a').orderBy('at', 'desc').get().then(() => null, (error) => error);
  };
  assert.equal(await ask(file(index('DESCENDING'))), null);
  const error = await ask(file(index('ASCENDING')));
  assert.equal(error?.code, 'failed-precondition');
  // It asks for another index than the present one.
  const { entry } = explainMissingIndex(error);
  const { text, changes } = rewriteIndexes(file(index('ASCENDING')), { indexes: [entry] });
  assert.deepEqual([changes.length, JSON.parse(text).indexes.length], [1, 2]);
  assert.equal(await ask(text), null);
});

test('an embedded Firestore takes the queries that the file was rewritten for, and no others', async (t) => {
  const plans = async (/** @type {import('shardline').Database} */ db) => {
    const instruments = db.shardedCollection('instruments', { shards: ['x', 'y', 'z'] });
    return [instruments.where('exchange', '==', 'A'), instruments.where('price.currency', '==', 'USD').newestFirst(),
      instruments.where('tags', 'array-contains', 1), instruments.where('exchange', '==', 'A').where('micros', '>', 1),
      instruments.where('timestamp', 'in', [new Date(0), new Date(1)]), instruments];
  };
  const blind = await connect({ projectId: 'demo', fetch: async () => new Response() });
  t.after(() => blind.close());
  const queries = (await plans(blind)).map((query) => query.limit(2).plan());
  const { text } = rewriteIndexes(before, { collection: 'instruments', queries });
  const simulator = await createEmbeddedFirestore({ indexes: text, requireIndexes: true });
  t.after(() => simulator.close());
  const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
  t.after(() => db.close());
  for (const query of await plans(db)) assert.deepEqual((await query.limit(2).get()).docs, []);
  const other = db.shardedCollection('instruments', { shards: ['x'] }).where('instrumentType', '==', 'etf').limit(2);
  await assert.rejects(other.get(), (error) => error instanceof ShardlineError && error.code === 'failed-precondition' && /instrumentType/.test(error.message));
});

// "To run the same queries but with a descending sort order, you need an additional index":
// https://firebase.google.com/docs/firestore/query-data/index-overview
test('an index serves no query in the opposite order', async (t) => {
  const trades = (/** @type {import('shardline').Database} */ db) => db.shardedCollection('trades', { shards: 3 }).where('exchange', '==', 'a');
  const blind = await connect({ projectId: 'demo', fetch: async () => new Response() });
  t.after(() => blind.close());
  const [newest, oldest] = [trades(blind).newestFirst().plan(), trades(blind).plan()];
  const refusal = async (/** @type {import('shardline/workbench').QueryPlan[]} */ queries) => {
    const { text } = rewriteIndexes('{}', { collection: 'trades', queries });
    const simulator = await createEmbeddedFirestore({ worker: false, indexes: text, requireIndexes: true });
    const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
    t.after(() => Promise.all([db.close(), simulator.close()]));
    const asked = [trades(db).newestFirst().get(), trades(db).get(), trades(db).count()];
    return (await Promise.allSettled(asked)).map((each) => (each.status === 'rejected' ? each.reason.code : ''));
  };
  assert.deepEqual(await refusal([newest]), ['', 'failed-precondition', 'failed-precondition']);
  assert.deepEqual(await refusal([oldest]), ['failed-precondition', '', '']);
  assert.deepEqual(await refusal([newest, oldest]), ['', '', '']);
});

test('the indexes of the queries that a page has asked for', async (t) => {
  const ask = async (/** @type {import('shardline').Database} */ db) => {
    const trades = db.shardedCollection('trades', { shards: 3, shardField: 'lane', orderField: 'at' });
    for (const exchange of ['a', 'b']) await trades.where('exchange', '==', exchange).newestFirst().limit(5).get();
    await trades.where('tags', 'array-contains', 'x').where('exchange', '==', 'a').get();
    await trades.get();
    await db.shardedCollection('trades', { shards: 3, shardField: 'lane', orderField: 'price' }).where('exchange', '==', 'a').get();
    const orders = db.shardedCollection('desks/d/orders', { shards: 2, orderField: 'at' });
    await orders.where('open', '==', true).get();
    await orders.where(or(where('open', '==', true), and(where('tags', 'array-contains', 'x'), where('late', '==', true)))).get();
    await orders.orderBy('price', 'desc').orderBy('at').where('open', '==', true).get();
    await db.collection('users').where('team', 'in', ['a', 'b']).orderBy('age', 'desc').get();
    await db.collection('users').where('team', '==', 'a').get(); // Needs none.
  };
  const free = await createEmbeddedFirestore({ worker: false });
  const db = await connect({ projectId: 'demo', fetch: free.fetch });
  assert.deepEqual(db.seenQueries(), []);
  await ask(db);
  const seen = db.seenQueries();
  assert.deepEqual(seen.map(({ collection, shardField, orderField, queries }) => [collection, shardField, orderField, queries.length]),
    [['trades', 'lane', 'at', 3], ['trades', 'lane', 'price', 1], ['orders', undefined, 'at', 3], ['users', undefined, undefined, 2]]);
  const { text } = rewriteIndexes('{}', { collections: seen });
  await db.close();
  for (const [indexes, refusal] of /** @type {[string, string | undefined][]} */ ([['{}', 'failed-precondition'], [text, undefined]])) {
    const strict = await createEmbeddedFirestore({ worker: false, indexes, requireIndexes: true });
    const other = await connect({ projectId: 'demo', fetch: strict.fetch });
    assert.equal(await ask(other).then(() => undefined, ({ code }) => code), refusal);
    await other.close();
    t.after(() => strict.close());
  }
  t.after(() => free.close());
});

test('a file that is rewritten for many queries at once takes them all', async (t) => {
  const ask = async (/** @type {import('shardline').Database} */ db) => {
    await db.shardedCollection('trades', { shards: 3, shardField: 'lane', orderField: 'at' }).where('exchange', '==', 'a').get();
    await db.shardedCollection('trades', { shards: 3, orderField: 'price' }).where('exchange', '==', 'a').get();
    await db.collection('trades').where('exchange', '==', 'a').orderBy('at', 'desc').get();
    await db.collection('trades').where('exchange', '==', 'a').orderBy('price').orderBy('at').get();
    const other = db.shardedCollection('desks/d/trades', { shards: 3, orderField: 'at' });
    await other.where(or(where('open', '==', true), and(where('tags', 'array-contains', 'x'), where('late', '==', true)))).get();
    await db.shardedCollection('users', { shards: 2 }).where('team', '==', 'a').get();
    await db.collection('users').where('team', '==', 'a').get();
  };
  // A collection group by one field, and one by two, which the library does not ask.
  const group = (/** @type {import('shardline/workbench').EmbeddedFirestore} */ simulator, /** @type {string[]} */ equal, /** @type {string} */ order) =>
    simulator.fetch('http://x/v1/projects/demo/databases/(default)/documents:runQuery', {
      method: 'POST',
      body: JSON.stringify({ structuredQuery: {
        from: [{ collectionId: 'trades', allDescendants: true }],
        where: equal.length === 0 ? undefined : { compositeFilter: { op: 'AND', filters: equal.map((field) =>
          ({ fieldFilter: { field: { fieldPath: field }, op: 'EQUAL', value: { integerValue: '1' } } })) } },
        orderBy: [{ field: { fieldPath: order } }],
      } }),
    });
  const groups = (/** @type {import('shardline/workbench').EmbeddedFirestore} */ simulator) =>
    Promise.all([group(simulator, [], 'at'), group(simulator, ['exchange'], 'at'), group(simulator, [], 'size')]);
  const free = await createEmbeddedFirestore({ worker: false, requireIndexes: 'note' });
  t.after(() => free.close());
  const db = await connect({ projectId: 'demo', fetch: free.fetch });
  await ask(db);
  await groups(free);
  const { missingIndexes } = await free.snapshot();
  const options = { collections: db.seenQueries(), indexes: missingIndexes.filter((/** @type {any} */ each) => each.queryScope === 'COLLECTION_GROUP') };
  assert.equal(options.indexes.length, 3);
  await db.close();
  const { text } = rewriteIndexes(before, options);
  assert.deepEqual(rewriteIndexes(text, options).changes, []);
  for (const [indexes, status] of /** @type {[string, number][]} */ ([['{}', 400], [text, 200]])) {
    const strict = await createEmbeddedFirestore({ worker: false, indexes, requireIndexes: true });
    t.after(() => strict.close());
    const other = await connect({ projectId: 'demo', fetch: strict.fetch });
    assert.equal(await ask(other).then(() => 200, ({ code }) => code === 'failed-precondition' ? 400 : code), status);
    assert.deepEqual((await groups(strict)).map((answer) => answer.status), [status, status, status]);
    await other.close();
    // Those that are ordinary have their automatic indexes still.
    const plain = await connect({ projectId: 'demo', fetch: strict.fetch });
    assert.deepEqual((await plain.collection('trades').orderBy('size', 'desc').get()).docs, []);
    await plain.close();
  }
});

test('explainMissingIndex() reads the link in an error', () => {
  const link = 'https://console.firebase.google.com/v1/r/project/demo/firestore/indexes?create_composite='
    + 'ClVwcm9qZWN0cy92aXZhbGF2aWRhLTRhNWMzL2RhdGFiYXNlcy8oZGVmYXVsdCkvY29sbGVjdGlvbkdyb3Vwcy9yZXNlcnZhdGlvbnMvaW5kZXhlcy9fEAEaDAoIdmVuZG9ySWQQARoNCgljcmVhdGVkQXQQAhoMCghfX25hbWVfXxAC';
  const error = new ShardlineError('failed-precondition', `The query requires an index. You can create it here: ${link}`, {
    reason: 'server-refused',
    params: { status: 'FAILED_PRECONDITION', http: 400 },
  });
  const { kind, collection, entry, risk, explanation } = explainMissingIndex(error);
  assert.deepEqual([kind, collection, risk], ['composite', 'reservations', 'perhaps']);
  assert.deepEqual(entry, {
    collectionGroup: 'reservations',
    queryScope: 'COLLECTION',
    fields: [{ fieldPath: 'vendorId', order: 'ASCENDING' }, { fieldPath: 'createdAt', order: 'DESCENDING' }],
  });
  assert.match(explanation, /vendorId ascending, createdAt descending/);
  assert.deepEqual(explainMissingIndex(link).entry, entry);
});

test('explainMissingIndex() reads what an embedded Firestore refuses, and its entry mends it', async (t) => {
  /** @type {[string, 'indexes' | 'fieldOverrides', string, (db: import('shardline').Database) => Promise<unknown>][]} */
  const cases = [
    ['ordinary', 'indexes', '{}', (db) => db.collection('users').where('team', '==', 'a').orderBy('age', 'desc').get()],
    ['by elements', 'indexes', '{}', (db) => db.collection('desks/d/users').where('tags', 'array-contains', 'x').orderBy('`a b`.c').get()],
    ['sharded', 'indexes', '{}', (db) => db.shardedCollection('trades', { shards: 3, orderField: 'at' }).where('exchange', '==', 'a').newestFirst().limit(2).get()],
    ['exempted', 'fieldOverrides', '{"fieldOverrides": [{"collectionGroup": "users", "fieldPath": "age", "indexes": []}]}',
      (db) => db.collection('users').orderBy('age', 'desc').get()],
  ];
  for (const dialect of /** @type {const} */ (['emulator', 'production', 'proxy'])) {
    for (const [name, list, indexes, ask] of cases) {
      const open = async (/** @type {string} */ file) => {
        const simulator = await createEmbeddedFirestore({ worker: false, limits: 'documented', dialect, indexes: file, requireIndexes: true });
        t.after(() => simulator.close());
        const db = await connect({ projectId: 'demo', databaseId: 'other', fetch: simulator.fetch });
        t.after(() => db.close());
        return db;
      };
      const error = await ask(await open(indexes)).then(() => assert.fail(`${name} needs an index`), (reason) => reason);
      assert.equal(error.code, 'failed-precondition', `${dialect}, ${name}: ${error}`);
      const { kind, project, database, entry } = explainMissingIndex(error);
      assert.deepEqual([kind, project, database], [list === 'indexes' ? 'composite' : 'single-field', 'demo', 'other'], `${dialect}: ${name}`);
      await ask(await open(JSON.stringify({ [list]: [entry] })));
    }
  }
});

test('explainMissingIndex() keeps what the file says of a single field', async (t) => {
  const standing = { collectionGroup: 'users', fieldPath: 'age', ttl: false, indexes: [{ order: 'ASCENDING', queryScope: 'COLLECTION_GROUP' }] };
  const file = (/** @type {object[]} */ ...fieldOverrides) => JSON.stringify({ indexes: [], fieldOverrides });
  const open = async (/** @type {string} */ indexes) => {
    const simulator = await createEmbeddedFirestore({ worker: false, indexes, requireIndexes: true });
    t.after(() => simulator.close());
    const db = await connect({ projectId: 'demo', fetch: simulator.fetch });
    t.after(() => db.close());
    return db;
  };
  const ask = (/** @type {import('shardline').Database} */ db) => db.collection('users').orderBy('age', 'desc').get();
  const error = await ask(await open(file(standing))).then(() => assert.fail('it needs an index'), (reason) => reason);
  const { entry, explanation } = explainMissingIndex(error, { indexes: file(standing) });
  assert.deepEqual(entry, { ...standing, indexes: [...standing.indexes, { order: 'DESCENDING', queryScope: 'COLLECTION' }] });
  assert.match(explanation, /in place of the one for this field/);
  await ask(await open(file(entry)));
  // Without the file nothing is known of it, and that is said.
  const blind = explainMissingIndex(error);
  assert.deepEqual(/** @type {any} */ (blind.entry).indexes.map((/** @type {any} */ { order, arrayConfig }) => order ?? arrayConfig), ['ASCENDING', 'DESCENDING', 'CONTAINS']);
  assert.match(blind.explanation, /what it leaves out is dropped/);
  assert.doesNotMatch(explainMissingIndex(error, { indexes: '{}' }).explanation, /in place|dropped/);
});

test('what is wrong with arguments is told by a typed error', async () => {
  refuses(() => rewriteIndexes('{\n  "indexes": [}', {}), /line 2, column 15/);
  refuses(() => auditIndexes(/** @type {any} */ (undefined)), /first argument/);
  refuses(() => auditIndexes('{}', /** @type {any} */ ({ hot: 1 })), /hot/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ shards: 3 })), /shards/);
  refuses(() => rewriteIndexes('{}', { shardField: 's' }), /collection/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ collections: {} })), /collections/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ indexes: {} })), /indexes must be a list/);
  refuses(() => rewriteIndexes('{}', { indexes: [{}] }), /indexes\[0\]\.collectionGroup/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ counters: 1 })), /counters/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ counters: [1] })), /object/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ ids: 'all' })), /ids/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ removeOld: 1 })), /removeOld/);
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ collection: 'a', writesPerSecond: '5' })), /writesPerSecond must be a number/);
  for (const encoding of /** @type {const} */ (['utf-16le', 'utf-16be'])) {
    const bytes = Buffer.from('\uFEFF{"indexes": []}', 'utf16le');
    refuses(() => auditIndexes((encoding === 'utf-16le' ? bytes : bytes.swap16()).toString('utf8')), /is UTF-16.*Save it as UTF-8/);
  }
  refuses(() => rewriteIndexes('{}', /** @type {any} */ ({ collections: [{ collection: 1n }] })), /collections\[0\]\.collection must be .* no bigint/);
  refuses(() => explainMissingIndex('no index'), /no link/);
  refuses(() => explainMissingIndex(/** @type {any} */ (7)), /text/);
  refuses(() => explainMissingIndex('no index', /** @type {any} */ ({ index: '{}' })), /index.*indexes/);
  refuses(() => explainMissingIndex('no index', /** @type {any} */ ({ indexes: {} })), /indexes must be/);
  refuses(() => explainMissingIndex('no index', { indexes: '{' }), /ends too early/);
  await assert.rejects(createEmbeddedFirestore({ indexes: '{', worker: false }), /ends too early/);
  /** @type {any} */
  let deep = [];
  for (let i = 0; i < 2000; ++i) deep = [deep];
  refuses(() => rewriteIndexes('{}', { collection: 'a', queries: [deep] }), /queries/);
});
