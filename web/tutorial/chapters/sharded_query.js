// Chapter 7: one query over all shards, in the documentation's `instruments`.

import { countsAt, MergeLanes } from '../elements/merge_lanes.js';
import { recordQuery } from '../model/query.js';
import { idOf } from '../model/texts.js';
import { shardedInstruments } from '../sample_instruments.js';
import { text } from '../text.js';
import { challenge, sandbox } from './further_steps.js';

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
const QUERY = { words: ['type', 'exchange', 'currency'], default: 'type' };
const CHUNK_READS = { words: ['share', 'whole-page'], default: 'share' };
/** The challenge asks for a page of this size, and for no more reads. */
const PAGE = Object.freeze({ documents: 500, limit: 50, reads: 60 });

/** @type {Record<string, string>} The documentation's three queries. */
const FILTERS = {
  type: "where('instrumentType', '==', 'commonstock')",
  exchange: "where('exchange', '==', 'EXCHG1')",
  currency: "where('price.currency', '==', 'USD')",
};

const WHOLE_PAGE = "{ chunkReads: 'whole-page' }";

/** @param {string} query @param {number} shards @param {number} limit @param {string} get */
const pageCode = (query, shards, limit, get) => `const instruments = db.shardedCollection('instruments', { shards: ${shards} });
const newest = instruments.${FILTERS[query]}.newestFirst().limit(${limit}); // ${text('code.note.timestamp')}
const page = await newest.get(${get});
`;

/** @param {string} query @param {number} shards @param {number} limit @param {string} [get] */
const code = (query, shards, limit, get = '') => `${pageCode(query, shards, limit, get)}console.log(page.docs);

const more = page.nextToken && await newest.continueFrom(page.nextToken).get(${get});
console.log(more?.docs.length);
`;

/** @type {import('./chapter.js').Trial} */
const trial = {
  documents: ({ documents = DOCUMENTS, 'shard-values': shards = SHARDS.default }) => shardedInstruments(documents, shards),
};

/** The newest documents of the challenge. @param {import('./chapter.js').GivenDocument[]} documents The newest first. */
const newestIds = (documents) => documents.filter(({ data }) => /** @type {any} */ (data).instrumentType === 'commonstock')
  .slice(0, PAGE.limit).map(({ path }) => idOf(path));

/** @type {import('./chapter.js').Step<any>} */
const lesson = {
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
  trial,
};

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'sharded-query',
  steps: [
    lesson,
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
      knobs: { query: QUERY, 'chunk-reads': CHUNK_READS },
      record: ({ query, 'chunk-reads': chunkReads }, seed, signal) => recordQuery(
        { query, shards: SHARDS.default, documents: DOCUMENTS, limit: LIMIT.default, chunkReads, pages: 1 }, seed, signal),
      pictures: (query) => [new MergeLanes(query)],
      figures,
      tasks: [
        { id: 'exchange', reached: (query, atMs, knobs) => isOver(query, atMs) && knobs.query === 'exchange' },
        { id: 'currency', reached: (query, atMs, knobs) => isOver(query, atMs) && knobs.query === 'currency' },
        { id: 'whole-page', reached: (query, atMs) => isOver(query, atMs) && reads(query) === query.chunks.length * found(query) && query.chunks.length > 1 },
      ],
      code: ({ query, 'chunk-reads': reads }) => code(query, SHARDS.default, LIMIT.default, reads === 'whole-page' ? WHOLE_PAGE : ''),
      trial,
    },
    sandbox('sharded-query', lesson, {
      knobs: {
        query: QUERY,
        'chunk-reads': CHUNK_READS,
        'shard-values': SHARDS,
        limit: { choices: [5, 10, 15, 30, 50], default: 10 },
        pages: { least: 1, most: 6, default: 1 },
        documents: { choices: [60, 120, 250, 500], default: DOCUMENTS },
      },
      record: ({ query, 'chunk-reads': chunkReads, 'shard-values': shards, limit, pages, documents }, seed, signal) => recordQuery(
        { query, shards, documents, limit, chunkReads, pages }, seed, signal),
      code: ({ query, 'chunk-reads': reads, 'shard-values': shards, limit }) => code(query, shards, limit, reads === 'whole-page' ? WHOLE_PAGE : ''),
    }),
    challenge(lesson, {
      knobs: { 'chunk-reads': CHUNK_READS, 'shard-values': { choices: [10, 20, 30, 40, 50, 60, 70, 80, 90], default: 90 } },
      record: async ({ 'chunk-reads': chunkReads, 'shard-values': shards }, seed, signal) => {
        const query = await recordQuery({ query: 'type', shards, documents: PAGE.documents, limit: PAGE.limit, chunkReads, pages: 1 }, seed, signal);
        return { ...query, shards };
      },
      challenge: {
        unit: 'shard-values',
        best: 'most',
        judge: (query) => {
          const [cost, documents] = [reads(query), found(query)];
          const isReached = documents === PAGE.limit && cost <= PAGE.reads;
          return { isReached, score: query.shards, figures: { documents, reads: cost, extra: Math.max(0, cost - PAGE.reads), most: PAGE.reads } };
        },
        judgeCode: ({ returned, bill, knobs, documents }) => {
          const right = newestIds(documents).filter((id, place) => returned?.[place] === id).length;
          return {
            isReached: right === PAGE.limit && returned?.length === PAGE.limit && bill.reads <= PAGE.reads,
            score: knobs['shard-values'],
            figures: { right, limit: PAGE.limit, reads: bill.reads, most: PAGE.reads },
          };
        },
      },
      code: ({ 'chunk-reads': reads, 'shard-values': shards }) => (
        `${pageCode('type', shards, PAGE.limit, reads === 'whole-page' ? WHOLE_PAGE : '')}console.log(page.docs.length);\n\nreturn page;\n`),
      trial: { documents: ({ 'shard-values': shards }) => shardedInstruments(PAGE.documents, shards) },
    }),
  ],
};
