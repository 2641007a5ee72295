// Queries, long lists of values and backfills, against the code that Firestore's documentation advises people to write by hand, on the embedded
// Firestore and on Google's emulator: billed reads, round trips, bytes and time.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

import { startEmulator } from '../emulator/support/emulator.js';
import { takeTurns } from './measure.js';
import { documentId, randomNumbers } from './random.js';
import { atMost, digits, printTable } from './report.js';

const DOCUMENTS = 1_500;
const SHARDS = [3, 60, 300];
const LIMITS = [5, 100, 1_000];
/** Firestore takes 30 values in one list. */
const LIST = 30;
const GENERATED = new URL('../../web/library/generated/', import.meta.url);
const ROOT = '/v1/projects/demo/databases/(default)/documents';

/**
 * @typedef {{host: string, fetch: typeof globalThis.fetch}} Server
 * @typedef {{requests: number, trips: number, reads: number, bytes: number}} Meter `trips`: how often all requests were answered and
 *   there was a next one.
 * @typedef {{run: () => Promise<string[]>, close: () => unknown}} Client What it runs brings ids, as they come.
 * @typedef {{name: string, open: (server: Server) => Promise<Client>}} Way
 */

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchCollections({ quick }) {
  const results = [];
  const emulator = await startEmulator();
  const workbench = await openWorkbench();
  try {
    for (const backend of ['embedded', 'emulator']) {
      for (const shards of quick ? [60] : SHARDS) {
        const simulator = backend === 'embedded' ? await workbench.createEmbeddedFirestore({ worker: false, limits: 'none' }) : undefined;
        const server = simulator ? { host: 'https://firestore.googleapis.com', fetch: simulator.fetch } : { host: emulator.url, fetch: globalThis.fetch };
        results.push(...await measureCollection(backend, server, shards, quick));
        simulator?.close();
      }
    }
  } finally {
    await emulator.stop();
  }
  const backfills = results.filter(({ memory }) => memory !== undefined);
  printTable('Queries: medians, and how many times less than the documented sample', ['', 'rounds', 'reads', 'round trips', 'KiB', 'ms', 'reads ×', 'ms ×'],
    results.filter(({ memory }) => memory === undefined).flatMap(({ name, rounds, ways }) => ways.map((way, i) => [
      `${name}: ${way.name}`, i ? '' : `${rounds}`, digits(way.reads), digits(way.trips), digits(way.bytes / 1024), digits(way.ms.median),
      digits(ways.at(-1).reads / way.reads), digits(ways.at(-1).ms.median / way.ms.median),
    ])));
  printTable('Backfill', ['', 'documents', 'documents/s', 'CPU ms/1,000', 'reads', 'writes', 'JavaScript MiB', 'core MiB'], backfills.map((one) => [
    one.name, `${one.documents}`, digits(one.perSecond), digits(one.cpu), `${one.reads}`, `${one.writes}`, digits(one.memory), digits(one.core),
  ]));
  return { results, targets: targetsOf(results) };
}

/**
 * @param {string} backend
 * @param {Server} server
 * @param {number} shards
 * @param {boolean} quick
 */
async function measureCollection(backend, server, shards, quick) {
  const values = Array.from({ length: shards }, (_, i) => `${i}`);
  const path = `bench${shards}`;
  await fill(server, path, values);
  const place = `${backend}, ${shards} shards`;
  const results = [];
  for (const limit of quick ? [100] : LIMITS) {
    const chunks = inGroups(values, LIST);
    results.push(await compare(`${place}, limit ${limit}`, server, quick, [
      ours('share', (db) => db.shardedCollection(path, { shards: values }).newestFirst().limit(limit).get()),
      ours('whole-page', (db) => db.shardedCollection(path, { shards: values }).newestFirst().limit(limit).get({ chunkReads: 'whole-page' })),
      sample(path, chunks.map((chunk) => ({ shard: chunk })), limit),
    ]));
  }
  if (shards === SHARDS[0] || quick) {
    const friends = Array.from({ length: 100 }, (_, i) => `person${i * 3}`);
    results.push(await compare(`${backend}, 100 friends, limit 20`, server, quick, [
      ours('collection()', (db) => db.collection(path).where('by', 'in', friends).orderBy('timestamp', 'desc').limit(20).get()),
      sample(path, inGroups(friends, LIST).map((by) => ({ by })), 20),
    ]));
    const some = quick ? friends.slice(0, 20) : friends; // Of 60 shards and 100 friends there are 200 queries.
    // Google's emulator takes seconds for each round of this many.
    if (backend === 'embedded') results.push(await compare(`${place}, ${some.length} friends, limit 20`, server, quick, [
      ours('share', (db) => db.shardedCollection(path, { shards: values }).where('by', 'in', some).newestFirst().limit(20).get()),
      // Firestore multiplies the lists: 3 shards and 10 friends are its 30.
      sample(path, inGroups(values, 3).flatMap((shard) => inGroups(some, LIST / 3).map((by) => ({ shard, by }))), 20),
    ]));
    results.push(await measureBackfill(backend, server, path, values, quick ? 300 : DOCUMENTS));
  }
  return results;
}

/**
 * All ways must bring the same.
 * @param {string} name
 * @param {Server} server
 * @param {boolean} quick
 * @param {Way[]} ways
 */
async function compare(name, server, quick, ways) {
  const meters = new Meters(server.fetch);
  const clients = [];
  for (const way of ways) clients.push(await way.open({ ...server, fetch: meters.fetch }));
  /** @type {string[] | undefined} */
  let expected;
  const costs = [];
  for (const [i, client] of clients.entries()) {
    const { ids, meter } = await meters.of(client.run);
    expected ??= ids;
    assert.deepEqual(ids, expected, `${name}: ${ways[i].name}`);
    costs.push(meter);
  }
  const warm = performance.now() + 300;
  for (let i = 0; i < 10 && performance.now() < warm; i += 1) for (const { run } of clients) await run();
  const contenders = clients.map(({ run }, i) => ({
    name: ways[i].name,
    turn: async () => {
      const begin = performance.now();
      await run();
      return { ms: performance.now() - begin };
    },
  }));
  const effort = quick ? { minRounds: 3, maxRounds: 5, budgetMs: 1000 } : { minRounds: 5, maxRounds: 41, budgetMs: 4000 };
  const { rounds, summaries } = await takeTurns(contenders, effort);
  for (const client of clients) await client.close();
  return { name, rounds, ways: ways.map((way, i) => ({ name: way.name, ...costs[i], ms: summaries[way.name].ms })) };
}

/** Counts the requests and bytes of a fetch, when asked to. */
class Meters {
  /** @type {Meter | null} */
  #meter = null;
  #underWay = 0;

  /** @param {typeof globalThis.fetch} fetch */
  constructor(fetch) {
    /** @type {typeof globalThis.fetch} */
    this.fetch = (input, init) => (this.#meter ? this.#count(this.#meter, () => fetch(input, init)) : fetch(input, init));
  }

  /** @param {() => Promise<string[]>} run */
  async of(run) {
    const meter = this.#meter = { requests: 0, trips: 0, reads: 0, bytes: 0 };
    const ids = await run();
    this.#meter = null;
    return { ids, meter };
  }

  /** @param {Meter} meter @param {() => Promise<Response>} send */
  async #count(meter, send) {
    meter.requests += 1;
    meter.trips += this.#underWay === 0 ? 1 : 0;
    this.#underWay += 1;
    try {
      const response = await send();
      const body = await response.clone().text();
      meter.bytes += body.length;
      // A query that finds nothing is billed as one read.
      meter.reads += Math.max(1, JSON.parse(body).filter((/** @type {object} */ element) => 'document' in element).length);
      return response;
    } finally {
      this.#underWay -= 1;
    }
  }
}

/**
 * @param {string} name
 * @param {(db: import('shardline').Database) => Promise<import('shardline').QueryPage>} ask
 * @returns {Way}
 */
function ours(name, ask) {
  return {
    name: `shardline ${name}`,
    open: async (server) => {
      const db = await connect({ projectId: 'demo', ...server, storage: 'memory' });
      return { run: async () => (await ask(db)).docs.map(({ id }) => id), close: () => db.close() };
    },
  };
}

/**
 * As the documentation has it: a query for each 30 values, each for the whole page, put together, sorted and cut.
 * @param {string} path
 * @param {Record<string, string[]>[]} groups For each query, which values the fields may have.
 * @param {number} limit
 * @returns {Way}
 */
function sample(path, groups, limit) {
  const isOneOf = (/** @type {[string, string[]]} */ [fieldPath, values]) => (
    { fieldFilter: { field: { fieldPath }, op: 'IN', value: { arrayValue: { values: values.map((stringValue) => ({ stringValue })) } } } });
  const bodies = groups.map((group) => JSON.stringify({
    structuredQuery: {
      from: [{ collectionId: path }],
      where: { compositeFilter: { op: 'AND', filters: Object.entries(group).map(isOneOf) } },
      orderBy: [{ field: { fieldPath: 'timestamp' }, direction: 'DESCENDING' }],
      limit,
    },
  }));
  return {
    name: 'the sample',
    open: async ({ host, fetch }) => ({
      run: async () => {
        const answers = await Promise.all(bodies.map(async (body) => (await fetch(`${host}${ROOT}:runQuery`, { method: 'POST', body })).json()));
        const time = (/** @type {any} */ document) => document.fields.timestamp.timestampValue;
        return answers.flat().flatMap(({ document }) => (document ? [document] : [])).sort((a, b) => (time(a) < time(b) ? 1 : -1)).slice(0, limit)
          .map(({ name }) => name.slice(name.lastIndexOf('/') + 1));
      },
      close: () => {},
    }),
  };
}

/**
 * Times all differ, as the sample leaves it to chance which of two alike comes first.
 * @param {Server} server
 * @param {string} path
 * @param {string[]} values
 */
async function fill(server, path, values) {
  const random = randomNumbers(7);
  for (let start = 0; start < DOCUMENTS; start += 500) {
    const writes = Array.from({ length: 500 }, (_, i) => ({
      update: {
        name: `projects/demo/databases/(default)/documents/${path}/${documentId(random)}`,
        fields: {
          shard: { stringValue: values[Math.floor(random() * values.length)] },
          by: { stringValue: `person${Math.floor(random() * 400)}` },
          timestamp: { timestampValue: new Date(1.7e12 + (start + i) * 1000).toISOString() },
          text: { stringValue: 'x'.repeat(400) },
        },
      },
    }));
    const response = await server.fetch(`${server.host}${ROOT}:commit`, { method: 'POST', body: JSON.stringify({ writes }) });
    assert.equal(response.status, 200, await response.text());
  }
}

/**
 * Another shard field than the one that is there. Never more than 500 writes a second, as Firestore's rule has it.
 * @param {string} backend
 * @param {Server} server
 * @param {string} path
 * @param {string[]} shards
 * @param {number} documents
 */
async function measureBackfill(backend, server, path, shards, documents) {
  const cores = watchCores();
  // Modules of its own, whose memory nothing else has made larger.
  const wasm = (/** @type {string} */ file) => readFile(new URL(file, GENERATED));
  const db = await connect({ projectId: 'demo', ...server, storage: 'memory', wasm });
  const collection = db.shardedCollection(path, { shards, shardField: 'other' });
  globalThis.gc?.();
  const before = process.memoryUsage();
  let most = 0;
  const stop = new AbortController();
  const cpu = process.cpuUsage();
  const begin = performance.now();
  /** @type {import('shardline').ReshardingProgress | undefined} */
  let last;
  await collection.backfill({
    signal: stop.signal,
    onProgress: (progress) => {
      last = progress;
      const now = process.memoryUsage();
      most = Math.max(most, now.arrayBuffers + now.heapUsed - before.arrayBuffers - before.heapUsed);
      if (progress.read >= documents) stop.abort();
    },
  }).catch((error) => assert.equal(error.code, 'cancelled'));
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await db.close();
  const core = cores.end();
  assert.ok(last && last.written > 0);
  return {
    name: `${backend}, ${DOCUMENTS} documents`, documents: last.written, perSecond: last.written / seconds, cpu: (user + system) / 1000 / (last.written / 1000),
    reads: last.billed.reads, writes: last.billed.writes, memory: most / 1024 / 1024, core: core / 1024 / 1024,
  };
}

/**
 * Node counts the memory of WebAssembly nowhere. That of modules which are started from now on is added up at the end: it never shrinks.
 */
function watchCores() {
  /** @type {WebAssembly.Memory[]} */
  const memories = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, [module, imports]) {
      const instance = new target(module, imports);
      memories.push(...Object.values(instance.exports).filter((each) => each instanceof WebAssembly.Memory));
      return instance;
    },
  });
  return {
    end() {
      WebAssembly.Instance = Instance;
      return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    },
  };
}

/** @template T @param {T[]} all @param {number} most @returns {T[][]} As even as they can be. */
function inGroups(all, most) {
  const groups = Math.ceil(all.length / most);
  return Array.from({ length: groups }, (_, i) => all.slice(Math.floor((i * all.length) / groups), Math.floor(((i + 1) * all.length) / groups)));
}

/** @param {any[]} results */
function targetsOf(results) {
  return results.flatMap(({ name, ways }) => {
    // Most of many small queries find nothing, and are billed one read all the same: the target there is the sample's number.
    if (!ways || /shards, \d+ friends/.test(name)) return [];
    const [first, last] = [ways[0], ways.at(-1)];
    return [atMost(`${name}: billed reads against the sample`, first.reads / last.reads, 1)];
  });
}
