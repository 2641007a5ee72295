/**
 * `shardline/firebase` in a page beside Firebase's own SDK: its app, its sign-in, its App Check, its Firestore with streams. Google's
 * emulator has rules that ask who is there; a proxy before it sees with which tokens.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../bench/bundle.js';
import { serve } from '../emulator/support/command_line.js';
import { faults, startFaultProxy } from '../emulator/support/fault_proxy.js';
import { loadRules } from '../emulator/support/rules_world.js';
import { claimsOf, IdentityServer } from './support/identity_server.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /posts/{rest=**} { allow read, write: if request.auth != null; }
    match /shardline_markers/{id} { allow get, create: if true; }
    match /open/{rest=**} { allow read, write: if true; }
  }
}`;
const SDK = `export * as app from 'firebase/app';
export * as auth from 'firebase/auth';
export * as appCheck from 'firebase/app-check';
export * as firestore from 'firebase/firestore';
`;
const MAIN = `
import { app, appCheck, auth, firestore } from './sdk.js';
import { connect } from './node_modules/shardline/library/firebase.js';
Object.assign(globalThis, { sdk: firestore });

/** As an app begins; who was signed in is still so. */
globalThis.begin = async ({ host, projectId, identity, hasAppCheck }) => {
  const one = app.initializeApp({ projectId, apiKey: 'key' });
  globalThis.auth = auth.initializeAuth(one, { persistence: auth.indexedDBLocalPersistence });
  auth.connectAuthEmulator(globalThis.auth, identity, { disableWarnings: true });
  let tokens = 0;
  globalThis.startAppCheck = () => {
    const getToken = async () => ({ token: 'app-check-' + (tokens += 1), expireTimeMillis: Date.now() + 3_600_000 });
    appCheck.initializeAppCheck(one, { provider: new appCheck.CustomProvider({ getToken }), isTokenAutoRefreshEnabled: false });
  };
  if (hasAppCheck) startAppCheck();
  globalThis.database = firestore.getFirestore(one);
  const [name, port] = host.split('//')[1].split(':');
  firestore.connectFirestoreEmulator(database, name, Number(port));
  const db = await connect(one, { firestore: database, retry: { initialDelayMs: 20, maxDelayMs: 200 } });
  globalThis.db = db;
  globalThis.likes = db.counter('posts/p1', { shards: 3, flushMs: 0 });
};
globalThis.signIn = () => auth.signInAnonymously(globalThis.auth).then(({ user }) => user.uid);
globalThis.signOut = () => auth.signOut(globalThis.auth);
globalThis.increment = (delta) => likes.increment(delta).then(() => 'counted', ({ code }) => code);
globalThis.total = () => likes.get().then(({ value }) => value, ({ code }) => code);
globalThis.isReady = true;
`;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let site;
/** @type {Awaited<ReturnType<typeof startFaultProxy>>} */
let proxy;
/** @type {IdentityServer} */
let identity;
/** Its own for each test, with the rules. @type {string} */
let projectId;

test.beforeAll(async () => {
  const folder = await makeApp('firebase-page', { ...EMPTY_PAGE, 'main.js': MAIN });
  await writeFile(join(folder, 'sdk.js'), await bundle(SDK));
  site = await serveFolder(folder);
  proxy = await startFaultProxy({ target: places.emulator });
});
test.afterAll(async () => {
  await Promise.all([site.stop(), proxy.stop()]);
});
test.beforeEach(async ({ watch }) => {
  watch.expectFailedRequests();
  ({ projectId } = await loadRules(places.emulator, RULES));
  identity = await new IdentityServer().start();
  proxy.reset();
});
test.afterEach(() => identity.stop());

/** @typedef {import('@playwright/test').Page} Page */

/** @param {Page} page */
async function open(page) {
  await page.goto(site.url);
  await page.waitForFunction('globalThis.isReady');
}

/** @param {Page} page @param {{host?: string, hasAppCheck?: boolean}} [options] */
const begin = (page, { host = proxy.url, hasAppCheck = false } = {}) =>
  page.evaluate((options) => globalThis.begin(options), { host, projectId, identity: identity.url, hasAppCheck });

/** @param {Page} page @param {number} delta @returns {Promise<string>} */
const increment = (page, delta) => page.evaluate((by) => globalThis.increment(by), delta);
/** @param {Page} page @returns {Promise<string>} */
const signIn = (page) => page.evaluate(() => globalThis.signIn());
/** @param {Page} page @returns {Promise<number | string>} */
const total = (page) => page.evaluate(() => globalThis.total());

/** The users of the requests since proxy.reset(); null for a request without a user. */
const senders = () => [...new Set(proxy.requests.map(({ headers }) => (headers.authorization ? claimsOf(headers.authorization).uid : null)))];

test('who signs in later counts under their own token; whoever has signed out sends none', async ({ page }) => {
  await open(page);
  await begin(page);
  expect(await increment(page, 1)).toBe('permission-denied');
  expect(senders()).toEqual([null]);
  proxy.reset();
  const ann = await signIn(page);
  expect(await increment(page, 2)).toBe('counted');
  expect(await total(page)).toBe(2);
  expect(senders()).toEqual([ann]);
  await page.evaluate(() => globalThis.signOut());
  proxy.reset();
  expect(await increment(page, 4)).toBe('permission-denied');
  expect(await total(page)).toBe('permission-denied');
  expect(senders()).toEqual([null]);
  proxy.reset();
  const ben = await signIn(page);
  expect(ben).not.toBe(ann);
  expect(await increment(page, 8)).toBe('counted');
  expect(await total(page)).toBe(10);
  expect(senders()).toEqual([ben]);
});

test('after a reload nothing is sent before the SDK knows who is there', async ({ page }) => {
  await open(page);
  await begin(page);
  const ann = await signIn(page);
  expect(await increment(page, 1)).toBe('counted');
  let release = () => {};
  identity.held = new Promise((resolve) => { release = () => resolve(undefined); });
  identity.asked.length = 0;
  await open(page);
  proxy.reset();
  const begun = begin(page).then(() => 'begun');
  await expect.poll(() => identity.asked).toContain('lookup');
  expect(await Promise.race([begun, page.evaluate(() => 'still waiting')])).toBe('still waiting');
  release();
  await begun;
  expect(await increment(page, 2)).toBe('counted');
  expect(await total(page)).toBe(3);
  expect(senders()).toEqual([ann]);
});

test('tokens are refreshed when they end, and when the server refuses them', async ({ page }) => {
  await open(page);
  await begin(page);
  await signIn(page);
  expect(await increment(page, 1)).toBe('counted');
  const first = identity.lastToken;
  const numbers = () => proxy.requests.map(({ headers }) => claimsOf(headers.authorization ?? '').number);
  expect(new Set(numbers())).toEqual(new Set([first]));

  proxy.reset();
  proxy.script(faults.unauthenticated());
  expect(await total(page)).toBe(1);
  expect(identity.asked.filter((method) => method === 'token')).toHaveLength(1);
  const second = identity.lastToken;
  expect(second).not.toBe(first);
  expect(numbers()).toEqual([first, second]);

  // The next one ends at once, so that each request needs another.
  identity.secondsOfTokens = 5;
  proxy.reset();
  proxy.script(faults.unauthenticated());
  expect(await total(page)).toBe(1);
  proxy.reset();
  expect(await increment(page, 2)).toBe('counted');
  expect(await total(page)).toBe(3);
  expect(numbers().at(-1)).toBe(identity.lastToken);
  expect(new Set(numbers()).size).toBe(numbers().length);
});

test('App Check’s token goes with every request, is renewed when it is refused, and is none before there is App Check', async ({ page }) => {
  const tokens = () => [...new Set(proxy.requests.map(({ headers }) => headers['x-firebase-appcheck']))];
  await open(page);
  await begin(page);
  await signIn(page);
  expect(await increment(page, 1)).toBe('counted');
  expect(tokens()).toEqual([undefined]);
  proxy.reset();
  await page.evaluate(() => globalThis.startAppCheck());
  expect(await increment(page, 2)).toBe('counted');
  expect(await total(page)).toBe(3);
  expect(proxy.count()).toBeGreaterThan(1);
  expect(tokens()).toEqual(['app-check-1']);
  proxy.reset();
  proxy.script(faults.unauthenticated());
  expect(await total(page)).toBe(3);
  expect(tokens()).toEqual(['app-check-1', 'app-check-2']);

  await open(page);
  proxy.reset();
  await begin(page, { hasAppCheck: true });
  expect(await increment(page, 4)).toBe('counted');
  expect(tokens()).toEqual([expect.stringMatching(/^app-check-/)]);
});

test('on `shardline serve` the SDK hears through its stream what Shardline writes, with all tokens', { tag: '@long' }, async ({ page }) => {
  const firestore = await serve();
  await open(page);
  await begin(page, { host: firestore.url, hasAppCheck: true });
  await signIn(page);
  const heard = await page.evaluate(async () => {
    const { db, sdk, database, likes } = /** @type {any} */ (globalThis);
    const rows = db.shardedCollection('rows', { shards: 3, shardField: 'shard', orderField: 'at' });
    /** @type {(() => void)[]} */
    const stops = [];
    const shows = (/** @type {any} */ watched, /** @type {(snapshot: any) => unknown} */ read, /** @type {string} */ wanted) => new Promise((resolve, reject) => {
      stops.push(sdk.onSnapshot(watched, (/** @type {any} */ snapshot) => {
        if (String(read(snapshot)) === wanted) resolve(wanted);
      }, reject));
    });
    const counted = shows(sdk.collection(database, 'posts/p1/shards'), ({ docs }) => docs.reduce((/** @type {number} */ sum, /** @type {any} */ doc) => sum + doc.data().count, 0), '5');
    const listed = shows(sdk.collection(database, 'rows'), ({ docs }) => docs.map((/** @type {any} */ doc) => doc.data().text), 'hello');
    await likes.create();
    await likes.increment(5);
    await rows.add({ at: sdk.Timestamp.now(), text: 'hello', made: sdk.serverTimestamp() });
    const all = await Promise.all([counted, listed]);
    for (const stop of stops) stop();
    await sdk.terminate(database);
    return all;
  });
  expect(heard).toEqual(['5', 'hello']);
  await firestore.stop();
});
