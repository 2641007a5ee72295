import { h } from '../dom.js';
import { formatList, formatMarks, formatMoment, formatNumber, formatSeconds, text } from '../text.js';
import { dataTable } from './data_table.js';
import { followWidth } from './picture_size.js';

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {number[]} values One for each second: of the second that begins then, or the value at its beginning.
 * @property {0 | 1 | 2} style Colour and dashes.
 * @property {(atMs: number) => number} [at] The value at a moment between two seconds. By default it is the second's.
 *
 * @typedef {import('uplot')} UPlot
 */

const HEIGHT = 160;
const COLOURS = ['--bar', '--bad', '--bar-negative'];
const DASHES = [[], [2, 4], [9, 4]];
/** The possible distances between two marks. */
const SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800];
/** The number of rows in the table. */
const ROWS = 12;

/** A canvas does not follow the page's colours by itself. */
const colourScheme = () => getComputedStyle(document.documentElement).getPropertyValue('--ink');

/** Lines over the seconds of a run, drawn by uPlot, which is loaded when the first one comes into view. */
export class TimeSeries {
  #title;
  #lines;
  #durationMs;
  #seconds;
  #place = h('div', { class: 'series-place' });
  /** @type {UPlot | null} */
  #plot = null;
  #width = 0;
  #shown = -1;
  #atMs = 0;
  /** Whose colours the drawing has. */
  #scheme = '';
  #observer;
  #isClosed = false;
  element;

  /**
   * @param {string} title
   * @param {Line[]} lines
   * @param {number} durationMs
   */
  constructor(title, lines, durationMs) {
    this.#title = title;
    this.#lines = lines;
    this.#durationMs = durationMs;
    this.#seconds = Math.max(1, ...lines.map(({ values }) => values.length));
    this.element = h('div', { class: 'series' }, h('p', { class: 'label' }, title),
      h('ul', { class: 'series-keys' }, ...lines.map(({ label, style }) => h('li', { 'data-style': style }, label))), this.#place);
    followWidth(this.#place, (width) => {
      this.#width = width;
      this.#plot?.setSize({ width, height: HEIGHT });
    });
    this.#observer = new IntersectionObserver(([entry], observer) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      this.#load();
    });
    this.#observer.observe(this.#place);
  }

  close() {
    this.#isClosed = true;
    this.#observer.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  /** @type {(() => void) | null} */
  #draw = null;

  async #load() {
    const loaded = await loadPlot().catch(() => null);
    if (this.#isClosed) return;
    if (!loaded) {
      // The words and the table say the same.
      this.#place.textContent = text('load-failure.title');
      return;
    }
    const { default: UPlot } = loaded;
    this.#draw = () => {
      this.#plot?.destroy();
      this.#scheme = colourScheme();
      this.#plot = new UPlot(this.#options(), this.#data(this.#secondAt(this.#atMs)), this.#place);
    };
    this.#draw();
  }

  /** @param {number} atMs */
  show(atMs) {
    this.#atMs = atMs;
    const second = this.#secondAt(atMs);
    if (!this.#plot) return;
    if (this.#scheme !== colourScheme()) this.#draw?.();
    if (second === this.#shown) return;
    this.#shown = second;
    this.#plot.setData(this.#data(second), false);
    this.#plot.redraw();
  }

  /** @param {number} atMs */
  summary(atMs) {
    const second = this.#secondAt(atMs);
    const values = this.#lines.map(({ label, values: all, at }) => text('series.value', { label, n: at?.(atMs) ?? all[second] ?? 0 }));
    return text('series.summary', { title: this.#title, time: formatMoment(atMs), values: formatList(values) });
  }

  /** @param {number} atMs */
  table(atMs) {
    const last = this.#secondAt(atMs);
    const step = Math.max(1, Math.ceil((last + 1) / ROWS));
    const seconds = [];
    for (let second = 0; second <= last; second += step) seconds.push(second);
    if (seconds.at(-1) !== last) seconds.push(last);
    return dataTable([text('series.time'), ...this.#lines.map(({ label }) => label)],
      seconds.map((second) => [second === 0 ? formatSeconds(0) : formatMoment(Math.min(second * 1000, this.#durationMs)), ...this.#lines.map(({ values }) => values[second] ?? 0)]));
  }

  /** @param {number} atMs */
  #secondAt(atMs) {
    // At the end of a run, all of it.
    return atMs >= this.#durationMs ? this.#seconds - 1 : Math.min(Math.floor(atMs / 1000), this.#seconds - 1);
  }

  /** @param {number} last The part behind it has not happened yet. */
  #data(last) {
    const seconds = Array.from({ length: this.#seconds }, (_, second) => second);
    return /** @type {import('uplot').AlignedData} */ ([
      seconds, ...this.#lines.map(({ values }) => seconds.map((second) => (second <= last ? values[second] ?? null : null)))]);
  }

  /** @returns {import('uplot').Options} */
  #options() {
    const style = getComputedStyle(this.element);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const most = Math.max(1, ...this.#lines.flatMap(({ values }) => values));
    const axis = { stroke: colour('--ink-soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: `12px ${style.fontFamily}` };
    return {
      width: this.#width || this.#place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range: [0, Math.max(1, this.#seconds - 1)] }, y: { range: [0, most * 1.05] } },
      axes: [
        { ...axis, size: 28, incrs: SECONDS, values: (_, splits) => formatMarks(splits) },
        { ...axis, size: (_, labels) => yAxisSize(labels), values: (_, splits) => splits.map((split) => formatNumber(split)) },
      ],
      series: [{}, ...this.#lines.map((line) => ({
        stroke: colour(COLOURS[line.style] ?? '--bar'), width: 2.5, dash: DASHES[line.style] ?? [], points: { show: false },
      }))],
    };
  }
}

async function loadPlot() {
  const loaded = await import('./uplot.js');
  await loaded.styled;
  return loaded;
}

/**
 * @param {string[] | null} labels Null at the first layout of a chart, when they are not known yet.
 * @returns {number} The width of the longest one, in pixels: the chart gets the rest.
 */
function yAxisSize(labels) {
  return 12 + 7 * Math.max(1, ...(labels ?? []).map(({ length }) => length));
}
