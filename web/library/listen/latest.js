// Conflation: moments may come faster than the core takes them. Each is a whole state, so this keeps only the last one that came meanwhile.

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
