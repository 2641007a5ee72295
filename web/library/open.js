// Opens a database with all methods, on the modules that its caller passes.

import { Database } from './everything.js';
import { loadListening } from './load_listening.js';
import { openCounters } from './open_counters.js';

/**
 * @param {import('./everything.js').ConnectOptions} options
 * @param {import('./connect.js').Load} load
 * @param {import('./connect.js').Load} loadSecond
 * @param {import('./revive.js').Revivers} [revivers]
 */
export async function openWith(options, load, loadSecond, revivers) {
  const { connection, outbox, root } = await openCounters(options, load, loadSecond);
  connection.revivers = revivers;
  connection.loadListening = loadListening;
  return new Database(connection, outbox, root);
}
