/** The chapter of live totals: each way does what the chapter says of it, at every load, and its code works. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';
import { chapter } from '../../web/tutorial/chapters/live.js';
import { recordLive, viewAt } from '../../web/tutorial/model/live.js';
import { HIDDEN_MS, LIVE, WAYS } from '../../web/tutorial/model/live_hour.js';
import { openEnglish } from './support/english.js';

/** @typedef {import('../../web/tutorial/model/live_hour.js').LiveOptions} LiveOptions */

const [step] = /** @type {[import('../../web/tutorial/chapters/chapter.js').Step<any>]} */ (chapter.steps);
const defaults = /** @type {LiveOptions} */ (Object.fromEntries(Object.entries(step.knobs ?? {}).map(([name, knob]) => [name, knob.default])));
const MINUTES = LIVE.seconds / 60;

/** @param {Partial<LiveOptions>} [options] */
async function hour(options) {
  const live = await recordLive({ ...defaults, ...options }, 1);
  const [ask, listen, bounded] = WAYS.map((way) => viewAt(live, way, live.durationMs));
  if (!ask || !listen || !bounded) throw new Error('three ways');
  return { live, ask, listen, bounded };
}

test('the hour that the question is about: a page that listens pays for the first total, each shard, and each like', async () => {
  const { live, ask, listen, bounded } = await hour();
  const likes = defaults.likes * MINUTES;
  assert.equal(live.liked.at(-1), likes);
  assert.equal(step.prediction && 'unit' in step.prediction && step.prediction.answer(live), 1 + LIVE.shards + likes);
  assert.equal(ask.reads, LIVE.seconds / defaults.every);
  assert.equal(bounded.reads, listen.reads, 'the bound is not reached');
  assert.ok(ask.longestMs > 5000 && ask.longestMs <= defaults.every * 1000 + 100, `${ask.longestMs} ms`);
  assert.ok(listen.longestMs < 500, `${listen.longestMs} ms`);
});

test('the same seed gives the same hour, another seed another', async () => {
  const once = await recordLive(defaults, 7);
  const again = await recordLive(defaults, 7);
  assert.deepEqual({ ...again, isHidden: null }, { ...once, isHidden: null });
  assert.notDeepEqual((await recordLive(defaults, 8)).likedMs, once.likedMs);
});

test('at any moment a number is one that there was, and bills only grow', async () => {
  const { live } = await hour();
  for (const way of WAYS) {
    let before = { reads: 0, shown: 0 };
    for (let atMs = 0; atMs <= live.durationMs; atMs += 7777) {
      const { reads, shown, behind } = viewAt(live, way, atMs);
      assert.ok(reads >= before.reads && shown >= before.shown, `${way} at ${atMs}`);
      assert.equal(shown + behind, live.likedMs.filter((likedMs) => likedMs <= atMs).length, `${way} at ${atMs}`);
      before = { reads, shown };
    }
  }
});

test('an hour without a like: a page that listens pays only at the beginning', async () => {
  const { ask, listen, bounded } = await hour({ likes: 0 });
  assert.deepEqual([ask.reads, listen.reads, bounded.reads], [LIVE.seconds / defaults.every, 1 + LIVE.shards, 1 + LIVE.shards]);
});

test('at a medium load, listening costs more than asking, and the bound is kept to while the number moves', async () => {
  const { live, ask, listen, bounded } = await hour({ likes: 20 });
  assert.ok(listen.reads > ask.reads, `${listen.reads}, ${ask.reads} reads`);
  assert.ok(bounded.reads <= LIVE.readsPerHour && bounded.reads < listen.reads, `${bounded.reads} reads`);
  assert.ok(bounded.longestMs < 20_000, `${bounded.longestMs} ms`);
  assert.ok(step.tasks?.find(({ id }) => id === 'busy')?.reached(live, live.durationMs, { ...defaults, likes: 20 }));
});

test('at a high load, a page that listens asks each second', async () => {
  const { live, listen, bounded } = await hour({ likes: 3000 });
  assert.equal(live.liked.at(-1), 3000 * MINUTES);
  assert.ok(listen.reads > LIVE.seconds / 2 && listen.reads < LIVE.seconds * 1.1, `${listen.reads} reads`);
  assert.ok(listen.longestMs <= 3000, `${listen.longestMs} ms`);
  assert.ok(bounded.reads <= LIVE.readsPerHour, `${bounded.reads} reads`);
});

test('while the tab is hidden, the page that listens pays nothing after a minute, and the timer of the page that asks goes on', async () => {
  const { live } = await hour({ tab: 'hidden' });
  const paid = (/** @type {import('../../web/tutorial/model/live_hour.js').Way} */ way, /** @type {number} */ fromMs, /** @type {number} */ untilMs) => (
    viewAt(live, way, untilMs).reads - viewAt(live, way, fromMs).reads);
  const [from, to] = [HIDDEN_MS.from + 70_000, HIDDEN_MS.to - 1000];
  assert.deepEqual([paid('listen', from, to), paid('bounded', from, to)], [0, 0]);
  assert.ok(paid('ask', from, to) >= Math.floor((to - from) / 1000 / defaults.every) - 1);
  assert.equal(viewAt(live, 'listen', HIDDEN_MS.to + 5000).behind, 0, 'and shows all likes when the reader is back');
  assert.ok(viewAt(live, 'listen', live.durationMs).longestMs < 500);
});

test('the code that readers see works', async (t) => {
  const { createEmbeddedFirestore } = await openWorkbench();
  const { fetch } = await createEmbeddedFirestore({ limits: 'documented' });
  const db = await connect({ projectId: 'demo', fetch });
  t.after(() => db.close());
  await db.counter('posts/p1', { shards: LIVE.shards }).increment(3);
  await openEnglish();
  const code = String(step.code?.({ ...defaults, every: 1 }, null)).replace('setInterval', 'every');
  const source = `export function run(db, every, console) { ${code} }`;
  const { run } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  /** @type {unknown[]} */
  const said = [];
  await new Promise((resolve) => {
    run(db, (/** @type {() => unknown} */ ask, /** @type {number} */ ms) => {
      assert.equal(ms, 1000);
      void ask();
    }, { log: (/** @type {unknown} */ value) => {
      if (value !== undefined) said.push(value);
      if (said.length === 3) resolve(said);
    } });
  });
  assert.deepEqual(said, [3, 3, 3]);
});
