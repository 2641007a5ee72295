import { h } from '../dom.js';
import { formatClock, formatMoment, text } from '../text.js';
import { dataTable } from './data_table.js';

/**
 * @typedef {import('../model/query.js').RecordedQuery} RecordedQuery
 * @typedef {import('../model/query.js').ChunkRequest} ChunkRequest
 * @typedef {RecordedQuery['documents'][number]} Instrument
 * @typedef {{atMs: number, takenMs: number, element: HTMLElement}} Card
 */

/** Each chunk of shards with the documents that it has answered; and below, the list that they are merged into. */
export class MergeLanes {
  #query;
  /** @type {Map<string, Instrument>} */
  #documents;
  /** @type {Map<string, number>} */
  #takenMs;
  /** The cards of the chunks: they come with an answer, and go when the merge takes them. @type {Card[]} */
  #cards = [];
  /** The cards of the result. @type {{atMs: number, element: HTMLElement}[]} */
  #results = [];
  /** @type {{element: HTMLElement, requests: ChunkRequest[]}[]} */
  #states = [];
  element;

  /** @param {RecordedQuery} query */
  constructor(query) {
    this.#query = query;
    this.#documents = new Map(query.documents.map((document) => [document.id, document]));
    this.#takenMs = new Map(query.taken.map(({ id, atMs }) => [id, atMs]));
    this.element = h('div', { class: 'merge' }, h('div', { class: 'merge-chunks' }, ...query.chunks.map((shards, chunk) => this.#lane(shards, chunk))),
      h('div', { class: 'merge-result' }, h('p', { class: 'label' }, text('merge.result')), h('div', { class: 'merge-cards' }, ...this.#resultCards())),
      h('p', { class: 'hint' }, text('merge.legend')));
  }

  /** @param {number} atMs */
  show(atMs) {
    for (const { atMs: cameMs, takenMs, element } of this.#cards) {
      element.dataset.state = cameMs > atMs ? 'coming' : takenMs > atMs ? 'waiting' : 'taken';
    }
    for (const { atMs: takenMs, element } of this.#results) element.dataset.state = takenMs > atMs ? 'coming' : 'waiting';
    for (const { element, requests } of this.#states) {
      const said = stateOf(requests, atMs);
      if (element.textContent !== said) element.textContent = said;
    }
  }

  /** @param {number} atMs */
  summary(atMs) {
    const { requests, fetched, merged, pages } = countsAt(this.#query, atMs);
    return text('merge.summary', { time: formatMoment(atMs), requests, fetched, merged, pages });
  }

  /** @param {number} atMs */
  table(atMs) {
    const columns = /** @type {const} */ (['merge.column.number', 'merge.column.time', 'merge.column.symbol', 'merge.column.shard', 'merge.column.chunk', 'merge.column.page']);
    return dataTable(columns.map((column) => text(column)), this.#query.taken.filter((taken) => taken.atMs <= atMs).map(({ id, chunk, page }, index) => {
      const { timestamp = '', symbol = '', shard = '' } = this.#documents.get(id) ?? {};
      return [index + 1, timestamp && formatClock(timestamp), symbol, String(shard), chunk + 1, page + 1];
    }));
  }

  /**
   * @param {string[]} shards
   * @param {number} chunk
   */
  #lane(shards, chunk) {
    const requests = this.#query.requests.filter((request) => request.chunk === chunk);
    const state = h('span', { class: 'hint' });
    this.#states.push({ element: state, requests });
    return h('div', { class: 'merge-lane' },
      h('p', { class: 'merge-name' }, h('strong', {}, text('merge.chunk', { n: chunk + 1, shards: shards.length })), ' ', state),
      h('div', { class: 'merge-cards' }, ...requests.flatMap((request) => this.#answerCards(request, chunk))));
  }

  /**
   * @param {ChunkRequest} request
   * @param {number} chunk
   */
  #answerCards({ answerMs, returned, isRefill }, chunk) {
    return returned.map((id, index) => {
      const element = this.#card(id, chunk, isRefill && index === 0);
      // One that an earlier answer had brought is the same document.
      this.#cards.push({ atMs: answerMs, takenMs: this.#takenMs.get(id) ?? Infinity, element });
      return element;
    });
  }

  #resultCards() {
    const { taken, pages } = this.#query;
    let before = '';
    return taken.flatMap(({ atMs, id, chunk, page }, index) => {
      const { timestamp = '' } = this.#documents.get(id) ?? {};
      const isTie = timestamp === before;
      before = timestamp;
      const card = this.#card(id, chunk, false);
      card.dataset.tie = String(isTie);
      this.#results.push({ atMs, element: card });
      const isFirst = index === 0 || taken[index - 1]?.page !== page;
      if (!isFirst || pages.length < 2) return [card];
      const mark = h('span', { class: 'merge-page' }, text('merge.page', { n: page + 1 }));
      this.#results.push({ atMs, element: mark });
      return [mark, card];
    });
  }

  /**
   * @param {string} id
   * @param {number} chunk
   * @param {boolean} isFirstOfRefill
   */
  #card(id, chunk, isFirstOfRefill) {
    const { timestamp = '', shard = '' } = this.#documents.get(id) ?? {};
    return h('span', { class: 'merge-card', translate: 'no', 'data-chunk': chunk % 4, 'data-refill': String(isFirstOfRefill) },
      h('b', {}, timestamp && formatClock(timestamp)), h('small', {}, String(shard)));
  }
}

/**
 * @param {RecordedQuery} query
 * @param {number} atMs
 */
export function countsAt({ requests, taken, pages }, atMs) {
  const answered = requests.filter(({ answerMs }) => answerMs <= atMs);
  const whole = pages.filter((page) => page.atMs <= atMs);
  return {
    requests: requests.filter(({ sentMs }) => sentMs <= atMs).length,
    fetched: answered.reduce((sum, { returned }) => sum + returned.length, 0),
    merged: taken.filter((each) => each.atMs <= atMs).length,
    pages: whole.length,
  };
}

/**
 * The number of documents that a chunk is asked for, or has returned to all requests: it equals the number of its cards.
 * @param {ChunkRequest[]} requests
 * @param {number} atMs
 */
function stateOf(requests, atMs) {
  const last = requests.filter(({ sentMs }) => sentMs <= atMs).at(-1);
  if (!last) return '';
  const { asked, answerMs, isRefill } = last;
  if (answerMs <= atMs) return text('merge.answered', { count: requests.reduce((sum, each) => sum + (each.answerMs <= atMs ? each.returned.length : 0), 0) });
  if (asked === null) return text('merge.asked-all');
  return text(isRefill ? 'merge.asked-more' : 'merge.asked', { count: asked });
}

