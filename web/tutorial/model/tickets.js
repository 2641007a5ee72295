// A rush on tickets in three ways, and a sale in which people hold a ticket until they pay. Times are milliseconds since the load began.

import { countUntil, END, record } from './recording.js';

/**
 * @typedef {import('./recording.js').Recording} Recording
 * @typedef {import('./recording.js').ExperimentReport} Report
 * @typedef {'naive' | 'transaction' | 'stock'} Way
 *
 * @typedef {object} Sale When people heard an answer, each list in order.
 * @property {Int32Array} soldMs
 * @property {Int32Array} refusedMs All tickets were sold.
 * @property {Int32Array} failedMs
 * @property {Omit<Report, 'recording'>} report
 *
 * @typedef {object} Rush
 * @property {number} durationMs
 * @property {Int32Array} eventTimes
 * @property {Record<Way, Sale>} ways
 *
 * @typedef {object} HoldSale
 * @property {number} durationMs
 * @property {Int32Array} eventTimes
 * @property {Omit<Report, 'recording'>} report
 * @property {{takenMs: number, untilMs: number, paidMs: number}[]} holds In the order in which they were taken. `paidMs` is Infinity if it was
 *   never paid in time.
 * @property {Int32Array} takenMs
 * @property {Int32Array} paidMs
 * @property {Int32Array} lateMs When people wanted to pay, and their hold had ended.
 * @property {Int32Array} refusedMs
 */

/** @type {Way[]} */
export const WAYS = ['naive', 'transaction', 'stock'];
/** The usual tickets of the rush, and the people who press at the same moment, once each. */
export const RUSH = Object.freeze({ units: 500, people: 1000 });
/** The tickets that are held. A person comes every two seconds, and pays after one to three minutes. */
export const HELD = Object.freeze({ units: 100, shards: 5, arrivalsPerSecond: 0.5, seconds: 900, thinkMs: 120_000 });

const MS_PER_MINUTE = 60_000;

/**
 * @param {{shards: number, users?: number, units?: number, lost?: number}} options `shards`: the one document of the transaction has none. `lost`: so
 *   many of 100 answers.
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<Rush>}
 */
export async function recordRush({ shards, users = RUSH.people, units = RUSH.units, lost = 0 }, seed, signal) {
  const [naive, transaction, stock] = /** @type {[Recording, Recording, Recording]} */ (await Promise.all(WAYS.map((way) => record({
    kind: 'stock',
    shards: way === 'transaction' ? 1 : shards,
    users,
    arrivalsPerSecond: 1_000_000,
    thinkMs: 10_000_000,
    seconds: 10,
    seed,
    stock: { way, units },
    faults: { dropResponse: lost / 100 },
    // Enough for the people; how they came to an answer is not shown.
    record: { requests: users },
  }, signal))));
  // People wait for the one document when the others have long gone.
  const durationMs = Math.max(naive.durationMs, stock.durationMs);
  return {
    durationMs,
    eventTimes: timesOf([naive, transaction, stock].map(({ works }) => works.endedMs)).filter((atMs) => atMs <= durationMs),
    ways: { naive: saleOf(naive), transaction: saleOf(transaction), stock: saleOf(stock) },
  };
}

/**
 * @param {Sale} sale
 * @param {number} atMs
 * @returns {{sold: number, oversold: number, refused: number, failed: number, waiting: number}} `sold` counts those that were sold too many, too.
 */
export function saleAt({ soldMs, refusedMs, failedMs, report }, atMs) {
  const { units, people } = termsOf(report);
  const [sold, refused, failed] = [countUntil(soldMs, atMs), countUntil(refusedMs, atMs), countUntil(failedMs, atMs)];
  return { sold, oversold: Math.max(0, sold - units), refused, failed, waiting: people - sold - refused - failed };
}

/**
 * @param {Sale['report']} report
 * @returns {{units: number, people: number}}
 */
export function termsOf({ experiment: { users = RUSH.people, stock } }) {
  return { units: stock?.units ?? RUSH.units, people: users };
}

/**
 * @param {{hold: number, paying: number}} options `hold`: minutes. `paying`: so many of 100 people pay.
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<HoldSale>}
 */
export async function recordHolds({ hold, paying }, seed, signal) {
  const { units, shards, arrivalsPerSecond, seconds, thinkMs } = HELD;
  const holdMs = hold * MS_PER_MINUTE;
  const users = Math.ceil(arrivalsPerSecond * seconds);
  const { durationMs, report, works } = await record({
    kind: 'stock', shards, users, arrivalsPerSecond, thinkMs, seconds, seed, stock: { units, holdMs, payingPercent: paying },
  }, signal);
  return { durationMs, report, eventTimes: timesOf([works.endedMs]), ...holdsOf(works, holdMs) };
}

/**
 * @param {HoldSale} sale
 * @param {number} atMs
 * @returns {{free: number, paid: number, held: number, ended: number, returned: number, late: number, refused: number}} The first four are
 *   tickets: all of them together. `ended`: their holds have ended, and they wait for a taker. `returned`: how often such a ticket went to
 *   another person. `late` and `refused` are people.
 */
export function holdsAt({ holds, takenMs, paidMs, lateMs, refusedMs }, atMs) {
  const taken = countUntil(takenMs, atMs);
  const paid = countUntil(paidMs, atMs);
  const held = holds.filter((hold) => hold.takenMs <= atMs && atMs < hold.untilMs && atMs < hold.paidMs).length;
  const free = Math.max(0, HELD.units - taken);
  return {
    free,
    paid,
    held,
    ended: Math.max(0, HELD.units - free - paid - held),
    returned: Math.max(0, taken - HELD.units),
    late: countUntil(lateMs, atMs),
    refused: countUntil(refusedMs, atMs),
  };
}

/** @param {Recording} recording @returns {Sale} */
function saleOf({ works, report }) {
  const endedWith = (/** @type {(work: number) => boolean} */ wanted) => works.endedMs.filter((_, work) => wanted(work)).sort();
  const isDone = (/** @type {number} */ work) => works.end[work] === END.done;
  return {
    soldMs: endedWith((work) => isDone(work) && works.value[work] === 1),
    refusedMs: endedWith((work) => isDone(work) && works.value[work] === 0),
    failedMs: endedWith((work) => works.end[work] === END.failed || works.end[work] === END.noAnswer),
    report,
  };
}

/**
 * @param {Recording['works']} works A person's first one takes a ticket, and the second one pays.
 * @param {number} holdMs
 */
function holdsOf(works, holdMs) {
  /** @type {Map<number, HoldSale['holds'][number]>} */
  const byUser = new Map();
  /** @type {{[list in 'paidMs' | 'lateMs' | 'refusedMs']: number[]}} */
  const lists = { paidMs: [], lateMs: [], refusedMs: [] };
  for (const [work, user] of works.user.entries()) {
    if (works.end[work] !== END.done) continue;
    const [beganMs, endedMs, hold] = [works.beganMs[work] ?? 0, works.endedMs[work] ?? 0, byUser.get(user)];
    const isGood = works.value[work] === 1;
    if (hold && isGood) {
      hold.paidMs = endedMs;
      lists.paidMs.push(endedMs);
    } else if (hold) {
      lists.lateMs.push(endedMs);
    } else if (isGood) {
      byUser.set(user, { takenMs: endedMs, untilMs: beganMs + holdMs, paidMs: Infinity });
    } else {
      lists.refusedMs.push(endedMs);
    }
  }
  const holds = [...byUser.values()].sort((a, b) => a.takenMs - b.takenMs);
  const inOrder = (/** @type {number[]} */ timesMs) => Int32Array.from(timesMs).sort();
  return {
    holds,
    takenMs: inOrder(holds.map(({ takenMs }) => takenMs)),
    paidMs: inOrder(lists.paidMs),
    lateMs: inOrder(lists.lateMs),
    refusedMs: inOrder(lists.refusedMs),
  };
}

/** @param {Int32Array[]} lists @returns {Int32Array} The times in them, each once and in order. */
function timesOf(lists) {
  return Int32Array.from(new Set(lists.flatMap((list) => [...list]))).filter((atMs) => atMs >= 0).sort();
}
