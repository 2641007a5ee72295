// The entry `shardline/inline`: everything, with the WebAssembly modules inside the JavaScript. For bundlers that do not take files along
// (esbuild), and for what must be one file. It is a third larger than the files would be.

import { admin, shardline } from './generated/inline_modules.js';
import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { openWith } from './open.js';

export * from './everything.js';

const bytes = (/** @type {string} */ base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
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
