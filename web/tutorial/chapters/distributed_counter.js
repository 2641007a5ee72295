// Chapter 2: the distributed counter.

import { openWorkbench } from '../../library/workbench.js';
import { DocumentLanes } from '../elements/document_lanes.js';
import { TimeSeries } from '../elements/time_series.js';
import { perSecond, record, stateAt } from '../model/recording.js';
import { formatDuration, formatMoment, text } from '../text.js';
import { challenge, faultsOf, LOST, sandbox } from './further_steps.js';

const WRITES_PER_SECOND = 50;
const SECONDS = 40;
/** The load of the challenge. `writes`: presses a second. */
const HIGH = Object.freeze({ writes: 300, seconds: 20 });

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
    asked: experiment.arrivalsPerSecond ?? 0,
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

/**
 * Each person presses once.
 * @param {{shards: number, writes?: number, lost?: number, seconds?: number}} options `writes`: presses a second.
 * @param {number} seed
 * @param {AbortSignal} signal
 */
async function play({ shards, writes = WRITES_PER_SECOND, lost = 0, seconds = SECONDS }, seed, signal) {
  const { shardsFor } = await openWorkbench();
  const recording = await record({
    kind: 'counter',
    shards,
    delivery: 'at-least-once',
    users: writes * seconds,
    arrivalsPerSecond: writes,
    thinkMs: 10_000_000,
    seconds,
    faults: faultsOf(lost),
    seed,
  }, signal);
  return { ...recording, needed: shardsFor({ writesPerSecond: writes }).counter.shards };
}

/** @type {import('./chapter.js').Step<any>} */
const lesson = {
  id: 'turn-up',
  knobs: { shards: { choices: [1, 2, 5, 10, 20, 50, 75, 100], default: 10 } },
  prediction: { unit: 'increments-per-second', answer: ({ report }) => Math.round(report.throughput) },
  record: ({ shards }, seed, signal) => play({ shards }, seed, signal),
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
  trial: {
    code: ({ shards }) => `const likes = db.counter('posts/p1', { shards: ${shards} });
await likes.create();

await likes.increment();
const { value } = await likes.get();
console.log(value);
`,
  },
};

/** @type {import('./chapter.js').Chapter} */
export const chapter = {
  id: 'distributed-counter',
  steps: [
    lesson,
    sandbox('distributed-counter', lesson, {
      knobs: {
        shards: { choices: [1, 2, 4, 5, 10, 20, 40, 50, 100, 200, 400, 1000], default: 20 },
        writes: { choices: [1, 2, 5, 10, 20, 50, 100, 200, 300, 500], default: 20 },
        lost: LOST,
      },
      record: ({ shards, writes, lost }, seed, signal) => play({ shards, writes, lost }, seed, signal),
    }),
    challenge(lesson, {
      knobs: { shards: { choices: [50, 100, 150, 200, 250, 300, 325, 350, 400, 500], default: 100 } },
      record: ({ shards }, seed, signal) => play({ shards, ...HIGH }, seed, signal),
      challenge: {
        unit: 'shards',
        best: 'least',
        judge: (recording) => {
          const { experiment, latencyMs, operations } = recording.report;
          const shards = experiment.shards ?? 0;
          return { isReached: holds(recording), score: shards, figures: { shards, failed: operations.failed, wait: formatDuration(latencyMs.p95) } };
        },
      },
    }),
  ],
};
