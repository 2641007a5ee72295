import { ShardlineError } from '../../library/errors.js';
import { Action } from '../action.js';
import { h } from '../dom.js';
import { randomInstruments, sampleInstruments } from '../sample_instruments.js';
import { formatMs, text } from '../text.js';
import { button } from './controls.js';
import { InstrumentsForm } from './instruments_form.js';
import { Notice } from './notice.js';
import { enableWhileOpen, panel } from './panel.js';
import { PlanView } from './plan_view.js';
import { QueryForm } from './query_form.js';
import { QueryResults } from './query_results.js';
import { chip } from './results_table.js';

/**
 * @typedef {import('../../library/collection.js').ShardedCollection} ShardedCollection
 * @typedef {import('../../library/query.js').ShardedQuery} ShardedQuery
 */

/** A collection with sharded timestamps: filled, and asked the sample queries. */
export class InstrumentsPanel {
  #session;
  #form = new InstrumentsForm();
  #insertSamples = button('instruments.insert-samples', {
    onPress: () => this.#insert(this.#insertSamples, sampleInstruments()),
  });
  #insertRandom = button('instruments.insert-random', {
    onPress: () => this.#insert(this.#insertRandom, randomInstruments(100)),
  });
  #insertNotice = new Notice();
  #inserting = new Action(this.#insertSamples, this.#insertRandom);
  #queryForm = new QueryForm();
  #plan = new PlanView();
  #results;
  #run = button('query.run', { kind: 'primary', type: 'submit' });
  #controls;

  /** @param {import('../session.js').Session} session */
  constructor(session) {
    this.#session = session;
    this.#results = new QueryResults(session, this.#run);
    this.#controls = h('fieldset', { class: 'controls' },
      h('legend', { class: 'visually-hidden' }, text('instruments.title')),
      this.#form.element,
      h('div', { class: 'actions' }, this.#insertSamples, this.#insertRandom),
      this.#insertNotice.element,
      h('form', { class: 'query', novalidate: true, submit: (event) => this.#onRun(event) },
        this.#queryForm.element, this.#plan.element, h('div', { class: 'actions' }, this.#run)),
      this.#results.element);
    this.element = panel({ id: 'instruments', title: 'instruments.title', about: 'instruments.about' }, this.#controls);
    for (const part of [this.#form, this.#queryForm]) part.element.addEventListener('input', () => this.#onInput());
    session.addEventListener('reset', () => this.#onInput());
    enableWhileOpen(session, this.#controls, (isOpen) => this.#onSwitch(isOpen));
  }

  /** @param {boolean} isOpen */
  #onSwitch(isOpen) {
    this.#insertNotice.clear();
    this.#results.clear();
    if (isOpen) this.#showPlan();
  }

  #onInput() {
    this.#insertNotice.clear();
    this.#results.clear();
    this.#showPlan();
  }

  /** Shows the plan of the query. Shows nothing while a field is half typed, which is not wrong yet. */
  #showPlan() {
    const { database } = this.#session;
    const { path, shards } = this.#form.settings;
    try {
      const plan = database && this.#queryForm.queryOf(database.shardedCollection(path, { shards })).plan();
      this.#plan.show(plan, path);
    } catch (error) {
      if (!(error instanceof ShardlineError)) throw error;
      this.#plan.show(null, path);
    }
  }

  /** @returns {ShardedCollection | null} Null: a field shows its error, and has the focus. */
  #useCollection() {
    const { database } = this.#session;
    if (!database) return null;
    const collection = this.#form.describe((path, shards) => database.shardedCollection(path, { shards }));
    if (!collection) this.#form.focusRefused();
    return collection;
  }

  /** @returns {ShardedQuery | null} Null: a field shows its error, and has the focus. */
  #useQuery() {
    const collection = this.#useCollection();
    if (!collection) return null;
    const query = this.#queryForm.describe(collection);
    if (!query) this.#queryForm.focusRefused();
    return query;
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {import('../sample_instruments.js').Instrument[]} instruments
   */
  #insert(pressed, instruments) {
    this.#inserting.run(pressed, async () => {
      this.#insertNotice.clear();
      const collection = this.#useCollection();
      if (!collection) return;
      const started = performance.now();
      try {
        const added = await collection.addAll(instruments);
        const ms = formatMs(performance.now() - started);
        this.#insertNotice.show('good', text('instruments.inserted', { count: added.length, ms }), ' ',
          ...shardCounts(added.map(({ shard }) => shard)));
      } catch (error) {
        this.#insertNotice.fail(error, this.#session.settings);
      }
    });
  }

  /** @param {Event} event */
  #onRun(event) {
    event.preventDefault();
    const query = this.#useQuery();
    if (query) this.#results.run(query);
  }
}

/**
 * How many went to each shard.
 * @param {(string | number)[]} shards
 */
function shardCounts(shards) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const shard of shards.map(String).sort()) counts.set(shard, (counts.get(shard) ?? 0) + 1);
  return [...counts].flatMap(([shard, count]) => [h('span', { class: 'shard-count' }, chip(shard), ` ${text('instruments.times', { count })}`), ' ']);
}
