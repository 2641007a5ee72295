import { h, svg } from '../dom.js';
import { sampleAt } from '../model/recording.js';
import { formatMoment, formatNumber, formatPercent, text } from '../text.js';
import { dataTable } from './data_table.js';
import { followWidth } from './picture_size.js';

/**
 * @typedef {import('../model/recording.js').Recording} Recording
 * @typedef {object} Tablet A tablet, or its part in one section.
 * @property {number} from 0 is where the index began at the start of the run, 1 is where it will end.
 * @property {number} to
 * @property {string} section
 * @property {number} load Of the whole tablet.
 * @property {boolean} isHot
 * @property {boolean} isWritten Whether new entries go there.
 * @property {boolean} isTold True of one part of each tablet: the one that says its load, so that the numbers add up.
 *
 * @typedef {{index: string, sections: string[]}} Row An index that holds the time, and the values in front of the time.
 */

const ROW = 64;
/** The heights of the name above, and of the arrow below the name. */
const LABEL = 32;
const GAP = 6;
/** The share of its capacity from which a tablet counts as hot. */
const HOT = 0.8;

/**
 * The indexes that hold the time, each drawn in a strip of its keys from the lowest to the highest, cut into tablets. An arrow points at the place of
 * new documents.
 */
export class TabletStrip {
  #recording;
  #capacity;
  #beganMs;
  /** @type {Row[]} */
  #rows;
  #svg = svg('svg', { class: 'strip' });
  #width = 0;
  #shown = NaN;
  #atMs = 0;
  element;

  /**
   * @param {Recording} recording
   * @param {{capacity: number}} options How many writes a second a tablet takes.
   */
  constructor(recording, { capacity }) {
    this.#recording = recording;
    this.#capacity = capacity;
    this.#rows = rowsOf(recording);
    // The server's clock when the load began.
    this.#beganMs = Date.UTC(2026, 0, 1);
    this.element = h('div', { class: 'strip-picture' }, this.#svg, h('p', { class: 'hint' }, text('tablets.legend')));
    followWidth(this.element, (width) => {
      this.#width = width;
      this.#shown = NaN;
      this.show(this.#atMs);
    });
  }

  /** @param {number} atMs */
  show(atMs) {
    this.#atMs = atMs;
    const sample = sampleAt(this.#recording, atMs);
    if (this.#width === 0 || !sample || sample.atMs === this.#shown) return;
    this.#shown = sample.atMs;
    const height = this.#rows.length * (ROW + LABEL + GAP);
    this.#svg.setAttribute('viewBox', `0 0 ${this.#width} ${height}`);
    this.#svg.setAttribute('height', String(height));
    this.#svg.replaceChildren(...this.#rows.map((row, place) => this.#drawRow(row, sample.atMs, place * (ROW + LABEL + GAP))));
  }

  /** @param {number} atMs */
  summary(atMs) {
    return this.#rows.map((row) => {
      const tablets = this.#wholeTabletsAt(row, atMs);
      const hottest = Math.max(0, ...tablets.map(({ load }) => load));
      return text('tablets.summary', {
        time: formatMoment(atMs), index: row.index, tablets: tablets.length, hot: tablets.filter(({ isHot }) => isHot).length, load: hottest,
      });
    }).join(' ');
  }

  /** @param {number} atMs */
  table(atMs) {
    return dataTable([text('tablets.index'), text('tablets.shard'), text('tablets.range'), text('tablets.load')],
      this.#rows.flatMap((row) => this.#tabletsAt(row, atMs).map(({ section, from, to, load, isTold }) => [
        // In one line: a line may end behind a dash, which the word joiner forbids.
        row.index, section || '–', `${formatPercent(from)}\u00a0–\u2060\u00a0${formatPercent(to)}`, isTold ? load : '–'])));
  }

  /**
   * @param {Row} row
   * @param {number} atMs
   * @param {number} top
   */
  #drawRow(row, atMs, top) {
    const sections = row.sections.length;
    const sectionWidth = (this.#width - GAP * (sections - 1)) / sections;
    const now = Math.min(1, atMs / this.#recording.durationMs);
    const tablets = this.#tabletsAt(row, atMs);
    const y = top + LABEL;
    return svg('g', {},
      // The strip runs from left to right in every language; its name begins where the reader does.
      svg('text', { class: 'strip-label', x: document.dir === 'rtl' ? this.#width : 0, y: top + 15 }, text('tablets.title', { index: row.index })),
      ...row.sections.flatMap((section, place) => {
        const left = place * (sectionWidth + GAP);
        const x = (/** @type {number} */ share) => left + share * sectionWidth;
        return [
          svg('rect', { class: 'strip-free', x: left, y, width: sectionWidth, height: ROW }),
          ...tablets.filter((tablet) => tablet.section === section).map((tablet) => this.#drawTablet(tablet, x, y, now)),
          svg('path', { class: 'strip-now', d: `M${x(now) - 6} ${y - 8}h12l-6 8z` }),
          section ? svg('text', { class: 'strip-shard', x: left + 6, y: y + 14 }, shardLabel(section, sectionWidth)) : null,
        ];
      }));
  }

  /**
   * @param {Tablet} tablet
   * @param {(share: number) => number} x
   * @param {number} y
   * @param {number} now
   */
  #drawTablet({ from, to, load, isHot, isWritten, isTold }, x, y, now) {
    const end = Math.min(to, now);
    const width = Math.max(1, x(end) - x(from) - 1);
    const share = isWritten || isTold ? Math.min(1, load / this.#capacity) : 0;
    const label = formatNumber(load);
    return svg('g', { class: 'tablet', 'data-hot': String(isHot) },
      svg('rect', { class: 'tablet-range', x: x(from), y, width, height: ROW }),
      svg('rect', { class: 'tablet-load', x: x(from), y: y + ROW * (1 - share), width, height: ROW * share }),
      isTold && load > 0 && width >= 8 * label.length + 4 ? svg('text', { class: 'tablet-number', x: x(from) + width / 2, y: y + 40 }, label) : null);
  }

  /**
   * @param {Row} row
   * @param {number} atMs
   * @returns {Tablet[]} Each once, however many sections it reaches over.
   */
  #wholeTabletsAt(row, atMs) {
    return this.#tabletsAt(row, atMs).filter(({ isTold }) => isTold);
  }

  /**
   * @param {Row} row
   * @param {number} atMs
   * @returns {Tablet[]} In the order of their keys.
   */
  #tabletsAt({ index, sections }, atMs) {
    const sample = sampleAt(this.#recording, atMs);
    const own = (sample?.tablets ?? []).filter((tablet) => tablet.index === index);
    const now = Math.min(1, atMs / this.#recording.durationMs);
    const starts = own.map(({ start, writesPerSecond }) => ({ ...this.#placeOf(start, sections), load: writesPerSecond }))
      .sort((a, b) => a.number - b.number);
    return starts.flatMap((tablet, place) => {
      const next = starts[place + 1]?.number ?? sections.length;
      // One that reaches over several values of the shard field is seen in each of them.
      const parts = sections.flatMap((section, number) => {
        const from = Math.max(0, tablet.number - number);
        const to = Math.min(1, next - number);
        if (to <= from) return [];
        return [{ from, to, section, load: tablet.load, isHot: tablet.load >= this.#capacity * HOT, isWritten: to >= now, isTold: false }];
      });
      // The place with the most room for its number.
      const width = (/** @type {Tablet} */ { from, to, isWritten }) => (isWritten ? now - from : to - from - 1);
      const [told] = [...parts].sort((a, b) => width(b) - width(a));
      if (told) told.isTold = true;
      return parts;
    });
  }

  /**
   * @param {any[]} start Values on the wire.
   * @param {string[]} sections
   * @returns {{number: number}} The section, and how far into it: 1.5 is the middle of the second one.
   */
  #placeOf(start, sections) {
    const time = start.find((value) => value.timestampValue !== undefined)?.timestampValue;
    const shard = start.find((value) => value.stringValue !== undefined)?.stringValue ?? '';
    const section = Math.max(0, sections.indexOf(shard));
    const share = time === undefined ? 0 : (Date.parse(time) - this.#beganMs) / this.#recording.durationMs;
    return { number: section + Math.min(1, Math.max(0, share)) };
  }
}

/**
 * @param {string} shard
 * @param {number} width Of its part of the strip, in pixels.
 * @returns {string} The shard alone, if there is no room for more.
 */
function shardLabel(shard, width) {
  const label = text('tablets.section', { shard });
  // At 12 px letters are about so wide; Japanese ones, which come late in Unicode, are square.
  const needed = [...label].reduce((sum, character) => sum + (character > '\u2e80' ? 12 : 6.5), 8);
  return needed <= width ? label : shard;
}

/**
 * @param {Recording} recording
 * @returns {Row[]}
 */
function rowsOf({ samples, report }) {
  const shards = Array.from({ length: report.experiment.shards ?? 1 }, (_, shard) => String(shard)).sort();
  const names = new Set(samples.flatMap(({ tablets }) => tablets.map(({ index }) => index)));
  return ['events: timestamp', 'events: shard, timestamp'].filter((name) => names.has(name))
    .map((index) => ({ index, sections: index.includes('shard') ? shards : [''] }));
}
