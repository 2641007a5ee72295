// Live pages of a query (scatter-gather): one target for each chunk of shards. The core merges their documents into a page, like the answers to get()
// (k-way merge).

import { callApart } from '../apart.js';
import { checkFunction } from '../connect.js';
import { notAllowed, optionNotAllowed } from '../errors.js';
import { readable, takeOptions } from '../options.js';
import { reviveTimes } from '../revive.js';
import { Latest } from './latest.js';
import { changesBetween } from './page_changes.js';
import { NO_LIMIT, Replay } from './replay.js';
import { streamOf } from './stream.js';

/**
 * @import { DocumentData } from '../document_types.js'
 * @import { ShardlineError } from '../errors.js'
 * @import { DocumentSnapshot } from '../revive.js'
 * @import { PageChange } from './page_changes.js'
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {import('./targets.js').Moment} Moment
 */

/**
 * @typedef {object} LiveQueryOptions
 * @property {(error: ShardlineError) => void} [onError] Told when the stream of changes cannot be opened, which is tried again, and when the server
 *   refuses the query, or the arguments are wrong, which ends it. Default: the page's `error` event.
 * @property {number} [maxTargets] How many chunks of shards you allow, from 1 to 100. The first page reads as many documents of each as the
 *   limit says. Default 2.
 * @property {AbortSignal} [signal] Ends it.
 */

/**
 * @template [T=DocumentData]
 * @typedef {object} LivePage A page as it was at one moment.
 * @property {DocumentSnapshot<T>[]} docs A document that has not changed since the last page is the same object.
 * @property {number} size The number of `docs`.
 * @property {boolean} empty Whether `docs` is empty.
 * @property {PageChange<T>[]} changes Since the last page. In the first page all documents are `added`.
 * @property {() => PageChange<T>[]} docChanges Returns `changes`, like the method of Firebase's SDKs.
 * @property {string | null} nextToken For `continueFrom()`; null if no more documents follow.
 * @property {import('../values.js').Timestamp} readTime The moment.
 * @property {import('../connection.js').Billed} billed The documents that the server has sent since the last page.
 */

const MOST_TARGETS = 2;

/**
 * @param {Connection} connection
 * @param {any} args Of the operation collection.query.
 * @param {(result: any) => DocumentSnapshot<any>[]} documentsOf
 * @param {(page: LivePage<any>) => void} callback
 * @param {LiveQueryOptions | ((error: ShardlineError) => void) | undefined} given
 * @param {AbortController} ending Ends the listening, and is aborted when it has ended.
 */
export async function listenTo(connection, args, documentsOf, callback, given, ending) {
  /** @type {LiveQueryOptions['onError']} */
  let onError = (error) => { throw error; };
  try {
    const options = typeof given === 'function' ? { onError: given } : given;
    const tell = readable('onError', () => options?.onError);
    checkFunction('onError', tell);
    onError = tell ?? onError;
    checkFunction('callback', callback);
    const { maxTargets = MOST_TARGETS, signal } = takeOptions('onChange', options, ['onError', 'maxTargets', 'signal']);
    if (!Number.isInteger(maxTargets) || maxTargets < 1 || maxTargets > 100) throw optionNotAllowed('maxTargets', 'an integer from 1 to 100');
    // The database may have been closed while this code was loaded.
    if (signal?.aborted || connection.isClosed) return ending.abort();
    // The database may be closed, too.
    ending.signal.addEventListener('abort', connection.onCancel(signal, () => ending.abort()), { once: true });
    await new LiveQuery(connection, args, documentsOf, callback, onError, ending).begin(maxTargets);
  } catch (error) {
    if (!ending.signal.aborted) callApart(onError, /** @type {ShardlineError} */ (error));
    ending.abort();
  }
}

class LiveQuery {
  #connection;
  #args;
  #documentsOf;
  #callback;
  #onError;
  #ending;
  /** Runs the core's merge. */
  #replay;
  /** @type {Latest<Moment>} */
  #moments = new Latest((moment) => this.#follow(moment));
  #hasShown = false;
  #reads = 0;
  /** @type {DocumentSnapshot<any>[]} */
  #docs = [];
  /** @type {ReturnType<typeof streamOf> | undefined} */
  #stream;

  /**
   * @param {Connection} connection
   * @param {any} args
   * @param {(result: any) => DocumentSnapshot<any>[]} documentsOf
   * @param {(page: LivePage<any>) => void} callback
   * @param {(error: ShardlineError) => void} onError
   * @param {AbortController} ending
   */
  constructor(connection, args, documentsOf, callback, onError, ending) {
    this.#connection = connection;
    this.#args = { ...args, query: { ...args.query, limit: args.query.limit ?? NO_LIMIT } };
    this.#documentsOf = documentsOf;
    this.#callback = callback;
    this.#onError = onError;
    this.#ending = ending;
    this.#replay = new Replay(connection, ending.signal);
  }

  /** @param {number} maxTargets */
  async begin(maxTargets) {
    await this.#merge();
    const count = this.#replay.targets.length;
    if (count > maxTargets) {
      throw notAllowed('maxTargets', `at least ${count}`, `This query asks ${count} chunks of shards, and onChange() listens to ${maxTargets} at the most. `
        + `Pass { maxTargets: ${count} } if each of them may read a first page, or repeat get().`);
    }
    const { signal } = this.#ending;
    if (signal.aborted) return;
    this.#stream = streamOf(this.#connection, this.#replay.database);
    const stop = this.#stream.targets.add(this.#replay.targets, {
      onMoment: (moment) => {
        this.#reads += moment.reads;
        void this.#moments.take(moment);
      },
      onError: (error, isOver) => {
        callApart(this.#onError, error);
        if (isOver) this.#ending.abort();
      },
    });
    signal.addEventListener('abort', stop, { once: true });
  }

  /** @param {Moment} moment */
  async #follow(moment) {
    const { signal } = this.#ending;
    try {
      if (signal.aborted || !await this.#stream?.isForUser(signal)) return;
      this.#replay.answer = moment;
      this.#show(await this.#merge());
    } catch (error) {
      // The core refuses these documents, or the app's converter throws.
      if (!signal.aborted) callApart(this.#onError, /** @type {ShardlineError} */ (error));
      this.#ending.abort();
    }
  }

  /** @param {any} result */
  #show(result) {
    if (this.#ending.signal.aborted) return;
    const [readTime] = reviveTimes(result.readTimes);
    const before = new Map(this.#docs.map((doc) => [doc.id, doc]));
    const docs = this.#documentsOf(result).map((doc) => {
      const old = before.get(doc.id);
      return old?.updateTime.isEqual(doc.updateTime) ? old : doc;
    });
    const changes = changesBetween(this.#docs, docs);
    if (changes.length === 0 && this.#hasShown) return;
    const page = { docs, changes, nextToken: result.nextToken, readTime, billed: { reads: this.#reads, writes: 0, deletes: 0 } };
    this.#docs = docs;
    this.#hasShown = true;
    this.#reads = 0;
    const { onRequest } = this.#connection.transport;
    callApart(onRequest, { method: 'GET', path: '/google.firestore.v1.Firestore/Listen', status: 200, ms: 0, bytes: 0, billed: page.billed });
    // Not enumerable, so that tests can compare a page with its content.
    callApart(this.#callback, Object.defineProperties(/** @type {any} */ (page), {
      size: { value: docs.length }, empty: { value: docs.length === 0 }, docChanges: { value: () => changes },
    }));
  }

  #merge() {
    return this.#replay.run('collection.query', this.#args, this.#ending.signal);
  }
}
