/**
 * Firebase's error codes, and one more: after `outcome-unknown` a write may or may not have been applied.
 * @typedef {'cancelled' | 'unknown' | 'invalid-argument' | 'deadline-exceeded' | 'not-found' | 'already-exists'
 *   | 'permission-denied' | 'resource-exhausted' | 'failed-precondition' | 'aborted' | 'out-of-range'
 *   | 'unimplemented' | 'internal' | 'unavailable' | 'data-loss' | 'unauthenticated' | 'outcome-unknown'} ErrorCode
 */

/**
 * The reason, a word that no release renames. The guide “Errors” lists all of them, and so does describeErrors() of `shardline/workbench`.
 * @typedef {keyof typeof import('./reasons.js').REASONS} ErrorReason
 */

/**
 * @template {ErrorReason} R
 * @typedef {(typeof import('./reasons.js').REASONS)[R]['params'][number]} ParamOf
 */

/**
 * A reason with its parameters, all of them.
 * @typedef {{[R in ErrorReason]: [ParamOf<R>] extends [never] ? {reason: R, params?: undefined}
 *   : {reason: R, params: Record<ParamOf<R>, string | number>}}[ErrorReason]} ReasonAndParams
 */

/** @typedef {ReasonAndParams & {status?: number, cause?: unknown}} ErrorDetails */

/**
 * An error on its way from another module, thread or life.
 * @typedef {{code: ErrorCode, message: string, reason: ErrorReason, params: {[name: string]: string | number}, status: number}} PlainError
 */

/** The only class of errors that this library throws or rejects with. */
export class ShardlineError extends Error {
  /**
   * @hidden Made by the library.
   * @param {ErrorCode} code
   * @param {string} message The problem, and the remedy.
   * @param {ErrorDetails} details
   */
  constructor(code, message, { reason, params, status = 0, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ShardlineError';
    this.code = code;
    /** The reason of an error. Programs compare it, and choose a text in the reader’s language by it. @type {ErrorReason} */
    this.reason = reason;
    /** The details of the reason. @type {Readonly<{[name: string]: string | number}>} */
    this.params = Object.freeze({ ...params });
    /** The HTTP status of the answer with this error; 0 if no answer had it. */
    this.status = status;
  }
}

/**
 * @param {string} message
 * @param {ReasonAndParams & {cause?: unknown}} details
 * @returns {ShardlineError}
 */
export function invalidArgument(message, details) {
  return new ShardlineError('invalid-argument', message, details);
}

/**
 * @param {string} argument
 * @param {string} allowed
 * @param {string} [message]
 * @returns {ShardlineError}
 */
export function notAllowed(argument, allowed, message = `${argument} must be ${allowed}.`) {
  return invalidArgument(message, { reason: 'argument-not-allowed', params: { argument, allowed } });
}

/**
 * The same for a value that the caller passed, which the message shows.
 * @param {string} argument
 * @param {string} allowed
 * @param {unknown} value
 */
export function mustBe(argument, allowed, value) {
  return notAllowed(argument, allowed, `${argument} must be ${allowed}, not ${shown(value)}.`);
}

/**
 * The same for an argument of a call.
 * @param {string} call
 * @param {string} argument
 * @param {string} allowed
 * @param {unknown} value
 */
export function takes(call, argument, allowed, value) {
  return notAllowed(argument, allowed, `${call}() takes ${allowed}, not ${shown(value)}.`);
}

/** The form of a caller's value in a message. @param {unknown} value */
export function shown(value) {
  if (typeof value === 'string') return `the string '${value.slice(0, 40)}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  return `a value of the type ${typeof value}`;
}

/**
 * @param {string} option
 * @param {string} allowed
 * @returns {ShardlineError}
 */
export function optionNotAllowed(option, allowed) {
  return notAllowed(option, allowed, `\`${option}\` must be ${allowed}.`);
}

/**
 * @param {string} argument
 * @param {string} known
 * @param {string} message
 * @returns {ShardlineError}
 */
export function unknownOption(argument, known, message) {
  return invalidArgument(message, { reason: 'argument-unknown', params: { argument, known } });
}

/**
 * The reason of an error that is part of another one.
 * @param {ShardlineError} error
 */
export function whyOf({ reason, params }) {
  return /** @type {ReasonAndParams} */ ({ reason, params });
}

/**
 * @param {PlainError} error
 * @param {unknown} [cause]
 * @returns {ShardlineError}
 */
export function fromPlain({ code, message, reason, params, status }, cause) {
  // The caller has never seen the JSON text, so its positions are useless.
  return new ShardlineError(code, message.replace(/ at position \d+\.$/, '.'), { .../** @type {ReasonAndParams} */ ({ reason, params }), status, cause });
}

/**
 * @param {unknown} error
 * @returns {PlainError}
 */
export function toPlain(error) {
  const { code, message, reason, params, status } = error instanceof ShardlineError ? error
    : new ShardlineError('internal', String(error), { reason: 'internal-fault' });
  return { code, message, reason, params, status };
}

/**
 * Whether only the network has failed, so that a later attempt may succeed.
 * @param {unknown} error
 */
export function isNetworkError(error) {
  const { code = '' } = /** @type {{code?: string}} */ (error ?? {});
  return ['unavailable', 'deadline-exceeded', 'outcome-unknown'].includes(code);
}
