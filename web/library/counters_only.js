// The entry `shardline/counters`: counters and ids alone, for pages that have no sharded collections.

import { CounterDatabase } from './counter_database.js';
import { takeConnectOptions } from './counter_options.js';
import { openLight } from './open_light.js';

export * from './counter_exports.js';

/**
 * Opens a connection to one Firestore database. Nothing is sent yet. The part that shows totals is there; the rest is fetched when the
 * page has shown its first total, or when it counts.
 * @param {import('./counter_exports.js').ConnectOptions} options
 * @returns {Promise<CounterDatabase>}
 */
export async function connect(options) {
  const { connection, outbox } = await openLight(takeConnectOptions(options), () => import('./counters_press.js'));
  return new CounterDatabase(connection, outbox);
}
