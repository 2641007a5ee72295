import { formatAddress, LARGEST_SEED } from '../address.js';
import { h } from '../dom.js';
import { progress } from '../progress.js';
import { paragraphs, text } from '../text.js';
import { nextTurn } from '../turns.js';
import { ChallengeBox } from './challenge_box.js';
import { CodeBlocks } from './code_block.js';
import { KnobsForm } from './knobs_form.js';
import { Player } from './player.js';
import { PredictionForm } from './prediction.js';
import { Recipe } from './recipe.js';
import { Stage } from './stage.js';
import { StepCode } from './step_code.js';
import { TaskList } from './task_list.js';

/**
 * @typedef {import('../chapters/chapter.js').Step<any>} Step
 * @typedef {import('../chapters/chapter.js').Timed} Timed
 * @typedef {import('../address.js').Address} Address
 * @typedef {import('../text.js').TextId} TextId
 */

const DEFAULT_SEED = 1;
/** Browsers let a page change its address only so often. */
const ADDRESS_MS = 200;

/**
 * One step of a chapter: the reader guesses, runs it, sees the result beside the guess, turns the knobs, and does the tasks. The address follows.
 */
export class StepView {
  #chapter;
  #step;
  /** `chapter/step` */
  #key;
  /** The first part of the ids of its texts. */
  #id;
  #seed;
  #knobs;
  #prediction;
  #tasks;
  #challenge;
  #code;
  #recipe;
  #given = new CodeBlocks();
  #result = h('div', { class: 'result' });
  /** The link to another chapter's sandbox, once there is a result. */
  #sandbox = h('p', { class: 'sandbox-link' });
  #stage;
  /** The story: all but the stage, if that has a place of its own. */
  element;
  /** The place of the stage beside the story, if the step has pictures. @type {HTMLElement | null} */
  stagePlace = null;

  #cancel = new AbortController();
  /** @type {Timed | null} */
  #recording = null;
  /** The knobs at the start of the run: the reader may turn them while it plays. @type {import('../chapters/chapter.js').Knobs} */
  #recordedWith = {};
  /** The address of the end of the run. */
  #recordedAs = '';
  /** Whether a recording is being made. */
  #isRecording = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #addressAt = -Infinity;
  /** The address that this view was opened for, or has put in its place. */
  #hash;
  /** @type {Player | null} */
  #player = null;
  /** @type {import('../chapters/chapter.js').Tool | null} */
  #tool = null;
  /** The tool's last result. @type {any} */
  #state = null;
  /** Whether the reader has guessed, or need not. */
  #isCommitted = false;
  /** @type {() => void} */
  #onDone;
  /** @type {(knobs: import('../chapters/chapter.js').Knobs) => void} */
  #onTurn;

  /**
   * @param {string} chapter Its id.
   * @param {Step} step
   * @param {import('../chapters/chapter.js').OpenTool | null} tool
   * @param {Address} address
   * @param {object} listeners
   * @param {() => void} listeners.onTasks Called when all tasks of the step are reached.
   * @param {(knobs: import('../chapters/chapter.js').Knobs) => void} listeners.onTurn Called when the reader has turned a knob.
   */
  constructor(chapter, step, tool, address, { onTasks, onTurn }) {
    this.#chapter = chapter;
    this.#step = step;
    this.#key = `${chapter}/${step.id}`;
    this.#id = `chapter.${chapter}.${step.id}`;
    this.#seed = address.seed ?? step.seed ?? DEFAULT_SEED;
    this.#onDone = onTasks;
    this.#onTurn = onTurn;
    this.#hash = address.hash;
    this.#knobs = new KnobsForm(step.knobs ?? {}, address.knobs, () => this.#onKnobs());
    this.#tasks = new TaskList(this.#key, step.tasks ?? []);
    this.#challenge = step.challenge ? new ChallengeBox(this.#key, step.challenge) : null;
    this.#code = step.code ? new StepCode(this.#key, step, (outcome) => this.#challenge?.judgeCode(outcome, this.#addressOf(outcome.knobs))) : null;
    this.#recipe = step.recipe ? new Recipe(this.#id, step.recipe) : null;
    this.#prediction = step.prediction
      ? new PredictionForm(this.#id, step.prediction, {
        guess: progress.predictionOf(this.#key), computed: !step.record || step.computed, onCommit: (guess) => this.#onGuess(guess),
      })
      : null;
    if (tool) this.#tool = this.#openTool(tool, address);
    this.#stage = new Stage(this.#tool ? h('div') : this.#knobs.element, {
      isBeside: step.pictures !== undefined, onRun: () => this.#start({ play: true }), onOtherSeed: () => this.#onOtherSeed(),
    });
    this.#stage.run.hidden = step.computed === true;
    this.element = this.#tellStory(step);
    this.#given.show(step.given ?? '');
    this.#showCode();
    this.#begin(address);
  }

  close() {
    clearTimeout(this.#addressTimer);
    this.#cancel.abort();
    this.#stage.close();
    this.#tool?.close?.();
    this.#code?.close();
  }

  /** @param {Step} step */
  #tellStory({ given, pictures }) {
    const { element: stage, turn } = this.#stage;
    // As long as the question is open, the place of the stage says so.
    if (pictures) this.stagePlace = h('div', { class: 'stage-place' }, stage, h('p', { class: 'curtain', 'aria-hidden': 'true' }, text('stage.curtain')));
    return h('section', { class: 'step', 'aria-labelledby': 'step-title' },
      h('div', { class: 'prose' }, h('h2', { id: 'step-title' }, this.#text('title')), ...paragraphs(this.#textId('text'))),
      given ? this.#given.element : null,
      this.#prediction?.element,
      turn,
      this.#tool?.element ?? (pictures ? null : stage),
      this.#result,
      this.#challenge?.element,
      this.#tasks.element,
      this.#sandbox,
      this.#recipe?.element,
      this.#code?.element);
  }

  /** The present values. */
  get knobs() {
    return this.#knobs.values;
  }

  /** @param {Address} address */
  #begin(address) {
    const isGuessed = progress.predictionOf(this.#key) !== null;
    if (address.atMs !== null && this.#step.record) this.#start({ atMs: address.atMs });
    else if (this.#prediction && !isGuessed) this.#hideRun(true);
    else if (this.#step.computed) this.#start({});
    else {
      this.#commit();
      if (this.#step.record) this.#prediction?.recall();
    }
  }

  /** @param {string | null} guess */
  #onGuess(guess) {
    if (guess !== null) progress.predict(this.#key, guess);
    const hadFocus = this.#commit();
    this.#start({ play: true });
    if (!hadFocus) return;
    if (this.#tool || this.#stage.run.hidden) this.#prediction?.focus();
    else this.#stage.run.focus();
  }

  /**
   * Fixes the guess, and shows the result from now on.
   * @returns {boolean} Whether the focus was on a button that goes.
   */
  #commit() {
    this.#isCommitted = true;
    this.#given.element.remove();
    const hadFocus = this.#prediction?.lock() ?? false;
    this.#hideRun(false);
    if (this.#state) this.#onTool(this.#state);
    return hadFocus;
  }

  /** @param {boolean} hidden */
  #hideRun(hidden) {
    (this.#tool?.element ?? this.#stage).hidden = hidden;
    this.#result.hidden = hidden;
  }

  #onKnobs() {
    this.#showCode();
    this.#onTurn(this.#knobs.values);
    this.#tool?.turn?.(this.#knobs.values);
    if (this.#recording || this.#isRecording) this.#start({ play: true });
    else this.#keepAddress(null);
  }

  #onOtherSeed() {
    this.#seed = this.#seed < LARGEST_SEED ? this.#seed + 1 : DEFAULT_SEED;
    this.#start({ play: true });
  }

  /** @param {{atMs?: number, play?: boolean}} options */
  async #start({ atMs = 0, play = false }) {
    const { record } = this.#step;
    if (!record) return;
    this.#cancel.abort();
    const cancel = new AbortController();
    this.#cancel = cancel;
    this.#commit();
    this.#player?.pause();
    this.#awaitAnswer(play);
    this.#stage.notice.clear();
    this.#showBusy(true);
    if (play) this.#stage.reveal();
    const knobs = this.#knobs.values;
    try {
      const recording = await record(knobs, this.#seed, cancel.signal);
      await this.#show(recording, knobs, cancel.signal, { atMs, play });
    } catch (error) {
      if (!cancel.signal.aborted) {
        this.#stage.notice.fail(error, null);
        this.#stage.run.hidden = false;
      }
    }
    if (!cancel.signal.aborted) this.#showBusy(false);
  }

  /**
   * Clears the words about the run before. A reader who has just asked for this run hears when it will answer.
   * @param {boolean} play
   */
  #awaitAnswer(play) {
    if (!this.#isAsked(null, this.#knobs.values)) return this.#prediction?.leave();
    this.#prediction?.clear();
    if (play && !this.#step.computed) this.#prediction?.announce();
  }

  /** @param {boolean} isBusy */
  #showBusy(isBusy) {
    this.#isRecording = isBusy;
    this.#stage.isBusy = isBusy;
  }

  /**
   * @param {Timed} recording
   * @param {import('../chapters/chapter.js').Knobs} knobs That it was recorded with.
   * @param {AbortSignal} signal
   * @param {{atMs: number, play: boolean}} options
   */
  async #show(recording, knobs, signal, { atMs, play }) {
    await nextTurn();
    if (signal.aborted) return;
    const pictures = this.#step.pictures?.(recording, knobs) ?? [];
    await nextTurn();
    if (signal.aborted) return;
    const { durationMs, events = [], eventTimes = events.map((event) => event.atMs) } = recording;
    this.#recording = recording;
    this.#recordedWith = knobs;
    this.#recordedAs = this.#addressOf(knobs, { seed: this.#seed, atMs: durationMs });
    this.#player = durationMs > 0
      ? new Player({
        durationMs,
        eventTimes,
        atMs: Math.min(atMs, durationMs),
        onMove: (now, { playing }) => this.#move(now, playing),
      })
      : null;
    this.#stage.show(pictures, this.#player, this.#seed);
    const hadFocus = document.activeElement === this.#stage.run;
    this.#stage.run.hidden = true;
    if (hadFocus) (this.#player ?? this.#prediction)?.focus();
    this.#showCode();
    this.#move(Math.min(atMs, durationMs), false);
    if (play) this.#player?.play();
  }

  /**
   * @param {number} atMs
   * @param {boolean} playing
   */
  #move(atMs, playing) {
    const recording = this.#recording;
    if (!recording) return;
    this.#stage.move(atMs, playing);
    const told = this.#resultAt(recording, atMs);
    // A reader may have marked words that stay the same.
    if (told.map(({ textContent }) => textContent).join('') !== this.#result.textContent) this.#result.replaceChildren(...told);
    const askedAtMs = Math.min(this.#step.prediction?.askedAtMs ?? Infinity, recording.durationMs);
    if (this.#isAsked(recording, this.#recordedWith)) {
      if (atMs >= askedAtMs) this.#prediction?.compare(recording);
      else this.#prediction?.announce();
    }
    if (atMs >= recording.durationMs) this.#challenge?.judge(recording, this.#recordedAs);
    else this.#challenge?.await();
    this.#tasks.check(recording, atMs, this.#recordedWith);
    if (this.#tasks.isDone) this.#onDone();
    if (!playing) this.#keepAddress(atMs);
  }

  /**
   * Whether the prediction asks about this run. A run with other knobs answers another question.
   * @param {any} recording The recording, or the state of the tool; null before there is one.
   * @param {import('../chapters/chapter.js').Knobs} turned
   */
  #isAsked(recording, turned) {
    const { prediction, knobs = {} } = this.#step;
    if (prediction?.isAsked && recording) return prediction.isAsked(recording);
    return Object.entries(turned).every(([name, value]) => value === knobs[name]?.default);
  }

  /**
   * @param {Timed} recording
   * @param {number} atMs
   */
  #resultAt(recording, atMs) {
    const { figures } = this.#step;
    return figures ? paragraphs(this.#textId('result'), figures(recording, atMs)) : [];
  }

  #showCode() {
    this.#code?.show(this.#knobs.values, this.#recording);
    if (!this.#recording) return;
    this.#recipe?.show(this.#knobs.values, this.#recording);
    this.#showSandbox(this.#recording);
  }

  /** @param {any} result The recording, or the state of the tool. */
  #showSandbox(result) {
    if (!this.#step.sandbox) return;
    const { chapter, knobs } = this.#step.sandbox(this.#knobs.values, result);
    this.#sandbox.replaceChildren(h('a', { href: formatAddress({ chapter, step: 'sandbox', knobs: inWords(knobs) }) },
      text(/** @type {TextId} */ (`${this.#id}.sandbox`))));
  }

  /**
   * @param {import('../chapters/chapter.js').Knobs} knobs
   * @param {Partial<Address>} [more]
   */
  #addressOf(knobs, more) {
    return formatAddress({ chapter: this.#chapter, step: this.#step.id, knobs: inWords(knobs), ...more });
  }

  /** @param {number | null} atMs */
  #keepAddress(atMs) {
    const timed = atMs !== null && (this.#recording?.durationMs ?? 0) > 0;
    this.#replaceAddress({ knobs: inWords(this.#knobs.values), seed: timed ? this.#seed : null, atMs: timed ? atMs : null });
  }

  /** @param {Partial<Address>} address */
  #replaceAddress(address) {
    clearTimeout(this.#addressTimer);
    const replace = () => {
      // The reader has gone elsewhere, and this view is closed when that is loaded.
      if (location.hash !== this.#hash) return;
      this.#addressAt = performance.now();
      history.replaceState(null, '', formatAddress({ chapter: this.#chapter, step: this.#step.id, ...address }));
      this.#hash = location.hash;
    };
    const wait = this.#addressAt + ADDRESS_MS - performance.now();
    if (wait <= 0) replace();
    else this.#addressTimer = setTimeout(replace, wait);
  }

  /**
   * @param {import('../chapters/chapter.js').OpenTool} open
   * @param {Address} address
   */
  #openTool(open, address) {
    const tool = open({
      knobs: this.#knobs.values,
      words: address.knobs,
      keep: (words) => this.#replaceAddress({ knobs: words }),
      changed: (state) => this.#onTool(state),
    });
    if (this.#step.knobs) tool.element.prepend(this.#knobs.element);
    return tool;
  }

  /** @param {any} state */
  #onTool(state) {
    this.#state = state;
    if (!this.#isCommitted) return;
    this.#showSandbox(state);
    if (this.#isAsked(state, this.#knobs.values)) this.#prediction?.compare(state);
    this.#tasks.check(state, 0, {});
    if (this.#tasks.isDone) this.#onDone();
  }

  /** @param {'title' | 'text' | 'result'} name */
  #textId(name) {
    return this.#step.texts?.[name] ?? /** @type {TextId} */ (`${this.#id}.${name}`);
  }

  /** @param {'title'} name */
  #text(name) {
    return text(this.#textId(name));
  }
}

/** @param {import('../chapters/chapter.js').Knobs} knobs @returns {Record<string, string>} As an address has them. */
function inWords(knobs) {
  return Object.fromEntries(Object.entries(knobs).map(([name, value]) => [name, String(value)]));
}
