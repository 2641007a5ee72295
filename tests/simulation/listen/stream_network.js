// The way between a page and the server of streams, in virtual time. Requests get lost, come late or twice, and their answers get lost. An answer that stays open comes in
// pieces of any size; it is cut at any byte, goes dead without a word, and brings arrays twice.

const HONEST = { lose: 0, loseAnswer: 0, duplicate: 0, late: 0, cut: 0, split: 0, repeat: 0, bar: 0 };

export class StreamNetwork {
  isDown = false;
  faults = HONEST;
  /** How many documents have come by streams, each once. */
  heard = 0;
  /** How many answers of the REST API got lost that the server has billed. */
  lost = 0;
  #clock;
  #dice;
  #server;
  /** The answers that are open. @type {Set<{isDead: boolean, cut: () => void}>} */
  #open = new Set();
  /** The arrays that have come, by session and number. @type {Set<string>} */
  #arrived = new Set();

  /** @param {import('../outbox/clock.js').Clock} clock @param {import('../outbox/dice.js').Dice} dice @param {import('./stream_server.js').StreamServer} server */
  constructor(clock, dice, server) {
    this.#clock = clock;
    this.#dice = dice;
    this.#server = server;
  }

  heal() {
    this.isDown = false;
    this.faults = HONEST;
  }

  /** How many answers are open. */
  get open() {
    return this.#open.size;
  }

  /** All connections break. */
  cut() {
    for (const one of [...this.#open]) one.cut();
  }

  /** All connections are dead, and no error says so. */
  kill() {
    for (const one of this.#open) one.isDead = true;
  }

  /** @param {string} url @param {any} [init] @returns {Promise<any>} */
  fetch = async (url, init = {}) => {
    const { signal, method = 'GET' } = init;
    const { lose, loseAnswer, duplicate, late, bar } = this.faults;
    const dice = this.#dice;
    const isStream = url.includes('/Listen/channel');
    const isBack = isStream && method === 'GET';
    await this.#wait(dice.chance(late) ? dice.between(500, 40_000) : dice.between(1, 60), signal);
    if (this.isDown || dice.chance(lose)) throw new TypeError('Failed to fetch');
    if (dice.chance(bar)) return new Response('<html>', { status: dice.pick([403, 404, 503]) });
    if (!isBack && dice.chance(duplicate)) this.#clock.after(dice.between(1, 2000), () => void this.#server.fetch(url, init), null);
    const answer = await this.#server.fetch(url, init);
    if (isBack && answer.ok) return new Response(this.#pipe(answer.body, `${new URL(url).searchParams.get('SID')}`, signal), answer);
    const isLost = this.isDown || dice.chance(loseAnswer);
    try {
      await this.#wait(dice.between(1, 60), signal);
      if (isLost) throw new TypeError('Failed to fetch');
      return answer;
    } catch (error) {
      if (!isStream && answer.ok) this.lost += 1;
      throw error;
    }
  };

  /** @param {number} ms @param {AbortSignal | undefined} signal @returns {Promise<void>} */
  #wait(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#clock.after(ms, resolve, null);
    });
  }

  /** @param {ReadableStream<Uint8Array>} body @param {string} session @param {AbortSignal | undefined} signal */
  #pipe(body, session, signal) {
    const clock = this.#clock;
    const reader = body.getReader();
    let isOver = false;
    return new ReadableStream({
      start: (controller) => {
        const finish = (/** @type {() => void} */ how) => {
          if (isOver) return;
          isOver = true;
          this.#open.delete(one);
          reader.cancel().catch(() => {});
          how();
        };
        const one = { isDead: false, cut: () => finish(() => controller.error(new TypeError('network error'))) };
        this.#open.add(one);
        signal?.addEventListener('abort', () => finish(() => controller.error(signal.reason)), { once: true });
        // Bytes stay in their order.
        let at = clock.now;
        const next = (/** @type {() => void} */ run) => {
          at = Math.max(at, clock.now) + this.#dice.between(0, 20);
          clock.after(at - clock.now, () => isOver || one.isDead || run(), null);
        };
        void this.#forward(reader, session, { next, put: (bytes) => controller.enqueue(bytes), cut: one.cut, end: () => finish(() => controller.close()) });
      },
      cancel: () => {
        isOver = true;
        return reader.cancel().catch(() => {});
      },
    });
  }

  /**
   * @param {ReadableStreamDefaultReader<Uint8Array>} reader Each part is a whole array of arrays.
   * @param {string} session
   * @param {{next: (run: () => void) => void, put: (bytes: Uint8Array) => void, cut: () => void, end: () => void}} way
   */
  async #forward(reader, session, { next, put, cut, end }) {
    const dice = this.#dice;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) return next(end);
      const { split, repeat } = this.faults;
      if (dice.chance(this.faults.cut)) {
        const rest = value.subarray(0, dice.between(0, value.length));
        next(() => put(rest));
        return next(cut);
      }
      for (const piece of this.#pieces(value, split)) next(() => put(piece));
      next(() => this.#note(session, value));
      if (dice.chance(repeat)) next(() => put(value));
    }
  }

  /** @param {Uint8Array} bytes @param {number} split */
  #pieces(bytes, split) {
    if (!this.#dice.chance(split)) return [bytes];
    const [first, second] = [this.#dice.between(0, bytes.length), this.#dice.between(0, bytes.length)].sort((one, other) => one - other);
    return [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)].filter(({ length }) => length > 0);
  }

  /** @param {string} session @param {Uint8Array} bytes */
  #note(session, bytes) {
    const text = new TextDecoder().decode(bytes);
    for (const [number, [message]] of JSON.parse(text.slice(text.indexOf('\n') + 1))) {
      if (!this.#arrived.has(`${session} ${number}`) && (message.documentChange || message.documentRemove)) this.heard += 1;
      this.#arrived.add(`${session} ${number}`);
    }
  }
}
