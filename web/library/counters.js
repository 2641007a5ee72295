// Several counters at once.

import { callApart } from './apart.js';
import { checkKey } from './counter_arguments.js';
import { notAllowed, optionNotAllowed } from './errors.js';
import { keepFromProxies } from './habits.js';
import { readOptions, takeOptions } from './options.js';
import { partsOf } from './sharded_count.js';
import { decodeNumber, Timestamp } from './values.js';

/**
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {import('./watch.js').WatchOptions} WatchOptions
 * @typedef {NonNullable<Parameters<Counter['get']>[0]>} GetOptions
 * @typedef {Omit<GetOptions, 'source'> & {source?: GetOptions['source'] | 'published'}} GetAllOptions
 * @typedef {Omit<CounterReading, 'source'> & {source: CounterReading['source'] | 'published'}} ListedReading `published`: it was read from the field of
 *   the counter's document, and is as old as that.
 */

/** Made by `db.counters(paths)`. */
export class Counters {
  #connection;
  #counters;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {import('./connection.js').Asking} connection
   * @param {Counter[]} counters
   * @hidden Made by the library.
   */
  constructor(connection, counters) {
    this.#connection = connection;
    this.#counters = counters;
  }

  /**
   * Reads all totals in parallel: the call takes as long as the slowest reading.
   * @param {GetAllOptions} [options] The options of get(). With `source: 'published'` one request reads the totals from the field in the option
   *   `publish` of these counters. A counter without a published total is read like by get().
   * @returns {Promise<Map<string, ListedReading>>} By path, in the order of `paths`. Rejects if one reading fails.
   */
  async getAll(options) {
    const { source, ...others } = readOptions('getAll', options);
    const published = source === 'published' ? await this.#published(others.signal) : [];
    const how = source === 'published' ? others : /** @type {GetOptions} */ (options);
    return new Map(await Promise.all(this.#counters.map(async (counter, i) => {
      /** @type {[string, ListedReading]} */
      const entry = [counter.path, published[i] ?? await counter.get(how)];
      return entry;
    })));
  }

  /** @param {AbortSignal} [signal] @returns {Promise<(ListedReading | undefined)[]>} */
  async #published(signal) {
    const [first] = this.#counters;
    if (!first) return [];
    const { publish } = partsOf(first);
    if (publish === undefined) throw optionNotAllowed('publish', '{field: …}, for the source “published”');
    const counters = this.#counters.map((counter) => partsOf(counter).options);
    /** @type {{totals: ({value: string | number, readTime: string} | null)[]}} */
    const { totals } = await this.#connection.run('counters.published', { counters, publish }, { signal });
    return totals.map((total, i) => {
      const counter = this.#counters[i];
      if (!total || !counter) return undefined;
      const value = decodeNumber(total.value);
      return {
        value, number: Number(value), readTime: Timestamp.fromString(total.readTime), shards: counter.shards ?? 0, source: 'published', pending: counter.pending,
        billed: { reads: 1, writes: 0, deletes: 0 },
      };
    });
  }

  /**
   * Calls back with all totals when each has a value or an error, and whenever one changes. Each is a LiveTotal of watch(), with this page's own
   * increments. Changes that come together cause one call.
   * @param {(totals: Map<string, LiveTotal>) => void} callback The totals by path, in the order of `paths`.
   * @param {WatchOptions} [options] The options of each watch. `readsPerHour` bounds each counter.
   * @returns {() => void} Ends it.
   */
  watch(callback, options) {
    if (typeof callback !== 'function') throw notAllowed('callback', 'a function', 'watch() of several counters needs a function to call back.');
    const how = readOptions('watch', options);
    /** @type {Map<string, LiveTotal>} */
    const totals = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const tell = () => {
      timer = undefined;
      const known = this.#counters.map(({ path }) => /** @type {const} */ ([path, /** @type {LiveTotal} */ (totals.get(path))]));
      if (!how.signal?.aborted && known.every(([, total]) => total && (total.value !== undefined || total.state !== 'loading'))) callApart(callback, new Map(known));
    };
    const stops = this.#counters.map((counter) => counter.watch((total) => {
      totals.set(counter.path, total);
      timer ??= setTimeout(tell, 0);
    }, how));
    // An empty list is known at once.
    if (stops.length === 0) timer = setTimeout(tell, 0);
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }

  /**
   * Whether a key counts in each of the counted sets at these paths, or will count when the waiting changes of this device are sent: one billed read
   * for each set. Rejects if the server must answer for one of them and cannot (`unavailable` offline).
   * @param {string} key The key, such as a user's id.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Map<string, boolean>>} By path, in the order of `paths`.
   */
  async hasAll(key, options) {
    const { signal } = takeOptions('hasAll', options, ['signal']);
    checkKey('hasAll', key);
    if (this.#counters.length === 0) return new Map();
    const parts = this.#counters.map(partsOf);
    /** @type {Promise<{members: boolean[]}> | undefined} One request for all sets that need it. */
    let asked;
    const ask = () => (asked ??= this.#connection.run('keys.has', { counters: parts.map(({ options: counter }) => counter), key }, { signal }));
    const answers = parts.map(({ place }, i) => place.members.willHave([key], async () => [(await ask()).members[i] === true]));
    const members = await Promise.all(answers);
    return new Map(this.#counters.map(({ path }, i) => [path, members[i]?.[0] === true]));
  }
}
