// WebChannel, the protocol in which firebase/firestore in a browser speaks to Firestore: a stream in both directions over HTTP (long polling).
//
// A POST without SID opens a session. Further POSTs carry the client's messages: `count` messages, the first with number `ofs`. The server's messages
// are arrays, numbered from 1 on, in the answer to a GET that stays open (`RID=rpc`); `AID` is the last one that the client has. Each part of an
// answer begins with its length in characters. (Closure Library, goog.labs.net.webChannel; Google's emulator answers so.)

import { drawId } from '../../draw_id.js';
import { asReported, invalid, ServerError } from './ask.js';

/** The version that Google's client and server both announce. */
const VERSION = 8;
/** After one and a half times this silence, a client assumes that the connection is dead. */
const KEEP_ALIVE_MS = 30_000;
/** A client that has not asked for this time has gone. */
const IDLE_MS = 120_000;
/** An answer ends after this many characters: the client asks again, and names the last array that it has. Until then the session keeps all of it. */
const LONG_ANSWER = 1_000_000;

const encoder = new TextEncoder();

/**
 * @typedef {object} Stream The server's side of a session.
 * @property {(message: any) => void} take Takes the client's messages, in order, each once.
 * @property {() => void} close Called when the client has gone.
 *
 * @typedef {object} Client
 * @property {(message: object) => void} send
 * @property {(error: {code: number, status: string, message: string}) => void} fail Ends the stream. The client closes it, and opens another one if
 *   another attempt may help.
 *
 * @typedef {(name: string, database: string, client: Client) => Stream | undefined} OpenStream `name` as in the address, such as `Listen`.
 */

export class WebChannels {
  #open;
  /** @type {Map<string, Session>} */
  #sessions = new Map();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /** @param {OpenStream} open */
  constructor(open) {
    this.#open = open;
  }

  /**
   * @param {URL} url
   * @param {string} method
   * @param {string} body
   * @returns {Response}
   */
  answer(url, method, body) {
    const query = url.searchParams;
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'private, max-age=0',
      // Without this, a browser holds the first bytes back to guess the type of the answer, and older clients wait for them for ever.
      'x-content-type-options': 'nosniff',
      'access-control-expose-headers': 'x-client-wire-protocol, x-http-session-id, x-http-initial-response',
    };
    const session = query.has('SID') ? this.#sessions.get(String(query.get('SID'))) : this.#start(url);
    if (!session) return new Response(query.has('SID') ? 'Unknown SID' : 'There is no such stream.', { status: 400, headers });
    const has = Number(query.get('AID') ?? 0);
    if (Number.isSafeInteger(has)) session.acknowledge(has);
    if (query.get('TYPE') === 'terminate') {
      session.close();
      return new Response('', { headers });
    }
    if (method === 'GET') return new Response(session.attach(query.get('CI') === '1'), { headers });
    const text = framed(query.has('SID') ? session.state : [[0, ['c', session.id, '', VERSION, 12, KEEP_ALIVE_MS]]]);
    session.take(new URLSearchParams(body));
    return new Response(text, { headers });
  }

  /** Breaks the open connections, as an outage does. The sessions stay: their clients connect again. */
  breakOff() {
    for (const session of this.#sessions.values()) session.breakOff();
  }

  close() {
    clearInterval(this.#clock);
    for (const session of this.#sessions.values()) session.close();
  }

  /** @param {URL} url */
  #start({ pathname, searchParams }) {
    const id = drawId();
    const name = pathname.split('/')[2] ?? '';
    const session = new Session(id, () => this.#sessions.delete(id));
    const stream = this.#open(name, searchParams.get('database') ?? '', session);
    if (!stream) return undefined;
    session.stream = stream;
    this.#sessions.set(id, session);
    if (!this.#clock) {
      this.#clock = setInterval(() => this.#look(), KEEP_ALIVE_MS);
      /** @type {{unref?: () => void}} */ (this.#clock).unref?.(); // In Node.
    }
    return session;
  }

  #look() {
    for (const session of this.#sessions.values()) session.keepAlive();
  }
}

/** @implements {Client} */
class Session {
  id;
  #forget;
  /** @type {Stream | undefined} */
  stream;
  /** The arrays that the client may still lack. @type {{number: number, text: string}[]} */
  #waiting = [];
  /** The number of their characters. */
  #size = 0;
  /** The number of characters in this answer. */
  #said = 0;
  #last = 0;
  /** The number of the client's next message: one may come twice. */
  #next = 0;
  /** @type {ReadableStreamDefaultController<Uint8Array> | undefined} */
  #back;
  /** Whether the client wants an answer to end when it has said something. */
  #isBuffered = false;
  #sent = 0;
  #heardAt = Date.now();

  /** @param {string} id @param {() => void} forget */
  constructor(id, forget) {
    this.id = id;
    this.#forget = forget;
  }

  /** The answer to a POST: whether a GET is open, the last array, and the number of waiting characters. */
  get state() {
    return [this.#back ? 1 : 0, this.#last, this.#size];
  }

  /** @param {number} number The last array that the client has. */
  acknowledge(number) {
    this.#heardAt = Date.now();
    while (this.#waiting[0] && this.#waiting[0].number <= number) this.#size -= this.#waiting.shift()?.text.length ?? 0;
  }

  /** @param {URLSearchParams} form */
  take(form) {
    const first = Number(form.get('ofs') ?? 0);
    // `count` says how many there are; it is not believed.
    for (let index = 0; ; index += 1) {
      const text = form.get(`req${index}___data__`);
      if (text === null) return;
      if (first + index !== this.#next) continue;
      this.#next += 1;
      try {
        this.stream?.take(JSON.parse(text));
      } catch (error) {
        this.fail(asReported(error instanceof ServerError ? error : invalid('That is no message of this stream.')));
      }
    }
  }

  /** @param {boolean} isBuffered @returns {ReadableStream<Uint8Array>} */
  attach(isBuffered) {
    this.#detach();
    this.#isBuffered = isBuffered;
    // Arrays that were sent on another connection, and are not acknowledged, may have got lost with it.
    this.#sent = 0;
    this.#said = 0;
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let mine;
    return new ReadableStream({
      start: (controller) => {
        mine = controller;
        this.#back = controller;
        this.#flush();
      },
      cancel: () => {
        if (this.#back === mine) this.#back = undefined;
      },
    });
  }

  #detach() {
    this.#back?.close();
    this.#back = undefined;
  }

  breakOff() {
    this.#back?.error(new TypeError('network error'));
    this.#back = undefined;
  }

  /** @param {object} message */
  send(message) {
    this.#say(message);
  }

  keepAlive() {
    if (!this.#back && Date.now() - this.#heardAt > IDLE_MS) this.close();
    else if (this.#back) this.#say('noop');
  }

  /** @param {{code: number, status: string, message: string}} error */
  fail(error) {
    this.stream?.close();
    this.stream = undefined;
    this.#say({ error });
  }

  close() {
    this.#forget();
    this.stream?.close();
    this.stream = undefined;
    this.#detach();
  }

  /** @param {any} message */
  #say(message) {
    this.#last += 1;
    const text = JSON.stringify([this.#last, [message]]);
    this.#waiting.push({ number: this.#last, text });
    this.#size += text.length;
    this.#flush();
  }

  #flush() {
    if (!this.#back) return;
    const news = this.#waiting.slice(this.#waiting.findLastIndex(({ number }) => number <= this.#sent) + 1);
    if (news.length === 0) return;
    this.#sent = this.#last;
    const text = `[${news.map((each) => each.text).join()}]`;
    this.#back.enqueue(encoder.encode(`${text.length}\n${text}`));
    this.#said += text.length;
    if (this.#isBuffered || this.#said >= LONG_ANSWER) this.#detach();
  }
}

/** @param {object} content */
function framed(content) {
  const text = JSON.stringify(content);
  return `${text.length}\n${text}`;
}
