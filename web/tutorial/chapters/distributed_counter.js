// Chapter 2: the distributed counter.

import { openWorkbench } from '../../library/workbench.js';
import { DocumentLanes } from '../elements/document_lanes.js';
import { TimeSeries } from '../elements/time_series.js';
import { perSecond, record, stateAt } from '../model/recording.js';
import { formatDuration, formatMoment, text } from '../text.js';

const WRITES_PER_SECOND = 50;
const SECONDS = 40;

/** Whether no press waits long, and no press fails. */
const holds = (/** @type {import('../model/recording.js').Recording} */ { report }) => report.latencyMs.p95 < 1000 && report.operations.failed === 0;

/**
 * Whether it holds. As many shards as the load needs on average nearly do: several presses meet at the same one, and wait.
 * @param {import('../model/recording.js').Recording} recording
 * @param {number} needed How many shards the library says.
 */
export function verdictOf(recording, needed) {
  if (holds(recording)) return 'yes';
  return (recording.report.experiment.shards ?? 0) >= needed ? 'nearly' : 'no';
}

/**
 * @param {import('../model/recording.js').Recording} recording
 * @param {number} atMs
 * @param {number} needed How many shards the library says.
 */
function figuresOf(recording, atMs, needed) {
  const soFar = stateAt(recording, atMs);
  const { experiment, throughput, latencyMs, requests, operations } = recording.report;
  return {
    shards: experiment.shards ?? 0,
    asked: WRITES_PER_SECOND,
    counted: Math.round(throughput),
    wait: formatDuration(latencyMs.p95),
    retries: requests.retries,
    failed: operations.failed,
    needed,
    holds: verdictOf(recording, needed),
    over: atMs >= recording.durationMs ? 'yes' : 'no',
    time: formatMoment(atMs),
    pressed: soFar.asked,
    done: soFar.counted,
  };
}

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'distributed-counter',
  steps: [{
    id: 'turn-up',
    knobs: { shards: { choices: [1, 2, 5, 10, 20, 50, 75, 100], default: 10 } },
    prediction: { unit: 'increments-per-second', answer: ({ report }) => Math.round(report.throughput) },
    record: async ({ shards }, seed, signal) => {
      const { shardsFor } = await openWorkbench();
      const recording = await record({
        kind: 'counter',
        shards,
        delivery: 'at-least-once',
        // Each presses once.
        users: WRITES_PER_SECOND * SECONDS,
        arrivalsPerSecond: WRITES_PER_SECOND,
        thinkMs: 10_000_000,
        seconds: SECONDS,
        seed,
      }, signal);
      return { ...recording, needed: shardsFor({ writesPerSecond: WRITES_PER_SECOND }).counter.shards };
    },
    pictures: (recording) => {
      const seconds = Math.ceil(recording.durationMs / 1000);
      return [
        new DocumentLanes(recording),
        new TimeSeries(text('series.rate'), [
          { label: text('series.asked'), style: 1, values: perSecond(recording.works.beganMs, seconds) },
          { label: text('series.counted'), style: 0, values: perSecond(recording.index.acknowledgedMs, seconds) },
        ], recording.durationMs),
      ];
    },
    figures: (recording, atMs) => figuresOf(recording, atMs, recording.needed),
    tasks: [
      { id: 'crowded', reached: (recording, atMs) => stateAt(recording, atMs).conflicts > 0 },
      { id: 'holds', reached: (recording, atMs) => atMs >= recording.durationMs && holds(recording) },
    ],
    code: ({ shards }) => `import { connect } from 'shardline';

const db = await connect({ projectId: 'my-project', apiKey: 'my-web-api-key' }); // ${text('code.note.connect')}
const likes = db.counter('posts/p1', { shards: ${shards} });
await likes.create();

button.onclick = () => likes.increment();
`,
  }],
};
