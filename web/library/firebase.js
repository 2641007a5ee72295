// The entry `shardline/firebase`: connect() takes an app of Firebase's SDK, with its project, its user and its App Check.
// Nothing of the SDK is imported. What is used of it is public, but for the container of an app's parts, by which its own packages find
// each other.

import { invalidArgument } from './errors.js';
import { connect as connectTo } from './index.js';

export * from './everything.js';

/**
 * @typedef {object} FirebaseApp What initializeApp() returns.
 * @property {{projectId?: string, apiKey?: string}} options
 *
 * @typedef {object} Auth What getAuth() returns.
 * @property {{uid: string, getIdToken: (forceRefresh?: boolean) => Promise<string>} | null} currentUser
 * @property {() => Promise<void>} authStateReady
 *
 * @typedef {object} FirestoreInstance What getFirestore() returns.
 * @property {() => object} toJSON
 *
 * @typedef {Partial<import('./everything.js').ConnectOptions> & {auth?: Auth, firestore?: FirestoreInstance}} FirebaseOptions As for connect().
 *   By default `projectId` and `apiKey` are the app's, `authToken`, `user` and `appCheckToken` are those of its user and its App Check.
 *   `auth`: what getAuth() has returned, if it is not the app's own. `firestore`: what getFirestore() has returned, to take from it the
 *   database and, after connectFirestoreEmulator(), the host.
 */

/**
 * Opens a connection to a Firestore database of a Firebase app. Resolves when it is known who is signed in; call getAuth() and
 * initializeAppCheck() before.
 * @param {FirebaseApp} app
 * @param {FirebaseOptions} [options]
 * @returns {Promise<import('./everything.js').Database>}
 */
export async function connect(app, { auth, firestore, ...options } = {}) {
  const { projectId, apiKey } = app?.options ?? {};
  if (typeof projectId !== 'string') {
    throw invalidArgument('connect() needs a FirebaseApp whose options have a projectId: connect(initializeApp({ projectId: … })).');
  }
  const authOf = () => auth ?? /** @type {Auth | undefined} */ (partOf(app, 'auth'));
  await authOf()?.authStateReady();
  return connectTo({
    projectId,
    apiKey,
    authToken: async ({ forceRefresh }) => {
      const now = authOf();
      await now?.authStateReady();
      return await now?.currentUser?.getIdToken(forceRefresh) ?? null;
    },
    user: () => authOf()?.currentUser?.uid ?? null,
    ...(partOf(app, 'app-check') ? { appCheckToken: async ({ forceRefresh }) => (await partOf(app, 'app-check-internal', true).getToken(forceRefresh)).token } : {}),
    ...settingsOf(firestore),
    ...options,
  });
}

/**
 * @param {any} app
 * @param {string} name
 * @param {boolean} [mayStart] Whether it is started, if it is not.
 */
function partOf(app, name, mayStart = false) {
  const provider = app.container?.getProvider(name);
  return mayStart || provider?.isInitialized() ? provider.getImmediate() : undefined;
}

/** @param {any} [firestore] */
function settingsOf(firestore) {
  if (firestore === undefined) return {};
  const { databaseId: { database } = {}, settings: { host = undefined, ssl = true } = {} } = firestore?.toJSON?.() ?? {};
  if (typeof database !== 'string') throw invalidArgument('The option `firestore` must be what getFirestore() has returned.');
  return { databaseId: database, ...(host === undefined ? {} : { host: `${ssl ? 'https' : 'http'}://${host}` }) };
}
