// Server-side sums. Google's samples are older than these, and do not use them. It is not in lite.js: the full SDK has another name for it.

import { collection, getAggregate, sum } from 'firebase/firestore/lite';

import { db } from './lite.js';

export * from './lite.js';

/** @param {string} path */
export async function totalAggregate(path) {
  const snapshot = await getAggregate(collection(db, path, 'shards'), { total: sum('count') });
  return snapshot.data().total;
}
