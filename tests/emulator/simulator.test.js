/** The embedded Firestore as an object: the settings that configure() keeps, its state after close(), and memory that is used up. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openWorkbench } from 'shardline/workbench';
import { LocalHost } from '../../web/library/simulator/host.js';
import { shardlineError } from './support/shardline_error.js';

const DOCUMENTS = '/v1/projects/demo/databases/(default)/documents';
const workbench = await openWorkbench();
const closed = shardlineError('failed-precondition', /closed/);

/** @param {string} path @param {string} text */
const putting = (path, text) => ({
  method: 'PATCH', target: `${DOCUMENTS}/${path}`, body: new TextEncoder().encode(JSON.stringify({ fields: { text: { stringValue: text } } })),
});

describe('configure()', () => {
  /** @type {import('shardline/workbench').EmbeddedFirestore} */
  let simulator;
  beforeEach(async () => { simulator = await workbench.createEmbeddedFirestore({ limits: { documentBurst: 7 }, faults: { delay: 0.5 } }); });
  afterEach(() => simulator.close());

  const settings = async () => (await simulator.snapshot()).settings;

  test('leaves alone what is undefined or null', async () => {
    const before = await settings();
    for (const nothing of [undefined, null]) {
      await simulator.configure(/** @type {any} */ ({ limits: nothing, faults: nothing, latencyMs: nothing, dialect: nothing }));
    }
    await simulator.configure({ faults: { delay: undefined }, limits: { documentBurst: undefined } });
    assert.deepEqual(await settings(), before);
    assert.deepEqual(before.faults, { delay: 0.5 });
  });

  test('changes what it is given, and no more', async () => {
    await simulator.configure({ faults: { dropRequest: 0 }, limits: { tabletBurst: 9 } });
    const { faults, limits } = await settings();
    assert.deepEqual(faults, { delay: 0.5, dropRequest: 0 });
    assert.deepEqual(limits, { documentBurst: 7, tabletBurst: 9 });
    await simulator.configure({ limits: 'none' });
    assert.equal((await settings()).limits, 'none');
  });
});

describe('after close()', () => {
  test('a simulator refuses everything but close()', async () => {
    const simulator = await workbench.createEmbeddedFirestore();
    await simulator.close();
    await simulator.close();
    const calls = [() => simulator.fetch(`http://any${DOCUMENTS}/a/b`), () => simulator.snapshot(), () => simulator.configure({}), () => simulator.reset()];
    for (let round = 0; round < 2; round += 1) {
      for (const call of calls) await assert.rejects(call(), closed, `${call}`);
    }
    assert.throws(() => simulator.observe(() => {}), closed);
  });

  test('an engine refuses everything but close()', async () => {
    const engine = await workbench.createEngine();
    engine.close();
    for (const call of [
      () => engine.handle(putting('a/b', ''), 0), () => engine.configure({}), () => engine.observe(0), () => engine.keepJournal(),
      () => engine.takeJournal(), () => engine.snapshot(), () => engine.restore(new Uint8Array()),
    ]) assert.throws(call, closed, `${call}`);
    engine.close();
  });
});

test('a snapshot that is restored takes the place of what was there', async () => {
  const [source, target] = await Promise.all([workbench.createEngine(), workbench.createEngine()]);
  assert.equal(source.handle(putting('a/source', 'x'), 1000).status, 200);
  for (const [i, path] of ['a/target', 'a/source'].entries()) assert.equal(target.handle(putting(path, 'y'), 5000 + i).status, 200);
  target.restore(source.snapshot());
  const read = (/** @type {string} */ path) => {
    const { status, body } = target.handle({ method: 'GET', target: `${DOCUMENTS}/${path}` }, 9000);
    return status === 200 ? JSON.parse(new TextDecoder().decode(body)).fields.text.stringValue : status;
  };
  assert.deepEqual([read('a/source'), read('a/target')], ['x', 404]);
  source.close();
  target.close();
});

test('where there is no memory left for a snapshot, requests are answered, and what they wrote is kept', async () => {
  const { module } = await workbench.createEngine();
  let snapshots = 0;
  const small = Object.assign(Object.create(module), {
    takeSnapshot() {
      snapshots += 1;
      throw new WebAssembly.RuntimeError('Aborted(OOM)');
    },
  });
  const host = new LocalHost(/** @type {any} */ ({ module: small, isRunning: () => false }), { limits: 'none' });
  await host.started;
  const write = async (/** @type {number} */ count) => {
    for (let i = 0; i < count; i += 1) assert.equal((await host.answer(putting(`a/${i}`, 'x'.repeat(200_000)))).status, 200, `${i}`);
  };
  await write(20);
  assert.equal(snapshots, 1, 'it is tried once');
  for (let i = 0; i < 20; i += 1) {
    assert.equal((await host.answer({ method: 'GET', target: `${DOCUMENTS}/a/${i}` })).status, 200, `${i}`);
  }
  await host.reset();
  await write(20);
  assert.equal(snapshots, 2, 'and again when there is room');
  await host.close();
});
