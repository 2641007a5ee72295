// Copies arguments for the workbench's module, or for a worker, which take only plain values. JSON.stringify() would throw errors of its own at some
// other values, and silently drop others.

import { notAllowed } from '../errors.js';
import { readable } from '../options.js';

/** No option is half as deep; this only stops cycles. */
const MAX_DEPTH = 60;

/**
 * A copy of plain values, read once.
 * @param {unknown} value
 * @param {string} name Its name in messages. Values inside are named by their path from there.
 * @param {number} [depth]
 * @returns {any}
 */
export function plain(value, name, depth = 0) {
  if (depth > MAX_DEPTH) throw notAllowed(name.slice(0, 100), 'plain values, and must not contain itself');
  switch (typeof value) {
    case 'string':
      if (/\p{Surrogate}/u.test(value)) throw notAllowed(name, 'text of whole characters, without half of a surrogate pair');
      return value;
    case 'number':
      // JSON turns others into null, which means an option that is left out.
      if (!Number.isFinite(value)) throw notAllowed(name, 'a finite number');
      return value;
    case 'undefined':
    case 'boolean':
      return value;
    case 'object':
      return value && readable(name, () => plainObject(value, name, depth));
    default:
      throw notAllowed(name, `a text, a number, true, false, a list or a plain object, and no ${typeof value}`);
  }
}

/**
 * @param {any} value
 * @param {string} name
 * @param {number} depth
 */
function plainObject(value, name, depth) {
  if (typeof value.toJSON === 'function') return plain(value.toJSON(), name, depth + 1);
  const inside = (/** @type {string} */ member) => (depth === 0 ? member : `${name}.${member}`);
  if (Array.isArray(value)) {
    return Array.from(value, (each, i) => {
      if (each === undefined) throw notAllowed(`${name}[${i}]`, 'there: a list has no holes');
      return plain(each, `${name}[${i}]`, depth + 1);
    });
  }
  const prototype = Object.getPrototypeOf(value);
  // Objects of another realm have another Object.prototype, which ends the chain, too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw notAllowed(name, 'a plain object or a list, and no instance of a class');
  // Read one by one, so that a getter that throws is named. Unlike assignment, this takes "__proto__" for a name like any other.
  return Object.fromEntries(Object.keys(value).map((member) => [
    member, plain(readable(inside(member), () => value[member]), inside(member), depth + 1),
  ]));
}
