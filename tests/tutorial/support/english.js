/** The tutorial's English texts, for tests without a page. */
import { LANGUAGES } from '../../../web/tutorial/languages/languages.js';
import { openLanguage } from '../../../web/tutorial/text.js';

/** Opens English as the language of all texts. Returns its messages as they are written, with their placeholders. */
export async function openEnglish() {
  const [language] = LANGUAGES;
  if (!language) throw new Error('no English');
  // openLanguage() tells the page its language.
  Object.assign(globalThis, { document: { documentElement: {} } });
  await openLanguage(language);
  Reflect.deleteProperty(globalThis, 'document');
  return language.load();
}
