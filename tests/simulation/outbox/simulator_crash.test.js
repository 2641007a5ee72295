// The simulator's module crashes: its data stay, except the requests that it was working on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import createModule from '../../../web/library/generated/workbench.js';
import { ModuleRunner } from '../../../web/library/load.js';
import { LocalHost } from '../../../web/library/simulator/host.js';
import { Fragile } from './fragile.js';

const wasm = new WebAssembly.Module(readFileSync(new URL('../../../web/library/generated/workbench.wasm', import.meta.url)));
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const root = '/v1/projects/demo/databases/(default)/documents';

async function open() {
  const fragile = new Fragile(createModule);
  const host = new LocalHost(await ModuleRunner.start(fragile.createModule, wasm), {});
  const send = async (/** @type {string} */ method, /** @type {string} */ target, /** @type {any} */ body) => {
    const answer = await host.answer({ method, target, ...(body ? { body: encoder.encode(JSON.stringify(body)) } : {}) });
    return { status: answer.status, ...JSON.parse(decoder.decode(answer.body)) };
  };
  const make = (/** @type {string} */ id) => send('POST', `${root}/c?documentId=${id}`, { fields: { n: { stringValue: 'x'.repeat(1000) } } });
  const ids = async () => (await send('GET', `${root}/c?pageSize=10000`)).documents.map((/** @type {any} */ { name }) => name.split('/').at(-1));
  return { fragile, host, make, ids };
}

test('whenever it crashes, a request has been done and answered, or not done; and the settings stay', async () => {
  const { fragile, host, make, ids } = await open();
  const made = [];
  await host.configure({ faults: { clockSkewMs: 5000 } });
  for (let calls = 0; calls < 30; calls += 1) {
    fragile.crashAfter(calls);
    for (let i = 0; i < 5; i += 1) {
      const id = `d${calls}x${i}`.padEnd(8, 'a');
      const { status, error } = await make(id);
      if (status === 200) made.push(id);
      else assert.equal(`${status} ${error.status}`, '500 INTERNAL');
    }
    fragile.crashAfter(Infinity);
    assert.deepEqual(await ids(), [...made].sort());
  }
  assert.ok(fragile.crashes >= 25);
  fragile.crashAfter(0);
  await assert.rejects(host.observe(), { code: 'internal' });
  assert.deepEqual((await host.observe()).settings.faults, { clockSkewMs: 5000 });
  fragile.crashAfter(0);
  await host.close();
});

test('journals give way to a snapshot, from which it goes on', async () => {
  const { fragile, host, make } = await open();
  for (let i = 0; i < 3000; i += 1) await make(`d${i}`);
  fragile.crashAfter(0);
  await make('last');
  fragile.crashAfter(Infinity);
  assert.equal((await host.observe()).documents, 3000);
  await host.close();
});
