import { h, svg } from '../dom.js';
import { formatMoment, formatNumber, text } from '../text.js';
import { dataTable } from './data_table.js';
import { followWidth } from './picture_size.js';

/**
 * @typedef {import('../model/lost_answer.js').LostAnswer} LostAnswer
 * @typedef {import('../model/lost_answer.js').SentRequest} SentRequest
 * @typedef {{from: number, to: number, x1: number, y1: number, x2: number, y2: number, element: SVGElement}} Way A line, drawn while it is gone.
 */

/** Two rows are above it: who presses a button while an answer comes must not hide it. */
const TOP = 40;
const BOTTOM = 140;
const HEIGHT = 170;
const MARGIN = 18;
/** A message that does not arrive goes so far. */
const LOST_AT = 0.55;
/** The default of that width. */
const LOST_WIDTH = 26;

/**
 * The requests and answers between a page and Firestore: the page above, Firestore below, time from left to right. Moments at which something happens
 * are equally far apart, because nothing happens most of the time.
 */
export class AnswerLanes {
  #way;
  #name;
  #times;
  #svg = svg('svg', { class: 'answers' });
  #now = svg('line', { class: 'answers-now', y1: 0, y2: HEIGHT });
  /** @type {Way[]} */
  #lines = [];
  /** @type {{atMs: number, element: SVGElement}[]} */
  #marks = [];
  /** @type {Record<string, HTMLElement>} */
  #numbers = { pressed: h('b'), counted: h('b'), confirmed: h('b') };
  #width = 0;
  #atMs = 0;
  element;

  /**
   * @param {LostAnswer} recording
   * @param {'naive' | 'marker'} way
   */
  constructor({ ways, events }, way) {
    this.#way = ways[way];
    this.#name = text(`answers.${way}`);
    this.#times = events.map(({ atMs }) => atMs);
    this.element = h('div', { class: 'answers-picture' }, h('p', { class: 'answers-name' }, this.#name),
      h('ul', { class: 'answers-numbers' }, ...Object.entries(this.#numbers).map(([key, number]) => h('li', {},
        text(/** @type {import('../text.js').TextId} */ (`answers.${key}`)), ' ', number))),
      h('p', { class: 'answers-end' }, text('answers.page')), this.#svg,
      h('p', { class: 'answers-end' }, text('answers.firestore')), h('p', { class: 'answers-end' }, text('answers.legend')));
    followWidth(this.element, (width) => this.#layOut(width));
  }

  /** @param {number} atMs */
  show(atMs) {
    this.#atMs = atMs;
    const { pressed, counted, confirmed } = numbersAt(this.#way, atMs);
    for (const [key, number] of Object.entries({ pressed, counted, confirmed })) {
      const element = this.#numbers[key];
      if (element) element.textContent = formatNumber(number);
    }
    if (this.#width === 0) return;
    for (const { from, to, x1, y1, x2, y2, element } of this.#lines) {
      const gone = from >= atMs ? 0 : Math.min(1, (atMs - from) / Math.max(1, to - from));
      element.setAttribute('x2', String(x1 + (x2 - x1) * gone));
      element.setAttribute('y2', String(y1 + (y2 - y1) * gone));
      element.setAttribute('visibility', gone > 0 ? 'visible' : 'hidden');
    }
    for (const mark of this.#marks) mark.element.setAttribute('visibility', mark.atMs <= atMs ? 'visible' : 'hidden');
    this.#now.setAttribute('transform', `translate(${this.#x(atMs)} 0)`);
  }

  /** @param {number} atMs */
  summary(atMs) {
    return text('answers.summary', { way: this.#name, time: formatMoment(atMs), ...numbersAt(this.#way, atMs) });
  }

  /** @param {number} atMs */
  table(atMs) {
    const sent = this.#way.requests.filter(({ sentMs }) => sentMs <= atMs);
    return dataTable(
      [text('answers.column.request'), text('answers.column.what'), text('answers.column.sent'), text('answers.column.arrived'), text('answers.column.answer')],
      sent.map((request) => [request.number, whatOf(request), formatMoment(request.sentMs), arrivalsOf(request, atMs), answerOf(request, atMs)]));
  }

  /** @param {number} width */
  #layOut(width) {
    this.#width = width;
    this.#lines = [];
    this.#marks = [];
    for (const request of this.#way.requests) this.#drawRequest(request);
    for (const { atMs } of this.#way.presses) this.#mark(atMs, svg('path', { class: 'answers-press', d: `M${this.#x(atMs)} ${TOP - 5}l-6 -11h12z` }));
    for (const { atMs } of this.#way.acknowledged) {
      const x = this.#x(atMs);
      this.#mark(atMs, svg('path', { class: 'answers-tick', d: `M${x - 6} ${TOP - 26}l4 5l8 -10` }));
    }
    for (const { atMs, count } of this.#way.counts) {
      this.#mark(atMs, svg('text', { class: 'answers-count', x: this.#x(atMs), y: BOTTOM + 22, 'text-anchor': 'middle' }, formatNumber(count)));
    }
    this.#svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    this.#svg.setAttribute('height', String(HEIGHT));
    this.#svg.replaceChildren(
      ...[TOP, BOTTOM].map((y) => svg('line', { class: 'answers-lane', x1: 0, x2: width, y1: y, y2: y })), this.#now,
      ...this.#lines.map(({ element }) => element), ...this.#marks.map(({ element }) => element));
    this.show(this.#atMs);
  }

  /** @param {SentRequest} request */
  #drawRequest({ what, sentMs, arrivals, answerMs, gaveUpMs, lost, retryOf }) {
    const kind = `answers-line ${what === 'read' ? 'answers-read' : ''} ${retryOf === null ? '' : 'answers-again'}`;
    const x = this.#x(sentMs);
    for (const { atMs, applied } of arrivals) {
      this.#line(kind, sentMs, atMs, [x, TOP], [this.#x(atMs), BOTTOM]);
      this.#mark(atMs, svg('circle', { class: applied ? 'answers-applied' : 'answers-ignored', cx: this.#x(atMs), cy: BOTTOM, r: what === 'read' ? 2.5 : 5 }));
    }
    const [first] = arrivals;
    if (!first) this.#drawLost(kind, sentMs, [x, TOP], BOTTOM);
    else if (answerMs !== null) this.#line(kind, first.atMs, answerMs, [this.#x(first.atMs), BOTTOM], [this.#x(answerMs), TOP]);
    else if (lost && (gaveUpMs === null || first.atMs <= gaveUpMs)) this.#drawLost(kind, first.atMs, [this.#x(first.atMs), BOTTOM], TOP);
  }

  /**
   * @param {string} kind
   * @param {number} atMs
   * @param {[number, number]} start
   * @param {number} end Where it would have arrived.
   */
  #drawLost(kind, atMs, [x, y], end) {
    const [toX, toY] = [x + LOST_WIDTH, y + (end - y) * LOST_AT];
    this.#line(kind, atMs, atMs, [x, y], [toX, toY]);
    this.#mark(atMs, svg('path', { class: 'answers-lost', d: `M${toX - 5} ${toY - 5}l10 10m0 -10l-10 10` }));
  }

  /**
   * @param {string} kind
   * @param {number} from
   * @param {number} to
   * @param {[number, number]} start
   * @param {[number, number]} end
   */
  #line(kind, from, to, [x1, y1], [x2, y2]) {
    // An event without a duration is seen from its first moment on.
    this.#lines.push({ from: from - 1, to, x1, y1, x2, y2, element: svg('line', { class: kind, x1, y1, x2, y2 }) });
  }

  /**
   * @param {number} atMs
   * @param {SVGElement} element
   */
  #mark(atMs, element) {
    this.#marks.push({ atMs, element });
  }

  /** @param {number} atMs */
  #x(atMs) {
    const times = this.#times;
    const room = (this.#width - 2 * MARGIN - LOST_WIDTH) / Math.max(1, times.length - 1);
    const next = times.findIndex((time) => time >= atMs);
    if (next === -1) return MARGIN + room * (times.length - 1);
    if (next === 0) return MARGIN;
    const [before = 0, after = 0] = [times[next - 1], times[next]];
    return MARGIN + room * (next - 1 + (atMs - before) / (after - before));
  }
}

/**
 * @param {import('../model/lost_answer.js').Way} way
 * @param {number} atMs
 */
export function numbersAt({ presses, counts, acknowledged, requests }, atMs) {
  const until = (/** @type {{atMs: number}[]} */ list) => list.filter((each) => each.atMs <= atMs).length;
  return {
    pressed: until(presses), counted: until(counts), confirmed: until(acknowledged),
    sent: requests.filter(({ sentMs }) => sentMs <= atMs).length,
  };
}

/** @param {SentRequest} request */
function whatOf({ what, retryOf }) {
  return retryOf === null ? text(`answers.what.${what}`) : text(`answers.what.${what}.again`, { number: retryOf });
}

/**
 * @param {SentRequest} request
 * @param {number} atMs
 */
function arrivalsOf({ what, arrivals }, atMs) {
  return arrivals.filter((arrival) => arrival.atMs <= atMs).map((arrival) => {
    const time = formatMoment(arrival.atMs);
    if (what === 'read') return time;
    return text(arrival.applied ? 'answers.arrived.counted' : 'answers.arrived.ignored', { time });
  }).join(' ');
}

/**
 * @param {SentRequest} request
 * @param {number} atMs
 */
function answerOf({ answerMs, gaveUpMs }, atMs) {
  if (answerMs !== null && answerMs <= atMs) return formatMoment(answerMs);
  return gaveUpMs !== null && gaveUpMs <= atMs ? text('answers.none') : '';
}
