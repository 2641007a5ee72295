// Doubles of the parts that a browser gives to a page: storage, Web Locks, BroadcastChannel, network; and tabs that hang, freeze and die.

import { runAs } from './clock.js';

/** Rows grow within a moment. */
const MOMENT_MS = 2000;

/** The most milliseconds that a message takes from one page to another. */
export const MOST_MESSAGE_MS = 3;

const never = () => new Promise(() => {});

/** A page in a tab of its own. From one that is dead nothing comes any more, and nothing gets in. */
export class Tab extends EventTarget {
  isDead = false;
  isFrozen = false;
  /** It is in the browser's cache of pages, or about to end. */
  isAway = false;
  /** It is frozen for good. */
  isHung = false;
  /** How often it was frozen or left. */
  absences = 0;
  /** By how many milliseconds its clock is wrong. */
  clockError = 0;
  /** When it was hidden or left last, by performance.now(). */
  hiddenAt = -Infinity;
  visibilityState = 'visible';
  #wasTold = false;
  /** @type {(() => void)[]} What happens when it thaws. */
  #deferred = [];

  /**
   * Node's own EventTarget may forget to remove a listener whose signal is aborted, when garbage was collected meanwhile.
   * @param {string} type
   * @param {any} listener
   * @param {{signal?: AbortSignal}} [options]
   */
  addEventListener(type, listener, { signal } = {}) {
    super.addEventListener(type, listener);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true });
  }

  /** Runs something as this tab's. @param {() => void} action */
  run(action) {
    if (this.isDead) return;
    if (this.isFrozen) this.#deferred.push(action);
    else runAs(this, action);
  }

  /** @param {string} type @param {object} [members] */
  tell(type, members = {}) {
    this.run(() => {
      if (type === 'pagehide' || this.visibilityState === 'hidden') this.hiddenAt = performance.now();
      this.dispatchEvent(Object.assign(new Event(type), members));
    });
  }

  /** @param {boolean} isTold Whether it is told before, as a browser does that freezes pages. One that hangs is not. */
  freeze(isTold) {
    if (isTold) this.tell('freeze');
    this.isFrozen = true;
    this.absences += 1;
    this.#wasTold = isTold;
  }

  /** What it has missed happens now, one thing after the other. @param {import('./clock.js').Clock} clock */
  thaw(clock) {
    this.isFrozen = false;
    for (const action of this.#deferred.splice(0)) clock.after(0, action, this);
    if (this.#wasTold) clock.after(0, () => this.tell('resume'), this);
  }

  /** Ends when its code may run. */
  async awake() {
    if (this.isFrozen) await new Promise((resolve) => this.#deferred.push(() => resolve(undefined)));
    if (this.isDead) await never();
  }

  /** What the promise leads to happens in this tab, or never. @template T @param {Promise<T>} promise @returns {Promise<T>} */
  guard(promise) {
    return new Promise((resolve, reject) => {
      promise.then((value) => this.run(() => resolve(value)), (error) => this.run(() => reject(error)));
    });
  }
}

/** The common state of all tabs of one browser. */
export class Browser {
  /** Rows by their ids. @type {Map<string, any>} */
  disk = new Map();
  /** What a power failure leaves. @type {Map<string, any>} */
  durable = new Map();
  /** By how many milliseconds the clock of the whole device is wrong. */
  clockError = 0;
  /** How its storage behaves just now. */
  storageFaults = { fail: 0, failAfter: 0, hang: 0, late: 0, forget: 0 };
  /** @type {Map<string, number>} */
  #changedAt = new Map();
  /** Who holds which lock. No name is asked for twice. @type {Map<string, Tab>} */
  #locks = new Map();
  /** Who waits for which lock. @type {Map<string, (() => void)[]>} */
  #waiting = new Map();
  /** @type {Map<string, Set<{tab: Tab, onmessage: ((event: {data: any}) => void) | null}>>} */
  #channels = new Map();

  /**
   * @param {import('./clock.js').Clock} clock
   * @param {import('./dice.js').Dice} dice
   */
  constructor(clock, dice) {
    this.clock = clock;
    this.dice = dice;
  }

  /** Another browser with a copy of the storage, like a backup that is not made in one moment. */
  copy() {
    const copy = new Browser(this.clock, this.dice);
    copy.clockError = this.clockError;
    copy.disk = new Map([...this.disk].filter(([id]) => this.clock.now - /** @type {number} */ (this.#changedAt.get(id)) > MOMENT_MS));
    copy.durable = new Map(copy.disk);
    return copy;
  }

  clear() {
    this.disk.clear();
    this.durable.clear();
  }

  losePower() {
    this.disk = new Map(this.durable);
  }

  /** @param {Tab} tab Whether it holds a lock. */
  isLocking(tab) {
    return [...this.#locks.values()].includes(tab);
  }

  /** @param {Tab} tab Its process ends, and its locks are free. */
  kill(tab) {
    tab.isDead = true;
    for (const [name, holder] of this.#locks) if (holder === tab) this.#unlock(name);
    for (const channels of this.#channels.values()) for (const channel of channels) if (channel.tab === tab) channels.delete(channel);
  }

  /** @param {Tab} tab @returns {any} What Outbox calls a browser. */
  of(tab) {
    const browser = this;
    return {
      window: tab,
      document: tab,
      locks: {
        request: (/** @type {string} */ name, /** @type {any[]} */ ...given) => (given.length > 1 ? this.#awaitLock(tab, name, given[0], given[1]) : this.#lock(tab, name, given[0])),
        query: () => tab.guard(this.#query()),
      },
      Channel: class {
        /** @type {((event: {data: any}) => void) | null} */
        onmessage = null;
        tab = tab;
        arrival = 0;
        /** @param {string} name */
        constructor(name) {
          this.name = name;
          if (!browser.#channels.has(name)) browser.#channels.set(name, new Set());
          browser.#channels.get(name)?.add(this);
        }

        /** @param {any} data */
        postMessage(data) {
          const copy = structuredClone(data);
          for (const other of browser.#channels.get(this.name) ?? []) {
            if (other === this) continue;
            // The messages of one page arrive in their order.
            this.arrival = Math.max(this.arrival, browser.clock.now + browser.dice.between(0, MOST_MESSAGE_MS));
            browser.clock.after(this.arrival - browser.clock.now, () => other.onmessage?.({ data: copy }), other.tab);
          }
        }

        close() {
          browser.#channels.get(this.name)?.delete(this);
        }
      },
    };
  }

  /** @param {Tab} tab @returns {import('../../../web/library/storage/storage.js').OutboxStorage} */
  storageOf(tab) {
    return {
      shared: true,
      read: () => tab.guard(this.#read()),
      change: (id, change, how) => tab.guard(this.#change(tab, id, change, how)),
    };
  }

  async #read() {
    await this.#access();
    return structuredClone([...this.disk.values()]);
  }

  async #access() {
    const { fail, hang, late } = this.storageFaults;
    if (this.dice.chance(hang)) await never();
    await this.clock.sleep(this.dice.chance(late) ? this.dice.between(1000, 20_000) : this.dice.between(0, 2));
    if (this.dice.chance(fail)) throw new Error('The storage has failed.');
  }

  /**
   * @param {Tab} tab
   * @param {string} id
   * @param {(row: any) => any} change
   * @param {{durable: boolean, isNew?: boolean}} how
   */
  async #change(tab, id, change, { durable, isNew }) {
    await this.#access();
    await tab.awake();
    const { failAfter, hang, forget } = this.storageFaults;
    const before = isNew ? undefined : this.disk.get(id);
    const row = structuredClone(runAs(tab, () => change(structuredClone(before))));
    // A transaction that has begun is finished, or it is not: also when its page dies.
    const isAborted = this.dice.chance(failAfter / 2);
    if (!isAborted && !this.dice.chance(forget)) {
      this.#changedAt.set(id, this.clock.now);
      if (row !== undefined) this.disk.set(id, row);
      else if (!isNew) this.disk.delete(id);
      if (durable || this.dice.chance(0.5)) this.durable = new Map(this.disk);
    }
    if (this.dice.chance(hang)) await never();
    await this.clock.sleep(this.dice.between(0, 2));
    if (isAborted || this.dice.chance(failAfter)) throw new Error('The storage has failed.');
  }

  async #query() {
    await this.clock.sleep(this.dice.between(0, 2));
    return { held: [...this.#locks.keys()].map((name) => ({ name, mode: 'exclusive' })), pending: [] };
  }

  /**
   * @param {Tab} tab
   * @param {string} name
   * @param {() => Promise<void>} callback
   */
  async #lock(tab, name, callback) {
    this.#locks.set(name, tab);
    await this.clock.sleep(0);
    await tab.awake();
    await runAs(tab, callback);
    this.#unlock(name);
  }

  /**
   * A shared lock, for a moment.
   * @param {Tab} tab
   * @param {string} name
   * @param {{mode: 'shared', signal: AbortSignal}} options
   * @param {() => void} callback
   * @returns {Promise<void>}
   */
  #awaitLock(tab, name, { signal }, callback) {
    return new Promise((resolve, reject) => {
      const wait = () => this.clock.after(this.dice.between(0, 2), () => {
        if (signal.aborted) return;
        if (this.#locks.has(name)) return this.#whenFree(name, wait);
        callback();
        resolve();
      }, tab);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      wait();
    });
  }

  /** @param {string} name @param {() => void} then */
  #whenFree(name, then) {
    this.#waiting.set(name, [...this.#waiting.get(name) ?? [], then]);
  }

  /** @param {string} name */
  #unlock(name) {
    this.#locks.delete(name);
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const then of waiting) then();
  }
}
