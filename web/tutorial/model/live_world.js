// A page that shows one counter for an hour, in three ways: it asks by a timer of its own, it listens, and it listens with a bound. Everything that
// the three do is the library's, on the embedded Firestore, and so are their bills.

import { connect } from '../../library/index.js';
import { openWorkbench } from '../../library/workbench.js';
import { diceOf } from './dice.js';
import { HIDDEN_MS, LIVE, WAYS } from './live_hour.js';
import { VirtualTime } from './virtual_time.js';

/**
 * @typedef {import('../../library/index.js').Database} Database
 * @typedef {import('../../library/workbench.js').EmbeddedFirestore} EmbeddedFirestore
 * @typedef {import('./live_hour.js').LiveOptions} LiveOptions
 * @typedef {import('./live_hour.js').LiveHour} LiveHour
 * @typedef {import('./live_hour.js').Viewer} Viewer
 * @typedef {import('./live_hour.js').Way} Way
 */

const MS = 1000;
const PER_MINUTE = 60;
/** More than it takes to begin and to end. */
const LONGEST_MS = 60_000;
/** By then the pages have imported what they need. */
const BEGINNING_MS = 300;
const PATH = 'posts/p1';
const DOCUMENTS = 'projects/demo/databases/(default)/documents';

/** Modules that are loaded during a run would take real time. @type {Promise<void> | undefined} */
let loaded;

/**
 * @param {LiveOptions} options
 * @param {number} seed
 * @returns {Promise<LiveHour>}
 */
export async function liveHour({ likes, every, tab }, seed) {
  const { createEmbeddedFirestore } = await openWorkbench();
  const open = () => createEmbeddedFirestore({ limits: 'none', latencyMs: [20, 30], seed, worker: false });
  loaded ??= open().then(watchOnce);
  await loaded;
  const firestore = await open();
  const time = new VirtualTime();
  const dice = diceOf(seed);
  time.install(dice);
  const page = tab === 'hidden' ? hidePage(time) : null;
  try {
    return await run(firestore, time, dice, { likes, every });
  } finally {
    time.uninstall();
    page?.restore();
    await firestore.close();
  }
}

/**
 * @param {EmbeddedFirestore} firestore
 * @param {VirtualTime} time
 * @param {() => number} dice
 * @param {{likes: number, every: number}} options
 */
async function run(firestore, time, dice, { likes, every }) {
  const likedMs = /** @type {number[]} */ ([]);
  const liked = /** @type {number[]} */ ([]);
  await finish(time, connect({ projectId: 'demo', fetch: firestore.fetch }).then(async (db) => {
    await db.counter(PATH, { shards: LIVE.shards }).create();
    await db.close();
  }));
  const beganMs = time.now;
  let total = 0;
  for (const { atMs, people } of crowd(likes, dice)) {
    time.after(atMs, () => {
      total += people;
      likedMs.push(time.now - beganMs);
      liked.push(total);
      void like(firestore, people, dice);
    });
  }
  const viewers = await finish(time, Promise.all(WAYS.map((way) => view(way, firestore, every, () => time.now - beganMs))));
  time.isPatient = true;
  await time.pass(beganMs + BEGINNING_MS);
  time.isPatient = false;
  await time.pass(beganMs + LIVE.seconds * MS);
  const ways = /** @type {Record<Way, Viewer>} */ (Object.fromEntries(WAYS.map((way, place) => [way, viewers[place]?.result()])));
  await finish(time, Promise.all(viewers.map(({ close }) => close())));
  return { likedMs: Int32Array.from(likedMs), liked: Int32Array.from(liked), ways };
}

/**
 * The likes of the hour. People who come within a second of a busy counter are one commit.
 * @param {number} perMinute
 * @param {() => number} dice
 */
function crowd(perMinute, dice) {
  const perCommit = Math.max(1, perMinute / PER_MINUTE);
  const commits = (perMinute * LIVE.seconds) / PER_MINUTE / perCommit;
  const pauseMs = (LIVE.seconds * MS) / commits;
  return Array.from({ length: commits }, (_, place) => ({ atMs: Math.floor((place + dice()) * pauseMs), people: perCommit }));
}

/** @param {EmbeddedFirestore} firestore @param {number} people @param {() => number} dice */
async function like({ fetch }, people, dice) {
  const counts = new Array(LIVE.shards).fill(0);
  for (let person = 0; person < people; person += 1) counts[Math.floor(dice() * LIVE.shards)] += 1;
  const writes = counts.flatMap((count, shard) => (count === 0 ? [] : { transform: {
    document: `${DOCUMENTS}/${PATH}/shards/${shard}`, fieldTransforms: [{ fieldPath: 'count', increment: { integerValue: String(count) } }],
  } }));
  await fetch(`http://embedded.invalid/v1/${DOCUMENTS}:commit`, { method: 'POST', headers: { authorization: 'Bearer owner' }, body: JSON.stringify({ writes }) });
}

/**
 * @param {Way} way
 * @param {EmbeddedFirestore} firestore
 * @param {number} every
 * @param {() => number} now
 */
async function view(way, { fetch }, every, now) {
  const bills = { atMs: /** @type {number[]} */ ([]), reads: /** @type {number[]} */ ([]) };
  const shown = { atMs: /** @type {number[]} */ ([]), value: /** @type {number[]} */ ([]) };
  const db = await connect({ projectId: 'demo', fetch, onRequest: ({ billed: { reads } }) => {
    if (reads === 0) return;
    bills.atMs.push(now());
    bills.reads.push((bills.reads.at(-1) ?? 0) + reads);
  } });
  const counter = db.counter(PATH, { shards: LIVE.shards });
  const show = (/** @type {number | bigint | undefined} */ value) => {
    if (value === undefined || Number(value) === shown.value.at(-1)) return;
    shown.atMs.push(now());
    shown.value.push(Number(value));
  };
  const ask = () => counter.get().then(({ value }) => show(value), () => {});
  const timer = way === 'ask' ? setInterval(() => void ask(), every * MS) : undefined;
  if (way === 'ask') void ask();
  else counter.watch(({ value }) => show(value), way === 'bounded' ? { readsPerHour: LIVE.readsPerHour } : {});
  return {
    result: () => ({
      billedMs: Int32Array.from(bills.atMs), reads: Int32Array.from(bills.reads), shownMs: Int32Array.from(shown.atMs), shown: Int32Array.from(shown.value),
    }),
    close: async () => {
      clearInterval(timer);
      await db.close();
    },
  };
}

/** @param {EmbeddedFirestore} firestore */
async function watchOnce(firestore) {
  const { fetch } = firestore;
  let hear = () => {};
  const heard = new Promise((resolve) => { hear = () => resolve(undefined); });
  const db = await connect({ projectId: 'demo', fetch, onRequest: ({ path }) => path.endsWith('/Listen') && hear() });
  const counter = db.counter(PATH, { shards: 1 });
  await counter.create();
  counter.watch(() => {});
  await heard;
  await db.close();
  await firestore.close();
}

/**
 * Lets time pass until a promise is settled.
 * @template T
 * @param {VirtualTime} time
 * @param {Promise<T>} promise
 */
async function finish(time, promise) {
  let isOver = false;
  const over = () => { isOver = true; };
  promise.then(over, over);
  await time.pass(time.now + LONGEST_MS, () => isOver);
  return promise;
}

/** A page whose tab is hidden for a part of the hour. The library sees no more of it than this. @param {VirtualTime} time */
function hidePage(time) {
  const page = Object.assign(new EventTarget(), { hidden: false, visibilityState: 'visible' });
  const before = Object.getOwnPropertyDescriptor(globalThis, 'document');
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true });
  const turn = (/** @type {boolean} */ isHidden) => {
    Object.assign(page, { hidden: isHidden, visibilityState: isHidden ? 'hidden' : 'visible' });
    page.dispatchEvent(new Event('visibilitychange'));
  };
  time.after(HIDDEN_MS.from, () => turn(true));
  time.after(HIDDEN_MS.to, () => turn(false));
  return { restore: () => {
    if (before) Object.defineProperty(globalThis, 'document', before);
    else Reflect.deleteProperty(globalThis, 'document');
  } };
}
