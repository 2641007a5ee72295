import assert from 'node:assert/strict';
import { ShardlineError } from 'shardline';

/**
 * For `assert.rejects()` and `assert.throws()`: an error of the library's, with this code.
 * @param {string} code
 * @param {RegExp} [message]
 */
export const shardlineError = (code, message = /./) => (/** @type {unknown} */ error) => {
  assert.ok(error instanceof ShardlineError, `${error}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return true;
};
