import { h } from '../dom.js';
import { text } from '../text.js';
import { button } from './controls.js';

/** Code to be read, and taken along. */
export class CodeBlock {
  #code = h('code');
  #said = h('span', { class: 'hint', role: 'status' });
  element;

  /** @param {string} label What it is, for those who do not see it. */
  constructor(label) {
    const copy = button('code.copy', { kind: 'quiet', onPress: () => this.#copy() });
    this.element = h('div', { class: 'code-block' },
      h('div', { class: 'code-head' }, h('span', { class: 'label' }, label), this.#said, copy),
      h('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': label }, this.#code));
  }

  /** @param {string} code */
  show(code) {
    this.#code.textContent = code;
    this.#said.textContent = '';
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#code.textContent ?? '');
      this.#said.textContent = text('code.copied');
    } catch {
      // No permission, or no clipboard over an insecure connection: it can still be selected.
      getSelection()?.selectAllChildren(this.#code);
      this.#said.textContent = text('code.selected');
    }
  }
}
