// The counts of choices that summaries and watches show: a reading, and the changes of this device that the reading cannot contain.

import { lacks } from './seen_total.js';

/**
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./outbox/place.js').Part} Part
 * @typedef {import('./outbox/place.js').Place} Place
 * @typedef {import('./seen_total.js').Made} Made
 * @typedef {import('./values.js').Timestamp} Timestamp
 *
 * @typedef {object} FoundChoices A reading, as the server has it.
 * @property {number[]} counts In the order of the choices.
 * @property {string} value The counts as one text, by which a watch compares readings.
 * @property {number} number How many users have a choice.
 * @property {number} shards
 * @property {Timestamp} readTime
 * @property {'sum' | 'shards'} source
 * @property {Billed} billed
 */

/** For so long a reading is held back that may have a change in flight. */
export const MOST_UNCLEAR_MS = 1000;

/** Whether a part changes any count, as far as is known. @param {Part} part */
const moves = ({ wish }) => wish?.wanted !== wish?.before;

/**
 * Whether it is known of each change of this device if a reading has it.
 * @param {Pick<FoundChoices, 'readTime'>} found
 * @param {Made} made
 * @param {Part[]} parts
 */
export function isClear(found, made, parts) {
  return parts.every((part) => !moves(part) || lacks(found, made, part) !== undefined);
}

/**
 * The counts with the changes that the reading lacks.
 * @param {Pick<FoundChoices, 'counts' | 'readTime'>} found
 * @param {Made} made
 * @param {string[]} choices
 * @param {Part[]} parts
 */
export function withChanges(found, made, choices, parts) {
  const counts = [...found.counts];
  let pending = 0;
  for (const part of parts) {
    if (!moves(part) || lacks(found, made, part) === false) continue;
    const { wanted, before } = /** @type {NonNullable<Part['wish']>} */ (part.wish);
    if (!part.end) pending += 1;
    for (const [choice, change] of /** @type {const} */ ([[wanted, 1], [before, -1]])) {
      const at = choices.indexOf(String(choice));
      if (at >= 0) counts[at] = Number(counts[at]) + change;
    }
  }
  return { counts, pending };
}

/** The last reading that the watches of one set have seen: they use it as they use the SeenTotal of a counter. */
export class SeenChoices {
  #place;
  #choices;
  /** The one that is shown. @type {FoundChoices | undefined} */
  reading;
  /** @type {Made} */
  #made = { from: 0, until: 0 };
  /** A reading that is held back. @type {{reading: FoundChoices, made: Made} | undefined} */
  #held;
  /** Since when there has been no reading without doubt. */
  #unclearSince = Infinity;
  /** Called when a reading that was held back is shown. @type {Set<() => void>} */
  watches = new Set();

  /**
   * @param {Place} place
   * @param {string[]} choices
   */
  constructor(place, choices) {
    this.#place = place;
    this.#choices = choices;
  }

  /** The counts with all that is pending; undefined while they are not known. */
  get now() {
    return this.reading && withChanges(this.reading, this.#made, this.#choices, this.#place.all);
  }

  get value() {
    return this.now?.counts.join();
  }

  /** How many changes the server has not confirmed. */
  get pending() {
    return this.#place.parts.filter(moves).length;
  }

  /** For how long a reading may still be held back. */
  get heldMs() {
    const now = performance.now();
    return Math.max(Math.min(this.#unclearSince, now) + MOST_UNCLEAR_MS - now, 0);
  }

  /**
   * @param {FoundChoices} reading
   * @param {Made} made
   * @returns {boolean} Whether there is something to show.
   */
  take(reading, made) {
    // A reading that arrives out of turn says nothing more.
    if (this.reading && reading.readTime < this.reading.readTime) return true;
    if (isClear(reading, made, this.#place.all)) this.#unclearSince = Infinity;
    else this.#unclearSince = Math.min(this.#unclearSince, performance.now());
    if (this.#unclearSince === Infinity || this.heldMs === 0) this.#adopt(reading, made);
    else this.#held = { reading, made };
    return this.reading !== undefined;
  }

  /** Something has changed at its place. */
  follow() {
    if (!this.#held || !isClear(this.#held.reading, this.#held.made, this.#place.all)) return;
    this.#unclearSince = Infinity;
    this.#adopt(this.#held.reading, this.#held.made);
    for (const show of this.watches) show();
  }

  /** @param {FoundChoices} reading @param {Made} made */
  #adopt(reading, made) {
    this.reading = reading;
    this.#made = made;
    this.#held = undefined;
  }
}
