import { h } from '../dom.js';
import { progress } from '../progress.js';
import { richText, text } from '../text.js';

/**
 * @typedef {import('../chapters/chapter.js').Challenge<any>} Challenge
 * @typedef {import('../text.js').TextId} TextId
 */

/** The outcome of a challenge, which the run decides at its end, and the reader's best result so far. */
export class ChallengeBox {
  #key;
  #challenge;
  /** The first part of the ids of its texts. */
  #id;
  #mark = h('span', { class: 'task-mark', 'aria-hidden': 'true' });
  #outcome = h('p', { class: 'challenge-outcome', role: 'status' });
  #best = h('p', { class: 'challenge-best' });
  #isAwaited = false;
  element;

  /**
   * @param {string} key `chapter/step`
   * @param {Challenge} challenge
   */
  constructor(key, challenge) {
    this.#key = key;
    this.#challenge = challenge;
    this.#id = `chapter.${key.replace('/', '.')}`;
    this.element = h('section', { class: 'challenge', 'aria-labelledby': 'challenge-title' },
      h('h3', { id: 'challenge-title' }, text('challenge.result')),
      h('div', { class: 'task' }, this.#mark, this.#outcome), this.#best);
    this.await();
    this.#showBest();
  }

  /** The run has not come to its end. */
  await() {
    if (this.#isAwaited) return;
    this.#show(richText('challenge.awaited'), false);
    this.#isAwaited = true;
  }

  /**
   * The run has come to its end.
   * @param {any} recording
   * @param {string} address It leads to this very run.
   */
  judge(recording, address) {
    this.#tell(/** @type {TextId} */ (`${this.#id}.outcome`), this.#challenge.judge(recording), address);
  }

  /**
   * The reader's code has run to its end.
   * @param {import('../chapters/chapter.js').CodeOutcome} outcome
   * @param {string} address It leads to the same setting. The code is in no address: see code_field.js.
   */
  judgeCode(outcome, address) {
    const { judgeCode } = this.#challenge;
    if (judgeCode) this.#tell(/** @type {TextId} */ (`${this.#id}.code`), judgeCode(outcome), address);
  }

  /**
   * @param {TextId} id
   * @param {import('../chapters/chapter.js').Verdict} verdict
   * @param {string} address
   */
  #tell(id, { isReached, score, figures }, address) {
    const outcome = richText(id, figures);
    outcome.prepend(h('strong', {}, text(isReached ? 'challenge.reached' : 'challenge.missed')), ' ');
    this.#show(outcome, isReached);
    if (!isReached || score === null || !this.#isBetter(score)) return;
    progress.keepBest(this.#key, { score, address });
    this.#showBest();
  }

  /** @param {number} score */
  #isBetter(score) {
    const best = progress.bestOf(this.#key)?.score;
    if (best === undefined) return true;
    return this.#challenge.best === 'least' ? score < best : score > best;
  }

  /**
   * @param {DocumentFragment} outcome
   * @param {boolean} isReached
   */
  #show(outcome, isReached) {
    this.element.querySelector('.task')?.setAttribute('data-reached', String(isReached));
    this.#isAwaited = false;
    // The same words are not announced a second time.
    if (outcome.textContent !== this.#outcome.textContent) this.#outcome.replaceChildren(outcome);
  }

  #showBest() {
    const best = progress.bestOf(this.#key);
    const { unit } = this.#challenge;
    const result = best ? [text('challenge.best'), ' ', h('a', { href: best.address }, text(/** @type {TextId} */ (`unit.${unit}`), { count: best.score }))] : [];
    this.#best.replaceChildren(...result);
  }
}
