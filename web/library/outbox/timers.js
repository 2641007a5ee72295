// All timers of an outbox.

import { LONGEST_TIMEOUT_MS } from '../clock.js';

/**
 * The purpose of a timer, and its owner:
 * - `send`, of a lane: increments have gathered for long enough, or a pause has ended;
 * - `look`, of the outbox: rows of other pages may be free by now, or settled;
 * - `user`, of the outbox: the next question for the signed-in user;
 * - `store`, of the shelf: the storage may work again.
 * @typedef {'send' | 'look' | 'user' | 'store'} Purpose
 */

/** A timer that is later than this was suspended: the page was frozen, or the device slept. */
const LATE_MS = 5000;

export class Timers {
  /** @type {Map<object, Map<Purpose, ReturnType<typeof setTimeout>>>} By owner. */
  #all = new Map();
  #onLate;
  #isStopped = false;

  /** @param {() => void} onLate Called before the action of a timer that comes late: other pages may have assumed that this page is gone. */
  constructor(onLate) {
    this.#onLate = onLate;
  }

  /**
   * Replaces the owner's timer for the same purpose.
   * @param {Purpose} purpose
   * @param {object} owner
   * @param {number} ms
   * @param {() => void} action
   * @param {boolean} [isWaitedFor] Whether it keeps a program in Node running.
   */
  set(purpose, owner, ms, action, isWaitedFor = false) {
    this.clear(purpose, owner);
    if (this.#isStopped) return;
    const dueAt = performance.now() + ms;
    const timer = setTimeout(() => {
      this.clear(purpose, owner);
      if (performance.now() - dueAt > LATE_MS) this.#onLate();
      action();
    }, Math.min(ms, LONGEST_TIMEOUT_MS));
    if (!isWaitedFor) /** @type {any} */ (timer).unref?.();
    const mine = this.#all.get(owner) ?? new Map();
    this.#all.set(owner, mine.set(purpose, timer));
  }

  /** @param {Purpose} purpose @param {object} owner */
  has(purpose, owner) {
    return this.#all.get(owner)?.has(purpose) === true;
  }

  /** @param {Purpose} purpose @param {object} owner */
  clear(purpose, owner) {
    const mine = this.#all.get(owner);
    clearTimeout(mine?.get(purpose));
    mine?.delete(purpose);
    if (mine?.size === 0) this.#all.delete(owner);
  }

  /** Clears all timers, and sets none from now on. */
  stop() {
    this.#isStopped = true;
    for (const mine of this.#all.values()) for (const timer of mine.values()) clearTimeout(timer);
    this.#all.clear();
  }
}
