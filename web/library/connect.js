// The common part of every entry's connect(): it checks the options, and opens the connection.

import { invalidArgument, notAllowed } from './errors.js';
import { readable, readOptions, refuseUnknown } from './options.js';

/**
 * @typedef {object} RetryOptions
 * @property {number} [maxAttempts] How often a request is sent at the most. Default 6.
 * @property {number} [initialDelayMs] The first pause, ± 50 %. Default 1,000.
 * @property {number} [multiplier] By how much each pause is longer than the last. Default 1.5.
 * @property {number} [maxDelayMs] The longest pause. Default 60,000.
 * @property {number} [timeoutMs] How long to wait for an answer. Default 30,000.
 * @property {number} [maxReadMs] How long `get()`, `has()` and queries are sent again while the server does not answer them. Default
 *   10,000, or without an end if you set `maxAttempts`.
 *
 * @typedef {object} ConnectionOptions
 * @property {string} projectId
 * @property {string} [databaseId] Default `(default)`.
 * @property {string} [host] Default `https://firestore.googleapis.com`, or the host of an embedded Firestore's `fetch`;
 *   `http://127.0.0.1:8080` for Google's emulator.
 * @property {string} [apiKey]
 * @property {import('./connection.js').TokenSource} [authToken] Returns a Firebase ID token or an OAuth token, or null. It is
 *   asked for every request, and passed `{forceRefresh: true}` after the server has refused the last one.
 * @property {import('./connection.js').TokenSource} [appCheckToken] The same.
 * @property {typeof globalThis.fetch & {host?: string, storage?: 'memory'}} [fetch] Default: that of the page, or of the server.
 * @property {RetryOptions} [retry]
 * @property {import('./load.js').WasmOption} [wasm] Where the WebAssembly is, if not beside the library: a function that is told
 *   the name of a file when it is needed, and returns its URL, or a Response, bytes or a WebAssembly.Module. The first file is
 *   `shardline.wasm`, `counters.wasm` or `collections.wasm`, as what you import; the second is `admin.wasm`, with what pages
 *   seldom call: create(), resize(), migrate(), delete(), cleanUp(), stats(), increments with a key or with the
 *   delivery `transaction`, and collections' backfill() and reshard(). Anything but a function is the first file; then the second is beside it if it is
 *   a URL, and otherwise beside the library.
 * @property {(record: import('./connection.js').RequestRecord) => void} [onRequest] Told about every request.
 */

const OPTIONS = ['projectId', 'databaseId', 'host', 'apiKey', 'authToken', 'appCheckToken', 'fetch', 'retry', 'wasm', 'onRequest'];

/**
 * @typedef {ReturnType<typeof import('./load.js').loader>} Load
 *
 * @param {ConnectionOptions} given Whatever was passed in.
 * @param {string[]} [more] The names of further options, which the caller checks.
 */
export function checkOptions(given, more = []) {
  const options = readOptions('connect', given);
  refuseUnknown('connect()', options, [...OPTIONS, ...more], (name) => (
    // Objects of Firebase's SDKs have properties that begin with `_`, and a firebaseConfig has an authDomain.
    /^_|authDomain/.test(name) && ' An app of Firebase is for shardline/firebase, its projectId and apiKey for this.'));
  const { projectId, databaseId = '(default)', retry = {}, wasm } = options;
  if (typeof projectId !== 'string') throw notAllowed('projectId', 'the id of your Firebase project', 'connect() needs a projectId: the id of your Firebase project.');
  if (typeof databaseId !== 'string') throw notAllowed('databaseId', 'a string');
  const transport = readable('options', () => checkTransport(options), 'The options of connect()');
  return {
    /** The name of this database's storage in the browser. */
    name: `shardline ${transport.host} ${projectId} ${databaseId}`,
    /** Where what waits to be sent is kept, unless the app says. */
    storage: transport.storage,
    /** Where its documents are. */
    root: `projects/${projectId}/databases/${databaseId}/documents/`,
    /** For the core. */
    config: { projectId, databaseId, retry },
    transport,
    wasm,
  };
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function checkFunction(name, value) {
  if (value !== undefined && typeof value !== 'function') throw notAllowed(name, 'a function');
}

/**
 * @param {ConnectionOptions} options
 * @returns {import('./connection.js').Transport & {storage?: 'memory'}}
 */
function checkTransport({
  fetch = globalThis.fetch, host = fetch?.host ?? 'https://firestore.googleapis.com', apiKey, authToken, appCheckToken, onRequest,
}) {
  // With one that fetch() refuses, the key would stand in what it says.
  if (typeof host !== 'string' || !/^https?:\/\/[^/\\?#@\s]+\/?$/.test(host) || URL.canParse?.(host) === false) {
    throw notAllowed('host', 'an origin such as https://firestore.googleapis.com or http://127.0.0.1:8080');
  }
  for (const [name, value] of Object.entries({ authToken, appCheckToken, fetch, onRequest })) {
    checkFunction(name, value);
  }
  if (!fetch) {
    throw invalidArgument('There is no fetch() here: pass one, connect({ fetch }).', {
      reason: 'argument-missing',
      params: { argument: 'fetch', allowed: 'a function' },
    });
  }
  if (apiKey !== undefined && typeof apiKey !== 'string') throw notAllowed('apiKey', 'a string');
  return {
    host: host.replace(/\/$/, ''),
    // Browsers' fetch must not be called as a method of something else.
    fetch: (input, init) => fetch(input, init),
    storage: fetch.storage,
    apiKey,
    authToken,
    appCheckToken,
    onRequest,
  };
}
