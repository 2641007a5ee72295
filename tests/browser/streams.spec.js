/** firebase/firestore, with its streams, on `shardline serve`, and the same on Google's emulator. */
import { bundle } from '../bench/bundle.js';
import { serve } from '../emulator/support/command_line.js';
import { EMPTY_PAGE, makeApp } from './support/package.js';
import { places } from './support/places.js';
import { serveFolder } from './support/static_server.js';
import { expect, test } from './support/test.js';

const MAIN = `
import { initializeApp } from 'firebase/app';
import * as f from 'firebase/firestore';
globalThis.open = (host, options) => {
  const app = initializeApp({ projectId: 'streams' }, Math.random().toString());
  const db = f.initializeFirestore(app, options ?? {});
  const [name, port] = host.split(':');
  f.connectFirestoreEmulator(db, name, Number(port));
  return db;
};
Object.assign(globalThis, { f, isReady: true });
`;

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let site;
/** @type {Awaited<ReturnType<typeof serve>>} */
let firestore;
test.beforeAll(async () => {
  const main = Buffer.from(await bundle(MAIN)).toString();
  site = await serveFolder(await makeApp('streams-page', { ...EMPTY_PAGE, 'main.js': main }));
  firestore = await serve();
});
test.afterAll(async () => {
  await Promise.all([site.stop(), firestore.stop()]);
});
test.beforeEach(async ({ page }) => {
  await page.goto(site.url);
  await page.waitForFunction('globalThis.isReady');
});

/** What two clients see of each other. In the page. @param {{host: string, options?: object, run: string}} settings */
async function story({ host, options, run }) {
  const { f, open } = /** @type {any} */ (globalThis);
  const [ann, ben] = [open(host, options), open(host, options)];
  /** @type {any[]} */
  const told = [];
  const rows = (/** @type {any} */ db) => f.collection(db, `runs/${run}/rows`);
  const row = (/** @type {any} */ db, /** @type {string} */ id) => f.doc(rows(db), id);
  /** @type {(() => void)[]} */
  const stops = [];
  /** Resolves when the watched value is the wanted one, with nothing pending and from the server. */
  const shows = (/** @type {any} */ watched, /** @type {string} */ wanted) => new Promise((resolve, reject) => {
    stops.push(f.onSnapshot(watched, { includeMetadataChanges: true }, (/** @type {any} */ snapshot) => {
      const { fromCache, hasPendingWrites } = snapshot.metadata;
      const now = snapshot.docs ? snapshot.docs.map((/** @type {any} */ doc) => `${doc.id}=${doc.data().n}`).join() : String(snapshot.data()?.n);
      if (!fromCache && !hasPendingWrites && now === wanted) resolve(told.push(now));
    }, reject));
  });
  const ordered = f.query(rows(ben), f.where('n', '>', 0), f.orderBy('n'), f.limit(3));

  const first = shows(ordered, 'a=1,b=2,c=3');
  await Promise.all(['a', 'b', 'c', 'd'].map((id, n) => f.setDoc(row(ann, id), { n: n + 1, at: f.serverTimestamp() })));
  await first;
  told.push((await f.getDoc(row(ben, 'a'))).data().at instanceof f.Timestamp, (await f.getDoc(row(ben, 'none'))).exists());
  const changed = shows(ordered, 'b=2,a=3,c=3');
  await f.updateDoc(row(ann, 'a'), { n: f.increment(2) });
  await changed;
  const moved = shows(ordered, 'c=3,d=4,e=9');
  const batch = f.writeBatch(ann);
  batch.delete(row(ann, 'a')).update(row(ann, 'b'), { n: -1 }).set(row(ann, 'e'), { n: 9 });
  await batch.commit();
  await moved;
  await shows(row(ben, 'e'), '9');
  const deleted = shows(row(ben, 'e'), 'undefined');
  await f.runTransaction(ann, async (/** @type {any} */ transaction) => {
    const { n } = (await transaction.get(row(ann, 'c'))).data();
    transaction.update(row(ann, 'c'), { n: n + 10 }).delete(row(ann, 'e'));
  });
  await deleted;
  told.push((await f.getAggregateFromServer(rows(ben), { total: f.sum('n'), many: f.count() })).data());
  told.push(await f.updateDoc(row(ann, 'none'), { n: 1 }).catch((/** @type {any} */ error) => error.code));
  await f.setDoc(row(ann, 'f'), { n: 1 });
  // In an address these would mean something else.
  for (const id of ['%41', '50%25', 'a?b', 'c#d:e']) {
    await f.setDoc(f.doc(ann, 'shops', `${run}${id}`, 'items', 'x'), { n: 1, long: 'ж'.repeat(450_000) });
    told.push((await f.getDocs(f.collection(ben, 'shops', `${run}${id}`, 'items'))).size);
  }
  told.push((await f.getDocs(rows(ben))).docs.map((/** @type {any} */ doc) => `${doc.id}=${doc.data().n}`).sort().join());
  for (const stop of stops) stop();
  await Promise.all([f.terminate(ann), f.terminate(ben)]);
  return told;
}

const EXPECTED = [
  'a=1,b=2,c=3', true, false, 'b=2,a=3,c=3', 'c=3,d=4,e=9', '9', 'undefined', { total: 16, many: 3 }, 'not-found', 1, 1, 1, 1, 'b=-1,c=13,d=4,f=1',
];

for (const [how, options] of /** @type {const} */ ([['in one stream', {}], ['by long polling', { experimentalForceLongPolling: true }]])) {
  test(`what one client writes, another one sees, as on Google’s emulator, ${how}`, { tag: '@long' }, async ({ page, watch }) => {
    const run = Math.random().toString(36).slice(2);
    const served = await page.evaluate(story, { host: new URL(firestore.url).host, options, run });
    expect(served).toEqual(EXPECTED);
    expect(watch.complaints).toEqual([]);
    // Google's emulator now and then hangs up instead of answering, and then knows the stream no more. The SDK says so and asks again.
    watch.expect(new RegExp(`^console\\.error: Failed to load resource: .*\\(${places.emulator}/`));
    watch.expect(/transport errored/);
    watch.expect(/\(https:\/\/www\.google\.com\/images\/cleardot\.gif/); // So the SDK finds out whether there is a network.
    const google = await page.evaluate(story, { host: new URL(places.emulator).host, options, run });
    expect(google).toEqual(served);
  });
}
