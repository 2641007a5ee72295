// The entry `shardline/collections`: sharded collections alone. Pages that have no counters import it.

import { ordinary, ShardedCollection as Sharded } from './collection.js';
import { checkOptions } from './connect.js';
import { openConnection } from './connection.js';
import { asyncDispose } from './dispose.js';
import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { loadAdmin } from './load_admin.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { seenBy } from './seen_queries.js';
import { referenceTo } from './values.js';

export { ShardlineError } from './errors.js';
export { and, or, where } from './query.js';
export {
  arrayRemove, arrayUnion, Bytes, deleteField, DocumentReference, GeoPoint, increment, serverTimestamp, Timestamp, vector,
  VectorValue,
} from './values.js';

/**
 * @import { DocumentData } from './document_types.js'
 *
 * @typedef {import('./collection.js').Collection} Collection
 * @typedef {import('./collection.js').DocumentReading} DocumentReading
 * @typedef {import('./collection.js').ReshardingOptions} ReshardingOptions
 * @typedef {import('./collection.js').ReshardingProgress} ReshardingProgress
 * @typedef {import('./collection.js').ShardedCollection} ShardedCollection
 * @typedef {import('./collection.js').ShardedCollectionOptions} ShardedCollectionOptions
 * @typedef {import('./collection.js').WriteOptions} WriteOptions
 * @typedef {import('./collection.js').WrittenDocument} WrittenDocument
 * @typedef {import('./connect.js').ConnectionOptions} ConnectOptions
 * @typedef {import('./connect.js').RetryOptions} RetryOptions
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./connection.js').RequestRecord} RequestRecord
 * @typedef {import('./connection.js').TokenSource} TokenSource
 * @typedef {import('./errors.js').ErrorCode} ErrorCode
 * @typedef {import('./errors.js').ErrorReason} ErrorReason
 * @typedef {import('./listen/live_query.js').LivePage} LivePage
 * @typedef {import('./listen/live_query.js').LiveQueryOptions} LiveQueryOptions
 * @typedef {import('./listen/page_changes.js').PageChange} PageChange
 * @typedef {import('./load.js').WasmOption} WasmOption
 * @typedef {import('./load.js').WasmSource} WasmSource
 * @typedef {import('./query.js').AggregateOptions} AggregateOptions
 * @typedef {import('./query.js').FilterOperator} FilterOperator
 * @typedef {import('./query.js').IndexField} IndexField
 * @typedef {import('./query.js').PlannedIndex} PlannedIndex
 * @typedef {import('./query.js').QueryOptions} QueryOptions
 * @typedef {import('./query.js').QueryPage} QueryPage
 * @typedef {import('./query.js').QueryPlan} QueryPlan
 * @typedef {import('./query.js').ShardedQuery} ShardedQuery
 * @typedef {import('./revive.js').DocumentSnapshot} DocumentSnapshot
 * @typedef {import('./seen_queries.js').SeenCollection} SeenCollection
 */

const load = loader('collections.wasm', createModule, () => new URL('./generated/collections.wasm', import.meta.url));

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {ConnectOptions} options
 * @returns {Promise<Database>}
 */
export async function connect(options) {
  const checked = checkOptions(options);
  return new Database(await openConnection(checked, load, loadAdmin), checked.root);
}

/** One Firestore database; made by `connect()`. */
export class Database {
  #connection;
  #root;

  static {
    keepFromProxies(this);
    answerHabits(this, 'batch runTransaction', 'batch() of shardline');
    answerHabits(this, 'collectionGroup', 'collection(path)');
  }

  /**
   * @param {import('./connection.js').Connection} connection
   * @param {string} root
   * @hidden Made by the library.
   */
  constructor(connection, root) {
    this.#connection = connection;
    this.#root = root;
  }

  /**
   * A collection whose documents carry a shard field in front of a monotonic one.
   * @template [T=DocumentData] The type of the documents, for TypeScript: `db.shardedCollection<Instrument>(…)`.
   * @param {string} path `instruments`
   * @param {import('./collection.js').ShardedCollectionOptions<NoInfer<T>>} options
   * @returns {import('./collection.js').ShardedCollection<T>}
   */
  shardedCollection(path, options) {
    return new Sharded(this.#connection, path, options);
  }

  /**
   * An ordinary collection, without a shard field. It reads and writes documents, and runs queries that Firestore alone refuses, such as `in` lists
   * of more than 30 values.
   * @template [T=DocumentData] The type of the documents.
   * @param {string} path `users`
   * @param {...string} more Further parts: `ann`, `posts`.
   * @returns {import('./collection.js').Collection<T>}
   */
  collection(path, ...more) {
    return ordinary(this.#connection, path, more);
  }

  /**
   * The queries that this connection has run, one of each form. rewriteIndexes() writes the indexes that they need: `rewriteIndexes(text, {
   * collections: db.seenQueries() })`.
   * @returns {import('./seen_queries.js').SeenCollection[]}
   */
  seenQueries() {
    return seenBy(this.#connection).collections;
  }

  /**
   * A value that names a document of this database.
   * @param {...string} path `posts/p1`, or its parts.
   * @returns {import('./values.js').DocumentReference} Spelled out: an inferred type would be in the .d.ts without its import.
   */
  doc(...path) {
    return referenceTo(this.#root, path);
  }

  /** Ends all running calls: they reject with `cancelled`. */
  async close() {
    this.#connection.close();
  }

  async [asyncDispose]() {
    await this.close();
  }
}
