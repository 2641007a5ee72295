// How elements read attributes, and write properties to them.

import { notAllowed } from '../errors.js';

/** A server has no HTMLElement, and makes no element. */
export const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * The value of an attribute that is to be a number.
 * @param {HTMLElement} element
 * @param {string} name
 */
export function optionOf(element, name) {
  const value = numberOf(element, name) ?? undefined;
  if (!Number.isNaN(value)) return value;
  throw notAllowed(name, 'a number', `The attribute \`${name}\` must be a number, not “${attributeOf(element, name)}”.`);
}

/** @param {HTMLElement} element @param {string} name */
export function attributeOf(element, name) {
  return element.getAttribute(name) ?? element.getAttribute(name.replaceAll('-', ''));
}

/** @param {HTMLElement} element @param {string} name */
export function numberOf(element, name) {
  const text = attributeOf(element, name);
  return text === null ? null : Number(text);
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {string | number | null | undefined} value
 */
export function reflect(element, name, value) {
  if (name.includes('-')) element.removeAttribute(name.replaceAll('-', ''));
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
