/** Code that a reader pastes speaks the reader's language: its comments, and an app that fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAPTERS } from '../../web/tutorial/chapters/index.js';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { htmlCode, pageCode } from '../../web/tutorial/model/like_app.js';
import { openLanguage } from '../../web/tutorial/text.js';

Object.assign(globalThis, { document: { documentElement: {} } });

test('the app to paste says in each language why it failed', async () => {
  for (const language of LANGUAGES) {
    await openLanguage(language);
    const messages = await language.load();
    for (const access of ['one-like', 'one-vote', 'signed-in', 'public']) {
      const html = htmlCode(access, 10);
      assert.ok(html.includes(`<html lang="${language.tag}" dir="${language.dir}">`), html);
      assert.ok(html.includes(`<title>${messages['like.app.title']}</title>`), html);
      const code = pageCode(access, 10, 'project');
      for (const key of ['like.app.refused', 'error.other']) assert.ok(code.includes(`'${messages[key]}`), `${language.name}: ${key} in ${code}`);
      assert.doesNotThrow(() => new Function(`async () => { ${code.replaceAll(/^import .*$/gm, '')} }`), 'it is JavaScript');
    }
  }
});

test('comments in the chapters’ code are in each language', async () => {
  const steps = (await Promise.all(CHAPTERS.map(({ load }) => load()))).flatMap((chapter) => chapter.steps);
  const comments = async (/** @type {import('../../web/tutorial/languages/languages.js').Language} */ language) => {
    await openLanguage(language);
    return steps.flatMap(({ code, knobs = {} }) => code?.(Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, knob.default]))).match(/\/\/ .*$/gm) ?? []);
  };
  const [first, ...others] = LANGUAGES;
  const english = await comments(/** @type {import('../../web/tutorial/languages/languages.js').Language} */ (first));
  assert.ok(english.length >= 8, String(english));
  for (const language of others) {
    const own = await comments(language);
    assert.equal(own.length, english.length);
    assert.deepEqual(own.filter((comment) => english.includes(comment)), [], language.name);
  }
});
