import { Action } from '../action.js';
import { h } from '../dom.js';
import { formatNumber, richText, text } from '../text.js';
import { CodeBlocks } from './code_block.js';
import { button, checkbox, radios } from './controls.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/counter.js').Counter} Counter
 * @typedef {import('./counter_form.js').CounterSettings} CounterSettings
 *
 * @typedef {object} CareHost
 * @property {() => import('../session.js').Settings | null} connection Where it is.
 * @property {() => Counter | null} use The counter of the form; null if a field of it is wrong.
 * @property {(counter: Counter) => boolean} isCurrent Whether it is still the counter of the form.
 * @property {() => CounterSettings} settings The settings in the form.
 * @property {(perShard: {[id: string]: number | bigint}) => void} onShards Called when the shards have been read.
 */

const ACCESS = /** @type {const} */ (['public', 'signed-in', 'one-vote', 'one-like']);

/** The work on a counter besides counting: to follow its total, to see its load, to change its shards, to write its rules. */
export class CounterCare {
  #host;
  #live = checkbox('live', 'counter.live', { onChange: () => this.#onLive() });
  #total = h('p', { class: 'live-total', role: 'status' });
  #stats = button('counter.stats', { hint: text('counter.reads.each'), onPress: () => this.#onStats() });
  #resize = button('counter.resize', { onPress: () => this.#onResize() });
  #working = new Action(this.#stats, this.#resize);
  #notice = new Notice();
  #access = radios('access', 'knob.access', ACCESS.map((word) => [word, text(`knob.access.${word}`)]));
  #rules = new CodeBlocks();
  #rulesNotice = new Notice();
  #details = h('details', { toggle: () => this.#showRules() }, h('summary', {}, text('counter.rules')),
    this.#access.element, this.#rulesNotice.element, this.#rules.element);
  #stop = () => {};
  element = h('div', { class: 'care' }, h('h3', { class: 'label' }, text('counter.care')),
    this.#live.element, this.#total, h('div', { class: 'actions' }, this.#stats, this.#resize), this.#notice.element, this.#details);

  /** @param {CareHost} host */
  constructor(host) {
    this.#host = host;
    this.#access.element.addEventListener('change', () => this.#showRules());
  }

  /** It is another counter now, or another database. */
  reset() {
    this.#stop();
    this.#stop = () => {};
    this.#live.control.checked = false;
    this.#total.textContent = '';
    this.#notice.clear();
    this.#showRules();
  }

  #onLive() {
    this.#stop();
    this.#stop = () => {};
    this.#total.textContent = '';
    const counter = this.#live.control.checked ? this.#host.use() : null;
    this.#live.control.checked = counter !== null;
    if (!counter) return;
    this.#stop = counter.watch(({ value, pending, state }) => {
      const said = text(`like.state.${state}`, { pending: formatNumber(pending) });
      this.#total.replaceChildren(...(value === undefined ? [] : [h('strong', {}, formatNumber(value)), ' ']), said);
    });
  }

  #onStats() {
    return this.#work(this.#stats, async (counter) => {
      const { perShard, contention, suggestedShards } = await counter.stats();
      return () => {
        this.#host.onShards(perShard);
        this.#notice.show('info', text('counter.stats.result', { ...contention, suggested: suggestedShards }));
      };
    });
  }

  #onResize() {
    return this.#work(this.#resize, async (counter) => {
      const { shards, folded } = await counter.resize(this.#host.settings().shards);
      return () => this.#notice.show('good', richText('counter.resized', { path: counter.path, count: shards, folded }));
    });
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {(counter: Counter) => Promise<() => void>} work Resolves to a function that shows the outcome.
   */
  #work(pressed, work) {
    const counter = this.#host.use();
    return counter && this.#working.run(pressed, () => this.#notice.follow(() => work(counter), {
      isCurrent: () => this.#host.isCurrent(counter), settings: this.#host.connection,
    }));
  }

  /** The rules of all counters beside this one. */
  async #showRules() {
    if (!this.#details.open) return;
    const { path, layout, shards } = this.#host.settings();
    // A path of an even number of parts names a document: here, any of its collection.
    const parts = path.split('/');
    const pattern = parts.length % 2 === 0 ? [...parts.slice(0, -1), '{counter}'].join('/') : path;
    const access = /** @type {typeof ACCESS[number]} */ (this.#access.value);
    this.#rulesNotice.clear();
    try {
      const { openWorkbench } = await import('../../library/workbench.js');
      const { counterRules } = await openWorkbench();
      this.#rules.show({ rules: counterRules({ path: pattern, layout, shards, access }) });
    } catch (error) {
      this.#rulesNotice.fail(error, null);
    }
  }
}
