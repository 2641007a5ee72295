// Sequences of unique ids (hi/lo allocation): the core takes blocks, and this hands their ids out one by one.

import { ShardlineError } from './errors.js';
import { keepFromProxies } from './habits.js';
import { refuseNaN, takeOptions } from './options.js';
import { onAbort } from './signals.js';

/**
 * @typedef {import('./connection.js').Asking} Connection
 * @typedef {number | bigint} Id A bigint where a number would lose digits.
 *
 * @typedef {object} IdsOptions
 * @property {number} [shards] The number of documents that the sequence is spread over, from 1 to maxShards. Each gives away about one block per
 *   second. Without it the library reads the number from the sequence's document once; create() makes 10.
 * @property {number} [maxShards] For create(): the most shards that the sequence may ever have, up to 10,000. It is also the distance between two ids
 *   of one shard. Default 100, or `shards` if that is more.
 * @property {number} [block] The number of ids that a page takes at once, 1 to 1,000,000. Unused ids of a page are lost. Default 20.
 *
 * @typedef {{signal?: AbortSignal | undefined}} CallOptions
 * @typedef {{first: bigint, stride: bigint, count: number, used: number}} Block
 * @typedef {{resolve: (id: Id) => void, reject: (error: unknown) => void}} Waiter
 */

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A sequence of ids, each of which one client gets; made by `db.ids(path)`. They are unique, not in order, and not gapless. */
export class Ids {
  #connection;
  #path;
  #block;
  #maxShards;
  /** @type {number | undefined} Not known yet. */
  #shards;
  /** @type {Block} The ids that are left to hand out. */
  #left = { first: 0n, stride: 1n, count: 0, used: 0 };
  /** @type {Waiter[]} Calls of next() beyond that. */
  #waiters = [];
  #taking = false;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {Connection} connection
   * @param {string} path
   * @param {IdsOptions} options
   * @hidden Made by the library, which has read the options.
   */
  constructor(connection, path, options) {
    const { shards, maxShards, block = 20 } = options;
    this.#connection = connection;
    this.#path = path;
    this.#shards = shards;
    this.#maxShards = maxShards;
    this.#block = block;
    connection.runNow('ids.check', { ...options, path });
  }

  /** The sequence document's path. */
  get path() {
    return this.#path;
  }

  /**
   * Makes the sequence's documents, in one atomic commit. Never changes what is there.
   * @param {CallOptions & {startAt?: number | undefined}} [options] `startAt` is the least id. To go on from numbers of another source, pass one more
   *   than the largest of them.
   * @returns {Promise<{created: boolean, shards: number}>} `created` is true only if it was surely this call.
   */
  async create(options) {
    const { startAt, ...how } = takeOptions('create', options, ['startAt', 'signal']);
    const result = await this.#run('create', { shards: this.#shards, maxShards: this.#maxShards, startAt }, how);
    this.#shards = result.shards;
    return result;
  }

  /**
   * Changes the number of shards in use, while other clients go on. Ids stay unique, also if other clients know an older number of shards.
   * @param {number} shards From 1 to the maxShards that the sequence was created with.
   * @param {CallOptions} [options]
   * @returns {Promise<{shards: number}>}
   */
  async resize(shards, options) {
    const result = await this.#run('resize', { shards }, options);
    this.#shards = result.shards;
    return { shards: result.shards };
  }

  /**
   * Returns one id. If no id is left, it takes a new block for all waiting calls together.
   * @param {CallOptions} [options]
   * @returns {Promise<Id>}
   */
  next(options) {
    return new Promise((resolve, reject) => {
      const { signal } = takeOptions('next', options, ['signal']);
      if (signal?.aborted) throw cancelled(signal);
      if (this.#waiters.length === 0 && this.#left.used < this.#left.count) {
        resolve(nextOf(this.#left));
        return;
      }
      this.#wait({ resolve, reject }, signal);
      if (!this.#taking) this.#serve();
    });
  }

  /**
   * Takes a block of `count` ids for this call alone.
   * @param {number} count Up to 1,000,000.
   * @param {CallOptions} [options]
   * @returns {Promise<Id[]>}
   */
  async take(count, options) {
    if (count === 0) return [];
    const block = await this.#take(count, options);
    return Array.from({ length: count }, () => nextOf(block));
  }

  /**
   * @param {Waiter} waiter
   * @param {AbortSignal} [signal]
   */
  #wait(waiter, signal) {
    if (!signal) {
      this.#waiters.push(waiter);
      return;
    }
    /** @type {Waiter} */
    const entry = {
      resolve: (id) => { done(); waiter.resolve(id); },
      reject: (error) => { done(); waiter.reject(error); },
    };
    const abort = () => {
      this.#waiters.splice(this.#waiters.indexOf(entry), 1);
      entry.reject(cancelled(signal));
    };
    const done = onAbort(signal, abort);
    this.#waiters.push(entry);
  }

  /** Takes blocks until no call waits any more. */
  async #serve() {
    this.#taking = true;
    try {
      while (this.#waiters.length > 0) {
        this.#left = await this.#take(Math.max(this.#block, Math.min(this.#waiters.length, 1_000_000)));
        const served = this.#waiters.splice(0, this.#left.count);
        for (const { resolve } of served) resolve(nextOf(this.#left));
      }
    } catch (error) {
      for (const { reject } of this.#waiters.splice(0)) reject(error);
    }
    this.#taking = false;
  }

  /**
   * @param {number} count
   * @param {CallOptions} [options]
   * @returns {Promise<Block>}
   */
  async #take(count, options) {
    const { first, stride, shards } = await this.#run('take', { shards: this.#shards, count }, options);
    this.#shards = shards;
    return { first: BigInt(first), stride: BigInt(stride), count, used: 0 };
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {CallOptions} [options]
   */
  #run(name, args, options) {
    refuseNaN(args);
    return this.#connection.run(`ids.${name}`, { ...args, path: this.#path }, takeOptions(name, options, ['signal']));
  }
}

/** @param {AbortSignal} signal */
function cancelled(signal) {
  return new ShardlineError('cancelled', 'The call was cancelled.', { reason: 'cancelled', cause: signal.reason });
}

/**
 * Hands out the next id. Requires that one is left.
 * @param {Block} block
 * @returns {Id}
 */
function nextOf(block) {
  const id = block.first + block.stride * BigInt(block.used);
  block.used += 1;
  return id <= MAX_SAFE ? Number(id) : id;
}
