// Chapter 7: one query over all shards, in the documentation's `instruments`.

import { countsAt, MergeLanes } from '../elements/merge_lanes.js';
import { recordQuery } from '../model/query.js';
import { text } from '../text.js';

/** @typedef {import('../model/query.js').RecordedQuery} RecordedQuery */

const DOCUMENTS = 120;

/** @param {RecordedQuery} query */
const reads = ({ pages }) => pages.reduce((sum, { billed }) => sum + billed.reads, 0);

/** @param {RecordedQuery} query */
const found = ({ pages }) => pages.reduce((sum, { ids }) => sum + ids.length, 0);

/** @param {RecordedQuery} query @param {number} atMs */
const isOver = ({ durationMs }, atMs) => atMs >= durationMs;

/** Whether two documents of the same time have been merged. @param {RecordedQuery} query @param {number} atMs */
function hasTie({ documents, taken }, atMs) {
  const times = new Map(documents.map(({ id, timestamp }) => [id, timestamp]));
  const merged = taken.filter((each) => each.atMs <= atMs).map(({ id }) => times.get(id));
  return merged.some((time, index) => index > 0 && time === merged[index - 1]);
}

/** The reads that the answers until then bill: at least one each. @param {RecordedQuery} query @param {number} atMs */
const readsUntil = ({ requests }, atMs) => requests.filter(({ answerMs }) => answerMs <= atMs)
  .reduce((sum, { returned }) => sum + Math.max(1, returned.length), 0);

/** @param {RecordedQuery} query @param {number} atMs */
function figures(query, atMs) {
  return {
    ...countsAt(query, atMs),
    reads: readsUntil(query, atMs),
    chunks: query.chunks.length,
    same: query.same ? 'yes' : 'no',
    over: isOver(query, atMs) ? 'yes' : 'no',
  };
}

const SHARDS = { choices: [3, 20, 30, 40, 60, 90], default: 40 };
const LIMIT = { choices: [5, 10, 15], default: 10 };

/** @type {Record<string, string>} The documentation's three queries. */
const FILTERS = {
  type: "where('instrumentType', '==', 'commonstock')",
  exchange: "where('exchange', '==', 'EXCHG1')",
  currency: "where('price.currency', '==', 'USD')",
};

/** @param {string} query @param {number} shards @param {number} limit @param {string} [get] */
const code = (query, shards, limit, get = '') => `const instruments = db.shardedCollection('instruments', { shards: ${shards} });
const newest = instruments.${FILTERS[query]}.newestFirst().limit(${limit}); // ${text('code.note.timestamp')}
const page = await newest.get(${get});
const more = page.nextToken && await newest.continueFrom(page.nextToken).get(${get});
`;

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'sharded-query',
  steps: [
    {
      id: 'merge',
      knobs: { 'shard-values': SHARDS, limit: LIMIT },
      prediction: { unit: 'reads', answer: reads },
      record: ({ 'shard-values': shards, limit }, seed, signal) => recordQuery(
        { query: 'type', shards, documents: DOCUMENTS, limit, chunkReads: 'share', pages: 1 }, seed, signal),
      pictures: (query) => [new MergeLanes(query)],
      figures,
      tasks: [
        { id: 'tie', reached: hasTie },
        { id: 'one', reached: (query, atMs) => isOver(query, atMs) && query.chunks.length === 1 && reads(query) === found(query) },
        { id: 'refill', reached: (query, atMs) => query.requests.some(
          (/** @type {RecordedQuery['requests'][number]} */ { isRefill, answerMs }) => isRefill && answerMs <= atMs) },
      ],
      code: ({ 'shard-values': shards, limit }) => code('type', shards, limit),
    },
    {
      id: 'pages',
      knobs: { pages: { least: 1, most: 6, default: 2 } },
      prediction: { unit: 'reads', answer: ({ pages }) => pages[1]?.billed.reads ?? 0 },
      record: ({ pages }, seed, signal) => recordQuery(
        { query: 'type', shards: SHARDS.default, documents: DOCUMENTS, limit: LIMIT.default, chunkReads: 'share', pages }, seed, signal),
      pictures: (query) => [new MergeLanes(query)],
      figures,
      tasks: [
        { id: 'cheap', reached: (query, atMs) => isOver(query, atMs) && query.pages.length > 1
          && (query.pages[1]?.billed.reads ?? Infinity) <= (query.pages[1]?.ids.length ?? 0) },
        { id: 'last', reached: (query, atMs) => isOver(query, atMs) && query.pages.at(-1)?.hasMore === false && query.same },
      ],
    },
    {
      id: 'three-queries',
      knobs: {
        query: { words: ['type', 'exchange', 'currency'], default: 'type' },
        'chunk-reads': { words: ['share', 'whole-page'], default: 'share' },
      },
      record: ({ query, 'chunk-reads': chunkReads }, seed, signal) => recordQuery(
        { query, shards: SHARDS.default, documents: DOCUMENTS, limit: LIMIT.default, chunkReads, pages: 1 }, seed, signal),
      pictures: (query) => [new MergeLanes(query)],
      figures,
      tasks: [
        { id: 'exchange', reached: (query, atMs, knobs) => isOver(query, atMs) && knobs.query === 'exchange' },
        { id: 'currency', reached: (query, atMs, knobs) => isOver(query, atMs) && knobs.query === 'currency' },
        { id: 'whole-page', reached: (query, atMs) => isOver(query, atMs) && reads(query) === query.chunks.length * found(query) && query.chunks.length > 1 },
      ],
      code: ({ query, 'chunk-reads': reads }) => code(query, SHARDS.default, LIMIT.default, reads === 'whole-page' ? "{ chunkReads: 'whole-page' }" : ''),
    },
  ],
};
