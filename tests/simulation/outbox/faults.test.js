// What an ordinary life does to a page, one thing at a time, in virtual time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, before, beforeEach, test } from 'node:test';
import { CounterDatabase, openCounters } from '../../../web/library/counter_database.js';
import createModule from '../../../web/library/generated/runtime.js';
import { ShardlineError } from '../../../web/library/errors.js';
import { loader } from '../../../web/library/load.js';
import { openWorkbench } from '../../../web/library/workbench.js';
import { runDialect } from '../../emulator/support/dialect_front.js';
import { Browser, Tab } from './browser.js';
import { Clock } from './clock.js';
import { Dice } from './dice.js';
import { Fragile } from './fragile.js';
import { Network } from './network.js';

const generated = new URL('../../../web/library/generated/', import.meta.url);
const fragile = new Fragile(createModule);
const load = loader('counters.wasm', fragile.createModule, () => new URL('counters.wasm', generated));
const loadSecond = loader('admin.wasm', fragile.createModule, () => new URL('admin.wasm', generated));
/** @type {any} */
let workbench;
/** @type {any} */
let engine;
/** @type {Clock} */
let clock;
/** @type {Browser} */
let browser;
/** @type {Network} */
let network;
/** @type {{token: string | null, delta: number}[]} */
let commits = [];
/** @type {string[]} Of commits. */
let bodies = [];
/** @type {string | null} */
let user = null;
/** @type {any[]} */
let warnings = [];
const consoleError = console.error;
const DAY_MS = 24 * 3_600_000;

before(async () => {
  // Before the clock is a virtual one, for files are read in real time.
  await Promise.all([load(), loadSecond()]);
  workbench = await openWorkbench({ wasm: readFileSync(fileURLToPath(new URL('workbench.wasm', generated))) });
});
beforeEach(async () => {
  engine = await workbench.createEngine({ limits: 'none', ...runDialect() });
  clock = new Clock();
  clock.install();
  const dice = new Dice(1);
  browser = new Browser(clock, dice);
  commits = [];
  bodies = [];
  warnings = [];
  user = null;
  network = new Network(clock, dice, engine, (token, body) => {
    bodies.push(body);
    for (const [, delta] of body.matchAll(/"increment":\{"integerValue":"(-?\d+)"\}/g)) commits.push({ token, delta: Number(delta) });
  });
});
afterEach(() => {
  fragile.crashAfter(Infinity);
  clock.uninstall();
  console.error = consoleError;
});

const tokenOf = (/** @type {string | null} */ name) => name && `h.${btoa(JSON.stringify({ sub: name }))}.s`;

/** A page in a tab of its own. @param {object} [options] @param {(storage: any) => void} [change] Changes its storage. */
async function open(options = {}, change = () => {}) {
  const tab = new Tab();
  /** @type {any} */
  const page = { tab };
  const storage = browser.storageOf(tab);
  change(storage);
  tab.run(async () => {
    const { connection, outbox } = await openCounters({
      projectId: 'demo', fetch: network.fetchOf(tab), storage, onWarning: (/** @type {any} */ warning) => warnings.push(warning),
      retry: { maxAttempts: 2, initialDelayMs: 100, maxDelayMs: 1000 }, ...options,
    }, load, loadSecond, browser.of(tab));
    page.db = new CounterDatabase(connection, outbox);
    page.counter = page.db.counter('c/c', { shards: 3, flushMs: 1000 });
  });
  await clock.pass(0);
  return page;
}

/** @param {any} page @param {number} amount */
function add(page, amount) {
  const result = { outcome: '' };
  const increment = () => page.counter.increment(amount).then(() => { result.outcome = 'counted'; }, (/** @type {any} */ error) => { result.outcome = error.code; });
  clock.after(0, increment, page.tab);
  return result;
}

/** An earlier page stores an increment, and is gone before it has sent it. @param {number} amount @param {object} [options] Its own. */
async function leave(amount, options) {
  network.isDown = true;
  const page = await open(options);
  add(page, amount);
  await clock.pass(100);
  browser.kill(page.tab);
  network.isDown = false;
}

function total() {
  const { body } = engine.handle({ method: 'GET', target: '/v1/projects/demo/databases/(default)/documents/c/c/shards' }, clock.now);
  const { documents = [] } = JSON.parse(new TextDecoder().decode(body));
  return documents.reduce((/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields.count?.integerValue ?? 0), 0);
}

test('stored increments wait until their user is signed in again, and go under nobody else’s token', async () => {
  network.needsUser = true;
  user = 'ann';
  const authToken = () => tokenOf(user);
  await leave(3, { authToken });
  user = null;
  await open({ authToken });
  await clock.pass(10_000);
  user = 'bob';
  await clock.pass(60_000);
  assert.deepEqual(commits, []);
  user = 'ann';
  await clock.pass(130_000);
  assert.deepEqual(commits, [{ token: tokenOf('ann'), delta: 3 }]);
  assert.equal(total(), 3);
});

for (const [what, leave] of /** @type {[string, (tab: Tab) => void][]} */ ([
  ['is left', (tab) => tab.tell('pagehide')],
  ['is hidden', (tab) => tab.tell('visibilitychange')],
])) {
  test(`the option \`user\` names another user than the last token was made for, and the page ${what}: it is nobody else’s to use`, async () => {
    for (const next of ['bob', null]) {
      user = 'ann';
      commits = [];
      const page = await open({ authToken: () => tokenOf(user), user: () => user });
      add(page, 1);
      await clock.pass(5000);
      user = next;
      add(page, 2);
      await clock.pass(300);
      page.tab.visibilityState = 'hidden';
      leave(page.tab);
      await clock.pass(100);
      browser.kill(page.tab);
      await open({ authToken: () => tokenOf(user), user: () => user });
      await clock.pass(10_000);
      assert.deepEqual(commits, [{ token: tokenOf('ann'), delta: 1 }, { token: tokenOf(next), delta: 2 }]);
    }
  });
}

for (const [what, options] of /** @type {[string, () => object][]} */ ([
  ['the token tells who is there', () => ({ authToken: () => tokenOf(user) })],
  ['the option `user` tells who is there', () => ({ authToken: () => tokenOf(user), user: () => user })],
])) {
  test(`what was asked for while nobody was signed in goes without a token when somebody is: ${what}`, async () => {
    const page = await open(options());
    const early = add(page, 3);
    await clock.pass(100);
    user = 'ann';
    const late = add(page, 4);
    await clock.pass(5000);
    assert.deepEqual([early.outcome, late.outcome, page.counter.pending, total()], ['counted', 'counted', 0, 7]);
    assert.deepEqual(commits, [{ token: null, delta: 3 }, { token: tokenOf('ann'), delta: 4 }]);
  });

  test(`rules that ask for a user refuse it, and its page hears so: ${what}`, async () => {
    network.needsUser = true;
    const page = await open(options());
    const early = add(page, 3);
    await clock.pass(100);
    user = 'ann';
    await clock.pass(5000);
    assert.deepEqual([early.outcome, page.counter.pending, warnings.length], ['permission-denied', 0, 0]);
    const late = add(page, 4);
    await clock.pass(5000);
    assert.deepEqual([late.outcome, total()], ['counted', 4]);
  });

  test(`an earlier page has left it: the next one sends it, and tells of a refusal: ${what}`, async () => {
    const comeAfter = async (/** @type {boolean} */ needsUser) => {
      user = null;
      await leave(5, options());
      network.needsUser = needsUser;
      user = 'ann';
      commits = [];
      warnings = [];
      const page = await open(options());
      await clock.pass(5000);
      browser.kill(page.tab);
      return [total(), ...commits, ...warnings.map(({ message }) => /by 5 may or may not have been counted/.test(message))];
    };
    assert.deepEqual(await comeAfter(false), [5, { token: null, delta: 5 }]);
    assert.deepEqual(await comeAfter(true), [5, { token: null, delta: 5 }, true]);
  });
}

test('tabs of another user do not take a record for theirs whose user leaves while it is stored', async () => {
  const authToken = () => tokenOf(user);
  const [first, other] = [await open({ authToken }), await open({ authToken })];
  const [mine, others] = [add(first, 1), add(other, 1)];
  await clock.pass(5000);
  assert.deepEqual([mine.outcome, others.outcome], ['counted', 'counted']);
  network.isDown = true;
  user = 'bob';
  const late = add(first, 5);
  browser.storageFaults.late = 1;
  await clock.pass(10);
  user = null;
  add(first, 2);
  await clock.pass(100);
  browser.storageFaults.late = 0;
  await clock.pass(30_000);
  assert.deepEqual([first.counter.pending, other.counter.pending], [7, 2]);
  network.isDown = false;
  await clock.pass(70_000);
  assert.deepEqual([late.outcome, first.counter.pending, other.counter.pending], ['', 5, 0]);
  user = 'bob';
  await clock.pass(70_000);
  assert.deepEqual([late.outcome, first.counter.pending, total()], ['counted', 0, 9]);
});

test('what another tab has settled meanwhile does not wait for ever in a tab whose user was away', async () => {
  let here = 'bob';
  network.isDown = true;
  const page = await open({ authToken: () => tokenOf(here) });
  const result = add(page, 5);
  await clock.pass(100);
  here = 'ann';
  add(page, 1);
  await clock.pass(100);
  // It hears nothing of what happens meanwhile.
  page.tab.tell('pagehide');
  page.tab.freeze(false);
  await clock.pass(0);
  network.isDown = false;
  await open({ authToken: () => tokenOf('bob') });
  await clock.pass(60_000);
  assert.equal(total(), 5);
  page.tab.thaw(clock);
  page.tab.tell('pageshow', { persisted: true });
  await clock.pass(10_000);
  assert.deepEqual([result.outcome, page.counter.pending, total()], ['counted', 0, 6]);
});

test('a refusal that nobody waits for is told with path, amount and reason', async () => {
  await leave(4);
  network.needsUser = true;
  warnings = [];
  await open();
  await clock.pass(10_000);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].message, /c\/c by 4 may or may not have been counted: .*permissions/);
});

test('callbacks that throw neither lose nor repeat anything', async () => {
  console.error = () => {};
  const fail = () => { throw new Error('a slip of the user’s'); };
  const page = await open({ onWarning: fail, onRequest: fail });
  page.tab.run(() => page.counter.watch(fail));
  const results = [add(page, 1), add(page, 2)];
  network.isDown = true;
  await clock.pass(5000);
  network.isDown = false;
  await clock.pass(10_000);
  assert.deepEqual(results.map(({ outcome }) => outcome), ['counted', 'counted']);
  assert.equal(total(), 3);
});

/** A page whose increments are sent at once. */
async function openAtOnce() {
  const page = await open();
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 0 });
  return page;
}

/** @param {any} page @param {object} [options] What a watch of it tells, without what is told again. */
function watching(page, options) {
  /** @type {string[]} */
  const told = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ { value, pending, state }) => {
    const text = `${value} ${pending} ${state}`;
    if (told.at(-1) !== text) told.push(text);
  }, options));
  return told;
}

/** What others have counted. @param {number} amount */
async function countedByOthers(amount) {
  const other = await open({ storage: 'memory' });
  add(other, amount);
  await clock.pass(5000);
  browser.kill(other.tab);
}

for (const [what, slow] of /** @type {[string, {arrival: number, answer: number}][]} */ ([
  ['is slow to arrive', { arrival: 8000, answer: 0 }],
  ['is answered late', { arrival: 0, answer: 8000 }],
])) {
  for (const amount of [1, -1]) {
    test(`the first thing that a page does is an increment by ${amount} that ${what}: no total is shown that lacks it, or has it twice`, async () => {
      await countedByOthers(7);
      network.slow = slow;
      const page = await openAtOnce();
      add(page, amount);
      const told = watching(page);
      await clock.pass(20_000);
      assert.deepEqual(told, ['undefined 0 loading', `undefined ${amount} loading`, 'undefined 0 loading', `${7 + amount} 0 live`]);
    });
  }
}

test('a total waits for an increment that is on its way for ten seconds; then the increment counts as not arrived', async () => {
  await countedByOthers(7);
  network.slow.arrival = 25_000;
  const page = await openAtOnce();
  const counted = add(page, 1);
  const told = watching(page);
  await clock.pass(9000);
  assert.deepEqual(told, ['undefined 0 loading', 'undefined 1 loading']);
  await clock.pass(4000);
  assert.deepEqual(told.slice(2), ['8 1 live']);
  await clock.pass(60_000);
  assert.equal(counted.outcome, 'counted');
  assert.deepEqual(told.slice(2), ['8 1 live', '8 0 live']);
});

test('the total comes as soon as the increment is answered, however rarely it is read', async () => {
  await countedByOthers(7);
  network.slow.answer = 3000;
  const page = await openAtOnce();
  add(page, 1);
  const told = watching(page, { intervalMs: 600_000 });
  await clock.pass(6000);
  assert.equal(told.at(-1), '8 0 live');
});

test('two watches of one counter: what one of them reads, both show', async () => {
  await countedByOthers(7);
  let readings = 0;
  /** @type {any} */
  const page = {};
  const fetch = async (/** @type {string} */ url, /** @type {any} */ init) => {
    if (url.includes(':runAggregationQuery') && (readings += 1) === 1) await clock.sleep(4000);
    return network.fetchOf(page.tab)(url, init);
  };
  Object.assign(page, await open({ fetch }));
  const first = watching(page);
  await clock.pass(10);
  const second = watching(page);
  await clock.pass(1000);
  assert.deepEqual([first, second], [['undefined 0 loading', '7 0 live'], ['undefined 0 loading', '7 0 live']]);
  await countedByOthers(1);
  assert.deepEqual([first.at(-1), second.at(-1)], ['8 0 live', '8 0 live']);
});

test('one increment up and one down under way at once: neither of them moves the total when it arrives', async () => {
  await countedByOthers(10);
  const page = await open();
  const told = watching(page);
  await clock.pass(5000);
  network.slow.answer = 4000;
  add(page, 5);
  await clock.pass(2000);
  add(page, -3);
  await clock.pass(20_000);
  assert.deepEqual(told, ['undefined 0 loading', '10 0 live', '15 5 live', '12 2 live', '12 -3 live', '12 0 live']);
});

test('a like that is taken back at once: a total that was read between the two is not shown later', async () => {
  const page = await open();
  const told = watching(page, { intervalMs: 100 });
  await clock.pass(5000);
  network.slow.answer = 400;
  clock.after(0, () => page.counter.add('ann').then(() => page.counter.remove('ann')), page.tab);
  await clock.pass(20_000);
  assert.deepEqual(told, ['undefined 0 loading', '0 0 live', '1 1 live', '1 0 live', '0 -1 live', '0 0 live']);
});

test('a total that may be old: a page that has counted reads for itself first', async () => {
  const [page, other] = [await open(), await open({ storage: 'memory' })];
  page.tab.run(() => page.counter.create());
  await clock.pass(1000);
  other.tab.run(() => other.counter.get({ maxAgeMs: 0 }));
  await clock.pass(1000);
  const told = watching(other, { maxAgeMs: 60_000 });
  add(page, 5);
  await clock.pass(5000);
  const own = watching(page, { maxAgeMs: 60_000 });
  await clock.pass(5000);
  assert.deepEqual([told, own], [['undefined 0 loading', '0 0 live'], ['undefined 0 loading', '5 0 live']]);
  await clock.pass(100_000);
  assert.deepEqual([told.at(-1), own.at(-1)], ['5 0 live', '5 0 live']);
});

for (const [what, arrival, expected, soon] of /** @type {[string, number, string, number]} */ ([
  ['are counted meanwhile', 0, '105 0 live', 4000],
  ['do not arrive', 10_000_000, '105 5 live', 13_000],
])) {
  test(`a total that may be old, and increments that an earlier page has left ${what}: the first reading is a new one`, async () => {
    const other = await open({ storage: 'memory' });
    other.tab.run(() => other.counter.create());
    await clock.pass(1000);
    add(other, 100);
    await clock.pass(5000);
    await leave(5);
    other.tab.run(() => other.counter.get({ maxAgeMs: 1000 }));
    await clock.pass(1500);
    network.slow.arrival = arrival;
    const page = await open({}, (storage) => {
      const { read } = storage;
      storage.read = () => clock.sleep(100).then(read);
    });
    const told = watching(page, { maxAgeMs: 60_000 });
    await clock.pass(soon);
    assert.equal(told.at(-1), expected);
    assert.deepEqual(told.filter((text) => text.endsWith('live')).filter((text) => !text.startsWith('105 ')), []);
  });
}

/** A page of which the first so many readings are refused. @param {number} refused */
async function openRefused(refused) {
  /** @type {any} */
  const page = { readings: 0 };
  const fetch = (/** @type {string} */ url, /** @type {any} */ init) => {
    if (url.includes(':runAggregationQuery') && (page.readings += 1) <= refused) {
      const body = JSON.stringify({ error: { code: 403, message: 'Missing or insufficient permissions.', status: 'PERMISSION_DENIED' } });
      return Promise.resolve({ status: 403, headers: { get: () => null }, arrayBuffer: async () => new TextEncoder().encode(body).buffer });
    }
    return network.fetchOf(page.tab)(url, init);
  };
  return Object.assign(page, await open({ fetch }));
}

test('readings that are refused come no more often than `intervalMs` says, also while the page counts', async () => {
  const page = await openRefused(Infinity);
  watching(page, { intervalMs: 10_000 });
  for (let i = 0; i < 200; i += 1) {
    add(page, 1);
    await clock.pass(150);
  }
  assert.ok(page.readings >= 2 && page.readings <= 4, `${page.readings} readings in 30 s`);
});

test('an error is told only while the last reading has failed', async () => {
  network.slow.arrival = 100_000;
  const page = await openRefused(1);
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 0 });
  add(page, 1);
  await clock.pass(300);
  /** @type {string[]} */
  const told = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ total) => told.push(`${total.state} ${'error' in total && total.error.code}`)));
  await clock.pass(20_000);
  assert.deepEqual(told.filter((text, i) => text !== told[i - 1]), ['loading false', 'error permission-denied', 'loading false', 'live false']);
});

test('a first total that is made while answers come late has nothing twice, and is not taken back', async () => {
  network.slow = { arrival: 1000, answer: 3000 };
  const page = await open();
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 200 });
  let asked = 0;
  /** @type {{value: number, asked: number}[]} */
  const seen = [];
  for (let i = 0; i < 300; i += 1) {
    if (i === 6) page.tab.run(() => page.counter.watch((/** @type {any} */ { value }) => value !== undefined && seen.push({ value, asked })));
    asked += 1;
    add(page, 1);
    await clock.pass(100);
  }
  await clock.pass(20_000);
  assert.equal(seen.at(-1)?.value, 300);
  assert.ok(seen.every(({ value, asked: most }) => value <= most), JSON.stringify(seen[0]));
  assert.ok(seen.every(({ value }, i) => value >= (seen[i - 1]?.value ?? 0)), seen.map(({ value }) => value).join());
});

test('nothing is shown for ten seconds at the most, however rarely the total is read', async () => {
  await countedByOthers(7);
  network.slow.arrival = 60_000;
  const page = await openAtOnce();
  add(page, 1);
  await clock.pass(300);
  const told = watching(page, { intervalMs: 30_000 });
  await clock.pass(9000);
  assert.equal(told.at(-1), 'undefined 1 loading');
  await clock.pass(1500);
  assert.equal(told.at(-1), '8 1 live');
});

test('the option `user` throws: the increment is refused with a typed error, and nothing shows it', async () => {
  let name = () => /** @type {string | null} */ ('ann');
  const page = await open({ user: () => name() });
  /** @type {any[]} */
  const seen = [];
  page.tab.run(() => page.counter.watch((/** @type {any} */ { value, pending }) => seen.push([value, pending])));
  const counted = add(page, 1);
  await clock.pass(5000);
  name = () => { throw new RangeError('a slip of the user’s'); };
  const refused = add(page, 5);
  await clock.pass(5000);
  assert.deepEqual([counted.outcome, refused.outcome], ['counted', 'unauthenticated']);
  assert.deepEqual([seen.at(-1), page.counter.pending, total()], [[1, 0], 0, 1]);
  name = () => /** @type {any} */ (7);
  const nobody = add(page, 5);
  await clock.pass(5000);
  assert.deepEqual([nobody.outcome, seen.at(-1)], ['unauthenticated', [1, 0]]);
});

for (const [what, slip] of /** @type {[string, () => any][]} */ ([
  ['throws', () => { throw new RangeError('a slip of the user’s'); }],
  ['returns no name', () => 7],
])) {
  test(`the option \`user\` ${what} while increments wait: they go on waiting, one warning tells why, and they are counted`, async () => {
    let name = () => 'ann';
    const page = await open({ user: () => name() });
    const result = add(page, 2);
    await clock.pass(500);
    name = slip;
    await clock.pass(10_000);
    assert.deepEqual([result.outcome, commits], ['', []]);
    assert.deepEqual(warnings.map(({ code }) => code), ['unauthenticated']);
    assert.ok(warnings[0] instanceof ShardlineError);
    name = () => 'ann';
    await clock.pass(120_000);
    assert.deepEqual([result.outcome, total()], ['counted', 2]);
  });
}

for (const [what, all] of /** @type {[string, any][]} */ ([
  ['an object', {}],
  ['null', null],
  ['a Map', new Map([['a', 'b']])],
])) {
  test(`read() of a storage resolves to ${what}: one warning, and memory instead`, async () => {
    const page = await open({}, (storage) => {
      storage.read = async () => all;
    });
    await clock.pass(1000);
    const results = [add(page, 2)];
    await clock.pass(100_000);
    results.push(add(page, 3));
    const ended = { flush: '', unreadable: '' };
    page.tab.run(() => {
      page.counter.flush().then(() => { ended.flush = 'done'; }, (/** @type {any} */ error) => { ended.flush = error; });
      page.db.unreadable().catch((/** @type {any} */ error) => { ended.unreadable = error; });
    });
    await clock.pass(20_000);
    assert.deepEqual(results.map(({ outcome }) => outcome), ['counted', 'counted']);
    assert.deepEqual(warnings.map(({ code }) => code), ['resource-exhausted']);
    assert.match(String(warnings[0].cause.cause), /read\(\)/);
    assert.equal(ended.flush, 'done');
    assert.equal(/** @type {any} */ (ended.unreadable).code, 'resource-exhausted');
    assert.equal(total(), 5);
    assert.equal(browser.disk.size, 0);
  });
}

test('the storage fails once an increment is stored, data are cleared, and another tab begins a record: all of it is counted', async () => {
  network.isDown = true;
  let fails = false;
  const page = await open({}, (storage) => {
    const { change } = storage;
    storage.change = async (/** @type {any[]} */ ...args) => {
      if (fails) throw new Error('The storage has failed.');
      return change(...args);
    };
  });
  const stored = add(page, 1);
  await clock.pass(200);
  fails = true;
  const inMemory = add(page, 2);
  await clock.pass(200);
  browser.clear();
  const other = add(await open(), 4);
  await clock.pass(200);
  fails = false;
  network.isDown = false;
  await clock.pass(60_000);
  assert.deepEqual([stored.outcome, inMemory.outcome, other.outcome, total()], ['counted', 'counted', 'counted', 7]);
  assert.deepEqual([page.counter.pending, browser.disk.size], [0, 0]);
});

/**
 * A page whose storage behaves as told: `fails` before it has done anything, `aborts` what it has begun, `lies` that it has not stored
 * what it has, or `hangs`.
 */
async function openFragile() {
  /** @type {any} */
  const page = { storage: 'works' };
  return Object.assign(page, await open({}, (storage) => {
    const kept = storage.change;
    storage.change = async (/** @type {string} */ id, /** @type {(row: any) => any} */ change, /** @type {any} */ options) => {
      if (page.storage === 'hangs') await new Promise(() => {});
      if (page.storage === 'aborts') change(browser.disk.get(id));
      if (page.storage === 'lies') await kept(id, change, options);
      if (page.storage !== 'works') throw new Error('The storage has failed.');
      return kept(id, change, options);
    };
  }));
}

/** How often each of these increments was counted, which are powers of 4. @param {number[]} amounts */
const times = (amounts) => amounts.map((amount) => Math.floor(total() / amount) % 4);

test('the storage lies that an increment was not stored, its page goes on in memory, and another tab sends what is stored: nothing is counted twice', async () => {
  const page = await openFragile();
  page.tab.run(() => { page.counter = page.db.counter('c/c', { shards: 3, flushMs: 20_000 }); });
  const first = add(page, 1);
  await clock.pass(60_000); // The record is removed, and the next one goes on with its ledger.
  assert.deepEqual([first.outcome, browser.disk.size], ['counted', 0]);
  page.storage = 'lies';
  const stored = add(page, 4);
  while (warnings.length === 0) await clock.pass(1);
  page.storage = 'aborts';
  await clock.pass(500); // It is left alone so long. Then both are prepared as one batch, in memory only.
  const inMemory = add(page, 16);
  await clock.pass(10);
  page.tab.freeze(false);
  const other = await open(); // It takes over.
  await clock.pass(5000);
  assert.deepEqual(times([1, 4, 16]), [1, 1, 0]);
  browser.kill(other.tab);
  page.storage = 'works';
  page.tab.thaw(clock);
  await clock.pass(120_000);
  assert.deepEqual(times([1, 4]), [1, 1]);
  assert.ok(stored.outcome === 'counted' || stored.outcome === 'outcome-unknown', stored.outcome);
  assert.equal(inMemory.outcome, times([16])[0] === 1 ? 'counted' : 'outcome-unknown');
  assert.deepEqual([page.counter.pending, browser.disk.size], [0, 0]);
});

test('data cleared again and again, and a tab that comes back puts back less than another one has seen: what is told as counted is counted', async () => {
  network.isDown = true;
  const [first, second] = [await open(), await open()];
  const results = [add(first, 1)];
  await clock.pass(2000);
  results.push(add(second, 4));
  await clock.pass(10);
  first.tab.tell('pagehide'); // From now on it hears nothing.
  first.tab.freeze(false);
  results.push(add(second, 16), add(second, 64));
  await clock.pass(100);
  browser.clear();
  await clock.pass(12_000);
  browser.clear();
  second.tab.freeze(false);
  first.tab.thaw(clock);
  await clock.pass(10);
  first.tab.tell('pageshow', { persisted: true });
  results.push(add(first, 256));
  await clock.pass(4000);
  network.isDown = false;
  await clock.pass(10_000);
  second.tab.thaw(clock);
  await clock.pass(120_000);
  const counted = times([1, 4, 16, 64, 256]);
  assert.ok(results.every(({ outcome }, i) => outcome === 'outcome-unknown' || (outcome === 'counted' && counted[i] === 1)),
    JSON.stringify({ results, counted }));
  assert.ok(counted.every((each) => each <= 1));
  assert.deepEqual([first.counter.pending, second.counter.pending, browser.disk.size], [0, 0, 0]);
});

test('data cleared while a page goes on in memory, and another tab begins a record: no promise waits for ever', async () => {
  network.isDown = true;
  const page = await openFragile();
  const results = [add(page, 1)];
  await clock.pass(200);
  page.storage = 'aborts';
  results.push(add(page, 4));
  await clock.pass(200);
  browser.clear();
  await clock.pass(5000);
  results.push(add(await open(), 16));
  await clock.pass(200);
  page.storage = 'works';
  await clock.pass(60_000);
  network.isDown = false;
  await clock.pass(120_000);
  assert.deepEqual(results.map(({ outcome }) => outcome), ['counted', 'counted', 'counted']);
  assert.deepEqual([times([1, 4, 16]), page.counter.pending, browser.disk.size], [[1, 1, 1], 0, 0]);
});

test('data cleared when a page no longer leads that has found what an earlier one has left: it does not show it as pending for ever', async () => {
  network.isDown = true;
  const earlier = await open();
  add(earlier, 5);
  await clock.pass(5000); // It has been sent several times: nothing of it changes any more.
  browser.kill(earlier.tab);
  const page = await open();
  await clock.pass(100);
  assert.equal(page.counter.pending, 5);
  page.tab.visibilityState = 'hidden';
  const other = await open();
  clock.after(0, () => other.counter.flush().catch(() => {}), other.tab);
  await clock.pass(3000);
  browser.clear();
  await clock.pass(30_000);
  assert.deepEqual([page.counter.pending, other.counter.pending], [0, 0]);
});

test('data of a user who has left are cleared: another tab that has only heard of them does not show them for ever', async () => {
  let here = /** @type {string | null} */ ('bob');
  const page = await open({ authToken: () => tokenOf(here) });
  const other = await open({ authToken: () => tokenOf('bob') });
  add(page, 1);
  await clock.pass(5000);
  here = null;
  add(page, 1);
  await clock.pass(30_000);
  network.isDown = true;
  add(other, 5);
  await clock.pass(100);
  assert.equal(page.counter.pending, 5);
  browser.kill(other.tab);
  browser.clear();
  await clock.pass(70_000);
  assert.equal(page.counter.pending, 0);
});

test('what earlier pages have left is looked for again when the storage cannot be read at first', async () => {
  await leave(5);
  let reads = 0;
  await open({}, (storage) => {
    const { read } = storage;
    storage.read = async () => {
      reads += 1;
      if (reads === 1) throw new Error('The storage has failed.');
      return read();
    };
  });
  await clock.pass(10_000);
  assert.deepEqual([total(), reads], [5, 2]);
});

test('data cleared while increments wait: they are stored again, and no promise is resolved for another one', async () => {
  network.isDown = true;
  const page = await open();
  const early = add(page, 5);
  await clock.pass(200);
  browser.clear();
  const late = add(page, 7);
  await clock.pass(200);
  assert.deepEqual([early.outcome, late.outcome], ['', '']);
  network.isDown = false;
  await clock.pass(20_000);
  assert.deepEqual([early.outcome, late.outcome, total()], ['counted', 'counted', 12]);
});

test('a leader that hangs is taken over from', async () => {
  const leader = await open();
  const follower = await open();
  leader.tab.freeze(false);
  const result = add(follower, 2);
  await clock.pass(6000);
  assert.equal(result.outcome, 'counted');
  assert.equal(total(), 2);
  leader.tab.thaw(clock);
  await clock.pass(5000);
  assert.equal(total(), 2);
});

test('a page that is closed sends what is ready, without waiting for its storage', async () => {
  const page = await open();
  add(page, 6);
  await clock.pass(100);
  browser.storageFaults.hang = 1;
  page.tab.tell('pagehide');
  browser.kill(page.tab);
  await clock.pass(1000);
  assert.equal(total(), 6);
  browser.storageFaults.hang = 0;
  await open();
  await clock.pass(20_000);
  assert.equal(total(), 6);
});

for (const [what, openOne] of /** @type {[string, () => Promise<any>][]} */ ([
  ['what earlier pages have left is read slowly', () => open({}, (storage) => {
    const { read } = storage;
    storage.read = () => clock.sleep(1000).then(read);
  })],
  ['the network comes back', async () => {
    const page = await open();
    clock.after(100, () => page.tab.tell('online'), null);
    return page;
  }],
  ['another tab sends', async () => {
    await open();
    await clock.pass(1000);
    return open();
  }],
])) {
  test(`increments wait their flushMs, though ${what}`, async () => {
    const page = await openOne();
    page.tab.run(() => { page.counter = page.db.counter('c/c', { shards: 3, flushMs: 60_000 }); });
    const result = add(page, 2);
    await clock.pass(59_000);
    assert.deepEqual(commits, []);
    await clock.pass(2000);
    assert.equal(result.outcome, 'counted');
  });
}

test('settled records go; eight deliveries at the most go side by side; counters that are only named read nothing', async () => {
  let reads = 0;
  const page = await open({}, (storage) => {
    const { change } = storage;
    storage.change = (/** @type {any[]} */ ...args) => {
      reads += 1;
      return change(...args);
    };
  });
  page.tab.run(() => page.db.counters(Array.from({ length: 500 }, (_, i) => `c/n${i}`), { shards: 3 }));
  await clock.pass(100);
  assert.equal(reads, 0);
  const paths = Array.from({ length: 40 }, (_, i) => `c/p${i}`);
  page.tab.run(() => {
    for (const path of paths) void page.db.counter(path, { shards: 3, flushMs: 0 }).increment(1);
  });
  const before = network.requests;
  await clock.pass(4);
  assert.ok(network.requests - before <= 8, `${network.requests - before}`);
  await clock.pass(30_000);
  assert.equal(commits.length, 40);
  assert.equal(browser.disk.size, 0);
});

test('what was kept in memory and is settled goes, though its user has left when it can be stored', async () => {
  user = 'ann';
  const page = await open({ authToken: () => tokenOf(user) });
  browser.storageFaults.fail = 1;
  const late = add(page, 3);
  await clock.pass(15_000);
  assert.equal(late.outcome, 'counted');
  user = null;
  add(page, 1);
  await clock.pass(100);
  browser.storageFaults.fail = 0;
  await clock.pass(120_000);
  assert.equal(total(), 4);
  assert.deepEqual([...browser.disk.keys()], []);
});

for (const [what, change] of /** @type {[string, (storage: any) => void][]} */ ([
  ['keeps nothing', (storage) => {
    storage.read = async () => [];
    storage.change = async (/** @type {string} */ _id, /** @type {(row: any) => any} */ change) => void change(undefined);
  }],
  ['gives the same rubbish again and again', (storage) => {
    storage.read = async () => ['rubbish', null, { id: 5 }];
    storage.change = async (/** @type {string} */ _id, /** @type {(row: any) => any} */ change) => void change('rubbish');
  }],
  ['refuses everything', (storage) => {
    storage.read = async () => { throw new Error('No.'); };
    storage.change = storage.read;
  }],
  ['hangs', (storage) => {
    storage.read = () => new Promise(() => {});
    storage.change = storage.read;
  }],
])) {
  test(`a storage that ${what}: few warnings, and memory instead`, async () => {
    const page = await open({}, change);
    const results = [add(page, 2), add(page, 3)];
    await clock.pass(1500);
    results.push(add(page, 4));
    let like = '';
    clock.after(0, () => page.counter.add('ann').then(() => { like = 'counted'; }), page.tab);
    await clock.pass(30_000);
    assert.deepEqual(results.map(({ outcome }) => outcome), ['counted', 'counted', 'counted']);
    assert.deepEqual([like, total(), page.counter.pending], ['counted', 10, 0]);
    const codes = warnings.map(({ code }) => code);
    assert.ok(codes.length >= 1 && codes.length === new Set(warnings.map(({ message }) => message)).size && codes.length <= 2, codes.join());
    assert.ok(codes.every((code) => code === 'resource-exhausted' || code === 'data-loss'), codes.join());
  });
}

for (const [what, spoil] of /** @type {[string, (row: any) => any][]} */ ([
  ['a kind of its own', (row) => ({ ...row, kind: 'song' })],
  ['an amount that is none', (row) => ({ ...row, delta: { integerValue: 'soon' } })],
  ['a lone surrogate', (row) => ({ ...row, place: '\ud800' })],
])) {
  test(`a row with ${what} stays where it is, can be had, and the next increment counts`, async () => {
    await leave(3);
    for (const [id, row] of browser.disk) browser.disk.set(id, spoil(row));
    warnings = [];
    const page = await open();
    const result = add(page, 2);
    await clock.pass(20_000);
    assert.equal(result.outcome, 'counted');
    assert.deepEqual(warnings.map(({ code }) => code), ['data-loss']);
    let kept = [];
    page.tab.run(async () => { kept = await page.db.unreadable(); });
    await clock.pass(100);
    assert.equal(kept.length, 1);
  });
}

test('a database that is closed while it reads what is stored leaves it where it is', async () => {
  network.isDown = true;
  const first = await open();
  add(first, 3);
  await clock.pass(100);
  let reads = 0;
  const page = await open({}, (storage) => {
    const { read } = storage;
    storage.read = async () => {
      reads += 1;
      if (reads > 1) return clock.sleep(3000).then(read);
      await clock.sleep(1000);
      throw new Error('The storage has failed.');
    };
  });
  page.tab.run(() => page.db.close());
  await clock.pass(500);
  browser.kill(first.tab); // The other page leads now, and reads once more.
  await clock.pass(20_000);
  assert.equal(reads, 2);
  assert.equal(browser.disk.size, 1);
});

test('waits end with their signal, and close() ends though the storage hangs', async () => {
  const page = await open();
  browser.storageFaults.hang = 1;
  add(page, 1);
  await clock.pass(0);
  const controller = new AbortController();
  const codes = /** @type {string[]} */ ([]);
  const note = (/** @type {any} */ error) => codes.push(error.code);
  page.tab.run(() => {
    page.counter.flush({ signal: AbortSignal.abort() }).catch(note);
    page.counter.flush({ signal: controller.signal }).catch(note);
  });
  await clock.pass(10);
  controller.abort();
  await clock.pass(10);
  assert.deepEqual(codes, ['cancelled', 'cancelled']);
  let isClosed = false;
  page.tab.run(() => page.db.close().then(() => { isClosed = true; }));
  await clock.pass(20_000);
  assert.ok(isClosed);
});

test('what is being stored when the database is closed is not said to be cancelled: the next page may send it', async () => {
  const page = await open({}, (storage) => {
    // One after the other, and each takes its time to say that it is done.
    let last = Promise.resolve();
    storage.change = (/** @type {string} */ id, /** @type {(row: any) => any} */ change) => {
      const update = last.then(async () => {
        const row = change(browser.disk.get(id));
        await clock.sleep(4000);
        if (row !== undefined) browser.disk.set(id, row);
      });
      last = update.catch(() => {});
      return page.tab.guard(update);
    };
  });
  network.isDown = true;
  /** @type {{path: string, code: string}[]} */
  const ends = [];
  page.tab.run(() => {
    for (const path of ['c/a', 'c/b', 'c/d']) {
      page.db.counter(path, { shards: 3 }).increment(1).catch((/** @type {any} */ { code }) => ends.push({ path, code }));
    }
    void page.db.close();
  });
  await clock.pass(30_000);
  assert.deepEqual(ends.map(({ path, code }) => [path, code]).sort(), [['c/a', 'cancelled'], ['c/b', 'outcome-unknown'], ['c/d', 'outcome-unknown']]);
  assert.deepEqual([...browser.disk.values()].map(({ counter }) => counter.path), ['c/a', 'c/b', 'c/d']);
});

for (const days of [-90, 90]) {
  test(`a device’s clock is ${days} days ahead, and the network is away: the increment waits, and is counted`, async () => {
    network.isDown = true;
    const page = await open();
    page.tab.clockError = days * DAY_MS;
    const result = add(page, 5);
    await clock.pass(10_000);
    network.isDown = false;
    await clock.pass(130_000);
    assert.deepEqual([result.outcome, total()], ['counted', 5]);
  });
}

/**
 * In how many days the ledger of an increment expires, on a device whose clock is 90 days behind.
 * @param {string | null} date What the first answer says that it is.
 * @param {boolean} [isBarred] Whether that answer is a proxy's.
 */
async function daysToExpiry(date, isBarred = false) {
  const page = await open();
  page.tab.clockError = -90 * DAY_MS;
  network.date = () => date;
  network.isBarred = isBarred;
  page.tab.run(() => void page.counter.get().catch(() => {}));
  await clock.pass(90);
  network.isBarred = false;
  network.date = () => null;
  add(page, 1);
  await clock.pass(20_000);
  const [, until] = /"expireAt":\{"timestampValue":"([^"]+)"/.exec(bodies.join()) ?? [];
  return (Date.parse(until ?? '') - clock.now) / DAY_MS;
}

test('the server’s clock is believed, not the device’s', async () => {
  const days = await daysToExpiry(new Date(clock.now).toUTCString());
  assert.ok(days > 29 && days < 61, `${days}`);
});

for (const [what, date, isBarred] of /** @type {[string, string, boolean][]} */ ([
  ['of an answer that is not Firestore’s', 'Fri, 01 Jan 2027 00:00:00 GMT', true],
  ['in the year 1970', 'Thu, 01 Jan 1970 00:00:01 GMT', false],
  ['in the year 9999', 'Fri, 31 Dec 9999 00:00:00 GMT', false],
  ['that is none', 'soon', false],
])) {
  test(`a clock ${what} is not believed`, async () => {
    const days = await daysToExpiry(date, isBarred);
    assert.ok(days > 29 - 90 && days < 61 - 90, `${days}`);
  });
}

test('the module crashes at any moment: what was asked for is counted once, other databases go on, and close() ends well', async () => {
  let expected = 0;
  const others = await open();
  for (let calls = 0; calls <= 60; calls += 1) {
    const page = await open({ projectId: 'demo' });
    fragile.crashAfter(calls);
    const result = add(page, 1);
    expected += 1;
    await clock.pass(calls);
    const other = add(others, 1);
    expected += 1;
    await clock.pass(20_000);
    assert.deepEqual([result.outcome, other.outcome], ['counted', 'counted'], `after ${calls} calls`);
    let isClosed = false;
    fragile.crashAfter(calls % 5);
    page.tab.run(() => page.db.close().then(() => { isClosed = true; }));
    await clock.pass(20_000);
    assert.ok(isClosed);
  }
  assert.ok(fragile.crashes > 60);
  assert.equal(total(), expected);
});

test('what was under way when the module crashed ends with a typed error, and the next call works', async () => {
  const page = await open();
  const codes = new Set();
  for (const call of ['get', 'create']) {
    for (let calls = 0; calls < 40; calls += 1) {
      const ended = { code: '' };
      const counter = page.db.counter(`c/n${calls}`, { shards: 3 });
      fragile.crashAfter(calls);
      page.tab.run(() => counter[call]().then(() => { ended.code = 'done'; }, (/** @type {any} */ error) => {
        assert.ok(error instanceof ShardlineError);
        ended.code = error.code;
      }));
      await clock.pass(60_000);
      assert.notEqual(ended.code, '');
      codes.add(`${call} ${ended.code}`);
    }
  }
  assert.deepEqual([...codes].sort(), ['create done', 'create internal', 'create outcome-unknown', 'get done', 'get internal']);
});

test('to connect and to close sends what earlier pages have left', async () => {
  await leave(5);
  const page = await open();
  let isClosed = false;
  page.tab.run(() => page.db.close().then(() => { isClosed = true; }));
  await clock.pass(4000);
  assert.ok(isClosed);
  assert.equal(total(), 5);
  assert.equal(browser.disk.size, 0);
});

test('a database that is closed says so to a watch, reads nothing any more, and sets no timer', async () => {
  const page = await open();
  let errors = 0;
  /** @type {import('../../../web/library/watch.js').LiveTotal[]} */
  let told = [];
  const watch = () => page.counter.watch((total) => { told.push(total); }, { onError: () => { errors += 1; } });
  page.tab.run(watch);
  await clock.pass(5000);
  assert.ok(told.length > 0);
  told = [];
  page.tab.run(() => void page.db.close());
  await clock.pass(10_000);
  assert.deepEqual(told, []);
  page.tab.run(watch);
  const { requests } = network;
  await clock.pass(600_000);
  assert.deepEqual(told.map(({ state, error }) => [state, error?.reason]), [['error', 'closed']]);
  assert.deepEqual([errors, network.requests - requests, clock.timers], [0, 0, 0]);
});

test('requests that outlive their page are of 64 KiB at the most, of all databases together; retries are like any others', async () => {
  /** @type {{bytes: number, keepalive: boolean, path: string}[]} */
  const sent = [];
  let underWay = 0;
  let most = 0;
  let isLeaving = false;
  const tab = new Tab();
  const send = network.fetchOf(tab);
  const fetch = async (/** @type {string} */ url, /** @type {any} */ init) => {
    const { keepalive = false, headers, body } = init;
    const bytes = url.length + JSON.stringify(headers).length + body.length;
    sent.push({ bytes, keepalive, path: url });
    if (!keepalive) return send(url, init);
    underWay += bytes;
    most = Math.max(most, underWay);
    await clock.sleep(1000);
    underWay -= bytes;
    if (isLeaving) throw new TypeError('Failed to fetch');
    return send(url, init);
  };
  const pages = [await open({ fetch, projectId: 'one', storage: 'memory' }), await open({ fetch, projectId: 'two', storage: 'memory' })];
  for (const page of pages) {
    page.tab.run(() => {
      for (let i = 0; i < 40; i += 1) void page.db.counter(`c/${'x'.repeat(1000)}${i}`, { shards: 3, flushMs: 60_000 }).increment(1);
    });
  }
  await clock.pass(1000);
  isLeaving = true;
  sent.length = 0;
  for (const page of pages) page.tab.tell('pagehide');
  await clock.pass(500);
  const [kept, others] = [sent.filter(({ keepalive }) => keepalive), sent.filter(({ keepalive }) => !keepalive)];
  assert.equal(sent.length, 80);
  assert.ok(others.length > 0);
  assert.ok(most > 32 * 1024 && most <= 64 * 1024, `${most}`);
  assert.ok(kept.some(({ path }) => path.includes('/one/')));
  sent.length = 0;
  await clock.pass(10_000);
  assert.ok(sent.length >= kept.length);
  assert.ok(sent.every(({ keepalive }) => !keepalive));
});
