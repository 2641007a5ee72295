// Chance that is the same in every run.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * xorshift32.
 * @param {number} seed
 * @returns {() => number} From 0 to less than 1.
 */
export function randomNumbers(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * An id as Google's SDKs make them.
 * @param {() => number} random
 */
export function documentId(random) {
  return Array.from({ length: 20 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}
