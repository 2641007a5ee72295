// Counted sets: keys that count once each, such as the users who like a post. Each member's document is an idempotency key.

import { checkKey } from './counter_arguments.js';
import { answerHabits } from './habits.js';
import { takeList, takeOptions } from './options.js';
import { cleanUpKept, partsOf, press, ShardedCount } from './sharded_count.js';

/** A set of keys, whose size is spread over several documents; made by `db.countedSet(path)`. */
export class CountedSet extends ShardedCount {
  static {
    answerHabits(this, 'increment', 'add(key) or db.counter(path)', '');
  }

  /**
   * Adds a key, such as the id of a user who likes a post. The total goes up by 1 unless the key counts already. This holds for any device, and also
   * if requests are lost or sent twice. The change shows at once, is stored, and waits for the network, like increments. If several changes of one
   * key wait, the library sends the last one.
   * @param {string} key Any string of up to 1,500 bytes. It is the id of a document in the database.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A like that was stored or sent by then still counts.
   * @returns {Promise<{changed: boolean}>} Resolves when the change is on the server. `changed` is true only if this call surely counted the key.
   */
  async add(key, options) {
    return this.#wish('add', key, options);
  }

  /**
   * Takes a key back: the total goes down by 1 if the key counts. The change shows at once, is stored, and waits for the network.
   * @param {string} key
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A change that was stored or sent by then still takes effect.
   * @returns {Promise<{changed: boolean}>} Resolves when the change is on the server. `changed` is true only if this call surely took the key back.
   */
  async remove(key, options) {
    return this.#wish('remove', key, options);
  }

  /**
   * Whether a key counts, or will count when the waiting changes of this device are sent: one billed read.
   * @param {string} key
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<boolean>}
   */
  async has(key, options) {
    checkKey('has', key);
    return (await this.#members('has', [key], options))[0] === true;
  }

  /**
   * Whether keys count, in as few requests as possible: one billed read for each key.
   * @param {Iterable<string>} keys
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Map<string, boolean>>} By key, in the order of `keys`.
   */
  async hasAll(keys, options) {
    const all = takeList('hasAll', 'keys', keys);
    for (const key of all) checkKey('hasAll', key);
    const members = await this.#members('hasAll', all, options);
    return new Map(all.map((key, i) => [key, members[i] === true]));
  }

  /**
   * Deletes the expired documents of members that were taken back, for projects that cannot have a TTL policy. Such a document expires after 30 to 60
   * days. The call reads all members, page by page. If it is interrupted, call it again.
   * @param {object} [options]
   * @param {Date | import('./values.js').Timestamp | number} [options.olderThan] Deletes only members that expired before this time; a number is in
   *   milliseconds since 1970. Default: now.
   * @param {AbortSignal} [options.signal] Ends the call. Deleted members stay deleted.
   * @returns {Promise<{deleted: number, billed: import('./connection.js').Billed}>} `deleted` is the number of members.
   */
  async cleanUp(options) {
    return cleanUpKept(this, true, options);
  }

  /**
   * @param {string} call
   * @param {string[]} keys
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<boolean[]>}
   */
  async #members(call, keys, options) {
    const { signal } = takeOptions(call, options, ['signal']);
    if (keys.length === 0) return [];
    const { connection, place, options: counter } = partsOf(this);
    const ask = async () => (await connection.run('keys.has', { counter, keys }, { signal })).members;
    return /** @type {Promise<boolean[]>} */ (place.members.willHave(keys, ask));
  }

  /**
   * @param {'add' | 'remove'} call
   * @param {string} key
   * @param {{signal?: AbortSignal}} [options]
   */
  async #wish(call, key, options) {
    const { signal } = takeOptions(call, options, ['signal']);
    checkKey(call, key);
    return press(this, call, { member: key, wanted: call === 'add' }, signal);
  }
}
