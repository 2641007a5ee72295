import { h } from '../dom.js';
import { CodeBlocks } from './code_block.js';

/**
 * @typedef {import('../chapters/chapter.js').Step<any>} Step
 * @typedef {import('../chapters/chapter.js').Knobs} Knobs
 * @typedef {import('../chapters/chapter.js').CodeOutcome} CodeOutcome
 */

/** The code of a step: to take along, and to change and run if it runs by itself. */
export class StepCode {
  #step;
  #blocks = new CodeBlocks();
  /** @type {import('./code_field.js').CodeField | null} Null until it is loaded, or if the code does not run by itself. */
  #field = null;
  /** @type {Knobs} */
  #knobs = {};
  #recording = /** @type {any} */ (null);
  #isClosed = false;
  element;

  /**
   * @param {string} key `chapter/step`
   * @param {Step} step
   * @param {(outcome: CodeOutcome) => void} onEnd Called when the reader's code has run to its end.
   */
  constructor(key, step, onEnd) {
    this.#step = step;
    this.element = step.trial ? h('div', { class: 'step-code' }, this.#blocks.element) : this.#blocks.element;
    if (step.trial) this.#load(key, onEnd);
  }

  /**
   * @param {Knobs} knobs
   * @param {any} recording
   */
  show(knobs, recording) {
    this.#knobs = knobs;
    this.#recording = recording;
    this.#blocks.show(this.#step.code?.(knobs, recording) ?? '');
    this.#field?.show(this.#codeToRun());
  }

  close() {
    this.#isClosed = true;
    this.#field?.close();
  }

  #codeToRun() {
    const { code, trial } = this.#step;
    return String((trial?.code ?? code)?.(this.#knobs, this.#recording) ?? '');
  }

  /**
   * The field takes the place of the same code. Without it, such as without the network, the code can still be read.
   * @param {string} key
   * @param {(outcome: CodeOutcome) => void} onEnd
   */
  async #load(key, onEnd) {
    try {
      const { CodeField } = await import('./code_field.js');
      if (this.#isClosed) return;
      this.#field = new CodeField(key, {
        isJudged: this.#step.challenge?.judgeCode !== undefined,
        isBeside: this.#step.trial?.code !== undefined,
        setting: () => ({ knobs: this.#knobs, documents: this.#step.trial?.documents?.(this.#knobs) ?? [] }),
        onEnd,
      });
    } catch (error) {
      console.error(error);
      return;
    }
    this.#field.show(this.#codeToRun());
    if (this.#step.trial?.code) this.element.append(this.#field.element);
    else this.#blocks.element.replaceWith(this.#field.element);
  }
}
