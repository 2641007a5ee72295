// The documented samples (web), with today's modular SDK. tests/bench/size.js also bundles this file against the full SDK.

import { initializeApp } from 'firebase/app';
import {
  collection, connectFirestoreEmulator, doc, getDocs, getFirestore, increment as incrementBy, limit as limitTo, orderBy,
  query as makeQuery, updateDoc, where,
} from 'firebase/firestore/lite';

/** @type {import('firebase/firestore/lite').Firestore} */
export let db;

/** @param {{projectId: string}} project */
export async function open({ projectId }) {
  db = getFirestore(initializeApp({ projectId }));
}

/** @param {{host: string, projectId: string}} emulator */
export async function openEmulator({ host, projectId }) {
  await open({ projectId });
  const [name, port] = host.split(':');
  connectFirestoreEmulator(db, name, Number(port));
}

/**
 * @param {string} path
 * @param {number} shards
 */
export async function increment(path, shards) {
  const shardId = Math.floor(Math.random() * shards).toString();
  await updateDoc(doc(db, path, 'shards', shardId), 'count', incrementBy(1));
}

/** @param {string} path */
export async function total(path) {
  const snapshot = await getDocs(collection(db, path, 'shards'));
  let count = 0;
  snapshot.forEach((shard) => {
    count += shard.data().count;
  });
  return count;
}

/**
 * @param {string} name
 * @param {string[]} shards
 * @param {number} limit
 */
export async function query(name, shards, limit) {
  const snapshots = await Promise.all(chunks(shards).map((chunk) => getDocs(makeQuery(
    collection(db, name),
    where('shard', 'in', chunk),
    where('price.currency', '==', 'USD'),
    orderBy('timestamp', 'desc'),
    limitTo(limit),
  ))));
  const docs = snapshots.flatMap((snapshot) => snapshot.docs);
  return (snapshots.length === 1 ? docs : newest(docs, limit)).map((found) => ({ id: found.id, data: found.data() }));
}

/** @param {string[]} shards */
function chunks(shards) {
  const result = [];
  for (let start = 0; start < shards.length; start += 30) result.push(shards.slice(start, start + 30));
  return result;
}

/**
 * The sample calls data() in the comparison, which decodes both documents each time; here each is decoded once.
 * @param {import('firebase/firestore/lite').QueryDocumentSnapshot[]} docs
 * @param {number} limit
 */
function newest(docs, limit) {
  const dated = docs.map((found) => ({ found, timestamp: found.get('timestamp') }));
  dated.sort(({ timestamp: a }, { timestamp: b }) => b.seconds - a.seconds || b.nanoseconds - a.nanoseconds);
  return dated.slice(0, limit).map(({ found }) => found);
}
