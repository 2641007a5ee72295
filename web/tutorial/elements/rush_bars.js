import { h } from '../dom.js';
import { saleAt, termsOf, WAYS } from '../model/tickets.js';
import { formatMoment, text } from '../text.js';
import { dataTable } from './data_table.js';
import { segmentKeys, Segments } from './segments.js';

const PARTS = /** @type {const} */ (['sold', 'oversold', 'refused', 'failed']);

/** The people of a rush, by the answer that they have got so far: a bar for each way to sell. A line marks the number of tickets. */
export class RushBars {
  #rush;
  #units;
  #bars;
  element;

  /** @param {import('../model/tickets.js').Rush} rush */
  constructor(rush) {
    const { units, people } = termsOf(rush.ways.stock.report);
    this.#rush = rush;
    this.#units = units;
    this.#bars = WAYS.map((way) => ({ way, bar: new Segments(PARTS, Math.max(people, units), units), sold: h('span', { class: 'rush-sold' }) }));
    this.element = h('div', { class: 'rush-bars' },
      segmentKeys([...PARTS.map((part) => /** @type {[string, string]} */ ([part, text(`rush.${part}`)])), ['waiting', text('rush.waiting')],
        ['mark', text('unit.tickets', { count: units })]]),
      ...this.#bars.map(({ way, bar, sold }) => h('div', { class: 'rush-way' }, h('span', { class: 'label' }, text(`rush.way.${way}`)), sold, bar.element)));
  }

  /** @param {number} atMs */
  show(atMs) {
    for (const { way, bar, sold } of this.#bars) {
      const numbers = saleAt(this.#rush.ways[way], atMs);
      bar.show({ ...numbers, sold: numbers.sold - numbers.oversold });
      const said = text('rush.numbers', { sold: numbers.sold, oversold: numbers.oversold });
      if (sold.textContent === said) continue;
      sold.textContent = said;
      sold.dataset.bad = String(numbers.oversold > 0);
    }
  }

  /** @param {number} atMs */
  summary(atMs) {
    const sold = Object.fromEntries(WAYS.map((way) => [way, saleAt(this.#rush.ways[way], atMs).sold]));
    return text('rush.summary', { time: formatMoment(atMs), units: this.#units, ...sold });
  }

  /** @param {number} atMs */
  table(atMs) {
    const columns = /** @type {const} */ (['ways.way', 'rush.sold', 'rush.oversold', 'rush.refused', 'rush.failed', 'rush.waiting']);
    return dataTable(columns.map((id) => text(id)), WAYS.map((way) => {
      const { sold, oversold, refused, failed, waiting } = saleAt(this.#rush.ways[way], atMs);
      return [text(`rush.way.${way}`), sold, oversold, refused, failed, waiting];
    }));
  }
}
