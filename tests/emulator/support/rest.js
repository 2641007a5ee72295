/**
 * Firestore's REST v1 without the library: tests prepare documents with it, and check the library's work. It shares no code with the library, so it
 * cannot share its faults.
 */

import { freshFetch } from './fresh_fetch.js';

/** An answer that was not 2xx. */
export class RestError extends Error {
  /** @param {string} what @param {RestAnswer} answer */
  constructor(what, answer) {
    const error = serverError(answer.json);
    super(`${what}: HTTP ${answer.status} ${error?.status ?? ''} ${error?.message ?? answer.text.slice(0, 200)}`);
    this.name = 'RestError';
    this.status = answer.status;
    /** Firestore's own name of the error, such as NOT_FOUND. */
    this.code = error?.status;
    this.answer = answer;
  }
}

/**
 * @typedef {object} RestAnswer
 * @property {number} status
 * @property {Headers} headers
 * @property {string} text
 * @property {any} json  undefined when the body is no JSON
 */

/**
 * @typedef {object} RestOptions
 * @property {string} url  of the emulator or of a proxy, without a slash at the end
 * @property {string} [projectId]
 * @property {string} [databaseId]
 * @property {string | null} [token]  'owner' is above the rules; null sends no Authorization
 * @property {string} [contentType]
 */

/** Firestore documents over bare fetch. Paths are relative to the database: `counters/c1`. */
export class RestClient {
  /** @param {RestOptions} options */
  constructor({ url, projectId = 'demo', databaseId = '(default)', token = 'owner', contentType = 'application/json' }) {
    this.url = url;
    this.projectId = projectId;
    this.token = token;
    this.contentType = contentType;
    this.database = `projects/${projectId}/databases/${databaseId}`;
    this.documents = `${this.database}/documents`;
  }

  /** The full resource name of a path. @param {string} path */
  name(path) {
    return path === '' ? this.documents : `${this.documents}/${path}`;
  }

  /**
   * One request, with any answer.
   * @param {string} method
   * @param {string} path  from the root, such as `/v1/…:commit`
   * @param {unknown} [body]  a string goes out as it is
   * @returns {Promise<RestAnswer>}
   */
  async send(method, path, body) {
    const headers = /** @type {Record<string, string>} */ ({});
    if (this.token !== null) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers['Content-Type'] = this.contentType;
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await freshFetch(this.url + path, { method, headers, body: payload });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  /**
   * A POST to one of the methods of a database or of a parent document.
   * @param {string} method  commit, batchGet, runQuery, runAggregationQuery, …
   * @param {unknown} body
   * @param {string} [parent]  a document's path; '' is the database's root
   */
  post(method, body, parent = '') {
    return this.send('POST', `/v1/${encodePath(this.name(parent))}:${method}`, body);
  }

  /** @param {object[]} writes @param {object} [more] such as `{transaction}` */
  async commit(writes, more = {}) {
    return demand('commit', await this.post('commit', { writes, ...more }));
  }

  /** Documents by path; a missing one is null. @param {string[]} paths @returns {Promise<Map<string, any>>} */
  async batchGet(paths, more = {}) {
    const documents = paths.map((path) => this.name(path));
    const found = new Map(paths.map((path) => [path, null]));
    for (const element of demand('batchGet', await this.post('batchGet', { documents, ...more }))) {
      if (element.found) found.set(this.path(element.found.name), element.found);
    }
    return found;
  }

  /** One document, or null. @param {string} path */
  async get(path) {
    return (await this.batchGet([path])).get(path);
  }

  /** The documents of a query, in its order. @param {object} structuredQuery @returns {Promise<any[]>} */
  async runQuery(structuredQuery, { parent = '', ...more } = {}) {
    const elements = demand('runQuery', await this.post('runQuery', { structuredQuery, ...more }, parent));
    return elements.filter((element) => element.document).map((element) => element.document);
  }

  /**
   * @param {object} structuredQuery @param {object[]} aggregations
   * @returns {Promise<Record<string, any>>} wire values by alias
   */
  async runAggregationQuery(structuredQuery, aggregations, { parent = '', ...more } = {}) {
    const body = { structuredAggregationQuery: { structuredQuery, aggregations }, ...more };
    const elements = demand('runAggregationQuery', await this.post('runAggregationQuery', body, parent));
    return elements.find((element) => element.result).result.aggregateFields;
  }

  /** Every document of a collection, page by page. @param {string} collection @returns {Promise<any[]>} */
  async list(collection) {
    const documents = [];
    let pageToken = '';
    do {
      const query = new URLSearchParams({ pageSize: '300', ...(pageToken && { pageToken }) });
      const page = demand('list', await this.send('GET', `/v1/${encodePath(this.name(collection))}?${query}`));
      documents.push(...(page.documents ?? []));
      pageToken = page.nextPageToken ?? '';
    } while (pageToken);
    return documents;
  }

  /** Writes one document whole, wire values. @param {string} path @param {Record<string, object>} fields */
  async set(path, fields) {
    return this.commit([{ update: { name: this.name(path), fields } }]);
  }

  /** Empties the database; the emulator's own endpoint, not Firestore's. */
  async deleteAll() {
    demand('delete all', await this.send('DELETE', `/emulator/v1/${encodePath(this.documents)}`));
  }

  /** The path within the database of a full name. @param {string} name */
  path(name) {
    if (!name.startsWith(`${this.documents}/`)) throw new Error(`not a name of this database: ${name}`);
    return name.slice(this.documents.length + 1);
  }
}

/**
 * A token that the emulator takes for a signed-in user: the rules see `request.auth.uid`.
 * @param {string} uid
 * @param {{projectId?: string} & Record<string, unknown>} [claims]
 */
export function userToken(uid, { projectId = 'demo', ...claims } = {}) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const payload = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: uid,
    user_id: uid,
    // Fixed: a token that depends on the clock would make a replayed test differ.
    iat: 0,
    exp: 4102444800,
    ...claims,
  };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.`;
}

/** @param {string} what @param {RestAnswer} answer */
function demand(what, answer) {
  if (answer.status < 200 || answer.status > 299 || answer.json === undefined || serverError(answer.json)) {
    throw new RestError(what, answer);
  }
  return answer.json;
}

/** Both forms: the object, and the array around it that streaming methods use. */
function serverError(json) {
  return (Array.isArray(json) ? json.find((element) => element?.error) : json)?.error;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function encodePath(path) {
  return path.split('/').map(encodeURIComponent).join('/');
}
