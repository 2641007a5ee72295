// Ended calls leave nothing behind: no operation in the module, no listener on a signal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { CounterDatabase } from '../../../web/library/counter_database.js';
import { openCounters } from '../../../web/library/open_counters.js';
import createModule from '../../../web/library/generated/runtime.js';
import { loader } from '../../../web/library/load.js';
import { openWorkbench } from '../../../web/library/workbench.js';

const generated = new URL('../../../web/library/generated/', import.meta.url);
/** The operations of both modules that have not ended. @type {Set<string>} */
const running = new Set();

/** @param {string} file */
const loadWatched = (file) => loader(file, (/** @type {any} */ module) => {
  const started = createModule(module);
  const { start, poll } = module;
  module.start = (/** @type {number[]} */ ...args) => {
    const operation = start(...args);
    if (operation > 0) running.add(`${file} ${operation}`);
    return operation;
  };
  module.poll = (/** @type {number} */ operation, /** @type {number} */ now) => {
    const news = poll(operation, now);
    const bytes = module.HEAPU8.subarray(module.frameAddress(), module.frameAddress() + module.headerSize());
    if (JSON.parse(new TextDecoder().decode(bytes)).done) running.delete(`${file} ${operation}`);
    return news;
  };
  return started;
}, () => new URL(file, generated));
const load = loadWatched('counters.wasm');
const loadSecond = loadWatched('admin.wasm');

/** @type {any} */
let simulator;
before(async () => {
  const workbench = await openWorkbench({ wasm: readFileSync(new URL('workbench.wasm', generated)) });
  simulator = await workbench.createEmbeddedFirestore({ worker: false });
});

async function open() {
  const { connection, outbox } = await openCounters({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory', retry: { initialDelayMs: 5 } }, load, loadSecond);
  return new CounterDatabase(connection, outbox);
}

/** A signal that knows how many listen to it. */
function watched() {
  const { signal } = new AbortController();
  const listeners = new Set();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (/** @type {any} */ ...[type, listener, options]) => {
    listeners.add(listener);
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (/** @type {any} */ ...[type, listener, options]) => {
    listeners.delete(listener);
    removeEventListener.call(signal, type, listener, options);
  };
  return { signal, listeners };
}

test('migrate() and everything else leave no operation behind, though they are refused', async () => {
  const db = await open();
  const counter = db.counter('c/m', { layout: 'extension', countField: 'visits' });
  await counter.increment(3);
  await assert.rejects(counter.migrate({ to: { shards: 0 } }), { code: 'invalid-argument' });
  await assert.rejects(counter.resize(0), { code: 'invalid-argument' });
  assert.equal((await counter.migrate()).shards, 10);
  assert.equal((await db.counter('c/m', { shards: 10 }).get()).value, 3);
  await db.close();
  assert.deepEqual([...running], []);
});

test('no call leaves a listener on the signal that it was given', async () => {
  const db = await open();
  const { signal, listeners } = watched();
  const counter = db.counter('c/s', { shards: 2, flushMs: 0 });
  const set = db.countedSet('c/s', { shards: 2, flushMs: 0 });
  await counter.increment(1, { signal });
  await counter.create({ signal });
  await counter.get({ signal });
  await counter.get({ signal, maxAgeMs: 1000 });
  await counter.flush({ signal });
  await set.add('ann', { signal });
  await set.remove('ann', { signal });
  await set.has('ann', { signal });
  await set.hasAll(['ann', 'bob'], { signal });
  await db.counters(['c/s', 'c/t'], { shards: 2 }).hasAll('ann', { signal });
  await counter.resize(3, { signal });
  await counter.stats({ signal });
  await counter.cleanUp({ signal });
  const ids = db.ids('c/i', { block: 5 });
  await ids.create({ signal });
  await ids.next({ signal });
  counter.watch(() => {}, { signal })();
  simulator.observe(() => {}, { signal })();
  await counter.delete({ signal });
  await db.close();
  assert.deepEqual([...listeners], []);
});
