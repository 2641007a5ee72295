// Several counters at once.

import { batchedCounter } from './counter.js';
import { checkKey } from './counter_arguments.js';
import { takeOptions } from './options.js';

/**
 * @typedef {import('./counter.js').BatchedCounter} BatchedCounter
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./counter.js').CounterReading} CounterReading
 * @typedef {NonNullable<Parameters<Counter['get']>[0]>} GetOptions
 */

/** Made by `db.counters(paths)`. */
export class Counters {
  #connection;
  #counters;

  /**
   * @param {import('./connection.js').Connection} connection
   * @param {Counter[]} counters
   * @hidden Made by the library.
   */
  constructor(connection, counters) {
    this.#connection = connection;
    this.#counters = counters;
  }

  /**
   * Reads all totals, side by side: in the time that the slowest takes.
   * @param {GetOptions} [options] As for get() of one.
   * @returns {Promise<Map<string, CounterReading>>} By path, in the order asked for. One that fails rejects it all.
   */
  async getAll(options) {
    return new Map(await Promise.all(this.#counters.map(async (counter) => {
      /** @type {[string, CounterReading]} */
      const entry = [counter.path, await counter.get(options)];
      return entry;
    })));
  }

  /**
   * In which of these counted sets a key counts, or will when what waits here has been sent. All are asked for together: one billed read
   * for each.
   * @param {string} key Such as a user's id.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Map<string, boolean>>} By path, in the order asked for.
   */
  async hasAll(key, options) {
    const { signal } = takeOptions('hasAll', options, ['signal']);
    checkKey('hasAll', key);
    if (this.#counters.length === 0) return new Map();
    const parts = this.#counters.map((counter) => /** @type {BatchedCounter} */ (batchedCounter(counter)));
    const asked = this.#connection.run('keys.has', { counters: parts.map(({ options: counter }) => counter), key }, { signal });
    const answers = parts.map(({ place }, i) => place.willHave([key], async () => [(await asked).members[i]]));
    const members = await Promise.all(answers);
    return new Map(this.#counters.map(({ path }, i) => [path, members[i]?.[0] === true]));
  }
}
