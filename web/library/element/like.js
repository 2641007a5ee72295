// A user's like of one counter: the state that the user wants (optimistic UI), and the state on the server. It asks with exponential back-off.

import { isNetworkError } from '../errors.js';

/**
 * @typedef {import('../counted_set.js').CountedSet} CountedSet
 * @typedef {import('../errors.js').ShardlineError} ShardlineError
 */

/** The first pause before it asks again. It doubles each time. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** The codes of refusals that would come again. After other errors, such as a missing token or a failed server, a later attempt may succeed. */
const REFUSALS = ['permission-denied', 'invalid-argument'];

/** Shared by all elements that show it. It is asked after when the first of them comes. */
export class Like {
  #user;
  /** The server's last answer. @type {boolean | undefined} */
  #counts;
  /** Whether that is to be asked again: it was never asked, or it may have changed. */
  #isOld = true;
  /** The wish of the last press, until it is settled. @type {boolean | undefined} */
  #wanted;
  /** The last press that is not settled. @type {Promise<unknown> | undefined} */
  #sent;
  /** Whether has() was refused: it would be again. */
  #isRefused = false;
  /** The newest question; answers to others are out of date. @type {object | undefined} */
  #question;
  /** @type {Set<{listener: () => void}>} */
  #subscriptions = new Set();
  #pauseMs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} user */
  constructor(user) {
    this.#user = user;
  }

  /** As the user wants it, before the server knows; undefined while it is not known. */
  get liked() {
    return this.#wanted ?? this.#counts;
  }

  /** Whether a press is not settled yet. */
  get isBusy() {
    return this.#wanted !== undefined;
  }

  /**
   * @param {() => void} listener Called when something has changed.
   * @returns {() => void} Ends it.
   */
  subscribe(listener) {
    const subscription = { listener };
    this.#subscriptions.add(subscription);
    if (this.#subscriptions.size === 1) {
      // Meanwhile the user may have used another device.
      this.#isOld = true;
      this.#isRefused = false;
    }
    return () => void this.#subscriptions.delete(subscription);
  }

  /**
   * Asks the server, unless that has been done, or is being done.
   * @param {CountedSet} counter
   * @returns {Promise<void>} Rejects when the server refuses to tell; otherwise it asks again later. After any other failure it rejects once, except
   *   after a failure of the network.
   */
  async learn(counter) {
    if (!this.#isOld || this.isBusy || this.#question || this.#isRefused) return;
    const question = {};
    this.#question = question;
    try {
      const counts = await counter.has(this.#user);
      if (this.#question !== question) return;
      this.#counts = counts;
      this.#isOld = false;
      this.#pauseMs = 0;
      this.#tell();
    } catch (error) {
      const isFirst = this.#pauseMs === 0;
      this.#isRefused = REFUSALS.includes(/** @type {ShardlineError} */ (error).code);
      if (!this.#isRefused) this.#learnLater(counter);
      if (!isNetworkError(error) && (this.#isRefused || isFirst)) throw error;
    } finally {
      if (this.#question === question) this.#question = undefined;
    }
  }

  /** @param {CountedSet} counter */
  #learnLater(counter) {
    this.#pauseMs = Math.min(2 * this.#pauseMs || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A user who is refused then has seen no message before.
      if (this.#subscriptions.size > 0) this.learn(counter).catch(() => {});
    }, this.#pauseMs);
  }

  /**
   * Likes, or takes it back. That waits for the network; of several presses that wait, the last one counts.
   * @param {CountedSet} counter
   * @returns {Promise<boolean> | undefined} The server's state in the end. Undefined if an earlier press tells of this one, too.
   */
  press(counter) {
    const wanted = !this.liked;
    this.#wanted = wanted;
    this.#question = undefined;
    const isFirst = this.#sent === undefined;
    const sent = wanted ? counter.add(this.#user) : counter.remove(this.#user);
    this.#sent = sent;
    this.#tell();
    if (isFirst) return this.#settle(counter);
    sent.catch(() => {}); // Told by the first press.
    return undefined;
  }

  /** Resolves when the last press is settled. @param {CountedSet} counter */
  async #settle(counter) {
    try {
      for (let sent; sent !== this.#sent;) {
        sent = this.#sent;
        await sent?.catch((error) => {
          if (sent === this.#sent) throw error;
        });
      }
      this.#counts = this.#wanted;
      this.#isOld = false;
      return this.#counts === true;
    } catch (error) {
      // Its outcome is unknown.
      if (isNetworkError(error)) this.#isOld = true;
      throw error;
    } finally {
      this.#wanted = undefined;
      this.#sent = undefined;
      this.#tell();
      // The press took the place of a question, or its outcome is unknown.
      this.learn(counter).catch(() => {});
    }
  }

  #tell() {
    for (const { listener } of [...this.#subscriptions]) listener();
  }
}
