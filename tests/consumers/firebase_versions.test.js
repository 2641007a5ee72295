/** Firebase's SDKs, old and new, in Chromium on `shardline serve`: the guide on the embedded Firestore lists the calls that work with them. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import { serveFolder } from '../browser/support/static_server.js';
import { serve } from '../emulator/support/command_line.js';
import { makeApp, startBrowser } from './app.js';

/** As the guide names them. */
const VERSIONS = ['8.10.1', '9.23.0', '10.14.1', '12.19.0'];

/** The methods of version 8, in the form of later versions' functions. */
const NAMESPACED = `
import firebase from 'firebase/app';
import 'firebase/firestore';
const dataOf = (one) => ({ data: () => one.data(), exists: () => one.exists });
export const f = {
  open: (host, options) => {
    const db = firebase.initializeApp({ projectId: 'versions' }, String(Math.random())).firestore();
    db.settings({ host, ssl: false, merge: true, ...options });
    return db;
  },
  collection: (db, path) => db.collection(path),
  doc: (rows, id) => rows.doc(id),
  query: (rows, { field, op, value }) => rows.where(field, op, value).orderBy(field),
  onSnapshot: (watched, next, fail) => watched.onSnapshot(next, fail),
  setDoc: (ref, data) => ref.set(data),
  updateDoc: (ref, data) => ref.update(data),
  getDoc: (ref) => ref.get().then(dataOf),
  runTransaction: (db, run) => db.runTransaction((transaction) => run({
    get: (ref) => transaction.get(ref).then(dataOf), set: (ref, data) => transaction.set(ref, data),
  })),
  commit: (db, refs) => refs.reduce((batch, ref) => batch.delete(ref), db.batch()).commit(),
  increment: firebase.firestore.FieldValue.increment,
  terminate: (db) => db.terminate(),
};
`;

const MODULAR = `
import { initializeApp } from 'firebase/app';
import * as all from 'firebase/firestore';
export const f = {
  ...all,
  open: (host, options) => {
    const db = all.initializeFirestore(initializeApp({ projectId: 'versions' }, String(Math.random())), options);
    const [name, port] = host.split(':');
    all.connectFirestoreEmulator(db, name, Number(port));
    return db;
  },
  query: (rows, { field, op, value }) => all.query(rows, all.where(field, op, value), all.orderBy(field)),
  commit: (db, refs) => refs.reduce((batch, ref) => batch.delete(ref), all.writeBatch(db)).commit(),
};
`;

/** Two clients, one of which watches the other one's writes. */
const MAIN = `
import { f } from './sdk.js';
globalThis.story = async (host, options, run) => {
  const [ann, ben] = [f.open(host, options), f.open(host, options)];
  const rows = (db) => f.collection(db, 'runs/' + run + '/rows');
  const told = [];
  let wanted;
  const stop = f.onSnapshot(f.query(rows(ben), { field: 'n', op: '>', value: 0 }), (snapshot) => {
    const now = snapshot.docs.map((one) => one.id + '=' + one.data().n).join();
    if (now === wanted?.text) wanted.resolve(told.push(now));
  }, (error) => wanted.reject(error));
  const shows = (text) => new Promise((resolve, reject) => { wanted = { text, resolve, reject }; });
  let shown = shows('a=1,b=2');
  await f.setDoc(f.doc(rows(ann), 'a'), { n: 1 });
  await f.setDoc(f.doc(rows(ann), 'b'), { n: 2 });
  await shown;
  shown = shows('b=2,a=4');
  await f.updateDoc(f.doc(rows(ann), 'a'), { n: f.increment(3) });
  await shown;
  // A transaction verifies the documents that it reads and does not write.
  shown = shows('b=2,a=4,c=6');
  await f.runTransaction(ann, async (transaction) => {
    const n = (await transaction.get(f.doc(rows(ann), 'b'))).data().n + (await transaction.get(f.doc(rows(ann), 'a'))).data().n;
    transaction.set(f.doc(rows(ann), 'c'), { n });
  });
  await shown;
  shown = shows('c=6');
  await f.commit(ann, [f.doc(rows(ann), 'a'), f.doc(rows(ann), 'b')]);
  await shown;
  told.push((await f.getDoc(f.doc(rows(ben), 'c'))).data().n, (await f.getDoc(f.doc(rows(ben), 'none'))).exists());
  stop();
  await Promise.all([f.terminate(ann), f.terminate(ben)]);
  return told;
};
`;

/** @type {Awaited<ReturnType<typeof serve>>} */
let firestore;
/** @type {import('@playwright/test').Browser} */
let browser;
before(async () => {
  [firestore, browser] = await Promise.all([serve(), startBrowser()]);
});
after(() => Promise.all([browser?.close(), firestore?.stop()]));

for (const version of VERSIONS) {
  const major = version.split('.')[0] ?? '';
  describe(`firebase ${version}`, () => {
    /** @type {Awaited<ReturnType<typeof serveFolder>>} */
    let site;
    before(async () => {
      const folder = await makeApp(`firebase-${major}`, { 'sdk.js': major === '8' ? NAMESPACED : MODULAR, 'entry.js': MAIN }, [`firebase@${version}`]);
      await build({
        absWorkingDir: folder, entryPoints: ['entry.js'], outfile: 'page/main.js', bundle: true, format: 'esm', platform: 'browser', mainFields: ['browser', 'module', 'main'],
        define: { 'process.env.NODE_ENV': '"production"' }, logLevel: 'error',
      });
      await writeFile(`${folder}/page/index.html`, '<!doctype html><meta charset="utf-8"><title>page</title><script type="module" src="main.js"></script>');
      site = await serveFolder(`${folder}/page`);
    });
    after(() => site?.stop());

    for (const [how, options] of /** @type {const} */ ([['in one stream', {}], ['by long polling', { experimentalForceLongPolling: true }], ['without fetch streams', { useFetchStreams: false }]])) {
      test(how, async () => {
        const page = await browser.newPage();
        try {
          await page.goto(site.url);
          await page.waitForFunction('globalThis.story');
          const run = `${major}-${how.replaceAll(' ', '')}`;
          const told = await page.evaluate(([host, settings, name]) => /** @type {any} */ (globalThis).story(host, settings, name), /** @type {const} */ ([firestore.host, options, run]));
          assert.deepEqual(told, ['a=1,b=2', 'b=2,a=4', 'b=2,a=4,c=6', 'c=6', 6, false]);
        } finally {
          await page.close();
        }
      });
    }
  });
}

test('the guide names these versions', async () => {
  const guide = await readFile(new URL('../../web/guides/embedded_firestore.md', import.meta.url), 'utf8');
  const [, named = ''] = /^\| `firebase` (.*?) in a browser/m.exec(guide) ?? [];
  assert.deepEqual(named.match(/[\d.]+\d/g)?.sort(), [...VERSIONS].sort());
});
