// The entry `shardline/firebase`: connect() takes an app of Firebase's SDK, or one of firebase-admin.

import { optionsOf } from './firebase_app.js';
import { reviversOf } from './firebase_values.js';
import { readOptions } from './options.js';
import { open } from './whole.js';

export * from './everything.js';

/**
 * @typedef {import('./firebase_app.js').AppOptions} AppOptions
 * @typedef {import('./firebase_app.js').Auth} Auth
 * @typedef {import('./firebase_app.js').Credential} Credential
 * @typedef {import('./firebase_app.js').FirebaseApp} FirebaseApp
 * @typedef {import('./firebase_app.js').FirestoreInstance} FirestoreInstance
 * @typedef {import('./firebase_values.js').FirebaseValues} FirebaseValues
 *
 * @typedef {AppOptions & {values?: FirebaseValues}} FirebaseOptions `values`: for documents in Firebase's own classes.
 */

/**
 * Opens a connection to a Firestore database of a Firebase app. Resolves when the signed-in user is known. Call getAuth() and initializeAppCheck()
 * before.
 * @param {FirebaseApp} app
 * @param {FirebaseOptions} [options]
 * @returns {Promise<import('./everything.js').Database>}
 */
export async function connect(app, options) {
  const { values, ...more } = readOptions('connect', options);
  const how = await optionsOf(app, more);
  return open(how, reviversOf(values, more.firestore));
}
