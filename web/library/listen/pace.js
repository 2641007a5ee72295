// Measures how fast a counter changes: by its totals while watches ask, and by the changes of its shards while they listen (a leaky bucket).

/** Listening is worth its price up to this many changes a second. */
const MOST_PER_SECOND = 8;
/** The bucket's size: this many changes beyond that pace end the listening. It is more than the shards that come when listening begins. */
const BURST = 40;
/** Below this many changes a second, for CALM_MS, watches listen again. */
const CALM_PER_SECOND = 3;
const CALM_MS = 10_000;

export class Pace {
  /** The totals of the last seconds, by performance.now(). @type {{total: number, at: number}[]} */
  #totals = [];
  /** The last time when it was too fast, by performance.now(). */
  #fastAt = -Infinity;
  /** The bucket's level: the changes beyond that pace. */
  #excess = 0;
  #changedAt = 0;

  /** @param {number} total @param {number} at By performance.now(). */
  onTotal(total, at) {
    this.#totals.push({ total, at });
    while (this.#totals[1] && this.#totals[1].at <= at - CALM_MS) this.#totals.shift();
  }

  /** Whether there were few changes for a while. It assumes that most increments are 1. */
  get isCalm() {
    const [first] = this.#totals;
    const last = this.#totals.at(-1);
    if (!first || !last) return true;
    if (last.at - this.#fastAt < CALM_MS) return false;
    const changes = this.#totals.reduce((sum, { total }, i) => sum + Math.abs(total - (this.#totals[i - 1]?.total ?? total)), 0);
    return changes === 0 || changes * 1000 < CALM_PER_SECOND * (last.at - first.at);
  }

  /**
   * @param {number} changes The changed shards.
   * @param {number} at By performance.now().
   * @returns {boolean} Whether the changes come too fast to listen.
   */
  onChanges(changes, at) {
    this.#excess = Math.max(this.#excess - (at - this.#changedAt) * MOST_PER_SECOND / 1000, 0) + changes;
    this.#changedAt = at;
    if (this.#excess <= BURST) return false;
    this.#excess = 0;
    this.#totals = [];
    this.#fastAt = at;
    return true;
  }
}
