// Budgets of reads (token buckets).

const HOUR_MS = 3_600_000;

export class Budget {
  #perHour;
  #atOnce;
  #left;
  #at = performance.now();

  /**
   * @param {number} perHour The number of reads that the bucket gains in an hour.
   * @param {number} atOnce The number of reads that the bucket holds, and with which it begins.
   */
  constructor(perHour, atOnce) {
    this.#perHour = perHour;
    this.#atOnce = atOnce;
    this.#left = atOnce;
  }

  /** Below 0 if more was spent than there was. */
  get left() {
    const now = performance.now();
    this.#left = Math.min(this.#atOnce, this.#left + (now - this.#at) / HOUR_MS * this.#perHour);
    this.#at = now;
    return this.#left;
  }

  /** @param {number} reads */
  spend(reads) {
    this.#left = this.left - reads;
  }
}

/**
 * The budget of all watches of the page together: the reads per hour of watches that ask all the time, and enough at once to begin with some fifty
 * counters.
 */
export const pageBudget = new Budget(18_000, 700);
