import { h, uniqueId } from '../dom.js';
import { text } from '../text.js';

/** @typedef {import('../text.js').TextId} TextId */

/**
 * @param {string} name
 * @param {import('../dom.js').Attributes} [attributes]
 */
export function input(name, attributes = {}) {
  return h('input', { name, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', ...attributes });
}

/**
 * A browser's own number inputs take the digits and separators of its own language alone, which need not be the page's: this one is
 * read by `Field.number`.
 * @param {string} name
 * @param {string} [value] The first content.
 */
export function numberInput(name, value = '') {
  return input(name, { inputmode: 'decimal', required: true, value });
}

/**
 * @param {string} name
 * @param {[value: string, label: TextId][]} options
 */
export function select(name, options) {
  return h('select', { name }, ...options.map(([value, label]) => h('option', { value }, text(label))));
}

/**
 * One of a few, all in view.
 * @param {string} name
 * @param {TextId} legend
 * @param {[value: string, ...content: (string | Node)[]][]} options The first one is chosen.
 */
export function radios(name, legend, options) {
  const group = h('fieldset', { class: 'radios' }, h('legend', {}, text(legend)),
    ...options.map(([value, ...content], index) => h('label', { class: 'radio' },
      h('input', { type: 'radio', name, value, checked: index === 0 }), h('span', { class: 'radio-content' }, ...content))));
  return {
    element: group,
    get value() {
      return group.querySelector('input:checked')?.getAttribute('value') ?? '';
    },
    set value(value) {
      for (const radio of group.querySelectorAll('input')) radio.checked = radio.value === value;
    },
  };
}

/**
 * @typedef {object} ButtonOptions
 * @property {'primary' | 'plain' | 'quiet'} [kind]
 * @property {'button' | 'submit'} [type]
 * @property {(event: Event) => unknown} [onPress]
 * @property {string} [hint] The cost of a press.
 * @property {import('../text.js').TextValues} [values] The label's values.
 *
 * @param {TextId} label
 * @param {ButtonOptions} [options]
 */
export function button(label, { kind = 'plain', type = 'button', onPress, hint, values } = {}) {
  return h('button', { type, class: `button button-${kind}`, click: onPress },
    h('span', {}, text(label, values)), hint ? h('span', { class: 'button-hint' }, hint) : null);
}

/**
 * @param {string} name
 * @param {TextId} label
 * @param {{max: number, step: number, format: (value: number) => string, onChange: () => unknown}} options From 0 on.
 */
export function slider(name, label, { max, step, format, onChange }) {
  const id = uniqueId(name);
  // Screen readers hear it from the slider itself.
  const shown = h('span', { class: 'slider-value', 'aria-hidden': 'true' });
  const show = () => {
    shown.textContent = format(control.valueAsNumber);
    control.setAttribute('aria-valuetext', shown.textContent);
  };
  const control = h('input', { type: 'range', id, name, min: 0, max, step, value: 0, input: show, change: onChange });
  show();
  return {
    element: h('div', { class: 'slider' }, h('label', { for: id }, text(label)), shown, control),
    get value() {
      return control.valueAsNumber;
    },
    set value(value) {
      // A slider that the reader is moving stays under the pointer.
      if (control.matches(':active')) return;
      control.value = String(value);
      show();
    },
  };
}

/**
 * @param {string} name
 * @param {TextId} label
 * @param {{checked?: boolean, onChange?: () => unknown}} [options]
 */
export function checkbox(name, label, { checked = false, onChange } = {}) {
  const control = h('input', { type: 'checkbox', id: uniqueId(name), name, checked, change: onChange });
  return { control, element: h('label', { class: 'check', for: control.id }, control, h('span', {}, text(label))) };
}
