import { h, setAttribute, uniqueId } from '../dom.js';
import { text } from '../text.js';
import { button } from './controls.js';
import { Notice } from './notice.js';
import { PictureFrame } from './picture_frame.js';

/** The same width as in styles/stage.css: from it on, the stage has a column of its own, with room for the knobs. */
const wide = matchMedia('(min-width: 60rem)');

/**
 * The part of a step that stays in view while the reader scrolls the story: knobs, pictures, and the player that moves the pictures. On a
 * narrow screen the knobs are in the story, because the pictures need the room.
 */
export class Stage {
  #knobs;
  #isBeside;
  /** @type {import('./player.js').Player | null} */
  #player = null;
  /** @type {PictureFrame[]} */
  #frames = [];
  #pictures = h('div', { class: 'pictures' });
  #playerPlace = h('div', { class: 'player-place' });
  #controls = h('div', { class: 'more-controls' });
  #tables = h('div', { class: 'more-tables' });
  #summary = h('summary');
  #more = h('details', { class: 'more', hidden: true, toggle: () => this.#showTables() }, this.#summary, this.#controls, this.#tables);
  #again;
  /** Explains the seed. */
  #aboutSeed = h('p', { class: 'hint', id: uniqueId('seed') });
  /** The pictures' description for screen readers. It is silent while a run is playing. */
  #said = h('p', { class: 'visually-hidden', role: 'status' });
  /** Whether the reader has asked for content of the stage, so that the stage must be in view. */
  #isAsked = false;
  #closed = new AbortController();
  run;
  notice = new Notice();
  /** The place of the knobs in the story. */
  turn = h('div', { class: 'turn' });
  element;

  /**
   * @param {HTMLElement} knobs
   * @param {object} options
   * @param {boolean} options.isBeside Whether it has a place of its own beside the story.
   * @param {() => void} options.onRun
   * @param {() => void} options.onOtherSeed
   */
  constructor(knobs, { isBeside, onRun, onOtherSeed }) {
    this.#knobs = knobs;
    this.#isBeside = isBeside;
    this.run = button('run.start', { kind: 'primary', onPress: onRun });
    this.#again = button('run.other-seed', { kind: 'quiet', onPress: onOtherSeed });
    this.#again.setAttribute('aria-describedby', this.#aboutSeed.id);
    this.element = h('div', { class: 'stage' },
      h('div', { class: 'actions' }, this.run), this.notice.element,
      h('div', { class: 'stage-scroll' }, this.#pictures, this.#more),
      this.#playerPlace, this.#said);
    this.#placeKnobs();
    wide.addEventListener('change', () => this.#placeKnobs(), { signal: this.#closed.signal });
    new ResizeObserver(() => this.#keepInView()).observe(this.element);
  }

  close() {
    this.#closed.abort();
    this.#clear();
  }

  /** @param {boolean} hidden */
  set hidden(hidden) {
    this.element.hidden = hidden;
    this.turn.hidden = hidden;
  }

  /** @param {boolean} isBusy */
  set isBusy(isBusy) {
    for (const each of [this.element, this.run, this.#again]) setAttribute(each, 'aria-busy', isBusy ? 'true' : null);
    this.run.replaceChildren(h('span', {}, text(isBusy ? 'run.busy' : 'run.start')));
  }

  /** Keeps the whole stage in the window from now on. */
  reveal() {
    this.#isAsked = true;
    this.#keepInView();
  }

  /**
   * @param {import('../chapters/chapter.js').Picture[]} pictures
   * @param {import('./player.js').Player | null} player
   * @param {number} seed
   */
  show(pictures, player, seed) {
    this.#clear();
    this.#player = player;
    this.#frames = pictures.map((picture) => new PictureFrame(picture));
    this.#pictures.replaceChildren(...this.#frames.map(({ element }) => element));
    this.#tables.replaceChildren(...this.#frames.map(({ table }) => table));
    this.#playerPlace.replaceChildren(...(player ? [player.element] : []));
    this.#aboutSeed.textContent = text('run.seed', { seed: String(seed) });
    this.#controls.replaceChildren(...(player ? [player.more, h('div', { class: 'seed' }, this.#again, this.#aboutSeed)] : []));
    this.#summary.textContent = text(player ? 'stage.more' : 'picture.table');
    this.#more.hidden = pictures.length === 0;
    this.#showTables();
  }

  /**
   * @param {number} atMs
   * @param {boolean} playing
   */
  move(atMs, playing) {
    for (const frame of this.#frames) frame.show(atMs, playing);
    if (!playing) this.#said.textContent = this.#frames.map(({ summary }) => summary).join(' ');
  }

  #clear() {
    this.#player?.destroy();
    for (const frame of this.#frames) frame.close();
  }

  #showTables() {
    for (const frame of this.#frames) frame.isTableOpen = this.#more.open;
  }

  #placeKnobs() {
    if (wide.matches || !this.#isBeside) this.element.prepend(this.#knobs);
    else this.turn.append(this.#knobs);
  }

  #keepInView() {
    if (!this.#isAsked || this.element.hidden) return;
    const { top, bottom } = this.element.getBoundingClientRect();
    if (top < 0) scrollBy(0, top);
    else if (bottom > innerHeight) scrollBy(0, Math.min(top, bottom - innerHeight));
  }
}
