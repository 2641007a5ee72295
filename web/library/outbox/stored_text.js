// The text by which a record stands in the storage.

import { ShardlineError } from '../errors.js';

/**
 * @typedef {object} Stored
 * @property {string} epoch Drawn when the record is made: tickets of one epoch mean nothing in another.
 * @property {number} version Grows by one with every change within the epoch.
 * @property {string} by Who has made that change.
 * @property {number} [upTo] For a record that was put back: the version that it was put back from.
 * @property {string} state The entries, as the core writes them (src/delivery/delivery_queue.h).
 * @property {string} key Of the counter.
 * @property {import('./users.js').User} user Whose increments they are.
 * @property {string} [side] The epoch of the record of which this one is the continuation.
 * @property {import('./records.js').CounterArguments} counter The counter's options, for other tabs and later pages to send by.
 *
 * @typedef {Pick<Stored, 'key' | 'user' | 'side'>} Place Which record it is.
 */

/** The key by which a record is stored. @param {Place} place */
export function idOf({ key, user, side }) {
  return JSON.stringify(side === undefined ? [key, user] : [key, user, side]);
}

/** What stands in front of the keys of what cannot be read. */
export const UNREADABLE = 'unreadable ';

/** The core is given UTF-8, which has none. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const LARGEST_VERSION = 2 ** 50;

/**
 * @param {string | undefined} text
 * @returns {Stored | undefined}
 */
export function readStored(text) {
  if (text === undefined) return undefined;
  /** @type {any} */
  let stored;
  try {
    stored = JSON.parse(text);
  } catch {
    // Answered below.
  }
  const { epoch, version, by, state, key, user, counter } = stored ?? {};
  const isRecord = [epoch, by, state, key].every((part) => typeof part === 'string' && !LONE_SURROGATE.test(part))
    && (user === null || typeof user === 'string') && typeof counter?.path === 'string'
    && Number.isInteger(version) && version >= 1 && version <= LARGEST_VERSION;
  if (isRecord) return stored;
  throw new ShardlineError('data-loss', 'Stored increments cannot be read: something else has written to the storage. They are kept '
    + `by keys that begin with “${UNREADABLE}”; db.unreadable() returns them.`, { reason: 'storage-altered' });
}

/**
 * Whether it says that what is stored cannot be read. Other errors say nothing of it: the module has crashed, or the connection is closed.
 * @param {unknown} error
 */
export function isUnreadable(error) {
  return error instanceof ShardlineError && error.code === 'data-loss';
}

/**
 * Keeps what cannot be read by another key, for whoever can.
 * @param {import('./storage.js').PatientStorage} storage
 * @param {string} id By which it is stored.
 * @param {(text: string) => boolean} isMeant Asked of what is stored by now: another tab may have been faster.
 */
export async function setAside(storage, id, isMeant) {
  /** @type {string | undefined} */
  let unreadable;
  await storage.update(id, (text) => {
    if (text === undefined || !isMeant(text)) return text;
    unreadable = text;
    return undefined;
  }, { durable: true });
  if (unreadable !== undefined) await storage.update(`${UNREADABLE}${Date.now()} ${id}`, () => unreadable, { durable: true });
}

/** 20 letters and digits. */
export function drawId() {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte % 62]).join('');
}
