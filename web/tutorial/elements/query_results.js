import { Action } from '../action.js';
import { h } from '../dom.js';
import { formatMs, text } from '../text.js';
import { button } from './controls.js';
import { Notice } from './notice.js';
import { ResultsTable } from './results_table.js';

/**
 * @typedef {import('../../library/query.js').ShardedQuery} ShardedQuery
 * @typedef {{page: import('../../library/query.js').QueryPage, ms: number}} Shown A page, and how long it took.
 */

/** The pages of one query, one after the other. A page that was seen comes back without a request. */
export class QueryResults {
  #session;
  #run;
  #notice = new Notice();
  #table = new ResultsTable();
  #previous = button('pager.previous', { onPress: () => this.#show(this.#position - 1) });
  #next = button('pager.next', { onPress: () => this.#onNext() });
  #pager = h('nav', { class: 'pager', 'aria-label': text('pager.title') }, this.#previous, this.#next);
  #action;
  element = h('div', { class: 'query-results' }, this.#notice.element, this.#table.element, this.#pager);

  /** @type {ShardedQuery | null} */
  #query = null;
  /** @type {Shown[]} */
  #pages = [];
  #position = 0;

  /**
   * @param {import('../session.js').Session} session
   * @param {HTMLButtonElement} run The button that asks for the first page.
   */
  constructor(session, run) {
    this.#session = session;
    this.#run = run;
    this.#action = new Action(run, this.#previous, this.#next);
    this.clear();
  }

  clear() {
    this.#query = null;
    this.#pages = [];
    this.#notice.clear();
    this.#table.clear();
    this.#pager.hidden = true;
  }

  /** @param {ShardedQuery} query */
  run(query) {
    this.#action.run(this.#run, async () => {
      this.clear();
      this.#query = query;
      await this.#fetch(query);
    });
  }

  #onNext() {
    if (this.#position + 1 < this.#pages.length) return this.#show(this.#position + 1);
    const next = this.#pages.at(-1)?.page.nextToken;
    const query = this.#query;
    if (query && next) this.#action.run(this.#next, () => this.#fetch(query.continueFrom(next)));
  }

  /** @param {ShardedQuery} query */
  async #fetch(query) {
    const asked = this.#query;
    const started = performance.now();
    try {
      const page = await query.get();
      // Another query has been started, or described, since.
      if (asked !== this.#query) return;
      this.#pages.push({ page, ms: performance.now() - started });
      this.#show(this.#pages.length - 1);
    } catch (error) {
      if (asked === this.#query) this.#notice.fail(error, this.#session.settings);
    }
  }

  /** @param {number} position */
  #show(position) {
    const shown = this.#pages[position];
    if (!shown) return;
    const { docs, nextToken } = shown.page;
    const first = 1 + this.#pages.slice(0, position).reduce((sum, { page }) => sum + page.docs.length, 0);
    const last = first + docs.length - 1;
    this.#position = position;
    if (docs.length > 0) this.#notice.show('plain', describeCost(shown, first, last));
    else this.#notice.show('info', text(position === 0 ? 'results.none' : 'results.no-more'));
    this.#table.show(docs, { first, caption: text('results.caption', { first, last }) });
    this.#showPager(position > 0, nextToken !== null);
  }

  /**
   * @param {boolean} hasPrevious
   * @param {boolean} hasNext
   */
  #showPager(hasPrevious, hasNext) {
    this.#pager.hidden = !hasPrevious && !hasNext;
    const pressed = [this.#previous, this.#next].find((one) => one === document.activeElement);
    this.#previous.disabled = !hasPrevious;
    this.#next.disabled = !hasNext;
    // A button that has just been disabled loses the focus to nowhere, sooner or later.
    if (pressed?.disabled) (hasNext ? this.#next : this.#previous).focus();
  }
}

/**
 * @param {Shown} shown
 * @param {number} first The number of its first row.
 * @param {number} last
 */
function describeCost({ page, ms }, first, last) {
  const requests = text('results.requests', { count: page.requests });
  return text('results.cost', { first, last, requests, count: page.billed.reads, ms: formatMs(ms) });
}
