/** The chapter of tickets: each way to sell them does what the chapter says of it, and its code works. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from '../../web/library/index.js';
import { openWorkbench } from '../../web/library/workbench.js';
import { chapter } from '../../web/tutorial/chapters/tickets.js';
import { HELD, holdsAt, recordHolds, recordRush, RUSH, saleAt, WAYS } from '../../web/tutorial/model/tickets.js';

const [rushStep, holdStep] = /** @type {[import('../../web/tutorial/chapters/chapter.js').Step<any>, import('../../web/tutorial/chapters/chapter.js').Step<any>]} */ (
  chapter.steps);

/** Moments in every part of a run, and between them. */
const moments = (/** @type {{durationMs: number}} */ { durationMs }) => Array.from({ length: 40 }, (_, place) => (durationMs * place) / 39 - 0.5 * (place % 2));

/** @param {import('../../web/tutorial/chapters/chapter.js').Step<any>} step */
const defaultsOf = ({ knobs = {} }) => Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, knob.default]));

test('in the run that the question is about, each way does what the text says', async () => {
  const { shards } = /** @type {{shards: number}} */ (defaultsOf(rushStep));
  const rush = await recordRush({ shards }, 1);
  assert.deepEqual(await recordRush({ shards }, 1), rush);
  const [naive, transaction, stock] = WAYS.map((way) => saleAt(rush.ways[way], rush.durationMs));
  assert.equal(naive?.sold, RUSH.people, 'everyone reads that tickets are left');
  assert.equal(naive?.oversold, RUSH.people - RUSH.units);
  assert.ok((transaction?.sold ?? 0) > 0 && (transaction?.sold ?? 0) < RUSH.units / 2, `${transaction?.sold} in transactions`);
  assert.ok((transaction?.failed ?? 0) + (transaction?.waiting ?? 0) > RUSH.people / 2, 'and most people have no ticket and no answer');
  assert.deepEqual(stock, { sold: RUSH.units, oversold: 0, refused: RUSH.people - RUSH.units, failed: 0, waiting: 0 });
});

test('people are counted once at any time, and in the end as the load test has counted them', async () => {
  const rush = await recordRush({ shards: 20 }, 3);
  for (const way of WAYS) {
    const sale = rush.ways[way];
    let before = saleAt(sale, -1);
    assert.deepEqual(before, { sold: 0, oversold: 0, refused: 0, failed: 0, waiting: RUSH.people });
    for (const atMs of moments(rush)) {
      const now = saleAt(sale, atMs);
      assert.equal(now.sold + now.refused + now.failed + now.waiting, RUSH.people);
      for (const name of /** @type {const} */ (['sold', 'oversold', 'refused', 'failed'])) assert.ok(now[name] >= before[name], `${way}: ${name} at ${atMs}`);
      before = now;
    }
    const { stock, operations } = sale.report;
    const end = saleAt(sale, Infinity);
    assert.deepEqual([end.sold, end.refused, end.failed, end.waiting], [stock?.taken, stock?.refused, operations.failed + operations.unknown, 0], way);
    assert.equal(end.oversold, stock?.oversold, way);
  }
  assert.equal(rush.eventTimes.at(-1), rush.durationMs);
  for (const way of /** @type {const} */ (['naive', 'stock'])) assert.equal(saleAt(rush.ways[way], rush.durationMs).waiting, 0, way);
});

test('with the fewest shards the stock is slow, and still sells no ticket twice', async () => {
  const choices = /** @type {{[name: string]: {choices: number[]}}} */ (rushStep.knobs).shards?.choices ?? [];
  const rush = await recordRush({ shards: Math.min(...choices) }, 1);
  assert.equal(saleAt(rush.ways.stock, rush.durationMs).oversold, 0);
  assert.ok(rushStep.tasks?.find(({ id }) => id === 'slow')?.reached(rush, rush.durationMs, {}), `${rush.ways.stock.report.latencyMs.p99} ms`);
});

for (const { hold, paying } of [{ hold: 10, paying: 50 }, { hold: 1, paying: 75 }, { hold: 2, paying: 0 }, { hold: 10, paying: 100 }]) {
  test(`tickets are held for ${hold} minutes, and ${paying} of 100 people pay`, async () => {
    const sale = await recordHolds({ hold, paying }, 1);
    for (const atMs of moments(sale)) {
      const { free, paid, held, ended } = holdsAt(sale, atMs);
      assert.equal(free + paid + held + ended, HELD.units, `at ${atMs}`);
    }
    const end = holdsAt(sale, sale.durationMs);
    const { stock } = sale.report;
    assert.equal(stock?.oversold, 0);
    assert.deepEqual([end.paid, end.late, end.refused], [stock?.paid, stock?.tooLate, stock?.refused]);
    assert.equal(end.returned, Math.max(0, (stock?.taken ?? 0) - HELD.units));
    assert.equal(end.returned > 0, paying < 100, 'a ticket goes to a second person if the first one does not pay');
    assert.equal(end.late > 0, hold < 3 && paying > 0, 'people pay after one to three minutes');
    const before = holdsAt(sale, hold * 60_000 - 1000);
    assert.equal(before.ended + before.returned, 0, 'no hold ends early');
    for (const { untilMs } of sale.holds.filter(({ paidMs }) => paidMs === Infinity)) {
      const { ended, returned } = holdsAt(sale, untilMs);
      assert.ok(ended + returned > 0, `a hold has ended after ${untilMs} ms`);
    }
  });
}

test('the code that readers see works', async (t) => {
  const { createEmbeddedFirestore } = await openWorkbench();
  const { fetch } = await createEmbeddedFirestore({ limits: 'documented' });
  const db = await connect({ projectId: 'demo', fetch });
  t.after(() => db.close());
  const run = async (/** @type {import('../../web/tutorial/chapters/chapter.js').Step<any>} */ step, /** @type {string} */ result) => {
    const source = `export async function run(db) { ${step.code?.(defaultsOf(step), null)} return { ${result}, left: await tickets.left() }; }`;
    const { run: sell } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    return sell(db);
  };
  assert.deepEqual(await run(rushStep, 'taken'), { taken: true, left: RUSH.units - 1 });
  assert.deepEqual(await run(holdStep, 'taken, confirmed'), { taken: true, confirmed: true, left: HELD.units - 1 });
});
