/** connect(), and everything between an operation and the network: headers, tokens, faults, cancelling, loading. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { longTest } from '../support/long_test.js';
import { runDialect } from './support/dialect_front.js';
import { faults } from './support/fault_proxy.js';
import { watchModules } from './support/crashes.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';
import { until } from './support/until.js';

/** Retries without the waiting. */
const retry = { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 2, timeoutMs: 2000 };
const wasmFile = new URL(import.meta.resolve('shardline')).href.replace('index.js', 'generated/shardline.wasm');

const stage = await startStage();
const { projectId, proxy } = stage;

after(() => stage.stop());
beforeEach(() => stage.reset());

/** @param {Partial<import('shardline').ConnectOptions>} [options] */
const open = (options) => connect({ projectId, host: proxy.url, retry, ...options });

describe('options', () => {
  const cases = /** @type {[string, object | undefined, RegExp][]} */ ([
    ['nothing at all', undefined, /projectId/],
    ['no projectId', {}, /projectId/],
    ['an empty projectId', { projectId: '' }, /projectId.*empty/],
    ['a slash in projectId', { projectId: 'a/b' }, /slash/],
    ['an unknown option', { projectId: 'demo', projectID: 'x' }, /projectID/],
    ['a host with a path', { projectId: 'demo', host: 'http://localhost/x' }, /host/],
    ['a host with a port that is none', { projectId: 'demo', host: 'http://127.0.0.1:99999' }, /host/],
    ['a host with a password', { projectId: 'demo', host: 'http://me:secret@127.0.0.1:8080' }, /host/],
    ['a host with a backslash', { projectId: 'demo', host: 'http://127.0.0.1\\x' }, /host/],
    ['a host without a scheme', { projectId: 'demo', host: '127.0.0.1:8080' }, /host/],
    ['fetch that is no function', { projectId: 'demo', fetch: 7 }, /fetch/],
    ['a token that is no function', { projectId: 'demo', authToken: 'secret' }, /authToken/],
    ['an unknown retry option', { projectId: 'demo', retry: { attempts: 3 } }, /retry\.attempts/],
    ['no attempts', { projectId: 'demo', retry: { maxAttempts: 0 } }, /maxAttempts/],
    ['a negative delay', { projectId: 'demo', retry: { initialDelayMs: -1 } }, /initialDelayMs/],
    ['a shrinking delay', { projectId: 'demo', retry: { multiplier: 0.5 } }, /multiplier/],
    ['no timeout', { projectId: 'demo', retry: { timeoutMs: 0 } }, /timeoutMs/],
  ]);
  for (const [what, options, message] of cases) {
    test(`refuses ${what}`, async () => {
      await assert.rejects(connect(/** @type {any} */ (options)), shardlineError('invalid-argument', message));
    });
  }
});

describe('requests', () => {
  test('carry key and no preflight when there is no token', async () => {
    const db = await open({ apiKey: 'k&y' });
    await db.counter('c/1', { shards: 2, flushMs: 0 }).increment();
    const [request] = proxy.requests;
    assert.equal(request.headers['content-type'], 'text/plain');
    assert.equal(request.headers.authorization, undefined);
    assert.match(request.path, /:commit\?key=k%26y$/);
    // Requests for documents ask for answers without indentation.
    await db.shardedCollection('c', { shards: 2, shardField: 's', orderField: 't' }).get();
    assert.match(proxy.requests.at(-1)?.path ?? '', /:runQuery\?prettyPrint=false&key=k%26y$/);
  });

  test('carry the ID token and the App Check token', async () => {
    const db = await open({ authToken: () => 'owner', appCheckToken: async () => 'attested' });
    await db.counter('c/1', { shards: 2, flushMs: 0 }).increment();
    const [request] = proxy.requests;
    assert.equal(request.headers.authorization, 'Bearer owner');
    assert.equal(request.headers['x-firebase-appcheck'], 'attested');
    assert.equal(request.headers['content-type'], 'application/json');
  });

  test('are sent again for another user, who is shown nothing that the last one has read', async () => {
    const simulator = await (await openWorkbench()).createEmbeddedFirestore({ ...runDialect(), limits: 'none' });
    let user = 'ann';
    /** @type {string[]} */
    const readers = [];
    /** @type {typeof fetch} */
    const guarded = async (url, init) => {
      const reader = new Headers(init?.headers).get('authorization')?.replace('Bearer e30.e30.', '') ?? '';
      readers.push(reader);
      if (reader === 'ann') return simulator.fetch(url, init);
      return Response.json([{ error: { code: 403, status: 'PERMISSION_DENIED', message: 'No.' } }], { status: 403 });
    };
    const db = await connect({ projectId: 'demo', fetch: guarded, authToken: () => `e30.e30.${user}` });
    const events = db.shardedCollection('events', { shards: 60 });
    await events.addAll(Array.from({ length: 8 }, (_, n) => ({ timestamp: n, shard: String((n % 2) * 59) })));
    for (const consistentRead of [false, true]) {
      user = 'ann';
      await events.limit(1).get(); // A page in which the user changes leaves nothing to the next.
      const [hers, his] = [events.stream({ pageSize: 5, consistentRead }), events.stream({ pageSize: 5, consistentRead })];
      for (let n = 0; n < 5; n += 1) assert.deepEqual([await hers.next(), await his.next()].map(({ value }) => value?.data().timestamp), [n, n]);
      readers.length = 0;
      assert.equal((await hers.next()).value?.data().timestamp, 5);
      assert.deepEqual(readers, [], 'the stream has fetched it');
      user = 'bob';
      await assert.rejects(his.next(), shardlineError('permission-denied', /No\./));
      assert.deepEqual(new Set(readers), new Set(['bob']));
    }
    await db.close();
    simulator.close();
  });

  test('get a new token once after UNAUTHENTICATED', async () => {
    /** @type {boolean[]} */
    const asked = [];
    const db = await open({
      authToken: ({ forceRefresh }) => {
        asked.push(forceRefresh);
        return 'owner';
      },
    });
    proxy.script(faults.unauthenticated(), null);
    await db.counter('c/1', { shards: 2, flushMs: 0 }).increment();
    // The outbox asks, too, whose increments these are.
    assert.deepEqual(asked.filter(Boolean), [true]);
    assert.equal(asked.at(-1), true);

    proxy.script(faults.unauthenticated(), faults.unauthenticated());
    await assert.rejects(db.counter('c/1', { shards: 2 }).get(), shardlineError('unauthenticated'));
  });

  test('are reported to onRequest, without the key', async () => {
    /** @type {import('../../web/library/connection.js').RequestRecord[]} */
    const records = [];
    const db = await open({ apiKey: 'secret', onRequest: (record) => records.push(record) });
    const counter = db.counter('c/1', { shards: 2, flushMs: 0 });
    await counter.increment();
    await counter.get();
    assert.deepEqual(records.map(({ method, status, billed }) => ({ method, status, billed })), [
      { method: 'POST', status: 200, billed: { reads: 0, writes: 2, deletes: 0 } },
      { method: 'POST', status: 200, billed: { reads: 1, writes: 0, deletes: 0 } },
    ]);
    assert.ok(records.every(({ path, ms, bytes }) => !path.includes('secret') && ms > 0 && bytes > 0));
  });
});

test('an embedded Firestore’s fetch goes by a host of nobody’s, so that what waits for it never reaches a project', async () => {
  const simulator = await (await openWorkbench()).createEmbeddedFirestore(runDialect());
  /** @type {string[]} */
  const hosts = [];
  const fetch = Object.assign((input, init) => {
    hosts.push(new URL(input).hostname);
    return simulator.fetch(input, init);
  }, { host: simulator.fetch.host });
  const db = await connect({ projectId: 'demo', fetch });
  await db.counter('posts/p1').create();
  await db.close();
  await simulator.close();
  assert.deepEqual(new Set(hosts), new Set([new URL(simulator.fetch.host).hostname]));
  assert.match(hosts[0] ?? '', /^[0-9a-f]{32}\.embedded\.invalid$/);
  const another = await (await openWorkbench()).createEmbeddedFirestore(runDialect());
  assert.notEqual(another.fetch.host, simulator.fetch.host, 'nor another simulator');
  assert.equal(another.fetch.storage, 'memory');
  await another.close();
});

describe('a failing token source', () => {
  test('ends the operation with its own error as the cause, and sends nothing', async () => {
    const broken = new Error('no user');
    const db = await open({ authToken: () => Promise.reject(broken) });
    await assert.rejects(db.counter('c/1', { shards: 2 }).get(), (error) => {
      shardlineError('unauthenticated', /authToken/)(error);
      assert.equal(/** @type {Error} */ (error).cause, broken);
      return true;
    });
    assert.equal(proxy.requests.length, 0);
  });

  const authToken = () => {
    if (proxy.count('commit') > 0) throw new Error('offline');
    return 'owner';
  };

  for (const [what, fault, code] of /** @type {const} */ ([
    ['leaves in doubt what was sent before, and had no answer', faults.dropResponse(), 'outcome-unknown'],
    ['leaves in doubt what was sent before, and was answered that nobody knows', faults.answerAfter(503, '{}'), 'outcome-unknown'],
    ['leaves in doubt what was sent before, and was answered by a proxy that has waited too long', faults.answerAfter(408, '<html>'), 'outcome-unknown'],
    ['leaves in doubt what was sent before, and was answered that it was cancelled', faults.answerAfter(499, '{}'), 'outcome-unknown'],
    ['leaves in doubt what was sent before, and was answered by half a success', faults.truncate(20), 'outcome-unknown'],
    ['leaves nothing in doubt of what was refused before', faults.aborted(), 'unauthenticated'],
  ])) {
    test(what, async () => {
      const db = await open({ authToken });
      proxy.script(fault);
      await assert.rejects(db.collection('c').set('d', { n: 1 }), (error) => {
        shardlineError(code, /authToken/)(error);
        const { cause } = /** @type {any} */ (error);
        assert.match(`${code === 'unauthenticated' ? cause : cause.cause}`, /offline/);
        return true;
      });
    });
  }

  test('that Firebase’s SDK cannot renew without a network is no refusal: reads say so, and increments wait', async () => {
    let isOffline = true;
    const failing = async () => {
      if (isOffline) throw Object.assign(new Error('Firebase: Error (auth/network-request-failed).'), { code: 'auth/network-request-failed' });
      return 'owner';
    };
    const db = await open({ authToken: failing, user: () => null, onWarning() {} });
    const counter = db.counter('c/1', { shards: 2, flushMs: 0 });
    await assert.rejects(counter.get(), (/** @type {any} */ error) => error.code === 'unavailable' && error.reason === 'no-network');
    /** @type {string[]} */
    const states = [];
    const stop = counter.watch(({ state }) => states.push(state), { intervalMs: 20 });
    const waits = counter.increment(4);
    await until(() => states.includes('offline'));
    isOffline = false;
    await waits;
    await until(() => states.at(-1) === 'live');
    stop();
    assert.equal((await counter.get()).value, 4);
  });

  test('is told with its reason of increments that wait', async () => {
    /** @type {import('shardline').ShardlineError[]} */
    const warnings = [];
    const db = await open({ authToken, onWarning: (warning) => warnings.push(warning) });
    proxy.script(faults.dropResponse());
    const increment = db.counter('c/1', { shards: 2, flushMs: 0 }).increment();
    await db.close();
    await assert.rejects(increment, shardlineError('outcome-unknown'));
    const told = warnings.map(({ code, reason, params }) => ({ code, reason, params }));
    assert.deepEqual(told, [{ code: 'unauthenticated', reason: 'token-not-given', params: { function: 'authToken' } }]);
  });

  longTest('is asked again soon each time, if there was a token in between', async () => {
    let fails = false;
    const db = await open({
      authToken: () => {
        if (!fails) return 'owner';
        fails = false;
        throw new Error('for a moment');
      },
      onWarning() {},
    });
    const counter = db.counter('c/1', { shards: 2, flushMs: 0 });
    let took = 0;
    for (let i = 0; i < 4; i += 1) {
      const asked = performance.now();
      fails = true;
      await counter.increment();
      took = performance.now() - asked;
    }
    // Each pause is twice the one before, from a second on: the fourth would be of eight seconds.
    assert.ok(took < 7900, `The last time it took ${took} ms.`);
    await db.close();
  });

  test('a program that waits for an increment does not end before there is a token; one that does not wait ends', async () => {
    const program = (/** @type {string} */ last) => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `
      import { connect } from ${JSON.stringify(import.meta.resolve('shardline'))};
      let calls = 0;
      const authToken = () => {
        calls += 1;
        if (calls < 3) throw new Error('not yet');
        return 'owner';
      };
      const db = await connect({ projectId: '${projectId}', host: ${JSON.stringify(proxy.url)}, authToken, onWarning() {} });
      ${last}
    `], { timeout: 20_000 });
    const counting = "db.counter('c/1', { shards: 2, flushMs: 0 }).increment().then(() => console.log('counted'));";
    assert.equal((await program(counting)).stdout, 'counted\n');
    assert.equal((await program('')).stdout, '');
    assert.equal(proxy.count('commit'), 1);
  });
});

describe('a server that misbehaves gives a typed error, and the next call works', () => {
  const three = (/** @type {any} */ fault) => [fault, fault, fault];
  const reads = /** @type {[string, any[], string][]} */ ([
    ['a web page with status 200', [faults.html(200)], 'unavailable'],
    ['truncated JSON', three(faults.truncate(20)), 'internal'],
    ['an empty body', three(faults.emptyBody()), 'internal'],
    ['500s', three(faults.internal()), 'internal'],
    ['503s', three(faults.unavailable()), 'unavailable'],
    ['429s', three(faults.exhausted()), 'resource-exhausted'],
    ['nothing at all', three(faults.dropRequest()), 'unavailable'],
    ['half an answer', three(faults.cutResponse(10)), 'unavailable'],
    ['an error in the middle of an array', [faults.errorInArray(1, 'PERMISSION_DENIED', 403)], 'permission-denied'],
    ['an error as an array', [faults.arrayError(403, 'PERMISSION_DENIED')], 'permission-denied'],
  ]);
  for (const [what, script, code] of reads) {
    test(`reading: ${what}`, async () => {
      const db = await open();
      const counter = db.counter('c/1', { shards: 2, flushMs: 0, layout: 'node-sample' });
      await counter.increment(5);
      proxy.script(...script);
      await assert.rejects(counter.get({ source: 'shards' }), shardlineError(code));
      assert.equal((await counter.get({ source: 'shards' })).value, 5);
    });
  }

  test('one 503 is passed over', async () => {
    const db = await open();
    const counter = db.counter('c/1', { shards: 2, flushMs: 0 });
    proxy.script(faults.unavailable(), null);
    await counter.increment();
    assert.equal((await counter.get()).value, 1);
  });

  test('no server there at all', async () => {
    const db = await connect({ projectId: 'demo', host: 'http://127.0.0.1:9', retry });
    await assert.rejects(db.counter('c/1', { shards: 2, flushMs: 0 }).get(), (error) => {
      shardlineError('unavailable', /host/)(error);
      assert.ok(/** @type {Error} */ (error).cause instanceof Error);
      return true;
    });
  });

  test('an answer that never comes is given up after retry.timeoutMs', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const db = await connect({ projectId: 'demo', host: `http://127.0.0.1:${port}`, retry: { ...retry, maxAttempts: 1, timeoutMs: 50 } });
    await assert.rejects(db.counter('c/1', { shards: 2, flushMs: 0 }).get(), shardlineError('deadline-exceeded', /timeoutMs/));
    server.closeAllConnections();
    server.close();
  });
});

describe('cancelling', () => {
  test('by signal ends the request and keeps the reason', async () => {
    const db = await open();
    const counter = db.counter('c/1', { shards: 2, flushMs: 0 });
    const held = deferred();
    proxy.script(faults.hold(held.promise));
    const controller = new AbortController();
    const total = counter.get({ signal: controller.signal });
    await proxy.arrived(1);
    controller.abort(new Error('changed my mind'));
    await assert.rejects(total, (error) => {
      shardlineError('cancelled')(error);
      assert.match(`${/** @type {Error} */ (error).cause}`, /changed my mind/);
      return true;
    });
    held.resolve(undefined);
    assert.equal((await counter.get()).value, 0);
  });

  test('before it began sends nothing', async () => {
    const db = await open();
    await assert.rejects(db.counter('c/1', { shards: 2, flushMs: 0 }).increment(1, { signal: AbortSignal.abort() }), shardlineError('cancelled'));
    assert.equal(proxy.requests.length, 0);
  });

  test('by close() ends what runs, and later calls are refused', async () => {
    const db = await open();
    const counter = db.counter('c/1', { shards: 2, flushMs: 0 });
    const held = deferred();
    proxy.script(faults.hold(held.promise));
    const total = counter.get();
    await proxy.arrived(1);
    const rejected = assert.rejects(total, shardlineError('cancelled'));
    await db.close();
    await rejected;
    held.resolve(undefined);
    await assert.rejects(counter.get(), shardlineError('failed-precondition', /connect/));
  });
});

describe('the WebAssembly module', () => {
  test('a page that there is no memory for is asked for once, as it would be billed again', async (t) => {
    const modules = watchModules(() => false, 2 ** 20);
    t.after(() => modules.stop());
    let requests = 0;
    const db = await open({
      wasm: wasmFile,
      fetch: async () => {
        requests += 1;
        return new Response(new Uint8Array(40 * 2 ** 20));
      },
    });
    await assert.rejects(db.shardedCollection('c', { shards: 1 }).limit(100).get(), shardlineError('resource-exhausted', /memory/));
    assert.equal(requests, 1);
  });

  const sources = /** @type {[string, () => any][]} */ ([
    ['a file URL', () => new URL(wasmFile)],
    ['bytes', () => readFile(new URL(wasmFile))],
    ['an ArrayBuffer', async () => Uint8Array.from(await readFile(new URL(wasmFile))).buffer],
    ['bytes of another realm', async () => runInNewContext('Uint8Array').from(await readFile(new URL(wasmFile)))],
    ['a compiled module', async () => WebAssembly.compile(await readFile(new URL(wasmFile)))],
    ['a Response', async () => new Response(await readFile(new URL(wasmFile)))],
    ['a Response of a server that says more of its type', async () => (
      new Response(await readFile(new URL(wasmFile)), { headers: { 'content-type': 'application/wasm; charset=utf-8' } }))],
  ]);
  for (const [what, source] of sources) {
    test(`starts from ${what}`, async () => {
      const db = await open({ wasm: await source() });
      await db.counter('c/1', { shards: 2, flushMs: 0 }).increment();
    });
  }

  test('that is missing or none gives a typed error that says what to do', async () => {
    const missing = new URL('missing.wasm', wasmFile);
    await assert.rejects(open({ wasm: missing }), shardlineError('unavailable', /connect\({ wasm }\)/));
    await assert.rejects(open({ wasm: new Uint8Array([1, 2, 3]) }), shardlineError('unavailable', /wasm/));
    await assert.rejects(open({ wasm: new Response('no', { status: 404 }) }), shardlineError('unavailable', /404/));
  });

  test('that crashes ends what is under way with a typed error, is started again, and the next call works', async () => {
    let crashing = false;
    const modules = watchModules(() => crashing);
    try {
      const answers = deferred();
      let isHeld = true;
      const db = await open({ wasm: await readFile(new URL(wasmFile)), fetch: (...args) => (isHeld ? answers.promise : fetch(...args)) });
      const reading = db.counter('c/1', { shards: 2 }).get();
      crashing = true;
      answers.resolve(new Response('{}'));
      await assert.rejects(reading, shardlineError('internal', /crashed/));
      assert.throws(() => db.counter('c/2', { shards: 2 }), shardlineError('internal', /crashed/));
      crashing = false;
      isHeld = false;
      await db.counter('c/1', { shards: 2 }).create();
      await db.close();
    } finally {
      modules.stop();
    }
    const db = await open({});
    await db.counter('c/1', { shards: 2 }).create();
  });
});

/** @returns {{promise: Promise<unknown>, resolve: (value: unknown) => void}} */
function deferred() {
  /** @type {(value: unknown) => void} */
  let resolve = () => {};
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
