// Moments come faster than the core may take them. Each is a whole state, so only the last of those that came meanwhile counts.

/** @template Item */
export class Latest {
  #handle;
  /** @type {Item | undefined} */
  #waiting;
  #isBusy = false;

  /** @param {(item: Item) => Promise<void>} handle Must not reject. */
  constructor(handle) {
    this.#handle = handle;
  }

  /** @param {Item} item */
  async take(item) {
    this.#waiting = item;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#waiting) {
      const next = this.#waiting;
      this.#waiting = undefined;
      await this.#handle(next);
    }
    this.#isBusy = false;
  }
}
