// Asks for the signed-in user, with exponential back-off, while an increment waits for its user.

import { ShardlineError } from './errors.js';
import { dropAll } from './endings.js';

/**
 * @typedef {import('./users.js').User} User
 * @typedef {import('./press.js').Press} Press
 *
 * @typedef {object} Host
 * @property {import('./outbox/timers.js').Timers} timers
 * @property {import('./warnings.js').Warnings} warnings
 * @property {(press: Press, user: User) => void} onPress The press's user is known.
 * @property {() => void} onAsked The signed-in user is known.
 */

/** The pause before the next question. It doubles each time, up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

export class UserWatch {
  #users;
  #host;
  /** Presses whose user is unknown for now. @type {Set<Press>} */
  #presses = new Set();
  /** @type {Set<Promise<unknown>>} */
  #asking = new Set();
  #pauseMs = FIRST_PAUSE_MS;
  /** The time of the next question, by performance.now(). */
  #dueAt = 0;

  /**
   * @param {import('./users.js').Users} users
   * @param {Host} host
   */
  constructor(users, host) {
    this.#users = users;
    this.#host = host;
  }

  /** Resolves when all questions whose time has come have an answer. */
  async asked() {
    while (this.#asking.size > 0) await Promise.all(this.#asking);
  }

  /** Finds the user of a press. @param {Press} press */
  identify(press) {
    this.#presses.add(press);
    press.userBefore = this.#users.current;
    this.#note(this.#identify([press]));
  }

  /** Tries again to find the users of all presses. */
  identifyAll() {
    const late = [...this.#presses].filter(({ isLate }) => isLate);
    if (late.length > 0) this.#note(this.#identify(late));
  }

  ask() {
    this.#host.timers.clear('user', this);
    this.#note(this.#users.ask().then(() => this.#host.onAsked(), () => this.askLater()));
  }

  askLater() {
    const { timers } = this.#host;
    const now = performance.now();
    if (!timers.has('user', this)) {
      this.#dueAt = now + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
    timers.set('user', this, this.#dueAt - now, () => this.ask(), this.#presses.size > 0);
  }

  /** Begins with short pauses again, because another user has signed in, and others may follow soon. */
  restart() {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#host.warnings.forget('user');
  }

  /** @param {Press[]} presses */
  async #identify(presses) {
    /** @type {User} */
    let user;
    try {
      user = await this.#users.ask();
    } catch (error) {
      for (const press of presses) press.isLate = true;
      this.#host.warnings.once('user', /** @type {ShardlineError} */ (error));
      this.askLater();
      return;
    }
    this.restart();
    // A press may have been asked for twice, or be cancelled.
    const open = presses.filter((press) => this.#presses.delete(press) && !press.end);
    const isAnothers = (/** @type {Press} */ { isLate, userBefore }) => isLate && userBefore !== undefined && userBefore !== user;
    dropAll(open.filter(isAnothers), () => new ShardlineError('unauthenticated', 'The increment was not counted: authToken() failed when it was asked for, and now '
      + 'another user is signed in. The option `user` tells at any time who is.', { reason: 'user-changed' }));
    for (const press of open) {
      if (press.end) continue;
      press.user = user;
      this.#host.onPress(press, user);
    }
  }

  /** @param {Promise<unknown>} asking */
  #note(asking) {
    const noted = asking.finally(() => this.#asking.delete(noted));
    this.#asking.add(noted);
  }
}
