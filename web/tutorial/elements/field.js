import { ShardlineError } from '../../library/errors.js';
import { h, setAttribute, uniqueId } from '../dom.js';
import { inShort } from '../explain.js';
import { readNumber, richMessage, richText, text } from '../text.js';

/** @typedef {import('../text.js').TextId} TextId */

/**
 * A control with its label, a hint, and the error of its content.
 * @template {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control
 */
export class Field {
  #hint = h('p', { class: 'hint', id: uniqueId('hint') });
  #error = h('p', { class: 'field-error', id: uniqueId('error') });

  /**
   * @param {TextId} label
   * @param {Control} control
   * @param {TextId} [hint]
   */
  constructor(label, control, hint) {
    this.control = control;
    control.id = uniqueId(control.name || 'field');
    this.#error.hidden = true;
    this.element = h('div', { class: 'field' },
      h('label', { for: control.id }, text(label)), control, this.#hint, this.#error);
    this.setHint(hint ? richText(hint) : null);
    control.addEventListener('input', () => this.setError(''));
  }

  get value() {
    return this.control.value.trim();
  }

  /**
   * A number in the reader's language. Other content is null, because the library's error for null names the allowed values, but the one for NaN does
   * not.
   */
  get number() {
    const number = readNumber(this.value);
    return number === null ? /** @type {any} */ (null) : Number(number);
  }

  /** Whether an error is shown. */
  get isRefused() {
    return !this.#error.hidden;
  }

  /** @param {Node | null} hint */
  setHint(hint) {
    this.#hint.hidden = hint === null;
    this.#hint.replaceChildren(...(hint ? [hint] : []));
    this.#describe();
  }

  /**
   * @param {string} message Empty: nothing is wrong.
   * @param {string} [original] The same in the library's words, in English.
   */
  setError(message, original = '') {
    this.#error.hidden = message === '';
    this.#error.replaceChildren(richMessage(message));
    if (original) this.#error.append(h('span', { class: 'original', lang: 'en', dir: 'ltr' }, richMessage(original)));
    setAttribute(this.control, 'aria-invalid', message ? 'true' : null);
    this.#describe();
  }

  #describe() {
    const ids = [this.#error, this.#hint].filter((part) => !part.hidden).map((part) => part.id);
    setAttribute(this.control, 'aria-describedby', ids.join(' ') || null);
  }
}

/**
 * Makes a value from the content of fields, or shows the error at the first wrong field.
 * @template Made
 * @param {() => Made} make
 * @param {[field: Field<any>, check: () => unknown][]} checks Each throws the error of its field, unless one before it has thrown.
 * @returns {Made | null}
 */
export function attempt(make, checks) {
  let isFine = true;
  for (const [field, check] of checks) {
    const error = isFine ? refusal(check) : null;
    const said = error ? inShort(error) : { message: '' };
    field.setError(said.message, said.original);
    if (error) isFine = false;
  }
  return isFine ? make() : null;
}

/** @param {...Field<any>} fields */
export function focusRefused(...fields) {
  fields.find((field) => field.isRefused)?.control.focus();
}

/**
 * @param {() => unknown} check
 * @returns {ShardlineError | null} Null: there is nothing wrong.
 */
function refusal(check) {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ShardlineError) return error;
    throw error;
  }
}
