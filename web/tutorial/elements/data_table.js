import { h } from '../dom.js';
import { formatNumber } from '../text.js';

/** A cell with more characters has words rather than a number or a name. */
const NAME_LENGTH = 20;

/**
 * The numbers of a picture. The first cell of a row is its header.
 * @param {string[]} headings
 * @param {(string | number)[][]} rows
 * @returns {HTMLTableElement}
 */
export function dataTable(headings, rows) {
  const say = (/** @type {string | number} */ cell) => (typeof cell === 'number' ? formatNumber(cell) : cell);
  const kind = (/** @type {string | number} */ cell) => (typeof cell === 'string' && cell.length > NAME_LENGTH ? 'cell-words' : null);
  return h('table', {},
    h('thead', {}, h('tr', {}, ...headings.map((heading) => h('th', { scope: 'col' }, heading)))),
    h('tbody', {}, ...rows.map(([first = '', ...others]) => h('tr', {},
      h('th', { scope: 'row', class: kind(first) }, say(first)), ...others.map((cell) => h('td', { class: kind(cell) }, say(cell)))))));
}
