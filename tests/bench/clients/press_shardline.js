// Presses and likes with this library, exactly once. The waits between presses are the caller's.

import { connect } from 'shardline/counters';

/** @type {import('shardline/counters').Database} */
let db;

/** @param {{host: string, projectId: string}} emulator */
export async function open({ host, projectId }) {
  db = await connect({ projectId, host });
}

/** Sent at once, whatever was sent before. @param {string} path @param {number} shards */
export async function press(path, shards) {
  await db.counter(path, { shards, flushMs: 0 }).increment();
}

/** With the default options. @param {string} path @param {number} shards */
export async function pressByDefault(path, shards) {
  await db.counter(path, { shards }).increment();
}

/** @param {string} path @param {number} shards @param {string} key */
export async function like(path, shards, key) {
  await db.countedSet(path, { shards, flushMs: 0 }).add(key);
}
