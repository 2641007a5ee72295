// The entry `shardline/firebase-counters`: like `shardline/counters`. Its connect() takes an app of Firebase's SDK.

import { CounterDatabase } from './counter_database.js';
import { takeConnectOptions } from './counter_options.js';
import { optionsOf } from './firebase_app.js';
import { openLight } from './open_light.js';
import { readOptions } from './options.js';

export * from './counter_exports.js';

/**
 * @typedef {import('./firebase_app.js').AppOptions} AppOptions
 * @typedef {import('./firebase_app.js').Auth} Auth
 * @typedef {import('./firebase_app.js').Credential} Credential
 * @typedef {import('./firebase_app.js').FirebaseApp} FirebaseApp
 * @typedef {import('./firebase_app.js').FirestoreInstance} FirestoreInstance
 */

/**
 * Opens a connection to a Firestore database of a Firebase app, for counters and ids. Resolves when the signed-in user is known. Call getAuth() and
 * initializeAppCheck() before. The first download shows totals; the page fetches the rest when it has shown its first total, or when it counts (code
 * splitting).
 * @param {FirebaseApp} app
 * @param {AppOptions} [options]
 * @returns {Promise<CounterDatabase>}
 */
export async function connect(app, options) {
  const taken = takeConnectOptions(await optionsOf(app, readOptions('connect', options)));
  const { connection, outbox } = await openLight(taken, () => import('./counters_press.js'));
  return new CounterDatabase(connection, outbox);
}
