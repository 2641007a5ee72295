/** Live totals over the stream of Google's emulator. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openDatabase } from './support/database.js';
import { openClient, testLiveTotals } from './support/live_totals.js';
import { userToken } from './support/rest.js';
import { until } from './support/until.js';

/** @type {Awaited<ReturnType<typeof openDatabase>>} */
let database;
before(async () => {
  database = await openDatabase();
});
after(() => database.stop());

testLiveTotals(() => ({ host: database.exactUrl, fetch: globalThis.fetch }), { isGoogles: true });

test('rules that refuse the list of shards, and a user who changes', async (t) => {
  const guarded = await openDatabase({ rules: `rules_version = '2';
service cloud.firestore { match /databases/{d}/documents {
  match /shardline_markers/{m} { allow read, write; }
  match /posts/{p} { allow read, write; match /shards/{s} { allow write; allow read: if request.auth.uid == 'ann'; } } } }` });
  t.after(() => guarded.stop());
  let token = userToken('ann');
  const { db, seen } = await openClient(t, guarded.exactUrl, globalThis.fetch, guarded.projectId, { authToken: () => token });
  const counter = db.counter('posts/p1', { shards: 3, flushMs: 0 });
  await counter.create();
  await counter.increment(4);
  /** @type {import('shardline').LiveTotal[]} */
  const totals = [];
  t.after(counter.watch((total) => totals.push(total), { intervalMs: 20 }));
  await until(() => seen.heard > 0 && totals.at(-1)?.value === 4);
  token = userToken('bob');
  // The stream is opened again for bob, and refused; then the answer to the question says why.
  await counter.increment();
  await until(() => totals.at(-1)?.state === 'error', 'the refusal');
  assert.equal(totals.at(-1)?.error?.code, 'permission-denied');
});
