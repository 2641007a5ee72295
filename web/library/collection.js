// Collections, sharded or not: what JavaScript values mean to the core. The core decides which requests Firestore gets.

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
 * @property {number | readonly (string | number)[]} shards The shard values, or how many: `3` stands for `'0'`, `'1'` and `'2'`. One for
 *   each 500 writes per second, 10,000 at the most.
 * @property {number | readonly (string | number)[]} [alsoRead] Values that documents may have besides: queries ask for them too, and nothing
 *   is written with them. For the time in which the values change: see reshard().
 * @property {string | FirebaseFieldPath} [shardField] The field that holds the shard value. Default `shard`.
 * @property {FieldPath<T> | (keyof T & string) | FirebaseFieldPath} [orderField] The monotonic field by which documents are sorted.
 *   Default `timestamp`.
 * @property {(data: PartialWithFieldValue<T>) => string | number | undefined} [shardBy] Chooses the shard of a document that names none;
 *   undefined leaves it to chance. Writes should meet all shards about equally often. Told what is written: with `merge`, some fields.
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
 * @property {number} read Documents that have been dealt with.
 * @property {number} written Those that were given a shard; in a dry run, those that would be.
 * @property {number} skipped Those that have a shard already, as they should.
 * @property {number} unreachable Those that are left as they are, and that no sharded query finds: with something in the shard field that is
 *   none of the collection's values, or, for reshard(), without a shard field.
 * @property {number | null} total About how many there were before this run; null if they could not be counted.
 * @property {number} documentsPerSecond
 * @property {number | null} secondsLeft Null if it is not known.
 * @property {import('./connection.js').Billed} billed
 * @property {number} dollars The price of `billed`: an estimate, at the prices of the standard edition. In the enterprise edition, which bills
 *   bytes, and entries of indexes with each write, the workbench's `cost({ edition: 'enterprise', backfill })` says it.
 * @property {{reads: number, writes: number, dollars: number}} [realRun] Only in a dry run: the bill of the same run without `dryRun`, up to
 *   this point. The run reads the same, and writes `written` documents.
 * @property {string | null} resumeFrom Where another run goes on. Null at the end.
 *
 * @typedef {object} ReshardingOptions
 * @property {(progress: ReshardingProgress) => void} [onProgress] Told after every page of up to 300 documents.
 * @property {string | null} [resumeFrom] The last token of an earlier run of the same call with the same options. Or the path of a
 *   document, `trades/t1`: then it begins behind this one.
 * @property {AbortSignal} [signal] Ends the run, which can be resumed.
 * @property {boolean} [dryRun] Reads everything and writes nothing. `realRun` tells the price of the run without `dryRun`.
 * @property {number} [writesPerSecond] From 1 to 10,000. Never more than Firestore's rule for new traffic: 500 at first, and half as
 *   many again every five minutes.
 * @property {'us-central1' | 'nam5' | (string & {})} [location] At whose prices `dollars` is reckoned: `us-central1` (the default) or `nam5`.
 *   For others give `prices`.
 * @property {{reads?: number, writes?: number}} [prices] Dollars for a million documents, in place of those of the location.
 */

/** For those who ask a snapshot, as Firebase's have it. Out of sight, so that a reading is what it holds. */
const EXISTS = { value: () => true };

/** Bounds one call into the core, which decides how many of them make a commit. */
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
 * @template [Written={id: string}] What add() tells of a document.
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
    // Lists in it are the app's, which may change them.
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
   * The same collection for objects of your own: as Firebase's SDKs, with `toFirestore(model, options)`, which add(), addAll() and set()
   * call, and `fromFirestore(snapshot)`, whose result `data()` returns of a document that is read. Their errors reject the call. Field paths, filters, update() and
   * select() are about documents as they are stored.
   * @template Read
   * @overload
   * @param {DocumentConverter<Read>} converter
   * @returns {Collection<T, Written, Read>}
   */
  /**
   * The same collection without one.
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
   * @param {WithFieldValue<Model>} data Refused without the order field of a sharded collection, by which queries find documents.
   * @param {WriteOptions} [options]
   * @returns {Promise<Written>}
   */
  async add(data, options) {
    const { signal } = takeOptions('add', options, ['signal']);
    const [added] = await this.#run('add', { documents: [this.#encodeNew(data)] }, signal);
    return added;
  }

  /**
   * Adds many documents, in batches of up to 500, each of which is written as a whole or not at all. All of them are checked
   * before the first is sent. The message of one that is refused begins with where it stands: “Document 0: …” for the first.
   * @param {Iterable<WithFieldValue<Model>>} documents
   * @param {WriteOptions & {onProgress?: (progress: {written: number, total: number}) => void}} [options]
   * @returns {Promise<Written[]>} In the same order.
   */
  async addAll(documents, options) {
    const { onProgress, signal } = takeOptions('addAll', options, ['onProgress', 'signal']);
    checkFunction('onProgress', onProgress);
    const encoded = readable('documents', () => {
      // Array.from() makes an empty list of anything else.
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
   * If the answer gets lost, the document is read (rules must allow `get`): where it is not as asked, the write is repeated on
   * the condition that no client has written since it was read. If the server applied the request after all, and another client wrote before the
   * document was read, that is written over; a batch never does that. A write with transforms, such as serverTimestamp(), is never repeated in doubt:
   * it rejects with `outcome-unknown`. One more danger exists, as with any database over HTTP: a request whose answer got lost, or one that the
   * browser sent twice by itself, arrives late, and writes over later changes. The same goes for update() and delete(); add() writes nothing over. An
   * increment() that the browser has sent twice adds twice: in a batch it adds once.
   *
   * With `merge`, the fields of a document that is there stay, except those that `data` has; in the middle of maps, too. A field is
   * removed by deleteField(). A document that is not there is made.
   *
   * In a sharded collection, `merge` leaves the shard of a document that is there as it is, and one that is not there gets a shard: the
   * one that `data` names, or else that `shardBy` chooses, or else one that is drawn. If `data` names a shard, the document is read first
   * (one billed read, and rules must allow `get`): one without a shard gets it, and if it has another one, nothing is written, unless
   * with `move`. Not named, it is not read, and one that has no shard stays without: backfill() gives it one.
   * @overload
   * @param {string} id
   * @param {PartialWithFieldValue<Model>} data
   * @param {WriteOptions & {merge: true, move?: boolean}} options `move`: `data` names the shard, and may move the document there.
   * @returns {Promise<{id: string, shard?: string | number}>} Without a shard: merge has left it as it was, or there is none.
   */
  /**
   * The same for a whole document: without `merge` it must have the order field. The shard, too, is written again: the one that `data`
   * names, or that `shardBy` chooses, or one that is drawn. A replaced document usually moves to another shard; a query that takes several requests
   * meanwhile may miss it, unless with `consistentRead`. To leave it where it is, name its shard, or merge.
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
   * @param {WriteOptions & {move?: boolean}} [options] `move`: the changes set the shard field, and may move the document to another
   *   shard. Without it they are refused then.
   * @returns {Promise<void>}
   */
  /**
   * The same with fields and values in turn: `update(id, 'price.micros', 5, 'note', deleteField())`. Behind the last of them there may be
   * options. A field may be a FieldPath of Firebase's SDKs, which an object cannot have for a key.
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
   * Reads one document; null if there is none. Rules must allow `get`.
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
    // An id that is undefined is a slip of the pen, and does not mean the whole collection. Nor does a reference.
    const isId = arguments.length > 0 && (typeof id !== 'object' || id === null || readable('id', () => Array.isArray(id) || typeof /** @type {any} */ (id).path === 'string', 'The argument of get()'));
    if (!isId) return super.get(/** @type {import('./query.js').QueryOptions | undefined} */ (id));
    const { signal } = takeOptions('get', options, ['signal']);
    const result = await this.#run('get', { id }, signal);
    const [document] = documentsOf(this, result);
    const [readTime] = reviveTimes([result.readTime]);
    return document ? Object.defineProperty({ ...document, readTime }, 'exists', EXISTS) : null;
  }

  /**
   * Whether there is a document of this id. One billed read.
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
   * Deletes a document; one that is not there is no error. See set() for lost answers.
   * @param {string} id
   * @param {WriteOptions} [options]
   * @returns {Promise<void>}
   */
  async delete(id, options) {
    const { signal } = takeOptions('delete', options, ['signal']);
    await this.#run('delete', { id }, signal);
  }

  /** A whole document, with the shard that `shardBy` wants for it. @param {any} model @param {{merge: true}} [options] */
  #encode(model, options) {
    const data = this.#converter ? this.#converter.toFirestore(model, options) : model;
    const shard = this.#shardBy?.(data);
    if (/bigint|function|symbol/.test(typeof shard)) throw notAllowed('shardBy', 'a function that returns a text, a number or undefined');
    return { ...encodeDocument(data), shard };
  }

  /** A document that is new, which queries shall find. @param {object} data */
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
   * Gives all documents that have no shard field one, drawn at random from `shards`, while all clients go on reading and writing.
   * The app must write the shard field by then. Documents that another client changes meanwhile are read again; nothing of a document but
   * its shard field is ever changed. Each document is billed a read, and a write if it gets a shard.
   *
   * Rejects with `cancelled`, or with what went wrong, where it has come to; the last `resumeFrom` goes on there. If the server refuses
   * to write one document, such as one of nearly 1 MiB, the error names it: mend or delete it, and go on with the last `resumeFrom`;
   * or go on behind it, with its path as `resumeFrom`: then it stays without a shard, and no sharded query finds it.
   * @param {ReshardingOptions} [options]
   * @returns {Promise<ReshardingProgress>}
   */
  async backfill(options) {
    return this.#assignShards('backfill', {}, options);
  }

  /**
   * Moves all documents that have one of the values of `alsoRead` to those of `shards`, while all clients go on reading and writing.
   * Change the shard values of a live collection in these steps. All clients take a step before any client takes the next:
   *
   *     db.shardedCollection(path, { shards: old, alsoRead: new })      // all ask for the new values, too
   *     db.shardedCollection(path, { shards: new, alsoRead: old })      // all write with the new values
   *     await db.shardedCollection(path, { shards: new, alsoRead: old }).reshard(new)
   *     db.shardedCollection(path, { shards: new })                     // all forget the old values
   *
   * Queries are right throughout. With `alsoRead`, all chunks of a page and of a count are read at one instant, so that none misses
   * a document that moves, or has it twice; where there are several, that takes one more round trip.
   * @param {number | readonly (string | number)[]} newValues Those of `shards`.
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
 * Refuses a document that no query would ever find, as it has not the field by which all of them are sorted.
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
