// Chapter 11: from a load to shards, a price, and the code, rules and indexes to paste.

import { openWorkbench } from '../../library/workbench.js';
import { PriceBars } from '../elements/price_bars.js';
import { ShardGrid } from '../elements/shard_grid.js';
import {
  configuration, createCode, createThereCode, deployCode, emulatorsCode, htmlCode, installCode, JAVA_MINIMUM, needsUser, pageCode, shardsOfCode,
  START,
} from '../model/like_app.js';
import { formatDollars } from '../text.js';

const SECONDS_PER_MONTH = 30 * 24 * 3600;

/**
 * Increments a second. Beyond 500, the index that the server's sum needs is a hot range of its own: the counter of the code, and its
 * price, would be other ones (`why` of shardsFor()).
 */
const WRITES = { choices: [1, 2, 5, 10, 20, 50, 100, 200, 500], default: 20 };

/** As counterRules() has them. */
const ACCESS = { words: ['one-like', 'one-vote', 'signed-in', 'public'], default: 'one-like' };

const WHERE = { words: ['project', 'emulator'], default: 'project' };

/** @param {import('./chapter.js').Knobs} knobs */
const inProject = ({ where }) => where === 'project';
/** @param {import('./chapter.js').Knobs} knobs */
const onEmulators = ({ where }) => where === 'emulator';

/** @typedef {import('../elements/price_bars.js').Price} Price */

/**
 * The shards that a load needs, and the cost of a month.
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

/** The single word by which a text about the files chooses. @type {{[access: string]: string}} */
const KINDS = { 'one-like': 'like', 'one-vote': 'vote', 'signed-in': 'press', public: 'press' };

/**
 * The index file for all counters, without collections that these rules do not name: no page could write to them.
 * @param {string} indexes
 * @param {string} rules
 */
function onlyNamed(indexes, rules) {
  const file = JSON.parse(indexes);
  const fieldOverrides = file.fieldOverrides.filter((/** @type {any} */ { collectionGroup }) => rules.includes(`/${collectionGroup}/`));
  return `${JSON.stringify({ ...file, fieldOverrides }, null, 2)}\n`;
}

/**
 * The content of the rules and of the index file. The library makes both.
 * @param {import('./chapter.js').Knobs} knobs
 */
async function files({ access, where, writes }) {
  const { shardsFor, counterRules, counterIndexes } = await openWorkbench();
  const shards = shardsOfCode(shardsFor({ writesPerSecond: writes }).counter.shards);
  const rules = counterRules({ path: 'posts/{post}', shards, access });
  // If users sign in on the emulator, Firebase says so on the page.
  const banner = where === 'emulator' && needsUser(access) ? 'yes' : 'no';
  return { durationMs: 0, events: [], shards, kind: KINDS[access] ?? '', banner, rules, indexes: onlyNamed(counterIndexes(), rules) };
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
      sandbox: ({ writes }, { shards }) => ({ chapter: 'distributed-counter', knobs: { writes, shards: shardsOfCode(shards) } }),
      tasks: [
        { id: 'busy', reached: ({ shards }) => shards >= 100 },
        { id: 'cheap', reached: ({ dollars, writes }) => writes >= 5 && dollars < 30 },
      ],
    },
    {
      id: 'code',
      knobs: { access: ACCESS, where: WHERE, writes: WRITES },
      computed: true,
      record: files,
      figures: ({ shards }) => ({ shards }),
      tasks: [{ id: 'vote', reached: (_recording, _atMs, { access }) => access === 'one-vote' }],
      recipe: [
        { id: 'install', code: ({ access }) => ({ shell: installCode(access) }) },
        { id: 'project', needed: inProject },
        { id: 'user', needed: (knobs) => inProject(knobs) && needsUser(knobs.access) },
        { id: 'page', code: ({ access, where }, { shards }) => ({ html: htmlCode(access, shards), page: pageCode(access, shards, where) }) },
        { id: 'key', needed: inProject },
        { id: 'rules', values: ({ kind }) => ({ kind }), code: ({ where }, { rules, indexes }) => ({ configuration: configuration(where), rules, indexes }) },
        { id: 'emulators', needed: onEmulators, values: () => ({ java: JAVA_MINIMUM }), code: ({ access }) => ({ shell: emulatorsCode(access) }) },
        { id: 'deploy', needed: inProject, code: () => ({ shell: deployCode() }) },
        { id: 'create', needed: inProject, values: ({ shards }) => ({ shards }), code: (_knobs, { shards }) => ({ shell: createCode(shards) }) },
        { id: 'create-there', needed: onEmulators, code: (_knobs, { shards }) => ({ shell: createThereCode(shards) }) },
        { id: 'start', values: ({ banner }) => ({ banner }), code: () => ({ shell: START }) },
      ],
    },
    {
      id: 'connect',
      knobs: { access: ACCESS, where: WHERE, writes: WRITES },
      tool: async () => {
        const { LikeTool } = await import('../elements/like_tool.js');
        return (host) => new LikeTool(host);
      },
      tasks: [{ id: 'counted', reached: ({ value, pending, state, isOwn }) => value >= (isOwn ? 1 : 10) && pending === 0 && state === 'live' }],
    },
  ],
};
