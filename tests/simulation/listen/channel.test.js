// WebChannel against a server that loses, doubles, cuts and holds back, in virtual time.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Channel, splitter } from '../../../web/library/listen/channel.js';
import { streamOf } from '../../../web/library/listen/stream.js';
import { Clock } from '../outbox/clock.js';
import { ChannelServer } from './channel_server.js';

/** @type {Clock} */
let clock;
beforeEach(() => {
  clock = new Clock();
  clock.install();
});
afterEach(() => clock.uninstall());

/** @param {object} [options] */
function open(options) {
  const server = new ChannelServer();
  /** @type {any[]} */
  const messages = [];
  /** @type {any[]} */
  const ends = [];
  const way = { isBuffered: false };
  const channel = new Channel({
    url: 'http://server/listen', query: 'database=d', headers: {}, fetch: server.fetch, way,
    onMessage: (message) => messages.push(message), onEnd: (error) => ends.push(error), ...options,
  });
  return { server, messages, ends, way, channel };
}

test('messages of both directions come once and in order, and headers travel in the body', async () => {
  const { server, messages, ends, channel } = open({ headers: { Authorization: 'Bearer ä&=' } });
  channel.send({ a: 'ü & = 1' });
  channel.send({ a: 2 });
  await clock.pass(0);
  assert.equal(server.requests[0]?.body.get('headers'), 'Authorization:Bearer ä&=\r\n');
  server.say({ b: 1 });
  channel.send({ a: 3 });
  await clock.pass(0);
  server.say({ b: '2\n€𝄞' });
  await clock.pass(0);
  assert.deepEqual(server.received, [{ a: 'ü & = 1' }, { a: 2 }, { a: 3 }]);
  assert.deepEqual(messages, [{ b: 1 }, { b: '2\n€𝄞' }]);
  const later = server.requests.slice(1);
  assert.ok(later.every(({ query }) => query.get('SID') === 'session 1' && query.get('gsessionid') === 'sticky' && query.get('database') === 'd'));
  assert.ok(later.every(({ body }) => !body.has('headers')));
  channel.close();
  await clock.pass(0);
  assert.ok(server.isTerminated);
  assert.deepEqual(ends, []);
});

test('an answer may be cut at every byte, and in every way of three pieces', async () => {
  const text = '€𝄞'.repeat(2);
  const bytes = new TextEncoder().encode(`[[1,[{"t":"${text}"}]],[2,["noop"]]]`);
  for (let first = 1; first < bytes.length + 3; first += 1) {
    for (const second of [first + 1, first + 5]) {
      const { server, messages, channel } = open();
      server.split = (all) => [all.subarray(0, first), all.subarray(first, second), all.subarray(second)].filter(({ length }) => length > 0);
      channel.send({});
      server.say({ t: text });
      await clock.pass(0);
      server.say({ t: text });
      server.say('noop');
      await clock.pass(0);
      assert.deepEqual(messages.at(-1), { t: text }, `cut at ${first} and ${second}`);
      channel.close();
    }
  }
});

test('arrays that come again are not taken again', async () => {
  const { server, messages, channel } = open();
  channel.send({});
  await clock.pass(0);
  for (let i = 0; i < 5; i += 1) {
    server.say({ i });
    server.repeat();
    await clock.pass(0);
    if (i % 2 === 0) server.cut();
    await clock.pass(5000);
  }
  assert.deepEqual(messages.map(({ i }) => i), [0, 1, 2, 3, 4]);
  channel.close();
});

test('a POST that gets lost, or whose answer does, is sent again, and counts once', async () => {
  const { server, ends, channel } = open();
  channel.send({ n: 0 });
  await clock.pass(0);
  server.fates.POST = ['lost', 'unanswered'];
  channel.send({ n: 1 });
  channel.send({ n: 2 });
  await clock.pass(10_000);
  channel.send({ n: 3 });
  await clock.pass(0);
  assert.deepEqual(server.received.map(({ n }) => n), [0, 1, 2, 3]);
  assert.deepEqual(ends, []);
  server.fates.POST = ['lost', 'lost', 'lost'];
  channel.send({ n: 4 });
  await clock.pass(10_000);
  assert.deepEqual(ends.map(({ status, http }) => [status, http]), [['UNAVAILABLE', 0]]);
  assert.ok(!server.isListening, 'nothing is left open');
  assert.equal(clock.timers, 0);
});

test('a POST without an answer is given up after half a minute', async () => {
  const { ends, channel } = open({
    fetch: (/** @type {string} */ _, /** @type {RequestInit} */ { signal }) => new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
  });
  channel.send({});
  await clock.pass(29_000);
  assert.deepEqual(ends, []);
  await clock.pass(2000);
  assert.deepEqual(ends.map(({ status }) => status), ['UNAVAILABLE']);
  assert.equal(clock.timers, 0);
});

test('a server that refuses ends the channel with the reason', async () => {
  for (const [http, status] of /** @type {const} */ ([[401, 'UNAUTHENTICATED'], [403, 'UNAVAILABLE'], [404, 'UNAVAILABLE'], [429, 'RESOURCE_EXHAUSTED'], [503, 'UNAVAILABLE']])) {
    const { server, ends, channel } = open();
    server.fates.POST = [http];
    channel.send({});
    await clock.pass(0);
    assert.deepEqual(ends.map((end) => [end.status, end.http]), [[status, http]]);
    assert.equal(server.requests.length, 1);
    assert.equal(clock.timers, 0);
  }
});

test('a session whose opening gets lost is opened once more at once', async () => {
  for (const fate of /** @type {const} */ (['lost', 'unanswered'])) {
    const { server, messages, ends, channel } = open();
    server.fates.POST = [fate];
    channel.send({ n: 1 });
    await clock.pass(0);
    server.say({ n: 2 });
    await clock.pass(0);
    assert.deepEqual([messages, ends], [[{ n: 2 }], []]);
    assert.deepEqual(server.received.at(-1), { n: 1 });
    channel.close();
  }
  const { server, ends, channel } = open();
  server.fates.POST = ['lost', 'lost'];
  channel.send({});
  await clock.pass(0);
  assert.deepEqual(ends.map(({ status, http }) => [status, http]), [['UNAVAILABLE', 0]]);
});

test('a page of a hotel that says yes to everything is no WebChannel', async () => {
  for (const page of ['<html>Welcome</html>', '12\n', '', '4\nnull', '9\n[[0,["x"]]]']) {
    const { ends, channel } = open({ fetch: async () => new Response(page) });
    channel.send({});
    await clock.pass(0);
    assert.deepEqual(ends.map(({ status }) => status), ['UNAVAILABLE'], page);
    assert.equal(clock.timers, 0);
  }
});

test('a session that the server has forgotten, and its own words, end the channel', async () => {
  const gone = open();
  gone.channel.send({});
  await clock.pass(0);
  gone.server.fates.GET = [400];
  gone.server.end();
  await clock.pass(5000);
  assert.deepEqual(gone.ends.map(({ status, http }) => [status, http]), [['UNAVAILABLE', 400]]);

  for (const [word, expected] of /** @type {[any, any][]} */ ([
    ['stop', ['UNAVAILABLE', 0]],
    ['close', ['UNAVAILABLE', 0]],
    [{ error: { code: 401, status: 'UNAUTHENTICATED', message: 'expired' } }, ['UNAUTHENTICATED', 401]],
    [[{ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'quota' } }], ['RESOURCE_EXHAUSTED', 429]],
  ])) {
    const { server, messages, ends, channel } = open();
    channel.send({});
    await clock.pass(0);
    server.say(word);
    server.say({ late: true });
    await clock.pass(0);
    assert.deepEqual(ends.map(({ status, http }) => [status, http]), [expected]);
    assert.deepEqual(messages, []);
    assert.equal(clock.timers, 0);
  }
});

test('a GET that ends is asked again; one that breaks again and again ends the channel', async () => {
  const { server, messages, ends, channel } = open();
  channel.send({});
  await clock.pass(0);
  for (let i = 0; i < 10; i += 1) {
    server.say({ i });
    await clock.pass(0);
    server.end();
    await clock.pass(0);
    assert.ok(server.isListening, 'at once, for it brought something');
  }
  assert.equal(messages.length, 10);
  server.fates.GET = ['lost', 'lost'];
  server.cut();
  await clock.pass(10_000);
  assert.deepEqual(ends.map(({ status }) => status), ['UNAVAILABLE']);
  channel.close();
  assert.equal(clock.timers, 0);
});

test('silence for one and a half times the keep-alive means that the connection is dead; a noop keeps it alive', async () => {
  const { server, ends, channel } = open();
  channel.send({});
  await clock.pass(0);
  server.say({});
  for (let i = 0; i < 5; i += 1) {
    await clock.pass(30_000);
    server.say('noop');
    await clock.pass(0);
  }
  const gets = () => server.requests.filter(({ method }) => method === 'GET').length;
  assert.equal(gets(), 1);
  await clock.pass(46_000);
  assert.equal(gets(), 2);
  assert.equal(server.requests.at(-1)?.query.get('AID'), '6');
  assert.equal(server.isLongPoll, false);
  assert.deepEqual(ends, []);
  channel.close();
});

test('a 401 in Firestore’s words is told apart from another one', async () => {
  for (const [words, isElsewhere] of /** @type {const} */ ([['<html>Log in', true], ['[{"error":{"code":401,"status":"UNAUTHENTICATED"}}]', false]])) {
    const { ends, channel } = open({ fetch: async () => new Response(words, { status: 401 }) });
    channel.send({});
    await clock.pass(0);
    assert.deepEqual(ends.map((end) => [end.status, end.isElsewhere]), [['UNAUTHENTICATED', isElsewhere]]);
  }
});

test('that a proxy holds answers back is believed for ten minutes', async () => {
  const server = new ChannelServer();
  const { targets } = streamOf(/** @type {any} */ ({ transport: { host: 'http://server', fetch: server.fetch } }), 'projects/p/databases/d');
  const stop = targets.add([{ documents: { documents: ['a/b'] } }], { onMoment() {}, onError() {} });
  server.isBuffered = true;
  await clock.pass(0);
  server.say({});
  await clock.pass(10_000);
  assert.ok(server.isLongPoll);
  server.isBuffered = false;
  for (const [minutes, isLongPoll] of /** @type {const} */ ([[1, true], [10, false]])) {
    for (let i = 0; i < minutes * 2; i += 1) {
      await clock.pass(30_000);
      server.say('noop');
    }
    targets.renew();
    await clock.pass(1000);
    assert.equal(server.isLongPoll, isLongPoll, `${minutes} minutes later`);
  }
  stop();
});

test('a proxy that holds answers back is found out within ten seconds; then answers end whenever they say something', async () => {
  for (const hasSpoken of [false, true]) {
    const { server, messages, ends, way, channel } = open();
    channel.send({ n: 1 });
    server.isBuffered = !hasSpoken;
    await clock.pass(0);
    server.say({ first: true });
    await clock.pass(0);
    server.isBuffered = true;
    if (hasSpoken) {
      server.say({ second: true });
      channel.send({ n: 2 }); // Its answer tells that there is something to hear.
    }
    await clock.pass(9000);
    assert.equal(way.isBuffered, true);
    assert.deepEqual(messages.length, hasSpoken ? 2 : 1);
    for (let i = 0; i < 3; i += 1) {
      server.say({ i });
      await clock.pass(0);
      assert.deepEqual(messages.at(-1), { i });
    }
    assert.deepEqual(ends, []);
    channel.close();
  }
});

test('a fetch without streams is listened to in long polls', async () => {
  const { server, messages, way, channel } = open();
  const { fetch } = server;
  const plain = open({
    way,
    fetch: async (/** @type {any} */ url, /** @type {any} */ init) => {
      const response = await fetch(url, init);
      return { ok: response.ok, status: response.status, headers: response.headers, text: () => response.text() };
    },
  });
  plain.channel.send({});
  await clock.pass(0);
  server.say({ a: 1 });
  server.end();
  await clock.pass(0);
  server.say({ a: 2 });
  await clock.pass(0);
  assert.deepEqual([messages, plain.messages], [[], [{ a: 1 }, { a: 2 }]]);
  channel.close();
  plain.channel.close();
});

test('close() ends everything at every moment, and leaves no timer', async () => {
  for (let steps = 0; steps < 12; steps += 1) {
    const { server, messages, ends, channel } = open();
    channel.send({});
    for (let i = 0; i < steps; i += 1) await null;
    channel.close();
    channel.send({});
    await clock.pass(0);
    assert.equal(clock.timers, 0);
    assert.ok(!server.isListening);
    assert.deepEqual([messages, ends], [[], []]);
  }
});

test('what is no part of a stream is refused at once', () => {
  for (const text of ['<', '1x\n', '99999999999999999999999', '-1\n[]']) assert.throws(() => splitter()(text.padEnd(22, ' ')), SyntaxError, text);
});
