// What the page says, in the reader's language. The texts themselves are in languages/, by id.

import { IntlMessageFormat } from 'intl-messageformat';
import { h } from './dom.js';

/**
 * @typedef {keyof typeof import('./languages/en.js').messages} TextId
 * @typedef {import('./languages/languages.js').Language} Language
 * @typedef {{[name: string]: string | number | bigint}} TextValues What stands for {name} in a text.
 */

/** @type {Language} */
let language;
/** @type {Record<string, import('./languages/languages.js').Message>} */
let messages = {};
/** @type {Map<string, IntlMessageFormat>} */
let compiled = new Map();
/** @type {ReturnType<typeof formatsOf>} */
let formats;

/**
 * Everything is said in this language from now on. To be called before anything is said.
 * @param {Language} wanted
 */
export async function openLanguage(wanted) {
  messages = await wanted.load();
  language = wanted;
  compiled = new Map();
  formats = formatsOf(wanted.locale);
  document.documentElement.lang = wanted.tag;
  document.documentElement.dir = wanted.dir;
}

/**
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {string}
 */
export function text(id, values) {
  return format(id, { ...isolate(values), code: asText, b: asText }).join('');
}

/**
 * The same, where <code> marks code and <b> what matters.
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {DocumentFragment}
 */
export function richText(id, values) {
  const fragment = document.createDocumentFragment();
  fragment.append(...richParts(id, values));
  return fragment;
}

/**
 * The same in paragraphs, which an empty line separates.
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {HTMLParagraphElement[]}
 */
export function paragraphs(id, values) {
  let current = h('p');
  const all = [current];
  for (const part of richParts(id, values)) {
    const [first = '', ...others] = typeof part === 'string' ? part.split('\n\n') : [part];
    current.append(first);
    for (const other of others) {
      current = h('p', {}, other);
      all.push(current);
    }
  }
  return all;
}

/**
 * A message of the library, which marks code with `…`.
 * @param {string} message
 * @returns {DocumentFragment}
 */
export function richMessage(message) {
  const fragment = document.createDocumentFragment();
  for (const [index, part] of message.split('`').entries()) fragment.append(index % 2 === 0 ? part : h('code', {}, part));
  return fragment;
}

/**
 * For ids that are put together from the names of chapters, steps and the like.
 * @param {string} id
 * @returns {id is TextId}
 */
export function hasText(id) {
  return Object.hasOwn(messages, id);
}

/**
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {(string | HTMLElement)[]}
 */
function richParts(id, values) {
  return format(id, {
    ...isolate(values),
    code: (/** @type {string[]} */ parts) => h('code', {}, ...parts),
    b: (/** @type {string[]} */ parts) => h('strong', {}, ...parts),
  });
}

/**
 * @param {TextId} id
 * @param {{[name: string]: any}} values
 * @returns {any[]}
 */
function format(id, values) {
  let message = compiled.get(id);
  if (!message) {
    message = new IntlMessageFormat(messages[id] ?? id, language.locale);
    compiled.set(id, message);
  }
  return [message.format(values)].flat();
}

/**
 * Paths, hosts and numbers with units must not change their order within a text that runs from right to left. A single word has none,
 * and may be one that a text chooses by.
 * @param {TextValues} [values]
 */
function isolate(values = {}) {
  if (language.dir === 'ltr') return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [
    name, typeof value === 'string' && !/^[a-z]+$/.test(value) ? `\u2068${value}\u2069` : value]));
}

/** @param {string[]} parts */
function asText(parts) {
  return parts.join('');
}

/** @param {string} locale */
function formatsOf(locale) {
  /** @param {Intl.NumberFormatOptions} options */
  const numbers = (options) => new Intl.NumberFormat(locale, options);
  return {
    number: numbers({ maximumFractionDigits: 6 }),
    rounded: numbers({ maximumFractionDigits: 0 }),
    short: numbers({ maximumSignificantDigits: 2 }),
    money: numbers({ style: 'currency', currency: 'USD', maximumSignificantDigits: 3 }),
    percent: numbers({ style: 'percent' }),
    time: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    list: new Intl.ListFormat(locale, { type: 'conjunction' }),
  };
}

/** @param {number | bigint} number */
export function formatNumber(number) {
  return formats.number.format(number);
}

/** @param {number} number To the nearest integer. */
export function formatRounded(number) {
  return formats.rounded.format(number);
}

/** @param {number} ms */
export function formatMs(ms) {
  return text('unit.ms', { ms: (ms < 10 ? formats.short : formats.rounded).format(ms) });
}

/**
 * @param {number} dollars
 * @returns {string} Few digits: much of what is shown costs millionths.
 */
export function formatDollars(dollars) {
  return formats.money.format(dollars);
}

/** @param {number} share 0 to 1 */
export function formatPercent(share) {
  return formats.percent.format(share);
}

/**
 * What may be long: in seconds, if they are many milliseconds.
 * @param {number} ms
 */
export function formatDuration(ms) {
  return ms < 1000 ? formatMs(ms) : formatSeconds(ms / 1000);
}

/** @param {number} seconds */
export function formatSeconds(seconds) {
  return text('unit.seconds', { seconds: (seconds < 10 ? formats.short : formats.rounded).format(seconds) });
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return text('unit.bytes', { bytes });
  return text('unit.kilobytes', { kilobytes: (bytes < 10_000 ? formats.short : formats.rounded).format(bytes / 1000) });
}

/**
 * The time of day.
 * @param {Date} date
 */
export function formatTime(date) {
  return formats.time.format(date);
}

/** @param {string[]} words `a, b and c` */
export function formatList(words) {
  return formats.list.format(words);
}
