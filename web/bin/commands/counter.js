// Distributed counters.

import { ShardlineError, Timestamp } from '../../library/index.js';
import { commandNamed } from '../commands.js';
import { commandLine, UsageError, withFlags } from '../options.js';
import { columns, counted } from '../terminal.js';

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
    context.answer(result, `${created ? 'created' : 'it was there already'}, with ${counted(shards, 'shard')}`);
  });
}

/** @param {Context} context */
export async function increment(context) {
  const { values: { delta }, signal } = context;
  await context.withDatabase(async (db, { isStored }) => {
    await counterOf(db, context, context.pick('delivery', 'maxDelta')).increment(delta, { signal }).catch(async (error) => {
      if (error.reason === 'increment-goes-on') {
        if (!await isStored()) throw new ShardlineError('cancelled', 'The increment could not be stored, and may or may not have been counted.', { reason: 'cancelled', cause: error });
        context.goOnWith({}, commandNamed('counter flush'));
      }
      throw error;
    });
    context.answer({ counted: delta }, `counted ${delta}`);
  }, STORES);
}

/** @param {Context} context */
export function flush(context) {
  return context.withDatabase(async (db, { storage, user }) => {
    const { path } = context.values;
    // Whatever the options were with which increments of this path were asked for.
    const stored = /** @type {import('../../library/outbox/rows.js').StoredRow[]} */ (await storage?.read() ?? []);
    const rows = stored.filter(({ counter }) => counter?.path === path);
    const counters = [counterOf(db, context), ...rows.map(({ counter: { path: _, ...options } }) => db.counter(path, /** @type {any} */ (options)))];
    await Promise.all(counters.map((counter) => counter.flush({ signal: context.signal })));
    if (rows.some((row) => row.user !== user)) {
      context.terminal.note('Increments of other users stay: they are sent under their own tokens.');
    }
    context.answer({ pending: 0 }, 'nothing waits any more');
  }, STORES);
}

/**
 * Whether a counter has no shards. Their sum is 0, too.
 * @param {import('../../library/index.js').Counter} counter
 * @param {Context} context
 */
async function isMissing(counter, { signal }) {
  return Object.keys((await counter.stats({ signal })).perShard).length === 0;
}

/** @param {Context} context */
function noCounter({ values }) {
  const options = values.countField === undefined ? '--layout' : '--count-field and --layout';
  return `There is no counter at ${values.path}: check ${options}. To create one: ${commandLine(commandNamed('counter create'), values)}`;
}

/** @param {Context} context */
function notFound({ values: { path } }) {
  return /** @type {const} */ ({ reason: 'counter-not-found', params: { path } });
}

/** @param {Context} context */
export function get(context) {
  return context.withDatabase(async (db) => {
    const counter = counterOf(db, context);
    const reading = await counter.get({ ...context.pick('source', 'maxAgeMs'), signal: context.signal });
    if (reading.value === 0 && await isMissing(counter, context)) throw new ShardlineError('not-found', noCounter(context), notFound(context));
    context.answer({ ...reading, readTime: reading.readTime.toString() }, String(reading.value));
  });
}

/** @param {Context} context */
export async function watch(context) {
  const { signal, terminal } = context;
  let isFirst = true;
  await context.withDatabase((db) => new Promise((_, reject) => {
    const counter = counterOf(db, context);
    counter.watch(({ value, state }) => {
      if (isFirst && state === 'live') {
        isFirst = false;
        // In some layouts the first increment creates it.
        if (value === 0) isMissing(counter, context).then((isSo) => isSo && terminal.note(noCounter(context)), () => {});
      }
      if (context.json) terminal.printJson({ value, state });
      else if (value !== undefined) terminal.show(state === 'live' ? String(value) : `${value} (${state})`);
    }, {
      ...context.pick('intervalMs', 'maxAgeMs'),
      onError: (error) => terminal.complain(`${error.code}: ${withFlags(context.command, error)}`),
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
    context.answer(result, `${counted(result.shards, 'shard')}; the counts of ${result.folded} were moved`);
  });
}

/** @param {Context} context */
export function stats(context) {
  return context.withDatabase(async (db) => {
    const result = await counterOf(db, context).stats({ signal: context.signal });
    const { perShard, suggestedShards } = result;
    if (Object.keys(perShard).length === 0) throw new ShardlineError('not-found', noCounter(context), notFound(context));
    const rows = Object.entries(perShard).map(([shard, value]) => [shard, String(value)]);
    context.answer(result, `${columns([['shard', 'count'], ...rows])}\n${counted(suggestedShards, 'shard')} would do`);
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
    context.answer(result, `moved the counts of ${counted(folded, 'document')} into ${counted(shards, 'shard')}${complete ? '' : '; other clients kept counting: call it again'}`);
  }, STORES);
}

/** @param {Context} context */
export function cleanup(context) {
  const { values: { olderThan }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const how = { ...(olderThan ? { olderThan: readTime(olderThan) } : {}), signal };
    const [markers, keys] = [await db.cleanUp(how), await counterOf(db, context).cleanUp(how)];
    const billed = (/** @type {'reads' | 'writes' | 'deletes'} */ kind) => markers.billed[kind] + keys.billed[kind];
    const result = { deleted: markers.deleted + keys.deleted, billed: { reads: billed('reads'), writes: billed('writes'), deletes: billed('deletes') } };
    context.answer(result, `deleted ${counted(markers.deleted, 'marker')} and ${counted(keys.deleted, 'key')} that had expired`);
  });
}

/** @param {Context} context */
export function remove(context) {
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await counterOf(db, context).delete({ signal: context.signal });
    context.answer(result, `deleted ${counted(result.deleted, 'document')}`);
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
