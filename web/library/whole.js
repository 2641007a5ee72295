// The module that has everything, for the entries `shardline` and `shardline/firebase`.

import { openCounters } from './counter_database.js';
import { Database } from './everything.js';
import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { loadAdmin } from './load_admin.js';

const load = loader('shardline.wasm', createModule, () => new URL('./generated/shardline.wasm', import.meta.url));

/**
 * @param {import('./everything.js').ConnectOptions} options
 * @param {import('./revive.js').Revivers} [revivers]
 */
export async function open(options, revivers) {
  const { connection, outbox, root } = await openCounters(options, load, loadAdmin);
  connection.revivers = revivers;
  return new Database(connection, outbox, root);
}
