// A database with counters and sequences of ids, and the queues in which increments wait.

import { checkFunction, checkOptions } from './connect.js';
import { Counter } from './counter.js';
import { Counters } from './counters.js';
import { Ids } from './ids.js';
import { openStorage, QueueStore } from './queue_store.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 *
 * @typedef {object} QueueOptions
 * @property {'indexeddb' | 'memory' | import('./storage.js').QueueStorage} [storage] Where increments wait until the server has
 *   confirmed them. Default `indexeddb`, so that none is lost with the page; where there is none, as in Node, `memory`.
 * @property {(warning: import('./errors.js').ShardlineError) => void} [onWarning] Told what goes wrong while nobody waits for it:
 *   increments that cannot be stored or not be sent for now. Default `console.warn`.
 *
 * @typedef {import('./connect.js').ConnectionOptions & QueueOptions} ConnectOptions
 */

/** One Firestore database; made by `connect()`. */
export class CounterDatabase {
  #connection;
  #queues;

  /**
   * @param {Connection} connection
   * @param {QueueStore} queues
   */
  constructor(connection, queues) {
    this.#connection = connection;
    this.#queues = queues;
  }

  /**
   * A distributed counter.
   * @param {string} path Of the counter's document, `posts/p1`; for some layouts of its collection of shards.
   * @param {import('./counter.js').CounterOptions} [options]
   */
  counter(path, options) {
    return new Counter(this.#connection, this.#queues, path, options);
  }

  /**
   * Several counters, to be read together.
   * @param {Iterable<string>} paths
   * @param {import('./counter.js').CounterOptions} [options] Of each.
   */
  counters(paths, options) {
    return new Counters(Array.from(new Set(paths), (path) => this.counter(path, options)));
  }

  /**
   * A sequence of unique ids.
   * @param {string} path Of the sequence's document, `sequences/orders`.
   * @param {import('./ids.js').IdsOptions} [options]
   */
  ids(path, options) {
    return new Ids(this.#connection, path, options);
  }

  /**
   * Sends the increments that wait, for a few seconds at the most; then ends what is still running, with `cancelled`. Increments
   * that have not been settled by then are sent by the next page, if they are stored.
   */
  async close() {
    await this.#queues.close();
    this.#connection.close();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}

/**
 * @param {ConnectOptions} options
 * @param {import('./connect.js').Load} load
 */
export async function openCounters(options, load) {
  const { name, root, open } = checkOptions(options, ['storage', 'onWarning']);
  const { storage, onWarning, retry = {} } = options;
  checkFunction('onWarning', onWarning);
  const opened = openStorage(storage, name);
  const connection = await open(load);
  return { connection, queues: new QueueStore(connection, opened, name, { onWarning, retry }), root };
}
