/** The apps of the guide to frameworks: each is built as it stands there, with the Firestore inside the page, and pressed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../browser/support/run.js';
import { serveFolder } from '../browser/support/static_server.js';
import { makeApp, packLibrary, startBrowser, WEB } from './app.js';

/** A block of code, whose first line says which file it is. */
const BLOCK = /```\w+\n(?<code>(?:\/\/|<!--) (?<file>[\w.-]+).*?)```\n/gs;
const guide = await readFile(join(WEB, 'guides/frameworks.md'), 'utf8');
/** @type {Record<string, string>} */
const shown = Object.fromEntries([...guide.matchAll(BLOCK)].map(({ groups }) => [groups?.file, groups?.code]));

/** In place of the guide's, which needs a project: the same names, and somebody else who counts. */
const DB = `import { connect } from 'shardline/counters';
import { openWorkbench } from 'shardline/workbench';

const { createSimulator } = await openWorkbench();
const { fetch } = await createSimulator({ limits: 'none' });
export const db = await connect({ projectId: 'demo', fetch, storage: 'memory' });
export const likes = db.counter('posts/p1', { shards: 10 });
const others = (await connect({ projectId: 'demo', fetch, storage: 'memory' })).counter('posts/p1', { shards: 10, flushMs: 0 });
await others.increment(1233);
await others.add('cem');
globalThis.others = others;
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
 * @param {string} [button] Its name.
 */
async function expectLikeButton(name, files, packages, button) {
  const folder = await makeApp(name, { 'index.html': PAGE, 'db.js': DB, ...files }, [tarball, 'vite@8', ...packages]);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error'], { cwd: folder });
  const server = await serveFolder(join(folder, 'dist'));
  const page = await browser.newPage({ locale: 'en-US' });
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('404')) complaints.push(message.text());
  });
  try {
    await page.goto(server.url);
    /** @param {string} total @param {boolean} pressed */
    const expectShown = (total, pressed) => page.waitForFunction(([text, state]) => {
      const host = document.querySelector('shard-counter[type=like]');
      const found = (host?.shadowRoot ?? document).querySelector('button');
      const value = host?.shadowRoot?.querySelector('[part=value]') ?? found;
      return found?.ariaPressed === state && !found.disabled && value?.textContent?.includes(text);
    }, [total, String(pressed)]);
    await expectShown('1,234', false);
    const like = page.getByRole('button', button ? { name: button } : {});
    await like.click();
    await expectShown('1,235', true);
    await page.evaluate(() => globalThis.others.increment(5));
    await expectShown('1,240', true);
    await like.click();
    await expectShown('1,239', false);
    await page.waitForFunction(async () => !await globalThis.others.has('ann') && (await globalThis.others.get()).value === 1239);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
    await server.stop();
  }
}

const mainOf = (/** @type {string} */ component, /** @type {string} */ more) => `import { likes } from './db.js';
import ${component} from './LikeButton';
${more}`;

test('React', () => expectLikeButton('react', {
  'LikeButton.jsx': shown['LikeButton.jsx'] ?? '',
  'main.jsx': `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
${mainOf('{ LikeButton }', "createRoot(document.getElementById('app')).render(<StrictMode><LikeButton likes={likes} user=\"ann\" /></StrictMode>);\n")}`,
  'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
}, ['react@19', 'react-dom@19', '@vitejs/plugin-react']));

test('React, rendered on a server first', async () => {
  const folder = await makeApp('react-server', {
    'LikeButton.jsx': shown['LikeButton.jsx'] ?? '',
    'main.jsx': `import { renderToString } from 'react-dom/server';
import { connect } from 'shardline/counters';
import { LikeButton } from './LikeButton.jsx';
const likes = (await connect({ projectId: 'demo', storage: 'memory' })).counter('posts/p1', { shards: 10 });
console.log(renderToString(<LikeButton likes={likes} user="ann" />));
process.exit();
`,
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
  }, [tarball, 'vite@8', 'react@19', 'react-dom@19', '@vitejs/plugin-react']);
  await run('node_modules/.bin/vite', ['build', '--logLevel=error', '--ssr', 'main.jsx'], { cwd: folder });
  assert.match(await run('node', ['dist/main.js'], { cwd: folder }), /<button aria-pressed="false" disabled="">♡(<!-- -->)? (<!-- -->)?–/);
});

test('Vue', () => expectLikeButton('vue', {
  'LikeButton.vue': shown['LikeButton.vue'] ?? '',
  'index.html': PAGE.replace('main.jsx', 'main.js'),
  'main.js': `import { createApp } from 'vue';
import { likes } from './db.js';
import LikeButton from './LikeButton.vue';
createApp(LikeButton, { likes, user: 'ann' }).mount('#app');
`,
  'vite.config.js': "import vue from '@vitejs/plugin-vue';\nexport default { plugins: [vue()] };\n",
}, ['vue@3', '@vitejs/plugin-vue']));

test('Svelte', () => expectLikeButton('svelte', {
  'LikeButton.svelte': shown['LikeButton.svelte'] ?? '',
  'index.html': PAGE.replace('main.jsx', 'main.js'),
  'main.js': `import { mount } from 'svelte';
import { likes } from './db.js';
import LikeButton from './LikeButton.svelte';
mount(LikeButton, { target: document.getElementById('app'), props: { likes, user: 'ann' } });
`,
  'vite.config.js': "import { svelte } from '@sveltejs/vite-plugin-svelte';\nexport default { plugins: [svelte()] };\n",
}, ['svelte@5', '@sveltejs/vite-plugin-svelte']));

test('the element without a framework', () => expectLikeButton('element', {
  'index.html': shown['index.html'] ?? '',
  'main.js': shown['main.js'] ?? '',
}, [], 'Like this post'));

test('the element in React, with its types', async () => {
  const main = `import { createRoot } from 'react-dom/client';
import { useDatabase } from 'shardline/element';
import { db } from './db';
useDatabase(db);
const like = <shard-counter path="posts/p1" type="like" user="ann" shards={10} onshardline-error={({ detail }) => console.error(detail.code)}>1,234</shard-counter>;
createRoot(document.getElementById('app')!).render(like);
document.querySelector('shard-counter')?.addEventListener('shardline-change', ({ detail }) => console.log(detail.value, detail.liked));
// @ts-expect-error There is no such type.
export const wrong = <shard-counter type="heart" />;
`;
  const files = {
    'index.html': PAGE.replace('main.jsx', 'main.tsx'),
    'main.tsx': main,
    'shard-counter.d.ts': shown['shard-counter.d.ts'] ?? '',
    'db.d.ts': "import type { Database } from 'shardline/counters';\nexport declare const db: Database;\n",
    'vite.config.js': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
  };
  await expectLikeButton('element-react', files, ['react@19', 'react-dom@19', '@vitejs/plugin-react', '@types/react@19', '@types/react-dom@19', 'typescript@5']);
  const folder = join(WEB, '../build/consumers/element-react');
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--jsx', 'react-jsx'];
  await run('node_modules/.bin/tsc', [...options, 'main.tsx', 'shard-counter.d.ts'], { cwd: folder });
});
