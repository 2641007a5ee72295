import { svg } from '../dom.js';

/** @typedef {[look: 'line' | 'bar' | 'bad' | 'good' | 'soft', motion: 'show' | 'slide' | 'rise' | 'grow', path: string]} Mark */

const box = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) => (
  `M${x} ${y}h${width}v${height}h${-width}z`);
const dot = (/** @type {number} */ x, /** @type {number} */ y) => `M${x - 2.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`;
/** @param {number} count @param {(place: number) => Mark} make @returns {Mark[]} */
const each = (count, make) => Array.from({ length: count }, (_, place) => make(place));
/** Those that wait in line. */
const queue = (/** @type {number} */ y, /** @type {number} */ waiting) => each(waiting, (place) => ['bar', 'slide', dot(36 - place * 6, y)]);

/** Each view's marks, on 64 by 44, in the order in which they come. All of them together are the still picture. @type {{[view: string]: Mark[]}} */
const MARKS = {
  'one-document': [['line', 'show', box(43, 13, 18, 18)], ...queue(22, 6), ['bar', 'show', dot(52, 22)], ['bad', 'show', 'M3 34l6 6m0 -6l-6 6']],
  'distributed-counter': [
    ...each(4, (place) => ['line', 'show', box(46, 3 + place * 10, 15, 7)]),
    ...queue(6.5, 2), ...queue(16.5, 1), ...queue(26.5, 2), ...queue(36.5, 1),
    ...each(4, (place) => ['bar', 'show', dot(53.5, 6.5 + place * 10)]),
  ],
  reading: [['bad', 'grow', box(3, 6, 58, 8)], ['bar', 'grow', box(3, 18, 5, 8)], ['bar', 'grow', box(3, 30, 12, 8)]],
  live: [
    ['soft', 'show', 'M3 14h58'], ...each(5, (place) => /** @type {Mark} */ (['bad', 'show', `M${7 + place * 12} 7v7`])),
    ['soft', 'show', 'M3 36h58'], ['bar', 'rise', dot(19, 31)], ['bar', 'rise', dot(44, 31)],
  ],
  'lost-answer': [
    ['line', 'show', box(3, 12, 14, 20)], ['line', 'show', box(47, 12, 14, 20)], ['soft', 'slide', 'M20 17h24m-4 -4l4 4l-4 4'],
    ['soft', 'show', 'M44 28h-9'], ['bad', 'show', 'M23 24l8 8m0 -8l-8 8'],
  ],
  'hot-range': [
    ...each(5, (place) => ['line', 'show', box(3 + place * 11.6, 18, 11.6, 18)]),
    ...each(4, (place) => ['bar', 'rise', box(5 + place * 11.6, 31 - place, 7.6, 3 + place)]),
    ['bad', 'rise', box(51.4, 20, 7.6, 14)], ['soft', 'show', 'M55.2 4v9m-3 -3l3 3l3 -3'],
  ],
  'sharded-query': [
    ...each(9, (place) => ['soft', 'show', box(3 + (place % 3) * 8, 5 + Math.floor(place / 3) * 12, 6, 9)]),
    ...each(6, (place) => ['bar', 'slide', box(38 + (place % 3) * 8, 10 + Math.floor(place / 3) * 13, 6, 9)]),
  ],
  'your-indexes': [
    ['line', 'show', 'M12 3h28l10 9v29h-38z'], ['soft', 'show', 'M18 14h18'], ['bad', 'show', 'M18 21h24'], ['soft', 'show', 'M18 28h16'],
    ['good', 'show', 'M34 33l5 5l9 -11'],
  ],
  ids: each(15, (place) => [place >= 5 && place < 10 ? 'soft' : 'bar', 'show', box(3 + (place % 5) * 12, 5 + Math.floor(place / 5) * 12, 9, 8)]),
  tickets: [
    ...each(10, (place) => ['bar', 'show', box(3 + (place % 5) * 10, 9 + Math.floor(place / 5) * 15, 8, 11)]),
    ['line', 'show', 'M54 4v36'], ['bad', 'show', 'M57 18l5 5m0 -5l-5 5'],
  ],
  'your-app': [
    ['line', 'show', 'M9 4h46q4 0 4 4v28q0 4 -4 4h-46q-4 0 -4 -4v-28q0 -4 4 -4z'], ['soft', 'slide', 'M12 13h22'], ['soft', 'slide', 'M12 20h30'],
    ['bar', 'rise', 'M32 36l-7 -6a3.6 3.6 0 0 1 7 -3a3.6 3.6 0 0 1 7 3z'],
  ],
  playground: [...each(3, (place) => ['line', 'show', `M4 ${9 + place * 13}h56`]),
    ['bar', 'slide', dot(44, 9)], ['bar', 'slide', dot(20, 22)], ['bar', 'slide', dot(34, 35)]],
};

/**
 * A small picture on each card of the contents. It is drawn, and plays for a moment, when it comes into view; it plays again when its card is pointed
 * at or has the focus. Out of view it is still, at its end. Readers who ask for less motion see all of it, still.
 */
export class CardPictures {
  #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) finish(target);
      else if (target.hasChildNodes()) play(target);
      else draw(/** @type {HTMLElement} */ (target));
    }
  });
  #closed = new AbortController();
  /** @type {Iterable<HTMLElement>} */
  #places = [];

  constructor() {
    // On paper all of them are shown.
    addEventListener('beforeprint', () => {
      for (const place of this.#places) {
        if (!place.hasChildNodes()) draw(place);
        finish(place);
      }
    }, { signal: this.#closed.signal });
  }

  /** @param {HTMLElement} list The cards, each with an empty place for its picture. */
  observe(list) {
    this.#observer.disconnect();
    this.#places = /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('.card-picture'));
    for (const place of this.#places) {
      this.#observer.observe(place);
      const card = place.closest('.card');
      for (const event of ['pointerenter', 'focus']) card?.addEventListener(event, () => play(place));
    }
  }

  close() {
    this.#closed.abort();
    this.#observer.disconnect();
  }
}

/** @param {HTMLElement} place Its motions begin by themselves. */
function draw(place) {
  const marks = MARKS[place.dataset.picture ?? ''] ?? [];
  place.replaceChildren(svg('svg', { viewBox: '0 0 64 44' }, ...marks.map(([look, motion, d], order) => {
    const mark = svg('path', { d, 'data-look': look, 'data-motion': motion });
    mark.style.setProperty('--order', String(order / marks.length));
    return mark;
  })));
}

const motionsOf = (/** @type {Element} */ place) => place.getAnimations({ subtree: true });

/** @param {Element} place Its picture is still, at its end. */
function finish(place) {
  for (const motion of motionsOf(place)) motion.finish();
}

/** @param {Element} place Its picture plays from the beginning. */
function play(place) {
  for (const motion of motionsOf(place)) {
    motion.currentTime = 0;
    motion.play();
  }
}
