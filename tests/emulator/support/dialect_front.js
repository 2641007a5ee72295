/**
 * An HTTP server in front of Google's emulator that words its answers like another server: like production, or like a proxy that rewrites
 * production's JSON. The meaning of an answer stays the same. src/simulator/dialect.h has the table; this is a second reading of it, which shares no
 * code with that one.
 *
 *   DIALECT=proxy:7 node --test tests/emulator/counter.test.js    this dialect; the seed draws its variations
 *   DIALECT=production …                                          this dialect
 */
import { createServer, request as httpRequest } from 'node:http';
import { Random } from './random.js';

/** @typedef {'emulator' | 'production' | 'proxy'} Dialect */

/** @type {Dialect[]} */
export const DIALECTS = ['emulator', 'production', 'proxy'];

/** The methods whose answers are arrays of messages. */
const STREAMS = new Set(['runQuery', 'runAggregationQuery', 'batchGet']);

/** Objects below these belong to the user: their members are fields, or values of which the one member is the type. */
const USERS = new Set(['fields', 'aggregateFields', 'transformResults']);

/** Members that no API has yet. They mislead a reader that looks for names at any depth, or that counts brackets in strings. */
const UNKNOWN_MEMBERS = Object.entries({
  futureFlag: false,
  futureNumber: 1.5e-7,
  futureNothing: null,
  futureText: '"}],[{"readTime":"\\',
  futureList: [[], {}, [{ found: { name: 'x' }, missing: 'y' }]],
  futureMessage: { name: 'x', fields: { count: { integerValue: '7' } }, error: { code: 500 }, done: true },
  document_: { name: 'x' },
  explainMetrics: { executionStats: { resultsReturned: '0' } },
});

/** @type {{dialect: Dialect, seed: number} | undefined} */
let drawn;

/**
 * The dialect of this test file, from the environment or drawn once; printed, so that a failure can be replayed. For fronts, and
 * for createEmbeddedFirestore().
 * @returns {{dialect: Dialect, seed: number}}
 */
export function runDialect() {
  drawn ??= draw();
  return drawn;
}

/** @returns {{dialect: Dialect, seed: number}} */
function draw() {
  const [name = '', number] = (process.env.DIALECT ?? '').split(':');
  const seed = number === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(number);
  const dialect = name === '' ? new Random(seed).pick(DIALECTS) : /** @type {Dialect} */ (name);
  if (!DIALECTS.includes(dialect) || !Number.isSafeInteger(seed)) {
    throw new Error(`DIALECT must be one of ${DIALECTS.join(', ')}, with a seed behind a colon if need be; got ${process.env.DIALECT}.`);
  }
  console.log(`answers are worded as by DIALECT=${dialect}:${seed}`);
  return { dialect, seed };
}

/** Words answers. If several wordings are possible, the seed draws one. */
export class Wording {
  /** @param {Dialect} dialect @param {number} seed */
  constructor(dialect, seed) {
    this.dialect = dialect;
    this.random = new Random(seed);
  }

  /**
   * @param {string} verb runQuery, commit, …; '' for plain document paths
   * @param {string} text The emulator's answer, JSON.
   */
  reword(verb, text) {
    if (this.dialect === 'emulator') return text;
    const answer = JSON.parse(text);
    const error = (Array.isArray(answer) ? answer[0] : answer)?.error;
    if (error) return this.#error(verb, error);
    if (!STREAMS.has(verb) || !Array.isArray(answer)) return this.#whole(answer);
    return this.#stream(this.#elements(verb, answer));
  }

  /** @param {string} verb @param {any} error */
  #error(verb, error) {
    const details = error.status === 'INVALID_ARGUMENT'
      ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ description: error.message }] }]
      : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: error.status, domain: 'firestore.googleapis.com', metadata: { service: 'firestore.googleapis.com' } }];
    const message = { error: { ...error, details } };
    return STREAMS.has(verb) ? this.#stream([message]) : this.#whole(message);
  }

  /**
   * The elements of a stream as production sends them.
   * @param {string} verb @param {any[]} given @returns {any[]}
   */
  #elements(verb, given) {
    const { random } = this;
    const begun = given.filter((element) => element.transaction !== undefined);
    const rest = given.filter((element) => element.transaction === undefined).map(({ done, ...element }) => element);
    if (verb === 'batchGet') return [...begun, ...random.shuffle(rest)];
    if (verb === 'runAggregationQuery') return [...begun, ...rest];
    const readTime = rest.at(-1)?.readTime;
    if (!rest.some((element) => element.document)) return [...begun, ...rest];
    const elements = [];
    // The emulator says it in each element but the last; production says it once.
    let skippedResults = Math.max(0, ...rest.map((element) => element.skippedResults ?? 0));
    for (const { document } of rest) {
      if (random.chance(0.1)) elements.push(this.#progress(readTime, skippedResults), { document, readTime });
      else elements.push({ document, readTime, ...(skippedResults > 0 && { skippedResults }) });
      skippedResults = 0;
    }
    if (random.chance(0.25)) elements.push(this.#progress(readTime, 0));
    return [...begun, ...elements];
  }

  /** @param {string} readTime @param {number} skippedResults */
  #progress(readTime, skippedResults) {
    // A member with its default is left out; but proxies may write it.
    const says = skippedResults > 0 || (this.dialect === 'proxy' && this.random.chance(0.5));
    return { readTime, ...(says && { skippedResults }) };
  }

  /** @param {any} message */
  #whole(message) {
    if (this.dialect === 'proxy') return this.#loose(message);
    return `${pretty(message)}\n`;
  }

  /** @param {any[]} elements */
  #stream(elements) {
    if (this.dialect === 'proxy') return this.#loose(elements);
    if (elements.length === 0) return '[]';
    return `[${elements.map(pretty).join(this.random.pick(['\n,', '\n,\n']))}\n]`;
  }

  /** @param {any} json */
  #loose(json) {
    const { random } = this;
    const writer = new LooseWriter(random, {
      spaced: random.chance(0.7), shuffled: random.chance(0.7), extended: random.chance(0.7), escaped: random.chance(0.5),
    });
    return writer.space() + writer.value(json, true) + writer.space();
  }
}

/** @param {any} json */
function pretty(json) {
  return JSON.stringify(json, null, 2).replace(/[<>]/g, unicodeEscape);
}

/** @param {string} text */
function unicodeEscape(text) {
  return [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

/** Writes JSON in an unusual way. */
class LooseWriter {
  /** @param {Random} random @param {{spaced: boolean, shuffled: boolean, extended: boolean, escaped: boolean}} habits */
  constructor(random, habits) {
    this.random = random;
    this.habits = habits;
  }

  space() {
    return this.habits.spaced ? this.random.pick(['', '', '', ' ', '   ', '\n', '\r\n', '\t']) : '';
  }

  /** @param {any} json @param {boolean} open Whether its members may be joined by others. @returns {string} */
  value(json, open) {
    if (Array.isArray(json)) {
      return `[${json.map((element) => this.space() + this.value(element, open) + this.space()).join(',') || this.space()}]`;
    }
    if (json !== null && typeof json === 'object') return this.#object(Object.entries(json), open);
    return typeof json === 'string' ? this.#string(json) : JSON.stringify(json);
  }

  /** @param {[string, any][]} members @param {boolean} open */
  #object(members, open) {
    const { random, habits } = this;
    let all = open && habits.extended && random.chance(0.5) ? [...members, random.pick(UNKNOWN_MEMBERS)] : members;
    if (habits.shuffled) all = random.shuffle(all);
    const texts = all.map(([key, value]) => this.space() + this.#string(key) + this.space() + ':' + this.space()
      + this.value(value, open && !USERS.has(key)) + this.space());
    return `{${texts.join(',') || this.space()}}`;
  }

  /** @param {string} text */
  #string(text) {
    const json = JSON.stringify(text);
    return this.habits.escaped ? json.replaceAll('/', '\\/').replace(/[\u007f-\uffff]/g, unicodeEscape) : json;
  }
}

/** Listens on a free port of 127.0.0.1; use `url` in place of the emulator's. */
export class DialectFront {
  #server;
  #target;
  #wording;
  url = '';

  /** @param {{target: string, dialect: Dialect, seed: number}} options */
  constructor({ target, dialect, seed }) {
    this.#target = target;
    this.#wording = new Wording(dialect, seed);
    this.#server = createServer((incoming, outgoing) => {
      // Like a connection without this front: the server behind it has gone.
      this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  async start() {
    await new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => resolve(undefined));
    });
    this.url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port}`;
    // It must not keep a finished test file alive.
    this.#server.unref();
    return this;
  }

  async stop() {
    if (!this.#server.listening) return;
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  /** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} outgoing */
  async #pass(incoming, outgoing) {
    const { method = 'GET', url = '/' } = incoming;
    const { 'accept-encoding': _, host, ...headers } = incoming.headers;
    // Over a connection of its own, because the emulator closes those that it has kept alive.
    const forwarded = httpRequest(this.#target + url, { method, headers, agent: false });
    const answered = new Promise((resolve, reject) => forwarded.once('response', resolve).once('error', reject));
    // A client that leaves takes its request along.
    outgoing.once('close', () => outgoing.writableFinished || forwarded.destroy());
    // Both at once: a client that leaves in the middle of its request ends the request that has been passed on, too.
    const [real] = await Promise.all([
      /** @type {Promise<import('node:http').IncomingMessage>} */ (answered),
      bytesOf(incoming).then((sent) => forwarded.end(sent)),
    ]);
    let body = await bytesOf(real);
    if (/^application\/json/.test(real.headers['content-type'] ?? '') && body.length > 0) {
      const verb = /:([A-Za-z]+)$/.exec(url.split('?')[0])?.[1] ?? '';
      body = Buffer.from(this.#wording.reword(verb, body.toString()));
    }
    const { 'transfer-encoding': __, 'content-length': ___, connection, ...kept } = real.headers;
    outgoing.writeHead(real.statusCode ?? 500, { ...kept, 'content-length': body.length });
    outgoing.end(body);
  }
}

/** @param {import('node:http').IncomingMessage} stream */
async function bytesOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
