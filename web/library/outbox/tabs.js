// Failure detection (locks and heartbeats) among the pages that use the same storage, and their messages to each other.
//
// A page has a name, and holds a Web Lock by that name as long as it lives: a page whose lock is free is gone. But a page that hangs keeps its lock,
// and without Web Locks no page holds one. Therefore pages also ask each other, and a page that does not answer for a while counts as gone. A wrong
// guess does no harm, because two pages may send the same row. A page waits for the lock of each page whose rows it knows, so that it gets the lock
// at once when that page goes.

import { drawId } from '../draw_id.js';

/**
 * @typedef {import('./rows.js').StoredRow} StoredRow
 * @typedef {import('./page_life.js').Browser} Browser
 *
 * @typedef {object} SettledRow
 * @property {string} id
 * @property {'counted' | 'refused' | 'unknown'} outcome
 * @property {string} [commitTime]
 * @property {import('../errors.js').PlainError} [error]
 *
 * @typedef {object} Message
 * @property {string} from The page's name.
 * @property {number} at The time of the message, in milliseconds since 1970.
 * @property {'hello' | 'here' | 'there?' | 'bye'} [says] `hello`: I have come. `here`: so am I. `there?`: are you?
 * @property {Omit<StoredRow, 'counter'>} [row] A row of the page that has changed.
 * @property {boolean} [isSent] Whether the row may have been sent before the message.
 * @property {SettledRow[]} [settled]
 */

/** A page that has not answered for this time is gone. */
const GONE_MS = 9000;
/** The number of ended rows that a page remembers, for pages that were away. */
const MOST_SETTLED = 200;

export class Tabs {
  #browser;
  #name;
  #host;
  /** @type {BroadcastChannel | undefined} */
  #channel;
  /** @type {() => void} */
  #letGo = () => {};
  /** The pages that have sent a message, and not left. @type {Set<string>} */
  #others = new Set();
  /** The time since when a page has not answered, by performance.now(). @type {Map<string, number>} */
  #asked = new Map();
  /** The pages whose locks this page waits for. @type {Set<string>} */
  #awaited = new Set();
  /** Aborted when this page leaves. */
  #left = new AbortController();
  /** @type {Map<string, SettledRow>} */
  #settled = new Map();
  /** This page's name. */
  page = '';
  /** All names that it has had. @type {Set<string>} */
  names = new Set();

  /**
   * @param {Browser} browser
   * @param {string} name The same in all pages that use the same storage.
   * @param {{onRow: (row: Omit<StoredRow, 'counter'>, sentAt: number) => void, onSettled: (settled: SettledRow) => void, onGone: () => void}} host
   */
  constructor(browser, name, host) {
    this.#browser = { ...browser };
    this.#name = name;
    this.#host = host;
  }

  /** Enters the group of pages: at first, and when the page comes back, under another name, because other pages may have its rows by now. */
  enter() {
    this.leave();
    this.page = drawId();
    this.names.add(this.page);
    this.#left = new AbortController();
    const { locks, Channel } = this.#browser;
    const kept = new Promise((resolve) => {
      this.#letGo = () => resolve(undefined);
    });
    // A page that may not use locks or channels goes on without them.
    locks?.request(`${this.#name} ${this.page}`, () => /** @type {Promise<void>} */ (kept)).catch(() => {
      delete this.#browser.locks;
    });
    if (!Channel) return;
    try {
      this.#channel = new Channel(this.#name);
    } catch {
      delete this.#browser.Channel;
      return;
    }
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#post({ says: 'hello' });
    void this.#lookForOthers();
  }

  /** The browser's page cache does not keep pages that hold a lock. */
  leave() {
    this.#letGo();
    this.#left.abort();
    this.#awaited.clear();
    if (this.#others.size > 0) this.#post({ says: 'bye' });
    this.#channel?.close();
    this.#channel = undefined;
    this.#others.clear();
    this.forgetSilence();
  }

  /** Ignores the silence of other pages while this page was suspended. */
  forgetSilence() {
    this.#asked.clear();
  }

  /** @param {import('./rows.js').Row} row It is this page's, and has changed. */
  tell({ stored: { counter, ...row }, sentAt }) {
    void counter;
    if (this.#others.size > 0) this.#post({ row, isSent: sentAt < Infinity });
  }

  /** @param {SettledRow} settled */
  tellSettled(settled) {
    this.note(settled);
    if (this.#others.size > 0) this.#post({ settled: [settled] });
  }

  /** @param {SettledRow} settled */
  note(settled) {
    this.#settled.set(settled.id, settled);
    if (this.#settled.size > MOST_SETTLED) this.#settled.delete(/** @type {string} */ (this.#settled.keys().next().value));
  }

  /** Whether a row has ended recently. @param {string} id */
  hasEnded(id) {
    return this.#settled.has(id);
  }

  /**
   * Returns the pages that are gone.
   * @param {Set<string>} pages
   * @returns {Promise<Set<string>>}
   */
  async gone(pages) {
    const { locks, Channel } = this.#browser;
    // If pages cannot talk to each other, for example in Node, every page sends.
    if (!locks && !Channel) return pages;
    const held = await this.#held();
    const now = performance.now();
    const gone = new Set([...pages].filter((page) => {
      if (this.names.has(page) || (held && !held.has(page))) return true;
      if (!Channel) return false;
      if (!this.#asked.has(page)) this.#asked.set(page, now);
      return now - /** @type {number} */ (this.#asked.get(page)) >= GONE_MS;
    }));
    // A page that hangs gets the messages when it goes on.
    for (const page of gone) if (held && !held.has(page)) this.#others.delete(page);
    if (gone.size < pages.size) this.#post({ says: 'there?' });
    for (const page of pages) if (!gone.has(page)) void this.#await(page);
    return gone;
  }

  /** Calls `onGone` as soon as the page's lock is free. It requests a shared lock, which does not count as the page's own. @param {string} page */
  async #await(page) {
    const { signal } = this.#left;
    if (this.#awaited.has(page)) return;
    this.#awaited.add(page);
    const held = await this.#held();
    if (signal.aborted) return;
    if (!held?.has(page)) {
      this.#awaited.delete(page);
      return;
    }
    await this.#browser.locks?.request(`${this.#name} ${page}`, { mode: 'shared', signal }, () => {
      this.#awaited.delete(page);
      this.#host.onGone();
    }).catch(() => {}); // This page has left.
  }

  /** The names of the pages that hold a lock, or wait for it; undefined if the browser cannot tell. */
  async #held() {
    try {
      const { held = [], pending = [] } = await /** @type {NonNullable<Browser['locks']>} */ (this.#browser.locks).query();
      const mark = `${this.#name} `;
      return new Set([...held, ...pending].flatMap(({ name = '', mode }) => (mode === 'exclusive' && name.startsWith(mark) ? name.slice(mark.length) : [])));
    } catch {
      return undefined;
    }
  }

  async #lookForOthers() {
    for (const page of await this.#held() ?? []) if (page !== this.page) this.#others.add(page);
  }

  /** @param {Omit<Message, 'from' | 'at'>} message */
  #post(message) {
    this.#channel?.postMessage({ from: this.page, at: timeOfTabs(), ...message });
  }

  /** @param {Message} message */
  #hear({ from, at, says, row, isSent, settled = [] }) {
    this.#asked.delete(from);
    if (says === 'bye') this.#others.delete(from);
    else this.#others.add(from);
    if (says === 'there?') this.#post({ says: 'here' });
    // It may have been away while its rows were settled.
    if (says === 'hello') this.#post({ says: 'here', settled: [...this.#settled.values()] });
    for (const each of settled) {
      this.note(each);
      this.#host.onSettled(each);
    }
    if (row) void this.#await(from);
    // A page announces a row before it sends the row.
    if (row) this.#host.onRow(row, isSent ? -Infinity : Math.min(at, timeOfTabs()) - performance.timeOrigin);
  }
}

/** The time by a clock that all tabs share, and that never jumps. */
function timeOfTabs() {
  return performance.timeOrigin + performance.now();
}
