// The operations of counters.

import assert from 'node:assert/strict';

/**
 * @typedef {import('./operations.js').Operation} Operation
 * @typedef {import('./operations.js').Surroundings} Surroundings
 * @typedef {import('shardline').Counter} Counter
 */

/** @type {[name: string, path: string, options: import('shardline').CounterOptions][]} */
const LAYOUTS = [
  ['web', 'posts/p1', { layout: 'web-sample', shards: 3 }],
  ['web, shards to be asked for', 'posts/p1', { layout: 'web-sample' }],
  ['mobile', 'posts/p1', { layout: 'mobile-sample', shards: 3 }],
  ['node', 'posts/p1', { layout: 'node-sample', shards: 3 }],
  ['go', 'posts/p1', { layout: 'go-sample', shards: 3 }],
  ['php', 'samples/php/counters', { layout: 'php-sample', shards: 3 }],
  ['ruby', 'shards', { layout: 'ruby-sample', shards: 3 }],
  ['collection', 'counterShards', { layout: 'collection', shards: 3 }],
  ['extension', 'pages/p1', { layout: 'extension', countField: 'stats.visits', shards: 3 }],
];

/** @param {import('shardline').CounterReading} reading What of it does not change from one reading to the next. */
const facts = ({ value, shards, perShard, main }) => ({ value, shards, perShard, main });

/** @param {Surroundings} surroundings @param {string} path @param {object} options @returns {Promise<Counter>} One that has counted 12. */
async function counted({ db, random }, path, options) {
  const counter = db.counter(path, { flushMs: 0, ...options });
  const creator = counter.shards ? counter : db.counter(path, { ...options, shards: 3 });
  await creator.create();
  const parts = random.pick([[12], [5, 7], [1, 2, 9]]);
  for (const part of parts) await counter.increment(part);
  return counter;
}

/** @param {string} name @param {(counter: Counter) => Promise<any>} read @param {string[]} [layouts] @param {boolean} [writes] @returns {Operation[]} */
const reading = (name, read, layouts, writes) => LAYOUTS.filter(([layout]) => !layouts || layouts.includes(layout)).map(([layout, path, options]) => ({
  name: `counter ${layout}: ${name}`,
  writes,
  prepare: async (surroundings) => counted(surroundings, path, options),
  run: (_, counter) => read(counter),
  check(result) {
    assert.equal(result.value, 12);
  },
  async after(_, counter) {
    assert.deepEqual(facts(await read(counter)), facts(await read(counter)));
    assert.equal((await counter.get()).value, 12);
  },
}));

/** @param {import('shardline').CounterOptions['delivery']} delivery @returns {Operation[]} */
const counting = (delivery) => LAYOUTS.map(([layout, path, options]) => ({
  name: `counter ${layout}: increment ${delivery}`,
  writes: true,
  prepare: async (surroundings) => {
    const creator = surroundings.db.counter(path, { ...options, shards: 3 });
    await creator.create();
    return { counter: surroundings.db.counter(path, { ...options, delivery, flushMs: 0 }), outcomes: [] };
  },
  async run({ random }, context) {
    const amounts = random.pick([[4], [1, 2, 3], [4n, -1], [9007199254740993n, 2]]);
    context.outcomes = amounts.map((/** @type {number | bigint} */ amount) => ({ amount, error: undefined }));
    const results = await Promise.allSettled(amounts.map((/** @type {number | bigint} */ amount) => context.counter.increment(amount)));
    results.forEach((result, index) => {
      context.outcomes[index].error = result.status === 'rejected' ? result.reason : undefined;
    });
    const failure = results.find(({ status }) => status === 'rejected');
    if (failure) throw /** @type {PromiseRejectedResult} */ (failure).reason;
  },
  check() {},
  async after({ server }, { counter, outcomes }, { truthful, commits }) {
    await counter.flush();
    assert.equal(Number(counter.pending), 0, 'nothing waits any more');
    const before = BigInt((await counter.get()).value);
    // Which of them are in the total? At-least-once counts one more than once at the most as often as it was sent.
    const totals = sums(outcomes, delivery === 'at-least-once' ? commits : 1);
    if (truthful) assert.ok(totals(before), `the total is ${before} after ${outcomes.map(describe).join(', ')}`);
    await counter.increment(10);
    await counter.flush();
    assert.equal(BigInt((await counter.get()).value), before + 10n, 'what is counted afterwards');
    assert.equal(server.left, 0);
  },
}));

/** @param {{amount: number | bigint, error?: any}} outcome */
const describe = ({ amount, error }) => `${amount} (${error ? error.code : 'counted'})`;

/**
 * @param {{amount: number | bigint, error?: any}[]} outcomes
 * @param {number} most How often one may have been counted.
 * @returns {(total: bigint) => boolean} Whether they can make this total.
 */
function sums(outcomes, most) {
  let possible = new Set([0n]);
  for (const { amount, error } of outcomes) {
    const times = error === undefined ? range(1, most) : range(0, error.code === 'outcome-unknown' || most > 1 ? most : 0);
    possible = new Set([...possible].flatMap((sum) => times.map((count) => sum + BigInt(amount) * BigInt(count))));
  }
  return (total) => possible.has(total);
}

/** @param {number} first @param {number} last */
const range = (first, last) => Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => first + i);

/** @param {string} name @param {(counter: Counter) => Promise<any>} change @param {number} total @param {string[]} layouts @returns {Operation[]} */
const changing = (name, change, total, layouts) => LAYOUTS.filter(([layout]) => layouts.includes(layout)).map(([layout, path, options]) => ({
  name: `counter ${layout}: ${name}`,
  writes: true,
  prepare: async (surroundings) => counted(surroundings, path, options),
  run: (_, counter) => change(counter),
  check() {},
  async after({ db }, counter, { truthful }) {
    const again = await change(counter).catch((error) => ({ error }));
    if (truthful) {
      assert.equal(again.error, undefined, `${again.error?.message}`);
      assert.equal((await counter.get()).value, total);
    }
    await db.counter(path, { ...options, shards: 3 }).create().catch(() => {});
    await unlessFull(truthful, async () => {
      const { value } = await counter.get();
      await counter.increment(10);
      assert.equal(BigInt((await counter.get()).value), BigInt(value) + 10n);
    });
  },
}));

/**
 * Does something with a counter into which a lie may have been moved, such as a shard's count of 2^63 - 1. It then says that it is full.
 * @param {boolean} truthful
 * @param {() => Promise<void>} action
 */
async function unlessFull(truthful, action) {
  try {
    await action();
  } catch (error) {
    if (truthful || /** @type {any} */ (error).code !== 'out-of-range') throw error;
  }
}

const ALL = LAYOUTS.map(([layout]) => layout);
const PLAIN = ALL.filter((layout) => layout !== 'extension');

/** @type {Operation[]} */
export const COUNTER_OPERATIONS = [
  ...reading('get()', (counter) => counter.get()),
  ...reading('get({ source: shards })', (counter) => counter.get({ source: 'shards' })),
  // It shares the total that it has read, and others then read it.
  ...reading('get({ maxAgeMs })', (counter) => counter.get({ maxAgeMs: 5 }), ['web', 'php', 'extension'], true),
  ...reading('stats()', async (counter) => {
    const { perShard } = await counter.stats();
    return { value: Object.values(perShard).reduce((/** @type {number} */ sum, count) => sum + Number(count), 0), perShard };
  }, ['web', 'go', 'ruby']),
  ...reading('watch()', watchOnce, ['web', 'node', 'extension']),
  ...counting('exactly-once'),
  ...counting('at-least-once'),
  ...counting('transaction'),
  ...changing('create()', (counter) => counter.create(), 12, ALL.filter((layout) => !layout.includes('asked'))),
  ...changing('resize(6)', (counter) => counter.resize(6), 12, PLAIN),
  ...changing('resize(1)', (counter) => counter.resize(1), 12, PLAIN),
  ...changing('delete()', (counter) => counter.delete(), 0, PLAIN),
  {
    name: 'counter extension: migrate()',
    writes: true,
    prepare: (surroundings) => counted(surroundings, 'pages/p1', { layout: 'extension', countField: 'stats.visits', shards: 3 }),
    run: (_, counter) => counter.migrate({ to: { layout: 'web-sample', shards: 2 } }),
    check() {},
    async after({ db }, counter, { truthful }) {
      await counter.migrate({ to: { layout: 'web-sample', shards: 2 } });
      await unlessFull(truthful, async () => {
        const { value } = await db.counter('pages/p1').get();
        if (truthful) assert.equal(value, 12);
      });
    },
  },
  {
    name: 'counters: getAll()',
    prepare: async (surroundings) => {
      for (const path of ['posts/p1', 'posts/p2']) await counted(surroundings, path, { shards: 2 });
      return surroundings.db.counters(['posts/p1', 'posts/p2']);
    },
    run: (_, counters) => counters.getAll(),
    check(all) {
      assert.deepEqual([...all.values()].map(({ value }) => value), [12, 12]);
    },
    async after(_, counters) {
      this.check(await counters.getAll());
    },
  },
  {
    name: 'counter web: create() anew',
    writes: true,
    prepare: async ({ db }) => db.counter('posts/new', { shards: 3, flushMs: 0 }),
    run: (_, counter) => counter.create(),
    check(result) {
      assert.equal(result.shards, 3);
    },
    async after(_, counter, { truthful }) {
      await counter.create();
      if (truthful) assert.equal((await counter.get()).value, 0);
      await counter.increment(10);
      await counter.increment(-3);
      if (truthful) assert.equal((await counter.get()).value, 7);
    },
  },
];

/** Resolves with the first reading; rejects if three in a row fail. @param {Counter} counter @returns {Promise<any>} */
function watchOnce(counter) {
  return new Promise((resolve, reject) => {
    let failures = 0;
    const stop = counter.watch((total) => {
      if (total.state !== 'live') return;
      queueMicrotask(() => stop());
      resolve({ value: total.value });
    }, {
      intervalMs: 1,
      onError(error) {
        failures += 1;
        if (failures < 3) return;
        stop();
        reject(error);
      },
    });
  });
}
