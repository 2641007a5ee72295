// Where increments wait that the server has not confirmed. What is stored is text; what it means is decided in the core.

/**
 * Something that keeps texts by key, and outlives the page. `connect({ storage })` takes one.
 * @typedef {object} QueueStorage
 * @property {(key: string, change: (text: string | undefined) => string | undefined, options: {durable: boolean}) =>
 *   Promise<void>} update Calls `change` once, with the text stored by that key, and stores what it returns; undefined removes
 *   it. Nobody else's update of the key may come in between. When `change` throws, nothing is changed, and the promise rejects
 *   with that error. With `durable` it resolves only when a power failure can do no harm.
 * @property {() => Promise<Map<string, string>>} all
 * @property {() => void | Promise<void>} close
 * @property {boolean} [volatile] Whether it is lost with the page.
 * @property {boolean} [shared] Whether other tabs use the same one: then Web Locks and a BroadcastChannel tie them together.
 */

/**
 * As long as the page lives.
 * @returns {QueueStorage}
 */
export function memoryStorage() {
  /** @type {Map<string, string>} */
  const texts = new Map();
  return {
    volatile: true,
    async update(key, change) {
      const text = change(texts.get(key));
      if (text === undefined) texts.delete(key);
      else texts.set(key, text);
    },
    all: async () => new Map(texts),
    close: () => {},
  };
}

const STORE = 'queues';

/**
 * Opens the database at first use, and again after the browser has closed it.
 * @param {string} name Of the database.
 * @returns {QueueStorage}
 */
export function indexedDbStorage(name) {
  /** @type {Promise<import('idb').IDBPDatabase> | undefined} */
  let opened;
  const open = () => {
    opened ??= import('./generated/idb.js').then(({ openDB }) => openDB(name, 1, {
      upgrade: (database) => {
        database.createObjectStore(STORE);
      },
      // Another version of this library wants to change the database: it must not have to wait.
      blocking: (_current, _blocked, event) => {
        /** @type {IDBDatabase} */ (event.target).close();
        opened = undefined;
      },
      terminated: () => {
        opened = undefined;
      },
    })).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    shared: true,
    async update(key, change, { durable }) {
      const transaction = (await open()).transaction(STORE, 'readwrite', { durability: durable ? 'strict' : 'relaxed' });
      const finished = transaction.done;
      try {
        const before = await transaction.store.get(key);
        const text = change(before);
        if (text === undefined) await transaction.store.delete(key);
        else if (text !== before) await transaction.store.put(text, key);
      } catch (error) {
        finished.catch(() => {}); // It is the same error, or the abort below.
        try {
          transaction.abort();
        } catch {
          // It has aborted by itself.
        }
        throw error;
      }
      await finished;
    },
    async all() {
      const transaction = (await open()).transaction(STORE);
      const [keys, texts] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
      return new Map(keys.map((key, i) => [String(key), texts[i]]));
    },
    async close() {
      (await opened?.catch(() => undefined))?.close();
      opened = undefined;
    },
  };
}
