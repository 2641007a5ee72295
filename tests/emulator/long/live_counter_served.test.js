/** Live totals over the stream of `shardline serve`: the embedded Firestore over HTTP. */
import { after, before } from 'node:test';

import { serve } from '../support/command_line.js';
import { testLiveTotals } from '../support/live_totals.js';

/** @type {Awaited<ReturnType<typeof serve>>} */
let served;
before(async () => {
  served = await serve();
});
after(() => served.stop());

testLiveTotals(() => ({ host: served.url, fetch: globalThis.fetch }));
