// The pseudo-locale: English with accents, a third longer, and between brackets, which show where a text was cut or glued.

import { IntlMessageFormat } from 'intl-messageformat';
import { messages } from './en.js';

/** @typedef {import('./languages.js').MessageFormatElement} MessageFormatElement */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = [...'áƀćďéƒğĥíĵķĺɱńóṕɋŕśťúṽẃẋýžÁɃĆĎÉƑĞĤÍĴĶĹṀŃÓṔɊŔŚŤÚṼẂẊÝŽ'];

/** The numbers in `type` of the parser's elements. */
const LITERAL = 0;
const SELECT = 5;
const PLURAL = 6;
const TAG = 8;

export function load() {
  return Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, [
    literal('['), ...new IntlMessageFormat(message, 'en').getAst().map(disguise), literal(']')]]));
}

/**
 * @param {any} element
 * @returns {MessageFormatElement}
 */
function disguise(element) {
  if (element.type === LITERAL) return literal(accent(element.value));
  if (element.type === SELECT || element.type === PLURAL) {
    const options = Object.entries(element.options).map(([name, { value }]) => [name, { value: value.map(disguise) }]);
    return { ...element, options: Object.fromEntries(options) };
  }
  // Code is not translated.
  if (element.type === TAG && element.value !== 'code') return { ...element, children: element.children.map(disguise) };
  return element;
}

/** @param {string} value @returns {MessageFormatElement} */
function literal(value) {
  return { type: LITERAL, value };
}

/** Each third vowel twice, so that the text is longer, like in most languages. */
function accent(/** @type {string} */ value) {
  let vowels = 0;
  return value.replace(/[a-zA-Z]/g, (letter) => {
    const accented = ACCENTED[PLAIN.indexOf(letter)] ?? letter;
    if (!/[aeiou]/.test(letter)) return accented;
    vowels += 1;
    return vowels % 3 === 0 ? accented : accented + accented;
  });
}
