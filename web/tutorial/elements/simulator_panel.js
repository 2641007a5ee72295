import { Action } from '../action.js';
import { h } from '../dom.js';
import { formatDollars, formatMs, formatNumber, formatPercent, text } from '../text.js';
import { button, checkbox, slider } from './controls.js';
import { HotSpots } from './hot_spots.js';
import { Notice } from './notice.js';
import { panel } from './panel.js';

/** @typedef {import('../../library/workbench.js').Observation} Observation */

/** The quickest answer takes this share of the slowest. */
const QUICKEST = 0.25;
const OBSERVE_MS = 500;

/** The embedded Firestore's limits, faults and meter. There is nothing to see while the page is connected to another. */
export class SimulatorPanel {
  #session;
  #limits = checkbox('limits', 'simulator.limits', { onChange: () => this.#configure() });
  #latency = slider('latency', 'simulator.latency', {
    max: 1000, step: 20, format: (ms) => text('simulator.latency.value', { ms: formatMs(ms) }), onChange: () => this.#configure(),
  });
  #lost = slider('lost', 'simulator.lost', {
    max: 50, step: 5, format: (percent) => formatPercent(percent / 100), onChange: () => this.#configure(),
  });
  #meter = h('dl', { class: 'totals' });
  #hotSpots = new HotSpots();
  #reset = button('simulator.reset', { onPress: () => this.#onReset() });
  #resetting = new Action(this.#reset);
  #notice = new Notice();
  /** @type {() => void} */
  #stop = () => {};
  #closed = new AbortController();
  /** Whether a change of the settings is under way, so that an observation is older than the shown settings. */
  #configuring = 0;

  /** @param {import('../session.js').Session} session */
  constructor(session) {
    this.#session = session;
    this.element = panel({ id: 'simulator', title: 'simulator.title', about: 'simulator.about' },
      h('div', { class: 'settings' }, this.#limits.element, this.#latency.element, this.#lost.element),
      this.#meter,
      this.#hotSpots.element,
      h('div', { class: 'actions' }, this.#reset),
      this.#notice.element);
    session.addEventListener('change', () => this.#onSession());
    document.addEventListener('visibilitychange', () => this.#observe(), { signal: this.#closed.signal });
    this.#onSession();
  }

  close() {
    this.#closed.abort();
    this.#stop();
  }

  #onSession() {
    this.element.hidden = this.#session.simulator === null;
    this.#observe();
  }

  #observe() {
    this.#stop();
    const { simulator } = this.#session;
    if (!simulator || document.hidden) return;
    this.#stop = simulator.observe((observation) => this.#show(observation), { intervalMs: OBSERVE_MS });
  }

  /** @param {Observation} observation */
  #show({ documents, billed, contention, tablets, settings }) {
    const { limits = 'none', latencyMs = [0, 0], faults = {} } = settings;
    if (this.#configuring === 0) {
      this.#limits.control.checked = limits !== 'none';
      this.#latency.value = latencyMs[1];
      this.#lost.value = (faults.dropResponse ?? 0) * 100;
    }
    /** @type {[import('../text.js').TextId, string][]} */
    const figures = [
      ['simulator.documents', formatNumber(documents)],
      ['log.total.reads', formatNumber(billed.reads)],
      ['log.total.writes', formatNumber(billed.writes)],
      ['log.total.deletes', formatNumber(billed.deletes)],
      ['simulator.price', formatDollars(billed.dollars)],
      ['simulator.waited', formatNumber(contention.waited)],
      ['simulator.aborted', formatNumber(contention.aborted)],
    ];
    this.#meter.replaceChildren(...figures.map(([label, value]) => h('div', {}, h('dt', {}, text(label)), h('dd', {}, value))));
    this.#hotSpots.show({ documents: contention.documents, tablets, isLimited: limits !== 'none' });
  }

  async #configure() {
    const { simulator } = this.#session;
    if (!simulator) return;
    this.#notice.clear();
    this.#configuring += 1;
    try {
      await simulator.configure({
        limits: this.#limits.control.checked ? 'documented' : 'none',
        latencyMs: [this.#latency.value * QUICKEST, this.#latency.value],
        faults: { dropResponse: this.#lost.value / 100 },
      });
    } catch (error) {
      this.#notice.fail(error, this.#session.settings);
    }
    this.#configuring -= 1;
  }

  #onReset() {
    this.#resetting.run(this.#reset, async () => {
      try {
        await this.#session.reset();
        this.#notice.show('good', text('simulator.reset.done'));
      } catch (error) {
        this.#notice.fail(error, this.#session.settings);
      }
    });
  }
}
