// A session of WebChannel, protocol version 8, over fetch() (long polling): messages in both directions, in order, each once. It knows HTTP, but not
// Firestore.
//
// A POST opens the session and brings the first messages; later POSTs bring more. Sequence numbers remove duplicates: `ofs` numbers the messages, so
// a POST whose answer got lost may be repeated, and the server numbers its arrays. They come in the answer to a GET that stays open, and `AID`
// acknowledges the last one. Headers travel in the body of the first POST, so the browser sends no preflight. (Closure Library,
// goog.labs.net.webChannel)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MOST_MESSAGES = 1000;
/** The most attempts of a POST of messages, and the most GETs in a row without news. */
const MOST_ATTEMPTS = 3;
/** The pause before the first repetition. Each further one is twice as long, and jitter makes it 0.5 to 1.5 times that. */
const PAUSE_MS = 400;
/** A POST is repeated after this time without an answer. */
const POST_MS = 30_000;
/** If an open GET brings nothing for this time although the server has messages, a proxy holds answers back until they end. */
const BUFFERED_MS = 6000;
/** The default, until the server sends another one. */
const KEEP_ALIVE_MS = 30_000;

/**
 * @typedef {{status: string, message: string, http: number, cause?: unknown, isElsewhere?: boolean}} ChannelError `status` as google/rpc/code.proto names it;
 *   `http` is 0 if no answer said so. `isElsewhere`: the answer is not in Firestore's words, so something in between may have given it.
 *
 * @typedef {object} ChannelOptions
 * @property {string} url
 * @property {string} query The query part of every request: `database=…`.
 * @property {Record<string, string>} headers
 * @property {typeof fetch} fetch
 * @property {(message: any) => void} onMessage
 * @property {(error: ChannelError) => void} onEnd Called once, unless close() is called before.
 * @property {() => void} [onRequest] Called for every request.
 * @property {{isBuffered: boolean}} way Whether a proxy holds answers back. The channel notes it there, for the next channels.
 */

/**
 * Takes apart `length\n[[number, [message]], …]length\n…`, in pieces of any size. Lengths are in UTF-16 units, like JavaScript's.
 * @returns {(text: string) => [number: number, messages: any[]][]}
 */
export function splitter() {
  let rest = '';
  return (text) => {
    rest += text;
    const arrays = [];
    for (;;) {
      const line = rest.indexOf('\n');
      if (line < 0 ? rest.length > 20 : !/^\d+$/.test(rest.slice(0, line))) throw new SyntaxError('The answer is none of WebChannel’s.');
      const end = line + 1 + Number(rest.slice(0, line));
      if (line < 0 || rest.length < end) return arrays;
      arrays.push(...JSON.parse(rest.slice(line + 1, end)));
      rest = rest.slice(end);
    }
  };
}

export class Channel {
  #options;
  #way;
  /** The parameters of the session, once it is open. */
  #session = '';
  #rid = Math.floor(Math.random() * 90_000) + 10_000;
  /** The number of the last array from the server. */
  #last = 0;
  /** The number of messages that the server has certainly got. */
  #sent = 0;
  /** @type {string[]} */
  #queue = [];
  #isPosting = false;
  #keepAliveMs = KEEP_ALIVE_MS;
  /** The number of GETs in a row that have brought nothing. */
  #failures = 0;
  #ended = new AbortController();
  /** Aborts the GET. */
  #back = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;

  /** @param {ChannelOptions} options */
  constructor(options) {
    this.#options = options;
    this.#way = options.way;
  }

  /** Messages of one moment share a request. @param {object} message */
  send(message) {
    this.#queue.push(JSON.stringify(message));
    queueMicrotask(() => void this.#post());
  }

  /** Ends the session on the server, also when the page goes away. */
  close() {
    if (this.#ended.signal.aborted) return;
    this.#stop();
    if (this.#session) this.#fetch(`RID=${this.#rid}&TYPE=terminate`, { method: 'POST', keepalive: true }).catch(() => {});
  }

  #stop() {
    this.#ended.abort();
    this.#back.abort();
    clearTimeout(this.#silence);
  }

  /** @param {ChannelError} error */
  #fail(error) {
    if (this.#ended.signal.aborted) return;
    this.close();
    this.#options.onEnd(error);
  }

  /** @param {string} query @param {RequestInit} init */
  async #fetch(query, init) {
    const { url, query: fixed, fetch, onRequest } = this.#options;
    onRequest?.();
    return fetch(`${url}?VER=8&${fixed}${this.#session}&${query}&zx=${Math.random().toString(36).slice(2)}&t=1`, { ...init, credentials: 'omit' });
  }

  /** Sends the waiting messages, one POST after the other. */
  async #post() {
    if (this.#isPosting || this.#ended.signal.aborted) return;
    this.#isPosting = true;
    while (this.#queue.length > 0 && !this.#ended.signal.aborted) {
      const messages = this.#queue.splice(0, MOST_MESSAGES);
      try {
        await (this.#session ? this.#deliver(messages) : this.#open(messages));
        this.#sent += messages.length;
      } catch (cause) {
        this.#fail(errorOf(cause));
      }
    }
    this.#isPosting = false;
  }

  /** @param {string[]} messages @param {string} query */
  async #say(messages, query) {
    const { headers } = this.#options;
    const lines = this.#session ? '' : Object.entries(headers).map(([name, value]) => `${name}:${value}\r\n`).join('');
    const form = new URLSearchParams({ ...(lines && { headers: lines }), count: `${messages.length}`, ofs: `${this.#sent}` });
    for (const [index, text] of messages.entries()) form.set(`req${index}___data__`, text);
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    const timer = setTimeout(stop, POST_MS);
    this.#ended.signal.addEventListener('abort', stop, { once: true });
    try {
      const response = await this.#fetch(query, { method: 'POST', headers: FORM, body: form.toString(), signal: attempt.signal });
      const text = await response.text();
      if (!response.ok) throw refused(response.status, text);
      return { response, text };
    } finally {
      clearTimeout(timer);
      this.#ended.signal.removeEventListener('abort', stop);
    }
  }

  /** @param {string[]} messages */
  async #open(messages) {
    const query = `RID=${this.#rid}&CVER=22&X-HTTP-Session-Id=gsessionid`;
    // Tries a second time if the server has closed the connection meanwhile. If the first attempt has arrived, the server forgets its session.
    const { response, text } = await this.#say(messages, query).catch((cause) => {
      if (cause?.http || cause?.name === 'AbortError') throw cause;
      return this.#say(messages, query);
    });
    const [[, [kind, sid, , , , keepAliveMs]] = /** @type {any} */ ([0, []])] = splitter()(text);
    if (kind !== 'c' || typeof sid !== 'string') throw new SyntaxError('The server has opened no session of WebChannel.');
    const sticky = response.headers.get('x-http-session-id');
    this.#session = `${sticky ? `&gsessionid=${encodeURIComponent(sticky)}` : ''}&SID=${encodeURIComponent(sid)}`;
    if (keepAliveMs > 0) this.#keepAliveMs = keepAliveMs;
    this.#rid += 1;
    void this.#listen();
  }

  /** @param {string[]} messages */
  async #deliver(messages) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { text } = await this.#say(messages, `RID=${this.#rid}&AID=${this.#last}`);
        // Whether a GET is open, the last array, and the number of unacknowledged characters.
        const [isOpen, last] = JSON.parse(text.slice(text.indexOf('\n') + 1));
        this.#rid += 1;
        if (isOpen && last > this.#last) this.#expect(last);
        return;
      } catch (cause) {
        if (this.#ended.signal.aborted || isFinal(cause) || attempt === MOST_ATTEMPTS) throw cause;
        await this.#pause(attempt);
      }
    }
  }

  /** Expects an array that the server has sent. If it does not come, a proxy holds it back. @param {number} last */
  #expect(last) {
    if (!this.#way.isBuffered) this.#listenFor(BUFFERED_MS, () => this.#last < last);
  }

  /** @param {number} attempt */
  #pause(attempt) {
    return new Promise((resolve) => {
      const { signal } = this.#ended;
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve(undefined);
      };
      const timer = setTimeout(done, PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  /** Ends the GET after this time, unless data comes. The next GET then ends after each message. */
  #listenFor(ms = this.#way.isBuffered || this.#last > 0 ? this.#keepAliveMs * 1.5 : BUFFERED_MS, isSilent = () => true) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      if (!isSilent()) return this.#listenFor();
      if (ms === BUFFERED_MS) this.#way.isBuffered = true;
      this.#back.abort();
    }, ms);
  }

  /** Keeps a GET open. */
  async #listen() {
    while (!this.#ended.signal.aborted) {
      this.#back = new AbortController();
      const before = this.#last;
      /** @type {unknown} */
      let cause;
      try {
        this.#listenFor();
        await this.#receive();
      } catch (error) {
        cause = error;
      }
      clearTimeout(this.#silence);
      if (this.#ended.signal.aborted) return;
      if (isFinal(cause)) return this.#fail(errorOf(cause));
      this.#failures = this.#last > before ? 0 : this.#failures + 1;
      if (this.#failures === MOST_ATTEMPTS) return this.#fail(errorOf(cause));
      if (this.#failures > 0) await this.#pause(this.#failures);
    }
  }

  async #receive() {
    const response = await this.#fetch(`RID=rpc&AID=${this.#last}&CI=${this.#way.isBuffered ? 1 : 0}&TYPE=xmlhttp`, { signal: this.#back.signal });
    if (!response.ok) throw refused(response.status, await response.text());
    const split = splitter();
    const reader = response.body?.getReader();
    if (!reader) {
      // The `fetch` of an app may have no streams.
      this.#way.isBuffered = true;
      return this.#take(split(await response.text()));
    }
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#ended.signal.aborted) return;
      this.#take(split(decoder.decode(value, { stream: true })));
      if (!this.#ended.signal.aborted) this.#listenFor();
    }
  }

  /** @param {[number: number, messages: any[]][]} arrays */
  #take(arrays) {
    for (const [number, messages] of arrays) {
      // The next GET repeats an array that was not acknowledged.
      if (number <= this.#last) continue;
      this.#last = number;
      for (const message of messages.flat()) {
        if (this.#ended.signal.aborted) return;
        if (message === 'noop') continue;
        if (message === 'stop' || message === 'close') this.#fail({ status: 'UNAVAILABLE', message: 'The server has ended the stream.', http: 0 });
        else if (message.error) this.#fail({ status: 'UNAVAILABLE', http: message.error.code, ...message.error });
        else this.#options.onMessage(message);
      }
    }
  }
}

/** @param {number} http @param {string} text */
function refused(http, text) {
  return Object.assign(new Error(`HTTP ${http}: ${text.slice(0, 200)}`), { http, isElsewhere: !text.includes('UNAUTHENTICATED') });
}

/** Whether another attempt in this session cannot help. @param {any} cause */
function isFinal(cause) {
  return cause?.http >= 400 && cause.http < 500;
}

/** @param {any} cause @returns {ChannelError} */
function errorOf(cause) {
  const http = cause?.http ?? 0;
  // The server answers 400 for a session that it has forgotten; 403 and 404 without Firestore's own words are a proxy's.
  const status = { 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED' }[/** @type {401} */ (http)] ?? 'UNAVAILABLE';
  return { status, message: cause?.message ?? 'The stream has ended again and again without a word.', http, cause, isElsewhere: !!cause?.isElsewhere };
}
