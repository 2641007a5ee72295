// Collections, sharded or not: translates JavaScript values for the core. The core decides which requests Firestore gets.

import { callApart } from './apart.js';
import { takeChanges } from './changes.js';
import { checkFunction } from './connect.js';
import { checkConverter } from './converter.js';
import { invalidArgument, notAllowed, ShardlineError, unknownOption } from './errors.js';
import { pathOf } from './field_path.js';
import { answerHabits } from './habits.js';
import { checkIsPlain, checkString, readable, readOptions, refuseNaN, takeOptions } from './options.js';
import { documentsOf, ShardedQuery, targetOf } from './query.js';
import { reviveTimes } from './revive.js';
import { DocumentReference, encodeDocument } from './values.js';

export { ShardedQuery };

/**
 * @import {
 *   ChangeAt, DocumentConverter, DocumentData, EachOf, FieldPath, FirebaseFieldPath, FurtherChanges, PartialWithFieldValue, UpdateArgument, UpdateData,
 *   WithFieldValue,
 * } from './document_types.js'
 * @import { QueryPage } from './query.js'
 * @import { DocumentSnapshot } from './revive.js'
 *
 * @typedef {import('./connection.js').Connection} Connection
 */

/**
 * @template [T=DocumentData]
 * @typedef {object} ShardedCollectionOptions
 * @property {number | readonly (string | number)[]} shards The shard values, or their number: `3` means `'0'`, `'1'` and `'2'`. Choose one for each
 *   500 writes per second, 10,000 at the most.
 * @property {number | readonly (string | number)[]} [alsoRead] Further values that documents may have: queries include them, but new documents do not
 *   get them. For the time in which the values change: see reshard().
 * @property {string | FirebaseFieldPath} [shardField] The field that holds the shard value. Default `shard`.
 * @property {FieldPath<T> | (keyof T & string) | FirebaseFieldPath} [orderField] The monotonic field by which documents are sorted.
 *   Default `timestamp`.
 * @property {(data: PartialWithFieldValue<T>) => string | number | undefined} [shardBy] Chooses the shard of a document that does not name one; if it
 *   returns undefined, the library draws one. Writes should go to all shards about equally often. Its argument is the data of the write: with
 *   `merge`, some fields.
 */

/**
 * @template [T=DocumentData]
 * @typedef {DocumentSnapshot<T> & {readTime: import('./values.js').Timestamp, exists: () => true}} DocumentReading
 */

/**
 * @typedef {{id: string, shard: string | number}} WrittenDocument
 * @typedef {{signal?: AbortSignal | undefined}} WriteOptions
 *
 * @typedef {object} ReshardingProgress Of this run, which begins at `resumeFrom`.
 * @property {number} read The number of documents that the run has read.
 * @property {number} written The documents that got a shard; in a dry run, the documents that would get one.
 * @property {number} skipped The documents that already have the right shard.
 * @property {number} unreachable The documents that the run leaves unchanged, and that no sharded query finds: their shard field has another value
 *   than the collection's, or, for reshard(), is missing.
 * @property {number | null} total About the number of documents before this run; null if the server could not count them.
 * @property {number} documentsPerSecond
 * @property {number | null} secondsLeft The estimated rest of the run; null if it is not known.
 * @property {import('./connection.js').Billed} billed
 * @property {number} dollars The price of `billed`: an estimate, at the prices of the standard edition. The enterprise edition bills bytes, and index
 *   entries with each write: for it, call the workbench's `cost({ edition: 'enterprise', backfill })`.
 * @property {{reads: number, writes: number, dollars: number}} [realRun] Only in a dry run: the bill of the same run without `dryRun`, up to
 *   this point. The run reads the same, and writes `written` documents.
 * @property {string | null} resumeFrom The token with which another run goes on; null at the end.
 *
 * @typedef {object} ReshardingOptions
 * @property {(progress: ReshardingProgress) => void} [onProgress] Called after every page of up to 300 documents.
 * @property {string | null} [resumeFrom] The last token of an earlier run of the same call with the same options. Or the path of a document,
 *   `trades/t1`: the run then begins behind this document.
 * @property {AbortSignal} [signal] Ends the run, which can be resumed.
 * @property {boolean} [dryRun] Reads everything and writes nothing. `realRun` is the price of the run without `dryRun`.
 * @property {number} [writesPerSecond] The most writes per second, from 1 to 10,000. The run also keeps Firestore's rule for new traffic: 500 at
 *   first, and half as many again every five minutes.
 * @property {'us-central1' | 'nam5' | (string & {})} [location] The location whose prices `dollars` uses: `us-central1` (the default) or `nam5`. For
 *   other locations pass `prices`.
 * @property {{reads?: number, writes?: number}} [prices] Dollars for a million documents, in place of the location's prices.
 */

/** The method of Firebase's snapshots, for code that calls it. It is not enumerable, so that tests can compare a reading with its content. */
const EXISTS = { value: () => true };

/** Bounds one call into the core, which decides how many documents one commit has. */
const MAX_BATCH_DOCUMENTS = 500;
const MAX_BATCH_CHARACTERS = 1024 * 1024;

/**
 * The facts that a batch needs to add a document; undefined for anything but a collection.
 * @type {(collection: unknown, data: object) => {connection: Connection, collection: import('./query.js').CollectionSpec,
 *   document: object} | undefined}
 */
export let batchedDocument;

/**
 * A collection; made by `db.collection(path)`. It is also the query for all its documents.
 * @template [T=DocumentData] The type of the documents.
 * @template [Written={id: string}] The result of add() for a document.
 * @template [Model=T] The type that you write and read: see withConverter().
 * @extends {ShardedQuery<T, Model>}
 */
export class Collection extends ShardedQuery {
  #shardBy;
  #converter;

  /**
   * @param {Connection} connection
   * @param {import('./query.js').CollectionSpec} collection
   * @param {ShardedCollectionOptions<T>['shardBy']} [shardBy]
   * @param {DocumentConverter<any> | null} [given]
   * @hidden Made by the library.
   */
  constructor(connection, collection, shardBy, given) {
    checkFunction('shardBy', shardBy);
    const converter = checkConverter(given);
    connection.runNow('collection.check', { collection });
    // A copy, because the app may change its lists.
    super(connection, JSON.parse(JSON.stringify(collection)), undefined, converter);
    this.#shardBy = shardBy;
    this.#converter = converter;
  }

  static {
    batchedDocument = (collection, data) => (#shardBy in Object(collection) ? {
      ...targetOf(/** @type {any} */ (collection)),
      document: /** @type {any} */ (collection).#encodeNew(data),
    } : undefined);
    const documents = 'get(id), set(id, data), update(id, changes) and delete(id) of the collection';
    answerHabits(this, 'doc', documents);
    answerHabits(DocumentReference, 'get set update delete onSnapshot', documents);
    answerHabits(DocumentReference, 'collection', 'collection(path) of the database');
  }

  /** The collection's path: `instruments`. @returns {string} */
  get path() {
    return targetOf(this).collection.path;
  }

  /**
   * The same collection for objects of your own, with a converter like in Firebase's SDKs. add(), addAll() and set() call `toFirestore(model,
   * options)`. For a document that is read, `data()` returns the result of `fromFirestore(snapshot)`. Their errors reject the call. Field paths,
   * filters, update() and select() name the fields of the stored documents.
   * @template Read
   * @overload
   * @param {DocumentConverter<Read>} converter
   * @returns {Collection<T, Written, Read>}
   */
  /**
   * The same collection without a converter.
   * @overload
   * @param {null} converter
   * @returns {Collection<T, Written>}
   */
  /** @param {any} converter @returns {any} */
  withConverter(converter) {
    const { connection, collection } = targetOf(this);
    return new Collection(connection, collection, this.#shardBy, converter);
  }

  /**
   * Adds a document under a new random id; in a sharded collection to a random shard, unless it names one. Never adds it twice.
   * @param {WithFieldValue<Model>} data In a sharded collection it must have the order field, by which queries find documents.
   * @param {WriteOptions} [options]
   * @returns {Promise<Written>}
   */
  async add(data, options) {
    const { signal } = takeOptions('add', options, ['signal']);
    const [added] = await this.#run('add', { documents: [this.#encodeNew(data)] }, signal);
    return added;
  }

  /**
   * Adds many documents, in batches of up to 500; each batch is written as a whole or not at all. The library checks all documents before it sends
   * the first. The message about a refused document begins with its index: “Document 0: …” for the first.
   * @param {Iterable<WithFieldValue<Model>>} documents
   * @param {WriteOptions & {onProgress?: (progress: {written: number, total: number}) => void}} [options]
   * @returns {Promise<Written[]>} In the same order.
   */
  async addAll(documents, options) {
    const { onProgress, signal } = takeOptions('addAll', options, ['onProgress', 'signal']);
    checkFunction('onProgress', onProgress);
    const encoded = readable('documents', () => {
      // Array.from() would make an empty list of any other value.
      if (typeof documents?.[Symbol.iterator] !== 'function') throw notAllowed('documents', 'an array or another iterable');
      return Array.from(documents);
    }, 'The list of documents').map((data, index) => {
      try {
        return this.#encodeNew(data);
      } catch (error) {
        if (!(error instanceof ShardlineError)) throw error;
        // As the core says it.
        throw new ShardlineError(error.code, `Document ${index}: ${error.message}`, /** @type {any} */ (error));
      }
    });
    const sizes = encoded.map((document) => JSON.stringify(document).length);
    const { connection, collection } = targetOf(this);
    for (let start = 0; start < encoded.length;) {
      const batch = takeBatch(encoded, sizes, start);
      connection.runNow('collection.check', { collection, start, documents: batch });
      start += batch.length;
    }
    /** @type {Written[]} */
    const written = [];
    while (written.length < encoded.length) {
      const start = written.length;
      written.push(...await this.#run('add', { start, documents: takeBatch(encoded, sizes, start) }, signal));
      callApart(onProgress, { written: written.length, total: encoded.length });
    }
    return written;
  }

  /**
   * Writes a whole document; one that is there is replaced.
   *
   * If the answer gets lost, the library reads the document (rules must allow `get`). If the document is not as asked, it repeats the write on the
   * condition that no client has written since that reading (optimistic concurrency). If the server has applied the request after all, and another
   * client has written before the reading, the repeated write overwrites that client's; a batch never does that. The library never repeats a write
   * with transforms, such as serverTimestamp(), in doubt: it rejects with `outcome-unknown`. One more danger exists with any database over HTTP: a
   * request whose answer got lost, or one that the browser sent twice by itself, arrives late, and overwrites later changes. The same holds for
   * update() and delete(); add() overwrites nothing. An increment() that the browser has sent twice adds twice: in a batch it adds once.
   *
   * With `merge`, the other fields of an existing document stay, also inside maps. deleteField() removes a field. A missing document is created.
   *
   * In a sharded collection, `merge` leaves the shard of an existing document as it is. A new document gets a shard: the one in `data`, otherwise the
   * one of `shardBy`, otherwise a random one. If `data` names a shard, the library reads the document first (one billed read, and rules must allow
   * `get`). A document without a shard gets it. If the document has another shard, the call writes nothing, unless with `move`. If `data` names no
   * shard, the library does not read the document, and one without a shard stays without: backfill() gives it one.
   * @overload
   * @param {string} id
   * @param {PartialWithFieldValue<Model>} data
   * @param {WriteOptions & {merge: true, move?: boolean}} options `move`: `data` names the shard, and may move the document there.
   * @returns {Promise<{id: string, shard?: string | number}>} `shard` is missing if merge has left it as it was, and in an ordinary collection.
   */
  /**
   * The same for a whole document: without `merge` it must have the order field. The call also writes the shard: the one in `data`, otherwise the one
   * of `shardBy`, otherwise a random one. A replaced document usually moves to another shard; a query of several requests may miss it meanwhile,
   * unless with `consistentRead`. To leave the document in its shard, name the shard, or merge.
   * @overload
   * @param {string} id
   * @param {WithFieldValue<Model>} data
   * @param {WriteOptions & {merge?: boolean}} [options]
   * @returns {Promise<{id: string, shard?: string | number}>}
   */
  /**
   * @param {string} id
   * @param {any} data
   * @param {WriteOptions & {merge?: boolean, move?: boolean}} [options]
   */
  async set(id, data, options) {
    const { signal, ...rest } = takeOptions('set', options, ['merge', 'move', 'signal']);
    const document = rest.merge ? this.#encode(data, { merge: true }) : this.#encodeNew(data);
    return this.#run('set', { ...rest, id, document }, signal);
  }

  /**
   * Changes fields of a document, which must exist. See set() for lost answers.
   * @overload
   * @param {string} id
   * @param {UpdateData<T>} changes By field path: `{'price.micros': 5, note: deleteField()}`.
   * @param {WriteOptions & {move?: boolean}} [options] `move`: the changes may set the shard field, and so move the document to another shard.
   *   Without it such changes are refused.
   * @returns {Promise<void>}
   */
  /**
   * The same with fields and values in turn: `update(id, 'price.micros', 5, 'note', deleteField())`. Options may follow the last of them. A field may
   * be a FieldPath of Firebase's SDKs, which cannot be a key of an object.
   * @template {FieldPath<T> | FirebaseFieldPath} Path
   * @template {readonly UpdateArgument[]} More
   * @overload
   * @param {string} id
   * @param {Path} field
   * @param {ChangeAt<T, Path>} value
   * @param {...EachOf<FurtherChanges<T, More, [options?: WriteOptions & {move?: boolean}]>>} more Further fields and values, and options.
   * @returns {Promise<void>}
   */
  /**
   * @param {string} id
   * @param {...any} given
   */
  async update(id, ...given) {
    const { changes, rest } = takeChanges(given);
    const { signal, ...options } = takeOptions('update', /** @type {WriteOptions | undefined} */ (rest[0]), ['move', 'signal']);
    await this.#run('update', { ...options, id, changes }, signal);
  }

  /**
   * Reads one document; null if it does not exist. Rules must allow `get`.
   * @override
   * @overload
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<DocumentReading<Model> | null>}
   */
  /**
   * All documents, or a page of them: see ShardedQuery.
   * @override
   * @overload
   * @param {import('./query.js').QueryOptions} [options]
   * @returns {Promise<QueryPage<Model>>}
   */
  /**
   * @override
   * @param {string | import('./query.js').QueryOptions} [id]
   * @param {WriteOptions} [options]
   * @returns {Promise<any>}
   */
  async get(id, options) {
    // An id that is undefined is a mistake, and does not mean the whole collection. Nor does a reference.
    const isId = arguments.length > 0 && (typeof id !== 'object' || id === null || readable('id', () => Array.isArray(id) || typeof /** @type {any} */ (id).path === 'string', 'The argument of get()'));
    if (!isId) return super.get(/** @type {import('./query.js').QueryOptions | undefined} */ (id));
    const { signal } = takeOptions('get', options, ['signal']);
    const result = await this.#run('get', { id }, signal);
    const [document] = documentsOf(this, result);
    const [readTime] = reviveTimes([result.readTime]);
    return document ? Object.defineProperty({ ...document, readTime }, 'exists', EXISTS) : null;
  }

  /**
   * Whether a document with this id exists. One billed read.
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<boolean>}
   */
  async exists(id, options) {
    const { signal } = takeOptions('exists', options, ['signal']);
    const { docs } = await this.#run('get', { id, nameOnly: true }, signal);
    return docs.length > 0;
  }

  /**
   * Deletes a document. If it does not exist, that is not an error. See set() for lost answers.
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<void>}
   */
  async delete(id, options) {
    const { signal } = takeOptions('delete', options, ['signal']);
    await this.#run('delete', { id }, signal);
  }

  /** A whole document, with the shard that `shardBy` chooses for it. @param {any} model @param {{merge: true}} [options] */
  #encode(model, options) {
    const data = this.#converter ? this.#converter.toFirestore(model, options) : model;
    const shard = this.#shardBy?.(data);
    if (/bigint|function|symbol/.test(typeof shard)) throw notAllowed('shardBy', 'a function that returns a text, a number or undefined');
    return { ...encodeDocument(data), shard };
  }

  /** A new document, which queries must find. @param {object} data */
  #encodeNew(data) {
    const encoded = this.#encode(data);
    const { ordinary, orderField = 'timestamp' } = targetOf(this).collection;
    if (!ordinary) checkOrderField(encoded, orderField);
    return encoded;
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {AbortSignal} [signal]
   */
  #run(name, args, signal) {
    const { connection, collection } = targetOf(this);
    if ('id' in args) checkString('nameOnly' in args ? 'exists' : name, 'id', 'the id of a document', args.id);
    return connection.run(`collection.${name}`, { ...args, collection }, { signal });
  }
}

/** @param {string} call @param {unknown} path */
function checkCollection(call, path) {
  checkString(call, 'path', 'the path of a collection', path);
}

/**
 * Makes the collection for `db.collection(path)`.
 * @param {Connection} connection
 * @param {string} path
 * @param {string[]} more Further parts of it.
 * @returns {Collection<any>}
 */
export function ordinary(connection, path, more) {
  if (more.some((part) => typeof part !== 'string')) {
    throw unknownOption('options', 'path', 'collection() takes no options: use shardedCollection(path, options).');
  }
  checkCollection('collection', path);
  return new Collection(connection, { path: more.length ? [path, ...more].join('/') : path, ordinary: true });
}

/**
 * A collection whose documents carry one of N shard values in front of a monotonic field; made by
 * `db.shardedCollection(path, options)`.
 * @template [T=DocumentData] The type of the documents.
 * @template [Model=T] The type that you write and read: see withConverter().
 * @extends {Collection<T, WrittenDocument, Model>}
 */
export class ShardedCollection extends Collection {
  #chosenBy;

  /**
   * @param {Connection} connection
   * @param {string} path
   * @param {ShardedCollectionOptions<T>} options
   * @param {DocumentConverter<any> | null} [converter]
   * @hidden Made by the library.
   */
  constructor(connection, path, options, converter) {
    checkCollection('shardedCollection', path);
    const { shardBy, ...rest } = readOptions('shardedCollection', options);
    checkIsPlain(rest);
    const own = ['path', 'ordinary'].find((name) => name in rest);
    if (own) throw unknownOption(own, '', `shardedCollection() has no option “${own}”.`);
    const { shardField, orderField } = rest;
    super(connection, { ...rest, path, shardField: pathOf(shardField, 'shardField'), orderField: pathOf(orderField, 'orderField') }, shardBy, converter);
    this.#chosenBy = shardBy;
  }

  /**
   * @override
   * @template Read
   * @overload
   * @param {DocumentConverter<Read>} converter
   * @returns {ShardedCollection<T, Read>}
   */
  /**
   * @override
   * @overload
   * @param {null} converter
   * @returns {ShardedCollection<T>}
   */
  /** @override @param {any} converter @returns {any} */
  withConverter(converter) {
    const { connection, collection: { path, ...rest } } = targetOf(this);
    return new ShardedCollection(connection, path, { .../** @type {any} */ (rest), shardBy: this.#chosenBy }, converter);
  }

  /**
   * Online migration: gives all documents without a shard field one, drawn at random from `shards`, while all clients go on reading and writing. Your
   * app must write the shard field before this begins. The call reads a document again if another client changes it meanwhile, and changes only its
   * shard field. Each document costs one read, and one write if it gets a shard.
   *
   * Rejects with `cancelled`, or with the first error; another call with the last `resumeFrom` goes on from there. If the server refuses the write of
   * one document, for example one of nearly 1 MiB, the error names it. Repair or delete the document, and go on with the last `resumeFrom`. Or skip
   * the document, with its path as `resumeFrom`: then it stays without a shard, and no sharded query finds it.
   * @param {ReshardingOptions} [options]
   * @returns {Promise<ReshardingProgress>}
   */
  async backfill(options) {
    return this.#assignShards('backfill', {}, options);
  }

  /**
   * Online migration: moves all documents with a value of `alsoRead` to the values of `shards`, while all clients go on reading and writing. Change
   * the shard values of a live collection in these steps. All clients take a step before any client takes the next:
   *
   *     db.shardedCollection(path, { shards: old, alsoRead: new })      // all ask for the new values, too
   *     db.shardedCollection(path, { shards: new, alsoRead: old })      // all write with the new values
   *     await db.shardedCollection(path, { shards: new, alsoRead: old }).reshard(new)
   *     db.shardedCollection(path, { shards: new })                     // all forget the old values
   *
   * Queries are right throughout. With `alsoRead`, all chunks of a page or a count are read at one instant (a snapshot read), so that the result has
   * a moving document exactly once; several chunks take one more round trip.
   * @param {number | readonly (string | number)[]} newValues The values of `shards`.
   * @param {ReshardingOptions} [options] As for backfill().
   * @returns {Promise<ReshardingProgress>}
   */
  async reshard(newValues, options) {
    return this.#assignShards('reshard', { shards: newValues }, options);
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {ReshardingOptions} [options]
   */
  #assignShards(name, args, options) {
    const names = ['onProgress', 'resumeFrom', 'signal', 'dryRun', 'writesPerSecond', 'location', 'prices'];
    const { onProgress, signal, ...more } = takeOptions(name, options, names);
    checkFunction('onProgress', onProgress);
    refuseNaN(args);
    const { connection, collection } = targetOf(this);
    return connection.run(`collection.${name}`, { ...more, ...args, collection }, { signal, onProgress });
  }
}

/**
 * Refuses a document without the field of the queries' order, because no query would find it.
 * @param {ReturnType<typeof encodeDocument>} document
 * @param {string} orderField
 */
function checkOrderField({ fields, transforms }, orderField) {
  if (orderField.includes('`')) return; // The server checks anything more complex.
  const names = orderField.split('.');
  // A name may have a dot of its own.
  const isTransformed = transforms.some(({ kind, path }) => kind !== 'delete' && path.length === names.length && path.join('.') === orderField);
  if (isTransformed || hasField(fields, names)) return;
  throw invalidArgument(`The document has no field “${orderField}”, by which this collection is sorted: no query would find it. Set it, `
    + 'for example to Timestamp.now(), or name another field with the option `orderField`.', {
    reason: 'document-lacks-order-field',
    params: { field: orderField },
  });
}

/**
 * @param {{[name: string]: any}} fields In Firestore's form.
 * @param {string[]} path
 * @returns {boolean}
 */
function hasField(fields, [name = '', ...rest]) {
  if (!Object.hasOwn(fields, name)) return false;
  return rest.length === 0 || hasField(fields[name].mapValue?.fields ?? {}, rest);
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
