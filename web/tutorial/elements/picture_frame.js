import { h } from '../dom.js';
import { text } from '../text.js';

/** How often an open table follows a run that plays: slow devices cannot make a table for each frame. */
const TABLE_MS = 500;

/** A picture with its description in words, and its numbers. */
export class PictureFrame {
  #picture;
  #caption = h('figcaption');
  #atMs = 0;
  #isTableOpen = false;
  #tabledAt = -Infinity;
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
   * @param {boolean} playing
   */
  show(atMs, playing) {
    this.#atMs = atMs;
    this.#picture.show(atMs);
    const { summary } = this;
    if (this.#caption.textContent !== summary) this.#caption.textContent = summary;
    if (!playing || performance.now() - this.#tabledAt >= TABLE_MS) this.#showTable();
  }

  close() {
    this.#picture.close?.();
  }

  get summary() {
    return this.#picture.summary(this.#atMs);
  }

  #showTable() {
    if (!this.#isTableOpen || !this.#picture.table) return;
    this.#tabledAt = performance.now();
    this.table.replaceChildren(this.#picture.table(this.#atMs));
  }
}
