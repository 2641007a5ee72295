// The operations of sequences of ids.

import assert from 'node:assert/strict';

/** @typedef {import('./operations.js').Operation} Operation */

/** @param {(number | bigint)[]} ids */
function assertUnique(ids) {
  assert.equal(new Set(ids.map(String)).size, ids.length, `${ids}`);
  for (const id of ids) assert.ok(id > 0, `${id}`);
}

/** @param {object} options @param {string} name @param {(ids: any, given: any[]) => Promise<any>} act @returns {Operation} */
const taking = (options, name, act) => ({
  name: `ids: ${name}`,
  writes: true,
  async prepare({ db }) {
    await db.ids('sequences/s', { shards: 2, maxShards: 10, block: 3 }).create();
    return { ids: db.ids('sequences/s', { block: 3, ...options }), given: [] };
  },
  run: (_, { ids, given }) => act(ids, given),
  check() {},
  async after({ db }, { ids, given }, { truthful }) {
    for (let i = 0; i < 5; i += 1) given.push(await ids.next());
    given.push(...await db.ids('sequences/s', { shards: 2 }).take(7));
    if (truthful) assertUnique(given);
    else assertUnique(given.slice(-7));
  },
});

/** @type {Operation[]} */
export const ID_OPERATIONS = [
  taking({}, 'next(), shards to be asked for', async (ids, given) => given.push(await ids.next())),
  taking({ shards: 2 }, 'next() at once', async (ids, given) => {
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(() => ids.next()));
    for (const result of results) if (result.status === 'fulfilled') given.push(result.value);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
  }),
  taking({ shards: 5 }, 'take(), fewer shards than believed', async (ids, given) => given.push(...await ids.take(11))),
  taking({}, 'resize() to more', (ids) => ids.resize(4)),
  taking({}, 'resize() to fewer', (ids) => ids.resize(1)),
  taking({}, 'create() again', (ids) => ids.create()),
  {
    name: 'ids: create()',
    writes: true,
    prepare: async ({ db }) => db.ids('sequences/new', { shards: 3, block: 4 }),
    run: (_, ids) => ids.create(),
    check(result) {
      assert.equal(result.shards, 3);
    },
    async after(_, ids) {
      await ids.create();
      assertUnique([...await ids.take(5), await ids.next(), await ids.next()]);
    },
  },
];
