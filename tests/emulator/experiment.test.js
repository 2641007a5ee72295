/** Load experiments from JavaScript. tests/unit/experiment tests their results. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { openWorkbench } from '../../web/library/workbench.js';
import { until } from './support/until.js';

/** @type {import('../../web/library/workbench.js').Workbench} */
let workbench;
/** @type {import('../../web/library/workbench.js').EmbeddedFirestore} */
let simulator;

before(async () => {
  workbench = await openWorkbench();
  simulator = await workbench.createEmbeddedFirestore({ seed: 5 });
});

const SMALL = { kind: 'counter', shards: 10, users: 100, seconds: 20 };

test('an experiment reports what it has found, and again the same', async () => {
  const report = await simulator.run(SMALL);
  assert.equal(report.phase, 'done');
  assert.equal(report.seconds, 20);
  assert.equal(report.users, 100);
  assert.equal(report.perSecond.acknowledged.length, 20);
  assert.ok(report.throughput > 8 && report.throughput < 16, `${report.throughput}`);
  assert.equal(report.count.found, report.operations.acknowledged);
  assert.ok(report.server.billed.dollars > 0);
  assert.deepEqual(await simulator.run(SMALL), report);
  assert.deepEqual(await simulator.run(report.experiment), report);
});

test('experiments have names, and what else is given overrides them', async () => {
  const known = await workbench.experiments();
  assert.ok(known.length >= 10);
  for (const { preset, title } of known) {
    assert.ok(title.length > 10, preset);
    const { experiment, operations } = await simulator.run({ preset, users: 5, seconds: 2 });
    assert.equal(experiment.users, 5);
    assert.ok(operations.acknowledged > 0, preset);
  }
  assert.equal((await simulator.run('tenShards')).experiment.users, 1000);
});

test('progress is told while the thread stays alive', async (t) => {
  const phases = new Set();
  let turns = 0;
  const timer = setInterval(() => { turns += 1; });
  t.after(() => clearInterval(timer));
  let seconds = 0;
  const report = await simulator.run({ preset: 'fiftyShards' }, {
    onProgress: (progress) => {
      phases.add(progress.phase);
      assert.ok(progress.seconds >= seconds);
      ({ seconds } = progress);
      assert.ok(progress.perSecond.started.length <= 120);
    },
  });
  assert.equal(report.phase, 'done');
  assert.ok(phases.has('load'));
  assert.ok(turns >= 5, `${turns} turns`);
});

test('it can be cancelled', async () => {
  const early = AbortSignal.abort(new Error('no'));
  await assert.rejects(simulator.run('tenShards', { signal: early }), { name: 'ShardlineError', code: 'cancelled' });
  const controller = new AbortController();
  const running = simulator.run('sequentialInserts', { signal: controller.signal, onProgress: () => controller.abort() });
  await assert.rejects(running, { name: 'ShardlineError', code: 'cancelled' });
});

test('what cannot be run is refused by name', async () => {
  await assert.rejects(simulator.run({ users: 0 }), { code: 'invalid-argument', message: /`users`/ });
  await assert.rejects(simulator.run({ nonsense: 1 }), { code: 'invalid-argument', message: /`nonsense`/ });
  await assert.rejects(simulator.run('nonsense'), { code: 'invalid-argument', message: /nonsense/ });
  await assert.rejects(simulator.run(undefined), { code: 'invalid-argument' });
});

test('the simulator’s own data are left alone', async () => {
  const before = await simulator.snapshot();
  await simulator.run(SMALL);
  assert.deepEqual(await simulator.snapshot(), before);
});

test('what listeners throw changes nothing: it is reported, and they are called again', async (t) => {
  const thrown = new Error('mine');
  const reported = t.mock.method(console, 'error', () => {});
  let calls = 0;
  const listener = () => {
    calls += 1;
    throw thrown;
  };
  // Long enough for a progress report, on a quick machine, too.
  await simulator.run('fiftyShards', { onProgress: listener });
  assert.ok(calls > 0);
  calls = 0;
  const stop = simulator.observe(listener, { intervalMs: 1 });
  await until(() => calls >= 3);
  stop();
  assert.ok(reported.mock.calls.every((call) => call.arguments[0] === thrown));
});

test('who wants to look seldom, or to wait long, is not served at once', async () => {
  let looks = 0;
  const stop = simulator.observe(() => { looks += 1; }, { intervalMs: Infinity });
  await simulator.configure({ faults: { delay: 1, delayMs: 1e10 } });
  const answer = simulator.fetch('http://localhost/v1/projects/demo/databases/(default)/documents/a/b', { signal: AbortSignal.timeout(200) });
  const outcome = await answer.then(() => 'answered', ({ name }) => name);
  stop();
  await simulator.configure({ faults: { delay: 0, delayMs: 0 } });
  assert.equal(outcome, 'TimeoutError');
  assert.equal(looks, 1);
});
