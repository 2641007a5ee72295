import { h } from '../dom.js';
import { HELD, holdsAt } from '../model/tickets.js';
import { formatMoment, formatNumber, text } from '../text.js';
import { dataTable } from './data_table.js';
import { segmentKeys, Segments } from './segments.js';

const PARTS = /** @type {const} */ (['paid', 'held', 'ended', 'free']);
const ROWS = /** @type {const} */ ([...PARTS, 'returned', 'late', 'refused']);

/** All tickets: paid, on hold, waiting for a taker because their hold has ended, and free. */
export class HoldBar {
  #sale;
  #bar = new Segments(PARTS.filter((part) => part !== 'free'), HELD.units);
  #numbers = Object.fromEntries(ROWS.map((row) => [row, h('b')]));
  element;

  /** @param {import('../model/tickets.js').HoldSale} sale */
  constructor(sale) {
    this.#sale = sale;
    const said = (/** @type {typeof ROWS[number]} */ row) => /** @type {const} */ ([`${text(`holds.${row}`)} `, this.#numbers[row] ?? '']);
    this.element = h('div', { class: 'rush-bars' },
      segmentKeys(PARTS.map((part) => [part, ...said(part)])),
      this.#bar.element,
      h('p', { class: 'hold-people' }, ...ROWS.slice(PARTS.length).map((row) => h('span', {}, ...said(row)))));
  }

  /** @param {number} atMs */
  show(atMs) {
    const numbers = holdsAt(this.#sale, atMs);
    this.#bar.show(numbers);
    for (const row of ROWS) {
      const number = /** @type {HTMLElement} */ (this.#numbers[row]);
      const said = formatNumber(numbers[row]);
      if (number.textContent !== said) number.textContent = said;
    }
  }

  /** @param {number} atMs */
  summary(atMs) {
    const { paid, held, ended, free } = holdsAt(this.#sale, atMs);
    return text('holds.summary', { time: formatMoment(atMs), paid, held, ended, free });
  }

  /** @param {number} atMs */
  table(atMs) {
    const numbers = holdsAt(this.#sale, atMs);
    return dataTable([text('holds.what'), text('holds.number')], ROWS.map((row) => [text(`holds.${row}`), numbers[row]]));
  }
}
