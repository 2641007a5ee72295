// The option `publish` of counters with fields. Counters with different fields share a place; each publishes only after its own fields were counted.

import { keepPublished } from './publisher.js';
import { amountIn } from './seen_fields.js';

/**
 * @typedef {import('./outbox/place.js').Place} Place
 * @typedef {import('./publisher.js').Place} PublishedPlace
 * @typedef {import('./publisher.js').Publishing} Publishing
 */

/** A place as the counter with these fields sees it. @implements {PublishedPlace} */
class OwnPlace {
  /** The number of counted parts that this page knows. */
  countings = 0;
  #place;
  #fields;
  /** @type {WeakSet<import('./outbox/place.js').Part>} */
  #known = new WeakSet();

  /**
   * @param {Place} place
   * @param {string[]} fields
   */
  constructor(place, fields) {
    this.#place = place;
    this.#fields = fields;
    this.ended = place.ended;
    this.warnings = place.warnings;
    this.#look();
  }

  /** @param {() => void} listener Called after every change. @returns {() => void} Ends it. */
  onChange(listener) {
    return this.#place.onChange(() => {
      this.#look();
      listener();
    });
  }

  #look() {
    for (const part of this.#place.all) {
      if (!part.end?.isCounted || this.#known.has(part)) continue;
      this.#known.add(part);
      if (this.#fields.some((field) => Number(amountIn(part, field)) !== 0)) this.countings += 1;
    }
  }
}

/** By the note of each counter's last publication. @type {WeakMap<Place, Map<string, OwnPlace>>} */
const all = new WeakMap();

/**
 * Publishes the totals of a counter from now on whenever increments of its fields have been counted.
 * @param {Place} place
 * @param {string} note It names the counter among those of the place.
 * @param {string[]} fields
 * @param {Publishing} how
 */
export function keepFieldsPublished(place, note, fields, how) {
  const known = all.get(place) ?? new Map();
  all.set(place, known);
  if (!known.has(note)) known.set(note, new OwnPlace(place, fields));
  keepPublished(known.get(note), how);
}
