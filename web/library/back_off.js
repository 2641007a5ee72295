// A circuit breaker with exponential back-off: after a failure nothing is sent for a while, and then one attempt probes the server.

import { ShardlineError, fromPlain } from './errors.js';

/**
 * @typedef {import('./outbox/sender.js').Outcome} Outcome
 */

export class BackOff {
  // Constant after construction.
  #warnings;
  #pausesMs;
  #connection;

  /** The end of the pause after a failure, by performance.now(). */
  until = -Infinity;
  #pauseMs = 0;
  /** The last failure, until an attempt gets through. @type {ShardlineError | undefined} */
  error;
  /** The code of the last warning, until an attempt gets through. @type {string | undefined} */
  #warnedOf;

  /** @param {Pick<import('./outbox/sender.js').Host, 'warnings' | 'pausesMs' | 'connection'>} host */
  constructor({ warnings, pausesMs, connection }) {
    this.#warnings = warnings;
    this.#pausesMs = pausesMs;
    this.#connection = connection;
  }

  get isPaused() {
    return this.until > performance.now();
  }

  /** An attempt got through. */
  end() {
    this.until = -Infinity;
    this.error = undefined;
    this.#warnedOf = undefined;
  }

  /** Ends the pause. The next failure still doubles it. */
  hurry() {
    this.until = -Infinity;
  }

  /** An attempt has failed. @param {Outcome} outcome */
  begin({ error, cause, isElsewhere = false }) {
    if (this.isPaused) return;
    const { first, longest } = this.#pausesMs;
    const why = error ? fromPlain(error, cause) : new ShardlineError('unavailable', 'Increments that wait cannot be sent.', { reason: 'increments-not-sent', cause });
    if (!isElsewhere) this.warn(why);
    this.#pauseMs = Math.min(this.error ? this.#pauseMs * 2 : first, longest);
    this.until = performance.now() + Math.max(this.#pauseMs, this.#connection.pauseMs);
    this.error = why;
  }

  /**
   * Warns once for each code. A request that may have been applied counts as one without an answer. Contention is normal, and causes no warning.
   * @param {ShardlineError} why
   */
  warn(why) {
    const code = why.code === 'outcome-unknown' ? 'unavailable' : why.code;
    if (code === this.#warnedOf || code === 'aborted') return;
    this.#warnedOf = code;
    this.#warnings.warn(why);
  }
}
