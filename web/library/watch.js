// Live totals: listens or asks, and shows the page's own increments at once, in this page and in others.
//
// A watch begins by asking. Then listen/live_count.js decides whether it is cheaper to listen to the shards.
//
// The price of asking: one reading is billed as get() is, one read for 1,000 shards. While the total changes it is read every `intervalMs`, so 3,600
// times an hour by default; while it does not, every 16 seconds in the end, 225 times an hour; while the page is hidden, never. All watches of a page
// together ask five times a second at the most, except the first reading of each.

import { callApart } from './apart.js';
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
 * @property {Total} [value] With all that is `pending`; a bigint where a number would lose digits. Undefined until it is known.
 * @property {number} [number] The value as a number: the nearest one to a bigint.
 * @property {Total} pending
 * @property {'loading' | 'live' | 'offline' | 'error'} state `loading`: there is no reading yet, or none of which it is known whether it
 *   has an increment of this page's that is on its way; for ten seconds at the most. `offline`, `error`: the last reading has
 *   failed, or is being tried again, and `value` is from an earlier one; watching goes on. `offline` also at once when the browser says that the network is gone,
 *   until a reading succeeds.
 * @property {CounterReading} [reading] `value` is its value, and all that is pending and not in it.
 * @property {ShardlineError} [error] Why the last reading has failed: while the state is `offline` or `error`.
 *
 * @typedef {object} WatchOptions
 * @property {boolean} [listen] Whether the server may send the shards when they change. `watch` chooses by cost, and asks for the total otherwise. `false`: it always
 *   asks. Default true; false with `maxAgeMs`.
 * @property {number} [readsPerHour] The most reads that may be billed in an hour, from 10 on. Default: none but those that all watches of a page keep, 18,000.
 * @property {number} [intervalMs] From one reading to the next while the watch asks and the total changes. When it does not, or readings fail, up to
 *   sixteen times as long; and longer when a page watches many totals. Default 1,000.
 * @property {number} [maxAgeMs] As for get().
 * @property {AbortSignal} [signal] Ends it.
 * @property {(error: ShardlineError) => void} [onError] Told when a reading fails; watching goes on.
 *
 * @typedef {Pick<import('./listen/live_count.js').LiveCount, 'join' | 'first' | 'onAsked' | 'isCurrent'>} LiveCount
 *
 * @typedef {(options: {maxAgeMs?: number | undefined, signal: AbortSignal, onOutage: (error: ShardlineError) => void}) => Promise<CounterReading>} Read
 * @typedef {Pick<import('./outbox/place.js').Place, 'learnt' | 'pending' | 'onChange' | 'ended' | 'seen'>} Place What is under way there.
 */

/** How many times longer the interval gets. */
const LONGEST = 16;
const GROWTH = 1.5;
/** All watches of a page together read so often at the most: every so many milliseconds. */
const LEAST_MS = 200;
/** The most changes of one moment that are shown one by one, the rest together: each is a sum of all that waits. */
const MOST_AT_ONCE = 100;
/** More watches than that do not ask each for itself when they begin, if a stream can bring all of their totals. */
const MANY = 10;

const HOUR_MS = 3_600_000;
/** The share of the reads of an hour that asking takes. The others are for listening. */
const SPENT_BY_ASKING = 0.7;

/** The watches that are not ended, of the whole page. */
let watches = 0;

/**
 * Calls back with the total at once, as far as it is known, and whenever it changes.
 * @param {Read} read
 * @param {Place} place
 * @param {(total: LiveTotal) => void} callback
 * @param {WatchOptions | undefined} options
 * @param {{readonly pauseMs: number}} [connection] Whose pauses are kept.
 * @param {(isFirst: boolean) => Promise<LiveCount | undefined>} [loadLive] `isFirst`: to be listened to before anything was asked. undefined: not now.
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
    // Who asks a database that is closed hears why there is no total.
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
  /** Also as long as it is not known what earlier pages have left. */
  #isReading = true;
  /** Ends the reading that is under way. @type {AbortController | undefined} */
  #attempt;
  /** @type {LiveTotal['state']} */
  #state = 'loading';
  /** @type {ShardlineError | undefined} */
  #error;
  #told = '';
  /** How many changes there were in this moment. */
  #changes = 0;

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
    // Where there are such events: in pages and workers.
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
    // The stream may bring the total already, for another watch.
    if (live) this.#schedule();
  }

  /** @param {boolean} isFirst Nothing was asked yet. */
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

  /** The stream brings nothing any more. */
  #askSoon() {
    this.#interval = this.#intervalMs;
    this.#schedule();
  }

  /** A reading has failed, or goes on although the server does not answer. @param {ShardlineError} error */
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
    const { reads } = this.#place.seen.reading?.billed ?? { reads: 1 };
    const least = Math.max(watches > 1 ? watches * LEAST_MS : 0, this.#readsPerHour ? reads * HOUR_MS / (SPENT_BY_ASKING * this.#readsPerHour) : 0);
    this.#timer = setTimeout(() => void this.#read(), Math.max(this.#interval, least, this.#connection.pauseMs));
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
    // Without a network, a call in flight waits longer and longer from one attempt to the next: with one, it begins again.
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
    this.#show();
    // The user who counts wants to see the result.
    if (this.#interval > this.#intervalMs) {
      this.#interval = this.#intervalMs;
      this.#schedule();
    }
  }
}
