// Documents as the core writes them (src/sharded_query/plain_writer.h), with the values that plain JSON cannot say put in.

import { Bytes, DocumentReference, GeoPoint, Timestamp, VectorValue } from './values.js';

/**
 * @typedef {object} DocumentSnapshot A document as it was at a moment.
 * @property {string} id
 * @property {string} name `projects/…/databases/…/documents/instruments/…`
 * @property {{[field: string]: any}} data
 * @property {Timestamp} createTime
 * @property {Timestamp} updateTime
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

/** Indexed as the core's `Stand`. @type {((plain: any) => unknown)[]} */
const REVIVERS = [
  ([seconds, nanoseconds]) => new Timestamp(seconds, nanoseconds),
  (base64) => Bytes.fromBase64String(base64),
  (name) => new DocumentReference(name),
  ([latitude, longitude]) => new GeoPoint(latitude, longitude),
  (numbers) => new VectorValue(numbers.map(Number)),
  BigInt,
  Number,
];

/**
 * @param {WireDocuments} documents Is used up.
 * @returns {DocumentSnapshot[]}
 */
export function reviveDocuments({ prefix, docs, shapes }) {
  return docs.map(([id, data, shape, createSeconds, createNanos, updateSeconds = createSeconds, updateNanos = createNanos]) => {
    for (const standIn of /** @type {StandIn[]} */ (shapes[shape])) revive(data, standIn);
    return {
      id,
      name: prefix + id,
      data,
      createTime: new Timestamp(createSeconds, createNanos),
      updateTime: new Timestamp(updateSeconds, updateNanos),
    };
  });
}

/**
 * @param {any} data
 * @param {StandIn} standIn
 */
function revive(data, standIn) {
  const last = standIn.length - 1;
  let holder = data;
  for (let i = 1; i < last; i += 1) holder = holder[/** @type {string | number} */ (standIn[i])];
  // A field named "__proto__" is the object's own by now, so this cannot reach the prototype.
  const key = /** @type {string | number} */ (standIn[last]);
  holder[key] = /** @type {(plain: any) => unknown} */ (REVIVERS[standIn[0]])(holder[key]);
}
