/** Times in a run, as the page says them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { formatMarks, formatMoment, formatSeconds, openLanguage } from '../../web/tutorial/text.js';

Object.assign(globalThis, { document: { documentElement: {} } });

/** @param {string} tag */
async function speak(tag) {
  await openLanguage(/** @type {import('../../web/tutorial/text.js').Language} */ (LANGUAGES.find((language) => language.tag === tag)));
}

/** @param {string} said */
const plain = (said) => said.replace(/\u00a0/g, ' ').replace(/[\u2066-\u2069]/g, '');

test('a moment is said down to a tenth of a second, then to a second, and is never rounded up', async () => {
  await speak('en');
  const said = [0, 999.9, 1000, 10_970, 59_999, 60_999, 119_999, 120_000, 898_999].map((atMs) => plain(formatMoment(atMs)));
  assert.deepEqual(said, ['0 ms', '999 ms', '1 s', '10.9 s', '59.9 s', '60 s', '119 s', '2 min', '14 min 58 s']);
});

test('seconds that are rounded to a minute have no sixtieth second', async () => {
  await speak('en');
  assert.deepEqual([119.6, 179.7, 180.4].map((seconds) => plain(formatSeconds(seconds))), ['2 min', '3 min', '3 min']);
});

test('the marks of an axis have one unit', async () => {
  await speak('en');
  assert.deepEqual(formatMarks([0, 60, 120]).map(plain), ['0 min', '1 min', '2 min']);
  assert.deepEqual(formatMarks([0, 0.5, 1]).map(plain), ['0 s', '0.5 s', '1 s']);
  assert.deepEqual(formatMarks([60, 90, 120]).map(plain), ['60 s', '90 s', '120 s']);
});

test('every language says minutes and seconds in its own words', async () => {
  const said = [];
  for (const { tag } of LANGUAGES) {
    await speak(tag);
    said.push(`${tag}: ${plain(formatMoment(125_000))}`);
  }
  assert.deepEqual(said.sort(), ['ar: 2 د و5 ث', 'de: 2 min 5 s', 'en: 2 min 5 s', 'es: 2 min 5 s', 'ja: 2 分 5 秒', 'tr: 2 dk 5 sn']);
});
