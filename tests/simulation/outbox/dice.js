/** A seeded source of numbers (mulberry32). */
export class Dice {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /** @param {number} least @param {number} most Included. */
  between(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  /** Makes the library draw its random numbers from here. */
  install() {
    const fill = (/** @type {any} */ array) => {
      const bits = 8 * array.BYTES_PER_ELEMENT;
      for (let i = 0; i < array.length; i += 1) array[i] = Math.floor(this.next() * 2 ** bits);
      return array;
    };
    Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: fill, configurable: true });
  }
}
