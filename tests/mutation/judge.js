// The outcomes that no answer may ever lead to.

import { ShardlineError } from 'shardline';

const MAX_MESSAGE = 1000;

const CODES = ['cancelled', 'unknown', 'invalid-argument', 'deadline-exceeded', 'not-found', 'already-exists', 'permission-denied',
  'resource-exhausted', 'failed-precondition', 'aborted', 'out-of-range', 'unimplemented', 'internal', 'unavailable', 'data-loss',
  'unauthenticated', 'outcome-unknown'];

/**
 * @param {unknown} error What an operation was rejected with.
 * @param {boolean} invalid Whether the server itself has said that an argument is not valid.
 * @returns {string | undefined} The complaint about it.
 */
export function faultOfError(error, invalid) {
  if (!(error instanceof ShardlineError)) return `a raw error: ${error instanceof Error ? error.stack : String(error)}`;
  const { code, message, status } = error;
  if (!CODES.includes(code)) return `an error without a code: ${code} ${message}`;
  if (typeof message !== 'string' || message === '') return 'an error without a message';
  if (message.length > MAX_MESSAGE) return `a message of ${message.length} characters: ${message.slice(0, 200)}`;
  if (!Number.isInteger(status)) return `an error with the status ${status}`;
  if (/\[object \w+\]/.test(message)) return `a message that names an object: ${message}`;
  if (/crashed/.test(message)) return `the module crashed: ${/** @type {Error} */ (error.cause)?.stack}`;
  if (code === 'invalid-argument' && !invalid) return `the caller is blamed: ${message}`;
  return undefined;
}

const PROTOTYPES = [Object, Function, Array, String, Number, Boolean, BigInt, Symbol, Error, TypeError, Promise, Map, Set, Date, RegExp, Uint8Array,
  ArrayBuffer, ShardlineError].flatMap((type) => [type, type.prototype]);

/** @returns {Map<object, Map<string | symbol, unknown>>} */
const look = () => new Map(PROTOTYPES.map((object) => [object, new Map(Reflect.ownKeys(object).map((key) => [key, describe(object, key)]))]));

/** @param {object} object @param {string | symbol} key */
const describe = (object, key) => {
  const { value, get } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key));
  return get ?? value;
};

const CLEAN = look();

/** @returns {string | undefined} A change of a prototype; it is removed again. */
export function takePollution() {
  for (const object of PROTOTYPES) {
    const clean = /** @type {Map<string | symbol, unknown>} */ (CLEAN.get(object));
    for (const key of Reflect.ownKeys(object)) {
      if (clean.has(key) && Object.is(clean.get(key), describe(object, key))) continue;
      const where = `${/** @type {any} */ (object).name ?? Object.prototype.toString.call(object)}.${String(key)}`;
      if (clean.has(key)) Reflect.defineProperty(object, key, { value: clean.get(key) });
      else Reflect.deleteProperty(object, key);
      return `a prototype was changed: ${where}`;
    }
  }
  return undefined;
}
