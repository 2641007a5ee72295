// Chapter 6: the hot range of an index.

import { TabletStrip } from '../elements/tablet_strip.js';
import { TimeSeries } from '../elements/time_series.js';
import { perSecond, record, sampleAt, stateAt } from '../model/recording.js';
import { formatMoment, text } from '../text.js';
import { challenge, faultsOf, LOST, sandbox } from './further_steps.js';

/** The writes a second that the model of limits lets a tablet take: Firestore's documented figure. */
const TABLET_WRITES_PER_SECOND = 500;
const WRITES_PER_SECOND = 900;
const SECONDS = 20;
/**
 * The load and the goal of the challenge. `least`: the documents a second to be written, 19 of 20 that come. `split`: a hot tablet splits sooner than
 * in the lesson, so that the run is short.
 */
const HIGH = Object.freeze({ events: 2000, seconds: 15, split: 1, least: 1900 });

/** Documents a second, while they come. */
const written = (/** @type {import('../model/recording.js').Recording} */ { report }) => Math.round(report.throughput);

/**
 * @param {import('../model/recording.js').Recording} recording
 * @param {number} atMs
 */
function tabletsOfTime(recording, atMs) {
  return (sampleAt(recording, atMs)?.tablets ?? []).filter(({ index }) => index === 'events: timestamp').length;
}

/**
 * Each user writes one document.
 * @param {{index: string, shards: number, events?: number, seconds?: number, lost?: number, split?: number}} options `events`: a second. `split`:
 *   the seconds until a hot tablet splits, by default those of the model.
 * @param {number} seed
 * @param {AbortSignal} signal
 */
function play({ index, shards, events = WRITES_PER_SECOND, seconds = SECONDS, lost = 0, split }, seed, signal) {
  return record({
    kind: 'inserts',
    shards: index === 'time' ? 1 : shards,
    keepTimestampIndex: index === 'both',
    users: events * seconds,
    arrivalsPerSecond: events,
    thinkMs: 10_000_000,
    seconds,
    faults: faultsOf(lost),
    ...(split === undefined ? {} : { limits: { splitAfterSeconds: split } }),
    seed,
  }, signal);
}

/** @type {import('./chapter.js').WordKnob} */
const INDEX = { words: ['time', 'shard', 'both'], default: 'time' };

/** @param {import('./chapter.js').Knobs} knobs Without a shard in front of the time, their number changes nothing. */
const isSharded = ({ index }) => index !== 'time';

/** @type {import('./chapter.js').Step<any>} */
const lesson = {
  id: 'tablets',
  knobs: { index: INDEX, shards: { choices: [3, 5, 10], default: 3, applies: isSharded } },
  prediction: { unit: 'documents-per-second', answer: written },
  record: ({ index, shards }, seed, signal) => play({ index, shards }, seed, signal),
  pictures: (recording) => {
    const seconds = Math.ceil(recording.durationMs / 1000);
    return [
      new TabletStrip(recording, { capacity: TABLET_WRITES_PER_SECOND }),
      new TimeSeries(text('series.documents'), [
        { label: text('series.asked'), style: 1, values: perSecond(recording.works.beganMs, seconds) },
        { label: text('series.written'), style: 0, values: perSecond(recording.index.acknowledgedMs, seconds) },
      ], recording.durationMs),
    ];
  },
  figures: (recording, atMs) => ({
    over: atMs >= recording.durationMs ? 'yes' : 'no',
    time: formatMoment(atMs),
    came: stateAt(recording, atMs).asked,
    done: stateAt(recording, atMs).acknowledged,
    asked: recording.report.experiment.arrivalsPerSecond ?? 0,
    written: written(recording),
    tablets: tabletsOfTime(recording, atMs),
    index: recording.report.experiment.keepTimestampIndex ? 'both' : (recording.report.experiment.shards ?? 1) > 1 ? 'shard' : 'time',
    shards: recording.report.experiment.shards ?? 1,
  }),
  tasks: [
    { id: 'split', reached: (recording, atMs, { index }) => index === 'time' && tabletsOfTime(recording, atMs) > 1 },
    { id: 'old-index', reached: (recording, atMs, { index }) => index === 'both' && atMs >= recording.durationMs && written(recording) < 600 },
    { id: 'spread', reached: (recording, atMs) => atMs >= recording.durationMs && written(recording) > 800 },
  ],
  code: ({ index, shards }) => (index === 'time'
    ? `await addDoc(collection(db, 'events'), { type: 'click', timestamp: serverTimestamp() });\n`
    : `const events = db.shardedCollection('events', { shards: ${shards} });\nawait events.add({ type: 'click', timestamp: Timestamp.now() });\n`),
  trial: {
    code: ({ index, shards }) => `const events = db.shardedCollection('events', { shards: ${index === 'time' ? 1 : shards} });
await Promise.all(Array.from({ length: 100 }, () => events.add({ type: 'click', timestamp: Timestamp.now() })));

const { docs } = await events.orderBy('timestamp', 'desc').limit(10).get();
console.log(docs);
`,
  },
};

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'hot-range',
  steps: [
    lesson,
    sandbox('hot-range', lesson, {
      knobs: {
        index: { ...INDEX, default: 'shard' },
        shards: { choices: [2, 3, 4, 5, 6, 8, 10, 15], default: 3, applies: isSharded },
        events: { choices: [100, 300, 500, 900, 1200, 1500, 2000], default: 500 },
        split: { choices: [1, 2, 5, 10], default: 5 },
        lost: LOST,
      },
      record: ({ index, shards, events, split, lost }, seed, signal) => play({ index, shards, events, split, lost }, seed, signal),
    }),
    challenge(lesson, {
      knobs: {
        index: { ...INDEX, default: 'shard' },
        shards: { choices: [2, 3, 4, 5, 6, 8, 10, 15], default: 4, applies: isSharded },
      },
      record: ({ index, shards }, seed, signal) => {
        const { events, seconds, split } = HIGH;
        return play({ index, shards, events, seconds, split }, seed, signal);
      },
      challenge: {
        unit: 'shards',
        best: 'least',
        judge: (recording) => {
          const [shards, done] = [recording.report.experiment.shards ?? 1, written(recording)];
          return { isReached: done >= HIGH.least, score: shards, figures: { written: done, missing: Math.max(0, HIGH.least - done) } };
        },
      },
    }),
  ],
};
