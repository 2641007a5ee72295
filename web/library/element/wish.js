// A user's like or rating of one thing: the state that the user wants (optimistic UI), and the state on the server. It asks with exponential back-off.

import { now } from '../clock.js';
import { isNetworkError } from '../errors.js';

/** @typedef {import('../errors.js').ShardlineError} ShardlineError */

/** The first pause before it asks again. It doubles each time. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** After the page was hidden for longer, it asks again: meanwhile the user may have used another device. */
const HIDDEN_MS = 60_000;
/** The codes of refusals that would come again. After other errors, such as a missing token or a failed server, a later attempt may succeed. */
const REFUSALS = ['permission-denied', 'invalid-argument'];

/**
 * Shared by all elements that show it. It is asked after when the first of them comes.
 * @template Thing The thing that the user likes or rates.
 * @template State
 */
export class Wish {
  #ask;
  #send;
  /** The server's last answer. @type {State | undefined} */
  #found;
  /** Whether that is to be asked again: it was never asked, or it may have changed. */
  #isOld = true;
  /** The wish of the last press, until it is settled. @type {State | undefined} */
  #wanted;
  /** The last press that is not settled. @type {Promise<unknown> | undefined} */
  #sent;
  /** Whether the question was refused: it would be again. */
  #isRefused = false;
  /** The newest question; answers to others are out of date. @type {object | undefined} */
  #question;
  /** @type {Set<{listener: () => void}>} */
  #subscriptions = new Set();
  /** Ends the listeners of this page's events. @type {AbortController | undefined} */
  #events;
  #pauseMs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {(thing: Thing) => Promise<State>} ask Asks the server.
   * @param {(thing: Thing, wanted: State) => Promise<unknown>} send Resolves when the wish is on the server.
   */
  constructor(ask, send) {
    this.#ask = ask;
    this.#send = send;
  }

  /** The state that the user wants, before the server knows; undefined while it is not known. */
  get state() {
    return this.#wanted ?? this.#found;
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
      this.#doubt();
      this.#attend();
    }
    return () => {
      this.#subscriptions.delete(subscription);
      if (this.#subscriptions.size === 0) this.#events?.abort();
    };
  }

  /** The next total asks again: the user may have used another device, or may be allowed to know by now. */
  #doubt() {
    this.#isOld = true;
    this.#isRefused = false;
  }

  /** Follows the events of the page. */
  #attend() {
    this.#events = new AbortController();
    const { signal } = this.#events;
    let hiddenAt = now();
    globalThis.document?.addEventListener('visibilitychange', () => {
      if (document.hidden) hiddenAt = now();
      else if (now() - hiddenAt > HIDDEN_MS) this.#doubt();
    }, { signal });
    globalThis.addEventListener?.('online', () => this.#doubt(), { signal });
  }

  /**
   * Asks the server, unless that has been done, or is being done.
   * @param {Thing} thing
   * @returns {Promise<void>} Rejects when the server refuses to tell; otherwise it asks again later. After any other failure it rejects once, except
   *   after a failure of the network.
   */
  async learn(thing) {
    if (!this.#isOld || this.isBusy || this.#question || this.#isRefused) return;
    const question = {};
    this.#question = question;
    try {
      const found = await this.#ask(thing);
      if (this.#question !== question) return;
      this.#found = found;
      this.#isOld = false;
      this.#pauseMs = 0;
      this.#tell();
    } catch (error) {
      const isFirst = this.#pauseMs === 0;
      this.#isRefused = REFUSALS.includes(/** @type {ShardlineError} */ (error).code);
      if (!this.#isRefused) this.#learnLater(thing);
      if (!isNetworkError(error) && (this.#isRefused || isFirst)) throw error;
    } finally {
      if (this.#question === question) this.#question = undefined;
    }
  }

  /** @param {Thing} thing */
  #learnLater(thing) {
    this.#pauseMs = Math.min(2 * this.#pauseMs || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A user who is refused then has seen no message before.
      if (this.#subscriptions.size > 0) this.learn(thing).catch(() => {});
    }, this.#pauseMs);
  }

  /**
   * Sends a wish. It waits for the network; of several wishes that wait, the last one counts.
   * @param {Thing} thing
   * @param {State} wanted
   * @returns {Promise<State> | undefined} The server's state in the end. Undefined if an earlier press tells of this one, too.
   */
  press(thing, wanted) {
    this.#wanted = wanted;
    this.#question = undefined;
    const isFirst = this.#sent === undefined;
    const sent = this.#send(thing, wanted);
    this.#sent = sent;
    this.#tell();
    if (isFirst) return this.#settle(thing);
    sent.catch(() => {}); // Told by the first press.
    return undefined;
  }

  /** Resolves when the last press is settled. @param {Thing} thing */
  async #settle(thing) {
    try {
      for (let sent; sent !== this.#sent;) {
        sent = this.#sent;
        await sent?.catch((error) => {
          if (sent === this.#sent) throw error;
        });
      }
      this.#isOld = false;
      return /** @type {State} */ (this.#found = this.#wanted);
    } catch (error) {
      // Its outcome is unknown.
      if (isNetworkError(error)) this.#isOld = true;
      throw error;
    } finally {
      this.#wanted = undefined;
      this.#sent = undefined;
      this.#tell();
      // The press took the place of a question, or its outcome is unknown.
      this.learn(thing).catch(() => {});
    }
  }

  #tell() {
    for (const { listener } of [...this.#subscriptions]) listener();
  }
}
