// Pages watch over a hostile network, on the streams of the embedded Firestore, in virtual time. Each state that is shown was true at one moment, and is not older than the
// one before. The last state is shown soon after the last fault. The reads stay within their budget.
//
// SEED=17 node --test tests/simulation/listen/world.test.js replays a life, and prints it. planted_faults.js of ../outbox names the lives that find faults.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inRun } from '../../support/run.js';
import { connect as connectToCollections } from '../../../web/library/collections_only.js';
import { connect } from '../../../web/library/index.js';
import { Engine } from '../../../web/library/simulator/engine.js';
import { openWorkbench } from '../../../web/library/workbench.js';
import { Clock } from '../outbox/clock.js';
import { Dice } from '../outbox/dice.js';
import { installIntervals, uninstallIntervals } from './intervals.js';
import { Page } from './page.js';
import { StreamLife } from './stream_life.js';

const { SEED, FAULT } = process.env;
/** With a planted fault, the lives from SEED on, until one finds it. */
const LIVES = SEED && !FAULT ? 1 : FAULT ? 30 : inRun(16, 800);
const DIALECTS = ['emulator', 'production', 'proxy'];
/** Until the budget of the page for all its watches is full again. */
const PAUSE_MS = 5 * 60_000;
/** The states that lives must reach. */
const STATES = ['filter', 'unknown token', 'removed', 'expired'];

const clock = new Clock();
const { random } = Math;
/** @type {any} */
let module;
before(async () => {
  const workbench = await openWorkbench();
  ({ module } = await workbench.createEngine());
  // Modules that a life loads later would take real time.
  const warm = await workbench.createEmbeddedFirestore({ limits: 'none' });
  const db = await connect({ projectId: 'demo', fetch: warm.fetch });
  await new Promise((resolve) => db.counter('warm/up', { shards: 1 }).watch(({ state }) => state === 'live' && resolve(state)));
  await new Promise((resolve) => db.shardedCollection('warm', { shards: 1, orderField: 'at' }).onChange(resolve));
  await db.close();
  await warm.close();
  // Requests that end now clear their timers, which are real ones.
  await new Promise(setImmediate);
  clock.install();
  installIntervals();
  // The hook that plants a fault makes each import take real time.
  if (FAULT) clock.loading = () => Promise.all([import('../../../web/library/listen/live_query.js'), import('../../../web/library/listen/live_count.js')]);
});
after(() => {
  uninstallIntervals();
  clock.uninstall();
  Math.random = random;
});

/** @param {number} seed */
async function live(seed) {
  const page = new Page();
  const dice = new Dice(-seed);
  dice.install();
  Math.random = () => dice.next();
  page.install();
  const engine = new Engine(module, { limits: 'none', dialect: DIALECTS[seed % DIALECTS.length], seed });
  const life = new StreamLife(seed, { clock, engine, page, connect });
  try {
    await life.run();
  } catch (error) {
    life.complaints.push(`${/** @type {Error} */ (error).stack}`);
  }
  // Each life begins with a whole minute.
  await clock.pass(PAUSE_MS - clock.now % 60_000);
  engine.close();
  page.uninstall();
  return life;
}

test(`${LIVES} lives of pages that watch`, async () => {
  /** @type {Record<string, number>} */
  const seen = {};
  /** @type {string[]} */
  const complaints = [];
  for (let seed = Number(SEED || 1), rest = LIVES; rest > 0 && !(FAULT && complaints.length > 0); seed += 1, rest -= 1) {
    const life = await live(seed);
    if (LIVES === 1) console.log(life.log.join('\n'));
    complaints.push(...life.complaints.map((text) => `seed ${seed}: ${text}`));
    for (const [state, times] of Object.entries(life.server.seen)) seen[state] = (seen[state] ?? 0) + times;
  }
  assert.deepEqual(complaints, []);
  if (LIVES > 1) assert.deepEqual(STATES.filter((state) => !seen[state]), [], 'no life comes to these states');
});

test('a query whose database is closed before the code that listens is there sends nothing', async () => {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    throw new TypeError('Failed to fetch');
  };
  const db = await connectToCollections({ projectId: 'demo', fetch });
  db.collection('rows').limit(1).onChange(() => assert.fail(), () => assert.fail());
  const closed = db.close();
  await import('../../../web/library/listen/live_query.js');
  await clock.pass(1000);
  await closed;
  assert.equal(requests, 0);
});
