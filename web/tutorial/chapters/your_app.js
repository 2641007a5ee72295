// Chapter 9: from a load to shards, a price and the code to paste.

import { openWorkbench } from '../../library/workbench.js';
import { formatDollars } from '../text.js';

const SECONDS_PER_MONTH = 30 * 24 * 3600;

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'your-app',
  steps: [{
    id: 'shards',
    knobs: {
      writes: { choices: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000], default: 20 },
      readers: { choices: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], default: 10 },
    },
    computed: true,
    record: async ({ writes, readers }) => {
      const { shardsFor, cost } = await openWorkbench();
      const { counter } = shardsFor({ writesPerSecond: writes });
      const price = cost({
        increments: { perMonth: writes * SECONDS_PER_MONTH },
        totals: { perMonth: readers * SECONDS_PER_MONTH, shards: counter.shards },
      });
      return { durationMs: 0, events: [], shards: counter.shards, price };
    },
    figures: ({ shards, price }) => ({ shards, dollars: formatDollars(price.perMonth.dollars) }),
    tasks: [{ id: 'busy', reached: ({ shards }) => shards >= 100 }],
    code: (_, recording) => `const likes = db.counter('posts/p1', { shards: ${/** @type {any} */ (recording)?.shards ?? 10} });\nawait likes.create();\n`,
  }],
};
