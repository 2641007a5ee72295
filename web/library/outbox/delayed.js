// Something that is done after a while: once, however often it is asked for meanwhile. No process of Node's is kept alive by it.

export class Delayed {
  #action;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isStopped = false;

  /** @param {() => void} action */
  constructor(action) {
    this.#action = action;
  }

  /** @param {number} ms @returns {boolean} Whether it had not been asked for. */
  after(ms) {
    if (this.#timer !== undefined || this.#isStopped) return false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#action();
    }, ms);
    /** @type {any} */ (this.#timer).unref?.();
    return true;
  }

  /** Not now. */
  cancel() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Never again. */
  stop() {
    this.#isStopped = true;
    this.cancel();
  }
}
