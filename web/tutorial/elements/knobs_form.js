import { h, setAttribute } from '../dom.js';
import { formatNumber, hasText, text } from '../text.js';
import { radios } from './controls.js';

/**
 * @typedef {import('../chapters/chapter.js').Knob} Knob
 * @typedef {import('../chapters/chapter.js').NumberKnob} NumberKnob
 * @typedef {import('../chapters/chapter.js').WordKnob} WordKnob
 * @typedef {import('../text.js').TextId} TextId
 */

/** The knobs that the reader may turn. */
export class KnobsForm {
  /** @type {{[name: string]: {element: HTMLElement, value: number | string, allow?: (knobs: import('../chapters/chapter.js').Knobs) => void}}} */
  #controls = {};
  element;

  /**
   * @param {{[name: string]: Knob}} knobs
   * @param {{[name: string]: string}} words Their words in the address. Impossible values are ignored.
   * @param {() => void} onChange
   */
  constructor(knobs, words, onChange) {
    const changed = () => {
      this.#allow();
      onChange();
    };
    for (const [name, knob] of Object.entries(knobs)) {
      this.#controls[name] = 'words' in knob ? wordControl(name, knob, changed) : numberControl(name, knob, changed);
      const control = this.#controls[name];
      const wanted = words[name];
      if (control && wanted !== undefined) control.value = 'words' in knob ? wanted : Number(wanted);
    }
    const controls = Object.values(this.#controls);
    this.element = h('div', { class: 'knobs', hidden: controls.length === 0 }, ...controls.map(({ element }) => element));
    this.#allow();
  }

  /** @returns {import('../chapters/chapter.js').Knobs} */
  get values() {
    return Object.fromEntries(Object.entries(this.#controls).map(([name, { value }]) => [name, value]));
  }

  /** The reader can turn only a knob that has an effect. */
  #allow() {
    const knobs = this.values;
    for (const control of Object.values(this.#controls)) control.allow?.(knobs);
  }
}

/**
 * @param {string} name
 * @param {WordKnob} knob
 * @param {() => void} onChange
 */
function wordControl(name, knob, onChange) {
  const control = radios(name, /** @type {TextId} */ (`knob.${name}`),
    knob.words.map((word) => [word, text(/** @type {TextId} */ (`knob.${name}.${word}`))]));
  control.value = knob.default;
  control.element.addEventListener('change', onChange);
  return {
    element: control.element,
    get value() {
      return control.value;
    },
    set value(word) {
      if (knob.words.includes(word)) control.value = word;
    },
  };
}

/**
 * @param {string} name
 * @param {NumberKnob} knob
 * @param {() => void} onChange
 */
function numberControl(name, knob, onChange) {
  const { choices } = knob;
  const least = knob.least ?? 0;
  const most = knob.most ?? least;
  const format = (/** @type {number} */ number) => {
    const id = `knob.${name}.value`;
    return hasText(id) ? text(id, { n: number }) : formatNumber(number);
  };
  // The slider itself goes through the places of the choices.
  const range = choices ? { min: 0, max: choices.length - 1, step: 1 } : { min: least, max: most, step: knob.step ?? 1 };
  const read = () => (choices ? choices[input.valueAsNumber] ?? knob.default : input.valueAsNumber);
  const shown = h('span', { class: 'slider-value', 'aria-hidden': 'true' });
  const show = () => {
    shown.textContent = format(read());
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  const id = `knob-${name}`;
  const input = h('input', { type: 'range', id, name, ...range, input: show, change: onChange });
  const { applies } = knob;
  const idle = applies ? h('p', { class: 'hint slider-idle', id: `${id}-idle` }, text(knob.idle ?? /** @type {TextId} */ (`knob.${name}.idle`))) : null;
  const control = {
    element: h('div', { class: 'slider' }, h('label', { for: id }, text(/** @type {TextId} */ (`knob.${name}`))), shown, input, idle),
    allow(/** @type {import('../chapters/chapter.js').Knobs} */ knobs) {
      if (!applies || !idle) return;
      input.disabled = !applies(knobs);
      idle.hidden = !input.disabled;
      setAttribute(input, 'aria-describedby', input.disabled ? idle.id : null);
    },
    get value() {
      return read();
    },
    set value(number) {
      if (!Number.isFinite(number)) return;
      input.value = String(choices ? nearest(choices, number) : number);
      show();
    },
  };
  control.value = knob.default;
  return control;
}

/**
 * @param {number[]} choices
 * @param {number} wanted
 * @returns {number} The place of the nearest one.
 */
function nearest(choices, wanted) {
  const distances = choices.map((choice) => Math.abs(choice - wanted));
  return distances.indexOf(Math.min(...distances));
}
