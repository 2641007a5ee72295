// Documents as the core writes them (src/sharded_query/plain_writer.h), with the values that plain JSON cannot say put in.

import { convert, readerOf } from './converter.js';
import { ShardlineError } from './errors.js';
import { Bytes, DocumentReference, GeoPoint, Timestamp, VectorValue } from './values.js';

/**
 * @import { DocumentConverter, DocumentData } from './document_types.js'
 *
 * @typedef {[id: string, data: {[field: string]: any}, shape: number, createSeconds: number, createNanos: number,
 *   updateSeconds?: number, updateNanos?: number]} WireDocument
 * @typedef {[stand: number, ...path: (string | number)[]]} StandIn Where a value stands, and what for.
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

/** The doubles that plain JSON cannot say, as the core writes them. @type {{[text: string]: number}} */
const DOUBLES = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

/**
 * Turns plain JSON from the core into JavaScript values; indexed by the core's `Stand`. Each throws if the plain value is none that can be revived.
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

/** Where the one for references is. */
const REFERENCE = 2;

/**
 * @param {WireDocuments} documents Is used up.
 * @param {Revivers} [revivers] For the values in them.
 * @param {DocumentConverter<any>} [converter]
 * @returns {DocumentSnapshot<any>[]}
 */
export function reviveDocuments(documents, revivers = REVIVERS, converter) {
  const revived = reviveValues(documents, revivers);
  // Outside of what blames the server for all that goes wrong.
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
 * Calls what the app has handed in to make a value of. Its error is the app's own, and passes unchanged.
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
 * The core hands out only what it has checked. Should something slip through all the same, it is the answer that is wrong, and not
 * the caller's arguments, whatever the constructors of values say.
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
 * Puts a value in the place of its stand-in. It goes only where the document itself has something: never along a prototype.
 * @param {any} data
 * @param {StandIn} standIn
 * @param {Revivers} revivers
 * @param {boolean} risky Whether a step on the way may be inherited. No other is found in what does not have it.
 */
function revive(data, standIn, revivers, risky) {
  const last = standIn.length - 1;
  let holder = data;
  for (let i = 1; i < last; i += 1) {
    const step = /** @type {string | number} */ (standIn[i]);
    holder = risky ? own(holder, step) : holder[step];
  }
  const key = /** @type {string | number} */ (standIn[last]);
  // A field named "__proto__" is the object's own, as JSON.parse has made it, so this sets no prototype.
  holder[key] = /** @type {(plain: any) => unknown} */ (revivers[standIn[0]])(risky ? own(holder, key) : holder[key]);
}

/** The prototypes of all values that JSON.parse makes. */
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
  // BigInt() also takes an empty text, spaces and 0x10.
  if (/^-?\d{16,19}$/.test(text(plain))) return BigInt(/** @type {string} */ (plain));
  throw new TypeError('An integer of 64 bits was expected.');
}

/** @param {unknown} plain */
function double(plain) {
  return /** @type {number} */ (own(DOUBLES, text(plain)));
}
