/** Every error has a reason, and the parameters that the table names: the table of web/library/reasons.js, and its users. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connect, ShardlineError, Timestamp } from '../../web/library/index.js';
import { REASONS } from '../../web/library/reasons.js';
import { describeErrors, openWorkbench } from '../../web/library/workbench.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @type {{[reason: string]: {code: string | null, params: readonly string[], when: string}}} */
const table = REASONS;

/** @param {string} folder @param {RegExp} name */
async function readAll(folder, name) {
  const files = (await readdir(ROOT + folder, { recursive: true })).filter((file) => name.test(file) && !/node_modules|generated/.test(file));
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(`${ROOT}${folder}/${file}`, 'utf8') })));
}

describe('the table', async () => {
  const header = await readFile(`${ROOT}src/base/reason.h`, 'utf8');
  const core = [...header.matchAll(/constexpr Reason (k\w+)\{"([\w-]+)", Code::k(\w+)\};/g)]
    .map(([, constant = '', reason = '', code = '']) => ({ constant, reason, code: code.replace(/\B[A-Z]/g, '-$&').toLowerCase() }));
  const rows = await readFile(`${ROOT}src/base/reason.cc`, 'utf8');
  const params = new Map([...rows.matchAll(/\{(k\w+), "([\w ]*)"\},/g)].map(([, constant = '', names = '']) => [constant, names.split(' ').filter(Boolean)]));
  const scripts = (await readAll('web/library', /\.js$/)).filter(({ file }) => file !== 'reasons.js');
  const inScripts = scripts.flatMap(({ file, text }) => [...text.matchAll(/\breason: '([\w-]+)'|closed\('[\w-]+', '([\w-]+)'/g)]
    .map(([, reason, ofClosed]) => ({ file, reason: reason ?? ofClosed ?? '' })));

  test('has the reasons of the core, with their codes and parameters', () => {
    assert.equal(core.length, [...header.matchAll(/constexpr Reason /g)].length);
    for (const { constant, reason, code } of core) {
      assert.ok(table[reason], reason);
      // An error of the server, or of a proxy in its place, has the code that fits its words.
      if (table[reason]?.code !== null) assert.equal(table[reason]?.code, code, reason);
      assert.deepEqual(table[reason]?.params, params.get(constant), reason);
    }
  });

  test('has the reasons of the library’s JavaScript, with their codes', () => {
    assert.deepEqual(inScripts.filter(({ reason }) => !(reason in table)), []);
    for (const { file, text } of scripts) {
      const made = text.matchAll(/(?:new ShardlineError|closed)\('([\w-]+)',(?:(?!new ShardlineError|\bclosed\(|;\n)[^])*?'?reason'?: '([\w-]+)'/g);
      for (const [, code, reason = ''] of made) assert.equal(code, table[reason]?.code ?? code, `${file}: ${reason}`);
    }
  });

  test('has no reason that nothing gives', async () => {
    const sources = (await readAll('src', /\.(cc|h)$/)).filter(({ file }) => !/^base\/reason\.(h|cc)$/.test(file)).map(({ text }) => text).join('\n');
    const given = new Set([
      ...core.filter(({ constant }) => new RegExp(`\\b${constant}\\b`).test(sources)).map(({ reason }) => reason),
      ...inScripts.map(({ reason }) => reason),
    ]);
    assert.deepEqual(Object.keys(table).filter((reason) => !given.has(reason)), []);
  });

  test('is the one of the guide', async () => {
    const guide = await readFile(`${ROOT}web/guides/errors.md`, 'utf8');
    const written = Object.entries(table).map(([reason, { code, params, when }]) => (
      `| \`${reason}\` | ${code ? `\`${code}\`` : 'the server’s'} | ${params.map((name) => `\`${name}\``).join(', ')} | ${when} |\n`));
    assert.equal(guide.slice(guide.indexOf('|---|---|---|---|\n') + 18), written.join(''));
    const codes = new Set(Object.values(table).flatMap(({ code }) => code ?? []));
    assert.deepEqual([...codes].filter((code) => !guide.slice(guide.indexOf('## Codes'), guide.indexOf('## Reasons')).includes(`\`${code}\``)), []);
  });

  test('is told by describeErrors(), and says when each one occurs', () => {
    assert.deepEqual(describeErrors().map(({ reason }) => reason), Object.keys(table));
    for (const { reason, code, params, when } of describeErrors()) {
      assert.match(reason, /^[a-z]+(-[a-z]+)*$/);
      assert.deepEqual({ code, params, when }, table[reason]);
      assert.match(when, /^([`A-Z]|\w+\(\)).*\.$/);
    }
  });

  test('keeps what apps compare with', () => {
    // A reason may be added here, but never removed.
    assert.deepEqual(Object.entries(table).map(([reason, { params }]) => [reason, ...params].join(' ')).sort(), [
      'answer-unreadable http',
      'answers-contradict document',
      'argument-missing argument allowed',
      'argument-not-allowed argument allowed',
      'argument-unknown argument known',
      'argument-unreadable argument',
      'arguments-conflict argument other',
      'batch-ended',
      'batch-increment-too-large path',
      'batch-withdrawn',
      'cancelled',
      'cancelled-in-doubt',
      'closed',
      'counter-exists path',
      'counter-full',
      'counter-not-found path',
      'counter-of-another-layout path field',
      'database-not-opened',
      'document-lacks-order-field field',
      'document-not-found document',
      'document-too-large',
      'document-written-twice document',
      'field-not-allowed field',
      'ids-damaged document',
      'ids-not-found path',
      'ids-path-taken path',
      'ids-perhaps-lost',
      'ids-too-many-shards',
      'ids-used-up path',
      'increment-goes-on',
      'increment-in-doubt',
      'increment-too-large',
      'increment-withdrawn',
      'increments-not-sent',
      'index-file-unreadable where',
      'index-link-unreadable',
      'internal-fault',
      'kept-data-unreadable name',
      'memory-full',
      'method-missing method instead',
      'module-crashed',
      'module-not-loaded file',
      'no-network',
      'page-too-large',
      'path-not-allowed path',
      'query-aggregation-not-allowed',
      'query-cursor-not-allowed',
      'query-filter-not-allowed field',
      'query-order-not-allowed',
      'query-too-large',
      'request-too-large',
      'resize-overruled',
      'result-in-doubt',
      'resume-from-elsewhere',
      'rules-file-unreadable where',
      'server-refused status http',
      'shard-field-changed field',
      'stock-key-used key',
      'stock-not-found path',
      'stock-not-taken key path',
      'stock-take-in-doubt key',
      'storage-altered',
      'storage-missing',
      'storage-not-readable',
      'storage-not-writable',
      'taken-over',
      'timed-out',
      'token-not-given function',
      'token-of-another-query',
      'too-much-contention',
      'total-too-large',
      'user-changed',
      'user-not-known',
      'user-not-signed-in',
      'value-not-allowed field',
      'worker-not-started file',
      'write-in-doubt',
    ]);
  });
});

describe('an error', () => {
  /** @type {any} */
  let workbench;
  /** @type {any} */
  let simulator;
  /** @type {any} */
  let db;
  /** @type {any} What a server would do next, in place of the simulator. */
  let next;

  const answer = (/** @type {number} */ status, /** @type {string} */ body) => async () => new Response(body, { status });
  const lost = async () => { throw new TypeError('The network is gone.'); };

  before(async () => {
    workbench = await openWorkbench();
    simulator = await workbench.createEmbeddedFirestore();
    const fetch = (/** @type {any} */ ...request) => (next ?? simulator.fetch)(...request);
    db = await connect({ projectId: 'demo', fetch, retry: { maxAttempts: 1 } });
    const here = await connect({ projectId: 'demo', fetch: simulator.fetch });
    await here.counter('posts/there', { shards: 2 }).create();
    await here.ids('ids/there', { shards: 2, maxShards: 2 }).create();
    await here.stock('stocks/there').create({ units: 5 });
    await here.stock('stocks/there').take(1, { key: 'one' });
    await here.close();
  });
  after(async () => {
    next = undefined;
    await db.close();
    await simulator.close();
  });

  const rows = () => db.shardedCollection('rows', { shards: ['x', 'y'] });
  const counter = () => db.counter('posts/there', { delivery: 'at-least-once' });
  const aborted = { signal: AbortSignal.abort() };

  /** @type {[reason: string, cause: () => unknown, params?: object, server?: any][]} */
  const CASES = [
    ['argument-not-allowed', () => rows().limit(0).get(), { argument: 'limit', allowed: 'an integer from 1 to 2,147,483,647' }],
    ['argument-not-allowed', () => db.counter('a/b', { flushMs: -1 }), { argument: 'flushMs', allowed: 'a number of milliseconds, from 0 on' }],
    ['argument-not-allowed', () => Timestamp.fromMillis(/** @type {any} */ ('x'))],
    ['argument-not-allowed', () => connect(/** @type {any} */ ({})), { argument: 'projectId', allowed: 'the id of your Firebase project' }],
    ['argument-not-allowed', () => db.counter('a/b', { layout: 'unheard-of' })],
    ['argument-not-allowed', () => workbench.counterRules({ path: 'a/{b}', shards: 0 }), { argument: 'shards', allowed: 'an integer from 1 to 10,000' }],
    ['argument-not-allowed', () => workbench.cost({ location: 'nowhere' })],
    ['argument-not-allowed', () => simulator.run('unheard-of')],
    ['argument-unknown', () => db.counter('a/b', { sharts: 3 }), undefined],
    ['argument-unknown', () => connect(/** @type {any} */ ({ projectId: 'demo', region: 'x' }))],
    ['argument-unknown', () => counter().get({ sourze: 'sum' })],
    ['argument-unknown', () => workbench.counterRules({ path: 'a/{b}', shart: 0 })],
    ['argument-missing', () => db.counter('a/b', { layout: 'extension' }), { argument: 'countField', allowed: 'a field\'s path' }],
    ['argument-unreadable', () => db.counter('a/b', { shards: 3n }), { argument: 'shards' }],
    ['argument-unreadable', () => rows().add({ get a() { throw new Error('No.'); } })],
    ['arguments-conflict', () => db.counter('posts/there', { maxDelta: 0.5 }).increment(1), { argument: 'maxDelta', other: 'delta' }],
    ['arguments-conflict', () => db.shardedCollection('rows', { shards: 2, shardField: 'a', orderField: 'a.b' })],
    ['path-not-allowed', () => db.counter('posts'), undefined],
    ['path-not-allowed', () => db.counter('posts/__x__'), { path: '__x__' }],
    ['field-not-allowed', () => rows().where('a..b', '==', 1).get(), { field: 'a..b' }],
    ['value-not-allowed', () => rows().add({ timestamp: 1, list: [[1]] }), { field: 'list' }],
    ['value-not-allowed', () => rows().add({ timestamp: 1, f() {} }), { field: 'f' }],
    ['value-not-allowed', () => rows().add({ timestamp: 1, shard: 'z' }), { field: 'shard' }],
    ['document-too-large', () => rows().add({ timestamp: 1, text: 'x'.repeat(2 ** 20) })],
    ['document-lacks-order-field', () => rows().add({ a: 1 }), { field: 'timestamp' }],
    ['shard-field-changed', () => rows().update('doc', { shard: 'x' }), { field: 'shard' }],
    ['query-filter-not-allowed', () => rows().where('a', 'in', []).get(), { field: 'a' }],
    ['query-order-not-allowed', () => rows().orderBy('shard').get()],
    ['query-cursor-not-allowed', () => rows().startAt().get()],
    ['query-aggregation-not-allowed', () => rows().sum('shard')],
    ['query-too-large', () => rows().where('a', '!=', 1).where('a', '!=', 2).get()],
    ['token-of-another-query', () => rows().continueFrom('x').get()],
    ['token-of-another-query', () => rows().continueFrom(null)],
    ['index-file-unreadable', () => workbench.auditIndexes('{')],
    ['index-file-unreadable', () => workbench.auditIndexes('{"indexes":[1]}'), { where: 'indexes[0]' }],
    ['rules-file-unreadable', () => workbench.joinCounterRules('match {', { path: 'posts/{post}' }), { where: 'line 1' }],
    ['index-link-unreadable', () => workbench.explainMissingIndex('none')],
    ['counter-not-found', () => db.counter('posts/none', { delivery: 'at-least-once' }).increment(), { path: 'posts/none' }],
    ['counter-not-found', () => db.counter('posts/none').increment(), { path: 'posts/none' }],
    ['counter-exists', () => db.counter('posts/there', { shards: 2 }).create({ ifExists: 'error' }), { path: 'posts/there' }],
    ['server-refused', () => rows().update('none', { a: 1 }), { status: 'NOT_FOUND', http: 404 }],
    ['ids-not-found', () => db.ids('ids/none').next(), { path: 'ids/none' }],
    ['ids-too-many-shards', () => db.ids('ids/there').resize(3)],
    ['stock-not-found', () => db.stock('stocks/none').take(), { path: 'stocks/none' }],
    ['stock-not-taken', () => db.stock('stocks/there').putBack(1, { key: 'none' }), { key: 'none', path: 'stocks/there' }],
    ['stock-key-used', () => db.stock('stocks/there').take(2, { key: 'one' }), { key: 'one' }],
    ['cancelled', () => counter().get(aborted)],
    ['increment-too-large', () => db.counter('posts/there', { maxDelta: 1 }).increment(1001)],
    ['increment-withdrawn', () => db.counter('posts/there').increment(1, aborted)],
    ['no-network', () => counter().get(), undefined, lost],
    ['write-in-doubt', () => rows().update('none', { a: 1 }), undefined, lost],
    ['server-refused', () => counter().get(), { status: 'PERMISSION_DENIED', http: 403 },
      answer(403, '{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}')],
    ['server-refused', () => counter().get(), { status: 'ABORTED', http: 409 }, answer(409, '{"error":{"code":409,"message":"No."}}')],
    ['answer-unreadable', () => counter().get(), { http: 502 }, answer(502, '<html>')],
    ['answer-unreadable', () => counter().get(), { http: 200 }, answer(200, '<html>')],
    ['token-not-given', async () => {
      const other = await connect({ projectId: 'demo', fetch: simulator.fetch, authToken: () => { throw new Error('No.'); } });
      return other.counter('posts/there').get().finally(() => other.close());
    }, { function: 'authToken' }],
    ['closed', async () => {
      const other = await connect({ projectId: 'demo', fetch: simulator.fetch });
      await other.close();
      return other.counter('posts/there').get();
    }],
    ['module-not-loaded', () => connect({ projectId: 'demo', wasm: new Uint8Array([1, 2, 3]) })],
    ['module-not-loaded', () => connect({ projectId: 'demo', wasm: new Response('', { status: 404 }) })],
  ];

  for (const [index, [reason, cause, params, server]] of CASES.entries()) {
    test(`${index}: ${reason}`, async () => {
      next = server;
      await assert.rejects(async () => cause(), (/** @type {any} */ error) => {
        assert.ok(error instanceof ShardlineError, String(error.stack));
        assert.equal(error.reason, reason, error.message);
        const { code, params: names } = table[reason] ?? { code: '', params: [] };
        if (code !== null) assert.equal(error.code, code);
        assert.deepEqual(Object.keys(error.params), names);
        for (const value of Object.values(error.params)) assert.ok(['string', 'number'].includes(typeof value));
        assert.ok(Object.isFrozen(error.params));
        if (params) assert.deepEqual({ ...error.params }, params);
        return true;
      }).finally(() => { next = undefined; });
    });
  }

  test('keeps its reason on the way to those who wait, and to onError', async () => {
    next = answer(403, '{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}');
    await assert.rejects(db.counter('posts/there').increment(), { reason: 'server-refused', params: { status: 'PERMISSION_DENIED', http: 403 } });
    next = undefined;
  });
});
