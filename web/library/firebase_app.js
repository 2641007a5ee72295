// Reads an app of Firebase's SDK for connect(): its project, its user and its App Check. Or an app of firebase-admin, which has an account of its
// own. This imports nothing from the SDK. It uses the SDK's public parts, and an app's dependency-injection container, in which the SDK's own
// packages find each other.

import { ShardlineError, invalidArgument, notAllowed, optionNotAllowed } from './errors.js';
import { readable } from './options.js';

/**
 * @typedef {object} FirebaseApp What initializeApp() returns.
 * @property {{projectId?: string, apiKey?: string, credential?: Credential}} options `credential`: of an app of firebase-admin.
 *
 * @typedef {object} Credential The credential of an account: the result of cert() or applicationDefault().
 * @property {() => Promise<{access_token: string}>} getAccessToken
 *
 * @typedef {object} Auth What getAuth() returns.
 * @property {{uid: string, getIdToken: (forceRefresh?: boolean) => Promise<string>} | null} currentUser
 * @property {() => Promise<void>} [authStateReady] Firebase's SDK has it from 10.1 on.
 * @property {(next: () => void) => () => void} [onAuthStateChanged] Takes its place in older ones, and in the namespaced API.
 *
 * @typedef {{toJSON: () => object} | {databaseId: string}} FirestoreInstance What getFirestore() returns: of Firebase's SDK, or of
 *   firebase-admin.
 *
 * @typedef {Partial<import('./counter_database.js').ConnectOptions> & {auth?: Auth, firestore?: FirestoreInstance}} AppOptions As for connect(). By
 *   default `projectId` and `apiKey` are the app's, and `authToken`, `user` and `appCheckToken` come from its user and its App Check. An app of
 *   firebase-admin has the project that its credential or the environment names, and goes to the emulator that `FIRESTORE_EMULATOR_HOST` names.
 *   `auth`: the result of getAuth(), if it is not the app's own. `firestore`: the result of getFirestore(), which names the database and, after
 *   connectFirestoreEmulator(), the host.
 */

/**
 * The options of a connection to the project of a Firebase app. Resolves when the signed-in user is known.
 * @param {FirebaseApp} app
 * @param {AppOptions} options
 * @returns {Promise<import('./counter_database.js').ConnectOptions>}
 */
export async function optionsOf(app, options) {
  const { auth, firestore, ...more } = options;
  const [apiKey, credential, named] = readable('app', () => [app?.options?.apiKey, app?.options?.credential, app?.options?.projectId], 'The options of the app');
  const projectId = more.projectId ?? named ?? (app?.options && credential ? await projectOf(credential) : undefined);
  if (typeof projectId !== 'string' || !app?.options) {
    throw notAllowed('app', 'a FirebaseApp whose project is known',
      'connect() needs a FirebaseApp whose options have a projectId; or say it here: connect(app, { projectId: … }).');
  }
  if (auth !== undefined && !isAuth(auth)) throw optionNotAllowed('auth', 'the result of getAuth()');
  const settings = settingsOf(firestore, projectId);
  /** The Auth objects whose signed-in user is known. @type {WeakSet<Auth>} */
  const ready = new WeakSet();
  const authOf = () => auth ?? /** @type {Auth | undefined} */ (partOf(app, 'auth'));
  const settled = async () => {
    const now = authOf();
    if (now && !ready.has(now)) {
      await restored(now);
      ready.add(now);
    }
    return now?.currentUser;
  };
  await settled();
  // A `fetch` that replaces the network has a host of its own.
  const host = more.host ?? readable('fetch', () => more.fetch?.host) ?? emulatorOf(credential) ?? settings.host;
  // Like in firebase-admin: emulators accept this as the token of an account, and must not get a real one.
  const accountToken = async () => (String(host).startsWith('http:') ? 'owner' : (await credential?.getAccessToken())?.access_token);
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
  return {
    projectId,
    apiKey,
    authToken: async ({ forceRefresh }) => (
      await (await settled())?.getIdToken(forceRefresh) ?? (credential && await accountToken()) ?? null),
    user: () => {
      const now = authOf();
      if (!now || ready.has(now)) return now?.currentUser?.uid ?? null;
      settled().catch(() => {}); // Asked again the next time.
      throw new ShardlineError('unauthenticated', 'It is not known yet who is signed in.', { reason: 'user-not-known' });
    },
    appCheckToken: async ({ forceRefresh }) => (
      partOf(app, 'app-check') ? (await partOf(app, 'app-check-internal', true).getToken(forceRefresh)).token : null),
    ...settings,
    ...given,
    host,
  };
}

/**
 * Resolves when the signed-in user is known.
 * @param {Auth} auth
 */
async function restored(auth) {
  if (auth.authStateReady || !auth.onAuthStateChanged) return auth.authStateReady?.();
  // It may call back before it returns.
  let stop = () => {};
  await new Promise((resolve) => { stop = auth.onAuthStateChanged?.(() => resolve(undefined)) ?? stop; });
  stop();
}

/** @param {string} name Of a variable; browsers have none. */
function variable(name) {
  return /** @type {any} */ (globalThis).process?.env?.[name] || undefined;
}

/**
 * Finds the project of an account like firebase-admin.
 * @param {Credential & {projectId?: string, getProjectId?: () => Promise<string>}} credential
 */
async function projectOf(credential) {
  return credential.projectId ?? variable('GOOGLE_CLOUD_PROJECT') ?? variable('GCLOUD_PROJECT')
    // It asks the server's environment, and rejects if the environment has no project.
    ?? credential.getProjectId?.().catch(() => undefined);
}

/** @param {Credential | undefined} credential */
function emulatorOf(credential) {
  const emulator = credential && variable('FIRESTORE_EMULATOR_HOST');
  return emulator && `http://${emulator}`;
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

/** @param {any} auth */
function isAuth(auth) {
  return readable('auth', () => typeof auth === 'object' && auth !== null && 'currentUser' in auth
    && ['function', 'undefined'].includes(typeof auth.authStateReady));
}

/**
 * @param {any} firestore
 * @param {string} expected The app's project.
 * @returns {{databaseId?: string, host?: string}}
 */
function settingsOf(firestore, expected) {
  if (firestore === undefined) return {};
  const { databaseId, settings: { host = undefined, ssl = true } = {}, ...told } = readable('firestore', () => (
    // The object of firebase-admin has only its project, if it knows it.
    { databaseId: firestore?.databaseId, ...firestore?.toJSON?.() }));
  const { projectId, database } = typeof databaseId === 'string' ? { projectId: told.projectId ?? expected, database: databaseId } : { ...databaseId };
  if (typeof projectId !== 'string' || typeof database !== 'string' || !database) throw optionNotAllowed('firestore', 'the result of getFirestore()');
  if (projectId !== expected) {
    throw invalidArgument(`The option \`firestore\` is of the project ${projectId}, and the app of ${expected}.`, {
      reason: 'arguments-conflict',
      params: { argument: 'firestore', other: 'app' },
    });
  }
  return { databaseId: database, ...(host === undefined ? {} : { host: `${ssl ? 'https' : 'http'}://${host}` }) };
}
