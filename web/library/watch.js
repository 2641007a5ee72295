// Live totals: reads again and again, and shows what this page has asked for at once.
//
// What a watch costs: one reading is billed as get() is, one read for 1,000 shards. While the total changes it is read every
// `intervalMs`, so 3,600 times an hour by default; while it does not, every 16 seconds in the end, 225 times an hour; while
// the page is hidden, never. All watches of a page together read five times a second at the most, but for the first reading of each.

import { callApart } from './apart.js';
import { checkFunction } from './connect.js';
import { isNetworkError, notAllowed, ShardlineError } from './errors.js';
import { takeOptions } from './options.js';
import { sums } from './outbox/amounts.js';
import { onAbort } from './signals.js';
import { add, subtract } from './totals.js';

/**
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./counter.js').CounterReading} CounterReading
 *
 * @typedef {object} LiveTotal
 * @property {Total} [value] With what is pending; a bigint where a number would lose digits. Undefined until it is known.
 * @property {number} [number] The value as a number: the nearest one to a bigint.
 * @property {Total} pending
 * @property {'loading' | 'live' | 'offline' | 'error'} state `loading`: there is no reading yet, or none of which it is known whether it
 *   has an increment of this page's that is on its way; for ten seconds at the most. `offline`, `error`: the last reading has
 *   failed, and `value` is from an earlier one; watching goes on. `offline` also at once when the browser says that the network is gone,
 *   until a reading succeeds.
 * @property {CounterReading} [reading] The last one.
 * @property {ShardlineError} [error] Why the last reading has failed: while the state is `offline` or `error`.
 *
 * @typedef {object} WatchOptions
 * @property {number} [intervalMs] From one reading to the next while the total changes. When it does not, or readings fail, up to
 *   sixteen times as long; and longer when a page watches many totals. Default 1,000.
 * @property {number} [maxAgeMs] As for get().
 * @property {AbortSignal} [signal] Ends it.
 * @property {(error: ShardlineError) => void} [onError] Told when a reading fails; watching goes on.
 *
 * @typedef {(options: {maxAgeMs?: number | undefined, signal: AbortSignal}) => Promise<CounterReading>} Read
 * @typedef {Pick<import('./outbox/counter_outbox.js').CounterOutbox, 'learnt' | 'unconfirmed' | 'pending' | 'asked' | 'quiet' | 'onChange'
 *   | 'ended' | 'live'>} Entries What this page has to do with the total.
 *
 * @typedef {{total: Total, asked: Total, reading: CounterReading}} Shown A total, and what `asked()` was for it.
 * @typedef {{at: number, parts: [Total, Total], asked: Total}} Past What was unconfirmed: what takes away, and what adds.
 */

/** How many times longer the interval gets. */
const LONGEST = 16;
const GROWTH = 1.5;
/** All watches of a page together read so often at the most: every so many milliseconds. */
const LEAST_MS = 200;
/**
 * So long nothing is shown rather than a sum of which nobody knows whether it has what is under way. Then that counts as not arrived:
 * Firestore's own SDK waits so long until it says that it is offline.
 */
const MOST_UNCLEAR_MS = 10_000;
const MOST_PAST = 2000;
/** So many changes of one moment are shown one by one, the rest together: each is a sum of all that waits. */
const MOST_AT_ONCE = 100;
/** Milliseconds by which the age of a total may be wrong: it is the difference of what two servers say. */
const AGE_MARGIN_MS = 20;

/** The watches that are not ended, of the whole page. */
let watches = 0;

/**
 * Calls back with the total at once, as far as it is known, and whenever it changes.
 * @param {Read} read
 * @param {Entries} entries
 * @param {(total: LiveTotal) => void} callback
 * @param {WatchOptions} [options]
 * @returns {() => void} Ends it.
 */
export function watch(read, entries, callback, options) {
  const { intervalMs = 1000, maxAgeMs, signal, onError } = takeOptions('watch', options, ['intervalMs', 'maxAgeMs', 'signal', 'onError']);
  checkFunction('onError', onError);
  if (typeof intervalMs !== 'number' || !(intervalMs >= 1 && intervalMs < 2 ** 27)) {
    throw notAllowed('intervalMs', 'a number of milliseconds, from 1 on');
  }
  const signals = signal ? [signal, entries.ended] : [entries.ended];
  if (signals.some(({ aborted }) => aborted)) {
    let isOver = signal?.aborted;
    // Who asks a database that is closed hears why there is no total.
    queueMicrotask(() => isOver || callApart(callback, { pending: entries.pending, state: 'error', error: entries.ended.reason }));
    return () => { isOver = true; };
  }
  const one = new Watch(read, entries, callback, { intervalMs, maxAgeMs, onError });
  const stop = () => {
    one.stop();
    for (const forget of forgets) forget();
  };
  const forgets = signals.map((each) => onAbort(each, stop));
  return stop;
}

export class Watch {
  #get;
  #entries;
  #callback;
  #onError;
  #intervalMs;
  #maxAgeMs;
  #interval;
  #ended = new AbortController();
  /** @type {Document | undefined} */
  #page = globalThis.document;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Also as long as it is not known what earlier pages have left. */
  #isReading = true;
  /** Ends the reading that is under way. @type {AbortController | undefined} */
  #attempt;
  /** Whether a reading has told anything. */
  #hasRead = false;
  /** @type {LiveTotal['state']} */
  #state = 'loading';
  /** @type {ShardlineError | undefined} */
  #error;
  #told = '';
  /** What was unconfirmed, and asked for, from when on: as far back as readings may reach. @type {Past[]} */
  #past = [];
  /** Since when nothing but a clear reading is missing, and in which range the total was in the last one. @type {Past | undefined} */
  #unclear;
  /** How many changes there were in this moment. */
  #changes = 0;

  /**
   * @param {Read} read
   * @param {Entries} entries
   * @param {(total: LiveTotal) => void} callback
   * @param {{intervalMs: number, maxAgeMs: number | undefined, onError: WatchOptions['onError']}} options
   */
  constructor(read, entries, callback, { intervalMs, maxAgeMs, onError }) {
    this.#get = read;
    this.#entries = entries;
    this.#callback = callback;
    this.#onError = onError;
    this.#intervalMs = intervalMs;
    this.#interval = intervalMs;
    this.#maxAgeMs = maxAgeMs;
    watches += 1;
    const { signal } = this.#ended;
    this.#page?.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
    // Where there are such events: in pages and workers.
    globalThis.addEventListener?.('online', () => this.#onNetwork(true), { signal });
    globalThis.addEventListener?.('offline', () => this.#onNetwork(false), { signal });
    const forget = entries.onChange(() => this.#onChange());
    signal.addEventListener('abort', forget, { once: true });
    entries.live.watches.add(this);
    this.#note();
    queueMicrotask(() => this.#show());
    void this.#begin();
  }

  stop() {
    if (this.#isOver) return;
    watches -= 1;
    this.#entries.live.watches.delete(this);
    this.#ended.abort();
    this.#attempt?.abort();
    clearTimeout(this.#timer);
  }

  get #isOver() {
    return this.#ended.signal.aborted;
  }

  /** The last total, and what has been asked for since. */
  get #current() {
    const { shown } = this.#entries.live;
    return shown && add(shown.total, subtract(this.#entries.asked, shown.asked));
  }

  async #begin() {
    await this.#entries.learnt();
    this.#note();
    this.#isReading = false;
    if (!this.#page?.hidden && !this.#isOver) await this.#read();
  }

  #note() {
    this.#past.push({ at: performance.now(), parts: sums(this.#entries.unconfirmed), asked: this.#entries.asked });
    if (this.#past.length <= MOST_PAST) return;
    // One takes the place of many: with less to go by, a range is wider, not wrong.
    const [{ at, asked }] = /** @type {[Past]} */ (this.#past);
    this.#past.unshift({ at, parts: rangeOf(this.#past.splice(0, MOST_PAST / 2), asked), asked });
  }

  #show() {
    if (this.#isOver) return;
    const value = this.#current;
    const { pending } = this.#entries;
    const error = this.#error;
    const text = `${value} ${pending} ${this.#state} ${error?.code}`;
    if (text === this.#told) return;
    this.#told = text;
    const number = value === undefined ? undefined : Number(value);
    const reading = this.#entries.live.shown?.reading;
    callApart(this.#callback, { value, number, pending, state: this.#state, reading, ...(error && { error }) });
  }

  async #read() {
    const entries = this.#entries;
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#isReading = true;
    const started = performance.now();
    const { quiet } = entries;
    try {
      // From before this watch it is not known what an old total may lack of ours, or of what earlier pages and other tabs have left.
      const hasNone = entries.asked === 0 && this.#past.every(({ parts: [less, more] }) => less === more);
      const maxAgeMs = this.#hasRead || hasNone ? this.#maxAgeMs : undefined;
      const reading = await this.#get({ signal: attempt.signal, maxAgeMs });
      if (attempt.signal.aborted) return;
      const isQuiet = quiet !== undefined && quiet === entries.quiet && reading.source !== 'rollup';
      this.#take(reading, reading.ageMs === undefined ? started : started - reading.ageMs - AGE_MARGIN_MS, isQuiet);
    } catch (error) {
      if (attempt.signal.aborted) return;
      this.#error = /** @type {ShardlineError} */ (error);
      this.#state = isNetworkError(error) ? 'offline' : 'error';
      this.#slowDown();
      callApart(this.#onError, this.#error);
    } finally {
      // Else another one has begun.
      if (this.#attempt === attempt) {
        this.#attempt = undefined;
        this.#isReading = false;
        this.#show();
        this.#schedule();
      }
    }
  }

  /**
   * An increment of our own that is on its way while the server adds up may be in the sum or not, and nobody tells. The total with
   * everything that waits then lies in a range; what was shown before is moved into this range and no further. So our own
   * increments, which change neither what there is with them, never move it back. As long as nothing was shown, nothing is: a
   * guess would have to be taken back.
   * A roll-up that is no newer than what was read before says nothing more.
   * @param {CounterReading} reading
   * @param {number} since When it may have been made at the earliest.
   * @param {boolean} isQuiet Whether nothing of ours was on its way meanwhile.
   */
  #take(reading, since, isQuiet) {
    const { live, pending: pendingNow, asked: askedNow } = this.#entries;
    const current = this.#current;
    this.#error = undefined;
    if (reading.ageMs !== undefined && live.shown && reading.readTime.toMillis() <= live.shown.reading.readTime.toMillis()) {
      this.#slowDown();
      this.#state = 'live';
      return;
    }
    this.#past = this.#past.slice(Math.max(this.#past.findLastIndex(({ at }) => at <= since), 0));
    // With what was asked for later; of what was unconfirmed then, anything may be in the sum.
    let [low, high] = rangeOf(this.#past, askedNow, reading.value);
    if (current === undefined && !isQuiet && low !== high) {
      // It was in the last range as well, with what was asked for since; unless others have counted meanwhile.
      const { at, ...then } = this.#unclear ?? { at: performance.now(), parts: [low, high], asked: askedNow };
      const [lowThen, highThen] = rangeOf([then], askedNow);
      if (lowThen <= high && low <= highThen) [low, high] = [most(low, lowThen), least(high, highThen)];
      this.#unclear = { at, parts: [low, high], asked: askedNow };
      const left = MOST_UNCLEAR_MS + at - performance.now();
      if (left > 0) {
        this.#state = 'loading';
        this.#interval = Math.min(this.#soon, Math.max(left, LEAST_MS));
        return;
      }
    }
    this.#hasRead = true;
    // What certainly waits here and has not been sent is not in the sum.
    const [{ parts, asked }] = /** @type {[Past]} */ (this.#past);
    const total = isQuiet ? add(reading.value, pendingNow)
      : most(low, least(high, current ?? add(reading.value, add(add(...parts), subtract(askedNow, asked)))));
    const isSame = this.#state === 'live' && total === current && reading.value === live.shown?.reading.value;
    if (isSame) this.#slowDown();
    else this.#interval = this.#intervalMs;
    live.shown = { total, asked: askedNow, reading };
    this.#state = 'live';
    for (const each of live.watches) each.#adopt();
  }

  /** A watch of the same counter knows the total. */
  #adopt() {
    if (this.#state === 'loading') this.#state = 'live';
    this.#show();
  }

  /** How long until the next reading when something happens here: less, where nothing was missing but the end of our own writes. */
  get #soon() {
    const isClearing = this.#state === 'loading' && this.#current === undefined && this.#entries.quiet !== undefined;
    return isClearing ? Math.min(LEAST_MS, this.#intervalMs) : this.#intervalMs;
  }

  #slowDown() {
    this.#interval = Math.min(Math.max(this.#interval, this.#intervalMs) * GROWTH, this.#intervalMs * LONGEST);
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#isReading || this.#page?.hidden) return;
    this.#timer = setTimeout(() => void this.#read(), Math.max(this.#interval, watches > 1 ? watches * LEAST_MS : 0));
  }

  #onVisibility() {
    clearTimeout(this.#timer);
    if (!this.#page?.hidden && !this.#isReading) this.#readNow();
  }

  /**
   * Browsers say that there is a network when there is none, and the other way round: a reading has to tell.
   * @param {boolean} isThere
   */
  #onNetwork(isThere) {
    if (!isThere) {
      this.#error = new ShardlineError('unavailable', 'The browser says that there is no network.', { reason: 'no-network' });
      this.#state = 'offline';
      this.#show();
    }
    // What is under way without a network waits longer and longer from one attempt to the next: with one, it begins anew.
    const mayRead = !this.#isReading || (isThere && this.#attempt);
    if (!this.#page?.hidden && mayRead) this.#readNow();
  }

  /** In place of what is under way. */
  #readNow() {
    clearTimeout(this.#timer);
    this.#interval = this.#intervalMs;
    this.#attempt?.abort();
    void this.#read();
  }

  #onChange() {
    this.#changes += 1;
    if (this.#changes === 1) {
      queueMicrotask(() => {
        const isLate = this.#changes > MOST_AT_ONCE;
        this.#changes = 0;
        if (isLate) this.#follow();
      });
    }
    if (this.#changes <= MOST_AT_ONCE) this.#follow();
  }

  #follow() {
    this.#note();
    this.#show();
    // Whoever counts wants to see what becomes of it.
    const soon = this.#soon;
    if (this.#interval > soon) {
      this.#interval = soon;
      this.#schedule();
    }
  }
}

/** @param {Total} a @param {Total} b */
const least = (a, b) => (b < a ? b : a);

/** @param {Total} a @param {Total} b */
const most = (a, b) => (b > a ? b : a);

/**
 * From a sum with the least that it may lack, when so much was asked for, to one with the most.
 * @param {Omit<Past, 'at'>[]} past
 * @param {Total} askedNow
 * @param {Total} [total]
 * @returns {[Total, Total]}
 */
function rangeOf(past, askedNow, total = 0) {
  const ends = past.flatMap(({ parts, asked }) => parts.map((part) => add(total, add(part, subtract(askedNow, asked)))));
  return [ends.reduce(least), ends.reduce(most)];
}
