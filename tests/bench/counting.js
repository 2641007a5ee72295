// Many increments of one tab on a counter of ten shards, on Google's emulator: the number that is durable per second if all are asked for at once,
// and the cost of a thousand of them at a hundred a second. This library against Google's two SDKs for pages.

import assert from 'node:assert/strict';
import { deleteApp, initializeApp } from 'firebase/app';
import * as full from 'firebase/firestore';
import * as lite from 'firebase/firestore/lite';

import { startEmulator } from '../emulator/support/emulator.js';
import { connect } from '../../web/library/index.js';
import { atLeast, atMost, digits, printTable } from './report.js';

const SHARDS = 10;
const PER_SECOND = 100;

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {() => Promise<unknown>} increment Resolves when it is durable.
 * @property {number} underWay How many to ask for before the first is durable. When the SDKs are asked for 2,000 at once, the
 *   emulator's locks time out. They are asked for a twentieth in all, for they take as long for each.
 * @property {() => {commits: number, writes: number}} cost So far.
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {number} perSecond Durable increments, asked for at once.
 * @property {number} commits Per 1,000 increments, at 100 per second.
 * @property {number} writes
 */

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchCounting({ quick }) {
  const atOnce = quick ? 300 : 1000;
  const paced = quick ? 200 : 1000;
  const emulator = await startEmulator();
  /** @type {Result[]} */
  const results = [];
  try {
    for (const open of [openShardline, openLite, openFull]) {
      const { contender, total, close } = await open(emulator, `counters/${open.name}`);
      await contender.increment(); // Warm.
      const count = contender.underWay === Infinity ? 20 * atOnce : atOnce;
      const perSecond = await rateAtOnce(contender, count);
      const { commits, writes } = await costPaced(contender, paced);
      assert.equal(await total(), 1 + count + paced, contender.name);
      await close();
      results.push({ name: contender.name, perSecond, commits: (1000 * commits) / paced, writes: (1000 * writes) / paced });
    }
  } finally {
    await emulator.stop();
  }
  printTable(`counting: one tab, ${SHARDS} shards`, ['', 'durable per second', 'commits per 1,000', 'billed writes per 1,000'],
    results.map(({ name, perSecond, commits, writes }) => [name, digits(Math.round(perSecond)), digits(commits), digits(writes)]));
  const [ours, ...others] = /** @type {[Result, ...Result[]]} */ (results);
  return {
    results,
    targets: others.flatMap(({ name, perSecond, writes }) => [
      atLeast(`durable increments per second, against ${name}`, ours.perSecond / perSecond, 10),
      // Compared as a number of writes, for a fiftieth is lost in two decimals.
      atMost(`writes per 1,000 increments at 100/s, against ${name}`, (50 * ours.writes) / writes, 1, '/50'),
    ]),
  };
}

/** @param {Contender} contender @param {number} count */
async function rateAtOnce({ increment, underWay }, count) {
  const begin = performance.now();
  let asked = 0;
  const ask = async () => {
    while (asked < count) {
      asked += 1;
      await increment();
    }
  };
  await Promise.all(Array.from({ length: Math.min(underWay, count) }, ask));
  return (1000 * count) / (performance.now() - begin);
}

/** @param {Contender} contender @param {number} count */
async function costPaced({ increment, cost }, count) {
  const before = cost();
  const begin = performance.now();
  /** @type {Promise<unknown>[]} */
  const asked = [];
  while (asked.length < count) {
    // All that are due, however late the timer is.
    const due = Math.min(count, Math.floor(((performance.now() - begin) * PER_SECOND) / 1000) + 1);
    while (asked.length < due) asked.push(increment());
    await new Promise((resolve) => setTimeout(resolve, 1000 / PER_SECOND));
  }
  await Promise.all(asked);
  const after = cost();
  return { commits: after.commits - before.commits, writes: after.writes - before.writes };
}

/** @typedef {import('../emulator/support/emulator.js').Emulator} Emulator */

/** @param {Emulator} emulator @param {string} path */
async function openShardline(emulator, path) {
  const so = { commits: 0, writes: 0 };
  const db = await connect({
    projectId: 'demo', host: emulator.exactUrl,
    onRequest: ({ path: url, billed }) => {
      if (url.split('?')[0].endsWith(':commit')) so.commits += 1;
      so.writes += billed.writes;
    },
  });
  const counter = db.counter(path, { shards: SHARDS });
  await counter.create();
  return {
    contender: { name: 'shardline, exactly once, flushMs 1000', underWay: Infinity, increment: () => counter.increment(), cost: () => ({ ...so }) },
    total: async () => (await counter.get()).value,
    close: () => db.close(),
  };
}

/** @param {Emulator} emulator @param {string} path */
const openLite = (emulator, path) => openSdk('firebase/firestore/lite', lite, emulator, path);
/** @param {Emulator} emulator @param {string} path */
const openFull = (emulator, path) => openSdk('firebase/firestore', full, emulator, path);

/**
 * As in the documentation's sample: one write for each.
 * @param {string} name
 * @param {any} sdk
 * @param {Emulator} emulator
 * @param {string} path
 */
async function openSdk(name, sdk, emulator, path) {
  const app = initializeApp({ projectId: 'demo' }, name);
  const firestore = sdk.getFirestore(app);
  sdk.connectFirestoreEmulator(firestore, '127.0.0.1', emulator.port);
  const shard = (/** @type {number} */ number) => sdk.doc(firestore, `${path}/shards/${number}`);
  await Promise.all(Array.from({ length: SHARDS }, (_, i) => sdk.setDoc(shard(i), { count: 0 })));
  let writes = 0;
  return {
    contender: {
      name,
      underWay: 50,
      increment: () => {
        writes += 1;
        return sdk.updateDoc(shard(Math.floor(Math.random() * SHARDS)), 'count', sdk.increment(1));
      },
      cost: () => ({ commits: writes, writes }),
    },
    total: async () => {
      const { docs } = await sdk.getDocs(sdk.collection(firestore, `${path}/shards`));
      return docs.reduce((/** @type {number} */ sum, /** @type {any} */ document) => sum + document.data().count, 0);
    },
    close: async () => {
      await sdk.terminate(firestore);
      await deleteApp(app);
    },
  };
}
