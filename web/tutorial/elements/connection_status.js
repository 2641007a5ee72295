import { h } from '../dom.js';
import { placeOf } from '../place.js';
import { formatNumber, text } from '../text.js';

/** The part of the page's header with the database, its state, and its cost so far. */
export class ConnectionStatus {
  #session;
  #state = h('span', { class: 'state-text' });
  #light = h('span', { class: 'light', 'aria-hidden': 'true' });
  #reads = h('span', { class: 'meter' });
  #writes = h('span', { class: 'meter' });
  element = h('div', { class: 'status-bar' },
    h('p', { class: 'state', role: 'status' }, this.#light, this.#state),
    h('p', { class: 'meters' }, this.#reads, this.#writes));

  /** @param {import('../session.js').Session} session */
  constructor(session) {
    this.#session = session;
    session.addEventListener('change', () => this.#showState());
    for (const event of ['add', 'clear']) session.journal.addEventListener(event, () => this.#showTotals());
    this.#showState();
    this.#showTotals();
  }

  #showState() {
    const { state, settings } = this.#session;
    this.#light.dataset.state = state;
    this.#state.textContent = text(`state.${state}`, { host: placeOf(settings) });
  }

  #showTotals() {
    const { reads, writes } = this.#session.journal.totals;
    fillMeter(this.#reads, formatNumber(reads), text('meter.reads', { count: reads }));
    fillMeter(this.#writes, formatNumber(writes), text('meter.writes', { count: writes }));
  }
}

/**
 * @param {HTMLElement} meter
 * @param {string} value
 * @param {string} unit
 */
function fillMeter(meter, value, unit) {
  meter.replaceChildren(h('strong', {}, value), ` ${unit}`);
}
