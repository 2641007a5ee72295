// Presses as in the documented sample, and likes, with Google's lite SDK. tests/bench/press.js also bundles this file against the full SDK,
// with its persistent cache.

import { initializeApp } from 'firebase/app';
import { doc, increment, initializeFirestore, runTransaction, updateDoc, writeBatch } from 'firebase/firestore/lite';

/** @type {import('firebase/firestore/lite').Firestore} */
let db;

/**
 * Not by connectFirestoreEmulator(), which adds a header that makes the browser ask first.
 * @param {{host: string, projectId: string}} emulator
 * @param {object} [settings]
 */
export async function open({ host, projectId }, settings) {
  db = initializeFirestore(initializeApp({ projectId }), { host: new URL(host).host, ssl: false, ...settings });
}

/** @param {string} path @param {number} shards */
export async function press(path, shards) {
  await updateDoc(someShard(path, shards), 'count', increment(1));
}

/** A key that is there already counts a second time. @param {string} path @param {number} shards @param {string} key */
export async function like(path, shards, key) {
  await writeBatch(db).set(doc(db, path, 'members', key), { applied: true }).update(someShard(path, shards), 'count', increment(1)).commit();
}

/** A key counts once, as with this library. @param {string} path @param {number} shards @param {string} key */
export async function likeOnce(path, shards, key) {
  const member = doc(db, path, 'members', key);
  await runTransaction(db, async (transaction) => {
    if ((await transaction.get(member)).exists()) return;
    transaction.set(member, { applied: true }).update(someShard(path, shards), 'count', increment(1));
  });
}

/** @param {string} path @param {number} shards */
function someShard(path, shards) {
  return doc(db, path, 'shards', `${Math.floor(Math.random() * shards)}`);
}
