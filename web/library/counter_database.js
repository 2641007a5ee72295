// A database with counters and sequences of ids, and the outbox in which increments wait.

import { CountedSet } from './counted_set.js';
import { Counter } from './counter.js';
import { encodeBound } from './counter_arguments.js';
import { Counters } from './counters.js';
import { asyncDispose } from './dispose.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { Ids } from './ids.js';
import { checkString, readable, readOptions, takeList, takeOptions } from './options.js';
import { published } from './publisher.js';
import { LEFT, Stock } from './stock.js';

/**
 * @typedef {import('./connection.js').Asking} Connection
 *
 * @typedef {object} OutboxOptions
 * @property {'indexeddb' | 'memory' | import('./storage/storage.js').OutboxStorage} [storage] Where increments wait until the server has
 *   confirmed them. Default `indexeddb`, so that none is lost with the page; where there is none, as in Node, and with the fetch of a
 *   embedded Firestore that keeps nothing itself, `memory`.
 * @property {() => string | null} [user] The id of the user who is signed in, or null. Increments are stored for the user who asked
 *   for them, and sent under that user's token only; those without a user go without a token. While it throws, or returns something
 *   else, increments are refused with `unauthenticated`, and those that wait go on waiting. Default: the user that the token of `authToken` names.
 * @property {(warning: import('./errors.js').ShardlineError) => void} [onWarning] Told the problems that no call awaits:
 *   increments that cannot be stored, not be sent for now, or that were refused. Default `console.warn`.
 *
 * @typedef {import('./connect.js').ConnectionOptions & OutboxOptions} ConnectOptions
 */

/** One Firestore database; made by `connect()`. */
export class CounterDatabase {
  #connection;
  #outbox;
  /** Kept as long as the app holds them. @type {Map<string, WeakRef<Counter | CountedSet>>} */
  #counters = new Map();
  /** @type {FinalizationRegistry<string>} */
  #forgotten = new FinalizationRegistry((key) => {
    if (!this.#counters.get(key)?.deref()) this.#counters.delete(key);
  });

  static {
    keepFromProxies(this);
    // A database of the other entries has some of these.
    answerHabits(this, 'collection batch doc shardedCollection ratings reactions', 'the entry shardline or shardline/firebase', '');
  }

  /**
   * @param {Connection} connection
   * @param {import('./outbox/outbox.js').Outbox | import('./early.js').Early} outbox
   * @hidden Made by the library.
   */
  constructor(connection, outbox) {
    this.#connection = connection;
    this.#outbox = outbox;
  }

  /**
   * A distributed counter. With the same path and options it is the same object, so a component may call this whenever it is drawn.
   * @param {string} path Of the counter's document, `posts/p1`; for some layouts of its collection of shards.
   * @param {import('./counter_arguments.js').CounterOptions} [options]
   */
  counter(path, options) {
    return this.#made(Counter, 'counter', path, options);
  }

  /**
   * A set of keys that count once each, such as the users who like a post. With the same path and options it is the same object.
   * @param {string} path Of the counter's document, `posts/p1`; for some layouts of its collection of shards.
   * @param {import('./counter_arguments.js').CounterOptions} [options]
   */
  countedSet(path, options) {
    return this.#made(CountedSet, 'countedSet', path, options);
  }

  /**
   * @template {Counter | CountedSet} Kind
   * @param {new (connection: Connection, outbox: any, path: string, options: import('./counter_arguments.js').CounterOptions) => Kind} Kind
   * @param {'counter' | 'countedSet' | 'counters'} call
   * @param {string} path
   * @param {import('./counter_arguments.js').CounterOptions} [options]
   * @returns {Kind}
   */
  #made(Kind, call, path, options) {
    checkString(call, 'path', 'a path, such as posts/p1', path);
    const given = readOptions(call, options);
    const key = nameOf(Kind === Counter, path, given);
    const known = key && this.#counters.get(key)?.deref();
    if (known) return /** @type {Kind} */ (known);
    const made = new Kind(this.#connection, this.#outbox, path, given);
    if (key) {
      this.#counters.set(key, new WeakRef(made));
      this.#forgotten.register(made, key);
    }
    return made;
  }

  /**
   * Several counters or counted sets, to be read together.
   * @param {Iterable<string>} paths
   * @param {import('./counter_arguments.js').CounterOptions} [options] The options of each counter.
   */
  counters(paths, options) {
    return new Counters(this.#connection, takeList('counters', 'paths', paths).map((path) => this.#made(Counter, 'counters', path, options)));
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
   * Units that can be taken until there are none: tickets, places, quotas.
   * @param {string} path Of the stock's document, `events/e1`.
   * @param {import('./stock.js').StockOptions} [options]
   */
  stock(path, options) {
    return new Stock(this.#connection, this.counter(path, LEFT), options);
  }

  /**
   * The stored increments that the library cannot read, because other code has written to the storage. It stays there. `onWarning` tells of it once.
   * Rejects with `resource-exhausted` while the storage cannot be read.
   * @returns {Promise<unknown[]>}
   */
  unreadableIncrements() {
    return this.#outbox.unreadable();
  }

  /**
   * Deletes the markers of commits that have expired, of all counters and batches: what a TTL policy does, for projects that cannot have
   * one. When this is interrupted, call it again.
   * @param {object} [options]
   * @param {Date | import('./values.js').Timestamp | number} [options.olderThan] Only those that expired before then; a number is in milliseconds
   *   since 1970. Default: now.
   * @param {AbortSignal} [options.signal] Ends it; what has been deleted is deleted.
   * @returns {Promise<{deleted: number, billed: import('./connection.js').Billed}>}
   */
  async cleanUp(options) {
    const { olderThan, signal } = takeOptions('cleanUp', options, ['olderThan', 'signal']);
    const bound = readable('olderThan', () => encodeBound(olderThan === undefined ? this.#connection.serverNow() : olderThan));
    return this.#connection.run('markers.cleanUp', { olderThan: bound }, { signal });
  }

  /**
   * Sends the increments that wait, also those of earlier pages, for a few seconds at the most; then ends what is still running, with `cancelled`. Increments
   * that have not been settled by then are sent by the next page, if they are stored.
   */
  async close() {
    await this.#outbox.close();
    await published(this.#outbox.ended);
    this.#connection.close();
  }

  async [asyncDispose]() {
    await this.close();
  }
}

/**
 * @param {boolean} isCounter
 * @param {unknown} path
 * @param {object} options
 * @returns {string | undefined} The same for the same. Undefined for what JSON cannot say, which is refused, or is another one each time.
 */
function nameOf(isCounter, path, options) {
  try {
    return JSON.stringify([isCounter, path, options], (_, value) => {
      if (typeof value === 'bigint') return `${value}n`;
      return value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value;
    });
  } catch {
    return undefined;
  }
}
