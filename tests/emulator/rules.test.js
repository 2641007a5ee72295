/** The security rules of counterRules(), on Google's emulator: what the library does is allowed, attacks are not. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { connect, ShardlineError } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { startEmulator } from './support/emulator.js';
import { RestClient, RestError, userToken } from './support/rest.js';

/** @typedef {import('shardline/workbench').CounterRulesOptions} CounterRulesOptions */

const { counterRules } = await openWorkbench();
const PREFIX = 'projects/demo/databases/(default)/documents/';
const ADMIN = 'request.auth.token.admin == true';

/** @type {import('./support/emulator.js').Emulator[]} */
const emulators = [];
after(() => Promise.all(emulators.map((emulator) => emulator.stop())));

/** @param {CounterRulesOptions} options */
async function underRules(options) {
  const emulator = await startEmulator({ rules: counterRules(options) });
  emulators.push(emulator);
  const owner = new RestClient({ url: emulator.url });
  return {
    owner,
    /** @param {string | null} token */
    rest: (token) => new RestClient({ url: emulator.url, token }),
    /** @param {string | null} token */
    open: (token) => connect({ projectId: 'demo', host: emulator.url, storage: 'memory', retry: { initialDelayMs: 50 }, authToken: token === null ? undefined : () => token }),
  };
}

/** @param {Promise<unknown>} promise */
const refused = (promise) => assert.rejects(promise, (error) => {
  assert.ok(error instanceof RestError || error instanceof ShardlineError, `${error}`);
  assert.match(`${error.message} ${'code' in error ? error.code : ''}`, /PERMISSION_DENIED|permission-denied/);
  return true;
});

/** @param {number} value */
const integer = (value) => ({ integerValue: String(value) });

/**
 * @param {string} shard
 * @param {number} by
 */
const increment = (shard, by) => ({
  update: { name: `${PREFIX}posts/p1/shards/${shard}` },
  updateMask: { fieldPaths: [] },
  updateTransforms: [{ fieldPath: 'count', increment: integer(by) }],
});

/**
 * @param {string} client
 * @param {{seq?: number, batch?: string, delta?: number, shard?: string, more?: object}} [entry]
 * @param {object} [currentDocument]
 */
const ledger = (client, { seq = 1, batch = 'b'.repeat(20), delta = 1, shard = '0', more } = {}, currentDocument = undefined) => ({
  update: {
    name: `${PREFIX}posts/p1/shardline/shards.count/shardline_ledger/${client}`,
    fields: {
      seq: integer(seq), batch: { stringValue: batch }, delta: integer(delta), shard: { stringValue: shard },
      expireAt: { timestampValue: '2030-01-01T00:00:00Z' }, ...more,
    },
  },
  ...(currentDocument && { currentDocument }),
});

/** @param {string} shard @param {Record<string, unknown>} fields */
const overwrite = (shard, fields) => ({ update: { name: `${PREFIX}posts/p1/shards/${shard}`, fields } });

describe('public counters', async () => {
  const { owner, rest, open } = await underRules({ path: 'posts/{post}', shards: 3, maxDelta: 5, admin: ADMIN });
  const anyone = rest(null);
  beforeEach(() => owner.deleteAll());

  for (const delivery of /** @type {const} */ (['exactly-once', 'at-least-once', 'transaction'])) {
    test(`may be incremented and read by everybody, ${delivery}`, async () => {
      const counter = (await open(null)).counter('posts/p1', { shards: 3, delivery, flushMs: 0, maxDelta: 5 });
      await counter.increment();
      await counter.increment(4);
      await counter.increment(-2);
      await Promise.all(Array.from({ length: 8 }, () => counter.increment(2)));
      assert.equal((await counter.get()).value, 19);
      assert.equal((await counter.get({ source: 'shards' })).value, 19);
    });
  }

  test('are created, read and deleted by admins', async () => {
    const counter = (await open(userToken('root', { admin: true }))).counter('posts/p1', { shards: 3 });
    assert.deepEqual(await counter.create(), { created: true, shards: 3 });
    await counter.increment();
    await counter.delete();
    const other = (await open(userToken('eve'))).counter('posts/p1', { shards: 3 });
    await refused(other.create());
    await refused(other.delete());
  });

  const attacks = /** @type {[string, object[]][]} */ ([
    ['set the count', [overwrite('0', { count: integer(1000) })]],
    ['set it back', [overwrite('0', { count: integer(0) })]],
    ['count with a large delta', [increment('0', 6)]],
    ['count down with a large delta', [increment('0', -6)]],
    ['delete a shard', [{ delete: `${PREFIX}posts/p1/shards/0` }]],
    ['make a shard more', [increment('3', 1)]],
    ['make a shard of another name', [increment('00', 1)]],
    ['put something else into a shard', [{ ...increment('0', 1), updateMask: { fieldPaths: ['x'] }, update: { name: `${PREFIX}posts/p1/shards/0`, fields: { x: integer(1) } } }]],
    ['make the count a text', [overwrite('0', { count: { stringValue: '1' } })]],
    ['make the count NaN', [overwrite('0', { count: { doubleValue: 'NaN' } })]],
    ['change the number of shards', [{ update: { name: `${PREFIX}posts/p1`, fields: { num_shards: integer(1) } } }]],
    ['forge a ledger of nothing', [ledger('a'.repeat(20))]],
    ['forge a ledger of another delta', [ledger('a'.repeat(20), { delta: 2 }), increment('0', 1)]],
    ['forge a ledger of another shard', [ledger('a'.repeat(20), { shard: '1' }), increment('0', 1)]],
    ['begin a ledger in the middle', [ledger('a'.repeat(20), { seq: 7 }), increment('0', 1)]],
    ['hide something in a ledger', [ledger('a'.repeat(20), { more: { x: integer(1) } }), increment('0', 1)]],
    ['name a ledger at will', [ledger('me'), increment('0', 1)]],
    ['write a total', [{ update: { name: `${PREFIX}posts/p1/shardline/shards.count/shardline_rollup/total`, fields: { value: integer(9) } } }]],
  ]);
  for (const [what, writes] of attacks) {
    test(`nobody may ${what}`, async () => {
      await owner.commit([increment('0', 7)]);
      await refused(anyone.commit(writes));
      assert.deepEqual((await owner.get('posts/p1/shards/0')).fields, { count: integer(7) });
    });
  }

  test('nobody may list the ledgers, or go back or skip in one', async () => {
    const client = 'a'.repeat(20);
    await anyone.commit([ledger(client, {}, { exists: false }), increment('0', 1)]);
    await refused(anyone.list('posts/p1/shardline/shards.count/shardline_ledger'));
    await refused(anyone.commit([ledger(client), increment('0', 1)]));
    await refused(anyone.commit([ledger(client, { seq: 3, batch: 'c'.repeat(20) }), increment('0', 1)]));
    await refused(anyone.commit([ledger(client, { seq: 2 }), increment('0', 1)]));
    await refused(anyone.commit([{ delete: `${PREFIX}posts/p1/shardline/shards.count/shardline_ledger/${client}` }]));
    await anyone.commit([ledger(client, { seq: 2, batch: 'c'.repeat(20) }), increment('0', 1)]);
  });
});

describe('counters for those who are signed in', async () => {
  const { owner, rest, open } = await underRules({ path: 'posts/{post}', access: 'signed-in', maxDelta: 2 });
  const ann = rest(userToken('ann'));
  beforeEach(() => owner.deleteAll());

  test('may be incremented by users, from two devices at once', async () => {
    const options = { shards: 10, clientId: 'ann', flushMs: 0, maxDelta: 2 };
    const [here, there] = [(await open(userToken('ann'))).counter('posts/p1', options), (await open(userToken('ann'))).counter('posts/p1', options)];
    for (let i = 0; i < 5; i += 1) await Promise.all([here.increment(), there.increment(2)]);
    assert.equal((await here.get()).value, 15);
  });

  test('not by others, not without a ledger, not in another user’s name', async () => {
    const options = { shards: 10, flushMs: 0 };
    await refused((await open(null)).counter('posts/p1', options).increment());
    await refused((await open(userToken('ann'))).counter('posts/p1', options).increment());
    await refused((await open(userToken('ann'))).counter('posts/p1', { ...options, clientId: 'bob' }).increment());
    await refused((await open(userToken('ann'))).counter('posts/p1', { ...options, delivery: 'at-least-once' }).increment());
    assert.deepEqual(await owner.list('posts/p1/shards'), []);
  });

  test('one entry covers one increment', async () => {
    await ann.commit([ledger('ann'), increment('0', 1)]);
    await refused(ann.commit([increment('0', 1)]));
    await refused(ann.commit([increment('1', 1)]));
    await refused(ann.commit([ledger('ann', { seq: 2, batch: 'c'.repeat(20) }), increment('0', 1), increment('1', 1)]));
    await refused(ann.commit([ledger('ann', { seq: 2, batch: 'c'.repeat(20) }), increment('0', 1), increment('0', 1)]));
    await refused(rest(userToken('bob')).commit([ledger('ann', { seq: 2, batch: 'c'.repeat(20) }), increment('0', 1)]));
    await refused(rest(userToken('bob')).get('posts/p1/shardline/shards.count/shardline_ledger/ann'));
  });
});

describe('one vote each', async () => {
  const { owner, rest, open } = await underRules({ path: 'polls/{poll}/answers/{answer}', access: 'one-vote' });
  beforeEach(() => owner.deleteAll());
  const path = 'polls/p/answers/yes';
  /** @param {string} user */
  const vote = async (user) => (await open(userToken(user))).counter(path, { shards: 10, clientId: user, flushMs: 0 }).increment();

  test('is counted once, however often it is given', async () => {
    await Promise.all(['ann', 'bob', 'cid'].map(vote));
    await refused(vote('ann'));
    await refused(rest(userToken('ann')).commit([{ delete: `${PREFIX}${path}/shardline/shards.count/shardline_ledger/ann` }]));
    assert.equal((await (await open(null)).counter(path, { shards: 10 }).get()).value, 3);
  });
});

describe('where the path is the collection of shards', async () => {
  const { owner, open } = await underRules({ path: 'likes', layout: 'ruby', access: 'signed-in' });
  beforeEach(() => owner.deleteAll());

  test('users increment', async () => {
    const counter = (await open(userToken('ann'))).counter('likes', { shards: 10, layout: 'ruby', clientId: 'ann', flushMs: 0 });
    await counter.increment();
    await counter.increment(-1);
    await counter.increment();
    assert.equal((await counter.get()).value, 1);
  });
});
