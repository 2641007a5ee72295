// Makes documents with the classes of Firebase's SDK.

import { optionNotAllowed, unknownOption } from './errors.js';
import { readable } from './options.js';
import { byApp, REVIVERS } from './revive.js';

/**
 * @typedef {object} FirebaseValues The classes and functions of Firebase's SDK that make the values in documents that are read. A kind that is left
 *   out gets this library's class. `{ Bytes, doc, GeoPoint, Timestamp, vector }` is all of them. Their errors reject the call that reads.
 * @property {new (seconds: number, nanoseconds: number) => any} [Timestamp]
 * @property {new (latitude: number, longitude: number) => any} [GeoPoint]
 * @property {{fromUint8Array: (bytes: Uint8Array) => any}} [Bytes]
 * @property {(firestore: any, path: string) => any} [doc] For references, with the option `firestore`. References to other databases are this
 *   library's.
 * @property {(numbers: number[]) => any} [vector]
 */

/** Whether a value is a constructor. The check constructs an `Object` with it as the new.target, and does not call it. @param {any} value */
function isClass(value) {
  try {
    return Boolean(Reflect.construct(Object, [], value));
  } catch {
    return false;
  }
}

/** @param {any} value */
const isFunction = (value) => typeof value === 'function';

/** For each option of `values`: the test that it must pass. */
const KINDS = {
  Timestamp: isClass,
  Bytes: (/** @type {any} */ value) => isFunction(value?.fromUint8Array),
  doc: isFunction,
  GeoPoint: isClass,
  vector: isFunction,
};

const NAMES = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS));

/**
 * @param {any} values
 * @param {any} firestore The result of getFirestore(), if the app passes it.
 * @returns {import('./revive.js').Revivers | undefined} Revivers like those of revive.js, in the same order.
 */
export function reviversOf(values, firestore) {
  if (values === undefined) return undefined;
  /** @type {any} */
  const { Timestamp, Bytes, doc, GeoPoint, vector } = readable('values', () => allOf(values));
  if (doc && !firestore) throw optionNotAllowed('firestore', 'the result of getFirestore(), because `values.doc` needs it');
  const [time, bytes, reference, place, numbers, ...rest] = /** @type {[any, any, any, any, any]} */ (/** @type {unknown} */ (REVIVERS));
  const { projectId, database } = firestore?.toJSON().databaseId ?? {};
  const root = `projects/${projectId}/databases/${database}/documents/`;
  return [
    Timestamp ? ([seconds, nanoseconds]) => byApp(() => new Timestamp(seconds, nanoseconds)) : time,
    Bytes ? (base64) => {
      const array = new Uint8Array(bytes(base64));
      return byApp(() => Bytes.fromUint8Array(array));
    } : bytes,
    doc ? (name) => (name.startsWith(root) ? byApp(() => doc(firestore, name.slice(root.length))) : reference(name)) : reference,
    GeoPoint ? ([latitude, longitude]) => byApp(() => new GeoPoint(latitude, longitude)) : place,
    vector ? (list) => {
      const array = numbers(list).toArray();
      return byApp(() => vector(array));
    } : numbers,
    ...rest,
  ];
}

/** @param {any} values */
function allOf(values) {
  const isSome = Object(values) === values && NAMES.some((name) => name in values);
  // The namespace of Firebase's older SDKs is a function.
  if (Object(values) !== values || (!isSome && (typeof values === 'function' || Array.isArray(values)))) {
    throw optionNotAllowed('values', `an object with classes and functions of Firebase’s SDK: { ${NAMES.join(', ')} }`);
  }
  // The whole SDK has many other names, but none that differs only by capital letters.
  const lower = NAMES.map((name) => name.toLowerCase());
  const odd = Object.keys(values).find((name) => !Object.hasOwn(KINDS, name) && (!isSome || lower.includes(name.toLowerCase())));
  if (odd !== undefined) {
    const known = `${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}`;
    throw unknownOption(`values.${odd.slice(0, 100)}`, known, `The option \`values\` has no ${odd.slice(0, 100)}, only ${known}.`);
  }
  return Object.fromEntries(NAMES.map((name) => [name, checked(name, values[name])]));
}

/** @param {typeof NAMES[number]} name @param {any} value */
function checked(name, value) {
  if (value !== undefined && !KINDS[name](value)) throw optionNotAllowed(`values.${name}`, `the ${name} of Firebase’s SDK`);
  return value;
}
