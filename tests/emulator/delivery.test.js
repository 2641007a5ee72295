/**
 * Exactly-once delivery, against Google's emulator behind a network that loses, repeats and breaks off, with pages that are
 * killed. What a page is here: a connection whose storage outlives it, and from which at some moment nothing comes any more.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { deleteApp, initializeApp } from 'firebase/app';
import * as lite from 'firebase/firestore/lite';
import { connect } from 'shardline';
import { inRun } from '../support/run.js';
import { faults } from './support/fault_proxy.js';
import { Random } from './support/random.js';
import { RestClient } from './support/rest.js';
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
const never = () => new Promise(() => {});
/** What a browser keeps on its disk, and the pages that come and go. */
class Disk {
  /** @type {Map<string, string>} */
  texts = new Map();
  /** @type {{update: number, error: Error}[]} What its updates fail with, by their number from 0 on. */
  failures = [];
  updates = 0;
  /** @type {Page[]} */
  pages = [];

  /** @param {import('shardline').ConnectOptions} [options] */
  async open(options) {
    const page = new Page(this);
    page.db = await connect({
      projectId, host: proxy.url, retry, storage: page.storage, fetch: page.fetch,
      onWarning: (warning) => page.warnings.push(warning), ...options,
    });
    this.pages.push(page);
    return page;
  }

  async close() {
    // Those that were killed never finish, so their close() does after some seconds.
    for (const { db } of this.pages.filter(({ alive }) => !alive)) void db.close();
    await Promise.all(this.pages.filter(({ alive }) => alive).map(({ db }) => db.close()));
  }
}

class Page {
  alive = true;
  /** @type {ShardlineError[]} */
  warnings = [];
  /** @type {Database} */
  db = /** @type {any} */ (undefined);
  /** @type {(() => void)[]} */
  #onStored = [];

  /** @param {Disk} disk */
  constructor(disk) {
    /** @type {import('../../web/library/outbox/storage.js').OutboxStorage} */
    this.storage = {
      update: async (key, change) => {
        await null;
        if (!this.alive) return never();
        const failure = disk.failures.find(({ update }) => update === disk.updates);
        disk.updates += 1;
        if (failure) throw failure.error;
        const text = change(disk.texts.get(key));
        if (text === undefined) disk.texts.delete(key);
        else disk.texts.set(key, text);
        await null;
        if (!this.alive) return never();
        for (const resolve of this.#onStored.splice(0)) resolve();
      },
      all: async () => new Map(disk.texts),
      close: () => {},
    };
    /** @type {typeof fetch} */
    this.fetch = async (input, init) => {
      if (!this.alive) return never();
      const response = await fetch(input, init).catch((error) => (this.alive ? Promise.reject(error) : never()));
      return this.alive ? response : never();
    };
  }

  /** Resolves when the disk has been written to. */
  stored() {
    return new Promise((resolve) => {
      this.#onStored.push(() => resolve(undefined));
    });
  }

  /** From now on nothing comes out of it, nor gets in. */
  kill() {
    this.alive = false;
  }
}

describe('a page that is killed', () => {
  for (const applied of [false, true]) {
    for (const count of [1, 2]) {
      test(`while commit ${count} ${applied ? 'was answered' : 'was sent'}: the next page settles it`, async () => {
        const disk = new Disk();
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
    const disk = new Disk();
    const path = freshPath();
    const page = await disk.open();
    const stored = page.stored();
    page.db.counter(path, { shards: 3, flushMs: 1e6 }).increment(7).catch(() => {});
    await stored;
    page.kill();
    await disk.open();
    await proxy.arrived(1);
    await until(async () => await totalOf(path) === 7);
    await disk.close();
  });
});

describe('two tabs on one storage', () => {
  test('count together, and both hear of it', async () => {
    const disk = new Disk();
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
    const disk = new Disk();
    const { db } = await disk.open();
    const path = freshPath();
    const counter = db.counter(path, { shards: 3, flushMs: 0 });
    const denied = faults.answer(403, '{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}');
    proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes(`${path}/`) ? denied : null));
    const refused = assert.rejects(counter.increment(3), shardlineError('permission-denied', /shardline_ledger/));
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
    const disk = new Disk();
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
    const disk = new Disk();
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
    const disk = new Disk();
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
      [{ maxDelta: -5n }, /maxDelta/], [{ clientId: 'a/b' }, /clientId/], [{ clientId: 7 }, /clientId/],
      [{ voter: 'a/b' }, /voter/], [{ voter: 7 }, /voter/], [{ voter: '' }, /voter/], [{ voter: 'a', clientId: 'a' }, /voter/],
      [{ voter: 'a', delivery: 'at-least-once' }, /voter/],
    ])) {
      assert.throws(() => direct.counter('counters/c', options), shardlineError('invalid-argument', message), JSON.stringify(options, (_, v) => `${v}`));
    }
    for (const storage of /** @type {any[]} */ (['disk', {}, null, 7])) {
      await assert.rejects(connect({ projectId: 'demo', storage }), shardlineError('invalid-argument', /storage/));
    }
  });
});

describe('one clientId or voter on several devices', () => {
  /** @param {number} count */
  const devices = (count) => Promise.all(Array.from({ length: count }, () => connect({ projectId, host: emulator.url, storage: 'memory', retry })));

  test('nothing ends in doubt, and all of it is counted', async () => {
    const path = freshPath();
    const all = await devices(4);
    await Promise.all(all.map(async (db) => {
      const counter = db.counter(path, { shards: 10, clientId: 'anna', flushMs: 0 });
      for (let i = 0; i < 30; i += 1) await counter.increment();
    }));
    assert.equal(await totalOf(path), 120);
    await Promise.all(all.map((db) => db.close()));
  });

  test('counters of one document keep apart, and a vote does not expire', async () => {
    const path = freshPath();
    const [db, other] = await devices(2);
    const layout = (/** @type {string} */ countField) => ({ shardCollection: 'shards', countField, shardCountField: null });
    const likes = db.counter(path, { layout: layout('likes'), shards: 3, clientId: 'anna', flushMs: 0 });
    const votes = db.counter(path, { layout: layout('votes'), shards: 3, voter: 'anna', flushMs: 0 });
    await Promise.all([likes.increment(2), votes.increment(3)]);
    await other.counter(path, { layout: layout('votes'), shards: 3, voter: 'anna', flushMs: 0 }).increment(4);
    assert.equal((await likes.get()).value, 2);
    assert.equal((await votes.get()).value, 7);
    const rest = new RestClient({ url: emulator.url, projectId });
    const ledger = await rest.get(`${path}/shardline/shards.likes/shardline_ledger/anna`);
    assert.deepEqual(Object.keys(ledger.fields).sort(), ['batches', 'delta', 'expireAt', 'seq', 'shard']);
    const vote = await rest.get(`${path}/shardline/shards.votes/shardline_votes/anna`);
    assert.deepEqual(Object.keys(vote.fields).sort(), ['batches', 'delta', 'seq', 'shard']);
    assert.equal(vote.fields.seq.integerValue, '2');
    await Promise.all([db.close(), other.close()]);
  });
});

describe('storage', () => {
  test('that is full: memory takes over with one warning, and what is stored is not counted twice', async () => {
    const disk = new Disk();
    const path = freshPath();
    const page = await disk.open();
    const counter = page.db.counter(path, { shards: 3, flushMs: 1e6 });
    const stored = page.stored();
    const first = counter.increment(1);
    await stored;
    for (let update = disk.updates; update < disk.updates + 20; update += 1) disk.failures.push({ update, error: new Error('full') });
    const second = counter.increment(2);
    const third = counter.increment(3);
    await until(() => page.warnings.length !== 0);
    assert.equal(counter.pending, 6);
    const flushed = counter.flush();
    await Promise.all([second, third]);
    assert.equal(page.warnings[0]?.code, 'resource-exhausted');
    disk.failures = [];
    await Promise.all([first, flushed]);
    assert.equal(await totalOf(path), 6);
    page.kill();
    await (await disk.open()).db.counter(path, { shards: 3 }).flush();
    assert.equal(await totalOf(path), 6);
    await disk.close();
  });

  test('whose text cannot be read is put aside, with a warning', async () => {
    for (const damage of [() => 'rubbish', (/** @type {string} */ text) => text.slice(0, -5), () => '{"counter":{"path":"x"},"state":"{}","version":1}']) {
      const disk = new Disk();
      const path = freshPath();
      const page = await disk.open();
      await page.db.counter(path, { shards: 3, flushMs: 0 }).increment(1);
      page.kill();
      const [[key, text] = ['', '']] = disk.texts;
      disk.texts.set(key, damage(text));
      const next = await disk.open();
      await next.db.counter(path, { shards: 3, flushMs: 0 }).increment(2);
      assert.equal(next.warnings[0]?.code, 'data-loss');
      assert.equal(await totalOf(path), 3);
      assert.ok([...disk.texts.keys()].some((other) => other.startsWith('unreadable ')));
      await disk.close();
    }
  });
});

describe('pending', () => {
  test('is right at every moment', async () => {
    const disk = new Disk();
    const { db } = await disk.open();
    const counter = db.counter(freshPath(), { shards: 3, flushMs: 1e6 });
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
    assert.equal((await counter.get()).value, 3.5);
    await disk.close();
  });

  test('is sent by close(), and what cannot be sent is kept', async () => {
    const disk = new Disk();
    const path = freshPath();
    const { db } = await disk.open();
    const counted = db.counter(path, { shards: 3, flushMs: 1e6 }).increment(5);
    await db.close();
    await counted;
    const page = await disk.open();
    proxy.choose(() => faults.dropRequest());
    const kept = assert.rejects(page.db.counter(path, { shards: 3, flushMs: 1e6 }).increment(6));
    await page.db.close();
    await kept;
    proxy.reset();
    await (await disk.open()).db.counter(path, { shards: 3 }).flush();
    assert.equal(await totalOf(path), 11);
    await disk.close();
  });
});

describe('contention', () => {
  test('is told by stats(), with a number of shards that would do', async () => {
    const disk = new Disk();
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
  const disk = new Disk();
  const page = await disk.open();
  const path = freshPath();
  const counter = page.db.counter(path, { shards: 3, flushMs: 0, maxDelta: 1, autoResize: { max: 12 } });
  await counter.create();
  let commits = 0;
  proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('shardline_ledger') && (commits += 1) % 3 === 0 ? faults.aborted() : null));
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
  const disk = new Disk();
  const page = await disk.open();
  const path = freshPath();
  await page.db.counter(path, { shards: 3 }).create();
  let commits = 0;
  proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('shardline_ledger') && (commits += 1) % 3 === 0 ? faults.aborted() : null));
  const counter = () => page.db.counter(path, { flushMs: 0, autoResize: { max: 12 } });
  for (let i = 0; i < 60 && counter().shards !== 12; i += 1) await counter().increment();
  assert.equal((await counter().get()).shards, 12);
  await disk.close();
});

for (const [how, options, count] of /** @type {[string, object, (counter: any, i: number) => Promise<unknown>][]} */ ([
  ['keys', {}, (counter, i) => counter.add(`k${i}`)],
  ['increments with a key', {}, (counter, i) => counter.increment(1, { key: `k${i}` })],
  ['transactions', { delivery: 'transaction' }, (counter) => counter.increment()],
])) {
  test(`autoResize adds shards for ${how}`, async () => {
    const disk = new Disk();
    const page = await disk.open();
    const path = freshPath();
    const counter = page.db.counter(path, { shards: 3, autoResize: { max: 12 }, ...options });
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
  const disk = new Disk();
  const page = await disk.open();
  const path = freshPath();
  await page.db.counter(path, { shards: 30 }).create();
  const late = page.db.counter(path, { shards: 2, flushMs: 0, maxDelta: 1, autoResize: { max: 12 } });
  let commits = 0;
  proxy.choose(({ verb, body }) => (verb === 'commit' && body.includes('shardline_ledger') && (commits += 1) % 3 === 0 ? faults.aborted() : null));
  await Promise.all(Array.from({ length: 60 }, () => late.increment()));
  await until(() => late.shards === 30);
  assert.deepEqual(await page.db.counter(path).create(), { created: false, shards: 30 });
  assert.equal((await page.db.counter(path).get()).shards, 30);
  assert.equal(await totalOf(path), 60);
  assert.deepEqual(page.warnings, []);
  await disk.close();
});

test('autoResize adds no shards for a page that only counts fast', async () => {
  const disk = new Disk();
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
  const disk = new Disk();
  const page = await disk.open();
  const path = freshPath();
  const counter = page.db.counter(path, { shards: 2, flushMs: 0, maxDelta: 1, autoResize: { max: 100 } });
  await counter.create();
  let commits = 0;
  const isResize = (/** @type {string} */ body) => body.includes('num_shards');
  proxy.choose(({ verb, body }) => {
    if (verb !== 'commit') return null;
    if (isResize(body)) return faults.denied();
    return body.includes('shardline_ledger') && (commits += 1) % 3 === 0 ? faults.aborted() : null;
  });
  const refused = () => proxy.requests.filter(({ verb, body }) => verb === 'commit' && isResize(body)).length;
  for (let times = 1; times <= 2; times += 1) {
    await Promise.all(Array.from({ length: 40 }, () => counter.increment()));
    await until(() => refused() >= times);
  }
  await counter.flush();
  assert.equal(await totalOf(path), 80);
  assert.deepEqual(page.warnings.map(({ code, message }) => [code, message.startsWith(`The counter ${path} was to get more shards (autoResize)`)]), [['permission-denied', true]]);
  await disk.close();
});

describe('when the database is closed', () => {
  test('whoever waits in flush() is told, and whoever calls it later', async () => {
    const disk = new Disk();
    const page = await disk.open();
    const counter = page.db.counter(freshPath(), { shards: 3, flushMs: 0 });
    const old = page.db.counter(freshPath(), { layout: 'extension', countField: 'visits' });
    await counter.increment();
    await counter.flush();
    proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
    const waiting = [counter.increment(), counter.flush(), counter.flush({ signal: new AbortController().signal })].map((each) => each.catch(({ code, reason }) => [code, reason]));
    await page.stored();
    await page.db.close();
    const closed = ['failed-precondition', 'closed'];
    assert.deepEqual(await Promise.all(waiting), [['cancelled', 'increment-goes-on'], closed, closed]);
    await assert.rejects(counter.flush(), { reason: 'closed' });
    await assert.rejects(old.migrate(), { code: 'failed-precondition' });
    await disk.close();
  });

  test('a storage that is closed is not told to have failed', async () => {
    const disk = new Disk();
    const page = await disk.open();
    const counter = page.db.counter(freshPath(), { shards: 3, flushMs: 0 });
    await counter.increment();
    await page.db.close();
    const refuse = async () => {
      throw new Error('The database was closed.');
    };
    Object.assign(page.storage, { update: refuse, all: refuse });
    await assert.rejects(counter.increment(), { reason: 'closed' });
    await assert.rejects(page.db.unreadable(), { reason: 'closed' });
    assert.deepEqual(page.warnings, []);
    await disk.close();
  });
});

test('what was left, and of which nobody knows whether it was counted, is told as that', async () => {
  const disk = new Disk();
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
    const disk = new Disk();
    let page = await disk.open();
    let counter = page.db.counter(path, { shards: 10, flushMs: 1, maxDelta: 2 });
    for (let done = 0; done < times;) {
      const burst = Math.min(dice.between(1, 8), times - done);
      const stored = page.stored();
      const asked = Array.from({ length: burst }, () => counter.increment());
      // Nobody hears of those whose page is killed.
      for (const each of asked) each.catch(() => {});
      await stored;
      done += burst;
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
