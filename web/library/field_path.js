// Paths of fields: texts, or a FieldPath of Firebase's SDKs.

import { checkWellFormed, readable } from './options.js';
import { bare } from './values.js';

/**
 * The names in a FieldPath. Only the server's SDK has them in public. Undefined if `path` is no FieldPath.
 * @param {any} path
 * @param {string} argument
 * @returns {string[] | undefined}
 */
function namesIn(path, argument) {
  const names = typeof path === 'object' ? readable(argument, () => (bare(path)?._internalPath ?? path)?.segments) : undefined;
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
}

/**
 * A path in the core's form: names that are no identifiers are in backquotes.
 * @param {any} path
 * @param {string} [argument] Names it in messages.
 * @returns {any} Anything but a FieldPath stays as it is.
 */
export function pathOf(path, argument = 'field') {
  const text = namesIn(path, argument)?.map((name) => (/^[a-z_]\w*$/i.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``)).join('.') ?? path;
  if (typeof text === 'string') checkWellFormed(argument, text);
  return text;
}

/** The names in a path, which is as the core takes it. @param {string} path */
export function namesOf(path) {
  const names = path.match(/`(?:[^`\\]|\\.)*`|[^.]+/g) ?? [];
  return names.map((name) => (name.startsWith('`') ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name));
}

/**
 * The value that a document has there.
 * @param {any} data
 * @param {any} path
 */
export function valueAt(data, path) {
  return (namesIn(path, 'field') ?? namesOf(String(path))).reduce((value, name) => (Object.hasOwn(value ?? {}, name) ? value[name] : undefined), data);
}
