// Sends a request, and takes in its answer: the only caller of fetch.

import { now } from './clock.js';
import { ShardlineError } from './errors.js';

/**
 * @typedef {import('./connection.js').Transport} Transport
 * @typedef {import('./connection.js').TokenSource} TokenSource
 *
 * @typedef {{status: number, body: Uint8Array, date: number}} Answer `date` is the server's clock, in milliseconds since 1970. It is
 *   NaN if that is not known: what is no success may be a proxy's answer.
 */

/** Firestore's requests and answers are some 10 MiB at the most; the core's memory is not to be filled by somebody else's. */
const MAX_ANSWER = 64 * 2 ** 20;

const BYTES = ['[object ArrayBuffer]', '[object Uint8Array]'];

/** What a server's clock can say. */
const EARLIEST = Date.UTC(2020);
const LATEST = Date.UTC(2100);

/** @type {RequestInit | undefined} Found out at the first request: Node takes 20 ms to make its first Request. */
let uncached;

/**
 * No answer comes from a cache, whatever stands in between says of it. Cloudflare's workers with a compatibility date before November
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
  // A body of plain text spares the browser a preflight, as long as no other header asks for one anyway.
  /** @type {Record<string, string>} */
  const headers = { 'Content-Type': auth || appCheck ? 'application/json' : 'text/plain' };
  if (auth) headers.Authorization = `Bearer ${auth}`;
  if (appCheck) headers['X-Firebase-AppCheck'] = appCheck;
  const parameters = [];
  // Firestore indents its answers unless it is asked not to: of documents, that is half of the bytes.
  if (path.endsWith(':runQuery')) parameters.push('prettyPrint=false');
  if (apiKey) parameters.push(`key=${encodeURIComponent(apiKey)}`);
  const url = host + path + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
  const answer = await readAnswer(await fetch(url, { .../** @type {any} */ (request), headers, credentials: 'omit', ...takeUncached() }));
  if (answer.date > EARLIEST && answer.date < LATEST) transport.clockOffset = answer.date - now();
  return answer;
}

/**
 * Takes in an answer, which need not be a Response: `fetch` may be anybody's. Throws if it is no answer.
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
async function readAnswer(response) {
  const { status } = response;
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new TypeError('fetch() has answered with something that has no HTTP status.');
  const buffer = await response.arrayBuffer();
  // Of another realm it is no instance of this ArrayBuffer. A number would make that many zeros.
  if (!BYTES.includes(Object.prototype.toString.call(buffer))) throw new TypeError('The answer’s arrayBuffer() has returned something else.');
  if (buffer.byteLength > MAX_ANSWER) throw new RangeError(`The answer has ${buffer.byteLength} bytes: more than Firestore ever sends.`);
  return { status, body: new Uint8Array(buffer), date: status >= 200 && status < 300 ? dateOf(response) : NaN };
}

/**
 * An answer without headers, or with others than a Response has, is an answer all the same.
 * @param {Response} response
 */
function dateOf(response) {
  try {
    return Date.parse(response.headers.get('date') ?? '');
  } catch {
    return NaN;
  }
}

/**
 * Milliseconds since 1970 by the best clock there is: the server's, or the device's until an answer has told that one.
 * @param {Transport} transport
 */
export function serverNow({ clockOffset }) {
  // Not by Date.now() once the answer is here: somebody may put the device's clock right between the two.
  return Math.max(Math.round(clockOffset === undefined ? Date.now() : now() + clockOffset), 0);
}

/**
 * Gets the tokens for what is sent next, if there are any.
 * @param {Transport} transport
 * @param {boolean} forceRefresh
 */
export async function meetTokens(transport, forceRefresh) {
  if (transport.authToken || transport.appCheckToken) await askTokens(transport, forceRefresh);
}

/**
 * Gets the tokens for what is sent next.
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
    throw tokenNotGiven(name, `${name}() failed: sign the user in, and let it return a token or null.`, cause);
  }
  if (token === null || token === undefined) return token;
  // What else a header cannot hold, fetch() would take for a network failure, which is tried again.
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
