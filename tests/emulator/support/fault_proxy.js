/**
 * An HTTP proxy in front of the emulator that breaks the part that a test names: the request, the answer, or the connection between them. Whether a
 * broken request was applied is part of each fault's definition.
 */
import { createServer, request as httpRequest } from 'node:http';
import { Random } from './random.js';

/**
 * The fault of one request.
 * @typedef {object} Fault
 * @property {string} kind  for logs
 * @property {number} [forward]  how often the request reaches the emulator: 0 (not applied), 1 (default), 2 (sent twice)
 * @property {() => Promise<unknown>} [before]  awaited before forwarding
 * @property {() => Promise<unknown>} [after]  awaited between the emulator's answer and the client's
 * @property {(real: Answer | null) => Answer | typeof RESET} [answer]  what the client gets instead of the real answer
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').OutgoingHttpHeaders} headers
 * @property {Buffer} body
 * @property {number} [cutAt]  the connection is reset after so many bytes of the body
 */

/**
 * A request as a fault's chooser and a test see it.
 * @typedef {object} SeenRequest
 * @property {number} index  counts from 0, preflights not counted
 * @property {string} method
 * @property {string} path  with its query
 * @property {string} verb  commit, runQuery, …; '' for plain document paths
 * @property {string} body
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string | null} fault  the kind of the fault it met
 * @property {number | null} status  what the client was told; null when it was told nothing
 */

/** @typedef {(request: SeenRequest) => Fault | null | undefined} FaultChooser */

/** The client sees its connection reset. */
export const RESET = Symbol('reset');

const JSON_TYPE = 'application/json; charset=utf-8';

/** @param {number} status @param {string} body @param {string} type @returns {Answer} */
const made = (status, body, type = JSON_TYPE) => ({ status, headers: { 'content-type': type }, body: Buffer.from(body) });

/** @param {Answer} real @param {Buffer} body @returns {Answer} */
const withBody = (real, body) => ({ ...real, body });

/** @param {number} code @param {string} status @param {string} message */
export const errorBody = (code, status, message) => JSON.stringify({ error: { code, message, status } }, null, 2);

/** The faults. Each call makes one; give it to `script`, or return it from a chooser. */
export const faults = {
  /** The connection is reset before the emulator sees the request: not applied, but the client cannot know. */
  dropRequest: () => ({ kind: 'dropRequest', forward: 0, answer: () => RESET }),

  /** Applied; the answer never arrives. */
  dropResponse: () => ({ kind: 'dropResponse', answer: () => RESET }),

  /** Applied; the answer stops after `bytes` bytes (default: half of it) and the connection is reset. */
  cutResponse: (bytes) => ({
    kind: 'cutResponse',
    answer: (real) => ({ ...real, cutAt: bytes ?? Math.floor(real.body.length / 2) }),
  }),

  /** Applied; the answer is shortened, but whole by HTTP's measure: the work of a faulty middlebox. */
  truncate: (bytes) => ({
    kind: 'truncate',
    answer: (real) => withBody(real, real.body.subarray(0, bytes ?? Math.floor(real.body.length / 2))),
  }),

  /** The same request reaches the emulator twice; the client gets the second answer. Browsers do so on a reused connection that is cut. */
  duplicate: () => ({ kind: 'duplicate', forward: 2 }),

  /** Passed on after `ms`. For tests that measure time-outs; to put two requests in order, use `hold`. */
  delay: (ms) => ({ kind: 'delay', before: () => new Promise((resolve) => setTimeout(resolve, ms)) }),

  /** Passed on when the promise resolves. */
  hold: (until) => ({ kind: 'hold', before: () => until }),

  /** Applied at once; the answer waits for the promise. */
  holdResponse: (until) => ({ kind: 'holdResponse', after: () => until }),

  /** Not applied; the client gets this answer. */
  answer: (status, body, type) => ({ kind: `answer ${status}`, forward: 0, answer: () => made(status, body, type) }),

  /** Applied; the client gets this answer nevertheless. */
  answerAfter: (status, body, type) => ({ kind: `answerAfter ${status}`, answer: () => made(status, body, type) }),

  unavailable: () => faults.answer(503, errorBody(503, 'UNAVAILABLE', 'The service is currently unavailable.')),
  internal: () => faults.answer(500, errorBody(500, 'INTERNAL', 'Internal error encountered.')),
  exhausted: () => faults.answer(429, errorBody(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')),
  aborted: () => faults.answer(409, errorBody(409, 'ABORTED', 'Too much contention on these documents. Please try again.')),
  denied: () => faults.answer(403, errorBody(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.')),
  unauthenticated: () => faults.answer(401, errorBody(401, 'UNAUTHENTICATED', 'Missing or invalid authentication.')),
  html: (status = 502) => faults.answer(status, '<!DOCTYPE html>\n<html><title>Bad Gateway</title></html>\n', 'text/html'),
  emptyBody: (status = 200) => faults.answer(status, ''),

  /** The emulator's array up to `elements` elements, then an error as its last one: a stream that failed on the way. */
  errorInArray: (elements = 1, status = 'UNAVAILABLE', code = 503) => ({
    kind: 'errorInArray',
    answer: (real) => {
      const array = [].concat(JSON.parse(real.body.toString())).slice(0, elements);
      array.push({ error: { code, message: 'The stream was interrupted.', status } });
      return withBody(real, Buffer.from(JSON.stringify(array)));
    },
  }),

  /** The error form of streaming methods, `[{"error": …}]`, which the emulator never uses and production does. */
  arrayError: (code, status, message = 'A made-up error.') => ({
    ...faults.answer(code, JSON.stringify([{ error: { code, message, status } }], null, 2)),
    kind: `arrayError ${status}`,
  }),

  /** The real answer, indented as production sends it. */
  pretty: () => ({
    kind: 'pretty',
    answer: (real) => withBody(real, Buffer.from(`${JSON.stringify(JSON.parse(real.body.toString()), null, 2)}\n`)),
  }),
};

/** The faults a seeded run draws from, with their usual share of the requests. */
export const DEFAULT_RATES = {
  dropRequest: 0.04,
  dropResponse: 0.04,
  cutResponse: 0.02,
  truncate: 0.02,
  duplicate: 0.02,
  unavailable: 0.03,
  internal: 0.01,
  exhausted: 0.01,
  aborted: 0.03,
  html: 0.01,
  emptyBody: 0.01,
};

/** Listens on a free port of 127.0.0.1; use `url` in place of the emulator's. */
export class FaultProxy {
  /** @type {SeenRequest[]} every request so far, preflights left out */
  requests = [];

  #target;
  #server;
  #sockets = new Set();
  /** @type {(Fault | null)[]} */
  #script = [];
  /** @type {FaultChooser} */
  #chooser = () => null;
  /** @type {{count: number, filter: (request: SeenRequest) => boolean, resolve: (value?: unknown) => void}[]} */
  #waiters = [];
  #port = 0;

  /** @param {{target: string}} options `target` is the emulator's url */
  constructor({ target }) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => {
      // A client that went away is the client's business; anything else must not go unseen.
      this.#serve(request, response).catch((error) => {
        if (response.socket && !response.socket.destroyed) response.socket.destroy(error);
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  async start() {
    await new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => resolve(undefined));
    });
    this.#port = /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
    this.#server.unref();
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Faults for the next requests in order; null lets one pass. They come before the chooser's. @param {...(Fault | null)} list */
  script(...list) {
    this.#script.push(...list);
    return this;
  }

  /** Asked about every request that the script does not cover. @param {FaultChooser} chooser */
  choose(chooser) {
    this.#chooser = chooser;
    return this;
  }

  /**
   * Random faults, the same for the same seed and the same sequence of requests.
   * @param {number} seed
   * @param {Partial<Record<keyof typeof faults, number>>} [rates] shares of the requests, by fault
   * @param {(request: SeenRequest) => boolean} [filter] others pass
   */
  seeded(seed, rates = DEFAULT_RATES, filter = () => true) {
    const random = new Random(seed);
    return this.choose((request) => {
      if (!filter(request)) return null;
      let drawn = random.unit();
      for (const [kind, rate] of Object.entries(rates)) {
        if (drawn < rate) return faults[kind]();
        drawn -= rate;
      }
      return null;
    });
  }

  /** Ends every fault, and forgets all seen requests. */
  reset() {
    this.requests = [];
    this.#script = [];
    this.#chooser = () => null;
    return this;
  }

  /** How many requests there were, of one verb or of all. @param {string} [verb] such as 'commit' */
  count(verb) {
    return this.requests.filter((request) => verb === undefined || request.verb === verb).length;
  }

  /** Resolves when `count` requests of the verb have arrived since the last `reset`. @param {string} [verb] */
  async arrived(count = 1, verb = undefined) {
    const filter = (request) => verb === undefined || request.verb === verb;
    if (this.requests.filter(filter).length >= count) return;
    await new Promise((resolve) => this.#waiters.push({ count, filter, resolve }));
  }

  /** Resets every open connection, idle ones too, like a network change. */
  cutConnections() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cutConnections();
    await closed;
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #serve(request, response) {
    const body = await readAll(request);
    if (request.method === 'OPTIONS') {
      reply(request, response, { status: 204, headers: preflightHeaders(request), body: Buffer.alloc(0) });
      return;
    }
    const seen = this.#remember(request, body);
    const fault = this.#script.length ? this.#script.shift() : this.#chooser(seen);
    seen.fault = fault?.kind ?? null;

    await fault?.before?.();
    let real = null;
    for (let left = fault?.forward ?? 1; left > 0; left -= 1) real = await this.#forward(request, body);
    await fault?.after?.();
    const answer = fault?.answer ? fault.answer(real) : /** @type {Answer} */ (real);

    if (answer === RESET) {
      request.socket.resetAndDestroy();
      return;
    }
    seen.status = answer.status;
    reply(request, response, answer);
  }

  /** @param {import('node:http').IncomingMessage} request @param {Buffer} body */
  #remember(request, body) {
    const path = request.url ?? '/';
    /** @type {SeenRequest} */
    const seen = {
      index: this.requests.length,
      method: request.method ?? '',
      path,
      verb: /:([A-Za-z]+)(?:\?|$)/.exec(path)?.[1] ?? '',
      body: body.toString(),
      headers: request.headers,
      fault: null,
      status: null,
    };
    this.requests.push(seen);
    this.#waiters = this.#waiters.filter((waiter) => {
      const enough = this.requests.filter(waiter.filter).length >= waiter.count;
      if (enough) waiter.resolve();
      return !enough;
    });
    return seen;
  }

  /** @param {import('node:http').IncomingMessage} request @param {Buffer} body @returns {Promise<Answer>} */
  #forward(request, body) {
    return new Promise((resolve, reject) => {
      const headers = { ...request.headers, host: this.#target.host, 'content-length': String(body.length) };
      // Hop-by-hop: they describe the client's connection to this proxy.
      delete headers.connection;
      delete headers['transfer-encoding'];
      const onward = httpRequest(
        // A connection of its own, so a fault of the proxy is never a fault of a reused connection behind it.
        { hostname: this.#target.hostname, port: this.#target.port, method: request.method, path: request.url, headers, agent: false },
        (answer) => {
          readAll(answer).then((answerBody) => resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: answerBody,
          }), reject);
        },
      );
      onward.once('error', reject);
      onward.end(body);
    });
  }
}

/** @param {{target: string}} options */
export async function startFaultProxy(options) {
  return new FaultProxy(options).start();
}

/** @param {import('node:stream').Readable} stream @returns {Promise<Buffer>} */
async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {Answer} answer
 */
function reply(request, response, answer) {
  const headers = { ...corsHeaders(request), ...answer.headers, 'content-length': String(answer.body.length) };
  delete headers['transfer-encoding'];
  delete headers.connection;
  response.writeHead(answer.status, headers);
  if (answer.cutAt === undefined) {
    response.end(answer.body);
    return;
  }
  // The reset waits until the bytes are on their way: a reset may overtake them and take them along.
  response.write(answer.body.subarray(0, answer.cutAt), () => request.socket.resetAndDestroy());
}

/** Pages of another origin may read even an answer that the proxy made up. */
function corsHeaders(request) {
  return request.headers.origin ? { 'access-control-allow-origin': request.headers.origin } : {};
}

/** It grants every header that the page asks for, like Firestore in production. */
function preflightHeaders(request) {
  return {
    'access-control-allow-methods': 'DELETE,GET,HEAD,PATCH,POST,PUT',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
    'access-control-max-age': '3600',
  };
}
