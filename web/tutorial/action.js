import { setAttribute } from './dom.js';

/**
 * Something that buttons start and that runs once at a time. While it runs the buttons are busy: they keep the focus, as
 * a disabled button would not, but pressing them does nothing.
 */
export class Action {
  #buttons;
  #running = false;

  /** @param {HTMLButtonElement[]} buttons */
  constructor(...buttons) {
    this.#buttons = buttons;
  }

  /**
   * @param {HTMLButtonElement | null} pressed Shows that it is the one.
   * @param {() => Promise<void>} work Reports its own failures.
   */
  async run(pressed, work) {
    if (this.#running) return;
    this.#show(true, pressed);
    try {
      await work();
    } finally {
      this.#show(false, pressed);
    }
  }

  /**
   * @param {boolean} running
   * @param {HTMLButtonElement | null} pressed
   */
  #show(running, pressed) {
    this.#running = running;
    for (const button of this.#buttons) setAttribute(button, 'aria-disabled', running ? 'true' : null);
    if (pressed) setAttribute(pressed, 'aria-busy', running ? 'true' : null);
  }
}
