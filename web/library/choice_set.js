// A set of choices: each user has one choice at a time, and shards count the choices.

import { checkKey } from './counter_arguments.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { takeOptions } from './options.js';
import { isClear, MOST_UNCLEAR_MS, SeenChoices, withChanges } from './seen_choices.js';
import { partsOf, press } from './sharded_count.js';
import { checkWatch, totalsOf, TotalStore } from './total_store.js';
import { decodeNumber, Timestamp } from './values.js';
import { until, within } from './waits.js';
import { watch } from './watch.js';

/**
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {import('./seen_choices.js').FoundChoices} FoundChoices
 *
 * @typedef {object} SummaryOptions
 * @property {'sum' | 'shards'} [source] `sum`, the default, lets the server add up. `shards` reads every shard.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} ChoiceReading
 * @property {number} count The number of users who have a choice.
 * @property {Timestamp} readTime The moment at which the summary was true on the server.
 * @property {'sum' | 'shards'} source Who added up: the server, or this client.
 * @property {number} pending How many changes of this device are in it that the server has not confirmed.
 * @property {Billed} billed
 *
 * @typedef {Omit<import('./watch.js').WatchOptions, 'maxAgeMs'>} WatchSummaryOptions The options of watch() of a counter, except `maxAgeMs`.
 */

/**
 * @template {ChoiceReading} [Summary=ChoiceReading]
 * @typedef {object} LiveSummary
 * @property {Summary} [summary] With all that is `pending`. Undefined until it is known.
 * @property {number} pending How many changes of this device the server has not confirmed.
 * @property {import('./watch.js').LiveTotal['state']} state `loading`: there is no summary yet. `offline`, `error`: the last reading has failed, and the
 *   summary is from an earlier one; watching goes on.
 * @property {import('./errors.js').ShardlineError} [error] Why the last reading has failed: while the state is `offline` or `error`.
 */

/**
 * @template {ChoiceReading} Summary
 * @typedef {object} SetParts What makes a set ratings or reactions.
 * @property {string} collection Of the shards.
 * @property {number | undefined} shards
 * @property {string[]} choices The fields of the shards.
 * @property {boolean} isComplete Whether they are the same for ever.
 * @property {(reading: ChoiceReading, counts: number[]) => Summary} summarize
 */

const WATCH_OPTIONS = ['intervalMs', 'listen', 'readsPerHour', 'signal', 'onError'];

/** @type {(set: ChoiceSet<any>, uid: string, choice: string, options: {signal?: AbortSignal} | undefined) => Promise<{changed: boolean}>} */
export let setChoice;
/** @type {(set: ChoiceSet<any>, uid: string, options: {signal?: AbortSignal} | undefined) => Promise<string | undefined>} undefined: none. */
export let choiceOf;
/** @type {<Summary extends ChoiceReading>(set: ChoiceSet<Summary>, options: SummaryOptions | undefined) => Promise<Summary>} */
export let read;
/** @type {<Summary extends ChoiceReading>(set: ChoiceSet<Summary>, fields: object, signal: AbortSignal | undefined) => Promise<Summary>} */
export let publish;

/**
 * The sets that an app has, by their counters and choices.
 * @type {WeakMap<object, Map<string, ChoiceSet<any>>>}
 */
const known = new WeakMap();

/**
 * The set that was made before with the same path and options, so that a component may ask for it whenever it is drawn.
 * @type {<Kind extends ChoiceSet<any>>(set: Kind) => Kind}
 */
export let shared;

/**
 * A set of users, each with one choice: the class that ratings and reactions extend.
 * @template {ChoiceReading} [Summary=ChoiceReading]
 */
export class ChoiceSet {
  #count;
  #choices;
  #isComplete;
  #summarize;
  #seen;
  /** @type {TotalStore<LiveSummary<Summary>> | undefined} */
  #store;

  static {
    setChoice = (set, ...args) => set.#wish('set', ...args);
    choiceOf = (set, ...args) => set.#choice(...args);
    read = (set, ...args) => set.#read(...args);
    publish = (set, ...args) => set.#publish(...args);
    shared = (set) => {
      const sets = known.get(set.#count) ?? new Map();
      known.set(set.#count, sets);
      const key = set.#choices.join();
      if (!sets.has(key)) sets.set(key, set);
      return /** @type {any} */ (sets.get(key));
    };
    keepFromProxies(this);
    answerHabits(this, 'onSnapshot', 'watch(callback)');
  }

  /**
   * @param {CounterDatabase} db
   * @param {string} path
   * @param {SetParts<Summary>} parts
   * @hidden Made by the library.
   */
  constructor(db, path, { collection, shards, choices, isComplete, summarize }) {
    this.#count = db.counter(path, { layout: { shardCollection: collection, countField: 'choice' }, shards: shards ?? 10 });
    this.#choices = choices;
    this.#isComplete = isComplete;
    this.#summarize = summarize;
    this.#seen = new SeenChoices(partsOf(this.#count).place, choices);
  }

  /** The document's path. */
  get path() {
    return this.#count.path;
  }

  /**
   * Takes back the choice of a user. It shows at once, is stored, and waits for the network.
   * @param {string} uid
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A change that was stored or sent by then still takes effect.
   * @returns {Promise<{changed: boolean}>} When it is on the server. `changed` is true only if it was surely this call that changed something.
   */
  async remove(uid, options) {
    return this.#wish('remove', uid, false, options);
  }

  /**
   * Calls back with the summary when it is known, and whenever it changes: at once after a change of this device, and within a second after others' changes, while the page
   * shows. As watch() of a counter it begins with one summary(), then lets the server send the shards if there are 20 at the most, which bills each shard once and then each
   * change of a shard; and it asks again if the server cannot send, or if changes come too fast. `readsPerHour` bounds its reads.
   * @overload
   * @param {(live: LiveSummary<Summary>) => void} callback
   * @param {WatchSummaryOptions} [options]
   * @returns {() => void} Ends it. To close the database does so, too.
   */
  /**
   * The same without a callback: `for await (const { summary } of ratings.watch()) …`, which skips summaries that come faster than they are taken.
   * @overload
   * @param {WatchSummaryOptions} [options]
   * @returns {AsyncIterableIterator<LiveSummary<Summary>>}
   */
  /**
   * @param {((live: LiveSummary<Summary>) => void) | WatchSummaryOptions} [callback]
   * @param {WatchSummaryOptions} [options]
   */
  watch(callback, options) {
    checkWatch(arguments, 'for await (const { summary } of ratings.watch())');
    if (typeof callback === 'function') return this.#watch(callback, options);
    return totalsOf((/** @type {(live: LiveSummary<Summary>) => void} */ take, how) => this.#watch(take, how), this.#count.ended, callback);
  }

  /**
   * Calls back at once with what is known, and with every change. All subscriptions share one watch. Made for frameworks, like subscribe() of a counter.
   * @param {(live: LiveSummary<Summary>) => void} listener
   * @returns {() => void} Ends it.
   */
  subscribe = (/** @type {(live: LiveSummary<Summary>) => void} */ listener) => this.#live.subscribe(listener);

  /** The last summary that subscribers got: the same object until something changes. @returns {LiveSummary<Summary>} */
  getSnapshot = () => this.#live.snapshot;

  /**
   * Deletes the choices of all users: the shards, the members, and the note of the last publication. The document stays, with the fields that were published. When
   * this is interrupted, call it again. A user who chooses meanwhile may stay.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends it; what has been deleted is deleted.
   * @returns {Promise<{deleted: number}>} How many documents.
   */
  async delete(options) {
    const { signal } = takeOptions('delete', options, ['signal']);
    const { connection, place, options: counter } = partsOf(this.#count);
    const result = await connection.run('counter.delete', { counter, hasChoices: true }, { signal });
    place.members.clear();
    return result;
  }

  /**
   * Sends at once what is pending. Resolves when all of it is settled. Rejects when the database is closed before.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait; sending goes on.
   */
  async flush(options) {
    await this.#count.flush(options);
  }

  /**
   * @param {'set' | 'remove'} call
   * @param {string} uid
   * @param {string | false} wanted
   * @param {{signal?: AbortSignal}} [options]
   */
  async #wish(call, uid, wanted, options) {
    const { signal } = takeOptions(call, options, ['signal']);
    checkKey(call, uid);
    const counter = { ...partsOf(this.#count).options, choices: this.#choices };
    return press(this.#count, call, { counter, member: uid, wanted }, signal);
  }

  /**
   * @param {string} uid
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<string | undefined>}
   */
  async #choice(uid, options) {
    const { signal } = takeOptions('get', options, ['signal']);
    checkKey('get', uid);
    const { connection, place, options: counter } = partsOf(this.#count);
    const [choice] = await place.members.willHave([uid], async () => (await connection.run('keys.has', { counter, keys: [uid] }, { signal })).members);
    return typeof choice === 'string' ? choice : undefined;
  }

  /**
   * @param {SummaryOptions} [options]
   * @returns {Promise<Summary>}
   */
  async #read(options) {
    const { signal, ...args } = takeOptions('summary', options, ['source', 'signal']);
    const { place } = partsOf(this.#count);
    await place.learnt();
    const from = performance.now();
    const found = await this.#ask(args, { signal });
    const made = { from, until: performance.now() };
    await within(until(place, () => isClear(found, made, place.all)), MOST_UNCLEAR_MS).catch(() => {});
    return this.#summary(found, withChanges(found, made, this.#choices, place.all));
  }

  /**
   * @param {{source?: 'sum' | 'shards' | undefined}} args
   * @param {import('./connection.js').RunOptions} how
   */
  async #ask(args, how) {
    const { connection } = partsOf(this.#count);
    return this.#found(await connection.run('choices.summary', { ...args, ...this.#arguments }, how));
  }

  /** @param {any} result Of the core. @returns {FoundChoices} */
  #found({ totals: found, readTime, source, billed }) {
    const counts = found.map((/** @type {string | number} */ count) => Number(decodeNumber(count)));
    return { counts, value: counts.join(), number: sumOf(counts), shards: this.#count.shards ?? 0, readTime: Timestamp.fromString(readTime), source, billed };
  }

  /**
   * @param {FoundChoices} found
   * @param {{counts: number[], pending: number}} shown
   */
  #summary({ readTime, source, billed }, { counts, pending }) {
    return this.#summarize({ count: sumOf(counts), readTime, source, pending, billed }, counts);
  }

  /**
   * @param {object} fields
   * @param {AbortSignal | undefined} signal
   */
  async #publish(fields, signal) {
    const { connection } = partsOf(this.#count);
    const found = this.#found(await connection.run('choices.publish', { ...fields, ...this.#arguments }, { signal }));
    return this.#summary(found, { counts: found.counts, pending: 0 });
  }

  get #live() {
    const first = /** @type {LiveSummary<Summary>} */ ({ pending: this.#seen.pending, state: 'loading' });
    this.#store ??= new TotalStore((take) => this.#watch(take), first, this.#count.ended);
    return this.#store;
  }

  /**
   * @param {(live: LiveSummary<Summary>) => void} callback
   * @param {WatchSummaryOptions} [options]
   */
  #watch(callback, options) {
    takeOptions('watch', options, WATCH_OPTIONS);
    const { connection, place } = partsOf(this.#count);
    const seen = this.#seen;
    const view = {
      seen,
      ended: place.ended,
      learnt: () => place.learnt(),
      get pending() {
        return seen.pending;
      },
      onChange: (/** @type {() => void} */ listener) => place.onChange(() => {
        seen.follow();
        listener();
      }),
    };
    const take = (/** @type {import('./watch.js').LiveTotal} */ { state, error }) => {
      const { reading, now, pending } = seen;
      callback({ ...(reading && now && { summary: this.#summary(reading, now) }), pending, state, ...(error && { error }) });
    };
    const read = (/** @type {Parameters<import('./watch.js').Read>[0]} */ { signal, onOutage }) => this.#ask({}, { signal, onOutage });
    const loadLive = async (/** @type {boolean} */ isFirst) => {
      if (isFirst) return undefined;
      // A page fetches the core when it has time. Programs without a page have time at once.
      const whole = globalThis.document ? connection.whole : await connection.whenWhole();
      return whole && (await connection.loadListening?.())?.liveCountOf(whole, place, this.#arguments.counter, /** @type {any} */ (this.#listened));
    };
    // A watch compares the values of readings, and does not add them up: here each is a text.
    return watch(/** @type {any} */ (read), /** @type {any} */ (view), take, options, connection, loadLive);
  }

  /** How the shards are listened to: see listen/live_count.js. */
  get #listened() {
    const { choices, isComplete } = this.#arguments;
    return {
      source: { name: 'choices.summary', args: { choices, isComplete, source: 'shards' } },
      seen: this.#seen,
      readingOf: (/** @type {any} */ result) => this.#found(result),
    };
  }

  get #arguments() {
    return { counter: partsOf(this.#count).options, choices: this.#choices, isComplete: this.#isComplete };
  }
}

/** @param {number[]} counts */
function sumOf(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}
