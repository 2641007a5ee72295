/**
 * Of a string, an index of Firestore's holds 1,500 bytes: Firestore sorts by them, and then by name. Google's emulator sorts by all of it.
 * Queries take either order, and return each document once.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { connect } from 'shardline';

const LONG = 'p'.repeat(1500);
/** By id. The shard is the first letter of the id. @type {Record<string, string>} */
const TEXTS = { x1: `${LONG}Z`, y2: `${LONG}A`, x3: `${LONG}M`, y4: `${LONG}é`, y5: 'b', x6: 'z', x7: `${LONG}C`, y8: LONG };

/** @param {string} text */
const whole = (text) => Buffer.from(text);
/** @param {string} text */
const cut = (text) => whole(text).subarray(0, 1500);

/**
 * A server that sorts `body` by the result of `key`.
 * @param {(text: string) => Buffer} key
 */
function serverThat(key) {
  const compare = (/** @type {[string, string]} */ a, /** @type {[string, string]} */ b) => Buffer.compare(key(a[1]), key(b[1])) || (a[0] < b[0] ? -1 : Number(a[0] > b[0]));
  const sorted = Object.entries(TEXTS).sort(compare);
  const time = new Date().toISOString();
  const fetch = async (/** @type {unknown} */ url, /** @type {any} */ init) => {
    const { where, startAt, limit, orderBy } = JSON.parse(Buffer.from(init.body).toString()).structuredQuery;
    const shards = where ? ['x', 'y'].filter((shard) => JSON.stringify(where).includes(`"${shard}"`)) : ['x', 'y'];
    const turn = orderBy[0].direction === 'DESCENDING' ? -1 : 1;
    const [value, name] = startAt?.values ?? [];
    const after = value && /** @type {[string, string]} */ ([name.referenceValue.split('/').pop(), value.stringValue]);
    const found = (turn < 0 ? sorted.toReversed() : sorted).filter((one) => shards.includes(one[0][0] ?? '') && (!after || compare(one, after) * turn > 0));
    const documents = found.slice(0, limit?.value ?? limit).map(([id, text]) => ({
      document: { name: `projects/p/databases/(default)/documents/d/${id}`, fields: { shard: { stringValue: id[0] }, body: { stringValue: text } }, createTime: time, updateTime: time }, readTime: time,
    }));
    return new Response(JSON.stringify(documents.length > 0 ? documents : [{ readTime: time }]), { headers: { 'content-type': 'application/json' } });
  };
  return { ids: sorted.map(([id]) => id), fetch: /** @type {typeof globalThis.fetch} */ (fetch) };
}

for (const [order, key] of /** @type {const} */ ([['the first 1,500 bytes, then names', cut], ['all of a value', whole]])) {
  describe(`a server that sorts by ${order}`, () => {
    for (const direction of /** @type {const} */ (['asc', 'desc'])) {
      test(`pages of an ordinary collection, ${direction}`, async () => {
        const { ids, fetch } = serverThat(key);
        const db = await connect({ projectId: 'p', host: 'https://firestore.invalid', fetch, storage: 'memory' });
        for (const limit of [10, 3, 1]) {
          assert.deepEqual(await pages(db.collection('d').orderBy('body', direction).limit(limit)), direction === 'asc' ? ids : ids.toReversed(), `${limit}`);
        }
        await db.close();
      });

      test(`two chunks of shards, ${direction}`, async () => {
        const { ids, fetch } = serverThat(key);
        const db = await connect({ projectId: 'p', host: 'https://firestore.invalid', fetch, storage: 'memory' });
        const rows = db.shardedCollection('d', { shards: ['x', ...Array.from({ length: 40 }, (_, i) => `${i}`), 'y'], orderField: 'body' });
        const found = await pages((direction === 'desc' ? rows.newestFirst() : rows).limit(10));
        assert.deepEqual([...found].sort(), [...ids].sort());
        if (key === cut) assert.deepEqual(found, direction === 'asc' ? ids : ids.toReversed());
        await db.close();
      });
    }
  });
}

/** The ids of all documents, page by page. @param {any} query */
async function pages(query) {
  /** @type {string[]} */
  const ids = [];
  for (let page = await query.get(); ; page = await query.continueFrom(page.nextToken).get()) {
    ids.push(...page.docs.map((/** @type {{id: string}} */ { id }) => id));
    if (page.nextToken === null) return ids;
  }
}
