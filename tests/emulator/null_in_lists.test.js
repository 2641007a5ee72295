/** null and NaN in the lists of `in`, `not-in` and `array-contains-any` mean the same as in Google's SDK. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { deleteApp, initializeApp } from 'firebase/app';
import { collection, connectFirestoreEmulator, doc, getDocs, getFirestore, query, setDoc, terminate, where } from 'firebase/firestore/lite';
import { connect } from 'shardline';

import { openDatabase } from './support/database.js';

const VALUES = { none: undefined, null: null, nan: NaN, one: 1, two: 2, text: 'x', list: [1, null], nans: [NaN], other: [2] };
const LISTS = [[null], [NaN], [null, 1], [1, NaN, 2], [null, NaN], [[1, null], 2]];

/** @type {Awaited<ReturnType<typeof openDatabase>>} */
let emulator;
before(async () => { emulator = await openDatabase(); });
after(() => emulator.stop());

for (const op of /** @type {const} */ (['in', 'not-in', 'array-contains-any'])) {
  test(op, async (t) => {
    const app = initializeApp({ projectId: emulator.projectId, apiKey: 'x' }, op);
    const sdk = getFirestore(app);
    const [host = '', port] = emulator.host.split(':');
    connectFirestoreEmulator(sdk, host, Number(port));
    const db = await connect({ projectId: emulator.projectId, host: emulator.url, storage: 'memory' });
    t.after(() => Promise.all([db.close(), terminate(sdk), deleteApp(app)]));
    for (const [id, v] of Object.entries(VALUES)) await setDoc(doc(sdk, 'rows', id), { shard: 'a', timestamp: 1, ...(v === undefined ? {} : { v }) });
    for (const list of LISTS) {
      if (op === 'array-contains-any' && list.some(Array.isArray)) continue;
      const expected = (await getDocs(query(collection(sdk, 'rows'), where('v', op, list)))).docs.map(({ id }) => id).sort();
      for (const rows of [db.collection('rows'), db.shardedCollection('rows', { shards: ['a', 'b'] })]) {
        const found = (await rows.where('v', op, list).get()).docs.map(({ id }) => id).sort();
        assert.deepEqual(found, expected, JSON.stringify(list));
      }
    }
  });
}
