// Texts by key in IndexedDB.

/** @typedef {import('./storage.js').OutboxStorage} OutboxStorage */

const STORE = 'outbox';
/** How many texts are read in one transaction, so that others need not wait for all of them. */
const PAGE = 100;

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Opens the database at first use, and again when the connection has been lost.
 * @param {string} name Of the database.
 * @returns {OutboxStorage}
 */
export function indexedDbStorage(name) {
  /** @type {Promise<IDBDatabase> | undefined} */
  let opened;
  let isClosed = false;

  const reset = () => {
    opened?.then((database) => database.close(), () => {});
    opened = undefined;
  };

  const open = () => {
    if (isClosed) throw new Error('The database was closed.');
    if (opened) return opened;
    const forget = () => {
      if (opened === opening) opened = undefined;
    };
    const opening = openDatabase(name, forget);
    opening.catch(forget);
    opened = opening;
    return opening;
  };

  /**
   * @param {IDBTransactionMode} mode
   * @param {IDBTransactionOptions} [options]
   */
  const begin = async (mode, options) => {
    try {
      return (await open()).transaction(STORE, mode, options);
    } catch {
      // The connection has died, and no event has told. A new one fails with a reason, or does not.
      reset();
      return (await open()).transaction(STORE, mode, options);
    }
  };

  return {
    shared: true,
    reset,
    async update(key, change, { durable }) {
      const transaction = await begin('readwrite', { durability: durable ? 'strict' : 'relaxed' });
      const store = transaction.objectStore(STORE);
      await new Promise((resolve, reject) => {
        /** @type {unknown} */
        let thrown;
        transaction.oncomplete = () => resolve(undefined);
        transaction.onabort = () => reject(thrown ?? transaction.error ?? new Error('The transaction was aborted.'));
        const reading = store.get(key);
        reading.onsuccess = () => {
          try {
            const text = change(reading.result);
            if (text === undefined) store.delete(key);
            else if (text !== reading.result) store.put(text, key);
          } catch (error) {
            thrown = error;
            transaction.abort();
          }
        };
      });
    },
    async all() {
      /** @type {Map<string, string>} */
      const texts = new Map();
      /** @type {IDBValidKey} */
      let after = '';
      for (let more = true; more;) {
        const store = (await begin('readonly')).objectStore(STORE);
        const range = IDBKeyRange.lowerBound(after, true);
        const [keys, values] = await Promise.all([resultOf(store.getAllKeys(range, PAGE)), resultOf(store.getAll(range, PAGE))]);
        keys.forEach((key, i) => texts.set(String(key), values[i]));
        after = keys.at(-1) ?? after;
        more = keys.length === PAGE;
      }
      return texts;
    },
    close() {
      isClosed = true;
      reset();
    },
  };
}

/**
 * @param {string} name
 * @param {() => void} onLost Called when it is closed: not by whoever has opened it.
 * @returns {Promise<IDBDatabase>}
 */
function openDatabase(name, onLost) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onLost;
      // Somebody wants to delete the database, or another version of this library to change it: neither must have to wait.
      database.onversionchange = () => {
        database.close();
        onLost();
      };
      resolve(database);
    };
  });
}
