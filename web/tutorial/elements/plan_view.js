import { h } from '../dom.js';
import { formatNumber, text } from '../text.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {import('../../library/query.js').QueryPlan} QueryPlan
 */

/** The plan of a query before it runs. */
export class PlanView {
  #facts = h('dl', { class: 'facts' });
  #index = h('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': text('plan.index-file') });
  #details = h('details', {}, h('summary', {}, text('plan.index-file')), this.#index);
  element = h('div', { class: 'plan', role: 'group', 'aria-label': text('plan.title') },
    h('h3', { class: 'label' }, text('plan.title')), this.#facts, this.#details);

  /**
   * @param {QueryPlan | null} plan Null: there is no query yet. Takes the same place as one.
   * @param {string} collection
   */
  show(plan, collection) {
    this.#facts.replaceChildren(...(plan ? facts(plan) : noFacts()));
    this.#index.textContent = plan ? indexFile(plan, collection) : '';
  }
}

/** @param {QueryPlan} plan */
function facts({ chunks, requests, worstCaseReads, index }) {
  const sizes = chunks.map((chunk) => chunk.length).join(' + ');
  return [
    fact('plan.chunks', text('plan.chunks.value', { count: chunks.length, sizes })),
    fact('plan.requests', formatNumber(requests)),
    fact('plan.reads', worstCaseReads === null ? text('plan.reads.all') : formatNumber(worstCaseReads)),
    fact('plan.index', h('span', { dir: 'ltr' }, ...index.flatMap(({ field, order }, position) => [
      position > 0 ? ', ' : '', h('code', {}, field), ` ${text(order === 'DESCENDING' ? 'plan.descending' : 'plan.ascending')}`,
    ]))),
  ];
}

function noFacts() {
  /** @type {TextId[]} */
  const labels = ['plan.chunks', 'plan.requests', 'plan.reads', 'plan.index'];
  return labels.map((label) => fact(label, text('plan.none')));
}

/**
 * @param {QueryPlan} plan
 * @param {string} collection
 */
function indexFile({ index }, collection) {
  const collectionGroup = collection.slice(collection.lastIndexOf('/') + 1);
  const fields = index.map(({ field, ...order }) => ({ fieldPath: field, ...order }));
  return JSON.stringify({ indexes: [{ collectionGroup, queryScope: 'COLLECTION', fields }] }, null, 2);
}

/**
 * @param {TextId} label
 * @param {...(string | Node)} value
 */
function fact(label, ...value) {
  return h('div', {}, h('dt', {}, text(label)), h('dd', {}, ...value));
}
