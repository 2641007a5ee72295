import { h } from '../dom.js';
import { formatNumber, richText } from '../text.js';
import { CodeBlocks } from './code_block.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {import('../chapters/chapter.js').RecipePart<any>} RecipePart
 */

/** Steps to follow one after the other, each with its code to type or paste. */
export class Recipe {
  /** @type {{part: RecipePart, textId: TextId, item: HTMLElement, mark: HTMLElement, said: HTMLElement, code: CodeBlocks}[]} */
  #parts;
  element;

  /**
   * @param {string} id `chapter.<chapter>.<step>`
   * @param {RecipePart[]} parts
   */
  constructor(id, parts) {
    this.#parts = parts.map((part) => {
      const [mark, said, code] = [h('span', { class: 'recipe-number', 'aria-hidden': 'true' }), h('p'), new CodeBlocks()];
      const textId = /** @type {TextId} */ (`${id}.recipe.${part.id}`);
      return { part, textId, item: h('li', { 'data-part': part.id }, mark, said, code.element), mark, said, code };
    });
    this.element = h('ol', { class: 'recipe', hidden: true }, ...this.#parts.map(({ item }) => item));
  }

  /**
   * @param {import('../chapters/chapter.js').Knobs} knobs
   * @param {any} recording
   */
  show(knobs, recording) {
    this.element.hidden = false;
    let number = 0;
    for (const { part, textId, item, mark, said, code } of this.#parts) {
      item.hidden = part.needed?.(knobs) === false;
      if (!item.hidden) number += 1;
      mark.textContent = formatNumber(number);
      said.replaceChildren(richText(textId, part.values?.(recording)));
      code.show(part.code?.(knobs, recording) ?? '');
    }
  }
}
