/** The challenges and sandboxes of the chapters: a goal is reached by a good setting, and not by the first one or a wrong one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { longTest } from '../support/long_test.js';
import { openEnglish } from './support/english.js';
import { format } from './support/messages.js';

/** @typedef {import('../../web/tutorial/chapters/chapter.js').Step<any>} Step */
/** @typedef {import('../../web/tutorial/chapters/chapter.js').Knobs} Knobs */

const messages = await openEnglish();

const chapters = await Promise.all(CHAPTERS.map(({ load }) => load()));

/** @param {string} chapter @param {string} step @returns {Step} */
function stepOf(chapter, step) {
  const found = chapters.find(({ id }) => id === chapter)?.steps.find(({ id }) => id === step);
  if (!found) throw new Error(`There is no ${chapter}/${step}.`);
  return found;
}

/** @param {Step} step */
const defaultsOf = ({ knobs = {} }) => Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, knob.default]));

/** @param {Step} step @param {Knobs} knobs */
async function run(step, knobs) {
  const recording = await step.record?.({ ...defaultsOf(step), ...knobs }, step.seed ?? 1, new AbortController().signal);
  assert.ok(recording && recording.durationMs > 0);
  return recording;
}

/**
 * `good` reaches the goal, and the others miss it. `better` is reached with a better score, if the goal has more than one good setting.
 * @type {{[chapter: string]: {good: Knobs, better: Knobs, wrong: Knobs[], said: RegExp, missed: RegExp}}}
 */
const CHALLENGES = {
  'distributed-counter': {
    good: { shards: 500 }, better: { shards: 350 }, wrong: [{ shards: 50 }, { shards: 300 }],
    said: /^With 500 shards, no press failed, and 19 of 20 presses took less than \d{3}\sms\./, missed: /less than \d[\d.]* s\. The goal/,
  },
  'hot-range': {
    good: { shards: 15 }, better: { shards: 8 }, wrong: [{ shards: 15, index: 'both' }, { index: 'time' }],
    said: /^Firestore wrote (1,9|2,0)\d\d documents a second\.$/, missed: /The goal is \d[\d,]* documents a second more\.$/,
  },
  'sharded-query': {
    good: { 'shard-values': 30 }, better: { 'shard-values': 60 }, wrong: [{ 'shard-values': 60, 'chunk-reads': 'whole-page' }],
    said: /^The page of 50 documents cost 50 reads\. The limit is 60\.$/, missed: /: \d+ reads too many\.$/,
  },
  ids: {
    good: { method: 'blocks' }, better: { method: 'blocks', shards: 100, block: 10 },
    wrong: [{ method: 'transaction' }, { method: 'blocks', shards: 10, block: 10 }, { method: 'blocks', shards: 100, block: 5 }],
    said: /^No id came twice, every request got an id, and 19 of 20 requests took less than 1\sms\. [\d,]+ ids stayed unused\.$/,
    missed: /^[\d,]+ ids were duplicates, every request got an id/,
  },
};

for (const [chapter, { good, better, wrong, said, missed }] of Object.entries(CHALLENGES)) {
  describe(`the challenge of ${chapter}`, () => {
    const step = stepOf(chapter, 'challenge');
    const { challenge } = step;
    if (!challenge) throw new Error('no challenge');
    const sayOutcome = (/** @type {any} */ figures) => (
      format(messages[`chapter.${chapter}.challenge.outcome`] ?? '', 'en', figures).replaceAll('\u00a0', ' '));

    test('is the last step, and is missed at first', async () => {
      assert.equal(chapters.find(({ id }) => id === chapter)?.steps.at(-1), step);
      const { isReached, figures } = challenge.judge(await run(step, {}));
      assert.equal(isReached, false);
      assert.match(sayOutcome(figures), missed);
    });

    test('is reached by a good setting, and better by another one', async () => {
      const [first, second] = [challenge.judge(await run(step, good)), challenge.judge(await run(step, better))];
      assert.deepEqual([first.isReached, second.isReached], [true, true], sayOutcome(second.figures));
      assert.match(sayOutcome(first.figures), said);
      assert.ok(challenge.best === 'least' ? second.score < first.score : second.score > first.score, `${first.score}, then ${second.score}`);
    });

    longTest('is missed by wrong settings', async () => {
      for (const knobs of wrong) {
        const { isReached, figures } = challenge.judge(await run(step, knobs));
        assert.equal(isReached, false, `${JSON.stringify(knobs)}: ${sayOutcome(figures)}`);
      }
    });

    test('has only settings that the reader can choose', () => {
      for (const [name, value] of [good, better, ...wrong].flatMap((knobs) => Object.entries(knobs))) {
        const knob = step.knobs?.[name];
        const choices = knob && ('words' in knob ? knob.words : knob.choices);
        assert.ok(/** @type {any[]} */ (choices).includes(value), `${name}=${value}`);
      }
    });
  });
}

test('every challenge is tried', () => {
  const all = chapters.filter(({ steps }) => steps.some(({ challenge }) => challenge)).map(({ id }) => id);
  assert.deepEqual(all.sort(), Object.keys(CHALLENGES).sort());
});

test('a step that leads to another chapter’s sandbox finds its settings there', async () => {
  const links = [];
  for (const step of chapters.flatMap(({ steps }) => steps)) {
    if (!step.sandbox) continue;
    const { choices = [0] } = /** @type {import('../../web/tutorial/chapters/chapter.js').NumberKnob} */ (step.knobs?.writes ?? {});
    for (const writes of choices) {
      const knobs = { ...defaultsOf(step), writes };
      links.push(step.sandbox(knobs, await step.record?.(knobs, 1, new AbortController().signal)));
    }
  }
  assert.ok(links.length > 5);
  for (const { chapter, knobs } of links) {
    const there = chapters.find(({ id }) => id === chapter)?.steps.find(({ id }) => id === 'sandbox')?.knobs ?? {};
    for (const [name, value] of Object.entries(knobs)) {
      const knob = /** @type {any} */ (there[name]);
      assert.ok((knob?.words ?? knob?.choices)?.includes(value), `${chapter}: ${name}=${value}`);
    }
  }
});

describe('a sandbox', () => {
  const sandboxes = chapters.flatMap(({ id, steps }) => steps.filter((step) => step.id === 'sandbox').map((step) => ({ chapter: id, step, steps })));

  test('follows the lesson of each chapter whose model has more to turn', () => {
    assert.deepEqual(sandboxes.map(({ chapter }) => chapter), ['one-document', 'distributed-counter', 'hot-range', 'sharded-query', 'ids', 'tickets']);
    for (const { steps, step } of sandboxes) {
      assert.ok(steps.slice(0, steps.indexOf(step)).every(({ tasks = [] }) => tasks.length > 0), 'steps with tasks come first');
    }
  });

  for (const { chapter, step, steps } of sandboxes) {
    test(`has every knob of the lesson: ${chapter}`, () => {
      const lesson = steps.filter(({ tasks, id }) => tasks && id !== 'holds').flatMap(({ knobs = {} }) => Object.keys(knobs));
      assert.deepEqual(lesson.filter((name) => !(name in (step.knobs ?? {}))), []);
    });

    longTest(`changes its run with each knob: ${chapter}`, async () => {
      const usual = await run(step, {});
      for (const [name, knob] of Object.entries(step.knobs ?? {})) {
        const { choices = [knob.default, Number(knob.default) + 1] } = /** @type {import('../../web/tutorial/chapters/chapter.js').NumberKnob} */ (knob);
        /** @type {(string | number)[]} */
        const all = 'words' in knob ? knob.words : choices;
        const next = all[all.indexOf(/** @type {any} */ (knob.default)) + 1] ?? all[0];
        assert.ok(!isDeepStrictEqual(await run(step, { [name]: next }), usual), `${name}=${next}`);
      }
    });
  }
});
