// Distributed counters.

import { Timestamp } from '../../library/index.js';
import { commandNamed } from '../commands.js';
import { UsageError } from '../options.js';
import { columns } from '../terminal.js';

/** @typedef {import('../context.js').Context} Context */

const STORES = { stores: true };

/**
 * The counter that the arguments name.
 * @param {import('../../library/index.js').Database} db
 * @param {Context} context
 * @param {import('../../library/index.js').CounterOptions} [more]
 */
function counterOf(db, context, more) {
  return db.counter(context.values.path, { ...context.pick('shards', 'layout', 'countField'), flushMs: 0, ...more });
}

/** @param {Context} context */
export function create(context) {
  const { values, signal } = context;
  return context.withDatabase(async (db) => {
    const result = await counterOf(db, context).create({ ifExists: values.ifExists, signal });
    const { created, shards } = result;
    context.answer(result, created ? `created, with ${shards} shards` : `it was there already, with ${shards} shards`);
  });
}

/** @param {Context} context */
export async function increment(context) {
  const { values: { delta }, signal } = context;
  // What is stored by then will be counted.
  signal.addEventListener('abort', () => context.goOnWith({}, commandNamed('counter flush')));
  await context.withDatabase(async (db) => {
    await counterOf(db, context, context.pick('delivery', 'maxDelta', 'clientId', 'voter')).increment(delta, { signal });
    context.answer({ counted: delta }, `counted ${delta}`);
  }, STORES);
}

/**
 * The counter of a stored record, as db.counter() takes it.
 * @param {string} text
 * @returns {(import('../../library/index.js').CounterOptions & {path: string})[]}
 */
function countersIn(text) {
  try {
    const { counter, key } = JSON.parse(text);
    const [, , , , clientId] = JSON.parse(key);
    return typeof counter?.path === 'string' ? [{ ...counter, ...(clientId ? { clientId } : {}), flushMs: 0 }] : [];
  } catch {
    return []; // db.unreadable() has it.
  }
}

/** @param {Context} context */
export function flush(context) {
  return context.withDatabase(async (db, storage) => {
    const { path } = context.values;
    const named = counterOf(db, context);
    await named.flush({ signal: context.signal });
    // Under the same path others may have waited: of another client, or counted in another manner.
    const texts = storage ? [...(await storage.all()).values()] : [];
    const others = texts.flatMap((text) => countersIn(text)).filter((each) => each.path === path).map(({ path: _, ...options }) => db.counter(path, options));
    await Promise.all(others.map((counter) => counter.flush({ signal: context.signal })));
    const pending = [named, ...others].map((counter) => BigInt(Math.trunc(Number(counter.pending)))).filter((each) => each !== 0n);
    if (pending.length > 0) throw new Error(`Increments of ${path} still wait. Those of another user are sent under that user’s token.`);
    context.answer({ pending: 0 }, 'nothing waits any more');
  }, STORES);
}

/** @param {Context} context */
export function get(context) {
  return context.withDatabase(async (db) => {
    const reading = await counterOf(db, context).get({ ...context.pick('source', 'maxAgeMs'), signal: context.signal });
    context.answer({ ...reading, readTime: reading.readTime.toString() }, String(reading.value));
  });
}

/** @param {Context} context */
export async function watch(context) {
  const { signal, terminal } = context;
  await context.withDatabase((db) => new Promise((_, reject) => {
    counterOf(db, context).watch(({ value, state }) => {
      if (context.json) terminal.printJson({ value, state });
      else if (value !== undefined) terminal.show(state === 'live' ? String(value) : `${value} (${state})`);
    }, {
      ...context.pick('intervalMs', 'maxAgeMs'),
      onError: ({ code, message }) => terminal.complain(`${code}: ${message}`),
    });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  }));
}

/** @param {Context} context */
export function resize(context) {
  const { values: { number }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await counterOf(db, context).resize(number, { ...context.pick('atLeast'), signal });
    context.answer(result, `${result.shards} shards; the counts of ${result.folded} were moved`);
  });
}

/** @param {Context} context */
export function stats(context) {
  return context.withDatabase(async (db) => {
    const result = await counterOf(db, context).stats({ signal: context.signal });
    const { perShard, suggestedShards } = result;
    const rows = Object.entries(perShard).map(([shard, value]) => [shard, String(value)]);
    context.answer(result, `${columns([['shard', 'count'], ...rows])}\n${suggestedShards} shards would do`);
  });
}

/** @param {Context} context */
export function migrate(context) {
  const { values: { toPath, toLayout, toShards }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const to = { layout: toLayout, shards: toShards, ...(toPath === undefined ? {} : { path: toPath }) };
    const result = await counterOf(db, context, { layout: 'extension' }).migrate({ to, signal });
    const { folded, shards, complete } = result;
    context.answer(result, `moved the counts of ${folded} documents into ${shards} shards${complete ? '' : '; others kept counting: call it again'}`);
  }, STORES);
}

/** @param {Context} context */
export function cleanup(context) {
  const { values: { olderThan }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await counterOf(db, context).cleanUp({ ...(olderThan ? { olderThan: readTime(olderThan) } : {}), signal });
    context.answer(result, `deleted ${result.deleted} ledgers that had expired`);
  });
}

/** @param {Context} context */
export function remove(context) {
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await counterOf(db, context).delete({ signal: context.signal });
    context.answer(result, `deleted ${result.deleted} documents`);
  });
}

/** @param {string} text */
function readTime(text) {
  try {
    return Timestamp.fromString(text);
  } catch {
    throw new UsageError(`--older-than must be a time such as 2024-01-31T00:00:00Z; it is “${text}”.`);
  }
}
