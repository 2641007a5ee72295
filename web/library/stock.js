// Stocks: what JavaScript values mean to the core, and the other way round. The core decides which requests Firestore gets.

import { checkKey } from './counter_arguments.js';
import { keepFromProxies } from './habits.js';
import { takeOptions } from './options.js';
import { Timestamp } from './values.js';

/**
 * @typedef {import('./connection.js').Asking} Connection
 * @typedef {import('./ids.js').CallOptions} CallOptions
 *
 * @typedef {object} StockOptions
 * @property {number} [shards] Over how many documents the stock is spread, from 1 to 10,000. Each takes about one change per second. Default 10.
 *
 * @typedef {object} TakeOptions
 * @property {string} [key] Names the take, such as the id of a user or an order: any text of up to 1,500 bytes. The same key takes once, however
 *   often you ask. Default: a random one.
 * @property {number | string} [holdFor] The units go back after this time unless you call confirm(): milliseconds, or a string such as `'10 min'`,
 *   from 1 second to 30 days.
 * @property {AbortSignal} [signal] Ends the call. The units may have been taken by then.
 *
 * @typedef {{taken: true, key: string, units: number, heldUntil?: Timestamp} | {taken: false, left: number}} Taken `key` names the take
 *   for putBack() and confirm(); `heldUntil` is the end of a hold. `left` is how many units there were, fewer than you asked for.
 */

/** The units that are left are counted like a counter. */
export const LEFT = { layout: { shardCollection: 'stock_shards', countField: 'left' } };

/** Units that can be taken until there are none; made by `db.stock(path)`. Calls need the network: nothing of them waits in the outbox. */
export class Stock {
  #connection;
  #left;
  #place;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {Connection} connection
   * @param {import('./counter.js').Counter} left
   * @param {StockOptions} [options]
   * @hidden Made by the library.
   */
  constructor(connection, left, options) {
    this.#connection = connection;
    this.#left = left;
    this.#place = { ...takeOptions('stock', options, ['shards']), path: left.path };
  }

  /** The stock document's path. */
  get path() {
    return this.#left.path;
  }

  /**
   * Makes the stock's documents, in one atomic commit. Never changes what is there.
   * @param {CallOptions & {units: number}} options `units` is how many units there are to take, from 0.
   * @returns {Promise<{created: boolean}>} `created` is true only if it was surely this call.
   */
  create(options) {
    return this.#run('create', {}, options, ['units', 'signal']);
  }

  /**
   * Adds units. The same key adds once.
   * @param {number} units From 1.
   * @param {CallOptions & {key?: string}} [options]
   * @returns {Promise<{added: boolean}>} Whether it was this call that added them.
   */
  add(units, options) {
    return this.#run('add', { units, serverNow: this.#connection.serverNow() }, options);
  }

  /**
   * Takes all of the units or nothing. Rejects if the network is away: ask again, with the same key.
   * @param {number} [units] From 1 to 1,000. Default 1.
   * @param {TakeOptions} [options]
   * @returns {Promise<Taken>}
   */
  async take(units = 1, options) {
    const { heldUntil, ...taken } = await this.#run('take', { units }, options, ['key', 'holdFor', 'signal']);
    if (taken.taken) taken.key = options?.key ?? taken.key;
    return heldUntil ? { ...taken, heldUntil: Timestamp.fromString(heldUntil) } : taken;
  }

  /**
   * Puts units of a take back, never more than it has.
   * @param {number | undefined} units Undefined: all of them. This can be asked again. After a lost answer, a part may go back twice.
   * @param {CallOptions & {key: string}} options `key` is the take's.
   * @returns {Promise<{putBack: boolean, units: number}>} `putBack` is false if all units had gone back before; `units` is how many the take still has.
   */
  async putBack(units, options) {
    const { changed, units: has } = await this.#run('putBack', { units }, options);
    return { putBack: changed, units: has };
  }

  /**
   * Makes a hold final.
   * @param {CallOptions & {key: string}} options `key` is the take's.
   * @returns {Promise<{confirmed: boolean}>} False: its time had passed, and the units have gone back.
   */
  async confirm(options) {
    return { confirmed: (await this.#run('confirm', {}, options)).changed };
  }

  /**
   * How many units are left, for one read of each 1,000 shards. The units of an expired hold count as taken until a user needs them.
   * @param {CallOptions} [options]
   * @returns {Promise<number>}
   */
  async left(options) {
    return (await this.#left.get(takeOptions('left', options, ['signal']))).number;
  }

  /**
   * Tells how many units are left, now and whenever that changes. The same as watch() of a counter.
   * @param {(total: import('./watch.js').LiveTotal) => void} callback `value` is the number of units.
   * @param {import('./watch.js').WatchOptions} [options]
   * @returns {() => void} Ends it.
   */
  watch(callback, options) {
    return this.#left.watch(callback, options);
  }

  /**
   * @param {string} call
   * @param {object} args
   * @param {object} [options]
   * @param {string[]} [names] The names of its options.
   */
  async #run(call, args, options, names = ['key', 'signal']) {
    const { signal, ...taken } = takeOptions(call, /** @type {any} */ (options), names);
    // A key that is undefined by mistake must not take without one.
    if ('key' in taken) checkKey(call, taken.key);
    return this.#connection.run(`stock.${call}`, { ...taken, ...args, ...this.#place }, { signal });
  }
}
