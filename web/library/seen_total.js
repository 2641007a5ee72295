// The total that watches of a place show (optimistic UI): the last reading, plus the pending parts that it cannot contain.

import { add, subtract } from './totals.js';

/**
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./outbox/place.js').Part} Part
 *
 * @typedef {object} Made When a reading was made, by performance.now(): not before `from`, and not after `until`.
 * @property {number} from
 * @property {number} until
 */

/**
 * How long a reading is held back that may include an increment in flight. Firestore's own SDK also waits this long until it reports that it is
 * offline.
 */
const MOST_UNCLEAR_MS = 10_000;

/** The possible error of a total's age, in milliseconds: the age is the difference of two servers' clocks. */
const AGE_MARGIN_MS = 20;

/**
 * The time range in which a reading was made, from its request to its arrival.
 * @param {number} asked By performance.now().
 * @param {number} came
 * @param {CounterReading} reading A shared total was made earlier than it was read.
 * @returns {Made}
 */
export function madeBetween(asked, came, { ageMs }) {
  if (ageMs === undefined) return { from: asked, until: came };
  return { from: asked - ageMs - AGE_MARGIN_MS, until: came - Math.max(ageMs - AGE_MARGIN_MS, 0) };
}

export class SeenTotal {
  #place;
  /** The reading that is shown. @type {CounterReading | undefined} */
  reading;
  /** @type {Made} */
  #made = { from: 0, until: 0 };
  /** The sum of the doubtful parts that the total assumes to be missing from the reading. @type {Total} */
  #missing = 0;
  /** The doubtful parts that the total had before. @type {Set<Part>} */
  #doubtful = new Set();
  /** A reading that is held back. @type {{reading: CounterReading, made: Made} | undefined} */
  #held;
  /** The time since when no reading was without doubt. */
  #unclearSince = Infinity;
  /** Called when a reading that was held back is shown. @type {Set<() => void>} */
  watches = new Set();

  /** @param {{readonly all: Part[], forget: (isIn: (part: Part) => boolean) => void}} place */
  constructor(place) {
    this.#place = place;
  }

  /** The total with all pending parts; undefined while it is not known. @returns {Total | undefined} */
  get value() {
    if (!this.reading) return undefined;
    let { value } = this.reading;
    let [least, most] = /** @type {[Total, Total]} */ ([0, 0]);
    for (const part of this.#place.all) {
      const isLacking = lacks(this.reading, this.#made, part);
      if (isLacking) value = add(value, part.value);
      else if (isLacking === undefined && part.value < 0) least = add(least, part.value);
      else if (isLacking === undefined) most = add(most, part.value);
    }
    return add(value, this.#missing < least ? least : this.#missing > most ? most : this.#missing);
  }

  /** How long a reading may still be held back. */
  get heldMs() {
    return Math.max(Math.min(this.#unclearSince, performance.now()) + MOST_UNCLEAR_MS - performance.now(), 0);
  }

  /**
   * @param {CounterReading} reading
   * @param {Made} made
   * @returns {boolean} Whether there is a total to show.
   */
  take(reading, made) {
    // A reading that arrives out of order adds nothing.
    if (this.reading && reading.readTime < this.reading.readTime) return true;
    const isClear = this.#isClear(reading, made);
    this.#unclearSince = isClear ? Infinity : Math.min(this.#unclearSince, performance.now());
    if (isClear) this.#adopt(reading, made);
    else if (this.heldMs > 0) this.#held ??= { reading, made };
    else this.#guess(reading, made);
    return this.reading !== undefined;
  }

  /**
   * A part has begun. If the reading may include it, it may be the one that the total assumes to be missing: this page has assumed that it was counted,
   * and its own page comes back and says that it is pending.
   * @param {Part} part
   */
  meet(part) {
    if (this.reading && this.#missing !== 0 && lacks(this.reading, this.#made, part) === undefined) this.#doubtful.add(part);
  }

  /** A part has ended. @param {Part} part */
  settle(part) {
    if (!this.#doubtful.delete(part)) return;
    if (!part.end?.isCounted || lacks(/** @type {CounterReading} */ (this.reading), this.#made, part)) this.#missing = subtract(this.#missing, part.value);
  }

  /** Follows a change at its place. */
  follow() {
    if (!this.#held) return;
    const { reading, made } = this.#held;
    if (!this.#isClear(reading, made)) return;
    this.#unclearSince = Infinity;
    this.#adopt(reading, made);
    for (const show of this.watches) show();
  }

  /**
   * Shows a reading in spite of doubt, and keeps the total unchanged as far as possible.
   * @param {CounterReading} reading
   * @param {Made} made
   */
  #guess(reading, made) {
    const shown = this.value;
    const doubtful = this.#place.all.filter((part) => lacks(reading, made, part) === undefined);
    const before = doubtful.filter((part) => !this.reading || this.#doubtful.has(part) || lacks(this.reading, this.#made, part));
    this.#adopt(reading, made);
    this.#doubtful = new Set(before);
    if (shown !== undefined) this.#missing = subtract(shown, /** @type {Total} */ (this.value));
    else for (const { value } of this.#doubtful) this.#missing = add(this.#missing, value);
  }

  /** @param {CounterReading} reading @param {Made} made */
  #adopt(reading, made) {
    this.reading = reading;
    this.#made = made;
    this.#doubtful = new Set();
    this.#missing = 0;
    this.#held = undefined;
    this.#place.forget((part) => lacks(reading, made, part) === false);
  }

  /** @param {CounterReading} reading @param {Made} made */
  #isClear(reading, made) {
    return this.#place.all.every((part) => part.value === 0 || lacks(reading, made, part) !== undefined);
  }
}

/**
 * Whether a reading lacks a part; undefined if that is not known.
 * @param {Pick<CounterReading, 'readTime'>} reading
 * @param {Made} made
 * @param {Part} part
 */
export function lacks({ readTime }, { from, until }, { sentAt, end }) {
  if (end?.at) return end.at > readTime;
  if (sentAt >= until) return true;
  return end && end.endedAt < from ? false : undefined;
}
