// Turns the core's documents (src/sharded_query/plain_writer.h) into JavaScript values: it replaces the stand-ins for values that JSON cannot
// express.

import { convert, readerOf } from './converter.js';
import { ShardlineError } from './errors.js';
import { Bytes, DocumentReference, GeoPoint, Timestamp, VectorValue } from './values.js';

/**
 * @import { DocumentConverter, DocumentData } from './document_types.js'
 *
 * @typedef {[id: string, data: {[field: string]: any}, shape: number, createSeconds: number, createNanos: number,
 *   updateSeconds?: number, updateNanos?: number]} WireDocument
 * @typedef {[stand: number, ...path: (string | number)[]]} StandIn The path of a value in the document, and the kind of value.
 *
 * @typedef {object} WireDocuments
 * @property {string} prefix Of all names.
 * @property {WireDocument[]} docs
 * @property {StandIn[][]} shapes
 */

/**
 * @template [T=DocumentData]
 * @typedef {object} DocumentSnapshot A document as it was at a moment.
 * @property {string} id
 * @property {string} name `projects/…/databases/…/documents/instruments/…`
 * @property {() => T} data Its fields.
 * @property {Timestamp} createTime
 * @property {Timestamp} updateTime
 */

/** The doubles that JSON cannot express, in the core's spelling. @type {{[text: string]: number}} */
const DOUBLES = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

/**
 * Turns plain JSON from the core into JavaScript values; the index is the core's `StandIn`. Each throws if the plain value is malformed.
 * @typedef {((plain: any) => unknown)[]} Revivers
 */
/** @type {Revivers} */
export const REVIVERS = [
  ([seconds, nanoseconds]) => new Timestamp(seconds, nanoseconds),
  (base64) => Bytes.fromBase64String(text(base64)),
  (name) => new DocumentReference(text(name)),
  ([latitude, longitude]) => new GeoPoint(latitude, longitude),
  (numbers) => new VectorValue(numbers.map((/** @type {unknown} */ number) => (typeof number === 'number' ? number : double(number)))),
  bigInteger,
  double,
];

/** The index of the reviver for references. */
const REFERENCE = 2;

/**
 * @param {WireDocuments} documents The call changes it.
 * @param {Revivers} [revivers] For the values in them.
 * @param {DocumentConverter<any>} [converter]
 * @returns {DocumentSnapshot<any>[]}
 */
export function reviveDocuments(documents, revivers = REVIVERS, converter) {
  const revived = reviveValues(documents, revivers);
  // Outside of revived(), which blames the server for every error.
  return converter ? revived.map((document) => convert(converter, document, /** @type {any} */ (revivers[REFERENCE]))) : revived;
}

/**
 * @param {WireDocuments} documents
 * @param {Revivers} revivers
 * @returns {DocumentSnapshot<any>[]}
 */
function reviveValues({ prefix, docs, shapes }, revivers) {
  return revived(() => {
    const risky = shapes.map((shape) => shape.some(mayBeInherited));
    return docs.map(([id, data, shape, createSeconds, createNanos, updateSeconds = createSeconds, updateNanos = createNanos]) => {
      for (const standIn of /** @type {StandIn[]} */ (shapes[shape])) revive(data, standIn, revivers, Boolean(risky[shape]));
      return {
        id,
        name: prefix + id,
        data: readerOf(data),
        createTime: new Timestamp(createSeconds, createNanos),
        updateTime: new Timestamp(updateSeconds, updateNanos),
      };
    });
  });
}

/**
 * @param {[seconds: number, nanoseconds: number][]} times
 * @returns {Timestamp[]}
 */
export function reviveTimes(times) {
  return revived(() => times.map(([seconds, nanoseconds]) => new Timestamp(seconds, nanoseconds)));
}

/** The last error of a class or function of the app's. @type {unknown} */
let ofApp;

/**
 * Calls an app's function or class that makes a value. Its error is the app's own, and passes unchanged.
 * @template T
 * @param {() => T} make
 * @returns {T}
 */
export function byApp(make) {
  try {
    return make();
  } catch (error) {
    ofApp = error;
    throw error;
  }
}

/**
 * The core checks all values. If a malformed value slips through, the server's answer is wrong, and not the caller's arguments, which the
 * constructors' errors would name.
 * @template T
 * @param {() => T} make
 * @returns {T}
 */
export function revived(make) {
  try {
    return make();
  } catch (cause) {
    if (cause === ofApp) throw cause;
    throw new ShardlineError('internal', 'The server’s answer holds a value that cannot be read; check `host`, and whether a proxy '
      + 'stands in between.', { reason: 'answer-unreadable', params: { http: 200 }, cause });
  }
}

/**
 * Replaces a stand-in with its value. It follows only the document's own properties, and never a prototype.
 * @param {any} data
 * @param {StandIn} standIn
 * @param {Revivers} revivers
 * @param {boolean} risky Whether a name on the way is also a name of a prototype. Other names need no check.
 */
function revive(data, standIn, revivers, risky) {
  const last = standIn.length - 1;
  let holder = data;
  for (let i = 1; i < last; i += 1) {
    const step = /** @type {string | number} */ (standIn[i]);
    holder = risky ? own(holder, step) : holder[step];
  }
  const key = /** @type {string | number} */ (standIn[last]);
  // A field named "__proto__" is the object's own because JSON.parse has made it, so this sets no prototype.
  holder[key] = /** @type {(plain: any) => unknown} */ (revivers[standIn[0]])(risky ? own(holder, key) : holder[key]);
}

/** The prototypes of all values that JSON.parse returns. */
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/** @param {StandIn} standIn */
function mayBeInherited([, ...path]) {
  return path.some((step) => PROTOTYPES.some((prototype) => step in prototype));
}

/**
 * @param {any} holder
 * @param {string | number} key
 */
function own(holder, key) {
  if (Object.hasOwn(holder, key)) return holder[key];
  throw new TypeError(`There is no field “${String(key).slice(0, 100)}” of the document’s own.`);
}

/** @param {unknown} plain */
function text(plain) {
  if (typeof plain === 'string') return plain;
  throw new TypeError('A text was expected.');
}

/** @param {unknown} plain */
function bigInteger(plain) {
  // BigInt() also takes an empty string, spaces and 0x10.
  if (/^-?\d{16,19}$/.test(text(plain))) return BigInt(/** @type {string} */ (plain));
  throw new TypeError('An integer of 64 bits was expected.');
}

/** @param {unknown} plain */
function double(plain) {
  return /** @type {number} */ (own(DOUBLES, text(plain)));
}
