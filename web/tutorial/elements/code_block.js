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

/** The line above code: its name, and a button that copies it. */
export class CodeHead {
  #code;
  #said = h('span', { class: 'hint', role: 'status' });
  element;

  /**
   * @param {HTMLElement} label
   * @param {{read: () => string, select: () => void}} code
   */
  constructor(label, code) {
    this.#code = code;
    this.element = h('div', { class: 'code-head' }, label, this.#said, button('code.copy', { kind: 'quiet', onPress: () => this.#copy() }));
  }

  /** The code is another one. */
  clear() {
    this.#said.textContent = '';
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#code.read());
      this.#said.textContent = text('code.copied');
    } catch {
      // No permission, or no clipboard over an insecure connection: it can still be selected.
      this.#code.select();
      this.#said.textContent = text('code.selected');
    }
  }
}

/** Code to be read, and taken along. */
export class CodeBlock {
  #code = h('code');
  #head;
  element;

  /** @param {string} label Its name for screen readers. */
  constructor(label) {
    this.#head = new CodeHead(h('span', { class: 'label' }, label), {
      read: () => this.#code.textContent ?? '', select: () => getSelection()?.selectAllChildren(this.#code),
    });
    this.element = h('div', { class: 'code-block' }, this.#head.element,
      h('pre', { class: 'code', tabindex: 0, role: 'group', 'aria-label': label }, this.#code));
  }

  /** @param {string} code */
  show(code) {
    this.#code.replaceChildren(...inOrder(code));
    this.#head.clear();
  }
}
