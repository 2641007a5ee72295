// Something that is done after a while: once, however often it is asked for meanwhile. No process of Node's is kept alive by it, unless
// somebody waits for it.

export class Delayed {
  #action;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isStopped = false;

  /** @param {() => void} action */
  constructor(action) {
    this.#action = action;
  }

  /** @param {number} ms @param {boolean} [isWaitedFor] @returns {boolean} Whether it had not been asked for. */
  after(ms, isWaitedFor) {
    const isNew = this.#timer === undefined && !this.#isStopped;
    if (isNew) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#action();
      }, ms);
    }
    /** @type {any} */ (this.#timer)?.[isWaitedFor ? 'ref' : 'unref']?.();
    return isNew;
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
