// Batches: translates JavaScript values for the core, which applies a batch exactly once with an idempotency key (src/exactly_once/marker.h).

import { amountOf, sum } from './amounts.js';
import { now } from './clock.js';
import { takeChanges } from './changes.js';
import { batchedDocument } from './collection.js';
import { batchedCounter } from './counter.js';
import { encodeDelta } from './counter_arguments.js';
import { drawId } from './draw_id.js';
import { mustBe, notAllowed, optionNotAllowed, ShardlineError, unknownOption } from './errors.js';
import { keepFromProxies } from './habits.js';
import { takeOptions } from './options.js';
import { publishAgain } from './publisher.js';
import { encodeDocument, Timestamp } from './values.js';

/**
 * @import { EachOf, FirebaseFieldPath, FurtherChanges, UpdateArgument, WithFieldValue } from './document_types.js'
 *
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./sharded_count.js').CountParts} BatchedCounter
 * @typedef {import('./amounts.js').Amount} Amount
 *
 * @typedef {object} BatchResult
 * @property {number} writes The number of documents and increments in the batch.
 * @property {Timestamp | null} commitTime The time at which it was applied; null if there was nothing to write.
 */

/** The codes of errors that say why a call ended, and nothing about the outcome of its requests. @type {Set<string>} */
const NO_VERDICTS = new Set(['aborted', 'deadline-exceeded', 'internal', 'resource-exhausted', 'unauthenticated', 'unavailable']);

/**
 * Writes to documents, counters and collections, in one atomic commit: the server applies all of them exactly once, or none. Made by `db.batch()`.
 * The library sends nothing before commit(), and does not store a batch: without the network commit() rejects.
 */
export class WriteBatch {
  #connection;
  /** @type {object[]} */
  #writes = [];
  /** @type {{counter: BatchedCounter, amount: Amount}[]} */
  #increments = [];
  /** `rejected` after a commit() that has rejected. @type {'open' | 'under way' | 'rejected' | 'applied' | 'withdrawn'} */
  #state = 'open';
  /** The id of the marker, which all calls of a batch share. */
  #id = '';
  /** True if a request was sent, and its outcome is unknown. */
  #isInDoubt = false;
  #madeAt = 0;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {Connection} connection
   * @hidden Made by the library.
   */
  constructor(connection) {
    this.#connection = connection;
  }

  /**
   * Writes a whole document, and replaces an existing one. It may have transforms, such as serverTimestamp() and increment(), which are applied once.
   * In a sharded collection the document must name its shard; add() draws one.
   * @param {string} path Of the document: `orders/1`.
   * @param {object} data
   * @param {{merge?: boolean}} [options] With `merge` the other fields of an existing document stay.
   */
  set(path, data, options) {
    const { merge = false } = takeOptions('set', options, ['merge']);
    if (typeof merge !== 'boolean') throw optionNotAllowed('merge', 'true or false');
    return this.#write(merge ? 'merge' : 'set', path, encodeDocument(data));
  }

  /**
   * Writes a new document. If the document exists, commit() rejects with `already-exists`, and nothing is applied.
   * @param {string} path Of the document: `orders/1`.
   * @param {object} data
   */
  create(path, data) {
    return this.#write('create', path, encodeDocument(data));
  }

  /**
   * Changes fields of a document. If the document does not exist, commit() rejects with `not-found`, and nothing is applied.
   * @overload
   * @param {string} path Of the document: `orders/1`.
   * @param {object} changes By field path: `{'price.micros': 5, note: deleteField()}`.
   * @returns {WriteBatch}
   */
  /**
   * The same with fields and values in turn: `update('orders/1', 'price.micros', 5, 'note', deleteField())`. A field may be a FieldPath of
   * Firebase's SDKs.
   * @template {readonly UpdateArgument[]} More
   * @overload
   * @param {string} path
   * @param {string | FirebaseFieldPath} field
   * @param {unknown} value
   * @param {...EachOf<FurtherChanges<any, More, []>>} more Further fields and values.
   * @returns {WriteBatch}
   */
  /**
   * @param {string} path
   * @param {...any} given
   */
  update(path, ...given) {
    const { changes, rest } = takeChanges(given);
    if (rest[0] !== undefined) throw unknownOption('options', 'path and changes', 'update() of a batch has no options.');
    return this.#write('update', path, changes);
  }

  /**
   * Deletes a document. If the document does not exist, that is not an error.
   * @param {string} path Of the document: `orders/1`.
   */
  delete(path) {
    return this.#write('delete', path);
  }

  /**
   * Adds to a counter of this database exactly once, also if the counter has another `delivery`. The increment does not go through the outbox, and is
   * `pending` while commit() is under way.
   * @param {import('./counter.js').Counter} counter
   * @param {number | bigint} [delta] The sum that the batch adds to a counter must stay within its `maxDelta`.
   */
  increment(counter, delta = 1) {
    this.#checkOpen();
    const batched = this.#ofThisDatabase('increment', 'counter', 'a counter (no set, and none with fields)', batchedCounter(counter));
    this.#increments.push({ counter: batched, amount: encodeDelta(delta) });
    return this;
  }

  /**
   * Adds a document to a collection of this database under a new random id; in a sharded collection to a random shard, unless it names one.
   * @template T
   * @template Written
   * @param {import('./collection.js').Collection<any, Written, T>} collection
   * @param {WithFieldValue<T>} data
   * @returns {Written} The document's place after the batch is applied.
   */
  add(collection, data) {
    this.#checkOpen();
    const { document, ...added } = this.#ofThisDatabase('add', 'collection', 'a collection', batchedDocument(collection, data));
    const [place] = this.#connection.runNow('collection.check', { collection: added.collection, documents: [document] });
    this.#writes.push({
      kind: 'create', path: `${collection.path}/${place.id}`, collection: added.collection, document: { ...document, shard: place.shard },
    });
    return place;
  }

  /**
   * Applies the batch. Resolves when all of it is on the server. Rejects if the server refuses it: then nothing was or will be applied, unless the
   * code is `outcome-unknown` or `cancelled`. After a rejection you may call it again: all calls together apply the batch once.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the call. The batch may have been applied by then: withdraw() returns whether it was.
   * @returns {Promise<BatchResult>}
   */
  async commit(options) {
    const { signal } = takeOptions('commit', options, ['signal']);
    const writes = this.#writes.length + this.#increments.length;
    this.#begin('commit');
    if (writes === 0) {
      this.#state = 'applied';
      return { writes, commitTime: null };
    }
    const settle = this.#track();
    /** @type {string | undefined} */
    let appliedAt;
    try {
      const { commitTime, shards } = await this.#commit(signal);
      this.#state = 'applied';
      for (const [i, { counter: { place, options: { shards: said } } }] of this.#increments.entries()) place.knownShards.offer(said, shards[i]);
      appliedAt = commitTime;
      return { writes, commitTime: Timestamp.fromString(commitTime) };
    } finally {
      settle(appliedAt);
    }
  }

  /**
   * For a batch whose commit() has rejected with `outcome-unknown` or `cancelled`: makes sure that no late request applies the batch any more, and
   * returns whether it was applied before.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{applied: boolean}>} `applied` is true if all of the batch was applied before.
   */
  async withdraw(options) {
    const { signal } = takeOptions('withdraw', options, ['signal']);
    const isSent = this.#state !== 'open';
    this.#begin('withdraw');
    if (!isSent) {
      this.#state = 'withdrawn';
      return { applied: false };
    }
    const { applied, commitTime } = await this.#run('withdraw', {}, signal);
    this.#state = applied ? 'applied' : 'withdrawn';
    if (applied) this.#track()(commitTime);
    return { applied };
  }

  /**
   * @param {string} kind
   * @param {string} path
   * @param {object} [document]
   */
  #write(kind, path, document) {
    this.#checkOpen();
    if (typeof path !== 'string' || /\p{Surrogate}/u.test(path)) throw mustBe('path', 'the path of a document, such as orders/1', path);
    this.#writes.push({ kind, path, document });
    return this;
  }

  #checkOpen() {
    if (this.#state === 'open') return;
    throw ended('A batch takes no more writes after commit() or withdraw(): make a new one with db.batch().');
  }

  /**
   * @template {{connection: import('./connection.js').Asking}} Batched
   * @param {string} call
   * @param {string} argument
   * @param {string} what
   * @param {Batched | undefined} batched
   */
  #ofThisDatabase(call, argument, what, batched) {
    if (batched?.connection === this.#connection) return batched;
    throw notAllowed(argument, `${what} of the same database`, `${call}() of a batch needs ${what} of the same database, made by the same connection.`);
  }

  /** @param {'commit' | 'withdraw'} call */
  #begin(call) {
    if (this.#state === 'under way') throw ended(`${call}() of a batch must wait for the earlier call to end.`);
    if (this.#state === 'applied' || this.#state === 'withdrawn') {
      throw ended(`The batch has been ${this.#state} already: make a new one with db.batch().`);
    }
    this.#state = 'under way';
  }

  /**
   * @param {AbortSignal} [signal]
   * @param {boolean} [isLast]
   * @returns {Promise<{commitTime: string, shards: number[]}>}
   */
  async #commit(signal, isLast = false) {
    const used = this.#increments.map(({ counter: { place, options } }) => place.knownShards.goBy(options.shards));
    const increments = this.#increments.map(({ counter: { options, maxDelta = null }, amount }, i) => (
      { counter: { ...options, shards: used[i] }, maxDelta, delta: amount }));
    try {
      return await this.#run('commit', { writes: this.#writes, increments }, signal);
    } catch (error) {
      const isDenied = !isLast && error instanceof ShardlineError && error.code === 'permission-denied';
      const doubts = this.#increments.map(({ counter: { place, options } }, i) => isDenied && place.knownShards.doubt(options.shards, used[i]));
      if (!doubts.includes(true)) throw error;
      // Its marker may have been withdrawn by now.
      this.#id = '';
      this.#state = 'under way';
      return this.#commit(signal, true);
    }
  }

  /**
   * @param {'commit' | 'withdraw'} call
   * @param {object} args
   * @param {AbortSignal} [signal]
   */
  async #run(call, args, signal) {
    const onWrite = () => {
      this.#isInDoubt = true;
    };
    try {
      if (this.#id === '') {
        this.#id = drawId();
        this.#madeAt = now();
      }
      const asked = { ...args, id: this.#id, serverNow: this.#connection.serverNow(), ageMs: Math.round(now() - this.#madeAt), sentBefore: this.#isInDoubt };
      return await this.#connection.run(`batch.${call}`, asked, { signal, onWrite });
    } catch (error) {
      this.#state = 'rejected';
      if (!(error instanceof ShardlineError) || error.code === 'outcome-unknown' || error.code === 'cancelled') throw error;
      if (!NO_VERDICTS.has(error.code) && error.reason !== 'closed') this.#isInDoubt = false;
      if (!this.#isInDoubt) throw error;
      throw new ShardlineError('outcome-unknown', `The batch may or may not have been applied. ${error.message}`, { reason: 'write-in-doubt', cause: error });
    }
  }

  /**
   * Counts the increments as pending.
   * @returns {(commitTime?: string) => void} Ends the pending state. With a commit time the increments have been counted at that time; without one
   * they have not.
   */
  #track() {
    /** The amounts of each counter. A counter shows all of them, or none. @type {Map<BatchedCounter['place'], Amount[]>} */
    const amounts = new Map();
    for (const { counter: { place }, amount } of this.#increments) amounts.set(place, [...amounts.get(place) ?? [], amount]);
    const all = [...amounts].map(([place, several]) => ({ place, end: place.track(amountOf(sum(several))) }));
    return (commitTime) => {
      const isApplied = this.#state === 'applied';
      for (const { place, end } of all) {
        end({ isCounted: isApplied, ...(commitTime && { at: Timestamp.fromString(commitTime) }) });
        // The batch may have been applied, with an unknown outcome.
        if (!isApplied) publishAgain(place);
      }
    };
  }
}

/** @param {string} message */
function ended(message) {
  return new ShardlineError('failed-precondition', message, { reason: 'batch-ended' });
}
