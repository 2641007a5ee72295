/** The answer to another request is no answer: neither an empty page nor a total of 0. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

const TIME = '2026-01-01T00:00:00Z';
const ROOT = 'projects/demo/databases/(default)/documents';
const ANSWERS = {
  'an aggregation': [{ result: { aggregateFields: { sum: { integerValue: '7' }, count: { integerValue: '3' } } }, readTime: TIME }],
  'a :batchGet that found': [{ found: { name: `${ROOT}/p/a/shards/0`, fields: { count: { integerValue: '7' } }, createTime: TIME, updateTime: TIME }, readTime: TIME }],
  'a :batchGet that found nothing': [{ missing: `${ROOT}/p/a`, readTime: TIME }],
  'a :runQuery': [{ document: { name: `${ROOT}/p/a/shards/0`, fields: { count: { integerValue: '7' } }, createTime: TIME, updateTime: TIME }, readTime: TIME }],
  'nobody knows what': [{ unknown: 1 }],
};

for (const [what, answer] of Object.entries(ANSWERS)) {
  test(`the answer to ${what} is refused by whoever asked something else`, async (t) => {
    const simulator = await (await openWorkbench()).createEmbeddedFirestore({ worker: false });
    t.after(() => simulator.close());
    let isOther = false;
    const fetch = Object.assign(async (/** @type {any} */ url, /** @type {any} */ init) => {
      const response = await simulator.fetch(url, init);
      return isOther ? new Response(JSON.stringify(answer)) : response;
    }, { host: simulator.fetch.host });
    const db = await connect({ projectId: 'demo', fetch, storage: 'memory', retry: { maxAttempts: 1 } });
    const counter = db.counter('p/a', { shards: 3, flushMs: 0 });
    await counter.create();
    await counter.increment(7);
    const rows = db.shardedCollection('x', { shards: 40 });
    await rows.addAll(Array.from({ length: 20 }, (_, i) => ({ i, timestamp: Timestamp.now() })));
    isOther = true;
    const asked = {
      ':runQuery': [() => rows.limit(5).get(), () => counter.get({ source: 'shards' })],
      'an aggregation': [() => rows.count(), () => counter.get({ maxAgeMs: 0 })],
      ':batchGet': [() => rows.get('one'), () => db.countedSet('p/a', { shards: 3 }).has('key')],
    };
    for (const [method, calls] of Object.entries(asked)) {
      if (what.includes(method)) continue;
      for (const call of calls) await assert.rejects(call(), { reason: 'answer-unreadable' }, `${method}: ${call}`);
    }
    isOther = false;
    await db.close();
  });
}
