// Sends a request, and takes in its answer. It is the only caller of fetch.

import { now } from './clock.js';
import { ShardlineError } from './errors.js';

/**
 * @typedef {import('./connection.js').Transport} Transport
 * @typedef {import('./connection.js').TokenSource} TokenSource
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Uint8Array} body
 * @property {number} date The server's clock, in milliseconds since 1970. NaN if it is not known: an answer that is not a success may be a proxy's.
 * @property {number} retryAfterMs The pause that the server asks for, in milliseconds; 0 if it asks for none.
 * @property {boolean} isSignedIn Whether the request had a user's token.
 */

/** Firestore's requests and answers are some 10 MiB at the most; the core's memory must not be filled by another server's. */
const MAX_ANSWER = 64 * 2 ** 20;

const BYTES = ['[object ArrayBuffer]', '[object Uint8Array]'];

/** The library ignores a longer pause than this, because it may come from a proxy. */
const MOST_RETRY_AFTER_MS = 3_600_000;

/** The earliest and the latest time that a server's clock may name. */
const EARLIEST = Date.UTC(2020);
const LATEST = Date.UTC(2100);

/** @type {RequestInit | undefined} Computed at the first request, because Node takes 20 ms to make its first Request. */
let uncached;

/**
 * No cache in between may answer, even if a proxy allows it. Cloudflare's workers with a compatibility date before November
 * 2024 throw for this option; they have no cache.
 */
function takeUncached() {
  if (uncached) return uncached;
  uncached = { cache: 'no-store' };
  try {
    void new Request('https://firestore.googleapis.com', uncached);
  } catch {
    uncached = {};
  }
  return uncached;
}

/**
 * @param {Transport} transport
 * @param {{method: string, path: string, body: string | Uint8Array, auth: string | null | undefined, signal: AbortSignal, keepalive?: boolean}} request
 * @returns {Promise<Answer>} Rejects when no answer has come, or one that cannot be read.
 */
export async function send(transport, { path, auth, ...request }) {
  const { host, apiKey, fetch, tokens } = transport;
  const appCheck = tokens?.[1];
  // A body of plain text spares the browser a preflight, unless another header requires one.
  /** @type {Record<string, string>} */
  const headers = { 'Content-Type': auth || appCheck ? 'application/json' : 'text/plain' };
  if (auth) headers.Authorization = `Bearer ${auth}`;
  if (appCheck) headers['X-Firebase-AppCheck'] = appCheck;
  const parameters = [];
  // Firestore indents its answers by default: for documents, that is half of the bytes.
  if (path.endsWith(':runQuery')) parameters.push('prettyPrint=false');
  if (apiKey) parameters.push(`key=${encodeURIComponent(apiKey)}`);
  const url = host + path + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
  const response = await fetch(url, { .../** @type {any} */ (request), headers, credentials: 'omit', ...takeUncached() });
  const answer = { ...await readAnswer(response), isSignedIn: Boolean(auth) };
  if (answer.retryAfterMs > 0) transport.pausedUntil = Math.max(transport.pausedUntil ?? 0, performance.now() + answer.retryAfterMs);
  if (answer.date > EARLIEST && answer.date < LATEST) transport.clockOffset = answer.date - now();
  return answer;
}

/**
 * Takes in an answer, which may be another class than Response, because `fetch` may be the app's. Throws if it is not an answer.
 * @param {Response} response
 */
async function readAnswer(response) {
  const { status } = response;
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new TypeError('fetch() has answered with something that has no HTTP status.');
  const buffer = await response.arrayBuffer();
  // An ArrayBuffer of another realm is no instance of this realm's ArrayBuffer. A number would make that many zeros.
  if (!BYTES.includes(Object.prototype.toString.call(buffer))) throw new TypeError('The answer’s arrayBuffer() has returned something else.');
  if (buffer.byteLength > MAX_ANSWER) throw new RangeError(`The answer has ${buffer.byteLength} bytes: more than Firestore ever sends.`);
  const isSuccess = status >= 200 && status < 300;
  return {
    status,
    body: new Uint8Array(buffer),
    date: isSuccess ? Date.parse(headerOf(response, 'date')) : NaN,
    retryAfterMs: isSuccess ? 0 : retryAfterOf(response),
  };
}

/**
 * Browsers let a page read the header only if the server says so.
 * @param {Response} response
 */
function retryAfterOf(response) {
  const value = headerOf(response, 'retry-after').trim();
  // A date is by the clock of its sender, who says the time with it.
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - (Date.parse(headerOf(response, 'date')) || Date.now());
  return ms > 0 ? Math.min(ms, MOST_RETRY_AFTER_MS) : 0;
}

/**
 * Reads a header. An answer may have no headers, or another kind of headers than a Response.
 * @param {Response} response
 * @param {string} name
 * @returns {string}
 */
function headerOf(response, name) {
  try {
    return `${response.headers.get(name) ?? ''}`;
  } catch {
    return '';
  }
}

/**
 * Milliseconds since 1970 by the best known clock: the server's, or the device's before the first answer.
 * @param {Transport} transport
 */
export function serverNow({ clockOffset }) {
  // Not by Date.now() once the answer is here: the user may set the device's clock between the two.
  return Math.max(Math.round(clockOffset === undefined ? Date.now() : now() + clockOffset), 0);
}

/**
 * The milliseconds that are left of a pause that a server has asked for.
 * @param {Transport} transport
 */
export function pauseMs({ pausedUntil = 0 }) {
  return Math.max(pausedUntil - performance.now(), 0);
}

/**
 * Gets the tokens for the next requests, if the app has any.
 * @param {Transport} transport
 * @param {boolean} forceRefresh
 */
export async function meetTokens(transport, forceRefresh) {
  if (transport.authToken || transport.appCheckToken) await askTokens(transport, forceRefresh);
}

/**
 * Gets the tokens for the next requests.
 * @param {Transport} transport
 * @param {boolean} forceRefresh
 */
export async function askTokens(transport, forceRefresh) {
  const { authToken, appCheckToken } = transport;
  const tokens = await Promise.all([
    askToken('authToken', authToken, forceRefresh),
    askToken('appCheckToken', appCheckToken, forceRefresh),
  ]);
  const last = transport.tokens;
  transport.tokens = tokens;
  if (last && last[0] !== tokens[0]) transport.onNewToken?.();
}

/**
 * @param {string} name Of the option.
 * @param {TokenSource | undefined} source
 * @param {boolean} forceRefresh
 */
async function askToken(name, source, forceRefresh) {
  /** @type {unknown} */
  let token;
  try {
    token = await source?.({ forceRefresh });
  } catch (cause) {
    // Firebase's SDK throws this if it cannot renew a token without the network.
    if (/** @type {any} */ (cause)?.code === 'auth/network-request-failed') {
      throw new ShardlineError('unavailable', `${name}() found no network.`, { reason: 'no-network', cause });
    }
    throw tokenNotGiven(name, `${name}() failed: sign the user in, and let it return a token or null.`, cause);
  }
  if (token === null || token === undefined) return token;
  // fetch() would treat any other invalid header as a network failure, which is tried again.
  if (typeof token === 'string' && /^[\x21-\x7e]*$/.test(token.trim())) return token.trim();
  throw tokenNotGiven(name, `${name}() must return a token, which is a text without spaces, or null.`);
}

/**
 * @param {string} name Of the option.
 * @param {string} message
 * @param {unknown} [cause]
 */
function tokenNotGiven(name, message, cause) {
  return new ShardlineError('unauthenticated', message, { reason: 'token-not-given', params: { function: name }, cause });
}
