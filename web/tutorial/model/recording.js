// Record and replay: the recording of an experiment that a chapter plays, and the questions about it at any time. The experiment runs the library's
// own operations on the embedded Firestore, in virtual time and in a worker; this file only reads its recording. All times are milliseconds since the
// load began. Every question is a function of the recording and a time, so to play, step back and seek are the same thing.

/**
 * @typedef {import('../../library/workbench.js').ExperimentOptions} ExperimentOptions
 * @typedef {import('../../library/workbench.js').ExperimentReport} ExperimentReport
 * @typedef {import('../../library/simulator/experiment.js').RecordedRequests} Requests
 * @typedef {import('../../library/simulator/experiment.js').RecordedWorks} Works
 * @typedef {import('../../library/simulator/experiment.js').RecordedSample} Sample
 *
 * @typedef {object} Recording
 * @property {number} seed
 * @property {number} durationMs
 * @property {Int32Array} eventTimes When something happened: in order, each time once.
 * @property {Omit<ExperimentReport, 'recording'>} report
 * @property {Requests} requests By the times at which they were sent.
 * @property {Works} works By the times at which they began.
 * @property {Sample[]} samples
 * @property {{request: number, body: string, answer: string}[]} bodies
 * @property {{work: number, atMs: number, result: any}[]} results
 * @property {Index} index
 *
 * @typedef {object} Index Precomputed tables that make the questions quick.
 * @property {Int32Array} arrivalsMs When each user came, in order.
 * @property {Int32Array} acknowledgedMs When work ended well. The next ones have the same form.
 * @property {Int32Array} failedMs
 * @property {Int32Array} unknownMs
 * @property {Int32Array} conflictsMs When a request was refused because of others who write.
 * @property {Int32Array} retriesMs When a request was sent that was not the first one of its kind.
 * @property {Int32Array} attempts Of each request: how many of its piece of work had failed before it.
 * @property {Int32Array} appliedMs When a write was carried out.
 * @property {{atMs: Int32Array, count: Int32Array}[]} shards The value of each shard from a time on.
 * @property {Int32Array} byDone The requests by the times at which the server was done with them.
 * @property {Int32Array} doneMs Those times.
 * @property {Int32Array[]} underWay The requests that were under way at each full second.
 */

/** The numbers in a recording. */
export const END = Object.freeze({ underWay: 0, done: 1, conflict: 2, failed: 3, noAnswer: 4 });

const CHECKPOINT_MS = 1000;

/**
 * Runs an experiment, and records it.
 * @param {ExperimentOptions} options
 * @param {AbortSignal} [signal]
 * @param {{bodies?: boolean}} [more] Whether the texts of requests and answers are kept.
 * @returns {Promise<Recording>}
 */
export async function record(options, signal, { bodies = false } = {}) {
  const { openWorkbench } = await import('../../library/workbench.js');
  const { runExperiment } = await openWorkbench();
  return toRecording(await runExperiment({ ...options, record: { ...options.record, bodies } }, { signal }));
}

/**
 * Takes some milliseconds, with a pause between any two parts, in which the page goes on.
 * @param {ExperimentReport} whole
 * @returns {Promise<Recording>}
 */
export async function toRecording(whole) {
  const { recording, ...report } = whole;
  if (!recording) throw new TypeError('The experiment was not recorded.');
  const { requests, works, samples, bodies, results, endMs } = recording;
  return {
    seed: report.experiment.seed ?? 1,
    durationMs: endMs,
    eventTimes: eventTimesOf(requests, endMs),
    report,
    requests,
    works,
    samples,
    bodies,
    results,
    index: await indexOf(requests, works, report.experiment.shards ?? 1, endMs),
  };
}

/**
 * @typedef {object} State
 * @property {number} users Who have come.
 * @property {number} asked Pieces of work that were begun.
 * @property {number} acknowledged
 * @property {number} failed
 * @property {number} unknown
 * @property {number} underWay
 * @property {number} waiting Requests that the server has not done.
 * @property {number} pausing Pieces of work between two attempts.
 * @property {number} counted The sum of all shards.
 * @property {number} applied Writes that were carried out.
 * @property {number} sent
 * @property {number} conflicts
 * @property {number} retries
 *
 * @param {Recording} recording
 * @param {number} atMs
 * @returns {State}
 */
export function stateAt(recording, atMs) {
  const { index, works, requests } = recording;
  const asked = countUntil(works.beganMs, atMs);
  const acknowledged = countUntil(index.acknowledgedMs, atMs);
  const failed = countUntil(index.failedMs, atMs);
  const unknown = countUntil(index.unknownMs, atMs);
  const underWay = asked - acknowledged - failed - unknown;
  const sentAndOpen = requestsUnderWay(recording, atMs);
  const waiting = sentAndOpen.filter((request) => !isDone(requests, request, atMs)).length;
  let counted = 0;
  for (let shard = 0; shard < index.shards.length; shard += 1) counted += shardCountAt(recording, shard, atMs);
  return {
    users: countUntil(index.arrivalsMs, atMs),
    asked,
    acknowledged,
    failed,
    unknown,
    underWay,
    waiting,
    pausing: Math.max(0, underWay - sentAndOpen.length),
    counted,
    applied: countUntil(index.appliedMs, atMs),
    sent: countUntil(requests.sentMs, atMs),
    conflicts: countUntil(index.conflictsMs, atMs),
    retries: countUntil(index.retriesMs, atMs),
  };
}

/**
 * @param {Requests} requests
 * @param {number} request
 * @param {number} atMs
 * @returns {boolean} Whether the server is done with it; its answer may still be on its way.
 */
export function isDone({ doneMs }, request, atMs) {
  const done = doneMs[request] ?? -1;
  return done >= 0 && done <= atMs;
}

/**
 * @param {Recording} recording
 * @param {number} shard
 * @param {number} atMs
 * @returns {number} The value of the shard's document.
 */
export function shardCountAt({ index }, shard, atMs) {
  const counts = index.shards[shard];
  if (!counts) return 0;
  const place = countUntil(counts.atMs, atMs);
  return place === 0 ? 0 : counts.count[place - 1] ?? 0;
}

/**
 * @param {Recording} recording
 * @param {number} atMs
 * @returns {number[]} The numbers of the requests that have been sent and not been answered, in the order of sending.
 */
export function requestsUnderWay({ index, requests, durationMs }, atMs) {
  const { sentMs } = requests;
  const checkpoint = Math.min(Math.max(0, Math.floor(atMs / CHECKPOINT_MS)), index.underWay.length - 1);
  const found = [];
  for (const request of index.underWay[checkpoint] ?? []) {
    if (isUnderWay(requests, request, atMs, durationMs)) found.push(request);
  }
  const first = countUntil(sentMs, checkpoint * CHECKPOINT_MS);
  for (let request = first; request < sentMs.length && (sentMs[request] ?? 0) <= atMs; request += 1) {
    if (isUnderWay(requests, request, atMs, durationMs)) found.push(request);
  }
  return found;
}

/**
 * @param {Recording} recording
 * @param {number} fromMs Not included.
 * @param {number} untilMs
 * @returns {Int32Array} The numbers of the requests that the server was done with, in that order.
 */
export function requestsDone({ index }, fromMs, untilMs) {
  return index.byDone.subarray(countUntil(index.doneMs, fromMs), countUntil(index.doneMs, untilMs));
}

/**
 * @param {Recording} recording
 * @param {number} atMs
 * @returns {Sample | null} The last one until then.
 */
export function sampleAt({ samples }, atMs) {
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {Sample} */ (samples[middle]).atMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return samples[low - 1] ?? null;
}

/**
 * @param {ArrayLike<number>} sorted
 * @param {number} atMs
 * @returns {number} How many are not above it.
 */
export function countUntil(sorted, atMs) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {number} */ (sorted[middle]) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * How many there were in each second.
 * @param {ArrayLike<number>} sortedMs
 * @param {number} seconds
 * @returns {number[]}
 */
export function perSecond(sortedMs, seconds) {
  return Array.from({ length: seconds }, (_, second) => countUntil(sortedMs, second * 1000 + 999) - countUntil(sortedMs, second * 1000 - 1));
}

/**
 * How many there had been at each second. The last number is that of the end of the run.
 * @param {ArrayLike<number>} sortedMs
 * @param {number} durationMs
 * @returns {number[]}
 */
export function cumulative(sortedMs, durationMs) {
  return Array.from({ length: Math.ceil(durationMs / 1000) + 1 }, (_, second) => countUntil(sortedMs, Math.min(second * 1000, durationMs)));
}

/**
 * A count as a line of a chart: drawn from second to second, and said for each moment, as in the picture beside it.
 * @param {ArrayLike<number>} sortedMs
 * @param {number} durationMs
 */
export function soFar(sortedMs, durationMs) {
  return { values: cumulative(sortedMs, durationMs), at: (/** @type {number} */ atMs) => countUntil(sortedMs, Math.min(atMs, durationMs)) };
}

/**
 * @param {Requests} requests
 * @param {number} request
 * @param {number} atMs
 * @param {number} durationMs
 */
function isUnderWay({ sentMs, answeredMs }, request, atMs, durationMs) {
  const answered = answeredMs[request] ?? -1;
  return (sentMs[request] ?? 0) <= atMs && atMs < (answered < 0 ? durationMs : answered);
}

/**
 * @param {Requests} requests
 * @param {number} endMs
 */
function eventTimesOf({ sentMs, arrivedMs, doneMs, answeredMs, againMs }, endMs) {
  const happens = new Uint8Array(endMs + 1);
  for (const column of [sentMs, arrivedMs, doneMs, answeredMs, againMs]) {
    for (const atMs of column) happens[atMs] = 1; // -1 (never) and times behind the end are not places.
  }
  const times = new Int32Array(happens.length);
  let found = 0;
  for (let atMs = 0; atMs <= endMs; atMs += 1) {
    if (happens[atMs] !== 1) continue;
    times[found] = atMs;
    found += 1;
  }
  return times.subarray(0, found);
}

/**
 * @param {Requests} requests
 * @param {Works} works
 * @param {number} shards
 * @param {number} endMs
 * @returns {Promise<Index>}
 */
async function indexOf(requests, works, shards, endMs) {
  const { sentMs, doneMs, answeredMs, end } = requests;
  const endedWith = (/** @type {number} */ wanted) => works.endedMs.filter((_, place) => works.end[place] === wanted).sort();
  await pause();
  const attempts = attemptsOf(requests);
  await pause();
  const byDone = inOrderOf(doneMs);
  await pause();
  const counts = countsOf(requests, shards);
  await pause();
  const acknowledgedMs = endedWith(END.done);
  await pause();
  const underWay = checkpoints(requests, endMs);
  await pause();
  const arrivalsMs = arrivalsOf(works);
  await pause();
  return {
    arrivalsMs,
    acknowledgedMs,
    failedMs: endedWith(END.failed),
    unknownMs: endedWith(END.noAnswer),
    conflictsMs: answeredMs.filter((_, request) => end[request] === END.conflict).sort(),
    retriesMs: sentMs.filter((_, request) => (attempts[request] ?? 0) > 0),
    attempts,
    appliedMs: appliedTimes(requests),
    shards: counts,
    byDone,
    doneMs: byDone.map((request) => doneMs[request] ?? 0),
    underWay,
  };
}

/** Lets everything else go first. */
export function pause() {
  return new Promise((resolve) => { setTimeout(resolve); });
}

/**
 * @param {Works} works
 * @returns {Int32Array}
 */
function arrivalsOf({ user, beganMs }) {
  /** @type {Set<number>} */
  const users = new Set();
  return beganMs.filter((_, place) => users.size < users.add(user[place] ?? -1).size);
}

/** @param {Requests} requests */
function attemptsOf({ sentMs, work, end }) {
  const attempts = new Int32Array(sentMs.length);
  /** @type {Map<number, number>} How many requests of a piece of work have failed so far. */
  const failed = new Map();
  for (let request = 0; request < sentMs.length; request += 1) {
    const own = work[request] ?? -1;
    attempts[request] = failed.get(own) ?? 0;
    if (end[request] !== END.done) failed.set(own, (failed.get(own) ?? 0) + 1);
  }
  return attempts;
}

/**
 * @param {Int32Array} timesMs
 * @returns {Int32Array} The places of the times in their order, without times that are never.
 */
export function inOrderOf(timesMs) {
  // Sorted as numbers, of time and place, which is much quicker than by comparing.
  const size = timesMs.length;
  const keys = new Float64Array(size);
  for (let place = 0; place < size; place += 1) keys[place] = (timesMs[place] ?? -1) * size + place;
  const sorted = keys.sort().filter((key) => key >= 0);
  return new Int32Array(sorted.length).map((_, place) => (sorted[place] ?? 0) % size);
}

/** @param {Requests} requests */
function appliedTimes({ doneMs, applied, againMs, againApplied }) {
  const first = doneMs.filter((_, request) => applied[request] === 1);
  const second = againMs.filter((_, request) => againApplied[request] === 1);
  const all = new Int32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all.sort();
}

/**
 * @param {Requests} requests
 * @param {number} shards
 */
function countsOf({ shard, doneMs, count, againMs, againCount }, shards) {
  /** @type {{atMs: number[], count: number[]}[]} */
  const lists = Array.from({ length: shards }, () => ({ atMs: [], count: [] }));
  const add = (/** @type {number} */ place, /** @type {number} */ atMs, /** @type {number} */ value) => {
    const list = lists[place];
    if (!list || value < 0 || atMs < 0) return;
    list.atMs.push(atMs);
    list.count.push(value);
  };
  for (let request = 0; request < shard.length; request += 1) {
    add(shard[request] ?? -1, doneMs[request] ?? -1, count[request] ?? -1);
    add(shard[request] ?? -1, againMs[request] ?? -1, againCount[request] ?? -1);
  }
  // Answers that are under way at the same time overtake each other; a count only grows.
  return lists.map((list) => ({ atMs: Int32Array.from(list.atMs).sort(), count: Int32Array.from(list.count).sort() }));
}

/**
 * @param {Requests} requests
 * @param {number} endMs
 */
function checkpoints(requests, endMs) {
  const { sentMs } = requests;
  /** @type {number[]} */
  let current = [];
  let next = 0;
  const all = [];
  for (let atMs = 0; atMs <= endMs; atMs += CHECKPOINT_MS) {
    for (; next < sentMs.length && (sentMs[next] ?? 0) <= atMs; next += 1) current.push(next);
    current = current.filter((request) => isUnderWay(requests, request, atMs, endMs));
    all.push(Int32Array.from(current));
  }
  return all;
}
