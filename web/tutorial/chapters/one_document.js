// Chapter 1: one document, many writers.

import { DocumentLanes } from '../elements/document_lanes.js';
import { TimeSeries } from '../elements/time_series.js';
import { crowd } from '../model/crowd.js';
import { record, soFar, stateAt } from '../model/recording.js';
import { formatMoment, text } from '../text.js';
import { faultsOf, LOST, sandbox } from './further_steps.js';

/** The question asks for the count at this time. */
const ASKED_AT_MS = 10_000;

/** People come for as long at least. */
const LEAST_SECONDS = 10;

/** @type {import('./chapter.js').Step<any>} */
const lesson = {
  id: 'many-writers',
  knobs: { users: { choices: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], default: 1000 } },
  prediction: { unit: 'likes', answer: (recording) => stateAt(recording, ASKED_AT_MS).counted, askedAtMs: ASKED_AT_MS },
  record: ({ users }, seed, signal) => record(crowd(users, 1, seed), signal),
  pictures: (recording) => [
    new DocumentLanes(recording),
    new TimeSeries(text('series.counter'), [
      { label: text('series.asked'), style: 1, ...soFar(recording.works.beganMs, recording.durationMs) },
      { label: text('series.counted'), style: 0, ...soFar(recording.index.appliedMs, recording.durationMs) },
    ], recording.durationMs),
  ],
  figures: (recording, atMs) => {
    const { asked, counted, failed, conflicts } = stateAt(recording, atMs);
    return {
      asked,
      counted,
      failed,
      conflicts,
      early: stateAt(recording, ASKED_AT_MS).counted,
      judged: atMs >= Math.min(ASKED_AT_MS, recording.durationMs) ? 'yes' : 'no',
      over: conflicts > 0 && atMs >= recording.durationMs ? 'yes' : 'no',
      time: formatMoment(atMs),
    };
  },
  tasks: [
    { id: 'lost', reached: (recording, atMs) => stateAt(recording, atMs).failed > 0 },
    { id: 'holds', reached: (recording, atMs) => {
      const { asked, acknowledged } = stateAt(recording, Math.min(atMs, ASKED_AT_MS));
      return asked >= 5 && acknowledged === asked;
    } },
  ],
  code: () => `// ${text('code.note.one-document')}\nawait updateDoc(doc(db, 'posts/p1'), { likes: increment(1) });\n`,
  trial: {
    code: () => `const likes = db.counter('posts/p1', { shards: 1 });
await likes.create();

// ${text('code.note.readers')}
// ${text('code.note.marker')}
const began = Date.now();
const press = () => db.batch().increment(likes).commit();
await Promise.all(Array.from({ length: 6 }, press));
const { value } = await likes.get();
console.log(value, Date.now() - began, 'ms');
`,
  },
};

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'one-document',
  steps: [
    lesson,
    sandbox('one-document', lesson, {
      knobs: {
        users: { choices: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], default: 200 },
        writes: { choices: [1, 2, 5, 10, 20, 50, 100, 1000], default: 10 },
        lost: LOST,
      },
      record: ({ users, writes, lost }, seed, signal) => record({
        ...crowd(users, 1, seed), arrivalsPerSecond: writes, seconds: Math.max(LEAST_SECONDS, Math.ceil(users / writes)), faults: faultsOf(lost),
      }, signal),
    }),
  ],
};
