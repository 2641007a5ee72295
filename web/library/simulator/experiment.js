// Load experiments (discrete-event simulation): users do real operations on an embedded Firestore of their own, in virtual time.

import { callApart } from '../apart.js';
import { ShardlineError } from '../errors.js';
import { frameError, frameText, placeJson } from './memory.js';

/**
 * @typedef {import('../generated/workbench.js').WorkbenchModule} WorkbenchModule
 *
 * @typedef {object} ExperimentOptions All but the kind or the preset may be left out.
 * @property {string} [preset] A named experiment; the other options override its options.
 * @property {'counter' | 'inserts' | 'ids' | 'totals' | 'pages' | 'stock' | 'ratings' | 'ratingsByTransaction'} [kind] The work of all users: they increment
 *   one counter, add documents with the present time to one collection, take unique ids, read a counter's total, read pages of a sharded query, take units until
 *   there are none, change their own rating of a restaurant, as `db.ratings()` does, or add a rating by a transaction, which keeps the average in one document.
 * @property {number} [users] Default 1,000. They arrive one after the other; each works, thinks, and works again.
 * @property {number} [arrivalsPerSecond] 10
 * @property {number} [thinkMs] Default 1,000: the average pause of a user, which varies from half to one and a half times.
 * @property {number} [seconds] 120
 * @property {number} [shards] Default 10: the number of shards of the counter, of the sequence of ids, of the stock, or of the ratings, or of values of the
 *   shard field.
 * @property {'at-least-once' | 'exactly-once' | 'transaction'} [delivery] The counter's delivery. Default `at-least-once`, the way of the documented
 *   samples.
 * @property {'transaction' | 'sum' | 'blocks'} [method] The source of ids: a transaction on one document, correct and slow; the sum of all shards,
 *   which gives duplicates; or blocks, like `db.ids()` (the default).
 * @property {number} [block] Default 20: the number of ids that a client takes at once.
 * @property {boolean} [keepTimestampIndex] For inserts: keeps the single-field index of the time.
 * @property {{source?: 'sum' | 'shards' | 'shared', writers?: number, maxAgeMs?: number}} [totals] `source`: the way to read totals, `sum` by
 *   default. `writers`: the number of users who increment instead, 0 by default. `maxAgeMs`: the largest age of a shared total, 1,000 by default.
 * @property {{query?: object, documents?: number, pages?: number}} [pages] `query`: the arguments of `collection.query` (describeCalls()), on the
 *   documentation's `instruments`. `documents`: their number, 300 by default. `pages`: the pages that a user reads one after the other, 1 by default.
 * @property {StockLoad} [stock] The way to sell units. A user stops when the answer is that no unit is left.
 * @property {Fate[]} [fates] The fates of single requests.
 * @property {{requests?: number, bodies?: boolean}} [record] Adds a recording to the report, of 100,000 requests by default.
 * @property {number} [seed] Default 1. The same options give the same report.
 * @property {import('../workbench.js').EmbeddedFirestoreOptions['limits']} [limits] Default: Firestore's limits for a collection that already has
 *   traffic. Pass `{ ramp: true }` for a new one.
 * @property {[number, number]} [latencyMs] [10, 50]
 * @property {Partial<import('../workbench.js').Faults>} [faults] Default: no faults.
 * @property {import('../index.js').RetryOptions} [retry] The retry options of the users' clients.
 *
 * @typedef {object} StockLoad
 * @property {'stock' | 'transaction' | 'naive'} [way] From a stock, as `db.stock()` sells them (the default); in a transaction on one document,
 *   right and slow; or by reading how many are sold and then incrementing, which sells too many.
 * @property {number} [units] 500. Each user takes one at a time.
 * @property {number} [holdMs] For `stock`: each user holds one unit for so long, and pays or leaves after `thinkMs`. Left out: there are no holds.
 * @property {number} [payingPercent] 100. The share of the users of holds who pay.
 *
 * @typedef {object} Fate
 * @property {number} request Its number among all requests of the users, from 1.
 * @property {'lost' | 'cut' | 'twice' | 'late'} fate `lost`: it never arrives. `cut`: its answer does not come back. `twice`: it arrives a second
 *   time. `late`: it arrives long after its sender has seen the connection break.
 * @property {number} [afterMs] The milliseconds until the connection breaks (`lost`: 1,000), or until the arrival (`twice`: 2,000, `late`: 5,000).
 *
 * @typedef {object} ExperimentRecording All events, in the order in which they began. Times are milliseconds since the load began. -1 means
 *   “never”, or that there is no such number.
 * @property {RecordedRequests} requests
 * @property {RecordedWorks} works Pieces of work: an increment, an id, a total.
 * @property {number} leftOut The number of requests and pieces of work that are not in the recording.
 * @property {RecordedSample[]} samples
 * @property {{request: number, body: string, answer: string}[]} bodies With `record.bodies`: the texts of requests and answers.
 * @property {{work: number, atMs: number, result: any}[]} results With `record.bodies`: the results of operations.
 * @property {number} endMs
 *
 * @typedef {object} RecordedRequests Each has one number for each request.
 * @property {Int32Array} user
 * @property {Int32Array} work The piece of work that it belongs to.
 * @property {Int32Array} shard The shard that it is for.
 * @property {Int32Array} write 1 for a commit.
 * @property {Int32Array} sentMs
 * @property {Int32Array} arrivedMs
 * @property {Int32Array} doneMs The time when the server has carried it out, after all waits.
 * @property {Int32Array} answeredMs The time when its sender has the answer, or gives up.
 * @property {Int32Array} end 0: it is under way, 1: done, 2: refused because of other clients' writes, 3: failed, 4: no answer came.
 * @property {Int32Array} applied 1 for a commit that was carried out.
 * @property {Int32Array} count The count in the shard's document after it.
 * @property {Int32Array} againMs The time when it was carried out a second time.
 * @property {Int32Array} againApplied
 * @property {Int32Array} againCount
 *
 * @typedef {object} RecordedWorks Each has one number for each piece of work.
 * @property {Int32Array} user
 * @property {Int32Array} beganMs
 * @property {Int32Array} endedMs
 * @property {Int32Array} end The same numbers as for requests; 4: it may have been done.
 * @property {Float64Array} value The id or the total. Of a stock: 1 for a unit that the user took or paid, 0 for none.
 * @property {Int32Array} reads Billed.
 * @property {Int32Array} writes
 *
 * @typedef {object} RecordedSample The state of the server at a moment.
 * @property {number} atMs
 * @property {number} reads Billed so far.
 * @property {number} writes
 * @property {import('../workbench.js').Observation['tablets']} tablets
 *
 * @typedef {object} ExperimentReport
 * @property {ExperimentOptions} experiment The options with all defaults: another run of them gives the same report.
 * @property {'preparing' | 'load' | 'draining' | 'verifying' | 'done'} phase `draining`: work that began in time comes to its end.
 * @property {number} seconds Virtual time since the beginning of the load, at most the experiment's own.
 * @property {number} users The number of users who have arrived.
 * @property {{started: number, acknowledged: number, unknown: number, failed: number, underWay: number}} operations `unknown`: they may have been
 *   done.
 * @property {Record<string, number>} failures By error code, with the unknown ones.
 * @property {number} throughput Acknowledged per second.
 * @property {{p50: number, p95: number, p99: number, max: number}} latencyMs The latency of acknowledged work, with all its attempts.
 * @property {{started: number[], acknowledged: number[], failed: number[], meanLatencyMs: number[]}} perSecond
 * @property {{sent: number, conflicts: number, errors: number, lost: number, retries: number}} requests
 * @property {{found: number, lost: number, extra: number}} [count] The count in the database at the end; the number of acknowledged increments that
 *   are missing; the number beyond those that were acknowledged or may have been done. `ratings`: the users who have a rating, in place of increments.
 * @property {{issued: number, distinct: number, duplicates: number}} [ids]
 * @property {{units: number, taken: number, refused: number, oversold: number, paid: number, tooLate: number, left?: number}} [stock] `taken`
 *   and `refused` count the answers. `oversold`: how many more units than there are were in the hands of users at one time. `paid` and
 *   `tooLate`: users of holds. `left`: units in the database at the end, below 0 if it has sold too many.
 * @property {Omit<import('../workbench.js').Observation, 'settings'>} server The bill, and the hot places.
 * @property {ExperimentRecording} [recording] At the end, if the options ask for it.
 *
 * @typedef {object} RunOptions
 * @property {(report: ExperimentReport) => void} [onProgress] Called from time to time with the present report.
 * @property {AbortSignal} [signal]
 */

/** How long to work before other code on this thread gets its turn (cooperative scheduling). */
const SLICE_MS = 12;
/** The events of one call. An event is the arrival of an answer, or a user who begins: some microseconds. */
const STEPS = 200;

/**
 * Runs an experiment on this thread, in slices that leave it responsive.
 * @param {WorkbenchModule} module
 * @param {ExperimentOptions | string} options
 * @param {RunOptions} [runOptions]
 * @returns {Promise<ExperimentReport>}
 */
export async function runHere(module, options, { onProgress, signal } = {}) {
  const handle = module.createExperiment(...placeJson(module, options));
  if (handle === 0) throw frameError(module);
  const report = () => {
    module.reportExperiment(handle);
    return JSON.parse(frameText(module));
  };
  try {
    while (advance(module, handle)) {
      callApart(onProgress, report());
      await turn();
      if (signal?.aborted) throw cancelled(signal);
    }
    return packed(report());
  } finally {
    module.destroyExperiment(handle);
  }
}

/**
 * Runs one slice.
 * @param {WorkbenchModule} module
 * @param {number} handle
 * @returns {boolean} Whether the experiment goes on.
 */
function advance(module, handle) {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end) {
    const more = module.advanceExperiment(handle, STEPS);
    if (more < 0) throw frameError(module);
    if (more === 0) return false;
  }
  return true;
}

/**
 * Packs long lists of numbers into typed arrays, which go from one thread to another without a copy.
 * @param {any} report
 * @returns {ExperimentReport}
 */
function packed(report) {
  const { requests, works } = report.recording ?? {};
  for (const columns of [requests ?? {}, works ?? {}]) {
    for (const [name, numbers] of Object.entries(columns)) {
      columns[name] = name === 'value' ? Float64Array.from(numbers) : Int32Array.from(numbers);
    }
  }
  return report;
}

/** Lets all other waiting code of this thread go first. */
function turn() {
  return new Promise((resolve) => { setTimeout(resolve); });
}

/** @param {AbortSignal} signal */
export function cancelled(signal) {
  return new ShardlineError('cancelled', 'The experiment was cancelled.', { reason: 'cancelled', cause: signal.reason });
}
