// The write-ahead log of an embedded Firestore, in IndexedDB or in memory: a snapshot, and the journals since, in their order.

import { openDB } from '../generated/idb.js';
import { ShardlineError } from '../errors.js';

const ENTRIES = 'entries';
const OWNER = 'owner';

/** If the journals are this large, and twice as large as the snapshot before them, a new snapshot replaces them (log compaction). */
const COMPACT_BYTES = 1 << 20;

/**
 * One IndexedDB transaction writes an entry, wholly or not at all. The host that opened the log last owns it (a fencing token): the transactions of
 * all other hosts fail, so a late host cannot write into data that its successor has already read.
 */
export class Log {
  #db;
  #owner;
  /** @type {{bytes: Uint8Array | null, replaces: boolean}[]} Not yet on their way. */
  #waiting = [];
  /** @type {Promise<void> | null} The end of the waiting write. */
  #next = null;
  /** @type {Promise<void>} The end of the write in progress. After a failure all later writes fail, too, because the log would have a hole. */
  #current = Promise.resolve();
  #sizes = new Sizes();

  /**
   * @param {string} name
   * @returns {Promise<{log: Log, entries: Uint8Array[]}>}
   */
  static async open(name) {
    const db = await openDB(`shardline-embedded:${name}`, 1, {
      upgrade: (fresh) => {
        fresh.createObjectStore(ENTRIES, { autoIncrement: true });
        fresh.createObjectStore(OWNER);
      },
    });
    const owner = crypto.randomUUID();
    const transaction = db.transaction([ENTRIES, OWNER], 'readwrite');
    const [entries] = await Promise.all([
      transaction.objectStore(ENTRIES).getAll(), transaction.objectStore(OWNER).put(owner, 0), transaction.done,
    ]);
    const log = new Log(db, owner);
    const [snapshot = null, ...journals] = entries;
    log.#sizes.replace(snapshot);
    for (const journal of journals) log.#sizes.append(journal);
    return { log, entries };
  }

  /**
   * @param {import('../generated/idb.js').IDBPDatabase} db
   * @param {string} owner
   */
  constructor(db, owner) {
    this.#db = db;
    this.#owner = owner;
  }

  /** Whether a snapshot should take the place of all entries. */
  get isLong() {
    return this.#sizes.areLong;
  }

  /**
   * One later write takes all journals that come during a write (group commit).
   * @param {Uint8Array} bytes
   * @returns {Promise<void>} When it is written.
   */
  append(bytes) {
    this.#sizes.append(bytes);
    return this.#enqueue({ bytes, replaces: false });
  }

  /**
   * Replaces all entries by one, or by none.
   * @param {Uint8Array | null} bytes
   */
  replace(bytes) {
    this.#sizes.replace(bytes);
    return this.#enqueue({ bytes, replaces: true });
  }

  async close() {
    await this.#next?.catch(() => {});
    await this.#current.catch(() => {});
    this.#db.close();
  }

  /** @param {{bytes: Uint8Array | null, replaces: boolean}} entry */
  #enqueue(entry) {
    if (entry.replaces) this.#waiting = [];
    this.#waiting.push(entry);
    this.#next ??= this.#current.then(() => {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#next = null;
      this.#current = this.#write(batch);
      return this.#current;
    });
    return this.#next;
  }

  /** @param {{bytes: Uint8Array | null, replaces: boolean}[]} batch */
  async #write(batch) {
    // `relaxed` survives everything but a power cut or a crash of the operating system.
    const transaction = this.#db.transaction([ENTRIES, OWNER], 'readwrite', { durability: 'relaxed' });
    const entries = transaction.objectStore(ENTRIES);
    const done = transaction.done;
    done.catch(() => {}); // Reported below.
    if (await transaction.objectStore(OWNER).get(0) !== this.#owner) {
      transaction.abort();
      throw new ShardlineError('aborted', 'Another tab has taken over.', { reason: 'taken-over' });
    }
    /** @type {Promise<unknown>[]} */
    const steps = [done];
    for (const { bytes, replaces } of batch) {
      if (replaces) steps.push(entries.clear());
      if (bytes) steps.push(entries.add(bytes));
    }
    transaction.commit();
    await Promise.all(steps);
  }
}

/** The same in memory. It restores the state after a crash of the module. */
export class MemoryLog {
  /** @type {Uint8Array[]} */
  entries = [];
  #sizes = new Sizes();

  get isLong() {
    return this.#sizes.areLong;
  }

  /** @param {Uint8Array} bytes */
  async append(bytes) {
    this.entries.push(bytes);
    this.#sizes.append(bytes);
  }

  /** @param {Uint8Array | null} bytes */
  async replace(bytes) {
    this.entries = bytes ? [bytes] : [];
    this.#sizes.replace(bytes);
  }

  async close() {}
}

/** The sizes of a snapshot and of the journals that follow on it. */
class Sizes {
  #snapshot = 0;
  #journals = 0;

  /** Whether a snapshot should take the place of them all. */
  get areLong() {
    return this.#journals > Math.max(COMPACT_BYTES, 2 * this.#snapshot);
  }

  /** @param {Uint8Array} journal */
  append(journal) {
    this.#journals += journal.length;
  }

  /** @param {Uint8Array | null} snapshot */
  replace(snapshot) {
    this.#snapshot = snapshot?.length ?? 0;
    this.#journals = 0;
  }
}
