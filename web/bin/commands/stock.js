// Stocks: units that can be taken until there are none.

import { drawId } from '../../library/draw_id.js';
import { LEFT } from '../../library/stock.js';
import { commandNamed } from '../commands.js';
import { commandLine, UsageError } from '../options.js';
import { counted } from '../terminal.js';
import { printLive } from './counter.js';

/** @typedef {import('../context.js').Context} Context */

/** The command has done its work, and the answer is no. */
const NO = 1;

/**
 * The stock that the arguments name.
 * @param {import('../../library/index.js').Database} db
 * @param {Context} context
 */
function stockOf(db, context) {
  return db.stock(context.values.path, context.pick('shards'));
}

/** With a key, the printed command takes or adds no second time. @param {Context} context */
function goOnWithKey(context) {
  context.values.key ??= drawId();
  context.goOnWith();
  return context.values.key;
}

/** @param {Context} context */
export function create(context) {
  const { values: { units, shards }, signal } = context;
  return context.withDatabase(async (db) => {
    const result = await stockOf(db, context).create({ units, signal });
    context.answer(result, result.created ? `created, with ${counted(units, 'unit')} in ${counted(shards, 'shard')}` : 'it was there already');
  });
}

/** @param {Context} context */
export function take(context) {
  const { values: { number, holdFor }, signal } = context;
  if (Number.isFinite(Number(holdFor))) throw new UsageError(`--hold-for must be a time with its unit, such as 90s, 10min, 2h or 1d; it is “${holdFor}”.`);
  return context.withDatabase(async (db) => {
    const key = goOnWithKey(context);
    const result = await stockOf(db, context).take(number, { key, ...context.pick('holdFor'), signal });
    if (!result.taken) {
      context.answer(result, `took nothing: ${counted(result.left, 'unit')} left`);
      return NO;
    }
    const { heldUntil, ...taken } = result;
    const end = heldUntil?.toString();
    context.answer({ ...taken, ...(end && { heldUntil: end }) }, `took ${counted(number, 'unit')} with the key ${key}${end ? `, held until ${end}` : ''}`);
    return 0;
  });
}

/** @param {Context} context */
export function putBack(context) {
  const { values: { number, key }, signal } = context;
  return context.withDatabase(async (db) => {
    // A second run would put a part back once more.
    if (number === undefined) context.goOnWith();
    const result = await stockOf(db, context).putBack(number, { key, signal });
    context.answer(result, result.putBack ? `put back: the take has ${counted(result.units, 'unit')} now` : 'all units had gone back before');
  });
}

/** @param {Context} context */
export function confirm(context) {
  const { values: { key }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await stockOf(db, context).confirm({ key, signal });
    context.answer(result, result.confirmed ? 'confirmed' : 'not confirmed: the time of the hold had passed, and its units have gone back');
    return result.confirmed ? 0 : NO;
  });
}

/** @param {Context} context */
export function add(context) {
  const { values: { number }, signal } = context;
  return context.withDatabase(async (db) => {
    const result = await stockOf(db, context).add(number, { key: goOnWithKey(context), signal });
    context.answer(result, result.added ? `added ${counted(number, 'unit')}` : 'this key has added units before');
  });
}

/** @param {Context} context */
export function remove(context) {
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await stockOf(db, context).delete({ signal: context.signal });
    context.answer(result, `deleted ${counted(result.deleted, 'document')}`);
  });
}

/** @param {Context} context */
export function left(context) {
  return context.withDatabase(async (db) => {
    const units = await stockOf(db, context).left({ signal: context.signal });
    context.answer({ left: units }, String(units));
  });
}

/** @param {Context} context */
export async function watch(context) {
  const { values } = context;
  const missing = `There is no stock at ${values.path}. To create one: ${commandLine(commandNamed('stock create'), values)}`;
  await context.withDatabase((db) => printLive(context, db.counter(values.path, LEFT), missing));
}
