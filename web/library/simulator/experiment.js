// Load experiments: users who do real operations on an embedded Firestore of their own, in virtual time.

import { callApart } from '../apart.js';
import { ShardlineError } from '../errors.js';
import { frameError, frameText, placeJson } from './memory.js';

/**
 * @typedef {import('../generated/workbench.js').WorkbenchModule} WorkbenchModule
 *
 * @typedef {object} ExperimentOptions All but the kind or the preset may be left out.
 * @property {string} [preset] A named experiment; what else is given overrides its options.
 * @property {'counter' | 'inserts' | 'ids' | 'totals' | 'pages' | 'stock'} [kind] All users increment one counter, or add documents with the
 *   time of day to one collection, ask for unique ids, read a counter's total, read pages of a sharded query, or take units until there are none.
 * @property {number} [users] 1,000. They arrive one after the other; each works, thinks, and works again.
 * @property {number} [arrivalsPerSecond] 10
 * @property {number} [thinkMs] 1,000 on average, from half to one and a half times.
 * @property {number} [seconds] 120
 * @property {number} [shards] 10. The number of shards of the counter, of the shard field's values, of the sequence of ids, or of the stock.
 * @property {'at-least-once' | 'exactly-once' | 'transaction'} [delivery] The counter's delivery; by default the documented samples' way,
 *   `at-least-once`.
 * @property {'transaction' | 'sum' | 'blocks'} [method] How ids are made: in a transaction on one document, right and slow; from
 *   the sum of all shards, which gives duplicates; or in blocks, as `db.ids()` makes them (the default).
 * @property {number} [block] 20. How many ids a client takes at once.
 * @property {boolean} [keepTimestampIndex] For inserts: the index of the time alone, which each field has, is left in place.
 * @property {{source?: 'sum' | 'shards' | 'shared', writers?: number, maxAgeMs?: number}} [totals] How totals are read, `sum` by default;
 *   how many of the users increment instead, 0 by default; and how old a shared total may be, 1,000 ms by default.
 * @property {{query?: object, documents?: number, pages?: number}} [pages] A query as `collection.query` takes it (describeCalls()), on
 *   the documentation's `instruments`, 300 of them by default, and how many pages are read one after the other, 1 by default.
 * @property {StockLoad} [stock] How units are sold. A user who hears that none is left stops.
 * @property {Fate[]} [fates] The fates of single requests.
 * @property {{requests?: number, bodies?: boolean}} [record] The report has a recording, of 100,000 requests by default.
 * @property {number} [seed] 1. The same options give the same report.
 * @property {import('../workbench.js').EmbeddedFirestoreOptions['limits']} [limits] Firestore's, in a collection that is used to traffic:
 *   `{ ramp: true }` for one that is not.
 * @property {[number, number]} [latencyMs] [10, 50]
 * @property {Partial<import('../workbench.js').Faults>} [faults] None.
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
 * @property {number} request Its number, from 1 on, among all that users send.
 * @property {'lost' | 'cut' | 'twice' | 'late'} fate It never arrives; its answer does not come back; it arrives a second time; or it
 *   arrives when its sender has long seen the connection break.
 * @property {number} [afterMs] When the connection breaks (`lost`: 1,000), or when it arrives (`twice`: 2,000, `late`: 5,000).
 *
 * @typedef {object} ExperimentRecording What happened, in the order of its beginning. Times are milliseconds since the load began. -1
 *   stands for never, and for none.
 * @property {RecordedRequests} requests
 * @property {RecordedWorks} works Pieces of work: an increment, an id, a total.
 * @property {number} leftOut How many requests and pieces of work there were beyond what is recorded.
 * @property {RecordedSample[]} samples
 * @property {{request: number, body: string, answer: string}[]} bodies With `record.bodies`: the texts of requests and answers.
 * @property {{work: number, atMs: number, result: any}[]} results With `record.bodies`: what operations found.
 * @property {number} endMs
 *
 * @typedef {object} RecordedRequests Each has one number for each request.
 * @property {Int32Array} user
 * @property {Int32Array} work Which piece of work it belongs to.
 * @property {Int32Array} shard The one that it is for.
 * @property {Int32Array} write 1 for a commit.
 * @property {Int32Array} sentMs
 * @property {Int32Array} arrivedMs
 * @property {Int32Array} doneMs When the server has waited for all that was in the way.
 * @property {Int32Array} answeredMs When its sender knows what has become of it.
 * @property {Int32Array} end 0: it is under way, 1: done, 2: refused because of others who write, 3: failed, 4: no answer came.
 * @property {Int32Array} applied 1 for a commit that was carried out.
 * @property {Int32Array} count What the shard's document holds after it.
 * @property {Int32Array} againMs When it was done a second time.
 * @property {Int32Array} againApplied
 * @property {Int32Array} againCount
 *
 * @typedef {object} RecordedWorks Each has one number for each piece of work.
 * @property {Int32Array} user
 * @property {Int32Array} beganMs
 * @property {Int32Array} endedMs
 * @property {Int32Array} end As of requests; 4: it may have been done.
 * @property {Float64Array} value The id or the total. Of a stock: 1 for a unit that the user took or paid, 0 for none.
 * @property {Int32Array} reads Billed.
 * @property {Int32Array} writes
 *
 * @typedef {object} RecordedSample How things stood on the server.
 * @property {number} atMs
 * @property {number} reads Billed so far.
 * @property {number} writes
 * @property {import('../workbench.js').Observation['tablets']} tablets
 *
 * @typedef {object} ExperimentReport
 * @property {ExperimentOptions} experiment With everything filled in: running it again gives the same report.
 * @property {'preparing' | 'load' | 'draining' | 'verifying' | 'done'} phase Draining: what was begun in time comes to its end.
 * @property {number} seconds Of virtual time since the load has begun, at most the experiment's own.
 * @property {number} users Who have arrived.
 * @property {{started: number, acknowledged: number, unknown: number, failed: number, underWay: number}} operations Unknown:
 *   they may have been done.
 * @property {Record<string, number>} failures By error code, the unknown among them.
 * @property {number} throughput Acknowledged per second.
 * @property {{p50: number, p95: number, p99: number, max: number}} latencyMs Of what was acknowledged, with all its attempts.
 * @property {{started: number[], acknowledged: number[], failed: number[], meanLatencyMs: number[]}} perSecond
 * @property {{sent: number, conflicts: number, errors: number, lost: number, retries: number}} requests
 * @property {{found: number, lost: number, extra: number}} [count] The count in the database at the end; the number of acknowledged increments that
 *   are missing; the number beyond those that were acknowledged or may have been done.
 * @property {{issued: number, distinct: number, duplicates: number}} [ids]
 * @property {{units: number, taken: number, refused: number, oversold: number, paid: number, tooLate: number, left?: number}} [stock] `taken`
 *   and `refused` count the answers. `oversold`: how many more units than there are were in the hands of users at one time. `paid` and
 *   `tooLate`: users of holds. `left`: units in the database at the end, below 0 if it has sold too many.
 * @property {Omit<import('../workbench.js').Observation, 'settings'>} server What it was billed, where it was hot.
 * @property {ExperimentRecording} [recording] At the end, if it was asked for.
 *
 * @typedef {object} RunOptions
 * @property {(report: ExperimentReport) => void} [onProgress] Called now and then with how things stand.
 * @property {AbortSignal} [signal]
 */

/** How long to work before the page gets its turn. */
const SLICE_MS = 12;
/** A step is an answer that arrives, or a user who begins: some microseconds. */
const STEPS = 200;

/**
 * Runs an experiment on this thread, which stays alive.
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
 * One slice.
 * @param {WorkbenchModule} module
 * @param {number} handle
 * @returns {boolean} Whether there is more to come.
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
 * Long lists of numbers in a form that goes from one thread to another at once.
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

/** Lets everything else that waits for this thread go first. */
function turn() {
  return new Promise((resolve) => { setTimeout(resolve); });
}

/** @param {AbortSignal} signal */
export function cancelled(signal) {
  return new ShardlineError('cancelled', 'The experiment was cancelled.', { reason: 'cancelled', cause: signal.reason });
}
