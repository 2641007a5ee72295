// The entry `shardline/static`: the same as `shardline/counters`, with all that counts loaded at once: for service workers,
// which cannot import anything later.

import { CounterDatabase } from './counter_database.js';
import { takeConnectOptions } from './counter_options.js';
import { openPress } from './counters_press.js';

export * from './counter_exports.js';

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {import('./counter_exports.js').ConnectOptions} options
 * @returns {Promise<CounterDatabase>}
 */
export async function connect(options) {
  const { connection, outbox } = await openPress(takeConnectOptions(options));
  return new CounterDatabase(connection, outbox);
}
