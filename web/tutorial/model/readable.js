// Values as console output, for code that a reader runs.

import { DocumentReference, Timestamp } from '../../library/values.js';

/** The most entries of a list or an object, and the most levels. */
const MOST_ENTRIES = 100;
const MOST_LEVELS = 5;
/** A longer list or object takes one line for each entry. */
const LINE = 72;
/** The most characters of one output. */
const MOST_CHARACTERS = 4000;

/**
 * The arguments of one call of the console.
 * @param {unknown[]} values
 * @returns {string}
 */
export function readableLine(values) {
  const line = values.map((value) => (typeof value === 'string' ? value : readable(value))).join(' ');
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

/**
 * @param {unknown} value
 * @returns {string} As code would write it, if there is such code.
 */
export function readable(value) {
  try {
    return inWords(value, []);
  } catch (error) {
    // The value's own code has thrown, such as that of a getter.
    return `[${typeof value}: ${error instanceof Error ? error.message : 'unreadable'}]`;
  }
}

/**
 * @param {unknown} value
 * @param {object[]} around The objects that it is part of.
 * @returns {string}
 */
function inWords(value, around) {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (around.includes(value)) return '[circular]';
  return plainWords(value) ?? composite(value, [...around, value]);
}

/**
 * Values that are one thing to their reader.
 * @param {object} value
 * @returns {string | undefined}
 */
function plainWords(value) {
  if (value instanceof Timestamp) return `Timestamp(${value})`;
  if (value instanceof DocumentReference) return `DocumentReference(${value.path})`;
  if (value instanceof Date) return `Date(${Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()})`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return '[promise: await it]';
  return undefined;
}

/**
 * @param {object} value
 * @param {object[]} around
 */
function composite(value, around) {
  if (around.length > MOST_LEVELS) return Array.isArray(value) ? '[…]' : '{…}';
  const say = (/** @type {unknown} */ each) => inWords(each, around);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return bracketed('', ['[', ']'], value, say);
  if (value instanceof Set) return bracketed('Set ', ['{', '}'], value, say);
  if (value instanceof Map) return bracketed('Map ', ['{', '}'], value, ([key, each]) => `${say(key)} => ${say(each)}`);
  const document = documentIn(value);
  if (document) return `${document.path} ${say(document.data)}`;
  // Without the name of its class: that of the library's classes is not their own in a built page.
  return bracketed('', ['{', '}'], Object.entries(value), ([key, each]) => `${keyOf(key)}: ${say(each)}`);
}

/**
 * A document that was read: its path, and its fields.
 * @param {any} value
 */
function documentIn({ id, name, data }) {
  if (typeof id !== 'string' || typeof name !== 'string' || typeof data !== 'function') return undefined;
  return { path: name.slice(name.indexOf('/documents/') + '/documents/'.length), data: data() };
}

/** @param {string} key */
function keyOf(key) {
  return /^[\w$]+$/.test(key) ? key : `'${key}'`;
}

/**
 * @template Entry
 * @param {string} name
 * @param {[open: string, close: string]} brackets
 * @param {any} entries Of `Entry`.
 * @param {(entry: Entry) => string} say
 */
function bracketed(name, [open, close], entries, say) {
  const all = [...entries];
  const said = all.slice(0, MOST_ENTRIES).map(say);
  if (all.length > MOST_ENTRIES) said.push(`… ${all.length - MOST_ENTRIES} more`);
  if (said.length === 0) return `${name}${open}${close}`;
  const line = said.join(', ');
  if (line.length <= LINE && !line.includes('\n')) return open === '{' ? `${name}{ ${line} }` : `${name}[${line}]`;
  return `${name}${open}\n${said.map((each) => `  ${each.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close}`;
}
