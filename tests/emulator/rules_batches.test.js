/** Batches under the rules of counterRules(), on Google's emulator: their marker is that of every commit. Attacks on it: rules.test.js. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { faults } from './support/fault_proxy.js';
import { integer, loadRules } from './support/rules_world.js';
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
  const rules = counterRules({ path: 'posts/{post}', shards: 3, maxDelta: 5, ...options });
  const withOwn = rules.replace('    // [shardline', `${OWN}    // [shardline`);
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

test('batches are applied, refused and withdrawn', async () => {
  const { owner, open, token } = await underRules();
  const db = await open(null);
  const likes = db.counter('posts/p1', { maxDelta: 5 });
  const aBatch = () => db.batch().create(`orders/${crypto.randomUUID()}`, { state: 'open' }).increment(likes, 5);
  await aBatch().commit();
  // The server checks rules before preconditions: rules refuse a repeated commit, and its marker says that it was applied.
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

test('users’ batches are for users, and increment their counters', async () => {
  const { open, token } = await underRules({ access: 'signed-in' });
  const [nobody, ann] = [await open(null), await open(token)];
  await assert.rejects(nobody.batch().create('orders/1', { state: 'open' }).commit(), shardlineError('permission-denied'));
  const likes = ann.counter('posts/p1', { maxDelta: 5 });
  await ann.batch().create('orders/1', { state: 'open' }).increment(likes, 5).commit();
  assert.equal((await likes.get()).value, 5);
  await assert.rejects(ann.batch().increment(ann.counter('posts/p1'), 6).commit(), shardlineError('permission-denied'));
  await Promise.all([nobody.close(), ann.close()]);
});

for (const access of /** @type {const} */ (['one-like', 'one-vote'])) {
  test(`a batch writes documents beside a set, and does not count in it, ${access}`, async () => {
    const { open, token } = await underRules({ access, maxDelta: 1 });
    const ann = await open(token);
    await ann.batch().create('orders/1', { state: 'open' }).commit();
    await assert.rejects(ann.batch().increment(ann.counter('posts/p1'), 1).commit(), shardlineError('permission-denied'));
    await ann.close();
  });
}
