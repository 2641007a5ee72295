// Wall time, client CPU and billed reads of single operations on Google's emulator: this library, Google's lite SDK as the
// documented samples use it, and bare fetch.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { startEmulator } from '../emulator/support/emulator.js';
import { RestClient } from '../emulator/support/rest.js';
import { takeTurns } from './measure.js';
import { documentId, randomNumbers } from './random.js';
import { atMost, digits, printTable, spread } from './report.js';

const PROJECT = 'demo';
const DOCUMENTS = 500;
/** Collections that differ in chance alone, since a library may do well with one of them by luck. */
const COLLECTIONS = 5;
const LIMIT = 100;
const CLIENT = fileURLToPath(new URL('./emulator_client.js', import.meta.url));
const MODULES = {
  shardline: './clients/shardline.js',
  lite: './clients/lite_aggregate.js',
  fetch: './clients/bare.js',
};

/**
 * @typedef {object} Job
 * @property {keyof typeof MODULES} client
 * @property {string} job An export of the client's module.
 * @property {string} name
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {(rest: RestClient) => Promise<void>} prepare What the freshly started emulator is to hold.
 * @property {(round: number) => unknown[]} args
 * @property {Job[]} jobs
 * @property {number} times Jobs per turn.
 */

const INCREMENT = [ours('incrementAtLeastOnce'), lite('increment', 'lite'), bare('increment')];
/** Google's SDKs count at least once: theirs is one write, and this is two. The same by hand shows the cost beyond the request. */
const INCREMENT_ONCE = [ours('increment'), lite('increment', 'lite, at least once'), bare('incrementWithMarker')];
const TOTAL = [ours('total'), lite('total', 'lite, getDocs (sample)'), lite('totalAggregate', 'lite, getAggregate'), bare('total')];
/** The last one does not do the job: it shows the time and the CPU of the requests alone. */
const QUERY = [
  ours('query'), ours('queryEager', 'shardline, whole pages'), lite('query', 'lite (sample)'), bare('query'),
  { client: 'fetch', job: 'queryUnread', name: 'the requests, unread' },
];

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchEmulator({ quick }) {
  // As people run it, and not as tests do.
  if (!quick) process.env.JAVA_OPTS ??= '';
  const results = [];
  for (const one of quick ? [increment(10), incrementOnce(10), total(10), query(60)] : [
    increment(10), incrementOnce(10), ...[10, 50, 500].map(total), ...[3, 60, 300].map(query),
  ]) {
    const result = await measureCase(one, quick);
    printCase(result);
    results.push(result);
  }
  return { results, targets: results.flatMap(targetsOf) };
}

/** @returns {Job} */
function ours(job, name = 'shardline') {
  return { client: 'shardline', job, name };
}
/** @returns {Job} */
function lite(job, name) {
  return { client: 'lite', job, name };
}
/** @returns {Job} */
function bare(job) {
  return { client: 'fetch', job, name: 'bare fetch' };
}

/** @param {number} shards @returns {Case} */
function increment(shards) {
  return {
    name: 'one increment, at least once', prepare: (rest) => createCounter(rest, shards), args: () => ['counters/c', shards],
    jobs: INCREMENT, times: 5,
  };
}

/** @param {number} shards @returns {Case} */
function incrementOnce(shards) {
  return { ...increment(shards), name: 'one increment, exactly once', jobs: INCREMENT_ONCE };
}

/** @param {number} shards @returns {Case} */
function total(shards) {
  return {
    name: `total over ${shards} shards`, prepare: (rest) => createCounter(rest, shards), args: () => ['counters/c', shards],
    jobs: TOTAL, times: 3,
  };
}

/** @param {number} shards @returns {Case} */
function query(shards) {
  const values = Array.from({ length: shards }, (_, i) => `${i}`);
  return {
    name: `query over ${shards} shards, limit ${LIMIT}`, prepare: (rest) => createInstruments(rest, values),
    args: (round) => [`instruments${round % COLLECTIONS}`, values, LIMIT], jobs: QUERY, times: 1,
  };
}

/**
 * @param {Case} what
 * @param {boolean} quick
 */
async function measureCase({ name, prepare, args, jobs, times }, quick) {
  const emulator = await startEmulator();
  /** @type {{[client: string]: Client}} */
  const clients = {};
  try {
    await prepare(new RestClient({ url: emulator.exactUrl, projectId: PROJECT }));
    for (const { client } of jobs) {
      clients[client] ??= await Client.start(MODULES[client], { host: emulator.host, projectId: PROJECT });
    }
    const costs = await compareJobs(jobs, clients, args, quick ? 1 : COLLECTIONS);
    for (let round = 0; round < (quick ? 2 : 10); round += 1) {
      for (const { client, job } of jobs) await clients[client].ask('turn', { job, args: args(round), times });
    }
    const contenders = jobs.map(({ client, job, name: who }) => ({
      name: who, turn: (round) => clients[client].ask('turn', { job, args: args(round), times }),
    }));
    const effort = quick ? { minRounds: 3, maxRounds: 7, budgetMs: 1500 } : { minRounds: 11, maxRounds: 151, budgetMs: 30000 };
    const { rounds, summaries } = await takeTurns(contenders, effort);
    return { name, rounds, jobs: jobs.map(({ name: who }, i) => ({ name: who, ...summaries[who], ...costs[i] })) };
  } finally {
    for (const client of Object.values(clients)) client.stop();
    await emulator.stop();
  }
}

/**
 * All that do the job must do the same; the average cost of each is counted on the way.
 * @param {Job[]} jobs
 * @param {{[client: string]: Client}} clients
 * @param {(round: number) => unknown[]} args
 * @param {number} times
 */
async function compareJobs(jobs, clients, args, times) {
  const costs = jobs.map(() => ({ requests: 0, reads: 0, writes: 0, bytes: 0 }));
  for (let round = 0; round < times; round += 1) {
    let expected;
    for (const [i, { client, job }] of jobs.entries()) {
      const { result, meter } = await clients[client].ask('check', { job, args: args(round) });
      expected ??= result;
      if (job !== 'queryUnread') assert.deepEqual(result, expected, `${client}.${job}`);
      for (const key of Object.keys(costs[i])) costs[i][key] += meter[key] / times;
    }
  }
  return costs;
}

/** A process that runs emulator_client.js. */
class Client {
  #process = fork(CLIENT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  #last = 0;

  /**
   * @param {string} module
   * @param {{host: string, projectId: string}} emulator
   */
  static async start(module, emulator) {
    const client = new Client();
    await client.ask('open', { module, ...emulator });
    return client;
  }

  /**
   * @param {string} call
   * @param {object} options
   * @returns {Promise<any>}
   */
  ask(call, options) {
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`A client ended with exit code ${code}.`));
      const answered = (/** @type {any} */ message) => {
        if (message.id !== id) return;
        this.#process.off('message', answered);
        this.#process.off('exit', ended);
        if (message.error) reject(new Error(message.error));
        else resolve(message.result);
      };
      this.#process.on('message', answered);
      this.#process.once('exit', ended);
      this.#process.send({ id, call, ...options });
    });
  }

  stop() {
    this.#process.disconnect();
  }
}

/**
 * @param {RestClient} rest
 * @param {number} shards
 */
async function createCounter(rest, shards) {
  const write = (path, fields) => ({ update: { name: rest.name(path), fields } });
  await rest.commit([
    write('counters/c', { num_shards: { integerValue: `${shards}` } }),
    ...Array.from({ length: shards }, (_, i) => write(`counters/c/shards/${i}`, { count: { integerValue: `${i}` } })),
  ]);
}

/**
 * @param {RestClient} rest
 * @param {string[]} shards
 */
async function createInstruments(rest, shards) {
  const random = randomNumbers(shards.length);
  const base = Date.parse('2024-01-01T00:00:00Z');
  const fields = (i) => ({
    shard: { stringValue: shards[Math.floor(random() * shards.length)] },
    symbol: { stringValue: `S${i}` },
    exchange: { stringValue: `EXCHG${i % 9}` },
    instrumentType: { stringValue: i % 2 ? 'commonstock' : 'etf' },
    price: { mapValue: { fields: { currency: { stringValue: 'USD' }, micros: { integerValue: `${34790000 + i}` } } } },
    timestamp: { timestampValue: new Date(base + i * 1234).toISOString() },
  });
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    await rest.commit(Array.from({ length: DOCUMENTS }, (_, i) =>
      ({ update: { name: rest.name(`instruments${collection}/${documentId(random)}`), fields: fields(i) } })));
  }
}

/** @param {Awaited<ReturnType<typeof measureCase>>} result */
function printCase({ name, rounds, jobs }) {
  const [{ wall, cpu }] = jobs;
  printTable(
    `emulator: ${name}; ms, median (min–max) of ${rounds} rounds`,
    ['', 'wall', 'shardline /', 'client CPU', 'shardline /', 'requests', 'billed reads', 'writes', 'bytes'],
    jobs.map((job) => [
      job.name, spread(job.wall), digits(wall.median / job.wall.median), spread(job.cpu), digits(cpu.median / job.cpu.median),
      ...[job.requests, job.reads, job.writes, Math.round(job.bytes)].map(digits),
    ]),
  );
}

/** @param {Awaited<ReturnType<typeof measureCase>>} result */
function targetsOf({ name, jobs }) {
  const [best, ...others] = jobs;
  const targets = [];
  for (const peer of others) {
    if (peer.name.startsWith('shardline') || peer.name === 'the requests, unread') continue;
    const isLite = peer.name.startsWith('lite');
    const isOnce = name.endsWith('exactly once');
    const mostWall = peer.name === 'bare fetch' ? 1.15 : isOnce ? 1.2 : 1;
    targets.push(atMost(`${name}, wall, against ${peer.name}`, best.wall.median / peer.wall.median, mostWall));
    const mostCpu = name.startsWith('query over 300') ? 1 / 3 : isOnce ? 1.3 : undefined;
    if (isLite && mostCpu) targets.push(atMost(`${name}, client CPU, against ${peer.name}`, best.cpu.median / peer.cpu.median, mostCpu));
  }
  if (name.startsWith('total')) targets.push(atMost(`${name}, billed reads`, best.reads, 1, ''));
  return targets;
}
