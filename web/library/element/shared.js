// Elements that show the same counter share this, so that one watch reads for all of them, and a user's like is read once.

import { notAllowed } from '../errors.js';
import { TotalStore } from '../total_store.js';
import { Like } from './like.js';

/**
 * @typedef {import('../counted_set.js').CountedSet} CountedSet
 * @typedef {import('../counter.js').Counter | CountedSet} Counter
 * @typedef {import('../counter_arguments.js').CounterOptions} CounterOptions
 * @typedef {import('../counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {Pick<Counter, 'subscribe' | 'getSnapshot'>} Total
 * @typedef {object} Followed The counter of an element.
 * @property {Counter} counter
 * @property {Total} total
 * @property {() => void} [stop] Ends its subscription to the total, while it has one.
 * @property {Like} [like]
 * @property {(() => void)[]} ends What else ends with it.
 *
 * @typedef {{shards?: number, said: number[], isOdd?: boolean}} Place `said`: the shards that elements say which follow it now.
 */

/** By their shards. @type {WeakMap<Place, Map<string, CountedSet>>} */
const counters = new WeakMap();
/** The identity of the counter, however many shards an element says that it has. @type {WeakMap<CounterDatabase, Map<string, Place>>} */
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
function shared(all, owner, key, make) {
  const things = all.get(owner) ?? new Map();
  all.set(owner, things);
  const thing = things.get(key) ?? make();
  things.set(key, thing);
  return thing;
}

/**
 * @param {CounterDatabase} database
 * @param {string} path
 * @param {CounterOptions} options
 * @param {(error: import('../errors.js').ShardlineError) => void} onOdd Told of the first element that contradicts another one.
 * @returns {[counter: CountedSet, leave: () => void]} `leave()` is called once, when the element no longer follows it.
 */
export function counterOf(database, path, options, onOdd) {
  const { shards, ...rest } = options;
  /** @type {Place} */
  const place = shared(places, database, JSON.stringify([path, rest]), () => ({ said: [] }));
  const { said } = place;
  // Who does not say goes by what others say, or have said last.
  const all = { ...rest, shards: shards ?? place.shards };
  const counter = shared(counters, place, `${all.shards}`, () => database.countedSet(path, all));
  placeOf.set(counter, place);
  if (shards === undefined) return [counter, () => {}];
  // Shards that are refused have thrown above: they are no other element's.
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
  // The app's own subscriptions share this one.
  if (Object.values(options).every((value) => value === undefined)) return counter;
  return shared(totals, counter, JSON.stringify(options), () => {
    const first = /** @type {import('../watch.js').LiveTotal} */ ({ pending: counter.pending, state: 'loading' });
    const store = new TotalStore((take) => counter.watch(take, options), first, counter.ended);
    return { subscribe: (listener) => store.subscribe(listener), getSnapshot: () => store.snapshot };
  });
}

/**
 * @param {Counter} counter
 * @param {string} user
 */
export function likeOf(counter, user) {
  return shared(likes, placeOf.get(counter) ?? counter, user, () => new Like(user));
}
