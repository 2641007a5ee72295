// A cache with a time to live: a counter's number of shards, from its document, which other clients may change at any time.

import { now } from './clock.js';

/** The time to live. A page that does not read the document again does not use the shards that other clients have added. */
const FRESH_MS = 10 * 60_000;

export class KnownShards {
  #learntAt = 0;
  /** The last number that this page has learnt. @type {number | undefined} */
  last;
  /** The number that this page's app passes. @type {number | undefined} */
  said;
  /** Whether a document holds the number. Otherwise the last number that this page has learnt is final. */
  isInDocument = true;

  /**
   * The number of shards for a call; undefined: the call has to read it.
   * @param {number | undefined} said The number that the app passes.
   * @param {boolean} [hasTime] Whether there is time to read an expired number again.
   */
  goBy(said, hasTime = true) {
    const isOld = hasTime && this.#isDoubtful(said) && now() - this.#learntAt >= FRESH_MS;
    return isOld ? undefined : this.last ?? said;
  }

  /** @param {number} shards The number from create() or resize(), or from the answer to a call. */
  learn(shards) {
    this.last = shards;
    this.#learntAt = now();
  }

  /**
   * Learns the number that a call has found. A number from resize() meanwhile is newer.
   * @param {number | undefined} said
   * @param {number | undefined} found
   */
  offer(said, found) {
    if (found && this.goBy(said) === undefined) this.learn(found);
  }

  /**
   * Handles a refused call, which may have chosen a shard that a resize() has removed.
   * @param {number | undefined} said
   * @param {number | undefined} used The number that the call has used.
   * @returns {boolean} Whether the document may have another number, so that the same call should read it and try again.
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
