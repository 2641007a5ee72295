/** Live totals over the stream of the embedded Firestore in this process. */
import { after, before } from 'node:test';

import { openWorkbench } from 'shardline/workbench';

import { testLiveTotals } from './support/live_totals.js';

/** @type {import('shardline/workbench').EmbeddedFirestore} */
let embedded;
before(async () => {
  embedded = await (await openWorkbench()).createEmbeddedFirestore({ limits: 'none' });
});
after(() => embedded.close());

testLiveTotals(() => ({ host: embedded.fetch.host, fetch: embedded.fetch }));
