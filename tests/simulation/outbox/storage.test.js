// A storage that hangs, fails, lies or forgets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PatientStorage } from '../../../web/library/storage/storage.js';
import { add, browser, clock, leave, network, open, times, total, warnings } from './scene.js';

/**
 * Answers one change after the other.
 * @param {(id: string) => number} delay Milliseconds; Infinity: it never does.
 * @param {boolean} [isSerial] Whether the next change waits for the one before.
 */
function openStorage(delay, isSerial = true) {
  let last = Promise.resolve();
  let resets = 0;
  const answer = (/** @type {string} */ id) => (delay(id) < Infinity ? clock.sleep(delay(id)) : new Promise(() => {}));
  const storage = new PatientStorage({
    change(id, change) {
      const step = (isSerial ? last : Promise.resolve()).then(() => answer(id)).then(() => void change(undefined));
      last = step;
      return step;
    },
    read: async () => [],
    reset: () => { resets += 1; },
  });
  /** @param {string} id How and when its change ends. */
  const change = async (id) => {
    const [how] = await Promise.allSettled([storage.change(id, (row) => row, { durable: false })]);
    return `${how.status} after ${performance.now()}`;
  };
  return { storage, change, resets: () => resets };
}

test('a storage that has much to do is waited for as long as it answers', async () => {
  const { change } = openStorage(() => 100);
  const changes = Promise.all(Array.from({ length: 2000 }, (_, i) => change(`${i}`)));
  await clock.pass(300_000);
  assert.equal((await changes).at(-1), 'fulfilled after 200000');
});

test('what was asked later does not prolong the wait for an answer that never comes', async () => {
  const { change } = openStorage((id) => (id === 'lost' ? Infinity : Number(id)), false);
  const outcomes = Promise.all([change('3000'), change('lost'), change('4000'), change('6000')]);
  await clock.pass(20_000);
  assert.deepEqual(await outcomes, ['fulfilled after 3000', 'rejected after 8000', 'fulfilled after 4000', 'fulfilled after 6000']);
});

test('many changes that are given up together are one failure', async () => {
  const { storage, change, resets } = openStorage(() => Infinity);
  const outcomes = Promise.all(Array.from({ length: 20 }, () => change('lost')));
  await clock.pass(5000);
  assert.deepEqual(new Set(await outcomes), new Set(['rejected after 5000']));
  assert.equal(storage.pauseMs, 500);
  assert.equal(resets(), 1);
});

for (const [what, change, reasons] of /** @type {[string, (storage: any) => void, string[]][]} */ ([
  ['keeps nothing', (storage) => {
    storage.read = async () => [];
    storage.change = async (/** @type {string} */ _id, /** @type {(row: any) => any} */ change) => void change(undefined);
  }, ['storage-not-writable']],
  ['gives the same rubbish again and again', (storage) => {
    storage.read = async () => ['rubbish', null, { id: 5 }];
    storage.change = async (/** @type {string} */ _id, /** @type {(row: any) => any} */ change) => void change('rubbish');
  }, ['storage-altered']],
  ['gives no array of rows', (storage) => {
    storage.read = async () => new Map([['a', 'b']]);
  }, ['storage-not-writable']],
  ['refuses everything', (storage) => {
    storage.read = async () => { throw new Error('No.'); };
    storage.change = storage.read;
  }, ['storage-not-writable']],
  ['hangs', (storage) => {
    storage.read = () => new Promise(() => {});
    storage.change = storage.read;
  }, ['storage-not-writable']],
])) {
  test(`a storage that ${what}: one warning, and memory instead`, async () => {
    const page = await open({}, change);
    const results = [add(page, 2), add(page, 3)];
    await clock.pass(1500);
    results.push(add(page, 4));
    const ended = { like: '', flush: '' };
    clock.after(0, () => page.set.add('ann').then(() => { ended.like = 'counted'; }), page.tab);
    await clock.pass(30_000);
    page.tab.run(() => page.counter.flush().then(() => { ended.flush = 'done'; }));
    await clock.pass(70_000);
    assert.deepEqual(results.map(({ outcome }) => outcome), ['counted', 'counted', 'counted']);
    assert.deepEqual([ended, total(), page.counter.pending], [{ like: 'counted', flush: 'done' }, 10, 0]);
    assert.deepEqual(warnings.map(({ reason }) => reason), reasons);
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
    const page = await open();
    const result = add(page, 2);
    await clock.pass(20_000);
    assert.equal(result.outcome, 'counted');
    assert.deepEqual(warnings.map(({ code }) => code), ['data-loss']);
    let kept = [];
    page.tab.run(async () => { kept = await page.db.unreadableIncrements(); });
    await clock.pass(100);
    assert.equal(kept.length, 1);
  });
}

/** A new page, in which storing `fails` before it has begun, `lies` that it has failed, or `works`, as `storing` says. */
async function openFragile(options = {}) {
  /** @type {any} */
  const page = { storing: 'works' };
  return Object.assign(page, await open(options, (storage) => {
    const kept = storage.change;
    storage.change = async (/** @type {any[]} */ ...args) => {
      if (page.storing === 'lies') await kept(...args);
      if (page.storing !== 'works') throw new Error('The storage has failed.');
      return kept(...args);
    };
  }, { isBare: true }));
}

test('the storage fails, data are cleared, and another page asks as well: all of it is counted', async () => {
  network.isDown = true;
  const page = await openFragile();
  const stored = add(page, 1);
  await clock.pass(200);
  page.storing = 'fails';
  const inMemory = add(page, 4);
  await clock.pass(200);
  browser.clear();
  const other = add(await open(), 16);
  await clock.pass(200);
  page.storing = 'works';
  network.isDown = false;
  await clock.pass(60_000);
  assert.deepEqual([stored.outcome, inMemory.outcome, other.outcome], ['counted', 'counted', 'counted']);
  assert.deepEqual([times([1, 4, 16]), page.counter.pending, browser.disk.size], [[1, 1, 1], 0, 0]);
});

test('the storage lies that it has not stored a row, and another page sends that row: nothing is counted twice, or told wrongly', async () => {
  network.isDown = true;
  const page = await openFragile();
  add(page, 1);
  await clock.pass(200);
  page.storing = 'lies';
  const stored = add(page, 4);
  await clock.pass(200);
  page.storing = 'fails';
  const inMemory = add(page, 16);
  await clock.pass(10);
  page.tab.freeze(false);
  network.isDown = false;
  await open({}, () => {}, { isBare: true }); // It takes the rows that it finds, and the first one hears nothing.
  await clock.pass(30_000);
  assert.deepEqual(times([1, 4, 16]), [1, 1, 0]);
  page.storing = 'works';
  page.tab.thaw(clock);
  await clock.pass(120_000);
  assert.deepEqual([stored.outcome, inMemory.outcome, times([1, 4, 16])], ['counted', 'counted', [1, 1, 1]]);
  assert.deepEqual([page.counter.pending, browser.disk.size], [0, 0]);
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

test('a database that is closed while it takes over what is stored leaves it to the next page', async () => {
  await leave(3);
  const page = await open({}, (storage) => {
    const { read, change } = storage;
    storage.read = () => clock.sleep(4000).then(read);
    storage.change = (/** @type {any[]} */ ...args) => clock.sleep(4000).then(() => change(...args));
  });
  page.tab.run(() => page.db.close());
  await clock.pass(20_000);
  assert.deepEqual([total(), browser.disk.size], [0, 1]);
  await open();
  await clock.pass(10_000);
  assert.deepEqual([total(), browser.disk.size], [3, 0]);
});

test('rules refuse, and the storage removes the row, and reports that it has not: a database that is closed then does not say that it is stored', async () => {
  network.needsUser = true;
  const page = await openFragile({ authToken: async () => null });
  const result = add(page, 2);
  await clock.pass(3);
  page.storing = 'lies';
  await clock.pass(1000);
  page.storing = 'works';
  page.tab.run(() => void page.db.close());
  await clock.pass(20_000);
  assert.deepEqual([result.outcome, browser.disk.size, total()], ['outcome-unknown', 0, 0]);
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
