/** The parts of a message of ICU MessageFormat, with all branches. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const web = createRequire(new URL('../../../web/package.json', import.meta.url));
/** @type {typeof import('intl-messageformat')} */
const { IntlMessageFormat } = await import(pathToFileURL(web.resolve('intl-messageformat')).href);

const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** The numbers in `type` of the parser's elements. */
const TYPES = { literal: 0, argument: 1, number: 2, select: 5, plural: 6, pound: 7, tag: 8 };

/**
 * @param {string | import('../../../web/tutorial/languages/languages.js').MessageFormatElement[]} message
 * @param {string} locale
 * @returns {{values: string[], numbers: string[], tags: string[], plurals: string[][], literals: string}} `values` are the names of all,
 *   `numbers` of those that are said as numbers, `plurals` the categories of each plural, `literals` what is said outside of code.
 */
export function parse(message, locale) {
  const found = {
    values: /** @type {Set<string>} */ (new Set()), numbers: /** @type {Set<string>} */ (new Set()),
    tags: /** @type {Set<string>} */ (new Set()), plurals: /** @type {string[][]} */ ([]), literals: '',
  };
  const visit = (/** @type {any} */ element) => {
    const { type, value, options, children } = element;
    if (type === TYPES.literal) found.literals += value;
    if (type === TYPES.argument || type === TYPES.select) found.values.add(value);
    if (type === TYPES.number || type === TYPES.plural) {
      found.values.add(value);
      found.numbers.add(value);
    }
    if (type === TYPES.plural) found.plurals.push(Object.keys(options));
    if (type === TYPES.tag) {
      found.tags.add(value);
      if (value !== 'code') children.forEach(visit);
      else children.filter((/** @type {any} */ child) => child.type !== TYPES.literal).forEach(visit);
    }
    for (const branch of Object.values(options ?? {})) /** @type {any} */ (branch).value.forEach(visit);
  };
  new IntlMessageFormat(message, locale).getAst().forEach(visit);
  const { values, numbers, tags, plurals, literals } = found;
  return { values: [...values].sort(), numbers: [...numbers].sort(), tags: [...tags].sort(), plurals, literals };
}

/** @typedef {string | import('../../../web/tutorial/languages/languages.js').MessageFormatElement[]} Message */

/**
 * @param {Message} message
 * @param {string} locale
 * @param {{[name: string]: string | number}} values
 * @returns {string} As plain text.
 */
export function format(message, locale, values) {
  const inner = (/** @type {string[]} */ parts) => parts.join('');
  return [new IntlMessageFormat(message, locale).format({ ...values, code: inner, b: inner, a: inner })].flat().join('');
}

/**
 * @param {Message} message
 * @param {string} locale
 * @returns {[word: string, category: string][]} The word after each number in a plural, and the plural's category there.
 */
export function pluralWords(message, locale) {
  /** @type {[string, string][]} */
  const found = [];
  const visit = (/** @type {any} */ { type, options = {}, children = [] }) => {
    const others = CATEGORIES.filter((category) => !(category in options));
    for (const [option, { value }] of /** @type {[string, any][]} */ (Object.entries(options))) {
      const words = type === TYPES.plural ? wordsAfter(value, TYPES.pound) : [];
      for (const category of option === 'other' ? ['other', ...others] : [option]) {
        found.push(...words.map((word) => /** @type {[string, string]} */ ([word, category])));
      }
      value.forEach(visit);
    }
    children.forEach(visit);
  };
  new IntlMessageFormat(message, locale).getAst().forEach(visit);
  return found;
}

/**
 * @param {Message} message
 * @param {string} locale
 * @returns {string[]} The word after each number that is said outside of a plural.
 */
export function followers(message, locale) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {any[]} */ elements) => {
    found.push(...wordsAfter(elements, TYPES.number));
    for (const { options = {} } of flat(elements)) for (const { value } of /** @type {any[]} */ (Object.values(options))) visit(value);
  };
  visit(new IntlMessageFormat(message, locale).getAst());
  return found;
}

/**
 * @param {Message} message
 * @param {string} locale
 * @returns {{[name: string]: string}[]} Each way to choose by what the message chooses by.
 */
export function variants(message, locale) {
  /** @type {Map<string, Set<string>>} */
  const choices = new Map();
  const visit = (/** @type {any} */ { type, value, options = {}, children = [] }) => {
    if (type === TYPES.select) choices.set(value, new Set([...choices.get(value) ?? [], ...Object.keys(options)]));
    for (const branch of /** @type {any[]} */ (Object.values(options))) branch.value.forEach(visit);
    children.forEach(visit);
  };
  new IntlMessageFormat(message, locale).getAst().forEach(visit);
  return [...choices].reduce((made, [name, options]) => made.flatMap((one) => [...options].map((option) => ({ ...one, [name]: option }))),
    /** @type {{[name: string]: string}[]} */ ([{}]));
}

/**
 * @param {any[]} elements
 * @param {number} type
 */
function wordsAfter(elements, type) {
  const parts = flat(elements);
  return parts.flatMap((part, index) => {
    if (part.type !== type || parts[index + 1]?.type !== TYPES.literal) return [];
    return /^\s*(\p{L}[\p{L}\p{M}]*)/u.exec(parts[index + 1].value)?.[1] ?? [];
  });
}

/** @param {any[]} elements @returns {any[]} With the content of each tag in place of the tag. */
function flat(elements) {
  return elements.flatMap((element) => (element.type === TYPES.tag ? flat(element.children) : [element]));
}
