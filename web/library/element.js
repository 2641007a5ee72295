/// <reference path="./element_names.d.ts" preserve="true" />
// The entry `shardline/element`: <shard-counter>, a live number or a like button. It opens no connection of its own, so that the app
// decides which entry brings connect(), and under which policy. Importing it defines the element; on a server it does nothing.

import { ATTRIBUTED, AttributedElement as Attributed, optionOf } from './element/attributes.js';
import { counterOf, likeOf, totalOf, viewOf } from './element/shared.js';
import { formatOf } from './element/format.js';
import { dispatch, failureOf, labelsOf, listen, markOf, miss, notSignedIn, setStates, stateOf, takeOwn, tellError } from './element/life.js';
import { currentTexts, noteDatabase, observeLanguage, openDatabase } from './element/settings.js';
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
 * @typedef {import('./element/attributes.js').AttributedElement} AttributedElement
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
const PROPERTIES = ['db', 'counter', ...ATTRIBUTED];

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
  /** Lets a `<label>`, and the `disabled` of a fieldset, act on this element as on any button. */
  static formAssociated = true;

  #internals = /** @type {Partial<Pick<HTMLElement, 'attachInternals'>>} */ (this).attachInternals?.();
  #view = new View(this.attachShadow({ mode: 'open', delegatesFocus: true }), () => this.#press());
  /** @type {Database | null} */
  #db = null;
  /** @type {Counter | CountedSet | import('./field_counter.js').FieldCounter<any> | null} */
  #counter = null;
  /** Whether update() will be called. */
  #isDue = false;
  #isDisabled = false;
  /** The arguments of the last update. @type {unknown[] | null} */
  #wanted = null;
  /** The counter that it follows. @type {import('./element/shared.js').Followed | null} */
  #followed = null;
  /** @type {LiveTotal | null} */
  #total = null;
  /** The reason why there is no counter to follow. @type {import('./errors.js').ShardlineError | null} */
  #failure = null;
  /** A like was pressed before the database was there. */
  #isEarly = false;
  #told = '';
  /** Set while it is in a page. @type {AbortController | null} */
  #listening = null;
  #isInView = false;

  constructor() {
    super();
    // click() and the <label> press the element as a whole.
    this.addEventListener('click', (event) => {
      if (event.composedPath()[0] === this && this.type === 'like') this.#view.press();
    });
  }

  /** The database of this element, in place of the page's. @returns {Database | null} */
  get db() {
    return this.#db;
  }

  set db(db) {
    this.#db = db ?? null;
    this.#plan();
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
    this.#plan();
  }

  /** The shown total; undefined until it is known. */
  get value() {
    return this.#total?.value;
  }

  /** The unconfirmed increments of this page. */
  get pending() {
    return this.#total?.pending ?? 0;
  }

  /** The state of `watch()`. @returns {LiveTotal['state']} */
  get state() {
    return stateOf(this.#failure, this.#total);
  }

  /** Whether the button shows the user's like; undefined until it is known. */
  get liked() {
    return this.#isEarly || this.#followed?.like?.state;
  }

  connectedCallback() {
    takeOwn(this, PROPERTIES);
    observeLanguage(this);
    this.#update();
  }

  // The old document's styles do not apply.
  adoptedCallback() {
    this.#view.dress();
  }

  // After a move within the page, the element goes on, perhaps with another language or label.
  connectedMoveCallback() {
    observeLanguage(this);
    this.#render();
  }

  disconnectedCallback() {
    // The page may insert it elsewhere at once.
    this.#plan();
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} now
   */
  attributeChangedCallback(_name, before, now) {
    if (before !== now) this.#plan();
  }

  /** @param {boolean} isDisabled Disabled by its own attribute, or a fieldset's. */
  formDisabledCallback(isDisabled) {
    this.#isDisabled = isDisabled;
    this.#plan();
  }

  /** Several changes at once make one update. */
  #plan() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#update();
    });
  }

  #update() {
    if (!this.isConnected) {
      this.#listening?.abort();
      this.#listening = null;
      this.#wanted = null;
      this.#isEarly = false;
      this.#view.message = '';
      this.#leave();
      return;
    }
    this.#listening ??= listen(this, () => this.#plan(), () => this.#render(), (isInView) => {
      this.#isInView = isInView;
      this.#attend();
    }, () => {
      // A database that failed to open without the network may open now.
      if (this.#failure) this.#plan();
    });
    void this.#follow();
    this.#render();
  }

  /** Subscribes to the counter of the attributes and properties, unless it has. */
  async #follow() {
    const { path } = this;
    const database = this.#counter || !path ? null : this.#db ?? openDatabase();
    const wanted = [
      path, this.type === 'like' && this.user, this.#counter, database, this.shards, this.layout, this.countField, this.intervalMs, this.maxAgeMs,
      this.listen, this.readsPerHour, this.fields, this.field,
    ];
    const before = this.#wanted;
    if (before?.every((part, index) => Object.is(part, wanted[index]))) return;
    // A waiting press was for the old path and user, the first two.
    if (before?.slice(0, 2).some((part, index) => part && part !== wanted[index])) this.#isEarly = false;
    // A message was for these, or for the counter, the third. It is wrong for a user who has signed in since.
    if (before?.slice(0, 3).some((part, index) => part !== wanted[index])) this.#view.message = '';
    this.#wanted = wanted;
    const hasFailed = this.#failure !== null;
    this.#leave();
    try {
      if (this.#counter) return this.#subscribe(this.#counter);
      if (!path || !database) return miss(this, hasFailed, () => this.#wanted === wanted, (error) => this.#fail(error));
      const opened = await database;
      if (this.#wanted !== wanted) return;
      const [counter, leave] = counterOf(opened, path, this.#counterOptions(), (error) => this.#report(error));
      if (!this.#db) noteDatabase(counter.ended);
      this.#subscribe(counter, leave);
    } catch (error) {
      if (this.#wanted === wanted) this.#fail(error);
    }
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

  /**
   * @param {Counter | CountedSet | import('./field_counter.js').FieldCounter<any>} counter
   * @param {(() => void)[]} ends
   */
  #subscribe(counter, ...ends) {
    /** @type {import('./element/shared.js').Followed} */
    const followed = { counter, ends, total: counter, view: (live) => live };
    // Before the checks: an element that fails leaves it, too.
    this.#followed = followed;
    followed.total = totalOf(counter, this.#watchOptions());
    followed.view = viewOf(counter, this.field);
    if (this.type === 'like' && this.user) {
      if (!('hasAll' in counter)) throw notAllowed('counter', 'a counted set', 'A like button needs a counted set: element.counter = db.countedSet(path).');
      followed.like = likeOf(counter, this.user);
      ends.push(followed.like.subscribe(() => this.#render()));
    }
    this.#attend();
    if (this.#isEarly) {
      this.#isEarly = false;
      this.#press();
    }
  }

  /** Reads the total while the element is in view. */
  #attend() {
    const followed = this.#followed;
    if (!followed) return;
    if (this.#isInView) {
      followed.stop ??= followed.total.subscribe((now) => this.#take(followed.view(now)));
    } else {
      followed.stop?.();
      followed.stop = undefined;
    }
  }

  /** @returns {() => boolean} Whether the element still has the counter and the user of this moment. */
  #same() {
    const { path, user, counter } = this;
    return () => this.path === path && this.user === user && this.counter === counter;
  }

  #leave() {
    const { stop, ends = [] } = this.#followed ?? {};
    stop?.();
    for (const end of ends) end();
    this.#followed = null;
    this.#total = null;
    this.#failure = null;
  }

  /** @param {LiveTotal} total */
  #take(total) {
    const before = this.#total?.error;
    this.#total = total;
    const { like, counter } = this.#followed ?? {};
    const isStill = this.#same();
    if (like && counter && !total.error) like.learn(/** @type {CountedSet} */ (counter)).catch((error) => isStill() && this.#report(error));
    if (total.error && total.error.code !== before?.code) this.#report(total.error);
    this.#render();
  }

  /** Handles an error that leaves no counter to follow. @param {unknown} error */
  #fail(error) {
    this.#leave();
    this.#failure = failureOf(error);
    const wasPressed = this.#isEarly;
    this.#isEarly = false;
    this.#render();
    this.#report(this.#failure, wasPressed);
  }

  #press() {
    // The press is for the user whom the element has now.
    if (this.#isDue) this.#update();
    this.#view.message = '';
    if (!this.user) return this.#report(notSignedIn(), true);
    const { like, counter } = this.#followed ?? {};
    if (like && counter) {
      const isStill = this.#same();
      // An element that now shows another counter does not report the press.
      like.press(/** @type {CountedSet} */ (counter), !this.liked)?.then((liked) => isStill() && dispatch(this, 'shardline-like', { liked }), (error) => isStill() && this.#report(error, true));
      return;
    }
    this.#isEarly = !this.#isEarly;
    // The next update repeats a failed attempt.
    this.#wanted = null;
    this.#update();
  }

  /**
   * @param {import('./errors.js').ShardlineError} error
   * @param {boolean} [isOfPress] Whether the user waits for the call.
   */
  #report(error, isOfPress = false) {
    const message = tellError(this, error);
    if (isOfPress && message) this.#view.message = message;
  }

  #render() {
    const { value, pending, state, liked } = this;
    const like = this.#followed?.like;
    const isPending = like?.isBusy || this.#isEarly || Number(pending) !== 0;
    const mark = markOf(state, isPending);
    const texts = currentTexts();
    this.#view.show({
      isButton: this.type === 'like',
      number: value === undefined ? '' : formatOf(this, this.notation).format(value),
      fullNumber: value === undefined ? '' : formatOf(this, null).format(value),
      mark,
      state: mark && texts[mark],
      // A button without a name does not tell the user its purpose.
      label: this.label || texts.like,
      name: this.label ? '' : labelsOf(this, this.#internals),
      isPressed: liked === true,
      isDisabled: this.#isDisabled,
    });
    setStates(this.#internals, state, isPending && 'pending', liked && 'liked');
    const told = `${value} ${pending} ${state} ${liked}`;
    if (told === this.#told) return;
    this.#told = told;
    dispatch(this, 'shardline-change', { value, pending, state, liked });
  }
}

if (globalThis.customElements) {
  if (customElements.get('shard-counter')) {
    console.warn('Another copy of shardline/element defines <shard-counter>: set its property `db`.');
  } else {
    customElements.define('shard-counter', ShardCounter);
  }
}
