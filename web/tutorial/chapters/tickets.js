// Chapter 10: tickets, of which each is sold once.

import { HoldBar } from '../elements/hold_bar.js';
import { RushBars } from '../elements/rush_bars.js';
import { TimeSeries } from '../elements/time_series.js';
import { soFar } from '../model/recording.js';
import { HELD, holdsAt, recordHolds, recordRush, RUSH, saleAt } from '../model/tickets.js';
import { formatDuration, formatMoment, text } from '../text.js';
import { LOST, sandbox } from './further_steps.js';

/** @type {import('./chapter.js').Step<any>} */
const lesson = {
  id: 'rush',
  knobs: { shards: { choices: [5, 10, 20, 50, 100], default: 50 } },
  prediction: { unit: 'tickets', answer: ({ ways, durationMs }) => saleAt(ways.naive, durationMs).sold },
  record: ({ shards }, seed, signal) => recordRush({ shards }, seed, signal),
  pictures: (rush) => [
    new RushBars(rush),
    new TimeSeries(text('series.tickets'), [
      { label: text('rush.way.stock'), style: 0, ...soFar(rush.ways.stock.soldMs, rush.durationMs) },
      { label: text('rush.way.naive'), style: 1, ...soFar(rush.ways.naive.soldMs, rush.durationMs) },
      { label: text('rush.way.transaction'), style: 2, ...soFar(rush.ways.transaction.soldMs, rush.durationMs) },
    ], rush.durationMs),
  ],
  figures: ({ ways, durationMs }, atMs) => {
    const [naive, transaction, stock] = [saleAt(ways.naive, atMs), saleAt(ways.transaction, atMs), saleAt(ways.stock, atMs)];
    const { p50, p99 } = ways.stock.report.latencyMs;
    return {
      over: atMs >= durationMs ? 'yes' : 'no',
      time: formatMoment(atMs),
      naive: naive.sold,
      oversold: naive.oversold,
      transaction: transaction.sold,
      failed: transaction.failed,
      waiting: transaction.waiting,
      stock: stock.sold,
      refused: stock.refused,
      errors: stock.failed,
      half: formatDuration(p50),
      most: formatDuration(p99),
    };
  },
  tasks: [
    { id: 'oversold', reached: ({ ways }, atMs) => saleAt(ways.naive, atMs).oversold > 0 },
    { id: 'exact', reached: ({ ways }, atMs) => {
      const { sold, waiting, failed } = saleAt(ways.stock, atMs);
      return sold === RUSH.units && waiting === 0 && failed === 0;
    } },
    { id: 'slow', reached: ({ ways, durationMs }, atMs) => atMs >= durationMs && ways.stock.report.latencyMs.p99 > 20_000 },
  ],
  code: ({ shards, units = RUSH.units }) => `const tickets = db.stock('events/e1', { shards: ${shards} });
await tickets.create({ units: ${units} });

const { taken } = await tickets.take(1, { key: 'ann.order-17' });
console.log(taken);
`,
  trial: {},
};

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'tickets',
  steps: [
    lesson,
    {
      id: 'holds',
      knobs: {
        hold: { choices: [1, 2, 5, 10], default: 10 },
        paying: { choices: [0, 25, 50, 75, 100], default: 50 },
      },
      prediction: {
        choices: ['server', 'lost', 'next'],
        answer: (sale) => (holdsAt(sale, sale.durationMs).returned > 0 ? 'next' : 'lost'),
      },
      record: ({ hold, paying }, seed, signal) => recordHolds({ hold, paying }, seed, signal),
      pictures: (sale) => [
        new HoldBar(sale),
        new TimeSeries(text('series.people'), [
          { label: text('series.taken'), style: 0, ...soFar(sale.takenMs, sale.durationMs) },
          { label: text('series.refused'), style: 1, ...soFar(sale.refusedMs, sale.durationMs) },
          { label: text('series.paid'), style: 2, ...soFar(sale.paidMs, sale.durationMs) },
        ], sale.durationMs),
      ],
      figures: (sale, atMs) => ({ ...holdsAt(sale, atMs), over: atMs >= sale.durationMs ? 'yes' : 'no', time: formatMoment(atMs) }),
      tasks: [
        { id: 'returned', reached: (sale, atMs) => holdsAt(sale, atMs).returned > 0 },
        { id: 'late', reached: (sale, atMs) => holdsAt(sale, atMs).late > 0 },
      ],
      code: ({ hold }) => `const tickets = db.stock('events/e2', { shards: ${HELD.shards} });
await tickets.create({ units: ${HELD.units} });

const { taken } = await tickets.take(1, { key: 'ann.order-17', holdFor: '${hold} min' });
const { confirmed } = await tickets.confirm({ key: 'ann.order-17' });
console.log(taken, confirmed);
`,
      trial: {},
    },
    sandbox('tickets', lesson, {
      knobs: {
        units: { choices: [50, 100, 200, 500, 1000], default: 200 },
        users: { choices: [50, 100, 200, 500, 1000, 2000], default: 500 },
        shards: { choices: [1, 2, 5, 10, 20, 50, 100], default: 20 },
        lost: LOST,
      },
      record: ({ shards, users, units, lost }, seed, signal) => recordRush({ shards, users, units, lost }, seed, signal),
    }),
  ],
};
