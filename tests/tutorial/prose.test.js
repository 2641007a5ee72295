/** The numbers in the tutorial's texts are those of the runs, in every language. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CLAUSE, FORBIDDEN } from '../../scripts/forbidden_words.js';
import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { format, parse, variants } from './support/messages.js';

const [first, ...others] = LANGUAGES;
const english = await /** @type {import('../../web/tutorial/languages/languages.js').Language} */ (first).load();

/** Smaller ones are words in some languages, and in others a part of the grammar. */
const LEAST = 20;
const THOUSAND = /\b(a thousand|tausend|mil|bin)\b|ألف/iu;

/** Numbers that Firestore documents: writes to a range of an index, values of an `in`, shards that the server adds up for one read. */
const LIMITS = [500, 30, 1000];
/** A 95th percentile, in words. */
const OF_TWENTY = [19, 20];

/**
 * @param {import('../../web/tutorial/languages/languages.js').Message} message
 * @param {string} locale
 */
function numbersIn(message, locale) {
  const { literals } = parse(message, locale);
  const digits = (literals.match(/\d[\d.,\u00a0\u202f]*\d|\d/g) ?? []).map((number) => (
    Number(number.replace(/[.,\u00a0\u202f](?=\d{3}(?!\d))/g, '').replace(',', '.'))));
  return new Set([...digits, ...(THOUSAND.test(literals) ? [1000] : [])]);
}

for (const language of others) {
  test(`${language.name} has the numbers of the English texts`, async () => {
    const messages = await language.load();
    const large = (/** @type {Set<number>} */ numbers) => [...numbers].filter((number) => number >= LEAST).sort((a, b) => a - b);
    for (const [key, message] of Object.entries(english)) {
      const own = large(numbersIn(messages[key] ?? '', language.locale));
      // “For about twenty minutes” is a number in Japanese.
      const expected = large(numbersIn(message, 'en'));
      assert.deepEqual(key === 'contents.intro' ? own.filter((number) => number !== 20) : own, expected, key);
    }
  });
}

for (const { id, load } of CHAPTERS) {
  test(`what is said beforehand is what is run: ${id}`, async () => {
    const { steps } = await load();
    /** @type {Set<number>} */
    const known = new Set(LIMITS);
    for (const { knobs = {}, prediction, record, seed = 1, computed } of steps) {
      const values = Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, knob.default]));
      for (const value of Object.values(values)) known.add(Number(value));
      if (prediction?.askedAtMs) known.add(prediction.askedAtMs / 1000);
      if (!record || computed) continue;
      const { report, durationMs } = await record(values, seed, new AbortController().signal);
      // Requests that come within the seconds of a run are answered a little later.
      known.add(report ? report.experiment.seconds : Math.floor(durationMs / 1000));
      const { stock, ...options } = report?.experiment ?? {};
      for (const value of Object.values({ ...options, ...stock })) known.add(Number(value));
    }
    const source = await readFile(new URL(`../../web/tutorial/chapters/${id.replaceAll('-', '_')}.js`, import.meta.url), 'utf8');
    const literals = new Set((source.match(/\b\d[\d_]*\b/g) ?? []).map((literal) => Number(literal.replaceAll('_', ''))));
    const environment = await readFile(new URL('../../scripts/env', import.meta.url), 'utf8');
    known.add(Number(/^NODE_MINIMUM=(.*)$/m.exec(environment)?.[1]));
    for (const [key, message] of Object.entries(english)) {
      if (!key.startsWith(`chapter.${id}.`)) continue;
      // Only the chapter has the number that a task or a challenge asks for.
      const more = /\.task\.|\.challenge\./.test(key) ? [...literals, ...OF_TWENTY] : /\.result$/.test(key) ? OF_TWENTY : [];
      const unknown = [...numbersIn(message, 'en')].filter((number) => number > 2 && !known.has(number) && !more.includes(number));
      assert.deepEqual(unknown, [], `${key}: ${parse(message, 'en').literals}`);
    }
  });
}

test('English sentences name their actor, and are short', () => {
  const sentences = new Set(Object.values(english).flatMap((message) => variants(message, 'en').flatMap((chosen) => {
    const { values } = parse(message, 'en');
    const said = format(message, 'en', { ...Object.fromEntries(values.map((value) => [value, 2])), ...chosen });
    return said.split(/\n+|(?<=[.!?:][)”"’]*)\s+/);
  })));
  for (const sentence of sentences) {
    for (const pattern of FORBIDDEN) assert.doesNotMatch(sentence, pattern);
    assert.ok(sentence.split(/\s+/).length <= 28, sentence);
  }
  const clauses = [...sentences].filter((sentence) => sentence.search(CLAUSE) >= 0 && !/^(What|Who)\b/.test(sentence));
  assert.deepEqual(clauses, []);
});
