// The mutation fuzzer: runs every kind of operation against the embedded Firestore, spoils some of its answers, lets it be honest
// again, and checks that nothing crashed, hung, leaked or was counted wrongly.
//
//   node tests/mutation/run.js                          --answers 20000 of them, from seed 1 on
//   node tests/mutation/run.js --seed 17                one case, with all that was said
//   node tests/mutation/run.js --operation 'ids: next'  only operations whose name contains this
//   --minutes 10                                        so long

import { NOW } from './still_clock.js';
import { parseArgs } from 'node:util';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { Engine } from '../../web/library/simulator/engine.js';
import { Random } from '../emulator/support/random.js';
import { HostileServer } from './hostile_server.js';
import { faultOfError, takePollution } from './judge.js';
import { OPERATIONS } from './operations/operations.js';

const RETRY = { maxAttempts: 4, initialDelayMs: 0, maxDelayMs: 0, timeoutMs: 1e6 };
const MAX_REQUESTS = 150;
const MAX_MS = 20_000;
const DIALECTS = ['emulator', 'production', 'proxy'];

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    step: { type: 'string', default: '1' },
    answers: { type: 'string', default: '20000' },
    minutes: { type: 'string' },
    operation: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

/** @type {string[]} Of what nobody waits for. */
const stray = [];
process.on('unhandledRejection', (reason) => stray.push(`unhandled: ${reason instanceof Error ? reason.stack : String(reason)}`));
process.on('uncaughtException', (error) => stray.push(`uncaught: ${error?.stack ?? error}`));

const { module } = await (await openWorkbench()).createEngine();

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string} what
 * @returns {Promise<T>}
 */
async function inTime(promise, what) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Fault(`${what} did not end within ${MAX_MS} ms`)), MAX_MS);
  });
  try {
    return await Promise.race([promise, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}

class Fault extends Error {}

/** @param {number} seed @returns {Promise<{name: string, answers: number, fault?: string, server: HostileServer}>} */
async function runCase(seed) {
  const random = new Random(seed);
  const candidates = OPERATIONS.filter(({ name }) => name.includes(options.operation));
  const operation = random.pick(candidates);
  const dialect = random.pick(DIALECTS);
  // So that a seed always leads to the same: the page's dice are loaded, the server's clock ticks, and its own dice are as new.
  let ticks = 0;
  const dice = random.fork();
  Object.defineProperty(crypto, 'getRandomValues', {
    configurable: true,
    value(/** @type {Uint32Array} */ array) {
      for (let i = 0; i < array.length; i += 1) array[i] = dice.uint32();
      return array;
    },
  });
  const engine = new Engine(module, { dialect, seed });
  const server = new HostileServer(engine, random.fork(), () => NOW + (ticks += 1));
  const projectId = `p${seed}`;
  const db = await connect({ projectId, fetch: server.fetch, retry: RETRY, storage: 'memory', onWarning: () => {} });
  const name = `${operation.name} (${dialect})`;
  const surroundings = { db, random: random.fork(), server };
  let fault;
  try {
    fault = await judge(operation, surroundings);
  } catch (error) {
    fault = error instanceof Fault ? error.message : `${error instanceof Error ? error.stack : String(error)}`;
  }
  server.left = 0;
  await db.close().catch((error) => { fault ??= `close(): ${error}`; });
  engine.close();
  fault ??= takePollution() ?? stray[0];
  stray.length = 0;
  return { name, answers: server.total, fault, server };
}

/**
 * @param {import('./operations/operations.js').Operation} operation
 * @param {import('./operations/operations.js').Surroundings} surroundings
 * @returns {Promise<string | undefined>}
 */
async function judge(operation, surroundings) {
  const context = await inTime(operation.prepare(surroundings), 'prepare()');
  // Operations without changes may be repeated: that is faster than another start.
  for (let rounds = operation.writes ? 1 : 8; rounds > 0; rounds -= 1) {
    const fault = await judgeOnce(operation, surroundings, context, rounds === 1);
    if (fault) return fault;
  }
  return undefined;
}

/**
 * @param {import('./operations/operations.js').Operation} operation
 * @param {import('./operations/operations.js').Surroundings} surroundings
 * @param {any} context
 * @param {boolean} last
 * @returns {Promise<string | undefined>}
 */
async function judgeOnce(operation, surroundings, context, last) {
  const { random, server } = surroundings;
  server.spoil(random.between(1, 12), random.pick([1, 1, 0.7, 0.3]));
  /** @type {import('./operations/operations.js').Outcome} */
  const outcome = { truthful: true, commits: 0 };
  try {
    outcome.result = await inTime(operation.run(surroundings, context), 'the operation');
  } catch (error) {
    if (error instanceof Fault) throw error;
    outcome.error = error;
  }
  const { requests } = server;
  server.left = 0;
  outcome.truthful = server.truthful;
  outcome.commits = server.commits;
  const pollution = takePollution();
  if (pollution) return pollution;
  if (requests > MAX_REQUESTS) return `${requests} requests for one operation`;
  const fault = outcome.error === undefined ? undefined : faultOfError(outcome.error, server.hasBlamed);
  if (fault) return fault;
  if (outcome.truthful && outcome.error === undefined) operation.check(outcome.result, context, server.disorderly);
  if (last) await inTime(operation.after(surroundings, context, outcome), 'what came afterwards');
  return undefined;
}

/** @param {number} seed @param {Awaited<ReturnType<typeof runCase>>} outcome */
function report(seed, { name, fault, server }) {
  console.log(`\n${fault ? 'FAILED' : 'ok'}  ${name}: ${fault ?? ''}`);
  for (const { path, what, truth, answer } of server.spoilt) console.log(`  ${path} ${truth}: ${what}\n    ${answer.slice(0, 600).replaceAll('\n', ' ')}`);
  const only = options.operation ? ` --operation '${options.operation}'` : '';
  console.log(`  replay: node tests/mutation/run.js --seed ${seed}${only}`);
}

const started = performance.now();
if (options.seed !== undefined) {
  const seed = Number(options.seed);
  const outcome = await runCase(seed);
  if (outcome.fault || options.verbose) report(seed, outcome);
  console.log(`${outcome.name}: ${outcome.fault ? 'FAILED' : 'ok'}`);
  process.exit(outcome.fault ? 1 : 0);
}

let answers = 0;
let failures = 0;
let cases = 0;
/** @type {Map<string, number>} */
const kinds = new Map();
const until = options.minutes ? started + Number(options.minutes) * 60_000 : Infinity;
const wanted = options.minutes ? Infinity : Number(options.answers);
for (let seed = Number(options.first); answers < wanted && performance.now() < until && failures < 50; seed += Number(options.step)) {
  const outcome = await runCase(seed);
  answers += outcome.answers;
  cases += 1;
  kinds.set(outcome.name, (kinds.get(outcome.name) ?? 0) + outcome.answers);
  if (outcome.fault) {
    failures += 1;
    report(seed, outcome);
  }
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${answers} spoilt answers in ${cases} cases of ${kinds.size} kinds (operation and dialect), ${failures} failures, ${seconds} s`);
process.exit(failures === 0 && answers > 0 ? 0 : 1);
