/** A client that comes back to a stream of the embedded Firestore with a resume token: the server sends the difference, and bills it. Google's SDK understands it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { deleteApp, initializeApp } from 'firebase/app';
import { openWorkbench } from 'shardline/workbench';

import { serveEmbeddedFirestore } from '../../web/bin/http_server.js';
import { Channel } from '../../web/library/listen/channel.js';
// In Node the package speaks gRPC. Browsers get this file.
import * as sdk from '../node_modules/@firebase/firestore/dist/index.esm.js';
import { until } from './support/until.js';

const ROOT = 'projects/demo/databases/(default)';
const ROWS = `${ROOT}/documents/rows/`;
const ADMIN = { authorization: 'Bearer owner' };
const MINUTE_MS = 60_000;

/** By how much the server's clock is ahead. */
let ahead = 0;
/** @type {import('shardline/workbench').EmbeddedFirestore} */
let firestore;
before(async () => {
  firestore = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none', now: () => Date.now() + ahead });
});
after(() => firestore.close());

/** @param {{[id: string]: number | null}} numbers Null: it is deleted. */
async function write(numbers) {
  const writes = Object.entries(numbers).map(([id, n]) => (n === null ? { delete: ROWS + id } : { update: { name: ROWS + id, fields: { n: { integerValue: `${n}` } } } }));
  const { status } = await firestore.fetch(`${firestore.fetch.host}/v1/${ROOT}/documents:commit`, { method: 'POST', headers: ADMIN, body: JSON.stringify({ writes }) });
  assert.equal(status, 200);
}

const billed = async () => (await firestore.snapshot()).billed.reads;

/** The rows whose number is above 0. */
const POSITIVE = {
  query: {
    parent: `${ROOT}/documents`,
    structuredQuery: { from: [{ collectionId: 'rows' }], where: { fieldFilter: { field: { fieldPath: 'n' }, op: 'GREATER_THAN', value: { integerValue: '0' } } } },
  },
};
/** @param {...string} ids */
const named = (...ids) => ({ documents: { documents: ids.map((id) => ROWS + id) } });

/**
 * Listens until the first whole moment.
 * @param {object} target
 * @param {string} [resumeToken]
 * @returns {Promise<{said: string[], token: string, reads: number}>}
 */
async function listen(target, resumeToken, { fetch } = firestore) {
  const before = await billed();
  /** @type {any[]} */
  const messages = [];
  const channel = new Channel({
    url: `${fetch.host}/google.firestore.v1.Firestore/Listen/channel`, query: `database=${encodeURIComponent(ROOT)}`, headers: {}, fetch: /** @type {any} */ (fetch), way: { isBuffered: false },
    onMessage: (message) => messages.push(message), onEnd: (error) => messages.push(error),
  });
  channel.send({ database: ROOT, addTarget: { targetId: 2, ...target, resumeToken } });
  const isWhole = ({ targetChange }) => targetChange?.readTime && !targetChange.targetIds;
  await until(() => messages.some(isWhole), 'a whole moment');
  channel.close();
  const id = (/** @type {string} */ name) => name.slice(ROWS.length);
  const said = messages.flatMap(({ targetChange, documentChange, documentDelete, documentRemove, filter }) => {
    if (documentChange) return `${id(documentChange.document.name)}=${documentChange.document.fields.n.integerValue}`;
    if (documentDelete) return `${id(documentDelete.document)} deleted`;
    if (documentRemove) return `${id(documentRemove.document)} left`;
    return filter ? `${filter.count} in all` : targetChange.targetChangeType ?? [];
  });
  return { said, token: messages.find(isWhole).targetChange.resumeToken, reads: await billed() - before };
}

for (const [what, away, expected] of /** @type {[string, number, {said: string[], reads: number}][]} */ ([
  ['no time', 0, { said: ['ADD', 'e=5', 'b=7', 'c left', 'd deleted', 'CURRENT'], reads: 3 }],
  ['a minute', MINUTE_MS, { said: ['ADD', 'e=5', 'b=7', '3 in all', 'CURRENT'], reads: 2 }],
  ['half an hour', 31 * MINUTE_MS, { said: ['ADD', 'RESET', 'a=1', 'e=5', 'b=7', 'CURRENT'], reads: 3 }],
])) {
  test(`a query after ${what}`, async () => {
    await firestore.reset();
    await write({ a: 1, b: 2, c: 3, d: 4 });
    const { said, token, reads } = await listen(POSITIVE);
    assert.deepEqual({ said, reads }, { said: ['ADD', 'a=1', 'b=2', 'c=3', 'd=4', 'CURRENT'], reads: 4 });
    await write({ b: 7, c: -3, d: null, e: 5, f: -6 });
    ahead += away;
    const again = await listen(POSITIVE, token);
    assert.deepEqual({ said: again.said, reads: again.reads }, expected);
    const third = await listen(POSITIVE, again.token);
    assert.deepEqual([third.said, third.reads], [['ADD', 'CURRENT'], 0], 'nothing has changed');
  });
}

test('documents by their names', async () => {
  await firestore.reset();
  await write({ a: 1, b: 2 });
  const target = named('a', 'b', 'none');
  const { said, token } = await listen(target);
  assert.deepEqual(said, ['ADD', 'a=1', 'b=2', 'none deleted', 'CURRENT']);
  await write({ a: 3, b: null });
  const soon = await listen(target, token);
  assert.deepEqual([soon.said, soon.reads], [['ADD', 'a=3', 'b deleted', 'CURRENT'], 1]);
  ahead += MINUTE_MS;
  const late = await listen(target, token);
  assert.deepEqual([late.said, late.reads], [['ADD', 'a=3', '1 in all', 'CURRENT'], 1]);
});

test('a token that the server does not know makes it send all documents again', async () => {
  await firestore.reset();
  await write({ a: 1 });
  const all = ['ADD', 'RESET', 'a=1', 'CURRENT'];
  const { token } = await listen(POSITIVE);
  const other = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' });
  const [generation] = atob(token).split(' ');
  const foreign = (await listen(POSITIVE, undefined, other)).token;
  await other.close();
  for (const unknown of ['!', 'AAAA', btoa('7'), btoa(`${generation} soon`), btoa(`${generation} 2100-01-01T00:00:00Z`), foreign]) {
    assert.deepEqual((await listen(POSITIVE, unknown)).said, all, unknown);
  }
  assert.deepEqual((await listen(POSITIVE, token)).said, ['ADD', 'CURRENT']);
  // The server has forgotten the earlier documents, so it cannot name those that have gone.
  for (const empty of [() => firestore.reset(), () => firestore.fetch(`${firestore.fetch.host}/emulator/v1/${ROOT}/documents`, { method: 'DELETE', headers: ADMIN })]) {
    const { token: old } = await listen(POSITIVE);
    await empty();
    await write({ a: 1 });
    assert.deepEqual((await listen(POSITIVE, old)).said, all);
  }
});

test('Google’s SDK goes offline, and shows each change when it is back', async (t) => {
  const { setTimeout } = globalThis;
  // The SDK's streams leave timers of 45 s behind.
  globalThis.setTimeout = /** @type {any} */ ((/** @type {Parameters<typeof setTimeout>} */ ...args) => setTimeout(...args).unref());
  await firestore.reset();
  const served = await serveEmbeddedFirestore(firestore);
  const app = initializeApp({ projectId: 'demo', apiKey: 'x' }, 'resumed');
  const db = sdk.initializeFirestore(app, {});
  sdk.connectFirestoreEmulator(db, '127.0.0.1', Number(new URL(served.url).port));
  t.after(async () => {
    await sdk.terminate(db);
    await deleteApp(app);
    await served.stop();
    globalThis.setTimeout = setTimeout;
  });
  await write({ a: 1, b: 2 });
  let shown = '';
  const stop = sdk.onSnapshot(sdk.collection(db, 'rows'), { includeMetadataChanges: true }, ({ docs, metadata }) => {
    shown = `${docs.map((doc) => `${doc.id}=${doc.data().n}`).join()}${metadata.fromCache ? ', perhaps' : ''}`;
  });
  await until(() => shown === 'a=1,b=2');
  // After a minute it sees by the number that a document is missing, asks for all, and for that one by its name. After an hour the server sends all by itself.
  for (const [away, reads] of /** @type {const} */ ([[0, 1], [MINUTE_MS, 1 + 2 + 1], [60 * MINUTE_MS, 2 + 1]])) {
    await sdk.disableNetwork(db);
    await until(() => shown.endsWith('perhaps'));
    const before = await billed();
    await write({ b: null, c: away });
    ahead += away;
    await sdk.enableNetwork(db);
    await until(() => shown === `a=1,c=${away}`, `the change after ${away} ms`);
    assert.equal(await billed() - before, reads, `${away}`);
    await write({ b: 2 });
    await until(() => shown === `a=1,b=2,c=${away}`);
  }
  stop();
});
