// Documents in the classes of Firebase's SDK.

import { optionNotAllowed } from './errors.js';
import { readable } from './options.js';
import { REVIVERS } from './revive.js';

/**
 * @typedef {object} FirebaseValues What to make of values in documents that are read, each by a class or function of Firebase's SDK; what is
 *   left out is this library's. `{ Bytes, doc, GeoPoint, Timestamp, vector }` is all of them.
 * @property {new (seconds: number, nanoseconds: number) => any} [Timestamp]
 * @property {new (latitude: number, longitude: number) => any} [GeoPoint]
 * @property {{fromUint8Array: (bytes: Uint8Array) => any}} [Bytes]
 * @property {(firestore: any, path: string) => any} [doc] For references, with the option `firestore`. References to other databases are this
 *   library's.
 * @property {(numbers: number[]) => any} [vector]
 */

const NAMES = /** @type {const} */ (['Timestamp', 'Bytes', 'doc', 'GeoPoint', 'vector']);

/**
 * @param {any} values
 * @param {any} firestore What getFirestore() has returned, if anything.
 * @returns {import('./revive.js').Revivers | undefined} As those of revive.js, in the same order.
 */
export function reviversOf(values, firestore) {
  if (values === undefined) return undefined;
  /** @type {any} */
  const { Timestamp, Bytes, doc, GeoPoint, vector } = readable('values', () => Object.fromEntries(NAMES.map((name) => [name, checked(name, values[name])])));
  if (doc && !firestore) throw optionNotAllowed('firestore', 'what getFirestore() has returned, for `values.doc`');
  const [time, bytes, reference, place, numbers, ...rest] = /** @type {[any, any, any, any, any]} */ (/** @type {unknown} */ (REVIVERS));
  const { projectId, database } = firestore?.toJSON().databaseId ?? {};
  const root = `projects/${projectId}/databases/${database}/documents/`;
  return [
    Timestamp ? ([seconds, nanoseconds]) => new Timestamp(seconds, nanoseconds) : time,
    Bytes ? (base64) => Bytes.fromUint8Array(new Uint8Array(bytes(base64))) : bytes,
    doc ? (name) => (name.startsWith(root) ? doc(firestore, name.slice(root.length)) : reference(name)) : reference,
    GeoPoint ? ([latitude, longitude]) => new GeoPoint(latitude, longitude) : place,
    vector ? (list) => vector(numbers(list).toArray()) : numbers,
    ...rest,
  ];
}

/** @param {string} name @param {any} value */
function checked(name, value) {
  const maker = name === 'Bytes' && value !== undefined ? value?.fromUint8Array : value;
  if (value !== undefined && typeof maker !== 'function') throw optionNotAllowed(`values.${name}`, `the ${name} of Firebase’s SDK`);
  return value;
}
