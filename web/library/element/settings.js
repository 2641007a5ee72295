// The settings that all elements of a page share: the database, and the texts.

import { notAllowed, unknownOption } from '../errors.js';

/**
 * @typedef {import('../counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {CounterDatabase | Promise<CounterDatabase> | (() => CounterDatabase | Promise<CounterDatabase>)} DatabaseSource
 *
 * @typedef {object} Texts What an element says. Screen readers say all of it; what is not said of the button is shown, too.
 * @property {string} like The name of a like button that has no `label`.
 * @property {string} pending The total counts what the server has not confirmed yet.
 * @property {string} offline The total is an old one, as there is no network.
 * @property {string} error The total is an old one, or there is none, as something went wrong.
 * @property {string} signIn A like was not sent: the element has no `user`.
 * @property {string} likeOffline A like was not sent, or its outcome is unknown: there is no network.
 * @property {string} likeError A like was refused.
 */

/** @type {Texts} */
const ENGLISH = {
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

/** Dispatches `database` and `language`: what elements go by has changed. */
export const changes = new EventTarget();

/**
 * Says which database all elements of this page count in that have no `db` and no `counter` of their own. Said again, it changes nothing,
 * unless the database could not be opened or has been closed: then it is opened again.
 * @param {DatabaseSource | null} database What connect() returns, or a function that returns it. The function is called once, when an
 *   element needs the database; again after it has failed. `null`: elements stop.
 */
export function useDatabase(database) {
  if (!isSource(database)) {
    throw notAllowed('database', 'a database, or a function that returns one',
      'useDatabase() takes a database, or a function that returns one: useDatabase(() => connect({ projectId: … })).');
  }
  const isOver = (hasFailed && !opened) || ended?.aborted;
  // Each component of a page may say so for itself: elements that are at it do not begin again.
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
      // One element has tried again. All others wait for it as well.
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

/** An element counts in it. @param {AbortSignal} signal Of its counter: aborted when the database is closed. */
export function noteDatabase(signal) {
  ended = signal;
}

/** An element has no database. Says so once to the author of the page, unless elements are to have none. */
export function missDatabase() {
  if (source !== undefined || isMissed) return;
  isMissed = true;
  console.warn('<shard-counter> has no database: call useDatabase(), or set its property `db`.');
}

/**
 * Replaces what elements say, for instance by another language's words. Texts that the app leaves out stay English.
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
 * From now on, a new language around an element changes that of the numbers: of the page, or of a part of it.
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
