/** The code of the steps runs as the code field runs it, but on this thread: the challenges are reached by other code than the first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Timestamp } from '../../web/library/index.js';
import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { checkOf, lineWithin, MOST_LINES, onWire, programOf } from '../../web/tutorial/model/code_program.js';
import { idsIn, namesFor, openTrial, perform } from '../../web/tutorial/model/code_run.js';
import { readableLine } from '../../web/tutorial/model/readable.js';
import { openEnglish } from './support/english.js';
import { format } from './support/messages.js';

/** @typedef {import('../../web/tutorial/chapters/chapter.js').Step<any>} Step */
/** @typedef {import('../../web/tutorial/chapters/chapter.js').Knobs} Knobs */

const messages = await openEnglish();

const steps = (await Promise.all(CHAPTERS.map(({ load }) => load())))
  .flatMap(({ id, steps: all }) => all.map((step) => ({ name: `${id}/${step.id}`, step })))
  .filter(({ step }) => step.trial);

/** @param {string} name @returns {Step} */
function stepOf(name) {
  const found = steps.find((each) => each.name === name);
  if (!found) throw new Error(`There is no trial in ${name}.`);
  return found.step;
}

const AsyncFunction = /** @type {any} */ (async () => {}).constructor;

/**
 * @param {Step} step
 * @param {{knobs?: Knobs, code?: (given: string) => string}} [options]
 */
async function run(step, { knobs: turned = {}, code = (given) => given } = {}) {
  const knobs = { ...Object.fromEntries(Object.entries(step.knobs ?? {}).map(([name, knob]) => [name, knob.default])), ...turned };
  const documents = step.trial?.documents?.(knobs) ?? [];
  /** @type {string[]} */
  const lines = [];
  let cuts = 0;
  let bill = { requests: 0, reads: 0, writes: 0, deletes: 0 };
  const trial = await openTrial((latest) => { bill = latest; });
  const names = namesFor(trial, { onLine: (kind, line) => lines.push(`${kind} ${line}`), onCut: () => { cuts += 1; } });
  await trial.fill(onWire(documents));
  const text = code(String((step.trial?.code ?? step.code)?.(knobs, null)));
  const { console, Timestamp: Time, db, firestore } = names;
  const end = await perform(() => new AsyncFunction('console', 'Timestamp', 'db', 'firestore', text)(console, Time, db, firestore));
  await trial.tellBill();
  await trial.close();
  return { end, lines, cuts, bill, judged: 'returned' in end ? { returned: end.returned, bill, knobs, documents } : undefined };
}

test('each chapter that plays runs has code to change', () => {
  const without = CHAPTERS.map(({ id }) => id).filter((id) => !steps.some(({ name }) => name.startsWith(`${id}/`)));
  assert.deepEqual(without, ['your-indexes', 'your-app'], 'they are tools for the reader’s own files');
});

describe('the code of a step runs as it is', () => {
  for (const { name, step } of steps) {
    test(name, async () => {
      const { end, bill } = await run(step);
      assert.ok('returned' in end, JSON.stringify(end));
      assert.ok(bill.requests > 0 && bill.reads + bill.writes > 0);
    });
  }

  test('and says what it has done', async () => {
    assert.deepEqual((await run(stepOf('distributed-counter/turn-up'))).lines, ['log 1']);
    assert.match((await run(stepOf('ids/three-ways'))).lines.join(), /^log \d+$/);
    const wait = async (/** @type {number} */ shards) => {
      const { lines } = await run(stepOf('one-document/many-writers'), { code: (given) => given.replace('shards: 1', `shards: ${shards}`) });
      return Number(/^log 6 (\d+) ms$/.exec(lines.join())?.[1]);
    };
    assert.ok(await wait(1) > await wait(100), 'one document is slower than a hundred');
    const { lines: [likes, views], bill } = await run(stepOf('lost-answer/again'));
    assert.equal(likes, 'log likes 1');
    assert.match(views ?? '', /^log views [2-9]$/);
    assert.ok(bill.writes >= 4, `${bill.writes} writes: the server bills those whose answers got lost, too`);
    const live = (await run(stepOf('live/ask-or-listen'))).lines;
    assert.deepEqual([...new Set(live)], ['log loading undefined', 'log live 0', 'log live 1', 'log live 2', 'log live 3'].filter((line) => live.includes(line)));
    assert.equal(live.at(-1), 'log live 3');
    assert.match((await run(stepOf('hot-range/tablets'), { knobs: { index: 'shard', shards: 3 } })).lines.join(), /shard: '[0-2]'/);
    const { lines: [line = ''] } = await run(stepOf('sharded-query/merge'));
    assert.match(line, /^log \[\n {2}instruments\/i\d+ \{\n {4}exchange: 'EXCHG\d',\n/);
    assert.match(line, / timestamp: Timestamp\(2025-12-31T23:\d\d:\d\d\.\d{6}Z\)\n/);
    assert.equal(line.match(/instruments\/i/g)?.length, 10);
  });
});

describe('code solves a challenge', () => {
  const judge = async (/** @type {string} */ name, /** @type {Parameters<typeof run>[1]} */ options) => {
    const step = stepOf(name);
    const { judged, end } = await run(step, options);
    assert.ok(judged, JSON.stringify(end));
    const verdict = step.challenge?.judgeCode?.(judged);
    assert.ok(verdict);
    return { ...verdict, said: format(messages[`chapter.${name.replace('/', '.')}.code`] ?? '', 'en', verdict.figures) };
  };

  test('a page of 50 for at most 60 reads', async () => {
    const name = 'sharded-query/challenge';
    const first = await judge(name, {});
    assert.equal(first.isReached, false);
    assert.match(first.said, /^The code returned 50 documents of the newest 50\. The cost is \d+ reads, and the limit is 60\.$/);
    const good = await judge(name, { knobs: { 'shard-values': 30 } });
    assert.deepEqual([good.isReached, good.score, good.figures.reads], [true, 30, 50]);
    const wrongs = [
      (/** @type {string} */ code) => code.replace('limit(50)', 'limit(40)'),
      (/** @type {string} */ code) => code.replace('shards: 30', 'shards: 10'),
      (/** @type {string} */ code) => code.replace('return page;', 'return page.docs.reverse();'),
      (/** @type {string} */ code) => code.replace('return page;', ''),
    ];
    for (const code of wrongs) {
      const { isReached, said } = await judge(name, { knobs: { 'shard-values': 30 }, code });
      assert.equal(isReached, false, `${code}: ${said}`);
    }
  });

  test('1,000 ids without a double', async () => {
    const name = 'ids/challenge';
    assert.equal((await judge(name, {})).isReached, false);
    const many = (/** @type {string} */ how) => (/** @type {string} */ code) => code.replace('return [id];', how);
    const good = await judge(name, { code: many('return await orders.take(1000);') });
    assert.deepEqual([good.isReached, good.score], [true, null]);
    assert.match(good.said, /^The code returned 1,000 ids, and no id twice\. It cost \d+ writes?\. The goal is 1,000 ids without a duplicate\.$/);
    const twice = await judge(name, { code: many('const ids = await orders.take(999); return [...ids, ids[0]];') });
    assert.deepEqual([twice.isReached, twice.figures.duplicates], [false, 1]);
  });
});

describe('output', () => {
  test('is readable', () => {
    const circle = /** @type {any} */ ({ n: 1 });
    circle.self = circle;
    /** @type {[unknown, string][]} */
    const values = [
      ['a string', 'a string'], [5n, '5n'], [-0, '-0'], [null, 'null'], [undefined, 'undefined'], [['a', 2], "['a', 2]"], [{}, '{}'],
      [{ 'a b': [], c: "it's" }, "{ 'a b': [], c: 'it\\'s' }"], [Timestamp.fromString('2019-01-01T00:00:00Z'), 'Timestamp(2019-01-01T00:00:00.000Z)'],
      [new Map([['a', new Set([1])]]), "Map { 'a' => Set { 1 } }"], [new TypeError('no'), 'TypeError: no'], [circle, '{ n: 1, self: [circular] }'],
      [{ get it() { throw new Error('never'); } }, '[object: never]'], [Object.create(null), '{}'],
      [{ id: 'a', name: 'projects/p/databases/d/documents/c/a', data: () => ({ x: 1 }) }, 'c/a { x: 1 }'],
    ];
    for (const [value, expected] of values) assert.equal(readableLine([value]), expected);
    assert.equal(readableLine(['total', 3]), 'total 3');
    assert.ok(readableLine(['x'.repeat(1_000_000)]).length < 5000);
  });

  test('ends, and says that it was cut', async () => {
    const { lines, cuts } = await run(stepOf('ids/three-ways'), { code: () => `for (let i = 0; i < ${MOST_LINES * 3}; i += 1) console.warn(i);` });
    assert.deepEqual([lines.length, cuts, lines.at(-1)], [MOST_LINES, 1, `warn ${MOST_LINES - 1}`]);
  });

  test('and a bill come, whatever the code does to its Firestore', async () => {
    const reset = await run(stepOf('ids/three-ways'), { code: (given) => `${given}\nawait firestore.reset();` });
    assert.deepEqual(reset.bill, { requests: 0, reads: 0, writes: 0, deletes: 0 });
    const closed = await run(stepOf('ids/three-ways'), { code: (given) => `${given}\nawait firestore.close();` });
    assert.ok('returned' in closed.end && closed.bill.writes > 0);
  });

  test('of an error is its message', async () => {
    const { end } = await run(stepOf('ids/three-ways'), { code: () => "await db.counter('a').get();" });
    assert.ok('failure' in end);
    assert.match(end.failure.message, /^ShardlineError: /);
  });
});

describe('the program of a worker', () => {
  test('keeps the lines of the code, and imports before any of it runs', () => {
    const lines = programOf('https://a/b.js', onWire([{ path: 'a/b', data: { n: 1 } }]), 'first\nsecond').split('\n');
    assert.match(lines[0] ?? '', /^import "https:\/\/a\/b\.js"; .*\{"n":\{"integerValue":"1"\}\}.*first$/);
    assert.equal(lines[1], 'second');
  });

  test('that checks the code ends before it', () => {
    assert.throws(() => new Function(checkOf('}; globalThis.ran = true; async () => {'))(), (thrown) => thrown === 0);
    assert.equal('ran' in globalThis, false);
  });

  test('has no line beyond the code', () => {
    assert.deepEqual([lineWithin(3, 'a\nb'), lineWithin(2, 'a\nb'), lineWithin(0, 'a')], [2, 2, 1]);
  });
});

test('ids are found in a page, in documents and in a list', () => {
  assert.deepEqual(idsIn({ docs: [{ id: 'a' }] }), ['a']);
  assert.deepEqual(idsIn([1, 2n, { id: 'b' }, {}, null, 'x'.repeat(10_000), 2n ** 200n]), [1, 2n, 'b']);
  assert.equal(idsIn('abc'), null);
});
