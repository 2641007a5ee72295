import { h } from '../dom.js';
import { text } from '../text.js';
import { button } from './controls.js';

/** @typedef {import('../text.js').TextId} TextId */

/** The files that a reader takes along. */
export class CodeBlocks {
  element = h('div', { class: 'code-blocks' });
  /** @type {Map<string, CodeBlock>} */
  #blocks = new Map();

  /** @param {string | {[file: string]: string}} code Empty if there is no code yet. */
  show(code) {
    if (code === '') return;
    const files = typeof code === 'string' ? { title: code } : code;
    for (const [file, content] of Object.entries(files)) {
      let block = this.#blocks.get(file);
      if (!block) {
        block = new CodeBlock(text(/** @type {TextId} */ (`code.${file}`)));
        this.#blocks.set(file, block);
        this.element.append(block.element);
      }
      block.show(content);
    }
  }
}

/** A comment, a string or the text of an element with words that run from right to left, and the mark before it. */
const FROM_THE_RIGHT = /((?:\/\/ |['>])[^'<>\n]*[\u0590-\u08ff][^'<>\n]*)/;

/**
 * Such words keep their order within code, which runs from left to right.
 * @param {string} code
 * @returns {(string | HTMLElement)[]}
 */
function inOrder(code) {
  return code.split(FROM_THE_RIGHT).flatMap((part, index) => {
    if (index % 2 === 0) return [part];
    const mark = part.startsWith('/') ? 3 : 1;
    return [part.slice(0, mark), h('bdi', { dir: 'rtl' }, part.slice(mark))];
  });
}

/** Code to be read, and taken along. */
export class CodeBlock {
  #code = h('code');
  #said = h('span', { class: 'hint', role: 'status' });
  element;

  /** @param {string} label Its name for screen readers. */
  constructor(label) {
    const copy = button('code.copy', { kind: 'quiet', onPress: () => this.#copy() });
    this.element = h('div', { class: 'code-block' },
      h('div', { class: 'code-head' }, h('span', { class: 'label' }, label), this.#said, copy),
      h('pre', { class: 'code', tabindex: 0, role: 'group', 'aria-label': label }, this.#code));
  }

  /** @param {string} code */
  show(code) {
    this.#code.replaceChildren(...inOrder(code));
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
