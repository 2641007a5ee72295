import { h } from '../dom.js';
import { countUntil } from '../model/recording.js';
import { formatMoment, formatNumber, text } from '../text.js';
import { dataTable } from './data_table.js';

/** The number of ids that are shown. */
const SHOWN = 24;

/** The last ids that were given away. A word marks each id that another user already has. */
export class IdStream {
  #ids;
  #shown = -1;
  #list = h('ul', { class: 'id-list' });
  #numbers = h('p', { class: 'id-numbers' });
  element = h('div', { class: 'id-stream' }, this.#numbers, this.#list);

  /** @param {import('../model/ids.js').Ids} ids */
  constructor(ids) {
    this.#ids = ids;
  }

  /** @param {number} atMs */
  show(atMs) {
    const given = countUntil(this.#ids.atMs, atMs);
    if (given === this.#shown) return;
    this.#shown = given;
    this.#numbers.textContent = text('ids.numbers', { given, duplicates: this.#duplicatesAt(atMs) });
    const first = Math.max(0, given - SHOWN);
    this.#list.replaceChildren(...Array.from({ length: given - first }, (_, place) => this.#chip(given - 1 - place)));
  }

  /** @param {number} atMs */
  summary(atMs) {
    return text('ids.summary', { time: formatMoment(atMs), given: countUntil(this.#ids.atMs, atMs), duplicates: this.#duplicatesAt(atMs) });
  }

  /** @param {number} atMs */
  table(atMs) {
    const given = countUntil(this.#ids.atMs, atMs);
    const rows = [];
    for (let place = given - 1; place >= Math.max(0, given - SHOWN); place -= 1) {
      rows.push([formatMoment(this.#ids.atMs[place] ?? 0), this.#ids.id[place] ?? 0, (this.#ids.owners[place] ?? 0) + 1]);
    }
    return dataTable([text('series.time'), text('ids.id'), text('ids.owners')], rows);
  }

  /** @param {number} atMs */
  #duplicatesAt(atMs) {
    return countUntil(this.#ids.duplicatesMs, atMs);
  }

  /** @param {number} place */
  #chip(place) {
    const owners = this.#ids.owners[place] ?? 0;
    return h('li', { class: 'id-chip', 'data-duplicate': String(owners > 0) },
      formatNumber(this.#ids.id[place] ?? 0), owners > 0 ? h('small', {}, text('ids.again', { owners: owners + 1 })) : null);
  }
}
