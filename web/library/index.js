// Shardline: distributed counters and sharded timestamps for Cloud Firestore. See README.md.

import { ShardedCollection } from './collection.js';
import { Connection } from './connection.js';
import { Counter } from './counter.js';
import { Counters } from './counters.js';
import { invalidArgument } from './errors.js';
import { Ids } from './ids.js';
import { load } from './load.js';
import { openStorage, QueueStore } from './queue_store.js';
import { DocumentReference } from './values.js';

export { ShardlineError } from './errors.js';
export {
  arrayRemove, arrayUnion, Bytes, deleteField, DocumentReference, GeoPoint, increment, serverTimestamp, Timestamp, vector,
  VectorValue,
} from './values.js';

/**
 * @typedef {object} RetryOptions
 * @property {number} [maxAttempts] How often a request is sent at the most. Default 6.
 * @property {number} [initialDelayMs] The first pause, ± 50 %. Default 1,000.
 * @property {number} [multiplier] By how much each pause is longer than the last. Default 1.5.
 * @property {number} [maxDelayMs] The longest pause. Default 60,000.
 * @property {number} [timeoutMs] How long to wait for an answer. Default 30,000.
 *
 * @typedef {object} ConnectOptions
 * @property {string} projectId
 * @property {string} [databaseId] Default `(default)`.
 * @property {string} [host] Default `https://firestore.googleapis.com`, or the host of a simulator's `fetch`;
 *   `http://127.0.0.1:8080` for Google's emulator.
 * @property {string} [apiKey]
 * @property {import('./connection.js').TokenSource} [authToken] Returns a Firebase ID token or an OAuth token, or null. It is
 *   asked for every request, and passed `{forceRefresh: true}` after the server has refused the last one.
 * @property {import('./connection.js').TokenSource} [appCheckToken] Likewise.
 * @property {typeof globalThis.fetch & {host?: string}} [fetch]
 * @property {'indexeddb' | 'memory' | import('./storage.js').QueueStorage} [storage] Where increments wait until the server has
 *   confirmed them. Default `indexeddb`, so that none is lost with the page; where there is none, as in Node, `memory`.
 * @property {RetryOptions} [retry]
 * @property {import('./load.js').WasmSource} [wasm] Where shardline.wasm is, or the module itself.
 * @property {(record: import('./connection.js').RequestRecord) => void} [onRequest] Told about every request.
 * @property {(warning: import('./errors.js').ShardlineError) => void} [onWarning] Told what goes wrong while nobody waits for it:
 *   increments that cannot be stored or not be sent for now. Default `console.warn`.
 */

const OPTIONS = [
  'projectId', 'databaseId', 'host', 'apiKey', 'authToken', 'appCheckToken', 'fetch', 'storage', 'retry', 'wasm', 'onRequest', 'onWarning',
];

/**
 * Opens a connection to one Firestore database. Nothing is sent yet; only the WebAssembly module is loaded.
 * @param {ConnectOptions} options
 * @returns {Promise<Database>}
 */
export async function connect(options) {
  for (const name of Object.keys(options ?? {})) {
    if (!OPTIONS.includes(name)) throw invalidArgument(`connect() has no option “${name}”; it has ${OPTIONS.join(', ')}.`);
  }
  const { projectId, databaseId = '(default)', storage, retry = {}, wasm, onWarning } = options ?? {};
  if (typeof projectId !== 'string') throw invalidArgument('connect() needs a projectId: the id of your Firebase project.');
  const transport = checkTransport(options);
  const seed = [...crypto.getRandomValues(new Uint32Array(8))];
  const name = `shardline ${transport.host} ${projectId} ${databaseId}`;
  const opened = openStorage(storage, name);
  const connection = new Connection(await load(wasm), { projectId, databaseId, retry, seed }, transport);
  return new Database(connection, projectId, databaseId, new QueueStore(connection, opened, name, { onWarning, retry }));
}

/**
 * @param {ConnectOptions} options
 * @returns {import('./connection.js').Transport}
 */
function checkTransport({
  fetch = globalThis.fetch, host = fetch?.host ?? 'https://firestore.googleapis.com', apiKey, authToken, appCheckToken, onRequest, onWarning,
}) {
  if (!/^https?:\/\/[^/?#\s]+\/?$/.test(host)) {
    throw invalidArgument('host must be an origin such as https://firestore.googleapis.com or http://127.0.0.1:8080.');
  }
  for (const [name, value] of Object.entries({ authToken, appCheckToken, fetch, onRequest, onWarning })) {
    if (value !== undefined && typeof value !== 'function') throw invalidArgument(`${name} must be a function.`);
  }
  if (apiKey !== undefined && typeof apiKey !== 'string') throw invalidArgument('apiKey must be a string.');
  return {
    host: host.replace(/\/$/, ''),
    // Browsers' fetch must not be called as a method of something else.
    fetch: (input, init) => fetch(input, init),
    apiKey,
    authToken,
    appCheckToken,
    onRequest,
  };
}

/** One Firestore database; made by `connect()`. */
export class Database {
  #connection;
  #queues;
  #root;

  /**
   * @param {Connection} connection
   * @param {string} projectId
   * @param {string} databaseId
   * @param {QueueStore} queues
   */
  constructor(connection, projectId, databaseId, queues) {
    this.#connection = connection;
    this.#queues = queues;
    this.#root = `projects/${projectId}/databases/${databaseId}/documents/`;
  }

  /**
   * A distributed counter.
   * @param {string} path Of the counter's document, `posts/p1`; for some layouts of its collection of shards.
   * @param {import('./counter.js').CounterOptions} [options]
   */
  counter(path, options) {
    return new Counter(this.#connection, this.#queues, path, options);
  }

  /**
   * Several counters, to be read together.
   * @param {Iterable<string>} paths
   * @param {import('./counter.js').CounterOptions} [options] Of each.
   */
  counters(paths, options) {
    return new Counters(Array.from(new Set(paths), (path) => this.counter(path, options)));
  }

  /**
   * A collection whose documents carry a shard field in front of a monotonic one.
   * @param {string} path `instruments`
   * @param {import('./collection.js').ShardedCollectionOptions} options
   */
  shardedCollection(path, options) {
    return new ShardedCollection(this.#connection, path, options);
  }

  /**
   * A sequence of unique ids.
   * @param {string} path Of the sequence's document, `sequences/orders`.
   * @param {import('./ids.js').IdsOptions} [options]
   */
  ids(path, options) {
    return new Ids(this.#connection, path, options);
  }

  /**
   * A value that names a document of this database.
   * @param {string} path `posts/p1`
   * @returns {import('./values.js').DocumentReference} Spelled out: inferred, it would stand in the .d.ts without its import.
   */
  doc(path) {
    return new DocumentReference(this.#root + path);
  }

  /**
   * Sends the increments that wait, for a few seconds at the most; then ends what is still running, with `cancelled`. Increments
   * that have not been settled by then are sent by the next page, if they are stored.
   */
  async close() {
    await this.#queues.close();
    this.#connection.close();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}
