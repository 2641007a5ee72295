/** The apps of the guide to frameworks: the test builds each from the guide's text, with the Firestore inside the page, and presses its button. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../browser/support/run.js';
import { serveFolder } from '../browser/support/static_server.js';
import { makeApp, packLibrary, startBrowser, WEB } from './app.js';

/** A block of code, whose first line says which file it is. */
const BLOCK = /```\w+\n(?<code>(?:\/\/|<!--) (?<file>[\w.-]+).*?)```\n/gs;
/** @param {string} name @returns {Promise<Record<string, string>>} The files that a guide shows. */
async function filesOf(name) {
  const guide = await readFile(join(WEB, `guides/${name}.md`), 'utf8');
  return Object.fromEntries([...guide.matchAll(BLOCK)].map(({ groups }) => [groups?.file, groups?.code ?? '']));
}
const [shown, list] = await Promise.all([filesOf('frameworks'), filesOf('post_list')]);

/**
 * In place of the guide's, which needs a project: the same names, and somebody else who counts. The first attempt to open fails, who signs
 * in is for the test to say, and so is whether there is a network, and whether the server refuses what is written.
 */
const DB = `import { connect } from 'shardline/counters';
import { openWorkbench } from 'shardline/workbench';

const { createEmbeddedFirestore } = await openWorkbench();
const { fetch } = await createEmbeddedFirestore({ limits: 'none' });
const refusal = () => new Response('{"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "Not you."}}', { status: 403 });
const guarded = Object.assign(async (url, init) => {
  if (globalThis.isOffline) throw new TypeError('no network');
  return globalThis.refuses && String(url).endsWith(':commit') ? refusal() : fetch(url, init);
}, { host: fetch.host });
const db = await connect({ projectId: 'demo', fetch: guarded, storage: 'memory' });
const otherDb = await connect({ projectId: 'demo', fetch, storage: 'memory' });
const others = otherDb.countedSet('posts/p1', { shards: 10, flushMs: 0 });
const press = (count) => otherDb.counter('posts/p1', { shards: 10, flushMs: 0 }).increment(count);
await press(1233);
await others.add('cem');
Object.assign(globalThis, { db, others, press });
export async function openDatabase() {
  if (!globalThis.opens) throw new Error('The module could not be loaded.');
  return db;
}
export async function openLikes() {
  return (await openDatabase()).countedSet('posts/p1', { shards: 10 });
}
export function watchUser(listener) {
  globalThis.signIn = listener;
  listener(null);
  return () => {};
}
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>App</title></head><body><div id="app"></div><script type="module" src="./main.jsx"></script></body></html>
`;

/** @type {string} */
let tarball;
/** @type {import('@playwright/test').Browser} */
let browser;

before(async () => {
  [tarball, browser] = await Promise.all([packLibrary('frameworks'), startBrowser()]);
});
after(() => browser?.close());

/**
 * Builds an app with Vite, and presses its button.
 * @param {string} name
 * @param {Record<string, string>} files
 * @param {string[]} packages
 * @param {string} [button] Of the element: its name.
 */
async function expectLikeButton(name, files, packages, button) {
  const folder = await makeApp(name, { 'index.html': PAGE, 'db.js': DB, 'say.js': shown['say.js'] ?? '', ...files }, [tarball, 'vite@8', ...packages]);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error'], { cwd: folder });
  const server = await serveFolder(join(folder, 'dist'));
  const page = await browser.newPage({ locale: 'en-US' });
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused write, and what the element says to developers of a database that could not be opened.
    const isExpected = /40[34]|could not be loaded/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text());
  });
  try {
    await page.goto(server.url);
    /** @param {string} total @param {boolean} pressed */
    const expectShown = (total, pressed) => page.waitForFunction(([text, state]) => {
      const host = document.querySelector('shard-counter[type=like]');
      const found = (host?.shadowRoot ?? document).querySelector('button');
      const value = host?.shadowRoot?.querySelector('[part=value]') ?? found;
      return found?.ariaPressed === state && found.ariaDisabled !== 'true' && !found.disabled && value?.textContent?.includes(text);
    }, [total, String(pressed)]);
    /** @param {boolean} liked @param {number} total */
    const expectCounted = async (liked, total) => {
      await page.evaluate(() => globalThis.db.counter('posts/p1', { shards: 10 }).flush());
      assert.deepEqual(await page.evaluate(async () => [await globalThis.others.has('ann'), (await globalThis.others.get()).value]), [liked, total]);
    };
    const like = page.getByRole('button', button ? { name: button } : {});
    const message = button ? page.locator('shard-counter [part=message]') : page.getByRole('status');
    if (button) {
      await page.waitForFunction('globalThis.signIn');
      await page.evaluate(() => { globalThis.opens = true; });
      await like.click();
      await message.filter({ hasText: 'Sign in' }).waitFor();
    } else {
      await page.getByRole('alert').filter({ hasText: 'This did not work.' }).waitFor();
      await page.evaluate(() => { globalThis.opens = true; });
      await page.getByRole('button', { name: 'Try again' }).click();
      await message.filter({ hasText: 'Sign in' }).waitFor();
      assert.equal(await like.getAttribute('aria-disabled'), 'true', 'nobody has signed in');
      await like.click({ force: true });
    }
    await page.evaluate(() => globalThis.signIn('ann'));
    await expectShown('1,234', false);
    await like.focus();
    await page.keyboard.press('Space');
    await expectShown('1,235', true);
    assert.equal(await like.evaluate((node) => node.matches(':focus')), true, 'whoever uses the keyboard stays on it');
    await page.evaluate(() => globalThis.press(5));
    await expectShown('1,240', true);
    await like.click();
    await expectShown('1,239', false);
    await expectCounted(false, 1239);

    await page.evaluate(() => { globalThis.isOffline = true; });
    for (const [total, pressed] of /** @type {const} */ ([['1,240', true], ['1,239', false], ['1,240', true]])) {
      await like.click();
      await expectShown(total, pressed);
    }
    assert.equal(await message.textContent(), '', 'a press without a network is no failure');
    await page.evaluate(() => {
      globalThis.isOffline = false;
      dispatchEvent(new Event('online'));
    });
    await expectCounted(true, 1240);

    await page.evaluate(() => { globalThis.refuses = true; });
    await like.click();
    await message.filter({ hasText: button ? 'did not work' : 'You may not do this.' }).waitFor();
    await expectShown('1,240', true);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    await server.stop();
  }
}

test('React', () => expectLikeButton('react', {
  'LikeButton.jsx': shown['LikeButton.jsx'] ?? '',
  'App.jsx': shown['App.jsx'] ?? '',
  'main.jsx': `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
createRoot(document.getElementById('app')).render(<StrictMode><App /></StrictMode>);
`,
  'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
}, ['react@19', 'react-dom@19', '@vitejs/plugin-react']));

/** The server outlives a reload, and the test says whether there is a network and whether the server refuses likes. */
const LIST_DB = `import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
const { createEmbeddedFirestore } = await openWorkbench();
const { fetch } = await createEmbeddedFirestore({ persist: 'list' });
const refusal = () => new Response('{"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "Not you."}}', { status: 403 });
const guarded = Object.assign(async (url, init) => {
  if (localStorage.getItem('away')) throw new TypeError('no network');
  return globalThis.refuses && String(url).endsWith(':commit') ? refusal() : fetch(url, init);
}, { host: fetch.host });
const db = await connect({ projectId: 'demo', fetch: guarded, retry: { maxReadMs: 100 } });
const others = await connect({ projectId: 'demo', fetch, storage: 'memory' });
const likes = globalThis.likes = others.countedSet('posts/Bread', { shards: 10 });
if (!(await others.collection('posts').exists('Bread'))) {
  for (const [at, title] of ['Bread', 'Butter'].entries()) await others.collection('posts').set(title, { title, at, num_shards: 10 });
  await likes.add('bob');
}
export const openDatabase = async () => db;
export function watchUser(listener) {
  globalThis.signIn = listener;
  listener(null);
  return () => {};
}
`;

test('React: a list of posts', async () => {
  const main = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
createRoot(document.getElementById('app')).render(<StrictMode><App /></StrictMode>);
`;
  const folder = await makeApp('react-list', {
    'index.html': PAGE, 'main.jsx': main, ...list, 'db.js': LIST_DB, 'say.js': shown['say.js'] ?? '',
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()], build: { target: 'esnext' } };\n",
  }, [tarball, 'vite@8', 'react@19', 'react-dom@19', '@vitejs/plugin-react']);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error'], { cwd: folder });
  const server = await serveFolder(join(folder, 'dist'));
  const page = await browser.newPage({ locale: 'en-US' });
  try {
    await page.goto(server.url);
    const rows = () => page.getByRole('listitem').allTextContents();
    const like = page.getByRole('button', { name: 'Like Bread' });
    const status = page.getByRole('status');
    await like.filter({ hasText: '♡ 1' }).waitFor();
    assert.deepEqual(await rows(), ['Butter ♡ 0', 'Bread ♡ 1']);
    await like.click();
    await status.filter({ hasText: 'Sign in first.' }).waitFor();

    await page.evaluate(() => globalThis.signIn('ann'));
    await page.locator('button[aria-disabled=false]').nth(1).waitFor();
    await like.click();
    await like.filter({ hasText: '♥ 2' }).waitFor();
    await page.getByRole('checkbox').check();
    assert.deepEqual(await rows(), ['Bread ♥ 2', 'Butter ♡ 0']);
    await page.evaluate(() => globalThis.likes.add('cem'));
    await like.filter({ hasText: '♥ 3' }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.likes.has('ann')), true);

    // The page starts without a network, and sends its like when the network is back.
    await page.evaluate(() => localStorage.setItem('away', 'yes'));
    await page.reload();
    await page.waitForFunction('globalThis.signIn');
    await page.evaluate(() => globalThis.signIn('ann'));
    await like.filter({ hasText: '♥ 3' }).waitFor();
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('button', { name: 'Like Butter' }).click();
    await page.getByRole('button', { name: 'Like Butter' }).filter({ hasText: '♥ 1' }).waitFor();
    assert.deepEqual(await rows(), ['Butter ♥ 1', 'Bread ♥ 3']);
    await page.evaluate(() => {
      localStorage.removeItem('away');
      dispatchEvent(new Event('online'));
    });
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await like.filter({ hasText: '♥ 3' }).waitFor();

    await page.evaluate(() => { globalThis.refuses = true; });
    await like.click();
    await status.filter({ hasText: 'You may not do this.' }).waitFor();
    await like.filter({ hasText: '♥ 3' }).waitFor();
  } finally {
    await page.close();
    await server.stop();
  }
});

test('React, rendered on a server first', async () => {
  const folder = await makeApp('react-server', {
    'LikeButton.jsx': shown['LikeButton.jsx'] ?? '',
    'say.js': shown['say.js'] ?? '',
    'main.jsx': `import { renderToString } from 'react-dom/server';
import { connect } from 'shardline/counters';
import { LikeButton } from './LikeButton.jsx';
const likes = (await connect({ projectId: 'demo', storage: 'memory' })).countedSet('posts/p1', { shards: 10 });
console.log(renderToString(<LikeButton likes={likes} user="ann" />));
process.exit();
`,
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
  }, [tarball, 'vite@8', 'react@19', 'react-dom@19', '@vitejs/plugin-react']);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error', '--ssr', 'main.jsx'], { cwd: folder });
  assert.match(await run('node', ['dist/main.js'], { cwd: folder }), /<button aria-pressed="false" aria-disabled="true">♡(<!-- -->)? (<!-- -->)?–/);
});

test('React: a component that asks for its counter each time it is drawn', async () => {
  const main = `import { StrictMode, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { openDatabase } from './db';
globalThis.opens = true;
const db = await openDatabase();
const drawn = globalThis.drawn = { plain: 0, strict: 0 };
function Likes({ name }) {
  drawn[name] += 1;
  if (drawn[name] > 1000) throw new Error('It is drawn without end.');
  const likes = db.counter('posts/p1', { shards: 10 });
  const { value } = useSyncExternalStore(likes.subscribe, likes.getSnapshot, likes.getSnapshot);
  return <p id={name}>{value}</p>;
}
createRoot(document.getElementById('app')).render(<><Likes name="plain" /><StrictMode><Likes name="strict" /></StrictMode></>);
`;
  const folder = await makeApp('react-body', {
    'index.html': PAGE, 'db.js': DB, 'main.jsx': main,
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()], build: { target: 'esnext' } };\n",
  }, [tarball, 'vite@8', 'react@19', 'react-dom@19', '@vitejs/plugin-react']);
  // React draws twice in StrictMode only when it is built for development.
  await run('node_modules/.bin/vite', ['build', '--logLevel=error', '--mode', 'development'], { cwd: folder, env: { NODE_ENV: 'development' } });
  const server = await serveFolder(join(folder, 'dist'));
  const page = await browser.newPage();
  try {
    await page.goto(server.url);
    for (const name of ['plain', 'strict']) await page.locator(`#${name}`).filter({ hasText: '1234' }).waitFor();
    await page.evaluate(() => globalThis.press(5));
    for (const name of ['plain', 'strict']) await page.locator(`#${name}`).filter({ hasText: '1239' }).waitFor();
    const { plain, strict } = await page.evaluate(() => globalThis.drawn);
    assert.ok(plain < 50 && strict < 50, `drawn ${plain} and ${strict} times`);
    assert.ok(strict > plain, 'StrictMode is on');
  } finally {
    await page.close();
    await server.stop();
  }
});

test('Vue leaves a counter, a query and a database as they are, also deep in ref() and reactive()', async () => {
  const main = `import { isProxy, reactive, ref } from 'vue';
import { connect } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
const { createEmbeddedFirestore } = await openWorkbench();
const { fetch } = await createEmbeddedFirestore();
const db = ref(await connect({ projectId: 'demo', fetch, storage: 'memory' }));
const state = reactive({ likes: db.value.counter('posts/p1', { shards: 3 }), newest: db.value.collection('posts').limit(5) });
const likes = ref(state.likes);
await likes.value.create();
await likes.value.increment();
console.log((await state.likes.get()).value, (await state.newest.where('title', '==', 'none').get()).size, isProxy(likes.value), isProxy(state));
process.exit();
`;
  const folder = await makeApp('vue-ref', { 'main.js': main }, [tarball, 'vue@3']);
  assert.equal(await run('node', ['main.js'], { cwd: folder }), '1 0 false true\n');
});

test('Vue', () => expectLikeButton('vue', {
  'LikeButton.vue': shown['LikeButton.vue'] ?? '',
  'App.vue': shown['App.vue'] ?? '',
  'index.html': PAGE.replace('main.jsx', 'main.js'),
  'main.js': "import { createApp } from 'vue';\nimport App from './App.vue';\ncreateApp(App).mount('#app');\n",
  'vite.config.js': "import vue from '@vitejs/plugin-vue';\nexport default { plugins: [vue()] };\n",
}, ['vue@3', '@vitejs/plugin-vue']));

test('Svelte', () => expectLikeButton('svelte', {
  'LikeButton.svelte': shown['LikeButton.svelte'] ?? '',
  'App.svelte': shown['App.svelte'] ?? '',
  'index.html': PAGE.replace('main.jsx', 'main.js'),
  'main.js': "import { mount } from 'svelte';\nimport App from './App.svelte';\nmount(App, { target: document.getElementById('app') });\n",
  'vite.config.js': "import { svelte } from '@sveltejs/vite-plugin-svelte';\nexport default { plugins: [svelte()] };\n",
}, ['svelte@5', '@sveltejs/vite-plugin-svelte']));

test('the element without a framework', () => expectLikeButton('element', {
  'index.html': shown['index.html'] ?? '',
  'main.js': shown['main.js'] ?? '',
}, [], 'Like this post'));

test('a database that could not be opened is opened when somebody asks again, and all who watch the user get one account', async () => {
  const main = `import { openDatabase, openLikes, watchUser } from './db.js';
const [first, second] = await Promise.allSettled([openDatabase(), openDatabase()]);
console.log(first.reason?.message, first.reason === second.reason);
console.log(await openLikes(), await openDatabase() === await openDatabase());
console.log([watchUser((user) => console.log('one', user)), watchUser((user) => console.log('other', user))].join());
await new Promise((resolve) => setTimeout(resolve));
globalThis.signOut();
`;
  // Only the parts of Firebase and of the library that the module uses.
  const folder = await makeApp('db', {
    'db.js': shown['db.js'] ?? '',
    'main.js': main,
    'node_modules/firebase/package.json': '{ "type": "module", "exports": { "./*": "./*.js" } }',
    'node_modules/firebase/app.js': 'export const initializeApp = (options) => ({ options });\n',
    'node_modules/firebase/auth.js': `export const getAuth = () => ({});
const listeners = [];
globalThis.signOut = () => listeners.forEach((listener) => listener(null));
export const onAuthStateChanged = (auth, listener) => {
  listeners.push(listener);
  listener(null);
  return 'end';
};
export const signInAnonymously = async () => console.log('signing in');
`,
    'node_modules/shardline/package.json': '{ "type": "module", "exports": { "./*": "./*.js" } }',
    'node_modules/shardline/firebase-counters.js': `let attempts = 0;
export const connect = async () => {
  attempts += 1;
  if (attempts === 1) throw new Error('no module');
  return { countedSet: (path) => \`\${path}, attempt \${attempts}\` };
};
`,
  }, []);
  assert.equal(await run('node', ['main.js'], { cwd: folder }), 'no module true\nposts/p1, attempt 2 true\n'
    + 'one null\nsigning in\nother null\nend,end\none null\nsigning in\nother null\n', 'one account for all who watch; another one after they have signed out');
});

test('the element in React, with its types', async () => {
  const main = `import { createRoot } from 'react-dom/client';
import { useDatabase } from 'shardline/element';
import { openDatabase, watchUser } from './db';
useDatabase(openDatabase);
watchUser((user) => document.querySelectorAll('shard-counter').forEach((button) => { button.user = user; }));
const like = <shard-counter path="posts/p1" type="like" label="Like" shards={10} onshardline-error={({ detail }) => console.log(detail.code)}>1,234</shard-counter>;
createRoot(document.getElementById('app')!).render(like);
export const more = <shard-counter path="posts/p1" layout="go-sample" countField="n" intervalMs={10_000} maxAgeMs={0} disabled onshardline-like={({ detail }) => detail.liked} onshardline-change={({ detail }) => detail.value} />;
document.querySelector('shard-counter')?.addEventListener('shardline-change', ({ detail }) => console.log(detail.value, detail.liked));
// @ts-expect-error There is no such type.
export const wrong = <shard-counter type="heart" />;
`;
  const stars = `import 'shardline/elements';
export const rating = <shard-rating path="restaurants/r1" from={1} to={5} user="ann" disabled onshardline-rate={({ detail }) => detail.rating} onshardline-change={({ detail }) => detail.average} />;
export const stock = <shard-stock path="events/e1" shards={20} onshardline-change={({ detail }) => detail.left}><b slot="sold-out">None left</b></shard-stock>;
// @ts-expect-error No user has a stock.
export const wrong = <shard-stock user="ann" />;
`;
  const files = {
    'index.html': PAGE.replace('main.jsx', 'main.tsx'),
    'main.tsx': main,
    'stars.tsx': stars,
    'shard-counter.d.ts': shown['shard-counter.d.ts'] ?? '',
    'shard-elements.d.ts': shown['shard-elements.d.ts'] ?? '',
    'db.d.ts': `import type { Database } from 'shardline/counters';
export declare function openDatabase(): Promise<Database>;
export declare function watchUser(listener: (user: string | null) => void): () => void;
`,
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
  };
  await expectLikeButton('element-react', files, ['react@19', 'react-dom@19', '@vitejs/plugin-react', '@types/react@19', '@types/react-dom@19', 'typescript@5'], 'Like');
  const folder = join(WEB, '../build/consumers/element-react');
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--jsx', 'react-jsx'];
  await run('node_modules/.bin/tsc', [...options, 'main.tsx', 'stars.tsx', 'shard-counter.d.ts', 'shard-elements.d.ts'], { cwd: folder });
});
