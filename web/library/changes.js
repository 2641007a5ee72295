// The changes of update(): an object of fields and values or, as in Firebase's SDKs, fields and values in turn.

import { notAllowed } from './errors.js';
import { pathOf } from './field_path.js';
import { encodeDocument } from './values.js';

/** A FieldPath as the key of an object. */
const NO_KEY = '[object Object]';

/** @param {string} argument @param {string} what @param {string} found */
const wrong = (argument, what, found) => notAllowed(argument, what, `update() takes fields and values in turn, or one object: ${found}.`);

/**
 * @param {unknown[]} given The arguments behind the document in update().
 * @returns {{changes: ReturnType<typeof encodeDocument>, rest: any[]}} The changes for the core, and the arguments behind them.
 */
export function takeChanges(given) {
  const [first, ...rest] = given;
  if (typeof pathOf(first) !== 'string') return { changes: checked(encodeDocument(first)), rest };
  /** @type {Record<string, unknown>} */
  const changes = Object.create(null);
  let left = given;
  for (; left.length > 1; left = left.slice(2)) {
    const field = pathOf(left[0]);
    if (typeof field !== 'string') throw wrong('field', 'the path of a field', 'a `field` is no path');
    if (field in changes) throw wrong('field', 'each field once', `the field “${field.slice(0, 100)}” is there twice`);
    changes[field] = left[1];
  }
  const alone = pathOf(left[0]);
  if (typeof alone === 'string') throw wrong('value', 'a value for each field', `the field “${alone.slice(0, 100)}” has no \`value\``);
  return { changes: encodeDocument(changes), rest: left };
}

/** @param {ReturnType<typeof encodeDocument>} changes */
function checked(changes) {
  if (NO_KEY in changes.fields || changes.transforms.some(({ path }) => path[0] === NO_KEY)) {
    throw wrong('changes', 'fields by their paths', 'a FieldPath cannot be the key of an object');
  }
  return changes;
}
