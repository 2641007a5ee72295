/** A batch whose answers are lost: commit() must never say that nothing was applied if something was. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { shardlineError } from './support/shardline_error.js';
import { until } from './support/until.js';

/** @typedef {() => Promise<Response>} Pass */

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
/** What becomes of a request. @type {(method: string, pass: Pass) => Promise<Response>} */
let network;
let path = '';
let runs = 0;

before(async () => {
  simulator = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' });
});
after(() => simulator.close());
beforeEach(() => {
  network = (_method, pass) => pass();
  path = `counters/c${runs += 1}`;
});

/** @param {Partial<import('shardline').ConnectOptions>} [options] */
function open(options) {
  const fetch = Object.assign((/** @type {any} */ url, /** @type {any} */ init) => network(String(url).split(':').at(-1) ?? '', () => simulator.fetch(url, init)), {
    host: simulator.fetch.host,
  });
  return connect({ projectId: 'demo', fetch, retry: { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 2 }, onWarning: () => {}, ...options });
}

/** Of the counter. @param {import('shardline').Database} db */
async function total(db) {
  network = (_method, pass) => pass();
  return (await db.counter(path).get()).value;
}

/** @param {number} status @param {string} word */
const refusal = (status, word) => new Response(JSON.stringify({ error: { code: status, message: 'No.', status: word } }), { status });

test('a commit that comes twice is no refusal, however few attempts there are', async () => {
  const db = await open({ retry: { maxAttempts: 1 } });
  const likes = db.counter(path, { shards: 3 });
  await likes.create();
  network = async (method, pass) => {
    if (method === 'commit') await pass();
    return pass();
  };
  await db.batch().increment(likes).commit();
  assert.equal(await total(db), 1);
  await db.close();
});

for (const [status, word] of /** @type {const} */ ([[403, 'PERMISSION_DENIED'], [409, 'ABORTED']])) {
  test(`a refusal with ${word} of which nobody can tell whether it is the second of two is in doubt`, async () => {
    const db = await open();
    const likes = db.counter(path, { shards: 3 });
    await likes.create();
    let committed = false;
    network = async (method, pass) => {
      if (method === 'batchGet' && committed) throw new TypeError('offline');
      if (method !== 'commit') return pass();
      if (!committed) await pass();
      committed = true;
      return refusal(status, word);
    };
    const batch = db.batch().increment(likes);
    await assert.rejects(batch.commit(), shardlineError('outcome-unknown'));
    network = (_method, pass) => pass();
    await batch.commit();
    assert.equal(await total(db), 1);
    await db.close();
  });
}

test('a token that fails after an answer was lost leaves the batch in doubt, and before anything was sent it does not', async () => {
  let hasToken = false;
  const db = await open({
    authToken: () => {
      if (!hasToken) throw new Error('offline');
      return 'owner';
    },
  });
  const likes = db.counter(path, { shards: 3 });
  const batch = db.batch().increment(likes);
  await assert.rejects(batch.commit(), shardlineError('unauthenticated'));
  hasToken = true;
  await likes.create();
  network = async (method, pass) => {
    if (method !== 'commit') return pass();
    await pass();
    hasToken = false;
    throw new TypeError('lost');
  };
  await assert.rejects(batch.commit(), shardlineError('outcome-unknown', /authToken/));
  network = (_method, pass) => pass();
  await assert.rejects(batch.commit(), shardlineError('outcome-unknown', /authToken/));
  hasToken = true;
  await batch.commit();
  assert.equal(await total(db), 1);
  await db.close();
});

test('a closed connection is no verdict', async () => {
  const db = await open();
  const likes = db.counter(path, { shards: 3 });
  await likes.create();
  /** @type {(response: Response) => void} */
  let answer = () => {};
  const sent = new Promise((resolve) => {
    network = async (method, pass) => {
      if (method !== 'commit') return pass();
      const response = await pass();
      resolve(response);
      return new Promise((later) => { answer = later; });
    };
  });
  const batch = db.batch().increment(likes);
  const [outcome] = await Promise.all([
    assert.rejects(batch.commit(), shardlineError('cancelled')),
    sent.then((response) => db.close().then(() => answer(/** @type {Response} */ (response)))),
  ]);
  assert.equal(outcome, undefined);
  await assert.rejects(batch.commit(), shardlineError('outcome-unknown', /closed/));
  await assert.rejects(batch.withdraw(), shardlineError('outcome-unknown', /closed/));
});

test('a call that ends before anything can be sent is over', async () => {
  const db = await open();
  const likes = db.counter(path, { shards: 3 });
  const batch = db.batch().increment(likes);
  await db.close();
  for (let time = 0; time < 2; time += 1) await assert.rejects(batch.commit(), shardlineError('failed-precondition', /connection is closed/));
  await assert.rejects(batch.withdraw(), shardlineError('failed-precondition', /connection is closed/));
});

test('what was refused, surely, is withdrawn: it needs a new batch', async () => {
  const db = await open();
  const batch = () => db.batch().update(path, { n: 2 });
  const refused = batch();
  await assert.rejects(refused.commit(), shardlineError('not-found'));
  await db.collection('counters').set(path.split('/')[1] ?? '', { n: 1 });
  await assert.rejects(refused.commit(), { reason: 'batch-withdrawn' });
  assert.equal((await db.collection('counters').get(path.split('/')[1] ?? ''))?.data().n, 1);
  await batch().commit();
  assert.equal((await db.collection('counters').get(path.split('/')[1] ?? ''))?.data().n, 2);
  await db.close();
});

test('a batch that is under way does not undo what resize() tells', async () => {
  const db = await open();
  const likes = db.counter(path, { shards: 3 });
  await likes.create();
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => { release = () => resolve(undefined); });
  let isFirst = true;
  network = async (method, pass) => {
    const isHeld = method === 'commit' && isFirst;
    if (method === 'commit') isFirst = false;
    if (isHeld) await held;
    return pass();
  };
  const committing = db.batch().increment(likes, 5).commit();
  await until(() => !isFirst);
  await likes.resize(10);
  release();
  await committing;
  assert.equal(likes.shards, 10);
  assert.equal(await total(db), 5);
  await db.close();
});

test('what goes up and down is judged by its sum, and shown as one', async () => {
  const db = await open();
  const likes = db.counter(path, { shards: 3, maxDelta: 5 });
  await likes.create();
  const twin = db.counter(path, { shards: 3 });
  /** @type {unknown[]} */
  const told = [];
  const stop = likes.watch(({ value, pending }) => told.push([value, pending]));
  await db.batch().increment(likes, 9).increment(likes, -6).increment(twin, 1).commit();
  stop();
  assert.deepEqual(told.filter(([, pending]) => ![0, 4].includes(pending)), []);
  assert.equal(await total(db), 4);
  await assert.rejects(db.batch().increment(likes, 1).increment(twin, 100).commit(), shardlineError('invalid-argument', /maxDelta/));
  await assert.rejects(db.batch().increment(twin, 100).increment(likes, 1).commit(), shardlineError('invalid-argument', /maxDelta/));
  assert.equal(await total(db), 4);
  await db.close();
});
