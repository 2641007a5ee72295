// A registry of shared objects (the flyweight pattern): elements that show the same counter share one watch, and one reading of a user's like.

import { notAllowed } from '../errors.js';
import { TotalStore } from '../total_store.js';
import { add } from '../totals.js';
import { Wish } from './wish.js';

/**
 * @typedef {import('../counted_set.js').CountedSet} CountedSet
 * @typedef {import('../field_counter.js').FieldCounter<string>} FieldCounter
 * @typedef {import('../counter.js').Counter | CountedSet | FieldCounter} Counter
 * @typedef {import('../counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('../counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {import('../watch.js').LiveTotal} LiveTotal
 * @typedef {{subscribe: (listener: (total: any) => void) => () => void}} Total It calls back with a LiveTotal, or with the LiveFields of a counter with fields.
 * @typedef {{[field: string]: number | bigint}} LiveTotals
 * @typedef {Wish<CountedSet, boolean>} Like
 *
 * @typedef {{shards?: number, said: number[], isOdd?: boolean}} Place `said`: the shards that elements say which follow it now.
 */

/** Counters, by their number of shards. @type {WeakMap<Place, Map<string, CountedSet | FieldCounter>>} */
const counters = new WeakMap();
/** The identity of a counter, whatever number of shards an element passes. @type {WeakMap<CounterDatabase, Map<string, Place>>} */
const places = new WeakMap();
/** @type {WeakMap<Counter, Place>} */
const placeOf = new WeakMap();
/** @type {WeakMap<Counter, Map<string, Total>>} */
const totals = new WeakMap();
/** @type {WeakMap<Counter | Place, Map<string, Like>>} */
const likes = new WeakMap();

/**
 * @template {object} Owner
 * @template Thing
 * @param {WeakMap<Owner, Map<string, Thing>>} all
 * @param {Owner} owner
 * @param {string} key
 * @param {() => Thing} make
 * @returns {Thing}
 */
export function shared(all, owner, key, make) {
  const things = all.get(owner) ?? new Map();
  all.set(owner, things);
  const thing = things.get(key) ?? make();
  things.set(key, thing);
  return thing;
}

/**
 * @param {CounterDatabase} database
 * @param {string} path
 * @param {CounterOptions & {fields?: string[]}} options
 * @param {(error: import('../errors.js').ShardlineError) => void} onOdd Called for the first element that contradicts another one.
 * @returns {[counter: CountedSet | FieldCounter, leave: () => void]} `leave()` is called once, when the element no longer follows it.
 */
export function counterOf(database, path, options, onOdd) {
  const { shards, ...rest } = options;
  /** @type {Place} */
  const place = shared(places, database, JSON.stringify([path, rest]), () => ({ said: [] }));
  const { said } = place;
  // An element without a number of shards uses that of other elements, or the last one.
  const all = { ...rest, shards: shards ?? place.shards };
  const counter = shared(counters, place, `${all.shards}`, () => {
    // The database checks the fields.
    return all.fields ? /** @type {any} */ (database).counter(path, all) : database.countedSet(path, all);
  });
  placeOf.set(counter, place);
  if (shards === undefined) return [counter, () => {}];
  // A refused number has thrown above, so other elements do not get it.
  place.shards = said[0] ?? shards;
  said.push(shards);
  if (shards !== place.shards && !place.isOdd) {
    place.isOdd = true;
    onOdd(notAllowed('shards', `${place.shards}, as of the other <shard-counter> of ${path}`));
  }
  return [counter, () => said.splice(said.indexOf(shards), 1)];
}

/**
 * @param {Counter} counter
 * @param {import('../watch.js').WatchOptions} options
 * @returns {Total}
 */
export function totalOf(counter, options) {
  // A counter with fields refuses the options that it does not have.
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  // The app's own subscriptions share this one.
  if (Object.keys(given).length === 0) return counter;
  return shared(totals, counter, JSON.stringify(given), () => {
    const first = /** @type {LiveTotal} */ ({ pending: counter.pending, state: 'loading' });
    return new TotalStore((take) => /** @type {any} */ (counter).watch(take, given), first, counter.ended);
  });
}

/**
 * How to read the total of one field in the totals of all.
 * @param {Counter} counter
 * @param {string | null} field null: the sum of all.
 * @returns {(live: any) => LiveTotal}
 */
export function viewOf(counter, field) {
  const fields = 'fields' in counter ? counter.fields : undefined;
  if (field !== null && !fields?.includes(field)) {
    throw notAllowed('field', fields ? `one of ${fields.join(', ')}` : 'left out: the element has no attribute `fields`');
  }
  if (!fields) return (live) => live;
  const of = (/** @type {LiveTotals | undefined} */ all) => all && (field === null ? Object.values(all).reduce((sum, one) => add(sum, one)) : all[field]);
  return ({ totals: all, pending, state, error }) => ({ value: of(all), pending: of(pending) ?? 0, state, error });
}

/**
 * @param {Counter} counter
 * @param {string} user
 */
export function likeOf(counter, user) {
  return shared(likes, placeOf.get(counter) ?? counter, user, () => /** @type {Like} */ (new Wish(
    (set) => set.has(user),
    (set, wanted) => set[wanted ? 'add' : 'remove'](user),
  )));
}
