// Everything that the entries for counters and ids alone have in common, except connect().

export { CounterDatabase as Database } from './counter_database.js';
export { ShardlineError } from './errors.js';
export { Timestamp } from './values.js';

/**
 * @typedef {import('./connect.js').ConnectionOptions} ConnectionOptions
 * @typedef {import('./connect.js').RetryOptions} RetryOptions
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./connection.js').RequestRecord} RequestRecord
 * @typedef {import('./connection.js').TokenSource} TokenSource
 * @typedef {import('./counted_set.js').CountedSet} CountedSet
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./sharded_count.js').ShardedCount} ShardedCount
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
 * @typedef {import('./storage/storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('./storage/storage.js').KeptRow} KeptRow
 * @typedef {import('./stock.js').Stock} Stock
 * @typedef {import('./stock.js').StockOptions} StockOptions
 * @typedef {import('./stock.js').Taken} Taken
 * @typedef {import('./stock.js').TakeOptions} TakeOptions
 */
