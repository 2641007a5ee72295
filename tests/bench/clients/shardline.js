// The same jobs with this library.

import { connect } from 'shardline';

/** @type {import('shardline').Database} */
let db;

/** @param {{projectId: string}} project */
export async function open({ projectId }) {
  db = await connect({ projectId });
}

/** @param {{host: string, projectId: string}} emulator */
export async function openEmulator({ host, projectId }) {
  db = await connect({ projectId, host: `http://${host}` });
}

/**
 * @param {string} path
 * @param {number} shards
 */
export async function increment(path, shards) {
  await db.counter(path, { shards, flushMs: 0 }).increment();
}

/**
 * @param {string} path
 * @param {number} shards
 */
export async function incrementAtLeastOnce(path, shards) {
  await db.counter(path, { shards, delivery: 'at-least-once', flushMs: 0 }).increment();
}

/**
 * @param {string} path
 * @param {number} shards
 */
export async function total(path, shards) {
  const { value } = await db.counter(path, { shards }).get();
  return value;
}

/**
 * @param {string} name
 * @param {string[]} shards
 * @param {number} limit
 */
export async function query(name, shards, limit) {
  return (await newest(name, shards, limit).get()).docs;
}

/**
 * One round trip, however the documents are spread.
 * @param {string} name
 * @param {string[]} shards
 * @param {number} limit
 */
export async function queryEager(name, shards, limit) {
  return (await newest(name, shards, limit).get({ chunkReads: 'whole-page' })).docs;
}

/**
 * @param {string} name
 * @param {string[]} shards
 * @param {number} limit
 */
function newest(name, shards, limit) {
  return db.shardedCollection(name, { shards, shardField: 'shard', orderField: 'timestamp' })
    .where('price.currency', '==', 'USD').newestFirst().limit(limit);
}
