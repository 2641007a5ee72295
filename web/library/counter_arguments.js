// The arguments of a counter: its options, amounts, keys and times, checked, and encoded for the core.

import { MAX_INT64, MIN_INT64, sum } from './amounts.js';
import { LONGEST_TIMEOUT_MS } from './clock.js';
import { notAllowed, optionNotAllowed, shown } from './errors.js';
import { checkString, readable, readOptions, refuseUnknown } from './options.js';
import { Timestamp } from './values.js';

/**
 * @typedef {'web-sample' | 'mobile-sample' | 'node-sample' | 'go-sample' | 'php-sample' | 'ruby-sample' | 'collection' | 'extension'} LayoutName Of the samples in
 *   Firestore's documentation: `web-sample` is the default; `mobile-sample` is Swift's, Objective-C's, Java's and Kotlin's; `node-sample` also Python's
 *   and C#'s. `extension` is that of Firebase's firestore-counter extension, and needs a `countField`.
 *
 * @typedef {object} LayoutSpec
 * @property {string | null} shardCollection The subcollection of shards; null if the counter's path is itself their collection.
 * @property {string} countField The field of a shard that holds its count, such as `count` or `stats.likes`.
 * @property {string | null} [shardCountField] The field of the counter's document that holds the number of shards.
 * @property {boolean} [parent] Whether there is a counter's document. Default: if there is a shardCountField.
 *
 * @typedef {object} CounterOptions
 * @property {number} [shards] 1 to 10,000. Without it the library reads the number from the counter's document, and again every ten minutes while
 *   this page counts; create() makes 10.
 * @property {LayoutName | LayoutSpec} [layout] Default `web-sample`. The language is the sample's, not your program's.
 * @property {string} [countField] For the layout `extension`, which requires it: the field that the extension's clients increment, such as `visits`
 *   or `stats.visits`.
 * @property {'exactly-once' | 'at-least-once' | 'transaction'} [delivery] The protection if an answer is lost. `exactly-once`, the default, writes a
 *   marker (an idempotency key) beside the increment. `at-least-once` takes one write less, sends the increment again, and may count twice.
 *   `transaction` (optimistic concurrency) reads a shard, and writes it back on the condition that no other client wrote. Each such increment goes by
 *   itself, and is neither coalesced nor stored. It counts twice if the browser sends its request twice by itself.
 * @property {number} [flushMs] How long, in milliseconds, increments gather before one commit sends them together (write coalescing). Default 1,000.
 *   The first one after a pause goes at once.
 * @property {number | bigint} [maxDelta] The most that one commit may add, up or down, if security rules bound it. The library splits larger sums
 *   into several commits. It refuses a larger increment with a key, in a batch, or with the delivery `transaction`.
 * @property {{max: number}} [autoResize] Gives the counter more shards, up to `max`, if this page's commits meet contention: enough that few of them
 *   would. Security rules must allow the page to do so.
 * @property {{field: string, everyMs?: number}} [publish] Writes the total into this field of the counter's document, `likes` or `stats.likes`, after
 *   this page has counted. Then lists show the total without another read, and can be sorted by it. All clients together write at most once in
 *   `everyMs` milliseconds (default 5,000, at least 1,000), and never an older total over a newer one (compare-and-swap). Security rules must allow
 *   the page to write it, and cannot check that it is right.
 *
 * @typedef {object} CheckedOptions
 * @property {import('./outbox/rows.js').CounterArguments} counter For the core, which checks it.
 * @property {number} flushMs
 * @property {import('./amounts.js').Amount} [maxDelta]
 * @property {{field: string, everyMs: number}} [publish]
 * @property {number} [growTo] The most shards that the counter may grow to by itself.
 */

const OPTIONS = ['shards', 'layout', 'countField', 'delivery', 'flushMs', 'maxDelta', 'autoResize', 'publish'];

const MAX_SHARDS = 10_000;

/** The longest interval between published totals: a day. */
const MAX_EVERY_MS = 86_400_000;

/** The range of a Date. */
const MAX_MILLIS = 8_640_000_000_000_000;

/**
 * @param {string} path
 * @param {CounterOptions} [options]
 * @returns {CheckedOptions}
 */
export function takeCounterOptions(path, options = {}) {
  const given = readOptions('counter', options);
  refuseUnknown('A counter', given, OPTIONS, (name) => name === 'fields' && ' Counters with fields are in the entries shardline and shardline/firebase.');
  const { flushMs = 1000, maxDelta, autoResize, publish, ...rest } = given;
  if (typeof flushMs !== 'number' || !(flushMs >= 0 && flushMs <= LONGEST_TIMEOUT_MS)) {
    throw optionNotAllowed('flushMs', 'a number of milliseconds, from 0 on');
  }
  return {
    counter: { delivery: 'exactly-once', ...rest, path },
    flushMs,
    maxDelta: maxDelta === undefined ? undefined : encodeDelta(maxDelta, 'maxDelta'),
    publish: takePublish(publish),
    growTo: takeGrowTo(autoResize),
  };
}

/** @param {CounterOptions['autoResize']} autoResize */
function takeGrowTo(autoResize) {
  if (autoResize === undefined) return undefined;
  const max = readable('autoResize', () => autoResize?.max);
  if (Number.isInteger(max) && max >= 1 && max <= MAX_SHARDS) return max;
  throw optionNotAllowed('autoResize', '{max: an integer from 1 to 10,000}');
}

/** @param {CounterOptions['publish']} publish */
export function takePublish(publish) {
  if (publish === undefined) return undefined;
  const { field, everyMs = 5000, ...unknown } = readable('publish', () => ({ ...publish }));
  const isTime = Number.isInteger(everyMs) && everyMs >= 1000 && everyMs <= MAX_EVERY_MS;
  if (isTime && typeof field === 'string' && Object.keys(unknown).length === 0) return { field, everyMs };
  throw optionNotAllowed('publish', '{field: \'likes\', everyMs: an integer from 1,000 to 86,400,000}');
}

/**
 * @param {string} call
 * @param {unknown} key
 */
export function checkKey(call, key) {
  checkString(call, 'key', 'a key, a string such as the id of a user or an event', key);
}

/**
 * Refuses an amount above `maxDelta` for increments that one commit must carry.
 * @param {import('./amounts.js').Amount} amount
 * @param {import('./amounts.js').Amount | undefined} maxDelta
 * @param {'with the delivery “transaction”' | 'with a key'} which
 */
export function checkInOneCommit(amount, maxDelta, which) {
  if (!maxDelta) return;
  const [delta, most] = [sum([amount]), sum([maxDelta])];
  if (delta <= most && -delta <= most) return;
  const allowed = `at most the counter’s maxDelta, ${most}, up or down, ${which}`;
  throw notAllowed('delta', allowed, `The amount of an increment must be ${allowed}: it goes in one commit. It is ${delta}.`);
}

/**
 * @param {Date | Timestamp | number} time
 * @returns {string} The time in Firestore's form.
 */
export function encodeBound(time) {
  if (time instanceof Timestamp) return time.toString();
  const millis = time instanceof Date ? time.getTime() : time;
  if (typeof millis === 'number' && Math.abs(millis) <= MAX_MILLIS) {
    const date = new Date(Math.floor(millis));
    if (date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999) return date.toISOString();
  }
  throw optionNotAllowed('olderThan', 'a Date, a Timestamp, or a number of milliseconds since 1970, in the years 1 to 9999');
}

/**
 * @param {number | bigint} delta
 * @param {string} [option] Its name, if it is an option.
 * @returns {import('./amounts.js').Amount}
 */
export function encodeDelta(delta, option) {
  const isInteger = typeof delta === 'bigint' ? delta >= MIN_INT64 && delta <= MAX_INT64 : Number.isSafeInteger(delta);
  if (isInteger) return { integerValue: `${delta}` };
  if (typeof delta === 'number' && Number.isFinite(delta) && !Number.isInteger(delta)) return { doubleValue: delta };
  const allowed = 'a safe integer, a bigint of 64 bits, or a finite number with a fraction; for integers beyond 2^53 use a bigint';
  throw option ? optionNotAllowed(option, allowed)
    : notAllowed('delta', allowed, `The amount of an increment must be ${allowed}. It is ${shown(delta)}.`);
}
