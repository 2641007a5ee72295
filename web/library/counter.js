// Distributed counters: what JavaScript values mean to the core, and the other way round. What Firestore is asked for is
// decided there.

import { invalidArgument, ShardlineError } from './errors.js';
import { decodeNumber, encodeNumber, Timestamp } from './values.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./connection.js').Billed} Billed
 *
 * @typedef {'web' | 'mobile' | 'node' | 'go' | 'php' | 'ruby' | 'collection'} LayoutName Of the samples in Firestore's
 *   documentation: `web` is the default; `mobile` is Swift's, Objective-C's, Java's and Kotlin's; `node` also Python's and C#'s.
 *
 * @typedef {object} LayoutSpec
 * @property {string | null} shardCollection The subcollection of shards; null if the counter's path is itself their collection.
 * @property {string} countField The field of a shard that holds its count, such as `count` or `stats.likes`.
 * @property {string | null} [shardCountField] The field of the counter's document that holds the number of shards.
 * @property {boolean} [parent] Whether there is a counter's document. Default: if there is a shardCountField.
 *
 * @typedef {object} CounterOptions
 * @property {number} [shards] 1 to 10,000. Without it the counter's document is asked once; create() makes 10.
 * @property {LayoutName | LayoutSpec} [layout] Default `web`.
 * @property {'at-least-once' | 'transaction'} [delivery] What is done when an answer is lost. `at-least-once`, the default, sends
 *   the increment again, and may count twice. `transaction` reads and writes back on the condition that nobody else wrote.
 *
 * @typedef {object} CounterReading
 * @property {number | bigint} value A bigint where a number would lose digits.
 * @property {Timestamp} readTime The moment as of which this was the value.
 * @property {number} shards How many shards were added up.
 * @property {'sum' | 'shards'} source Who added up: the server, or this client.
 * @property {number} pending Of this client's own increments, what is not in `value` yet.
 * @property {Billed} billed
 * @property {{[shard: string]: number | bigint}} [perShard] When this client added up.
 */

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A counter spread over several documents; made by `db.counter(path)`. */
export class Counter {
  #connection;
  #options;
  /** @type {number | undefined} */
  #shards;

  /**
   * @param {Connection} connection
   * @param {string} path
   * @param {CounterOptions} [options]
   */
  constructor(connection, path, options = {}) {
    this.#connection = connection;
    this.#options = { delivery: 'at-least-once', ...options, path };
    this.#shards = options?.shards;
    try {
      connection.runNow('counter.check', { counter: this.#options });
    } catch (error) {
      if (error instanceof ShardlineError) throw error;
      // What JSON cannot say: a bigint, or an object that contains itself.
      throw invalidArgument(`A counter cannot have these options: ${/** @type {Error} */ (error).message}.`);
    }
  }

  /** Of the counter's document; for some layouts of the collection of its shards. */
  get path() {
    return this.#options.path;
  }

  /** How many shards the counter has; undefined until it is known. */
  get shards() {
    return this.#shards;
  }

  /**
   * Makes the counter's documents, in one atomic commit. Never changes what is there.
   * @param {object} [options]
   * @param {'keep' | 'error'} [options.ifExists] `error` rejects with `already-exists`. Default `keep`.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{created: boolean, shards: number}>} `created` is true only if it was surely this call.
   */
  async create({ signal, ...options } = {}) {
    const result = await this.#connection.run('counter.create', { counter: this.#options, ...options }, { signal });
    this.#shards = result.shards;
    return result;
  }

  /**
   * Resolves when the increment is on the server.
   * @param {number | bigint} [delta] An integer of up to 64 bits, or a finite number with a fraction.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Too late for what has been sent: that may be counted.
   */
  async increment(delta = 1, { signal, ...options } = {}) {
    const args = { counter: { ...this.#options, shards: this.#shards }, delta: encodeDelta(delta), ...options };
    const result = await this.#connection.run('counter.increment', args, { signal });
    this.#shards = result.shards;
  }

  /**
   * Deletes the counter: its shards, and what else it has kept; its document too, unless other fields stand in it. When this is
   * interrupted, call it again. Whoever increments meanwhile may make shards anew.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{deleted: number}>} How many documents.
   */
  async delete({ signal, ...options } = {}) {
    return this.#connection.run('counter.delete', { counter: this.#options, ...options }, { signal });
  }

  /**
   * What each shard holds.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{perShard: {[shard: string]: number | bigint}}>}
   */
  async stats(options) {
    const { perShard = {} } = await this.get({ ...options, source: 'shards' });
    return { perShard };
  }

  /**
   * Reads the total.
   * @param {object} [options]
   * @param {'sum' | 'shards'} [options.source] `sum`, the default, lets the server add up: one read. `shards` reads every shard.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<CounterReading>}
   */
  async get({ signal, ...options } = {}) {
    const result = await this.#connection.run('counter.total', { counter: this.#options, ...options }, { signal });
    const { perShard, ...rest } = result;
    /** @type {CounterReading} */
    const reading = { ...rest, value: decodeNumber(result.value), readTime: Timestamp.fromString(result.readTime), pending: 0 };
    if (perShard) {
      reading.perShard = Object.fromEntries(Object.entries(perShard).map(([shard, value]) => [shard, decodeNumber(value)]));
    }
    return reading;
  }
}

/**
 * @param {number | bigint} delta
 */
function encodeDelta(delta) {
  const isInteger = typeof delta === 'bigint' ? delta >= MIN_INT64 && delta <= MAX_INT64 : Number.isSafeInteger(delta);
  if (isInteger) return { integerValue: `${delta}` };
  if (typeof delta === 'number' && Number.isFinite(delta) && !Number.isInteger(delta)) return encodeNumber(delta, 'delta');
  throw invalidArgument('A counter can be incremented by a safe integer, a bigint of 64 bits, or a finite number with a fraction; '
    + 'for integers beyond 2^53 use a bigint.');
}
