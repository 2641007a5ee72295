/** The runs that the tutorial plays: recordings of the library's own operations, and their readings at any time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openWorkbench } from '../../web/library/workbench.js';
import { chapter as distributed, verdictOf } from '../../web/tutorial/chapters/distributed_counter.js';
import { chapter as reading } from '../../web/tutorial/chapters/reading.js';
import { chapter as sharded } from '../../web/tutorial/chapters/sharded_query.js';
import { idsOf } from '../../web/tutorial/model/ids.js';
import { recordLostAnswer } from '../../web/tutorial/model/lost_answer.js';
import { recordQuery } from '../../web/tutorial/model/query.js';
import { readingAt, recordReading } from '../../web/tutorial/model/reading.js';
import {
  countUntil, cumulative, perSecond, record, requestsDone, requestsUnderWay, sampleAt, shardCountAt, soFar, stateAt, toRecording,
} from '../../web/tutorial/model/recording.js';

/** More than the shards take, so that requests wait, are refused and sent again. */
const CROWD = /** @type {const} */ ({
  kind: 'counter', shards: 4, users: 300, arrivalsPerSecond: 1000, thinkMs: 10_000_000, seconds: 5, faults: { dropResponse: 0.1 },
});

/** Moments in every part of a run, and between them. */
const moments = (/** @type {{durationMs: number}} */ { durationMs }) => Array.from({ length: 60 }, (_, place) => (durationMs * place) / 59 - 0.5 * (place % 2));

test('the same seed gives the same recording, another seed another', async () => {
  const once = await record({ ...CROWD, seed: 7 });
  assert.deepEqual(await record({ ...CROWD, seed: 7 }), once);
  assert.equal(once.seed, 7);
  assert.notDeepEqual((await record({ ...CROWD, seed: 8 })).requests.sentMs, once.requests.sentMs);
});

test('the state at a time does not depend on how one got there', async () => {
  const recording = await record(CROWD);
  const times = moments(recording);
  const forwards = times.map((atMs) => stateAt(recording, atMs));
  const backwards = [...times].reverse().map((atMs) => stateAt(recording, atMs)).reverse();
  assert.deepEqual(backwards, forwards);
  for (const atMs of times) assert.deepEqual(stateAt(structuredClone(recording), atMs), stateAt(recording, atMs), 'and it is plain data');
});

test('what is counted only grows, and ends with what the server holds', async () => {
  const recording = await record(CROWD);
  const { report, durationMs } = recording;
  let before = stateAt(recording, -1);
  assert.deepEqual(Object.values(before).filter((number) => number !== 0), []);
  for (const atMs of moments(recording)) {
    const state = stateAt(recording, atMs);
    for (const name of /** @type {const} */ (['users', 'asked', 'acknowledged', 'failed', 'unknown', 'counted', 'applied', 'sent', 'conflicts', 'retries'])) {
      assert.ok(state[name] >= before[name], `${name} at ${atMs}`);
    }
    assert.equal(state.counted, state.applied, `every write that was carried out counts one, at ${atMs}`);
    assert.equal(state.underWay, state.asked - state.acknowledged - state.failed - state.unknown);
    before = state;
  }
  const end = stateAt(recording, durationMs);
  assert.equal(end.counted, report.count?.found);
  assert.equal(end.acknowledged, report.operations.acknowledged);
  assert.equal(end.failed, report.operations.failed);
  assert.equal(end.unknown, report.operations.unknown);
  assert.equal(end.conflicts, report.requests.conflicts);
  assert.equal(end.underWay, 0);
  assert.equal(end.users, 300);
  assert.ok(end.retries > 50, `${end.retries}`);
});

test('the index finds what a search through everything finds', async () => {
  const recording = await record(CROWD);
  const { requests, index } = recording;
  const numbers = [...requests.sentMs.keys()];
  for (const atMs of moments(recording)) {
    assert.deepEqual(requestsUnderWay(recording, atMs), numbers.filter((request) => requests.sentMs[request] <= atMs && atMs < requests.answeredMs[request]));
    const done = numbers.filter((request) => requests.doneMs[request] > atMs - 500 && requests.doneMs[request] <= atMs);
    assert.deepEqual([...requestsDone(recording, atMs - 500, atMs)].sort((a, b) => a - b), done);
    for (let shard = 0; shard < 4; shard += 1) {
      const counts = numbers.filter((request) => requests.shard[request] === shard && requests.applied[request] === 1 && requests.doneMs[request] <= atMs);
      assert.equal(shardCountAt(recording, shard, atMs), counts.length, `shard ${shard} at ${atMs}`);
    }
    const sample = sampleAt(recording, atMs);
    assert.equal(sample, recording.samples.findLast((each) => each.atMs <= atMs) ?? null);
  }
  assert.ok(index.attempts.some((attempts) => attempts > 1));
});

test('an event is where something happens, each once and in order', async () => {
  const { eventTimes, requests, durationMs } = await record(CROWD);
  const columns = [requests.sentMs, requests.arrivedMs, requests.doneMs, requests.answeredMs];
  assert.deepEqual([...eventTimes], [...new Set(columns.flatMap((column) => [...column]))].filter((atMs) => atMs >= 0).sort((a, b) => a - b));
  assert.equal(eventTimes.at(-1), durationMs);
});

test('seconds add up', async () => {
  const { index, works, durationMs } = await record(CROWD);
  const seconds = Math.ceil(durationMs / 1000) + 1;
  assert.equal(perSecond(works.beganMs, seconds).reduce((a, b) => a + b), 300);
  assert.equal(perSecond(index.acknowledgedMs, seconds).reduce((a, b) => a + b), index.acknowledgedMs.length);
  const sums = cumulative(index.acknowledgedMs, durationMs);
  assert.equal(sums.at(-1), index.acknowledgedMs.length);
  assert.ok(sums.every((sum, second) => sum >= (sums[second - 1] ?? 0)));
  assert.equal(countUntil([1, 1, 2], 1), 2);
  assert.equal(countUntil([], 1), 0);
});

test('a count ends with the run, in the line and in words', () => {
  const { values, at } = soFar([100, 900, 1500, 1900], 1600);
  assert.deepEqual(values, [0, 2, 3]);
  assert.deepEqual([0, 950, 1600, 5000].map(at), [0, 2, 3, 3]);
});

test('an experiment without a recording is no recording; one can be stopped', async () => {
  const { runExperiment } = await openWorkbench();
  const plain = await runExperiment({ ...CROWD, users: 5 });
  assert.equal(plain.recording, undefined);
  await assert.rejects(toRecording(plain), /not recorded/);
  const cancel = new AbortController();
  const running = record({ ...CROWD, shards: 100, users: 5000, seconds: 100 }, cancel.signal);
  cancel.abort();
  await assert.rejects(running, { code: 'cancelled' });
  await assert.rejects(record({ ...CROWD, shards: 0 }), { code: 'invalid-argument', message: /`shards`/ });
});

test('as many shards as the load needs on average nearly hold, as presses meet; the next choice holds', async () => {
  const [{ record: play }] = distributed.steps;
  const verdict = async (/** @type {number} */ shards) => {
    const recording = await play({ shards }, 1, new AbortController().signal);
    return verdictOf(recording, recording.needed);
  };
  assert.deepEqual(await Promise.all([20, 50, 75].map(verdict)), ['no', 'nearly', 'yes']);
});

test('ids that were given before are found as they come', async () => {
  const load = /** @type {const} */ ({ kind: 'ids', users: 150, arrivalsPerSecond: 50, seconds: 20, shards: 20 });
  const wrong = await record({ ...load, method: 'sum' });
  const ids = await idsOf(wrong);
  assert.equal(ids.duplicatesMs.length, wrong.report.ids?.duplicates);
  assert.ok(ids.duplicatesMs.length > 0);
  assert.equal(ids.id.length, wrong.report.ids?.issued);
  assert.ok(ids.atMs.every((atMs, place) => atMs >= (ids.atMs[place - 1] ?? 0)));
  const right = await idsOf(await record({ ...load, method: 'blocks' }));
  assert.equal(right.duplicatesMs.length, 0);
  assert.ok(right.id.length > ids.id.length);
});

test('reading every shard is billed every shard', async () => {
  const { ways, durationMs, eventTimes } = await recordReading({ shards: 30, readers: 8 }, 3);
  assert.equal(ways.shards.perTotal, 30);
  assert.equal(ways.sum.perTotal, 1);
  assert.ok(ways.shared.perTotal >= 1 && ways.shared.perTotal < 3, `${ways.shared.perTotal}`);
  const { totals, reads } = readingAt(ways.shards, durationMs);
  assert.equal(reads, totals * 30);
  assert.ok(totals > 100);
  assert.deepEqual(readingAt(ways.sum, -1), { totals: 0, reads: 0 });
  assert.ok(eventTimes.every((atMs, place) => place === 0 || atMs > eventTimes[place - 1]));
});

test('with as few shards as can be chosen, a shared total is billed more than the server’s sum', async () => {
  const { shards, readers } = /** @type {{[name: string]: {choices: number[]}}} */ (reading.steps[0].knobs);
  for (const many of [readers.choices[0], readers.choices.at(-1)]) {
    for (const wide of [shards.choices[0], shards.choices.at(-1)]) {
      const { ways, durationMs } = await recordReading({ shards: Number(wide), readers: Number(many) }, 1);
      const [shared, sum] = [readingAt(ways.shared, durationMs).reads, readingAt(ways.sum, durationMs).reads];
      assert.ok(shared > sum, `${wide} shards, ${many} readers: ${shared} and ${sum}`);
    }
  }
});

for (const { fault, extra } of /** @type {const} */ ([
  { fault: 'none', extra: 0 },
  { fault: 'lost', extra: 0 },
  { fault: 'cut', extra: 1 },
  { fault: 'twice', extra: 1 },
  { fault: 'late', extra: 1 },
])) {
  test(`a naive client counts ${extra} too many, the marker none, when the fault is “${fault}”`, async () => {
    const recording = await recordLostAnswer({ fault, request: 1, presses: 3 }, 5);
    assert.deepEqual(await recordLostAnswer({ fault, request: 1, presses: 3 }, 5), recording);
    const { ways, events, durationMs } = recording;
    assert.equal(ways.naive.counts.at(-1)?.count, ways.naive.presses.length + extra);
    assert.equal(ways.marker.counts.at(-1)?.count, ways.marker.presses.length);
    assert.equal(ways.naive.markers.length, 0);
    assert.equal(ways.marker.markers.length, ways.marker.presses.length, 'each commit has its marker once');
    for (const way of [ways.naive, ways.marker]) {
      assert.ok(way.presses.length >= 2);
      assert.equal(way.acknowledged.length, way.presses.length);
      const [first] = way.requests;
      assert.equal(first?.number, 1);
      assert.equal(first?.lost, ['lost', 'cut', 'late'].includes(fault));
      assert.equal(first?.arrivals.length, { none: 1, lost: 0, cut: 1, twice: 2, late: 1 }[fault]);
      if (first?.lost) assert.equal(way.requests.find(({ retryOf }) => retryOf === 1)?.press, 0);
      assert.ok(way.requests.filter(({ number }) => number > 1).every(({ lost }) => !lost));
    }
    const refused = ways.marker.requests.flatMap(({ arrivals }) => arrivals).filter(({ applied, why }) => !applied && why);
    if (fault === 'twice' || fault === 'late') assert.ok(refused.length > 0, 'the duplicate meets a precondition that does not hold');
    assert.equal(events.at(-1)?.atMs, durationMs);
  });
}

for (const chunkReads of /** @type {const} */ (['share', 'whole-page'])) {
  test(`pages of a sharded query, ${chunkReads}: each document from its chunk, and all as one query without shards returns them`, async () => {
    const options = /** @type {const} */ ({ query: 'exchange', shards: 70, documents: 400, limit: 40, chunkReads, pages: 3 });
    const query = await recordQuery(options, 5);
    assert.deepEqual(await recordQuery(options, 5), query);
    assert.ok(query.same);
    assert.equal(query.documents.length, 400);
    assert.ok(new Set(query.documents.map(({ timestamp }) => timestamp)).size < 380, 'some share their time');
    assert.ok(query.chunks.length >= 3);
    assert.equal(new Set(query.chunks.flat()).size, 70);
    assert.equal(query.pages.length, 3);
    assert.deepEqual(query.taken.map(({ id }) => id), query.pages.flatMap(({ ids }) => ids));
    const byId = new Map(query.documents.map((document) => [document.id, document]));
    for (const { id, chunk, page, atMs } of query.taken) {
      assert.equal(byId.get(id)?.exchange, 'EXCHG1');
      assert.ok(query.chunks[chunk]?.includes(byId.get(id)?.shard ?? ''));
      const known = query.requests.filter((request) => request.chunk === chunk && request.returned.includes(id));
      assert.ok(known.some(({ answerMs, page: asked }) => answerMs <= atMs && asked <= page), 'the merge takes what has been answered');
    }
    for (const { sentMs, answerMs, asked, returned } of query.requests) {
      assert.ok(sentMs < answerMs);
      assert.ok(asked === null || returned.length <= asked);
    }
    const times = query.events.map(({ atMs }) => atMs);
    assert.deepEqual(times, [...times].sort((a, b) => a - b));
    assert.equal(times.at(-1), query.durationMs);
    const read = query.pages.reduce((sum, { billed }) => sum + billed.reads, 0);
    assert.ok(read >= 120, `${read} reads`);
    assert.equal(query.requests.some(({ isRefill }) => isRefill), chunkReads === 'share', 'only chunks that were asked for less run dry');
  });
}

test('reads are billed as the answers come, and not when the page is whole', async () => {
  for (const { id, knobs = {}, record: run, figures } of sharded.steps.filter((step) => step.figures)) {
    const defaults = Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, knob.default]));
    const query = await run?.(defaults, 1, new AbortController().signal);
    const readsAt = (/** @type {number} */ atMs) => Number(figures?.(query, atMs).reads);
    for (const { atMs } of query.events) {
      const fetched = query.requests.filter((/** @type {any} */ { answerMs }) => answerMs <= atMs).flatMap((/** @type {any} */ { returned }) => returned);
      assert.ok(readsAt(atMs) >= fetched.length, `${id}: ${readsAt(atMs)} reads of ${fetched.length} documents after ${atMs} ms`);
    }
    assert.equal(readsAt(query.durationMs), query.pages.reduce((/** @type {number} */ sum, /** @type {any} */ { billed }) => sum + billed.reads, 0), id);
  }
});

test('the documentation’s three queries, and the end of the data', async () => {
  for (const query of /** @type {const} */ (['type', 'exchange', 'currency'])) {
    const all = await recordQuery({ query, shards: 40, documents: 60, limit: 50, chunkReads: 'share', pages: 3 }, 2);
    assert.ok(all.same, query);
    assert.equal(all.pages.at(-1)?.hasMore, false);
    assert.ok(all.pages.length < 3);
  }
});

test('with as many shards as a load needs on average some wait for seconds, and with twice as many hardly anybody does', async () => {
  const { shardsFor } = await openWorkbench();
  for (const rate of [5, 20, 200]) {
    const { counter: { shards } } = shardsFor({ writesPerSecond: rate });
    const [least, twice] = await Promise.all([shards, 2 * shards].map((each) => record({
      kind: 'counter', shards: each, delivery: 'at-least-once', users: rate * 40, arrivalsPerSecond: rate, thinkMs: 10_000_000, seconds: 40,
    })));
    assert.ok(Number(least?.report.latencyMs.p95) > 1000, `${rate} a second`);
    assert.ok(Number(twice?.report.latencyMs.p95) < 1000, `${rate} a second`);
  }
});
