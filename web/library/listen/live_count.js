// Live totals of counters: listens while that costs little more than polling the sum of the shards, because listening shows changes at once.
//
// If the total is published, this listens to its document: the server bills it once when listening begins, and then for each publication. Otherwise
// this listens to the shards: the server bills each shard once, and then each change of a shard. Asking costs one read for each reading. This listens
// at once to a published total and to a counter with few shards, and to one with more shards when asking has cost as much (the ski-rental rule). If
// changes come too fast, the watches ask again, until changes are rare (hysteresis). (https://firebase.google.com/docs/firestore/pricing#listens)

import { callApart } from '../apart.js';
import { now } from '../clock.js';
import { publishes } from '../publisher.js';
import { madeBetween } from '../seen_total.js';
import { readingOf } from '../sharded_count.js';
import { Budget, pageBudget } from './budget.js';
import { Latest } from './latest.js';
import { Pace } from './pace.js';
import { Replay } from './replay.js';
import { streamOf } from './stream.js';

/**
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {import('../outbox/place.js').Place} Place
 * @typedef {import('../sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./targets.js').Moment} Moment
 *
 * @typedef {object} Member A watch of the place.
 * @property {number | undefined} readsPerHour
 * @property {() => void} hear Called when the stream has brought a total.
 * @property {() => void} ask Called when the stream has ended, so that the watch asks.
 *
 * @typedef {object} Arrived
 * @property {Moment} moment
 * @property {number} until The time at which it came, by performance.now().
 * @property {ReturnType<typeof streamOf>} stream
 * @property {Source} source
 * @property {Replay} replay
 * @property {AbortSignal} signal Aborted when this no longer listens to that stream.
 */

/** A watch listens at once to a counter with at most this many shards. */
const FEW_SHARDS = 20;
/** The core lists a counter with more shards in several requests. */
const MOST_SHARDS = 299;
/** Any published total is new enough: thirty years, in milliseconds. */
const MOST_AGE_MS = 1_000_000_000_000;
/** How long the stream may take for a first total. */
const FIRST_MS = 5000;
/** How long after a refusal it only asks. */
const REFUSED_MS = 10 * 60_000;
/** Listening begins if a budget has this many reads left, and ends at half of that, because the server also bills changes that are under way. */
const RESERVE = 60;

/**
 * @typedef {{name: string, args: object}} Source The operation that reads a total from documents that can be listened to.
 *
 * @typedef {object} Kind What is read from the shards: the total of a counter, or the counts of choices.
 * @property {Source} source
 * @property {Pick<Place['seen'], 'reading' | 'take' | 'heldMs' | 'watches'>} seen What its watches have seen.
 * @property {(result: any) => CounterReading} readingOf Makes a reading of the operation's result.
 */

/** @type {Source} */
const SHARDS = { name: 'counter.total', args: { source: 'shards' } };
/** @type {Source} */
const PUBLISHED = { name: 'counter.sharedTotal', args: { published: true, maxAgeMs: MOST_AGE_MS } };

/** By what its watches have seen. @type {WeakMap<object, LiveCount>} */
const all = new WeakMap();

/**
 * All watches of a place share one.
 * @param {Connection} connection
 * @param {Place} place
 * @param {object} counter The arguments of its operations.
 * @param {Kind} [kind] Default: of a counter.
 */
export function liveCountOf(connection, place, counter, kind = ofCounter(place)) {
  const live = all.get(kind.seen) ?? new LiveCount(connection, place, counter, kind);
  all.set(kind.seen, live);
  return live;
}

/** @param {Place} place @returns {Kind} */
function ofCounter(place) {
  return { source: SHARDS, seen: place.seen, readingOf: (result) => readingOf(result, place.pending) };
}

export class LiveCount {
  #connection;
  #place;
  #counter;
  #kind;
  /** @type {Set<Member>} */
  #members = new Set();
  #pace = new Pace();
  /** The reads that asking has cost since this listened last. */
  #asked = 0;
  /** The reads that the stream has cost since its last total. */
  #heard = 0;
  #readsPerHour = Infinity;
  /** The smallest budget of the watches. @type {Budget | undefined} */
  #budget;
  /** The last refusal of the server to send changes: when, and the number of tokens then. @type {{at: number, tokens: number} | undefined} */
  #refusal;
  /** Whether the document of the published total had no total. */
  #isUnpublished = false;
  /** The callers that wait for the first total. @type {Set<(isThere: boolean) => void>} */
  #waiters = new Set();
  /** Ends the present listening. @type {AbortController | undefined} */
  #listening;
  #begunAt = 0;
  /** @type {Latest<Arrived>} */
  #moments = new Latest((arrived) => this.#show(arrived).catch(() => this.#onUnread(arrived)));
  /** The update time of each document in the last moment, by its name. @type {Map<string, string>} */
  #documents = new Map();
  /** True while the stream brings the total, so that watches need not ask. */
  isCurrent = false;
  /**
   * The last total from the stream, and the time when it was made. @type {{reading: CounterReading, made: import('../seen_total.js').Made} |
   * undefined}
   */
  #latest;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Connection} connection @param {Place} place @param {object} counter @param {Kind} [kind] */
  constructor(connection, place, counter, kind = ofCounter(place)) {
    this.#connection = connection;
    this.#place = place;
    this.#counter = counter;
    this.#kind = kind;
  }

  /** @param {Member} member @returns {() => void} Removes the member. */
  join(member) {
    this.#members.add(member);
    this.#budget = this.#budgetOf();
    return () => {
      this.#members.delete(member);
      if (this.#members.size > 0) {
        this.#budget = this.#budgetOf();
        return;
      }
      this.#stop();
      // The next watch begins like the first one.
      this.#latest = undefined;
      this.#isUnpublished = false;
    };
  }

  /**
   * Listens before the first reading.
   * @returns {Promise<boolean>} Whether the stream has brought a total.
   */
  async first() {
    if (this.#source === PUBLISHED && this.#isWorthwhile(1)) void this.#begin();
    if (!this.#listening || this.isCurrent) return this.isCurrent;
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), FIRST_MS);
      const end = (/** @type {boolean} */ isThere) => {
        clearTimeout(timer);
        this.#waiters.delete(end);
        resolve(isThere);
      };
      this.#waiters.add(end);
    });
  }

  /** Takes the reading of a watch that has asked. @param {CounterReading} reading */
  onAsked(reading) {
    const { reads } = reading.billed;
    this.#spend(reads);
    this.#asked += reads;
    this.#pace.onTotal(reading.number, performance.now());
    if (this.#isWorthwhile(reading.shards)) this.#begin();
  }

  /** The smallest budget of the watches holds for all of them, because they share the reads. */
  #budgetOf() {
    const least = Math.min(...[...this.#members].map(({ readsPerHour = Infinity }) => readsPerHour));
    if (least === this.#readsPerHour) return this.#budget;
    this.#readsPerHour = least;
    // In any hour these are nine tenths. The last tenth is for changes that are under way when listening ends.
    return least === Infinity ? undefined : new Budget(0.7 * least, 0.2 * least);
  }

  /** @param {number} reads */
  #spend(reads) {
    pageBudget.spend(reads);
    this.#budget?.spend(reads);
  }

  /** @param {number} reads */
  #has(reads) {
    return pageBudget.left >= reads && (!this.#budget || this.#budget.left >= reads);
  }

  get #source() {
    return publishes(this.#place) && !this.#isUnpublished ? PUBLISHED : this.#kind.source;
  }

  /** @param {number} shards */
  #isWorthwhile(shards) {
    if (this.#listening || this.#isRefused) return false;
    if (this.#source === PUBLISHED) return this.#has(1 + RESERVE);
    const isDue = this.#asked >= shards || (shards <= FEW_SHARDS && !this.#latest);
    return shards <= MOST_SHARDS && isDue && this.#pace.isCalm && this.#has(shards + RESERVE);
  }

  /** The server would refuse again: no other user has signed in, and rules seldom change. */
  get #isRefused() {
    return this.#refusal?.tokens === this.#connection.tokens && now() - this.#refusal.at < REFUSED_MS;
  }

  async #begin() {
    const listening = new AbortController();
    this.#listening = listening;
    const { signal } = listening;
    const source = this.#source;
    const replay = new Replay(this.#connection, signal, { isWhole: true });
    // In no documents there is no published total.
    await this.#read(source, replay, signal).catch(() => {});
    if (replay.targets.length === 0) this.#refuse(signal);
    if (signal.aborted) return;
    const stream = streamOf(this.#connection, replay.database);
    const stop = stream.targets.add(replay.targets, {
      onMoment: (moment) => {
        this.#heard += moment.reads;
        this.#spend(moment.reads);
        void this.#moments.take({ moment, until: performance.now(), stream, source, replay, signal });
      },
      onError: (_, isOver) => {
        if (isOver) this.#onUnread({ source, signal });
        else this.#lose();
      },
    });
    this.#begunAt = performance.now();
    signal.addEventListener('abort', stop, { once: true });
    signal.addEventListener('abort', this.#place.onChange(() => this.#retake()), { once: true });
  }

  /** @param {Source} source @param {Replay} replay @param {AbortSignal} signal */
  #read({ name, args }, replay, signal) {
    return replay.run(name, { ...args, counter: this.#counter }, signal);
  }

  /** @param {Arrived} arrived */
  async #show({ moment, until, stream, source, replay, signal }) {
    if (signal.aborted || !await stream.isForUser(signal) || signal.aborted) return;
    replay.answer = moment;
    const result = await this.#read(source, replay, signal);
    if (signal.aborted) return;
    const changes = this.#changesIn(moment);
    const billed = { reads: this.#heard, writes: 0, deletes: 0 };
    this.#heard = 0;
    const reading = this.#kind.readingOf({ ...result, billed });
    this.#take(reading, madeBetween(this.#begunAt, until, reading));
    if (this.#pace.onChanges(changes, until) || !this.#has(RESERVE / 2)) this.#stop();
  }

  /** The server refuses the documents, or the core finds no total in them. @param {Pick<Arrived, 'source' | 'signal'>} arrived */
  #onUnread({ source, signal }) {
    // The answer to the next question will hold the error of shards that the core refuses.
    if (source !== PUBLISHED) return this.#refuse(signal);
    if (signal.aborted) return;
    this.#isUnpublished = true;
    this.#stop();
  }

  /** How many documents came, changed or went. @param {Moment} moment */
  #changesIn({ documents }) {
    const now = new Map(documents.flat().map(({ name, updateTime }) => [name, updateTime]));
    const before = this.#documents;
    this.#documents = now;
    let changes = 0;
    for (const [name, time] of now) if (before.get(name) !== time) changes += 1;
    for (const name of before.keys()) if (!now.has(name)) changes += 1;
    return changes;
  }

  /** @param {CounterReading} reading @param {import('../seen_total.js').Made} made */
  #take(reading, made) {
    this.#latest = { reading, made };
    const { onRequest } = this.#connection.transport;
    callApart(onRequest, { method: 'GET', path: '/google.firestore.v1.Firestore/Listen', status: 200, ms: 0, bytes: 0, billed: reading.billed });
    this.isCurrent = true;
    this.#offer();
    for (const { hear } of this.#members) hear();
    for (const end of this.#waiters) end(true);
  }

  /** Shows the total, unless it may or may not have an increment that is on its way: then the last one is shown for a while. */
  #offer() {
    clearTimeout(this.#timer);
    if (!this.#latest) return;
    const { reading, made } = this.#latest;
    const { seen } = this.#kind;
    seen.take(reading, made);
    if (this.#isHeld) this.#timer = setTimeout(() => this.#retake(), seen.heldMs);
  }

  get #isHeld() {
    const { seen } = this.#kind;
    return this.#latest !== undefined && seen.reading !== this.#latest.reading && !(seen.reading && this.#latest.reading.readTime < seen.reading.readTime);
  }

  #retake() {
    if (!this.#listening || !this.#isHeld) return;
    this.#offer();
    if (!this.#isHeld) for (const adopt of this.#kind.seen.watches) adopt();
  }

  /** The stream has broken, and is opened again. */
  #lose() {
    for (const end of this.#waiters) end(false);
    if (!this.isCurrent) return;
    this.isCurrent = false;
    for (const { ask } of this.#members) ask();
  }

  /** @param {AbortSignal} signal The signal of the refused documents. */
  #refuse(signal) {
    if (signal.aborted) return;
    this.#refusal = { at: now(), tokens: this.#connection.tokens };
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#listening?.abort();
    this.#listening = undefined;
    this.#documents = new Map();
    this.#asked = 0;
    this.#lose();
  }
}
