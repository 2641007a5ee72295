// Published totals: after this page's increments have been counted, it writes the total into the counter's document, throttled among all clients by
// the core's compare-and-swap (src/upkeep/publish_total.h).

import { now } from './clock.js';
import { ShardlineError, whyOf } from './errors.js';
import { onAbort } from './signals.js';

/**
 * @typedef {Pick<import('./outbox/place.js').Place, 'countings' | 'ended' | 'onChange' | 'warnings'>} Place Of a counter. Counters with fields share a place,
 *   and each sees its own part of it.
 *
 * @typedef {object} Publishing
 * @property {string} place The counter and the field, for warnings.
 * @property {number} everyMs The least milliseconds between two publications.
 * @property {() => Promise<{published: boolean, ageMs?: number}>} publish Publishes, unless another client has done so recently.
 */

/** The possible error, in milliseconds, of the age of another client's publication. */
const AGE_MARGIN_MS = 1000;
/** How long close() of the database waits for it. */
const CLOSE_MS = 5000;

/** @type {WeakMap<Place, Publisher>} */
const publishers = new WeakMap();
/** The publications in flight, by the signal that ends them. @type {WeakMap<AbortSignal, Set<Promise<void>>>} */
const running = new WeakMap();

/**
 * Publishes from now on whenever increments of this counter have been counted; of several calls, the last one counts.
 * @param {Place} place
 * @param {Publishing} how
 */
export function keepPublished(place, how) {
  const publisher = publishers.get(place) ?? new Publisher(place, how);
  publisher.how = how;
  publishers.set(place, publisher);
}

/**
 * Publishes again, because increments may have been counted that this page does not know.
 * @param {Place} place
 */
export function publishAgain(place) {
  publishers.get(place)?.mark();
}

/** Whether this page publishes the total of a counter at this place. @param {Place} place */
export const publishes = (place) => publishers.has(place);

/** Resolves when the running publications have ended, or after a while. @param {AbortSignal} ended */
export async function published(ended) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([Promise.all(running.get(ended) ?? []), late]);
  clearTimeout(timer);
}

class Publisher {
  how;
  #place;
  /** The number of counted parts that this page knew at the last look. */
  #countings;
  #countedAt = -Infinity;
  /** Whether increments have been counted that may not be published yet. */
  #isDue = false;
  #isRunning = false;
  #quietUntil = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {Place} place
   * @param {Publishing} how
   */
  constructor(place, how) {
    this.#place = place;
    this.how = how;
    this.#countings = place.countings;
    const forget = place.onChange(() => this.#onChange());
    onAbort(place.ended, () => {
      this.#isDue = false;
      forget();
      clearTimeout(this.#timer);
    });
  }

  #onChange() {
    const { countings } = this.#place;
    if (countings === this.#countings) return;
    this.#countings = countings;
    this.mark();
  }

  /** Notes that there is a total to publish. */
  mark() {
    if (this.#place.ended.aborted) return;
    this.#countedAt = now();
    this.#isDue = true;
    this.#plan();
  }

  #plan() {
    if (!this.#isDue || this.#isRunning) return;
    clearTimeout(this.#timer);
    const wait = this.#quietUntil - now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#plan(), wait);
      // The timer must not keep a program running.
      /** @type {any} */ (this.#timer).unref?.();
      return;
    }
    const { ended } = this.#place;
    const all = running.get(ended) ?? new Set();
    running.set(ended, all);
    const run = this.#run().finally(() => all.delete(run));
    all.add(run);
  }

  async #run() {
    this.#isRunning = true;
    const begun = now();
    let wait = this.how.everyMs;
    try {
      const { published: isPublished, ageMs } = await this.how.publish();
      // All increments that were counted before this time are in the published total.
      const asOf = isPublished ? begun : begun - (ageMs ?? Infinity) - AGE_MARGIN_MS;
      if (this.#countedAt <= asOf) this.#isDue = false;
      if (ageMs !== undefined) wait -= ageMs;
      this.#place.warnings.forget(this.#warning);
    } catch (error) {
      this.#onError(/** @type {ShardlineError} */ (error));
    }
    this.#isRunning = false;
    this.#quietUntil = now() + wait;
    this.#plan();
  }

  /** The key of its warning, which is given once until publishing works again. */
  get #warning() {
    return `publish ${this.how.place}`;
  }

  /** @param {ShardlineError} error */
  #onError(error) {
    if (['unavailable', 'deadline-exceeded', 'resource-exhausted'].includes(error.code)) return;
    this.#isDue = false;
    if (error.code === 'cancelled') return;
    const what = `The total could not be published (${this.how.place}): increments are counted, but the field that is to show them is not written.`;
    this.#place.warnings.once(this.#warning, new ShardlineError(error.code, `${what} ${error.message}`, { ...whyOf(error), cause: error }));
  }
}
