/** Apps of Firebase's own SDK, and of firebase-admin, that count: for each entry that takes one. The emulator's rules ask who is there. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, initializeApp } from 'firebase/app';
import { Firestore as AdminFirestore } from '@google-cloud/firestore';
import * as sdk from 'firebase/firestore/lite';
import { connect as connectPlainly } from 'shardline';
import { Database } from './database.js';

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /posts/{id}/{rest=**} { allow read, write: if request.auth != null; }
    match /posts/{id} { allow read, write: if request.auth != null; }
    match /shardline_markers/{id} { allow get, create: if true; }
    match /open/{rest=**} { allow read, write: if true; }
  }
}`;

export const emulator = new Database({ rules: RULES });
const { projectId } = emulator;
const realFetch = globalThis.fetch;
/** The calls to Firebase's identity service. @type {string[]} */
const asked = [];
let people = 0;

const part = (/** @type {object} */ json) => Buffer.from(JSON.stringify(json)).toString('base64url');
const tokenOf = (/** @type {string} */ uid) => {
  const now = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: uid, user_id: uid, aud: projectId, iss: `https://securetoken.google.com/${projectId}`, iat: now, exp: now + 3600, auth_time: now, firebase: { identities: {}, sign_in_provider: 'anonymous' } })}.`;
};

// Answers as Firebase's identity service does when a user signs in anonymously. The SDK takes fetch when it is imported.
globalThis.fetch = async (input, init) => {
  const url = String(input);
  const [, method] = /^https:\/\/(?:identitytoolkit|securetoken)\.googleapis\.com\/v1\/(?:accounts:)?(\w+)/.exec(url) ?? [];
  if (!method) return realFetch(input, init);
  asked.push(method);
  if (method === 'signUp') people += 1;
  const uid = `person${people}`;
  const token = tokenOf(uid);
  return Response.json({
    signUp: { idToken: token, refreshToken: 'refresh', expiresIn: '3600', localId: uid },
    lookup: { users: [{ localId: uid, providerUserInfo: [], lastLoginAt: '0', createdAt: '0' }] },
    token: { access_token: token, id_token: token, refresh_token: 'refresh', expires_in: '3600', user_id: uid, project_id: projectId },
  }[method] ?? {});
};
const { getAuth, inMemoryPersistence, initializeAuth, signInAnonymously, signOut } = await import('firebase/auth');

before(() => emulator.start());
after(async () => {
  globalThis.fetch = realFetch;
  await emulator.stop();
});

/** @param {string} name */
export function makeApp(name) {
  const app = initializeApp({ projectId, apiKey: 'key' }, name);
  const firestore = sdk.getFirestore(app);
  sdk.connectFirestoreEmulator(firestore, '127.0.0.1', emulator.port);
  return { app, firestore };
}

/** An app of firebase-admin. @param {object} [credential] @param {object} [options] */
function adminApp(credential, options) {
  /** How often it was asked for a token. */
  const calls = { tokens: 0 };
  const getAccessToken = async () => {
    calls.tokens += 1;
    return { access_token: 'of-the-account', expires_in: 3600 };
  };
  return { calls, app: { name: '[DEFAULT]', options: { credential: { getAccessToken, ...credential }, ...options } } };
}

/** Variables of the environment, until the test ends. @param {import('node:test').TestContext} t @param {Record<string, string>} variables */
function setVariables(t, variables) {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => (before === undefined ? delete process.env[name] : process.env[name] = before));
  }
}

/**
 * The tests of an entry whose connect() takes an app.
 * @param {(app: import('shardline/firebase').FirebaseApp, options?: import('shardline/firebase').AppOptions) => Promise<import('shardline/counters').Database>} connect
 */
export function testApps(connect) {
  test('who is signed in counts, under their own token; whoever signs out does not', async () => {
    const { app, firestore } = makeApp('counting');
    const auth = initializeAuth(app, { persistence: inMemoryPersistence });
    const warnings = /** @type {import('shardline').ShardlineError[]} */ ([]);
    const db = await connect(app, { firestore, onWarning: (warning) => warnings.push(warning) });
    const likes = db.counter('posts/p1', { shards: 3, flushMs: 0 });
    await assert.rejects(likes.increment(), { code: 'permission-denied' });
    await signInAnonymously(auth);
    await likes.create();
    await likes.increment(2);
    assert.equal((await likes.get()).value, 2);
    await signOut(auth);
    await assert.rejects(likes.increment(), { code: 'permission-denied' });
    await assert.rejects(likes.get(), { code: 'permission-denied' });
    await signInAnonymously(auth);
    await likes.increment(5);
    assert.equal((await likes.get()).value, 7);
    const refreshed = asked.filter((method) => method === 'token').length;
    await auth.currentUser?.getIdToken(true);
    assert.equal(asked.filter((method) => method === 'token').length, refreshed + 1);
    assert.equal((await likes.get()).value, 7);
    await db.close();
    await deleteApp(app);
  });

  test('a first visitor counts before the anonymous sign-in has ended: that goes without a token, and is counted or refused by the rules', async () => {
    const { app, firestore } = makeApp('first-visit');
    const auth = initializeAuth(app, { persistence: inMemoryPersistence });
    const db = await connect(app, { firestore });
    const [open, closed] = ['open/visits', 'posts/visits'].map((path) => db.counter(path, { shards: 2, flushMs: 1000 }));
    const [counted, refused] = [open?.increment(), closed?.increment()];
    const isRefused = assert.rejects(refused ?? Promise.resolve(), { code: 'permission-denied' });
    await signInAnonymously(auth);
    await Promise.all([counted, isRefused]);
    assert.deepEqual([open?.pending, closed?.pending, (await open?.get())?.value], [0, 0, 1]);
    await closed?.increment(2);
    assert.equal((await closed?.get())?.value, 2);
    await db.close();
    await deleteApp(app);
  });

  test('an app without sign-in, and auth that is passed', async () => {
    const { app, firestore } = makeApp('open');
    const db = await connect(app, { firestore });
    const count = db.counter('open/c', { shards: 2, flushMs: 0 });
    await count.increment();
    assert.equal((await count.get()).value, 1);
    await db.close();
    const { app: other } = makeApp('other');
    const auth = getAuth(other);
    await signInAnonymously(auth);
    const byOther = await connect(app, { firestore, auth });
    await byOther.counter('posts/p2', { shards: 2, flushMs: 0 }).increment();
    await byOther.close();
    await Promise.all([deleteApp(app), deleteApp(other)]);
  });

  test('an app of firebase-admin counts under the token of its account', async () => {
    const app = { options: { projectId, credential: { getAccessToken: async () => ({ access_token: 'owner', expires_in: 3600 }) } } };
    const db = await connect(app, { host: emulator.url });
    const count = db.counter('posts/by-server', { shards: 2, flushMs: 0 });
    await count.increment(3);
    assert.deepEqual(await count.increment(1, { key: 'event' }), { counted: true });
    assert.equal((await count.get()).value, 4);
    await db.close();
  });

  test('an app of firebase-admin goes to the emulator that the environment names, and shows it no real token', async (t) => {
    setVariables(t, { FIRESTORE_EMULATOR_HOST: emulator.host });
    const { app, calls } = adminApp({}, { projectId });
    const firestore = new AdminFirestore({ projectId });
    for (const options of [undefined, { firestore }]) {
      const db = await connect(app, options);
      await db.counter('posts/by-emulator', { shards: 2, flushMs: 0 }).increment(3);
      await db.close();
    }
    const db = await connectPlainly({ projectId, host: emulator.url, authToken: () => 'owner' });
    assert.deepEqual([(await db.counter('posts/by-emulator').get()).value, calls.tokens], [6, 0]);
    await db.close();
    // The option `host` goes before the environment.
    /** @type {string[]} */
    const asked = [];
    const given = await connect(app, { host: 'https://other.invalid', retry: { maxAttempts: 1 }, fetch: async (input, init) => {
      asked.push(new URL(String(input)).origin, new Headers(init?.headers).get('Authorization') ?? '');
      throw new TypeError('Failed to fetch');
    } });
    await given.counter('posts/p1', { shards: 2 }).get().catch(() => {});
    await given.close();
    assert.deepEqual(asked, ['https://other.invalid', 'Bearer of-the-account']);
    await firestore.terminate();
  });

  test('an app of firebase-admin has the project of its credential, of the environment, or of its surroundings', async (t) => {
    setVariables(t, { FIRESTORE_EMULATOR_HOST: '', GOOGLE_CLOUD_PROJECT: '', GCLOUD_PROJECT: '' });
    /** @param {object} credential @param {object} [options] */
    const projectOf = async (credential, options) => {
      /** @type {string[]} */
      const paths = [];
      const { app } = adminApp(credential);
      const db = await connect(app, { retry: { maxAttempts: 1 }, fetch: async (input) => {
        paths.push(new URL(String(input)).pathname);
        throw new TypeError('Failed to fetch');
      }, ...options });
      await db.counter('posts/p1', { shards: 2 }).get().catch(() => {});
      await db.close();
      return /projects\/([^/]*)/.exec(paths[0] ?? '')?.[1];
    };
    assert.equal(await projectOf({ projectId: 'of-the-key' }), 'of-the-key');
    assert.equal(await projectOf({ projectId: 'of-the-key' }, { projectId: 'given' }), 'given');
    assert.equal(await projectOf({}, { projectId: 'given' }), 'given');
    assert.equal(await projectOf({ getProjectId: async () => 'found' }), 'found');
    for (const credential of [{}, { getProjectId: async () => { throw new Error('Unable to detect a Project Id.'); } }]) {
      await assert.rejects(projectOf(credential), { code: 'invalid-argument', message: /connect\(app, \{ projectId: … \}\)/ });
    }
    setVariables(t, { GCLOUD_PROJECT: 'of-the-function' });
    assert.equal(await projectOf({}), 'of-the-function');
    setVariables(t, { GOOGLE_CLOUD_PROJECT: 'of-the-cloud' });
    assert.equal(await projectOf({}), 'of-the-cloud');
    await assert.rejects(projectOf({ projectId: 'of-the-key' }, { firestore: new AdminFirestore({ projectId: 'else' }) }), { code: 'invalid-argument', message: /else/ });
  });

  test('sign-in that is set up late: nothing is filed under nobody while it is not known who is there', async () => {
    let isInitialized = false;
    /** @type {() => void} */
    let restore = () => {};
    const restored = new Promise((resolve) => { restore = () => resolve(undefined); });
    const auth = { currentUser: /** @type {any} */ (null), authStateReady: () => restored };
    const app = { options: { projectId }, container: { getProvider: (/** @type {string} */ name) => ({ isInitialized: () => name === 'auth' && isInitialized, getImmediate: () => auth }) } };
    const db = await connect(/** @type {any} */ (app), { host: emulator.exactUrl });
    isInitialized = true;
    const likes = db.counter('posts/late', { shards: 2, flushMs: 0 });
    await assert.rejects(likes.increment(), { code: 'unauthenticated' });
    assert.equal(likes.pending, 0);
    auth.currentUser = { uid: 'late', getIdToken: async () => tokenOf('late') };
    restore();
    await new Promise((resolve) => setImmediate(resolve));
    await likes.increment(3);
    assert.equal((await likes.get()).value, 3);
    await db.close();
  });

  test('another user comes while a token is made: what is asked goes under the token of who is there then', async () => {
    let isAnn = true;
    let made = 0;
    const userOf = (/** @type {string} */ uid) => ({
      uid,
      getIdToken: async () => {
        made += 1;
        isAnn = false;
        return tokenOf(uid);
      },
    });
    const [ann, ben] = [userOf('ann'), userOf('ben')];
    const auth = { get currentUser() { return isAnn ? ann : ben; }, authStateReady: async () => {} };
    const app = { options: { projectId }, container: { getProvider: (/** @type {string} */ name) => ({ isInitialized: () => name === 'auth', getImmediate: () => auth }) } };
    const db = await connect(/** @type {any} */ (app), { host: emulator.exactUrl });
    const likes = db.counter('posts/changed', { shards: 2, flushMs: 0 });
    assert.equal((await likes.get()).value, 0);
    assert.equal(made, 2);
    await likes.increment(3);
    assert.equal((await likes.get()).value, 3);
    await db.close();
  });

  test('an Auth without authStateReady() is waited for by its first call', async () => {
    /** @type {(() => void) | null} */
    let restore = null;
    let listening = 0;
    const auth = {
      currentUser: /** @type {any} */ (null),
      onAuthStateChanged(/** @type {() => void} */ next) {
        listening += 1;
        restore = next;
        return () => { listening -= 1; };
      },
    };
    const app = { options: { projectId } };
    let isOpen = false;
    const opening = connect(/** @type {any} */ (app), { host: emulator.exactUrl, auth }).then((db) => {
      isOpen = true;
      return db;
    });
    await new Promise((resolve) => { setImmediate(resolve); });
    assert.equal(isOpen, false);
    auth.currentUser = { uid: 'ann', getIdToken: async () => tokenOf('ann') };
    /** @type {any} */ (restore)();
    const db = await opening;
    assert.equal(listening, 0);
    await db.counter('posts/restored', { shards: 2, flushMs: 0 }).increment();
    await db.close();
  });

  test('what is given goes before what the app says', async () => {
    const { app, firestore } = makeApp('given');
    /** @type {string[]} */
    const hosts = [];
    const spy = (/** @type {any} */ input) => { hosts.push(new URL(String(input)).origin); return Promise.reject(new TypeError('Failed to fetch')); };
    const ask = async (/** @type {object} */ options) => {
      hosts.length = 0;
      const db = await connect(app, { firestore, retry: { maxAttempts: 1 }, ...options });
      await db.counter('open/c').get({ source: 'shards' }).catch(() => {});
      await db.close();
      return hosts[0];
    };
    const here = emulator.exactUrl;
    assert.equal(await ask({ fetch: spy }), here);
    assert.equal(await ask({ fetch: spy, host: undefined }), here);
    assert.equal(await ask({ fetch: spy, host: 'http://other.invalid' }), 'http://other.invalid');
    assert.equal(await ask({ fetch: Object.assign(spy.bind(null), { host: 'http://simulator.invalid' }) }), 'http://simulator.invalid');
    const { firestore: others } = { firestore: sdk.getFirestore(initializeApp({ projectId: 'else', apiKey: 'key' }, 'else')) };
    await assert.rejects(connect(app, { firestore: others }), { code: 'invalid-argument', message: /else/ });
    await deleteApp(app);
  });
}
