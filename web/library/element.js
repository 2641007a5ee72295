/// <reference path="./element_names.d.ts" preserve="true" />
// The entry `shardline/element`: <shard-counter>, a live number or a like button. It opens no connection of its own, so that the app
// decides which entry brings connect(), and under which policy. Importing it defines the element; on a server it does nothing.

import { ATTRIBUTED, AttributedElement as Attributed, optionOf } from './element/attributes.js';
import { counterOf, likeOf, totalOf, viewOf } from './element/shared.js';
import { formatOf } from './element/format.js';
import { observeView } from './element/in_view.js';
import { changes, currentTexts, missDatabase, noteDatabase, observeLanguage, openDatabase } from './element/settings.js';
import { View } from './element/view.js';
import { isNetworkError, notAllowed, ShardlineError } from './errors.js';

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
 */

/** An app may have set these before the element was defined: then they hide the accessors of the class. */
const PROPERTIES = ['db', 'counter', ...ATTRIBUTED];

/** How long an element waits for a database, a path or a counter before it warns. */
const LONG_MS = 10_000;

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

  /** Browsers from before 2023, and some simulated ones in tests, lack this: then labels and states are missing. */
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
  /** The reason why there is no counter to follow. @type {ShardlineError | null} */
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
    if (this.#failure) return isNetworkError(this.#failure) ? 'offline' : 'error';
    return this.#total?.state ?? 'loading';
  }

  /** Whether the button shows the user's like; undefined until it is known. */
  get liked() {
    return this.#isEarly || this.#followed?.like?.liked;
  }

  connectedCallback() {
    for (const name of PROPERTIES) this.#takeOwn(name);
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

  /** @param {string} name */
  #takeOwn(name) {
    if (!Object.hasOwn(this, name)) return;
    const self = /** @type {{[name: string]: unknown}} */ (/** @type {unknown} */ (this));
    const value = self[name];
    delete self[name];
    self[name] = value;
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
    this.#listen();
    void this.#follow();
    this.#render();
  }

  #listen() {
    if (this.#listening) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    changes.addEventListener('database', () => this.#plan(), { signal });
    changes.addEventListener('language', () => this.#render(), { signal });
    observeView(this, (isInView) => {
      this.#isInView = isInView;
      this.#attend();
    }, signal);
    // A database that failed to open without the network may open now.
    globalThis.addEventListener('online', () => this.#failure && this.#plan(), { signal });
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
      if (!path || !database) return this.#miss(wanted, hasFailed);
      const opened = await database;
      if (this.#wanted !== wanted) return;
      const [counter, leave] = counterOf(opened, path, this.#counterOptions(), (error) => this.#report(error));
      if (!this.#db) noteDatabase(counter.ended);
      this.#subscribe(counter, leave);
    } catch (error) {
      if (this.#wanted === wanted) this.#fail(error);
    }
  }

  /**
   * Handles a missing database, path or counter: the app has forgotten it, or is still loading, because scripts come after the elements.
   * @param {object} wanted
   * @param {boolean} hasFailed Whether the wait for it is over.
   */
  #miss(wanted, hasFailed) {
    const { path } = this;
    setTimeout(() => {
      if (this.#wanted !== wanted) return;
      if (path) missDatabase();
      else this.#fail(notAllowed('path', 'a path', '<shard-counter> needs the attribute `path`, such as posts/p1.'));
    }, path || !hasFailed ? LONG_MS : 0);
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
    const isOurs = typeof (/** @type {{code?: string} | null} */ (error)?.code) === 'string';
    this.#failure = isOurs ? /** @type {ShardlineError} */ (error)
      : new ShardlineError('unknown', `Not connected: ${error}`, { reason: 'database-not-opened', cause: error });
    const wasPressed = this.#isEarly;
    this.#isEarly = false;
    this.#render();
    this.#report(this.#failure, wasPressed);
  }

  #press() {
    // The press is for the user whom the element has now.
    if (this.#isDue) this.#update();
    this.#view.message = '';
    if (!this.user) {
      const message = 'No user is signed in. Set the attribute `user` of <shard-counter> after sign-in.';
      this.#report(new ShardlineError('unauthenticated', message, { reason: 'user-not-signed-in' }), true);
      return;
    }
    const { like, counter } = this.#followed ?? {};
    if (like && counter) {
      const isStill = this.#same();
      // An element that now shows another counter does not report the press.
      like.press(/** @type {CountedSet} */ (counter))?.then((liked) => isStill() && this.#dispatch('shardline-like', { liked }), (error) => isStill() && this.#report(error, true));
      return;
    }
    this.#isEarly = !this.#isEarly;
    // The next update repeats a failed attempt.
    this.#wanted = null;
    this.#update();
  }

  /**
   * @param {ShardlineError} error
   * @param {boolean} [isOfPress] Whether the user waits for the call.
   */
  #report(error, isOfPress = false) {
    const isMine = this.#dispatch('shardline-error', error, { cancelable: true });
    if (!isMine) return;
    // The console shows the author a mistake of the page.
    if (['invalid-argument', 'unknown'].includes(error.code)) console.error(error);
    if (!isOfPress) return;
    const { signIn, likeOffline, likeError } = currentTexts();
    this.#view.message = error.code === 'unauthenticated' ? signIn : isNetworkError(error) ? likeOffline : likeError;
  }

  /**
   * @param {string} name
   * @param {unknown} detail
   * @param {EventInit} [options]
   */
  #dispatch(name, detail, options) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail, ...options }));
  }

  #render() {
    const { value, pending, state, liked } = this;
    const like = this.#followed?.like;
    const isPending = like?.isBusy || this.#isEarly || Number(pending) !== 0;
    const mark = state === 'offline' || state === 'error' ? state : isPending ? 'pending' : '';
    const texts = currentTexts();
    this.#view.show({
      isButton: this.type === 'like',
      number: value === undefined ? '' : formatOf(this, this.notation).format(value),
      fullNumber: value === undefined ? '' : formatOf(this, null).format(value),
      mark,
      state: mark && texts[mark],
      // A button without a name does not tell the user its purpose.
      label: this.label || texts.like,
      name: this.label ? '' : this.#labels(),
      isPressed: liked === true,
      isDisabled: this.#isDisabled,
    });
    for (const name of ['loading', 'live', 'offline', 'error']) this.#setState(name, state === name);
    this.#setState('pending', isPending);
    this.#setState('liked', liked === true);
    const told = `${value} ${pending} ${state} ${liked}`;
    if (told === this.#told) return;
    this.#told = told;
    this.#dispatch('shardline-change', { value, pending, state, liked });
  }

  /** The text of the page's <label> elements; without this element's own content, if one is around it. */
  #labels() {
    /** @param {Node} node @returns {string} */
    const textOf = (node) => (node === this ? '' : node.nodeType === Node.TEXT_NODE ? node.textContent ?? '' : [...node.childNodes].map(textOf).join(''));
    return [...this.#internals?.labels ?? []].map(textOf).join(' ').trim();
  }

  /**
   * @param {string} name
   * @param {boolean} isOn
   */
  #setState(name, isOn) {
    try {
      if (isOn) this.#internals?.states.add(name);
      else this.#internals?.states.delete(name);
    } catch {
      // Browsers from before `:state()` have no states, or accept only other names. Only a page's own rules need them.
    }
  }
}

if (globalThis.customElements) {
  if (customElements.get('shard-counter')) {
    console.warn('Another copy of shardline/element has defined <shard-counter>: useDatabase() and useTexts() of this one do nothing. Set the property `db`.');
  } else {
    customElements.define('shard-counter', ShardCounter);
  }
}
