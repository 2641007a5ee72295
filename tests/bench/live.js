// How soon a page shows that another client has counted, in Chromium: a live counter of this library beside onSnapshot() of Google's SDK, on the same
// shards and on one document. Another client writes to Google's emulator; the pages take turns in one browser.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

import { startEmulator } from '../emulator/support/emulator.js';
import { RestClient } from '../emulator/support/rest.js';
import { CHROMIUM } from '../support/chromium.js';
import { bundle } from './bundle.js';
import { takeTurns } from './measure.js';
import { atMost, digits, printTable, spread } from './report.js';
import { serve } from './serve.js';

const PROJECT = 'demo';
const SHARDS = 10;
const COUNTER = 'live/counter';
/** Below eight changes a second, from which on a watch asks. */
const APART_MS = 200;
const MODULE = fileURLToPath(new URL('../../web/library/generated/counters.wasm', import.meta.url));
const FIREBASE = `import { initializeApp } from 'firebase/app';
import { collection, doc, initializeFirestore, onSnapshot } from 'firebase/firestore';
const db = initializeFirestore(initializeApp({ projectId: '${PROJECT}' }), { host: new URL(HOST).host, ssl: false });`;

/** Each page calls show() with each total. @type {{[page: string]: string}} */
const PAGES = {
  'shardline, watch()': `import { connect } from 'shardline/counters';
const db = await connect({ projectId: '${PROJECT}', host: HOST });
db.counter('${COUNTER}', { shards: ${SHARDS} }).watch(({ number, reading }) => show(number, reading?.source === 'shards'));`,
  'onSnapshot(), the shards': `${FIREBASE}
onSnapshot(collection(db, '${COUNTER}', 'shards'), ({ docs }) => show(docs.reduce((sum, each) => sum + each.data().count, 0), true));`,
  'onSnapshot(), one document': `${FIREBASE}
onSnapshot(doc(db, 'live/document'), (each) => show(each.data()?.count, true));`,
};
const [OURS = '', SAME = '', ONE = ''] = Object.keys(PAGES);

const SHOW = `const waiting = [];
globalThis.isLive = false;
globalThis.show = (total, isLive) => {
  globalThis.isLive ||= isLive;
  globalThis.total = total;
  for (const each of waiting) if (total >= each.total) each.resolve(performance.timeOrigin + performance.now());
};
globalThis.showing = (wanted) => new Promise((resolve) => {
  if (globalThis.total >= wanted) resolve(performance.timeOrigin + performance.now());
  else waiting.push({ total: wanted, resolve });
});
`;

/**
 * @param {{quick: boolean}} options
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchLive({ quick }) {
  const emulator = await startEmulator();
  const rest = new RestClient({ url: emulator.exactUrl, projectId: PROJECT });
  const add = (/** @type {string} */ document) => rest.commit([{ transform: { document: rest.name(document), fieldTransforms: [{ fieldPath: 'count', increment: { integerValue: '1' } }] } }]);
  for (let i = 0; i < SHARDS; i += 1) await add(`${COUNTER}/shards/${i}`);
  await add('live/document');
  const site = await serveSite(emulator.exactUrl);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  try {
    /** @type {{[name: string]: number}} */
    const totals = { [OURS]: SHARDS, [SAME]: SHARDS, [ONE]: 1 };
    const contenders = [];
    for (const [i, name] of Object.keys(PAGES).entries()) {
      // Each in a context of its own, and all in the foreground.
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${site.url}/${i}`);
      // A watch says that it listens with the first change that comes so.
      for (let isLive = false; !isLive;) {
        if (name === OURS) {
          await add(`${COUNTER}/shards/0`);
          for (const each of [OURS, SAME]) totals[each] += 1;
        }
        isLive = await page.waitForFunction('globalThis.isLive', null, { timeout: 3000 }).then(() => true, () => false);
      }
      contenders.push({ name, turn: async (/** @type {number} */ round) => {
        for (const each of name === ONE ? [ONE] : [OURS, SAME]) totals[each] += 1;
        const shown = page.evaluate(`showing(${totals[name]})`);
        const began = performance.timeOrigin + performance.now();
        await add(name === ONE ? 'live/document' : `${COUNTER}/shards/${round % SHARDS}`);
        const ms = /** @type {number} */ (await shown) - began;
        await sleep(APART_MS);
        return { ms };
      } });
    }
    const rounds = quick ? 10 : 100;
    const { summaries } = await takeTurns(contenders, { minRounds: rounds, maxRounds: rounds, budgetMs: 0 });
    const against = (/** @type {string} */ peer) => summaries[OURS].ms.median / summaries[peer].ms.median;
    printTable(`a change by another client shows in Chromium: ms from the beginning of its commit, median (min–max) of ${rounds}`, ['', 'ms', `/ ${ONE}`],
      Object.keys(PAGES).map((name) => [name, spread(summaries[name].ms), digits(summaries[name].ms.median / summaries[ONE].ms.median)]));
    return {
      results: summaries,
      targets: [
        atMost('a change shows, median', summaries[OURS].ms.median, 400, ' ms'), atMost('a change shows, longest', summaries[OURS].ms.max, 1000, ' ms'),
        atMost(`a change shows, against ${SAME}`, against(SAME), 1.1),
      ],
    };
  } finally {
    await browser.close();
    site.close();
    await emulator.stop();
  }
}

/** @param {string} host Of the emulator. */
async function serveSite(host) {
  /** @type {{[path: string]: {body: string | Uint8Array, type: string}}} */
  const files = { '/generated/counters.wasm': { body: readFileSync(MODULE), type: 'application/wasm' } };
  for (const [i, code] of Object.values(PAGES).entries()) {
    files[`/${i}.js`] = { body: await bundle(code.replace('HOST', JSON.stringify(host))), type: 'text/javascript' };
    files[`/${i}`] = { body: `<!doctype html><title>Live</title><link rel="icon" href="data:,"><script>${SHOW}</script><script type="module" src="${i}.js"></script>`, type: 'text/html' };
  }
  return serve(({ url = '/' }, response) => {
    const file = files[url];
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
}
