// Documents as text: JSON, in which an object of one member whose name begins with $ stands for what JSON cannot say.

import {
  Bytes, DocumentReference, GeoPoint, serverTimestamp, Timestamp, vector, VectorValue,
} from '../library/index.js';
import { UsageError } from './options.js';

/** Whether the library writes it as one. @param {number} value */
const isInteger = (value) => Number.isSafeInteger(value) && !Object.is(value, -0);

/** @type {Record<string, (plain: any, doc: (path: string) => DocumentReference) => unknown>} */
const READERS = {
  $timestamp: (text) => Timestamp.fromString(String(text)),
  $integer: (text) => {
    if (!/^-?\d+$/.test(String(text))) throw new Error('$integer takes an integer as text');
    return BigInt(text);
  },
  $double: (text) => {
    if (String(text) !== 'NaN' && (text === null || String(text).trim() === '' || Number.isNaN(Number(text)))) throw new Error('$double takes a number');
    if (isInteger(Number(text))) throw new Error('a whole number of this size is always written as an integer, which Firestore takes for equal: leave $double out');
    return Number(text);
  },
  $bytes: (text) => Bytes.fromBase64String(String(text)),
  $geoPoint: ([latitude, longitude]) => new GeoPoint(latitude, longitude),
  $reference: (path, doc) => doc(String(path)),
  $vector: (numbers) => vector(numbers),
  $serverTimestamp: () => serverTimestamp(),
};

/**
 * @param {any} json
 * @param {(path: string) => DocumentReference} doc Makes references.
 * @returns {any}
 */
export function decode(json, doc) {
  if (Array.isArray(json)) return json.map((each) => decode(each, doc));
  if (typeof json === 'number' && Number.isInteger(json) && !Number.isSafeInteger(json)) {
    throw new Error(`${json} has more digits than JSON keeps: write {"$integer": "…"}, or {"$double": "…"}.`);
  }
  if (json === null || typeof json !== 'object') return json;
  const [name = '', ...others] = Object.keys(json);
  if (others.length === 0 && name === '$map') return decodeMembers(json.$map, doc);
  const reader = others.length === 0 && Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (!reader) return decodeMembers(json, doc);
  try {
    return reader(json[name], doc);
  } catch (cause) {
    throw new Error(`${JSON.stringify(json)} is no value: ${/** @type {Error} */ (cause).message}`, { cause });
  }
}

/**
 * @param {object} members
 * @param {(path: string) => DocumentReference} doc
 */
function decodeMembers(members, doc) {
  return Object.fromEntries(Object.entries(members ?? {}).map(([name, value]) => [name, decode(value, doc)]));
}

/**
 * The other way round.
 * @param {any} value
 * @returns {any}
 */
export function encode(value) {
  if (typeof value === 'bigint') return { $integer: `${value}` };
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? safe(value) : { $double: Object.is(value, -0) ? '-0' : `${value}` };
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Timestamp) return { $timestamp: value.toString() };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (value instanceof GeoPoint) return { $geoPoint: [value.latitude, value.longitude] };
  if (value instanceof DocumentReference) return { $reference: value.path };
  if (value instanceof VectorValue) return { $vector: value.toArray().map(encode) };
  if (Array.isArray(value)) return value.map(encode);
  const members = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, encode(each)]));
  const [name = '', ...others] = Object.keys(members);
  return others.length === 0 && name.startsWith('$') ? { $map: members } : members;
}

/** A double that is a large integer would be read back as one. @param {number} value */
function safe(value) {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? { $double: `${value}` } : value;
}

/**
 * A value on the command line: JSON, a time, or else a text without quotes.
 * @param {string} text
 * @param {(path: string) => DocumentReference} doc
 */
export function readValue(text, doc) {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text)) return Timestamp.fromString(text);
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    return text;
  }
  try {
    return decode(json, doc);
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}
