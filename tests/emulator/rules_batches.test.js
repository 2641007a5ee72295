/** The rules for the markers of batches, on Google's emulator: what the library does is allowed, attacks are not. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { faults } from './support/fault_proxy.js';
import { inDays, integer, loadRules, text } from './support/rules_world.js';
import { RestClient, userToken } from './support/rest.js';
import { shardlineError } from './support/shardline_error.js';
import { startStage } from './support/stage.js';

const { counterRules } = await openWorkbench();
const stage = await startStage();
const { emulator, proxy } = stage;
after(() => stage.stop());

const OWN = `    match /orders/{order} {
      allow read, create: if request.resource.data.state == 'open';
      allow update: if request.auth != null;
    }
`;

/** @param {Partial<import('shardline/workbench').CounterRulesOptions>} [options] */
async function underRules(options) {
  const rules = counterRules({ path: 'posts/{post}', shards: 3, maxDelta: 5, batches: true, ...options });
  const withOwn = rules.replace('    // Distributed counters.', `${OWN}    // Distributed counters.`);
  const { projectId, problem, warnings } = await loadRules(emulator.url, withOwn);
  assert.equal(problem + warnings, '');
  const owner = new RestClient({ url: emulator.url, projectId });
  await owner.set('posts/p1', { num_shards: integer(3) });
  proxy.reset();
  /** @param {string | null} token */
  const open = (token) => connect({
    projectId, host: proxy.url, storage: 'memory', retry: { initialDelayMs: 1, maxDelayMs: 5 }, authToken: token === null ? undefined : () => token,
  });
  return { projectId, owner, open, token: userToken('ann', { projectId }) };
}

/** @param {RestClient} rest @param {string} path @param {Record<string, object>} fields */
const put = (rest, path, fields) => ({ update: { name: rest.name(path), fields } });
const ID = 'B'.repeat(20);
const marker = (changes = {}) => ({ applied: { booleanValue: true }, expireAt: inDays(45), ...changes });

test('batches are applied, refused and withdrawn', async () => {
  const { owner, open, token } = await underRules();
  const db = await open(null);
  const likes = db.counter('posts/p1', { maxDelta: 5 });
  const aBatch = () => db.batch().create(`orders/${crypto.randomUUID()}`, { state: 'open' }).increment(likes, 5);
  await aBatch().commit();
  // Rules are asked before preconditions: they refuse what arrives again, and its marker says that it was applied.
  for (const each of [[faults.dropResponse()], [faults.duplicate()], [faults.dropRequest()], [faults.dropResponse(), null, faults.aborted()]]) {
    proxy.script(...each);
    await aBatch().commit();
  }
  assert.equal((await likes.get()).value, 25);
  assert.equal((await owner.list('orders')).length, 5);
  await assert.rejects(aBatch().create('orders/x', { state: 'closed' }).commit(), shardlineError('permission-denied', /counterRules/));
  const lost = aBatch();
  proxy.choose(({ verb }) => (verb === 'commit' ? faults.dropRequest() : null));
  await assert.rejects(lost.commit(), shardlineError('outcome-unknown'));
  const late = JSON.parse(proxy.requests.findLast(({ verb }) => verb === 'commit')?.body ?? '');
  proxy.reset();
  assert.deepEqual(await lost.withdraw(), { applied: false });
  assert.notEqual((await new RestClient({ url: emulator.url, projectId: owner.projectId, token: null }).post('commit', late)).status, 200);
  assert.equal((await likes.get()).value, 25);
  await db.close();
  const user = await open(token);
  await user.batch().increment(user.counter('posts/p1'), 1).commit();
  await user.close();
});

test('users’ markers are for users', async () => {
  const { open, token } = await underRules({ access: 'signed-in' });
  const [nobody, ann] = [await open(null), await open(token)];
  await assert.rejects(nobody.batch().create('orders/1', { state: 'open' }).commit(), shardlineError('permission-denied'));
  await ann.batch().create('orders/1', { state: 'open' }).commit();
  // What a user counts must be in the user's ledger, and a batch writes none.
  await assert.rejects(ann.batch().increment(ann.counter('posts/p1'), 1).commit(), shardlineError('permission-denied'));
  await Promise.all([nobody.close(), ann.close()]);
});

test('attacks are refused', async () => {
  const { owner, projectId } = await underRules();
  const path = `shardline_batches/${ID}`;
  const anyone = new RestClient({ url: emulator.url, projectId, token: null });
  await owner.set(path, marker());
  /** As answers are worded in many ways: what cannot stay when something is written. */
  const versions = async () => (await owner.list('shardline_batches')).map(({ name, updateTime }) => [name, Date.parse(updateTime)]);
  const untouched = await versions();
  const other = `shardline_batches/${'C'.repeat(20)}`;
  const attacks = {
    'delete a marker': [{ delete: owner.name(path) }],
    'write a marker again': [put(owner, path, marker())],
    'withdraw what was applied': [put(owner, path, marker({ applied: { booleanValue: false } }))],
    'make it expire': [{ ...put(owner, path, { expireAt: inDays(-1) }), updateMask: { fieldPaths: ['expireAt'] } }],
    'delete it, and write it anew': [{ delete: owner.name(path) }, put(owner, path, marker())],
    'write one with another field': [put(owner, other, marker({ more: text('x') }))],
    'write one with another field in place of one': [put(owner, other, { applied: { booleanValue: true }, more: text('x') })],
    'write one that does not say so': [put(owner, other, marker({ applied: text('true') }))],
    'write one without an end': [put(owner, other, { applied: { booleanValue: true } })],
    'write one with a short id': [put(owner, 'shardline_batches/b', marker())],
    'write one with a long id': [put(owner, `shardline_batches/${'B'.repeat(1000)}`, marker())],
    'write below one': [put(owner, `${other}/more/1`, marker())],
    'write one elsewhere': [put(owner, `posts/p1/shardline_batches/${ID}`, marker())],
    ...Object.fromEntries([-1, 1, 27, 63, 40_000].map((days) => [`write one for ${days} days`, [put(owner, other, marker({ expireAt: inDays(days) }))]])),
  };
  for (const [what, writes] of Object.entries(attacks)) {
    const { status, text: body } = await anyone.post('commit', { writes });
    assert.equal(status, 403, `${what}: ${status} ${body.slice(0, 500)}`);
  }
  const listed = await anyone.post('runQuery', { structuredQuery: { from: [{ collectionId: 'shardline_batches' }] } });
  assert.equal(listed.status, 403, 'markers are in no list');
  assert.deepEqual(await versions(), untouched);
  await anyone.commit([put(owner, other, marker())]);
});
