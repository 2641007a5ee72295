/** Stocks under the rules of stockRules(), attacked with a REST client, on Google's emulator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { openDatabase } from './support/database.js';
import { RestClient, userToken } from './support/rest.js';
import { ADMIN, double, inDays, integer, loadRules, text } from './support/rules_world.js';
import { shardlineError } from './support/shardline_error.js';
import { until } from './support/until.js';

const { joinStockRules, stockRules } = await openWorkbench();
const CHANGE = 'C'.repeat(20);
const EVENT = 'events/e1';

/** @type {import('./support/database.js').Database} */
let emulator;
before(async () => {
  emulator = await openDatabase();
});
after(() => emulator.stop());

/** A stock under rules, and its users. */
class World {
  /**
   * @param {Partial<import('shardline/workbench').StockRulesOptions>} [options]
   * @param {string} [file] The app's rules, which the rules of stocks join.
   */
  constructor(options, file) {
    this.file = file;
    this.options = { path: 'events/{event}', maxUnits: 3, admin: ADMIN, ...options };
  }

  async start() {
    const text = this.file === undefined ? stockRules(this.options) : joinStockRules(this.file, this.options).text;
    const { projectId, problem, warnings } = await loadRules(emulator.exactUrl, text);
    assert.equal(problem + warnings, '');
    this.projectId = projectId;
    this.owner = this.rest('owner');
    return this;
  }

  /** @param {string | null} token */
  rest(token) {
    return new RestClient({ url: emulator.url, projectId: /** @type {string} */ (this.projectId), ...(token !== 'owner' && { token }) });
  }

  /** @param {string} uid @param {object} [claims] */
  token(uid, claims = {}) {
    return userToken(uid, { projectId: /** @type {string} */ (this.projectId), ...claims });
  }

  /** The library. @param {string} [uid] @param {object} [claims] */
  open(uid, claims) {
    return connect({
      projectId: /** @type {string} */ (this.projectId), host: emulator.url, storage: 'memory', retry: { initialDelayMs: 20 },
      authToken: uid === undefined ? undefined : () => this.token(uid, claims),
    });
  }

  /** @param {string} path @param {Record<string, object | undefined>} fields */
  put(path, fields) {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return { update: { name: /** @type {RestClient} */ (this.owner).name(`${EVENT}/${path}`), fields: Object.fromEntries(given) } };
  }

  /** @param {string} id @param {number} by @param {string} other */
  shard(id, by, other) {
    return {
      ...this.put(`stock_shards/${id}`, { by: text(other) }), updateMask: { fieldPaths: ['by'] },
      updateTransforms: [{ fieldPath: 'left', increment: integer(by) }],
    };
  }

  /** @param {string} key @param {number} units @param {Record<string, object | undefined>} [changes] */
  take(key, units, changes = {}) {
    return this.put(`stock_takes/${key}`, {
      units: integer(units), shard: text('0'), change: text(CHANGE), before: text(''), ...(units === 0 && { expireAt: inDays(45) }), ...changes,
    });
  }

  /** Shards with 5, 1 and 0 units, and takes: of Ben 2 units, of Cleo none any more, of Dan a hold that has ended, of Eve one that has not. */
  async reset() {
    const owner = /** @type {RestClient} */ (this.owner);
    await owner.deleteAll();
    const ago = { timestampValue: new Date(Date.now() - 60_000).toISOString() };
    await owner.commit([
      ...[5, 1, 0].map((left, i) => this.put(`stock_shards/${i}`, { left: integer(left) })),
      this.take('ben', 2), this.take('cleo', 0), this.take('dan', 1, { heldUntil: ago }), this.take('eve', 1, { heldUntil: inDays(1) }),
    ]);
  }
}

/**
 * Commits that an attacker may send with a REST client.
 * @param {World} world
 * @returns {{what: string, writes: object[], as?: string}[]}
 */
function attacksOn(world) {
  const down = (/** @type {number} */ by = -1, id = '0', other = 'take:ann') => world.shard(id, by, other);
  const now = { timestampValue: new Date().toISOString() };
  return [
    { what: 'take from a shard alone', writes: [down()] },
    { what: 'set a shard', writes: [world.put('stock_shards/0', { left: integer(100), by: text('take:ann') })] },
    { what: 'make a shard', writes: [world.put('stock_shards/7', { left: integer(9), by: text('take:ann') })] },
    { what: 'delete a shard', writes: [{ delete: world.put('stock_shards/0', {}).update.name }] },
    { what: 'add units to a shard', writes: [down(1)] },
    { what: 'name a take that changes nothing', writes: [down(-1, '0', 'take:ben')] },
    { what: 'take units without the shard', writes: [world.take('ann', 1)] },
    { what: 'take more than the shard gives', writes: [world.take('ann', 2), down(-1)] },
    { what: 'take less than the shard gives', writes: [world.take('ann', 1), down(-2)] },
    { what: 'take below zero', writes: [world.take('ann', 2, { shard: text('1') }), down(-2, '1')] },
    { what: 'take more than one may', writes: [world.take('ann', 4), down(-4)] },
    { what: 'take a fraction', writes: [world.take('ann', 1, { units: double(0.5) }), { ...down(), updateTransforms: [{ fieldPath: 'left', increment: double(-0.5) }] }] },
    { what: 'take a negative number', writes: [world.take('ann', -1), down(1)] },
    { what: 'take from two shards', writes: [world.take('ann', 1), down(), down(-1, '1')] },
    { what: 'take from another shard than said', writes: [world.take('ann', 1), down(-1, '1')] },
    { what: 'have two takes of one unit', writes: [world.take('ann', 1), world.take('ann.2', 1), down()] },
    { what: 'take as nobody', writes: [world.take('ann', 1), down()], as: '' },
    { what: 'take for another', writes: [world.take('fay', 1), down(-1, '0', 'take:fay')] },
    { what: 'take again with the same key', writes: [world.take('ben', 2), down(-2, '0', 'take:ben')], as: 'ben' },
    { what: 'get more with the same key', writes: [world.take('ben', 3), down(-1, '0', 'take:ben')], as: 'ben' },
    { what: 'put back what was never taken', writes: [world.take('ann', 0), down(1)] },
    { what: 'put back more than was taken', writes: [world.take('ben', 0), down(3, '0', 'take:ben')], as: 'ben' },
    { what: 'put back to two shards', writes: [world.take('ben', 0), down(2, '0', 'take:ben'), down(2, '1', 'take:ben')], as: 'ben' },
    { what: 'put back twice', writes: [world.take('cleo', 0), down(1, '0', 'take:cleo')], as: 'cleo' },
    { what: 'put back what another has taken', writes: [world.take('ben', 0), down(2, '0', 'take:ben')] },
    { what: 'drop units', writes: [world.take('ben', 0)], as: 'ben' },
    { what: 'end a hold of another before its time', writes: [world.take('eve', 0), down(1, '0', 'take:eve')] },
    { what: 'end a hold of another without its units', writes: [world.take('dan', 0)] },
    { what: 'have the hold of another', writes: [world.take('dan', 1)] },
    { what: 'end a hold that is none', writes: [world.take('ben', 0), down(2, '0', 'take:ben')] },
    { what: 'hold for ever', writes: [world.take('ann', 1, { heldUntil: inDays(40) }), down()] },
    { what: 'put off the end of a hold', writes: [world.take('eve', 1, { heldUntil: inDays(2) })], as: 'eve' },
    { what: 'make a hold of a take', writes: [world.take('ben', 2, { heldUntil: now })], as: 'ben' },
    { what: 'delete a take', writes: [{ delete: world.take('ben', 1).update.name }], as: 'ben' },
    { what: 'let a take with units expire', writes: [world.take('ann', 1, { expireAt: inDays(45) }), down()] },
    { what: 'let a take without units stay', writes: [world.take('ben', 0, { expireAt: undefined }), down(2, '0', 'take:ben')], as: 'ben' },
    { what: 'move units of one shard to none', writes: [world.shard('0', -1, 'shard:1')] },
    { what: 'move more than goes', writes: [world.shard('0', -1, 'shard:1'), world.shard('1', 2, 'shard:0')] },
    { what: 'move in a ring', writes: [world.shard('0', -1, 'shard:1'), world.shard('1', 1, 'shard:0'), world.shard('2', 1, 'shard:0')] },
    { what: 'move below zero', writes: [world.shard('1', -2, 'shard:0'), world.shard('0', 2, 'shard:1')] },
    { what: 'move to itself', writes: [world.shard('0', 1, 'shard:0')] },
    { what: 'add units', writes: [world.put('stock_adds/a', { units: integer(5), change: text(CHANGE), expireAt: inDays(45) }), world.shard('0', 5, 'add')] },
    ...['units', 'shard', 'change', 'before'].flatMap((name) => [
      { what: `take without ${name}`, writes: [world.take('ann', 1, { [name]: undefined }), down()] },
      { what: `take with a wrong ${name}`, writes: [world.take('ann', 1, { [name]: { mapValue: {} } }), down()] },
    ]),
    { what: 'take with another field', writes: [world.take('ann', 1, { x: text('x') }), down()] },
    { what: 'write another field of a shard', writes: [world.take('ann', 1), { ...down(), update: world.put('stock_shards/0', { by: text('take:ann'), x: text('x') }).update, updateMask: { fieldPaths: ['by', 'x'] } }] },
  ];
}

/** @param {Promise<unknown>} promise */
const refused = (promise) => assert.rejects(promise, (/** @type {any} */ error) => {
  assert.equal(error.code?.toLowerCase().replace('_', '-'), 'permission-denied', `${error}`);
  return true;
});

describe('users with keys of their own', () => {
  /** @type {World} */
  let world;
  before(async () => {
    world = await new World({ access: 'signed-in' }).start();
  });

  test('attacks are refused, and change nothing', async () => {
    await world.reset();
    for (const { what, writes, as = 'ann' } of attacksOn(world)) {
      await refused(world.rest(as === '' ? null : world.token(as)).commit(writes)).catch((error) => {
        throw new Error(`${what}: ${error.message}`, { cause: error });
      });
    }
  });

  test('what the library does is allowed', async () => {
    await world.reset();
    const ann = world.rest(world.token('ann'));
    await ann.commit([world.take('ann', 1), world.shard('0', -1, 'take:ann')]);
    await ann.commit([world.take('dan', 0), world.shard('0', 1, 'take:dan')]);
    await ann.commit([world.shard('0', -2, 'shard:2'), world.shard('2', 2, 'shard:0')]);
    await world.rest(world.token('eve')).commit([world.take('eve', 1)]);
    await ann.commit([world.take('ann', 0), world.shard('1', 1, 'take:ann')].map((write, i) => (i === 0 ? world.take('ann', 0, { shard: text('1') }) : write)));
  });

  test('users cannot read the takes of others, nor find them', async () => {
    await world.reset();
    const db = await world.open('ann');
    await refused(world.rest(world.token('ann')).get(`${EVENT}/stock_takes/ben`));
    await refused(world.rest(world.token('ann')).list(`${EVENT}/stock_takes`));
    await db.close();
  });

  test('the library, to the last unit, with holds', async () => {
    await /** @type {RestClient} */ (world.owner).deleteAll();
    const admin = await world.open('root', { admin: true });
    await admin.stock(EVENT, { shards: 3 }).create({ units: 8 });
    assert.deepEqual(await admin.stock(EVENT, { shards: 3 }).add(2), { added: true });
    const users = await Promise.all(Array.from({ length: 12 }, (_, i) => world.open(`u${i}`)));
    const stocks = users.map((user) => user.stock(EVENT, { shards: 3 }));
    const held = await Promise.all(stocks.slice(0, 2).map((stock, i) => stock.take(2, { key: `u${i}`, holdFor: 1000 })));
    assert.ok(held.every(({ taken }) => taken));
    assert.deepEqual(await stocks[0].confirm({ key: 'u0' }), { confirmed: true });
    // Six are served; and two more when the hold of u1 has ended. Whoever asks again has no other ticket.
    const ask = () => Promise.all(stocks.slice(2).map((stock, i) => stock.take(1, { key: `u${i + 2}.first` })));
    await until(async () => (await ask()).filter(({ taken }) => taken).length === 8);
    assert.equal(await stocks[0].left(), 0);
    assert.deepEqual(await stocks[0].putBack(1, { key: 'u0' }), { putBack: true, units: 1 });
    await assert.rejects(stocks[1].putBack(1, { key: 'u0' }), shardlineError('permission-denied'));
    await assert.rejects(stocks[1].take(1), shardlineError('permission-denied', /stockRules/));
    await assert.rejects(stocks[1].add(1), shardlineError('permission-denied'));
    await assert.rejects(stocks[1].delete(), shardlineError('permission-denied'));
    // Three shards, ten takes and the key of the added units.
    assert.deepEqual(await admin.stock(EVENT).delete(), { deleted: 14 });
    assert.deepEqual(await /** @type {RestClient} */ (world.owner).list(`${EVENT}/stock_takes`), []);
    await Promise.all([admin, ...users].map((each) => each.close()));
  });
});

test('everyone, with keys that the library draws', async () => {
  const world = await new World({ access: 'public', maxUnits: 2 }).start();
  await world.reset();
  const db = await world.open();
  const stock = db.stock(EVENT, { shards: 3 });
  const first = await stock.take(2);
  assert.ok(first.taken);
  assert.deepEqual(await stock.putBack(undefined, { key: first.key }), { putBack: true, units: 0 });
  await assert.rejects(stock.take(3), shardlineError('permission-denied'));
  await assert.rejects(stock.take(1, { key: 'short' }), shardlineError('permission-denied'));
  const results = await Promise.all(Array.from({ length: 9 }, () => stock.take()));
  // Dan's hold has ended.
  assert.equal(results.filter(({ taken }) => taken).length, 7);
  await db.close();
});

test('each user once', async () => {
  const world = await new World({ access: 'one-take' }).start();
  await world.reset();
  const db = await world.open('ann');
  const stock = db.stock(EVENT, { shards: 3 });
  assert.equal((await stock.take(1, { key: 'ann' })).taken, true);
  await assert.rejects(stock.take(1, { key: 'ann.2' }), shardlineError('permission-denied'));
  await db.close();
});

test('a hold that the server alone confirms', async () => {
  const world = await new World({ access: 'one-take', confirm: 'server' }).start();
  await world.reset();
  const db = await world.open('ann');
  const stock = db.stock(EVENT, { shards: 3 });
  await assert.rejects(stock.take(1, { key: 'ann' }), shardlineError('permission-denied'));
  assert.equal((await stock.take(1, { key: 'ann', holdFor: '5 min' })).taken, true);
  await assert.rejects(stock.confirm({ key: 'ann' }), shardlineError('permission-denied'));
  const admin = await world.open('root', { admin: true });
  assert.deepEqual(await admin.stock(EVENT).confirm({ key: 'ann' }), { confirmed: true });
  await Promise.all([db.close(), admin.close()]);
});

test('rules that join a file act in it, and the app’s own still act', async () => {
  const own = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{db}/documents {\n    match /pages/{page} {\n      allow write: if true;\n    }\n  }\n}\n";
  const joined = joinStockRules(own, { path: 'events/{event}' });
  assert.deepEqual(joined.findings, []);
  assert.equal(joinStockRules(joined.text, { path: 'events/{event}' }).text, joined.text, 'joined once more');
  const world = await new World({ access: 'one-take' }, own).start();
  await world.reset();
  const db = await world.open('ann');
  assert.equal((await db.stock(EVENT, { shards: 3 }).take(1, { key: 'ann' })).taken, true);
  await assert.rejects(db.stock(EVENT, { shards: 3 }).take(1, { key: 'ben.2' }), shardlineError('permission-denied'));
  await db.collection('pages').set('p', { title: 'A' });
  await refused(world.rest(world.token('ann')).commit([world.put('stock_shards/0', { left: integer(100), by: text('take:ann') })]));
  await db.close();
});

test('options that are none are refused', () => {
  for (const options of [{}, { path: 'events' }, { path: 'e/{take}' }, { path: 'e/{e}', maxUnits: 0 }, { path: 'e/{e}', access: 'all' }, { path: 'e/{e}', confirm: 1 }, { path: 'e/{e}', admin: '(' }, { path: 'e/{e}', shards: 3 }]) {
    assert.throws(() => stockRules(/** @type {any} */ (options)), { code: 'invalid-argument' });
  }
});
