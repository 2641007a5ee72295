// Asks who is signed in: at first, and again and again while increments wait for their user.

/** How long to wait before asking again: doubled each time, up to the longest. */
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 60_000;

export class UserWatch {
  #users;
  #onAsked;
  #lookMs = FIRST_LOOK_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isStopped = false;

  /**
   * @param {import('./users.js').Users} users
   * @param {() => void} onAsked Called when it is known who is there.
   */
  constructor(users, onAsked) {
    this.#users = users;
    this.#onAsked = onAsked;
  }

  /** Resolves when that is known, or when nobody can tell for now. */
  async ask() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await this.#users.ask();
    } catch {
      this.askLater();
      return;
    }
    this.#onAsked();
  }

  askLater() {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => void this.ask(), this.#lookMs);
    /** @type {any} */ (this.#timer).unref?.();
    this.#lookMs = Math.min(this.#lookMs * 2, LONGEST_LOOK_MS);
  }

  /** Another user is there, and others may follow soon. */
  restart() {
    this.#lookMs = FIRST_LOOK_MS;
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
