// Somebody who watches a counter of a page, and complains of totals that cannot be.

/**
 * @typedef {import('./life.js').Life} Life
 * @typedef {import('./life.js').Page} Page
 * @typedef {import('../../../web/library/watch.js').LiveTotal} LiveTotal
 */

export class Watcher {
  #life;
  #page;
  #counter;
  /** @type {Partial<LiveTotal>} What was told last. */
  #told = {};
  /** The most that it has shown. */
  #most = 0;
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
    // Whoever waits for an increment that has failed is told in the same moment, but after this.
    life.clock.after(0, () => this.#check(before, total), null);
  }

  /**
   * @param {Partial<LiveTotal>} before
   * @param {LiveTotal} total
   */
  #check({ value: before }, { value }) {
    const life = this.#life;
    if (value === undefined) {
      if (before !== undefined) life.complaints.push(`a watch forgets that it has shown ${before}`);
      return;
    }
    // A tab whose storage fails sends by itself what another tab goes on showing as pending.
    if (life.hadStorageFaults) return;
    const most = life.sum(this.#counter, ({ outcome }) => outcome !== 'refused');
    if (Number(value) > most) life.complaints.push(`a watch shows ${value}, and no more than ${most} can have been counted`);
    // What was cleared is not pending any more.
    if (life.isForgetful) return;
    // What has failed is noticed here at once or, if another tab has asked for it, later.
    this.#most = Math.max(this.#most, Number(value));
    const least = this.#most - life.sum(this.#counter, ({ outcome }) => outcome !== undefined && outcome !== 'counted');
    if (Number(value) < least) life.complaints.push(`a watch goes back from ${before} to ${value}`);
  }

  /** Whether it shows what there is, now that everything is settled. */
  get isRight() {
    const { value, pending, state } = this.#told;
    return state === 'live' && pending === 0 && value === this.#life.total(this.#counter);
  }

  describe() {
    const { value, pending, state } = this.#told;
    return `a watch of ${this.#life.total(this.#counter)} shows ${value}, of it pending ${pending}, ${state}`;
  }
}
