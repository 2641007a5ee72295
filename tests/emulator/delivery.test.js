/**
 * Exactly-once delivery, against Google's emulator behind a network that loses, repeats and breaks off, with pages that are
 * killed.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { deleteApp, initializeApp } from 'firebase/app';
import * as lite from 'firebase/firestore/lite';
import { connect } from 'shardline';
import { inRun } from '../support/run.js';
import { Disk } from './support/disk.js';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';
import { until } from './support/until.js';

/** @typedef {import('shardline').Database} Database */

const retry = { maxAttempts: 4, initialDelayMs: 1, maxDelayMs: 20, timeoutMs: 5000 };

const stage = await startStage();
const { emulator, projectId, proxy } = stage;
/** @type {Database} Straight to the emulator. */
let direct;

before(async () => {
  direct = await connect({ projectId, host: emulator.url, retry });
});
after(async () => {
  await direct.close();
  await stage.stop();
});
beforeEach(() => proxy.reset());

let names = 0;
const freshPath = () => `counters/d${(names += 1)}`;
/** @param {string} path */
const totalOf = async (path) => (await direct.counter(path).get()).value;
/** @param {import('shardline').ConnectOptions} [options] */
const makeDisk = (options) => new Disk({ projectId, host: proxy.url, retry, ...options });

describe('a page that is killed', () => {
  for (const applied of [false, true]) {
    for (const count of [1, 2]) {
      test(`while commit ${count} ${applied ? 'was answered' : 'was sent'}: the next page settles it`, async () => {
        const disk = makeDisk();
        const path = freshPath();
        const page = await disk.open();
        const counter = page.db.counter(path, { shards: 3, flushMs: 0 });
        if (count === 2) await counter.increment(10);
        const killed = new Promise((resolve) => {
          const kill = async () => {
            page.kill();
            resolve(undefined);
          };
          proxy.choose(() => {
            if (!page.alive) return null;
            if (applied) return { ...faults.dropResponse(), after: kill };
            void kill();
            return faults.dropRequest();
          });
        });
        counter.increment(5).catch(() => {});
        await killed;
        const next = await disk.open();
        const again = next.db.counter(path, { shards: 3 });
        await again.flush();
        await until(() => again.pending === 0);
        assert.equal(await totalOf(path), count === 2 ? 15 : 5);
        await disk.close();
      });
    }
  }

  test('the next page sends what waited, without being asked for the counter', async () => {
    const disk = makeDisk();
    const path = freshPath();
    const page = await disk.open();
    const counter = page.db.counter(path, { shards: 3, flushMs: 1e6 });
    await counter.increment(1);
    counter.increment(7).catch(() => {});
    await until(() => disk.stored === 8);
    page.kill();
    assert.equal(await totalOf(path), 1);
    await disk.open();
    await until(async () => await totalOf(path) === 8);
    await disk.close();
  });
});

describe('two tabs on one storage', () => {
  test('count together, and both hear of it', async () => {
    const disk = makeDisk();
    const path = freshPath();
    const [one, two] = [await disk.open(), await disk.open()];
    const options = { shards: 3, flushMs: 5, maxDelta: 3 };
    const counters = [one.db.counter(path, options), two.db.counter(path, options)];
    const dice = new Random(5);
    proxy.choose(() => (dice.chance(0.2) ? dice.pick([faults.dropRequest, faults.dropResponse, faults.duplicate])() : null));
    const asked = Array.from({ length: 40 }, (_, i) => counters[i % 2]?.increment());
    await Promise.all([...asked, ...counters.map((counter) => counter.flush())]);
    assert.equal(await totalOf(path), 40);
    await disk.close();
  });
});

describe('refusals', () => {
  test('reject their own increments, and block nobody', async () => {
    const disk = makeDisk();
    const { db } = await disk.open();
    const path = freshPath();
    const counter = db.counter(path, { shards: 3, flushMs: 0 });
    const denied = faults.answer(403, '{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}');
    proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes(`${path}/`) ? denied : null));
    const refused = assert.rejects(counter.increment(3), shardlineError('permission-denied', /No\./));
    const other = db.counter(freshPath(), { shards: 3, flushMs: 0 });
    await Promise.all([refused, other.increment(4)]);
    assert.equal(counter.pending, 0);
    assert.equal(await totalOf(other.path), 4);
    proxy.reset();
    await counter.increment(5);
    assert.equal(await totalOf(path), 5);
    await disk.close();
  });

  test('an expired token is asked for again', async () => {
    const disk = makeDisk();
    /** @type {boolean[]} */
    const asked = [];
    const { db } = await disk.open({
      authToken: ({ forceRefresh }) => {
        asked.push(forceRefresh);
        return 'owner';
      },
    });
    const counter = db.counter(freshPath(), { shards: 3, flushMs: 0 });
    proxy.script(faults.dropResponse(), faults.unauthenticated());
    await counter.increment(2);
    assert.ok(asked.includes(true));
    assert.equal(await totalOf(counter.path), 2);
    await disk.close();
  });

  test('nobody signed in: it waits, with a warning', async () => {
    const disk = makeDisk();
    let token = false;
    const page = await disk.open({ authToken: () => (token ? 'owner' : Promise.reject(new Error('offline'))) });
    const counter = page.db.counter(freshPath(), { shards: 3, flushMs: 0 });
    const waiting = counter.increment(2);
    await until(() => page.warnings.length !== 0);
    assert.equal(page.warnings[0]?.code, 'unauthenticated');
    token = true;
    await waiting;
    assert.equal(await totalOf(counter.path), 2);
    await disk.close();
  });

  test('a bound that makes too many commits rejects that increment alone', async () => {
    const disk = makeDisk();
    const { db } = await disk.open();
    const counter = db.counter(freshPath(), { shards: 3, flushMs: 0, maxDelta: 2 });
    const results = await Promise.allSettled([counter.increment(3), counter.increment(1e6), counter.increment(-1)]);
    assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled']);
    assert.equal(await totalOf(counter.path), 2);
    assert.equal(counter.pending, 0);
    await disk.close();
  });

  test('options', async () => {
    for (const [options, message] of /** @type {[any, RegExp][]} */ ([
      [{ flushMs: -1 }, /flushMs/], [{ flushMs: '1' }, /flushMs/], [{ flushMs: NaN }, /flushMs/], [{ maxDelta: 0 }, /maxDelta/],
      [{ maxDelta: -5n }, /maxDelta/],
    ])) {
      assert.throws(() => direct.counter('counters/c', options), shardlineError('invalid-argument', message), JSON.stringify(options, (_, v) => `${v}`));
    }
    for (const storage of /** @type {any[]} */ (['disk', {}, null, 7])) {
      await assert.rejects(connect({ projectId: 'demo', storage }), shardlineError('invalid-argument', /storage/));
    }
  });
});

describe('markers', () => {
  test('each commit makes one, which says that it was applied, and expires', async () => {
    const disk = makeDisk();
    const { db } = await disk.open();
    const counter = db.counter(freshPath(), { shards: 3, flushMs: 0 });
    for (let i = 0; i < 3; i += 1) await counter.increment();
    const names = proxy.requests.filter(({ verb }) => verb === 'commit').map(({ body }) => String(/documents\/(shardline_markers\/\w{20})"/.exec(body)?.[1]));
    assert.equal(new Set(names).size, 3);
    for (const name of names) {
      const { fields } = await stage.rest.get(name);
      assert.deepEqual(Object.keys(fields).sort(), ['applied', 'expireAt']);
      assert.equal(fields.applied.booleanValue, true);
      const days = (Date.parse(fields.expireAt.timestampValue) - Date.now()) / 86_400_000;
      assert.ok(days > 29 && days < 61, `${days}`);
    }
    await disk.close();
  });

  test('two devices that have the same storage, because one is a copy of the other, count once', async () => {
    const disk = makeDisk();
    const path = freshPath();
    const page = await disk.open();
    const counter = page.db.counter(path, { shards: 3, flushMs: 1e6 });
    await counter.increment(1);
    counter.increment(2).catch(() => {});
    await until(() => disk.stored === 3);
    page.kill();
    const disks = [disk, disk.copy(), disk.copy()];
    const pages = await Promise.all(disks.map((each) => each.open()));
    await Promise.all(pages.map(({ db }) => db.counter(path).flush()));
    assert.equal(await totalOf(path), 3);
    for (const each of pages) assert.deepEqual(each.warnings, []);
    await Promise.all(disks.map((each) => each.close()));
  });

  const OTHERS = inRun(200, 1000);

  test(`a first answer that is lost costs three requests at the most, on a counter to which ${OTHERS} others have written`, async () => {
    const path = freshPath();
    await direct.counter(path, { shards: 10 }).create();
    const { rest } = stage;
    await Promise.all(Array.from({ length: 8 }, async (_, writer) => {
      for (let i = writer; i < OTHERS; i += 8) {
        const marker = { name: rest.name(`shardline_markers/other${String(i).padStart(15, '0')}`), fields: { applied: { booleanValue: true } } };
        await rest.commit([
          { update: marker, currentDocument: { exists: false } },
          { transform: { document: rest.name(`${path}/shards/${i % 10}`), fieldTransforms: [{ fieldPath: 'count', increment: { integerValue: '1' } }] } },
        ]);
      }
    }));
    const requests = async () => {
      const disk = makeDisk();
      const before = proxy.count();
      const { db } = await disk.open();
      await db.counter(path, { flushMs: 0 }).increment();
      await disk.close();
      return proxy.count() - before;
    };
    const usual = await requests();
    let isLost = false;
    proxy.choose(({ verb }) => {
      if (verb !== 'commit' || isLost) return null;
      isLost = true;
      return faults.dropResponse();
    });
    const more = await requests() - usual;
    assert.ok(isLost && more <= 3, `${more}`);
    assert.equal(await totalOf(path), OTHERS + 2);
  });
});

describe('storage', () => {
  test('that is full: memory takes over with one warning, and what is stored is not counted twice', async () => {
    const disk = makeDisk();
    const path = freshPath();
    const page = await disk.open();
    const counter = page.db.counter(path, { shards: 3, flushMs: 1e6 });
    await counter.increment(1);
    const first = counter.increment(1);
    await until(() => disk.stored === 2);
    disk.failure = new Error('full');
    const second = counter.increment(2);
    const third = counter.increment(3);
    await until(() => page.warnings.length !== 0);
    assert.equal(counter.pending, 6);
    await Promise.all([first, second, third, counter.flush()]);
    assert.deepEqual(page.warnings.map(({ code }) => code), ['resource-exhausted']);
    assert.equal(await totalOf(path), 7);
    page.kill();
    disk.failure = undefined;
    assert.equal(disk.rows.size, 1);
    await (await disk.open()).db.counter(path, { shards: 3 }).flush();
    assert.equal(await totalOf(path), 7);
    await disk.close();
  });

  test('what is no row stays where it is and is told once, and others are counted', async () => {
    const damages = /** @type {((row: any) => unknown)[]} */ ([
      () => 'rubbish', () => null, (row) => ({ ...row, delta: undefined }), (row) => ({ ...row, made: 'today' }), (row) => ({ ...row, id: 'a/b' }),
      (row) => ({ ...row, delta: { integerValue: '1'.repeat(20) } }),
    ]);
    for (const damage of damages) {
      const disk = makeDisk();
      const path = freshPath();
      const page = await disk.open();
      await page.db.counter(path, { shards: 3, flushMs: 0 }).increment(1);
      page.kill();
      const [[id, row] = []] = disk.history;
      const damaged = damage(row);
      disk.rows = new Map([[String(id), damaged]]);
      const next = await disk.open();
      await next.db.counter(path, { shards: 3, flushMs: 0 }).increment(2);
      assert.deepEqual(await next.db.unreadableIncrements(), [damaged]);
      assert.deepEqual(next.warnings.map(({ code }) => code), ['data-loss']);
      assert.equal(await totalOf(path), 3);
      assert.deepEqual([...disk.rows.values()], [damaged]);
      await disk.close();
    }
  });
});

describe('pending', () => {
  test('is right at every moment', async () => {
    const disk = makeDisk();
    const { db } = await disk.open();
    const counter = db.counter(freshPath(), { shards: 3, flushMs: 1e6 });
    await counter.increment(1);
    proxy.reset();
    const asked = [counter.increment(5)];
    assert.equal(counter.pending, 5);
    await null;
    assert.equal(counter.pending, 5);
    asked.push(counter.increment(-2), counter.increment(2n ** 62n));
    assert.equal(counter.pending, 2n ** 62n + 3n);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(counter.pending, 2n ** 62n + 3n);
    asked.push(counter.increment(-(2n ** 62n)), counter.increment(0.5));
    assert.equal(counter.pending, 3.5);
    assert.equal(proxy.requests.length, 0);
    await Promise.all([counter.flush(), ...asked]);
    assert.equal(counter.pending, 0);
    assert.equal((await counter.get()).value, 4.5);
    await disk.close();
  });

  test('is sent by close(), and what cannot be sent is kept', async () => {
    const disk = makeDisk();
    const path = freshPath();
    const { db } = await disk.open();
    const counter = db.counter(path, { shards: 3, flushMs: 1e6 });
    await counter.increment(1);
    const counted = counter.increment(5);
    await db.close();
    await counted;
    const page = await disk.open();
    proxy.choose(() => faults.dropRequest());
    const kept = assert.rejects(page.db.counter(path, { shards: 3, flushMs: 1e6 }).increment(6));
    await page.db.close();
    await kept;
    proxy.reset();
    await (await disk.open()).db.counter(path, { shards: 3 }).flush();
    assert.equal(await totalOf(path), 12);
    await disk.close();
  });
});

describe('contention', () => {
  test('is told by stats(), with a number of shards that would do', async () => {
    const disk = makeDisk();
    const { db } = await disk.open();
    const counter = db.counter(freshPath(), { shards: 3, flushMs: 0, maxDelta: 1 });
    await counter.create();
    let commits = 0;
    proxy.choose(({ verb }) => (verb === 'commit' && (commits += 1) % 2 === 0 ? faults.aborted() : null));
    await Promise.all(Array.from({ length: 20 }, () => counter.increment()));
    const { contention, suggestedShards, perShard } = await counter.stats();
    assert.equal(contention.attempts, 39);
    assert.equal(contention.aborted, 19);
    assert.equal(suggestedShards, 30);
    assert.equal(Object.values(perShard).reduce((sum, count) => Number(sum) + Number(count), 0), 20);
    await disk.close();
  });
});

test('autoResize adds shards where there is contention, up to its bound', async () => {
  const disk = makeDisk();
  const page = await disk.open();
  const path = freshPath();
  const counter = page.db.counter(path, { shards: 3, flushMs: 0, maxDelta: 1, autoResize: { max: 12 } });
  await counter.create();
  let commits = 0;
  proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('shardline_markers') && (commits += 1) % 3 === 0 ? faults.aborted() : null));
  await Promise.all(Array.from({ length: 60 }, () => counter.increment()));
  await until(() => counter.shards === 12);
  await counter.increment();
  assert.equal(await totalOf(path), 61);
  assert.deepEqual(page.warnings, []);
  for (const autoResize of /** @type {any[]} */ ([{}, { max: 0 }, { max: 1.5 }, { max: 1e5 }, 7, null])) {
    assert.throws(() => page.db.counter(path, { autoResize }), shardlineError('invalid-argument', /autoResize/));
  }
  await disk.close();
});

test('autoResize adds shards also for a program that asks for the counter anew for each increment', async () => {
  const disk = makeDisk();
  const page = await disk.open();
  const path = freshPath();
  await page.db.counter(path, { shards: 3 }).create();
  let commits = 0;
  proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('shardline_markers') && (commits += 1) % 3 === 0 ? faults.aborted() : null));
  const counter = () => page.db.counter(path, { flushMs: 0, autoResize: { max: 12 } });
  for (let i = 0; i < 60 && counter().shards !== 12; i += 1) await counter().increment();
  assert.equal((await counter().get()).shards, 12);
  await disk.close();
});

for (const [how, options, count, kind = 'counter'] of /** @type {[string, object, (counter: any, i: number) => Promise<unknown>, ('counter' | 'countedSet')?][]} */ ([
  ['keys', {}, (counter, i) => counter.add(`k${i}`), 'countedSet'],
  ['increments with a key', {}, (counter, i) => counter.increment(1, { key: `k${i}` })],
  ['transactions', { delivery: 'transaction' }, (counter) => counter.increment()],
])) {
  test(`autoResize adds shards for ${how}`, async () => {
    const disk = makeDisk();
    const page = await disk.open();
    const path = freshPath();
    const counter = page.db[kind](path, { shards: 3, autoResize: { max: 12 }, ...options });
    await counter.create();
    let commits = 0;
    proxy.choose(({ verb }) => (verb === 'commit' && (commits += 1) <= 20 && commits % 3 === 0 ? faults.aborted() : null));
    for (let i = 0; i < 40 && counter.shards !== 12; i += 1) await count(counter, i);
    await until(() => counter.shards === 12);
    const { contention } = await counter.stats();
    assert.ok(contention.attempts >= 20 && contention.aborted >= 6, JSON.stringify(contention));
    await disk.close();
  });
}

test('autoResize of a page that knows little never shrinks', async () => {
  const disk = makeDisk();
  const page = await disk.open();
  const path = freshPath();
  await page.db.counter(path, { shards: 30 }).create();
  const late = page.db.counter(path, { shards: 2, flushMs: 0, maxDelta: 1, autoResize: { max: 12 } });
  let commits = 0;
  proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('shardline_markers') && (commits += 1) % 3 === 0 ? faults.aborted() : null));
  await Promise.all(Array.from({ length: 60 }, () => late.increment()));
  await until(() => late.shards === 30);
  assert.deepEqual(await page.db.counter(path).create(), { created: false, shards: 30 });
  assert.equal((await page.db.counter(path).get()).shards, 30);
  assert.equal(await totalOf(path), 60);
  assert.deepEqual(page.warnings, []);
  await disk.close();
});

test('autoResize adds no shards for a page that only counts fast', async () => {
  const disk = makeDisk();
  const page = await disk.open();
  const counter = page.db.counter(freshPath(), { shards: 2, flushMs: 0, maxDelta: 1, autoResize: { max: 100 } });
  await counter.create();
  await Promise.all(Array.from({ length: 60 }, () => counter.increment()));
  assert.deepEqual((await counter.stats()).contention, { attempts: 60, aborted: 0 });
  await counter.flush();
  assert.equal(counter.shards, 2);
  await disk.close();
});

test('autoResize that is refused says so once, and what it was', async () => {
  const disk = makeDisk();
  const page = await disk.open();
  const path = freshPath();
  const counter = page.db.counter(path, { shards: 2, flushMs: 0, maxDelta: 1, autoResize: { max: 100 } });
  await counter.create();
  let commits = 0;
  const isResize = (/** @type {string} */ body) => body.includes('num_shards');
  proxy.choose(({ verb, body }) => {
    if (verb !== 'commit') return null;
    if (isResize(body)) return faults.denied();
    return body.includes('shardline_markers') && (commits += 1) % 3 === 0 ? faults.aborted() : null;
  });
  const refused = () => proxy.requests.filter(({ verb, body }) => verb === 'commit' && isResize(body)).length;
  for (let times = 1; times <= 2; times += 1) {
    await Promise.all(Array.from({ length: 40 }, () => counter.increment()));
    await until(() => refused() >= times);
  }
  await counter.flush();
  assert.equal(await totalOf(path), 80);
  assert.deepEqual(page.warnings.map(({ code, message }) => [code, message.startsWith(`autoResize of ${path} has failed.`)]), [['permission-denied', true]]);
  await disk.close();
});

describe('when the database is closed', () => {
  test('whoever waits in flush() is told, and whoever calls it later', async () => {
    const disk = makeDisk();
    const page = await disk.open();
    const counter = page.db.counter(freshPath(), { shards: 3, flushMs: 0 });
    const old = page.db.counter(freshPath(), { layout: 'extension', countField: 'visits' });
    await counter.increment();
    await counter.flush();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    const waiting = [counter.increment(), counter.flush(), counter.flush({ signal: new AbortController().signal })].map((each) => each.catch(({ code, reason }) => [code, reason]));
    await until(() => disk.stored === 2);
    await page.db.close();
    const closed = ['failed-precondition', 'closed'];
    assert.deepEqual(await Promise.all(waiting), [['cancelled', 'increment-goes-on'], closed, closed]);
    await assert.rejects(counter.flush(), { reason: 'closed' });
    await assert.rejects(old.migrate(), { code: 'failed-precondition' });
    await disk.close();
  });

  test('a storage that is closed is not told to have failed', async () => {
    const disk = makeDisk();
    const page = await disk.open();
    const counter = page.db.counter(freshPath(), { shards: 3, flushMs: 0 });
    await counter.increment();
    await page.db.close();
    const refuse = async () => {
      throw new Error('The database was closed.');
    };
    Object.assign(page.storage, { change: refuse, read: refuse });
    await assert.rejects(counter.increment(), { reason: 'closed' });
    await assert.rejects(page.db.unreadableIncrements(), { reason: 'closed' });
    assert.deepEqual(page.warnings, []);
    await disk.close();
  });
});

test('what was left, and of which nobody knows whether it was counted, is told as that', async () => {
  const disk = makeDisk();
  const options = /** @type {const} */ ({ shards: 3, flushMs: 0, delivery: 'at-least-once' });
  const path = freshPath();
  const first = await disk.open();
  await first.db.counter(path, options).create();
  proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropResponse() : null));
  first.db.counter(path, options).increment(5).catch(() => {});
  await until(() => proxy.count('commit') > 1);
  first.kill();
  proxy.choose(({ verb }) => (verb === 'commit' ? faults.denied() : null));
  const next = await disk.open();
  await until(() => next.warnings.length > 0);
  assert.deepEqual(next.warnings.map(({ code }) => code), ['outcome-unknown']);
  assert.match(next.warnings[0]?.message ?? '', new RegExp(`^An increment of ${path} by 5 may or may not have been counted: `));
  await disk.close();
});

const CLIENTS = 8;
const INCREMENTS = inRun(240, 2000);

/** 10 % of the answers lost, 5 % of the requests, and 2 % sent twice. @param {number} seed */
function loseSome(seed) {
  const dice = new Random(seed);
  proxy.reset();
  proxy.choose(({ verb }) => {
    if (verb !== 'commit') return null;
    if (dice.chance(0.1)) return faults.dropResponse();
    if (dice.chance(0.05)) return faults.dropRequest();
    return dice.chance(0.02) ? faults.duplicate() : null;
  });
}

/** Each client counts its share, one after the other. @param {(client: number, times: number) => Promise<unknown>} count */
const together = (count) => Promise.all(Array.from({ length: CLIENTS }, (_, client) => count(client, INCREMENTS / CLIENTS)));

test(`${INCREMENTS} increments by ${CLIENTS} clients, 10 % of the answers lost, pages killed: the total is right to the unit`, async (t) => {
  const path = freshPath();
  const dice = new Random(1);
  let kills = 0;
  loseSome(7);
  await together(async (client, times) => {
    const disk = makeDisk();
    let page = await disk.open();
    let counter = page.db.counter(path, { shards: 10, flushMs: 1, maxDelta: 2 });
    for (let done = 0; done < times;) {
      const burst = Math.min(dice.between(1, 8), times - done);
      const asked = Array.from({ length: burst }, () => counter.increment());
      // Nobody hears of those whose page is killed.
      for (const each of asked) each.catch(() => {});
      done += burst;
      await until(() => disk.stored === done);
      if (dice.chance(0.3)) {
        await Promise.race([proxy.arrived(proxy.count() + dice.between(0, 4)), Promise.allSettled(asked)]);
        page.kill();
        kills += 1;
        page = await disk.open();
        counter = page.db.counter(path, { shards: 10, flushMs: 1, maxDelta: 2 });
      } else {
        await Promise.all(asked);
      }
    }
    await counter.flush();
    assert.equal(counter.pending, 0, `client ${client}`);
    await disk.close();
  });
  const ours = await totalOf(path);
  const commits = proxy.count('commit');

  const app = initializeApp({ projectId }, 'lite');
  lite.setLogLevel('silent');
  const firestore = lite.getFirestore(app);
  lite.connectFirestoreEmulator(firestore, '127.0.0.1', Number(new URL(proxy.url).port));
  const litePath = freshPath();
  await direct.counter(litePath, { shards: 10 }).create();
  let liteRejected = 0;
  loseSome(7);
  await together(async (_client, times) => {
    for (let i = 0; i < times; i += 1) {
      const shard = lite.doc(firestore, `${litePath}/shards/${dice.between(0, 9)}`);
      await lite.updateDoc(shard, 'count', lite.increment(1)).catch(() => {
        liteRejected += 1;
      });
    }
  });
  const liteTotal = await totalOf(litePath);
  await deleteApp(app);

  const plainPath = freshPath();
  loseSome(7);
  await together(async (_client, times) => {
    for (let i = 0; i < times; i += 1) {
      const name = `projects/${projectId}/databases/(default)/documents/${plainPath}/shards/${dice.between(0, 9)}`;
      const write = { update: { name }, updateMask: { fieldPaths: [] }, updateTransforms: [{ fieldPath: 'count', increment: { integerValue: '1' } }] };
      const send = () => fetch(`${proxy.url}/v1/projects/${projectId}/databases/(default)/documents:commit`,
        { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ writes: [write] }) });
      while (!(await send().then((response) => response.ok, () => false)));
    }
  });
  const plainTotal = await totalOf(plainPath);

  const off = (/** @type {number | bigint} */ total) => `${Number(total) - INCREMENTS >= 0 ? '+' : ''}${Number(total) - INCREMENTS}`;
  t.diagnostic(`Shardline, ${kills} pages killed, ${commits} commits: ${ours} (${off(ours)})`);
  t.diagnostic(`firebase/firestore/lite, nothing killed: ${liteTotal} (${off(liteTotal)}); of these it acknowledged ${INCREMENTS - liteRejected}`);
  t.diagnostic(`fetch, again until it succeeds, nothing killed: ${plainTotal} (${off(plainTotal)})`);
  assert.equal(ours, INCREMENTS);
  assert.ok(kills > INCREMENTS / 40, `${kills}`);
  assert.notEqual(plainTotal, INCREMENTS, 'the faults must have bitten');
});
