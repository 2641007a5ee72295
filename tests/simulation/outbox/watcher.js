// Somebody who watches a counter of a page, and complains of totals that cannot be.

import { MOST_MESSAGE_MS } from './browser.js';

/**
 * @typedef {import('./life.js').Life} Life
 * @typedef {import('./life.js').Page} Page
 * @typedef {import('../../../web/library/watch.js').LiveTotal} LiveTotal
 */

/** For this time, nothing is shown rather than a sum with unknown parts. */
const MOST_UNCLEAR_MS = 10_000;

export class Watcher {
  #life;
  #page;
  #counter;
  /** @type {Partial<LiveTotal>} What was told last. */
  #told = {};
  /** The most that it has shown. */
  #most = 0;
  #began;
  /** What may be in the total twice, as what was under way for long counted as not arrived when the first total was shown. */
  #doubt = 0;
  /** The number of sign-ins and sign-outs when it began. */
  #signIns;
  /** Ends it. */
  stop;

  /**
   * @param {Life} life
   * @param {Page} page
   * @param {number} counter
   * @param {boolean} throws Whether the callback throws.
   */
  constructor(life, page, counter, throws) {
    this.#life = life;
    this.#page = page;
    this.#counter = counter;
    this.#began = life.clock.now;
    this.#signIns = life.signIns;
    this.stop = /** @type {import('../../../web/library/counter.js').Counter} */ (page.counters[counter]).watch((total) => {
      this.#hear(total);
      if (throws) throw new Error('A callback that throws.');
    });
  }

  /** @param {LiveTotal} total */
  #hear(total) {
    const life = this.#life;
    const before = this.#told;
    this.#told = total;
    life.note(`page ${life.pages.indexOf(this.#page)} shows ${total.value} at ${this.#counter}, of it pending ${total.pending}, ${total.state}`);
    if (before.value === undefined && total.value !== undefined && life.clock.now >= this.#began + MOST_UNCLEAR_MS) {
      this.#doubt = Number(total.value) - Number(total.reading?.value);
    }
    // A page that is away shows nothing, and gets no messages.
    if (this.#page.tab.isAway) return;
    const asked = life.asked.length;
    // A call that goes on may have told something before it has taken in its increment.
    const taken = life.taken;
    // Whoever waits for an increment that has failed is told by the same event, but after this. The next event is too late, though it
    // be of the same millisecond: it may be the signal that cancels an increment, which was rightly shown until then.
    life.clock.afterwards(() => this.#check(before, total, asked, taken));
  }

  /**
   * @param {Partial<LiveTotal>} before
   * @param {LiveTotal} total
   * @param {number} asked How many increments had been asked for.
   * @param {number} taken Of how many of them the call had come back.
   */
  #check({ value: before }, total, asked, taken) {
    const life = this.#life;
    const { value } = total;
    if (value === undefined) {
      if (before !== undefined) life.complaints.push(`a watch forgets that it has shown ${before}`);
      return;
    }
    // What waits here may have been counted from the copy. What a page cannot store it sends by itself, and others learn little of it.
    if (life.hasCopy || (life.hadStorageFaults && life.asked.some(({ counter, page }) => counter === this.#counter && page !== this.#page))) return;
    // A page that is left can neither tell the others that an increment of its was refused, nor hear it; and what was cleared counts as
    // settled in other pages. The next reading says so.
    const isTold = (/** @type {import('./life.js').Asked} */ { page, outcome, endedAt = 0 }) => outcome === 'refused' && (page === this.#page
      || (page.tab.absences + this.#page.tab.absences === 0 && !life.isForgetful && performance.now() - endedAt > MOST_MESSAGE_MS));
    const most = life.sum(this.#counter, (one) => life.asked.indexOf(one) < asked && !isTold(one)) + this.#doubt;
    // One message can settle several increments: the watch shows them one by one, and the last state has all of it.
    if (Number(value) > most && total === this.#told) life.complaints.push(`a watch shows ${value}, and no more than ${most} can have been counted`);
    // A cleared increment is not pending any more.
    if (life.isForgetful) return;
    const own = life.sum(this.#counter, (one) => one.page === this.#page && life.asked.indexOf(one) < taken && (one.outcome ?? 'counted') === 'counted');
    if (Number(value) < own) life.complaints.push(`a watch shows ${value}, and its own page has counted ${own}`);
    // What has failed is noticed here at once or, if another tab has asked for it, later. What was lost with its page may have been shown
    // here for a moment, and what of it was refused is told as a warning.
    this.#most = Math.max(this.#most, Number(value));
    const told = life.told(this.#counter, () => true);
    // The increments of a user who has gone, in other pages, are not shown.
    const isHidden = (/** @type {import('./life.js').Asked} */ { page, user }) => page !== this.#page && user !== 'nobody' && life.signIns > this.#signIns;
    // A page that freezes before it has stored its increments: other pages take them for counted after a while.
    const isUnheard = (/** @type {import('./life.js').Asked} */ { page, isStored }) => page !== this.#page && page.tab.absences > 0 && !isStored;
    const isUnsure = (/** @type {import('./life.js').Asked} */ one) => (
      (one.outcome !== undefined && one.outcome !== 'counted') || (one.isLost === true && !one.isStored) || isHidden(one) || isUnheard(one));
    const least = this.#most - this.#doubt - told - life.sum(this.#counter, isUnsure);
    if (Number(value) < least) life.complaints.push(`a watch goes back from ${before} to ${value}`);
  }

  /** Whether it shows the true total, now that everything is settled. */
  get isRight() {
    const { value, pending, state } = this.#told;
    return state === 'live' && pending === 0 && value === this.#life.total(this.#counter);
  }

  describe() {
    const { value, pending, state } = this.#told;
    return `a watch of ${this.#life.total(this.#counter)} shows ${value}, of it pending ${pending}, ${state}`;
  }
}
