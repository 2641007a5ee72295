import { h, svg } from '../dom.js';
import { formatMarks, formatNumber, text } from '../text.js';

/**
 * @typedef {{label: string, style: number, values: number[]}} Line One value for each second.
 * @typedef {import('../text.js').TextId} TextId
 */

/** The drawing's own units; it is stretched to fit. */
const WIDTH = 100;
const HEIGHT = 100;
/** Each point is the mean of this many seconds, because single seconds jump. */
const SMOOTH = 5;

/** Lines over time, which differ in colour and dashes. A table beside the chart has the same numbers for screen readers. */
export class LineChart {
  #svg = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' });
  #legend = h('ul', { class: 'legend' });
  #ys = h('div', { class: 'chart-ys' });
  #xs = h('div', { class: 'chart-xs' });
  element;

  /** @param {TextId} title */
  constructor(title) {
    this.element = h('div', { class: 'chart', 'aria-hidden': 'true' }, h('p', { class: 'label' }, text(title)), this.#legend,
      this.#ys, h('div', { class: 'chart-area' }, this.#svg), this.#xs);
  }

  /** @param {Line[]} lines */
  show(lines) {
    const smooth = lines.map((line) => ({ ...line, values: means(line.values) }));
    const seconds = Math.max(SMOOTH, ...lines.map(({ values }) => values.length));
    const most = roundUp(Math.max(1, ...smooth.flatMap(({ values }) => values)));
    const x = (/** @type {number} */ second) => (second / seconds) * WIDTH;
    const y = (/** @type {number} */ value) => HEIGHT * (1 - value / most);
    const marks = [most, most / 2, 0];
    this.#svg.replaceChildren(
      ...marks.map((value) => svg('line', { class: 'grid', x1: 0, x2: WIDTH, y1: y(value), y2: y(value) })),
      ...smooth.map(({ values, style }) => svg('polyline', {
        class: 'line', 'data-style': style, points: values.map((value, index) => `${x((index + 0.5) * SMOOTH)},${y(value)}`).join(' '),
      })));
    this.#ys.replaceChildren(...marks.map((value) => h('span', {}, formatNumber(value))));
    this.#xs.replaceChildren(...formatMarks([0, seconds]).map((mark) => h('span', {}, mark)));
    this.#legend.replaceChildren(...lines.map((line) => {
      const key = svg('svg', { viewBox: '0 0 28 6', class: 'legend-key' });
      key.append(svg('line', { class: 'line', 'data-style': line.style, x1: 0, x2: 28, y1: 3, y2: 3 }));
      const item = h('li', {}, line.label);
      item.prepend(key);
      return item;
    }));
  }
}

/** @param {number[]} values */
function means(values) {
  const groups = Math.floor(values.length / SMOOTH);
  return Array.from({ length: groups }, (_, group) => values.slice(group * SMOOTH, (group + 1) * SMOOTH)
    .reduce((sum, value) => sum + value, 0) / SMOOTH);
}

/** @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return (/** @type {number} */ ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value))) * power;
}
