import { h } from '../dom.js';
import { formatMs, formatNumber, richText, text } from '../text.js';

/** The most dots: more would add nothing to the number beside them. */
const MAX_DOTS = 60;
/** The number of shards that the server adds up for one read. */
const READ_SHARDS = 1000;

/** A counter's total, and the cost of its reading beside the cost of the samples' way. */
export class ReadingView {
  #value = h('output', { class: 'total-value', 'aria-live': 'polite' });
  #cost = h('p', { class: 'total-cost' });
  #comparison = h('dl', { class: 'comparison' });
  #pending = h('p', { class: 'pending' });
  element = h('div', { class: 'reading' },
    h('div', { class: 'reading-head' }, h('h3', { class: 'label' }, text('reading.title')), this.#pending),
    this.#value, this.#cost, this.#comparison);

  constructor() {
    this.clear();
  }

  clear() {
    this.#value.textContent = text('reading.none');
    this.#cost.replaceChildren(richText('reading.none.hint'));
    this.#comparison.hidden = true;
  }

  /** @param {number | bigint} pending The unconfirmed amount, from the library. */
  showPending(pending) {
    this.#pending.textContent = Number(pending) === 0 ? '' : text('counter.pending', { pending: formatNumber(pending) });
  }

  /**
   * @param {import('../../library/sharded_count.js').CounterReading} reading
   * @param {number} ms How long it took.
   * @param {boolean} isShared Whether the page asked for the shared total. If that is too old, both its reading and the sum are billed.
   */
  show({ value, shards, source, billed: { reads } }, ms, isShared) {
    const isSum = source === 'sum' && !isShared;
    this.#value.textContent = formatNumber(value);
    this.#value.dataset.long = String(this.#value.textContent.length > 9);
    const sentence = source === 'sum' && isShared ? 'reading.renewed' : /** @type {const} */ (`reading.${source}`);
    this.#cost.replaceChildren(richText(shards === 0 ? 'reading.no-shards' : sentence, { count: reads, ms: formatMs(ms) }));
    this.#comparison.hidden = shards === 0;
    const sum = isSum ? reads : Math.ceil(Math.max(shards, 1) / READ_SHARDS);
    const listing = source === 'shards' ? reads : Math.max(shards, 1);
    this.#comparison.replaceChildren(
      bar('comparison.sum', sum, isSum), bar('comparison.shards', listing, source === 'shards'));
  }
}

/**
 * @param {import('../text.js').TextId} label
 * @param {number} reads
 * @param {boolean} isThisOne
 */
function bar(label, reads, isThisOne) {
  const dots = Array.from({ length: Math.min(reads, MAX_DOTS) }, () => h('i'));
  return h('div', { 'data-chosen': String(isThisOne) },
    h('dt', {}, text(label)), h('dd', {}, text('comparison.reads', { count: reads })),
    h('dd', { class: 'dots', 'aria-hidden': 'true' }, ...dots));
}
