/** What is in a message of ICU MessageFormat, branches and all. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const web = createRequire(new URL('../../../web/package.json', import.meta.url));
/** @type {typeof import('intl-messageformat')} */
const { IntlMessageFormat } = await import(pathToFileURL(web.resolve('intl-messageformat')).href);

/** The numbers in `type` of the parser's elements. */
const TYPES = { literal: 0, argument: 1, number: 2, select: 5, plural: 6, tag: 8 };

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
