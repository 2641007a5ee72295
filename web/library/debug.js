// The entry `shardline/debug`: everything, in one WebAssembly module with assertions, names of functions and a source map. For finding out
// what the core does; pages download five times as much.

import { openCounters } from './counter_database.js';
import { Database } from './everything.js';
import createModule from './generated/debug.js';
import { loader } from './load.js';

export * from './everything.js';

const load = loader('debug.wasm', createModule, () => new URL('./generated/debug.wasm', import.meta.url));

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {import('./everything.js').ConnectOptions} options
 * @returns {Promise<Database>}
 */
export async function connect(options) {
  const { connection, outbox, root } = await openCounters(options, load, load);
  return new Database(connection, outbox, root);
}
