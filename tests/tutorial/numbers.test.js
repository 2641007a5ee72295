/** Readers type numbers as their language writes them, and read them so. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { parseNumber } from '../../web/tutorial/model/number.js';
import { format } from './support/messages.js';

for (const { name, locale, load } of LANGUAGES) {
  describe(name, () => {
    test('reads each number that it writes', () => {
      for (const number of [0, 1, -3, 0.5, -0.25, 12.75, 999, 1000, 12345, 1234567.5, -9876543, 2 ** 53 - 1, 2n ** 60n]) {
        for (const useGrouping of [true, false]) {
          const written = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 6 }).format(number);
          assert.equal(parseNumber(written, locale), number, written);
        }
      }
    });

    test('proposes numbers that it reads', async () => {
      const numbers = { whole: 5, negative: -3, fraction: 0.5 };
      const proposal = format((await load())['counter.delta.wrong'] ?? '', locale, numbers);
      const found = proposal.match(/[\d.,\u200e-]*\d/g)?.map((written) => parseNumber(written, locale));
      assert.deepEqual(found, Object.values(numbers), proposal);
    });

    test('takes a comma and a point, and the digits of every keyboard', () => {
      for (const typed of ['0,5', '0.5', '.5', ',5', '٠٫٥', '٠,٥', '۰٫۵', '０．５', ' 0.5 ', '+0,5']) assert.equal(parseNumber(typed, locale), 0.5, typed);
      for (const typed of ['1000', '١٠٠٠', '١٬٠٠٠', '۱۰۰۰', '１０００', '1 000', '1’000', '1\u202f000']) assert.equal(parseNumber(typed, locale), 1000, typed);
      for (const typed of ['-3', '\u22123', '－３', '\u200e-3', '-٣']) assert.equal(parseNumber(typed, locale), -3, typed);
      for (const typed of ['1,234.5', '1.234,5']) assert.equal(parseNumber(typed, locale), 1234.5, typed);
      assert.equal(parseNumber('-9223372036854775808', locale), -(2n ** 63n));
    });

    test('takes nothing else', () => {
      for (const typed of ['', '-', '.', 'x', '1e3', '5 apples', '5 5', '1 00', '1,2,3', '1.2.3,4', '1.23,456', '--1', '1-', 'Infinity', 'NaN', '٪٥']) {
        assert.equal(parseNumber(typed, locale), null, typed);
      }
    });
  });
}

test('a single separator of thousands depends on the language', () => {
  assert.equal(parseNumber('1.500', 'de'), 1500);
  assert.equal(parseNumber('1.500', 'en'), 1.5);
  assert.equal(parseNumber('1,500', 'en'), 1500);
  assert.equal(parseNumber('1,500', 'tr'), 1.5);
});
