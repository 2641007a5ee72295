import { CHAPTERS } from '../chapters/index.js';
import { formatAddress } from '../address.js';
import { h } from '../dom.js';
import { progress } from '../progress.js';
import { formatNumber, text } from '../text.js';
import { StepView } from './step_view.js';

/**
 * @typedef {import('../chapters/chapter.js').Chapter} Chapter
 * @typedef {import('../chapters/chapter.js').Step<any>} Step
 * @typedef {import('../text.js').TextId} TextId
 */

/**
 * Loads the code of the step in the address.
 * @param {Chapter} chapter
 * @param {import('../address.js').Address} address
 * @returns {Promise<() => ChapterView>}
 */
export async function loadChapterView(chapter, address) {
  const place = Math.max(0, chapter.steps.findIndex((step) => step.id === address.step));
  const tool = await chapter.steps[place]?.tool?.();
  return () => new ChapterView(chapter, place, tool ?? null, address);
}

/** A chapter, of which one step is open. */
class ChapterView {
  #chapter;
  #place;
  #step;
  element;

  /**
   * @param {Chapter} chapter
   * @param {number} place Which step is open.
   * @param {import('../chapters/chapter.js').OpenTool | null} tool Its own.
   * @param {import('../address.js').Address} address
   */
  constructor(chapter, place, tool, address) {
    this.#chapter = chapter;
    const { id, steps } = chapter;
    const step = /** @type {Step} */ (steps[place]);
    this.#place = place;
    this.#step = new StepView(id, step, tool, address, { onTasks: () => this.#onStepDone(), onTurn: () => this.#carryKnobs() });
    const number = CHAPTERS.findIndex((entry) => entry.id === id) + 1;
    const { stagePlace } = this.#step;
    this.element = h('article', { class: stagePlace ? 'chapter staged' : 'chapter' },
      h('header', { class: 'chapter-header' },
        h('p', { class: 'label' }, text('chapter.number', { n: number })),
        h('h1', { tabindex: -1 }, text(/** @type {TextId} */ (`chapter.${id}.title`))),
        steps.length > 1 ? stepLinks(chapter, place) : null),
      stagePlace,
      this.#step.element,
      pager(chapter, place));
    this.#carryKnobs();
  }

  close() {
    this.#step.close();
  }

  /** The reader's choices, which hold for the other steps that ask the same. */
  #carryKnobs() {
    const { id, steps } = this.#chapter;
    const usual = steps[this.#place]?.knobs ?? {};
    const turned = Object.entries(this.#step.knobs).filter(([name, value]) => value !== usual[name]?.default);
    for (const step of steps) {
      const shared = turned.filter(([name]) => step.knobs && name in step.knobs).map(([name, value]) => [name, String(value)]);
      const address = formatAddress({ chapter: id, step: step.id, knobs: Object.fromEntries(shared) });
      for (const link of this.element.querySelectorAll(`a[data-step="${step.id}"]`)) link.setAttribute('href', address);
    }
  }

  #onStepDone() {
    const { id, steps } = this.#chapter;
    const isDone = steps.every((step) => (step.tasks ?? []).every((task) => progress.hasReached(`${id}/${step.id}/${task.id}`)));
    if (isDone) progress.finish(id);
  }
}

/**
 * @param {Chapter} chapter
 * @param {number} place Which step is open.
 */
function stepLinks({ id, steps }, place) {
  return h('nav', { class: 'step-links', 'aria-label': text('steps.title') }, h('ol', {}, ...steps.map((step, index) => h('li', {},
    h('a', { href: formatAddress({ chapter: id, step: step.id }), 'data-step': step.id, 'aria-current': index === place ? 'step' : null },
      h('span', { class: 'step-number', 'aria-hidden': 'true' }, formatNumber(index + 1)),
      h('span', {}, text(stepTitle(id, step))))))));
}

/**
 * @param {Chapter} chapter
 * @param {number} place
 */
function pager({ id, steps }, place) {
  const chapters = CHAPTERS.map((entry) => entry.id);
  const number = chapters.indexOf(id);
  const toStep = (/** @type {Step} */ step) => ({ chapter: id, step: step.id, title: stepTitle(id, step) });
  const [previousStep, nextStep] = [steps[place - 1], steps[place + 1]];
  const previous = previousStep ? toStep(previousStep) : toChapter(chapters[number - 1] ?? '');
  const next = nextStep ? toStep(nextStep) : toChapter(chapters[number + 1] ?? 'playground');
  return h('nav', { class: 'pager-links', 'aria-label': text('pager.steps') },
    link('pager.back', previous), link('pager.forward', next));
}

/**
 * @param {TextId} label
 * @param {{chapter: string, step?: string, title: TextId}} to
 */
function link(label, { title, ...to }) {
  return h('a', { class: 'pager-link', href: formatAddress(to), 'data-step': to.step },
    h('small', {}, text(label)), ' ', h('span', {}, text(title)));
}

/**
 * @param {string} chapter
 * @param {Step} step
 */
function stepTitle(chapter, { id, texts }) {
  return texts?.title ?? /** @type {TextId} */ (`chapter.${chapter}.${id}.title`);
}

/** @param {string} chapter @returns {{chapter: string, title: TextId}} */
function toChapter(chapter) {
  if (chapter === '') return { chapter, title: 'contents.title' };
  if (chapter === 'playground') return { chapter, title: 'playground.title' };
  return { chapter, title: /** @type {TextId} */ (`chapter.${chapter}.title`) };
}
