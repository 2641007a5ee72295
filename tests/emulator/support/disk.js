/** Pages that are killed. A page here is a connection whose storage outlives it, and from which at some moment nothing comes any more. */
import { connect } from 'shardline';

/**
 * @typedef {import('../../../web/library/storage/storage.js').KeptRow} KeptRow
 * @typedef {import('shardline').ConnectOptions} ConnectOptions
 */

const never = () => new Promise(() => {});

/** A browser's disk, and the pages that come and go. */
export class Disk {
  /** By their ids. @type {Map<string, any>} */
  rows = new Map();
  /** All rows that ever were on it, as they were last. @type {Map<string, KeptRow>} */
  history = new Map();
  /** @type {Error | undefined} What every change fails with. */
  failure;
  /** @type {Page[]} */
  pages = [];
  #options;

  /** @param {ConnectOptions} options Of its pages. */
  constructor(options) {
    this.#options = options;
  }

  /** @param {Partial<ConnectOptions>} [options] */
  async open(options) {
    const page = new Page(this);
    page.db = await connect({ ...this.#options, storage: page.storage, fetch: page.fetch, onWarning: (warning) => page.warnings.push(warning), ...options });
    this.pages.push(page);
    return page;
  }

  /** A second one, with the same on it. */
  copy() {
    const copy = new Disk(this.#options);
    copy.rows = structuredClone(this.rows);
    return copy;
  }

  /** How much was ever stored on it. */
  get stored() {
    return [...this.history.values()].reduce((sum, { delta }) => sum + Number(delta && 'integerValue' in delta && delta.integerValue), 0);
  }

  async close() {
    // Those that were killed never finish, so their close() does after some seconds.
    for (const { db } of this.pages.filter(({ alive }) => !alive)) void db.close();
    await Promise.all(this.pages.filter(({ alive }) => alive).map(({ db }) => db.close()));
  }
}

export class Page {
  alive = true;
  /** @type {import('shardline').ShardlineError[]} */
  warnings = [];
  /** @type {import('shardline').Database} */
  db = /** @type {any} */ (undefined);

  /** @param {Disk} disk */
  constructor(disk) {
    /** @type {import('../../../web/library/storage/storage.js').OutboxStorage} */
    this.storage = {
      change: async (id, change) => {
        await null;
        if (!this.alive) return never();
        if (disk.failure) throw disk.failure;
        const row = change(structuredClone(disk.rows.get(id)));
        if (row === undefined) {
          disk.rows.delete(id);
        } else {
          disk.rows.set(id, structuredClone(row));
          disk.history.set(id, structuredClone(row));
        }
        await null;
        if (!this.alive) return never();
      },
      read: async () => structuredClone([...disk.rows.values()]),
    };
    /** @type {typeof fetch} */
    this.fetch = async (input, init) => {
      if (!this.alive) return never();
      const response = await fetch(input, init).catch((error) => (this.alive ? Promise.reject(error) : never()));
      return this.alive ? response : never();
    };
  }

  /** From now on nothing comes out of it, nor gets in. */
  kill() {
    this.alive = false;
  }
}
