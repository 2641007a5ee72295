// Asks who is signed in: at first, and again and again while increments wait for their user.

import { Delayed } from './delayed.js';

/** How long to wait before asking again: doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

export class UserWatch {
  #users;
  #onAsked;
  #isWaitedFor;
  #pauseMs = FIRST_PAUSE_MS;
  #again = new Delayed(() => void this.ask());

  /**
   * @param {import('./users.js').Users} users
   * @param {() => void} onAsked Called when it is known who is there.
   * @param {() => boolean} isWaitedFor Whether somebody here waits for an increment: a program does not end before.
   */
  constructor(users, onAsked, isWaitedFor) {
    this.#users = users;
    this.#onAsked = onAsked;
    this.#isWaitedFor = isWaitedFor;
  }

  /** Resolves when that is known, or when nobody can tell for now. */
  async ask() {
    this.#again.cancel();
    try {
      await this.#users.ask();
    } catch {
      this.askLater();
      return;
    }
    this.#onAsked();
  }

  askLater() {
    if (this.#again.after(this.#pauseMs, this.#isWaitedFor())) this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Another user is there, and others may follow soon; or nobody is waited for any more. */
  restart() {
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  stop() {
    this.#again.stop();
  }
}
