// Feedback control: measures the contention that a page meets while it counts. A counter that adds shards by itself reads it.

/** The number of commits of one measurement. */
const COMMITS_PER_LOOK = 20;

/** @typedef {{attempts: number, aborted: number, perSecond: number}} Contention */

export class ContentionWatch {
  #place;
  #started = performance.now();
  /** @type {() => void} */
  #stop = () => {};
  /** The state at the last measurement. @type {Contention | undefined} */
  #looked;
  #isGrowing = false;

  /** @param {{commits: {attempts: number, aborted: number}, onChange: (listener: () => void) => () => void}} place */
  constructor(place) {
    this.#place = place;
  }

  /** @returns {Contention} */
  get seen() {
    const { attempts, aborted } = this.#place.commits;
    return { attempts, aborted, perSecond: (1000 * (attempts - aborted)) / Math.max(performance.now() - this.#started, 1000) };
  }

  /**
   * Calls `grow` after every twenty commits, with their contention. A new call of this replaces the last one, so a program may call it for each
   * increment.
   * @param {(contention: Contention) => Promise<void>} grow It may reject only when the database is closed.
   */
  start(grow) {
    this.#looked ??= this.seen;
    this.#stop();
    this.#stop = this.#place.onChange(() => {
      const now = this.seen;
      const looked = this.#looked ?? now;
      const attempts = now.attempts - looked.attempts;
      if (this.#isGrowing || attempts < COMMITS_PER_LOOK) return;
      this.#isGrowing = true;
      const aborted = now.aborted - looked.aborted;
      this.#looked = now;
      grow({ attempts, aborted, perSecond: now.perSecond }).catch(() => {}).finally(() => {
        this.#isGrowing = false;
      });
    });
  }
}
