// Sharded collections: what JavaScript values mean to the core. What Firestore is asked for is decided there.

import { checkFunction } from './connect.js';
import { ShardedQuery } from './query.js';
import { reviveDocuments, reviveTimes } from './revive.js';
import { encodeDocument } from './values.js';

export { ShardedQuery };

/**
 * @typedef {import('./connection.js').Connection} Connection
 * @typedef {import('./query.js').QueryPage} QueryPage
 *
 * @typedef {object} ShardedCollectionOptions
 * @property {number | (string | number)[]} shards The shard values, or how many: `3` stands for `'0'`, `'1'` and `'2'`. One for
 *   each 500 writes per second, 10,000 at the most.
 * @property {string} [shardField] The field that holds the shard value. Default `shard`.
 * @property {string} [orderField] The monotonic field by which documents are sorted. Default `timestamp`.
 * @property {(data: DocumentData) => string | number | undefined} [shardBy] Chooses the shard of a document that names none; undefined
 *   leaves it to chance. Writes should meet all shards about equally often.
 *
 * @typedef {{[field: string]: unknown}} DocumentData
 * @typedef {{id: string, shard: string | number}} WrittenDocument
 * @typedef {import('./revive.js').DocumentSnapshot & {readTime: import('./values.js').Timestamp}} DocumentReading
 * @typedef {{signal?: AbortSignal}} WriteOptions
 */

/** Of one call into the core; how many of them make a commit is decided there. */
const MAX_BATCH_DOCUMENTS = 500;
const MAX_BATCH_CHARACTERS = 1024 * 1024;

/**
 * A collection whose documents carry one of N shard values in front of a monotonic field; made by
 * `db.shardedCollection(path, options)`. It is also the query for all its documents.
 */
export class ShardedCollection extends ShardedQuery {
  #connection;
  #collection;
  #shardBy;

  /**
   * @param {Connection} connection
   * @param {string} path
   * @param {ShardedCollectionOptions} options
   */
  constructor(connection, path, options) {
    const { shardBy, ...rest } = options ?? {};
    checkFunction('shardBy', shardBy);
    const collection = { ...rest, path };
    super(connection, collection);
    this.#connection = connection;
    this.#collection = collection;
    this.#shardBy = shardBy;
    connection.runNow('collection.check', { collection });
  }

  /** Of the collection: `instruments`. @returns {string} */
  get path() {
    return this.#collection.path;
  }

  /**
   * Adds a document under a new random id, to a random shard unless it names one. Never adds it twice.
   * @param {DocumentData} data
   * @param {WriteOptions} [options]
   * @returns {Promise<WrittenDocument>}
   */
  async add(data, options) {
    const [added] = await this.#run('add', { documents: [this.#encode(data)] }, options);
    return added;
  }

  /**
   * Adds many documents, in batches of up to 500, each of which is written as a whole or not at all. All of them are checked
   * before the first is sent.
   * @param {Iterable<DocumentData>} documents
   * @param {WriteOptions & {onProgress?: (progress: {written: number, total: number}) => void}} [options]
   * @returns {Promise<WrittenDocument[]>} In the same order.
   */
  async addAll(documents, { onProgress, ...options } = {}) {
    const encoded = Array.from(documents, (data) => this.#encode(data));
    const sizes = encoded.map((document) => JSON.stringify(document).length);
    for (let start = 0; start < encoded.length;) {
      const batch = takeBatch(encoded, sizes, start);
      this.#connection.runNow('collection.check', { collection: this.#collection, start, documents: batch });
      start += batch.length;
    }
    /** @type {WrittenDocument[]} */
    const written = [];
    while (written.length < encoded.length) {
      const start = written.length;
      written.push(...await this.#run('add', { start, documents: takeBatch(encoded, sizes, start) }, options));
      onProgress?.({ written: written.length, total: encoded.length });
    }
    return written;
  }

  /**
   * Writes a whole document; one that is there is replaced.
   *
   * If the answer gets lost, the document is read (rules must allow `get`): where it is not as asked, the write is repeated on
   * the condition that nobody has written meanwhile. A write with transforms, such as serverTimestamp(), is never repeated in
   * doubt: it rejects with `outcome-unknown`. What may still happen, as with any database over HTTP: the request whose answer
   * got lost, or one that the browser has sent twice by itself, arrives late, and writes over what was written since. The same
   * goes for update() and delete(); add() writes nothing over.
   *
   * With `merge`, the fields of a document that is there stay, but for those that `data` has, and so does its shard; in the middle of
   * maps, too. A field is removed by deleteField().
   * @param {string} id
   * @param {DocumentData} data May name the shard; otherwise it is drawn.
   * @param {WriteOptions & {merge?: boolean}} [options]
   * @returns {Promise<{id: string, shard?: string | number}>} Without a shard: merge has left it as it was.
   */
  async set(id, data, { signal, ...options } = {}) {
    return this.#run('set', { ...options, id, document: this.#encode(data) }, { signal });
  }

  /**
   * Changes fields of a document, which must exist. See set() for lost answers.
   * @param {string} id
   * @param {DocumentData} changes By field path: `{'price.micros': 5, note: deleteField()}`.
   * @param {WriteOptions & {move?: boolean}} [options] `move`: the changes set the shard field, and may move the document to another
   *   shard. Without it they are refused then.
   * @returns {Promise<void>}
   */
  async update(id, changes, { signal, ...options } = {}) {
    await this.#run('update', { ...options, id, changes: encodeDocument(changes) }, { signal });
  }

  /**
   * Reads one document; null if there is none. Rules must allow `get`.
   * @override
   * @overload
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<DocumentReading | null>}
   */
  /**
   * All documents, or a page of them: see ShardedQuery.
   * @override
   * @overload
   * @param {import('./query.js').QueryOptions} [options]
   * @returns {Promise<QueryPage>}
   */
  /**
   * @override
   * @param {string | import('./query.js').QueryOptions} [id]
   * @param {WriteOptions} [options]
   * @returns {Promise<any>}
   */
  async get(id, options) {
    if (id === undefined || typeof id === 'object') return super.get(id);
    const result = await this.#run('get', { id }, options);
    const [document] = reviveDocuments(result);
    const [readTime] = reviveTimes([result.readTime]);
    return document ? { ...document, readTime } : null;
  }

  /**
   * Whether there is a document of this id. One billed read.
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<boolean>}
   */
  async exists(id, options) {
    const { docs } = await this.#run('get', { id, nameOnly: true }, options);
    return docs.length > 0;
  }

  /**
   * Deletes a document; one that is not there is no error. See set() for lost answers.
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<void>}
   */
  async delete(id, options) {
    await this.#run('delete', { id }, options);
  }

  /** A whole document, with the shard that `shardBy` wants for it. @param {DocumentData} data */
  #encode(data) {
    return { ...encodeDocument(data), shard: this.#shardBy?.(data) };
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {WriteOptions} [options]
   */
  #run(name, args, options) {
    return this.#connection.run(`collection.${name}`, { collection: this.#collection, ...args }, options);
  }
}

/**
 * The next few documents.
 * @template T
 * @param {T[]} documents
 * @param {number[]} sizes
 * @param {number} start
 * @returns {T[]}
 */
function takeBatch(documents, sizes, start) {
  let end = start;
  for (let size = 0; end < documents.length && end < start + MAX_BATCH_DOCUMENTS; end += 1) {
    size += /** @type {number} */ (sizes[end]);
    if (size > MAX_BATCH_CHARACTERS && end > start) break;
  }
  return documents.slice(start, end);
}
