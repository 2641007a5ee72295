/** A refusal names the call and the value as the caller wrote them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Bytes, connect, ShardlineError, Timestamp, where } from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';

/** @type {any} */
let simulator;
/** @type {any} */
let db;
before(async () => {
  simulator = await (await openWorkbench()).createEmbeddedFirestore();
  db = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
});
after(async () => {
  await db.close();
  await simulator.close();
});

/** Words that no message has: the caller wrote nothing of the kind. */
const INNER = /[Oo]ption `(path|id|key|delta|document|field|count|shards)`|filters|orders\.|\bnull\b|\bbytes?\b|\bmembers?\b|private|DOMString/;

/** @type {[string, () => unknown, RegExp][]} */
const CASES = [
  ['limit(\'3\')', () => db.collection('x').limit('3'), /limit\(\) takes an integer .* not the string '3'/],
  ['limit(NaN)', () => db.collection('x').limit(NaN), /limit\(\) .* not NaN/],
  ['limit()', () => db.collection('x').limit(), /limit\(\) .* not undefined/],
  ['limit(3n)', () => db.collection('x').limit(3n), /limit\(\) .* not 3n\./],
  ['startAfter(undefined)', () => db.collection('x').startAfter(undefined), /^Field “startAfter\(\)” is undefined/],
  ['endAt()', () => db.collection('x').endAt().get(), /endAt\(\) needs a value/],
  ['a bigint beyond 64 bits', () => db.collection('x').set('a', { b: { n: 2n ** 63n } }), /field "b\.n": a number is no integer of 64 bits\.$/],
  ['the same in a filter', () => db.collection('x').where('n', '==', 2n ** 63n).get(), /field "n": a number is no integer of 64 bits\.$/],
  ['half a character', () => db.collection('x').set('a', { s: '\ud800' }), /field "s": a string is not valid Unicode\.$/],
  ['watch({ intervalMs: \'5\' })', () => db.counter('a/b').watch(() => {}, { intervalMs: '5' }), /^intervalMs must be a number of milliseconds, from 1 on, not the string '5'/],
  ['Timestamp.fromMillis(NaN)', () => Timestamp.fromMillis(NaN), /^millis must be a number .*, not NaN/],
  ['batch.set(5)', () => db.batch().set(5, {}), /^path must be the path of a document, .*, not 5/],
  ['counters.watch()', () => db.counters(['a/b']).watch(), /needs a function to call back/],
  ['resize(\'3\')', () => db.counter('a/b').resize('3'), /^resize\(\) takes an integer from 1 to 10,000, not the string '3'/],
  ['where with =', () => db.collection('x').where('n', '=', 1), /where\(\) .* '='\. Use '=='/],
  ['where() with ===', () => where('n', /** @type {any} */ ('==='), 1), /Use '=='/],
  ['where with like', () => db.collection('x').where('n', 'like', 1), /where\(\) .* 'like'\. There are '==', .*'array-contains-any'/],
  ['orderBy with descending', () => db.collection('x').orderBy('n', 'descending'), /orderBy\(\) is 'asc' or 'desc', not the string 'descending'/],
  ['select(5)', () => db.collection('x').select(5), /select\(\) takes paths of fields, .* not 5/],
  ['sum(5)', () => db.collection('x').sum(5), /sum\(\) takes the path of a field, .* not 5/],
  ['add(5)', () => db.countedSet('a/b').add(5), /add\(\) takes a key, .* not 5/],
  ['remove(5n)', () => db.countedSet('a/b').remove(5n), /remove\(\) takes a key, .* not 5n\.$/],
  ['has(undefined)', () => db.countedSet('a/b').has(undefined), /has\(\) takes a key, .* not undefined/],
  ['increment(\'1\')', () => db.counter('a/b').increment('1'), /It is the string '1'/],
  ['shards: NaN', () => db.counter('a/b', { shards: NaN }), /`shards` cannot be NaN/],
  ['maxAgeMs: Infinity', () => db.counter('a/b').get({ maxAgeMs: Infinity }), /`maxAgeMs` cannot be Infinity/],
  ['no base64', () => Bytes.fromBase64String('@@'), /Bytes\.fromBase64String\(\) takes a string in base64, not the string '@@'/],
  ['null as base64', () => Bytes.fromBase64String(/** @type {any} */ (undefined)), /base64, not undefined/],
  ['where(half a character)', () => db.collection('x').where('\ud800', '==', 1).get(), /^field must be well-formed Unicode text\.$/],
  ['orderBy(half a character)', () => db.collection('x').orderBy('\ud800').get(), /^field must be well-formed Unicode text\.$/],
  ['batch.set(half a character)', () => db.batch().set('x/\ud800', {}), /^path must be the path of a document/],
  ['counter(5)', () => db.counter(5), /^counter\(\) takes a path, such as posts\/p1, not 5\.$/],
  ['counter(NaN)', () => db.counter(NaN), /^counter\(\) takes .* not NaN\.$/],
  ['counter()', () => db.counter(), /^counter\(\) takes .* not undefined\.$/],
  ['countedSet(5n)', () => db.countedSet(5n), /^countedSet\(\) takes .* not 5n\.$/],
  ['counters([5])', () => db.counters(['a/b', 5]), /^counters\(\) takes .* not 5\.$/],
  ['counters(\'a/b\')', () => db.counters('a/b'), /^counters\(\) takes a list of paths, not the string 'a\/b'\.$/],
  ['counters()', () => db.counters(), /^counters\(\) takes a list of paths, not undefined\.$/],
  ['hasAll(\'ann\')', () => db.countedSet('a/b').hasAll('ann'), /^hasAll\(\) takes a list of keys, not the string 'ann'\.$/],
  ['hasAll([5])', () => db.countedSet('a/b').hasAll([5]), /^hasAll\(\) takes a key, .* not 5\.$/],
  ['ids(5)', () => db.ids(5), /^ids\(\) takes a path, such as posts\/p1, not 5\.$/],
  ['collection(false)', () => db.collection(false), /^collection\(\) takes the path of a collection, not false\.$/],
  ['collection(5, \'a\', \'b\')', () => db.collection(5, 'a', 'b'), /^collection\(\) takes .* not 5\.$/],
  ['shardedCollection(5)', () => db.shardedCollection(5, { shards: 3 }), /^shardedCollection\(\) takes the path of a collection, not 5\.$/],
  ...['get', 'exists', 'delete'].map((name) => [`${name}(5)`, () => db.collection('x')[name](5), new RegExp(`^${name}\\(\\) takes the id of a document, not 5\\.$`)]),
  ['set(5)', () => db.collection('x').set(5, {}), /^set\(\) takes the id of a document, not 5\.$/],
  ['update(NaN)', () => db.collection('x').update(NaN, { n: 1 }), /^update\(\) takes the id of a document, not NaN\.$/],
  ['ids.take(NaN)', () => db.ids('i/i').take(NaN), /^`count` cannot be NaN\.$/],
  ['ids.take(\'3\')', () => db.ids('i/i').take('3'), /^`count` must be an integer from 1 to 1,000,000; got "3"\.$/],
  ['ids.resize(Infinity)', () => db.ids('i/i').resize(Infinity), /^`shards` cannot be Infinity\.$/],
  ['reshard(NaN)', () => db.shardedCollection('y', { shards: 3 }).reshard(NaN), /^`shards` cannot be NaN\.$/],
  ['doc(5)', () => db.doc(5), /^doc\(\) needs the path of a document, such as posts\/p1\.$/],
  ['batch.increment(5)', () => db.batch().increment(5, 1), /^increment\(\) of a batch needs a counter/],
  ['batch.add(5)', () => db.batch().add(5, {}), /^add\(\) of a batch needs a collection/],
  ['half a character as path', () => db.counter('a/\ud800'), /^`path` must be well-formed Unicode text\.$/],
  ['an address that is none', () => simulator.fetch('::'), /fetch\(\) takes an address and options/],
  ['a method that is none', () => simulator.fetch('https://a.invalid', { method: Symbol('x') }), /fetch\(\) takes an address and options/],
  ['a body that throws', () => simulator.fetch('https://a.invalid', { method: 'POST', get body() { throw new Error('no'); } }), /fetch\(\) takes an address and options/],
];
for (const [what, call, message] of CASES) {
  test(what, async () => {
    await assert.rejects(async () => call(), (/** @type {any} */ error) => {
      assert.ok(error instanceof ShardlineError, String(error));
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, message);
      if (!/fetch|startAfter/.test(message.source)) assert.doesNotMatch(error.message, INNER);
      return true;
    });
  });
}

test('methods of the other kind of count', async () => {
  /** @type {[() => unknown, RegExp][]} */
  const calls = [
    [() => db.counter('a/b').add('5'), /There is no add\(\) here: use increment\(number\) or db\.countedSet\(path\)\.$/],
    [() => db.countedSet('a/b').increment(5), /There is no increment\(\) here: use add\(key\) or db\.counter\(path\)\.$/],
  ];
  for (const [call, message] of calls) await assert.rejects(async () => call(), (/** @type {any} */ error) => error.reason === 'method-missing' && message.test(error.message));
});

test('a counter that does not exist', async () => {
  for (const call of [() => db.counter('posts/none').increment(), () => db.countedSet('posts/none').add('ann')]) {
    await assert.rejects(call(), (/** @type {any} */ error) => error.reason === 'counter-not-found' && /^There is no counter at posts\/none: .*\. Call create\(\) first/.test(error.message));
  }
});

test('a counter, a query and a database are no objects that Vue would make proxies of', () => {
  for (const each of [db, db.counter('a/b'), db.counters(['a/b']), db.collection('x'), db.collection('x').limit(3), db.shardedCollection('y', { shards: 3 }), db.ids('i/i'), db.batch(), where('n', '==', 1), simulator]) {
    assert.equal(/** @type {any} */ (each).__v_skip, true, each.constructor.name);
    assert.deepEqual(Object.keys(each).filter((name) => name.startsWith('__')), []);
  }
});
