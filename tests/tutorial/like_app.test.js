/** The app that a reader pastes speaks the reader's language, also when it fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../web/tutorial/languages/languages.js';
import { htmlCode, pageCode } from '../../web/tutorial/model/like_app.js';
import { openLanguage } from '../../web/tutorial/text.js';

test('the app to paste says in each language why it failed', async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
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
