// The stream of a connection, which all of its listeners share (multiplexing).

import { now } from '../clock.js';
import { meetTokens } from '../transport.js';
import { userOfToken } from '../users.js';
import { Channel } from './channel.js';
import { Targets } from './targets.js';

/** @typedef {import('../connection.js').Connection} Connection */

const SERVICE = '/google.firestore.v1.Firestore/Listen/channel';
/** How long it is believed that a proxy holds answers back. */
const WAY_MS = 10 * 60_000;

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
  /** The user for whom the server sends documents; undefined before the first stream. @type {unknown} */
  #user;
  #way = { isBuffered: false };
  /** When the way was new: nothing was known of a proxy. */
  #wayAt = now();
  targets;

  /** @param {Connection} connection @param {string} database */
  constructor(connection, database) {
    this.#connection = connection;
    const { transport } = connection;
    const { onNewToken } = transport;
    transport.onNewToken = () => {
      onNewToken?.();
      if (this.#user !== undefined && !this.#isSame()) this.targets.renew();
    };
    this.targets = new Targets(database, async ({ forceRefresh, ...handlers }) => {
      this.#user = undefined;
      await meetTokens(transport, forceRefresh);
      const [auth, appCheck] = transport.tokens ?? [];
      this.#user = this.#userNow();
      // A slow moment looks like such a proxy.
      if (now() - this.#wayAt > WAY_MS) [this.#way, this.#wayAt] = [{ isBuffered: false }, now()];
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
    // If the app has no token, the stream is opened again, and reports the error.
    const isKnown = await this.#connection.meetUser(signal).then(() => true, () => false);
    if (isKnown && this.#isSame()) return true;
    if (!signal.aborted) this.targets.renew();
    return false;
  }

  /** The user at this moment, because tokens get renewed. Tokens that name no user, such as OAuth tokens, are one user's. Throws if the option `user` does. */
  #userNow() {
    const { transport } = this.#connection;
    return transport.user ? transport.user() : userOfToken(transport.tokens?.[0]);
  }

  #isSame() {
    try {
      return this.#userNow() === this.#user;
    } catch {
      return false;
    }
  }
}
