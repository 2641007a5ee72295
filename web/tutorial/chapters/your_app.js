// Chapter 9: from a load to shards, a price, and the code, rules and indexes to paste.

import { openWorkbench } from '../../library/workbench.js';
import { LikeTool } from '../elements/like_tool.js';
import { PriceBars } from '../elements/price_bars.js';
import { ShardGrid } from '../elements/shard_grid.js';
import { formatDollars } from '../text.js';

const SECONDS_PER_MONTH = 30 * 24 * 3600;

/** The most increments a second that the sliders know. */
const WRITES = { choices: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000], default: 20 };

/** @typedef {import('../elements/price_bars.js').Price} Price */

/**
 * What a load asks for, and what a month of it costs.
 * @param {import('./chapter.js').Knobs} knobs
 */
async function plan({ writes, readers }) {
  const { shardsFor, cost } = await openWorkbench();
  const { counter: { shards } } = shardsFor({ writesPerSecond: writes });
  const increments = (/** @type {'exactly-once' | 'at-least-once'} */ delivery) => (
    cost({ increments: { perMonth: writes * SECONDS_PER_MONTH, delivery } }).perMonth);
  const totals = (/** @type {'sum' | 'shards'} */ source) => (
    cost({ totals: { perMonth: readers * SECONDS_PER_MONTH, shards, source } }).perMonth);
  /** @type {Price[]} */
  const prices = [
    { label: 'price.exactly-once', ...increments('exactly-once') },
    { label: 'price.at-least-once', ...increments('at-least-once') },
    { label: 'price.sum', ...totals('sum') },
    { label: 'price.shards', ...totals('shards') },
  ];
  const dollars = increments('exactly-once').dollars + totals('sum').dollars;
  return { durationMs: 0, events: [], writes, shards, prices, dollars };
}

/**
 * What is pasted into the rules and the index file, as the library makes it.
 * @param {import('./chapter.js').Knobs} knobs
 */
async function files({ access, writes }) {
  const { shardsFor, counterRules, counterIndexes } = await openWorkbench();
  const { counter: { shards } } = shardsFor({ writesPerSecond: writes });
  return {
    durationMs: 0,
    events: [],
    shards,
    rules: counterRules({ path: 'posts/{post}', shards, access }),
    indexes: counterIndexes(),
  };
}

/**
 * The page's own code: `voter` and `clientId` are what the rules of that access ask for, and `maxDelta` is what they let one commit add.
 * @param {string} access
 * @param {number} shards
 */
function pageCode(access, shards) {
  const option = { public: ', maxDelta: 1', 'signed-in': ', clientId: auth.currentUser.uid, maxDelta: 1', 'one-vote': ', voter: auth.currentUser.uid' }[access] ?? '';
  return `${access === 'public' ? PLAIN_CONNECTION : FIREBASE_CONNECTION}
const likes = db.counter('posts/p1', { shards: ${shards}${option} });

document.querySelector('#like').onclick = () => likes.increment();
likes.watch(({ value }) => {
  document.querySelector('#likes').textContent = value ?? '…';
});
`;
}

const PLAIN_CONNECTION = `import { connect } from 'shardline/counters';

const db = await connect({ projectId: 'my-project', apiKey: 'my-web-api-key' });`;

const FIREBASE_CONNECTION = `import { initializeApp } from 'firebase/app';
import { getAuth, signInAnonymously } from 'firebase/auth';
import { connect } from 'shardline/firebase';

const app = initializeApp({ projectId: 'my-project', apiKey: 'my-web-api-key' });
const auth = getAuth(app);
await signInAnonymously(auth);
const db = await connect(app);`;

/** @param {string} access @param {number} shards */
const shellCode = (access, shards) => `npm create vite@latest like-button -- --template vanilla
cd like-button
npm install --install-links PATH-OF-SHARDLINE/web${access === 'public' ? '' : ' firebase'}
npx shardline counter create posts/p1 --shards ${shards} --project my-project
npx firebase-tools init firestore
# Put the files below in place of those that are there now.
npx firebase-tools deploy --only firestore --project my-project
npx vite
`;

const HTML = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Like button</title></head>
  <body>
    <button id="like">♥</button> <output id="likes"></output>
    <script type="module" src="/src/main.js"></script>
  </body>
</html>
`;

/**
 * @param {string} access
 * @param {Awaited<ReturnType<typeof files>>} made
 * @returns {{[file: string]: string}}
 */
function filesOf(access, { shards, rules, indexes }) {
  return { shell: shellCode(access, shards), html: HTML, page: pageCode(access, shards), rules, indexes };
}

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'your-app',
  steps: [
    {
      id: 'shards',
      knobs: { writes: WRITES, readers: { choices: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], default: 10 } },
      prediction: { unit: 'shards', answer: ({ shards }) => shards },
      computed: true,
      record: plan,
      pictures: ({ shards, writes, prices }) => [new ShardGrid(shards, writes), new PriceBars(prices)],
      figures: ({ shards, writes, dollars }) => ({ shards, writes, dollars: formatDollars(dollars) }),
      tasks: [
        { id: 'busy', reached: ({ shards }) => shards >= 100 },
        { id: 'cheap', reached: ({ dollars, writes }) => writes >= 5 && dollars < 30 },
      ],
    },
    {
      id: 'code',
      knobs: { access: { words: ['public', 'signed-in', 'one-vote'], default: 'public' }, writes: WRITES },
      computed: true,
      record: files,
      figures: ({ shards }) => ({ shards }),
      tasks: [{ id: 'vote', reached: (_recording, _atMs, { access }) => access === 'one-vote' }],
      code: ({ access }, recording) => (recording ? filesOf(access, recording) : ''),
    },
    {
      id: 'connect',
      tool: (host) => new LikeTool(host),
      tasks: [{ id: 'counted', reached: ({ value, pending, state }) => value >= 10 && pending === 0 && state === 'live' }],
    },
  ],
};
