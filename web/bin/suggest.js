// “Did you mean …?”

/**
 * A sentence that names the word that was probably meant, with a space in front; empty if no known word is like it.
 * @param {string} word
 * @param {string[]} known
 */
export function didYouMean(word, known) {
  const most = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = known.map((each) => ({ each, steps: distance(word.toLowerCase(), each) })).sort((one, other) => one.steps - other.steps);
  return nearest && nearest.steps <= most ? ` Did you mean ${nearest.each}?` : '';
}

/**
 * How many letters must be added, removed, changed or swapped with the next one to make one word the other: the Damerau–Levenshtein
 * distance with adjacent transpositions.
 * @param {string} one
 * @param {string} other
 */
export function distance(one, other) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i += 1) {
    const [above = [], before = []] = [rows[i - 1], rows[i - 2]];
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      let steps = Math.min(Number(above[j]) + 1, Number(row[j - 1]) + 1, Number(above[j - 1]) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) steps = Math.min(steps, Number(before[j - 2]) + 1);
      row.push(steps);
    }
    rows.push(row);
  }
  return Number(rows[one.length]?.[other.length]);
}
