// Translates values between JavaScript and Firestore's JSON form.

import { invalidArgument, mustBe, notAllowed, takes } from './errors.js';
import { readable } from './options.js';

/** @import { ArrayChange, DeleteField, Increment, ServerTimestamp } from './document_types.js' */

/** A moment in the years 0001 to 9999, in whole microseconds. */
export class Timestamp {
  /**
   * @param {number} seconds Whole seconds since 1970-01-01T00:00:00Z; may be negative.
   * @param {number} nanoseconds 0 to 999,999,999, on top of the seconds. Firestore drops the digits below a microsecond.
   */
  constructor(seconds, nanoseconds = 0) {
    if (!Number.isInteger(seconds) || seconds < -62135596800 || seconds > 253402300799) {
      throw mustBe('seconds', 'an integer, in the years 0001 to 9999', seconds);
    }
    if (!Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds > 999999999) {
      throw notAllowed('nanoseconds', 'an integer from 0 to 999,999,999');
    }
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }

  static now() {
    return Timestamp.fromMillis(Date.now());
  }

  /** @param {Date} date */
  static fromDate(date) {
    return Timestamp.fromMillis(readable('date', () => {
      if (typeof date?.getTime !== 'function') throw notAllowed('date', 'a Date');
      return Number(date.getTime());
    }, 'A date'));
  }

  /** @param {number} millis */
  static fromMillis(millis) {
    if (!Number.isFinite(millis)) throw mustBe('millis', 'a number of milliseconds since 1970', millis);
    const seconds = Math.floor(millis / 1000);
    return new Timestamp(seconds, Math.floor((millis - seconds * 1000) * 1e6));
  }

  /** @param {string} text RFC 3339: `2019-01-01T13:45:23.010Z`, Firestore's form, or `2019-01-01T14:45:23.010+01:00`. */
  static fromString(text) {
    const [, whole = '', digits = '', zone = ''] = typeof text !== 'string' ? [] : /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
    const millis = Date.parse(whole + zone);
    // Some engines take the 30th of February for a day in March.
    if (Number.isNaN(millis) || !new Date(`${whole}Z`).toISOString().startsWith(whole)) {
      throw takes('fromString', 'text', 'a timestamp of the form 2019-01-01T13:45:23.010Z', text);
    }
    return new Timestamp(millis / 1000, Number(digits.padEnd(9, '0')));
  }

  toDate() {
    return new Date(this.toMillis());
  }

  toMillis() {
    return this.seconds * 1000 + this.nanoseconds / 1e6;
  }

  /** @param {Timestamp} other */
  isEqual(other) {
    return this.seconds === other.seconds && this.nanoseconds === other.nanoseconds;
  }

  /** RFC 3339, with microseconds if they are not zero. */
  toString() {
    const whole = new Date(this.seconds * 1000).toISOString().slice(0, 19);
    const micros = String(Math.floor(this.nanoseconds / 1000)).padStart(6, '0');
    return `${whole}.${micros.endsWith('000') ? micros.slice(0, 3) : micros}Z`;
  }

  toJSON() {
    return { seconds: this.seconds, nanoseconds: this.nanoseconds };
  }

  /** For `<` and sorting: strings of one length, counted from the year 0001, so that no number is negative. */
  valueOf() {
    return `${this.seconds + 62135596800}`.padStart(12, '0') + `${this.nanoseconds}`.padStart(9, '0');
  }
}

export class GeoPoint {
  /**
   * @param {number} latitude −90 to 90, in degrees.
   * @param {number} longitude −180 to 180, in degrees.
   */
  constructor(latitude, longitude) {
    const areNumbers = typeof latitude === 'number' && typeof longitude === 'number';
    if (!areNumbers || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw notAllowed('GeoPoint', 'a latitude from −90 to 90 and a longitude from −180 to 180');
    }
    this.latitude = latitude;
    this.longitude = longitude;
  }

  /** @param {GeoPoint} other */
  isEqual(other) {
    return this.latitude === other.latitude && this.longitude === other.longitude;
  }
}

/** The class of bytes that queries return. To write bytes, any Uint8Array suffices. */
export class Bytes extends Uint8Array {
  /**
   * @param {string} base64
   * @returns {Bytes}
   */
  static fromBase64String(base64) {
    let binary;
    try {
      binary = typeof base64 === 'string' ? atob(base64) : undefined;
    } catch {
      // Its error does not name the value: the one below does.
    }
    if (binary === undefined) throw takes('Bytes.fromBase64String', 'base64', 'a string in base64', base64);
    // TypeScript's types promise a Uint8Array from from(), also for a subclass.
    return /** @type {Bytes} */ (Bytes.from(binary, (character) => character.charCodeAt(0)));
  }

  toBase64() {
    return toBase64(this);
  }
}

/** A reference to a document; made by `db.doc(path)`. */
export class DocumentReference {
  /** @param {string} name `projects/…/databases/…/documents/posts/p1` */
  constructor(name) {
    this.name = name;
  }

  /** The path inside its database: `posts/p1`. */
  get path() {
    return this.name.split('/').slice(5).join('/');
  }

  get id() {
    return this.name.slice(this.name.lastIndexOf('/') + 1);
  }

  /** @param {DocumentReference} other */
  isEqual(other) {
    return this.name === other.name;
  }
}

/**
 * @param {string} root
 * @param {string[]} parts
 */
export function referenceTo(root, parts) {
  const segments = parts.flatMap((part) => (typeof part === 'string' ? part.split('/') : ''));
  if (segments.length % 2 || !segments[0] || segments.includes('')) throw notAllowed('path', 'the path of a document', 'doc() needs the path of a document, such as posts/p1.');
  return new DocumentReference(root + segments.join('/'));
}

/** An embedding: the vector that a vector search compares. */
export class VectorValue {
  /** @param {number[]} values */
  constructor(values) {
    this.values = values;
  }

  toArray() {
    return [...this.values];
  }

  /** @param {VectorValue} other */
  isEqual(other) {
    return this.values.length === other.values.length && this.values.every((value, i) => Object.is(value, other.values[i]));
  }
}

/**
 * @param {number[]} values
 * @returns {VectorValue}
 */
export function vector(values) {
  return new VectorValue(values);
}

/** Another copy of this library recognizes a FieldTransform by this symbol. */
const TRANSFORM = Symbol.for('shardline.FieldTransform');

/** A change that the server makes to a field; made by the functions below, and used in place of a value. */
class FieldTransform {
  [TRANSFORM] = true;

  /**
   * @param {string} kind
   * @param {unknown} [value]
   * @hidden Made by the library.
   */
  constructor(kind, value) {
    this.kind = kind;
    this.value = value;
  }
}

/**
 * @param {string} kind
 * @param {unknown} [value]
 * @returns {any} The types call these a ServerTimestamp, an Increment, an ArrayChange or a DeleteField.
 */
function newTransform(kind, value) {
  return new FieldTransform(kind, value);
}

/**
 * The time at which the server applies the write, in milliseconds.
 * @returns {ServerTimestamp}
 */
export function serverTimestamp() {
  return newTransform('serverTimestamp');
}

/**
 * Adds to the field's number on the server.
 * @param {number | bigint} operand
 * @returns {Increment}
 */
export function increment(operand) {
  return newTransform('increment', encodeNumber(operand, 'increment()'));
}

/**
 * Appends the elements that the array lacks.
 * @template Element
 * @param {...Element} elements
 * @returns {ArrayChange<Element>}
 */
export function arrayUnion(...elements) {
  return newTransform('arrayUnion', encodeElements(elements, 'arrayUnion()'));
}

/**
 * Removes all elements that equal one of these.
 * @template Element
 * @param {...Element} elements
 * @returns {ArrayChange<Element>}
 */
export function arrayRemove(...elements) {
  return newTransform('arrayRemove', encodeElements(elements, 'arrayRemove()'));
}

/**
 * In update() and in set() with `merge`: removes the field.
 * @returns {DeleteField}
 */
export function deleteField() {
  return newTransform('delete');
}

/**
 * @typedef {{[type: string]: unknown}} WireValue A value in Firestore's JSON form: `{stringValue: 'USD'}`.
 * @typedef {{path: string[], kind: string, value?: unknown}} WireTransform
 */

const TRANSFORM_HERE = 'a transform such as serverTimestamp(), which cannot stand here';

// Firestore allows 20 levels and the core refuses more by name; this only stops cycles.
const MAX_DEPTH = 100;

/**
 * A document's data in Firestore's form. `fields` leaves out the placeholder of a transform.
 * @param {unknown} data
 * @returns {{fields: {[name: string]: WireValue}, transforms: WireTransform[]}}
 */
export function encodeDocument(data) {
  return readable('data', () => {
    if (!isPlainObject(data)) {
      throw notAllowed('data', 'a plain object', 'A document’s data must be a plain object. Of an instance of a class, spread the fields: {...one}.');
    }
    /** @type {WireTransform[]} */
    const transforms = [];
    return { fields: encodeFields(data, [], transforms), transforms };
  }, 'A document’s data');
}

/**
 * One value in Firestore's form.
 * @param {unknown} value
 * @param {string} where Names it in messages.
 * @returns {WireValue}
 */
export function encodeValue(value, where) {
  return readable(where, () => encode(value, [where], null), `The value for ${where}`);
}

/**
 * @param {{[name: string]: unknown}} object
 * @param {string[]} path
 * @param {WireTransform[] | null} transforms The list that gets them; null if a transform is not allowed here.
 */
function encodeFields(object, path, transforms) {
  /** @type {[string, WireValue][]} */
  const fields = [];
  for (const [name, value] of Object.entries(object)) {
    const here = [...path, name];
    const transform = transformOf(value);
    if (!transform) {
      fields.push([name, encode(value, here, transforms)]);
    } else if (transforms) {
      transforms.push({ path: here, kind: transform.kind, value: transform.value });
    } else {
      throw refusal(here, TRANSFORM_HERE);
    }
  }
  return Object.fromEntries(fields); // Unlike assignment, this takes "__proto__" for a name like any other.
}

/**
 * @param {unknown} value
 * @param {string[]} path
 * @param {WireTransform[] | null} transforms
 * @returns {WireValue}
 */
function encode(value, path, transforms) {
  if (value === null) return { nullValue: null };
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { booleanValue: value };
    case 'number':
    case 'bigint':
      return encodeNumber(value, path.join('.'));
    case 'object':
      return encodeObject(value, path, transforms);
    default:
      throw refusal(path, value === undefined ? 'undefined' : `a ${typeof value}`);
  }
}

/**
 * @param {object} value
 * @param {string[]} path
 * @param {WireTransform[] | null} transforms
 * @returns {WireValue}
 */
function encodeObject(value, path, transforms) {
  if (path.length > MAX_DEPTH) throw refusal(path.slice(0, 3), 'nested too deeply, or contains itself');
  if (isDate(value)) {
    if (Number.isNaN(value.getTime())) throw refusal(path, 'an invalid Date');
    return { timestampValue: value.toISOString() };
  }
  if (value instanceof Timestamp) return { timestampValue: value.toString() };
  if (ArrayBuffer.isView(value) && tagOf(value) === '[object Uint8Array]') return { bytesValue: toBase64(/** @type {Uint8Array} */ (value)) };
  if (value instanceof DocumentReference) return { referenceValue: value.name };
  if (value instanceof GeoPoint) {
    return { geoPointValue: { latitude: value.latitude, longitude: value.longitude } };
  }
  if (value instanceof VectorValue) return encodeVector(value, path);
  if (Array.isArray(value)) {
    return { arrayValue: { values: Array.from(value, (element, i) => encode(element, [...path, `${i}`], null)) } };
  }
  if (isPlainObject(value)) return { mapValue: { fields: encodeFields(value, path, transforms) } };
  const own = ownValueOf(bare(value));
  if (own) return encodeObject(own, path, transforms);
  if (transformOf(value)) throw refusal(path, TRANSFORM_HERE);
  throw refusal(path, `an instance of ${value.constructor?.name ?? 'an unknown class'}`);
}

/**
 * Firebase's older API, with namespaces, wraps the objects of its newer one in this.
 * @param {any} value
 */
export const bare = (value) => value?._delegate ?? value;

/**
 * The results of serverTimestamp() and its like: here, in another copy of this library, in Firebase's SDK, whose operands have names that its builds
 * choose, or in its server's.
 * @param {any} value
 * @returns {any} A FieldTransform, or undefined.
 */
function transformOf(value) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value[TRANSFORM]) return value;
  const made = bare(value);
  const method = made._methodName ?? made.methodName;
  if (typeof method !== 'string' || isPlainObject(value)) return undefined;
  const [, operand] = Object.entries(made).find(([name]) => name !== '_methodName') ?? [];
  // The server's says FieldValue.increment.
  switch (method.split('.').pop()) {
    case 'serverTimestamp': return serverTimestamp();
    case 'delete':
    case 'deleteField': return deleteField();
    case 'increment': return increment(operand);
    case 'arrayUnion': return Array.isArray(operand) ? arrayUnion(...operand) : undefined;
    case 'arrayRemove': return Array.isArray(operand) ? arrayRemove(...operand) : undefined;
    default: return undefined;
  }
}

/**
 * This library's value for a value of Firebase's SDKs, or of another copy of this library, which it recognizes by its methods (duck typing). All of
 * these have isEqual(), which dates, lists and places of other libraries lack.
 * @param {any} value
 */
function ownValueOf(value) {
  const can = (/** @type {string} */ name) => typeof value[name] === 'function';
  if (typeof value.path === 'string') return referenceOf(value);
  if (!can('isEqual')) return undefined;
  if (can('toDate') && can('toMillis')) return new Timestamp(value.seconds, value.nanoseconds);
  if (can('toUint8Array')) return new Uint8Array(value.toUint8Array());
  if (typeof value.latitude === 'number') return new GeoPoint(value.latitude, value.longitude);
  const numbers = can('toArray') ? value.toArray() : undefined;
  return Array.isArray(numbers) && numbers.every((each) => typeof each === 'number') ? new VectorValue(numbers) : undefined;
}

/** @param {any} reference */
function referenceOf({ type, name, path, formattedName, firestore }) {
  const full = [formattedName, name].find((each) => typeof each === 'string' && each.startsWith('projects/'));
  const { projectId, database } = firestore?.toJSON?.().databaseId ?? {};
  if (type === 'collection' || type === 'query') return undefined;
  if (full) return new DocumentReference(full);
  return projectId && database ? new DocumentReference(`projects/${projectId}/databases/${database}/documents/${path}`) : undefined;
}

/**
 * @param {VectorValue} vectorValue
 * @param {string[]} path
 */
function encodeVector({ values }, path) {
  if (!Array.isArray(values) || !values.every((number) => typeof number === 'number')) {
    throw refusal(path, 'a vector of something else than numbers');
  }
  const type = { stringValue: '__vector__' };
  const value = { arrayValue: { values: values.map((number) => encodeDouble(number)) } };
  return { mapValue: { fields: { __type__: type, value } } };
}

/**
 * @param {unknown} value
 * @param {string} where
 * @returns {WireValue}
 */
export function encodeNumber(value, where) {
  if (typeof value === 'bigint') return { integerValue: `${value}` };
  if (typeof value !== 'number') throw refusal([where], typeof value);
  const isInteger = Number.isSafeInteger(value) && !Object.is(value, -0);
  return isInteger ? { integerValue: `${value}` } : encodeDouble(value);
}

/** @param {number} number */
function encodeDouble(number) {
  // JSON cannot express these, nor minus zero.
  const special = !Number.isFinite(number) || Object.is(number, -0);
  return { doubleValue: special ? (Object.is(number, -0) ? '-0' : `${number}`) : number };
}

/**
 * @param {unknown[]} elements
 * @param {string} where
 */
function encodeElements(elements, where) {
  return { values: elements.map((element) => encodeValue(element, where)) };
}

/**
 * @param {string[]} path
 * @param {string} what
 */
function refusal(path, what) {
  const field = path.join('.').slice(0, 200);
  return invalidArgument(`Field “${field}” is ${what}: Firestore cannot hold that. Leave it out, or `
    + 'pass null, booleans, numbers, strings, dates, bytes, arrays or plain objects.', { reason: 'value-not-allowed', params: { field } });
}

/**
 * @param {unknown} value
 * @returns {value is {[name: string]: unknown}}
 */
function isPlainObject(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // Objects of another realm (an iframe, a vm context) have another Object.prototype, which ends the chain, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The same for objects of all realms. @param {object} value @returns {string} */
const tagOf = (value) => Object.prototype.toString.call(value);

/** @param {object} value @returns {value is Date} */
function isDate(value) {
  // Another object can have this tag only by a property of that name, which no date has.
  return tagOf(value) === '[object Date]' && !(Symbol.toStringTag in value);
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * Decodes a number of the core: digits for an integer, otherwise a double or its name.
 * @param {string | number} value
 * @returns {number | bigint} A bigint if a number would lose digits.
 */
export function decodeNumber(value) {
  const number = Number(value);
  const isLargeInteger = typeof value === 'string' && /^-?\d+$/.test(value) && !Number.isSafeInteger(number);
  return isLargeInteger ? BigInt(value) : number;
}
