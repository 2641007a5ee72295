// The settings that all elements of a page share: the database, and the texts.

import { notAllowed, unknownOption } from '../errors.js';

/**
 * @typedef {import('../counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {CounterDatabase | Promise<CounterDatabase> | (() => CounterDatabase | Promise<CounterDatabase>)} DatabaseSource
 *
 * @typedef {object} Texts The texts of an element. Screen readers read all of them; the page also shows those that are not about the button.
 * @property {string} like The name of a like button that has no `label`.
 * @property {string} pending The total includes changes that the server has not confirmed yet.
 * @property {string} offline The total is an old one, because there is no network.
 * @property {string} error The total is an old one, or there is none, because of an error.
 * @property {string} signIn A like was not sent: the element has no `user`.
 * @property {string} likeOffline A like was not sent, or its outcome is unknown: there is no network.
 * @property {string} likeError A like was refused.
 */

/** @type {Texts} */
export const ENGLISH = {
  like: 'Like',
  pending: 'Saving…',
  offline: 'Offline: this number may be old.',
  error: 'Something went wrong: this number may be old.',
  signIn: 'Sign in to like this.',
  likeOffline: 'No connection. Try again.',
  likeError: 'That did not work. Try again.',
};

let texts = ENGLISH;
/** Undefined until the app has called useDatabase(). @type {DatabaseSource | null | undefined} */
let source;
/** @type {Promise<CounterDatabase> | undefined} */
let opened;
/** Whether the last attempt to open it has failed. */
let hasFailed = false;
/** The signal of the database that elements count in: aborted when it is closed. @type {AbortSignal | undefined} */
let ended;
let isMissed = false;

/** Dispatches `database` and `language` when these have changed for elements. */
export const changes = new EventTarget();

/**
 * Sets the database of all elements of this page that have no `db` and no `counter` of their own. A call with the same database changes nothing,
 * unless the database could not be opened or has been closed: then the call opens it again.
 * @param {DatabaseSource | null} database The result of connect(), or a function that returns it. The library calls the function once, when an
 *   element needs the database, and again after it has failed. `null`: elements stop.
 */
export function useDatabase(database) {
  if (!isSource(database)) {
    throw notAllowed('database', 'a database, or a function that returns one',
      'useDatabase() takes a database, or a function that returns one: useDatabase(() => connect({ projectId: … })).');
  }
  const isOver = (hasFailed && !opened) || ended?.aborted;
  // Each component of a page may call this: elements that already use the database do not begin again.
  if (database === source && !isOver) return;
  source = database;
  opened = undefined;
  hasFailed = false;
  ended = undefined;
  changes.dispatchEvent(new Event('database'));
}

/** @param {any} given */
function isSource(given) {
  try {
    return given === null || [given, given?.counter, given?.then].some((each) => typeof each === 'function');
  } catch {
    return false; // A getter, or a proxy, has thrown.
  }
}

/** @returns {Promise<CounterDatabase> | undefined} Undefined until useDatabase() has been called. */
export function openDatabase() {
  if (!source) return undefined;
  if (!opened) {
    const given = source;
    const opening = (async () => (typeof given === 'function' ? given() : given))();
    opened = opening;
    opening.then(() => {
      if (opened !== opening) return;
      // One element has tried again. All other elements wait for it, too.
      if (hasFailed) changes.dispatchEvent(new Event('database'));
      hasFailed = false;
    }, () => {
      if (opened !== opening) return;
      opened = undefined;
      hasFailed = true;
    });
  }
  return opened;
}

/** Notes the database of an element. @param {AbortSignal} signal Of its counter: aborted when the database is closed. */
export function noteDatabase(signal) {
  ended = signal;
}

/** Warns the author of the page once that an element has no database, unless the app has set it to null. @param {string} name Of the element. */
export function missDatabase(name) {
  if (source !== undefined || isMissed) return;
  isMissed = true;
  console.warn(`<${name}> has no database: call useDatabase(), or set its property \`db\`.`);
}

/**
 * Replaces the texts of elements, for example by another language's. Texts that the app leaves out stay English.
 * @param {Partial<Texts>} replacements
 */
export function useTexts(replacements) {
  for (const [name, text] of Object.entries(replacements)) {
    const known = Object.keys(ENGLISH).join(', ');
    if (!(name in ENGLISH)) throw unknownOption(name, known, `useTexts() knows no text “${name}”, only ${known}.`);
    if (typeof text !== 'string') throw notAllowed(name, 'a string', `The text “${name}” must be a string.`);
  }
  texts = { ...ENGLISH, ...replacements };
  changes.dispatchEvent(new Event('language'));
}

/** @returns {Texts} */
export const currentTexts = () => texts;

/** @type {MutationObserver | undefined} */
let languages;

/**
 * From now on, elements format their numbers again when the language of the page, or of a part around them, changes.
 * @param {HTMLElement} element
 */
export function observeLanguage(element) {
  languages ??= new MutationObserver(() => changes.dispatchEvent(new Event('language')));
  // An observed element is not observed twice.
  for (let root = element.getRootNode(); ; root = /** @type {ShadowRoot} */ (root).host.getRootNode()) {
    languages.observe(root, { subtree: true, attributeFilter: ['lang'] });
    if (!('host' in root)) return;
  }
}
