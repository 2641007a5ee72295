// Batches: what JavaScript values mean to the core. How a batch is applied exactly once is decided there.

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
 * @property {number} writes How many documents and increments the batch had.
 * @property {Timestamp | null} commitTime When it was applied; null if there was nothing to write.
 */

/** The codes of errors that say why a call ended, and nothing of what it has sent. @type {Set<string>} */
const NO_VERDICTS = new Set(['aborted', 'deadline-exceeded', 'internal', 'resource-exhausted', 'unauthenticated', 'unavailable']);

/**
 * Writes to documents, counters and collections, in one atomic commit: all of it is applied, exactly once, or nothing. Made by
 * `db.batch()`. Nothing is sent before commit(), and a batch is not stored: without the network commit() rejects.
 */
export class WriteBatch {
  #connection;
  /** @type {object[]} */
  #writes = [];
  /** @type {{counter: BatchedCounter, amount: Amount}[]} */
  #increments = [];
  /** After a commit() that was rejected it is `rejected`. @type {'open' | 'under way' | 'rejected' | 'applied' | 'withdrawn'} */
  #state = 'open';
  /** It names the marker: all calls of a batch have the same. */
  #id = '';
  /** Something was sent, and its outcome is unknown. */
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
   * Writes a whole document; one that is there is replaced. It may have transforms, such as serverTimestamp() and increment(): they
   * are applied once. In a sharded collection the document must name its shard: add() draws one.
   * @param {string} path Of the document: `orders/1`.
   * @param {object} data
   * @param {{merge?: boolean}} [options] `merge`: the fields of a document that is there stay, except those that `data` has.
   */
  set(path, data, options) {
    const { merge = false } = takeOptions('set', options, ['merge']);
    if (typeof merge !== 'boolean') throw optionNotAllowed('merge', 'true or false');
    return this.#write(merge ? 'merge' : 'set', path, encodeDocument(data));
  }

  /**
   * Writes a document that is new: if there is one, commit() rejects with `already-exists`, and nothing is applied.
   * @param {string} path Of the document: `orders/1`.
   * @param {object} data
   */
  create(path, data) {
    return this.#write('create', path, encodeDocument(data));
  }

  /**
   * Changes fields of a document: if there is none, commit() rejects with `not-found`, and nothing is applied.
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
   * Deletes a document; one that is not there is no error.
   * @param {string} path Of the document: `orders/1`.
   */
  delete(path) {
    return this.#write('delete', path);
  }

  /**
   * Adds to a counter of this database, once, whatever its `delivery`. It does not go through the outbox, and is `pending` while commit()
   * is under way.
   * @param {import('./counter.js').Counter} counter
   * @param {number | bigint} [delta] All that the batch adds to a counter must stay within its `maxDelta`.
   */
  increment(counter, delta = 1) {
    this.#checkOpen();
    const batched = this.#ofThisDatabase('increment', 'a counter', batchedCounter(counter));
    this.#increments.push({ counter: batched, amount: encodeDelta(delta) });
    return this;
  }

  /**
   * Adds a document to a collection of this database under a new random id; in a sharded collection to a random shard, unless it names one.
   * @template T
   * @template Written
   * @param {import('./collection.js').Collection<any, Written, T>} collection
   * @param {WithFieldValue<T>} data
   * @returns {Written} Where it will be, once the batch is applied.
   */
  add(collection, data) {
    this.#checkOpen();
    const { document, ...added } = this.#ofThisDatabase('add', 'a collection', batchedDocument(collection, data));
    const [place] = this.#connection.runNow('collection.check', { collection: added.collection, documents: [document] });
    this.#writes.push({
      kind: 'create', path: `${collection.path}/${place.id}`, collection: added.collection, document: { ...document, shard: place.shard },
    });
    return place;
  }

  /**
   * Applies the batch. Resolves when all of it is on the server; rejects when the server refuses it, and then nothing was or will be
   * applied, unless the code is `outcome-unknown` or `cancelled`. After a rejection it may be called again: all calls together apply the
   * batch once.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends it. The batch may have been applied by then: withdraw() says whether it was.
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
   * For a batch whose commit() was rejected with `outcome-unknown` or `cancelled`: makes sure that it is not applied any more, by any
   * request that is still on its way, and says whether it was.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{applied: boolean}>} True: it was applied before, all of it.
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
   * @param {string} what
   * @param {Batched | undefined} batched
   */
  #ofThisDatabase(call, what, batched) {
    if (batched?.connection === this.#connection) return batched;
    throw notAllowed(what, `${what} of the same database`, `${call}() of a batch needs ${what} of the same database, made by the same connection.`);
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
      // Its marker may say by now that it was withdrawn.
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
   * @returns {(commitTime?: string) => void} Ends that: they have been counted, as of that time, if the batch has been applied.
   */
  #track() {
    /** The whole amount of each counter: a counter never shows a part of it. @type {Map<BatchedCounter['place'], Amount[]>} */
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
