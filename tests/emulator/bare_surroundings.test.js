/**
 * connect() in surroundings that lack a part that browsers have: it works, or its error names the part. Each case is a process of its own: modules
 * look once.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const LIBRARY = import.meta.resolve('shardline');

/**
 * @param {string} before Runs before the library is imported.
 * @param {string} [options] Of connect(), as text.
 * @returns {Promise<{code?: string, reason?: string, params?: object, message?: string, total?: number}>}
 */
async function connectWhere(before, options = "{ projectId: 'demo' }") {
  const script = `${before}
    const { connect, ShardlineError } = await import(${JSON.stringify(LIBRARY)});
    try {
      const db = await connect(${options});
      const counter = db.counter('c/c', { shards: 2, flushMs: 0 });
      console.log(JSON.stringify({ total: (await counter.get()).value }));
      await db.close();
    } catch (error) {
      if (!(error instanceof ShardlineError)) throw error;
      const { code, reason, params, message } = error;
      console.log(JSON.stringify({ code, reason, params, message }));
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 60_000 });
  return JSON.parse(stdout);
}

/** An app's own fetch(), which answers without a Response: a total of 3. */
const OWN_FETCH = `const asked = [];
  const own = async (input, init) => {
    asked.push(init);
    if (init.cache && isStrict) throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
    const answer = [{ result: { aggregateFields: { sum: { integerValue: '3' }, count: { integerValue: '2' } } }, readTime: '2026-01-01T00:00:00Z' }];
    return { status: 200, headers: new Headers(), arrayBuffer: async () => new TextEncoder().encode(JSON.stringify(answer)).buffer };
  };`;
const OWN_OPTIONS = "{ projectId: 'demo', fetch: own, retry: { maxAttempts: 1 } }";

test('without WebAssembly connect() says so', async () => {
  // Node's own fetch() needs one, and rejects for itself.
  const { code, reason, params, message } = await connectWhere("process.on('unhandledRejection', () => {}); delete globalThis.WebAssembly;");
  assert.deepEqual([code, reason, params], ['unavailable', 'module-not-loaded', { file: 'shardline.wasm' }]);
  assert.match(message ?? '', /no WebAssembly here.*Lockdown Mode/);
});

test('without fetch() connect() asks for one, and takes it', async () => {
  const { code, reason, params, message } = await connectWhere('delete globalThis.fetch;');
  assert.deepEqual([code, reason, params], ['invalid-argument', 'argument-missing', { argument: 'fetch', allowed: 'a function' }]);
  assert.match(message ?? '', /connect\(\{ fetch \}\)/);
  assert.deepEqual(await connectWhere(`const isStrict = false; ${OWN_FETCH} delete globalThis.fetch;`, OWN_OPTIONS), { total: 3 });
});

test('without Response and Request a fetch() of one’s own is enough', async () => {
  const before = `const isStrict = false; ${OWN_FETCH} for (const name of ['Response', 'Request', 'fetch']) delete globalThis[name];`;
  assert.deepEqual(await connectWhere(before, OWN_OPTIONS), { total: 3 });
});

test('where requests cannot be given the option `cache`, they go without it', async () => {
  const before = `const isStrict = true; ${OWN_FETCH}
    globalThis.Request = class { constructor(input, init) { if (init.cache) throw new Error("The 'cache' field is not implemented."); } };`;
  assert.deepEqual(await connectWhere(before, OWN_OPTIONS), { total: 3 });
});

test('a module that is not where it should be: the message names the place', async () => {
  const { reason, message } = await connectWhere('', "{ projectId: 'demo', wasm: 'http://127.0.0.1:1/shardline.wasm' }");
  assert.equal(reason, 'module-not-loaded');
  assert.match(message ?? '', /from http:\/\/127\.0\.0\.1:1\/shardline\.wasm\..*test runner.*shardline\/inline/);
});
