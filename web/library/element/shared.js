// What elements that show the same counter share, so that one watch reads for all of them, and a user is asked after once.

import { TotalStore } from '../total_store.js';
import { Like } from './like.js';

/**
 * @typedef {import('../counter.js').Counter} Counter
 * @typedef {import('../counter.js').CounterOptions} CounterOptions
 * @typedef {import('../counter_database.js').CounterDatabase} CounterDatabase
 * @typedef {Pick<Counter, 'subscribe' | 'getSnapshot'>} Total
 */

/** @type {WeakMap<CounterDatabase, Map<string, Counter>>} */
const counters = new WeakMap();
/** @type {WeakMap<Counter, Map<string, Total>>} */
const totals = new WeakMap();
/** @type {WeakMap<Counter, Map<string, Like>>} */
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
 */
export function counterOf(database, path, options) {
  return shared(counters, database, JSON.stringify([path, options]), () => database.counter(path, options));
}

/**
 * @param {Counter} counter
 * @param {{intervalMs?: number, maxAgeMs?: number}} options
 * @returns {Total}
 */
export function totalOf(counter, options) {
  // The app's own subscriptions share this one.
  if (Object.values(options).every((value) => value === undefined)) return counter;
  return shared(totals, counter, JSON.stringify(options), () => {
    const store = new TotalStore((take) => counter.watch(take, options), { pending: counter.pending, state: 'loading' });
    return { subscribe: (listener) => store.subscribe(listener), getSnapshot: () => store.snapshot };
  });
}

/**
 * @param {Counter} counter
 * @param {string} user
 */
export function likeOf(counter, user) {
  return shared(likes, counter, user, () => new Like(counter, user));
}
