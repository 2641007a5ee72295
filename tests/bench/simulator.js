// The embedded Firestore, in WebAssembly and native, against Google's emulator: the same requests to all three, in turns.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import createModule from '../../web/library/generated/workbench.js';
import { Engine } from '../../web/library/simulator/engine.js';
import { startEmulator } from '../emulator/support/emulator.js';
import { takeTurns } from './measure.js';
import { atLeast, atMost, digits, printTable, spread } from './report.js';

const WASM = new URL('../../web/library/generated/workbench.wasm', import.meta.url);
const NATIVE = fileURLToPath(new URL('../../build/release/tests/bench_simulator', import.meta.url));
const ROOT = 'projects/bench/databases/(default)/documents';
const EXCHANGES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
/** Requests under way at Google's emulator, which has several threads. */
const LANES = 16;

const TURN_MS = 500;
const MOST_JOBS = 20_000;

const encoder = new TextEncoder();

/** @typedef {{verb: string, body: string}} Job */

/** A small document. @param {string} path @param {number} i */
function write(path, i) {
  const at = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();
  return {
    update: {
      name: `${ROOT}/${path}`,
      fields: {
        symbol: { stringValue: `S${i % 997}` }, exchange: { stringValue: EXCHANGES[(i * 7) % 10] }, price: { integerValue: String(i % 5000) },
        timestamp: { timestampValue: at },
      },
    },
  };
}

/** @type {{[metric: string]: (i: number, documents: number) => Job}} */
const JOBS = {
  commits: (i) => ({ verb: 'commit', body: JSON.stringify({ writes: [write(`commits/${i % 5000}`, i)] }) }),
  reads: (i, documents) => ({ verb: 'batchGet', body: JSON.stringify({ documents: [`${ROOT}/items/${(i * 7919) % documents}`] }) }),
  'top-100 queries': (i) => ({
    verb: 'runQuery',
    body: JSON.stringify({ structuredQuery: {
      from: [{ collectionId: 'items' }],
      where: { fieldFilter: { field: { fieldPath: 'exchange' }, op: 'EQUAL', value: { stringValue: EXCHANGES[i % 10] } } },
      orderBy: [{ field: { fieldPath: 'timestamp' }, direction: 'DESCENDING' }],
      limit: 100,
    } }),
  }),
};

/** @param {number} documents @returns {Job[]} */
function loading(documents) {
  return Array.from({ length: Math.ceil(documents / 500) }, (_, batch) => {
    const count = Math.min(500, documents - batch * 500);
    const writes = Array.from({ length: count }, (_unused, i) => write(`items/${batch * 500 + i}`, batch * 500 + i));
    return { verb: 'commit', body: JSON.stringify({ writes }) };
  });
}

/**
 * @typedef {object} Server
 * @property {(jobs: Job[]) => Promise<number>} run Milliseconds that the jobs took.
 * @property {() => Promise<number>} bytes Memory.
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<Server>} */
async function openWasm() {
  const module = await createModule({ wasm: await WebAssembly.compile(readFileSync(WASM)) });
  const engine = new Engine(module, {});
  let now = Date.UTC(2026, 10, 20);
  return {
    async run(jobs) {
      const requests = jobs.map(({ verb, body }) => ({ method: 'POST', target: `/v1/${ROOT}:${verb}`, body: encoder.encode(body) }));
      const begin = performance.now();
      for (const request of requests) {
        now += 0.1;
        const { status } = engine.handle(request, now);
        if (status !== 200) throw new Error(`The embedded Firestore says ${status}.`);
      }
      return performance.now() - begin;
    },
    bytes: async () => module.HEAPU8.length,
    close: async () => engine.close(),
  };
}

/** @returns {Promise<Server>} */
async function openNative() {
  const child = spawn(NATIVE, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (text) => {
    child.stdin.write(text);
    const { value, done } = await lines.next();
    if (done) throw new Error('bench_simulator has ended.');
    return Number(value);
  };
  return {
    run: (jobs) => ask(jobs.map(({ verb, body }) => `/v1/${ROOT}:${verb}\n${body}\n`).join('') + 'run\n'),
    bytes: () => ask('bytes\n'),
    close: async () => { child.kill(); },
  };
}

/** @returns {Promise<Server>} */
async function openGoogle() {
  const emulator = await startEmulator();
  return {
    async run(jobs) {
      let next = 0;
      const begin = performance.now();
      await Promise.all(Array.from({ length: LANES }, async () => {
        while (next < jobs.length) {
          const { verb, body } = jobs[next];
          next += 1;
          const response = await fetch(`${emulator.exactUrl}/v1/${ROOT}:${verb}`, { method: 'POST', body });
          await response.arrayBuffer();
          if (response.status !== 200) throw new Error(`The emulator says ${response.status}.`);
        }
      }));
      return performance.now() - begin;
    },
    bytes: async () => NaN,
    close: () => emulator.stop(),
  };
}

/**
 * @param {Server} server
 * @param {(i: number) => Job} job
 * @returns {Promise<() => Promise<{perSecond: number}>>} To be called when the server is warm: as many jobs as take half a second.
 */
async function turns(server, job) {
  let next = 0;
  const run = (count) => server.run(Array.from({ length: count }, () => job(next++)));
  let count = 8;
  for (let ms = await run(count); ms < TURN_MS / 2 && count < MOST_JOBS; ms = await run(count)) count *= 2;
  return async () => ({ perSecond: count / await run(count) * 1000 });
}

/** @param {{quick: boolean}} options */
export async function benchSimulator({ quick }) {
  const documents = quick ? 10_000 : 100_000;
  /** @type {{[name: string]: Server}} */
  const servers = { wasm: await openWasm(), native: await openNative(), 'Google’s emulator': await openGoogle() };
  try {
    const perDocument = {};
    for (const [name, server] of Object.entries(servers)) {
      await server.run(loading(documents));
      // All of it: what WebAssembly has at the start is room for documents, too.
      perDocument[name] = await server.bytes() / documents;
    }
    const summaries = {};
    for (const [metric, job] of Object.entries(JOBS)) {
      const contenders = [];
      for (const [name, server] of Object.entries(servers)) contenders.push({ name, turn: await turns(server, (i) => job(i, documents)) });
      ({ summaries: summaries[metric] } = await takeTurns(contenders, quick
        ? { minRounds: 3, maxRounds: 3, budgetMs: 0 } : { minRounds: 5, maxRounds: 15, budgetMs: 20_000 }));
    }
    const names = Object.keys(servers);
    printTable(`the embedded Firestore: requests a second, over ${digits(documents)} documents`, ['', ...names],
      Object.entries(summaries).map(([metric, byName]) => [metric, ...names.map((name) => spread(byName[name].perSecond))]));
    const times = (metric) => summaries[metric].wasm.perSecond.median / summaries[metric]['Google’s emulator'].perSecond.median;
    return {
      results: { documents, perDocument, summaries },
      targets: [
        atLeast('commits in WASM, against Google’s emulator', times('commits'), 20),
        atLeast('filtered, ordered top-100 queries in WASM, against Google’s emulator', times('top-100 queries'), 20),
        // Few documents fit into what WebAssembly has at the start, and say nothing.
        ...(quick ? [] : [
          atMost('memory per small document in WASM', perDocument.wasm / 1024, 1.5, ' KB'),
          atMost('memory per small document, native', perDocument.native / 1024, 1.5, ' KB'),
        ]),
      ],
    };
  } finally {
    for (const server of Object.values(servers)) await server.close();
  }
}
