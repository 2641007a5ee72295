/** Each thing has one word in each language. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GLOSSARY, NEVER } from '../../web/tutorial/languages/glossary.js';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { parse } from './support/messages.js';

/**
 * The words outside of code and of names of files. Vowel marks are left out, because the patterns have letters alone.
 * @param {import('../../web/tutorial/languages/languages.js').Language} language
 * @returns {Promise<Map<string, string>>}
 */
async function saidIn({ locale, load }) {
  const plain = (/** @type {string} */ literals) => literals.replace(/[\u064b-\u0652]/g, '').replace(/\b\w+(\.\w+)*\.(json|html|rules|js)\b/g, '');
  return new Map(Object.entries(await load()).map(([key, message]) => [key, plain(parse(message, locale).literals)]));
}

const [first] = LANGUAGES;
const english = await saidIn(/** @type {import('../../web/tutorial/languages/languages.js').Language} */ (first));

for (const language of LANGUAGES) {
  const { tag, name } = language;
  describe(name, async () => {
    const texts = await saidIn(language);

    test('says each term with the glossary’s word', () => {
      const wrong = Object.entries(GLOSSARY).flatMap(([term, patterns]) => {
        const { [tag]: word } = /** @type {{[tag: string]: any}} */ (patterns);
        const never = patterns.never?.[tag];
        return [...texts].filter(([key, text]) => patterns.en.test(english.get(key) ?? '') && (!word.test(text) || never?.test(text)))
          .map(([key, text]) => `${term}, ${key}: ${text}`);
      });
      assert.deepEqual(wrong, []);
    });

    test('uses no word in place of a term', () => {
      assert.ok(NEVER[tag]);
      for (const [key, text] of texts) for (const word of NEVER[tag] ?? []) assert.doesNotMatch(text, word, key);
    });
  });
}

test('each term is there, and a word in its place is found', () => {
  for (const [term, { en }] of Object.entries(GLOSSARY)) assert.ok([...english.values()].some((source) => en.test(source)), term);
  for (const [tag, wrong] of Object.entries({ ar: 'حُسبت الزيادة', tr: 'Bekleyen artışlar', ja: '加算を送信' })) {
    assert.ok(NEVER[tag]?.some((word) => word.test(wrong.replace(/[\u064b-\u0652]/g, ''))), wrong);
  }
});
