// Distributed counters: what JavaScript values mean to the core, and the other way round. The core decides which requests Firestore gets.

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
   * Resolves when the increment is on the server. It is coalesced with others, stored, and sent until it is settled, however
   * long the network is away; rejects when the server refuses it.
   * @overload
   * @param {number | bigint} [delta] An integer of up to 64 bits, or a finite number with a fraction.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. Increments that were stored or sent by then still count.
   * @returns {Promise<void>}
   */
  /**
   * The same once for each key: for servers, and triggers that fire twice. The first increment with a key counts, from any client, and
   * further ones do not. A key is remembered for 30 to 60 days. The increment is sent by itself at once, and is not stored: without the
   * network it rejects. Call again then, also after `outcome-unknown`: with the same key it counts once.
   * @overload
   * @param {number | bigint} delta
   * @param {object} options
   * @param {string} options.key Such as an event's id: any text of up to 1,500 bytes.
   * @param {AbortSignal} [options.signal] Ends it. It may have been counted by then.
   * @returns {Promise<{counted: boolean}>} Whether it was this call that counted.
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
   * An increment that does not go through the outbox. It is pending as long as it is under way.
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
      // An earlier call, or this one with an unknown outcome, may have counted what is not published yet.
      if (!ending.isCounted) publishAgain(place);
    }
  }

  /**
   * Runs what chooses a shard.
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
   * Deletes the keys of this counter's increments that have expired: what a TTL policy does, for projects that cannot have one. A key
   * expires after 30 to 60 days. All keys are read, page by page. When this is interrupted, call it again. `db.cleanUp()` deletes the
   * markers of commits.
   * @param {object} [options]
   * @param {Date | Timestamp | number} [options.olderThan] Only those that expired before then; a number is in milliseconds since 1970.
   *   Default: now.
   * @param {AbortSignal} [options.signal] Ends it; what has been deleted is deleted.
   * @returns {Promise<{deleted: number, billed: Billed}>} How many keys.
   */
  async cleanUp(options) {
    return cleanUpKept(this, false, options);
  }
}
