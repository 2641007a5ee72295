/** The entry `shardline/firebase-counters`: with an app as `shardline/firebase` takes it, and no collections. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from 'shardline/firebase-counters';
import { emulator, testApps } from './support/firebase_apps.js';

testApps(connect);

test('what is no app, and what only `shardline/firebase` takes', async () => {
  const app = { options: { projectId: emulator.projectId } };
  for (const wrong of [undefined, {}, { options: {} }]) await assert.rejects(connect(/** @type {any} */ (wrong)), { code: 'invalid-argument', message: /FirebaseApp/ });
  await assert.rejects(connect(app, /** @type {any} */ ({ values: {} })), { code: 'invalid-argument', message: /no option “values”/ });
  const db = await connect(app, { host: emulator.exactUrl });
  assert.throws(() => /** @type {any} */ (db).shardedCollection('rows'), { reason: 'method-missing' });
  await db.close();
});
