/**
 * The library itself under the rules of counterRules(), on Google's emulator and behind a network that loses requests and answers: every kind of
 * access in every layout. Rules that refuse one step of a client in doubt would fail here.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { faults } from './support/fault_proxy.js';
import { ADMIN, LAYOUTS, LAYOUTS_OF_RUN, loadRules, RulesWorld } from './support/rules_world.js';
import { startStage } from './support/stage.js';

const { counterRules } = await openWorkbench();

const stage = await startStage();
const { emulator, proxy } = stage;
after(() => stage.stop());

/** @param {import('./support/rules_world.js').Access} access @param {import('./support/rules_world.js').LayoutCase} place @param {object} [more] */
async function underRules(access, place, more) {
  const rules = counterRules({ path: place.path, layout: place.layout, shards: 4, access, admin: ADMIN, ...more });
  const { projectId, problem } = await loadRules(emulator.url, rules);
  assert.equal(problem, '');
  const world = new RulesWorld(emulator.url, place, access, projectId);
  await world.reset();
  proxy.reset();
  return world;
}

/**
 * A user's counter on a device of its own, over the faulty network.
 * @param {RulesWorld} world @param {string} user @param {import('shardline').CounterOptions} [options]
 */
async function open(world, user, options) {
  const db = await connect({
    projectId: world.projectId, host: proxy.url, storage: 'memory', retry: { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 20 },
    authToken: world.access === 'public' ? undefined : () => world.token(user),
  });
  const counter = db.counter(world.place.counter, {
    shards: 4, layout: /** @type {any} */ (world.place.layout), delivery: 'exactly-once', flushMs: 0, maxDelta: 1, ...options,
  });
  return { db, counter };
}

/** The faults of a commit, and of the reading of the marker that follows one in doubt. */
const TROUBLE = [
  [faults.dropRequest()],
  [faults.dropResponse()],
  [faults.dropResponse(), faults.unavailable()],
  [faults.duplicate()],
  [faults.unavailable(), faults.dropResponse(), faults.dropResponse()],
  [faults.html(), faults.truncate()],
];

/** What is in the shards. @param {RulesWorld} world */
async function total(world) {
  const { field } = world.place;
  const shards = await world.owner.list(world.shard('x').slice(0, -2));
  return shards.reduce((sum, { fields }) => sum + Number(fields?.[field]?.integerValue ?? 0), 0);
}

for (const access of /** @type {const} */ (['public', 'signed-in'])) {
  describe(access, () => {
    for (const [name, place] of LAYOUTS_OF_RUN) {
      test(`increments in doubt count once in the layout ${name}`, async () => {
        const world = await underRules(access, place);
        const before = await total(world);
        let asked = 0;
        for (const [index, trouble] of TROUBLE.entries()) {
          const { db, counter } = await open(world, `user${index}`);
          proxy.script(...trouble);
          await counter.increment();
          await counter.increment();
          asked += 2;
          assert.equal((await counter.get()).value, before + asked);
          await db.close();
        }
        assert.equal(await total(world), before + asked);
      });
    }
  });
}

describe('several devices of one user', () => {
  test('count side by side, and no increment is in doubt', async () => {
    const world = await underRules('signed-in', LAYOUTS.mobile);
    const before = await total(world);
    const devices = await Promise.all([0, 1, 2].map(() => open(world, 'ann')));
    await Promise.all(devices.map(async ({ counter }) => {
      for (let time = 0; time < 10; ++time) await counter.increment();
    }));
    assert.equal(await total(world), before + 30);
    await Promise.all(devices.map(({ db }) => db.close()));
  });
});
