import { h } from '../dom.js';
import { text } from '../text.js';

/** A picture with what it shows in words, and in numbers. */
export class PictureFrame {
  #picture;
  #caption = h('figcaption');
  #atMs = 0;
  #isTableOpen = false;
  /** The state that the shown words are about. @type {string | undefined} */
  #state;
  element;
  /** The same in numbers. It is made while it is open. */
  table = h('div', { class: 'table-scroll', tabindex: 0, role: 'group', 'aria-label': text('picture.table') });

  /** @param {import('../chapters/chapter.js').Picture} picture */
  constructor(picture) {
    this.#picture = picture;
    // The caption and the table say the same.
    picture.element.setAttribute('aria-hidden', 'true');
    this.table.hidden = !picture.table;
    this.element = h('figure', { class: 'picture' }, picture.element, this.#caption);
  }

  /** @param {boolean} isOpen */
  set isTableOpen(isOpen) {
    this.#isTableOpen = isOpen;
    this.#showTable();
  }

  /**
   * @param {number} atMs
   * @param {boolean} worded Whether the words are to follow, too. Where the picture shows another state, they do.
   */
  show(atMs, worded) {
    this.#atMs = atMs;
    this.#picture.show(atMs);
    const state = this.#picture.state?.(atMs);
    if (!worded && state === this.#state) return;
    this.#state = state;
    this.#caption.textContent = this.summary;
    this.#showTable();
  }

  close() {
    this.#picture.close?.();
  }

  get summary() {
    return this.#picture.summary(this.#atMs);
  }

  #showTable() {
    if (this.#isTableOpen && this.#picture.table) this.table.replaceChildren(this.#picture.table(this.#atMs));
  }
}
