// What the page says, in the reader's language. The texts themselves are in texts/, by id.

import { h } from './dom.js';
import { en } from './texts/en.js';

/**
 * @typedef {keyof typeof en} TextId
 * @typedef {{[name: string]: string | number | bigint}} TextValues What stands for {name} in a text. {count} chooses the
 *   plural.
 */

const LANGUAGE = 'en';
/** @type {Record<TextId, string | {[category: string]: string}>} */
const TEXTS = en;

const plurals = new Intl.PluralRules(LANGUAGE);
const numbers = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 6 });
const roundedNumbers = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 0 });
const shortNumbers = new Intl.NumberFormat(LANGUAGE, { maximumSignificantDigits: 2 });
const money = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
const percents = new Intl.NumberFormat(LANGUAGE, { style: 'percent' });
const times = new Intl.DateTimeFormat(LANGUAGE, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/**
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {string}
 */
export function text(id, values = {}) {
  return fill(pattern(id, values), values);
}

/**
 * The same, where `…` in a text marks code.
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {DocumentFragment}
 */
export function richText(id, values = {}) {
  return markCode(pattern(id, values), (part) => fill(part, values));
}

/**
 * A message of the library, which marks code in the same way.
 * @param {string} message
 * @returns {DocumentFragment}
 */
export function richMessage(message) {
  return markCode(message, (part) => part);
}

/** @param {number | bigint} number */
export function formatNumber(number) {
  return numbers.format(number);
}

/** @param {number} ms */
export function formatMs(ms) {
  return text('unit.ms', { ms: (ms < 10 ? shortNumbers : roundedNumbers).format(ms) });
}

/**
 * @param {number} dollars
 * @returns {string} Few digits: much of what is shown costs millionths.
 */
export function formatDollars(dollars) {
  return money.format(dollars);
}

/** @param {number} share 0 to 1 */
export function formatPercent(share) {
  return percents.format(share);
}

/**
 * What may be long: in seconds, if they are many milliseconds.
 * @param {number} ms
 */
export function formatDuration(ms) {
  return ms < 1000 ? formatMs(ms) : text('unit.seconds', { seconds: (ms < 10_000 ? shortNumbers : roundedNumbers).format(ms / 1000) });
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return text('unit.bytes', { bytes });
  return text('unit.kilobytes', { kilobytes: (bytes < 10_000 ? shortNumbers : roundedNumbers).format(bytes / 1000) });
}

/**
 * The time of day.
 * @param {Date} date
 */
export function formatTime(date) {
  return times.format(date);
}

/**
 * @param {string} marked
 * @param {(part: string) => string} convert
 */
function markCode(marked, convert) {
  const fragment = document.createDocumentFragment();
  for (const [index, part] of marked.split('`').entries()) {
    const converted = convert(part);
    fragment.append(index % 2 === 0 ? converted : h('code', {}, converted));
  }
  return fragment;
}

/**
 * @param {TextId} id
 * @param {TextValues} values
 */
function pattern(id, values) {
  const entry = TEXTS[id];
  if (typeof entry === 'string') return entry;
  return entry[plurals.select(Number(values.count))] ?? entry.other ?? '';
}

/**
 * @param {string} part
 * @param {TextValues} values
 */
function fill(part, values) {
  return part.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'string' ? value : numbers.format(value);
  });
}
