/** The second WebAssembly module: fetched when something is asked that the first has not, and from then on no different. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import * as whole from 'shardline';
import * as collectionsOnly from 'shardline/collections';
import * as countersOnly from 'shardline/counters';
import { openWorkbench } from 'shardline/workbench';
import { watchModules } from './support/crashes.js';
import { runDialect } from './support/dialect_front.js';
import { shardlineError } from './support/shardline_error.js';
import { until } from './support/until.js';

const { ShardlineError, Timestamp } = whole;
const generated = new URL('generated/', import.meta.resolve('shardline'));

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
before(async () => {
  const { createEmbeddedFirestore } = await openWorkbench();
  simulator = await createEmbeddedFirestore({ ...runDialect(), limits: 'none' });
});
after(() => simulator.close());

/**
 * Says where the files are, and notes which were asked for.
 * @param {string} [missing] One that is not there.
 */
function files(missing) {
  /** @type {string[]} */
  const asked = [];
  const server = {
    asked,
    missing,
    wasm: async (/** @type {string} */ file) => {
      asked.push(file);
      if (file === server.missing) throw new TypeError('Failed to fetch');
      return readFile(new URL(file, generated));
    },
  };
  return server;
}

/** @param {Partial<import('shardline').ConnectOptions>} more @returns {import('shardline').ConnectOptions} */
const options = (more) => ({ projectId: 'demo', fetch: simulator.fetch, ...more });

/** @param {import('shardline/counters').Database} db @param {string} path What a page does all the time. */
async function count(db, path) {
  const counter = db.counter(path, { shards: 3, flushMs: 0, maxDelta: 10 });
  await Promise.all([counter.increment(5), counter.increment(0.5)]);
  await db.counter(path, { shards: 3, flushMs: 0, delivery: 'at-least-once' }).increment(2);
  await counter.flush();
  const set = db.countedSet(path, { shards: 3, flushMs: 0, maxDelta: 10 });
  assert.deepEqual(await set.add('ann'), { changed: true });
  await set.remove('ann');
  assert.deepEqual([await set.has('ben'), await set.hasAll(['ann']), await db.counters([path]).hasAll('ann')], [false, new Map([['ann', false]]), new Map([[path, false]])]);
  assert.equal((await counter.get()).value, 7.5);
  assert.equal((await counter.get({ source: 'shards' })).value, 7.5);
  assert.equal((await counter.get({ maxAgeMs: 0 })).value, 7.5);
  assert.equal((await db.counters([path], { shards: 3 }).getAll()).get(path)?.value, 7.5);
  const seen = await new Promise((resolve) => {
    const stop = counter.watch(({ value, state }) => {
      if (state !== 'live') return;
      stop();
      resolve(value);
    });
  });
  assert.equal(seen, 7.5);
  await assert.rejects(db.ids('sequences/none', { shards: 2 }).next(), shardlineError('not-found'));
  assert.equal((await db.unreadableIncrements()).length, 0);
}

test('what pages run all the time is in the first module', async () => {
  const counters = files();
  const one = await countersOnly.connect(options({ wasm: counters.wasm }));
  await count(one, 'c/counters');
  await one.close();
  assert.deepEqual(counters.asked, ['counters.wasm']);

  const all = files();
  const two = await whole.connect(options({ wasm: all.wasm }));
  await count(two, 'c/all');
  await two.shardedCollection('hot', { shards: 3 }).add({ timestamp: Timestamp.now() });
  await two.close();
  assert.deepEqual(all.asked, ['shardline.wasm']);

  const collections = files();
  const three = await collectionsOnly.connect(options({ wasm: collections.wasm }));
  const trades = three.shardedCollection('hot', { shards: 3 });
  const { id } = await trades.add({ n: 1, timestamp: Timestamp.now() });
  await trades.update(id, { n: 2 });
  await trades.set(id, { n: 3, timestamp: Timestamp.now() });
  await trades.delete(id);
  assert.equal(await trades.where('n', '>', 1).count(), 0);
  assert.equal((await trades.newestFirst().get()).docs.length, 1);
  await three.close();
  assert.deepEqual(collections.asked, ['collections.wasm']);
});

test('first calls at the same time fetch the second module once', async () => {
  const { asked, wasm } = files();
  const db = await countersOnly.connect(options({ wasm }));
  const counter = db.counter('c/once', { shards: 3 });
  const orders = db.ids('sequences/once', { shards: 2 });
  const compared = db.counter('c/compared', { shards: 3, delivery: 'transaction' });
  await Promise.all([compared.increment(), counter.create(), db.counter('c/twice').create(), orders.create(), counter.cleanUp(), counter.stats()]);
  assert.equal((await counter.resize(5)).shards, 5);
  assert.equal((await orders.resize(3)).shards, 3);
  await assert.rejects(counter.migrate(), shardlineError('invalid-argument'));
  assert.equal((await counter.delete()).deleted, 6);
  await db.close();
  assert.deepEqual(asked, ['counters.wasm', 'admin.wasm']);
});

test('when it cannot be fetched the call says what to do, counting goes on, and the next call tries again', async () => {
  const server = files('admin.wasm');
  const db = await countersOnly.connect(options({ wasm: server.wasm }));
  const counter = db.counter('c/missing', { shards: 3, flushMs: 0 });
  const refused = shardlineError('unavailable', /admin\.wasm .*Call again.*connect\({ wasm }\)/);
  await Promise.all([assert.rejects(counter.create(), refused), assert.rejects(counter.resize(5), refused)]);
  assert.deepEqual(server.asked, ['counters.wasm', 'admin.wasm']);
  await counter.increment(4);
  assert.equal((await counter.get()).value, 4);
  await assert.rejects(counter.stats(), refused);
  server.missing = undefined;
  await counter.create();
  assert.equal((await counter.resize(5)).shards, 5);
  await counter.increment();
  assert.equal((await counter.get()).value, 5);
  await db.close();
  assert.equal(server.asked.filter((file) => file === 'admin.wasm').length, 3);
});

test('a URL of the first module is also where the second is; with anything else that is beside the library', async () => {
  const bytes = await readFile(new URL('counters.wasm', generated));
  const sources = [
    new URL('counters.wasm', generated), new URL('counters.wasm', generated).href, bytes, await WebAssembly.compile(bytes),
    () => undefined, (/** @type {string} */ file) => new URL(file, generated),
  ];
  for (const wasm of sources) {
    const db = await countersOnly.connect(options({ wasm }));
    await db.counter('c/places').create();
    await db.close();
  }
  const data = await countersOnly.connect(options({ wasm: `data:application/wasm;base64,${bytes.toString('base64')}` }));
  await assert.rejects(data.counter('c/places').create(), shardlineError('unavailable', /connect\({ wasm }\)/));
  await data.close();
});

test('a call that waits for it is cancelled by its signal and by close()', async () => {
  /** @type {(value: unknown) => void} */
  let arrive = () => {};
  const arrival = new Promise((resolve) => {
    arrive = resolve;
  });
  const db = await countersOnly.connect(options({
    wasm: async (file) => {
      if (file === 'admin.wasm') await arrival;
      return readFile(new URL(file, generated));
    },
  }));
  const counter = db.counter('c/cancelled', { shards: 3 });
  const controller = new AbortController();
  const aborted = assert.rejects(counter.create({ signal: controller.signal }), shardlineError('cancelled'));
  const closed = assert.rejects(counter.resize(4), shardlineError('cancelled'));
  controller.abort();
  await aborted;
  await db.close();
  await closed;
  await assert.rejects(counter.create(), shardlineError('failed-precondition', /connect\(\)/));
  arrive(undefined);
});

test('it sends as the first does: with its tokens, told to onRequest, and with its retries', async () => {
  /** @type {string[]} */
  const sent = [];
  let refusals = 1;
  const db = await countersOnly.connect(options({
    host: 'http://127.0.0.1:1',
    fetch: async (input, init) => {
      sent.push(new Headers(init?.headers).get('authorization') ?? '');
      refusals -= 1;
      return refusals >= 0 ? new Response('{"error":{"code":503,"status":"UNAVAILABLE","message":"later"}}', { status: 503 })
        : simulator.fetch(input, init);
    },
    authToken: () => 'e30.e30.',
    retry: { initialDelayMs: 1 },
    onRequest: ({ method, path, status }) => sent.push(`${method} ${path.split(':').at(-1)} ${status}`),
  }));
  assert.equal((await db.counter('c/sent', { shards: 2 }).create()).shards, 2);
  await db.close();
  assert.deepEqual(sent.slice(0, 3), ['Bearer e30.e30.', 'POST batchGet 503', 'Bearer e30.e30.']);
  assert.ok(sent.every((line) => /^(Bearer e30\.e30\.|POST (batchGet|commit) \d+)$/.test(line)), String(sent));
});

test('what it has written, the first module’s next page shows', async () => {
  const db = await whole.connect(options({}));
  const numbers = db.shardedCollection('numbers', { shards: 60 });
  for (let n = 0; n < 60; n += 1) await numbers.set(`d${n}`, { visits: n, timestamp: new Timestamp(n, 0) });
  const visits = db.counter('numbers/d20', { layout: 'extension', countField: 'visits' });
  await visits.cleanUp();
  const query = numbers.limit(20);
  // Such a page has asked for some documents of the next one, which is begun with them if it comes within a second.
  const first = await query.get();
  await visits.delete();
  const [next] = (await query.continueFrom(first.nextToken ?? '').get()).docs;
  assert.equal(next?.id, 'd20');
  assert.equal(next.data().visits, undefined);
  await db.close();
});

test('its crash ends what it had under way, and nothing else; it is started again', async () => {
  /** @type {number | undefined} The one that crashes. */
  let crashing;
  const modules = watchModules((number) => number === crashing);
  try {
    /** @type {((value: unknown) => void)[]} */
    const held = [];
    let isHeld = false;
    const db = await countersOnly.connect(options({
      wasm: files().wasm,
      fetch: async (input, init) => {
        if (isHeld) {
          await new Promise((resolve) => {
            held.push(resolve);
          });
        }
        return simulator.fetch(input, init);
      },
    }));
    const counter = db.counter('c/crash', { shards: 3, flushMs: 0 });
    await counter.create();
    assert.equal(modules.started, 2);
    isHeld = true;
    const [incremented, resized, read] = [counter.increment(7), counter.resize(5), counter.get()];
    const crashed = assert.rejects(resized, shardlineError('internal', /crashed/));
    await until(() => held.length >= 3);
    crashing = 1;
    isHeld = false;
    for (const go of held) go(undefined);
    await crashed;
    await Promise.all([incremented, read]);
    assert.equal((await counter.resize(5)).shards, 5);
    assert.equal((await counter.get()).value, 7);
    await db.close();
  } finally {
    modules.stop();
  }
});

test('a function that names the first file for every name is told so', async () => {
  const first = await readFile(new URL('counters.wasm', generated));
  const db = await countersOnly.connect({ projectId: 'demo', fetch: simulator.fetch, wasm: () => first });
  const counter = db.counter('posts/wrong', { shards: 2 });
  for (const call of [() => counter.delete(), () => counter.create(), () => counter.cleanUp()]) {
    await assert.rejects(call(), (error) => error instanceof ShardlineError && error.code === 'unavailable' && /admin\.wasm/.test(error.message));
  }
  await db.close();
});
