// Ratings and reactions. The commands of both are the same.

import { columns, counted } from '../terminal.js';

/**
 * @typedef {import('../context.js').Context} Context
 * @typedef {import('../../library/index.js').Database} Database
 * @typedef {import('../../library/index.js').RatingSummary} RatingSummary
 * @typedef {import('../../library/index.js').ReactionSummary} ReactionSummary
 */

/** @param {Context} context */
const areRatings = ({ command }) => command.name.startsWith('ratings ');

/** @param {Context} context */
const nounOf = (context) => (areRatings(context) ? 'rating' : 'reaction');

/**
 * The set that the arguments name.
 * @param {Database} db
 * @param {Context} context
 */
function setOf(db, context) {
  const { path, from, to, kinds } = context.values;
  const shards = context.pick('shards');
  return areRatings(context) ? db.ratings(path, { from, to, ...shards }) : db.reactions(path, { kinds: kinds.split(','), ...shards });
}

/**
 * @param {Context} context
 * @param {RatingSummary | ReactionSummary} summary
 * @param {string} text
 */
function answer(context, summary, text) {
  context.answer({ ...summary, readTime: summary.readTime.toString() }, text);
}

/**
 * @param {Context} context
 * @param {RatingSummary | ReactionSummary} summary
 */
function totalOf(context, summary) {
  const users = counted(summary.count, nounOf(context));
  return 'average' in summary && summary.average !== null ? `${users}, ${Number(summary.average.toFixed(2))} on average` : users;
}

/** @param {Context} context */
export function summary(context) {
  return context.withDatabase(async (db) => {
    const found = await setOf(db, context).summary({ ...context.pick('source'), signal: context.signal });
    const rows = Object.entries('histogram' in found ? found.histogram : found.counts).map(([choice, count]) => [choice, String(count)]);
    answer(context, found, `${columns([[nounOf(context), 'users'], ...rows])}\n${totalOf(context, found)}`);
  });
}

/** @param {Context} context */
export function get(context) {
  const { values: { user }, signal } = context;
  return context.withDatabase(async (db) => {
    const value = await setOf(db, context).get(user, { signal });
    context.answer({ value: value ?? null }, value === undefined ? `no ${nounOf(context)}` : String(value));
  });
}

/** @param {Context} context */
export function set(context) {
  const { values: { user, value }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await /** @type {any} */ (setOf(db, context)).set(user, value, { signal });
    context.answer(result, result.changed ? `set ${value}` : `${value} was set already`);
  });
}

/** @param {Context} context */
export function remove(context) {
  const { values: { user }, signal } = context;
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await setOf(db, context).remove(user, { signal });
    context.answer(result, result.changed ? 'taken back' : `there was no ${nounOf(context)}`);
  });
}

/** @param {Context} context */
export function publish(context) {
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const published = await setOf(db, context).publish({ ...context.pick('average', 'counts', 'count'), signal: context.signal });
    answer(context, published, `published ${totalOf(context, published)}`);
  });
}

/** @param {Context} context */
export function removeAll(context) {
  return context.withDatabase(async (db) => {
    context.goOnWith();
    const result = await setOf(db, context).delete({ signal: context.signal });
    context.answer(result, `deleted ${counted(result.deleted, 'document')}`);
  });
}
