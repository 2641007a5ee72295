import { h } from '../dom.js';
import { richText } from '../text.js';
import { input, numberInput, select } from './controls.js';
import { attempt, Field, focusRefused } from './field.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {Exclude<import('../../library/counter_arguments.js').LayoutName, 'extension'>} LayoutName The layouts that need no further option.
 * @typedef {'exactly-once' | 'at-least-once' | 'transaction'} Delivery
 * @typedef {{path: string, shards: number, layout: LayoutName, delivery: Delivery}} CounterSettings
 */

/** @type {[layout: LayoutName, label: TextId][]} */
const LAYOUTS = [
  ['web-sample', 'layout.web-sample'], ['mobile-sample', 'layout.mobile-sample'], ['node-sample', 'layout.node-sample'],
  ['go-sample', 'layout.go-sample'], ['php-sample', 'layout.php-sample'], ['ruby-sample', 'layout.ruby-sample'], ['collection', 'layout.collection'],
];

/** @type {[delivery: Delivery, label: TextId][]} */
const DELIVERIES = [
  ['exactly-once', 'delivery.exactly-once'], ['at-least-once', 'delivery.at-least-once'], ['transaction', 'delivery.transaction'],
];

/** The paths that the page proposes: some layouts want a document, others a collection. */
const SAMPLE_PATHS = { document: 'counters/demo', collection: 'counterShards' };

/** Which counter. Sends an `input` event when something has changed. */
export class CounterForm {
  #path = new Field('counter.path', input('path', { value: SAMPLE_PATHS.document, required: true }));
  #layout = new Field('counter.layout', select('layout', LAYOUTS));
  #shards = new Field('counter.shards', numberInput('shards', '10'), 'counter.shards.hint');
  #delivery = new Field('counter.delivery', select('delivery', DELIVERIES));
  element = h('div', { class: 'fields' },
    this.#path.element, this.#layout.element, this.#shards.element, this.#delivery.element);

  constructor() {
    this.#layout.control.addEventListener('input', () => this.#proposePath());
    this.element.addEventListener('input', () => this.#showHints());
    this.#showHints();
  }

  /** @returns {CounterSettings} */
  get settings() {
    return {
      path: this.#path.value,
      shards: this.#shards.number,
      layout: /** @type {LayoutName} */ (this.#layout.value),
      delivery: /** @type {Delivery} */ (this.#delivery.value),
    };
  }

  /**
   * @template Counter
   * @param {(settings: CounterSettings) => Counter} make Throws the error of a wrong setting.
   * @returns {Counter | null} Null if a setting is wrong: its field shows the error.
   */
  describe(make) {
    const { settings } = this;
    return attempt(() => make(settings), [
      // With shards that cannot be wrong, only the path can be.
      [this.#path, () => make({ ...settings, shards: 1 })],
      [this.#shards, () => make(settings)],
    ]);
  }

  focusRefused() {
    focusRefused(this.#path, this.#shards);
  }

  #proposePath() {
    const samples = Object.values(SAMPLE_PATHS);
    if (!samples.includes(this.#path.value)) return;
    const isCollection = ['php-sample', 'ruby-sample', 'collection'].includes(this.#layout.value);
    this.#path.control.value = isCollection ? SAMPLE_PATHS.collection : SAMPLE_PATHS.document;
    this.#path.setError('');
  }

  #showHints() {
    const { path, layout, delivery } = this.settings;
    this.#layout.setHint(richText(`layout.${layout}.hint`, { path }));
    this.#delivery.setHint(richText(`delivery.${delivery}.hint`));
  }
}
