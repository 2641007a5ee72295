// How records ended that are gone, for tabs that have missed it.

/** @typedef {import('./record.js').News} News */

/** How many are remembered. */
const MOST = 200;

export class Past {
  /** @type {Map<string, News>} By epoch. */
  #ends = new Map();

  /** @param {News} news */
  remember(news) {
    if (news.seen.entries.length > 0) return;
    this.#ends.set(news.seen.epoch, news);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > MOST && oldest !== undefined) this.#ends.delete(oldest);
  }

  /** @param {string} epoch */
  of(epoch) {
    return this.#ends.get(epoch);
  }
}
