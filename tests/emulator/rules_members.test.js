/** The rules for "each user once", with and without taking it back, on Google's emulator: they allow the library's operations and refuse attacks. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connect, ShardlineError } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { isLong } from '../support/run.js';
import { faults } from './support/fault_proxy.js';
import { ADMIN, double, inDays, integer, LAYOUTS, LAYOUTS_OF_RUN, list, loadRules, RulesWorld, text } from './support/rules_world.js';
import { startStage } from './support/stage.js';

/** @typedef {import('./support/rules_world.js').LayoutCase} LayoutCase */
/** @typedef {'one-like' | 'one-vote'} SetAccess */

const { counterRules } = await openWorkbench();
const ACCESSES = /** @type {const} */ (['one-like', 'one-vote']);
const CHANGE = 'C'.repeat(20);
const NEXT = 'D'.repeat(20);

const stage = await startStage();
const { emulator, proxy } = stage;
after(() => stage.stop());

class MemberWorld extends RulesWorld {
  /** @param {string} user @param {string} [counter] */
  member(user, counter = this.place.counter) {
    return `${counter}/${this.place.own}/shardline_members/${user}`;
  }

  /** @param {string} user @param {Record<string, object | undefined>} [changes] undefined leaves out */
  putMember(user, changes = {}, counter = this.place.counter) {
    const fields = { delta: integer(1), shard: text('0'), change: text(CHANGE), before: text(''), ...changes };
    return this.put(this.member(user, counter), Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  }

  /** @param {string} user @param {Record<string, object | undefined>} [changes] */
  takeBack(user, changes = {}) {
    return this.putMember(user, { delta: integer(-1), change: text(NEXT), before: text(CHANGE), expireAt: inDays(45), ...changes });
  }

  /** Shards hold 7, 3 and 0. Ben is a member, and gil was one where that can be. */
  async reset() {
    await super.reset();
    await this.owner.commit([this.putMember('ben', { shard: text('1') }), ...(this.access === 'one-like' ? [this.takeBack('gil')] : [])]);
  }

  async everything() {
    return [...await super.everything(), ...await this.owner.list(this.member('x').slice(0, -2))].map(({ name, fields }) => ({ name, fields }));
  }
}

/** @param {SetAccess} access @param {LayoutCase} place */
async function underRules(access, place) {
  const { projectId, problem, warnings } = await loadRules(emulator.url, counterRules({ path: place.path, layout: place.layout, shards: 4, access, admin: ADMIN }));
  assert.equal(problem + warnings, '');
  const world = new MemberWorld(emulator.url, place, access, projectId);
  await world.reset();
  return world;
}

/** @param {Promise<unknown>} promise */
const refused = (promise) => assert.rejects(promise, (error) => {
  assert.equal(/** @type {any} */ (error).code?.toLowerCase().replace('_', '-'), 'permission-denied', `${error}`);
  return true;
});

/**
 * The attacks that a person with a REST client may try.
 * @param {MemberWorld} world
 * @returns {{what: string, writes: object[], as?: import('./support/rest.js').RestClient}[]}
 */
function attacksOn(world) {
  const ann = [world.putMember('ann'), world.increment('0')];
  const ben = world.counting('ben');
  const gil = world.counting('gil');
  const { counter, other, field } = world.place;
  const wrong = { null: { nullValue: null }, boolean: { booleanValue: true }, double: double(1), NaN: double('NaN'), list: list(integer(1)), bytes: { bytesValue: 'AAAA' } };
  return [
    { what: 'count without being a member', writes: [world.increment('0')] },
    { what: 'become a member without counting', writes: [world.putMember('ann')] },
    { what: 'count 2', writes: [world.putMember('ann'), world.increment('0', 2)] },
    { what: 'count 2 as a member of 2', writes: [world.putMember('ann', { delta: integer(2) }), world.increment('0', 2)] },
    { what: 'count twice', writes: [...ann, world.increment('0')] },
    { what: 'count on two shards', writes: [...ann, world.increment('1')] },
    { what: 'count on another shard than said', writes: [world.putMember('ann'), world.increment('1')] },
    { what: 'count down as a new member', writes: [world.putMember('ann'), world.increment('0', -1)] },
    { what: 'begin by taking back', writes: [world.takeBack('ann'), world.increment('0', -1)] },
    { what: 'begin by taking back nothing', writes: [world.takeBack('ann')] },
    { what: 'count for another counter’s member', writes: [world.putMember('ann', {}, other), world.increment('0')] },
    { what: 'set the count', writes: [world.putMember('ann'), world.put(world.shard('0'), { [field]: integer(100) })] },
    { what: 'count as nobody', writes: ann, as: world.anyone },
    { what: 'count for another', writes: ann, as: world.counting('eve') },
    { what: 'take another back', writes: [world.takeBack('ben', { shard: text('1') }), world.increment('1', -1)] },
    { what: 'count a fraction', writes: [world.putMember('ann', { delta: double(0.5) }), world.increment('0', double(0.5))] },
    ...['4', '9999', '00', '-1', 'x'].map((id) => ({ what: `make a shard ${id}`, writes: [world.putMember('ann', { shard: text(id) }), world.increment(id)] })),
    ...Object.entries(wrong).flatMap(([type, value]) => ['delta', 'shard', 'change', 'before'].map((name) => (
      { what: `be a member with a ${name} of type ${type}`, writes: [world.putMember('ann', { [name]: value }), world.increment('0')] }))),
    ...['delta', 'shard', 'change', 'before'].map((name) => ({ what: `be a member without ${name}`, writes: [world.putMember('ann', { [name]: undefined }), world.increment('0')] })),
    { what: 'be a member with a short change', writes: [world.putMember('ann', { change: text('C') }), world.increment('0')] },
    { what: 'be a member with a long change', writes: [world.putMember('ann', { change: world.longText() }), world.increment('0')] },
    { what: 'be a member with a long before', writes: [world.putMember('ann', { before: world.longText() }), world.increment('0')] },
    { what: 'be a member with another field', writes: [world.putMember('ann', { x: world.longText() }), world.increment('0')] },
    { what: 'be a member that expires', writes: [world.putMember('ann', { expireAt: inDays(45) }), world.increment('0')] },
    { what: 'be a member that expires in place of a field', writes: [world.putMember('ann', { before: undefined, expireAt: inDays(45) }), world.increment('0')] },
    { what: 'count again', writes: [world.putMember('ben', { shard: text('1') }), world.increment('1')], as: ben },
    { what: 'count again on another shard', writes: [world.putMember('ben', { change: text(NEXT) }), world.increment('0')], as: ben },
    { what: 'count again without the member', writes: [world.increment('1')], as: ben },
    { what: 'take back by 2', writes: [world.takeBack('ben'), world.increment('0', -2)], as: ben },
    { what: 'take back upwards', writes: [world.takeBack('ben'), world.increment('0')], as: ben },
    { what: 'take back without counting down', writes: [world.takeBack('ben')], as: ben },
    { what: 'count down without taking back', writes: [world.increment('1', -1)], as: ben },
    { what: 'take back on two shards', writes: [world.takeBack('ben'), world.increment('0', -1), world.increment('1', -1)], as: ben },
    { what: 'take back for ever', writes: [world.takeBack('ben', { expireAt: undefined }), world.increment('0', -1)], as: ben },
    ...[-1, 1, 27.9, 400.1, 40_000].map((days) => ({ what: `take back until in ${days} days`, writes: [world.takeBack('ben', { expireAt: inDays(days) }), world.increment('0', -1)], as: ben })),
    { what: 'delete the member', writes: [world.remove(world.member('ben'))], as: ben },
    { what: 'delete the member, and count down', writes: [world.remove(world.member('ben')), world.increment('1', -1)], as: ben },
    { what: 'delete the member, and count again', writes: [world.remove(world.member('ben')), world.putMember('ben'), world.increment('0')], as: ben },
    { what: 'change one field', writes: [{ ...world.put(world.member('ben'), { change: text(NEXT) }), updateMask: { fieldPaths: ['change'] } }], as: ben },
    { what: 'move to another shard', writes: [{ ...world.put(world.member('ben'), { shard: text('0') }), updateMask: { fieldPaths: ['shard'] } }, world.increment('0')], as: ben },
    { what: 'be moved by a transform', writes: [world.transform(world.member('ben'), { increment: integer(-2) }, 'delta'), world.increment('1', -1)], as: ben },
    ...(world.access === 'one-like' ? [
      { what: 'take back again', writes: [world.takeBack('gil'), world.increment('0', -1)], as: gil },
      { what: 'delete what was taken back', writes: [world.remove(world.member('gil'))], as: gil },
      { what: 'put it off', writes: [world.takeBack('gil', { expireAt: inDays(60) })], as: gil },
    ] : [
      { what: 'take a vote back', writes: [world.takeBack('ben', { shard: text('1') }), world.increment('1', -1)], as: ben },
      { what: 'take a vote back for good', writes: [world.takeBack('ben', { shard: text('1'), expireAt: undefined }), world.increment('1', -1)], as: ben },
      { what: 'move a vote', writes: [world.putMember('ben', { shard: text('0') }), world.increment('1', -1), world.increment('0')], as: ben },
    ]),
    { what: 'count with a marker', writes: [world.putMarker(world.newMarker()), world.increment('0')] },
    { what: 'count with a marker as a member', writes: [world.putMarker(world.newMarker()), world.increment('1')], as: ben },
    { what: 'make a marker as nobody', writes: [world.putMarker(world.newMarker())], as: world.anyone },
    { what: 'count with a key', writes: [world.put(`${counter}/${world.place.own}/shardline_keys/ann`, { delta: integer(1), shard: text('0'), change: text(CHANGE), before: text(''), expireAt: inDays(45) }), world.increment('0')] },
    { what: 'write the shared total', writes: [world.put(world.total, { value: integer(9) })] },
  ];
}

for (const access of ACCESSES) {
  describe(`${access}: attacks`, { concurrency: true }, () => {
    // In the default run the layouts are shared out: votes are attacked in one of them.
    for (const [name, place] of LAYOUTS_OF_RUN.filter(([layout]) => isLong || (access === 'one-vote') === (layout === 'ruby'))) {
      test(`are refused in the layout ${name}`, async () => {
        const world = await underRules(access, place);
        const untouched = await world.everything();
        for (const { what, writes, as = world.counting('ann') } of attacksOn(world)) {
          const { status, text: body } = await as.post('commit', { writes });
          assert.equal(status, 403, `${what}: ${status} ${body.slice(0, 500)}`);
        }
        assert.deepEqual(await world.everything(), untouched);
        // The honest commits that they were made from are allowed: on a shard that is there, on one that is not, and on any other when it is taken
        // back.
        await world.counting('ann').commit([world.putMember('ann'), world.increment('0')]);
        await world.counting('dan').commit([world.putMember('dan', { shard: text('3') }), world.increment('3')]);
        if (access === 'one-vote') return;
        await world.counting('ben').commit([world.takeBack('ben', { shard: text('2') }), world.increment('2', -1)]);
        await world.counting('gil').commit([world.putMember('gil', { change: text('E'.repeat(20)), before: text(NEXT) }), world.increment('0')]);
      });
    }

    test('nobody lists members, and reads of others', async () => {
      const world = await underRules(access, LAYOUTS.web);
      await refused(world.counting('ann').list(world.member('x').slice(0, -2)));
      await refused(world.counting('ann').get(world.member('ben')));
      await refused(world.anyone.get(world.member('ben')));
      assert.ok(await world.counting('ben').get(world.member('ben')));
    });
  });
}

/** What is in the shards. @param {RulesWorld} world */
async function total(world) {
  const shards = await world.owner.list(world.shard('x').slice(0, -2));
  return shards.reduce((sum, { fields }) => sum + Number(fields?.[world.place.field]?.integerValue ?? 0), 0);
}

const TROUBLE = [
  [faults.dropRequest()], [faults.dropResponse()], [faults.dropResponse(), faults.unavailable()], [faults.duplicate()],
  [faults.unavailable(), faults.dropResponse(), faults.dropResponse()], [faults.html(), faults.truncate()],
];

/** A user's set on a device of its own, over the faulty network. @param {MemberWorld} world @param {string} user */
async function open(world, user) {
  const db = await connect({
    projectId: world.projectId, host: proxy.url, storage: 'memory', retry: { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 20 },
    authToken: () => world.token(user),
  });
  return { db, set: db.countedSet(world.place.counter, { shards: 4, layout: /** @type {any} */ (world.place.layout) }) };
}

const denied = (/** @type {unknown} */ error) => error instanceof ShardlineError && error.code === 'permission-denied';

describe('the library under these rules', () => {
  for (const [name, place] of LAYOUTS_OF_RUN) {
    test(`adds and takes back, whatever is lost, in the layout ${name}`, async () => {
      const world = await underRules('one-like', place);
      const begun = await total(world);
      for (const [index, each] of TROUBLE.entries()) {
        const user = `user${index}`;
        proxy.reset();
        const { db, set } = await open(world, user);
        proxy.script(...each);
        assert.deepEqual(await set.add(user), { changed: true });
        assert.deepEqual(await set.add(user), { changed: false });
        assert.equal(await set.has(user), true);
        assert.equal(await total(world), begun + 1);
        proxy.script(null, ...each);
        assert.deepEqual(await set.remove(user), { changed: true });
        assert.deepEqual(await set.remove(user), { changed: false });
        assert.deepEqual(await set.add(user), { changed: true });
        assert.deepEqual(await set.remove(user), { changed: true });
        assert.equal(await total(world), begun);
        await assert.rejects(set.add('somebody else'), denied);
        await db.close();
      }
    });
  }

  test('a vote counts once, whatever is lost, and stays', async () => {
    const world = await underRules('one-vote', LAYOUTS.web);
    const begun = await total(world);
    for (const [index, each] of TROUBLE.entries()) {
      const user = `user${index}`;
      proxy.reset();
      const { db, set } = await open(world, user);
      proxy.script(...each);
      assert.deepEqual(await set.add(user), { changed: true });
      assert.deepEqual(await set.add(user), { changed: false });
      await assert.rejects(set.remove(user), denied);
      assert.equal(await set.has(user), true);
      assert.equal(await total(world), begun + index + 1);
      await db.close();
    }
  });

  test('a user who votes on two devices at once counts once', async () => {
    const world = await underRules('one-vote', LAYOUTS.web);
    const begun = await total(world);
    proxy.reset();
    const devices = await Promise.all([open(world, 'ann'), open(world, 'ann')]);
    const votes = await Promise.all(devices.map(({ set }) => set.add('ann')));
    assert.deepEqual(votes.map(({ changed }) => changed).sort(), [false, true]);
    assert.equal(await total(world), begun + 1);
    await Promise.all(devices.map(({ db }) => db.close()));
  });
});
