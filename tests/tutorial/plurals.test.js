/** Behind each number, the noun has the form that the language wants. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { parseNumber } from '../../web/tutorial/model/number.js';
import { followers, format, parse, pluralWords, variants } from './support/messages.js';

/**
 * Words that may follow a number outside of a plural: verbs, prepositions, units, and nouns of which the number is the name.
 * @type {{[tag: string]: string[]}}
 */
const NO_NOUNS = {
  en: ['counted', 'got', 'more', 'requested', 'if', 'with', 'or', 'failed', 'of', 'for', 'B', 'met', 'to', 'at', 's'],
  de: ['gezählt', 'ohne', 'liefern', 'weitere', 'geliefert', 'gewünschten', 'mit', 'oder', 'endgültig', 'B', 'am', 'bis', 'auf', 's'],
  es: ['no', 'más', 'que', 'si', 'con', 'o', 'en', 'al', 'B', 'coincidieron', 'a', 'de', 's'],
  ar: ['بقي', 'أيضًا', 'إذا', 'من', 'بقراءة', 'حين', 'بإجمالي', 'أو', 'إلى', 'معًا', 'ث'],
  tr: ['numaralı', 'idi', 'ya', 'B', 'gibi', 'al'],
  ja: ['章', '倍', 'に応答がないので', 'のあとでマーカーを読む', 'ページ目', '以降が必要です', 'を入れます', '人目', 'B', 'のような数を入力してください', '行目'],
};

/** One of each category in each of the languages, and fractions. */
const NUMBERS = [0, 1, 2, 3, 5, 10, 11, 21, 100, 101, 1000, 0.5, 1.5];

for (const { tag, name, locale, load } of LANGUAGES) {
  describe(name, async () => {
    const messages = await load();
    const rules = new Intl.PluralRules(locale);
    /** @type {Map<string, Set<string>>} */
    const words = new Map();
    for (const message of Object.values(messages)) {
      for (const [word, category] of pluralWords(message, locale)) words.set(word, (words.get(word) ?? new Set()).add(category));
    }

    test('no number stands before a noun outside of a plural', () => {
      for (const [key, message] of Object.entries(messages)) {
        assert.deepEqual(followers(message, locale).filter((word) => !NO_NOUNS[tag]?.includes(word)), [], key);
      }
    });

    test('every number, computed or written, has the form that it wants', () => {
      for (const [key, message] of Object.entries(messages)) {
        const { values, numbers } = parse(message, locale);
        for (const chosen of variants(message, locale)) {
          for (const number of numbers.length > 0 ? NUMBERS : [0]) {
            const said = format(message, locale, {
              ...Object.fromEntries(values.map((value) => [value, 'x'])), ...Object.fromEntries(numbers.map((value) => [value, number])), ...chosen,
            });
            assert.doesNotMatch(said, /[{}]|(?<!C)#|undefined|NaN/, key);
            for (const [, digits = '', word = ''] of said.matchAll(/(?<![\p{L}\d.,])(\d(?:[\d.,]*\d)?)[\s\u00a0]+(\p{L}[\p{L}\p{M}]*)/gu)) {
              const category = rules.select(Number(parseNumber(digits, locale)));
              assert.ok(words.get(word)?.has(category) ?? true, `${key}: “${digits} ${word}” in: ${said}`);
            }
          }
        }
      }
    });
  });
}
