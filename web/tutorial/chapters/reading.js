// Chapter 3: the cost of reading.

import { openWorkbench } from '../../library/workbench.js';
import { ReadingBars } from '../elements/reading_bars.js';
import { readingAt, recordReading } from '../model/reading.js';
import { formatDollars, text } from '../text.js';

const SECONDS_PER_MONTH = 30 * 24 * 3600;

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'reading',
  steps: [{
    id: 'three-ways',
    knobs: {
      shards: { choices: [1, 2, 5, 10, 20, 50, 100], default: 50 },
      readers: { choices: [1, 2, 5, 10, 20, 50, 100], default: 20 },
    },
    prediction: { unit: 'reads', answer: ({ ways, durationMs }) => readingAt(ways.shards, durationMs).reads },
    record: async ({ shards, readers }, seed, signal) => {
      const [{ cost }, run] = await Promise.all([openWorkbench(), recordReading({ shards, readers }, seed, signal)]);
      const totals = { perMonth: readers * SECONDS_PER_MONTH, shards };
      return {
        ...run,
        shards,
        dollars: {
          shards: cost({ totals: { ...totals, source: 'shards' } }).perMonth.dollars,
          sum: cost({ totals: { ...totals, source: 'sum' } }).perMonth.dollars,
        },
      };
    },
    pictures: (recording) => [new ReadingBars(recording)],
    figures: ({ ways, shards, dollars }, atMs) => ({
      shards,
      totals: readingAt(ways.shards, atMs).totals,
      all: readingAt(ways.shards, atMs).reads,
      sum: readingAt(ways.sum, atMs).reads,
      shared: readingAt(ways.shared, atMs).reads,
      dollarsAll: formatDollars(dollars.shards),
      dollarsSum: formatDollars(dollars.sum),
    }),
    tasks: [
      { id: 'dear', reached: ({ ways }, atMs) => readingAt(ways.shards, atMs).reads >= 100_000 },
      { id: 'same', reached: ({ ways, durationMs }, atMs, { shards }) => atMs >= durationMs && shards === 1
        && readingAt(ways.shards, atMs).reads === readingAt(ways.shards, atMs).totals },
    ],
    code: ({ shards }) => `const likes = db.counter('posts/p1', { shards: ${shards} });\n\nawait likes.get({ source: 'shards' }); // ${text('code.note.every-shard')}\n`
      + `await likes.get();                     // ${text('code.note.server')}\nawait likes.get({ maxAgeMs: 1000 });   // ${text('code.note.shared')}\n`,
    trial: {
      code: ({ shards }) => `const likes = db.counter('posts/p1', { shards: ${shards} });
const ask = async (how) => {
  const { value, billed } = await likes.get(how);
  console.log(value, billed.reads);
};

await ask({ source: 'shards' }); // ${text('code.note.every-shard')}
await ask();                     // ${text('code.note.server')}
await ask({ maxAgeMs: 1000 });   // ${text('code.note.shared')}
`,
      documents: ({ shards }) => Array.from({ length: shards }, (_, shard) => ({ path: `posts/p1/shards/${shard}`, data: { count: 100 } })),
    },
  }],
};
