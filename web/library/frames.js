// Writes into the module's memory, and reads the frames that come out of it.

import { ShardlineError, fromPlain } from './errors.js';
import { toJson } from './json.js';

/**
 * @typedef {import('./generated/runtime.js').ShardlineModule} ShardlineModule
 * @typedef {[id: number, method: string, path: string, offset: number, size: number, refreshToken: boolean]} WireRequest
 * @typedef {object} Frame See src/api/runtime.h.
 * @property {WireRequest[]} [requests]
 * @property {number[]} [aborts]
 * @property {number} [wake]
 * @property {[number, number, number]} [billed]
 * @property {any} [progress]
 * @property {import('./errors.js').PlainError} [outage]
 * @property {boolean} [done]
 * @property {any} [result]
 * @property {import('./errors.js').PlainError} [error]
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * @param {ShardlineModule} module
 * @param {unknown} value
 */
export function putJson(module, value) {
  const [address, size] = put(module, encoder.encode(toJson(value)));
  if (address === 0) throw new ShardlineError('resource-exhausted', 'There is no memory left for these arguments.', { reason: 'memory-full' });
  return /** @type {const} */ ([address, size]);
}

/**
 * Copies bytes into the module's memory.
 * @param {ShardlineModule} module
 * @param {Uint8Array} bytes
 * @returns {[address: number, size: number]} Address 0: there is no memory left.
 */
export function put(module, bytes) {
  const address = module.allocate(bytes.length);
  if (address) module.HEAPU8.set(bytes, address);
  return [address, bytes.length];
}

/**
 * @param {ShardlineModule} module
 * @returns {{frame: Frame, bodies: Uint8Array}} `bodies` is a view, valid until the next call.
 */
export function readFrame(module) {
  const start = module.frameAddress();
  const bytes = module.HEAPU8.subarray(start, start + module.frameSize());
  const size = module.headerSize();
  return { frame: JSON.parse(decoder.decode(bytes.subarray(0, size))), bodies: bytes.subarray(size) };
}

/**
 * @param {Frame} frame
 * @param {unknown} [cause]
 */
export function toError({ error }, cause) {
  if (!error) return new ShardlineError('internal', 'The operation ended without a result.', { reason: 'internal-fault' });
  return fromPlain(error, cause);
}
