// Rows in IndexedDB, with group commit: changes that come during a transaction share the next one.

import { openDB, unwrap } from '../generated/idb.js';
import { STORE } from './early_rows.js';

/**
 * @typedef {import('./storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('./storage.js').KeptRow} KeptRow
 * @typedef {import('../generated/idb.js').IDBPDatabase} Database
 *
 * @typedef {object} Change One that has been asked for.
 * @property {string} id
 * @property {(row: KeptRow | undefined) => KeptRow | undefined} change
 * @property {boolean} durable
 * @property {boolean} [isNew]
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** The most rows that one transaction changes, so that others need not wait for all of them. */
const MOST_CHANGES = 100;

/**
 * Opens the database at first use, and again when the connection has been lost.
 * @param {string} name Of the database.
 * @returns {OutboxStorage}
 */
export function indexedDbStorage(name) {
  /** @type {Promise<Database> | undefined} */
  let opened;
  let isClosed = false;
  /** @type {Change[]} The changes for the next transaction. A transaction for each change would take many times as long. */
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
    const opening = openDB(name, 1, {
      upgrade: (fresh) => void fresh.createObjectStore(STORE, { keyPath: 'id' }),
      // The user deletes the database, or another version of this library changes it: neither must wait.
      blocking: () => {
        forget();
        opening.then((database) => database.close(), () => {});
      },
      terminated: forget,
    });
    opening.catch(forget);
    opened = opening;
    return opening;
  };

  /**
   * @template T
   * @param {(database: Database) => T} begin Begins a transaction.
   */
  const within = async (begin) => {
    try {
      return begin(await open());
    } catch {
      // The connection has died without an event. A new one works, or fails with a reason.
      disconnect();
      return begin(await open());
    }
  };

  /** @param {Change[]} changes */
  const apply = async (changes) => {
    const durability = changes.some(({ durable }) => durable) ? 'strict' : 'relaxed';
    await changed(await within((database) => unwrap(database).transaction(STORE, 'readwrite', { durability })), changes);
  };

  const write = async () => {
    const mine = {};
    writer = mine;
    while (writer === mine && waiting.length > 0) {
      const changes = waiting.splice(0, MOST_CHANGES);
      try {
        await apply(changes);
        for (const { resolve } of changes) resolve();
      } catch (error) {
        for (const { reject } of changes) reject(error);
      }
    }
    if (writer === mine) writer = undefined;
  };

  return {
    shared: true,
    reset() {
      disconnect();
      // A waiting call must not wait for a transaction that never ends.
      void write();
    },
    change(id, change, { durable, isNew }) {
      return new Promise((resolve, reject) => {
        waiting.push({ id, change, durable, isNew, resolve, reject });
        if (!writer) void write();
      });
    },
    read: async () => (await within((database) => database.transaction(STORE))).store.getAll(),
    close() {
      isClosed = true;
      disconnect();
    },
  };
}

/**
 * Without idb, whose promises take longer than the rest of a transaction that gets and puts one row.
 * @param {IDBTransaction} transaction
 * @param {Change[]} changes One after the other, because two may be of the same row.
 * @returns {Promise<void>}
 */
function changed(transaction, changes) {
  const store = transaction.objectStore(STORE);
  const rest = changes.values();
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The connection to the database was closed.'));
    /** @param {Change} each @param {KeptRow | undefined} before */
    const make = ({ id, change }, before) => {
      const after = change(before);
      if (after !== undefined && after !== before) store.put(after);
      else if (after === undefined && before !== undefined) store.delete(id);
    };
    const next = () => {
      for (const each of rest) {
        if (!each.isNew) return get(each);
        make(each, undefined);
      }
      transaction.commit();
    };
    /** @param {Change} each */
    const get = (each) => {
      const request = store.get(each.id);
      request.onsuccess = () => {
        try {
          make(each, request.result);
          next();
        } catch (error) {
          reject(error);
        }
      };
    };
    next();
  });
}
