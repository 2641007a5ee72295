/**
 * Firebase's error codes, and one more: after `outcome-unknown` a write may or may not have been applied.
 * @typedef {'cancelled' | 'unknown' | 'invalid-argument' | 'deadline-exceeded' | 'not-found' | 'already-exists'
 *   | 'permission-denied' | 'resource-exhausted' | 'failed-precondition' | 'aborted' | 'out-of-range'
 *   | 'unimplemented' | 'internal' | 'unavailable' | 'data-loss' | 'unauthenticated' | 'outcome-unknown'} ErrorCode
 */

/** The one kind of error that this library throws or rejects with. */
export class ShardlineError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message What is wrong, and what to do about it.
   * @param {{status?: number, cause?: unknown}} [details]
   */
  constructor(code, message, { status = 0, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ShardlineError';
    this.code = code;
    /** The HTTP status of the answer that said so; 0 when none did. */
    this.status = status;
  }
}

/**
 * @param {string} message
 * @returns {ShardlineError}
 */
export function invalidArgument(message) {
  return new ShardlineError('invalid-argument', message);
}

/**
 * Whether nothing is wrong but the network: to be tried again later.
 * @param {unknown} error
 */
export function isNetworkError(error) {
  const { code = '' } = /** @type {{code?: string}} */ (error ?? {});
  return ['unavailable', 'deadline-exceeded', 'outcome-unknown'].includes(code);
}
