// Serves the embedded Firestore with its streams in virtual time. It restarts and forgets its sessions, perhaps also its resume tokens. It removes
// targets, and refuses ID tokens that have expired. Its clock jumps ahead.

import { askOf } from '../../../web/library/simulator/streams/ask.js';
import { ListenStream } from '../../../web/library/simulator/streams/listen_stream.js';
import { WebChannels } from '../../../web/library/simulator/streams/web_channel.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const EXPIRED = { code: 401, status: 'UNAUTHENTICATED', message: 'The token has expired.' };
/** For how long a token is good. */
const TOKEN_MS = 10 * 60_000;
/** The causes for which a target is removed for now, by google/rpc/code.proto; undefined: the server names no cause. */
const CAUSES = [undefined, 14, 10, 8];

export class StreamServer {
  /** Whether it removes targets. */
  isHarsh = true;
  /** How often each thing has happened. @type {Record<string, number>} */
  seen = {};
  /** How many documents its streams have sent. */
  sent = 0;
  #clock;
  #dice;
  #engine;
  #ahead = 0;
  #generation = 0;
  /** @type {Set<{stream: ListenStream, fail: () => void, until: number}>} */
  #listening = new Set();
  /** @type {WebChannels | undefined} */
  #channels;
  /** When the token of the request expires that opens a session just now. */
  #opening = Infinity;

  /** @param {import('../outbox/clock.js').Clock} clock @param {import('../outbox/dice.js').Dice} dice @param {any} engine */
  constructor(clock, dice, engine) {
    this.#clock = clock;
    this.#dice = dice;
    this.#engine = engine;
    this.restart(true);
  }

  get now() {
    return this.#clock.now + this.#ahead;
  }

  /** @param {number} ms */
  jump(ms) {
    this.#ahead += ms;
  }

  /** @param {string} what */
  note(what) {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }

  /** How many reads it has billed. */
  get billed() {
    return this.#engine.observe(this.now).billed.reads;
  }

  token() {
    return `h.${btoa(JSON.stringify({ sub: 'ann', exp: Math.floor((this.now + TOKEN_MS) / 1000) }))}.s`;
  }

  /** @param {boolean} forgets Whether it knows no resume token any more. */
  restart(forgets) {
    this.#channels?.close();
    if (forgets) this.#generation += 1;
    // Between the targets of one moment some time goes by.
    const read = askOf(/** @type {any} */ ({ fetch: (/** @type {string} */ url, /** @type {any} */ init) => this.#clock.sleep(this.#dice.between(0, 15)).then(() => this.#handle(url, init)) }), { isBilled: false });
    const generation = `${this.#generation}`;
    const bill = async (/** @type {number} */ reads) => void this.#handle(`http://server/stream/billed/${reads}`, { headers: { authorization: 'Bearer stream' } });
    this.#channels = new WebChannels((_, __, client) => {
      const one = { stream: new ListenStream(read, bill, () => generation, this.#between(client), () => this.#listening.delete(one)), fail: () => client.fail(EXPIRED), until: this.#opening };
      this.#listening.add(one);
      return one.stream;
    });
  }

  /**
   * As from a network: streams, and REST.
   * @param {string} url
   * @param {any} init
   * @returns {Promise<any>} A Response, or its like.
   */
  async fetch(url, init) {
    this.#look();
    if (!url.includes('/Listen/channel')) return this.#rest(url, init);
    const [, token] = /Authorization:Bearer (\S+)/.exec(new URLSearchParams(init.body ?? '').get('headers') ?? '') ?? [];
    this.#opening = expiryOf(token);
    return /** @type {WebChannels} */ (this.#channels).answer(new URL(url), init.method ?? 'GET', init.body ?? '');
  }

  /** @param {any[]} writes @returns {string} The commit time. */
  commit(writes) {
    const { commitTime } = JSON.parse(this.#handle('http://server/v1/projects/demo/databases/(default)/documents:commit', {
      method: 'POST', headers: { authorization: 'Bearer owner' }, body: JSON.stringify({ writes }),
    }).said);
    this.#clock.after(this.#dice.between(0, 40), () => this.#refresh(), null);
    return commitTime;
  }

  #refresh() {
    this.#look();
    for (const { stream } of this.#listening) stream.refresh();
  }

  /** Ends streams whose token has expired. */
  #look() {
    for (const one of [...this.#listening]) {
      if (one.until > this.now) continue;
      this.note('expired');
      one.fail();
    }
  }

  /** @param {string} url @param {any} init */
  #rest(url, init) {
    const { Authorization = '' } = init.headers;
    if (expiryOf(Authorization) > this.now) return this.#handle(url, { ...init, headers: {} });
    return answer(401, JSON.stringify({ error: EXPIRED }));
  }

  /** @param {string} url @param {any} init */
  #handle(url, { method = 'GET', headers, body = '' }) {
    const { pathname, search } = new URL(url);
    const bytes = typeof body === 'string' ? encoder.encode(body) : body.slice();
    const { status, body: said } = this.#engine.handle({ method, target: pathname + search, authorization: headers.authorization ?? '', body: bytes }, this.now);
    return answer(status, decoder.decode(said));
  }

  /** Removes a target now and then, and is silent about it from then on. @param {import('../../../web/library/simulator/streams/web_channel.js').Client} client */
  #between(client) {
    /** @type {Set<number>} */
    const alive = new Set();
    const send = (/** @type {any} */ message) => {
      const { targetChange, documentChange, documentDelete, documentRemove, filter } = message;
      const ids = targetChange?.targetIds ?? documentChange?.targetIds ?? documentDelete?.removedTargetIds ?? documentRemove?.removedTargetIds ?? (filter ? [filter.targetId] : []);
      if (targetChange?.targetChangeType === 'ADD') alive.add(ids[0]);
      if (ids.length > 0 && !alive.has(ids[0])) return;
      if (filter) this.note('filter');
      if (targetChange?.targetChangeType === 'RESET') this.note('unknown token');
      if (documentChange || documentRemove) this.sent += 1;
      if (ids.length === 0 && this.isHarsh && this.#dice.chance(0.03)) this.#removeOne(client, alive);
      client.send(message);
    };
    return { send, fail: client.fail.bind(client) };
  }

  /** @param {import('../../../web/library/simulator/streams/web_channel.js').Client} client @param {Set<number>} alive */
  #removeOne(client, alive) {
    const id = this.#dice.pick([...alive]);
    const code = this.#dice.pick(CAUSES);
    if (!alive.delete(id)) return;
    this.note('removed');
    client.send({ targetChange: { targetChangeType: 'REMOVE', targetIds: [id], ...(code && { cause: { code, message: 'moved' } }) } });
  }
}

/** @param {string | undefined} token */
function expiryOf(token) {
  return token ? JSON.parse(atob(token.split('.')[1] ?? '')).exp * 1000 : 0;
}

/** @param {number} status @param {string} said */
function answer(status, said) {
  return { ok: status === 200, status, said, headers: new Headers(), text: async () => said, arrayBuffer: async () => encoder.encode(said).buffer };
}
