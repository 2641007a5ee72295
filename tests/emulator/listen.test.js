/** Live pages of sharded queries: on Google's emulator beside its SDK's onSnapshot(), on `shardline serve`, and on the embedded Firestore in this process. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { deleteApp, initializeApp } from 'firebase/app';
import { collection, connectFirestoreEmulator, initializeFirestore, limit, onSnapshot, orderBy, query, terminate } from 'firebase/firestore';
import { connect, or, ShardlineError, Timestamp, where } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

import { isLong } from '../support/run.js';
import { serve } from './support/command_line.js';
import { freshProject, openDatabase } from './support/database.js';
import { freshFetch } from './support/fresh_fetch.js';
import { Random } from './support/random.js';
import { userToken } from './support/rest.js';
import { until } from './support/until.js';

/** @typedef {import('shardline').LivePage<any>} Page */

const WRITES = isLong ? 400 : 60;
const LIMIT = 5;
/** Two chunks. */
const SHARDS = 35;

/** @param {any} value */
const nanosOf = (value) => (typeof value === 'string' ? BigInt(Date.parse(`${value.slice(0, 19)}Z`)) * 1_000_000n + BigInt((value.slice(20, -1) || '0').padEnd(9, '0'))
  : BigInt(value.seconds) * 1_000_000_000n + BigInt(value.nanoseconds));

/** A page as a text. @param {{id: string, data: () => any}[]} docs */
const textOf = (docs) => docs.map((doc) => `${doc.id}@${doc.data().at} ${doc.data().n}`).join(', ');

/** A fetch() whose open connections break when a test says so. @param {typeof globalThis.fetch} inner */
function breakable(inner) {
  /** @type {Set<AbortController>} */
  const open = new Set();
  const fetch = async (/** @type {any} */ input, /** @type {RequestInit} */ init = {}) => {
    const controller = new AbortController();
    open.add(controller);
    init.signal?.addEventListener('abort', () => controller.abort(init.signal?.reason), { once: true });
    return inner(input, { ...init, signal: controller.signal });
  };
  return {
    fetch,
    cut: () => {
      for (const each of open) each.abort(new TypeError('cut'));
      open.clear();
    },
  };
}

/** @type {Awaited<ReturnType<typeof openDatabase>>} */
let database;
/** @type {Awaited<ReturnType<typeof serve>>} */
let served;
/** @type {import('shardline/workbench').EmbeddedFirestore} */
let simulator;
before(async () => {
  [database, served, simulator] = await Promise.all([openDatabase(), serve(), (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' })]);
});
after(async () => {
  await Promise.all([database.stop(), served.stop(), simulator.close()]);
});

/** Everything that was written, and the pages that the unsharded query had. */
class History {
  /** @type {{at: bigint, id: string, data: any}[]} */
  writes = [];

  /** @param {(url: string, init: {method: string, headers: Record<string, string>, body: string}) => Promise<Response>} fetch @param {string} host @param {string} projectId */
  constructor(fetch, host, projectId) {
    this.fetch = fetch;
    this.documents = `${host}/v1/projects/${projectId}/databases/(default)/documents`;
    this.root = `projects/${projectId}/databases/(default)/documents`;
  }

  /** @param {string} id @param {any} data Undefined: it is deleted. */
  async write(id, data) {
    const name = `${this.root}/rows/${id}`;
    const fields = data && Object.fromEntries(Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? { stringValue: value } : { integerValue: `${value}` }]));
    const body = JSON.stringify({ writes: [data ? { update: { name, fields } } : { delete: name }] });
    const response = await this.fetch(`${this.documents}:commit`, { method: 'POST', headers: { authorization: 'Bearer owner' }, body });
    assert.equal(response.status, 200);
    this.writes.push({ at: nanosOf((await response.json()).commitTime), id, data });
  }

  /** The pages that there were, in order, each with the time from which on. */
  pages() {
    const rows = new Map();
    const pages = [{ at: 0n, text: '' }];
    for (const { at, id, data } of this.writes.toSorted((one, other) => Number(one.at - other.at))) {
      if (data) rows.set(id, { id, data });
      else rows.delete(id);
      const page = [...rows.values()].sort((one, other) => other.data.at - one.data.at || (one.id < other.id ? 1 : -1)).slice(0, LIMIT);
      pages.push({ at, text: textOf(page.map(({ id, data }) => ({ id, data: () => data }))) });
    }
    return pages;
  }

  /** @param {bigint} time */
  pageAt(time) {
    return this.pages().findLast(({ at }) => at <= time)?.text;
  }

  get last() {
    return this.pages().at(-1)?.text;
  }

  /** That the unsharded query had all of these, in this order. @param {string[]} texts */
  has(texts) {
    const pages = this.pages();
    let at = 0;
    for (const [number, text] of texts.entries()) {
      while (at < pages.length && pages[at]?.text !== text) at += 1;
      assert.ok(at < pages.length, `page ${number}, ${text}, is none of\n${pages.map((page) => page.text).join('\n')}\nafter\n${texts[number - 1]}`);
    }
  }
}

/**
 * Two writers of their own documents: new ones, changes, ties, moves to other shards, deletions.
 * @param {History} history
 * @param {number} shards
 * @param {(step: number) => void} then
 */
async function writeMuch(history, shards, then) {
  const random = new Random(7);
  let steps = 0;
  await Promise.all(['a', 'b'].map(async (writer) => {
    for (let i = 0; i < WRITES / 2; i += 1) {
      const id = `${writer}${random.between(0, 5)}`;
      const data = { at: random.between(0, 6), shard: `${random.between(0, shards - 1)}`, n: i };
      await history.write(id, random.between(0, 4) === 0 ? undefined : data);
      then(steps += 1);
    }
  }));
}

for (const place of ['Google’s emulator', 'shardline serve', 'createEmbeddedFirestore().fetch']) {
  describe(place, () => {
    const isGoogles = place.startsWith('Google');

    const way = () => (place.startsWith('create') ? { host: `${simulator.fetch.host}`, fetch: simulator.fetch } : { host: isGoogles ? database.exactUrl : served.url, fetch: globalThis.fetch });

    /** @param {import('node:test').TestContext} t @param {object} [options] @param {number} [shards] */
    async function open(t, options, shards = SHARDS) {
      const { host, fetch } = way();
      const projectId = freshProject();
      const db = await connect({ projectId, host, fetch, ...options });
      t.after(() => db.close());
      const rows = db.shardedCollection('rows', { shards, orderField: 'at' });
      return { db, rows, projectId, history: new History(place.startsWith('create') ? simulator.fetch : freshFetch, host, projectId), query: rows.newestFirst().limit(LIMIT) };
    }

    // Google's emulator reads the shard values of a target one after the other. A write in between gives a page of two moments, so two writers are tried elsewhere.
    for (const chunks of isGoogles ? [] : [1, 2]) {
      test(`${chunks} chunks, two writers: each page is one that the unsharded query had, in order, and the last is the last, also when connections break`, async (t) => {
        const { fetch, cut } = breakable(way().fetch);
        const shards = chunks === 1 ? 30 : SHARDS;
        const { query: live, history } = await open(t, { fetch }, shards);
        /** @type {Page[]} */
        const pages = [];
        /** @type {ShardlineError[]} */
        const errors = [];
        const stop = live.onChange((page) => pages.push(page), { onError: (error) => errors.push(error) });
        await until(() => pages.length > 0, 'the first page');
        assert.deepEqual([pages[0]?.docs, pages[0]?.empty], [[], true]);
        await writeMuch(history, shards, (step) => {
          if (step === WRITES / 3 || step === WRITES / 2) cut();
        });
        const { last } = history;
        await until(() => textOf(pages.at(-1)?.docs ?? []) === last, `the last page: ${last}`);
        stop();

        assert.ok(pages.length > WRITES / 10, `${pages.length} pages`);
        assert.deepEqual(errors.filter(({ code }) => code !== 'unavailable'), []);
        history.has(pages.map(({ docs }) => textOf(docs)));
        for (const { docs, readTime } of pages) assert.equal(textOf(docs), history.pageAt(nanosOf(readTime)));
        checkChanges(pages);
        assert.deepEqual(new Set(pages.flatMap(({ changes }) => changes.map(({ type }) => type))), new Set(['added', 'removed', 'modified']));
      });
    }

    test('two chunks, one write after the other, connections that break: the page is the SDK’s after each', async (t) => {
      const { fetch, cut } = breakable(way().fetch);
      const { query: live, projectId, history } = await open(t, { fetch });
      /** @type {Page[]} */
      const pages = [];
      const stop = live.onChange((page) => pages.push(page), { onError: () => {} });
      const sdk = isGoogles ? listenWithSdk(projectId) : undefined;
      t.after(() => sdk?.stop());
      // Google's emulator tells no listener of a write that comes while it registers a target.
      await until(() => pages.length > 0 && (!sdk || sdk.pages.length > 0), 'the first page');
      const random = new Random(5);
      for (let i = 0; i < WRITES / 3; i += 1) {
        await history.write(`d${random.between(0, 6)}`, random.chance(0.2) ? undefined : { at: random.between(0, 4), shard: `${random.between(0, SHARDS - 1)}`, n: i });
        const { last } = history;
        await until(() => textOf(pages.at(-1)?.docs ?? []) === last && (!sdk || sdk.pages.at(-1) === last), `page ${i}: ${last}`);
        if (i % 7 === 0) cut();
      }
      stop();
      if (sdk) history.has(sdk.pages);
      history.has(pages.map(({ docs }) => textOf(docs)));
      checkChanges(pages);
    });

    test('all documents, filters, alternatives, selections and converters, as get() has them', async (t) => {
      const { db, rows, history } = await open(t);
      for (let i = 0; i < 8; i += 1) await history.write(`d${i}`, { at: i % 3, shard: `${i * 4}`, n: i, s: '€𝄞é\n' });
      const queries = [
        rows,
        rows.where('n', '>', 2).orderBy('n', 'desc'),
        rows.where(or(where('n', '<', 2), where('at', '==', 2))).newestFirst().limit(4),
        rows.newestFirst().limit(3).select('n'),
        rows.orderBy('asc').startAfter(1).limit(3),
        rows.newestFirst().limit(2).continueFrom(/** @type {string} */ ((await rows.newestFirst().limit(2).get()).nextToken)),
        db.collection('rows').where('n', 'in', [1, 2, 3]),
        db.shardedCollection('rows', { shards: SHARDS, alsoRead: ['other'], orderField: 'at' }).newestFirst().limit(6),
        rows.withConverter({ toFirestore: (model) => model, fromFirestore: (snapshot) => ({ double: snapshot.data().n * 2 }) }).limit(2),
      ];
      for (const each of queries) {
        const expected = await each.get();
        /** @type {any[]} */
        const pages = [];
        const stop = each.onSnapshot((page) => pages.push(page), { maxTargets: 3, onError: (error) => pages.push(error) });
        await until(() => pages.length > 0);
        stop();
        assert.ifError(pages[0] instanceof Error ? pages[0] : null);
        assert.equal(JSON.stringify(pages[0].docs), JSON.stringify(expected.docs));
        assert.equal(pages[0].nextToken === null, expected.nextToken === null);
      }
    });

    test('what is not shown any more costs nothing: an end, a signal, and close()', async (t) => {
      /** @type {any[]} */
      const records = [];
      const { fetch } = way();
      let streams = 0;
      const counted = async (/** @type {any} */ input, /** @type {any} */ init) => {
        const isBack = String(input).includes('RID=rpc');
        streams += isBack ? 1 : 0;
        init.signal?.addEventListener('abort', () => { streams -= isBack ? 1 : 0; }, { once: true });
        return fetch(input, init);
      };
      const { db, query: live, history } = await open(t, { fetch: counted, onRequest: (/** @type {any} */ record) => records.push(record) });
      await history.write('x', { at: 1, shard: '1', n: 1 });
      const controller = new AbortController();
      /** @type {Page[]} */
      const pages = [];
      live.onChange((page) => pages.push(page), { signal: controller.signal });
      const stop = live.onChange((page) => pages.push(page));
      live.onChange((page) => pages.push(page));
      const never = live.onChange(() => assert.fail('It was ended at once.'));
      never();
      await until(() => pages.length === 3);
      assert.equal(streams, 1, 'one stream for all');
      assert.deepEqual(pages.map(({ billed }) => billed.reads), [2, 2, 2], 'a document, and a chunk without one');
      assert.equal(records.filter(({ path }) => path.endsWith('/Listen')).length, 3);
      controller.abort();
      stop();
      await db.close();
      await until(() => streams === 0, 'the stream to be closed');
      await history.write('x', { at: 2, shard: '1', n: 2 });
      assert.equal(pages.length, 3);
    });
  });
}

/** That no page is shown twice, and that its changes make each page of the one before. @param {Page[]} pages */
function checkChanges(pages) {
  /** @type {{id: string}[]} */
  let docs = [];
  for (const [number, { docs: now, changes }] of pages.entries()) {
    assert.ok(number === 0 || changes.length > 0);
    docs = [...docs];
    for (const { doc, oldIndex, newIndex, type } of changes) {
      if (oldIndex >= 0) assert.equal(docs.splice(oldIndex, 1)[0]?.id, doc.id);
      if (newIndex >= 0) docs.splice(newIndex, 0, doc);
      assert.deepEqual([oldIndex < 0, newIndex < 0], [type === 'added', type === 'removed']);
    }
    assert.equal(docs.length, now.length);
    assert.ok(docs.every((doc, at) => doc === now[at]), 'the changes have the page’s own objects');
  }
}

/** The unsharded query, with Google's SDK. @param {string} projectId */
function listenWithSdk(projectId) {
  const app = initializeApp({ projectId }, projectId);
  const firestore = initializeFirestore(app, {});
  connectFirestoreEmulator(firestore, '127.0.0.1', database.port);
  /** @type {string[]} */
  const pages = [];
  const stop = onSnapshot(query(collection(firestore, 'rows'), orderBy('at', 'desc'), limit(LIMIT)), ({ docs }) => {
    pages.push(textOf(docs));
  });
  return {
    pages,
    stop: async () => {
      stop();
      await terminate(firestore);
      await deleteApp(app);
    },
  };
}

test('what cannot be listened to is said, and what to do', async (t) => {
  const db = await connect({ projectId: freshProject(), host: served.url });
  t.after(() => db.close());
  const rows = db.shardedCollection('rows', { shards: 100, orderField: 'at' });
  /** @param {any} query @param {any} [options] @returns {Promise<ShardlineError>} */
  const errorOf = (query, options) => new Promise((resolve) => query.onChange(() => assert.fail(), { onError: resolve, ...options }));
  const many = await errorOf(rows.limit(3));
  assert.ok(many instanceof ShardlineError);
  assert.deepEqual([many.code, many.reason, many.params], ['invalid-argument', 'argument-not-allowed', { argument: 'maxTargets', allowed: 'at least 4' }]);
  assert.match(many.message, /4 chunks.*\{ maxTargets: 4 \}.*get\(\)/);
  assert.equal((await errorOf(rows, { maxTargets: 0 })).params.argument, 'maxTargets');
  assert.equal((await errorOf(rows, { intervalMs: 1 })).reason, 'argument-unknown');
  const page = await rows.limit(1).get({ consistentRead: true });
  assert.equal(page.nextToken, null);
  assert.throws(() => rows.where('at', '>', 1).orderBy('x').continueFrom('no token').onChange(() => {}), { code: 'invalid-argument' });
  /** @type {any[]} */
  const pages = [];
  const stop = rows.limit(3).onChange((each) => pages.push(each), { maxTargets: 4 });
  await until(() => pages.length > 0);
  assert.ok(pages[0].readTime instanceof Timestamp);
  stop();
});

test('rules that refuse end it; others go on. A server that is not there is told, and asked again', async (t) => {
  const guarded = await openDatabase({ rules: `rules_version = '2';
service cloud.firestore { match /databases/{d}/documents { match /open/{id} { allow read, write; } match /closed/{id} { allow write; } } }` });
  const { fetch } = globalThis;
  let isAway = false;
  const db = await connect({
    projectId: guarded.projectId, host: guarded.exactUrl, fetch: (input, init) => (isAway && String(input).includes('Listen') ? Promise.reject(new TypeError('away')) : fetch(input, init)),
  });
  t.after(async () => {
    await db.close();
    await guarded.stop();
  });
  /** @type {any[]} */
  const pages = [];
  const stop = db.shardedCollection('open', { shards: 2, orderField: 'at' }).onChange((page) => pages.push(page));
  await until(() => pages.length === 1);
  const refused = await new Promise((resolve) => db.shardedCollection('closed', { shards: 2, orderField: 'at' }).onChange(() => {}, (error) => {
    if (error.code !== 'unavailable') resolve(error);
  }));
  assert.deepEqual([refused.code, refused.reason], ['permission-denied', 'server-refused']);
  await db.shardedCollection('open', { shards: 2, orderField: 'at' }).add({ at: 1 });
  await until(() => pages.length === 2);
  stop();

  isAway = true;
  /** @type {any[]} */
  const errors = [];
  const again = db.shardedCollection('open', { shards: 2, orderField: 'at' }).onChange((page) => pages.push(page), (error) => errors.push(error));
  await until(() => errors.length === 1);
  assert.deepEqual([errors[0].code, errors[0].reason], ['unavailable', 'no-network']);
  isAway = false;
  await until(() => pages.length === 3, 'the page, after a pause');
  again();
});

/** @param {() => string} authToken */
async function openEmbedded(authToken) {
  const seen = { streams: 0 };
  const db = await connect({
    projectId: freshProject(), authToken,
    fetch: async (input, init) => {
      if (String(input).includes('CVER=22')) seen.streams += 1;
      return simulator.fetch(/** @type {any} */ (input), init);
    },
  });
  const rows = db.shardedCollection('rows', { shards: 3, orderField: 'at' });
  /** @type {Page[]} */
  const pages = [];
  rows.limit(3).onChange((page) => pages.push(page));
  await until(() => pages.length === 1);
  return { db, rows, pages, seen };
}

test('tokens that name no user are one user’s, also if each call gives a new one', async () => {
  let tokens = 0;
  const { db, rows, pages, seen } = await openEmbedded(() => `ya29.${tokens += 1}`);
  for (let at = 1; at <= 3; at += 1) {
    await rows.add({ at });
    await until(() => pages.length === 1 + at);
  }
  assert.equal(seen.streams, 1);
  await db.close();
});

test('a live page begins again for another user at the next request, without a change in it', async () => {
  let user = 'ann';
  const { db, seen } = await openEmbedded(() => userToken(user));
  user = 'bob';
  await db.collection('others').get('x');
  await until(() => seen.streams === 2, 'a stream of bob’s');
  await db.close();
});

test('a renewed token changes nothing, and documents that came for one user are not shown to the next', async (t) => {
  const guarded = await openDatabase({ rules: `rules_version = '2';
service cloud.firestore { match /databases/{d}/documents { match /rows/{id} { allow read: if request.auth.uid == 'ann'; allow write; } } }` });
  let token = userToken('ann', { iat: 1 });
  let streams = 0;
  const { fetch } = globalThis;
  const db = await connect({
    projectId: guarded.projectId, host: guarded.exactUrl, authToken: () => token,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      streams += String(input).includes('CVER=22') ? 1 : 0;
      return response;
    },
  });
  t.after(async () => {
    await db.close();
    await guarded.stop();
  });
  const rows = db.shardedCollection('rows', { shards: 3, orderField: 'at' });
  /** @type {Page[]} */
  const pages = [];
  /** @type {ShardlineError | undefined} */
  let refused;
  rows.limit(3).onChange((page) => pages.push(page), (error) => {
    // A connection that breaks is opened again.
    if (error.code !== 'unavailable') refused = error;
  });
  await until(() => pages.length === 1);
  token = userToken('ann', { iat: 2 });
  await rows.add({ at: 1 });
  await until(() => pages.length === 2);
  assert.equal(streams, 1);
  token = userToken('bob');
  await rows.add({ at: 2 });
  await until(() => refused !== undefined, 'the refusal for bob');
  assert.deepEqual([refused?.code, pages.length, streams], ['permission-denied', 2, 2]);
});
