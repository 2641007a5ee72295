/** `shardline serve`: an emulator for apps' tests. It refuses the requests that Firestore refuses, and says which indexes were needed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { deleteApp, initializeApp } from 'firebase/app';
import { collection, connectFirestoreEmulator, getDocs, getFirestore, orderBy, query, terminate, where } from 'firebase/firestore/lite';
import { connect } from 'shardline';

import { longTest } from '../support/long_test.js';
import { run, serve, start } from './support/command_line.js';

/** The indexes that the queries below need. */
const NEEDED = [{
  collectionGroup: 'instruments', queryScope: 'COLLECTION',
  fields: [{ fieldPath: 'exchange', order: 'ASCENDING' }, { fieldPath: 'timestamp', order: 'DESCENDING' }],
}];

/** @param {import('node:test').TestContext} t */
async function makeFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'shardline-serve-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/**
 * Runs queries that need an index, with Firebase's SDK.
 * @param {number} port
 */
async function ask(port) {
  const app = initializeApp({ projectId: 'demo', apiKey: 'x' }, `port ${port}`);
  const db = getFirestore(app);
  connectFirestoreEmulator(db, '127.0.0.1', port);
  try {
    const { size } = await getDocs(query(collection(db, 'instruments'), where('exchange', '==', 'X'), orderBy('timestamp', 'desc')));
    return size;
  } finally {
    await terminate(db);
    await deleteApp(app);
  }
}

test('queries without their index are refused; the file that was needed is written, and is enough', async (t) => {
  const folder = await makeFolder(t);
  const file = join(folder, 'firestore.indexes.json');
  const needed = join(folder, 'needed.json');
  await writeFile(file, '{ "indexes": [], // none yet\n "fieldOverrides": [], "other": 1 }');
  const strict = await serve(['--indexes', file, '--needed', needed]);
  t.after(() => strict.stop());
  await assert.rejects(ask(strict.port), /requires an index/);
  const { code, err } = await strict.stop();
  assert.equal(code, 0);
  assert.match(err, /1 request; billed 0 reads.*\nqueries lacked 1 index, and were refused; .*needed\.json is the file that was needed\n$/);
  const written = JSON.parse(await readFile(needed, 'utf8'));
  assert.deepEqual(written, { indexes: NEEDED, fieldOverrides: [], other: 1 });

  const content = await serve(['--indexes', needed]);
  t.after(() => content.stop());
  assert.equal(await ask(content.port), 0);
  const ended = await content.stop();
  assert.match(ended.err, /no query lacked an index\n$/);
  assert.doesNotMatch(ended.out, /indexes/);
});

test('a needed file of an earlier run keeps its indexes, and gets the missing ones', async (t) => {
  const needed = join(await makeFolder(t), 'needed.json');
  const earlier = { collectionGroup: 'others', queryScope: 'COLLECTION', fields: [{ fieldPath: 'a', order: 'ASCENDING' }, { fieldPath: 'b', order: 'ASCENDING' }] };
  const text = `${JSON.stringify({ indexes: [earlier], fieldOverrides: [] })}\n`;
  await writeFile(needed, text);
  const idle = await serve(['--needed', needed]);
  await idle.stop();
  assert.equal(await readFile(needed, 'utf8'), text);
  const server = await serve(['--needed', needed]);
  t.after(() => server.stop());
  await ask(server.port);
  await server.stop();
  assert.deepEqual(JSON.parse(await readFile(needed, 'utf8')).indexes, [earlier, ...NEEDED]);
});

test('without an index file nothing is refused, and the file is printed', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  assert.equal(await ask(server.port), 0);
  const { out, code } = await server.stop();
  const [address, variable, ...rest] = out.split('\n');
  assert.deepEqual([address, variable], [`Firestore at ${server.url}`, `export FIRESTORE_EMULATOR_HOST=${server.host}`]);
  assert.deepEqual(JSON.parse(rest.join('\n')).indexes, NEEDED);
  assert.equal(code, 0);
});

test('a place for the needed file that cannot be written is refused before anything is served', async (t) => {
  const folder = await makeFolder(t);
  for (const place of [join(folder, 'nowhere', 'x.json'), folder]) {
    const serving = start(['serve', '--port', '0', '--needed', place]);
    serving.says(/export/).then(() => serving.kill('SIGTERM'), () => {}); // One that serves after all must not go on for ever.
    const { code, out, err } = await serving.ended;
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^shardline: --needed: .* cannot be written: .*\(shardline serve --help\)\n$/);
  }
  const free = join(folder, 'free.json');
  const server = await serve(['--needed', free]);
  t.after(() => server.stop());
  assert.deepEqual(await readdir(folder), [], 'nothing is written before the end');
});

test('the needed file is printed if it cannot be written at the end, and why is said', async (t) => {
  const folder = await makeFolder(t);
  const inner = join(folder, 'inner');
  await mkdir(inner);
  const server = await serve(['--needed', join(inner, 'needed.json')]);
  t.after(() => server.stop());
  await ask(server.port);
  await rm(inner, { recursive: true });
  const { code, out, err } = await server.stop();
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out.slice(out.indexOf('{'))).indexes, NEEDED);
  assert.match(err, /\nshardline: .*needed\.json cannot be written: ENOENT.*\n$/);
  assert.doesNotMatch(err, /interrupted/);
});

test('several projects and databases at once, each emptied by itself', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const places = [['one', '(default)'], ['one', 'other'], ['two', '(default)']];
  for (const [projectId = '', databaseId] of places) {
    const db = await connect({ projectId, databaseId, host: server.url });
    await db.counter('a/b').create();
    await db.close();
  }
  const cleared = await fetch(`${server.url}/emulator/v1/projects/one/databases/(default)/documents`, { method: 'DELETE' });
  assert.equal(cleared.status, 200);
  const left = await Promise.all(places.map(async ([project, database]) =>
    (await fetch(`${server.url}/v1/projects/${project}/databases/${database}/documents/a/b`)).status));
  assert.deepEqual(left, [404, 200, 200]);
});

test('limits are Firestore’s, when asked for', async (t) => {
  const server = await serve(['--limits', 'documented']);
  t.after(() => server.stop());
  const started = performance.now();
  const commit = async (/** @type {number} */ count) => {
    const response = await fetch(`${server.url}/v1/projects/demo/databases/(default)/documents/a/b`, { method: 'PATCH', body: `{"fields":{"count":{"integerValue":${count}}}}` });
    assert.equal(response.status, 200);
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6].map(commit));
  assert.ok(performance.now() - started > 900, 'a document that is made takes five writes at once, and then one a second');
});

test('pages of any origin may ask', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const origin = 'http://localhost:3000';
  const target = `${server.url}/v1/projects/demo/databases/(default)/documents:commit`;
  const preflight = await fetch(target, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,google-cloud-resource-prefix' },
  });
  assert.equal(preflight.status, 200);
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
  assert.match(String(preflight.headers.get('access-control-allow-methods')), /POST/);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type,google-cloud-resource-prefix');
  const answer = await fetch(target, { method: 'POST', headers: { origin }, body: '{"writes":[]}' });
  assert.equal(answer.headers.get('access-control-allow-origin'), origin);
});

test('a client that speaks gRPC is answered that gRPC is not served; the terminal says so once', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  for (let time = 0; time < 2; time += 1) {
    const session = connectHttp2(server.url);
    const request = session.request({ ':method': 'POST', ':path': '/google.firestore.v1.Firestore/Commit', 'content-type': 'application/grpc' });
    const [headers] = await once(request, 'response');
    assert.deepEqual([headers[':status'], headers['grpc-status']], [200, '12']);
    assert.match(headers['grpc-message'], /does not serve gRPC/);
    session.destroy();
  }
  // A connection that stays open does not keep the server from ending.
  const idle = connectHttp2(server.url).on('error', () => {});
  t.after(() => idle.destroy());
  await once(idle, 'connect');
  const { err } = await server.stop();
  assert.equal(err.match(/preferRest: true/g)?.length, 1);
});

test('a stream takes each message once, and tells again what a client may not have got', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const root = 'projects/demo/databases/(default)';
  const channel = `${server.url}/google.firestore.v1.Firestore/Write/channel?VER=8&database=${encodeURIComponent(root)}`;
  const post = async (/** @type {string} */ query, /** @type {number} */ ofs, /** @type {unknown} */ message) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    const response = await fetch(`${channel}&${query}`, { method: 'POST', body: new URLSearchParams({ count: '1', ofs: String(ofs), req0___data__: data }) });
    return { status: response.status, text: await response.text() };
  };
  /** The arrays of an answer that ends when something was said. */
  const hear = async (/** @type {string} */ sid, /** @type {number} */ acknowledged) => {
    const answer = await fetch(`${channel}&SID=${sid}&RID=rpc&AID=${acknowledged}&CI=1&TYPE=xmlhttp`);
    // Chromium gives an older client the first bytes of a stream only if it need not guess their type.
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /x-http-session-id/);
    const text = await answer.text();
    return JSON.parse(text.slice(text.indexOf('\n') + 1));
  };
  const opened = await post('RID=1', 0, { database: root });
  const [[, [, sid]]] = JSON.parse(opened.text.slice(opened.text.indexOf('\n') + 1));
  assert.equal(opened.text.split('\n')[0], String(opened.text.length - opened.text.indexOf('\n') - 1));
  assert.deepEqual((await hear(sid, 0)).map(([number]) => number), [1]);
  const write = { writes: [{ transform: { document: `${root}/documents/a/b`, fieldTransforms: [{ fieldPath: 'n', increment: { integerValue: '1' } }] } }] };
  await post(`SID=${sid}&RID=2&AID=0`, 1, write);
  await post(`SID=${sid}&RID=2&AID=0`, 1, write);
  let heard = await hear(sid, 0);
  while (heard.length < 2) heard = await hear(sid, 0);
  assert.deepEqual(heard.map(([number]) => number), [1, 2]);
  assert.deepEqual((await hear(sid, 1)).map(([number]) => number), [2]);
  const { fields } = await (await fetch(`${server.url}/v1/${root}/documents/a/b`)).json();
  assert.equal(fields.n.integerValue, '1');

  // A number that is not believed.
  await fetch(`${channel}&SID=${sid}&RID=2&AID=2`, { method: 'POST', body: 'count=Infinity&ofs=2' });
  await post(`SID=${sid}&RID=3&AID=2`, 2, 'no JSON');
  assert.equal((await hear(sid, 2))[0][1][0].error.status, 'INVALID_ARGUMENT');
  assert.equal((await post(`SID=${sid}&RID=4&TYPE=terminate`, 3, {})).status, 200);
  assert.deepEqual(await post(`SID=${sid}&RID=5`, 3, write), { status: 400, text: 'Unknown SID' });
  assert.equal((await fetch(channel.replace('Write', 'Other'), { method: 'POST' })).status, 400);
});

longTest('what cannot be served is said, and ends with its code', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const taken = await run(['serve', '--port', String(server.port)]);
  assert.deepEqual([taken.code, taken.out], [1, '']);
  assert.equal(taken.err, `shardline: Another program listens at 127.0.0.1:${server.port}. Choose another port with --port, or any free one with --port 0.\n`);
  for (const [words, message] of /** @type {[string[], RegExp][]} */ ([
    [['--indexes', '/nowhere/firestore.indexes.json'], /nowhere.*cannot be read/],
    [['--limits', 'some'], /--limits must be documented or none; it is “some”/],
    [['--port', '70000'], /--port must be an integer from 0 to 65,535; it is “70000”/],
    [['--latency-ms', '9,1'], /--latency-ms/],
  ])) {
    const { code, out, err } = await run(['serve', ...words]);
    assert.deepEqual([code, out, err.trimEnd().split('\n').length], [2, '', 1], err);
    assert.match(err, message);
  }
});
