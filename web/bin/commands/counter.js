// Distributed counters.

import { ShardlineError, Timestamp } from '../../library/index.js';
import { namesOf, pathOf, valueAt } from '../../library/field_path.js';
import { isRow } from '../../library/outbox/rows.js';
import { commandNamed } from '../commands.js';
import { commandLine, readAmounts, UsageError, withFlags } from '../options.js';
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

/**
 * The counter with several fields that the arguments name.
 * @param {import('../../library/index.js').Database} db
 * @param {Context} context
 * @param {object} [more]
 */
function fieldCounterOf(db, context, more) {
  const { values: { maxAgeMs, countField } } = context;
  if (maxAgeMs !== undefined || countField !== undefined) {
    throw new UsageError(`--${maxAgeMs === undefined ? 'count-field' : 'max-age-ms'} is for counters without --fields.`);
  }
  return db.counter(context.values.path, {
    ...context.pick('shards', 'layout', 'countField'), flushMs: 0, ...more, fields: /** @type {string[]} */ (context.values.fields.split(',')),
  });
}

/** The function that makes the counter. @param {Context} context */
const kindOf = ({ values: { fields } }) => (fields === undefined ? counterOf : fieldCounterOf);

/** @param {Context} context */
export function create(context) {
  const { values, signal } = context;
  return context.withDatabase(async (db) => {
    const result = await kindOf(context)(db, context).create({ ifExists: values.ifExists, signal });
    const { created, shards } = result;
    context.answer(result, `${created ? 'created' : 'it was there already'}, with ${counted(shards, 'shard')}`);
  });
}

/** @param {Context} context */
export async function increment(context) {
  const { values: { delta }, signal } = context;
  const amounts = amountsOf(context);
  await context.withDatabase(async (db, { isStored }) => {
    const how = context.pick('delivery', 'maxDelta');
    const counting = amounts ? fieldCounterOf(db, context, how).increment(amounts, { signal }) : counterOf(db, context, how).increment(delta, { signal });
    await counting.catch(async (error) => {
      if (error.reason === 'increment-goes-on') {
        if (!await isStored()) throw new ShardlineError('cancelled', 'The increment could not be stored, and may or may not have been counted.', { reason: 'cancelled', cause: error });
        context.goOnWith({}, commandNamed('counter flush'));
      }
      throw error;
    });
    context.answer({ counted: amounts ?? delta }, `counted ${delta}`);
  }, STORES);
}

/** The amounts by field; undefined for a counter without fields. @param {Context} context */
function amountsOf({ values: { delta, fields } }) {
  const isByField = typeof delta === 'string';
  if (isByField && fields === undefined) throw new UsageError(`--fields is missing: all fields of the counter, because “${delta}” names some.`);
  if (fields === undefined) return undefined;
  if (isByField) return readAmounts(delta, 'DELTA');
  throw new UsageError(`With --fields, DELTA must be an amount for each field, such as ${fields.split(',')[0]}=1; it is “${delta}”.`);
}

/**
 * Whether a row is sent for a user: every user sends those from before sign-in.
 * @param {{user: string | null}} row
 * @param {string | null} user
 */
const isOf = (row, user) => row.user === user || row.user === null;

/** @param {Context} context */
export async function flush(context) {
  const { values: { path }, signal, terminal } = context;
  const { storage, user, lost } = await context.withDatabase(async (db, store) => {
    // All increments of this path, with whichever options the earlier commands were called.
    const rows = (await store.storage?.read() ?? []).filter(isRow).filter(({ counter }) => counter.path === path);
    const counters = [counterOf(db, context), ...rows.map(({ counter: { path: _, ...options } }) => db.counter(path, /** @type {any} */ (options)))];
    context.goOnWith();
    await Promise.all(counters.map((counter) => counter.flush({ signal }))).catch((error) => {
      throw error.reason === 'increment-goes-on' ? new ShardlineError('cancelled', 'The increments that wait are stored.', { reason: 'cancelled', cause: error }) : error;
    });
    if (rows.some((row) => !isOf(row, store.user))) terminal.note('Increments of other users stay: they are sent under their own tokens.');
    return store;
  }, STORES);
  // The database is closed: increments that were sent have left the storage. A file that cannot be read may be of this counter.
  const left = /** @type {any[]} */ (await storage?.read() ?? []).filter((row) => !isRow(row) || (row.counter.path === path && isOf(row, user)));
  for (const row of left) {
    const file = row.file ?? `${row.id}.row`;
    terminal.complain(isRow(row) ? `${file} still waits: look whether its lock, or another program, keeps it, and run this again.` : `${file} cannot be read: repair or remove it.`);
  }
  const result = { pending: left.length, lost: lost() };
  const isDone = result.pending + result.lost === 0;
  context.answer(result, isDone ? 'nothing waits any more' : `still waiting: ${result.pending}; refused or in doubt: ${result.lost}`);
  return isDone ? 0 : 1;
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
function noCounter({ command, values }) {
  if (values.layout === 'extension') return `There is no count in the field ${values.countField} of ${values.path}: check --count-field and --layout, or read the new counter if you have moved it.`;
  const named = values.fields === undefined ? values.countField && '--count-field and ' : '--fields and ';
  const mayHaveFields = values.fields === undefined && command.options?.some(({ name }) => name === 'fields');
  return `There is no counter at ${values.path}: check ${named ?? ''}--layout.${mayHaveFields ? ' If it has several fields, pass --fields.' : ''} To create one: ${commandLine(commandNamed('counter create'), values)}`;
}

/** @param {Context} context */
function notFound({ values: { path } }) {
  return /** @type {const} */ ({ reason: 'counter-not-found', params: { path } });
}

/** @param {Context} context */
export function get(context) {
  return context.withDatabase(async (db) => {
    const how = { ...context.pick('source', 'maxAgeMs'), signal: context.signal };
    if (context.values.fields !== undefined) {
      const { readTime, ...reading } = await fieldCounterOf(db, context).get(how);
      if (reading.shards === 0) throw new ShardlineError('not-found', noCounter(context), notFound(context));
      const rows = Object.entries(reading.totals).map(([field, total]) => [field, String(total)]);
      context.answer({ ...reading, readTime: readTime.toString() }, columns([['field', 'total'], ...rows]));
      return;
    }
    const counter = counterOf(db, context);
    const reading = await counter.get(how);
    if (reading.value === 0 && await isMissing(counter, context)) throw new ShardlineError('not-found', noCounter(context), notFound(context));
    context.answer({ ...reading, readTime: reading.readTime.toString() }, String(reading.value));
  });
}

/** @param {Context} context */
export async function watch(context) {
  await context.withDatabase((db) => {
    if (context.values.fields === undefined) return printLive(context, counterOf(db, context), noCounter(context));
    const counter = fieldCounterOf(db, context);
    return printWatch(context, noCounter(context), (take, how) => counter.watch(({ totals, state, reading }) => {
      take({ totals, state }, totals && textOf(totals), async () => reading?.shards === 0);
    }, how));
  });
}

/** @param {{[field: string]: number | bigint}} totals */
function textOf(totals) {
  return Object.entries(totals).map(([field, total]) => `${field} ${total}`).join(', ');
}

/**
 * Prints a total whenever it changes, until Ctrl-C.
 * @param {Context} context
 * @param {import('../../library/index.js').Counter} counter
 * @param {string} missing The note for a counter without shards.
 */
export function printLive(context, counter, missing) {
  return printWatch(context, missing, (take, how) => counter.watch(({ value, state }) => {
    take({ value, state }, value === undefined ? undefined : String(value), async () => value === 0 && isMissing(counter, context));
  }, how));
}

/**
 * @param {Context} context
 * @param {string} missing The note for a counter without shards.
 * @param {(take: (live: {state: string, value?: unknown, totals?: unknown}, text: string | undefined, isMissing: () => Promise<boolean>) => void, how: object) => void}
 *   begin Begins the watch, which hands over each result, for JSON and as text. The text is undefined until a total is known.
 * @returns {Promise<never>}
 */
function printWatch(context, missing, begin) {
  const { signal, terminal } = context;
  let isFirst = true;
  return new Promise((_, reject) => {
    begin((live, text, isNone) => {
      const { state } = live;
      if (isFirst && state === 'live') {
        isFirst = false;
        // In some layouts the first increment creates it.
        isNone().then((isSo) => isSo && terminal.note(missing), () => {});
      }
      if (context.json) terminal.printJson(live);
      else if (text !== undefined) terminal.show(state === 'live' ? text : `${text} (${state})`);
    }, {
      ...context.pick('intervalMs', 'maxAgeMs'),
      onError: (/** @type {ShardlineError} */ error) => terminal.complain(`${error.code}: ${withFlags(context.command, error)}`),
    });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** @param {Context} context */
export function resize(context) {
  const { values: { number }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    if (context.values.fields !== undefined) {
      const { shards } = await fieldCounterOf(db, context).resize(number, { ...context.pick('atLeast'), signal });
      context.answer({ shards }, counted(shards, 'shard'));
      return;
    }
    const result = await counterOf(db, context).resize(number, { ...context.pick('atLeast'), signal });
    context.answer(result, `${counted(result.shards, 'shard')}; the counts of ${result.folded} were moved`);
  });
}

/** @param {Context} context */
export function publish(context) {
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const { readTime, ...published } = await fieldCounterOf(db, context).publish({ ...context.pick('field'), signal: context.signal });
    context.answer({ ...published, readTime: readTime.toString() }, `published ${textOf(published.totals)}`);
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
  const { values: { path, countField, toPath = path, toLayout, toShards }, signal, terminal } = context;
  return context.withDatabase(async (db) => {
    const old = counterOf(db, context, { layout: 'extension' });
    const to = { path: toPath, layout: toLayout, ...(toShards === undefined ? {} : { shards: toShards }) };
    await old.flush({ signal });
    const lack = await lackOfCount(db, old, context);
    if (lack && await isMissing(db.counter(toPath, { layout: toLayout }), context)) throw new ShardlineError('not-found', lack, notFound(context));
    if (lack) terminal.note(`An earlier run has moved the count, or the field has another name: ${lack}`);
    context.goOnWith();
    const result = await old.migrate({ to, signal }).catch((error) => {
      if (error.reason === 'counter-exists') context.goOnWith({ toPath: pathBeside(path, countField, toPath) });
      throw error;
    });
    const { folded, shards, complete } = result;
    if (toShards !== undefined && toShards !== shards) {
      const resizing = commandLine(commandNamed('counter resize'), { ...context.values, path: toPath, layout: toLayout, countField: undefined, number: toShards });
      terminal.note(`--to-shards is for a new counter: ${toPath} keeps its ${counted(shards, 'shard')}. To change the number: ${resizing}`);
    }
    const moved = folded === 0 ? 'moved nothing' : `moved the counts of ${counted(folded, 'document')} into ${counted(shards, 'shard')}`;
    context.answer(result, `${moved}; ${complete ? 'complete: nothing is left' : 'not complete, because other clients kept counting: run it again'}`);
  }, STORES);
}

/**
 * A path for a counter that cannot be moved to `taken`.
 * @param {string} path Of the document.
 * @param {string} countField
 * @param {string} taken
 */
function pathBeside(path, countField, taken) {
  const name = namesOf(countField).at(-1);
  const own = `${path}/counters/${name}`;
  return own === taken ? `${path}/counters/${countField}` : own;
}

/**
 * Why a counter of the extension has no count to move; undefined if it has one.
 * @param {import('../../library/index.js').Database} db
 * @param {import('../../library/index.js').Counter} counter
 * @param {Context} context
 */
async function lackOfCount(db, counter, context) {
  const { values: { path, countField }, signal } = context;
  const names = path.split('/');
  // migrate() refuses the path.
  if (names.length % 2 === 1) return undefined;
  const document = await db.collection(names.slice(0, -1).join('/')).get(names.at(-1), { signal });
  const isNumber = (/** @type {unknown} */ value) => typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(valueAt(document?.data(), countField)) || !await isMissing(counter, context)) return undefined;
  if (!document) return `There is no document ${path}, and no count of it.`;
  /** @type {(data: object, above?: string[]) => string[]} */
  const numbersIn = (data, above = []) => Object.entries(data).flatMap(([name, value]) => {
    const segments = [...above, name];
    if (isNumber(value)) return [pathOf({ segments })];
    return value?.constructor === Object ? numbersIn(value, segments) : [];
  });
  const numbers = numbersIn(document.data());
  return `${path} has no count in the field ${countField}. ${numbers.length > 0 ? `Its fields with numbers: ${numbers.slice(0, 10).join(', ')}` : 'No field of it is a number'}.`;
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
    const result = await kindOf(context)(db, context).delete({ signal: context.signal });
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
