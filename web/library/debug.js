// The entry `shardline/debug`: everything, in one WebAssembly module with assertions, names of functions and a source map. It helps to find errors in
// the core; pages download five times as much.

import createModule from './generated/debug.js';
import { loader } from './load.js';
import { openWith } from './open.js';

export * from './everything.js';

const load = loader('debug.wasm', createModule, () => new URL('./generated/debug.wasm', import.meta.url));

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {import('./everything.js').ConnectOptions} options
 * @returns {Promise<import('./everything.js').Database>}
 */
export async function connect(options) {
  return openWith(options, load, load);
}
