// How fast a counter changes: as seen from its totals while it is asked for, and from the changes of its shards while it is listened to.

/** Listening is worth its price up to so many changes a second. */
const MOST_PER_SECOND = 8;
/** The changes beyond that pace that end it: more than the shards that come when listening begins. */
const BURST = 40;
/** Below so many changes a second, for so long, it is listened to again. */
const CALM_PER_SECOND = 3;
const CALM_MS = 10_000;

export class Pace {
  /** The totals of the last seconds, by performance.now(). @type {{total: number, at: number}[]} */
  #totals = [];
  /** When it was too fast last, by performance.now(). */
  #fastAt = -Infinity;
  /** Changes beyond the pace that is worth its price. */
  #excess = 0;
  #changedAt = 0;

  /** @param {number} total @param {number} at By performance.now(). */
  onTotal(total, at) {
    this.#totals.push({ total, at });
    while (this.#totals[1] && this.#totals[1].at <= at - CALM_MS) this.#totals.shift();
  }

  /** Whether few changes were seen for a while: an increment is 1, most of the time. */
  get isCalm() {
    const [first] = this.#totals;
    const last = this.#totals.at(-1);
    if (!first || !last) return true;
    if (last.at - this.#fastAt < CALM_MS) return false;
    const changes = this.#totals.reduce((sum, { total }, i) => sum + Math.abs(total - (this.#totals[i - 1]?.total ?? total)), 0);
    return changes === 0 || changes * 1000 < CALM_PER_SECOND * (last.at - first.at);
  }

  /**
   * @param {number} changes Of shards.
   * @param {number} at By performance.now().
   * @returns {boolean} Whether it is too fast to be listened to.
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
