// The operations of batches.

import assert from 'node:assert/strict';
import { increment } from 'shardline';

/** @typedef {import('./operations.js').Operation} Operation */

/** @param {string} name @param {boolean} isKnown Whether the number of shards is known. @returns {Operation} */
const committing = (name, isKnown) => ({
  name: `batch: ${name}`,
  writes: true,
  async prepare({ db }) {
    await db.counter('posts/p1', { shards: 3 }).create();
    const stock = db.shardedCollection('stock', { shards: ['x', 'y'] });
    const batch = db.batch().increment(db.counter('posts/p1', isKnown ? { shards: 3 } : {}), 5).set('sums/s', { n: increment(1) }, { merge: true });
    return { batch, stock, added: batch.add(stock, { timestamp: 1 }) };
  },
  run: (_, { batch }) => batch.commit(),
  check(result) {
    assert.equal(result.writes, 3);
  },
  async after({ db }, { batch, stock, added }, { truthful, error }) {
    if (!truthful) return;
    const isApplied = await stock.exists(added.id);
    const expectApplied = async (/** @type {number} */ times) => {
      assert.equal((await db.counter('posts/p1', { shards: 3 }).get()).value, 5 * times);
      assert.equal((await db.collection('sums').get('s'))?.data().n ?? 0, times);
    };
    await expectApplied(isApplied ? 1 : 0);
    if (!error) return assert.ok(isApplied);
    if (error.code !== 'outcome-unknown') assert.ok(!isApplied, `${error}`);
    const { applied } = await batch.withdraw();
    assert.equal(applied, isApplied);
    await expectApplied(isApplied ? 1 : 0);
  },
});

/** @type {Operation[]} */
export const BATCH_OPERATIONS = [committing('commit()', true), committing('commit(), shards to be asked for', false)];
