import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { MISSING_INDEX_ERROR } from '../index_samples.js';
import { text } from '../text.js';
import { CodeBlock } from './code_block.js';
import { button } from './controls.js';
import { Field } from './field.js';
import { indexLine } from './index_line.js';
import { Notice } from './notice.js';

/** What Firestore's error about a missing index asks for. */
export class MissingIndexTool {
  #host;
  #area = new Field('indexes.error', h('textarea', { name: 'error', rows: 5, spellcheck: 'false', dir: 'ltr' }), 'indexes.error.hint');
  #notice = new Notice();
  #answer = h('div', { role: 'status', class: 'missing-index' });
  #entry = new CodeBlock(text('indexes.entry'));
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    this.#area.control.addEventListener('input', () => this.#explain());
    this.#entry.element.hidden = true;
    this.element = h('div', { class: 'tool' }, this.#area.element,
      h('div', { class: 'actions' }, button('indexes.error.sample', { onPress: () => {
        this.#area.control.value = MISSING_INDEX_ERROR;
        this.#explain();
      } })),
      this.#notice.element, this.#answer, this.#entry.element);
  }

  async #explain() {
    const { value } = this.#area;
    this.#notice.clear();
    this.#answer.replaceChildren();
    this.#entry.element.hidden = true;
    if (value === '') return;
    try {
      const { explainMissingIndex } = await openWorkbench();
      const missing = explainMissingIndex(value);
      if (value !== this.#area.value) return;
      this.#show(missing);
      this.#host.changed(missing);
    } catch (error) {
      this.#notice.fail(error, null);
    }
  }

  /** @param {import('../../library/workbench.js').MissingIndex} missing */
  #show({ kind, collection, entry, risk }) {
    const { fields, fieldPath } = /** @type {any} */ (entry);
    const asked = kind === 'composite' ? 'indexes.asks.composite' : 'indexes.asks.single';
    this.#answer.replaceChildren(h('p', {}, text(asked), ' ', indexLine(collection, fields ?? [{ fieldPath }])),
      h('p', {}, text(`indexes.asks.risk.${risk}`)));
    this.#entry.show(JSON.stringify(entry, null, 2));
    this.#entry.element.hidden = false;
  }
}
