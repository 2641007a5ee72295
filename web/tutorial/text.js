// Says the page's texts in the reader's language. The texts themselves are in languages/, by id.

import { IntlMessageFormat } from 'intl-messageformat';
import { h } from './dom.js';
import { parseNumber } from './model/number.js';

/**
 * @typedef {keyof typeof import('./languages/en.js').messages} TextId
 * @typedef {import('./languages/languages.js').Language} Language
 * @typedef {{[name: string]: string | number | bigint}} TextValues The values for {name} in a text.
 */

/** @type {Language} */
let language;
/** @type {Record<string, import('./languages/languages.js').Message>} */
let messages = {};
/** @type {Map<string, IntlMessageFormat>} */
let compiled = new Map();
/** Formatters are expensive (memoization): all texts share them, and each is made at its first use. */
const formatters = {
  getNumberFormat: shared(Intl.NumberFormat),
  getDateTimeFormat: shared(Intl.DateTimeFormat),
  getPluralRules: shared(Intl.PluralRules),
};
const getListFormat = shared(Intl.ListFormat);

/** @type {{[name: string]: Intl.NumberFormatOptions}} */
const NUMBERS = {
  any: { maximumFractionDigits: 6 },
  rounded: { maximumFractionDigits: 0 },
  short: { maximumSignificantDigits: 2 },
  dollars: { style: 'currency', currency: 'USD' },
  cents: { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 },
  percent: { style: 'percent' },
};

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZone: 'UTC' };

/**
 * Everything is said in this language from now on. To be called before anything is said.
 * @param {Language} wanted
 */
export async function openLanguage(wanted) {
  messages = await wanted.load();
  language = wanted;
  compiled = new Map();
  document.documentElement.lang = wanted.tag;
  document.documentElement.dir = wanted.dir;
}

/**
 * @param {TextId} id
 * @param {TextValues} [values]
 * @returns {string}
 */
export function text(id, values) {
  return format(id, { ...isolate(values), code: asText, b: asText, a: asText }).join('');
}

/**
 * The same with marks: <code> for code, <b> for emphasis, and <a> for the address of a page, without its `https://`.
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

/** The language that the page speaks. */
export function currentLanguage() {
  return language;
}

/** Whether the page speaks as the library does. */
export function isEnglish() {
  return language.tag === 'en';
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
    code: (/** @type {string[]} */ parts) => h('code', {}, ...parts.flatMap(wholeWords)),
    b: (/** @type {string[]} */ parts) => h('strong', {}, ...parts),
    a: (/** @type {string[]} */ parts) => h('a', { href: `https://${parts.join('')}`, dir: 'ltr' }, ...parts),
  });
}

/**
 * @param {TextId} id
 * @param {{[name: string]: any}} values
 * @returns {any[]}
 */
function format(id, values) {
  const source = messages[id] ?? id;
  // Most texts have nothing to be formatted.
  if (typeof source === 'string' && !/[{<']/.test(source)) return [source];
  let message = compiled.get(id);
  if (!message) {
    message = new IntlMessageFormat(source, language.locale, undefined, { formatters });
    compiled.set(id, message);
  }
  return [message.format(values)].flat();
}

/**
 * Paths, hosts and numbers with units must not change their order within a text that runs from right to left. A single word has no order to change,
 * and may be one that a text chooses by.
 * @param {TextValues} [values]
 */
function isolate(values = {}) {
  if (language.dir === 'ltr') return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [
    name, typeof value === 'string' && !/^[a-z]+$/.test(value) ? `\u2068${value}\u2069` : value]));
}

/**
 * @param {string} code
 * @returns {(string | HTMLElement)[]} Words with a hyphen are elements of their own, which stay in one line.
 */
function wholeWords(code) {
  return code.split(/(\S*-\S*)/).map((part, index) => (index % 2 === 0 ? part : h('span', { class: 'whole' }, part)));
}

/** @param {string[]} parts */
function asText(parts) {
  return parts.join('');
}

/**
 * @template Options
 * @template Formatter
 * @param {new (locales?: any, options?: Options) => Formatter} Kind
 * @returns {(locales?: any, options?: Options) => Formatter} The same one for the same arguments.
 */
function shared(Kind) {
  /** @type {Map<string, Formatter>} */
  const made = new Map();
  return (locales, options) => {
    const key = JSON.stringify([locales, options]);
    const formatter = made.get(key) ?? new Kind(locales, options);
    made.set(key, formatter);
    return formatter;
  };
}

/**
 * @param {keyof typeof NUMBERS} kind
 * @param {number | bigint} number
 */
function say(kind, number) {
  return formatters.getNumberFormat(language.locale, NUMBERS[kind]).format(number);
}

/**
 * The number that a reader has typed as their language writes it.
 * @param {string} typed
 * @returns {number | bigint | null} Null if there is no number.
 */
export function readNumber(typed) {
  return parseNumber(typed, language.locale);
}

/**
 * The minutes, seconds and milliseconds of a time.
 * @param {string} timestamp Of RFC 3339.
 */
export function formatClock(timestamp) {
  return formatters.getDateTimeFormat(language.locale, CLOCK).format(new Date(timestamp));
}

/** @param {number | bigint} number */
export function formatNumber(number) {
  return say('any', number);
}

/** @param {number} number To the nearest integer. */
export function formatRounded(number) {
  return say('rounded', number);
}

/** @param {number} ms */
export function formatMs(ms) {
  return text('unit.ms', { ms: say(ms < 10 ? 'short' : 'rounded', ms) });
}

/**
 * @param {number} dollars
 * @returns {string} Below a dollar with few digits, because many prices are millionths.
 */
export function formatDollars(dollars) {
  const said = say(dollars < 1 ? 'cents' : 'dollars', dollars);
  // `US$` would be turned round by a text from right to left, and Intl marks it as a part of one.
  return language.dir === 'rtl' ? `\u2066${said.replace('\u200f', '')}\u2069` : said;
}

/** @param {number} share 0 to 1 */
export function formatPercent(share) {
  return say('percent', share);
}

/**
 * A time that may be long: in seconds, if it has many milliseconds.
 * @param {number} ms
 */
export function formatDuration(ms) {
  return ms < 1000 ? formatMs(ms) : formatSeconds(ms / 1000);
}

/**
 * A time in a run, as exact as the player's clock. It is never rounded up: nothing is said to have happened before it did.
 * @param {number} atMs
 */
export function formatMoment(atMs) {
  if (atMs < 1000) return formatMs(Math.floor(atMs));
  if (atMs < 60_000) return text('unit.seconds', { seconds: formatNumber(Math.floor(atMs / 100) / 10) });
  return formatSeconds(Math.floor(atMs / 1000));
}

/** @param {number} seconds From two minutes on, it says the minutes, too. */
export function formatSeconds(seconds) {
  const whole = Math.round(seconds);
  if (whole >= 120) {
    const values = { minutes: formatNumber(Math.floor(whole / 60)), seconds: formatNumber(whole % 60) };
    return whole % 60 === 0 ? text('unit.minutes', { minutes: values.minutes }) : text('unit.minutes-seconds', values);
  }
  return text('unit.seconds', { seconds: say(seconds < 10 ? 'short' : 'rounded', seconds) });
}

/**
 * Times along an axis: all in minutes if they are whole minutes, and else all in seconds.
 * @param {number[]} seconds
 */
export function formatMarks(seconds) {
  const inMinutes = seconds.every((each) => each % 60 === 0) && seconds.some((each) => each >= 120);
  return seconds.map((each) => (inMinutes ? text('unit.minutes', { minutes: formatNumber(each / 60) }) : text('unit.seconds', { seconds: formatNumber(each) })));
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return text('unit.bytes', { bytes });
  return text('unit.kilobytes', { kilobytes: say(bytes < 10_000 ? 'short' : 'rounded', bytes / 1000) });
}

/**
 * The time of day.
 * @param {Date} date
 */
export function formatTime(date) {
  return formatters.getDateTimeFormat(language.locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(date);
}

/** @param {string[]} words `a, b and c` */
export function formatList(words) {
  return getListFormat(language.locale, { type: 'conjunction' }).format(words);
}
