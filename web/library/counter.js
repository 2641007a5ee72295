// Distributed counters: what JavaScript values mean to the core, and the other way round. What Firestore is asked for is
// decided there.

import { invalidArgument, ShardlineError } from './errors.js';
import { decodeNumber, Timestamp } from './values.js';
import { watch } from './watch.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./connection.js').Billed} Billed
 *
 * @typedef {'web' | 'mobile' | 'node' | 'go' | 'php' | 'ruby' | 'collection' | 'extension'} LayoutName Of the samples in
 *   Firestore's documentation: `web` is the default; `mobile` is Swift's, Objective-C's, Java's and Kotlin's; `node` also Python's
 *   and C#'s. `extension` is that of Firebase's firestore-counter extension, and needs a `countField`.
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
 * @property {string} [countField] For the layout `extension`, and needed there: the field that the extension's clients are given,
 *   such as `visits` or `stats.visits`.
 * @property {'exactly-once' | 'at-least-once' | 'transaction'} [delivery] What is done when an answer is lost. `exactly-once`, the
 *   default, writes a ledger beside the increment, and asks it. `at-least-once` does with one write less, sends the increment
 *   again, and may count twice. `transaction` reads and writes back on the condition that nobody else wrote; each increment
 *   goes by itself, and is neither coalesced nor stored.
 * @property {number} [flushMs] For how long increments gather before they are sent as one. Default 1,000; 0 sends at once.
 * @property {number | bigint} [maxDelta] What one commit may add at the most, up or down, where security rules bound it. Larger
 *   sums go in several commits.
 * @property {{max: number}} [autoResize] Gives the counter more shards, up to `max`, when this page's commits meet with contention: as
 *   many as stats() suggests. Security rules must let the page do so.
 * @property {string} [clientId] The name of this client's ledger, for security rules that want to know whose it is: the user's
 *   id (`auth.uid`). All clients of that user then share it, and each finds its own increments in it. By default one is drawn by
 *   lot.
 * @property {string} [voter] Instead of `clientId`, for security rules that let each user count once: the user's id. What says that
 *   the user has counted never expires, and no clean-up removes it. Needs the delivery `exactly-once`.
 *
 * @typedef {object} CounterReading
 * @property {number | bigint} value A bigint where a number would lose digits.
 * @property {Timestamp} readTime The moment as of which this was the value.
 * @property {number} shards How many shards were added up.
 * @property {'sum' | 'shards' | 'rollup'} source Who added up: the server, this client, or any client some time ago.
 * @property {number} [ageMs] How old the total was when it was read from the roll-up document.
 * @property {number | bigint} pending Of this client's own increments, what is not confirmed yet.
 * @property {Billed} billed
 * @property {{[shard: string]: number | bigint}} [perShard] When this client added up. In the layout `extension` also what its
 *   workers have made: their ids begin with a tab.
 * @property {number | bigint} [main] In the layout `extension`, when this client added up: what the counter's document holds.
 */

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

const MAX_SHARDS = 10_000;

/** setTimeout takes no more. */
const MAX_FLUSH_MS = 2 ** 31 - 1;

/** A counter spread over several documents; made by `db.counter(path)`. */
export class Counter {
  #connection;
  #options;
  #queue;
  #flushMs;
  #maxDelta;
  /** @type {number | undefined} */
  #shards;

  /**
   * @param {Connection} connection
   * @param {import('./queue_store.js').QueueStore} queues
   * @param {string} path
   * @param {CounterOptions} [options]
   */
  constructor(connection, queues, path, options = {}) {
    const { flushMs = 1000, maxDelta, clientId, autoResize, ...rest } = options ?? {};
    if (typeof flushMs !== 'number' || !(flushMs >= 0 && flushMs <= MAX_FLUSH_MS)) {
      throw invalidArgument('The option `flushMs` must be a number of milliseconds, from 0 on.');
    }
    const max = autoResize?.max;
    if (autoResize !== undefined && !(Number.isInteger(max) && Number(max) >= 1 && Number(max) <= MAX_SHARDS)) {
      throw invalidArgument('The option `autoResize` must be {max: an integer from 1 to 10,000}.');
    }
    this.#connection = connection;
    this.#options = { delivery: 'exactly-once', ...rest, path };
    this.#flushMs = flushMs;
    this.#maxDelta = maxDelta === undefined ? undefined : encodeDelta(maxDelta);
    this.#shards = rest.shards;
    const { voter } = rest;
    if (clientId !== undefined && voter !== undefined) {
      throw invalidArgument('A counter has either the option `clientId` or the option `voter`: a vote is kept by the voter’s id.');
    }
    const owner = clientId ?? voter;
    try {
      const { layout } = connection.runNow('counter.check', { counter: this.#options });
      const bounds = { clientId: owner ?? null, deltas: [], maxDelta: this.#maxDelta ?? null };
      connection.runNow('queue.add', { state: null, ...bounds });
      const { shardCollection, countField } = layout;
      const key = JSON.stringify([path, shardCollection, countField, this.#options.delivery, clientId ?? null, ...voter === undefined ? [] : [voter]]);
      this.#queue = queues.queue(key, this.#options);
      this.#queue.clientId = owner;
      if (max !== undefined) this.#queue.watchContention((contention) => this.#grow(max, contention));
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
    return this.#shards ?? this.#queue.shards;
  }

  /** The sum of all increments that are not confirmed: of this page, and of all tabs and earlier pages that have stored theirs. */
  get pending() {
    return this.#queue.pending;
  }

  /**
   * Makes the counter's documents, in one atomic commit. Never changes what is there. In the layout `extension`, where clients make
   * shards as they count, that is the count field alone.
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
   * Resolves when the increment is on the server. It is coalesced with others, stored, and sent until it is settled, however
   * long the network is away; rejects when the server refuses it.
   * @param {number | bigint} [delta] An integer of up to 64 bits, or a finite number with a fraction.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. What has been stored or sent by then is counted all the same.
   */
  async increment(delta = 1, { signal, ...unknown } = {}) {
    for (const name of Object.keys(unknown)) throw invalidArgument(`increment() has no option “${name}”, only signal.`);
    const amount = encodeDelta(delta);
    if (this.#options.delivery === 'transaction') return this.#transact(amount, signal);
    if (signal?.aborted) {
      throw new ShardlineError('cancelled', 'The increment was cancelled before it began.', { cause: signal.reason });
    }
    const queue = this.#queue;
    queue.counter = { ...this.#options, shards: this.shards };
    queue.flushMs = this.#flushMs;
    queue.maxDelta = this.#maxDelta;
    return queue.add(amount, signal);
  }

  /**
   * @param {import('./lane.js').Amount} amount
   * @param {AbortSignal} [signal]
   */
  async #transact(amount, signal) {
    const args = { counter: { ...this.#options, shards: this.#shards }, delta: amount };
    const forget = this.#queue.track(amount);
    let counted = false;
    try {
      const result = await this.#connection.run('counter.increment', args, { signal });
      this.#shards = result.shards;
      counted = true;
    } finally {
      forget(counted);
    }
  }

  /**
   * Sends at once what is pending. Resolves when all of it is settled: counted, or refused.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait; sending goes on.
   */
  async flush({ signal } = {}) {
    await this.#queue.flush({ signal });
  }

  /**
   * Adds shards, if contention says so.
   * @param {number} max
   * @param {{attempts: number, aborted: number, perSecond: number}} contention Since the last call.
   */
  async #grow(max, contention) {
    const shards = this.shards ?? max;
    const { suggestedShards } = this.#connection.runNow('contention', { shards, ...contention });
    const wanted = Math.min(suggestedShards, max);
    if (wanted > shards) await this.resize(wanted);
  }

  /**
   * How the load is spread, and what this page has seen of contention.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{perShard: {[shard: string]: number | bigint}, contention: {attempts: number, aborted: number},
   *   suggestedShards: number, billed: Billed}>} `attempts` are commits; `aborted` are those of them that met with contention.
   *   `suggestedShards` is never less than there are now.
   */
  async stats({ signal } = {}) {
    const { perShard = {}, billed, shards } = await this.get({ source: 'shards', signal });
    const { attempts, aborted, perSecond } = this.#queue.contention;
    const seen = { shards: this.shards ?? shards, attempts, aborted, perSecond };
    const { suggestedShards } = this.#connection.runNow('contention', seen);
    return { perShard, contention: { attempts, aborted }, suggestedShards, billed };
  }

  /**
   * Calls back with the total whenever it changes, this page's own increments at once. It stops while the page is hidden.
   * @param {(total: import('./watch.js').LiveTotal) => void} callback `value` includes what is `pending`.
   * @param {import('./watch.js').WatchOptions} [options]
   * @returns {() => void} Ends it.
   */
  watch(callback, options) {
    const queue = this.#queue;
    return watch({
      read: (how) => this.get(how),
      pending: () => queue.pending,
      asked: () => queue.asked,
      sends: () => queue.sends,
      sending: () => queue.sending,
      onChange: (listener) => queue.onChange(listener),
    }, callback, options);
  }

  /**
   * Changes the number of shards, while others keep incrementing, and moves what surplus shards hold into those that stay. No
   * count is lost or doubled. When this is interrupted, anyone may call it again. Where no document holds the number of shards
   * (layouts `node`, `go`, `php`, `ruby` and `collection`), tell it to the other clients yourself. In the layout `extension` the
   * number is each client's own matter, and nothing is moved.
   * @param {number} shards 1 to 10,000.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{shards: number, folded: number}>} `folded` is how many documents were moved.
   */
  async resize(shards, { signal, ...options } = {}) {
    const result = await this.#connection.run('counter.resize', { counter: this.#options, shards, ...options }, { signal });
    this.#shards = shards;
    this.#queue.shards = shards;
    return result;
  }

  /**
   * For the layout `extension`: moves the count into a distributed counter of another layout, which is created if it is not there.
   * No count is lost or doubled, though clients and workers of the extension go on meanwhile. When this is interrupted, anyone may
   * call it again; and so as long as old clients count, for what they count goes where it went. The document loses the count field.
   * Other fields, and other counters, stay.
   * @param {object} [options]
   * @param {Pick<CounterOptions, 'layout' | 'shards'> & {path?: string}} [options.to] Default: layout `web`, 10 shards, the same
   *   path. Two counters that are moved to the same place are added up: give each of a document's counters its own.
   * @param {AbortSignal} [options.signal] Ends it; what has been moved stays moved.
   * @returns {Promise<{shards: number, folded: number, complete: boolean}>} How many shards there are now; how many documents were
   *   emptied; and whether nothing was left in the end, or others kept counting.
   */
  async migrate({ to, signal, ...options } = {}) {
    const args = { counter: this.#options, to: { path: this.path, ...to }, ...options };
    this.#connection.runNow('counter.migrate', args); // Refuses what is wrong.
    await this.flush({ signal });
    const { shards } = await this.#connection.run('counter.create', { counter: args.to }, { signal });
    return { ...await this.#connection.run('counter.migrate', { ...args, shards }, { signal }), shards };
  }

  /**
   * Deletes the counter: its shards, and what else it has kept; its document too, unless other fields stand in it. In the layout
   * `extension` the document stays, without the count field, and so does what other counters have. When this is interrupted, call
   * it again. Whoever increments meanwhile may make shards anew.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{deleted: number}>} How many documents.
   */
  async delete({ signal, ...options } = {}) {
    return this.#connection.run('counter.delete', { counter: this.#options, ...options }, { signal });
  }

  /**
   * Reads the total.
   * @param {object} [options]
   * @param {'sum' | 'shards'} [options.source] `sum`, the default, lets the server add up: one read. `shards` reads every shard.
   * @param {number} [options.maxAgeMs] The total may be so old, by the server's clock. It is then read from a document that all
   *   readers share, and that the first of them who finds it older brings up to date: one write in such a time, however many
   *   read. Not together with `source`.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<CounterReading>}
   */
  async get({ signal, ...options } = {}) {
    const name = options.maxAgeMs === undefined ? 'counter.total' : 'counter.rollUp';
    const result = await this.#connection.run(name, { counter: this.#options, ...options }, { signal });
    const { perShard, main, ...rest } = result;
    /** @type {CounterReading} */
    const reading = { ...rest, value: decodeNumber(result.value), readTime: Timestamp.fromString(result.readTime), pending: this.pending };
    if (perShard) {
      reading.perShard = Object.fromEntries(Object.entries(perShard).map(([shard, value]) => [shard, decodeNumber(value)]));
    }
    if (main !== undefined) reading.main = decodeNumber(main);
    return reading;
  }
}

/**
 * @param {number | bigint} delta
 * @returns {import('./lane.js').Amount}
 */
function encodeDelta(delta) {
  const isInteger = typeof delta === 'bigint' ? delta >= MIN_INT64 && delta <= MAX_INT64 : Number.isSafeInteger(delta);
  if (isInteger) return { integerValue: `${delta}` };
  if (typeof delta === 'number' && Number.isFinite(delta) && !Number.isInteger(delta)) return { doubleValue: delta };
  throw invalidArgument('A counter can be incremented by a safe integer, a bigint of 64 bits, or a finite number with a fraction; '
    + 'for integers beyond 2^53 use a bigint.');
}
