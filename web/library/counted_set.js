// Counted sets: keys that count once each, such as the users who like a post.

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
   * Adds a key, such as the id of a user who likes a post. The total goes up by 1 unless the key counts
   * already, from any device, and whatever is lost or sent twice. It shows at once, is stored, and waits for the network, as increments do;
   * of several wishes for one key that wait, the last one is sent.
   * @param {string} key Any text of up to 1,500 bytes. It is found by its name in the database.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A like that was stored or sent by then still counts.
   * @returns {Promise<{changed: boolean}>} When it is on the server. `changed` is true only if it was surely this call that counted the key.
   */
  async add(key, options) {
    return this.#wish('add', key, options);
  }

  /**
   * Takes back what add() has counted: the total goes down by 1 if the key counts. It shows at once, is stored, and waits for the network.
   * @param {string} key
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. A change that was stored or sent by then still takes effect.
   * @returns {Promise<{changed: boolean}>} When it is on the server. `changed` is true only if it was surely this call that took the key back.
   */
  async remove(key, options) {
    return this.#wish('remove', key, options);
  }

  /**
   * Whether a key counts, or will when what waits here has been sent: one billed read.
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
   * Whether keys count, asked for together: one billed read for each.
   * @param {Iterable<string>} keys
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Map<string, boolean>>} By key, in the order asked for.
   */
  async hasAll(keys, options) {
    const all = takeList('hasAll', 'keys', keys);
    for (const key of all) checkKey('hasAll', key);
    const members = await this.#members('hasAll', all, options);
    return new Map(all.map((key, i) => [key, members[i] === true]));
  }

  /**
   * Deletes the members that were taken back and have expired: what a TTL policy does, for projects that cannot have one. Such a member expires after 30 to 60
   * days. All members are read, page by page. When this is interrupted, call it again.
   * @param {object} [options]
   * @param {Date | import('./values.js').Timestamp | number} [options.olderThan] Only those that expired before then; a number is in milliseconds since 1970.
   *   Default: now.
   * @param {AbortSignal} [options.signal] Ends it; what has been deleted is deleted.
   * @returns {Promise<{deleted: number, billed: import('./connection.js').Billed}>} How many members.
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
    return /** @type {Promise<boolean[]>} */ (place.willHave(keys, ask));
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
