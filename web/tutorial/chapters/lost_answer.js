// Chapter 5: the answer that got lost, to a client that tries again and to one with a marker in each commit.

import { AnswerLanes, numbersAt } from '../elements/answer_lanes.js';
import { recordLostAnswer } from '../model/lost_answer.js';
import { text } from '../text.js';

/**
 * @typedef {import('../model/lost_answer.js').LostAnswer} LostAnswer
 * @typedef {import('../model/lost_answer.js').Way} Way
 */

const PRESSES = 3;

/** @param {Way} way */
const surplus = ({ presses, counts }) => counts.length - presses.length;

/** @param {LostAnswer} recording @param {number} atMs */
const isOver = ({ durationMs }, atMs) => atMs >= durationMs;

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'lost-answer',
  steps: [{
    id: 'again',
    seed: 6,
    knobs: {
      fault: { words: ['none', 'cut', 'lost', 'twice', 'late'], default: 'cut' },
      request: { least: 1, most: PRESSES, default: 2 },
    },
    prediction: {
      choices: ['less', 'same', 'more'],
      answer: ({ ways }) => ['less', 'same', 'more'][Math.sign(surplus(ways.naive)) + 1] ?? 'same',
    },
    record: ({ fault, request }, seed, signal) => recordLostAnswer({ fault, request, presses: PRESSES }, seed, signal),
    pictures: (recording) => [new AnswerLanes(recording, 'naive'), new AnswerLanes(recording, 'marker')],
    figures: ({ ways }, atMs) => {
      const [naive, marker] = [numbersAt(ways.naive, atMs), numbersAt(ways.marker, atMs)];
      return { pressed: naive.pressed, counted: naive.counted, markerPressed: marker.pressed, markerCounted: marker.counted };
    },
    tasks: [
      { id: 'double', reached: (recording, atMs) => isOver(recording, atMs) && surplus(recording.ways.naive) > 0 && surplus(recording.ways.marker) === 0 },
      { id: 'refused', reached: ({ ways }, atMs) => ways.marker.requests.some((/** @type {Way['requests'][number]} */ { what, arrivals }) => (
        what === 'commit' && arrivals.some((arrival) => !arrival.applied && arrival.atMs <= atMs))) },
      { id: 'harmless', reached: (recording, atMs, { fault }) => fault !== 'none' && isOver(recording, atMs) && surplus(recording.ways.naive) === 0 },
    ],
    code: () => `// ${text('code.note.exactly-once')}
const likes = db.counter('posts/p1', { shards: 10 });
await likes.increment();

// ${text('code.note.at-least-once')}
// ${text('code.note.twice')}
const views = db.counter('posts/p1/counters/views', { shards: 10, delivery: 'at-least-once' });
await views.increment();
`,
    trial: {
      code: () => `const likes = db.counter('posts/p1', { shards: 10 });
const views = db.counter('posts/p1/counters/views', { shards: 10, delivery: 'at-least-once' });

// ${text('code.note.lose')}
await firestore.configure({ faults: { dropResponse: 1 } });
const presses = [likes.increment(), views.increment()];
// ${text('code.note.back')}
setTimeout(() => firestore.configure({ faults: { dropResponse: 0 } }), 500);
await Promise.all(presses);

console.log('likes', (await likes.get()).value);
console.log('views', (await views.get()).value);
`,
    },
  }],
};
