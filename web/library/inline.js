// The entry `shardline/inline`: everything, with the WebAssembly modules inside the JavaScript. It is for bundlers that do not take files along
// (esbuild), and for scripts that must be one file. Compressed, it is smaller than all files together: the common code of both modules compresses to
// one copy.

import { admin, shardline } from './generated/inline_modules.js';
import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { openWith } from './open.js';

export * from './everything.js';

/** @param {string} text Two hexadecimal digits a byte. */
function bytes(text) {
  const result = new Uint8Array(text.length / 2);
  // A loop takes half the time of Uint8Array.from() with a function.
  for (let at = 0; at < result.length; at += 1) result[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return result;
}

const load = loader('shardline.wasm', createModule, () => bytes(shardline));
const loadAdmin = loader('admin.wasm', createModule, () => bytes(admin), (wasm, file) => (typeof wasm === 'function' ? wasm(file) : undefined));

/**
 * Opens a connection to one Firestore database. Nothing is sent yet.
 * @param {import('./everything.js').ConnectOptions} options
 * @returns {Promise<import('./everything.js').Database>}
 */
export async function connect(options) {
  return openWith(options, load, loadAdmin);
}
