import { Action } from '../action.js';
import { h } from '../dom.js';
import { readNumber, richText, text } from '../text.js';
import { button, input } from './controls.js';
import { CounterCare } from './counter_care.js';
import { CounterForm } from './counter_form.js';
import { Field } from './field.js';
import { Notice } from './notice.js';
import { enableWhileOpen, panel } from './panel.js';
import { ReadingView } from './reading_view.js';
import { ShardBars } from './shard_bars.js';

/**
 * @typedef {import('../../library/counter.js').Counter} Counter
 * @typedef {NonNullable<Parameters<Counter['get']>[0]>} ReadOptions
 */

/** How old a total may be that all readers share. */
const MAX_AGE_MS = 1000;

/** A distributed counter: made, incremented, read in all three ways, and looked after. */
export class CounterPanel {
  #session;
  #form = new CounterForm();
  #create = button('counter.create', { type: 'submit' });
  #createNotice = new Notice();
  #creating = new Action(this.#create);

  #delta = new Field('counter.delta', input('delta', { value: '5' }));
  #follow = h('input', { type: 'checkbox', id: 'follow', checked: true });
  #incrementNotice = new Notice();

  #total = new ReadingView();
  #bars = new ShardBars();
  #readSum = button('counter.read-sum', { hint: text('counter.reads', { count: 1 }), onPress: () => this.#read(this.#readSum, {}) });
  #readShards = button('counter.read-shards', { hint: text('counter.reads.each'), onPress: () => this.#read(this.#readShards, { source: 'shards' }) });
  #readShared = button('counter.read-shared', { hint: text('counter.reads', { count: 1 }), onPress: () => this.#read(this.#readShared, { maxAgeMs: MAX_AGE_MS }) });
  #readNotice = new Notice();
  #reading = new Action(this.#readSum, this.#readShards, this.#readShared);

  #care = new CounterCare({
    connection: () => this.#session.settings,
    use: () => this.#useCounter(),
    isCurrent: (counter) => counter === this.#counter,
    settings: () => this.#form.settings,
    onShards: (perShard) => this.#bars.show(perShard, new Date()),
  });

  #controls = h('fieldset', { class: 'controls' },
    h('legend', { class: 'visually-hidden' }, text('counter.title')),
    h('form', { novalidate: true, submit: (event) => this.#onCreate(event) },
      this.#form.element, h('div', { class: 'actions' }, this.#create), this.#createNotice.element),
    h('div', { class: 'counter-body' },
      h('div', { class: 'counter-main' },
        this.#total.element,
        this.#incrementControls(),
        h('div', { class: 'actions' }, this.#readSum, this.#readShards, this.#readShared),
        this.#readNotice.element,
        this.#care.element),
      this.#bars.element));
  element = panel({ id: 'counter', title: 'counter.title', about: 'counter.about' }, this.#controls);

  /** @type {Counter | null} The one that the form describes; another one as soon as the form changes. */
  #counter = null;
  /** Whether the total is being read after increments, and whether there have been more since. */
  #isFollowing = false;
  #isBehind = false;
  /** Readings are numbered as they are asked for. */
  #readings = 0;
  #shownReading = 0;

  /** @param {import('../session.js').Session} session */
  constructor(session) {
    this.#session = session;
    this.#form.element.addEventListener('input', () => this.#reset());
    session.addEventListener('reset', () => this.#reset());
    enableWhileOpen(session, this.#controls, () => this.#reset());
  }

  #incrementControls() {
    return h('div', { class: 'increment' },
      h('div', { class: 'increment-row' },
        button('counter.increment', { kind: 'primary', onPress: () => this.#increment(1) }),
        button('counter.increment-10', { onPress: () => this.#increment(10) }),
        h('form', { class: 'delta', novalidate: true, submit: (event) => this.#onDelta(event) },
          this.#delta.element, button('counter.add', { type: 'submit' }))),
      h('label', { class: 'check', for: this.#follow.id }, this.#follow, h('span', {}, text('counter.follow'))),
      this.#incrementNotice.element);
  }

  /** Clears the shown results after a change of the counter or the database. */
  #reset() {
    this.#counter = null;
    this.#isBehind = false;
    this.#total.clear();
    this.#bars.clear();
    this.#showPending();
    this.#care.reset();
    for (const notice of [this.#createNotice, this.#incrementNotice, this.#readNotice]) notice.clear();
  }

  /** @returns {Counter | null} Null if a setting is wrong: its field shows the error, and has the focus. */
  #useCounter() {
    const { database } = this.#session;
    if (!database) return null;
    this.#counter ??= this.#form.describe(({ path, ...options }) => database.counter(path, { ...options, flushMs: 0 }));
    if (!this.#counter) this.#form.focusRefused();
    return this.#counter;
  }

  /** @param {Event} event */
  #onCreate(event) {
    event.preventDefault();
    const counter = this.#useCounter();
    if (!counter) return;
    this.#creating.run(this.#create, () => this.#createNotice.follow(async () => {
      const { created, shards } = await counter.create();
      return () => this.#createNotice.show('good', richText(created ? 'counter.created' : 'counter.kept', { path: counter.path, count: shards }));
    }, { isCurrent: () => counter === this.#counter, settings: () => this.#session.settings }));
  }

  /** @param {Event} event */
  #onDelta(event) {
    event.preventDefault();
    const delta = readNumber(this.#delta.value);
    if (delta === null) {
      this.#delta.setError(text('counter.delta.wrong', { whole: 5, negative: -3, fraction: 0.5 }));
      this.#delta.control.focus();
    } else {
      this.#increment(delta);
    }
  }

  /** @param {number | bigint} delta */
  async #increment(delta) {
    this.#incrementNotice.clear();
    const counter = this.#useCounter();
    if (!counter) return;
    let failure = null;
    try {
      const counted = counter.increment(delta);
      this.#showPending();
      await counted;
    } catch (error) {
      failure = error;
    }
    if (counter !== this.#counter) return;
    this.#showPending();
    this.#bars.markStale();
    if (failure) this.#incrementNotice.fail(failure, this.#session.settings);
    else if (this.#follow.checked) this.#keepUp();
  }

  #showPending() {
    this.#total.showPending(this.#counter?.pending ?? 0);
  }

  /** Reads the total; however many increments arrive meanwhile, one more reading follows, no more. */
  async #keepUp() {
    this.#isBehind = true;
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#isBehind && this.#counter) {
      this.#isBehind = false;
      await this.#readOnce(this.#counter, {});
    }
    this.#isFollowing = false;
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {ReadOptions} how
   */
  #read(pressed, how) {
    const counter = this.#useCounter();
    if (counter) this.#reading.run(pressed, () => this.#readOnce(counter, how));
  }

  /**
   * @param {Counter} counter
   * @param {ReadOptions} how
   */
  async #readOnce(counter, how) {
    this.#readings += 1;
    const number = this.#readings;
    this.#readNotice.clear();
    const started = performance.now();
    try {
      const reading = await counter.get(how);
      // Answers may overtake each other.
      if (counter !== this.#counter || number < this.#shownReading) return;
      this.#shownReading = number;
      this.#total.show(reading, performance.now() - started, how.maxAgeMs !== undefined);
      if (reading.perShard) this.#bars.show(reading.perShard, new Date());
    } catch (error) {
      if (counter === this.#counter) this.#readNotice.fail(error, this.#session.settings);
    }
  }
}
