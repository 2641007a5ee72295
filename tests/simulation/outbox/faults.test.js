// The faults of a page's ordinary life, one at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShardlineError } from '../../../web/library/errors.js';
import { Tab } from './browser.js';
import { add, bodies, browser, clock, commits, DAY_MS, documents, fragile, leave, network, open, total, warnings } from './scene.js';

test('a refusal that nobody waits for is told with path, amount and reason', async () => {
  await leave(4);
  network.needsUser = true;
  await open();
  await clock.pass(10_000);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].message, /c\/c by 4 may or may not have been counted: .*permissions/);
});

test('a page that is hidden again and again while the server fails does not send all that it has stored each time', async () => {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return new Response('{"error":{"code":503,"status":"UNAVAILABLE","message":"later"}}', { status: 503 });
  };
  const page = await open({ fetch });
  page.counter = page.db.counter('c/c', { shards: 3, flushMs: 0 });
  for (let i = 0; i < 30; i += 1) {
    add(page, 1);
    await clock.pass(3000);
  }
  assert.equal(page.counter.pending, 30);
  const before = sent;
  for (let i = 0; i < 5; i += 1) {
    page.tab.visibilityState = 'hidden';
    page.tab.tell('visibilitychange');
    await clock.pass(10);
    page.tab.visibilityState = 'visible';
    page.tab.tell('visibilitychange');
    await clock.pass(10);
  }
  assert.ok(sent - before <= 10, `${sent - before} requests`);
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

test('a page that hangs, and holds its lock: another one sends what it has stored, and nothing is counted twice when it goes on', async () => {
  network.isDown = true;
  const page = await open();
  const result = add(page, 2);
  await clock.pass(100);
  page.tab.freeze(false);
  network.isDown = false;
  const other = await open();
  await clock.pass(9000);
  assert.deepEqual([total(), other.counter.pending], [0, 2]);
  await clock.pass(15_000);
  assert.deepEqual([total(), other.counter.pending], [2, 0]);
  page.tab.thaw(clock);
  await clock.pass(5000);
  assert.deepEqual([result.outcome, page.counter.pending, total()], ['counted', 0, 2]);
});

test('a page goes while another one is there: that one sends its rows within a second', async () => {
  network.isDown = true;
  const page = await open();
  const other = await open();
  await clock.pass(100);
  add(page, 2);
  await clock.pass(100);
  assert.equal(other.counter.pending, 2);
  network.isDown = false;
  browser.kill(page.tab);
  await clock.pass(1000);
  assert.deepEqual([total(), other.counter.pending], [2, 0]);
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

test('the first increment after a pause goes at once, what follows gathers for flushMs, and neither an event nor another page hurries it', async () => {
  await open();
  const page = await open({}, (storage) => {
    const { read } = storage;
    storage.read = () => clock.sleep(1000).then(read);
  });
  page.tab.run(() => { page.counter = page.db.counter('c/c', { shards: 3, flushMs: 60_000 }); });
  const first = add(page, 1);
  await clock.pass(100);
  assert.equal(first.outcome, 'counted');
  const others = [add(page, 2), add(page, 4)];
  await clock.pass(5000);
  page.tab.tell('online');
  await clock.pass(54_000);
  assert.equal(total(), 1);
  await clock.pass(2000);
  assert.deepEqual(others.map(({ outcome }) => outcome), ['counted', 'counted']);
  assert.deepEqual(commits.map(({ delta }) => delta), [1, 6]);
  await clock.pass(60_000);
  const late = add(page, 8);
  await clock.pass(100);
  assert.equal(late.outcome, 'counted');
});

test('settled rows go; eight deliveries at the most go side by side; counters that are only named read nothing', async () => {
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

for (const years of [-3, 3]) {
  test(`a device’s clock is ${years} years ahead, and the network is away: the increment waits, is counted, and its marker expires in time`, async () => {
    network.isDown = true;
    const page = await open();
    page.tab.clockError = years * 365 * DAY_MS;
    const result = add(page, 5);
    await clock.pass(10_000);
    network.isDown = false;
    await clock.pass(130_000);
    assert.deepEqual([result.outcome, total()], ['counted', 5]);
    const [{ fields }] = documents('shardline_markers');
    const days = (Date.parse(fields.expireAt.timestampValue) - clock.now) / DAY_MS;
    assert.ok(days > 29 && days < 61, `${days}`);
  });
}

/**
 * In how many days the marker of an increment expires, as it is sent first, on a device whose clock is 90 days behind.
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

test('a page hangs while it closes its database, and another page takes its row: the increment goes on, and nobody calls it unknown', async () => {
  network.slow.arrival = 60_000;
  const page = await open();
  const result = add(page, 3);
  await clock.pass(100);
  page.tab.freeze(true);
  page.tab.run(() => void page.db.close());
  page.tab.tell('pageshow', { persisted: true });
  await open();
  await clock.pass(20_000);
  page.tab.thaw(clock);
  await clock.pass(20_000);
  assert.deepEqual([result.outcome, browser.disk.size], ['cancelled', 1]);
  network.heal();
  await clock.pass(200_000);
  assert.deepEqual([total(), browser.disk.size], [3, 0]);
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
  // The first of each counter goes at once.
  for (const wait of [10_000, 1000]) {
    for (const page of pages) {
      page.tab.run(() => {
        for (let i = 0; i < 40; i += 1) void page.db.counter(`c/${'x'.repeat(1000)}${i}`, { shards: 3, flushMs: 60_000 }).increment(1);
      });
    }
    await clock.pass(wait);
  }
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
