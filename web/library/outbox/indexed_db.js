// Texts by key in IndexedDB.

/**
 * @typedef {import('./storage.js').OutboxStorage} OutboxStorage
 *
 * @typedef {object} Update One that has been asked for.
 * @property {string} key
 * @property {(text: string | undefined) => string | undefined} change
 * @property {boolean} durable
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 */

const STORE = 'outbox';
/** How many texts one transaction reads or changes, so that others need not wait for all of them. */
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
  /** @type {Update[]} They gather while a transaction is under way, and share the next one: one for each would take many times as long. */
  const waiting = [];
  /** @type {object | undefined} The loop that writes them. */
  let writer;

  const disconnect = () => {
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
      disconnect();
      return (await open()).transaction(STORE, mode, options);
    }
  };

  const write = async () => {
    const mine = {};
    writer = mine;
    while (writer === mine && waiting.length > 0) {
      const updates = waiting.splice(0, PAGE);
      try {
        const durability = updates.some(({ durable }) => durable) ? 'strict' : 'relaxed';
        await apply(await begin('readwrite', { durability }), updates);
        for (const { resolve } of updates) resolve();
      } catch (error) {
        for (const { reject } of updates) reject(error);
      }
    }
    if (writer === mine) writer = undefined;
  };

  return {
    shared: true,
    reset() {
      disconnect();
      // What waits does not wait for a transaction that never ends.
      void write();
    },
    update(key, change, { durable }) {
      return new Promise((resolve, reject) => {
        waiting.push({ key, change, durable, resolve, reject });
        if (!writer) void write();
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
      disconnect();
    },
  };
}

/**
 * Makes updates one after the other, as two may be of the same key. One whose `change` throws leaves its text as it is, and is rejected.
 * @param {IDBTransaction} transaction
 * @param {Update[]} updates
 * @returns {Promise<void>} Rejects if none of them is stored.
 */
function apply(transaction, updates) {
  const store = transaction.objectStore(STORE);
  /** @param {number} i */
  const applyFrom = (i) => {
    const update = updates[i];
    if (!update) return;
    const reading = store.get(update.key);
    reading.onsuccess = () => {
      try {
        const text = update.change(reading.result);
        if (text === undefined) store.delete(update.key);
        else if (text !== reading.result) store.put(text, update.key);
      } catch (error) {
        update.reject(error);
      }
      applyFrom(i + 1);
    };
  };
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
    applyFrom(0);
  });
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
