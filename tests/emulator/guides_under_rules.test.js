/** The examples of the guides also work under the rules that the project writes for them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { connect, serverTimestamp, Timestamp } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { Database } from './support/database.js';
import { userToken } from './support/rest.js';

const { counterRules } = await openWorkbench();
/** Rules do not apply to this user. */
const ADMIN = 'admin';

/**
 * @param {import('shardline/workbench').RulesOptions} options
 * @param {string} path Of a counter that is there.
 * @param {string} [more] A block of rules beside those of the counter.
 */
function under(options, path, more = '') {
  const emulator = new Database({ rules: counterRules(options).replace('documents {\n', (line) => line + more) });
  before(async () => {
    await emulator.start();
    const admin = await connect({ projectId: emulator.projectId, host: emulator.url, authToken: () => 'owner' });
    await admin.counter(path, { shards: options.shards }).create();
    await admin.close();
  });
  after(() => emulator.stop());
  return (/** @type {string | undefined} */ uid) => connect({ projectId: emulator.projectId, host: emulator.exactUrl, ...(uid ? { authToken: () => (uid === ADMIN ? 'owner' : userToken(uid, { projectId: emulator.projectId })) } : {}) });
}

const openPage = under({ path: 'pages/{page}', shards: 20, access: 'public' }, 'pages/home');
const openPoll = under({ path: 'posts/{post}', shards: 10, access: 'one-vote' }, 'posts/p1');

const sortByLikes = await readFile(new URL('../../web/guides/sort_by_likes.md', import.meta.url), 'utf8');
const postList = await readFile(new URL('../../web/guides/post_list.md', import.meta.url), 'utf8');
const [, rulesOfPosts] = /```\n(match .*?)```/s.exec(sortByLikes) ?? [];
const openPosts = under({ path: 'posts/{post}', shards: 100, access: 'one-like' }, 'posts/p0', rulesOfPosts);
const openList = under({ path: 'posts/{post}', shards: 100, access: 'one-like' }, 'posts/p0', rulesOfPosts);

test('a view counter counts what a page asks for within a moment', async () => {
  const db = await openPage(undefined);
  const views = db.counter('pages/home', { delivery: 'at-least-once', maxDelta: 1 });
  await Promise.all([views.increment(), views.increment(), views.increment()]);
  assert.equal((await views.get()).value, 3);
  await db.close();
});

test('who votes twice within a moment has voted once, and for good', async () => {
  const db = await openPoll('ann');
  const votes = db.countedSet('posts/p1');
  await Promise.all([votes.add('ann'), votes.add('ann')]);
  assert.equal((await votes.get()).value, 1);
  await assert.rejects(votes.remove('ann'), { code: 'permission-denied' });
  assert.equal(await votes.has('ann'), true);
  assert.equal((await votes.get()).value, 1);
  await db.close();
});

test('users make posts, edit their own and like; only a trusted writer sets the number that the list is sorted by', async () => {
  const [ann, bob, server] = await Promise.all([openPosts('ann'), openPosts('bob'), openPosts(ADMIN)]);
  const post = { title: 'Bread', author: 'ann', at: serverTimestamp(), likes: 0, num_shards: 10 };
  const denied = { code: 'permission-denied' };
  const posts = ann.collection('posts');
  for (const wrong of [{ likes: 7 }, { num_shards: 1 }, { author: 'bob' }, { at: 'today' }, { at: null }]) await assert.rejects(posts.set('p1', { ...post, ...wrong }), denied);
  await posts.set('p1', post);
  await posts.set('p2', { ...post, title: 'Butter' });
  await posts.update('p1', { title: 'Rye bread' });
  await bob.countedSet('posts/p2').add('bob');
  for (const change of [{ likes: 7 }, { num_shards: 1 }, { author: 'bob' }, { at: Timestamp.now() }]) await assert.rejects(posts.update('p1', change), denied);
  await assert.rejects(bob.collection('posts').update('p1', { title: 'Mine' }), denied);
  // The guide's function, which publishes.
  const [, publish = ''] = /(async function publishLikes.*?\n\})\n/s.exec(sortByLikes) ?? [];
  await new Function('db', 'posts', `return (${publish})(['p1', 'p2'])`)(server, server.collection('posts'));
  const { docs } = await bob.collection('posts').orderBy('likes', 'desc').get();
  assert.deepEqual(docs.map(({ data }) => [data().title, data().likes]), [['Butter', 1], ['Rye bread', 0]]);
  await Promise.all([ann.close(), bob.close(), server.close()]);
});

test('a list of posts is what a user with a token sees', async () => {
  const db = await openList('ann');
  const example = (/```js\n(.*?)```\n```text\n(.*?)```/s.exec(postList) ?? []);
  const [code, printed] = [example[1] ?? '', example[2]];
  const run = /** @type {any} */ (Object.getPrototypeOf(async () => {}).constructor)('db', 'serverTimestamp', 'console', code.replace(/^import .*|^const db = .*/gm, ''));
  let output = '';
  await run(db, serverTimestamp, { log: (/** @type {any[]} */ ...words) => { output += `${words.join(' ')}\n`; } });
  assert.equal(output, printed);
});
