// The way to the server, and the server: the embedded Firestore. The time of a request's arrival, the number of arrivals and the loss of its answer
// are drawn apart from each other. A sent request may still arrive at any later time.

const encoder = new TextEncoder();
const DAY_MS = 24 * 3_600_000;

export class Network {
  isDown = false;
  faults = { lose: 0, loseAnswer: 0, duplicate: 0, late: 0, abort: 0, unavailable: 0 };
  /** By how many milliseconds every commit arrives later, and its answer comes later. Other requests are as quick as ever. */
  slow = { arrival: 0, answer: 0 };
  /** Whether commits need a token. */
  needsUser = false;
  /** What stands in the header `Date` of an answer, if anything. @type {(status: number) => string | null} */
  date = () => null;
  /** Whether a proxy answers instead of the server. */
  isBarred = false;
  requests = 0;

  /**
   * @param {import('./clock.js').Clock} clock
   * @param {import('./dice.js').Dice} dice
   * @param {any} engine
   * @param {(token: string | null, body: string) => void} onCommit
   * @param {(tab: import('./browser.js').Tab) => void} [onKeepalive] Called when a request is sent that is to outlive its page.
   */
  constructor(clock, dice, engine, onCommit, onKeepalive = () => {}) {
    this.clock = clock;
    this.dice = dice;
    this.engine = engine;
    this.onCommit = onCommit;
    this.onKeepalive = onKeepalive;
  }

  heal() {
    this.isDown = false;
    this.faults = { lose: 0, loseAnswer: 0, duplicate: 0, late: 0, abort: 0, unavailable: 0 };
    this.slow = { arrival: 0, answer: 0 };
  }

  /** @param {import('./browser.js').Tab} tab @returns {any} */
  fetchOf(tab) {
    return (/** @type {string} */ url, /** @type {any} */ init) => {
      if (init.keepalive) this.onKeepalive(tab);
      return tab.guard(this.#send(url, init));
    };
  }

  /**
   * @param {string} url
   * @param {{method: string, headers: Record<string, string>, body: Uint8Array, signal?: AbortSignal}} init
   */
  async #send(url, { method, headers, body, signal }) {
    this.requests += 1;
    const { dice, clock } = this;
    if (this.isDown) throw new TypeError('Failed to fetch');
    const { lose, loseAnswer, duplicate, late } = this.faults;
    const request = { method, target: url.slice(url.indexOf('/', 'https://'.length)), authorization: headers.Authorization ?? '', body: body.slice() };
    const slow = isCommit(request) ? this.slow : { arrival: 0, answer: 0 };
    const arrivals = dice.chance(lose) ? 0 : dice.chance(duplicate) ? 2 : 1;
    /** @type {(answer: any) => void} */
    let answered = () => {};
    const answer = new Promise((resolve, reject) => {
      answered = resolve;
      signal?.addEventListener('abort', () => reject(signal.reason ?? new DOMException('Aborted.', 'AbortError')));
    });
    answer.catch(() => {}); // Perhaps no page waits for it any more.
    for (let i = 0; i < arrivals; i += 1) {
      clock.after(dice.chance(late) ? dice.between(1000, 200_000) : dice.between(1, 30) + 50 * i + slow.arrival, () => answered(this.#arrive(request)), null);
    }
    if (arrivals === 0 || dice.chance(loseAnswer)) {
      await clock.sleep(dice.between(10, 200));
      throw new TypeError('Failed to fetch');
    }
    const { status, body: bytes } = await answer;
    await clock.sleep(dice.between(1, 30) + slow.answer);
    if (signal?.aborted) throw signal.reason;
    return { status, headers: { get: (/** @type {string} */ name) => (name === 'date' ? this.date(status) : null) }, arrayBuffer: async () => bytes.slice().buffer };
  }

  /** @param {any} request */
  #arrive(request) {
    if (this.isBarred) return { status: 503, body: encoder.encode('<html>') };
    if (!isCommit(request)) return this.engine.handle({ ...request, authorization: '' }, this.clock.now);
    const token = request.authorization ? request.authorization.slice('Bearer '.length) : null;
    const body = new TextDecoder().decode(request.body);
    this.onCommit(token, body);
    if ((this.needsUser && !token) || !this.#mayExpire(body)) return errorAnswer(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.');
    // The server may say so of a commit that it has applied.
    if (this.dice.chance(this.faults.unavailable)) {
      if (this.dice.chance(0.5)) this.engine.handle({ ...request, authorization: '' }, this.clock.now);
      return errorAnswer(503, 'UNAVAILABLE', 'The service is unavailable.');
    }
    if (this.dice.chance(this.faults.abort)) return errorAnswer(409, 'ABORTED', 'Too much contention on these documents.');
    return this.engine.handle({ ...request, authorization: '' }, this.clock.now);
  }

  /** Whether rules let its marker expire so. @param {string} body */
  #mayExpire(body) {
    const [, at] = /shardline_markers.*?"expireAt":\{"timestampValue":"([^"]+)"/.exec(body) ?? [];
    const days = at ? (Date.parse(at) - this.clock.now) / DAY_MS : 28;
    return days >= 28 && days < 400;
  }
}

/** @param {{target: string}} request */
function isCommit({ target }) {
  return target.split('?')[0]?.endsWith(':commit') === true;
}

/** @param {number} code @param {string} status @param {string} message */
function errorAnswer(code, status, message) {
  return { status: code, body: encoder.encode(JSON.stringify({ error: { code, message, status } })) };
}
