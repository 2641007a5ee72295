// Distributed counters (sharding): translates between JavaScript values and the core. The core decides which requests Firestore gets.

import { checkInOneCommit, checkKey, encodeDelta } from './counter_arguments.js';
import { notAllowed } from './errors.js';
import { answerHabits } from './habits.js';
import { takeOptions } from './options.js';
import { publishAgain } from './publisher.js';
import { cleanUpKept, partsOf, press, ShardedCount } from './sharded_count.js';
import { Timestamp } from './values.js';

/**
 * @typedef {import('./amounts.js').Amount} Amount
 * @typedef {import('./connection.js').Billed} Billed
 */

/** The facts that a batch needs of a counter; undefined for anything else. @type {(counter: unknown) => import('./sharded_count.js').CountParts | undefined} */
export let batchedCounter;

/** A counter spread over several documents; made by `db.counter(path)`. */
export class Counter extends ShardedCount {
  static {
    batchedCounter = (counter) => (#sendAlone in Object(counter) ? partsOf(/** @type {Counter} */ (counter)) : undefined);
    answerHabits(this, 'add remove has', 'increment(number) or db.countedSet(path)', '');
  }

  /**
   * Adds to the counter. Resolves when the increment is on the server, and rejects if the server refuses it. The library coalesces it with others,
   * stores it, and sends it until it is settled, however long the network is away.
   * @overload
   * @param {number | bigint} [delta] An integer of up to 64 bits, or a finite number with a fraction.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. Increments that were stored or sent by then still count.
   * @returns {Promise<void>}
   */
  /**
   * Adds once for each key (an idempotency key): for servers, and for triggers that fire twice. The first increment with a key counts, from any
   * client, and further ones do not. The database remembers a key for 30 to 60 days. The increment goes by itself at once, and is not stored: without
   * the network it rejects. Then call it again, also after `outcome-unknown`: with the same key it counts once.
   * @overload
   * @param {number | bigint} delta
   * @param {object} options
   * @param {string} options.key Any string of up to 1,500 bytes, such as an event's id.
   * @param {AbortSignal} [options.signal] Ends the call. The increment may have been counted by then.
   * @returns {Promise<{counted: boolean}>} `counted` is true if this call counted.
   */
  /**
   * @param {number | bigint} [delta]
   * @param {{key?: string, signal?: AbortSignal}} [options]
   * @returns {Promise<any>}
   */
  async increment(delta = 1, options = {}) {
    if (!(this instanceof Counter)) {
      throw notAllowed('this', 'a counter', 'increment() was called without its counter: pass () => counter.increment() on.');
    }
    const taken = takeOptions('increment', options, ['key', 'signal']);
    const { signal, key } = taken;
    const { connection, options: { delivery }, maxDelta } = partsOf(this);
    const amount = encodeDelta(delta);
    // A key that is undefined by mistake must not count without one.
    if ('key' in taken) {
      checkKey('increment', key);
      checkInOneCommit(amount, maxDelta, 'with a key');
      const args = { key, delta: amount, serverNow: connection.serverNow() };
      return { counted: (await this.#sendAlone('key.increment', args, amount, signal)).changed };
    }
    if (delivery === 'transaction') {
      checkInOneCommit(amount, maxDelta, 'with the delivery “transaction”');
      return void await this.#sendAlone('counter.increment', { delta: amount }, amount, signal);
    }
    return void await press(this, 'increment', { amount }, signal);
  }

  /**
   * Sends an increment without the outbox. It is pending as long as it is under way.
   * @param {string} name
   * @param {object} args
   * @param {Amount} amount
   * @param {AbortSignal} [signal]
   */
  async #sendAlone(name, args, amount, signal) {
    const { place } = partsOf(this);
    const end = place.track(amount);
    /** @type {{isCounted: boolean, at?: Timestamp}} */
    let ending = { isCounted: false };
    try {
      const result = await this.#runOnShards(name, args, signal);
      const { attempts, aborted, changed = true, commitTime } = result;
      const { commits } = place;
      commits.attempts += attempts;
      commits.aborted += aborted;
      ending = { isCounted: changed, ...(commitTime && { at: Timestamp.fromString(commitTime) }) };
      return result;
    } finally {
      end(ending);
      // An earlier call, or this one with an unknown outcome, may have counted, and no total with it is published yet.
      if (!ending.isCounted) publishAgain(place);
    }
  }

  /**
   * Runs an operation that chooses a shard.
   * @param {string} name
   * @param {object} args
   * @param {AbortSignal} [signal]
   */
  async #runOnShards(name, args, signal) {
    const { connection, place: { knownShards }, options } = partsOf(this);
    const said = options.shards;
    const shards = knownShards.goBy(said);
    const run = (/** @type {number | undefined} */ number) => (
      connection.run(name, { ...args, counter: { ...options, shards: number } }, { signal }));
    const result = await run(shards).catch((error) => {
      if (error.code === 'permission-denied' && knownShards.doubt(said, shards)) return run(undefined);
      throw error;
    });
    knownShards.offer(said, result.shards);
    return result;
  }

  /**
   * Deletes the expired keys of this counter's increments, for projects that cannot have a TTL policy. A key expires after 30 to 60 days. The call
   * reads all keys, page by page. If it is interrupted, call it again. `db.cleanUp()` deletes the markers of commits.
   * @param {object} [options]
   * @param {Date | Timestamp | number} [options.olderThan] Deletes only keys that expired before this time; a number is in milliseconds since 1970.
   *   Default: now.
   * @param {AbortSignal} [options.signal] Ends the call. Deleted keys stay deleted.
   * @returns {Promise<{deleted: number, billed: Billed}>} `deleted` is the number of keys.
   */
  async cleanUp(options) {
    return cleanUpKept(this, false, options);
  }
}
