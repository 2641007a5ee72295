// Prints tables, and checks whether the targets have been reached.

/**
 * @typedef {object} Target
 * @property {string} what
 * @property {string} wanted
 * @property {number} measured
 * @property {boolean} reached
 *
 * @typedef {object} Report What a suite hands over: `results` for the JSON file, the rest also for the screen.
 * @property {object} results
 * @property {Target[]} targets
 */

/**
 * @param {string} title
 * @param {string[]} head
 * @param {string[][]} rows The first column to the left, all others to the right.
 */
export function printTable(title, head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row) => row.map((cell, column) =>
    (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('   ').trimEnd();
  console.log(`\n${title}`);
  console.log(line(head));
  console.log(widths.map((width) => '-'.repeat(width)).join('   '));
  for (const row of rows) console.log(line(row));
}

/** @param {Target[]} targets */
export function printTargets(targets) {
  printTable('targets', ['', 'to reach', 'measured', ''], targets.map(({ what, wanted, measured, reached }) =>
    [what, wanted, digits(measured), reached ? 'reached' : 'MISSED']));
}

/**
 * @param {string} what
 * @param {number} measured
 * @param {number} bound
 * @param {string} [unit]
 * @returns {Target} It compares the printed numbers, so that no line reads “≤ 1.15, measured 1.15, missed”.
 */
export function atMost(what, measured, bound, unit = '×') {
  return { what, wanted: `≤ ${digits(bound)}${unit}`, measured, reached: Number(measured.toFixed(2)) <= Number(bound.toFixed(2)) };
}

/**
 * @param {string} what
 * @param {number} measured
 * @param {number} bound
 * @param {string} [unit]
 * @returns {Target}
 */
export function atLeast(what, measured, bound, unit = '×') {
  return { what, wanted: `≥ ${digits(bound)}${unit}`, measured, reached: Number(measured.toFixed(2)) >= bound };
}

/**
 * @param {import('./measure.js').Summary} summary
 * @returns {string} `1.23 (1.11–4.56)`
 */
export function spread({ median, min, max }) {
  return `${digits(median)} (${digits(min)}–${digits(max)})`;
}

/** @param {number} number Three digits, or all of a large number. */
export function digits(number) {
  if (Number.isInteger(number)) return number.toLocaleString('en');
  if (Math.abs(number) >= 100) return Math.round(number).toLocaleString('en');
  return Math.abs(number) >= 10 ? number.toFixed(1) : number.toFixed(Math.abs(number) >= 0.1 ? 2 : 3);
}
