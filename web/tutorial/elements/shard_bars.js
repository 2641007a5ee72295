import { h } from '../dom.js';
import { formatNumber, formatTime, text } from '../text.js';

/** @typedef {{[id: string]: number | bigint}} PerShard */

/**
 * The value of each shard. A table, so that it can be heard as well as seen; the bars are for the eye only.
 */
export class ShardBars {
  #caption = h('caption');
  #rows = h('tbody');
  #table = h('table', { class: 'bars' }, this.#caption,
    h('thead', { class: 'visually-hidden' },
      h('tr', {}, h('th', { scope: 'col' }, text('bars.shard')), h('td'), h('th', { scope: 'col' }, text('bars.count')))),
    this.#rows);
  #scroll = h('div', { class: 'bars-scroll', tabindex: 0, role: 'region', 'aria-label': text('bars.region') }, this.#table);
  #empty = h('p', { class: 'empty' }, text('bars.empty'));
  #stale = h('p', { class: 'hint' }, text('bars.stale'));
  element = h('div', { class: 'bars-box' },
    h('h3', { class: 'label' }, text('bars.title')), this.#empty, this.#scroll, this.#stale);

  constructor() {
    this.clear();
  }

  clear() {
    this.#rows.replaceChildren();
    this.#scroll.hidden = true;
    this.#stale.hidden = true;
    this.#empty.hidden = false;
  }

  /**
   * @param {PerShard} perShard
   * @param {Date} at
   */
  show(perShard, at) {
    const entries = Object.entries(perShard).sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
    if (entries.length === 0) return this.clear();
    const counts = entries.map(([, count]) => Number(count));
    const low = Math.min(0, ...counts);
    const span = Math.max(0, ...counts) - low || 1;
    this.#caption.textContent = text('bars.caption', { count: entries.length, time: formatTime(at) });
    this.#rows.replaceChildren(...entries.map(([id, count]) => row(id, count, low, span)));
    this.#empty.hidden = true;
    this.#stale.hidden = true;
    this.#scroll.hidden = false;
  }

  /** Says that there have been increments since. */
  markStale() {
    this.#stale.hidden = this.#scroll.hidden;
  }
}

/**
 * @param {string} id
 * @param {number | bigint} count
 * @param {number} low The least count of all, at most 0.
 * @param {number} span
 */
function row(id, count, low, span) {
  const number = Number(count);
  const bar = h('div', { class: 'bar', 'data-negative': String(number < 0) });
  bar.style.setProperty('--from', String((Math.min(number, 0) - low) / span));
  bar.style.setProperty('--size', String(Math.abs(number) / span));
  return h('tr', {},
    h('th', { scope: 'row', translate: 'no' }, id),
    h('td', { class: 'bar-cell', 'aria-hidden': 'true' }, bar),
    h('td', {}, formatNumber(count)));
}
