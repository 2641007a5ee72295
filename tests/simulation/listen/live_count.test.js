// The price of a watch, and how soon it shows changes, at every load: in virtual time, on the embedded Firestore, whose meter counts the reads.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isLong } from '../../support/run.js';
import { connect } from '../../../web/library/index.js';
import { Budget } from '../../../web/library/listen/budget.js';
import { Place } from '../../../web/library/outbox/place.js';
import { Timestamp } from '../../../web/library/values.js';
import { watch } from '../../../web/library/watch.js';
import { openWorkbench } from '../../../web/library/workbench.js';
import { Clock } from '../outbox/clock.js';
import { Dice } from '../outbox/dice.js';
import { installIntervals, uninstallIntervals } from './intervals.js';

const HOUR_MS = 3_600_000;
const PROJECT = 'projects/demo/databases/(default)/documents';
const SHARDS = 10;

/** @type {import('../../../web/library/workbench.js').EmbeddedFirestore} */
let firestore;
const clock = new Clock();
let names = 0;
before(async () => {
  const workbench = await openWorkbench();
  // Modules that a test loads later would take real time.
  const warm = await workbench.createEmbeddedFirestore({ limits: 'none' });
  const db = await connect({ projectId: 'demo', fetch: warm.fetch });
  await db.counter('warm/up', { shards: 1 }).create();
  await new Promise((resolve) => db.counter('warm/up', { shards: 1 }).watch((total) => total.state === 'live' && resolve(total)));
  await db.collection('warm').limit(1).get();
  await new Promise((resolve) => db.collection('warm').limit(1).onChange(resolve));
  await db.close();
  await warm.close();
  firestore = await workbench.createEmbeddedFirestore({ limits: 'none', latencyMs: [20, 30] });
  clock.install();
  installIntervals();
});
after(async () => {
  uninstallIntervals();
  clock.uninstall();
  await firestore.close();
});

/** A watcher’s client. */
class Viewer {
  /** The reads that the server's meter has counted, each with its time. @type {{at: number, reads: number}[]} */
  bills = [];
  asked = 0;
  requests = 0;
  /** Whether the server bills no other client's reads. */
  isAlone = true;
  /** How many documents have come by streams. */
  heard = 0;
  /** @type {{at: number, value: number}[]} */
  shown = [];
  #metered = 0;

  fetch = async (/** @type {any} */ input, /** @type {any} */ init) => {
    const url = String(input);
    this.requests += 1;
    if (url.includes(':runAggregationQuery')) this.asked += 1;
    const answer = await firestore.fetch(input, init);
    if (!url.includes('RID=rpc') || !answer.body) return answer;
    const decoder = new TextDecoder();
    const count = new TransformStream({
      transform: (chunk, controller) => {
        this.heard += decoder.decode(chunk, { stream: true }).split('"documentChange"').length - 1;
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(count), { status: answer.status, headers: answer.headers });
  };

  /** Reads the meter. It has counted something before this. */
  async meter(isFirst = false) {
    const now = this.isAlone ? (await firestore.snapshot()).billed.reads : this.asked + this.heard;
    const reads = isFirst ? 0 : now - this.#metered;
    this.#metered = now;
    if (reads > 0) this.bills.push({ at: clock.now, reads });
  }

  get reads() {
    return this.bills.reduce((sum, { reads }) => sum + reads, 0);
  }

  /** The most in any hour. */
  get mostInAnHour() {
    return Math.max(0, ...this.bills.map(({ at }) => this.bills.filter((bill) => bill.at >= at && bill.at < at + HOUR_MS).reduce((sum, { reads }) => sum + reads, 0)));
  }
}

/**
 * Watches a counter for a while, to which others add at some rate.
 * @param {{perSecond: number | ((second: number) => number), minutes: number, watch?: object, publish?: {field: string, everyMs: number}}} load
 */
async function live({ perSecond, minutes, watch, publish }) {
  const dice = new Dice(names += 1);
  const path = `counters/c${names}`;
  const viewer = new Viewer();
  viewer.isAlone = publish === undefined;
  const db = await connect({ projectId: 'demo', fetch: /** @type {any} */ (viewer.fetch) });
  const counter = db.counter(path, { shards: SHARDS, publish });
  const publisher = publish && (await connect({ projectId: 'demo', fetch: firestore.fetch })).counter(path, { shards: SHARDS, publish, flushMs: 0 });
  let isMade = false;
  counter.create().then(() => { isMade = true; });
  await clock.pass(1000, () => isMade);
  await viewer.meter(true);
  counter.watch(({ value }) => value !== undefined && viewer.shown.push({ at: clock.now, value: Number(value) }), watch);
  /** When each increment was made. @type {number[]} */
  const made = [];
  const commit = async () => {
    made.push(clock.now);
    if (publisher) return void await publisher.increment();
    const document = `${PROJECT}/${path}/shards/${dice.between(0, SHARDS - 1)}`;
    await firestore.fetch(`${firestore.fetch.host}/v1/${PROJECT}:commit`, {
      method: 'POST', headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({ writes: [{ transform: { document, fieldTransforms: [{ fieldPath: 'count', increment: { integerValue: '1' } }] } }] }),
    });
  };
  let due = 0;
  for (let second = 0; second < minutes * 60; second += 1) {
    due += typeof perSecond === 'number' ? perSecond : perSecond(second);
    const now = Math.floor(due);
    due -= now;
    for (let i = 0; i < now; i += 1) {
      await clock.pass(1000 / now);
      void commit();
    }
    if (now === 0) await clock.pass(1000);
    await viewer.meter();
  }
  const { reads, asked } = viewer;
  await clock.pass(60_000);
  await viewer.meter();
  let isClosed = false;
  db.close().then(() => { isClosed = true; });
  await clock.pass(20_000, () => isClosed);
  assert.equal(viewer.shown.at(-1)?.value, made.length, 'in the end it is the sum');
  // A document that is on its way when listening ends is billed, and not heard.
  const unheard = viewer.reads - viewer.asked - viewer.heard;
  assert.ok(unheard >= 0 && unheard <= viewer.reads * 0.2, `${unheard} of ${viewer.reads} reads are neither answers nor documents`);
  /** How long each increment took to be shown, in milliseconds. */
  const late = made.map((at, i) => (viewer.shown.find((shown) => shown.value > i && shown.at >= at)?.at ?? Infinity) - at).sort((one, other) => one - other);
  return { viewer, reads, asked, median: late[Math.floor(late.length / 2)] ?? 0, longest: late.at(-1) ?? 0 };
}

describe('a watch', () => {
  test('an idle hour bills the first reading, and each shard once', async () => {
    const { reads, asked } = await live({ perSecond: 0, minutes: 60 });
    assert.deepEqual([asked, reads], [1, 1 + SHARDS]);
  });

  for (const perSecond of [0.2, 1, 5]) {
    test(`${perSecond} changes a second: each shows at once`, async () => {
      const { median, longest, asked } = await live({ perSecond, minutes: isLong ? 30 : 2 });
      assert.ok(median <= 400 && longest <= 1000, `${median}, ${longest} ms`);
      assert.equal(asked, 1);
    });
  }

  test('faster changes show within two intervals, and cost as many reads as there are intervals, once that is clear', async () => {
    const { longest, reads } = await live({ perSecond: 50, minutes: 2 });
    assert.ok(longest <= 2000, `${longest} ms`);
    assert.ok(reads <= 120 + 100, `${reads} reads`);
  });

  for (const { perSecond, minutes, publish } of /** @type {Parameters<typeof live>[0][]} */ ([
    { perSecond: 0, minutes: 70 }, { perSecond: 1, minutes: isLong ? 70 : 20 }, { perSecond: 500, minutes: 0.2 },
    { perSecond: 1, minutes: isLong ? 70 : 5, publish: { field: 'likes', everyMs: 1000 } },
    ...(isLong ? [{ perSecond: 0.05, minutes: 190 }, { perSecond: 8, minutes: 130 }, { perSecond: 50, minutes: 20 }, { perSecond: 500, minutes: 3 }] : []),
  ])) {
    test(`readsPerHour is kept to with ${perSecond} increments a second for ${minutes} minutes${publish ? ', published each second' : ''}`, async () => {
      const { viewer } = await live({ perSecond, minutes, publish, watch: { readsPerHour: 600 } });
      // A fifth at once, a tenth for changes on their way, and the rest in the course of the hour.
      const most = 600 * Math.min(0.3 + 0.7 * (minutes + 1) / 60, 1);
      assert.ok(viewer.mostInAnHour <= most, `${viewer.mostInAnHour} reads of ${most}`);
    });
  }

  test('readsPerHour is kept to with bursts', async () => {
    const { viewer } = await live({ perSecond: (second) => (second % 600 < 20 ? 30 : 0), minutes: 70, watch: { readsPerHour: 600 } });
    assert.ok(viewer.mostInAnHour <= 600, `${viewer.mostInAnHour} reads`);
  });
});

describe('fifty quiet counters of one page', () => {
  /**
   * Opens a page that shows them all for an hour.
   * @param {object} [options] Of each counter.
   */
  async function list(options) {
    const run = names += 1;
    const paths = Array.from({ length: 50 }, (_, i) => `lists/${run}/posts/p${i}`);
    const writer = await connect({ projectId: 'demo', fetch: firestore.fetch });
    const viewer = new Viewer();
    const db = await connect({ projectId: 'demo', fetch: /** @type {any} */ (viewer.fetch) });
    const made = Promise.all(paths.map(async (path) => {
      const counter = writer.counter(path, { shards: SHARDS, ...options });
      await counter.create();
      await counter.increment(2);
    })).then(() => writer.close());
    let isMade = false;
    made.then(() => { isMade = true; });
    // Also until the page's budget is full again.
    await clock.pass(600_000, () => isMade);
    await clock.pass(200_000);
    await viewer.meter(true);
    /** @type {Map<string, import('../../../web/library/index.js').LiveTotal>} */
    let shown = new Map();
    const stop = db.counters(paths, { shards: SHARDS, ...options }).watch((totals) => { shown = totals; });
    await clock.pass(120_000);
    await viewer.meter();
    const { reads: opened, requests } = viewer;
    assert.deepEqual([...shown.values()].map(({ value, state }) => [value, state]), paths.map(() => [2, 'live']));
    await clock.pass(HOUR_MS);
    await viewer.meter();
    stop();
    let isClosed = false;
    db.close().then(() => { isClosed = true; });
    await clock.pass(20_000, () => isClosed);
    return { opened, requests, later: viewer.reads - opened };
  }

  test('whose totals are published: one read each, in two requests, and nothing while nothing changes', async () => {
    assert.deepEqual(await list({ publish: { field: 'likes', everyMs: 1000 } }), { opened: 50, requests: 2, later: 0 });
  });

  test('whose totals are not published: no more than asking bills in two minutes, and nothing while nothing changes', async () => {
    const { opened, later } = await list();
    assert.ok(opened <= 600, `${opened} reads`);
    assert.equal(later, 0);
  });
});

test('after a refusal a watch asks for ten minutes, and then listens: rules may be wrong for a moment', async () => {
  const viewer = new Viewer();
  let isRefused = true;
  let streams = 0;
  const remove = [2, 4].map((id, i) => [i + 1, [{ targetChange: { targetChangeType: 'REMOVE', targetIds: [id], cause: { code: 7, message: 'no' } } }]]);
  const db = await connect({ projectId: 'demo', fetch: /** @type {any} */ (async (/** @type {any} */ input, /** @type {any} */ init) => {
    if (!String(input).includes('TYPE=xmlhttp')) return viewer.fetch(input, init);
    streams += 1;
    if (!isRefused) return viewer.fetch(input, init);
    const text = JSON.stringify(remove);
    return new Response(`${text.length}\n${text}`);
  }) });
  const counter = db.counter('counters/refused', { shards: 2 });
  let isMade = false;
  counter.create().then(() => { isMade = true; });
  await clock.pass(1000, () => isMade);
  const stop = counter.watch(() => {});
  await clock.pass(20_000);
  const refused = streams;
  assert.ok(refused >= 1);
  isRefused = false;
  await clock.pass(8 * 60_000);
  assert.equal(streams, refused);
  await clock.pass(3 * 60_000);
  assert.ok(streams > refused);
  const { asked } = viewer;
  await clock.pass(5 * 60_000);
  assert.equal(viewer.asked, asked, 'it listens');
  stop();
  let isClosed = false;
  db.close().then(() => { isClosed = true; });
  await clock.pass(20_000, () => isClosed);
});

test('a pause that setTimeout() cannot hold is as long as it can hold', async () => {
  const place = new Place(/** @type {any} */ ({ warnings: {}, ended: new AbortController().signal, learnt: async () => {} }), 'k');
  let readings = 0;
  const read = async () => {
    readings += 1;
    return { value: 1, number: 1, readTime: Timestamp.now(), shards: 5000, source: 'shards', pending: 0, billed: { reads: 5000, writes: 0, deletes: 0 } };
  };
  const stop = watch(/** @type {any} */ (read), place, () => {}, /** @type {any} */ ({ readsPerHour: 10, listen: false }));
  const { setTimeout: virtual } = globalThis;
  // Like a browser's, which takes 32 bits.
  globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ run, ms = 0) => virtual(run, ms > 2 ** 31 - 1 ? 0 : ms));
  await clock.pass(60_000);
  globalThis.setTimeout = virtual;
  stop();
  assert.equal(readings, 1);
});

test('a budget gives what it has at once, and what comes in the course of the hour', async () => {
  const budget = new Budget(700, 200);
  assert.equal(budget.left, 200);
  let spent = 0;
  for (let i = 0; i < 3600; i += 1) {
    while (budget.left >= 1) {
      budget.spend(1);
      spent += 1;
    }
    await clock.pass(1000);
  }
  assert.ok(spent >= 899 && spent <= 900, `${spent}`);
  budget.spend(500);
  assert.ok(budget.left < -400);
});
