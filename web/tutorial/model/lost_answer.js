// An increment whose answer gets lost, sent by a client that simply tries again, and by one with a marker in each commit. Both meet with the very
// same fault, and all that they do is the library's.

import { END, record } from './recording.js';
import { errorOf, markerOf } from './texts.js';

/**
 * @typedef {'none' | 'lost' | 'cut' | 'twice' | 'late'} Fault
 *
 * @typedef {object} Arrival
 * @property {number} atMs When the server was done with it.
 * @property {boolean} applied Whether it changed anything.
 * @property {string} [why] Why not, in Firestore's word: `ALREADY_EXISTS`.
 *
 * @typedef {object} SentRequest
 * @property {number} number From 1 on.
 * @property {number} press Whose it is, from 0 on.
 * @property {'commit' | 'read'} what
 * @property {number} sentMs
 * @property {Arrival[]} arrivals
 * @property {number | null} answerMs The time of the answer; null if no answer came.
 * @property {number | null} gaveUpMs The time when the sender gave up.
 * @property {boolean} lost Whether no answer came.
 * @property {number | null} retryOf The number of the request that it follows because that one got no good answer.
 *
 * @typedef {object} Way
 * @property {SentRequest[]} requests
 * @property {{atMs: number, count: number}[]} counts The counter's value from then on.
 * @property {{atMs: number, id: string}[]} markers The markers that were created; empty for a client without markers.
 * @property {{atMs: number, press: number}[]} presses
 * @property {{atMs: number, press: number}[]} acknowledged
 *
 * @typedef {object} LostAnswer
 * @property {number} seed
 * @property {number} durationMs
 * @property {{atMs: number}[]} events
 * @property {{naive: Way, marker: Way}} ways
 */

/** From one press to the next, on average. */
const PAUSE_MS = 4000;

/**
 * @param {{fault: Fault, request: number, presses: number}} options `request`: which of all requests meets with it, from 1 on.
 *   `presses`: how many there are, about.
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<LostAnswer>}
 */
export async function recordLostAnswer({ fault, request, presses }, seed, signal) {
  const runs = await Promise.all(/** @type {const} */ (['at-least-once', 'exactly-once']).map((delivery) => record({
    kind: 'counter',
    delivery,
    shards: 3,
    users: 1,
    thinkMs: PAUSE_MS,
    seconds: (presses * PAUSE_MS) / 1000,
    seed,
    fates: fault === 'none' ? [] : [{ request, fate: fault }],
  }, signal, { bodies: true })));
  const [naive, marker] = /** @type {[Way, Way]} */ (runs.map(wayOf));
  const times = new Set([naive, marker].flatMap(timesOf));
  return {
    seed,
    durationMs: Math.max(...runs.map(({ durationMs }) => durationMs)),
    events: [...times].sort((a, b) => a - b).map((atMs) => ({ atMs })),
    ways: { naive, marker },
  };
}

/**
 * @param {import('./recording.js').Recording} recording
 * @returns {Way}
 */
function wayOf({ requests, works, bodies }) {
  const sent = Array.from(requests.sentMs, (sentMs, index) => requestOf(requests, bodies, index, sentMs));
  for (const request of sent) {
    const before = sent.filter(({ press, number }) => press === request.press && number < request.number).at(-1);
    request.retryOf = before ? before.number : null;
  }
  // Each shard's count rises by itself; together they are the counter's.
  const applied = sent.flatMap(({ what, arrivals }) => (what === 'commit' ? arrivals : [])).filter((arrival) => arrival.applied)
    .sort((a, b) => a.atMs - b.atMs);
  return {
    requests: sent,
    counts: applied.map(({ atMs }, index) => ({ atMs, count: index + 1 })),
    markers: markersOf(requests, bodies),
    presses: Array.from(works.beganMs, (atMs, press) => ({ atMs, press })),
    acknowledged: Array.from(works.endedMs, (atMs, press) => ({ atMs, press })).filter(({ press }) => works.end[press] === END.done),
  };
}

/**
 * @param {import('./recording.js').Requests} requests
 * @param {import('./recording.js').Recording['bodies']} bodies
 * @param {number} index
 * @param {number} sentMs
 * @returns {SentRequest}
 */
function requestOf(requests, bodies, index, sentMs) {
  const answers = bodies.filter(({ request }) => request === index).map(({ answer }) => errorOf(answer));
  const isCommit = requests.write[index] === 1;
  /** @type {Arrival[]} */
  const arrivals = [];
  for (const [times, applied, why] of /** @type {const} */ ([
    [requests.doneMs, requests.applied, answers[0]], [requests.againMs, requests.againApplied, answers[1]]])) {
    const atMs = times[index] ?? -1;
    if (atMs >= 0) arrivals.push({ atMs, applied: isCommit && applied[index] === 1, ...(why ? { why } : {}) });
  }
  const lost = requests.end[index] === END.noAnswer;
  const knownMs = requests.answeredMs[index] ?? -1;
  return {
    number: index + 1,
    press: requests.work[index] ?? 0,
    what: isCommit ? 'commit' : 'read',
    sentMs,
    arrivals,
    answerMs: lost || knownMs < 0 ? null : knownMs,
    gaveUpMs: lost && knownMs >= 0 ? knownMs : null,
    lost,
    retryOf: null,
  };
}

/**
 * @param {import('./recording.js').Requests} requests
 * @param {import('./recording.js').Recording['bodies']} bodies
 */
function markersOf(requests, bodies) {
  return bodies.flatMap(({ request, body, answer }) => {
    const id = requests.write[request] === 1 && errorOf(answer) === null ? markerOf(body) : null;
    return id === null ? [] : [{ atMs: requests.doneMs[request] ?? 0, id }];
  });
}

/** @param {Way} way */
function timesOf({ requests, presses, acknowledged }) {
  return [
    ...presses.map(({ atMs }) => atMs),
    ...acknowledged.map(({ atMs }) => atMs),
    ...requests.flatMap(({ sentMs, arrivals, answerMs, gaveUpMs }) => [sentMs, ...arrivals.map(({ atMs }) => atMs), answerMs ?? sentMs, gaveUpMs ?? sentMs]),
  ];
}
