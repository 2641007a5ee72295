// Stocks (sharding, optimistic concurrency; src/stock/stock.h): translates between JavaScript values and the core. The core decides which requests
// Firestore gets.

import { checkKey } from './counter_arguments.js';
import { ShardlineError } from './errors.js';
import { keepFromProxies } from './habits.js';
import { takeOptions } from './options.js';
import { Timestamp } from './values.js';

/**
 * @typedef {import('./connection.js').Asking} Connection
 * @typedef {import('./ids.js').CallOptions} CallOptions
 *
 * @typedef {object} StockOptions
 * @property {number} [shards] The number of documents that the stock is spread over, from 1 to 10,000. Each takes about one change per second.
 * Default 10.
 *
 * @typedef {object} TakeOptions
 * @property {string} [key] The take's idempotency key, such as the id of a user or an order: any string of up to 1,500 bytes. The same key takes
 *   once, however often you call. Default: a random one.
 * @property {number | string} [holdFor] Makes the take a hold: its units go back after this time unless you call confirm(). A number of milliseconds,
 *   or a string such as `'10 min'`, from 1 second to 30 days.
 * @property {AbortSignal} [signal] Ends the call. The units may have been taken by then.
 *
 * @typedef {{taken: true, key: string, units: number, heldUntil?: Timestamp} | {taken: false, left: number, heldUntil?: undefined}} Taken
 *   `key` names the take for putBack() and confirm(); `heldUntil` is the end of a hold. `left` is how many units there were, fewer than you asked for.
 */

/** The counter layout of a stock's shards: a counter adds up the units that are left. */
export const LEFT = { layout: { shardCollection: 'stock_shards', countField: 'left' } };

/**
 * A stock of units that clients take until it is zero, and never below; made by `db.stock(path)`. All calls need the network: no take waits in the
 * outbox.
 */
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
   * Makes the stock's documents, in one atomic commit. An existing stock stays as it is.
   * @param {CallOptions & {units: number}} options `units` is the number of units in the new stock, from 0.
   * @returns {Promise<{created: boolean}>} `created` is true only if this call surely made the stock.
   */
  create(options) {
    return this.#run('create', {}, options, ['units', 'signal']);
  }

  /**
   * Adds units to the stock. The same key adds once.
   * @param {number} units From 1.
   * @param {CallOptions & {key?: string}} [options]
   * @returns {Promise<{added: boolean}>} `added` is true if this call added them.
   */
  add(units, options) {
    return this.#run('add', { units, serverNow: this.#connection.serverNow() }, options);
  }

  /**
   * Takes all of the units or none. If the network is away it rejects: call again with the same key.
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
   * Puts units of a take back, never more than the take has.
   * @param {number | undefined} units How many units go back; undefined means all. You may repeat a call for all units. If you repeat a call with a
   * number after a lost answer, that number may go back twice.
   * @param {CallOptions & {key: string}} options `key` is the take's.
   * @returns {Promise<{putBack: boolean, units: number}>} `putBack` is false if all units had gone back before. `units` is the number of units that
   * the take still has.
   */
  async putBack(units, options) {
    const { changed, units: has } = await this.#run('putBack', { units }, options);
    return { putBack: changed, units: has };
  }

  /**
   * Makes a hold final: its units do not go back any more.
   * @param {CallOptions & {key: string}} options `key` is the take's.
   * @returns {Promise<{confirmed: boolean}>} `confirmed` is false if the hold's time has passed, and its units have gone back.
   */
  async confirm(options) {
    return { confirmed: (await this.#run('confirm', {}, options)).changed };
  }

  /**
   * Deletes the stock: its shards, its takes with their holds, and the keys of added units. The stock's document stays. A take rejects with `not-found` then. If the call is
   * interrupted, call it again. A hold that a user confirms meanwhile may stay; the next call deletes it.
   * @param {CallOptions} [options]
   * @returns {Promise<{deleted: number}>} The number of deleted documents.
   */
  delete(options) {
    return this.#run('delete', {}, options, ['signal']);
  }

  /**
   * The number of units that are left: one billed read for each 1,000 shards. The units of an expired hold count as taken until a take needs them.
   * @param {CallOptions} [options]
   * @returns {Promise<number>}
   */
  async left(options) {
    const { number, shards } = await this.#left.get(takeOptions('left', options, ['signal']));
    if (shards > 0) return number;
    throw new ShardlineError('not-found', `There is no stock at ${this.path}: call create() first.`, { reason: 'stock-not-found', params: { path: this.path } });
  }

  /**
   * Calls back with the number of units that are left, at once and whenever it changes. It works like watch() of a counter.
   * @param {(total: import('./watch.js').LiveTotal) => void} callback `value` is the number of units.
   * @param {import('./watch.js').WatchOptions} [options]
   * @returns {() => void} Ends the watch.
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
    if ('key' in taken || call === 'putBack' || call === 'confirm') checkKey(call, taken.key);
    return this.#connection.run(`stock.${call}`, { ...taken, ...args, ...this.#place }, { signal });
  }
}
