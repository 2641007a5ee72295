// Virtual time: setTimeout, Date and performance follow it while a simulation runs. A timer belongs to the tab that has set it.
//
// Events come one by one: each begins when the effects of the last one have ended. The clock therefore knows whose code runs: that of the last
// event's tab. A test that runs code of two tabs must let time pass in between, be it 0 ms.

const real = { setTimeout, clearTimeout, setImmediate, dateNow: Date.now, performanceNow: performance.now };

/** @typedef {import('./browser.js').Tab | undefined} Owner Undefined: the world. */
/** @typedef {{at: number, order: number, tab: Owner, run: () => void, isOver: boolean}} Timer */

/** Whose code runs just now. @type {Owner} */
let current;

/**
 * Runs a function as a tab's code. Its effects also belong to the tab, until time passes.
 * @template T
 * @param {Owner} tab
 * @param {() => T} action
 */
export function runAs(tab, action) {
  current = tab;
  return action();
}

export class Clock {
  /** Milliseconds since 1970. */
  now = Date.UTC(2026, 0, 1);
  #start = 0;
  #order = 0;
  /** @type {Timer[]} A heap. */
  #timers = [];
  /** @type {(() => void)[]} */
  #afterwards = [];
  /** Waits for modules that are being loaded, which takes real time. @type {(() => Promise<unknown>) | undefined} */
  loading;

  /** From now on the globals tell this time. */
  install() {
    this.#start = this.now;
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ run, ms = 0, /** @type {any[]} */ ...args) =>
      this.after(ms, args.length > 0 ? () => run(...args) : run));
    globalThis.clearTimeout = /** @type {any} */ ((/** @type {Timer | undefined} */ timer) => {
      if (timer) timer.isOver = true;
    });
    Date.now = () => Math.floor(this.now) + (current?.clockError ?? 0);
    performance.now = () => this.now - this.#start;
  }

  /** It is another time all over the world. @param {number} ms */
  shift(ms) {
    this.now += ms;
    this.#start += ms;
  }

  uninstall() {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    Date.now = real.dateNow;
    performance.now = real.performanceNow;
  }

  /**
   * @param {number} ms
   * @param {() => void} run
   * @param {Owner | null} [tab] Whose it is; null: the world's.
   */
  after(ms, run, tab = current) {
    // Whole milliseconds, as in browsers. What lives before have left in the library's clock (clock.js) would be rounded otherwise, and a
    // seed would live differently by itself.
    const timer = { at: this.now + Math.max(Math.ceil(ms), 0), order: (this.#order += 1), tab: tab ?? undefined, run, isOver: false, unref };
    push(this.#timers, timer);
    return timer;
  }

  /**
   * Runs something when all that the event of this moment leads to has happened, and before anything else does: other events may be
   * due at the same time.
   * @param {() => void} run
   */
  afterwards(run) {
    this.#afterwards.push(run);
  }

  /** @param {number} ms @returns {Promise<void>} */
  sleep(ms) {
    return new Promise((resolve) => this.after(ms, resolve, null));
  }

  /**
   * Lets time pass, until a moment or until nothing is left to happen.
   * @param {number} ms
   * @param {() => boolean} [isEnough]
   */
  async pass(ms, isEnough = () => false) {
    const end = this.now + ms;
    await this.#settled();
    while (!isEnough()) {
      const next = this.#timers[0];
      if (!next || next.at > end) break;
      pop(this.#timers);
      if (next.isOver) continue;
      this.now = Math.max(this.now, next.at);
      fire(next);
      await this.#settled();
    }
    if (!isEnough()) this.now = end;
    current = undefined;
  }

  async #settled() {
    await this.loading?.();
    await settled();
    for (const run of this.#afterwards.splice(0)) run();
  }

  /** How many timers are set. */
  get timers() {
    return this.#timers.filter(({ isOver }) => !isOver).length;
  }

  /** Forgets all future events. */
  clear() {
    this.#timers = [];
    this.#afterwards = [];
  }
}

/** Everything that can happen without time passing has happened. */
function settled() {
  return new Promise((resolve) => real.setImmediate(resolve));
}

/** @param {Timer} timer */
function fire(timer) {
  timer.isOver = true;
  const { tab, run } = timer;
  if (tab) tab.run(run);
  else runAs(undefined, run);
}

function unref() {}

/** @param {Timer} a @param {Timer} b */
const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** @param {Timer[]} heap @param {Timer} timer */
function push(heap, timer) {
  let i = heap.push(timer) - 1;
  while (i > 0) {
    const above = (i - 1) >> 1;
    if (!isBefore(heap[i], heap[above])) break;
    [heap[i], heap[above]] = [heap[above], heap[i]];
    i = above;
  }
}

/** @param {Timer[]} heap */
function pop(heap) {
  const last = /** @type {Timer} */ (heap.pop());
  if (heap.length === 0) return;
  heap[0] = last;
  for (let i = 0; ;) {
    let least = i;
    for (const below of [2 * i + 1, 2 * i + 2]) if (below < heap.length && isBefore(heap[below], heap[least])) least = below;
    if (least === i) return;
    [heap[i], heap[least]] = [heap[least], heap[i]];
    i = least;
  }
}
