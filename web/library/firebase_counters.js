// The entry `shardline/firebase-counters`: like `shardline/counters`. Its connect() takes an app of Firebase's SDK.

import { CounterDatabase } from './counter_database.js';
import { takeConnectOptions } from './counter_options.js';
import { optionsOf } from './firebase_app.js';
import { openLight } from './open_light.js';
import { readOptions } from './options.js';

export { CounterDatabase as Database } from './counter_database.js';
export { ShardlineError } from './errors.js';
export { Timestamp } from './values.js';

/**
 * @typedef {import('./firebase_app.js').AppOptions} AppOptions
 * @typedef {import('./firebase_app.js').Auth} Auth
 * @typedef {import('./firebase_app.js').Credential} Credential
 * @typedef {import('./firebase_app.js').FirebaseApp} FirebaseApp
 * @typedef {import('./firebase_app.js').FirestoreInstance} FirestoreInstance
 * @typedef {import('./connect.js').ConnectionOptions} ConnectionOptions
 * @typedef {import('./connect.js').RetryOptions} RetryOptions
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./connection.js').RequestRecord} RequestRecord
 * @typedef {import('./connection.js').TokenSource} TokenSource
 * @typedef {import('./counted_set.js').CountedSet} CountedSet
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('./counter_arguments.js').LayoutName} LayoutName
 * @typedef {import('./counter_arguments.js').LayoutSpec} LayoutSpec
 * @typedef {import('./counter_database.js').ConnectOptions} ConnectOptions
 * @typedef {import('./counter_database.js').OutboxOptions} OutboxOptions
 * @typedef {import('./counters.js').Counters} Counters
 * @typedef {import('./counters.js').GetAllOptions} GetAllOptions
 * @typedef {import('./counters.js').GetOptions} GetOptions
 * @typedef {import('./counters.js').ListedReading} ListedReading
 * @typedef {import('./errors.js').ErrorCode} ErrorCode
 * @typedef {import('./errors.js').ErrorReason} ErrorReason
 * @typedef {import('./ids.js').CallOptions} CallOptions
 * @typedef {import('./ids.js').Id} Id
 * @typedef {import('./ids.js').Ids} Ids
 * @typedef {import('./ids.js').IdsOptions} IdsOptions
 * @typedef {import('./load.js').WasmOption} WasmOption
 * @typedef {import('./load.js').WasmSource} WasmSource
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {import('./watch.js').WatchOptions} WatchOptions
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./sharded_count.js').ShardedCount} ShardedCount
 * @typedef {import('./storage/storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('./storage/storage.js').KeptRow} KeptRow
 * @typedef {import('./stock.js').Stock} Stock
 * @typedef {import('./stock.js').StockOptions} StockOptions
 * @typedef {import('./stock.js').Taken} Taken
 * @typedef {import('./stock.js').TakeOptions} TakeOptions
 */

/**
 * Opens a connection to a Firestore database of a Firebase app, for counters and ids. Resolves when the signed-in user is known. Call getAuth() and
 * initializeAppCheck() before. The first download shows totals; the page fetches the rest when it has shown its first total, or when it counts (code
 * splitting).
 * @param {FirebaseApp} app
 * @param {AppOptions} [options]
 * @returns {Promise<CounterDatabase>}
 */
export async function connect(app, options) {
  const taken = takeConnectOptions(await optionsOf(app, readOptions('connect', options)));
  const { connection, outbox } = await openLight(taken, () => import('./counters_press.js'));
  return new CounterDatabase(connection, outbox);
}
