// How many shards a counter has, as far as this page has learnt: from the counter's document, which other clients may change at any time.

import { now } from './clock.js';

/** After so long the document is asked again: shards that other clients have added are of no use to a page that does not know them. */
const FRESH_MS = 10 * 60_000;

export class KnownShards {
  #learntAt = 0;
  /** The number that was learnt last. @type {number | undefined} */
  last;
  /** The number that this page's app passes. @type {number | undefined} */
  said;
  /** Whether a document holds the number. Otherwise no document can be asked, and the last number that this page learnt is final. */
  isInDocument = true;

  /**
   * The number of shards for a call; undefined: it has to ask.
   * @param {number | undefined} said What the app says.
   * @param {boolean} [hasTime] Whether there is time to ask for what is known, but old.
   */
  goBy(said, hasTime = true) {
    const isOld = hasTime && this.#isDoubtful(said) && now() - this.#learntAt >= FRESH_MS;
    return isOld ? undefined : this.last ?? said;
  }

  /** @param {number} shards What create() or resize() has made, or a call has been told. */
  learn(shards) {
    this.last = shards;
    this.#learntAt = now();
  }

  /**
   * Learns what a call has found. A number from resize() meanwhile is newer.
   * @param {number | undefined} said
   * @param {number | undefined} found
   */
  offer(said, found) {
    if (found && this.goBy(said) === undefined) this.learn(found);
  }

  /**
   * A call was refused: perhaps it has chosen a shard that a resize() has taken away.
   * @param {number | undefined} said
   * @param {number | undefined} used What the call went by.
   * @returns {boolean} Whether the document may say another number: to be asked by the same call once more.
   */
  doubt(said, used) {
    if (used === undefined || !this.#isDoubtful(said)) return false;
    if (this.last === used) this.forget();
    return true;
  }

  /** There may be no counter any more. */
  forget() {
    this.last = undefined;
  }

  /** @param {number | undefined} said */
  #isDoubtful(said) {
    return said === undefined && this.isInDocument;
  }
}
