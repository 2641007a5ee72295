// google.firestore.v1.Firestore.Write: a client's writes, one commit after the other.

import { asReported, invalid } from './ask.js';

/** @typedef {import('./web_channel.js').Stream} Stream */

/** @implements {Stream} */
export class WriteStream {
  #ask;
  #database;
  #client;
  #work = Promise.resolve();
  #answers = 0;
  #isClosed = false;

  /** @param {import('./ask.js').Ask} ask @param {string} database @param {import('./web_channel.js').Client} client */
  constructor(ask, database, client) {
    this.#ask = ask;
    this.#database = database;
    this.#client = client;
  }

  /** @param {{writes?: object[], database?: string}} message The first one has no writes, and asks for a token. */
  take({ writes, database }) {
    if (!writes && !database) throw invalid('Write takes writes.');
    this.#work = this.#work.then(async () => {
      if (!this.#isClosed) this.#answer(writes === undefined ? { streamId: '0' } : await this.#ask(`${this.#database}/documents:commit`, { writes }));
    }).catch((error) => this.#client.fail(asReported(error)));
  }

  close() {
    this.#isClosed = true;
  }

  /** @param {object} content */
  #answer(content) {
    this.#answers += 1;
    this.#client.send({ ...content, streamToken: btoa(String(this.#answers)) });
  }
}
