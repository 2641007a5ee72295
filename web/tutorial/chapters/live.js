// Chapter 4: a total that stays fresh: a page that asks, and a page that listens.

import { openWorkbench } from '../../library/workbench.js';
import { LiveLanes } from '../elements/live_lanes.js';
import { TimeSeries } from '../elements/time_series.js';
import { recordLive, viewAt } from '../model/live.js';
import { HIDDEN_MS, LIVE, WAYS } from '../model/live_hour.js';
import { formatDollars, formatDuration, formatMoment, text } from '../text.js';

/** The viewers of the price: each looks for an hour a day. */
const PEOPLE = 1000;
const DAYS = 30;

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'live',
  steps: [{
    id: 'ask-or-listen',
    knobs: {
      likes: { choices: [0, 2, 20, 3000], default: 2 },
      every: { choices: [1, 10, 60], default: 10 },
      tab: { words: ['shown', 'hidden'], default: 'shown' },
    },
    prediction: { unit: 'reads', answer: (live) => viewAt(live, 'listen', live.durationMs).reads },
    record: async ({ likes, every, tab }, seed, signal) => {
      const [{ cost }, live] = await Promise.all([openWorkbench(), recordLive({ likes, every, tab }, seed, signal)]);
      // Each of the reads costs as much as a total of one shard.
      const dollars = Object.fromEntries(WAYS.map((way) => [way, cost({
        totals: { perMonth: viewAt(live, way, live.durationMs).reads * PEOPLE * DAYS, shards: 1, source: 'sum' },
      }).perMonth.dollars]));
      return { ...live, every, dollars };
    },
    pictures: (live) => [
      new LiveLanes(live),
      new TimeSeries(text('series.reads'), WAYS.map((way, place) => {
        const at = (/** @type {number} */ atMs) => viewAt(live, way, atMs).reads;
        const values = Array.from({ length: LIVE.seconds + 1 }, (_, second) => at(second * 1000));
        return { label: text(`live.way.${way}`), style: /** @type {0 | 1 | 2} */ ([1, 0, 2][place]), values, at };
      }), live.durationMs),
    ],
    figures: (live, atMs) => {
      const [ask, listen, bounded] = WAYS.map((way) => viewAt(live, way, atMs));
      return {
        over: atMs >= live.durationMs ? 'yes' : 'no',
        seen: WAYS.every((way) => viewAt(live, way, atMs).longestMs > 0) ? 'yes' : 'no',
        time: formatMoment(atMs),
        every: live.every,
        ask: ask?.reads ?? 0,
        listen: listen?.reads ?? 0,
        bounded: bounded?.reads ?? 0,
        bound: LIVE.readsPerHour,
        askLate: formatDuration(ask?.longestMs ?? 0),
        listenLate: formatDuration(listen?.longestMs ?? 0),
        boundedLate: formatDuration(bounded?.longestMs ?? 0),
        people: PEOPLE,
        dollarsAsk: formatDollars(live.dollars.ask),
        dollarsListen: formatDollars(live.dollars.listen),
        dollarsBounded: formatDollars(live.dollars.bounded),
      };
    },
    tasks: [
      { id: 'quiet', reached: (live, atMs, { likes }) => likes === 0 && atMs >= live.durationMs },
      { id: 'busy', reached: (live, atMs) => viewAt(live, 'listen', atMs).reads > viewAt(live, 'ask', atMs).reads && atMs >= live.durationMs },
      { id: 'hidden', reached: (_, atMs, { tab }) => tab === 'hidden' && atMs >= HIDDEN_MS.to },
    ],
    code: ({ every }) => `const likes = db.counter('posts/p1', { shards: ${LIVE.shards} });
const show = ({ value }) => console.log(value);

setInterval(async () => show(await likes.get()), ${every * 1000}); // ${text('code.note.asks')}
likes.watch(show); // ${text('code.note.listens')}
likes.watch(show, { readsPerHour: ${LIVE.readsPerHour} }); // ${text('code.note.bounded')}
`,
    trial: {
      code: () => `const likes = db.counter('posts/p1', { shards: ${LIVE.shards} });
await likes.create();

// ${text('code.note.listens')}
const stop = likes.watch(({ state, value }) => console.log(state, value));
for (let press = 0; press < 3; press += 1) await likes.increment();
await new Promise((end) => setTimeout(end, 500));
stop();
`,
    },
  }],
};
