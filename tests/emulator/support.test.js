/** The harness itself: a proxy that fails to break things would make every fault test pass for nothing. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { longTest } from '../support/long_test.js';
import { openDatabase } from './support/database.js';
import { startEmulator } from './support/emulator.js';
import { faults, startFaultProxy } from './support/fault_proxy.js';
import { Random, VALUE_KINDS, ValueGenerator } from './support/random.js';
import { RestClient, RestError, userToken } from './support/rest.js';

const emulator = await openDatabase();
const { projectId } = emulator;
after(() => emulator.stop());

describe('fault proxy', () => {
  /** @type {import('./support/fault_proxy.js').FaultProxy} */
  let proxy;
  /** @type {RestClient} */
  let direct;
  /** @type {RestClient} */
  let proxied;

  before(async () => {
    proxy = await startFaultProxy({ target: emulator.exactUrl });
    direct = new RestClient({ url: emulator.exactUrl, projectId });
    proxied = new RestClient({ url: proxy.url, projectId });
  });
  after(() => proxy.stop());
  beforeEach(async () => {
    proxy.reset();
    await direct.deleteAll();
  });

  const increment = (client = proxied) =>
    client.commit([
      { update: { name: client.name('c/1') }, updateMask: {}, updateTransforms: [{ fieldPath: 'n', increment: { integerValue: '1' } }] },
    ]);
  const applied = async () => Number((await direct.get('c/1'))?.fields.n.integerValue ?? 0);

  /** @type {[string, import('./support/fault_proxy.js').Fault, number, (error: any) => boolean][]} */
  const cases = [
    ['dropRequest', faults.dropRequest(), 0, (error) => error.cause?.code === 'ECONNRESET'],
    ['dropResponse', faults.dropResponse(), 1, (error) => error.cause?.code === 'ECONNRESET'],
    ['cutResponse', faults.cutResponse(), 1, (error) => error.cause.message === 'aborted'],
    ['truncate', faults.truncate(), 1, (error) => error.status === 200 && error.answer.json === undefined],
    ['unavailable', faults.unavailable(), 0, (error) => error.code === 'UNAVAILABLE'],
    ['exhausted', faults.exhausted(), 0, (error) => error.status === 429],
    ['aborted', faults.aborted(), 0, (error) => error.code === 'ABORTED'],
    ['html', faults.html(), 0, (error) => error.answer.text.startsWith('<!DOCTYPE')],
    ['emptyBody', faults.emptyBody(), 0, (error) => error.status === 200 && error.answer.text === ''],
    ['answerAfter', faults.answerAfter(500, 'oops', 'text/plain'), 1, (error) => error.status === 500],
    ['arrayError', faults.arrayError(409, 'ABORTED'), 0, (error) => error.code === 'ABORTED'],
    ['errorInArray', faults.errorInArray(), 1, (error) => error.code === 'UNAVAILABLE' && error.answer.json.length === 2],
  ];
  for (const [name, fault, writes, isExpected] of cases) {
    test(`${name}: the client fails, ${writes} write(s) applied`, async () => {
      proxy.script(fault);
      await assert.rejects(increment(), isExpected);
      assert.equal(await applied(), writes);
      await increment();
      assert.equal(await applied(), writes + 1, 'the next request passes');
    });
  }

  test('duplicate: applied twice, answered once', async () => {
    proxy.script(faults.duplicate());
    const answer = await increment();
    assert.equal(answer.writeResults[0].transformResults[0].integerValue, '2');
  });

  test('hold and holdResponse wait before and after applying', async () => {
    /** @type {(value: unknown) => void} */
    let release = () => {};
    const hold = () => new Promise((resolve) => (release = resolve));
    proxy.script(faults.hold(hold()));
    const first = increment();
    await proxy.arrived(1, 'commit');
    assert.equal(await applied(), 0);
    release(null);
    await first;

    proxy.script(faults.holdResponse(hold()));
    let answered = false;
    const second = increment().then(() => (answered = true));
    while ((await applied()) < 2);
    assert.equal(answered, false, 'applied, not yet answered');
    release(null);
    await second;
  });

  test('counts by verb and remembers the fault each request met', async () => {
    proxy.script(null, faults.unavailable());
    await increment();
    await assert.rejects(increment(), RestError);
    await proxied.get('c/1');
    assert.equal(proxy.count('commit'), 2);
    assert.equal(proxy.count('batchGet'), 1);
    assert.deepEqual(proxy.requests.map((request) => request.status), [200, 503, 200]);
    assert.equal(proxy.requests[1].fault, 'answer 503');
  });

  test('the same seed makes the same faults', async () => {
    const run = async () => {
      proxy.reset().seeded(5);
      for (let sent = 0; sent < 60; sent += 1) await increment().catch(() => {});
      return proxy.requests.map((request) => request.fault);
    };
    const first = await run();
    assert.deepEqual(await run(), first);
    assert.ok(new Set(first).size > 3, `more than three kinds in ${first}`);
  });

  test('a page of another origin may send any header and read any answer', async () => {
    const origin = 'http://localhost:3000';
    const preflight = await fetch(`${proxy.url}/v1/${direct.documents}:commit`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Headers': 'authorization,x-firebase-appcheck' },
    });
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization,x-firebase-appcheck');
    proxy.script(faults.unavailable());
    const answer = await fetch(`${proxy.url}/v1/${direct.documents}:commit`, { method: 'POST', headers: { Origin: origin }, body: '{}' });
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
    assert.equal(proxy.count(), 1, 'preflights are not counted');
  });
});

describe('values', () => {
  longTest('Firestore takes every value that is generated and gives it back', async () => {
    const client = new RestClient({ url: emulator.exactUrl, projectId });
    const generator = new ValueGenerator(new Random(11));
    const kinds = new Set();
    for (let made = 0; made < 200; made += 1) {
      const kind = VALUE_KINDS[made % VALUE_KINDS.length];
      const path = `values/${generator.documentId()}`;
      await client.set(path, { [generator.fieldName()]: generator.ofKind(kind), ...generator.fields() });
      for (const value of Object.values((await client.get(path)).fields)) kinds.add(Object.keys(value)[0]);
    }
    assert.equal(kinds.size, VALUE_KINDS.length - 1, 'a vector is a mapValue');
  });

  test('the same seed gives the same values', () => {
    const draw = () => Array.from({ length: 50 }, (_, seed) => new ValueGenerator(new Random(seed)).fields());
    assert.deepEqual(draw(), draw());
  });
});

describe('emulator', () => {
  test('rules apply to users, not to the owner, and to no other database', async () => {
    const rules = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /own/{uid} { allow read, write: if request.auth.uid == uid; }
  }
}`;
    const guarded = await openDatabase({ rules });
    const place = { url: guarded.exactUrl, projectId: guarded.projectId };
    const owner = new RestClient(place);
    const ada = new RestClient({ ...place, token: userToken('ada', place) });
    const nobody = new RestClient({ ...place, token: null });
    const fields = { x: { integerValue: '1' } };
    await ada.set('own/ada', fields);
    await owner.set('own/bob', fields);
    await assert.rejects(ada.set('own/bob', fields), { code: 'PERMISSION_DENIED' });
    await assert.rejects(nobody.get('own/ada'), { code: 'PERMISSION_DENIED' });
    const elsewhere = new RestClient({ url: emulator.exactUrl, projectId, token: null });
    assert.equal(await elsewhere.get('own/ada'), null);
    await elsewhere.set('own/bob', fields);
    await guarded.stop();
  });

  test('a missing jar is an error that says what to do', async () => {
    const before = process.env.FIRESTORE_EMULATOR_JAR;
    process.env.FIRESTORE_EMULATOR_JAR = '/nowhere/emulator.jar';
    try {
      await assert.rejects(startEmulator(), /FIRESTORE_EMULATOR_JAR names no file: \/nowhere\/emulator\.jar/);
    } finally {
      if (before === undefined) delete process.env.FIRESTORE_EMULATOR_JAR;
      else process.env.FIRESTORE_EMULATOR_JAR = before;
    }
  });
});
