// The reader's progress and language. This browser keeps them if it allows storage.

const KEY = 'shardline-tutorial';

/**
 * @typedef {object} Kept
 * @property {string | null} language
 * @property {Record<string, string>} predictions By `chapter/step`.
 * @property {string[]} tasks That were reached: `chapter/step/task`.
 * @property {string[]} chapters All of whose tasks were reached.
 * @property {Record<string, Best>} challenges By `chapter/step`.
 *
 * @typedef {object} Best The best result of a challenge so far.
 * @property {number} score
 * @property {string} address `#/…`: of the run.
 */

/** Tells of changes by a `change` event. */
class Progress extends EventTarget {
  /** @type {Kept} */
  #kept = load();

  get language() {
    return this.#kept.language;
  }

  set language(tag) {
    this.#change({ language: tag });
  }

  /** Whether there is anything that could be forgotten. */
  get isEmpty() {
    const { tasks, predictions, challenges } = this.#kept;
    return tasks.length === 0 && Object.keys(predictions).length === 0 && Object.keys(challenges).length === 0;
  }

  /** @param {string} step `chapter/step` */
  predictionOf(step) {
    return this.#kept.predictions[step] ?? null;
  }

  /**
   * @param {string} step
   * @param {string} guess
   */
  predict(step, guess) {
    this.#change({ predictions: { ...this.#kept.predictions, [step]: guess } });
  }

  /** @param {string} task `chapter/step/task` */
  hasReached(task) {
    return this.#kept.tasks.includes(task);
  }

  /** @param {string} task */
  reach(task) {
    if (!this.hasReached(task)) this.#change({ tasks: [...this.#kept.tasks, task] });
  }

  /** @param {string} chapter */
  hasFinished(chapter) {
    return this.#kept.chapters.includes(chapter);
  }

  /** @param {string} chapter */
  finish(chapter) {
    if (!this.hasFinished(chapter)) this.#change({ chapters: [...this.#kept.chapters, chapter] });
  }

  /** @param {string} step `chapter/step` */
  bestOf(step) {
    return this.#kept.challenges[step] ?? null;
  }

  /**
   * @param {string} step
   * @param {Best} best
   */
  keepBest(step, best) {
    this.#change({ challenges: { ...this.#kept.challenges, [step]: best } });
  }

  /** The language stays. */
  forget() {
    this.#change({ predictions: {}, tasks: [], chapters: [], challenges: {} });
  }

  /** @param {Partial<Kept>} change */
  #change(change) {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // Storage is forbidden or full: the progress lasts as long as the page.
    }
    this.dispatchEvent(new Event('change'));
  }
}

export const progress = new Progress();

/** @returns {Kept} Empty if nothing is kept, or something that this page has not written. */
function load() {
  /** @type {any} */
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? 'null');
  } catch {
    // Forbidden, or not JSON.
  }
  const words = (/** @type {unknown} */ list) => (Array.isArray(list) ? list.filter((word) => typeof word === 'string') : []);
  const entries = (/** @type {unknown} */ record, /** @type {(value: any) => boolean} */ isOne) => (
    Object.fromEntries(Object.entries(Object(record)).filter(([, value]) => isOne(value))));
  return {
    language: typeof stored?.language === 'string' ? stored.language : null,
    predictions: entries(stored?.predictions, (guess) => typeof guess === 'string'),
    tasks: words(stored?.tasks),
    chapters: words(stored?.chapters),
    challenges: entries(stored?.challenges, isBest),
  };
}

/** @param {any} value */
function isBest(value) {
  return Number.isFinite(value?.score) && typeof value.address === 'string' && value.address.startsWith('#/');
}
