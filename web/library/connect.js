// The common part of every entry's connect(): it checks the options, and opens the connection. Retries use exponential back-off with jitter.

import { invalidArgument, notAllowed } from './errors.js';
import { readable, readOptions, refuseUnknown } from './options.js';

/**
 * @typedef {object} RetryOptions
 * @property {number} [maxAttempts] The most attempts of a request, with the first one. Default 6.
 * @property {number} [initialDelayMs] The first pause, in milliseconds, ± 50 %. Default 1,000.
 * @property {number} [multiplier] The factor from one pause to the next, at least 1. Default 1.5.
 * @property {number} [maxDelayMs] The longest pause, in milliseconds. Default 60,000.
 * @property {number} [timeoutMs] How long an attempt waits for an answer, in milliseconds. Default 30,000.
 * @property {number} [maxReadMs] How long, in milliseconds, the library sends `get()`, `has()` and queries again while the server does not answer.
 *   Default 10,000, or no limit if you set `maxAttempts`.
 *
 * @typedef {object} ConnectionOptions
 * @property {string} projectId
 * @property {string} [databaseId] Default `(default)`.
 * @property {string} [host] Default `https://firestore.googleapis.com`, or the host of an embedded Firestore's `fetch`;
 *   `http://127.0.0.1:8080` for Google's emulator.
 * @property {string} [apiKey]
 * @property {import('./connection.js').TokenSource} [authToken] Returns a Firebase ID token or an OAuth token, or null. The library calls it for
 *   every request, and passes `{forceRefresh: true}` after the server has refused the last token.
 * @property {import('./connection.js').TokenSource} [appCheckToken] The same for an App Check token.
 * @property {typeof globalThis.fetch & {host?: string, storage?: 'memory'}} [fetch] Default: the global fetch().
 * @property {RetryOptions} [retry]
 * @property {import('./load.js').WasmOption} [wasm] The WebAssembly files, if they are not beside the library: a function that takes the name of a
 *   file, and returns its URL, a Response, bytes or a WebAssembly.Module. The first file is `shardline.wasm`, `counters.wasm` or `collections.wasm`,
 *   depending on the entry that you import. The second is `admin.wasm`, with the calls that pages seldom make: create(), resize(), migrate(),
 *   delete(), cleanUp(), stats(), increments with a key or with the delivery `transaction`, and collections' backfill() and reshard(). Any other
 *   value is the first file; then the second is beside it if it is a URL, and otherwise beside the library.
 * @property {(record: import('./connection.js').RequestRecord) => void} [onRequest] Called for every request.
 */

const OPTIONS = ['projectId', 'databaseId', 'host', 'apiKey', 'authToken', 'appCheckToken', 'fetch', 'retry', 'wasm', 'onRequest'];

/**
 * @typedef {ReturnType<typeof import('./load.js').loader>} Load
 *
 * @param {ConnectionOptions} given The caller's options, unchecked.
 * @param {string[]} [more] The names of further options, which the caller checks.
 */
export function checkOptions(given, more = []) {
  const options = readOptions('connect', given);
  refuseUnknown('connect()', options, [...OPTIONS, ...more], (name) => (
    // Objects of Firebase's SDKs have properties that begin with `_`, and a firebaseConfig has an authDomain.
    /^_|authDomain/.test(name) && ' Pass only projectId and apiKey, or pass the app to connect() of shardline/firebase.'));
  const { projectId, databaseId = '(default)', retry = {}, wasm } = options;
  if (typeof projectId !== 'string') throw notAllowed('projectId', 'the id of your Firebase project', 'connect() needs a projectId: the id of your Firebase project.');
  if (typeof databaseId !== 'string') throw notAllowed('databaseId', 'a string');
  const transport = readable('options', () => checkTransport(options), 'The options of connect()');
  return {
    /** The name of this database's storage in the browser. */
    name: `shardline ${transport.host} ${projectId} ${databaseId}`,
    /** The storage of waiting increments, unless the app chooses one. */
    storage: transport.storage,
    /** The prefix of its documents' names. */
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
  // If fetch() refused the host, its message would contain the key.
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
    // Browsers' fetch must not be called as a method of another object.
    fetch: (input, init) => fetch(input, init),
    storage: fetch.storage,
    apiKey,
    authToken,
    appCheckToken,
    onRequest,
  };
}
