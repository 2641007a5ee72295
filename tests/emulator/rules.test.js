/** The security rules of counterRules(), on Google's emulator: they allow the library's operations and refuse attacks. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShardlineError } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { isLong } from '../support/run.js';
import { openDatabase } from './support/database.js';
import { attacksOn } from './support/rules_attacks.js';
import { ADMIN, double, inDays, integer, LAYOUTS, LAYOUTS_OF_RUN, loadRules, RulesWorld, USED } from './support/rules_world.js';

/** @typedef {import('./support/rules_world.js').Access} Access */
/** @typedef {import('./support/rules_world.js').LayoutCase} LayoutCase */
/** @typedef {Partial<import('shardline/workbench').CounterRulesOptions>} RulesOptions */

const { counterRules } = await openWorkbench();
/** Of sets: rules_members.test.js. */
const ACCESSES = /** @type {const} */ (['public', 'signed-in']);

/**
 * In the long run, each attack is made for every access in every layout under the rules as they are by default. An attack costs the
 * emulator 10 ms of a core, so under other rules, and in the default run, each of them is made in one layout: layouts take turns, and
 * LAYOUT=0 to 7 says which one begins. ATTACKS=all makes them in all, which takes three times as long.
 */
const IN_ALL = process.env.ATTACKS === 'all';
const NAMES = Object.keys(LAYOUTS);
const FIRST = Number(process.env.LAYOUT ?? 4);

/** @type {import('./support/database.js').Database} */
let emulator;
before(async () => {
  emulator = await openDatabase();
});
after(() => emulator.stop());

/**
 * A counter of three shards, of four that there may be, that hold 7, 3 and 0, under rules of its own.
 * @param {LayoutCase} place @param {Access} access @param {RulesOptions} [more]
 */
async function underRules(place, access, more = {}) {
  const rules = counterRules({ path: place.path, layout: place.layout, shards: 4, access, admin: ADMIN, ...more });
  const { projectId, problem, warnings } = await loadRules(emulator.url, rules);
  assert.equal(problem + warnings, '');
  const world = new RulesWorld(emulator.url, place, access, projectId, more);
  await world.reset();
  return world;
}

/** @param {Promise<unknown>} promise */
const refused = (promise) => assert.rejects(promise, (error) => {
  assert.equal(error instanceof ShardlineError ? error.code : /** @type {any} */ (error).code?.toLowerCase().replace('_', '-'), 'permission-denied', `${error}`);
  return true;
});

/** What an honest client commits. @param {RulesWorld} world @param {string} user @param {number | object} [by] */
const counts = (world, user, by = 1, shard = '0') => world.counting(user).commit([world.putMarker(world.newMarker()), world.increment(shard, by)]);

/** The default, and the layouts that other rules are written for. */
const OPTIONS = /** @type {Record<string, RulesOptions>} */ ({
  default: {}, fractions: { fractions: true }, 'a maxDelta of 1.25': { maxDelta: 1.25 }, 'missing shards refused': { missingShards: 'refused' },
});

/**
 * Makes attacks, and checks that nothing came of them. A project has its own, one after the other: they would wait for each other.
 * @param {RulesWorld} world @param {Set<string>} chosen
 */
async function attack(world, chosen) {
  const untouched = await world.everything();
  for (const { what, writes, as = world.counting('ann') } of attacksOn(world)) {
    if (!chosen.has(what)) continue;
    const { status, text: body } = await as.post('commit', { writes });
    // The emulator asks preconditions before rules where a document is to be created that is there.
    const isThere = what === 'create a marker again' && status === 409;
    assert.ok(status === 403 || isThere, `${what}: ${status} ${body.slice(0, 500)}`);
  }
  assert.deepEqual(await world.everything(), untouched);
  // The honest commits that they were made from are allowed.
  await counts(world, 'ann');
  if (world.hasFractions) await counts(world, 'cid', double(1));
}

/**
 * Which attacks each layout gets: where they are not made in all, those in which an attack can be made take turns.
 * @param {Access} access @param {RulesOptions} more @param {boolean} inAll @param {number} first  whose turn it is first
 * @returns {Map<string, Set<string>>}
 */
function shareOut(access, more, inAll, first) {
  /** @type {Map<string, string[]>} */
  const possible = new Map();
  for (const [name, place] of Object.entries(LAYOUTS)) {
    for (const { what } of attacksOn(new RulesWorld('', place, access, 'any', more))) possible.set(what, [...possible.get(what) ?? [], name]);
  }
  assert.ok(possible.size >= 200, `${possible.size} attacks`);
  const shares = new Map(NAMES.map((name) => [name, new Set()]));
  [...possible].forEach(([what, names], turn) => {
    for (const name of inAll ? names : [names[(first + turn) % names.length]]) shares.get(name)?.add(what);
  });
  return shares;
}

for (const access of ACCESSES) {
  for (const [set, [options, more]] of Object.entries(OPTIONS).filter(([options]) => isLong || options === 'default').entries()) {
    describe(`${access}, ${options}: attacks`, { concurrency: true }, () => {
      const inAll = IN_ALL || (isLong && options === 'default');
      const shares = shareOut(access, more, inAll, FIRST + set);
      for (const [name, place] of Object.entries(LAYOUTS)) {
        test(`are refused in the layout ${name}`, async () => {
          const world = await underRules(place, access, more);
          world.isLarge = options === 'default' && name === NAMES[FIRST % NAMES.length];
          await attack(world, shares.get(name) ?? new Set());
        });
      }
    });
  }

  describe(`${access}: honest commits`, { concurrency: true }, () => {
    for (const [name, place] of LAYOUTS_OF_RUN) {
      test(`pass in the layout ${name}`, async () => {
        const world = await underRules(place, access);
        await counts(world, 'ann');
        await counts(world, 'cid', -1, '1');
        // The fourth shard is not there yet.
        await counts(world, 'dan', 1, '3');
        // At-least-once delivery has no marker, and a batch that is withdrawn has nothing else.
        await world.counting('ann').commit([world.increment('0')]);
        await world.counting('ann').commit([world.putMarker(world.newMarker(), { applied: { booleanValue: false } })]);
        // The days that the library chooses, by clocks that are a day slow and eleven months fast.
        for (const days of [29, 60, 399]) await world.counting('ann').commit([world.putMarker(world.newMarker(), { expireAt: inDays(days) }), world.increment('0')]);
        // A page that is in doubt reads the marker, with its user signed in or not.
        for (const reader of [world.counting('ann'), world.anyone]) {
          assert.equal((await reader.get(USED)).fields.applied.booleanValue, true);
        }
        assert.equal(await world.counting('ann').get(world.shard('2')).then(({ fields }) => fields[place.field].integerValue), '0');
      });

      test(`administrators do everything in the layout ${name}`, async () => {
        const world = await underRules(place, access);
        await world.owner.deleteAll();
        const db = await world.open(world.token('root', { admin: true }));
        const counter = db.counter(place.counter, { shards: 3, layout: /** @type {any} */ (place.layout) });
        assert.deepEqual(await counter.create(), { created: true, shards: 3 });
        await counts(world, 'ann');
        assert.equal((await counter.get({ maxAgeMs: 1000 })).value, 1);
        assert.equal((await counter.resize(4)).shards, 4);
        assert.equal((await counter.resize(2)).shards, 2);
        assert.equal((await counter.get()).value, 1);
        await counter.delete();
        const admin = world.rest(world.token('root', { admin: true }));
        for (const collection of ['shardline_markers', world.total.slice(0, -'/shared'.length), world.shard('x').slice(0, -2)]) {
          await admin.list(collection);
        }
        await world.owner.commit([world.putMarker(USED, { expireAt: inDays(-1) })]);
        await admin.commit([world.remove(USED)]);
        const eve = await world.open(world.token('eve'));
        const other = eve.counter(place.counter, { shards: 3, layout: /** @type {any} */ (place.layout) });
        await refused(other.create());
        await db.close();
        await eve.close();
      });
    }
  });
}

describe('what else is honest', () => {
  for (const delivery of /** @type {const} */ (['at-least-once', 'transaction'])) {
    test(`public counters are incremented and read by everybody, ${delivery}`, async () => {
      const world = await underRules(LAYOUTS.web, 'public', { maxDelta: 5 });
      const db = await world.open(null);
      const counter = db.counter('posts/p1', { shards: 3, delivery, flushMs: 0, maxDelta: 5 });
      await counter.increment();
      await counter.increment(4);
      await counter.increment(-2);
      for (let time = 0; time < 8; ++time) await counter.increment(2);
      assert.equal((await counter.get()).value, 29);
      assert.equal((await counter.get({ source: 'shards' })).value, 29);
      assert.equal((await counter.get({ maxAgeMs: 1000 })).value, 29);
      await db.close();
    });
  }

  for (const access of ACCESSES) {
    test(`fractions are counted where rules allow them, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access, { maxDelta: 0.3 });
      for (const [index, delta] of [0.1, 0.2, 0.3, -0.3, 0.1, 0.1, 0.1, 1e-9, 0.29999].entries()) await counts(world, `u${index}`, double(delta));
      await refused(counts(world, 'eve', double(0.30001)));
    });

    test(`whole numbers and fractions are counted side by side with the option, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access, { maxDelta: 2, fractions: true });
      for (const delta of [integer(2), double(0.1), integer(-1), double(1.9)]) await counts(world, 'ann', delta);
    });

    test(`a count that is a double already is counted on in whole numbers, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      await world.owner.set(world.shard('0'), { count: double(7.5) });
      await counts(world, 'ann');
      assert.deepEqual((await world.owner.get(world.shard('0'))).fields, { count: double(8.5) });
      await refused(counts(world, 'cid', double(0.5)));
    });

    test(`another counter in the same shards is not in the way, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      await world.owner.set(world.shard('0'), { views: integer(3) });
      await counts(world, 'ann');
      assert.deepEqual((await world.owner.get(world.shard('0'))).fields, { views: integer(3), count: integer(1) });
    });
  }

  test('only administrators make shards where the rules say so', async () => {
    const world = await underRules(LAYOUTS.node, 'public', { missingShards: 'refused' });
    await counts(world, 'ann');
    await refused(world.anyone.commit([world.increment('3')]));
    await refused(world.anyone.commit([world.increment('0', 1, world.place.other)]));
  });
});

describe('an app’s own rule', () => {
  test('that lets users update the counter’s document keeps the number of shards with the line that the rules name', async () => {
    const rules = counterRules({ path: 'posts/{post}', shards: 4, access: 'signed-in' });
    const line = /&& !request\.resource.*hasAny\(\['num_shards'\]\)/.exec(rules)?.[0] ?? assert.fail(rules);
    const own = `    match /posts/{post} {\n      allow update: if request.auth != null ${line};\n    }\n`;
    const { projectId, problem, warnings } = await loadRules(emulator.url, rules.replace('    // [shardline', `${own}    // [shardline`));
    assert.equal(problem + warnings, '');
    const world = new RulesWorld(emulator.url, LAYOUTS.web, 'signed-in', projectId);
    await world.reset();
    const write = (/** @type {Record<string, object>} */ fields) => (
      world.counting('ann').commit([{ ...world.put('posts/p1', fields), updateMask: { fieldPaths: Object.keys(fields) } }]));
    await write({ title: { stringValue: 'mine' } });
    for (const value of [0, -1, 100_000]) await refused(write({ num_shards: integer(value) }));
    await refused(world.counting('ann').commit([world.put('posts/p1', { title: { stringValue: 'without it' } })]));
  });
});

describe('reading', () => {
  test('nobody lists markers', async () => {
    for (const access of ACCESSES) {
      const world = await underRules(LAYOUTS.web, access);
      await refused(world.counting('ann').list('shardline_markers'));
      await refused(world.anyone.runQuery({ from: [{ collectionId: 'shardline_markers' }] }));
      await refused(world.anyone.runQuery({ from: [{ collectionId: 'shardline_markers', allDescendants: true }] }));
    }
  });
});

/** Rules see one write at a time, so this is theirs to allow. The guide says so. */
describe('what these rules cannot refuse', () => {
  for (const access of ACCESSES) {
    test(`one commit adds maxDelta to each shard, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      await world.counting('ann').commit(['0', '1', '2', '3'].map((shard) => world.increment(shard)));
    });

    test(`hundreds of markers come without an increment, and expire, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      await world.counting('ann').commit(Array.from({ length: 400 }, () => world.putMarker(world.newMarker())));
      for (const { fields } of await world.owner.list('shardline_markers')) {
        assert.ok(Date.parse(fields.expireAt.timestampValue) < Date.now() + 401 * 86_400_000);
      }
    });

    test(`who has read another’s id before it is used withdraws that commit, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      const seen = world.newMarker();
      await world.counting('eve').commit([world.putMarker(seen, { applied: { booleanValue: false } })]);
      const { status } = await world.counting('ann').post('commit', { writes: [world.putMarker(seen), world.increment('0')] });
      assert.ok(status === 403 || status === 409, `${status}`);
    });
  }
});
