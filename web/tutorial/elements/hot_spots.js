import { h } from '../dom.js';
import { formatDuration, formatNumber, text } from '../text.js';

/**
 * @typedef {import('../../library/workbench.js').Observation} Observation
 * @typedef {object} Spots
 * @property {Observation['contention']['documents']} documents
 * @property {Observation['tablets']} tablets
 * @property {boolean} isLimited
 */

const MOST = 4;
/** The writes a second that a tablet takes, by the model's documented parameters; see src/simulator/limits.h. */
const TABLET_WRITES = 500;

/** Where writes wait: documents with a queue, and ranges of indexes that are written to. */
export class HotSpots {
  #documents = table('hot.documents', ['hot.document', 'hot.wait']);
  #tablets = table('hot.tablets', ['hot.tablet', 'hot.rate']);
  #none = h('p', { class: 'empty' });
  element = h('div', { class: 'hot-spots' }, h('h3', { class: 'label' }, text('hot.title')), this.#none,
    h('div', { class: 'hot-tables' }, this.#documents.element, this.#tablets.element));

  /** @param {Spots} spots */
  show({ documents, tablets, isLimited }) {
    const busy = tablets.filter(({ writesPerSecond }) => writesPerSecond > 0);
    this.#documents.show(documents.slice(0, MOST).map(({ path, waitMs }) => [path, formatDuration(waitMs)]));
    this.#tablets.show(busy.slice(0, MOST).map(({ index, start, writesPerSecond }) => [
      text(start.length ? 'hot.tablet.from' : 'hot.tablet.all', { index, start: start.map(plain).join(', ') }),
      text('hot.rate.value', { rate: formatNumber(writesPerSecond), most: TABLET_WRITES }),
    ]));
    this.#none.hidden = documents.length + busy.length > 0;
    this.#none.textContent = text(isLimited ? 'hot.none' : 'hot.off');
  }
}

/**
 * @param {import('../text.js').TextId} caption
 * @param {[import('../text.js').TextId, import('../text.js').TextId]} columns
 */
function table(caption, columns) {
  const rows = h('tbody');
  const element = h('table', { class: 'hot-table' }, h('caption', { class: 'visually-hidden' }, text(caption)),
    h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, text(column))))), rows);
  return {
    element,
    /** @param {[what: string, value: string][]} content */
    show(content) {
      element.hidden = content.length === 0;
      rows.replaceChildren(...content.map(([what, value]) => h('tr', {}, h('th', { scope: 'row', translate: 'no' }, what), h('td', {}, value))));
    },
  };
}

/**
 * A value of Firestore's wire format in few words: its content without its type.
 * @param {any} value
 */
function plain(value) {
  const [content] = Object.values(value);
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
}
