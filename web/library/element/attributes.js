// The attributes of <shard-counter>, and the properties that are the same.

import { notAllowed } from '../errors.js';

/** A server has no HTMLElement, and makes no element. */
export const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/** The properties. */
export const ATTRIBUTED = [
  'path', 'type', 'user', 'shards', 'layout', 'countField', 'fields', 'field', 'intervalMs', 'maxAgeMs', 'listen', 'readsPerHour', 'notation', 'label', 'disabled',
];

/** An element with these properties. */
export class AttributedElement extends Base {
  static observedAttributes = [
    'path', 'type', 'user', 'shards', 'layout', 'count-field', 'fields', 'field', 'interval-ms', 'max-age-ms', 'listen', 'reads-per-hour', 'notation', 'label',
    'lang',
    // As React's server writes the properties.
    'countfield', 'intervalms', 'maxagems', 'readsperhour',
  ];

  /** The counter document's path. */
  get path() {
    return this.getAttribute('path');
  }

  set path(path) {
    reflect(this, 'path', path);
  }

  /** `number`, or `like`: a button. */
  get type() {
    return this.getAttribute('type') === 'like' ? 'like' : 'number';
  }

  set type(type) {
    reflect(this, 'type', type);
  }

  /** Who likes: the key of the counted set. Without it a press is a `shardline-error` whose code is `unauthenticated`. */
  get user() {
    return this.getAttribute('user');
  }

  set user(user) {
    reflect(this, 'user', user);
  }

  /** As the option of `db.counter()`. @returns {number | null} */
  get shards() {
    return numberOf(this, 'shards');
  }

  set shards(shards) {
    reflect(this, 'shards', shards);
  }

  /** As the option of `db.counter()`, by name. */
  get layout() {
    return this.getAttribute('layout');
  }

  set layout(layout) {
    reflect(this, 'layout', layout);
  }

  /** As the option of `db.counter()`; the attribute is `count-field`. */
  get countField() {
    return attributeOf(this, 'count-field');
  }

  set countField(field) {
    reflect(this, 'count-field', field);
  }

  /** All fields of a counter with several, such as `like,love,laugh`: the option of `db.counter()`. */
  get fields() {
    return this.getAttribute('fields');
  }

  set fields(fields) {
    reflect(this, 'fields', fields);
  }

  /** The field whose total the element shows, of a counter with several. Default: it shows the sum of all. */
  get field() {
    return this.getAttribute('field');
  }

  set field(field) {
    reflect(this, 'field', field);
  }

  /** As the option of `watch()`; the attribute is `interval-ms`. @returns {number | null} */
  get intervalMs() {
    return numberOf(this, 'interval-ms');
  }

  set intervalMs(ms) {
    reflect(this, 'interval-ms', ms);
  }

  /** As the option of `watch()`; the attribute is `max-age-ms`. @returns {number | null} */
  get maxAgeMs() {
    return numberOf(this, 'max-age-ms');
  }

  set maxAgeMs(ms) {
    reflect(this, 'max-age-ms', ms);
  }

  /** As the option of `watch()`: the attribute `listen="false"` sets it to false. */
  get listen() {
    return this.getAttribute('listen') !== 'false';
  }

  set listen(listen) {
    reflect(this, 'listen', listen ? null : 'false');
  }

  /** As the option of `watch()`; the attribute is `reads-per-hour`. @returns {number | null} */
  get readsPerHour() {
    return numberOf(this, 'reads-per-hour');
  }

  set readsPerHour(reads) {
    reflect(this, 'reads-per-hour', reads);
  }

  /** `compact` writes 1.2K. */
  get notation() {
    return this.getAttribute('notation');
  }

  set notation(notation) {
    reflect(this, 'notation', notation);
  }

  /** The name of the button. Default: the text of its <label>, or else “Like”. */
  get label() {
    return this.getAttribute('label');
  }

  set label(label) {
    reflect(this, 'label', label);
  }

  get disabled() {
    return this.hasAttribute('disabled');
  }

  set disabled(isDisabled) {
    this.toggleAttribute('disabled', Boolean(isDisabled));
  }
}

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
function attributeOf(element, name) {
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
