// The stream of a connection, which all of its listeners share (multiplexing).

import { meetTokens } from '../transport.js';
import { userOfToken } from '../users.js';
import { Channel } from './channel.js';
import { Targets } from './targets.js';

/** @typedef {import('../connection.js').Connection} Connection */

const SERVICE = '/google.firestore.v1.Firestore/Listen/channel';

/** @type {WeakMap<Connection, Stream>} */
const all = new WeakMap();

/**
 * @param {Connection} connection
 * @param {string} database `projects/…/databases/…`
 */
export function streamOf(connection, database) {
  const stream = all.get(connection) ?? new Stream(connection, database);
  all.set(connection, stream);
  return stream;
}

class Stream {
  #connection;
  /** The user for whom the server sends documents. @type {unknown} */
  #user;
  #way = { isBuffered: false };
  targets;

  /** @param {Connection} connection @param {string} database */
  constructor(connection, database) {
    this.#connection = connection;
    const { transport } = connection;
    this.targets = new Targets(database, async ({ forceRefresh, ...handlers }) => {
      await meetTokens(transport, forceRefresh);
      const [auth, appCheck] = transport.tokens ?? [];
      this.#user = userOf(auth);
      return new Channel({
        url: transport.host + SERVICE,
        query: `database=${encodeURIComponent(database)}`,
        headers: { ...(auth && { Authorization: `Bearer ${auth}` }), ...(appCheck && { 'X-Firebase-AppCheck': appCheck }) },
        fetch: transport.fetch,
        way: this.#way,
        ...handlers,
      });
    });
  }

  /**
   * Whether the stream's data belongs to the user who is signed in now. Callers ask this before they show the data. If not, the stream begins again.
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>}
   */
  async isForUser(signal) {
    const { transport } = this.#connection;
    // If the app has no token, the stream is opened again, and reports the error.
    const isKnown = await this.#connection.meetUser(signal).then(() => true, () => false);
    if (isKnown && userOf(transport.tokens?.[0]) === this.#user) return true;
    if (!signal.aborted) this.targets.renew();
    return false;
  }
}

/**
 * The user of a token, because tokens get renewed; or the token, if it names no user.
 * @param {string | null | undefined} token
 */
function userOf(token) {
  return userOfToken(token) || token;
}
