// Several counters at once.

/**
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./counter.js').CounterReading} CounterReading
 * @typedef {NonNullable<Parameters<Counter['get']>[0]>} GetOptions
 */

/** Made by `db.counters(paths)`. */
export class Counters {
  #counters;

  /**
   * @param {Counter[]} counters
   * @hidden Made by the library.
   */
  constructor(counters) {
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
}
