// Firestore's targets: every state that a watch gets was true at one moment, also if the stream breaks. In virtual time.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { isLong } from '../../support/run.js';
import { Targets } from '../../../web/library/listen/targets.js';
import { Clock } from '../outbox/clock.js';
import { Dice } from '../outbox/dice.js';
import { ListeningServer, membersOf, timeOf } from './listening_server.js';

const SEEDS = isLong ? 3000 : 150;
const ROOT = 'projects/p/databases/d';

/** @type {Clock} */
let clock;
beforeEach(() => {
  clock = new Clock();
  clock.install();
});
afterEach(() => clock.uninstall());

/** @param {string} group */
const groupTarget = (group) => ({ query: { parent: `${ROOT}/documents`, structuredQuery: { group } } });

/** @param {any[]} documents */
const valuesOf = (documents) => new Map(documents.map(({ name, fields }) => [name, Number(fields.v.integerValue)]));

/** @param {Map<string, number>} map */
const sortedEntries = (map) => [...map].sort();

/** A stream in the hands of a test. */
class Script {
  /** @type {any[]} */
  streams = [];
  /** @type {boolean[]} */
  refreshes = [];
  /** @type {any} */
  refusal;
  /** The moments that the watch has got. @type {any[]} */
  moments = [];
  /** @type {any[]} */
  errors = [];
  targets = new Targets(ROOT, async ({ onMessage, onEnd, forceRefresh }) => {
    this.refreshes.push(forceRefresh);
    if (this.refusal) throw this.refusal;
    const stream = { said: /** @type {any[]} */ ([]), isClosed: false, onMessage, onEnd, send: (/** @type {any} */ message) => stream.said.push(message), close: () => { stream.isClosed = true; } };
    this.streams.push(stream);
    return stream;
  });
  handlers = {
    onMoment: (/** @type {any} */ moment) => this.moments.push(moment),
    onError: (/** @type {any} */ error, /** @type {boolean} */ isOver) => this.errors.push([error.code, error.reason, isOver]),
  };

  get stream() {
    return this.streams.at(-1);
  }

  /** The ids of the targets that the last stream was asked for. */
  get ids() {
    return this.stream.said.flatMap((/** @type {any} */ { addTarget }) => addTarget?.targetId ?? []);
  }

  /** @param {...any} messages */
  say(...messages) {
    for (const message of messages) this.stream.onMessage(message);
  }
}

/** @param {number} id @param {string} name @param {number} [v] */
const change = (id, name, v = 0) => changeAt('t', id, name, v);
/** @param {string} updateTime @param {number} id @param {string} name @param {number} v */
const changeAt = (updateTime, id, name, v) => ({ documentChange: { document: { name, fields: { v: { integerValue: `${v}` } }, createTime: 't', updateTime }, targetIds: [id] } });
/** @param {number} id */
const current = (id) => ({ targetChange: { targetChangeType: 'CURRENT', targetIds: [id], resumeToken: 'too early', readTime: '2026' } });
/** @param {string} token */
const moment = (token) => ({ targetChange: { resumeToken: token, readTime: token } });

describe('one stream, step by step', () => {
  test('a state is told when all targets of the watch are current, and the moment is whole', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a'), groupTarget('b')], script.handlers);
    await clock.pass(0);
    const [a, b] = script.ids;
    script.say(change(a, 'x'), current(a), moment('1'));
    assert.deepEqual(script.moments, [], 'the second target is not there yet');
    script.say(change(b, 'y'), change(b, 'z'), current(b));
    assert.deepEqual(script.moments, [], 'not whole');
    script.say(moment('2'));
    assert.deepEqual(script.moments.map(({ documents, readTime, reads }) => [documents.map((/** @type {any[]} */ one) => one.map(({ name }) => name)), readTime, reads]), [[[['x'], ['y', 'z']], '2', 3]]);
    script.say(moment('3'));
    assert.equal(script.moments.length, 1, 'nothing is new');
    script.say({ documentDelete: { document: 'y', removedTargetIds: [b], readTime: '3' } }, { documentRemove: { document: 'z', removedTargetIds: [b] } }, moment('4'));
    assert.deepEqual(script.moments.at(-1).documents[1], []);
    assert.equal(script.moments.at(-1).reads, 1, 'a deletion is not billed');
  });

  test('a document that a newer one pushes out of a limited target is not billed', async () => {
    const script = new Script();
    script.targets.add([{ query: { parent: `${ROOT}/documents`, structuredQuery: { limit: 1 } } }], script.handlers);
    await clock.pass(0);
    const [a] = script.ids;
    script.say(change(a, 'x'), current(a), moment('1'));
    script.say(change(a, 'y'), { documentRemove: { document: 'x', removedTargetIds: [a] } }, moment('2'));
    assert.deepEqual(script.moments.map(({ reads }) => reads), [1, 1]);
  });

  test('a document that comes again is not billed if it comes on the same stream, and has not changed', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    const reset = (/** @type {number} */ id) => ({ targetChange: { targetChangeType: 'RESET', targetIds: [id] } });
    script.say(change(2, 'x'), current(2), moment('1'));
    script.say(reset(2), change(2, 'x'), change(2, 'y'), current(2), moment('2'));
    script.stream.onEnd({ status: 'UNAVAILABLE', message: '', http: 0 });
    await clock.pass(2000);
    const [id] = script.ids;
    script.say(reset(id), change(id, 'x'), change(id, 'y'), current(id), moment('3'));
    assert.deepEqual(script.moments.map(({ reads }) => reads), [1, 1, 2]);
  });

  test('a target without a document is billed as one read whenever the server is asked for it as for a new one', async () => {
    const script = new Script();
    const reset = (/** @type {number} */ id) => ({ targetChange: { targetChangeType: 'RESET', targetIds: [id] } });
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    script.say(current(2), moment('1'), change(2, 'x'), moment('2'), { documentDelete: { document: 'x', removedTargetIds: [2] } }, moment('3'));
    assert.deepEqual(script.moments.map(({ reads }) => reads), [1, 1, 0], 'it is new once');
    for (const answers of [[], [reset]]) {
      script.stream.onEnd({ status: 'UNAVAILABLE', message: '', http: 0 });
      await clock.pass(2000);
      const [id] = script.ids;
      script.say(...answers.map((answer) => answer(id)), current(id), change(id, 'y'), moment('4'), { documentDelete: { document: 'y', removedTargetIds: [id] } }, moment('5'));
    }
    assert.deepEqual(script.moments.slice(3).map(({ reads }) => reads), [1, 0, 2, 0], 'a token that the server has forgotten makes it a new one');
  });

  test('a snapshot from before a change that has come already does not take it back', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    const at = (/** @type {string} */ seconds) => `2026-11-26T21:24:${seconds}Z`;
    const shown = () => sortedEntries(valuesOf(script.moments.at(-1).documents[0]));
    const gone = (/** @type {string} */ readTime) => ({ documentDelete: { document: 'x', removedTargetIds: [2], readTime } });
    script.say(changeAt(at('39.669305'), 2, 'x', 6), changeAt(at('39.669'), 2, 'x', 5), gone(at('39')), current(2), moment(at('39.7')));
    assert.deepEqual(shown(), [['x', 6]]);
    script.say({ targetChange: { targetChangeType: 'RESET', targetIds: [2] } }, changeAt(at('39.6'), 2, 'x', 4), changeAt(at('39.6'), 2, 'y', 1), current(2), moment(at('39.8')));
    assert.deepEqual(shown(), [['x', 6], ['y', 1]]);
    script.say(changeAt(at('40'), 2, 'x', 7), changeAt(at('39.75'), 2, 'y', 2), moment(at('41')));
    assert.deepEqual(shown(), [['x', 7], ['y', 2]]);
    script.say(gone(at('42')), moment(at('43')));
    assert.deepEqual(shown(), [['y', 2]]);
  });

  test('an empty target is told, too, and a document that is not there', async () => {
    const script = new Script();
    script.targets.add([{ documents: { documents: ['x'] } }], script.handlers);
    await clock.pass(0);
    assert.deepEqual(script.stream.said, [{ database: ROOT, addTarget: { targetId: 2, documents: { documents: ['x'] } } }]);
    script.say({ documentDelete: { document: 'x', removedTargetIds: [2] } }, current(2), moment('1'));
    assert.deepEqual(script.moments.map(({ documents }) => documents), [[[]]]);
  });

  test('what came after the last whole moment is forgotten with the stream; the token is as old as that moment', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    script.say(change(2, 'x', 1), current(2), moment('1'));
    script.say(change(2, 'x', 2), change(2, 'y'));
    script.stream.onEnd({ status: 'UNAVAILABLE', message: '', http: 0 });
    await clock.pass(2000);
    assert.equal(script.stream.said[0].addTarget.resumeToken, '1');
    assert.deepEqual(script.errors, [], 'every stream ends some time');
    const [id] = script.ids;
    script.say(current(id), moment('2'));
    assert.deepEqual(script.moments.at(-1).documents[0].map((/** @type {any} */ { name, fields }) => [name, fields.v.integerValue]), [['x', '1']]);
  });

  test('a filter that does not match asks again, under another id, without a token', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    script.say(change(2, 'x'), change(2, 'gone'), current(2), moment('1'));
    script.say({ filter: { targetId: 2, count: 2 } });
    assert.equal(script.stream.said.length, 1, 'it matches');
    script.say({ filter: { targetId: 2, count: 1 } });
    assert.deepEqual(script.stream.said.slice(1), [{ database: ROOT, removeTarget: 2 }, { database: ROOT, addTarget: { targetId: 4, ...groupTarget('a') } }]);
    script.say({ targetChange: { targetChangeType: 'REMOVE', targetIds: [2] } }, change(2, 'gone'), moment('2'));
    assert.equal(script.moments.length, 1);
    script.say(change(4, 'x'), current(4), moment('3'));
    assert.deepEqual(script.moments.at(-1).documents[0].map((/** @type {any} */ { name }) => name), ['x']);
    script.say({ filter: { targetId: 4 } });
    assert.equal(script.ids.length, 3, 'no count is a count of 0');
  });

  test('a target that the server refuses ends its watch with the reason; the others go on', async () => {
    const script = new Script();
    const other = new Script();
    script.targets.add([groupTarget('a'), groupTarget('b')], script.handlers);
    script.targets.add([groupTarget('c')], other.handlers);
    await clock.pass(0);
    const [, b, c] = script.ids;
    script.say({ targetChange: { targetChangeType: 'REMOVE', targetIds: [b], cause: { code: 7, message: 'no' } } });
    assert.deepEqual(script.errors, [['permission-denied', 'server-refused', true]]);
    assert.deepEqual(script.stream.said.at(-1), { database: ROOT, removeTarget: 2 }, 'its other target is not listened to in vain, and b is not removed twice');
    script.say(change(c, 'x'), current(c), moment('1'));
    assert.equal(other.moments.length, 1);
  });

  test('targets that are removed together each end their watch', async () => {
    const [script, other, third] = [new Script(), new Script(), new Script()];
    for (const [at, { handlers }] of [script, other, third].entries()) script.targets.add([groupTarget(`g${at}`)], handlers);
    await clock.pass(0);
    const [a, b, c] = script.ids;
    script.say({ targetChange: { targetChangeType: 'REMOVE', targetIds: [a, b], cause: { code: 7, message: 'no' } } });
    for (const { errors } of [script, other]) assert.deepEqual(errors, [['permission-denied', 'server-refused', true]]);
    script.say(change(c, 'x'), current(c), moment('1'));
    assert.equal(third.moments.length, 1);
    const again = new Script();
    again.targets.add([groupTarget('a'), groupTarget('b')], again.handlers);
    await clock.pass(0);
    again.say({ targetChange: { targetChangeType: 'REMOVE', targetIds: [2, 4] } });
    await clock.pass(2000);
    assert.deepEqual([again.streams.length, again.ids.length], [2, 2], 'the stream is opened again once');
  });

  test('a target that is removed for now, or without a reason, is asked for again', async () => {
    for (const cause of [{ code: 14, message: 'busy' }, { code: 10, message: 'again' }, undefined]) {
      const script = new Script();
      const stop = script.targets.add([groupTarget('a')], script.handlers);
      await clock.pass(0);
      script.say(change(2, 'x'), current(2), moment('1'));
      script.say({ targetChange: { targetChangeType: 'REMOVE', targetIds: [2], cause } });
      await clock.pass(2000);
      assert.equal(script.streams.length, 2);
      assert.equal(script.stream.said[0].addTarget.resumeToken, '1');
      stop();
    }
  });

  test('tokens are asked for again when the server refuses them; twice in a row ends all watches', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    const expired = { status: 'UNAUTHENTICATED', message: 'expired', http: 401 };
    script.stream.onEnd(expired);
    await clock.pass(0);
    const [id] = script.ids;
    script.say(current(id), moment('1'));
    script.stream.onEnd(expired);
    await clock.pass(0);
    assert.deepEqual([script.refreshes, script.errors], [[false, true, true], []]);
    script.stream.onEnd(expired);
    await clock.pass(100_000);
    assert.deepEqual(script.errors, [['unauthenticated', 'server-refused', true]]);
    assert.equal(script.streams.length, 3);
    assert.equal(clock.timers, 0);
  });

  test('a gate to the network that answers 401 ends no watch, and tokens are asked for again each time', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    const gate = { status: 'UNAUTHENTICATED', message: 'Log in', http: 401, isElsewhere: true };
    for (let i = 0; i < 5; i += 1) {
      script.stream.onEnd(gate);
      await clock.pass(90_000);
    }
    assert.deepEqual(script.errors.map(([code, , isOver]) => [code, isOver]), Array(4).fill(['unauthenticated', false]));
    assert.deepEqual(script.refreshes, [false, true, true, true, true, true]);
    script.say(change(script.ids[0], 'x'), current(script.ids[0]), moment('1'));
    assert.equal(script.moments.length, 1);
  });

  test('a stream that cannot be opened is told at once, and tried again with longer and longer pauses', async () => {
    const script = new Script();
    script.refusal = { status: 'UNAVAILABLE', message: 'down', http: 0 };
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    assert.deepEqual(script.errors, [['unavailable', 'no-network', false]]);
    await clock.pass(20 * 60_000);
    const attempts = script.errors.length;
    assert.ok(attempts > 15 && attempts < 45, `${attempts} attempts in 20 minutes`);
    script.refusal = undefined;
    await clock.pass(90_000);
    script.say(change(script.ids[0], 'x'), current(script.ids[0]), moment('1'));
    assert.equal(script.moments.length, 1);
    script.stream.onEnd({ status: 'RESOURCE_EXHAUSTED', message: 'quota', http: 429 });
    await clock.pass(29_000);
    assert.equal(script.streams.length, 1, 'a quota that is used up gets a minute');
  });

  test('renew() forgets all that is known: another user may be signed in', async () => {
    const script = new Script();
    script.targets.add([groupTarget('a')], script.handlers);
    await clock.pass(0);
    script.say(change(2, 'x'), current(2), moment('1'));
    script.targets.renew();
    await clock.pass(0);
    assert.equal(script.stream.said[0].addTarget.resumeToken, undefined);
    script.say(current(script.ids[0]), moment('2'));
    assert.deepEqual(script.moments.at(-1).documents, [[]]);
  });

  test('the last watch that ends closes the stream, and leaves neither a timer nor a listener', async () => {
    const listeners = new Set();
    const real = { add: globalThis.addEventListener, remove: globalThis.removeEventListener };
    /** @type {any} */ (globalThis).document = new EventTarget();
    globalThis.addEventListener = /** @type {any} */ ((/** @type {string} */ type, /** @type {any} */ _, /** @type {any} */ { signal }) => {
      listeners.add(type);
      signal.addEventListener('abort', () => listeners.delete(type));
    });
    try {
      for (const wait of [false, true]) {
        const script = new Script();
        const stops = [script.targets.add([groupTarget('a')], script.handlers), script.targets.add([groupTarget('b')], script.handlers)];
        if (wait) await clock.pass(0);
        assert.deepEqual([...listeners].sort(), ['online', 'pagehide', 'pageshow']);
        for (const stop of [...stops, ...stops]) stop();
        await clock.pass(0);
        assert.deepEqual([...listeners], []);
        assert.ok(script.streams.every(({ isClosed }) => isClosed));
        assert.equal(clock.timers, 0);
      }
    } finally {
      delete (/** @type {any} */ (globalThis).document);
      Object.assign(globalThis, { addEventListener: real.add, removeEventListener: real.remove });
    }
  });

  test('a hidden page stops listening after a minute, and goes on when it is seen', async () => {
    const page = Object.assign(new EventTarget(), { hidden: false });
    /** @type {any} */ (globalThis).document = page;
    try {
      const script = new Script();
      script.targets.add([groupTarget('a')], script.handlers);
      await clock.pass(0);
      script.say(change(2, 'x'), current(2), moment('1'));
      const turn = (/** @type {boolean} */ hidden) => page.dispatchEvent(Object.assign(new Event('visibilitychange'), (page.hidden = hidden, {})));
      turn(true);
      await clock.pass(59_000);
      turn(false);
      await clock.pass(120_000);
      assert.ok(!script.stream.isClosed);
      turn(true);
      await clock.pass(61_000);
      assert.ok(script.stream.isClosed);
      assert.equal(clock.timers, 0);
      turn(false);
      await clock.pass(0);
      assert.equal(script.stream.said[0].addTarget.resumeToken, '1');
      turn(true);
      const { now } = Date;
      Date.now = () => now() + 3_600_000; // The device sleeps, and so do timers.
      const slept = script.stream;
      await clock.pass(1000);
      assert.ok(!slept.isClosed);
      turn(false);
      await clock.pass(0);
      assert.ok(slept.isClosed, 'the connection is dead after a sleep');
      assert.notEqual(script.stream, slept);
      Date.now = now;
      assert.deepEqual(script.errors, []);
    } finally {
      delete (/** @type {any} */ (globalThis).document);
    }
  });
});

test(`whatever happens to the stream, each state that is told was true at its moment in all targets, in order, and the last is the last (${SEEDS} seeds)`, async () => {
  /** @type {Record<string, number>} */
  const seen = {};
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const dice = new Dice(seed);
    const server = new ListeningServer(dice);
    const targets = new Targets(ROOT, server.open);
    const groups = dice.pick([['a'], ['a', 'b'], ['a', 'b', 'c']]);
    /** @type {any[]} */
    const told = [];
    let isOver = false;
    const stop = targets.add(groups.map(groupTarget), { onMoment: (now) => told.push(now), onError: (_, ends) => { isOver ||= ends; } });
    const act = () => {
      if (dice.chance(0.6)) server.commit(`d${dice.between(0, 6)}`, dice.chance(0.2) ? undefined : { group: dice.pick(['a', 'b', 'c']), value: server.history.length });
      for (const session of [...server.sessions]) {
        if (dice.chance(0.03)) session.break();
        else session.step();
      }
    };
    for (let step = 0; step < 60; step += 1) {
      act();
      await clock.pass(dice.pick([0, 10, 1500]));
    }
    // From here on, the network is honest.
    server.dice = Object.assign(new Dice(seed), { chance: (/** @type {number} */ probability) => probability >= 0.6 });
    for (let step = 0; step < 8; step += 1) {
      await clock.pass(100_000);
      for (const session of [...server.sessions]) session.step();
    }
    assert.ok(!isOver, `seed ${seed}: what was removed for now is asked for again`);
    let last = '';
    for (const { documents, readTime } of told) {
      assert.ok(readTime >= last, `seed ${seed}: ${readTime} after ${last}`);
      last = readTime;
      const version = server.history.findIndex((_, number) => timeOf(number) === readTime);
      const expected = groups.map((group) => sortedEntries(membersOf(/** @type {any} */ (server.history[version]), group)));
      assert.deepEqual(documents.map((/** @type {any[]} */ each) => sortedEntries(valuesOf(each))), expected, `seed ${seed} at ${readTime}`);
    }
    assert.deepEqual(told.at(-1).documents.map((/** @type {any[]} */ each) => sortedEntries(valuesOf(each))),
      groups.map((group) => sortedEntries(membersOf(server.now, group))), `seed ${seed} in the end`);
    stop();
    assert.equal(server.sessions.size, 0);
    for (const [what, times] of Object.entries(server.seen)) seen[what] = (seen[what] ?? 0) + times;
  }
  for (const what of ['begun', 'resumed', 'reset', 'filter', 'reset while listening', 'cut between targets', 'removed for now']) assert.ok(seen[what], `no seed has ${what}`);
});
