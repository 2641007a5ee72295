// The class of all elements: it follows a total, ratings or a stock while the page shows the element.

import { Base, numberOf, reflect } from './attributes.js';
import { dispatch, failureOf, labelsOf, listen, markOf, miss, notSignedIn, setStates, stateOf, takeOwn, tellError } from './life.js';
import { currentTexts, observeLanguage, openDatabase } from './settings.js';
import { styleSheets } from './style.js';

/**
 * @typedef {import('../counter_database.js').CounterDatabase} Database
 * @typedef {import('../errors.js').ShardlineError} ShardlineError
 * @typedef {import('../watch.js').LiveTotal} LiveTotal
 * @typedef {Pick<LiveTotal, 'state' | 'error'> & {pending?: LiveTotal['pending']}} Live A total, or a summary of ratings.
 *
 * @typedef {object} Followed The thing that an element follows.
 * @property {(listener: (live: any) => void) => () => void} subscribe
 * @property {() => void} [stop] Ends its subscription, while it has one.
 * @property {any} [thing] The thing that the user likes or rates.
 * @property {import('./wish.js').Wish<any, any>} [wish] The user's.
 * @property {(() => void)[]} [ends] Functions to call when the element no longer follows it.
 *
 * @typedef {object} Shown
 * @property {any} wished The user's wish, or else the state on the server; undefined while it is not known.
 * @property {'pending' | 'offline' | 'error' | ''} mark
 * @property {string} markText What the mark means; empty without one.
 * @property {string} label The text of the page's <label> elements.
 * @property {boolean} isDisabled
 *
 * @typedef {object} Kind The difference between counters, ratings and stocks.
 * @property {string[]} properties
 * @property {string} [css] Besides the style of all elements.
 * @property {() => unknown[]} wants All that decides what the element follows, besides its path and the database. In this order: the user, the object
 *   that the app has set in place of the path (null: none), the rest.
 * @property {(database: any) => Followed} open Finds what the element follows, and notes the page's database (settings.js). The database is null if the
 *   app has set an object.
 * @property {(shown: Shown) => {[name: string]: unknown}} show Returns what `shardline-change` tells, besides `pending` and `state`.
 * @property {(shown: Shown) => string | false | undefined} [stateFor] Returns one more custom state (`:state(…)`) that the page's CSS can select.
 * @property {(message: string) => void} [say] Shows the reason why a press had no effect; empty: there is none.
 * @property {() => string} [signIn] The reason if no user is signed in.
 * @property {(state: any) => void} [tell] Tells the app that the server has the user's wish.
 */

/**
 * Sends the wish of the user who has pressed. Before there is a database, the wish waits for that, unless it is falsy.
 * @type {(element: LiveElement, choose: (wished: any) => any) => void} `choose` gets the wish that the element shows (see Shown), and returns the new one.
 */
export let press;
/** Updates the element soon, because a property has changed. @type {(element: LiveElement) => void} */
export let plan;
/** @type {(element: LiveElement) => any} Its last total or summary; null while there is none. */
export let liveOf;
/** @type {(element: LiveElement) => any} See Shown. */
export let wishOf;

/** The places in #wants(). */
const PATH = 0;
const USER = 1;
const OBJECT = 2;

/** The class of all elements: it has the properties that `<shard-counter>`, `<shard-rating>` and `<shard-stock>` share. */
export class LiveElement extends Base {
  /** Lets a `<label>`, and the `disabled` of a fieldset, act on this element. */
  static formAssociated = true;

  #internals = /** @type {Partial<Pick<HTMLElement, 'attachInternals'>>} */ (this).attachInternals?.();
  #kind;
  #root;
  /** @type {Database | null} */
  #db = null;
  /** Whether #update() will be called. */
  #isDue = false;
  #isDisabled = false;
  /** The arguments of the last update. @type {unknown[] | null} */
  #wanted = null;
  /** @type {Followed | null} */
  #followed = null;
  /** @type {Live | null} */
  #live = null;
  /** The reason why there is nothing to follow. @type {ShardlineError | null} */
  #failure = null;
  /** A wish that was pressed before the database was there; falsy if there is none. @type {any} */
  #early;
  #told = '';
  /** Set while it is in a page. @type {AbortController | null} */
  #listening = null;
  #isInView = false;

  static {
    press = (element, choose) => element.#press(choose);
    plan = (element) => element.#plan();
    liveOf = (element) => element.#live;
    wishOf = (element) => element.#early || element.#followed?.wish?.state;
  }

  /**
   * @param {Kind} kind
   * @hidden Made by the library.
   */
  constructor(kind) {
    super();
    this.#kind = kind;
    this.#root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#dress();
  }

  /** The document's path. */
  get path() {
    return this.getAttribute('path');
  }

  set path(path) {
    reflect(this, 'path', path);
  }

  /** The option `shards` of `db.counter()`, `db.ratings()` or `db.stock()`. @returns {number | null} */
  get shards() {
    return numberOf(this, 'shards');
  }

  set shards(shards) {
    reflect(this, 'shards', shards);
  }

  /** The database of this element, in place of the page's. @returns {Database | null} */
  get db() {
    return this.#db;
  }

  set db(db) {
    this.#db = db ?? null;
    this.#plan();
  }

  /** The unconfirmed changes of this page. */
  get pending() {
    return this.#live?.pending ?? 0;
  }

  /** The state of `watch()`. @returns {LiveTotal['state']} */
  get state() {
    return stateOf(this.#failure, this.#live);
  }

  connectedCallback() {
    takeOwn(this, ['db', ...this.#kind.properties]);
    observeLanguage(this);
    this.#update();
  }

  // The old document's styles do not apply.
  adoptedCallback() {
    this.#dress();
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

  #dress() {
    const { ownerDocument } = this;
    const { css } = this.#kind;
    this.#root.adoptedStyleSheets = [...styleSheets(ownerDocument), ...(css ? styleSheets(ownerDocument, css) : [])];
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
      this.#early = undefined;
      this.#kind.say?.('');
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

  #wants() {
    return [this.path, ...this.#kind.wants()];
  }

  /** @returns {() => boolean} Whether the element still has the path, the user and the app's object of this moment. */
  #same() {
    // A like button may become a number meanwhile: its user is the same.
    const all = () => [this.path, this.getAttribute('user'), this.#wants()[OBJECT]];
    const before = all();
    return () => !hasChanged(before, all());
  }

  /** Follows the thing of the attributes and properties, unless it does. */
  async #follow() {
    const wanted = this.#wants();
    const [path, given] = [wanted[PATH], wanted[OBJECT]];
    const database = given || !path ? null : this.#db ?? openDatabase();
    wanted.push(database);
    const before = this.#wanted;
    if (before && !hasChanged(before, wanted)) return;
    // A press may wait for a path, but it is not for another path or user.
    if (before && [PATH, USER].some((part) => before[part] && before[part] !== wanted[part])) this.#early = undefined;
    // A message was for these, or for the app's object. It is wrong for a user who has signed in since.
    if (before && [PATH, USER, OBJECT].some((part) => before[part] !== wanted[part])) this.#kind.say?.('');
    this.#wanted = wanted;
    const hasFailed = this.#failure !== null;
    this.#leave();
    try {
      if (given) return this.#begin(this.#kind.open(null));
      if (!path || !database) return miss(this, hasFailed, () => this.#wanted === wanted, (error) => this.#fail(error));
      const opened = await database;
      // A property may have changed just now.
      if (this.#isDue) this.#update();
      if (this.#wanted !== wanted) return;
      this.#begin(this.#kind.open(opened));
    } catch (error) {
      if (this.#wanted === wanted) this.#fail(error);
    }
  }

  /** @param {Followed} followed */
  #begin(followed) {
    this.#followed = followed;
    const { wish, ends = [] } = followed;
    if (wish) followed.ends = [...ends, wish.subscribe(() => this.#render())];
    this.#attend();
    this.#render();
    const early = this.#early;
    this.#early = undefined;
    if (early) this.#press(() => early);
  }

  /** Reads while the element is in view. */
  #attend() {
    const followed = this.#followed;
    if (!followed) return;
    if (this.#isInView) {
      followed.stop ??= followed.subscribe((live) => this.#take(live));
    } else {
      followed.stop?.();
      followed.stop = undefined;
    }
  }

  #leave() {
    const { stop, ends = [] } = this.#followed ?? {};
    stop?.();
    for (const end of ends) end();
    this.#followed = null;
    this.#live = null;
    this.#failure = null;
  }

  /** @param {Live} live */
  #take(live) {
    const { error } = live;
    const before = this.#live?.error;
    this.#live = live;
    const { wish, thing } = this.#followed ?? {};
    const isStill = this.#same();
    if (!error) wish?.learn(thing).catch((refusal) => isStill() && this.#report(refusal));
    if (error && error.code !== before?.code) this.#report(error);
    this.#render();
  }

  /** Handles an error that leaves nothing to follow. @param {unknown} error */
  #fail(error) {
    this.#leave();
    this.#failure = failureOf(error);
    const wasPressed = Boolean(this.#early);
    this.#early = undefined;
    this.#render();
    this.#report(this.#failure, wasPressed);
  }

  /** @param {(wished: any) => any} choose */
  #press(choose) {
    // The press is for the user whom the element has now.
    if (this.#isDue) this.#update();
    this.#kind.say?.('');
    if (!this.#wants()[USER]) return this.#report(notSignedIn(), true);
    const wanted = choose(wishOf(this));
    const { wish, thing } = this.#followed ?? {};
    if (wish) {
      const isStill = this.#same();
      // An element that now shows another thing does not report the press.
      wish.press(thing, wanted)?.then((state) => isStill() && this.#kind.tell?.(state), (error) => isStill() && this.#report(error, true));
      return;
    }
    this.#early = wanted;
    // The next update repeats a failed attempt.
    this.#wanted = null;
    this.#update();
  }

  /**
   * @param {ShardlineError} error
   * @param {boolean} [isOfPress] Whether the user waits for the call.
   */
  #report(error, isOfPress = false) {
    const message = tellError(this, error);
    if (isOfPress && message) this.#kind.say?.(error.code === 'unauthenticated' ? this.#kind.signIn?.() ?? message : message);
  }

  #render() {
    const { pending, state } = this;
    const isPending = Boolean(this.#early || this.#followed?.wish?.isBusy || Number(pending) !== 0);
    const mark = markOf(state, isPending);
    /** @type {Shown} */
    const shown = {
      wished: wishOf(this), mark, markText: mark && currentTexts()[mark], label: labelsOf(this, this.#internals), isDisabled: this.#isDisabled,
    };
    const detail = { ...this.#kind.show(shown), pending, state };
    setStates(this.#internals, state, isPending && 'pending', this.#kind.stateFor?.(shown));
    const told = Object.values(detail).map(String).join(' ');
    if (told === this.#told) return;
    this.#told = told;
    dispatch(this, 'shardline-change', detail);
  }
}

/** @param {unknown[]} before @param {unknown[]} now */
function hasChanged(before, now) {
  return before.some((part, index) => !Object.is(part, now[index]));
}
