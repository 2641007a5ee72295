/** backfill() and reshard() of many documents on Google's emulator, beside an app that goes on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect, ShardlineError } from 'shardline';
import * as collectionsOnly from 'shardline/collections';
import { longTest } from '../support/long_test.js';
import { inRun } from '../support/run.js';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { startStage } from './support/stage.js';

const retry = { maxAttempts: 6, initialDelayMs: 1, maxDelayMs: 20 };
/** The number of documents: some commits of 500. The last page of them is not full, so no page follows it. */
const COUNT = inRun(1000, 5000);
const MANY = COUNT.toLocaleString('en');
const NEW = ['x', 'y', 'z', 7];
const OLD = Array.from({ length: 40 }, (_, number) => `old${number}`);

const stage = await startStage();
const { emulator, projectId, proxy, rest } = stage;
/** @type {import('shardline').Database} */
let db;

before(async () => {
  db = await connect({ projectId, host: proxy.url, retry });
});
after(async () => {
  await db.close();
  await stage.stop();
});

const id = (/** @type {number} */ number) => `d${String(number).padStart(5, '0')}`;
/** The last answers of some commits get lost, and some come twice: by a seed. */
function disturb() {
  const random = new Random(11);
  proxy.choose(({ verb }) => {
    if (verb !== 'commit' && verb !== 'runQuery') return null;
    const dice = random.between(0, 11);
    if (dice === 0) return faults.dropResponse();
    if (dice === 1) return faults.dropRequest();
    return dice === 2 && verb === 'commit' ? faults.duplicate() : null;
  });
}

/** @param {string} collection @param {(number: number) => object} shard */
async function fill(collection, shard) {
  for (let start = 0; start < COUNT; start += 500) {
    await rest.commit(Array.from({ length: 500 }, (_, n) => start + n).map((number) => ({
      update: {
        name: rest.name(`${collection}/${id(number)}`),
        fields: {
          n: { integerValue: String(number) },
          timestamp: { timestampValue: new Date(1e12 + (number % 97) * 1000).toISOString() },
          nested: { mapValue: { fields: { text: { stringValue: `text ${number}` } } } },
          ...shard(number),
        },
      },
    })));
  }
}

/**
 * Somebody who writes with Firestore's own means, and knows of no shards: until it is stopped, it changes a field of one of 600
 * documents after the other, as fast as it can.
 * @param {string} collection
 */
function startWriter(collection) {
  /** @type {Map<number, string>} */
  const written = new Map();
  let stops = false;
  const random = new Random(5);
  const done = (async () => {
    for (let version = 0; !stops; version += 1) {
      const number = random.between(0.4 * COUNT, 0.4 * COUNT + 599);
      try {
        await rest.commit([{
          update: { name: rest.name(`${collection}/${id(number)}`), fields: { version: { integerValue: String(version) } } },
          updateMask: { fieldPaths: ['version'] },
          currentDocument: { exists: true },
        }]);
      } catch (error) {
        // On a busy machine a commit may wait for its lock longer than the emulator allows. It is not applied then.
        if (/** @type {any} */ (error).code === 'ABORTED') continue;
        throw error;
      }
      written.set(number, String(version));
    }
  })();
  return {
    written,
    stop: async () => {
      stops = true;
      await done;
    },
  };
}

/**
 * Every document is unchanged, except a new shard and the writer's changes.
 * @param {string} collection
 * @param {Map<number, string>} written
 */
async function expectAllRight(collection, written) {
  const documents = await rest.list(collection);
  assert.equal(documents.length, COUNT);
  const shards = new Set();
  for (const { name, fields } of documents) {
    const number = Number(name.slice(-5));
    const { shard, version, ...others } = fields;
    shards.add(JSON.stringify(shard));
    assert.deepEqual(others, {
      n: { integerValue: String(number) },
      timestamp: others.timestamp,
      nested: { mapValue: { fields: { text: { stringValue: `text ${number}` } } } },
    });
    assert.equal(version?.integerValue, written.get(number), name);
  }
  assert.deepEqual([...shards].sort(), NEW.map((value) =>
    JSON.stringify(typeof value === 'number' ? { integerValue: String(value) } : { stringValue: value })).sort());
}

describe('backfill()', () => {
  const open = () => db.shardedCollection('plain', { shards: NEW });
  before(() => fill('plain', () => ({})));

  test('a dry run tells what would be written, and writes nothing', async () => {
    const told = await open().backfill({ dryRun: true });
    assert.equal(told.written, COUNT);
    const reads = COUNT + Math.ceil(COUNT / 1000);
    assert.deepEqual(told.billed, { reads, writes: 0, deletes: 0 }, 'the count, and each document');
    assert.deepEqual(told.realRun, { reads, writes: COUNT, dollars: (reads * 0.3 + COUNT * 0.9) / 1e6 });
    assert.equal((await open().count()), 0);
  });

  test(`${MANY} documents, stopped, resumed, beside a writer and with lost answers`, async () => {
    disturb();
    const writer = startWriter('plain');
    /** @type {import('shardline').ReshardingProgress[]} */
    const progress = [];
    const controller = new AbortController();
    const stopped = open().backfill({
      signal: controller.signal,
      onProgress: (step) => {
        progress.push(step);
        if (step.read > 0.3 * COUNT) controller.abort();
        if (progress.length === 2) throw new Error('A callback’s own fault changes nothing.');
      },
    });
    await assert.rejects(stopped, (error) => error instanceof ShardlineError && error.code === 'cancelled');
    const last = /** @type {import('shardline').ReshardingProgress} */ (progress.at(-1));
    assert.ok(last.read > 0.3 * COUNT && last.read < COUNT);
    assert.equal(last.total, COUNT);
    assert.ok(/** @type {number} */ (last.secondsLeft) >= 1);
    const rest = await open().backfill({ resumeFrom: last.resumeFrom });
    await writer.stop();
    proxy.reset();
    assert.equal(rest.read, COUNT - last.read);
    assert.equal(rest.resumeFrom, null);
    assert.equal(rest.unreachable, 0);
    assert.ok(writer.written.size > 50, `${writer.written.size}`);
    await expectAllRight('plain', writer.written);
    assert.equal(await open().count(), COUNT);
    assert.deepEqual(await open().backfill({ onProgress: undefined }).then(({ written, skipped }) => ({ written, skipped })),
      { written: 0, skipped: COUNT });
  });
});

describe('reshard()', () => {
  const open = () => db.shardedCollection('sharded', { shards: NEW, alsoRead: OLD });

  longTest(`${MANY} documents from 40 values to 4, with every page right meanwhile`, async () => {
    await fill('sharded', (number) => ({ shard: { stringValue: OLD[number % 40] } }));
    disturb();
    const writer = startWriter('sharded');
    /** @type {Promise<void>[]} */
    const pages = [];
    const checkPage = async () => {
      const query = open().where('n', '<', 60).limit(200);
      const page = await query.get({ chunkReads: pages.length % 2 ? 'whole-page' : 'share' });
      assert.equal(new Set(page.readTimes.map(String)).size, 1, 'one instant');
      assert.deepEqual(page.docs.map((doc) => doc.data().n).sort((a, b) => Number(a) - Number(b)), Array.from({ length: 60 }, (_, n) => n));
    };
    let told = 0;
    const onProgress = () => {
      told += 1;
      if (told % 5 === 1) pages.push(checkPage()); // Each takes the emulator as long as a commit of 300 documents.
    };
    const result = await open().reshard(NEW, { onProgress });
    await Promise.all(pages);
    await writer.stop();
    proxy.reset();
    assert.ok(pages.length > 2, `${pages.length}`);
    assert.equal(result.written, COUNT);
    await expectAllRight('sharded', writer.written);
    const settled = db.shardedCollection('sharded', { shards: NEW });
    assert.equal(await settled.count(), COUNT);
  });

  test('what it is refused with', async () => {
    await assert.rejects(db.shardedCollection('sharded', { shards: NEW }).reshard(NEW), /alsoRead/);
    await assert.rejects(open().reshard(['x']), /alsoRead/);
    await assert.rejects(open().reshard(/** @type {any} */ (undefined)), ShardlineError);
    await assert.rejects(open().backfill({ resumeFrom: 'x' }), /resumeFrom/);
    await assert.rejects(open().backfill(/** @type {any} */ ({ speed: 3 })), /speed/);
    await assert.rejects(open().backfill(/** @type {any} */ ({ onProgress: 3 })), /onProgress/);
  });
});

test('a page with collections alone fetches the second module for it', async () => {
  const small = await collectionsOnly.connect({ projectId, host: emulator.url, retry });
  await rest.set('few/a', { timestamp: { timestampValue: '2026-01-01T00:00:00Z' } });
  const few = small.shardedCollection('few', { shards: 2 });
  assert.equal((await few.backfill()).written, 1);
  assert.equal(await few.count(), 1);
  await small.close();
});
