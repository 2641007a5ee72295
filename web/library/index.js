// Shardline: distributed counters and sharded timestamps for Cloud Firestore. See README.md.
// Pages that need only one of the two import counters_only.js or collections_only.js; where no files can lie beside the
// JavaScript, inline.js.

import { openCounters } from './counter_database.js';
import { Database } from './everything.js';
import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { loadAdmin } from './load_admin.js';

export * from './everything.js';

const load = loader('shardline.wasm', createModule, () => new URL('./generated/shardline.wasm', import.meta.url));

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {import('./everything.js').ConnectOptions} options
 * @returns {Promise<Database>}
 */
export async function connect(options) {
  const { connection, outbox, root } = await openCounters(options, load, loadAdmin);
  return new Database(connection, outbox, root);
}
