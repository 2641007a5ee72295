// Sends one row with its idempotency key: the core counts it once (src/exactly_once), or reports an unknown outcome.

import { drawId } from '../draw_id.js';
import { ShardlineError, toPlain } from '../errors.js';

/**
 * @typedef {import('./rows.js').Row} Row
 *
 * @typedef {object} Outcome The outcome of a row that was sent: see src/api/exactly_once_api.h.
 * @property {'counted' | 'refused' | 'unknown' | 'waiting'} outcome
 * @property {string} [commitTime]
 * @property {import('../errors.js').PlainError} [error]
 * @property {unknown} [cause]
 * @property {boolean} [mayArrive] Whether a request may be without an answer.
 * @property {boolean} [changed] Set for a wish: whether it has changed the membership.
 * @property {string} [before] Set for a wish that has changed a choice: the choice before.
 * @property {boolean} [isElsewhere] Whether it waits only because its user is not signed in.
 * @property {string | number} [shards]
 * @property {number} [attempts]
 * @property {number} [aborted]
 *
 * @typedef {object} Host The outbox, as lanes use it.
 * @property {import('../connection.js').Connection} connection
 * @property {import('../users.js').Users} users
 * @property {import('../user_watch.js').UserWatch} userWatch
 * @property {import('../warnings.js').Warnings} warnings
 * @property {import('./timers.js').Timers} timers
 * @property {<T>(send: () => Promise<T>, isFirst: boolean) => Promise<T>} inTurn Bounds the number of rows under way. A row whose caller waits in
 *   this page comes before the rows of earlier pages.
 * @property {{first: number, longest: number}} pausesMs
 * @property {boolean} isStopped
 * @property {{hasLooked: boolean}} others `hasLooked`: whether the rows of other pages are known.
 * @property {(place: import('./place.js').Place, user: import('../users.js').User, how: import('./place.js').How, what: any) => Row} make A row of this page.
 * @property {Pick<import('../storage/shelf.js').Shelf, 'save' | 'claim'>} shelf
 * @property {(row: Row, outcome: Outcome) => void} settle
 * @property {() => void} progress Called when a row was sent, and its outcome is known.
 */

/** The longest wait for a user's sign-in. */
const LONGEST_DOUBT_MS = 300_000;
/** The core's limit. */
const MOST_AGE_MS = 1e12;
/** A call on a counted set that ends with one of these may be repeated. */
const TRANSIENT = ['unavailable', 'resource-exhausted', 'aborted', 'deadline-exceeded', 'outcome-unknown', 'cancelled', 'internal'];
/** The reasons of errors before the server got a request. */
const NOT_ASKED = ['token-not-given', 'user-not-signed-in', 'user-not-known'];

/**
 * @param {Host} host
 * @param {Row} row
 * @param {boolean} keepalive Whether its request must outlive the page.
 * @returns {Promise<Outcome>} Never rejects.
 */
export async function sendRow(host, row, keepalive) {
  const { knownShards } = row.place;
  // The app may pass another number than an earlier page has stored.
  const said = (row.waiters.length === 0 && knownShards.said) || row.stored.counter.shards;
  let used = knownShards.goBy(said, !keepalive);
  /** @type {Outcome} */
  let outcome;
  for (let isLast = keepalive; ; isLast = false) {
    const isSole = row.sentAt === Infinity;
    outcome = await runOn(host, used, row, isLast);
    if (outcome.outcome !== 'refused' || row.runs > 1 || !row.isMine) break;
    const isShardGone = outcome.error?.code === 'permission-denied' && knownShards.doubt(said, used);
    const isSure = row.stored.kind === 'member' || !(isSole || isShardGone) || await host.shelf.claim(row, isShardGone ? drawId() : undefined);
    if (isSure && !isShardGone) break;
    // Another page may have sent it as well, so a refusal here may not be final.
    if (!isSure) row.sentAt = Math.min(row.sentAt, performance.now());
    if (isShardGone) used = undefined;
  }
  knownShards.offer(said, Number(outcome.shards) || undefined);
  // The page that has it now finds the outcome.
  if (outcome.outcome !== 'counted' && !row.isMine) return { ...outcome, outcome: 'waiting' };
  return outcome.outcome === 'unknown' ? withdraw(host, row, outcome) : outcome;
}

/**
 * Handles a row if rules refuse both the row and its withdrawal, and a request may be without an answer. If no user is signed in, a user who signs in
 * can withdraw it: the outbox waits for that for a while.
 * @param {Host} host
 * @param {Row} row
 * @param {Outcome} outcome
 * @returns {Promise<Outcome>}
 */
async function withdraw({ connection, users }, row, outcome) {
  if (row.user !== null || !users.mayCome || outcome.error?.status !== 403) return outcome;
  row.doubtedAt ??= performance.now();
  if (!users.current) return performance.now() - row.doubtedAt < LONGEST_DOUBT_MS ? { ...outcome, outcome: 'waiting', isElsewhere: true } : outcome;
  try {
    const id = row.stored.marker ?? row.id;
    const { applied, commitTime } = await connection.run('batch.withdraw', { id, serverNow: connection.serverNow(), ageMs: ageOf(row.stored), sentBefore: true });
    return applied ? { outcome: 'counted', commitTime } : { ...outcome, outcome: 'refused', error: toPlain(notAllowedToNobody()) };
  } catch {
    return outcome;
  }
}

/**
 * @param {Host} host
 * @param {number | undefined} shards
 * @param {Row} row
 * @param {boolean} keepalive
 * @returns {Promise<Outcome>}
 */
async function runOn(host, shards, row, keepalive) {
  const { connection, users } = host;
  const { stored } = row;
  const sentBefore = row.sentAt < Infinity;
  const { choices, fields, ...counter } = { ...stored.counter, shards };
  let isElsewhere = false;
  const tokenFor = (/** @type {string | null | undefined} */ atHand) => {
    const token = users.tokenFor(row.user, atHand);
    isElsewhere = token === undefined;
    return token;
  };
  const onWrite = () => {
    row.sentAt = Math.min(row.sentAt, performance.now());
  };
  const how = { keepalive, tokenFor, onWrite, onOutage: (/** @type {ShardlineError} */ error) => row.lane?.backOff.warn(error) };
  try {
    if (stored.kind === 'member') {
      if (row.calls?.signal.aborted !== false) row.calls = new AbortController();
      const { signal } = row.calls;
      const args = { counter, key: stored.member, choices, choice: choices && (stored.wanted || undefined) };
      const result = await connection.run(stored.wanted ? 'key.add' : 'key.remove', args, { ...how, signal });
      return { ...result, outcome: 'counted' };
    }
    const outcome = await connection.run('counter.commit', {
      counter, fields, delta: stored.delta, id: stored.marker ?? stored.id, serverNow: connection.serverNow(), ageMs: ageOf(stored),
      sentBefore,
    }, how);
    if (outcome.outcome === 'waiting' && row.runs === 1 && !sentBefore && !outcome.mayArrive) row.sentAt = Infinity;
    return outcome;
  } catch (error) {
    return { ...failureOf(row, error, sentBefore), isElsewhere };
  }
}

function notAllowedToNobody() {
  return new ShardlineError('permission-denied', 'Security rules refuse an increment from before sign-in.',
    { reason: 'server-refused', params: { status: 'PERMISSION_DENIED', http: 403 }, status: 403 });
}

/** In milliseconds. @param {import('./rows.js').StoredRow} row */
function ageOf({ made }) {
  return Math.min(Math.max(Math.round(Date.now() - made), 0), MOST_AGE_MS);
}

/** @param {Row} row @param {unknown} cause @param {boolean} sentBefore @returns {Outcome} */
function failureOf({ stored }, cause, sentBefore) {
  if (!(cause instanceof ShardlineError)) return { outcome: 'waiting', cause };
  // Another call will ask whether it was counted. Only the cause matters here.
  const why = cause.cause instanceof ShardlineError ? cause.cause : cause;
  const { code, reason, status } = why;
  const error = toPlain(why);
  const root = why.cause;
  if (stored.kind === 'member') {
    const isOpen = TRANSIENT.includes(code) || NOT_ASKED.includes(reason) || (status === 0 && code === 'unauthenticated');
    return { outcome: isOpen ? 'waiting' : 'refused', error, cause: root };
  }
  if (code !== 'invalid-argument') return { outcome: 'waiting', error, cause: root };
  return { outcome: sentBefore ? 'unknown' : 'refused', error, cause: root };
}
