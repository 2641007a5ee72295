/** Every text of the page is there in every language, whole; and no language has a text that the page does not use. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REASONS } from '../../web/library/reasons.js';
import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { chooseLanguage, LANGUAGES, PSEUDO } from '../../web/tutorial/languages/languages.js';
import { parse } from './support/messages.js';

const TUTORIAL = fileURLToPath(new URL('../../web/tutorial/', import.meta.url));

const english = await /** @type {import('../../web/tutorial/languages/languages.js').Language} */ (LANGUAGES[0]).load();
const keys = Object.keys(english);
const sources = await readSources();

describe('what is said', () => {
  test('is all in the texts', async () => {
    const missing = [...await chapterKeys(), ...sources.literals].filter((key) => key.startsWith('chapter.') && !(key in english));
    assert.deepEqual(missing, []);
    const empty = sources.patterns.filter(({ source, pattern }) => !source.includes('`knob.') && !keys.some((key) => pattern.test(key)));
    assert.deepEqual(empty.map(({ source }) => source), [], 'ids that are put together, and match no text');
  });

  test('is all that there is in the texts', async () => {
    const said = new Set([...await chapterKeys(), ...sources.literals]);
    // Texts of chapters and knobs are known by name; of all others that are put together, the form is known.
    const isSaid = (/** @type {string} */ key) => said.has(key)
      || (!/^(chapter|knob)\./.test(key) && sources.patterns.some(({ pattern }) => pattern.test(key)));
    assert.deepEqual(keys.filter((key) => !isSaid(key)), []);
  });
});

describe('what is said of the library’s errors', () => {
  /** Their messages are never shown: the page shows no cancelled calls, and does not use the functions of the others. */
  const UNSAID = [
    'answers-contradict', 'batch-ended', 'batch-increment-too-large', 'batch-withdrawn', 'database-not-opened',
    'document-written-twice', 'cancelled', 'cancelled-in-doubt', 'increment-goes-on', 'increment-withdrawn', 'method-missing', 'resume-from-elsewhere',
    'shard-field-changed', 'stock-key-used', 'stock-not-found', 'stock-not-taken', 'stock-take-in-doubt', 'user-changed', 'user-not-known', 'user-not-signed-in',
  ];

  test('is said of each reason that the page can meet', () => {
    const said = keys.filter((key) => key.startsWith('reason.')).map((key) => key.slice('reason.'.length));
    assert.deepEqual([...said, ...UNSAID].sort(), Object.keys(REASONS).sort());
  });

  test('speaks of the reason’s parameters alone', () => {
    for (const [reason, { params }] of Object.entries(REASONS)) {
      const { values } = parse(english[`reason.${reason}`] ?? '', 'en');
      assert.deepEqual(values.filter((value) => !/** @type {readonly string[]} */ (params).includes(value)), [], reason);
    }
  });
});

for (const language of [...LANGUAGES, PSEUDO]) {
  describe(language.name, async () => {
    const messages = await language.load();
    const rules = new Intl.PluralRules(language.locale);
    // In Turkish, a noun stays the same behind any number.
    const isInvariant = language.tag === 'tr';
    // Numbers that are said: Spanish has one more form for millions, for which the one for others is right, too.
    const categories = [...new Set([...Array(1000).keys(), 1.5].map((number) => rules.select(number)))];

    test('has every text, and no other', () => {
      assert.deepEqual(Object.keys(messages).sort(), [...keys].sort());
    });

    test('has the same values and marks in every text', () => {
      for (const key of keys) {
        const { values, tags } = parse(messages[key] ?? '', language.locale);
        const expected = parse(english[key] ?? '', 'en');
        assert.deepEqual({ values, tags }, { values: expected.values, tags: expected.tags }, key);
      }
    });

    test('has every plural form', () => {
      for (const key of keys) {
        for (const forms of parse(messages[key] ?? '', language.locale).plurals) {
          // The pseudo-locale has English's.
          const needed = isInvariant && !forms.includes('one') ? ['other'] : categories;
          const missing = needed.filter((category) => !forms.includes(category));
          assert.deepEqual(missing, [], `${key} has ${forms}`);
        }
      }
    });

    test('says all numbers in the language’s own way', () => {
      for (const key of keys) {
        const { numbers } = parse(english[key] ?? '', 'en');
        assert.deepEqual(parse(messages[key] ?? '', language.locale).numbers, numbers, key);
      }
    });
  });
}

test('a number and its unit stay in one line', async () => {
  for (const { name, locale, load } of LANGUAGES) {
    const messages = await load();
    for (const unit of ['ms', 'seconds', 'minutes', 'bytes', 'kilobytes']) {
      assert.match(parse(messages[`unit.${unit}`] ?? '', locale).literals, /^\u00a0\S/, `${name}: ${unit}`);
    }
  }
});

test('what stands for a place within another text begins in its language’s direction', async () => {
  for (const { name, dir, load } of LANGUAGES) {
    if (dir !== 'rtl') continue;
    const messages = await load();
    // What is inserted takes its direction from its first letter: one that begins with a name would be read backwards.
    for (const key of keys.filter((each) => each.startsWith('place.'))) assert.doesNotMatch(messages[key] ?? '', /^[A-Za-z]/, `${name}: ${key}`);
  }
});

test('a reader gets the language of the address, then the chosen one, then the browser’s, then English', () => {
  assert.equal(chooseLanguage(['en-XA', 'en']), PSEUDO);
  assert.equal(chooseLanguage([null, 'en-GB', 'fr']).tag, 'en');
  assert.equal(chooseLanguage(['xx', undefined, null, '', '../../en']).tag, 'en');
  for (const language of LANGUAGES) {
    assert.equal(chooseLanguage([`${language.tag.toUpperCase()}-Latn-001`]), language);
    assert.equal(chooseLanguage(['xx', language.tag, 'en']), language);
  }
});

test('the pseudo-locale leaves no English, and keeps code', async () => {
  for (const [key, message] of Object.entries(await PSEUDO.load())) {
    assert.doesNotMatch(parse(message, 'en').literals, /[A-Za-z]/, key);
  }
});

/** @returns {Promise<string[]>} The texts of chapters, by the form that chapters/chapter.js describes. */
async function chapterKeys() {
  /** @type {string[]} */
  const found = ['chapter.number'];
  for (const { id, load } of CHAPTERS) {
    found.push(`chapter.${id}.title`, `chapter.${id}.about`);
    for (const step of (await load()).steps) {
      const stem = `chapter.${id}.${step.id}`;
      const textId = (/** @type {'title' | 'text' | 'result'} */ name) => step.texts?.[name] ?? `${stem}.${name}`;
      found.push(textId('title'), textId('text'));
      if (step.figures) found.push(textId('result'));
      if (step.sandbox) found.push(`${stem}.sandbox`);
      if (step.challenge) found.push(`${stem}.outcome`, `unit.${step.challenge.unit}`);
      if (step.challenge?.judgeCode) found.push(`${stem}.code`);
      for (const task of step.tasks ?? []) found.push(`${stem}.task.${task.id}`);
      for (const part of step.recipe ?? []) found.push(`${stem}.recipe.${part.id}`);
      if (step.prediction) {
        found.push(`${stem}.question`);
        if ('choices' in step.prediction) found.push(...step.prediction.choices.map((choice) => `${stem}.choice.${choice}`));
        else found.push(`unit.${step.prediction.unit}`);
      }
      for (const [name, knob] of Object.entries(step.knobs ?? {})) {
        found.push(`knob.${name}`);
        if ('words' in knob) found.push(...knob.words.map((word) => `knob.${name}.${word}`));
        else if (`knob.${name}.value` in english) found.push(`knob.${name}.value`);
        if ('applies' in knob) found.push(knob.idle ?? `knob.${name}.idle`);
      }
    }
  }
  return [...new Set(found)];
}

/** The ids in the page's sources, and the forms of ids that are put together there. */
async function readSources() {
  /** @type {Set<string>} */
  const literals = new Set();
  /** @type {{source: string, pattern: RegExp}[]} */
  const patterns = [];
  for (const file of await readdir(TUTORIAL, { recursive: true })) {
    if (!file.endsWith('.js') || file.startsWith('languages/')) continue;
    const content = await readFile(TUTORIAL + file, 'utf8');
    for (const [, literal = ''] of content.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)) literals.add(literal);
    for (const [source, template = ''] of content.matchAll(/`((?:[a-z][\w-]*\.|\$\{[^}`]*\}\.?)+[\w.-]*)`/g)) {
      if (!/^[a-z]/.test(template) || !template.includes('${')) continue;
      const escaped = template.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.]/g, '\\.'));
      patterns.push({ source: `${file}: ${source}`, pattern: new RegExp(`^${escaped.join('[\\w.-]+')}$`) });
    }
  }
  return { literals: [...literals], patterns };
}
