/** The rules of counters with fields, on Google's emulator: what the library does is allowed, attacks are not. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { RestClient, userToken } from './support/rest.js';
import { ADMIN, double, integer, loadRules, text } from './support/rules_world.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';

const { counterRules } = await openWorkbench();
const stage = await startStage();
after(() => stage.stop());

const SHARDS = 'posts/p1/shards';
const FIELDS = ['like', 'love', 'laugh'];

/** @param {Partial<import('shardline/workbench').CounterRulesOptions>} [options] */
async function underRules(options = {}) {
  const rules = counterRules({ path: 'posts/{post}', fields: FIELDS, shards: 4, maxDelta: 5, admin: ADMIN, ...options });
  const { projectId, problem, warnings } = await loadRules(stage.emulator.url, rules);
  assert.equal(problem + warnings, '');
  const client = (/** @type {string | null} */ token) => new RestClient({ url: stage.emulator.url, projectId, token });
  const owner = new RestClient({ url: stage.emulator.url, projectId });
  const put = (/** @type {string} */ path, /** @type {Record<string, object>} */ fields) => ({ update: { name: owner.name(path), fields } });
  const move = (/** @type {Record<string, number | object>} */ by, /** @type {string} */ id = '1') => ({
    update: { name: owner.name(`${SHARDS}/${id}`) },
    updateMask: { fieldPaths: [] },
    updateTransforms: Object.entries(by).map(([fieldPath, amount]) => ({ fieldPath, increment: typeof amount === 'number' ? integer(amount) : amount })),
  });
  await owner.commit([
    put('posts/p1', { num_shards: integer(4) }),
    put(`${SHARDS}/1`, { like: integer(3), love: integer(0), laugh: integer(-2) }),
    put(`${SHARDS}/2`, { like: integer(3), love: integer(1) }),
    put(`${SHARDS}/3`, { like: double(1), love: integer(0), laugh: integer(0), count: integer(9) }),
  ]);
  const open = (/** @type {string | null} */ user) => connect({
    projectId, host: stage.emulator.url, storage: 'memory', retry: { initialDelayMs: 1 },
    authToken: user === null ? undefined : () => userToken(user, { projectId }),
  });
  return { projectId, owner, anyone: client(null), client, put, move, open };
}

/** @typedef {Awaited<ReturnType<typeof underRules>>} World */

/** @param {World} world @returns {{what: string, writes: object[]}[]} */
function attacksOn({ owner, put, move }) {
  const at = (/** @type {Record<string, object>} */ fields, id = '1') => put(`${SHARDS}/${id}`, fields);
  const masked = (/** @type {Record<string, object>} */ fields, /** @type {string[]} */ fieldPaths) => ({ ...at(fields), updateMask: { fieldPaths } });
  const wrong = { null: { nullValue: null }, text: text('4'), list: { arrayValue: {} }, NaN: double('NaN'), infinity: double('Infinity'), fraction: double(3.5), double: double(4) };
  return [
    { what: 'add more than allowed to one field', writes: [move({ like: 6 })] },
    { what: 'take more than allowed from one field', writes: [move({ like: 1, laugh: -6 })] },
    { what: 'add more than allowed in two writes', writes: [move({ love: 5 }), move({ love: 1 })] },
    { what: 'write another field', writes: [move({ like: 1, x: 1 })] },
    { what: 'write the count of another counter', writes: [move({ like: 1, count: 1 }, '3')] },
    { what: 'set the counts', writes: [at({ like: integer(300), love: integer(0), laugh: integer(-2) })] },
    { what: 'replace the shard, and leave out a field', writes: [at({ like: integer(3), love: integer(0) })] },
    { what: 'replace the shard, and leave out another counter’s field', writes: [at({ like: double(1), love: integer(0), laugh: integer(0) }, '3')] },
    { what: 'remove a field', writes: [masked({}, ['love'])] },
    { what: 'make a shard that counts nothing', writes: [move({ like: 0, love: 0, laugh: 0 }, '0')] },
    { what: 'make a shard without fields', writes: [at({}, '0')] },
    { what: 'make a shard with too much', writes: [move({ like: 6, love: 0, laugh: 0 }, '0')] },
    { what: 'make a shard with a field of another type', writes: [at({ like: integer(1), love: text('x'), laugh: integer(0) }, '0')] },
    { what: 'make the shard of a counter that is not there', writes: [{ ...move({ like: 1 }), update: { name: owner.name('posts/p2/shards/1') } }] },
    ...['4', '9999', '00', '-1', 'x'].map((id) => ({ what: `make a shard ${id}`, writes: [move({ like: 1, love: 0, laugh: 0 }, id)] })),
    ...Object.entries(wrong).map(([type, value]) => ({ what: `write a value of type ${type}`, writes: [masked({ like: value }, ['like'])] })),
    { what: 'add a fraction', writes: [move({ love: double(0.5) })] },
    { what: 'delete a shard', writes: [{ delete: owner.name(`${SHARDS}/1`) }] },
    { what: 'change the number of shards', writes: [put('posts/p1', { num_shards: integer(1) })] },
    { what: 'write the note of a publication', writes: [put('posts/p1/shardline/shards.shardline_fields.laugh.like.love/shardline_totals/published', { value: integer(1) })] },
    { what: 'write what is kept for a field', writes: [put('posts/p1/shardline/shards.like/shardline_totals/shared', { value: integer(1) })] },
  ];
}

describe('counters with fields', () => {
  test('attacks are refused', async () => {
    const world = await underRules();
    const all = async () => (await world.owner.list(SHARDS)).map(({ name, fields }) => ({ name, fields }));
    const untouched = await all();
    for (const { what, writes } of attacksOn(world)) {
      const { status, text: body } = await world.anyone.post('commit', { writes });
      assert.equal(status, 403, `${what}: ${status} ${body.slice(0, 500)}`);
    }
    assert.deepEqual(await all(), untouched);
    // The rules allow the honest writes that the attacks were made from.
    const { anyone, move } = world;
    await anyone.commit([move({ like: 5, love: -5, laugh: 0 })]);
    await anyone.commit([move({ like: 1, love: 0, laugh: 0 }, '0')]);
    await anyone.commit([move({ like: 1, love: 0, laugh: 2 }, '2')]);
    // A page of an earlier version knows fewer fields.
    await anyone.commit([move({ like: -1, love: 1 }, '1')]);
    await anyone.commit([move({ like: double(2), love: 1 }, '3')]);
  });

  test('the library counts, reads, and is refused beyond the bounds', async () => {
    const world = await underRules();
    const db = await world.open(null);
    const claps = db.counter('posts/p1', { fields: FIELDS, flushMs: 0, maxDelta: 5 });
    await claps.increment({ like: 12, love: -1 });
    assert.deepEqual((await claps.get()).totals, { like: 19, love: 0, laugh: -2 });
    await assert.rejects(db.counter('posts/p1', { fields: FIELDS, flushMs: 0 }).increment({ like: 6 }), shardlineError('permission-denied', /rules/i));
    await assert.rejects(db.counter('posts/p1', { fields: ['like', 'hate'], flushMs: 0 }).increment({ like: 1 }), shardlineError('permission-denied'));
    await assert.rejects(claps.delete(), shardlineError('permission-denied'));
    await db.close();
  });

  test('an administrator makes, resizes, publishes and deletes', async () => {
    const world = await underRules();
    const db = await connect({
      projectId: world.projectId, host: stage.emulator.url, storage: 'memory', retry: { initialDelayMs: 1 },
      authToken: () => userToken('boss', { projectId: world.projectId, admin: true }),
    });
    const claps = db.counter('posts/p9', { fields: FIELDS, shards: 2 });
    assert.deepEqual(await claps.create(), { created: true, shards: 2 });
    await claps.increment({ like: 1 });
    assert.deepEqual(await claps.resize(3), { shards: 3 });
    assert.equal((await claps.publish()).totals.like, 1);
    await claps.delete();
    assert.deepEqual(await world.owner.list('posts/p9/shards'), []);
    assert.deepEqual(await world.owner.runQuery({ from: [{ collectionId: 'shardline_totals', allDescendants: true }] }), []);
    await db.close();
  });

  test('users alone count with access signed-in, and twenty fields are no more than rules can look at', async () => {
    const fields = Array.from({ length: 20 }, (_, i) => `field${i}`);
    const world = await underRules({ fields, access: 'signed-in' });
    const [ann, nobody] = await Promise.all([world.open('ann'), world.open(null)]);
    const all = Object.fromEntries(fields.map((field, i) => [field, (i % 5) + 1]));
    await ann.counter('posts/p1', { fields, flushMs: 0 }).increment(all);
    await assert.rejects(nobody.counter('posts/p1', { fields, flushMs: 0 }).increment(all), shardlineError('permission-denied'));
    assert.equal((await nobody.counter('posts/p1', { fields }).get()).totals.field19, 5);
    // The most expressions: every field has a fraction's type.
    const { client, projectId, owner, put, move } = world;
    const each = (/** @type {number} */ amount) => Object.fromEntries(fields.map((field) => [field, double(amount)]));
    await owner.commit([put(`${SHARDS}/2`, each(1))]);
    await client(userToken('ann', { projectId })).commit([move(each(2), '2')]);
    await Promise.all([ann.close(), nobody.close()]);
  });

  test('beside the rules of a counter without fields, both count', async () => {
    const { joinCounterRules } = await openWorkbench();
    const plain = counterRules({ path: 'posts/{post}', shards: 4 });
    const { text: both } = joinCounterRules(plain, { path: 'posts/{post}', fields: FIELDS, shards: 4 });
    const again = joinCounterRules(both, { path: 'posts/{post}', fields: FIELDS, shards: 4 }).text;
    assert.equal(again, both);
    const { projectId, problem, warnings } = await loadRules(stage.emulator.url, both);
    assert.equal(problem + warnings, '');
    await new RestClient({ url: stage.emulator.url, projectId }).commit([
      { update: { name: new RestClient({ url: stage.emulator.url, projectId }).name('posts/p1'), fields: { num_shards: integer(1) } } },
    ]);
    const db = await connect({ projectId, host: stage.emulator.url, storage: 'memory', retry: { initialDelayMs: 1 } });
    await db.counter('posts/p1', { flushMs: 0 }).increment();
    await db.counter('posts/p1', { fields: FIELDS, flushMs: 0 }).increment({ love: 1 });
    await db.counter('posts/p1', { flushMs: 0 }).increment();
    assert.deepEqual([(await db.counter('posts/p1').get()).value, (await db.counter('posts/p1', { fields: FIELDS }).get()).totals.love], [2, 1]);
    await db.close();
  });
});
