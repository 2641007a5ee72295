// The page as the library sees it: it is hidden or shown, it comes and goes, and its clock is wrong.

class Events extends EventTarget {
  hidden = false;

  get visibilityState() {
    return this.hidden ? 'hidden' : 'visible';
  }
}

const real = { dateNow: Date.now };

export class Page {
  /** By how much the clock of its device is ahead. */
  clockError = 0;
  #document = new Events();
  #window = new EventTarget();

  /** To be called when a Clock is installed. */
  install() {
    const told = Date.now;
    real.dateNow = told;
    Date.now = () => told() + this.clockError;
    Object.assign(globalThis, { document: this.#document, addEventListener: this.#window.addEventListener.bind(this.#window) });
  }

  uninstall() {
    Date.now = real.dateNow;
    for (const name of ['document', 'addEventListener']) delete (/** @type {any} */ (globalThis))[name];
  }

  /** @param {string} type Of an event. */
  tell(type) {
    this.#window.dispatchEvent(Object.assign(new Event(type), { persisted: true }));
  }

  /** @param {boolean} isHidden */
  turn(isHidden) {
    if (this.#document.hidden === isHidden) return;
    this.#document.hidden = isHidden;
    this.#document.dispatchEvent(new Event('visibilitychange'));
  }
}
