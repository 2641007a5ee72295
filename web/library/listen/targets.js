// Firestore's targets: documents and queries that a client listens to on one multiplexed stream, with consistent snapshots and resume tokens.
//
// A watch has one target or several. It sees only states that were true at one moment in all of its targets: the server ends such a state by a change
// of no target, with a read time. After a stream breaks, the watch keeps the last whole moment, and drops later changes and their resume tokens. An
// older version of a document never replaces a newer one: a server may send a change at first, and then its snapshot from before the change. Google's
// emulator does so, and Google's SDK ignores such versions, too. (google.firestore.v1.ListenResponse)

import { callApart } from '../apart.js';
import { now } from '../clock.js';
import { ShardlineError } from '../errors.js';
import { codeOf } from './codes.js';

/** The first pause before the stream is opened again, and the longest. Jitter makes each 0.5 to 1.5 times as long. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const GROWTH = 1.5;
/** How long a hidden page goes on listening. */
const HIDDEN_MS = 60_000;
/** The codes of google/rpc/code.proto after which another attempt may help. */
const PASSING = ['CANCELLED', 'UNKNOWN', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'ABORTED', 'INTERNAL', 'UNAVAILABLE', 'UNAUTHENTICATED'];

/**
 * @typedef {import('./channel.js').ChannelError} ChannelError
 * @typedef {{name: string, fields?: {[field: string]: any}, createTime: string, updateTime: string}} WireDocument
 * @typedef {{documents: {documents: string[]}} | {query: {parent: string, structuredQuery: object}}} What
 *
 * @typedef {object} Moment
 * @property {WireDocument[][]} documents Of each target.
 * @property {string} readTime
 * @property {number} reads The documents that the server has sent, and bills, since the last moment that was reported.
 *
 * @typedef {object} Handlers
 * @property {(moment: Moment) => void} onMoment Called with the first state, and with each different one.
 * @property {(error: ShardlineError, isOver: boolean) => void} onError `isOver`: no further call follows. Otherwise the stream is opened again.
 *
 * @typedef {{send: (message: object) => void, close: () => void}} Stream
 * @typedef {(handlers: {onMessage: (message: any) => void, onEnd: (error: ChannelError) => void, forceRefresh: boolean}) => Promise<Stream>} Open
 *
 * @typedef {object} Target
 * @property {number} id A new number for each request to the server, so that an answer never belongs to another request.
 * @property {What} what
 * @property {Watch} watch
 * @property {Map<string, WireDocument>} documents
 * @property {Map<string, WireDocument> | undefined} whole The documents of the last whole moment, if they differ.
 * @property {string | undefined} token The resume token of the last whole moment.
 * @property {boolean} isCurrent Whether the server has sent all documents.
 * @property {boolean} isFree Whether the server bills the request as a new one, and has billed nothing of it so far.
 * @property {boolean} isRepeated Whether the server, on this stream, sends again all documents that it has sent: Google's emulator does so when one changes.
 *
 * @typedef {{targets: Target[], handlers: Handlers, reads: number, isNews: boolean}} Watch
 */

export class Targets {
  #database;
  #open;
  /** @type {Set<Watch>} */
  #watches = new Set();
  /** By their ids. @type {Map<number, Target>} */
  #targets = new Map();
  #ids = 0;
  /** The stream, or a placeholder while it is being opened. @type {Stream | undefined} */
  #stream;
  /** Whether the stream has brought a whole moment. */
  #isHealthy = false;
  /** Whether the server has refused the last tokens. */
  #isRefused = false;
  #pauseMs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Ends the listeners of this page's events. @type {AbortController | undefined} */
  #events;
  #isHidden = false;

  /**
   * @param {string} database `projects/…/databases/…`
   * @param {Open} open
   */
  constructor(database, open) {
    this.#database = database;
    this.#open = open;
  }

  /**
   * @param {What[]} whats
   * @param {Handlers} handlers
   * @returns {() => void} Ends it.
   */
  add(whats, handlers) {
    /** @type {Watch} */
    const watch = { targets: [], handlers, reads: 0, isNews: true };
    watch.targets = whats.map((what) => ({ id: 0, what, watch, documents: new Map(), whole: undefined, token: undefined, isCurrent: false, isFree: true, isRepeated: false }));
    this.#watches.add(watch);
    this.#attend();
    if (this.#stream) for (const target of watch.targets) this.#ask(target);
    else this.#connect(0);
    return () => this.#remove(watch);
  }

  /** Drops all state, and asks again: another user may be signed in. */
  renew() {
    this.#disconnect();
    for (const { targets } of this.#watches) targets.forEach(forget);
    this.#connect(0);
  }

  /** @param {Watch} watch */
  #remove(watch) {
    if (!this.#watches.delete(watch)) return;
    for (const { id } of watch.targets) if (this.#targets.delete(id)) this.#stream?.send({ database: this.#database, removeTarget: id });
    if (this.#watches.size > 0) return;
    this.#events?.abort();
    this.#events = undefined;
    this.#isHidden = false;
    this.#disconnect();
  }

  // ---- The stream ----

  /** @param {number} ms */
  #connect(ms) {
    clearTimeout(this.#timer);
    if (this.#stream || this.#isHidden || this.#watches.size === 0) return;
    // Watches that begin in this moment share a request.
    this.#timer = setTimeout(() => void this.#openNow(), ms);
  }

  async #openNow() {
    /** @type {Stream} */
    const place = { send() {}, close() {} };
    this.#stream = place;
    this.#isHealthy = false;
    let stream = place;
    try {
      stream = await this.#open({
        onMessage: (message) => { if (this.#stream === stream) this.#take(message); },
        onEnd: (error) => { if (this.#stream === stream) this.#onEnd(error); },
        forceRefresh: this.#isRefused,
      });
    } catch (error) {
      if (this.#stream === place) this.#onEnd(/** @type {any} */ (error));
      return;
    }
    if (this.#stream !== place) return stream.close();
    this.#stream = stream;
    for (const { targets } of this.#watches) targets.forEach((target) => this.#ask(target));
  }

  #disconnect() {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = undefined;
    this.#targets.clear();
    for (const { targets } of this.#watches) {
      for (const target of targets) {
        target.isCurrent = false;
        target.documents = target.whole ?? target.documents;
        target.whole = undefined;
      }
    }
  }

  /** @param {ChannelError | ShardlineError} error */
  #onEnd(error) {
    const wasHealthy = this.#isHealthy;
    const isRefusal = 'status' in error && error.status === 'UNAUTHENTICATED';
    const isFirstRefusal = isRefusal && !this.#isRefused;
    // A gate to the network, such as a hotel's, also answers 401, until the user has signed in there.
    const isOver = isRefusal && !isFirstRefusal && !('isElsewhere' in error && error.isElsewhere);
    this.#disconnect();
    this.#isRefused = isRefusal && !isOver;
    const told = error instanceof ShardlineError ? error : toShardlineError(error);
    if (isOver) return [...this.#watches].forEach((watch) => this.#fail(watch, told));
    this.#pauseMs = told.code === 'resource-exhausted' ? LONGEST_PAUSE_MS : Math.min(Math.max(this.#pauseMs * GROWTH, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#connect(isFirstRefusal ? 0 : this.#pauseMs * (0.5 + Math.random()));
    // Every stream ends at some time, and most users need not know.
    if (wasHealthy || isFirstRefusal) return;
    for (const watch of [...this.#watches]) {
      // The next moment tells that the stream is back, also if nothing has changed.
      watch.isNews = true;
      callApart(watch.handlers.onError, told, false);
    }
  }

  /** @param {Watch} watch @param {ShardlineError} error */
  #fail(watch, error) {
    this.#remove(watch);
    callApart(watch.handlers.onError, error, true);
  }

  // ---- The page ----

  /** Follows the events of the page, if there is a page. */
  #attend() {
    if (this.#events) return;
    this.#events = new AbortController();
    const { signal } = this.#events;
    /** @type {Document | undefined} */
    const page = globalThis.document;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let hiddenAt = now();
    const hide = () => {
      this.#isHidden = true;
      this.#disconnect();
    };
    const look = () => {
      clearTimeout(timer);
      if (page?.hidden) {
        hiddenAt = now();
        timer = setTimeout(hide, HIDDEN_MS);
      } else {
        // The timer stops while the device sleeps. The connection is dead then, but no error reports that.
        if (now() - hiddenAt > HIDDEN_MS) this.#disconnect();
        this.#show();
      }
    };
    page?.addEventListener('visibilitychange', look, { signal });
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    globalThis.addEventListener?.('online', () => this.#onNetwork(), { signal });
    globalThis.addEventListener?.('pagehide', hide, { signal });
    globalThis.addEventListener?.('pageshow', () => this.#show(), { signal });
    if (page?.hidden) look();
  }

  /** Reconnects after a change of the network: the old connections are dead, but no error reports that. */
  #onNetwork() {
    this.#disconnect();
    this.#connect(0);
  }

  #show() {
    this.#isHidden = false;
    this.#connect(0);
  }

  // ---- What both sides say ----

  /** @param {Target} target */
  #ask(target) {
    this.#targets.delete(target.id);
    target.id = this.#ids += 2;
    target.isCurrent = false;
    target.isFree = !target.token;
    this.#targets.set(target.id, target);
    const resumeToken = target.token && { resumeToken: target.token };
    this.#stream?.send({ database: this.#database, addTarget: { targetId: target.id, ...target.what, ...resumeToken } });
  }

  /** @param {any} message A google.firestore.v1.ListenResponse. */
  #take({ targetChange, documentChange, documentDelete, documentRemove, filter }) {
    if (documentChange) {
      const { document, targetIds = [], removedTargetIds = [] } = documentChange;
      this.#change(targetIds, document.name, document, 1, document.updateTime);
      this.#change(removedTargetIds, document.name, undefined, 1, document.updateTime);
    }
    if (documentDelete) this.#change(documentDelete.removedTargetIds ?? [], documentDelete.document, undefined, 0, documentDelete.readTime);
    if (documentRemove) {
      // The server bills a document that leaves because it has changed. A document that others push beyond a limit has not changed.
      const { document, removedTargetIds = [], readTime } = documentRemove;
      for (const id of removedTargetIds) this.#change([id], document, undefined, this.#isLimited(id) ? 0 : 1, readTime);
    }
    if (filter) this.#check(filter);
    if (targetChange) this.#onTargetChange(targetChange);
  }

  /**
   * @param {number[]} ids
   * @param {string} name
   * @param {WireDocument | undefined} document
   * @param {number} reads
   * @param {string} [time] The time of this state of the document.
   */
  #change(ids, name, document, reads, time) {
    for (const id of ids) {
      const target = this.#targets.get(id);
      if (!target) continue;
      const isSame = target.isRepeated && document?.updateTime === target.whole?.get(name)?.updateTime;
      if (!isSame) bill(target, reads);
      const known = target.documents.get(name) ?? target.whole?.get(name);
      const isOld = time !== undefined && known !== undefined && isBefore(time, known.updateTime);
      const next = isOld && document ? known : document;
      if (isOld && !document || target.documents.get(name) === next) continue;
      target.whole ??= new Map(target.documents);
      target.watch.isNews = true;
      if (next) target.documents.set(name, next);
      else target.documents.delete(name);
    }
  }

  /** @param {number} id */
  #isLimited(id) {
    const what = this.#targets.get(id)?.what;
    return what !== undefined && 'query' in what && 'limit' in what.query.structuredQuery;
  }

  /** An existence filter: the number of documents in a target. It does not say which documents differ. @param {{targetId: number, count?: number}} filter */
  #check({ targetId, count = 0 }) {
    const target = this.#targets.get(targetId);
    if (!target || target.documents.size === count) return;
    this.#stream?.send({ database: this.#database, removeTarget: targetId });
    forget(target);
    this.#ask(target);
  }

  /** @param {{targetChangeType?: string, targetIds?: number[], resumeToken?: string, readTime?: string, cause?: {code?: number, message?: string}}} change */
  #onTargetChange({ targetChangeType, targetIds = [], resumeToken, readTime, cause }) {
    for (const id of targetIds) {
      const target = this.#targets.get(id);
      if (!target) continue; // The answer to a question that was taken back.
      if (targetChangeType === 'REMOVE') this.#onRemoved(target, cause);
      if (targetChangeType === 'CURRENT') {
        // A question that finds no document is billed as one read. (https://firebase.google.com/docs/firestore/pricing#minimum_charge_for_queries)
        if (target.isFree) bill(target, 1);
        target.isCurrent = true;
      }
      if (targetChangeType === 'RESET') {
        target.whole ??= target.documents;
        target.documents = new Map();
        target.isRepeated = target.isCurrent;
        target.isFree ||= !target.isCurrent;
        target.isCurrent = false;
        target.watch.isNews = true;
      }
    }
    if (targetIds.length === 0 && readTime) this.#onMoment(readTime, resumeToken);
  }

  /** @param {Target} target @param {{code?: number, message?: string}} [cause] */
  #onRemoved({ id, watch }, cause) {
    this.#targets.delete(id);
    const status = codeOf(cause?.code);
    const error = { status, message: cause?.message ?? 'The server has ended the target.', http: 0 };
    if (PASSING.includes(status)) this.#onEnd(error);
    else this.#fail(watch, toShardlineError(error));
  }

  /** @param {string} readTime @param {string} [resumeToken] */
  #onMoment(readTime, resumeToken) {
    this.#pauseMs = 0;
    this.#isHealthy = true;
    this.#isRefused = false;
    for (const target of this.#targets.values()) {
      if (!target.isCurrent) continue;
      target.token = resumeToken ?? target.token;
      target.whole = undefined;
    }
    for (const watch of [...this.#watches]) {
      const { targets, handlers, reads } = watch;
      if (!watch.isNews || !targets.every(({ isCurrent }) => isCurrent)) continue;
      Object.assign(watch, { isNews: false, reads: 0 });
      callApart(handlers.onMoment, { documents: targets.map(({ documents }) => [...documents.values()]), readTime, reads });
    }
  }
}

/**
 * Compares two times of the server (RFC 3339, UTC). Without its Z, a time with fewer digits is a prefix of each later time in the same second.
 * @param {string} one
 * @param {string} other
 */
function isBefore(one, other) {
  return one.slice(0, -1) < other.slice(0, -1);
}

/** @param {Target} target @param {number} reads */
function bill(target, reads) {
  target.watch.reads += reads;
  if (reads > 0) target.isFree = false;
}

/** @param {Target} target */
function forget(target) {
  target.documents = new Map();
  target.whole = target.token = undefined;
  target.watch.isNews = true;
}

/** @param {ChannelError} error */
function toShardlineError({ status, message, http, cause }) {
  const code = /** @type {import('../errors.js').ErrorCode} */ (status.toLowerCase().replaceAll('_', '-'));
  if (code === 'unavailable' && !http) {
    return new ShardlineError(code, `The stream of changes cannot be opened, or has broken: ${message} It is opened again by itself.`, { reason: 'no-network', cause });
  }
  return new ShardlineError(code, `The server has refused to send changes: ${message}`, { reason: 'server-refused', params: { status, http }, status: http, cause });
}
