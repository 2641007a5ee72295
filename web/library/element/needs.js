// Calls that the databases of some entries lack.

import { notAllowed } from '../errors.js';

/**
 * @param {HTMLElement} element
 * @param {any} database
 * @param {'ratings' | 'stock'} call
 * @param {string} entries Those that have the call.
 * @param {unknown[]} args
 */
export function callOf({ localName }, database, call, entries, ...args) {
  try {
    if (typeof database[call] === 'function') return database[call](...args);
  } catch (error) {
    // A database without the call may name another entry.
    if (/** @type {{reason?: string} | null} */ (error)?.reason !== 'method-missing') throw error;
  }
  throw notAllowed('db', `a database with ${call}()`, `<${localName}> needs a database with ${call}(): import connect() from ${entries}.`);
}
