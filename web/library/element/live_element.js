// The class of the elements that show something of a document besides its counter: they follow it while the page shows it.

import { Base, numberOf, reflect } from './attributes.js';
import { dispatch, failureOf, labelsOf, listen, markOf, miss, notSignedIn, setStates, stateOf, takeOwn, tellError } from './life.js';
import { currentTexts, noteDatabase, observeLanguage, openDatabase } from './settings.js';
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
 * @property {() => void} [end] Ends the subscription to the wish.
 *
 * @typedef {object} Shown
 * @property {any} live The last total or summary; null while there is none.
 * @property {any} wished The user's wish, or else the state on the server; undefined while it is not known.
 * @property {string} mark
 * @property {string} markText What the mark means; empty without one.
 * @property {string} label The text of the page's <label> elements.
 * @property {boolean} isDisabled
 *
 * @typedef {object} Kind The difference between ratings and a stock.
 * @property {string[]} properties
 * @property {string} css Besides the style of all elements.
 * @property {() => unknown[]} wants All that decides what the element follows, besides its path and the database; at first the user.
 * @property {(database: any) => Followed} open Finds what the element follows.
 * @property {(shown: Shown) => {[name: string]: unknown}} show Returns what `shardline-change` tells, besides `pending` and `state`.
 * @property {(shown: Shown) => string | false | undefined} [stateFor] Returns one more custom state (`:state(…)`) that the page's CSS can select.
 * @property {(message: string) => void} [say] Shows the reason why a press had no effect; empty: there is none.
 * @property {() => string} [signIn] The reason if no user is signed in.
 * @property {(state: any) => void} [tell] Tells the app that the server has the user's wish.
 */

/**
 * Sends the wish of the user who has pressed. Before there is a database, the wish waits for that, unless it is empty.
 * @type {(element: LiveElement, wanted: string) => void}
 */
export let press;
/** @type {(element: LiveElement) => any} Its last total or summary; null while there is none. */
export let liveOf;
/** @type {(element: LiveElement) => any} See Shown. */
export let wishOf;

/** An element that shows something of a document. */
export class LiveElement extends Base {
  /** Lets a `<label>`, and the `disabled` of a fieldset, act on this element. */
  static formAssociated = true;

  #internals = /** @type {Partial<Pick<HTMLElement, 'attachInternals'>>} */ (this).attachInternals?.();
  #kind;
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
  /** A wish that was pressed before the database was there. */
  #early = '';
  #told = '';
  /** Set while it is in a page. @type {AbortController | null} */
  #listening = null;
  #isInView = false;

  static {
    press = (element, wanted) => element.#press(wanted);
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
    this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.adoptedCallback();
  }

  /** The document's path. */
  get path() {
    return this.getAttribute('path');
  }

  set path(path) {
    reflect(this, 'path', path);
  }

  /** The option `shards` of `db.ratings()` or `db.stock()`. @returns {number | null} */
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

  // Called in another document, whose styles are others.
  adoptedCallback() {
    const { ownerDocument } = this;
    /** @type {ShadowRoot} */ (this.shadowRoot).adoptedStyleSheets = [...styleSheets(ownerDocument), ...styleSheets(ownerDocument, this.#kind.css)];
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
      this.#forget();
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

  /** @returns {() => boolean} Whether the element still has the path and the user of this moment. */
  #same() {
    const [path, user] = this.#wants();
    return () => {
      const now = this.#wants();
      return now[0] === path && now[1] === user;
    };
  }

  /** Forgets what was for another path or user: the press that waits, and a message. */
  #forget() {
    this.#early = '';
    this.#kind.say?.('');
  }

  /** Follows the thing of the attributes, unless it does. */
  async #follow() {
    const wanted = this.#wants();
    const [path, user] = wanted;
    const database = path ? this.#db ?? openDatabase() : null;
    wanted.push(database);
    const before = this.#wanted;
    if (before?.every((part, index) => Object.is(part, wanted[index]))) return;
    if (before && (before[0] !== path || before[1] !== user)) this.#forget();
    this.#wanted = wanted;
    const hasFailed = this.#failure !== null;
    this.#leave();
    try {
      if (!path || !database) return miss(this, hasFailed, () => this.#wanted === wanted, (error) => this.#fail(error));
      const opened = await database;
      if (this.#wanted !== wanted) return;
      this.#begin(this.#kind.open(opened));
      // The signal of its counters is that of the database.
      if (!this.#db) noteDatabase(opened.counter(`${path}`).ended);
    } catch (error) {
      if (this.#wanted === wanted) this.#fail(error);
    }
  }

  /** @param {Followed} followed */
  #begin(followed) {
    this.#followed = followed;
    followed.end = followed.wish?.subscribe(() => this.#render());
    this.#attend();
    this.#render();
    const early = this.#early;
    this.#early = '';
    if (early) this.#press(early);
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
    this.#followed?.stop?.();
    this.#followed?.end?.();
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
    const wasPressed = this.#early !== '';
    this.#early = '';
    this.#render();
    this.#report(this.#failure, wasPressed);
  }

  /** @param {string} wanted */
  #press(wanted) {
    // The press is for the user whom the element has now.
    if (this.#isDue) this.#update();
    this.#kind.say?.('');
    if (!this.#wants()[1]) return this.#report(notSignedIn(), true);
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
    const isPending = this.#early !== '' || this.#followed?.wish?.isBusy || Number(pending) !== 0;
    const mark = markOf(state, isPending);
    /** @type {Shown} */
    const shown = {
      live: this.#live, wished: wishOf(this), mark, markText: mark && currentTexts()[mark], label: labelsOf(this, this.#internals), isDisabled: this.#isDisabled,
    };
    const detail = { ...this.#kind.show(shown), pending, state };
    setStates(this.#internals, state, isPending && 'pending', this.#kind.stateFor?.(shown));
    const told = Object.values(detail).map(String).join(' ');
    if (told === this.#told) return;
    this.#told = told;
    dispatch(this, 'shardline-change', detail);
  }
}
