/** What the guides show holds under the rules that the project writes for it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { Database } from './support/database.js';
import { userToken } from './support/rest.js';

const { counterRules } = await openWorkbench();

/** @param {import('shardline/workbench').RulesOptions} options @param {string} path */
function under(options, path) {
  const emulator = new Database({ rules: counterRules(options) });
  before(async () => {
    await emulator.start();
    const admin = await connect({ projectId: emulator.projectId, host: emulator.url, authToken: () => 'owner' });
    await admin.counter(path, { shards: options.shards }).create();
    await admin.close();
  });
  after(() => emulator.stop());
  return (/** @type {string | undefined} */ uid) => connect({ projectId: emulator.projectId, host: emulator.exactUrl, ...(uid ? { authToken: () => userToken(uid, { projectId: emulator.projectId }) } : {}) });
}

const openPage = under({ path: 'pages/{page}', shards: 20, access: 'public' }, 'pages/home');
const openPoll = under({ path: 'posts/{post}', shards: 10, access: 'one-vote' }, 'posts/p1');

test('a view counter counts what a page asks for within a moment', async () => {
  const db = await openPage(undefined);
  const views = db.counter('pages/home', { delivery: 'at-least-once', maxDelta: 1 });
  await Promise.all([views.increment(), views.increment(), views.increment()]);
  assert.equal((await views.get()).value, 3);
  await db.close();
});

test('who votes twice within a moment has voted once, and for good', async () => {
  const db = await openPoll('ann');
  const votes = db.counter('posts/p1');
  await Promise.all([votes.add('ann'), votes.add('ann')]);
  assert.equal((await votes.get()).value, 1);
  await assert.rejects(votes.remove('ann'), { code: 'permission-denied' });
  assert.equal(await votes.has('ann'), true);
  assert.equal((await votes.get()).value, 1);
  await db.close();
});
