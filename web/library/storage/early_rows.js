// The rows in IndexedDB before the page has the outbox: it checks whether there are any, and adds some.

import { within } from '../waits.js';

/** The object store of rows. */
export const STORE = 'rows';
const LONGEST_WAIT_MS = 5000;

/**
 * Whether earlier pages have left rows.
 * @param {string} name Of the database.
 * @returns {Promise<boolean>} Also true if this cannot be known: the outbox finds out.
 */
export function hasRows(name) {
  return inStore(name, false, 'readonly', {}, (store) => store.count()).then((count) => count > 0, (error) => error?.name !== 'AbortError');
}

/**
 * Stores a row durably: resolves when a power failure cannot lose it.
 * @param {string} name
 * @param {import('../outbox/rows.js').StoredRow} row
 */
export async function putRow(name, row) {
  await inStore(name, true, 'readwrite', { durability: 'strict' }, (store) => store.put(row));
}

/**
 * @param {string} name
 * @param {boolean} mayMake Whether to make a database if there is none.
 * @param {IDBTransactionMode} mode
 * @param {IDBTransactionOptions} options
 * @param {(store: IDBObjectStore) => IDBRequest} action
 * @returns {Promise<any>} The result of the request, when its transaction is complete.
 */
function inStore(name, mayMake, mode, options, action) {
  return within(new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onerror = (event) => {
      // The page itself has no error.
      event.preventDefault();
      reject(opening.error);
    };
    opening.onupgradeneeded = () => {
      if (mayMake) opening.result.createObjectStore(STORE, { keyPath: 'id' });
      else opening.transaction?.abort();
    };
    opening.onsuccess = () => {
      const database = opening.result;
      // Other code may want to delete the database.
      database.onversionchange = () => database.close();
      try {
        const transaction = database.transaction(STORE, mode, options);
        const request = action(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
        database.close();
      } catch (error) {
        database.close();
        reject(error);
      }
    };
  }), LONGEST_WAIT_MS);
}
