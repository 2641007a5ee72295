import { h } from '../dom.js';
import { text } from '../text.js';
import { numberInput, radios, select } from './controls.js';
import { attempt, Field, focusRefused } from './field.js';

/** @typedef {import('../../library/query.js').ShardedQuery} ShardedQuery */

/** @type {{[id: string]: [field: string, operator: '==', value: string]}} The documentation's three queries. */
const SAMPLE_QUERIES = {
  commonstock: ['instrumentType', '==', 'commonstock'],
  exchange: ['exchange', '==', 'EXCHG1'],
  currency: ['price.currency', '==', 'USD'],
};

/** Which of the sample queries, in which order and how many at a time. Sends `input` events when something has changed. */
export class QueryForm {
  #query = radios('query', 'query.title', Object.entries(SAMPLE_QUERIES).map(([id, filter]) => [
    id,
    h('span', {}, text(/** @type {import('../text.js').TextId} */ (`query.${id}`))),
    h('code', {}, filter.join(' ')),
  ]));
  #direction = new Field('query.direction', select('direction', [['desc', 'query.desc'], ['asc', 'query.asc']]));
  #limit = new Field('query.limit', numberInput('limit', '5'));
  element = h('div', { class: 'query-form' }, this.#query.element,
    h('div', { class: 'fields' }, this.#direction.element, this.#limit.element));

  /**
   * The chosen query, right or wrong.
   * @param {ShardedQuery} all The query for all documents.
   */
  queryOf(all) {
    const filter = SAMPLE_QUERIES[this.#query.value];
    const filtered = filter ? all.where(...filter) : all;
    return (this.#direction.value === 'asc' ? filtered : filtered.newestFirst()).limit(this.#limit.number);
  }

  /**
   * @param {ShardedQuery} all The query for all documents.
   * @returns {ShardedQuery | null} Null if a setting is wrong: its field shows the error.
   */
  describe(all) {
    // Nothing else can be wrong.
    return attempt(() => this.queryOf(all), [[this.#limit, () => this.queryOf(all).plan()]]);
  }

  focusRefused() {
    focusRefused(this.#limit);
  }
}
