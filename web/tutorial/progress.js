// The reader's progress and language. This browser keeps them if it allows storage.

const KEY = 'shardline-tutorial';

/**
 * @typedef {object} Kept
 * @property {string | null} language
 * @property {Record<string, string>} predictions By `chapter/step`.
 * @property {string[]} tasks That were reached: `chapter/step/task`.
 * @property {string[]} chapters All of whose tasks were reached.
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
    return this.#kept.tasks.length === 0 && Object.keys(this.#kept.predictions).length === 0;
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

  /** The language stays. */
  forget() {
    this.#change({ predictions: {}, tasks: [], chapters: [] });
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
  return {
    language: typeof stored?.language === 'string' ? stored.language : null,
    predictions: Object.fromEntries(Object.entries(Object(stored?.predictions)).filter(([, guess]) => typeof guess === 'string')),
    tasks: words(stored?.tasks),
    chapters: words(stored?.chapters),
  };
}
