// Counters, ids and sharded collections: all that the entries `shardline` and `shardline/inline` have in common.

import { WriteBatch as Batch } from './batch.js';
import { shared } from './choice_set.js';
import { Ratings as Rated, Reactions as Reacted } from './choices.js';
import { ordinary, ShardedCollection as Sharded } from './collection.js';
import { CounterDatabase as Counting } from './counter_database.js';
import { fieldCounterOf, FieldCounters as Several } from './field_counter.js';
import { answerHabits } from './habits.js';
import { readable, takeList } from './options.js';
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
 * @typedef {import('./batch.js').BatchResult} BatchResult
 * @typedef {import('./batch.js').WriteBatch} WriteBatch
 * @typedef {import('./choice_set.js').ChoiceReading} ChoiceReading
 * @typedef {import('./choice_set.js').ChoiceSet} ChoiceSet
 * @typedef {import('./choice_set.js').LiveSummary} LiveSummary
 * @typedef {import('./choice_set.js').SummaryOptions} SummaryOptions
 * @typedef {import('./choice_set.js').WatchSummaryOptions} WatchSummaryOptions
 * @typedef {import('./choices.js').PublishRatingsOptions} PublishRatingsOptions
 * @typedef {import('./choices.js').PublishReactionsOptions} PublishReactionsOptions
 * @typedef {import('./choices.js').RatingOptions} RatingOptions
 * @typedef {import('./choices.js').RatingSummary} RatingSummary
 * @typedef {import('./choices.js').Ratings} Ratings
 * @typedef {import('./choices.js').ReactionOptions} ReactionOptions
 * @typedef {import('./choices.js').ReactionSummary} ReactionSummary
 * @typedef {import('./choices.js').Reactions} Reactions
 * @typedef {import('./collection.js').Collection} Collection
 * @typedef {import('./collection.js').DocumentReading} DocumentReading
 * @typedef {import('./collection.js').ReshardingOptions} ReshardingOptions
 * @typedef {import('./collection.js').ReshardingProgress} ReshardingProgress
 * @typedef {import('./collection.js').ShardedCollection} ShardedCollection
 * @typedef {import('./collection.js').ShardedCollectionOptions} ShardedCollectionOptions
 * @typedef {import('./collection.js').WriteOptions} WriteOptions
 * @typedef {import('./collection.js').WrittenDocument} WrittenDocument
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
 * @typedef {import('./counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {import('./counter_database.js').OutboxOptions} OutboxOptions
 * @typedef {import('./counters.js').Counters} Counters
 * @typedef {import('./counters.js').GetAllOptions} GetAllOptions
 * @typedef {import('./counters.js').GetOptions} GetOptions
 * @typedef {import('./counters.js').ListedReading} ListedReading
 * @typedef {import('./errors.js').ErrorCode} ErrorCode
 * @typedef {import('./errors.js').ErrorReason} ErrorReason
 * @typedef {import('./field_counter.js').FieldCounter} FieldCounter
 * @typedef {import('./field_counter.js').FieldCounterOptions} FieldCounterOptions
 * @typedef {import('./field_counter.js').FieldCounters} FieldCounters
 * @typedef {import('./field_counter.js').FieldReading} FieldReading
 * @typedef {import('./field_counter.js').FieldWatchOptions} FieldWatchOptions
 * @typedef {import('./field_counter.js').LiveFields} LiveFields
 * @typedef {import('./field_counter.js').PublishedFields} PublishedFields
 * @typedef {import('./ids.js').CallOptions} CallOptions
 * @typedef {import('./ids.js').Id} Id
 * @typedef {import('./ids.js').Ids} Ids
 * @typedef {import('./ids.js').IdsOptions} IdsOptions
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

/** One Firestore database; made by `connect()`. */
export class Database extends Counting {
  #connection;
  #root;

  static {
    answerHabits(this, 'runTransaction', 'batch()');
    answerHabits(this, 'collectionGroup', 'collection(path)');
  }

  /**
   * @param {import('./connection.js').Connection} connection
   * @param {import('./outbox/outbox.js').Outbox} outbox
   * @param {string} root
   * @hidden Made by the library.
   */
  constructor(connection, outbox, root) {
    super(connection, outbox);
    this.#connection = connection;
    this.#root = root;
  }

  /**
   * A counter with fields: several counts of one thing, such as the claps for a post by their kind. One increment of several fields is one write of one shard.
   * With the same path and options it is the same object.
   * @override
   * @template {string} Field
   * @overload
   * @param {string} path Of the counter's document, `posts/p1`; for some layouts of its collection of shards.
   * @param {import('./field_counter.js').FieldCounterOptions<Field>} options
   * @returns {import('./field_counter.js').FieldCounter<Field>}
   */
  /**
   * A distributed counter. With the same path and options it is the same object, so a component may call this whenever it is drawn.
   * @override
   * @overload
   * @param {string} path
   * @param {import('./counter_arguments.js').CounterOptions} [options]
   * @returns {import('./counter.js').Counter}
   */
  /**
   * @override
   * @param {string} path
   * @param {any} [options]
   * @returns {any}
   */
  counter(path, options) {
    const hasFields = readable('options', () => options?.fields !== undefined);
    return hasFields ? fieldCounterOf(this.#connection, (at, how) => super.counter(at, how), path, options) : super.counter(path, options);
  }

  /**
   * Several counters with fields, to be read together.
   * @override
   * @template {string} Field
   * @overload
   * @param {Iterable<string>} paths
   * @param {import('./field_counter.js').FieldCounterOptions<Field>} options The options of each counter.
   * @returns {import('./field_counter.js').FieldCounters<Field>}
   */
  /**
   * Several counters or counted sets, to be read together.
   * @override
   * @overload
   * @param {Iterable<string>} paths
   * @param {import('./counter_arguments.js').CounterOptions} [options] The options of each counter.
   * @returns {import('./counters.js').Counters}
   */
  /**
   * @override
   * @param {Iterable<string>} paths
   * @param {any} [options]
   * @returns {any}
   */
  counters(paths, options) {
    const hasFields = readable('options', () => options?.fields !== undefined);
    return hasFields ? new Several(takeList('counters', 'paths', paths).map((path) => this.counter(path, options))) : super.counters(paths, options);
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
   * A collection as any other, without a shard field: for queries that Firestore alone does not take, such as `in` lists of more than
   * 30 values, and for its documents.
   * @template [T=DocumentData] The type of the documents.
   * @param {string} path `users`
   * @param {...string} more Further parts: `ann`, `posts`.
   * @returns {import('./collection.js').Collection<T>}
   */
  collection(path, ...more) {
    return ordinary(this.#connection, path, more);
  }

  /**
   * The ratings of a document: each user has one at a time. With the same path and options it is the same object.
   * @param {string} path Of the document, `restaurants/r1`.
   * @param {import('./choices.js').RatingOptions} options
   * @returns {import('./choices.js').Ratings}
   */
  ratings(path, options) {
    return shared(new Rated(this, path, options));
  }

  /**
   * The reactions to a document: each user has one at a time. With the same path and options it is the same object.
   * @template {string} Kind
   * @param {string} path Of the document, `posts/p1`.
   * @param {import('./choices.js').ReactionOptions<Kind>} options
   * @returns {import('./choices.js').Reactions<Kind>}
   */
  reactions(path, options) {
    return shared(new Reacted(this, path, options));
  }

  /**
   * A batch of writes: to documents, counters and collections of this database, all of them in one atomic commit that is applied exactly
   * once.
   * @returns {WriteBatch}
   */
  batch() {
    return new Batch(this.#connection);
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
}
