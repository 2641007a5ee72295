// A sharded query on the documentation's `instruments`, page by page: the requests and answers of each chunk of shards, and the k-way merge of its
// documents.

import { record } from './recording.js';
import { chunkOf, documentsOf, idOf, instrumentOf } from './texts.js';

/**
 * @typedef {import('./texts.js').Instrument} Instrument
 *
 * @typedef {object} ChunkRequest
 * @property {number} chunk
 * @property {number} page
 * @property {number} sentMs
 * @property {number} answerMs
 * @property {number | null} asked How many documents at the most; null for all of them.
 * @property {string[]} returned Their ids.
 * @property {boolean} isRefill Whether the chunk was asked before for the same page.
 *
 * @typedef {object} RecordedQuery
 * @property {number} seed
 * @property {number} durationMs
 * @property {{atMs: number}[]} events
 * @property {Instrument[]} documents All there are in the collection.
 * @property {string[][]} chunks The shard values of each.
 * @property {ChunkRequest[]} requests
 * @property {{atMs: number, id: string, chunk: number, page: number}[]} taken The documents in the order in which the merge took them.
 * @property {{atMs: number, ids: string[], billed: {reads: number}, hasMore: boolean}[]} pages
 * @property {boolean} same Whether the pages together equal the result of one query without shards.
 */

/** @type {Record<string, object>} The documentation's three queries. */
const FILTERS = {
  type: { field: 'instrumentType', op: '==', value: { stringValue: 'commonstock' } },
  exchange: { field: 'exchange', op: '==', value: { stringValue: 'EXCHG1' } },
  currency: { field: 'price.currency', op: '==', value: { stringValue: 'USD' } },
};
/** The merge takes microseconds; it is shown slowly enough to be seen. */
const STEP_MS = 40;

/**
 * @param {{query: 'type' | 'exchange' | 'currency', shards: number, documents: number, limit: number, chunkReads: 'share' | 'whole-page', pages: number}} options
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<RecordedQuery>}
 */
export async function recordQuery({ query, shards, documents, limit, chunkReads, pages }, seed, signal) {
  const recording = await record({
    kind: 'pages',
    shards,
    users: 1,
    seconds: 1,
    thinkMs: 10_000_000,
    pages: { query: { filters: [FILTERS[query]], orders: [{ field: 'timestamp', direction: 'desc' }], limit, chunkReads }, documents, pages },
    seed,
  }, signal, { bodies: true });
  const collection = /** @type {{documents: any[], unsharded: any[]}} */ (/** @type {any} */ (recording.report).collection);
  const all = documentsOf(collection.documents).map(instrumentOf);
  const { requests, chunks } = requestsOf(recording);
  const found = recording.results.map(({ atMs, result }) => ({
    atMs,
    ids: /** @type {string[]} */ (result.docs.map((/** @type {any[]} */ [id]) => id)),
    billed: { reads: Number(result.billed?.reads ?? 0) },
    hasMore: typeof result.nextToken === 'string',
  }));
  const ids = found.flatMap((page) => page.ids);
  const unsharded = documentsOf(collection.unsharded).map(({ name }) => idOf(name));
  return slowly({
    seed,
    documents: all,
    chunks,
    requests,
    pages: found,
    same: ids.join() === unsharded.slice(0, ids.length).join() && ids.length === unsharded.length,
  });
}

/** @param {import('./recording.js').Recording} recording */
function requestsOf({ requests, bodies, results }) {
  /** @type {string[][]} */
  const chunks = [];
  /** @type {ChunkRequest[]} */
  const sent = [];
  for (const { request, body, answer } of bodies) {
    const { shards, limit } = chunkOf(body);
    const key = shards.join();
    let chunk = chunks.findIndex((values) => values.join() === key);
    if (chunk < 0) chunk = chunks.push(shards) - 1;
    const sentMs = requests.sentMs[request] ?? 0;
    const place = results.findIndex(({ atMs }) => sentMs < atMs);
    const page = place < 0 ? results.length : place;
    sent.push({
      chunk,
      page,
      sentMs,
      answerMs: requests.answeredMs[request] ?? sentMs,
      asked: limit,
      returned: documentsOf(answer).map(({ name }) => idOf(name)),
      isRefill: sent.some((other) => other.chunk === chunk && other.page === page),
    });
  }
  return { requests: sent, chunks };
}

/**
 * Makes time for the merge: all that follows a page is later by as long as it takes to see its documents go.
 * @param {Pick<RecordedQuery, 'seed' | 'documents' | 'chunks' | 'requests' | 'pages' | 'same'>} query
 * @returns {RecordedQuery}
 */
function slowly({ requests, pages, ...query }) {
  /** @type {Map<string, string>} */
  const shardOf = new Map(query.documents.map(({ id, shard }) => [id, shard]));
  const chunkOfShard = new Map(query.chunks.flatMap((shards, chunk) => shards.map((shard) => [shard, chunk])));
  let later = 0;
  /** @type {RecordedQuery['taken']} */
  const taken = [];
  /** @type {ChunkRequest[]} */
  const shownRequests = [];
  const shownPages = pages.map((page, number) => {
    for (const request of requests) {
      if (request.page === number) shownRequests.push({ ...request, sentMs: request.sentMs + later, answerMs: request.answerMs + later });
    }
    for (const [place, id] of page.ids.entries()) {
      taken.push({ atMs: page.atMs + later + (place + 1) * STEP_MS, id, chunk: chunkOfShard.get(shardOf.get(id) ?? '') ?? 0, page: number });
    }
    later += (page.ids.length + 1) * STEP_MS;
    return { ...page, atMs: page.atMs + later };
  });
  const times = new Set([
    ...shownRequests.flatMap(({ sentMs, answerMs }) => [sentMs, answerMs]), ...taken.map(({ atMs }) => atMs), ...shownPages.map(({ atMs }) => atMs)]);
  return {
    ...query,
    durationMs: Math.max(0, ...times),
    events: [...times].sort((a, b) => a - b).map((atMs) => ({ atMs })),
    requests: shownRequests,
    taken,
    pages: shownPages,
  };
}
