/// <reference path="./element_names.d.ts" preserve="true" />
// The entry `shardline/element`: <shard-counter>, a live number or a like button. It opens no connection of its own, so that the app
// decides which entry brings connect(), and under which policy. Importing it defines the element; on a server it does nothing.

import { optionOf } from './element/attributes.js';
import { ATTRIBUTED, AttributedElement as Attributed } from './element/counter_attributes.js';
import { formatOf } from './element/format.js';
import { dispatch, tellError } from './element/life.js';
import { liveOf, plan, press, wishOf } from './element/live_element.js';
import { currentTexts, noteDatabase } from './element/settings.js';
import { counterOf, likeOf, totalOf, viewOf } from './element/shared.js';
import { View } from './element/view.js';
import { notAllowed } from './errors.js';

export { useDatabase, useTexts } from './element/settings.js';
export { ShardlineError } from './errors.js';

/**
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./counted_set.js').CountedSet} CountedSet
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 * @typedef {import('./sharded_count.js').ShardedCount} ShardedCount
 * @typedef {import('./counter_arguments.js').LayoutName} LayoutName
 * @typedef {import('./counter_arguments.js').LayoutSpec} LayoutSpec
 * @typedef {import('./counter_database.js').CounterDatabase} Database
 * @typedef {import('./counters.js').Counters} Counters
 * @typedef {import('./counters.js').GetAllOptions} GetAllOptions
 * @typedef {import('./counters.js').GetOptions} GetOptions
 * @typedef {import('./counters.js').ListedReading} ListedReading
 * @typedef {import('./element/settings.js').DatabaseSource} DatabaseSource
 * @typedef {import('./element/settings.js').Texts} Texts
 * @typedef {import('./errors.js').ErrorCode} ErrorCode
 * @typedef {import('./errors.js').ErrorReason} ErrorReason
 * @typedef {import('./field_counter.js').FieldCounter} FieldCounter
 * @typedef {import('./field_counter.js').FieldCounterOptions} FieldCounterOptions
 * @typedef {import('./field_counter.js').FieldReading} FieldReading
 * @typedef {import('./field_counter.js').FieldWatchOptions} FieldWatchOptions
 * @typedef {import('./field_counter.js').LiveFields} LiveFields
 * @typedef {import('./field_counter.js').PublishedFields} PublishedFields
 * @typedef {import('./ids.js').CallOptions} CallOptions
 * @typedef {import('./ids.js').Id} Id
 * @typedef {import('./ids.js').Ids} Ids
 * @typedef {import('./ids.js').IdsOptions} IdsOptions
 * @typedef {import('./stock.js').Stock} Stock
 * @typedef {import('./stock.js').StockOptions} StockOptions
 * @typedef {import('./stock.js').Taken} Taken
 * @typedef {import('./stock.js').TakeOptions} TakeOptions
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./values.js').Timestamp} Timestamp
 * @typedef {import('./element/counter_attributes.js').AttributedElement} AttributedElement
 * @typedef {import('./element/live_element.js').LiveElement} LiveElement
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {import('./watch.js').WatchOptions} WatchOptions
 *
 * @typedef {object} Change The `detail` of `shardline-change`.
 * @property {number | bigint} [value] The total, with what is pending. Undefined until it is known.
 * @property {number | bigint} pending
 * @property {LiveTotal['state']} state
 * @property {boolean} [liked] Set for a like button with a `user`, once it is known.
 * @property {number | null} [average] Set for a `<shard-rating>`, once it is known; null without a rating.
 * @property {number} [count] The number of ratings, for a `<shard-rating>`, once it is known.
 * @property {number | null} [rating] Set for a `<shard-rating>` with a `user`, once it is known; null if the user has not rated.
 * @property {number} [left] The units that are left, for a `<shard-stock>`, once it is known.
 */

/** An app may have set these before the element was defined. */
const PROPERTIES = ['counter', ...ATTRIBUTED];

/**
 * `<shard-counter path="posts/p1">1,234</shard-counter>`: the live total of a counter. With `type="like"` it is a button with which the `user` likes,
 * or takes the like back. The element shows its content until the total is known. With `fields="like,love" field="love"` it shows the total of one field of
 * a counter with several, without `field` the sum of all.
 *
 * Events bubble. `shardline-change`: the shown state has changed; `detail` is a Change. `shardline-like`: a like has been counted, or taken back;
 * `detail.liked`. `shardline-error`: `detail` is the ShardlineError; after preventDefault() the element does not show the error of a like to the
 * user.
 *
 * Slots: the default one, `icon` and `label` (text beside the icon). CSS parts: `button`, `icon`, `value`, `message`. States, as in
 * `shard-counter:state(liked)`: `loading`, `live`, `offline`, `error`, `pending`, `liked`. CSS property: `--shard-counter-accent`.
 */
export class ShardCounter extends Attributed {
  #view;
  /** @type {Counter | CountedSet | import('./field_counter.js').FieldCounter<any> | null} */
  #counter = null;

  constructor() {
    super({
      properties: PROPERTIES,
      wants: () => [
        this.type === 'like' && this.user, this.#counter, this.shards, this.layout, this.countField, this.intervalMs, this.maxAgeMs, this.listen,
        this.readsPerHour, this.fields, this.field,
      ],
      open: (database) => this.#open(database),
      show: (shown) => this.#show(shown),
      stateFor: ({ wished }) => wished && 'liked',
      say: (message) => { this.#view.message = message; },
      tell: (liked) => dispatch(this, 'shardline-like', { liked }),
    });
    this.#view = new View(/** @type {ShadowRoot} */ (this.shadowRoot), () => press(this, (liked) => !liked));
    // click() and the <label> press the element as a whole.
    this.addEventListener('click', (event) => {
      if (event.composedPath()[0] === this && this.type === 'like') this.#view.press();
    });
  }

  /**
   * The counter or counted set to show, in place of the attributes: for options without an attribute.
   * @returns {Counter | CountedSet | import('./field_counter.js').FieldCounter<any> | null}
   */
  get counter() {
    return this.#counter;
  }

  set counter(counter) {
    this.#counter = counter ?? null;
    plan(this);
  }

  /** The shown total; undefined until it is known. @returns {number | bigint | undefined} */
  get value() {
    return liveOf(this)?.value;
  }

  /** Whether the button shows the user's like; undefined until it is known. @returns {boolean | undefined} */
  get liked() {
    return wishOf(this);
  }

  /** @param {import('./counter_database.js').CounterDatabase | null} database @returns {import('./element/live_element.js').Followed} */
  #open(database) {
    // Without a database, the app has set the counter.
    if (!database) return this.#followedOf(/** @type {Counter} */ (this.#counter));
    const [counter, leave] = counterOf(database, `${this.path}`, this.#counterOptions(), (error) => void tellError(this, error));
    if (!this.db) noteDatabase(counter.ended);
    try {
      return { ...this.#followedOf(counter), ends: [leave] };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** @param {Counter | CountedSet | import('./field_counter.js').FieldCounter<any>} counter @returns {import('./element/live_element.js').Followed} */
  #followedOf(counter) {
    const total = totalOf(counter, this.#watchOptions());
    const view = viewOf(counter, this.field);
    const followed = { subscribe: (/** @type {(live: LiveTotal) => void} */ listener) => total.subscribe((live) => listener(view(live))), thing: counter };
    if (this.type !== 'like' || !this.user) return followed;
    if (!('hasAll' in counter)) throw notAllowed('counter', 'a counted set', 'A like button needs a counted set: element.counter = db.countedSet(path).');
    return { ...followed, wish: likeOf(counter, this.user) };
  }

  #counterOptions() {
    const { countField, fields } = this;
    const options = {
      shards: optionOf(this, 'shards'), layout: this.layout ?? undefined, ...(countField !== null && { countField }),
      ...(fields !== null && { fields: fields.match(/[^\s,]+/g) ?? [] }),
    };
    // The library checks the layout.
    return /** @type {import('./counter_arguments.js').CounterOptions} */ (options);
  }

  #watchOptions() {
    const listen = this.listen ? undefined : false;
    return { intervalMs: optionOf(this, 'interval-ms'), maxAgeMs: optionOf(this, 'max-age-ms'), readsPerHour: optionOf(this, 'reads-per-hour'), listen };
  }

  /** @param {import('./element/live_element.js').Shown} shown */
  #show({ mark, markText, label, isDisabled }) {
    const { value, liked } = this;
    this.#view.show({
      isButton: this.type === 'like',
      number: value === undefined ? '' : formatOf(this, this.notation).format(value),
      fullNumber: value === undefined ? '' : formatOf(this, null).format(value),
      mark,
      state: markText,
      // A button without a name does not tell the user its purpose.
      label: this.label || currentTexts().like,
      name: this.label ? '' : label,
      isPressed: liked === true,
      isDisabled,
    });
    return { value, liked };
  }
}

if (globalThis.customElements) {
  if (customElements.get('shard-counter')) {
    console.warn('Another copy of shardline/element defines <shard-counter>: set its property `db`.');
  } else {
    customElements.define('shard-counter', ShardCounter);
  }
}
