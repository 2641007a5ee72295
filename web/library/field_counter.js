// Counters with fields: several counts of one thing in the same shards, such as the claps for a post by their kind. One increment of several fields is one
// row of the outbox, one commit, and one write of one shard.

import { isZero } from './amounts.js';
import { encodeDelta, takePublish } from './counter_arguments.js';
import { mustBe, notAllowed, optionNotAllowed, takes } from './errors.js';
import { takeNames } from './field_names.js';
import { answerHabits, keepFromProxies } from './habits.js';
import { checkString, checkWellFormed, readable, readOptions, refuseUnknown, takeOptions } from './options.js';
import { keepFieldsPublished } from './published_fields.js';
import { amountIn, seenFields } from './seen_fields.js';
import { partsOf, press } from './sharded_count.js';
import { checkWatch, totalsOf, TotalStore } from './total_store.js';
import { add } from './totals.js';
import { decodeNumber, Timestamp } from './values.js';
import { watch } from './watch.js';

/**
 * @typedef {import('./connection.js').Asking} Connection
 * @typedef {import('./connection.js').Billed} Billed
 * @typedef {import('./counter.js').Counter} Counter
 * @typedef {import('./counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('./errors.js').ShardlineError} ShardlineError
 * @typedef {import('./totals.js').Total} Total
 * @typedef {import('./seen_fields.js').FieldsReading} FieldsReading
 * @typedef {Omit<import('./watch.js').WatchOptions, 'maxAgeMs'>} FieldWatchOptions
 */

/**
 * @template {string} [Field=string]
 * @typedef {object} FieldCounterOptions
 * @property {readonly Field[]} fields 1 to 20 names, each of letters, digits and `_`, that do not begin with a digit.
 * @property {number} [shards] As for a counter.
 * @property {CounterOptions['layout']} [layout] As for a counter: the collection of the shards, and the field that says how many there are. Not `extension`.
 * @property {'exactly-once' | 'at-least-once'} [delivery] As for a counter.
 * @property {number} [flushMs] As for a counter.
 * @property {number | bigint} [maxDelta] The most that one commit may add to each field, up or down, if security rules bound it.
 * @property {CounterOptions['publish']} [publish] Writes all totals as one map into this field of the counter's document, such as `totals`, after this page has
 *   counted: at most once in `everyMs` milliseconds among all clients, as for a counter, and never older totals over newer ones. watch() does not listen to it.
 */

/**
 * @template {string} [Field=string]
 * @typedef {object} FieldReading
 * @property {{[field in Field]: Total}} totals A bigint where a number would lose digits.
 * @property {Timestamp} readTime The moment as of which these were the totals.
 * @property {number} shards How many shards were added up.
 * @property {'sum' | 'shards'} source Who added up: the server, or this client.
 * @property {{[field in Field]: Total}} pending Of this client's own increments, what is not confirmed yet.
 * @property {Billed} billed
 */

/**
 * @template {string} [Field=string]
 * @typedef {Omit<FieldReading<Field>, 'shards' | 'pending'>} PublishedFields The totals that were published: what the server has.
 */

/**
 * @template {string} [Field=string]
 * @typedef {object} LiveFields
 * @property {{[field in Field]: Total}} [totals] With all that is `pending`. Undefined until they are known.
 * @property {{[field in Field]: Total}} pending
 * @property {'loading' | 'live' | 'offline' | 'error'} state As of a counter's LiveTotal.
 * @property {FieldReading<Field>} [reading] `totals` are its totals, and all that is pending and not in it.
 * @property {ShardlineError} [error] Why the last reading has failed: while the state is `offline` or `error`.
 */

const OPTIONS = ['fields', 'shards', 'layout', 'delivery', 'flushMs', 'maxDelta', 'publish'];
/** The count field of the place where rows of such counters wait. No shard has it. */
const PLACE = 'shardline_fields';

/** Those that are there, by the counter whose outbox they use. @type {WeakMap<Counter, Map<string, FieldCounter<any>>>} */
const made = new WeakMap();

/** The count field of the place of its own documents. The order of the fields does not matter. @param {string[]} fields */
const noteOf = (fields) => [PLACE, ...[...fields].sort()].join('.');

/**
 * The options of the counter in one of its fields.
 * @param {import('./sharded_count.js').CountParts['options']} options
 * @param {string | undefined} countField
 */
function inField(options, countField) {
  const { layout, ...rest } = /** @type {any} */ (options);
  return { ...rest, layout: { ...layout, countField } };
}

/**
 * Publishes the totals from now on whenever increments of these fields have been counted.
 * @param {Connection} connection
 * @param {import('./sharded_count.js').CountParts} parts
 * @param {string[]} fields
 * @param {{field: string, everyMs: number}} publish
 */
function keepTotals(connection, { place, options }, fields, { field, everyMs }) {
  const note = noteOf(fields);
  const args = { counter: inField(options, note), choices: fields, isComplete: false, field, everyMs };
  const publish = async () => {
    const { published = true, ageMs } = await connection.run('choices.publish', args);
    return { published, ageMs };
  };
  keepFieldsPublished(place, note, fields, { place: `${options.path}, ${field}`, everyMs, publish });
}

/**
 * With the same path and options it is the same object.
 * @param {Connection} connection
 * @param {(path: string, options: CounterOptions) => Counter} makeCounter
 * @param {string} path
 * @param {FieldCounterOptions} options
 */
export function fieldCounterOf(connection, makeCounter, path, options) {
  checkString('counter', 'path', 'a path, such as posts/p1', path);
  const given = readOptions('counter', options);
  refuseUnknown('A counter with fields', given, OPTIONS);
  const { fields: names, layout: of, delivery, publish: totals, ...rest } = given;
  const fields = takeNames('fields', names);
  const publish = takePublish(totals);
  if (delivery !== undefined && delivery !== 'exactly-once' && delivery !== 'at-least-once') {
    throw optionNotAllowed('delivery', '\'exactly-once\' or \'at-least-once\', with `fields`');
  }
  if (/** @type {unknown} */ (of) === 'extension') throw optionNotAllowed('layout', 'another one than \'extension\', with `fields`');
  const { layout: { shardCollection, countField, shardCountField } } = connection.runNow('counter.check', { counter: { path, layout: of }, publish: publish?.field ?? null });
  if (fields.includes(countField)) throw optionNotAllowed('fields', `without “${countField}”: that field belongs to the counter without fields in the same shards`);
  const layout = { shardCollection, shardCountField, countField: PLACE };
  const count = makeCounter(path, { ...rest, ...(delivery && { delivery }), layout });
  const known = made.get(count) ?? new Map();
  made.set(count, known);
  const name = fields.join();
  if (!known.has(name)) known.set(name, new FieldCounter(count, fields));
  if (publish) keepTotals(connection, partsOf(count), fields, publish);
  return /** @type {FieldCounter<any>} */ (known.get(name));
}

/**
 * Several counts of one thing, spread over several documents; made by `db.counter(path, { fields })`.
 * @template {string} [Field=string]
 */
export class FieldCounter {
  #count;
  #fields;
  /** @type {TotalStore<LiveFields<Field>> | undefined} */
  #store;

  static {
    keepFromProxies(this);
    answerHabits(this, 'onSnapshot', 'watch(callback)');
    answerHabits(this, 'add remove has', 'increment({…}), or db.reactions(path) for one of each user', '');
    answerHabits(this, 'stats migrate cleanUp', 'a counter without fields', '');
  }

  /**
   * @param {Counter} count Its outbox.
   * @param {string[]} fields
   * @hidden Made by the library.
   */
  constructor(count, fields) {
    this.#count = count;
    this.#fields = fields;
  }

  /** The counter document's path; in some layouts the path of the collection of its shards. */
  get path() {
    return this.#count.path;
  }

  /** The names of its fields. @returns {readonly Field[]} */
  get fields() {
    return /** @type {any} */ ([...this.#fields]);
  }

  /** How many shards the counter has; undefined until it is known. */
  get shards() {
    return this.#count.shards;
  }

  /**
   * By field, the sum of all increments that are not confirmed: of this page, and of all tabs and earlier pages that have stored theirs.
   * @returns {{[field in Field]: Total}}
   */
  get pending() {
    const { parts } = partsOf(this.#count).place;
    return this.#byField((field) => parts.reduce((whole, part) => add(whole, amountIn(part, field)), /** @type {Total} */ (0)));
  }

  /** Aborted when the database is closed, with the error that says so. @returns {AbortSignal} */
  get ended() {
    return this.#count.ended;
  }

  /**
   * Adds to one or several fields. Resolves when the increment is on the server. It is coalesced with others, stored, and sent until it is settled,
   * however long the network is away; rejects when the server refuses it.
   * @param {{[field in Field]?: number | bigint}} amounts By field: an integer of up to 64 bits, or a finite number with a fraction. Shardline does not send a 0.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait. Increments that were stored or sent by then still count.
   * @returns {Promise<void>}
   */
  async increment(amounts, options) {
    const { signal } = takeOptions('increment', options, ['signal']);
    const amount = { fields: this.#encode(amounts) };
    await press(this.#count, 'increment', { counter: { ...partsOf(this.#count).options, fields: this.#fields }, amount }, signal);
  }

  /**
   * Reads all totals as of one moment: two requests and two reads for four fields, and one more of both for every four more, if Firestore has the index
   * that `shardline indexes rewrite --fields` adds, and every shard has all fields. Otherwise each shard is read, which `source` says.
   * @param {object} [options]
   * @param {'sum' | 'shards'} [options.source] `sum`, the default, lets the server add up. `shards` reads every shard.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<FieldReading<Field>>}
   */
  async get(options) {
    const { signal, ...args } = takeOptions('get', options, ['source', 'signal']);
    return (await this.#read(args, { signal })).told;
  }

  /**
   * Makes the counter's documents, in one atomic commit. Never changes what is there.
   * @param {object} [options]
   * @param {'keep' | 'error'} [options.ifExists] `error` rejects with `already-exists`. Default `keep`.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{created: boolean, shards: number}>} `created` is true only if it was surely this call.
   */
  async create(options) {
    const { signal, ...args } = takeOptions('create', options, ['ifExists', 'signal']);
    const { connection, place } = partsOf(this.#count);
    const result = await connection.run('counter.create', { ...args, counter: this.#of(this.#fields[0]), fields: this.#fields }, { signal });
    place.knownShards.learn(result.shards);
    return result;
  }

  /**
   * Changes the number of shards, while other clients keep incrementing. The amounts in shards that go move field by field, in commits that leave each total
   * right, and each shard is read once for each field. If this is interrupted, call it again.
   * @param {number} shards 1 to 10,000.
   * @param {object} [options]
   * @param {boolean} [options.atLeast] Only adds shards: a counter that has more keeps them, and only its document is read.
   * @param {AbortSignal} [options.signal] Ends the call. Increments that have been moved stay moved.
   * @returns {Promise<{shards: number}>} How many shards there are now.
   */
  async resize(shards, options) {
    const { signal, atLeast = false } = takeOptions('resize', options, ['atLeast', 'signal']);
    if (!Number.isInteger(shards)) throw takes('resize', 'shards', 'an integer from 1 to 10,000', shards);
    if (typeof atLeast !== 'boolean') throw mustBe('atLeast', 'true or false', atLeast);
    const { connection, place } = partsOf(this.#count);
    const run = (/** @type {string | undefined} */ field, /** @type {object} */ how) => connection.run('counter.resize', { counter: this.#of(field), shards, ...how }, { signal });
    // Shards that are added get all fields at once.
    let result = await run(this.#fields[0], { fields: this.#fields, atLeast: true });
    if (!atLeast) for (const field of this.#fields) result = await run(field, {});
    place.knownShards.learn(result.shards);
    return { shards: result.shards };
  }

  /**
   * Reads all totals, and writes them as one map into a field of the counter's document, which must exist. An older reading never replaces a newer one, because
   * one commit writes the map and the note of the last publication (compare-and-swap). It costs one read and two writes more than get().
   * @param {object} [options]
   * @param {string} [options.field] The field that gets the map, `totals` or `stats.claps`. Default `totals`.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<PublishedFields<Field>>}
   */
  async publish(options) {
    const { field = 'totals', signal } = takeOptions('publish', options, ['field', 'signal']);
    checkString('publish', 'field', 'the path of a field, such as totals', field);
    checkWellFormed('field', field);
    const { connection, options: counter } = partsOf(this.#count);
    const args = { counter: inField(counter, noteOf(this.#fields)), choices: this.#fields, isComplete: false, field };
    await connection.check('choices.publish', args, signal);
    const { totals, readTime, source, billed } = await connection.run('choices.publish', args, { signal });
    return { totals: this.#byField((_, i) => decodeNumber(totals[i])), readTime: Timestamp.fromString(readTime), source, billed };
  }

  /**
   * Deletes the counter: its fields in the shards, the number of shards in its document, and the note of the last publication. A document is deleted
   * if nothing else stands in it. Other fields stay, also one into which the totals were published, and so do other counters, also of the same shards.
   * When this is interrupted, call it again. A client that increments meanwhile may create shards again.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<{deleted: number}>} How many documents.
   */
  async delete(options) {
    const { signal } = takeOptions('delete', options, ['signal']);
    const { connection, place } = partsOf(this.#count);
    let deleted = 0;
    // The note of the last publication is this counter's own, and other counters of the place keep theirs.
    for (const field of [...this.#fields, noteOf(this.#fields)]) deleted += (await connection.run('counter.delete', { counter: this.#of(field) }, { signal })).deleted;
    place.knownShards.forget();
    return { deleted };
  }

  /**
   * Sends at once what is pending. Resolves when all of it is settled: counted, or refused. Rejects when the database is closed before.
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] Ends the wait; sending goes on.
   */
  async flush(options) {
    await this.#count.flush(options);
  }

  /**
   * Calls back with the totals at once, as far as they are known, and whenever one changes, as watch() of a counter does, and for the same price: it listens
   * to the shards while that is worthwhile, and asks otherwise.
   * @overload
   * @param {(totals: LiveFields<Field>) => void} callback
   * @param {FieldWatchOptions} [options]
   * @returns {() => void} Ends it. To close the database does so, too.
   */
  /**
   * The same without a callback: `for await (const { totals } of counter.watch()) …`, which skips totals that come faster than they are taken.
   * @overload
   * @param {FieldWatchOptions} [options]
   * @returns {AsyncIterableIterator<LiveFields<Field>>}
   */
  /**
   * @param {((totals: LiveFields<Field>) => void) | FieldWatchOptions} [callback]
   * @param {FieldWatchOptions} [options]
   */
  watch(callback, options) {
    checkWatch(arguments, 'for await (const { totals } of counter.watch())');
    if (typeof callback === 'function') return this.#watch(callback, options);
    return totalsOf((/** @type {(totals: LiveFields<Field>) => void} */ take, how) => this.#watch(take, how), this.ended, callback);
  }

  /**
   * Calls back at once with what is known, and with every change, as watch() does. All subscriptions share one watch. Made for frameworks, as
   * subscribe() of a counter.
   * @param {(totals: LiveFields<Field>) => void} listener
   * @returns {() => void} Ends it.
   */
  subscribe = (/** @type {(totals: LiveFields<Field>) => void} */ listener) => this.#live.subscribe(listener);

  /** The last totals that subscribers got: the same object until something changes. @returns {LiveFields<Field>} */
  getSnapshot = () => this.#live.snapshot;

  get #live() {
    const first = /** @type {LiveFields<Field>} */ ({ pending: this.pending, state: 'loading' });
    this.#store ??= new TotalStore((take) => this.#watch(take), first, this.ended);
    return this.#store;
  }

  /**
   * @param {(totals: LiveFields<Field>) => void} callback
   * @param {FieldWatchOptions} [options]
   */
  #watch(callback, options) {
    const how = takeOptions('watch', options, ['intervalMs', 'listen', 'readsPerHour', 'signal', 'onError']);
    const { connection, place, options: counter } = partsOf(this.#count);
    const seen = seenFields(place, this.#fields);
    const pending = () => Object.values(this.pending).join(' ');
    const view = {
      seen,
      ended: place.ended,
      learnt: () => place.learnt(),
      get pending() {
        return pending();
      },
      onChange: (/** @type {() => void} */ listener) => place.onChange(listener),
    };
    const tell = (/** @type {import('./watch.js').LiveTotal} */ { state, reading, error }) => {
      const { told } = /** @type {Partial<FieldsReading>} */ (reading ?? {});
      callback({ totals: /** @type {any} */ (seen.totals), pending: this.pending, state, reading: told, ...(error && { error }) });
    };
    const read = (/** @type {Parameters<import('./watch.js').Read>[0]} */ { signal, onOutage }) => this.#read({}, { signal, onOutage });
    const loadLive = async (/** @type {boolean} */ isFirst) => {
      if (isFirst) return undefined;
      // A page fetches the core when it has time. Programs without a page have time at once.
      const whole = globalThis.document ? connection.whole : await connection.whenWhole();
      return whole && (await connection.loadListening?.())?.liveCountOf(whole, place, counter, /** @type {any} */ (this.#listened(seen)));
    };
    // A watch compares the totals that it shows, and does not add them up: here they are one text.
    return watch(read, /** @type {any} */ (view), tell, how, connection, loadLive);
  }

  /** How the shards are listened to: see listen/live_count.js. @param {import('./seen_fields.js').SeenFields} seen */
  #listened(seen) {
    return {
      source: { name: 'counter.fieldTotals', args: { fields: this.#fields, source: 'shards' } },
      seen,
      readingOf: (/** @type {any} */ result) => this.#readingOf(result),
    };
  }

  /**
   * @param {{source?: 'sum' | 'shards' | undefined}} args
   * @param {import('./connection.js').RunOptions} how
   */
  async #read(args, how) {
    const { connection, options: counter } = partsOf(this.#count);
    return this.#readingOf(await connection.run('counter.fieldTotals', { ...args, counter, fields: this.#fields }, how));
  }

  /** @param {any} result Of the core. @returns {FieldsReading} */
  #readingOf({ totals: found, readTime: time, added, source, billed }) {
    const totals = this.#byField((_, i) => decodeNumber(found[i]));
    const [readTime, pending] = [Timestamp.fromString(time), this.pending];
    const whole = Object.values(totals).reduce((all, total) => all + Number(total), 0);
    const told = { totals, readTime, shards: added, source, pending, billed };
    return { value: whole, number: whole, readTime, shards: added, source, pending: 0, billed, totals, told };
  }

  /** @param {{[field in Field]?: number | bigint}} amounts */
  #encode(amounts) {
    const names = this.#fields.join(', ');
    const given = readable('amounts', () => (amounts !== null && typeof amounts === 'object' && !Array.isArray(amounts) ? Object.entries(amounts) : []));
    if (given.length === 0) throw takes('increment', 'amounts', `amounts by field, such as {${this.#fields[0]}: 1}`, amounts);
    const encoded = given.map(([field, amount]) => {
      if (this.#fields.includes(field)) return /** @type {const} */ ([field, encodeDelta(/** @type {any} */ (amount), field)]);
      throw notAllowed('amounts', `of the fields ${names}`, `increment() takes amounts of the fields ${names}, and none of “${field.slice(0, 50)}”.`);
    });
    return Object.fromEntries(encoded.filter(([, amount]) => !isZero(amount)));
  }

  /**
   * The options of the counter in one of its fields.
   * @param {string | undefined} countField
   */
  #of(countField) {
    return inField(partsOf(this.#count).options, countField);
  }

  /**
   * @param {(field: string, i: number) => Total} make
   * @returns {{[field in Field]: Total}}
   */
  #byField(make) {
    return /** @type {any} */ (Object.fromEntries(this.#fields.map((field, i) => [field, make(field, i)])));
  }
}

/**
 * Several counters with fields, to be read together; made by `db.counters(paths, { fields })`.
 * @template {string} [Field=string]
 */
export class FieldCounters {
  #counters;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {FieldCounter<Field>[]} counters
   * @hidden Made by the library.
   */
  constructor(counters) {
    this.#counters = counters;
  }

  /**
   * Reads the totals of all, side by side: in the time that the slowest takes.
   * @param {{source?: 'sum' | 'shards', signal?: AbortSignal}} [options] As for get() of one.
   * @returns {Promise<Map<string, FieldReading<Field>>>} By path, in the order asked for. One that fails rejects it all.
   */
  async getAll(options) {
    const how = readOptions('getAll', options);
    return new Map(await Promise.all(this.#counters.map(async (counter) => /** @type {const} */ ([counter.path, await counter.get(how)]))));
  }
}
