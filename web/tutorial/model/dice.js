// Chance that repeats: the same seed gives the same numbers.

/** Numbers from 0 to 1 (xorshift). @param {number} seed */
export function diceOf(seed) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
