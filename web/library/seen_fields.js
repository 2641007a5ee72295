// The totals of a counter with fields that its watches show: for each field the last reading, and all that this reading cannot contain.

import { sum } from './amounts.js';
import { SeenTotal } from './seen_total.js';

/**
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./outbox/place.js').Part} Part
 * @typedef {import('./outbox/place.js').Place} Place
 *
 * @typedef {CounterReading & {totals: {[field: string]: Total}, told: any}} FieldsReading A reading of all fields, as a watch takes it. `value` is their
 *   sum; `told`, the reading that the user is given.
 */

/**
 * The amount that a part adds to a field.
 * @param {Part} part
 * @param {string} field
 * @returns {Total}
 */
export function amountIn({ wish }, field) {
  const amount = wish?.delta ?? wish?.amount;
  const own = amount && 'fields' in amount && Object.hasOwn(amount.fields, field) ? amount.fields[field] : undefined;
  return own ? sum([own]) : 0;
}

/** A part of one field. @implements {Part} */
class FieldPart {
  #part;
  #field;

  /** @param {Part} part @param {string} field */
  constructor(part, field) {
    this.#part = part;
    this.#field = field;
  }

  get value() {
    return amountIn(this.#part, this.#field);
  }

  get sentAt() {
    return this.#part.sentAt;
  }

  get end() {
    return this.#part.end;
  }
}

/** The parts of one field at a place. */
class FieldPlace {
  #place;
  #field;
  /** @type {WeakMap<Part, Part>} */
  #views = new WeakMap();

  /** @param {Place} place @param {string} field */
  constructor(place, field) {
    this.#place = place;
    this.#field = field;
  }

  get all() {
    return this.#place.all.map((part) => this.of(part));
  }

  /** The same object each time. @param {Part} part @returns {Part} */
  of(part) {
    const view = this.#views.get(part) ?? /** @type {Part} */ (new FieldPart(part, this.#field));
    this.#views.set(part, view);
    return view;
  }

  /** Another field may still need what one field does not. */
  forget() {}
}

/** The state that watches of a place show, by the names of its fields. @type {WeakMap<Place, Map<string, SeenFields>>} */
const seenAt = new WeakMap();

/**
 * The totals that all watches of these fields at a place show.
 * @param {Place} place
 * @param {readonly string[]} fields
 */
export function seenFields(place, fields) {
  const all = seenAt.get(place) ?? new Map();
  seenAt.set(place, all);
  const seen = all.get(`${fields}`) ?? new SeenFields(place, fields);
  all.set(`${fields}`, seen);
  return seen;
}

export class SeenFields {
  #place;
  #all;
  /** The parts that had not ended at the last change. @type {Set<Part>} */
  #parts = new Set();
  /** The reading of all fields that a reading of one field is from. @type {WeakMap<CounterReading, FieldsReading>} */
  #wholes = new WeakMap();
  /** Called when a reading that was held back is shown. @type {Set<() => void>} */
  watches = new Set();

  /**
   * @param {Place} place
   * @param {readonly string[]} fields
   */
  constructor(place, fields) {
    this.#place = place;
    this.#all = fields.map((field) => {
      const own = new FieldPlace(place, field);
      const seen = new SeenTotal(own);
      seen.watches = this.watches;
      return { field, own, seen };
    });
    place.onChange(() => this.#follow());
  }

  /** With all that is pending; undefined while one of them is not known. @returns {{[field: string]: Total} | undefined} */
  get totals() {
    /** @type {{[field: string]: Total}} */
    const totals = {};
    for (const { field, seen: { value } } of this.#all) {
      if (value === undefined) return undefined;
      totals[field] = value;
    }
    return totals;
  }

  /** The totals as a text: another one whenever a total changes. */
  get value() {
    const { totals } = this;
    return totals && Object.values(totals).join(' ');
  }

  /** The oldest one that a total is from. @returns {FieldsReading | undefined} */
  get reading() {
    /** @type {FieldsReading | undefined} */
    let oldest;
    for (const { seen } of this.#all) {
      const whole = seen.reading && this.#wholes.get(seen.reading);
      if (!whole) return undefined;
      if (!oldest || whole.readTime < oldest.readTime) oldest = whole;
    }
    return oldest;
  }

  /** For how long a reading may still be held back. */
  get heldMs() {
    return Math.min(...this.#all.map(({ seen }) => seen.heldMs));
  }

  /**
   * @param {FieldsReading} reading
   * @param {import('./seen_total.js').Made} made
   * @returns {boolean} Whether there is something to show.
   */
  take(reading, made) {
    this.#parts = new Set(this.#place.parts);
    const shown = this.#all.map(({ field, seen }) => {
      const own = { ...reading, value: reading.totals[field] ?? 0 };
      this.#wholes.set(own, reading);
      return seen.take(own, made);
    });
    return shown.every(Boolean);
  }

  /** Something has changed at the place. */
  #follow() {
    const before = this.#parts;
    this.#parts = new Set(this.#place.parts);
    for (const part of before) if (part.end) for (const { own, seen } of this.#all) seen.settle(own.of(part));
    for (const part of this.#parts) if (!before.has(part)) for (const { own, seen } of this.#all) seen.meet(own.of(part));
    for (const { seen } of this.#all) seen.follow();
  }
}
