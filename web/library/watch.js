// Live totals: listens or polls, whichever costs less, and shows the page's own increments at once (optimistic UI), in this page and in others.
//
// A watch begins by asking. Then listen/live_count.js decides whether it is cheaper to listen to the shards.
//
// The price of asking: one reading is billed like get(), one read for 1,000 shards. While the total changes, the watch reads it every `intervalMs`,
// so 3,600 times an hour by default. While the total does not change, the interval grows to 16 seconds (exponential back-off), 225 times an hour.
// While the page is hidden, the watch reads nothing. All watches of a page together ask five times a second at the most (rate limiting), except the
// first reading of each.

import { callApart } from './apart.js';
import { LONGEST_TIMEOUT_MS } from './clock.js';
import { checkFunction } from './connect.js';
import { isNetworkError, mustBe, ShardlineError } from './errors.js';
import { takeOptions } from './options.js';
import { madeBetween } from './seen_total.js';
import { onAbort } from './signals.js';

/**
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./sharded_count.js').CounterReading} CounterReading
 *
 * @typedef {object} LiveTotal
 * @property {Total} [value] With `pending`; a bigint if a number would lose digits. Undefined until it is known.
 * @property {number} [number] The value as a number: the nearest one to a bigint.
 * @property {Total} pending
 * @property {'loading' | 'live' | 'offline' | 'error'} state `loading`: there is no reading yet, or an increment of this page is under way and no
 *   reading is certain to include it; this lasts ten seconds at the most. `offline`, `error`: the last reading has failed, or is being tried again,
 *   and `value` is from an earlier one. The watch goes on. `offline` also begins at once when the browser reports that the network is gone, and lasts
 *   until a reading succeeds.
 * @property {CounterReading} [reading] The last reading. The total's `value` is this reading's value, plus the pending increments that it lacks.
 * @property {ShardlineError} [error] The error of the last reading, while the state is `offline` or `error`.
 *
 * @typedef {object} WatchOptions
 * @property {boolean} [listen] Whether the server may send the shards when they change. `watch` chooses by cost, and asks for the total otherwise. `false`: it always
 *   asks. Default true; false with `maxAgeMs`.
 * @property {number} [readsPerHour] The most billed reads in an hour, at least 10 (a token bucket). Default: only the bound of all watches of a page
 * together, 18,000.
 * @property {number} [intervalMs] The milliseconds from one reading to the next while the watch asks and the total changes. If the total does not
 *   change, or if readings fail, the interval grows to sixteen times that; it is longer if a page watches many totals. Default 1,000.
 * @property {number} [maxAgeMs] The same as for get().
 * @property {AbortSignal} [signal] Ends the watch.
 * @property {(error: ShardlineError) => void} [onError] Called if a reading fails; the watch goes on.
 *
 * @typedef {Pick<import('./listen/live_count.js').LiveCount, 'join' | 'first' | 'onAsked' | 'isCurrent'>} LiveCount
 *
 * @typedef {(options: {maxAgeMs?: number | undefined, signal: AbortSignal, onOutage: (error: ShardlineError) => void}) => Promise<CounterReading>} Read
 * @typedef {Pick<import('./outbox/place.js').Place, 'learnt' | 'pending' | 'onChange' | 'ended' | 'seen'>} Place What is under way there.
 */

/** How many times longer the interval gets. */
const LONGEST = 16;
const GROWTH = 1.5;
/** The least milliseconds between two readings, of all watches of a page together. */
const LEAST_MS = 200;
/** The most changes of one moment that are shown one by one. The rest shows together, because each adds up all waiting increments. */
const MOST_AT_ONCE = 100;
/** If more watches than this begin, and a stream can bring all of their totals, they do not ask one by one. */
const MANY = 10;

const HOUR_MS = 3_600_000;
/** The share of the reads of an hour that asking takes. The others are for listening. */
const SPENT_BY_ASKING = 0.7;

/** The watches that are not ended, of the whole page. */
let watches = 0;

/**
 * Calls back with the known total at once, and whenever it changes.
 * @param {Read} read
 * @param {Place} place
 * @param {(total: LiveTotal) => void} callback
 * @param {WatchOptions | undefined} options
 * @param {{readonly pauseMs: number}} [connection] The watch keeps this connection's pauses.
 * @param {(isFirst: boolean) => Promise<LiveCount | undefined>} [loadLive] `isFirst`: listen before the first reading. Resolves to undefined if
 * listening is not possible now.
 * @returns {() => void} Ends it.
 */
export function watch(read, place, callback, options, connection = { pauseMs: 0 }, loadLive = async () => undefined) {
  const { intervalMs = 1000, maxAgeMs, listen = maxAgeMs === undefined, readsPerHour, signal, onError } = takeOptions('watch', options,
    ['intervalMs', 'maxAgeMs', 'listen', 'readsPerHour', 'signal', 'onError']);
  checkFunction('onError', onError);
  if (typeof intervalMs !== 'number' || !(intervalMs >= 1 && intervalMs < 2 ** 27)) {
    throw mustBe('intervalMs', 'a number of milliseconds, from 1 on', intervalMs);
  }
  if (typeof listen !== 'boolean') throw mustBe('listen', 'true or false', listen);
  if (readsPerHour !== undefined && !(typeof readsPerHour === 'number' && readsPerHour >= 10)) throw mustBe('readsPerHour', 'a number, from 10 on', readsPerHour);
  const signals = signal ? [signal, place.ended] : [place.ended];
  if (signals.some(({ aborted }) => aborted)) {
    let isOver = signal?.aborted;
    // A watch of a closed database calls back with the error.
    queueMicrotask(() => isOver || callApart(callback, { pending: place.pending, state: 'error', error: place.ended.reason }));
    return () => { isOver = true; };
  }
  const one = new Watch(read, place, callback, { intervalMs, maxAgeMs, readsPerHour, onError, connection, loadLive: listen ? loadLive : undefined });
  const stop = () => {
    one.stop();
    for (const forget of forgets) forget();
  };
  const forgets = signals.map((each) => onAbort(each, stop));
  return stop;
}

export class Watch {
  #get;
  #place;
  #connection;
  #callback;
  #onError;
  #intervalMs;
  #maxAgeMs;
  #interval;
  #readsPerHour;
  #loadLive;
  /** @type {LiveCount | undefined} */
  #live;
  #ended = new AbortController();
  /** @type {Document | undefined} */
  #page = globalThis.document;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** True also until the rows of earlier pages are known. */
  #isReading = true;
  /** Ends the reading that is under way. @type {AbortController | undefined} */
  #attempt;
  /** @type {LiveTotal['state']} */
  #state = 'loading';
  /** @type {ShardlineError | undefined} */
  #error;
  #told = '';
  /** The number of changes in this moment. */
  #changes = 0;
  /** The billed reads of the last question. A reading that the stream has brought may have cost more. */
  #reads = 1;

  /**
   * @param {Read} read
   * @param {Place} place
   * @param {(total: LiveTotal) => void} callback
   * @param {object} options
   * @param {number} options.intervalMs
   * @param {number | undefined} options.maxAgeMs
   * @param {number | undefined} options.readsPerHour
   * @param {WatchOptions['onError']} options.onError
   * @param {{readonly pauseMs: number}} options.connection
   * @param {((isFirst: boolean) => Promise<LiveCount | undefined>) | undefined} options.loadLive
   */
  constructor(read, place, callback, { intervalMs, maxAgeMs, readsPerHour, onError, connection, loadLive }) {
    this.#readsPerHour = readsPerHour;
    this.#loadLive = loadLive;
    this.#connection = connection;
    this.#get = read;
    this.#place = place;
    this.#callback = callback;
    this.#onError = onError;
    this.#intervalMs = intervalMs;
    this.#interval = intervalMs;
    this.#maxAgeMs = maxAgeMs;
    watches += 1;
    const { signal } = this.#ended;
    this.#page?.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
    // Pages and workers have these events.
    globalThis.addEventListener?.('online', () => this.#onNetwork(true), { signal });
    globalThis.addEventListener?.('offline', () => this.#onNetwork(false), { signal });
    const forget = place.onChange(() => this.#onChange());
    signal.addEventListener('abort', forget, { once: true });
    place.seen.watches.add(this.#adopt);
    queueMicrotask(() => this.#show());
    void this.#begin();
  }

  stop() {
    if (this.#isOver) return;
    watches -= 1;
    this.#place.seen.watches.delete(this.#adopt);
    this.#ended.abort();
    this.#attempt?.abort();
    clearTimeout(this.#timer);
  }

  get #isOver() {
    return this.#ended.signal.aborted;
  }

  async #begin() {
    await this.#place.learnt();
    const isHeard = watches > MANY && !this.#page?.hidden && !this.#isOver && await (await this.#join(true))?.first();
    this.#isReading = false;
    if (!isHeard && !this.#page?.hidden && !this.#isOver) await this.#read();
  }

  #show() {
    if (this.#isOver) return;
    const { pending, seen: { value, reading } } = this.#place;
    const error = this.#error;
    const text = `${value} ${pending} ${this.#state} ${error?.code}`;
    if (text === this.#told) return;
    this.#told = text;
    const number = value === undefined ? undefined : Number(value);
    callApart(this.#callback, { value, number, pending, state: this.#state, reading, ...(error && { error }) });
  }

  async #read() {
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#isReading = true;
    const started = performance.now();
    try {
      const reading = await this.#get({ signal: attempt.signal, maxAgeMs: this.#maxAgeMs, onOutage: (error) => this.#fail(error) });
      if (attempt.signal.aborted) return;
      this.#reads = reading.billed?.reads ?? 1;
      this.#take(reading, madeBetween(started, performance.now(), reading));
      void this.#offerTo(reading);
    } catch (error) {
      if (attempt.signal.aborted) return;
      this.#fail(/** @type {ShardlineError} */ (error));
      this.#slowDown();
      callApart(this.#onError, /** @type {ShardlineError} */ (error));
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

  /** Lets the page choose whether to listen. @param {CounterReading} reading */
  async #offerTo(reading) {
    const live = await this.#join(false);
    if (this.#isOver) return;
    live?.onAsked(reading);
    // The stream may already bring the total for another watch.
    if (live) this.#schedule();
  }

  /** @param {boolean} isFirst No reading was asked for yet. */
  async #join(isFirst) {
    if (this.#live || !this.#loadLive) return this.#live;
    const live = await this.#loadLive(isFirst).catch(() => undefined); // The next reading tries again.
    if (!live || this.#live || this.#isOver) return this.#live;
    this.#live = live;
    const leave = live.join({ readsPerHour: this.#readsPerHour, hear: () => this.#hear(), ask: () => this.#askSoon() });
    this.#ended.signal.addEventListener('abort', leave, { once: true });
    return live;
  }

  /** The stream has brought a total. */
  #hear() {
    this.#error = undefined;
    this.#state = this.#place.seen.reading ? 'live' : 'loading';
    this.#schedule();
    this.#show();
  }

  /** The stream has ended. */
  #askSoon() {
    this.#interval = this.#intervalMs;
    this.#schedule();
  }

  /** Takes the error of a reading that has failed, or that goes on while the server does not answer. @param {ShardlineError} error */
  #fail(error) {
    this.#error = error;
    this.#state = isNetworkError(error) ? 'offline' : 'error';
    this.#show();
  }

  /**
   * @param {CounterReading} reading
   * @param {import('./seen_total.js').Made} made
   */
  #take(reading, made) {
    const { seen } = this.#place;
    const before = seen.reading?.value;
    const shown = seen.value;
    this.#error = undefined;
    if (!seen.take(reading, made)) {
      this.#state = 'loading';
      this.#interval = Math.max(seen.heldMs, LEAST_MS);
      return;
    }
    if (this.#state === 'live' && seen.value === shown && before === reading.value) this.#slowDown();
    else this.#interval = this.#intervalMs;
    this.#state = 'live';
    for (const adopt of seen.watches) adopt();
  }

  /** A watch of the same place knows the total. */
  #adopt = () => {
    if (this.#state === 'loading') this.#state = 'live';
    this.#show();
  };

  #slowDown() {
    this.#interval = Math.min(Math.max(this.#interval, this.#intervalMs) * GROWTH, this.#intervalMs * LONGEST);
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#isReading || this.#page?.hidden) return;
    // The stream brings the total, unless the last question has shown that there is no network.
    if (this.#live?.isCurrent && !this.#error) return;
    const least = Math.max(watches > 1 ? watches * LEAST_MS : 0, this.#readsPerHour ? this.#reads * HOUR_MS / (SPENT_BY_ASKING * this.#readsPerHour) : 0);
    this.#timer = setTimeout(() => void this.#read(), Math.min(Math.max(this.#interval, least, this.#connection.pauseMs), LONGEST_TIMEOUT_MS));
  }

  #onVisibility() {
    clearTimeout(this.#timer);
    if (!this.#page?.hidden && !this.#isReading) this.#readNow();
  }

  /**
   * Reads the total after a network event, because browsers' reports about the network can be wrong either way.
   * @param {boolean} isThere
   */
  #onNetwork(isThere) {
    if (!isThere) {
      this.#error = new ShardlineError('unavailable', 'The browser says that there is no network.', { reason: 'no-network' });
      this.#state = 'offline';
      this.#show();
    }
    // Without a network, a call in flight waits longer and longer from one attempt to the next: with one, it begins again.
    const mayRead = !this.#isReading || (isThere && this.#attempt);
    if (!this.#page?.hidden && mayRead) this.#readNow();
  }

  /** Reads now, in place of the reading under way. */
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
    this.#show();
    // The user who counts wants to see the result.
    if (this.#interval > this.#intervalMs) {
      this.#interval = this.#intervalMs;
      this.#schedule();
    }
  }
}
