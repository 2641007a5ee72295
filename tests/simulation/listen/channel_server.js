// A server of WebChannel in this process, which a test steers: it loses, doubles, cuts and holds back answers.

const encoder = new TextEncoder();

export class ChannelServer {
  /** The client's messages, each once. @type {any[]} */
  received = [];
  /** Every request: method and query. @type {{method: string, query: URLSearchParams, body: URLSearchParams}[]} */
  requests = [];
  /** The answers of the next requests, by method: a status, `lost` before it arrives, or `unanswered` afterwards. @type {{POST: (number | 'lost' | 'unanswered')[], GET: (number | 'lost')[]}} */
  fates = { POST: [], GET: [] };
  /** Cuts what is sent into pieces. @type {(bytes: Uint8Array) => Uint8Array[]} */
  split = (bytes) => [bytes];
  /** Whether a proxy holds an answer back until it ends. */
  isBuffered = false;
  /** Whether the last GET was asked to end when something was said. */
  isLongPoll = false;
  sessions = 0;
  isTerminated = false;
  #arrays = /** @type {string[]} */ ([]);
  #acknowledged = 0;
  #sent = 0;
  #next = 0;
  /** @type {ReadableStreamDefaultController<Uint8Array> | undefined} */
  #back;
  /** @type {Uint8Array[]} */
  #held = [];

  fetch = async (/** @type {any} */ input, /** @type {RequestInit} */ init = {}) => {
    const { searchParams: query } = new URL(input);
    const method = init.method ?? 'GET';
    const body = new URLSearchParams(String(init.body ?? ''));
    this.requests.push({ method, query, body });
    if (query.get('TYPE') === 'terminate') return this.#terminate();
    const fate = this.fates[/** @type {'GET'} */ (method)].shift();
    if (fate === 'lost') throw new TypeError('Failed to fetch');
    if (typeof fate === 'number') return new Response('<html>', { status: fate });
    if (query.has('AID')) this.#acknowledged = Math.max(this.#acknowledged, Number(query.get('AID')));
    if (method === 'GET') return this.#listen(query, init.signal);
    const isNew = !query.has('SID');
    if (isNew) this.#begin();
    this.#receive(body);
    if (/** @type {any} */ (fate) === 'unanswered') throw new TypeError('Failed to fetch');
    const answer = isNew ? [[0, ['c', `session ${this.sessions}`, null, 8, 12, 30000]]] : [this.#back ? 1 : 0, this.#arrays.length, 0];
    const text = JSON.stringify(answer);
    return new Response(`${text.length}\n${text}`, { headers: isNew ? { 'x-http-session-id': 'sticky' } : {} });
  };

  /** @param {any} message */
  say(message) {
    this.#arrays.push(JSON.stringify([this.#arrays.length + 1, [message]]));
    this.#flush();
  }

  /** Says again all that the client has not acknowledged. */
  repeat() {
    this.#sent = this.#acknowledged;
    this.#flush();
  }

  get isListening() {
    return this.#back !== undefined;
  }

  /** The connection of the GET breaks. */
  cut() {
    this.#back?.error(new TypeError('network error'));
    this.#back = undefined;
  }

  /** Ends the open GET. Servers do so now and then. */
  end() {
    for (const piece of this.#held.splice(0)) this.#back?.enqueue(piece);
    this.#back?.close();
    this.#back = undefined;
  }

  #begin() {
    this.sessions += 1;
    this.#arrays = [];
    this.#acknowledged = this.#sent = this.#next = 0;
  }

  #terminate() {
    this.isTerminated = true;
    this.end();
    return new Response('');
  }

  /** @param {URLSearchParams} body */
  #receive(body) {
    const first = Number(body.get('ofs'));
    for (let i = 0; i < Number(body.get('count')); i += 1) {
      if (first + i !== this.#next) continue;
      this.#next += 1;
      this.received.push(JSON.parse(String(body.get(`req${i}___data__`))));
    }
  }

  /** @param {URLSearchParams} query @param {AbortSignal | null | undefined} signal */
  #listen(query, signal) {
    this.isLongPoll = query.get('CI') === '1';
    this.#held = [];
    const body = new ReadableStream({
      start: (controller) => {
        this.#back = controller;
        signal?.addEventListener('abort', () => {
          if (this.#back !== controller) return;
          this.#back = undefined;
          controller.error(signal.reason);
        }, { once: true });
      },
    });
    this.#sent = this.#acknowledged;
    this.#flush();
    return new Response(body);
  }

  #flush() {
    if (!this.#back || this.#sent === this.#arrays.length) return;
    const text = `[${this.#arrays.slice(this.#sent).join()}]`;
    this.#sent = this.#arrays.length;
    for (const piece of this.split(encoder.encode(`${text.length}\n${text}`))) {
      if (this.isBuffered) this.#held.push(piece);
      else this.#back.enqueue(piece);
    }
    if (this.isLongPoll) this.end();
  }
}
