/** The rules of ratings and reactions, on Google's emulator: they allow the library's operations and refuse attacks. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { RestClient, userToken } from './support/rest.js';
import { ADMIN, double, inDays, integer, list, loadRules, text } from './support/rules_world.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';

const { counterRules, joinCounterRules } = await openWorkbench();
const stage = await startStage();
after(() => stage.stop());

const PLACE = 'restaurants/r1';
const OWN = 'shardline/shardline_ratings.choice/shardline_members';
const [FIRST, CHANGE, NEXT] = ['B', 'C', 'D'].map((letter) => letter.repeat(20));
const STARS = ['r1', 'r2', 'r3', 'r4', 'r5'];

/** Ratings from 1 to 5 under their rules. */
class World {
  /** @param {string} projectId */
  constructor(projectId) {
    this.projectId = projectId;
    this.owner = new RestClient({ url: stage.emulator.url, projectId });
    this.anyone = new RestClient({ url: stage.emulator.url, projectId, token: null });
  }

  /** @param {string} user @param {object} [claims] */
  as(user, claims = {}) {
    return new RestClient({ url: stage.emulator.url, projectId: this.projectId, token: userToken(user, { projectId: this.projectId, ...claims }) });
  }

  /** @param {string} path @param {Record<string, object | undefined>} fields undefined leaves out */
  put(path, fields) {
    return { update: { name: this.owner.name(path), fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) } };
  }

  /** @param {string} user @param {string} place */
  member(user, place = PLACE) {
    return `${place}/${OWN}/${user}`;
  }

  /** @param {string} user @param {string} choice @param {Record<string, object | undefined>} [changes] */
  rate(user, choice, changes = {}, place = PLACE) {
    return this.put(this.member(user, place), { delta: integer(1), shard: text('1'), change: text(NEXT), before: text(CHANGE), choice: text(choice), ...changes });
  }

  /** @param {string} user @param {Record<string, object | undefined>} [changes] */
  takeBack(user, changes = {}) {
    return this.put(this.member(user), { delta: integer(-1), shard: text('1'), change: text(NEXT), before: text(CHANGE), expireAt: inDays(45), ...changes });
  }

  /** @param {Record<string, number | object>} by @param {string} [id] @param {string[]} [fields] Those that the write gives. */
  move(by, id = '1', fields = STARS) {
    const name = this.owner.name(`${PLACE}/shardline_ratings/${id}`);
    const all = { ...Object.fromEntries(fields.map((field) => [field, 0])), ...by };
    const updateTransforms = Object.entries(all).map(([fieldPath, amount]) => ({ fieldPath, increment: typeof amount === 'number' ? integer(amount) : amount }));
    return { update: { name }, updateMask: { fieldPaths: [] }, updateTransforms };
  }

  /** Ben has rated 3 on shard 1, and gil has taken a rating back. */
  async reset() {
    await this.owner.commit([
      this.put(`${PLACE}/shardline_ratings/1`, { r1: integer(0), r2: integer(0), r3: integer(4), r4: integer(0), r5: integer(2) }),
      this.rate('ben', 'r3', { change: text(CHANGE), before: text(FIRST) }),
      this.takeBack('gil', { change: text(CHANGE), before: text(FIRST) }),
    ]);
  }

  async everything() {
    const lists = await Promise.all([`${PLACE}/${OWN}`, `${PLACE}/shardline_ratings`, 'restaurants/r2/shardline_ratings'].map((each) => this.owner.list(each)));
    return lists.flat().map(({ name, fields }) => ({ name, fields }));
  }
}

/** @param {import('shardline/workbench').CounterRulesOptions} options */
async function underRules(options) {
  const { projectId, problem, warnings } = await loadRules(stage.emulator.url, counterRules(options));
  assert.equal(problem + warnings, '');
  return new World(projectId);
}

const ratingsWorld = () => underRules({ path: 'restaurants/{restaurant}', ratings: { from: 1, to: 5 }, shards: 4, admin: ADMIN });

/**
 * Commits that an attacker may send with a REST client.
 * @param {World} world
 * @returns {{what: string, writes: object[], as?: RestClient}[]}
 */
function attacksOn(world) {
  const [ben, gil] = [world.as('ben'), world.as('gil')];
  const ann = { before: text('') };
  const first = world.rate('ann', 'r5', ann);
  const wrong = { null: { nullValue: null }, double: double(1), NaN: double('NaN'), list: list(integer(1)), bytes: { bytesValue: 'AAAA' } };
  return [
    { what: 'rate for another', writes: [first, world.move({ r5: 1 })], as: world.as('eve') },
    { what: 'rate as nobody', writes: [first, world.move({ r5: 1 })], as: world.anyone },
    { what: 'rate 6 of 5', writes: [world.rate('ann', 'r6', ann), world.move({ r6: 1 })] },
    { what: 'rate 6 of 5 without counting it', writes: [world.rate('ann', 'r6', ann), world.move({})] },
    { what: 'rate nothing', writes: [world.rate('ann', '', ann), world.move({})] },
    { what: 'count without a member', writes: [world.move({ r5: 1 })] },
    { what: 'be a member without counting', writes: [first] },
    { what: 'be a member beside a count that stays', writes: [first, world.move({})] },
    { what: 'count 2', writes: [first, world.move({ r5: 2 })] },
    { what: 'count another value than said', writes: [first, world.move({ r4: 1 })] },
    { what: 'count both', writes: [first, world.move({ r4: 1, r5: 1 })] },
    { what: 'count one down besides', writes: [first, world.move({ r3: -1, r5: 1 })] },
    { what: 'count twice', writes: [first, world.move({ r5: 1 }), world.move({ r5: 1 })] },
    { what: 'count on two shards', writes: [first, world.move({ r5: 1 }), world.move({ r5: 1 }, '2')] },
    { what: 'count on another shard than said', writes: [first, world.move({ r5: 1 }, '2')] },
    { what: 'count a fraction', writes: [first, world.move({ r5: double(0.5) })] },
    { what: 'count 1.0', writes: [world.rate('ann', 'r5', { ...ann, shard: text('2') }), world.move({ r5: double(1) }, '2')] },
    { what: 'write another field', writes: [first, world.move({ r5: 1, x: 1 })] },
    { what: 'make a shard without all fields', writes: [world.rate('ann', 'r5', { ...ann, shard: text('2') }), world.move({ r5: 1 }, '2', ['r5'])] },
    { what: 'set the counts', writes: [first, world.put(`${PLACE}/shardline_ratings/1`, Object.fromEntries(STARS.map((star) => [star, integer(star === 'r5' ? 300 : 0)])))] },
    { what: 'count for another restaurant’s member', writes: [world.rate('ann', 'r5', ann, 'restaurants/r2'), world.move({ r5: 1 })] },
    ...['4', '9999', '00', '-1', 'x'].map((id) => ({ what: `make a shard ${id}`, writes: [world.rate('ann', 'r5', { ...ann, shard: text(id) }), world.move({ r5: 1 }, id)] })),
    ...Object.entries(wrong).flatMap(([type, value]) => ['delta', 'shard', 'change', 'before', 'choice'].map((name) => (
      { what: `be a member with a ${name} of type ${type}`, writes: [world.rate('ann', 'r5', { ...ann, [name]: value }), world.move({ r5: 1 })] }))),
    ...['delta', 'shard', 'change', 'before', 'choice'].map((name) => (
      { what: `be a member without ${name}`, writes: [world.rate('ann', 'r5', { ...ann, [name]: undefined }), world.move({ r5: 1 })] })),
    { what: 'be a member with a long change', writes: [world.rate('ann', 'r5', { ...ann, change: text('x'.repeat(2000)) }), world.move({ r5: 1 })] },
    { what: 'be a member with another field', writes: [world.rate('ann', 'r5', { ...ann, x: text('x') }), world.move({ r5: 1 })] },
    { what: 'be a member that expires', writes: [world.rate('ann', 'r5', { ...ann, expireAt: inDays(45) }), world.move({ r5: 1 })] },
    { what: 'be a member that expires in place of a field', writes: [world.rate('ann', 'r5', { before: undefined, expireAt: inDays(45) }), world.move({ r5: 1 })] },
    { what: 'begin by taking back', writes: [world.takeBack('ann', ann), world.move({ r5: -1 })] },
    { what: 'begin by taking back nothing', writes: [world.takeBack('ann', ann), world.move({})] },
    { what: 'rate again', writes: [world.rate('ben', 'r3'), world.move({ r3: 1 })], as: ben },
    { what: 'change a rating without taking the old one away', writes: [world.rate('ben', 'r5'), world.move({ r5: 1 })], as: ben },
    { what: 'change a rating without counting the new one', writes: [world.rate('ben', 'r5'), world.move({ r3: -1 })], as: ben },
    { what: 'change a rating, and take another’s away', writes: [world.rate('ben', 'r4'), world.move({ r5: -1, r4: 1 })], as: ben },
    { what: 'change a rating by 2', writes: [world.rate('ben', 'r5'), world.move({ r3: -2, r5: 2 })], as: ben },
    { what: 'change a rating on two shards', writes: [world.rate('ben', 'r5'), world.move({ r5: 1 }), world.move({ r3: -1 }, '2')], as: ben },
    { what: 'take back by 2', writes: [world.takeBack('ben'), world.move({ r3: -2 })], as: ben },
    { what: 'take back another value', writes: [world.takeBack('ben'), world.move({ r5: -1 })], as: ben },
    { what: 'take back without counting down', writes: [world.takeBack('ben')], as: ben },
    { what: 'take back for ever', writes: [world.takeBack('ben', { expireAt: undefined }), world.move({ r3: -1 })], as: ben },
    { what: 'take back with an empty choice', writes: [world.takeBack('ben', { expireAt: undefined, choice: text('') }), world.move({ r3: -1 })], as: ben },
    ...[-1, 27.9, 400.1].map((days) => ({ what: `take back until in ${days} days`, writes: [world.takeBack('ben', { expireAt: inDays(days) }), world.move({ r3: -1 })], as: ben })),
    { what: 'take another’s back', writes: [world.takeBack('ben'), world.move({ r3: -1 })], as: world.as('eve') },
    { what: 'take back again', writes: [world.takeBack('gil'), world.move({ r3: -1 })], as: gil },
    { what: 'delete the member', writes: [{ delete: world.owner.name(world.member('ben')) }], as: ben },
    { what: 'delete the member, and rate again', writes: [{ delete: world.owner.name(world.member('ben')) }, world.rate('ben', 'r3'), world.move({ r3: 1 })], as: ben },
    { what: 'delete a shard', writes: [{ delete: world.owner.name(`${PLACE}/shardline_ratings/1`) }], as: ben },
    { what: 'say that something was published', writes: [world.put(`${PLACE}/shardline/shardline_ratings.choice/shardline_totals/published`, { value: integer(1) })] },
    { what: 'change the choice alone', writes: [{ ...world.put(world.member('ben'), { choice: text('r5') }), updateMask: { fieldPaths: ['choice'] } }], as: ben },
  ];
}

describe('ratings', () => {
  test('attacks are refused', async () => {
    const world = await ratingsWorld();
    await world.reset();
    const untouched = await world.everything();
    for (const { what, writes, as = world.as('ann') } of attacksOn(world)) {
      const { status, text: body } = await as.post('commit', { writes });
      assert.equal(status, 403, `${what}: ${status} ${body.slice(0, 500)}`);
    }
    assert.deepEqual(await world.everything(), untouched);
    // The rules allow the honest commits that the attacks were made from.
    await world.as('ann').commit([world.rate('ann', 'r5', { before: text('') }), world.move({ r5: 1 })]);
    await world.as('dan').commit([world.rate('dan', 'r1', { before: text(''), shard: text('3') }), world.move({ r1: 1 }, '3')]);
    await world.as('ben').commit([world.rate('ben', 'r4', { shard: text('3') }), world.move({ r3: -1, r4: 1 }, '3')]);
    await world.as('gil').commit([world.rate('gil', 'r2'), world.move({ r2: 1 })]);
    await world.as('ann').commit([world.takeBack('ann', { change: text('E'.repeat(20)) }), world.move({ r5: -1 })]);
    await world.as('boss', { admin: true }).commit([world.put(`${PLACE}/shardline_ratings/9`, { r1: integer(5) })]);
  });

  test('nobody lists members, and reads of others', async () => {
    const world = await ratingsWorld();
    await world.reset();
    await assert.rejects(world.as('ann').list(`${PLACE}/${OWN}`));
    await assert.rejects(world.as('ann').get(world.member('ben')));
    assert.ok(await world.as('ben').get(world.member('ben')));
  });

  test('the library sets, changes and takes back', async () => {
    const world = await ratingsWorld();
    const open = (/** @type {string | null} */ user) => connect({
      projectId: world.projectId, host: stage.emulator.url, storage: 'memory', retry: { initialDelayMs: 1 },
      authToken: user === null ? undefined : () => userToken(user, { projectId: world.projectId }),
    });
    const [db, anyone] = await Promise.all([open('ann'), open(null)]);
    const ratings = db.ratings(PLACE, { from: 1, to: 5, shards: 4 });
    for (const value of [4, 2, 5]) assert.deepEqual(await ratings.set('ann', value), { changed: true });
    assert.deepEqual(await ratings.set('ann', 5), { changed: false });
    assert.equal((await anyone.ratings(PLACE, { from: 1, to: 5, shards: 4 }).summary()).sum, 5);
    assert.deepEqual(await ratings.remove('ann'), { changed: true });
    assert.deepEqual(await ratings.set('ann', 1), { changed: true });
    await assert.rejects(ratings.set('ben', 1), shardlineError('permission-denied', /rules/i));
    await assert.rejects(anyone.ratings(PLACE, { from: 1, to: 5, shards: 4 }).set('ann', 2), shardlineError('permission-denied'));
    await assert.rejects(db.ratings(PLACE, { from: 1, to: 6, shards: 4 }).set('ann', 6), shardlineError('permission-denied'));
    await Promise.all([db.close(), anyone.close()]);
  });
});

test('administrators publish and delete, and users do neither', async () => {
  const own = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /restaurants/{restaurant} {
      allow read: if true;
      allow write: if ${ADMIN};
    }
  }
}
`;
  const { text: rules } = joinCounterRules(own, { path: 'restaurants/{restaurant}', ratings: { from: 1, to: 5 }, shards: 4, admin: ADMIN });
  const { projectId, problem, warnings } = await loadRules(stage.emulator.url, rules);
  assert.equal(problem + warnings, '');
  const world = new World(projectId);
  await world.owner.set(PLACE, { name: text('Shard') });
  const open = async (/** @type {object} */ claims) => {
    const db = await connect({
      projectId, host: stage.emulator.url, storage: 'memory', retry: { initialDelayMs: 1 }, authToken: () => userToken('ann', { projectId, ...claims }),
    });
    return { db, ratings: db.ratings(PLACE, { from: 1, to: 5, shards: 4 }) };
  };
  const [user, boss] = await Promise.all([open({}), open({ admin: true })]);
  await user.ratings.set('ann', 4);
  await assert.rejects(user.ratings.publish(), shardlineError('permission-denied'));
  await assert.rejects(user.ratings.delete(), shardlineError('permission-denied'));
  assert.equal((await boss.ratings.publish()).average, 4);
  assert.deepEqual((await world.owner.get(PLACE)).fields.average, double(4));
  await boss.ratings.delete();
  assert.deepEqual(await world.everything(), []);
  await Promise.all([user.db.close(), boss.db.close()]);
});

describe('reactions', () => {
  test('twenty kinds are no more than rules can look at', async () => {
    const kinds = Array.from({ length: 20 }, (_, i) => `kind${i}`);
    const world = await underRules({ path: 'posts/{post}', reactions: kinds, shards: 4 });
    const db = await connect({
      projectId: world.projectId, host: stage.emulator.url, storage: 'memory', retry: { initialDelayMs: 1 },
      authToken: () => userToken('ann', { projectId: world.projectId }),
    });
    const reactions = db.reactions('posts/p1', { kinds, shards: 4 });
    await reactions.set('ann', 'kind0');
    await reactions.set('ann', 'kind19');
    assert.equal((await reactions.summary()).counts.kind19, 1);
    await reactions.remove('ann');
    await db.close();
  });
});
