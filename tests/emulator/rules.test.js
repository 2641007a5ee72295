/** The security rules of counterRules(), on Google's emulator: what the library does is allowed, attacks are not. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShardlineError } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { isLong } from '../support/run.js';
import { openDatabase } from './support/database.js';
import { attacksOn } from './support/rules_attacks.js';
import { ADMIN, double, inDays, integer, LAYOUTS, LAYOUTS_OF_RUN, list, loadRules, RulesWorld, text } from './support/rules_world.js';

/** @typedef {import('./support/rules_world.js').Access} Access */
/** @typedef {import('./support/rules_world.js').LayoutCase} LayoutCase */
/** @typedef {Partial<import('shardline/workbench').CounterRulesOptions>} RulesOptions */

const { counterRules } = await openWorkbench();
const ACCESSES = /** @type {const} */ (['public', 'signed-in', 'one-vote']);
const BATCH = 'B'.repeat(20);
const NEXT = 'C'.repeat(20);

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

/** What an honest client commits beside its ledger. @param {RulesWorld} world @param {string} user @param {Record<string, object>} [changes] @param {number | object} [by] */
const counts = (world, user, changes, by = 1) => world.counting(user).commit([world.putLedger(world.client(user), changes), world.increment('0', by)]);

/** By default, and what other rules are written for. */
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
    // For many writes the emulator has so many reasons to tell that its own answer breaks.
    const isRefused = status === 403 || (status === 500 && writes.length > 40 && body.includes('RST_STREAM'));
    assert.ok(isRefused, `${what}: ${status} ${body.slice(0, 500)}`);
  }
  assert.deepEqual(await world.everything(), untouched);
  // What they were made from is allowed.
  await counts(world, 'ann');
  if (world.hasFractions) await counts(world, 'cid', { delta: double(1) }, double(1));
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
  assert.ok(possible.size >= 240, `${possible.size} attacks`);
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
        await world.counting('cid').commit([world.putLedger(world.client('cid'), { delta: integer(-1), shard: text('1') }), world.increment('1', -1)]);
        // The fourth shard is not there yet.
        await world.counting('dan').commit([world.putLedger(world.client('dan'), { shard: text('3') }), world.increment('3')]);
        // A ledger goes on; a vote is final.
        const later = counts(world, 'ann', { seq: integer(2), batches: list(text(BATCH), text(NEXT)) });
        await (access === 'one-vote' ? refused(later) : later);
        // A page that is in doubt about its first batch reads its ledger and the shard, also as of an earlier time.
        const ann = world.counting('ann');
        const ledger = await ann.get(world.ledger(world.client('ann')));
        const readTime = ledger.updateTime;
        assert.equal((await ann.batchGet([world.ledger(world.client('ann')), world.shard('0')], { readTime })).size, 2);
        assert.equal(await ann.get(world.shard('2')).then(({ fields }) => fields[place.field].integerValue), '0');
      });

      test(`administrators do everything in the layout ${name}`, async () => {
        const world = await underRules(place, access);
        await world.owner.deleteAll();
        const db = await world.open(world.token('root', { admin: true }));
        const counter = db.counter(place.counter, { shards: 3, layout: /** @type {any} */ (place.layout) });
        assert.deepEqual(await counter.create(), { created: true, shards: 3 });
        await counts(world, 'ann');
        await world.owner.commit([world.put(`${place.counter}/${place.own}/shardline_ledger/old`, { ...world.entry(), expireAt: inDays(-1) })]);
        assert.equal((await counter.get({ maxAgeMs: 1000 })).value, 1);
        assert.equal((await counter.resize(4)).shards, 4);
        assert.equal((await counter.resize(2)).shards, 2);
        assert.equal((await counter.get()).value, 1);
        await counter.delete();
        const admin = world.rest(world.token('root', { admin: true }));
        for (const collection of [world.ledger('x').slice(0, -2), world.total.slice(0, -'/total'.length), world.shard('x').slice(0, -2)]) {
          await admin.list(collection);
        }
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
      for (const [index, delta] of [0.1, 0.2, 0.3, -0.3, 0.1, 0.1, 0.1, 1e-9, 0.29999].entries()) {
        const user = `u${index}`;
        await world.counting(user).commit([world.putLedger(world.client(user), { delta: double(delta) }), world.increment('0', double(delta))]);
      }
      await refused(world.counting('eve').commit([world.putLedger(world.client('eve'), { delta: double(0.30001) }), world.increment('0', double(0.30001))]));
      await refused(world.counting('eve').commit([world.putLedger(world.client('eve'), { delta: double(0.2) }), world.increment('0', double(0.3))]));
      await refused(world.counting('eve').commit([world.putLedger(world.client('eve'), { delta: double(0.2) })]));
    });

    test(`whole numbers and fractions are counted side by side with the option, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access, { maxDelta: 2, fractions: true });
      for (const [index, delta] of [integer(2), double(0.1), integer(-1), double(1.9)].entries()) {
        const user = `u${index}`;
        await world.counting(user).commit([world.putLedger(world.client(user), { delta }), world.increment('0', delta)]);
      }
    });

    test(`a count that is a double already is counted on in whole numbers, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      await world.owner.set(world.shard('0'), { count: double(7.5) });
      await counts(world, 'ann');
      assert.deepEqual((await world.owner.get(world.shard('0'))).fields, { count: double(8.5) });
      await refused(world.counting('cid').commit([world.putLedger(world.client('cid')), world.increment('0', double(0.5))]));
    });

    test(`another counter in the same shards is not in the way, ${access}`, async () => {
      const world = await underRules(LAYOUTS.web, access);
      await world.owner.set(world.shard('0'), { views: integer(3) });
      await counts(world, 'ann');
      assert.deepEqual((await world.owner.get(world.shard('0'))).fields, { views: integer(3), count: integer(1) });
    });
  }

  test('batches of the last twenty, and an expiry that stays', async () => {
    const world = await underRules(LAYOUTS.web, 'signed-in');
    const ids = Array.from({ length: 25 }, (_, index) => String(index).padStart(20, 'Z'));
    const expireAt = inDays(30);
    for (let seq = 1; seq <= 25; ++seq) {
      const batches = list(...ids.slice(Math.max(0, seq - 20), seq).map(text));
      await counts(world, 'ann', { seq: integer(seq), batches, expireAt: seq < 24 ? expireAt : inDays(60) });
    }
  });

  test('only administrators make shards where the rules say so', async () => {
    const world = await underRules(LAYOUTS.node, 'public', { missingShards: 'refused' });
    await counts(world, 'ann');
    await refused(world.anyone.commit([world.increment('3')]));
    await refused(world.anyone.commit([world.increment('0', 1, world.place.other)]));
  });
});

describe('reading', () => {
  test('nobody lists ledgers, and a user’s is read by that user alone', async () => {
    const world = await underRules(LAYOUTS.web, 'signed-in');
    await refused(world.counting('ann').list(world.ledger('x').slice(0, -2)));
    await refused(world.counting('ann').get(world.ledger('ben')));
    await refused(world.anyone.get(world.ledger('ben')));
    const open = await underRules(LAYOUTS.web, 'public');
    await refused(open.anyone.list(open.ledger('x').slice(0, -2)));
    await refused(open.anyone.runQuery({ from: [{ collectionId: 'shardline_ledger', allDescendants: true }] }));
  });
});

describe('the worst commit', () => {
  test('of nobody adds maxDelta to each shard, and makes eighteen ledgers', async () => {
    const world = await underRules(LAYOUTS.web, 'public');
    const ledgers = Array.from({ length: 18 }, (_, index) => world.putLedger(`${index}`.padStart(20, 'L')));
    await world.anyone.commit([...ledgers, ...['0', '1', '2'].map((shard) => world.increment(shard))]);
  });

  test('of a user adds maxDelta to each counter', async () => {
    const world = await underRules(LAYOUTS.node, 'signed-in');
    const { counter, other } = world.place;
    await world.counting('ann').commit([counter, other].flatMap((path) => [world.put(world.ledger('ann', path), world.entry()), world.increment('0', 1, path)]));
  });
});
