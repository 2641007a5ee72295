// Builds elements. Text goes in as text: nothing on this page ever parses HTML.

/**
 * @typedef {Node | string | null | undefined} Child
 * @typedef {{[name: string]: string | number | boolean | null | undefined | ((event: Event) => unknown)}} Attributes A function listens to the event
 *   of that name; true makes an attribute without a value, false makes none.
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter(isNode));
  return element;
}

/**
 * The same for pictures.
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter(isNode));
  return element;
}

/**
 * @param {Element} element
 * @param {string} attribute
 * @param {string | null} value Null takes the attribute away.
 */
export function setAttribute(element, attribute, value) {
  if (value === null) element.removeAttribute(attribute);
  else element.setAttribute(attribute, value);
}

let lastId = 0;

/**
 * For `for`, `aria-describedby` and their like.
 * @param {string} stem
 */
export function uniqueId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/**
 * @param {Child} child
 * @returns {child is Node | string}
 */
function isNode(child) {
  return child !== null && child !== undefined;
}
