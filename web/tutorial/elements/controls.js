import { h } from '../dom.js';
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
 * @param {string} name
 * @param {{min: number, max: number, value: number}} range `value` is what stands there at first.
 */
export function numberInput(name, range) {
  return input(name, { type: 'number', inputmode: 'numeric', required: true, ...range });
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
  };
}

/**
 * @typedef {object} ButtonOptions
 * @property {'primary' | 'plain' | 'quiet'} [kind]
 * @property {'button' | 'submit'} [type]
 * @property {(event: Event) => unknown} [onPress]
 * @property {string} [hint] What pressing it costs.
 *
 * @param {TextId} label
 * @param {ButtonOptions} [options]
 */
export function button(label, { kind = 'plain', type = 'button', onPress, hint } = {}) {
  return h('button', { type, class: `button button-${kind}`, click: onPress },
    h('span', {}, text(label)), hint ? h('span', { class: 'button-hint' }, hint) : null);
}
