// The attributes of <shard-counter>, and the properties that are the same.

import { attributeOf, numberOf, reflect } from './attributes.js';
import { LiveElement } from './live_element.js';

/** The properties. */
export const ATTRIBUTED = [
  'path', 'type', 'user', 'shards', 'layout', 'countField', 'fields', 'field', 'intervalMs', 'maxAgeMs', 'listen', 'readsPerHour', 'notation', 'label', 'disabled',
];

/** An element with these properties. */
export class AttributedElement extends LiveElement {
  static observedAttributes = [
    'path', 'type', 'user', 'shards', 'layout', 'count-field', 'fields', 'field', 'interval-ms', 'max-age-ms', 'listen', 'reads-per-hour', 'notation', 'label',
    'lang',
    // As React's server writes the properties.
    'countfield', 'intervalms', 'maxagems', 'readsperhour',
  ];

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
