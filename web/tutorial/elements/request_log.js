import { h } from '../dom.js';
import { CAPACITY } from '../journal.js';
import { formatBytes, formatMs, formatNumber, formatTime, text } from '../text.js';
import { button } from './controls.js';
import { panel } from './panel.js';

/**
 * @typedef {import('../journal.js').Entry} Entry
 * @typedef {import('../text.js').TextId} TextId
 */

/** @type {TextId[]} */
const COLUMNS = ['log.request', 'log.status', 'log.time', 'log.size', 'log.reads', 'log.writes'];

/** All sent requests, the newest first, and their sums. */
export class RequestLog {
  #journal;
  #totals = h('dl', { class: 'totals' });
  #rows = h('tbody', { role: 'rowgroup' });
  #empty = h('p', { class: 'empty' }, text('log.empty'));
  // Roles are named because the style sheet lays the rows out as blocks, which would take the table's own roles away.
  #table = h('table', { class: 'log-table', role: 'table' },
    h('caption', { class: 'visually-hidden' }, text('log.caption', { count: CAPACITY })),
    h('thead', { role: 'rowgroup', class: 'visually-hidden' },
      h('tr', { role: 'row' }, ...COLUMNS.map((id) => h('th', { role: 'columnheader', scope: 'col' }, text(id))))),
    this.#rows);

  /** @param {import('../journal.js').Journal} journal */
  constructor(journal) {
    this.#journal = journal;
    const clear = button('log.clear', { kind: 'quiet', onPress: () => journal.clear() });
    this.element = panel({ id: 'log', title: 'log.title', about: 'log.about' },
      this.#totals, h('div', { class: 'log-actions' }, clear),
      h('div', { class: 'log-scroll', tabindex: 0, role: 'region', 'aria-label': text('log.region') },
        this.#empty, this.#table));
    journal.addEventListener('add', (event) => this.#add(/** @type {CustomEvent<Entry>} */ (event).detail));
    journal.addEventListener('clear', () => this.#clear());
    this.#showTotals();
    this.#clear();
  }

  /** @param {Entry} entry */
  #add(entry) {
    this.#rows.prepend(row(entry));
    if (this.#rows.children.length > CAPACITY) this.#rows.lastElementChild?.remove();
    this.#table.hidden = false;
    this.#empty.hidden = true;
    this.#showTotals();
  }

  #clear() {
    this.#rows.replaceChildren();
    this.#table.hidden = true;
    this.#empty.hidden = false;
    this.#showTotals();
  }

  #showTotals() {
    const { requests, reads, writes, deletes, bytes } = this.#journal.totals;
    /** @type {[TextId, string][]} */
    const totals = [
      ['log.total.requests', formatNumber(requests)],
      ['log.total.reads', formatNumber(reads)],
      ['log.total.writes', formatNumber(writes)],
      ['log.total.bytes', formatBytes(bytes)],
    ];
    if (deletes > 0) totals.push(['log.total.deletes', formatNumber(deletes)]);
    this.#totals.replaceChildren(...totals.map(([label, value]) => h('div', {}, h('dt', {}, text(label)), h('dd', {}, value))));
  }
}

/** @param {Entry} entry */
function row({ method, path, status, ms, bytes, billed, at }) {
  const { resource, verb } = split(path);
  return h('tr', { role: 'row', 'data-ok': String(status >= 200 && status < 300) },
    h('td', { role: 'cell', class: 'log-request', translate: 'no' },
      h('span', { class: 'log-method' }, method), ' ', h('strong', {}, verb),
      h('span', { class: 'log-path' }, ...breakable(resource))),
    h('td', { role: 'cell', class: 'log-status' }, status === 0 ? text('log.no-answer') : String(status)),
    h('td', { role: 'cell', class: 'log-ms', title: formatTime(at) }, formatMs(ms)),
    h('td', { role: 'cell', class: 'log-bytes' }, formatBytes(bytes)),
    h('td', { role: 'cell', class: 'log-reads' }, text('log.reads.value', { count: billed.reads })),
    h('td', { role: 'cell', class: 'log-writes' }, text('log.writes.value', { count: billed.writes })));
}

/**
 * The resource, and the method that is called on it.
 * @param {string} path
 */
function split(path) {
  const colon = path.lastIndexOf(':');
  return colon < 0 ? { resource: path, verb: '' } : { resource: path.slice(0, colon), verb: path.slice(colon) };
}

/**
 * A path that breaks after its slashes rather than in the middle of a name.
 * @param {string} path
 */
function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((segment) => [segment, h('wbr')]);
}
