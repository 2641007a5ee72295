import { Timestamp } from '../../library/values.js';
import { h } from '../dom.js';
import { formatNumber, text } from '../text.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {{id: string, data: () => {[field: string]: any}}} Doc
 */

/** @type {[column: string, heading: TextId, show: (data: {[field: string]: any}) => string][]} */
const COLUMNS = [
  ['symbol', 'results.symbol', (data) => show(data.symbol)],
  ['type', 'results.type', (data) => show(data.instrumentType)],
  ['exchange', 'results.exchange', (data) => show(data.exchange)],
  ['price', 'results.price', (data) => showPrice(data.price)],
  ['timestamp', 'results.timestamp', (data) => show(data.timestamp)],
];

/** The merged documents of a page. The page shows their content as text only. */
export class ResultsTable {
  #caption = h('caption', { class: 'visually-hidden' });
  #rows = h('tbody', { role: 'rowgroup' });
  #raw = h('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': text('results.raw') });
  // Roles are named because the style sheet makes cards of the rows on narrow screens.
  element = h('div', { class: 'results' },
    h('table', { class: 'results-table', role: 'table' }, this.#caption,
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' },
        heading('results.number'), ...COLUMNS.map(([, id]) => heading(id)), heading('results.shard'))),
      this.#rows),
    h('details', {}, h('summary', {}, text('results.raw')), this.#raw));

  constructor() {
    this.clear();
  }

  clear() {
    this.element.hidden = true;
    this.#rows.replaceChildren();
  }

  /**
   * @param {Doc[]} docs
   * @param {{first: number, caption: string}} page `first` is the number of the first row.
   */
  show(docs, { first, caption }) {
    this.#caption.textContent = caption;
    this.#rows.replaceChildren(...docs.map(({ data }, index) => row(first + index, data())));
    this.#raw.textContent = JSON.stringify(docs.map(({ id, data }) => ({ id, data: data() })), toPlain, 2);
    this.element.hidden = docs.length === 0;
  }
}

/** @param {TextId} id */
function heading(id) {
  return h('th', { role: 'columnheader', scope: 'col' }, text(id));
}

/**
 * @param {number} number
 * @param {{[field: string]: any}} data
 */
function row(number, data) {
  return h('tr', { role: 'row', translate: 'no' },
    h('td', { role: 'cell', class: 'cell-number' }, formatNumber(number)),
    ...COLUMNS.map(([column, , content]) => h('td', { role: 'cell', class: `cell-${column}` }, content(data))),
    h('td', { role: 'cell', class: 'cell-shard' }, chip(show(data.shard))));
}

/**
 * A shard value, with a colour that is the same wherever it appears.
 * @param {string} shard
 */
export function chip(shard) {
  const element = h('span', { class: 'chip', translate: 'no' }, shard);
  let hash = 7;
  for (const character of shard) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  element.style.setProperty('--hue', String((hash * 137) % 360));
  return element;
}

/** @param {unknown} value */
function show(value) {
  if (value === undefined) return text('results.missing');
  if (typeof value === 'string') return value;
  if (value instanceof Timestamp) return value.toString().replace('T', ' ').replace('Z', '');
  if (typeof value === 'number' || typeof value === 'bigint') return formatNumber(value);
  return JSON.stringify(value, toPlain);
}

/** @param {unknown} price */
function showPrice(price) {
  const { micros, currency } = /** @type {{micros?: unknown, currency?: unknown}} */ (Object(price));
  if (typeof micros !== 'number') return show(price);
  return `${formatNumber(micros / 1e6)} ${show(currency)}`;
}

/**
 * @param {string} _key
 * @param {unknown} value
 */
function toPlain(_key, value) {
  return typeof value === 'bigint' ? `${value}` : value;
}
