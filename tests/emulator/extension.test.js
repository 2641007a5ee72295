/**
 * Counters of Firebase's firestore-counter extension: Google's SDK plays the extension's clients and its worker, on Google's
 * emulator; and moving such a counter to another layout while they go on.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { FieldValue, Firestore } from '@google-cloud/firestore';
import { connect } from 'shardline';
import { openDatabase } from './support/database.js';
import { startFaultProxy } from './support/fault_proxy.js';
import { shardlineError } from './support/shardline_error.js';

/** @typedef {import('@google-cloud/firestore').DocumentReference} DocumentReference */

const retry = { maxAttempts: 8, initialDelayMs: 1, maxDelayMs: 20, timeoutMs: 5000 };

/** @type {import('./support/database.js').Database} */
let emulator;
/** @type {Firestore} */
let admin;
/** @type {import('shardline').Database} */
let db;
let names = 0;
const freshPage = () => admin.doc(`pages/p${(names += 1)}`);

before(async () => {
  emulator = await openDatabase();
  admin = new Firestore({ projectId: emulator.projectId, host: emulator.host, ssl: false, customHeaders: { Authorization: 'Bearer owner' } });
  db = await connect({ projectId: emulator.projectId, host: emulator.url, retry });
});
after(async () => {
  await db.close();
  await admin.terminate();
  await emulator.stop();
});

/** As the extension's users make one: `new Counter(doc, 'stats.visits')`. */
class ExtensionClient {
  #field;
  #shard;

  /** @param {DocumentReference} page @param {string} field */
  constructor(page, field) {
    this.#field = field;
    this.#shard = page.collection('_counter_shards_').doc(randomUUID());
  }

  /** @param {number} delta */
  async incrementBy(delta) {
    /** @type {any} */
    let update = FieldValue.increment(delta);
    for (const name of this.#field.split('.').reverse()) update = { [name]: update };
    await this.#shard.set(update, { merge: true });
  }
}

/** Adds the numbers of one tree to another, times `sign`. */
function addTo(/** @type {any} */ sum, /** @type {any} */ fields, sign = 1) {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + sign * value;
    else if (value && typeof value === 'object' && !Array.isArray(value)) addTo(sum[name] ??= {}, value, sign);
  }
  return sum;
}
/** The part of `fields` that is in `like`, added to it. */
function addCommon(/** @type {any} */ like, /** @type {any} */ fields) {
  for (const [name, value] of Object.entries(like)) {
    if (typeof value === 'number') like[name] += typeof fields?.[name] === 'number' ? fields[name] : 0;
    else addCommon(value, fields?.[name]);
  }
  return like;
}
const updateOf = (/** @type {any} */ sum) => ({ _id_: randomUUID(), _data_: sum });
const updatesOf = (/** @type {any} */ partial) => partial.get('_updates_')?.map((/** @type {any} */ { _data_ }) => _data_) ?? [];
const isPartial = (/** @type {{id: string}} */ { id }) => id.startsWith('\t');

/** The work of the extension's worker: shards and partials go to the page; or shards go to a partial. */
async function work(/** @type {DocumentReference} */ page, toPartial = false) {
  const { docs } = await page.collection('_counter_shards_').get();
  const shards = docs.filter((doc) => !isPartial(doc)).map(({ ref }) => ref);
  const partials = toPartial ? [] : docs.filter(isPartial);
  if (shards.length + partials.length === 0) return;
  await admin.runTransaction(async (transaction) => {
    const found = shards.length ? await transaction.getAll(...shards) : [];
    const before = await transaction.get(page);
    const sum = {};
    for (const shard of found) addTo(sum, shard.data() ?? {});
    // Partials are taken as they were when they were listed.
    for (const partial of partials) for (const data of updatesOf(partial)) addTo(sum, data);
    if (toPartial) {
      const partial = page.collection('_counter_shards_').doc('\t\t\t\t0');
      transaction.set(partial, { _updates_: FieldValue.arrayUnion(updateOf(sum)) }, { merge: true });
    } else {
      transaction.set(page, addCommon(sum, before.data()), { merge: true });
    }
    for (const shard of found) if (shard.exists) transaction.delete(shard.ref);
    for (const partial of partials) {
      const negative = {};
      for (const data of updatesOf(partial)) addTo(negative, data, -1);
      transaction.set(partial.ref, { _updates_: FieldValue.arrayUnion(updateOf(negative)) }, { merge: true });
    }
  });
}

/** The same until it says so, over and over. It leaves out a transaction that fails, like the extension. */
async function workWhile(/** @type {() => boolean} */ goesOn, /** @type {DocumentReference} */ page) {
  for (let i = 0; goesOn(); i += 1) {
    await work(page, i % 2 === 0).catch((error) => assert.match(error.message, /transaction|contention/i));
  }
}

describe('a counter of the extension', () => {
  /** @param {DocumentReference} page @param {string} [countField] @param {object} [options] */
  const counterOf = (page, countField = 'visits', options) =>
    db.counter(page.path, { layout: 'extension', countField, flushMs: 0, ...options });

  test('is read wherever its counts are', async () => {
    const page = freshPage();
    const visits = counterOf(page, 'stats.visits');
    assert.equal((await visits.get()).value, 0);
    await page.set({ title: 'Hello', stats: { visits: 100, likes: 7 } });
    const client = new ExtensionClient(page, 'stats.visits');
    await client.incrementBy(3);
    await new ExtensionClient(page, 'stats.likes').incrementBy(1000);
    const { value, billed, shards, source } = await visits.get();
    assert.deepEqual([value, billed.reads, shards, source], [103, 3, 1, 'sum']);
    await work(page, true);
    await client.incrementBy(-1);
    assert.equal((await visits.get()).value, 102);
    const listed = await visits.get({ source: 'shards' });
    assert.deepEqual([listed.value, listed.main, Object.values(listed.perShard ?? {}).sort()], [102, 100, [-1, 3]]);
    assert.equal((await visits.stats()).perShard['\t\t\t\t0'], 3);
    await work(page);
    assert.equal((await visits.get()).value, 102);
    assert.deepEqual((await page.get()).data(), { title: 'Hello', stats: { visits: 102, likes: 1007 } });
    assert.equal((await visits.get({ maxAgeMs: 0 })).value, 102);
    assert.equal((await counterOf(page, 'stats.likes').get({ maxAgeMs: 60_000 })).value, 1007);
    const all = await db.counters([page.path], { layout: 'extension', countField: 'stats.visits' }).getAll();
    assert.equal(all.get(page.path)?.value, 102);
  });

  for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once', 'transaction'])) {
    test(`counts ${delivery}, with or without the document`, async () => {
      const page = freshPage();
      const visits = counterOf(page, 'stats.visits', { delivery });
      await visits.increment();
      await visits.increment(4);
      assert.equal((await page.get()).exists, false);
      assert.equal((await visits.get()).value, 5);
      await work(page);
      assert.equal((await page.get()).get('stats.visits'), 5, 'the worker takes what was counted, and nothing else');
      await visits.increment(2);
      await work(page, true);
      assert.equal((await visits.get()).value, 7);
      assert.deepEqual((await page.get()).data(), { stats: { visits: 5 } });
      await work(page);
      assert.equal((await page.get()).get('stats.visits'), 7);
    });
  }

  test('total, whoever counts and moves at the same time', async () => {
    const page = freshPage();
    const visits = counterOf(page, 'visits', { shards: 3 });
    let acknowledged = 0;
    let counting = true;
    const worker = workWhile(() => counting, page);
    const reader = (async () => {
      while (counting) {
        const atLeast = acknowledged;
        const { value } = await visits.get({ source: acknowledged % 2 ? 'sum' : 'shards' });
        assert.ok(value >= atLeast && value <= 60, `${value} of at least ${atLeast}`);
      }
    })();
    const client = new ExtensionClient(page, 'visits');
    for (let i = 0; i < 30; i += 1) {
      await Promise.all([client.incrementBy(1), visits.increment(1)]);
      acknowledged += 2;
    }
    counting = false;
    await Promise.all([worker, reader]);
    assert.equal((await visits.get()).value, 60);
  });

  test('watch', async () => {
    const page = freshPage();
    const visits = counterOf(page);
    /** @type {(value: number | bigint) => void} */
    let saw = () => {};
    const stop = visits.watch(({ value }) => saw(value), { intervalMs: 10 });
    await new Promise((resolve) => {
      saw = resolve;
    });
    const seen = new Promise((resolve) => {
      saw = (value) => value === 9 && resolve(undefined);
    });
    await new ExtensionClient(page, 'visits').incrementBy(9);
    await seen;
    stop();
  });

  test('create, resize and delete', async () => {
    const page = freshPage();
    await page.set({ title: 'Hello' });
    const visits = counterOf(page);
    assert.deepEqual(await visits.create({ ifExists: 'error' }), { created: true, shards: 10 });
    assert.deepEqual((await page.get()).data(), { title: 'Hello', visits: 0 });
    await assert.rejects(visits.create({ ifExists: 'error' }), shardlineError('already-exists'));
    assert.deepEqual(await visits.resize(20), { shards: 20, folded: 0 });
    assert.equal(visits.shards, 20);
    await assert.rejects(visits.resize(0), shardlineError('invalid-argument'));
    await visits.increment(5);
    const likes = new ExtensionClient(page, 'likes');
    await likes.incrementBy(3);
    await visits.delete();
    assert.deepEqual((await page.get()).data(), { title: 'Hello' });
    assert.equal((await visits.get()).value, 0);
    assert.equal((await counterOf(page, 'likes').get()).value, 3);
    const left = await page.collection('_counter_shards_').get();
    assert.deepEqual(left.docs.map((doc) => doc.data()), [{ likes: 3 }]);
    assert.deepEqual(await page.collection('shardline').doc('_counter_shards_.visits').listCollections(), []);
  });
});

const guide = await readFile(new URL('../../web/guides/from_firestore_counter.md', import.meta.url), 'utf8');

const [rulesOfOne = '', rulesOfTwo = ''] = [...guide.matchAll(/```\n(match .*?)```/gs)].map(([, rules]) => rules);
const [rulesOfMarkers = ''] = /^match \/shardline_markers.*/ms.exec(rulesOfOne) ?? [];

/** @param {string} rules Of the guide. */
async function openGuarded(rules) {
  const guarded = await openDatabase({ rules: `rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { ${rules} } }` });
  const visitor = await connect({ projectId: guarded.projectId, host: guarded.url, retry });
  return {
    counter: (/** @type {string} */ countField, more = {}) => visitor.counter('pages/p', { layout: 'extension', countField, shards: 1, flushMs: 0, ...more }),
    close: async () => {
      await visitor.close();
      await guarded.stop();
    },
  };
}

test('under the guide’s rules, which have those of the extension’s users', async () => {
  const page = await openGuarded(rulesOfOne);
  const visits = page.counter('stats.visits', { maxDelta: 1 });
  await Promise.all([visits.increment(), visits.increment(2), visits.increment()]);
  assert.equal((await visits.get()).value, 4);
  await assert.rejects(page.counter('stats.visits').increment(2), shardlineError('permission-denied'));
  await assert.rejects(page.counter('stats.likes').increment(), shardlineError('permission-denied'));
  await page.close();
});

test('under the guide’s rules for two fields, which one document of an old page holds', async () => {
  const page = await openGuarded(rulesOfTwo + rulesOfMarkers);
  const [visits, likes] = [page.counter('stats.visits', { maxDelta: 1 }), page.counter('stats.likes', { maxDelta: 1 })];
  await Promise.all([visits.increment(), likes.increment(), visits.increment(), likes.increment()]);
  assert.deepEqual([(await visits.get()).value, (await likes.get()).value], [2, 2]);
  await assert.rejects(page.counter('stats.visits').increment(2), shardlineError('permission-denied'));
  await assert.rejects(page.counter('stats.likes').increment(-1), shardlineError('permission-denied'));
  await assert.rejects(page.counter('stats.shares').increment(), shardlineError('permission-denied'));
  await page.close();
});

describe('migrate()', () => {
  test('checks everything before it sends anything', async () => {
    const proxy = await startFaultProxy({ target: emulator.url });
    const proxied = await connect({ projectId: emulator.projectId, host: proxy.url, retry });
    const visits = proxied.counter('pages/x', { layout: 'extension', countField: 'visits' });
    for (const to of [{ layout: 'extension', countField: 'likes' }, { layout: 'ruby-sample' }, { layout: 'wbe' }, { shards: 0 }, { shrads: 3 },
      { layout: { shardCollection: 'shards', countField: 'count', shardCountField: 'visits' } }]) {
      await assert.rejects(visits.migrate(/** @type {any} */ ({ to })), shardlineError('invalid-argument'), JSON.stringify(to));
    }
    await assert.rejects(visits.migrate(/** @type {any} */ ({ into: {} })), shardlineError('invalid-argument', /into/));
    await assert.rejects(proxied.counter('pages/x').migrate(), shardlineError('invalid-argument', /extension/));
    assert.equal(proxy.requests.length, 0);
    await proxied.close();
    await proxy.stop();
  });

  test('while clients count, workers move, several migrate, and answers get lost', async () => {
    const page = freshPage();
    await page.set({ title: 'Hello', visits: 1000 });
    const proxy = await startFaultProxy({ target: emulator.url });
    const proxied = await connect({ projectId: emulator.projectId, host: proxy.url, retry: { ...retry, maxAttempts: 20 }, onWarning: () => {} });
    proxy.seeded(7, { dropRequest: 0.05, dropResponse: 0.1, duplicate: 0.05, unavailable: 0.03, aborted: 0.03 });
    const options = /** @type {const} */ ({ layout: 'extension', countField: 'visits' });
    const to = /** @type {const} */ ({ layout: 'web-sample', shards: 3 });
    let counting = true;
    let counted = 1000;
    const worker = workWhile(() => counting, page);
    const clients = Array.from({ length: 4 }, async () => {
      const visits = new ExtensionClient(page, 'visits');
      const likes = new ExtensionClient(page, 'likes');
      for (let i = 0; i < 15; i += 1) {
        await visits.incrementBy(1 + i);
        await likes.incrementBy(1);
        counted += 1 + i;
      }
    });
    const migrations = Array.from({ length: 2 }, async () => {
      const results = [];
      while (counting) {
        // A migration may give up while others keep writing, and is then called again.
        results.push(await proxied.counter(page.path, options).migrate({ to }).catch((error) => error.code));
      }
      return results;
    });
    await Promise.all(clients);
    counting = false;
    await worker;
    const results = (await Promise.all(migrations)).flat();
    assert.ok(results.some((result) => result.complete), JSON.stringify(results));
    for (const result of results) assert.ok(typeof result === 'object' || result === 'aborted', `${result}`);
    const { complete } = await db.counter(page.path, options).migrate({ to });
    assert.equal(complete, true);
    assert.equal((await db.counter(page.path).get()).value, counted);
    assert.equal((await db.counter(page.path, options).get()).value, 0);
    assert.equal((await db.counter(page.path, { ...options, countField: 'likes' }).get()).value, 60);
    await work(page);
    // The partials are of both counters, so a worker sets the field again, to nothing.
    assert.equal((await page.get()).get('visits') ?? 0, 0);
    // An old client goes on: once more.
    await new ExtensionClient(page, 'visits').incrementBy(2);
    await work(page);
    assert.equal((await db.counter(page.path, options).migrate({ to })).complete, true);
    assert.equal((await db.counter(page.path).get()).value, counted + 2);
    await proxied.close();
    await proxy.stop();
  });

  test('takes along what this page has not sent yet', async () => {
    const page = freshPage();
    const visits = db.counter(page.path, { layout: 'extension', countField: 'visits', flushMs: 600_000 });
    const counted = visits.increment(5);
    assert.deepEqual(await visits.migrate({ to: { layout: 'node-sample', shards: 2 } }), { shards: 2, folded: 1, complete: true });
    await counted;
    assert.equal((await db.counter(page.path, { layout: 'node-sample' }).get()).value, 5);
    assert.equal((await page.get()).exists, false);
  });

  test('several counters of a document, each to a place of its own', async () => {
    const page = freshPage();
    for (const [field, count] of /** @type {[string, number][]} */ ([['visits', 3], ['likes', 4]])) {
      await new ExtensionClient(page, field).incrementBy(count);
      await work(page, true);
    }
    for (const [countField, count] of /** @type {[string, number][]} */ ([['visits', 3], ['likes', 4]])) {
      const path = `${page.path}/counters/${countField}`;
      const { complete } = await db.counter(page.path, { layout: 'extension', countField }).migrate({ to: { path, shards: 2 } });
      assert.equal(complete, true);
      assert.equal((await db.counter(path).get()).value, count);
    }
  });

  test('refuses a second counter of the document at the same place, and moves nothing of it', async () => {
    const page = freshPage();
    await page.set({ visits: 3, likes: 4 });
    const of = (/** @type {string} */ countField) => db.counter(page.path, { layout: 'extension', countField });
    await of('visits').migrate();
    await assert.rejects(of('likes').migrate(), (/** @type {any} */ error) => {
      assert.deepEqual([error.reason, error.params, /`to\.path`/.test(error.message)], ['counter-exists', { path: page.path }, true]);
      return true;
    });
    assert.deepEqual([(await of('likes').get()).value, (await db.counter(page.path).get()).value], [4, 3]);
    await db.counter(page.path).delete();
    assert.equal((await of('likes').migrate()).folded, 1);
    assert.equal((await db.counter(page.path).get()).value, 4);
  });

  test('takes the field away, and nothing else', async () => {
    const page = freshPage();
    await page.set({ title: 'Hello', stats: { visits: 3, likes: 4 } });
    const { complete } = await db.counter(page.path, { layout: 'extension', countField: 'stats.visits' }).migrate();
    assert.equal(complete, true);
    assert.deepEqual((await page.get()).data(), { title: 'Hello', stats: { likes: 4 }, num_shards: 10 });
  });

  test('leaves what the new counter publishes where the old one counted', async () => {
    const page = freshPage();
    await page.set({ stats: { visits: 3 } });
    const old = db.counter(page.path, { layout: 'extension', countField: 'stats.visits' });
    await old.migrate();
    const publisher = await connect({ projectId: emulator.projectId, host: emulator.url, retry });
    await publisher.counter(page.path, { flushMs: 0, publish: { field: 'stats.visits', everyMs: 1000 } }).increment();
    await publisher.close();
    await new ExtensionClient(page, 'stats.visits').incrementBy(5);
    assert.deepEqual(await old.migrate(), { shards: 10, folded: 1, complete: true });
    assert.deepEqual((await page.get()).data(), { stats: { visits: 4 }, num_shards: 10 });
    assert.equal((await db.counter(page.path).get()).value, 9);
  });
});

/** @type {new (...names: string[]) => (...values: any[]) => Promise<any>} */
const AsyncFunction = /** @type {any} */ (Object.getPrototypeOf(async () => {}).constructor);
const examples = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code.replace(/^(import|const (auth|db) =|await db\.close).*/gm, ''));

test('the guide’s way from the extension', async () => {
  const [example = ''] = examples;
  assert.match(example, /migrate/);
  const page = admin.doc('pages/hello-world');
  await page.set({ stats: { visits: 40 } });
  await new ExtensionClient(page, 'stats.visits').incrementBy(2);
  /** @type {any[]} */
  const printed = [];
  await new AsyncFunction('db', 'console', example)(db, { log: (/** @type {any[]} */ ...values) => printed.push(...values) });
  assert.deepEqual(printed, [44, { folded: 3, complete: true, shards: 10 }, 44, 44]);
});

test('the guide’s script moves the counters of all documents, and its sum shows them before and after', async () => {
  const [, sum = '', script = ''] = examples;
  const fresh = await openDatabase();
  const server = await connect({ projectId: fresh.projectId, host: fresh.url, authToken: () => 'owner', retry });
  const pages = server.collection('pages');
  await Promise.all([pages.set('a', { stats: { visits: 40, likes: 3 } }), pages.set('b', { stats: { visits: 5 } }), pages.set('c', { title: 'New' })]);
  const run = new AsyncFunction('db', 'process', 'console', script);
  /** @param {string[]} words */
  async function move(...words) {
    /** @type {string[]} */
    const lines = [];
    const write = (/** @type {any[]} */ ...values) => lines.push(values.join(' '));
    await run(server, { argv: ['node', 'move.mjs', ...words] }, { log: write, error: write });
    return lines.sort();
  }
  const watchBoth = await new AsyncFunction(`${sum.replace('export ', '')}; return watchBoth;`)();
  const shown = () => new Promise((resolve) => {
    const end = watchBoth(server, 'a', (/** @type {number} */ total, /** @type {string} */ state) => state === 'live' && resolve([total, end()][0]));
  });
  assert.deepEqual(await move('create'), []);
  assert.equal(await shown(), 40);
  assert.deepEqual(await move(), ['a likes moved', 'a visits moved', 'b visits moved']);
  assert.deepEqual(await move(), []);
  assert.equal(await shown(), 40);
  const paths = ['a', 'b', 'c'].flatMap((id) => [`pages/${id}/counters/visits`, `pages/${id}/counters/likes`]);
  const totals = await server.counters(paths).getAll();
  assert.deepEqual([...totals.values()].map(({ value }) => value), [40, 3, 5, 0, 0, 0]);
  await server.close();
  await fresh.stop();
});
