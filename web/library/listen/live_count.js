// Live totals of counters: listens to a counter's shards as long as that costs little more than to ask for their sum, because it shows changes at once.
//
// Listening bills each shard once when it begins, and then each change of a shard. Asking bills one read for each reading. This listens at once to a counter with
// few shards, and to one with more when asking has cost as much. When changes come too fast for it, the watches ask again, until changes have become rare.
// (https://firebase.google.com/docs/firestore/pricing#listens)

import { callApart } from '../apart.js';
import { readingOf } from '../sharded_count.js';
import { Budget, pageBudget } from './budget.js';
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
 * @property {() => void} hear A total has come by the stream.
 * @property {() => void} ask The stream brings nothing any more: the watch asks.
 *
 * @typedef {object} Arrived
 * @property {Moment} moment
 * @property {number} until When it came, by performance.now().
 * @property {ReturnType<typeof streamOf>} stream
 * @property {Replay} replay
 * @property {AbortSignal} signal Aborted when that stream is not listened to any more.
 */

/** A watch listens at once to a counter with at most so many shards. */
const FEW_SHARDS = 20;
/** The core lists a counter with more shards in several requests. */
const MOST_SHARDS = 299;
/** Listening begins if a budget has so many reads left, and ends at half of that: changes that are on their way are billed, too. */
const RESERVE = 60;

/** @type {WeakMap<Place, LiveCount>} */
const all = new WeakMap();

/**
 * All watches of a place share one.
 * @param {Connection} connection
 * @param {Place} place
 * @param {object} counter The arguments of its operations.
 */
export function liveCountOf(connection, place, counter) {
  const live = all.get(place) ?? new LiveCount(connection, place, counter);
  all.set(place, live);
  return live;
}

export class LiveCount {
  #connection;
  #place;
  #counter;
  /** @type {Set<Member>} */
  #members = new Set();
  #pace = new Pace();
  /** How many reads asking has cost since the shards were listened to last. */
  #asked = 0;
  /** How many reads the stream has cost since the last total that it brought. */
  #heard = 0;
  #readsPerHour = Infinity;
  /** The smallest budget of the watches. @type {Budget | undefined} */
  #budget;
  /** For which tokens the server has refused to send changes: the number of tokens that there had been. @type {number | undefined} */
  #refusedFor;
  /** Ends what is listened to now. @type {AbortController | undefined} */
  #listening;
  #begunAt = 0;
  /** The last moment that has not been taken yet. @type {Arrived | undefined} */
  #waiting;
  #isFollowing = false;
  /** The update time of each shard in the last moment, by its name. @type {Map<string, string>} */
  #documents = new Map();
  /** Whether the stream brings the total, so that watches need not ask. */
  isCurrent = false;
  /** The last total from the stream, and when it was made. @type {{reading: CounterReading, made: import('../seen_total.js').Made} | undefined} */
  #latest;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Connection} connection @param {Place} place @param {object} counter */
  constructor(connection, place, counter) {
    this.#connection = connection;
    this.#place = place;
    this.#counter = counter;
  }

  /** @param {Member} member @returns {() => void} It leaves. */
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
      // The next watch begins as the first one did.
      this.#latest = undefined;
    };
  }

  /** A watch has asked. @param {CounterReading} reading */
  onAsked(reading) {
    const { reads } = reading.billed;
    this.#spend(reads);
    this.#asked += reads;
    this.#pace.onTotal(Number(reading.value), performance.now());
    if (this.#isWorthwhile(reading.shards)) this.#begin();
  }

  /** The smallest budget of the watches holds for all of them, since they share what is read. */
  #budgetOf() {
    const least = Math.min(...[...this.#members].map(({ readsPerHour = Infinity }) => readsPerHour));
    if (least === this.#readsPerHour) return this.#budget;
    this.#readsPerHour = least;
    // In any hour these are nine tenths. The last tenth is for changes that are on their way when listening ends.
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

  /** @param {number} shards */
  #isWorthwhile(shards) {
    if (this.#listening || shards > MOST_SHARDS || this.#refusedFor === this.#connection.tokens) return false;
    const isDue = this.#asked >= shards || (shards <= FEW_SHARDS && !this.#latest);
    return isDue && this.#pace.isCalm && this.#has(shards + RESERVE);
  }

  async #begin() {
    const listening = new AbortController();
    this.#listening = listening;
    const { signal } = listening;
    const replay = new Replay(this.#connection, signal, { isWhole: true });
    try {
      await this.#read(replay, signal);
    } catch {
      // The layout `extension` adds up more than a query's documents.
      return this.#refuse(signal);
    }
    if (signal.aborted) return;
    const stream = streamOf(this.#connection, replay.database);
    const stop = stream.targets.add(replay.targets, {
      onMoment: (moment) => void this.#follow({ moment, until: performance.now(), stream, replay, signal }),
      onError: (_, isOver) => {
        if (isOver) this.#refuse(signal);
        else this.#lose();
      },
    });
    this.#begunAt = performance.now();
    signal.addEventListener('abort', stop, { once: true });
    signal.addEventListener('abort', this.#place.onChange(() => this.#retake()), { once: true });
  }

  /** @param {Replay} replay @param {AbortSignal} signal */
  #read(replay, signal) {
    return replay.run('counter.total', { counter: this.#counter, source: 'shards' }, signal);
  }

  /** Takes moments one after the other; of those that come meanwhile, the last. @param {Arrived} arrived */
  async #follow(arrived) {
    this.#waiting = arrived;
    this.#heard += arrived.moment.reads;
    this.#spend(arrived.moment.reads);
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#waiting) {
      const next = this.#waiting;
      this.#waiting = undefined;
      // An answer to a question will say what is wrong with a total that the core does not take.
      await this.#show(next).catch(() => this.#refuse(next.signal));
    }
    this.#isFollowing = false;
  }

  /** @param {Arrived} arrived */
  async #show({ moment, until, stream, replay, signal }) {
    if (!await stream.isForUser(signal) || signal.aborted) return;
    replay.answer = moment;
    const result = await this.#read(replay, signal);
    if (signal.aborted) return;
    const changes = this.#changesIn(moment);
    const billed = { reads: this.#heard, writes: 0, deletes: 0 };
    this.#heard = 0;
    this.#take(readingOf({ ...result, billed }, this.#place.pending), { from: this.#begunAt, until });
    if (this.#pace.onChanges(changes, until) || !this.#has(RESERVE / 2)) this.#stop();
  }

  /** How many shards came, changed or went. @param {Moment} moment */
  #changesIn({ documents: [documents = []] }) {
    const now = new Map(documents.map(({ name, updateTime }) => [name, updateTime]));
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
  }

  /** Shows the total, unless it may or may not have an increment that is on its way: then the last one is shown for a while. */
  #offer() {
    clearTimeout(this.#timer);
    if (!this.#latest) return;
    const { reading, made } = this.#latest;
    const { seen } = this.#place;
    seen.take(reading, made);
    if (this.#isHeld) this.#timer = setTimeout(() => this.#retake(), seen.heldMs);
  }

  get #isHeld() {
    const { seen } = this.#place;
    return this.#latest !== undefined && seen.reading !== this.#latest.reading && !(seen.reading && this.#latest.reading.readTime < seen.reading.readTime);
  }

  #retake() {
    if (!this.#listening || !this.#isHeld) return;
    this.#offer();
    if (!this.#isHeld) for (const adopt of this.#place.seen.watches) adopt();
  }

  /** The stream has broken, and is opened again. */
  #lose() {
    if (!this.isCurrent) return;
    this.isCurrent = false;
    for (const { ask } of this.#members) ask();
  }

  /** @param {AbortSignal} signal Of what was refused. */
  #refuse(signal) {
    if (signal.aborted) return;
    this.#refusedFor = this.#connection.tokens;
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#listening?.abort();
    this.#listening = undefined;
    this.#waiting = undefined;
    this.#documents = new Map();
    this.#asked = 0;
    this.#lose();
  }
}
