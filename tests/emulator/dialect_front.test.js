/** The front before Google's emulator: it words answers otherwise, and they mean the same. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';

import { DIALECTS, DialectFront, Wording } from './support/dialect_front.js';

const READ_TIME = '2026-11-20T18:00:00.123456Z';
const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1);

const document = (/** @type {string} */ id) => ({
  name: `projects/p/databases/(default)/documents/q/${id}`,
  fields: { v: { stringValue: 'a/b "\\ <ü> 😀 }]' }, m: { mapValue: { fields: { done: { nullValue: null } } } }, ['__proto__']: { doubleValue: 0.5 } },
  createTime: READ_TIME,
  updateTime: READ_TIME,
});
const FOUND = [{ document: document('a'), readTime: READ_TIME }, { document: document('b'), readTime: READ_TIME, done: true }];
const NOTHING = [{ readTime: READ_TIME, done: true }];

/** @param {import('./support/dialect_front.js').Dialect} dialect @param {string} verb @param {any} answer */
function everyWording(dialect, verb, answer) {
  return SEEDS.map((seed) => new Wording(dialect, seed).reword(verb, JSON.stringify(answer)));
}

describe('the front', () => {
  test('leaves the emulator’s own words alone', () => {
    for (const text of everyWording('emulator', 'runQuery', FOUND)) assert.equal(text, JSON.stringify(FOUND));
  });

  test('says the documents of a query in their order, without `done`, and reports progress now and then', () => {
    for (const dialect of DIALECTS.slice(1)) {
      let progress = 0;
      for (const text of everyWording(dialect, 'runQuery', FOUND)) {
        const elements = JSON.parse(text);
        assert.deepEqual(elements.filter((element) => element.document).map((element) => element.document.fields), [document('a').fields, document('b').fields]);
        assert.ok(elements.every((element) => !('done' in element) && element.readTime === READ_TIME));
        progress += elements.filter((element) => !element.document).length;
      }
      assert.ok(progress > 5, `${progress} of ${dialect}`);
    }
  });

  test('says in one element that nothing was found', () => {
    for (const text of everyWording('production', 'runQuery', NOTHING)) assert.equal(text, `[{\n  "readTime": "${READ_TIME}"\n}\n]`);
    for (const text of everyWording('proxy', 'runQuery', NOTHING)) {
      const [element, ...others] = JSON.parse(text);
      assert.equal(others.length, 0);
      assert.equal(element.readTime, READ_TIME);
    }
  });

  test('says once how many results an offset passed over', () => {
    const skipping = [{ ...FOUND[0], skippedResults: 3 }, FOUND[1]];
    for (const text of everyWording('production', 'runQuery', skipping)) {
      assert.deepEqual(JSON.parse(text).flatMap((element) => element.skippedResults ?? []), [3]);
    }
  });

  test('leaves the transaction that was begun at the front, and gets documents in any order', () => {
    const got = [{ transaction: 'AAAA' }, { found: document('a'), readTime: READ_TIME }, { missing: 'b', readTime: READ_TIME }];
    const orders = new Set(everyWording('production', 'batchGet', got).map((text) => {
      const [first, ...others] = JSON.parse(text);
      assert.deepEqual(first, { transaction: 'AAAA' });
      return others.map((element) => element.missing ?? element.found.name).join();
    }));
    assert.equal(orders.size, 2);
  });

  test('puts errors into an array where answers are streams, with details', () => {
    const error = { error: { code: 409, message: 'No.', status: 'ABORTED' } };
    const [streamed] = JSON.parse(everyWording('production', 'runQuery', error)[0]);
    const [whole] = everyWording('production', 'commit', error).map((text) => JSON.parse(text));
    for (const { error: { details, ...rest } } of [streamed, whole]) {
      assert.deepEqual(rest, error.error);
      assert.match(details[0]['@type'], /google\.rpc/);
    }
  });

  test('of a proxy adds members to messages, and none to what is the user’s', () => {
    const written = { writeResults: [{ updateTime: READ_TIME, transformResults: [{ integerValue: '1' }] }], commitTime: READ_TIME };
    const texts = everyWording('proxy', 'commit', written);
    assert.ok(texts.some((text) => /future|document_|explain/.test(text)) && texts.some((text) => !text.includes('\n')) && texts.some((text) => text.includes('\r\n')));
    for (const text of texts) {
      const { writeResults: [result], commitTime } = JSON.parse(text);
      assert.deepEqual(result.transformResults, written.writeResults[0].transformResults);
      assert.equal(commitTime, READ_TIME);
    }
  });
});

describe('the front as a server', () => {
  test('outlives a client that leaves before all of its request is there, and one that leaves before the answer', async () => {
    /** @type {import('node:http').IncomingMessage[]} */
    const requests = [];
    const silent = createServer((request) => requests.push(request)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (silent.address());
    const front = await new DialectFront({ target: `http://127.0.0.1:${port}`, dialect: 'proxy', seed: 1 }).start();
    /** Whoever expects to be told to go on has its request passed on before all of it is there. @param {string} sent */
    const leaveAfter = async (sent) => {
      const client = connect(Number(new URL(front.url).port), '127.0.0.1');
      await once(client, 'connect');
      const arrived = once(silent, 'request');
      client.write(`POST /v1/x:commit HTTP/1.1\r\nHost: front\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n${sent}`);
      const [request] = await arrived;
      const gone = new Promise((resolve) => request.once('close', resolve));
      client.resetAndDestroy();
      await gone;
    };
    // An uncaught error fails this test: the runner hears of every unhandled rejection.
    await leaveAfter('12345');
    await leaveAfter('1234567890');
    assert.equal(requests.length, 2);
    await front.stop();
    silent.closeAllConnections();
    silent.close();
  });
});
