// A database with counters and sequences of ids, and the outbox (the outbox pattern) in which increments wait.

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
 * @property {'indexeddb' | 'memory' | import('./storage/storage.js').OutboxStorage} [storage] The place in which increments wait until the server has
 *   confirmed them. Default `indexeddb`, so that closing the page loses no increment. The default is `memory` if there is no IndexedDB, for example
 *   in Node, and with the fetch of an embedded Firestore without a name.
 * @property {() => string | null} [user] The id of the user who is signed in, or null. The library stores increments for the user who made them, and
 *   sends them with that user's token only. It sends increments without a user without a token. While the function throws, or returns another value,
 *   new increments reject with `unauthenticated`, and stored ones go on waiting. Default: the user that the token of `authToken` names.
 * @property {(warning: import('./errors.js').ShardlineError) => void} [onWarning] Called with the problems that no call awaits: increments that the
 *   library cannot store, or cannot send now, or that the server has refused. Default `console.warn`.
 *
 * @typedef {import('./connect.js').ConnectionOptions & OutboxOptions} ConnectOptions
 */

/** One Firestore database; made by `connect()`. */
export class CounterDatabase {
  #connection;
  #outbox;
  /** Weak references: a counter lives as long as the app holds it. @type {Map<string, WeakRef<object>>} */
  #made = new Map();
  /** @type {FinalizationRegistry<string>} */
  #forgotten = new FinalizationRegistry((key) => {
    if (!this.#made.get(key)?.deref()) this.#made.delete(key);
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
   * A distributed counter. With the same path and options you get the same object, so a component may call this at every render.
   * @param {string} path The path of the counter's document, `posts/p1`; in some layouts the path of its collection of shards.
   * @param {import('./counter_arguments.js').CounterOptions} [options]
   */
  counter(path, options) {
    return this.#shared('counter', path, options, (given) => new Counter(this.#connection, this.#outbox, path, given));
  }

  /**
   * A set of keys that count once each, such as the users who like a post. With the same path and options you get the same object.
   * @param {string} path The path of the counter's document, `posts/p1`; in some layouts the path of its collection of shards.
   * @param {import('./counter_arguments.js').CounterOptions} [options]
   */
  countedSet(path, options) {
    return this.#shared('countedSet', path, options, (given) => new CountedSet(this.#connection, this.#outbox, path, given));
  }

  /**
   * Several counters or counted sets, to be read together.
   * @param {Iterable<string>} paths
   * @param {import('./counter_arguments.js').CounterOptions} [options] The options of each counter.
   */
  counters(paths, options) {
    const all = takeList('counters', 'paths', paths);
    for (const path of all) checkString('counters', 'path', 'a path, such as posts/p1', path);
    return new Counters(this.#connection, all.map((path) => this.counter(path, options)));
  }

  /**
   * A sequence of unique ids. With the same path and options you get the same object, which holds the rest of its block.
   * @param {string} path The path of the sequence's document, `sequences/orders`.
   * @param {import('./ids.js').IdsOptions} [options]
   */
  ids(path, options) {
    return this.#shared('ids', path, options, (given) => new Ids(this.#connection, path, given));
  }

  /**
   * A stock of units that clients take until it is zero, and never below: tickets, places, quotas. With the same path and options you get the same
   * object.
   * @param {string} path The path of the stock's document, `events/e1`.
   * @param {import('./stock.js').StockOptions} [options]
   */
  stock(path, options) {
    return this.#shared('stock', path, options, (given) => new Stock(this.#connection, this.counter(path, LEFT), given));
  }

  /**
   * @template {object} Kind
   * @template {object} Options
   * @param {string} call
   * @param {string} path
   * @param {Options | undefined} options
   * @param {(options: Options) => Kind} make
   * @returns {Kind}
   */
  #shared(call, path, options, make) {
    checkString(call, 'path', 'a path, such as posts/p1', path);
    const given = readOptions(call, options);
    const key = nameOf(call, path, given);
    const known = key && this.#made.get(key)?.deref();
    if (known) return /** @type {Kind} */ (known);
    const made = make(given);
    if (key) {
      this.#made.set(key, new WeakRef(made));
      this.#forgotten.register(made, key);
    }
    return made;
  }

  /**
   * The stored increments that the library cannot read, because other code has written to the storage. They stay there, and `onWarning` reports them
   * once. Rejects with `resource-exhausted` while the storage cannot be read.
   * @returns {Promise<unknown[]>}
   */
  unreadableIncrements() {
    return this.#outbox.unreadable();
  }

  /**
   * Deletes the expired markers of all counters and batches, for projects that cannot have a TTL policy. If it is interrupted, call it again.
   * @param {object} [options]
   * @param {Date | import('./values.js').Timestamp | number} [options.olderThan] Deletes only markers that expired before this time; a number is in
   *   milliseconds since 1970. Default: now.
   * @param {AbortSignal} [options.signal] Ends the call. Deleted markers stay deleted.
   * @returns {Promise<{deleted: number, billed: import('./connection.js').Billed}>}
   */
  async cleanUp(options) {
    const { olderThan, signal } = takeOptions('cleanUp', options, ['olderThan', 'signal']);
    const bound = readable('olderThan', () => encodeBound(olderThan === undefined ? this.#connection.serverNow() : olderThan));
    return this.#connection.run('markers.cleanUp', { olderThan: bound }, { signal });
  }

  /**
   * Closes the database. It sends the waiting increments, also those of earlier pages, for a few seconds at the most. Then it ends all running calls
   * with `cancelled`. The next page sends the increments that are not settled by then, if they are stored.
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
 * @param {string} call
 * @param {unknown} path
 * @param {object} options
 * @returns {string | undefined} The same name for the same object. Undefined if JSON cannot express the options: they are invalid, or the object is a
 * new one each time.
 */
function nameOf(call, path, options) {
  try {
    return JSON.stringify([call, path, options], (_, value) => {
      if (typeof value === 'bigint') return `${value}n`;
      return value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value;
    });
  } catch {
    return undefined;
  }
}
