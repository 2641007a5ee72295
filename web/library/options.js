// The options of calls.

import { ShardlineError, invalidArgument, notAllowed, optionNotAllowed, takes, unknownOption } from './errors.js';

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
  const taken = readOptions(call, options ?? /** @type {any} */ (0));
  refuseUnknown(`${call}()`, taken, names);
  checkIsPlain(taken);
  checkIsSignal(/** @type {{signal?: any}} */ (taken).signal);
  return taken;
}

/**
 * Refuses values that JSON would leave out, or throw at.
 * @param {object} options
 */
export function checkIsPlain(options) {
  for (const [name, value] of Object.entries(options)) {
    const kind = typeof value;
    if (kind === 'bigint' || kind === 'symbol' || (kind === 'function' && !name.startsWith('on'))) {
      throw notAllowed(name, 'a plain value', `\`${name}\` cannot be a ${kind}.`);
    }
  }
}

/** JSON turns NaN and Infinity into null, and a message would show that. Only JavaScript reads `intervalMs`. @param {object} options */
export function refuseNaN(options) {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number' && !Number.isFinite(value) && name !== 'intervalMs') throw notAllowed(name, 'a finite number', `\`${name}\` cannot be ${value}.`);
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
  const what = `The options of ${call}()`;
  if (typeof options !== 'object') throw notAllowed('options', 'an object', `${what} must be an object.`);
  const taken = readable('options', () => ({ ...options }), what);
  refuseNaN(taken);
  return taken;
}

/**
 * Reads a caller's value: getters and proxies may throw.
 * @template T
 * @param {string} argument
 * @param {() => T} read
 * @param {string} [what] The argument's name in a sentence.
 * @returns {T}
 */
export function readable(argument, read, what = `\`${argument}\``) {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ShardlineError) throw cause;
    throw invalidArgument(`${what} cannot be read: a getter, a proxy or toJSON() has thrown. Pass plain values.`,
      { reason: 'argument-unreadable', params: { argument }, cause });
  }
}

/**
 * @param {string} call
 * @param {string} argument
 * @param {string} what The argument in a sentence.
 * @param {unknown} value
 */
export function checkString(call, argument, what, value) {
  if (typeof value !== 'string') throw takes(call, argument, what, value);
}

/**
 * Refuses half a character, which no UTF-8 has.
 * @param {string} argument
 * @param {string} text
 */
export function checkWellFormed(argument, text) {
  if (/\p{Surrogate}/u.test(text)) throw notAllowed(argument, 'well-formed Unicode text');
}

/**
 * Reads each element of a list once. Refuses a string, which is a list of its characters.
 * @param {string} call
 * @param {string} argument
 * @param {Iterable<string>} list
 */
export function takeList(call, argument, list) {
  return readable(argument, () => {
    if (typeof list !== 'object') throw takes(call, argument, `a list of ${argument}`, list);
    return [...new Set([...list])];
  });
}

/**
 * Refuses unknown options.
 * @param {string} what The owner of the options, in a sentence.
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
