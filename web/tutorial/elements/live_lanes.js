import { h } from '../dom.js';
import { viewAt } from '../model/live.js';
import { WAYS } from '../model/live_hour.js';
import { countUntil } from '../model/recording.js';
import { formatDuration, formatMoment, text } from '../text.js';
import { dataTable } from './data_table.js';

/** The number of last likes that are dots. */
const DOTS = 14;

/** One page in three ways: the number that it shows, the likes that it lacks, and its bill so far. */
export class LiveLanes {
  #live;
  #most;
  #tab = h('p', { class: 'live-tab' });
  #lanes;
  element;

  /** @param {import('../model/live.js').Live} live */
  constructor(live) {
    this.#live = live;
    this.#most = Math.max(1, ...WAYS.map((way) => live.ways[way].reads.at(-1) ?? 0));
    this.#lanes = WAYS.map((way) => {
      const dots = Array.from({ length: Math.min(DOTS, live.liked.length) }, () => h('i', { 'data-shown': 'none' }));
      return { way, dots, reads: h('span', { class: 'live-reads' }), bar: h('div', { class: 'reading-bar' }), said: h('span', { class: 'live-shown' }) };
    });
    const [people = 1] = live.liked;
    this.element = h('div', { class: 'live-lanes' },
      h('p', { class: 'live-key' }, h('i', { 'data-shown': 'yes' }), text('live.key.shown', { people }), h('i', { 'data-shown': 'no' }), text('live.key.missing')),
      ...this.#lanes.map(({ way, dots, reads, bar, said }) => h('div', { class: 'live-lane' },
        h('span', { class: 'label' }, text(`live.way.${way}`)), reads,
        h('div', { class: 'reading-track' }, bar), h('span', { class: 'live-dots' }, ...dots), said)),
      live.isHidden(0, live.durationMs) ? this.#tab : null);
  }

  /** @param {number} atMs */
  show(atMs) {
    const { liked, likedMs } = this.#live;
    const made = countUntil(likedMs, atMs);
    say(this.#tab, this.#tabAt(atMs));
    for (const { way, dots, reads, bar, said } of this.#lanes) {
      const view = viewAt(this.#live, way, atMs);
      bar.style.transform = `scaleX(${view.reads / this.#most})`;
      say(reads, text('unit.reads', { count: view.reads }));
      say(said, text('live.shown', { shown: view.shown, behind: view.behind }));
      for (const [place, dot] of dots.entries()) {
        const like = Math.max(made, dots.length) - dots.length + place;
        const state = like >= made ? 'none' : (liked[like] ?? 0) <= view.shown ? 'yes' : 'no';
        if (dot.dataset.shown !== state) dot.dataset.shown = state;
      }
    }
  }

  /** @param {number} atMs */
  summary(atMs) {
    const views = Object.fromEntries(WAYS.map((way) => [way, viewAt(this.#live, way, atMs).reads]));
    return [text('live.summary', { time: formatMoment(atMs), ...views }), this.#tabAt(atMs)].filter(Boolean).join(' ');
  }

  /** @param {number} atMs */
  table(atMs) {
    return dataTable([text('ways.way'), text('live.number'), text('live.behind'), text('ways.billed'), text('live.latest')], WAYS.map((way) => {
      const { shown, behind, reads, longestMs } = viewAt(this.#live, way, atMs);
      return [text(`live.way.${way}`), shown, behind, reads, longestMs > 0 ? formatDuration(longestMs) : '–'];
    }));
  }

  /** @param {number} atMs */
  #tabAt(atMs) {
    return this.#live.isHidden(atMs) ? text('live.tab') : '';
  }
}

/** @param {HTMLElement} element @param {string} words */
function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
