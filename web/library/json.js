// Arguments of calls as JSON.

import { ShardlineError } from './errors.js';

/**
 * @param {unknown} value
 * @returns {string}
 */
export function toJson(value) {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const name = culprit(/** @type {any} */ (value).arguments ?? value) ?? '';
    const what = name ? `\`${name}\`` : 'An argument';
    throw new ShardlineError('invalid-argument', `${what} is, or holds, a bigint, an object that contains itself, or one that throws: pass plain `
      + 'values.',
    { reason: 'argument-unreadable', params: { argument: name }, cause });
  }
}

/** Arguments that hold all options of a counter, a collection or a query; errors name the option itself. */
const GROUPS = ['counter', 'collection', 'query'];

/**
 * The name of the argument that JSON cannot say.
 * @param {object} value
 * @returns {string | undefined}
 */
function culprit(value) {
  for (const [name, member] of Object.entries(value)) {
    try {
      JSON.stringify(member);
    } catch {
      return (GROUPS.includes(name) && culprit(member)) || name;
    }
  }
  return undefined;
}
