// Ratings and reactions: sets of choices. Each user has one choice at a time, and shards count the choices (sharding).

import { choiceOf, ChoiceSet, publish, read, setChoice } from './choice_set.js';
import { mustBe, notAllowed, optionNotAllowed, shown } from './errors.js';
import { MOST_NAMES, takeNames } from './field_names.js';
import { readOptions, refuseUnknown, takeOptions } from './options.js';

/**
 * @typedef {import('./choice_set.js').ChoiceReading} ChoiceReading
 * @typedef {import('./choice_set.js').SummaryOptions} SummaryOptions
 * @typedef {import('./counter_database.js').CounterDatabase} CounterDatabase
 *
 * @typedef {ChoiceReading & {sum: number, average: number | null, histogram: {[value: number]: number}}} RatingSummary `average` is null without a
 *   rating. `histogram` holds the number of users for each value.
 *
 * @typedef {object} PublishRatingsOptions
 * @property {string} [average] The field of the document that gets the average, or null without a rating. Default `average`; `stars.average` is in a map.
 * @property {string} [count] The field of the document that gets the number of ratings. Default `count`.
 * @property {AbortSignal} [signal] Ends the wait. A commit that was sent by then may still take effect.
 *
 * @typedef {object} PublishReactionsOptions
 * @property {string} [counts] The field of the document that gets a map: how many users have each kind. Default `counts`, so that lists can be sorted by
 *   `counts.like`.
 * @property {string} [count] The field of the document that gets the number of users. Default `count`.
 * @property {AbortSignal} [signal] Ends the wait. A commit that was sent by then may still take effect.
 *
 * @typedef {object} RatingOptions
 * @property {number} from The least value: an integer from 0 to 100.
 * @property {number} to The largest value: an integer. There are at most 20 values.
 * @property {number} [shards] How many documents new ratings go to, from 1 to 10,000. Default 10. You may change it at any time, up to the `--shards` of your rules.
 */

/**
 * @template {string} [Kind=string]
 * @typedef {object} ReactionOptions
 * @property {readonly Kind[]} kinds 1 to 20 names, each of letters, digits and `_`, that do not begin with a digit.
 * @property {number} [shards] How many documents new reactions go to, from 1 to 10,000. Default 10. You may change it at any time, up to the `--shards` of your rules.
 */

/**
 * @template {string} [Kind=string]
 * @typedef {ChoiceReading & {counts: {[kind in Kind]: number}}} ReactionSummary `counts` holds the number of users for each kind.
 */

const LARGEST_VALUE = 100;

/**
 * The ratings of a document, such as one to five stars: each user has one at a time; made by `db.ratings(path)`.
 * @extends {ChoiceSet<RatingSummary>}
 */
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
    refuseUnknown('ratings()', unknown, ['from', 'to', 'shards']);
    if (!(Number.isInteger(from) && from >= 0 && from <= LARGEST_VALUE)) throw optionNotAllowed('from', 'an integer from 0 to 100');
    if (!(Number.isInteger(to) && to > from && to < from + MOST_NAMES)) throw optionNotAllowed('to', 'an integer from `from` + 1 to `from` + 19');
    super(db, path, {
      collection: 'shardline_ratings', shards, choices: Array.from({ length: to - from + 1 }, (_, i) => `r${from + i}`), isComplete: true,
      summarize: (reading, counts) => {
        const sum = counts.reduce((whole, count, i) => whole + count * (from + i), 0);
        const histogram = Object.fromEntries(counts.map((count, i) => [from + i, count]));
        return { ...reading, sum, average: reading.count > 0 ? sum / reading.count : null, histogram };
      },
    });
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
   * The number of ratings, their sum and average, and how many there are of each value. One read for five values, and one more for every five more, if
   * Firestore has the index that `shardline indexes rewrite --ratings` adds. Otherwise each shard is read, which `source` says.
   * @param {SummaryOptions} [options]
   * @returns {Promise<RatingSummary>}
   */
  async summary(options) {
    return read(this, options);
  }

  /**
   * Writes the average and the number of ratings into fields of the document, which must exist, so that lists can be sorted by them. Call it where your rules let you, such as
   * on your server. An older reading never replaces a newer one. It costs a summary, one read and two writes.
   * @param {PublishRatingsOptions} [options]
   * @returns {Promise<RatingSummary>} The summary that was published: what the server has.
   */
  async publish(options) {
    const { average = 'average', count = 'count', signal } = takeOptions('publish', options, ['average', 'count', 'signal']);
    return publish(this, { average, count, from: this.#from }, signal);
  }
}

/**
 * The reactions to a document, such as like, love and laugh: each user has one at a time; made by `db.reactions(path)`.
 * @template {string} [Kind=string]
 * @extends {ChoiceSet<ReactionSummary<Kind>>}
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
    refuseUnknown('reactions()', unknown, ['kinds', 'shards']);
    const kinds = takeNames('kinds', given);
    super(db, path, {
      collection: 'shardline_reactions', shards, choices: kinds, isComplete: false,
      summarize: (reading, counts) => (
        { ...reading, counts: /** @type {{[kind in Kind]: number}} */ (Object.fromEntries(kinds.map((kind, i) => [kind, counts[i] ?? 0]))) }),
    });
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
   * How many users have reacted, and how many with each kind. Two reads for four kinds, and one more for every four more, if Firestore has the index that
   * `shardline indexes rewrite --reactions` adds, and every shard has all kinds. Otherwise each shard is read, which `source` says.
   * @param {SummaryOptions} [options]
   * @returns {Promise<ReactionSummary<Kind>>}
   */
  async summary(options) {
    return read(this, options);
  }

  /**
   * Writes how many users have each kind into a map in the document, which must exist, and how many have reacted into another field, so that lists can be sorted by them.
   * Call it where your rules let you, such as on your server. An older reading never replaces a newer one. It costs a summary, one read and two writes.
   * @param {PublishReactionsOptions} [options]
   * @returns {Promise<ReactionSummary<Kind>>} The summary that was published: what the server has.
   */
  async publish(options) {
    const { counts = 'counts', count = 'count', signal } = takeOptions('publish', options, ['counts', 'count', 'signal']);
    return publish(this, { counts, count }, signal);
  }
}
