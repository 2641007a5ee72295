// Sequences of unique ids.

import { counted } from '../terminal.js';

/** @typedef {import('../context.js').Context} Context */

/** @param {Context} context */
export function create(context) {
  const { values: { path, shards, maxShards, startAt }, signal } = context;
  return context.withDatabase(async (db) => {
    const result = await db.ids(path, { shards, maxShards }).create({ startAt, signal });
    context.answer(result, `${result.created ? 'created' : 'it was there already'}, with ${counted(result.shards, 'shard')}`);
  });
}

/** @param {Context} context */
export function take(context) {
  const { values: { path, number, shards }, signal } = context;
  return context.withDatabase(async (db) => {
    const ids = await db.ids(path, { shards }).take(number, { signal });
    context.answer(ids, ids.join('\n'));
  });
}
