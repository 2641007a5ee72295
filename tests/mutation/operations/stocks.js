// The operations of stocks.

import assert from 'node:assert/strict';

/** @typedef {import('./operations.js').Operation} Operation */

const UNITS = 6;

/** @param {any} stock @param {string} key */
const putAllBack = (stock, key) => stock.putBack(undefined, { key }).catch((/** @type {any} */ error) => {
  assert.equal(error.reason, 'stock-not-taken', error.message);
});

/** @param {string} name @param {(stock: any) => Promise<any>} act @param {(result: any) => void} check @returns {Operation} */
const changing = (name, act, check) => ({
  name: `stock: ${name}`,
  writes: true,
  async prepare({ db }) {
    const stock = db.stock('events/e', { shards: 2 });
    await stock.create({ units: UNITS });
    await stock.take(2, { key: 'old', holdFor: '1 h' });
    return stock;
  },
  run: (_, stock) => act(stock),
  check,
  async after(_, stock, { truthful }) {
    for (const key of ['old', 'new']) await putAllBack(stock, key);
    // Units are conserved, also if requests or answers were lost.
    if (truthful && !name.startsWith('add')) assert.equal(await stock.left(), UNITS);
  },
});

/** @type {Operation[]} */
export const STOCK_OPERATIONS = [
  changing('take()', (stock) => stock.take(1, { key: 'new' }), ({ taken }) => assert.equal(taken, true)),
  changing('take() from all shards', (stock) => stock.take(4, { key: 'new' }), ({ taken }) => assert.equal(taken, true)),
  changing('take() more than there is', (stock) => stock.take(5, { key: 'new' }), (result) => assert.deepEqual(result, { taken: false, left: 4 })),
  changing('take() again', (stock) => stock.take(2, { key: 'old' }), ({ taken, heldUntil }) => assert.ok(taken && heldUntil)),
  changing('putBack()', (stock) => stock.putBack(1, { key: 'old' }), (result) => assert.deepEqual(result, { putBack: true, units: 1 })),
  changing('confirm()', (stock) => stock.confirm({ key: 'old' }), (result) => assert.deepEqual(result, { confirmed: true })),
  changing('add()', (stock) => stock.add(3, { key: 'truck' }), ({ added }) => assert.equal(typeof added, 'boolean')),
  {
    ...changing('delete()', (stock) => stock.delete(), ({ deleted }) => assert.ok(deleted <= 3)),
    async after(_, stock, { truthful, error }) {
      if (truthful && !error) await assert.rejects(stock.left(), { reason: 'stock-not-found' });
    },
  },
  changing('create() again', (stock) => stock.create({ units: 9 }), (result) => assert.deepEqual(result, { created: false })),
];
