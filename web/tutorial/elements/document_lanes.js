import { h, svg } from '../dom.js';
import { END, isDone, requestsDone, requestsUnderWay, shardCountAt, stateAt } from '../model/recording.js';
import { formatMoment, formatNumber, text } from '../text.js';
import { dataTable } from './data_table.js';
import { followWidth } from './picture_size.js';

/**
 * @typedef {import('../model/recording.js').Recording} Recording
 * @typedef {{x: number, y: number, width: number, height: number, pitch: number, rows: number, columns: number, queueEnd: number}} Lane
 */

/**
 * The look of a lane, by the largest number of lanes: in pixels, `box` is the room for the document at its end, and `more` the one
 * in which it says how many wait beyond its dots.
 */
const SIZES = [
  { most: 2, width: Infinity, height: 132, gap: 10, box: 92, more: 44, pitch: 7.5 },
  { most: 20, width: 250, height: 34, gap: 10, box: 92, more: 34, pitch: 6 },
  { most: 50, width: 130, height: 20, gap: 6, box: 46, more: 28, pitch: 6 },
  { most: 100, width: 96, height: 14, gap: 4, box: 34, more: 24, pitch: 5 },
  { most: Infinity, width: 60, height: 9, gap: 3, box: 16, more: 0, pitch: 4 },
];
/** In lower lanes there is no room for numbers. The table has them. */
const READABLE = 12;
/** How much of the run an answer is seen going back, at least and at most: its way takes a few milliseconds. */
const GLOW_MS = [300, 2000];

/** A good answer on its way back: hollow, because colour alone would not distinguish it from a waiting request. */
const RING = 2.2;
const RING_PATH = `a${RING} ${RING} 0 1 0 ${2 * RING} 0a${RING} ${RING} 0 1 0 ${-2 * RING} 0`;

const KEYS = /** @type {const} */ (['waiting', 'again', 'done', 'refused', 'pausing']);

/**
 * Each document (or shard) with the requests that wait for it. Dots wait in line; requests that are sent again are dashes; an answer goes back as a
 * ring, a refusal as a cross.
 */
export class DocumentLanes {
  #recording;
  #shards;
  #roomFor;
  #most;
  #glowMs;
  #svg = svg('svg', { class: 'lanes' });
  #marks = { waiting: svg('path', { class: 'mark-waiting' }), again: svg('path', { class: 'mark-again' }), done: svg('path', { class: 'mark-done' }), refused: svg('path', { class: 'mark-refused' }) };
  /** @type {Record<string, HTMLElement>} */
  #numbers = Object.fromEntries(KEYS.map((key) => [key, h('b', {})]));
  /** @type {Lane[]} */
  #lanes = [];
  /** @type {{group: SVGElement, count: SVGElement, bar: SVGElement, shown: number, more: SVGElement, hidden: number}[]} */
  #boxes = [];
  #atMs = 0;
  element;

  /**
   * @param {Recording} recording
   * @param {number} [roomFor] Each lane is as small as if there were this many lanes.
   */
  constructor(recording, roomFor = 0) {
    this.#recording = recording;
    this.#roomFor = roomFor;
    const { index, durationMs } = recording;
    this.#shards = index.shards.length;
    this.#most = Math.max(1, ...index.shards.map(({ count }) => count.at(-1) ?? 0));
    const [least = 0, most = 0] = GLOW_MS;
    this.#glowMs = Math.min(most, Math.max(least, durationMs / 100));
    this.element = h('div', { class: 'lanes-picture' },
      h('ul', { class: 'lane-keys' }, ...KEYS.map((key) => h('li', { 'data-key': key }, h('span', { class: 'lane-key' }), text(`lanes.${key}`), ' ', this.#numbers[key]))),
      this.#svg);
    followWidth(this.element, (width) => this.#layOut(width));
  }

  /** @param {number} atMs */
  show(atMs) {
    this.#atMs = atMs;
    if (this.#lanes.length === 0) return;
    const counts = this.#drawMarks(atMs);
    const { pausing, counted, conflicts } = stateAt(this.#recording, atMs);
    for (const [key, number] of Object.entries({ ...counts, pausing, done: counted, refused: conflicts })) setText(/** @type {HTMLElement} */ (this.#numbers[key]), formatNumber(number));
    for (const [shard, box] of this.#boxes.entries()) {
      const count = shardCountAt(this.#recording, shard, atMs);
      if (box.shown === count) continue;
      box.shown = count;
      box.count.textContent = formatNumber(count);
      box.bar.setAttribute('transform', `scale(${count / this.#most} 1)`);
    }
  }

  /** @param {number} atMs */
  summary(atMs) {
    const { asked, counted, waiting, pausing, failed } = stateAt(this.#recording, atMs);
    return text('lanes.summary', { time: formatMoment(atMs), asked, counted, waiting, pausing, failed });
  }

  /** @param {number} atMs */
  table(atMs) {
    const { requests } = this.#recording;
    const waiting = new Array(this.#shards).fill(0);
    for (const request of requestsUnderWay(this.#recording, atMs)) {
      if (!isDone(requests, request, atMs)) waiting[requests.shard[request] ?? 0] += 1;
    }
    return dataTable([text('lanes.shard'), text('lanes.count'), text('lanes.waiting')],
      waiting.map((number, shard) => [shard, shardCountAt(this.#recording, shard, atMs), number]));
  }

  /** @param {number} width */
  #layOut(width) {
    const shards = this.#shards;
    const size = /** @type {SIZES[0]} */ (SIZES.find(({ most }) => Math.max(shards, this.#roomFor) <= most));
    const { height: laneHeight, gap, box, more, pitch } = size;
    const across = Math.max(1, Math.min(Math.floor((width + gap) / size.width), Math.ceil(shards / 5)));
    const laneWidth = (width - gap * (across - 1)) / across;
    const step = laneHeight + gap;
    this.#lanes = Array.from({ length: shards }, (_, shard) => {
      const queueEnd = laneWidth - box - 6;
      return {
        x: (shard % across) * (laneWidth + gap),
        y: Math.floor(shard / across) * step,
        width: laneWidth,
        height: laneHeight,
        pitch,
        rows: Math.max(1, Math.floor(laneHeight / pitch)),
        columns: Math.max(1, Math.floor((queueEnd - more) / pitch)),
        queueEnd,
      };
    });
    const height = Math.ceil(shards / across) * step - gap;
    this.#svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#svg.setAttribute('height', String(height));
    this.#boxes = this.#lanes.map((lane) => boxOf(lane, box));
    this.#svg.replaceChildren(...this.#boxes.map(({ group }) => group), ...Object.values(this.#marks));
    this.#svg.style.setProperty('--dot', String(pitch - 1.5));
    this.show(this.#atMs);
  }

  /**
   * All dots of a kind are one path, which a browser draws a thousand times quicker than as many elements.
   * @param {number} atMs
   */
  #drawMarks(atMs) {
    const recording = this.#recording;
    const { arrivedMs, doneMs, sentMs, shard, end } = recording.requests;
    const paths = { waiting: '', again: '', done: '', refused: '' };
    const counts = { waiting: 0, again: 0 };
    const standing = new Int32Array(this.#lanes.length);
    for (const request of requestsUnderWay(recording, atMs)) {
      const place = Math.max(0, shard[request] ?? 0);
      const lane = this.#lanes[place];
      if (!lane || isDone(recording.requests, request, atMs)) continue;
      const isAgain = (recording.index.attempts[request] ?? 0) > 0;
      const number = standing[place] ?? 0;
      standing[place] = number + 1;
      counts[isAgain ? 'again' : 'waiting'] += 1;
      if (number >= lane.rows * lane.columns) continue;
      const column = Math.floor(number / lane.rows);
      const y = lane.y + (number % lane.rows + 0.5) * lane.pitch;
      let x = lane.x + lane.queueEnd - (column + 0.5) * lane.pitch;
      const arrived = arrivedMs[request] ?? -1;
      const sent = sentMs[request] ?? 0;
      if (arrived > atMs && arrived > sent) x = lane.x + (x - lane.x) * ((atMs - sent) / (arrived - sent));
      if (isAgain) paths.again += `M${x.toFixed(1)} ${(y - 1.5).toFixed(1)}v3`;
      else paths.waiting += `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
    }
    for (const request of requestsDone(recording, atMs - this.#glowMs, atMs)) {
      const lane = this.#lanes[Math.max(0, shard[request] ?? 0)];
      if (!lane) continue;
      const back = (atMs - (doneMs[request] ?? 0)) / this.#glowMs;
      const x = lane.x + lane.queueEnd * (1 - back);
      // Side by side, because many come at once.
      const y = lane.y + ((request * 7) % lane.rows + 0.5) * lane.pitch;
      if (end[request] === END.done) paths.done += `M${(x - RING).toFixed(1)} ${y.toFixed(1)}${RING_PATH}`;
      else paths.refused += `M${(x - 2).toFixed(1)} ${(y - 2).toFixed(1)}l4 4m0-4l-4 4`;
    }
    for (const [key, path] of Object.entries(paths)) this.#marks[/** @type {keyof typeof paths} */ (key)].setAttribute('d', path);
    for (const [place, box] of this.#boxes.entries()) {
      const lane = /** @type {Lane} */ (this.#lanes[place]);
      const hidden = Math.max(0, (standing[place] ?? 0) - lane.rows * lane.columns);
      if (hidden === box.hidden) continue;
      box.hidden = hidden;
      box.more.textContent = hidden > 0 ? `+${formatNumber(hidden)}` : '';
    }
    return counts;
  }
}

/**
 * @param {Lane} lane
 * @param {number} width
 */
function boxOf(lane, width) {
  const x = lane.x + lane.width - width;
  const bar = svg('rect', { class: 'lane-bar', x: 0, y: 0, width, height: lane.height, transform: 'scale(0 1)' });
  const count = svg('text', { class: 'lane-count', x: lane.x + lane.width - width * 0.1, y: lane.y + lane.height / 2, 'data-small': String(lane.height < 30) }, '0');
  const more = svg('text', { class: 'lane-more', x: lane.x + 2, y: lane.y + lane.height / 2 });
  const group = svg('g', {},
    svg('rect', { class: 'lane-queue', x: lane.x, y: lane.y, width: lane.width - width, height: lane.height }),
    svg('rect', { class: 'lane-box', x, y: lane.y, width, height: lane.height }),
    svg('g', { transform: `translate(${x} ${lane.y})` }, bar), ...(lane.height < READABLE ? [] : [count, more]));
  return { group, bar, count, more, shown: -1, hidden: 0 };
}

/**
 * @param {HTMLElement} element
 * @param {string} said
 */
function setText(element, said) {
  if (element.textContent !== said) element.textContent = said;
}
