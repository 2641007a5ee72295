import { h, uniqueId } from '../dom.js';
import { richText, text } from '../text.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {{collection: string, field: string}} FieldOfCollection
 */

/** A box for each field of a collection, to be ticked if something holds of it. */
export class FieldChoice {
  #name;
  #label;
  #onChange;
  #boxes = h('div', { class: 'field-choice' });
  /** The fields that have a box. @type {string[]} */
  #keys = [];
  element;

  /**
   * @param {string} name
   * @param {{legend: TextId, hint: TextId, label: TextId}} texts `label` says {collection} and {field}.
   * @param {() => void} onChange
   */
  constructor(name, { legend, hint, label }, onChange) {
    this.#name = name;
    this.#label = label;
    this.#onChange = onChange;
    const hintId = uniqueId('hint');
    this.element = h('fieldset', { class: 'radios', hidden: true, 'aria-describedby': hintId },
      h('legend', {}, text(legend)), h('p', { class: 'hint', id: hintId }, text(hint)), this.#boxes);
  }

  /**
   * @param {FieldOfCollection[]} fields Some may be there twice.
   * @param {Set<string>} ticked Keys.
   */
  show(fields, ticked) {
    const unlike = new Map(fields.map((each) => [keyOf(each), each]));
    const keys = [...unlike.keys()].sort();
    // A box that keeps its place keeps the focus.
    if (keys.join('\n') !== this.#keys.join('\n')) {
      this.#keys = keys;
      this.#boxes.replaceChildren(...keys.map((key) => this.#box(key, /** @type {FieldOfCollection} */ (unlike.get(key)))));
    }
    for (const box of this.#boxes.querySelectorAll('input')) box.checked = ticked.has(box.value);
    this.element.hidden = keys.length === 0;
  }

  /** The keys of the boxes that are ticked. */
  get ticked() {
    return new Set([...this.#boxes.querySelectorAll('input')].filter(({ checked }) => checked).map(({ value }) => value));
  }

  /**
   * @param {string} key
   * @param {FieldOfCollection} field
   */
  #box(key, field) {
    const control = h('input', { type: 'checkbox', id: uniqueId(this.#name), name: this.#name, value: key, change: () => this.#onChange() });
    return h('label', { class: 'check', for: control.id }, control, h('span', {}, richText(this.#label, { collection: field.collection, field: field.field })));
  }
}

/** `instruments.timestamp` @param {FieldOfCollection} field */
export function keyOf({ collection, field }) {
  return `${collection}.${field}`;
}

/**
 * As auditIndexes() takes them.
 * @param {Iterable<FieldOfCollection>} fields
 */
export function fieldsByCollection(fields) {
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const { collection, field } of fields) found[collection] = [...found[collection] ?? [], field];
  return found;
}
