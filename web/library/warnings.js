// Passes the problems that no call awaits to onWarning.

import { callApart } from './apart.js';

/** @typedef {import('./errors.js').ShardlineError} ShardlineError */

export class Warnings {
  #onWarning;
  /** @type {Set<string>} The warnings that were given. They are not repeated until the problem is over. */
  #told = new Set();

  /** @param {((warning: ShardlineError) => void) | undefined} onWarning */
  constructor(onWarning) {
    this.#onWarning = onWarning ?? ((/** @type {ShardlineError} */ warning) => console.warn(warning));
  }

  /** @param {ShardlineError} warning */
  warn(warning) {
    callApart(this.#onWarning, warning);
  }

  /**
   * @param {string} what
   * @param {ShardlineError} warning
   */
  once(what, warning) {
    if (!this.#told.has(what)) this.warn(warning);
    this.#told.add(what);
  }

  /** @param {string} what */
  hasTold(what) {
    return this.#told.has(what);
  }

  /** The problem is over. @param {string} what */
  forget(what) {
    this.#told.delete(what);
  }
}
