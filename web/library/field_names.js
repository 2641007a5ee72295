// The names of fields that shards have for a set of choices, or for a counter with fields.

import { optionNotAllowed } from './errors.js';
import { readable } from './options.js';

/** The most choices of a set, and fields of a counter: each is a field of every shard. */
export const MOST_NAMES = 20;

/**
 * Copies an option that is a list of such names.
 * @param {string} option
 * @param {unknown} given
 * @returns {string[]}
 */
export function takeNames(option, given) {
  const names = readable(option, () => (Array.isArray(given) ? [...given] : []));
  const areNames = names.every((name) => typeof name === 'string' && /^[A-Za-z_]\w{0,49}$/.test(name) && !/^__.*__$/.test(name));
  if (areNames && names.length > 0 && names.length <= MOST_NAMES && new Set(names).size === names.length) return names;
  throw optionNotAllowed(option, 'a list of 1 to 20 different names of letters, digits and `_`');
}
