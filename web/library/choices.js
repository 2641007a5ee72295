// Sets of choices: each user has one choice at a time, and shards count the choices (sharding). Ratings and reactions are such sets.

import { checkKey } from './counter_arguments.js';
import { mustBe, notAllowed, optionNotAllowed, shown } from './errors.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { readable, readOptions, refuseUnknown, takeOptions } from './options.js';
import { lacks } from './seen_total.js';
import { partsOf, press } from './sharded_count.js';
import { decodeNumber, Timestamp } from './values.js';
import { until, within } from './waits.js';

/**
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./counter_database.js').CounterDatabase} CounterDatabase
 *
 * @typedef {object} SummaryOptions
 * @property {'sum' | 'shards'} [source] `sum`, the default, lets the server add up. `shards` reads every shard.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} ChoiceReading
 * @property {number} count The number of users who have a choice.
 * @property {Timestamp} readTime The moment at which the summary was true on the server.
 * @property {'sum' | 'shards'} source Who added up: the server, or this client.
 * @property {number} pending The number of changes of this device in it that the server has not confirmed.
 * @property {Billed} billed
 *
 * @typedef {ChoiceReading & {sum: number, average: number | null, histogram: {[value: number]: number}}} RatingSummary `average` is null without a
 *   rating. `histogram` holds the number of users for each value.
 *
 * @typedef {object} RatingOptions
 * @property {number} from The least value: an integer from 0 to 100.
 * @property {number} to The largest value: an integer. There are at most 20 values.
 * @property {number} [shards] How many documents new ratings go to, from 1 to 10,000. Default 10. A larger number works at once.
 */

/**
 * @template {string} [Kind=string]
 * @typedef {object} ReactionOptions
 * @property {readonly Kind[]} kinds 1 to 20 names, each of letters, digits and `_`, that do not begin with a digit.
 * @property {number} [shards] How many documents new reactions go to, from 1 to 10,000. Default 10. A larger number works at once.
 */

/**
 * @template {string} [Kind=string]
 * @typedef {ChoiceReading & {counts: {[kind in Kind]: number}}} ReactionSummary `counts` holds the number of users for each kind.
 */

const MOST_VALUES = 20;
const LARGEST_VALUE = 100;
/** How long a summary waits, in milliseconds, until it is clear whether it includes a change that is under way. */
const MOST_UNCLEAR_MS = 1000;

/** @type {(set: ChoiceSet, uid: string, choice: string, options: {signal?: AbortSignal} | undefined) => Promise<{changed: boolean}>} */
let setChoice;
/** @type {(set: ChoiceSet, uid: string, options: {signal?: AbortSignal} | undefined) => Promise<string | undefined>} undefined: none. */
let choiceOf;
/** @type {(set: ChoiceSet, options: SummaryOptions | undefined) => Promise<{reading: ChoiceReading, counts: number[]}>} */
let read;

/** A set of users, each with one choice: the class that ratings and reactions extend. */
export class ChoiceSet {
  #count;
  #choices;
  #isComplete;

  static {
    setChoice = (set, ...args) => set.#wish('set', ...args);
    choiceOf = (set, ...args) => set.#choice(...args);
    read = (set, ...args) => set.#read(...args);
    keepFromProxies(this);
    answerHabits(this, 'watch onSnapshot', 'summary()', '');
  }

  /**
   * @param {CounterDatabase} db
   * @param {string} path
   * @param {string} collection Of the shards.
   * @param {number | undefined} shards
   * @param {string[]} choices The fields of the shards.
   * @param {boolean} isComplete Whether they are the same for ever.
   * @hidden Made by the library.
   */
  constructor(db, path, collection, shards, choices, isComplete) {
    this.#count = db.counter(path, { layout: { shardCollection: collection, countField: 'choice' }, shards: shards ?? 10 });
    this.#choices = choices;
    this.#isComplete = isComplete;
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
    return press(this.#count, call, { counter: this.#arguments, member: uid, wanted }, signal);
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
    const [choice] = await place.willHave([uid], async () => (await connection.run('keys.has', { counter, keys: [uid] }, { signal })).members);
    return typeof choice === 'string' ? choice : undefined;
  }

  /**
   * @param {SummaryOptions} [options]
   * @returns {Promise<{reading: ChoiceReading, counts: number[]}>}
   */
  async #read(options) {
    const { signal, ...args } = takeOptions('summary', options, ['source', 'signal']);
    const { connection, place, options: counter } = partsOf(this.#count);
    await place.learnt();
    const from = performance.now();
    const all = { ...args, counter, choices: this.#choices, isComplete: this.#isComplete };
    const { counts: found, readTime: time, source, billed } = await connection.run('choices.summary', all, { signal });
    const made = { from, until: performance.now() };
    const readTime = Timestamp.fromString(time);
    const isLacking = (/** @type {import('./outbox/place.js').Part} */ part) => lacks({ readTime }, made, part);
    await within(until(place, () => place.all.every((part) => isLacking(part) !== undefined)), MOST_UNCLEAR_MS).catch(() => {});
    const counts = found.map((/** @type {string | number} */ count) => Number(decodeNumber(count)));
    let pending = 0;
    for (const part of place.all) {
      const { wanted, before } = part.wish ?? {};
      if (isLacking(part) === false || wanted === before) continue;
      if (!part.end) pending += 1;
      for (const [choice, change] of /** @type {const} */ ([[wanted, 1], [before, -1]])) {
        const at = this.#choices.indexOf(String(choice));
        if (at >= 0) counts[at] += change;
      }
    }
    const count = counts.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0);
    return { reading: { count, readTime, source, pending, billed }, counts };
  }

  get #arguments() {
    return { ...partsOf(this.#count).options, choices: this.#choices };
  }
}

/** The ratings of a document, such as one to five stars: each user has one at a time; made by `db.ratings(path)`. */
export class Ratings extends ChoiceSet {
  #from;
  #to;

  /**
   * @param {CounterDatabase} db
   * @param {string} path
   * @param {RatingOptions} options
   * @hidden Made by the library.
   */
  constructor(db, path, options) {
    const { from, to, shards, ...unknown } = readOptions('ratings', options);
    refuseUnknown('Besides its path, ratings()', unknown, ['from', 'to', 'shards']);
    if (!(Number.isInteger(from) && from >= 0 && from <= LARGEST_VALUE)) throw optionNotAllowed('from', 'an integer from 0 to 100');
    if (!(Number.isInteger(to) && to > from && to < from + MOST_VALUES)) throw optionNotAllowed('to', 'an integer from `from` + 1 to `from` + 19');
    super(db, path, 'shardline_ratings', shards, Array.from({ length: to - from + 1 }, (_, i) => `r${from + i}`), true);
    this.#from = from;
    this.#to = to;
  }

  /**
   * Sets the rating of a user, who has one at a time: a new rating takes the place of the one before, from whatever device. It shows at once, is
   * stored, and waits for the network; of several that wait, the last one is sent.
   * @param {string} uid The user's id, or any other text of up to 1,500 bytes.
   * @param {number} value An integer, from `from` to `to`.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A rating that was stored or sent by then still takes effect.
   * @returns {Promise<{changed: boolean}>} When it is on the server. `changed` is true only if it was surely this call that changed something.
   */
  async set(uid, value, options) {
    if (!(Number.isInteger(value) && value >= this.#from && value <= this.#to)) throw mustBe('value', `an integer from ${this.#from} to ${this.#to}`, value);
    return setChoice(this, uid, `r${value}`, options);
  }

  /**
   * The rating of a user, or the rating that the user will have when the changes that wait here have been sent: one billed read.
   * @param {string} uid
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<number | undefined>} undefined: the user has not rated.
   */
  async get(uid, options) {
    const choice = await choiceOf(this, uid, options);
    return choice === undefined ? undefined : Number(choice.slice(1));
  }

  /**
   * The number of ratings, their sum and average, and how many there are of each value. One read, if there are at most five values and Firestore has the
   * index that `shardline indexes rewrite --ratings` adds. Otherwise each shard is read, which `source` says.
   * @param {SummaryOptions} [options]
   * @returns {Promise<RatingSummary>}
   */
  async summary(options) {
    const { reading, counts } = await read(this, options);
    const sum = counts.reduce((whole, count, i) => whole + count * (this.#from + i), 0);
    const histogram = Object.fromEntries(counts.map((count, i) => [this.#from + i, count]));
    return { ...reading, sum, average: reading.count > 0 ? sum / reading.count : null, histogram };
  }
}

/**
 * The reactions to a document, such as like, love and laugh: each user has one at a time; made by `db.reactions(path)`.
 * @template {string} [Kind=string]
 */
export class Reactions extends ChoiceSet {
  #kinds;

  /**
   * @param {CounterDatabase} db
   * @param {string} path
   * @param {ReactionOptions<Kind>} options
   * @hidden Made by the library.
   */
  constructor(db, path, options) {
    const { kinds: given, shards, ...unknown } = readOptions('reactions', options);
    refuseUnknown('Besides its path, reactions()', unknown, ['kinds', 'shards']);
    const kinds = readable('kinds', () => (Array.isArray(given) ? [...given] : []));
    const areNames = kinds.every((kind) => typeof kind === 'string' && /^[A-Za-z_]\w{0,49}$/.test(kind) && !/^__.*__$/.test(kind));
    if (!areNames || kinds.length === 0 || kinds.length > MOST_VALUES || new Set(kinds).size < kinds.length) {
      throw optionNotAllowed('kinds', 'a list of 1 to 20 different names of letters, digits and `_`');
    }
    super(db, path, 'shardline_reactions', shards, kinds, false);
    this.#kinds = kinds;
  }

  /**
   * Sets the reaction of a user, who has one at a time: a new reaction takes the place of the one before, from whatever device. It shows at once, is
   * stored, and waits for the network; of several that wait, the last one is sent.
   * @param {string} uid The user's id, or any other text of up to 1,500 bytes.
   * @param {Kind} kind One of `kinds`.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A reaction that was stored or sent by then still takes effect.
   * @returns {Promise<{changed: boolean}>} When it is on the server. `changed` is true only if it was surely this call that changed something.
   */
  async set(uid, kind, options) {
    if (!this.#kinds.includes(kind)) throw notAllowed('kind', `one of ${this.#kinds.join(', ')}`, `set() takes one of ${this.#kinds.join(', ')}, not ${shown(kind)}.`);
    return setChoice(this, uid, kind, options);
  }

  /**
   * The reaction of a user, or the reaction that the user will have when the changes that wait here have been sent: one billed read.
   * @param {string} uid
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Kind | undefined>} undefined: the user has not reacted.
   */
  async get(uid, options) {
    return /** @type {Promise<Kind | undefined>} */ (choiceOf(this, uid, options));
  }

  /**
   * How many users have reacted, and how many with each kind. One read, if there are at most four kinds, Firestore has the index that
   * `shardline indexes rewrite --reactions` adds, and every shard has been written. Otherwise each shard is read, which `source` says.
   * @param {SummaryOptions} [options]
   * @returns {Promise<ReactionSummary<Kind>>}
   */
  async summary(options) {
    const { reading, counts } = await read(this, options);
    return { ...reading, counts: /** @type {{[kind in Kind]: number}} */ (Object.fromEntries(this.#kinds.map((kind, i) => [kind, counts[i] ?? 0]))) };
  }
}
