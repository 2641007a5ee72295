import { Action } from '../action.js';
import { h } from '../dom.js';
import { formatNumber, richText, text } from '../text.js';
import { button, input, numberInput } from './controls.js';
import { attempt, Field, focusRefused } from './field.js';
import { Notice } from './notice.js';
import { enableWhileOpen, panel } from './panel.js';

/** @typedef {import('../../library/ids.js').Ids} Ids */

const MANY = 10;
/** The number of ids that are shown. */
const SHOWN = 60;

/** A sequence of unique ids: made, and taken from. */
export class IdsPanel {
  #session;
  #path = new Field('counter.path', input('path', { value: 'sequences/demo', required: true }));
  #shards = new Field('counter.shards', numberInput('shards', '10'), 'sequence.shards.hint');
  #block = new Field('sequence.block', numberInput('block', '20'), 'sequence.block.hint');
  #create = button('sequence.create', { type: 'submit' });
  #next = button('sequence.next', { kind: 'primary', onPress: () => this.#take(this.#next, async (ids) => [await ids.next()]) });
  #many = button('sequence.take', { values: { count: MANY }, onPress: () => this.#take(this.#many, (ids) => ids.take(MANY)) });
  #action = new Action(this.#create, this.#next, this.#many);
  #notice = new Notice();
  #given = h('ul', { class: 'id-list', 'aria-label': text('sequence.given'), 'aria-live': 'polite' });
  #controls = h('fieldset', { class: 'controls' },
    h('legend', { class: 'visually-hidden' }, text('sequence.title')),
    h('form', { novalidate: true, submit: (event) => this.#onCreate(event) },
      h('div', { class: 'fields' }, this.#path.element, this.#shards.element, this.#block.element),
      h('div', { class: 'actions' }, this.#create)),
    h('div', { class: 'actions' }, this.#next, this.#many),
    this.#notice.element, this.#given);
  element = panel({ id: 'sequence', title: 'sequence.title', about: 'sequence.about' }, this.#controls);

  /** @type {Ids | null} The one that the form describes; another one as soon as the form changes. */
  #ids = null;

  /** @param {import('../session.js').Session} session */
  constructor(session) {
    this.#session = session;
    this.#controls.addEventListener('input', () => this.#reset());
    session.addEventListener('reset', () => this.#reset());
    enableWhileOpen(session, this.#controls, () => this.#reset());
  }

  /** Clears the shown ids after a change of the sequence or the database. */
  #reset() {
    this.#ids = null;
    this.#given.replaceChildren();
    this.#notice.clear();
  }

  /** @returns {Ids | null} Null if a setting is wrong: its field shows the error, and has the focus. */
  #use() {
    const { database } = this.#session;
    if (!database) return null;
    const [path, shards, block] = [this.#path.value, this.#shards.number, this.#block.number];
    this.#ids ??= attempt(() => database.ids(path, { shards, block }), [
      [this.#path, () => database.ids(path)],
      [this.#shards, () => database.ids(path, { shards })],
      [this.#block, () => database.ids(path, { shards, block })],
    ]);
    if (!this.#ids) focusRefused(this.#path, this.#shards, this.#block);
    return this.#ids;
  }

  /** @param {Event} event */
  #onCreate(event) {
    event.preventDefault();
    this.#work(this.#create, async (ids) => {
      const { created, shards } = await ids.create();
      return () => this.#notice.show('good', richText(created ? 'sequence.created' : 'sequence.kept', { path: ids.path, count: shards }));
    });
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {(ids: Ids) => Promise<import('../../library/ids.js').Id[]>} take
   */
  #take(pressed, take) {
    this.#work(pressed, async (ids) => {
      const taken = await take(ids);
      return () => {
        this.#given.prepend(...taken.map((id) => h('li', { class: 'id-chip' }, formatNumber(id))));
        this.#given.replaceChildren(...[...this.#given.children].slice(0, SHOWN));
      };
    });
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {(ids: Ids) => Promise<() => void>} work Resolves to a function that shows the outcome.
   */
  #work(pressed, work) {
    const ids = this.#use();
    if (!ids) return;
    this.#action.run(pressed, () => this.#notice.follow(() => work(ids), {
      isCurrent: () => ids === this.#ids, settings: () => this.#session.settings,
    }));
  }
}
