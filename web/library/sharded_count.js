// Counts that are spread over shards (sharding): the common part of counters and counted sets. The core decides which requests Firestore gets.

import { encodeBound, takeCounterOptions } from './counter_arguments.js';
import { ShardlineError, optionNotAllowed, takes, whyOf } from './errors.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { toJson } from './json.js';
import { readable, takeOptions } from './options.js';
import { keepPublished, publishes } from './publisher.js';
import { checkWatch, totalsOf, TotalStore } from './total_store.js';
import { decodeNumber, Timestamp } from './values.js';
import { watch } from './watch.js';

/**
 * @typedef {import('./connection.js').Asking} Connection
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./watch.js').LiveTotal} LiveTotal
 * @typedef {import('./watch.js').WatchOptions} WatchOptions
 *
 * @typedef {import('./counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('./amounts.js').Amount} Amount
 * @typedef {import('./outbox/place.js').Place} Place
 *
 * @typedef {object} CounterReading
 * @property {number | bigint} value A bigint where a number would lose digits.
 * @property {number} number The value as a number, for calculations: the nearest one to a bigint.
 * @property {Timestamp} readTime The moment as of which this was the value.
 * @property {number} shards How many shards were added up.
 * @property {'sum' | 'shards' | 'shared'} source Who added up: the server, this client, or any client some time ago.
 * @property {number} [ageMs] The age of the shared total when it was read, in milliseconds.
 * @property {number | bigint} pending The sum of this client's own increments that are not confirmed yet.
 * @property {Billed} billed
 * @property {{[shard: string]: number | bigint}} [perShard] When this client added up. In the layout `extension` also what its
 *   workers have made: their ids begin with a tab.
 * @property {number | bigint} [main] In the layout `extension`, when this client added up: the count in the counter's document.
 *
 * @typedef {object} CountParts What other files need of a count.
 * @property {Connection} connection
 * @property {Place} place
 * @property {import('./counter_arguments.js').CheckedOptions['counter']} options
 * @property {number} flushMs
 * @property {Amount} [maxDelta]
 * @property {string} [publish] The field into which it publishes its total.
 */

/** @type {(count: ShardedCount) => CountParts} */
export let partsOf;

/** A count that is spread over several documents: the class that counters and counted sets extend. */
export class ShardedCount {
  #connection;
  #options;
  #place;
  #parts;
  /** @type {TotalStore<LiveTotal> | undefined} */
  #store;

  /**
   * @param {Connection} connection
   * @param {import('./outbox/outbox.js').Outbox | import('./early.js').Early} outbox
   * @param {string} path
   * @param {CounterOptions} [options]
   * @hidden Made by the library.
   */
  constructor(connection, outbox, path, options) {
    const { counter: given, flushMs, maxDelta, publish, growTo } = takeCounterOptions(path, options);
    this.#connection = connection;
    const field = publish?.field;
    const bounds = { maxDelta: maxDelta ?? null, publish: field ?? null };
    const { layout } = connection.runNow('counter.check', { counter: given, ...bounds });
    // Objects in it are the app's, which may change them, or observe them with proxies, which cannot be stored.
    this.#options = /** @type {typeof given} */ (JSON.parse(toJson(given)));
    this.#place = outbox.place(JSON.stringify([path, layout.shardCollection, layout.countField]));
    this.#place.knownShards.isInDocument = layout.shardCountField !== undefined;
    this.#place.knownShards.said = this.#options.shards ?? this.#place.knownShards.said;
    this.#parts = { connection, place: this.#place, options: this.#options, flushMs, maxDelta, publish: field };
    if (publish) {
      const args = { counter: this.#options, publish: publish.field, everyMs: publish.everyMs };
      keepPublished(this.#place, { place: `${path}, ${publish.field}`, everyMs: publish.everyMs, publish: () => connection.run('counter.publish', args) });
    }
    if (growTo !== undefined) this.#place.contention.start((contention) => this.#grow(growTo, contention));
  }

  static {
    partsOf = (count) => count.#parts;
    answerHabits(this, 'onSnapshot', 'watch(callback)');
    keepFromProxies(this);
  }

  /** The counter document's path; in some layouts the path of the collection of its shards. */
  get path() {
    return this.#options.path;
  }

  /** How many shards the counter has; undefined until it is known. */
  get shards() {
    return this.#place.knownShards.last ?? this.#options.shards;
  }

  /** The sum of all increments that are not confirmed: of this page, and of all tabs and earlier pages that have stored theirs. */
  get pending() {
    return this.#place.pending;
  }

  /** Aborted when the database is closed, with the error that says so. @returns {AbortSignal} */
  get ended() {
    return this.#place.ended;
  }

  /**
   * Makes the counter's documents, in one atomic commit. Never changes what is there. In the layout `extension` clients make shards when they count,
   * so it makes the count field alone.
   * @param {object} [options]
   * @param {'keep' | 'error'} [options.ifExists] `error` rejects with `already-exists`. Default `keep`.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{created: boolean, shards: number}>} `created` is true only if it was surely this call.
   */
  async create(options) {
    const { signal, ...args } = takeOptions('create', options, ['ifExists', 'signal']);
    const result = await this.#connection.run('counter.create', { ...args, counter: this.#options }, { signal });
    this.#place.knownShards.learn(result.shards);
    return result;
  }

  /**
   * Sends all pending increments at once. Resolves when all of them are settled: counted, or refused. Rejects if the database is closed before.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait; sending goes on.
   */
  async flush(options) {
    const { signal } = takeOptions('flush', options, ['signal']);
    await this.#place.flush({ signal });
  }

  /**
   * Adds shards, if contention says so. Other pages may have added some since this one last looked: it asks for at least that many.
   * @param {number} max
   * @param {{attempts: number, aborted: number, perSecond: number}} contention Since the last call.
   */
  async #grow(max, contention) {
    const shards = this.shards ?? max;
    // One page that counts fast for a moment, and meets no other client, needs no more of them.
    const { suggestedShards } = await this.#connection.run('contention', { shards, ...contention, perSecond: 0 });
    const wanted = Math.min(suggestedShards, max);
    if (wanted <= shards) return;
    const { warnings } = this.#place;
    const warning = `autoResize ${this.path}`;
    try {
      await this.resize(wanted, { atLeast: true });
      warnings.forget(warning);
    } catch (cause) {
      const error = /** @type {ShardlineError} */ (cause);
      const { code, message } = error;
      if (code === 'cancelled') return;
      const what = `autoResize of ${this.path} has failed. Increments count all the same.`;
      warnings.once(warning, new ShardlineError(code, `${what} ${message}`, { ...whyOf(error), cause: error }));
    }
  }

  /**
   * How the load is spread, and what this page has seen of contention.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{perShard: {[shard: string]: number | bigint}, contention: {attempts: number, aborted: number},
   *   suggestedShards: number, billed: Billed}>} `attempts` are commits; `aborted` are those of them that met with contention.
   *   `suggestedShards` is never less than there are now.
   */
  async stats(options) {
    const { signal } = takeOptions('stats', options, ['signal']);
    const { perShard = {}, billed, shards } = await this.get({ source: 'shards', signal });
    const { attempts, aborted, perSecond } = this.#place.contention.seen;
    const seen = { shards: Math.max(this.shards ?? 0, shards), attempts, aborted, perSecond };
    const { suggestedShards } = await this.#connection.run('contention', seen, { signal });
    return { perShard, contention: { attempts, aborted }, suggestedShards, billed };
  }

  /**
   * Calls back with the total at once, as far as it is known, and whenever it changes: within a second after another client's increment, and at once
   * after this page's own. It stops while the page is hidden.
   *
   * The first reading is billed as that of get(). If the total is published (the option `publish`), the server then sends each published total, and bills one read
   * for it. Otherwise it sends the shards when they change, if there are 20 at the most, or if asking has cost one
   * read for each: it bills each shard once, and then each change as one read. While changes come faster than about eight a second, the watch asks instead: one
   * reading each `intervalMs`. `reading.source` is `shards` or `shared` for a total that the server has sent. A watch asks, too, if the server cannot send: then it is billed
   * 3,600 readings an hour by default while the total changes, and 225 while it does not; all watches of a page together five a second at the most,
   * except the first reading of each, when it begins or the page is shown again.
   * @overload
   * @param {(total: LiveTotal) => void} callback `value` includes `pending`.
   * @param {WatchOptions} [options]
   * @returns {() => void} Ends it. To close the database does so, too.
   */
  /**
   * The same without a callback: `for await (const total of counter.watch()) …`, which skips totals that come faster than they are taken.
   * @overload
   * @param {WatchOptions} [options]
   * @returns {AsyncIterableIterator<LiveTotal>}
   */
  /**
   * @param {((total: LiveTotal) => void) | WatchOptions} [callback]
   * @param {WatchOptions} [options]
   */
  watch(callback, options) {
    checkWatch(arguments, 'for await (const total of counter.watch())');
    if (typeof callback === 'function') return this.#watch(callback, options);
    return totalsOf((take, how) => this.#watch(take, how), this.ended, callback);
  }

  /**
   * Calls back at once with the known total, and with every change, like watch(). All subscriptions share one watch. Made for frameworks: a counter
   * is a store of Svelte's, and `useSyncExternalStore(likes.subscribe, likes.getSnapshot)` is its total in React.
   * @param {(total: LiveTotal) => void} listener
   * @returns {() => void} Ends it.
   */
  subscribe = (/** @type {(total: LiveTotal) => void} */ listener) => this.#live.subscribe(listener);

  /** The last total that subscribers got: the same object until something changes. @returns {LiveTotal} */
  getSnapshot = () => this.#live.snapshot;

  get #live() {
    const first = /** @type {LiveTotal} */ ({ pending: this.pending, state: 'loading' });
    this.#store ??= new TotalStore((take) => this.#watch(take), first, this.ended);
    return this.#store;
  }

  /**
   * @param {(total: LiveTotal) => void} callback
   * @param {WatchOptions} [options]
   */
  #watch(callback, options) {
    const read = (/** @type {Parameters<import('./watch.js').Read>[0]} */ { maxAgeMs, ...how }) => this.#read({ maxAgeMs }, how);
    // Listening needs the core, and its code is loaded when the core is there.
    const loadLive = async (/** @type {boolean} */ isFirst) => {
      if (isFirst && !publishes(this.#place)) return undefined;
      const { loadListening } = this.#connection;
      // A page fetches the core when it has time. Programs without a page have time at once.
      const whole = isFirst || !globalThis.document ? await this.#connection.whenWhole() : this.#connection.whole;
      return whole && (await loadListening?.())?.liveCountOf(whole, this.#place, this.#options);
    };
    return watch(read, this.#place, callback, options, this.#connection, loadLive);
  }

  /**
   * Changes the number of shards, while other clients keep incrementing, and moves what surplus shards hold into those that stay. No count is lost or
   * doubled. When this is interrupted, anyone may call it again. If no document holds the number of shards (layouts `node-sample`, `go-sample`,
   * `php-sample`, `ruby-sample` and `collection`), pass the new number in all other clients yourself. In the layout `extension` each client chooses
   * its own number, and nothing is moved. The number belongs to all counters of these shards; counters in other fields keep their counts.
   * @param {number} shards 1 to 10,000.
   * @param {object} [options]
   * @param {boolean} [options.atLeast] A counter that has more shards keeps them, whatever this page knows of it: it never shrinks, and nothing is
   *   moved. Without a document that holds the number, the call counts the existing shards.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{shards: number, folded: number}>} How many shards there are now; `folded` is how many documents were moved.
   */
  async resize(shards, options) {
    const { signal, ...args } = takeOptions('resize', options, ['atLeast', 'signal']);
    if (!Number.isInteger(shards)) throw takes('resize', 'shards', 'an integer from 1 to 10,000', shards);
    const result = await this.#connection.run('counter.resize', { ...args, counter: this.#options, shards }, { signal });
    this.#place.knownShards.learn(result.shards);
    return result;
  }

  /**
   * For the layout `extension`: moves the count into a distributed counter of another layout, which is created if it is not there. No count is lost
   * or doubled, though clients and workers of the extension go on meanwhile. If it is interrupted, any client may call it again. Call it again as
   * long as old clients count, to move their increments, too. The document loses the count field. Other fields, and other counters, stay, and so do
   * the members of a counted set and the keys of increments.
   * @param {object} [options]
   * @param {Pick<CounterOptions, 'layout' | 'shards'> & {path?: string}} [options.to] Default: layout `web-sample`, 10 shards, the same
   *   path. Each of a document's counters needs a path of its own: where another one was moved to, it is refused with `already-exists`.
   * @param {AbortSignal} [options.signal] Ends it; what has been moved stays moved.
   * @returns {Promise<{shards: number, folded: number, complete: boolean}>} How many shards there are now; how many documents were emptied; and
   *   `complete`, which is false if other clients kept counting.
   */
  async migrate(options) {
    const { to, signal } = takeOptions('migrate', options, ['to', 'signal']);
    if (to !== undefined && (to === null || typeof to !== 'object')) {
      throw optionNotAllowed('to', 'an object such as {layout: \'web\', shards: 10}');
    }
    const args = { counter: this.#options, to: { path: this.path, ...readable('to', () => ({ ...to })) } };
    await this.#connection.check('counter.migrate', args, signal);
    await this.flush({ signal });
    const { shards } = await this.#connection.run('counter.create', { counter: args.to }, { signal });
    return { ...await this.#connection.run('counter.migrate', { ...args, shards }, { signal }), shards };
  }

  /**
   * Deletes the counter: its field in the shards, the number of shards in its document, and its members, keys and shared total. It deletes a document
   * that has no other field. Other fields stay, and so do other counters, also in the same shards; as long as there are such counters, the number of
   * shards stays, because they need it. In the layout `extension` the counter's document always stays. When this is interrupted, call it again. A
   * client that increments meanwhile may create shards again.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{deleted: number}>} How many documents.
   */
  async delete(options) {
    const { signal } = takeOptions('delete', options, ['signal']);
    const result = await this.#connection.run('counter.delete', { counter: this.#options }, { signal });
    // The next increment asks again whether the counter exists.
    this.#place.knownShards.forget();
    return result;
  }

  /**
   * Reads the total.
   * @param {object} [options]
   * @param {'sum' | 'shards'} [options.source] `sum`, the default, lets the server add up: one read. `shards` reads every shard.
   * @param {number} [options.maxAgeMs] The total may be this many milliseconds old, by the server's clock. Then it comes from a document that all
   *   readers share (a shared cache). The first reader who finds it older writes a new total: one write in that time, however many clients read. Not
   *   together with `source`.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<CounterReading>}
   */
  async get(options) {
    const { signal, ...args } = takeOptions('get', options, ['source', 'maxAgeMs', 'signal']);
    return this.#read(args, { signal });
  }

  /**
   * @param {{source?: 'sum' | 'shards' | undefined, maxAgeMs?: number | undefined}} args
   * @param {import('./connection.js').RunOptions} how
   */
  async #read(args, how) {
    const name = args.maxAgeMs === undefined ? 'counter.total' : 'counter.sharedTotal';
    return readingOf(await this.#connection.run(name, { ...args, counter: this.#options }, how), this.pending);
  }
}

/**
 * @param {any} result Of the core.
 * @param {number | bigint} pending
 * @returns {CounterReading}
 */
export function readingOf({ perShard, main, ...rest }, pending) {
  const value = decodeNumber(rest.value);
  /** @type {CounterReading} */
  const reading = { ...rest, value, number: Number(value), readTime: Timestamp.fromString(rest.readTime), pending };
  if (perShard) {
    reading.perShard = Object.fromEntries(Object.entries(perShard).map(([shard, count]) => [shard, decodeNumber(count)]));
  }
  if (main !== undefined) reading.main = decodeNumber(main);
  return reading;
}

/**
 * See Counter.cleanUp() and CountedSet.cleanUp().
 * @param {ShardedCount} count
 * @param {boolean} members
 * @param {{olderThan?: Date | Timestamp | number | undefined, signal?: AbortSignal | undefined}} [options]
 * @returns {Promise<{deleted: number, billed: Billed}>}
 */
export async function cleanUpKept(count, members, options) {
  const { olderThan, signal } = takeOptions('cleanUp', options, ['olderThan', 'signal']);
  const { connection, options: counter } = partsOf(count);
  const bound = olderThan === undefined ? undefined : readable('olderThan', () => encodeBound(olderThan));
  return connection.run('counter.cleanUp', { counter, olderThan: bound, members }, { signal });
}

/**
 * Puts an increment, or a wish for a key, into the outbox.
 * @template {{amount: import('./amounts.js').RowAmount} | {member: string, wanted: import('./outbox/place.js').Membership}} Row
 * @param {ShardedCount} count
 * @param {string} call
 * @param {Row} row
 * @param {AbortSignal} [signal]
 */
export function press(count, call, row, signal) {
  if (signal?.aborted) throw new ShardlineError('cancelled', `${call}() was cancelled before it began.`, { reason: 'increment-withdrawn', cause: signal.reason });
  const { place, options: counter, flushMs, maxDelta } = partsOf(count);
  return place.ask({ counter, flushMs, ...(maxDelta && { maxDelta }), ...row }, signal);
}
