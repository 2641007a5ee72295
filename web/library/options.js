// The options of calls.

import { ShardlineError, invalidArgument, notAllowed, optionNotAllowed, unknownOption } from './errors.js';

/**
 * The options of one call, read once. An unknown option is refused, so that a wrong name never passes silently.
 * @template {object} Options
 * @param {string} call
 * @param {Options | undefined} options
 * @param {string[]} names
 * @returns {Options}
 */
export function takeOptions(call, options, names) {
  if (options === undefined) return /** @type {Options} */ ({});
  if (options === null || typeof options !== 'object') {
    const allowed = `an object with ${names.join(', ')}`;
    throw notAllowed('options', allowed, `The options of ${call}() must be ${allowed}.`);
  }
  const taken = readOptions(call, options);
  refuseUnknown(`${call}()`, taken, names);
  checkIsPlain(taken);
  checkIsSignal(/** @type {{signal?: any}} */ (taken).signal);
  return taken;
}

/**
 * Refuses what JSON would leave out, or throw at.
 * @param {object} options
 */
export function checkIsPlain(options) {
  for (const [name, value] of Object.entries(options)) {
    const kind = typeof value;
    if (kind === 'bigint' || kind === 'symbol' || (kind === 'function' && !name.startsWith('on'))) {
      throw notAllowed(name, 'a plain value', `The option \`${name}\` cannot be a ${kind}.`);
    }
  }
}

/** JSON says null for NaN and Infinity, and a message would repeat that. JavaScript alone reads `intervalMs`. @param {object} options */
function refuseNaN(options) {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' && !Number.isFinite(value) && name !== 'intervalMs') throw notAllowed(name, 'a finite number', `The option \`${name}\` cannot be ${value}.`);
  }
}

/** @param {any} signal */
export function checkIsSignal(signal) {
  const isSignal = readable('signal', () => typeof signal?.addEventListener === 'function' && typeof signal.aborted === 'boolean');
  if (signal !== undefined && signal !== null && !isSignal) throw optionNotAllowed('signal', 'an AbortSignal');
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
  if (typeof options !== 'object') throw notAllowed('options', 'an object', `The options of ${call}() must be an object.`);
  const taken = readable('options', () => ({ ...options }), `The options of ${call}()`);
  refuseNaN(taken);
  return taken;
}

/**
 * Reads what was passed in, whose getters may throw, as may every use of a proxy.
 * @template T
 * @param {string} argument
 * @param {() => T} read
 * @param {string} [what] The argument's name in a sentence.
 * @returns {T}
 */
export function readable(argument, read, what = `The option \`${argument}\``) {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ShardlineError) throw cause;
    throw invalidArgument(`${what} cannot be read: a getter, a proxy or toJSON() has thrown. Pass plain values.`,
      { reason: 'argument-unreadable', params: { argument }, cause });
  }
}

/**
 * Refuses what is none of the options, of calls that list all of theirs.
 * @param {string} what Has them.
 * @param {object} options
 * @param {string[]} known
 * @param {(name: string) => string | false} [hintFor] A further hint about an unknown option.
 */
export function refuseUnknown(what, options, known, hintFor) {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const names = known.join(', ');
    throw unknownOption(name, names, `${what} has no option “${name}”, only ${names}.${hintFor?.(name) || ''}`);
  }
}
