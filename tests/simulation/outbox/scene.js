// The common parts of scenes: one browser, one server, a clock, and pages in tabs. Each test begins with a new browser and an empty database.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, before, beforeEach } from 'node:test';
import { CounterDatabase } from '../../../web/library/counter_database.js';
import { openCounters } from '../../../web/library/open_counters.js';
import createModule from '../../../web/library/generated/runtime.js';
import { loader } from '../../../web/library/load.js';
import { openWorkbench } from '../../../web/library/workbench.js';
import { runDialect } from '../../emulator/support/dialect_front.js';
import { Browser, Tab } from './browser.js';
import { Clock } from './clock.js';
import { Dice } from './dice.js';
import { Fragile } from './fragile.js';
import { Network } from './network.js';

const generated = new URL('../../../web/library/generated/', import.meta.url);
export const DAY_MS = 24 * 3_600_000;
export const fragile = new Fragile(createModule);
const load = loader('counters.wasm', fragile.createModule, () => new URL('counters.wasm', generated));
const loadSecond = loader('admin.wasm', fragile.createModule, () => new URL('admin.wasm', generated));
/** @type {any} */
let workbench;
/** @type {any} */
let engine;
/** @type {Clock} */
export let clock;
/** @type {Browser} */
export let browser;
/** @type {Network} */
export let network;
/** What reached the server. @type {{token: string | null, delta: number}[]} */
export const commits = [];
/** @type {string[]} Of commits. */
export const bodies = [];
/** @type {any[]} */
export const warnings = [];
/** Who is signed in. @type {string | null} */
export let user = null;

before(async () => {
  // Files are read in real time, so the clock is not a virtual one yet.
  await Promise.all([load(), loadSecond()]);
  workbench = await openWorkbench({ wasm: readFileSync(fileURLToPath(new URL('workbench.wasm', generated))) });
});
beforeEach(async () => {
  engine = await workbench.createEngine({ limits: 'none', ...runDialect() });
  clock = new Clock();
  clock.install();
  const dice = new Dice(1);
  browser = new Browser(clock, dice);
  for (const list of [commits, bodies, warnings]) list.length = 0;
  user = null;
  network = new Network(clock, dice, engine, (token, body) => {
    bodies.push(body);
    for (const [, delta] of body.matchAll(/"increment":\{"integerValue":"(-?\d+)"\}/g)) commits.push({ token, delta: Number(delta) });
  });
});
const consoleError = console.error;
afterEach(() => {
  fragile.crashAfter(Infinity);
  clock.uninstall();
  console.error = consoleError;
});

/** @param {string | null} name */
export function signIn(name) {
  user = name;
}

/** @param {string | null} name */
export const tokenOf = (name) => name && `h.${btoa(JSON.stringify({ sub: name }))}.s`;

/**
 * A page in a tab of its own.
 * @param {object} [options]
 * @param {(storage: any) => void} [change] Changes its storage.
 * @param {{home?: Browser, isBare?: boolean}} [where] `isBare`: it has neither Web Locks nor a BroadcastChannel.
 * @returns {Promise<any>}
 */
export async function open(options = {}, change = () => {}, { home = browser, isBare = false } = {}) {
  const tab = new Tab();
  tab.clockError = home.clockError;
  /** @type {any} */
  const page = { tab };
  const storage = home.storageOf(tab);
  change(storage);
  const { locks, Channel, ...rest } = home.of(tab);
  tab.run(async () => {
    const { connection, outbox } = await openCounters({
      projectId: 'demo', fetch: network.fetchOf(tab), storage, onWarning: (/** @type {any} */ warning) => warnings.push(warning),
      retry: { maxAttempts: 2, initialDelayMs: 100, maxDelayMs: 1000 }, ...options,
    }, load, loadSecond, isBare ? rest : { ...rest, locks, Channel });
    page.db = new CounterDatabase(connection, outbox);
    page.counter = page.db.counter('c/c', { shards: 3, flushMs: 1000 });
    page.set = page.db.countedSet('c/c', { shards: 3, flushMs: 1000 });
  });
  await clock.pass(0);
  return page;
}

/** A page whose increments do not gather. */
export async function openAtOnce(options = {}) {
  const page = await open(options);
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 0 });
  return page;
}

/** @param {any} page @param {number} amount */
export function add(page, amount) {
  const result = { outcome: '' };
  const increment = () => page.counter.increment(amount).then(() => { result.outcome = 'counted'; }, (/** @type {any} */ error) => { result.outcome = error.code; });
  clock.after(0, increment, page.tab);
  return result;
}

/** An earlier page stores an increment, and is gone before it has sent it. @param {number} amount @param {object} [options] Its own. */
export async function leave(amount, options) {
  network.isDown = true;
  const page = await open(options);
  add(page, amount);
  await clock.pass(100);
  browser.kill(page.tab);
  network.isDown = false;
  warnings.length = 0;
}

/** @param {string} [counter] */
export function total(counter = 'c/c') {
  return documents(`${counter}/shards`).reduce((/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields.count?.integerValue ?? 0), 0);
}

/** @param {string} collection */
export function documents(collection) {
  const { body } = engine.handle({ method: 'GET', target: `/v1/projects/demo/databases/(default)/documents/${collection}` }, clock.now);
  return JSON.parse(new TextDecoder().decode(body)).documents ?? [];
}

/** How often each of these increments was counted, which are powers of 4. @param {number[]} amounts */
export const times = (amounts) => amounts.map((amount) => Math.floor(total() / amount) % 4);

/** As a TTL policy does with markers that have expired. */
export function deleteMarkers() {
  for (const { name, fields } of documents('shardline_markers')) {
    if (Date.parse(fields.expireAt.timestampValue) < clock.now) engine.handle({ method: 'DELETE', target: `/v1/${name}` }, clock.now);
  }
}
