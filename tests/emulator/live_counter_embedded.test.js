/** Live totals over the stream of the embedded Firestore in this process. */
import { after, before, test } from 'node:test';

import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';

import { inRun } from '../support/run.js';
import { freshProject } from './support/database.js';
import { testLiveTotals } from './support/live_totals.js';
import { until } from './support/until.js';

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let embedded;
before(async () => {
  embedded = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' });
});
after(() => embedded.close());

testLiveTotals(() => ({ host: embedded.fetch.host, fetch: embedded.fetch }));

test('an outage of the embedded Firestore reaches a total that listens, and ends', async (t) => {
  const db = await connect({ projectId: freshProject(), fetch: embedded.fetch });
  t.after(() => db.close());
  const counter = db.counter('posts/p1', { shards: 2 });
  await counter.create();
  /** @type {import('shardline').LiveTotal[]} */
  const totals = [];
  const isNow = (/** @type {string} */ state, /** @type {number} */ value) => totals.at(-1)?.state === state && totals.at(-1)?.value === value;
  t.after(counter.watch((total) => totals.push(total)));
  await counter.increment();
  await until(() => isNow('live', 1));
  const ways = /** @type {const} */ ([[{ downUntilMs: Date.now() + 3_600_000 }, { downUntilMs: 0 }], [{ dropRequest: 1 }, { dropRequest: 0 }]]);
  for (const [down, up] of ways.slice(0, inRun(1, 2))) {
    await embedded.configure({ faults: down });
    await until(() => isNow('offline', 1));
    await embedded.configure({ faults: up });
    await until(() => isNow('live', 1));
  }
  await counter.increment();
  await until(() => isNow('live', 2));
});
