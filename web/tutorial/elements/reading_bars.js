import { h } from '../dom.js';
import { readingAt, SOURCES } from '../model/reading.js';
import { formatMoment, formatNumber, text } from '../text.js';
import { dataTable } from './data_table.js';

/** The billed reads of each way so far: bars that grow side by side. */
export class ReadingBars {
  #run;
  #most;
  #bars;
  element;

  /** @param {import('../model/reading.js').ReadingRun} run */
  constructor(run) {
    this.#run = run;
    this.#most = Math.max(1, ...SOURCES.map((source) => run.ways[source].reads.at(-1) ?? 0));
    this.#bars = SOURCES.map((source) => ({ source, bar: h('div', { class: 'reading-bar' }), number: h('span', { class: 'reading-number' }) }));
    this.element = h('div', { class: 'reading-bars' }, ...this.#bars.map(({ source, bar, number }) => h('div', { class: 'reading-way' },
      h('span', { class: 'label' }, text(`ways.${source}`)), h('div', { class: 'reading-track' }, bar), number)));
  }

  /** @param {number} atMs */
  show(atMs) {
    for (const { source, bar, number } of this.#bars) {
      const { reads } = readingAt(this.#run.ways[source], atMs);
      bar.style.transform = `scaleX(${reads / this.#most})`;
      const said = text('ways.reads', { reads });
      if (number.textContent !== said) number.textContent = said;
    }
  }

  /** @param {number} atMs */
  summary(atMs) {
    const reads = Object.fromEntries(SOURCES.map((source) => [source, readingAt(this.#run.ways[source], atMs).reads]));
    return text('ways.summary', { time: formatMoment(atMs), ...reads });
  }

  /** @param {number} atMs */
  table(atMs) {
    return dataTable([text('ways.way'), text('ways.totals'), text('ways.billed'), text('ways.each')], SOURCES.map((source) => {
      const { totals, reads } = readingAt(this.#run.ways[source], atMs);
      return [text(`ways.${source}`), totals, reads, totals > 0 ? formatNumber(Math.round((reads / totals) * 100) / 100) : '–'];
    }));
  }
}
