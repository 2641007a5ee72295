// The total that watches of a place show: as it was read last, and what it cannot contain.

import { add, subtract } from './totals.js';

/**
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./counter.js').CounterReading} CounterReading
 * @typedef {import('./outbox/place.js').Part} Part
 */

/**
 * So long nothing is shown at first rather than a sum of which nobody knows whether it has what is under way. Then that counts as not
 * arrived: Firestore's own SDK waits so long until it says that it is offline.
 */
const MOST_UNCLEAR_MS = 10_000;

export class SeenTotal {
  #place;
  /** @type {CounterReading | undefined} */
  reading;
  /** When it may have been made at the earliest, by performance.now(). */
  #madeAt = 0;
  /** Parts that were under way while it was made. Their commit times will tell whether it has them. @type {Set<Part>} */
  #doubtful = new Set();
  /** So much of them is taken to be missing in it. @type {Total} */
  #missing = 0;
  /** A first reading that has such parts, and since when there was one. @type {{reading: CounterReading, madeAt: number, parts: Part[]} | undefined} */
  #held;
  #heldSince = Infinity;
  /** Called when a reading that was held back is shown. @type {Set<() => void>} */
  watches = new Set();

  /** @param {import('./outbox/place.js').Place} place */
  constructor(place) {
    this.#place = place;
  }

  /** With all that is pending; undefined while it is not known. @returns {Total | undefined} */
  get value() {
    return this.reading && add(this.#certain, this.#missing);
  }

  /** For how long the first total may still be held back; undefined: none is. */
  get heldMs() {
    return this.reading || this.#heldSince === Infinity ? undefined : Math.max(this.#heldSince + MOST_UNCLEAR_MS - performance.now(), 0);
  }

  /** Whether a first reading is held back, and will be shown once it is known what it has. */
  get isHolding() {
    return this.#held !== undefined;
  }

  /**
   * @param {CounterReading} reading
   * @param {number} madeAt When it may have been made at the earliest.
   * @returns {boolean} Whether there is something to show.
   */
  take(reading, madeAt) {
    // What arrives out of turn says nothing more.
    if (this.reading && reading.readTime < this.reading.readTime) return true;
    const parts = this.#doubtfulIn(reading, madeAt);
    if (!this.reading && parts.some(({ isShown }) => isShown)) {
      this.#heldSince = Math.min(this.#heldSince, performance.now());
      if (/** @type {number} */ (this.heldMs) > 0) {
        this.#held ??= { reading, madeAt, parts };
        return false;
      }
    }
    this.#adopt(reading, madeAt, parts);
    return true;
  }

  /** A part is heard of that may have been sent long ago: what is shown may have it. @param {Part} part */
  doubt(part) {
    if (this.reading) this.#doubtful.add(part);
  }

  /** Nobody knows any more what has become of a part. What is shown stays. @param {Part} part */
  mistrust(part) {
    if (!this.reading || this.#doubtful.has(part)) return;
    this.#doubtful.add(part);
    this.#missing = add(this.#missing, part.value);
  }

  /** Something has changed at its place. */
  follow() {
    if (this.#held?.parts.every(({ end, isShown }) => end ?? !isShown)) {
      const { reading, madeAt } = this.#held;
      this.#held = undefined;
      const parts = this.#doubtfulIn(reading, madeAt);
      if (!parts.some(({ isShown }) => isShown)) {
        this.#adopt(reading, madeAt, parts);
        for (const show of this.watches) show();
      }
    }
    for (const part of this.#doubtful) {
      // Of some it is never known: they wait for the next reading.
      if (!part.end || (part.end.isCounted && !part.end.at)) continue;
      this.#doubtful.delete(part);
      // If it is missing it is added for certain from now on. What was refused goes out of the sum.
      if (!part.end.isCounted || !this.#contains(part)) this.#missing = subtract(this.#missing, part.value);
      this.#missing = this.#possible(this.#missing);
    }
  }

  /** What the reading has for certain, and what it lacks for certain. @returns {Total} */
  get #certain() {
    let total = /** @type {CounterReading} */ (this.reading).value;
    for (const part of this.#place.parts) if (!this.#doubtful.has(part)) total = add(total, part.value);
    for (const part of this.#place.counted) if (!this.#doubtful.has(part) && !this.#contains(part)) total = add(total, part.value);
    return total;
  }

  /**
   * What was shown before is moved as far as the new reading asks for and no further. So one's own increments, which change nothing in
   * what there is with them, never move it back.
   * @param {CounterReading} reading
   * @param {number} madeAt
   * @param {Part[]} parts Of which nobody knows whether it has them.
   */
  #adopt(reading, madeAt, parts) {
    const shown = this.value;
    this.reading = reading;
    this.#madeAt = madeAt;
    this.#held = undefined;
    this.#doubtful = new Set(parts);
    this.#place.forget((part) => !this.#doubtful.has(part) && this.#contains(part));
    const all = parts.reduce((sum, { isShown, value }) => (isShown ? add(sum, value) : sum), /** @type {Total} */ (0));
    this.#missing = shown === undefined ? all : this.#possible(subtract(shown, this.#certain));
  }

  /** The nearest to an amount that doubtful parts can add up to. @param {Total} amount @returns {Total} */
  #possible(amount) {
    let [least, most] = /** @type {[Total, Total]} */ ([0, 0]);
    for (const { value } of this.#doubtful) {
      if (value < 0) least = add(least, value);
      else most = add(most, value);
    }
    return amount < least ? least : amount > most ? most : amount;
  }

  /** @param {CounterReading} reading @param {number} madeAt @returns {Part[]} */
  #doubtfulIn({ source }, madeAt) {
    const until = source === 'rollup' ? madeAt : Infinity;
    const underWay = this.#place.parts.filter(({ mayArrive, sentAt = -Infinity }) => mayArrive && sentAt <= until);
    // Of these no commit time is known. What ended before a reading began is in it.
    const ended = this.#place.counted.filter(({ end, sentAt = -Infinity }) => end && !end.at && end.endedAt >= madeAt && sentAt <= until);
    return [...underWay, ...ended];
  }

  /** Whether the reading has a part that was counted. @param {Part} part */
  #contains({ end }) {
    const { readTime } = /** @type {CounterReading} */ (this.reading);
    return end?.at ? end.at <= readTime : end !== undefined && end.endedAt < this.#madeAt;
  }
}
