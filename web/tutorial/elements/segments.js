import { h } from '../dom.js';

/** A bar in parts. Each part has a pattern of its own, because colour alone would not distinguish them; the rest is empty. */
export class Segments {
  /** @type {[string, HTMLElement][]} */
  #parts;
  #whole;
  element;

  /**
   * @param {readonly string[]} names Of the parts, from the beginning on.
   * @param {number} whole The number that fills the bar.
   * @param {number} [mark] Where a line is drawn.
   */
  constructor(names, whole, mark) {
    this.#whole = whole;
    this.#parts = names.map((name) => [name, h('span', { class: 'segment', 'data-part': name })]);
    this.element = h('div', { class: 'segments' }, ...this.#parts.map(([, part]) => part));
    if (mark === undefined) return;
    const line = h('span', { class: 'segments-mark' });
    line.style.insetInlineStart = `${(100 * mark) / whole}%`;
    this.element.append(line);
  }

  /** @param {{[name: string]: number}} numbers */
  show(numbers) {
    for (const [name, part] of this.#parts) part.style.width = `${(100 * (numbers[name] ?? 0)) / this.#whole}%`;
  }
}

/**
 * The key of a bar: the pattern of each part, and its name.
 * @param {[name: string, ...said: (string | Node)[]][]} parts
 */
export function segmentKeys(parts) {
  return h('ul', { class: 'segment-keys' }, ...parts.map(([name, ...said]) => (
    h('li', {}, h('span', { class: 'segment', 'data-part': name }), h('span', {}, ...said)))));
}
