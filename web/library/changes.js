// What update() changes: an object of fields and values or, as in Firebase's SDKs, fields and values in turn.

import { notAllowed } from './errors.js';
import { pathOf } from './field_path.js';
import { readable } from './options.js';
import { encodeDocument } from './values.js';

/** What a FieldPath becomes when it is used as the key of an object. */
const NO_KEY = '[object Object]';

/**
 * @param {unknown[]} given What stands behind the document in update().
 * @returns {{changes: ReturnType<typeof encodeDocument>, rest: any[]}} What the core takes, and what stands behind it.
 */
export function takeChanges(given) {
  const [first, ...rest] = given;
  if (typeof pathOf(first) === 'string') return takeInTurn(given);
  if (readable('changes', () => Object.hasOwn(Object(first), NO_KEY), 'The argument `changes`')) {
    throw notAllowed('changes', 'fields by their paths', `update() has a change of the field “${NO_KEY}”: a FieldPath cannot be the key of an `
      + 'object. Put fields and values in turn, as in update(id, field, value), or write the path as text, with backquotes around names that are '
      + 'no identifiers: `a.b`.c.');
  }
  return { changes: encodeDocument(first), rest };
}

/** @param {unknown[]} given */
function takeInTurn(given) {
  /** @type {Map<string, unknown>} */
  const changes = new Map();
  for (let i = 0; i < given.length - 1; i += 2) {
    const field = pathOf(given[i]);
    if (typeof field !== 'string') {
      throw notAllowed('field', 'the path of a field', 'update() takes fields and values in turn: where a `field` should stand, there is something else.');
    }
    if (changes.has(field)) throw notAllowed('field', 'each field once', `update() has the field “${field.slice(0, 100)}” twice.`);
    changes.set(field, given[i + 1]);
  }
  const rest = given.length % 2 === 1 ? given.slice(-1) : [];
  const alone = pathOf(rest[0]);
  if (typeof alone === 'string') {
    throw notAllowed('value', 'a value for each field', `update() takes fields and values in turn: the field “${alone.slice(0, 100)}” has no \`value\`.`);
  }
  return { changes: encodeDocument(Object.fromEntries(changes)), rest };
}
