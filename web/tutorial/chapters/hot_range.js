// Chapter 6: the hot range of an index.

import { TabletStrip } from '../elements/tablet_strip.js';
import { TimeSeries } from '../elements/time_series.js';
import { perSecond, record, sampleAt, stateAt } from '../model/recording.js';
import { formatMoment, text } from '../text.js';

/** The writes a second that the model of limits lets a tablet take: Firestore's documented figure. */
const TABLET_WRITES_PER_SECOND = 500;
const WRITES_PER_SECOND = 900;
const SECONDS = 20;

/** Documents a second, while they come. */
const written = (/** @type {import('../model/recording.js').Recording} */ { report }) => Math.round(report.throughput);

/**
 * @param {import('../model/recording.js').Recording} recording
 * @param {number} atMs
 */
function tabletsOfTime(recording, atMs) {
  return (sampleAt(recording, atMs)?.tablets ?? []).filter(({ index }) => index === 'events: timestamp').length;
}

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'hot-range',
  steps: [{
    id: 'tablets',
    knobs: {
      index: { words: ['time', 'shard', 'both'], default: 'time' },
      shards: { choices: [3, 5, 10], default: 3, applies: ({ index }) => index !== 'time' },
    },
    prediction: { unit: 'documents-per-second', answer: written },
    record: ({ index, shards }, seed, signal) => record({
      kind: 'inserts',
      shards: index === 'time' ? 1 : shards,
      keepTimestampIndex: index === 'both',
      // Each writes one document.
      users: WRITES_PER_SECOND * SECONDS,
      arrivalsPerSecond: WRITES_PER_SECOND,
      thinkMs: 10_000_000,
      seconds: SECONDS,
      seed,
    }, signal),
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
      asked: WRITES_PER_SECOND,
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
  }],
};
