import { h } from '../dom.js';
import { formatNumber } from '../text.js';

/**
 * The numbers of a picture. The first cell of a row says what the row is.
 * @param {string[]} headings
 * @param {(string | number)[][]} rows
 * @returns {HTMLTableElement}
 */
export function dataTable(headings, rows) {
  const say = (/** @type {string | number} */ cell) => (typeof cell === 'number' ? formatNumber(cell) : cell);
  return h('table', {},
    h('thead', {}, h('tr', {}, ...headings.map((heading) => h('th', { scope: 'col' }, heading)))),
    h('tbody', {}, ...rows.map(([first = '', ...others]) => h('tr', {},
      h('th', { scope: 'row' }, say(first)), ...others.map((cell) => h('td', {}, say(cell)))))));
}
