// Copies bytes into the workbench module, and out of it.

import { ShardlineError, fromPlain } from '../errors.js';

/** @typedef {import('../generated/workbench.js').WorkbenchModule} WorkbenchModule */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * @param {WorkbenchModule} module
 * @param {Uint8Array} bytes
 * @returns {[address: number, size: number]} For a function of the module, which takes the memory over.
 */
export function place(module, bytes) {
  const address = module.allocate(bytes.length);
  if (address === 0) throw new ShardlineError('resource-exhausted', 'There is no memory left for the embedded Firestore.', { reason: 'memory-full' });
  module.HEAPU8.set(bytes, address);
  return [address, bytes.length];
}

/**
 * @param {WorkbenchModule} module
 * @param {unknown} value Of plain values: see plain.js.
 */
export function placeJson(module, value) {
  return place(module, encoder.encode(JSON.stringify(value)));
}

/**
 * A view of the module's last output. The next call ends it.
 * @param {WorkbenchModule} module
 */
export function frame(module) {
  const address = module.frameAddress();
  return module.HEAPU8.subarray(address, address + module.frameSize());
}

/** The module's error. @param {WorkbenchModule} module */
export function frameError(module) {
  return fromPlain(JSON.parse(frameText(module)));
}

/** @param {WorkbenchModule} module */
export function frameText(module) {
  return decoder.decode(frame(module));
}
