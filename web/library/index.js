// Shardline: distributed counters and sharded timestamps for Cloud Firestore. See README.md. Pages that need only one of the two import
// counters_only.js or collections_only.js; pages that cannot have files beside the JavaScript import inline.js.

import { open } from './whole.js';

export * from './everything.js';

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {import('./everything.js').ConnectOptions} options
 * @returns {Promise<import('./everything.js').Database>}
 */
export async function connect(options) {
  return open(options);
}
