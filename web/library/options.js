// The options of calls.

import { invalidArgument, ShardlineError } from './errors.js';

/**
 * The options of one call, read once. What is not among them is refused, so that none can be taken for an argument of another name.
 * @template {object} Options
 * @param {string} call
 * @param {Options | undefined} options
 * @param {string[]} names
 * @returns {Options}
 */
export function takeOptions(call, options, names) {
  if (options === undefined) return /** @type {Options} */ ({});
  if (options === null || typeof options !== 'object') {
    throw invalidArgument(`The options of ${call}() must be an object with ${listed(names)}.`);
  }
  const taken = readOptions(call, options);
  for (const [name, value] of Object.entries(taken)) {
    if (!names.includes(name)) throw invalidArgument(`${call}() has no option “${name}”, only ${listed(names)}.`);
    const kind = typeof value;
    if (kind === 'bigint' || kind === 'symbol' || (kind === 'function' && !name.startsWith('on'))) {
      throw invalidArgument(`The option \`${name}\` cannot be a ${kind}.`);
    }
  }
  checkIsSignal(/** @type {{signal?: any}} */ (taken).signal);
  return taken;
}

/** @param {any} signal */
export function checkIsSignal(signal) {
  const isSignal = readable('The option `signal`', () => typeof signal?.addEventListener === 'function' && typeof signal.aborted === 'boolean');
  if (signal !== undefined && signal !== null && !isSignal) throw invalidArgument('The option `signal` must be an AbortSignal.');
}

/**
 * The options of a call that checks them itself, read once.
 * @template {object} Options
 * @param {string} call
 * @param {Options | undefined | null} options
 * @returns {Options}
 */
export function readOptions(call, options) {
  if (options === undefined || options === null) return /** @type {Options} */ ({});
  if (typeof options !== 'object') throw invalidArgument(`The options of ${call}() must be an object.`);
  return readable(`The options of ${call}()`, () => ({ ...options }));
}

/**
 * Reads what was passed in, whose getters may throw, as may every use of a proxy.
 * @template T
 * @param {string} what
 * @param {() => T} read
 * @returns {T}
 */
export function readable(what, read) {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ShardlineError) throw cause;
    throw new ShardlineError('invalid-argument', `${what} cannot be read: a getter, a proxy or toJSON() has thrown. Pass plain values.`, { cause });
  }
}

/** @param {string[]} names */
function listed(names) {
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
