// A database with counters and sequences of ids, and the outbox in which increments wait.

import { checkFunction, checkOptions } from './connect.js';
import { Counter } from './counter.js';
import { Counters } from './counters.js';
import { asyncDispose } from './dispose.js';
import { Ids } from './ids.js';
import { readable, readOptions } from './options.js';
import { Outbox } from './outbox/outbox.js';
import { openStorage } from './outbox/storage.js';
import { Users } from './outbox/users.js';
import { published } from './publisher.js';

/**
 * @typedef {import('./connection.js').Connection} Connection
 *
 * @typedef {object} OutboxOptions
 * @property {'indexeddb' | 'memory' | import('./outbox/storage.js').OutboxStorage} [storage] Where increments wait until the server has
 *   confirmed them. Default `indexeddb`, so that none is lost with the page; where there is none, as in Node, and with the fetch of a
 *   simulator that keeps nothing itself, `memory`.
 * @property {() => string | null} [user] The id of the user who is signed in, or null. Increments are stored for the user who asked
 *   for them, and sent under that user's token only; what nobody has asked for, without a token. While it throws, or returns something
 *   else, increments are refused with `unauthenticated`, and those that wait go on waiting. Default: the user that the token of `authToken` names.
 * @property {(warning: import('./errors.js').ShardlineError) => void} [onWarning] Told what goes wrong while nobody waits for it:
 *   increments that cannot be stored, not be sent for now, or that were refused. Default `console.warn`.
 *
 * @typedef {import('./connect.js').ConnectionOptions & OutboxOptions} ConnectOptions
 */

/** One Firestore database; made by `connect()`. */
export class CounterDatabase {
  #connection;
  #outbox;

  /**
   * @param {Connection} connection
   * @param {Outbox} outbox
   * @hidden Made by the library.
   */
  constructor(connection, outbox) {
    this.#connection = connection;
    this.#outbox = outbox;
  }

  /**
   * A distributed counter.
   * @param {string} path Of the counter's document, `posts/p1`; for some layouts of its collection of shards.
   * @param {import('./counter.js').CounterOptions} [options]
   */
  counter(path, options) {
    return new Counter(this.#connection, this.#outbox, path, options);
  }

  /**
   * Several counters, to be read together.
   * @param {Iterable<string>} paths
   * @param {import('./counter.js').CounterOptions} [options] Of each.
   */
  counters(paths, options) {
    const names = readable('paths', () => [...new Set(paths)], 'The list of paths');
    return new Counters(names.map((path) => this.counter(path, options)));
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
   * Increments that were stored and cannot be read, as something else has written to the storage: texts, by the keys by which they
   * are kept there until somebody removes them. `onWarning` tells of each once. Rejects with `resource-exhausted` while the storage
   * cannot be read.
   * @returns {Promise<Map<string, string>>}
   */
  unreadable() {
    return this.#outbox.unreadable();
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
 * @param {ConnectOptions} options
 * @param {import('./connect.js').Load} load
 * @param {import('./connect.js').Load} loadSecond
 * @param {import('./outbox/page_life.js').Browser} [browser] For tests, which have browsers of their own.
 */
export async function openCounters(options, load, loadSecond, browser) {
  const all = readOptions('connect', options);
  const { storage, onWarning, retry = {}, user, authToken } = all;
  checkFunction('onWarning', onWarning);
  checkFunction('user', user);
  const users = new Users(authToken, user);
  const { name, storage: suggested, root, open } = checkOptions({ ...all, ...(typeof authToken === 'function' ? { authToken: users.authToken } : {}) }, ['storage', 'onWarning', 'user']);
  const opened = openStorage(storage === undefined ? suggested : storage, name);
  const connection = await open(load, loadSecond);
  return { connection, outbox: new Outbox(connection, opened, name, { users, onWarning, retry, browser }), root };
}
