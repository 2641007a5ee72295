// The parts of an element's life in a page that are the same for counters, ratings and stocks.

import { isNetworkError, notAllowed, ShardlineError } from '../errors.js';
import { observeView } from './in_view.js';
import { changes, currentTexts, missDatabase } from './settings.js';

/** @typedef {Partial<Pick<ElementInternals, 'labels' | 'states'>>} Internals Old browsers, and simulated ones in tests, have none: then labels and states are missing. */

/** How long an element waits for a database, a path or a counter before it warns. */
const LONG_MS = 10_000;

/**
 * Takes in the properties that an app has set before the element was defined: they hide the accessors of the class.
 * @param {HTMLElement} element
 * @param {string[]} names
 */
export function takeOwn(element, names) {
  const self = /** @type {{[name: string]: unknown}} */ (/** @type {unknown} */ (element));
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value = self[name];
    delete self[name];
    self[name] = value;
  }
}

/**
 * Listens to the page.
 * @param {HTMLElement} element
 * @param {() => void} onDatabase
 * @param {() => void} onLanguage
 * @param {(isInView: boolean) => void} onView
 * @param {() => void} onOnline
 * @returns {AbortController} Ends it.
 */
export function listen(element, onDatabase, onLanguage, onView, onOnline) {
  const listening = new AbortController();
  const { signal } = listening;
  changes.addEventListener('database', onDatabase, { signal });
  changes.addEventListener('language', onLanguage, { signal });
  observeView(element, onView, signal);
  globalThis.addEventListener('online', onOnline, { signal });
  return listening;
}

/**
 * Handles a missing database, path or counter: the app has forgotten it, or is still loading, because scripts come after the elements.
 * @param {HTMLElement & {path: string | null}} element
 * @param {boolean} hasFailed Whether the wait for it is over.
 * @param {() => boolean} isStill Whether it is still missing.
 * @param {(error: ShardlineError) => void} fail
 */
export function miss({ path, localName }, hasFailed, isStill, fail) {
  setTimeout(() => {
    if (!isStill()) return;
    if (path) missDatabase(localName);
    else fail(notAllowed('path', 'a path', `<${localName}> needs the attribute \`path\`, such as posts/p1.`));
  }, path || !hasFailed ? LONG_MS : 0);
}

/** The reason why an element has nothing to follow. @param {unknown} error @returns {ShardlineError} */
export function failureOf(error) {
  const isOurs = typeof (/** @type {{code?: string} | null} */ (error)?.code) === 'string';
  return isOurs ? /** @type {ShardlineError} */ (error)
    : new ShardlineError('unknown', `Not connected: ${error}`, { reason: 'database-not-opened', cause: error });
}

/**
 * The state of an element, in the words of `watch()`.
 * @param {ShardlineError | null} failure
 * @param {{state: import('../watch.js').LiveTotal['state']} | null} live
 */
export function stateOf(failure, live) {
  if (failure) return isNetworkError(failure) ? 'offline' : 'error';
  return live?.state ?? 'loading';
}

export function notSignedIn() {
  return new ShardlineError('unauthenticated', 'No user is signed in. Set `user` after sign-in.', { reason: 'user-not-signed-in' });
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {unknown} detail
 * @param {EventInit} [options]
 */
export function dispatch(element, name, detail, options) {
  return element.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail, ...options }));
}

/**
 * Tells the app of an error, and the author of the page of a mistake, in the console.
 * @param {HTMLElement} element
 * @param {ShardlineError} error
 * @returns {string} The text to show if the user waits for the call; empty if the app has shown the error itself.
 */
export function tellError(element, error) {
  if (!dispatch(element, 'shardline-error', error, { cancelable: true })) return '';
  if (['invalid-argument', 'unknown'].includes(error.code)) console.error(error);
  const { signIn, likeOffline, likeError } = currentTexts();
  return error.code === 'unauthenticated' ? signIn : isNetworkError(error) ? likeOffline : likeError;
}

/**
 * The mark of the number.
 * @param {string} state
 * @param {boolean} isPending
 */
export function markOf(state, isPending) {
  return state === 'offline' || state === 'error' ? state : isPending ? 'pending' : '';
}

/**
 * The text of the page's <label> elements; without the element's own content, if one is around it.
 * @param {HTMLElement} element
 * @param {Internals | undefined} internals
 */
export function labelsOf(element, internals) {
  /** @param {Node} node @returns {string} */
  const textOf = (node) => (node === element ? '' : node.nodeType === Node.TEXT_NODE ? node.textContent ?? '' : [...node.childNodes].map(textOf).join(''));
  return [...internals?.labels ?? []].map(textOf).join(' ').trim();
}

/**
 * @param {Internals | undefined} internals
 * @param {...(string | false | undefined)} states Those that are on.
 */
export function setStates(internals, ...states) {
  try {
    internals?.states?.clear();
    for (const state of states) if (state) internals?.states?.add(state);
  } catch {
    // Browsers from before `:state()` have no states, or accept only other names. Only a page's own rules need them.
  }
}
