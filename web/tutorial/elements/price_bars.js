import { h } from '../dom.js';
import { formatDollars, text } from '../text.js';
import { dataTable } from './data_table.js';

/** @typedef {{label: import('../text.js').TextId, reads: number, writes: number, dollars: number}} Price The price of a month. */

/** The costs of a month, in ways that can be compared. */
export class PriceBars {
  #prices;
  element;

  /** @param {Price[]} prices */
  constructor(prices) {
    this.#prices = prices;
    const most = Math.max(...prices.map(({ dollars }) => dollars)) || 1;
    this.element = h('div', { class: 'price-bars' }, ...prices.map(({ label, dollars }) => {
      const bar = h('div', { class: 'bar' });
      bar.style.setProperty('--from', '0');
      bar.style.setProperty('--size', String(dollars / most));
      return h('div', { class: 'price-bar' }, h('span', {}, text(label)), h('strong', {}, formatDollars(dollars)), bar);
    }));
  }

  show() {}

  summary() {
    return text('price-bars.summary');
  }

  table() {
    const columns = /** @type {const} */ (['price-bars.what', 'price-bars.reads', 'price-bars.writes', 'price-bars.dollars']);
    return dataTable(columns.map((id) => text(id)),
      this.#prices.map(({ label, reads, writes, dollars }) => [text(label), reads, writes, formatDollars(dollars)]));
  }
}
